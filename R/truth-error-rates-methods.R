#' Summary and plot of error rates of a procedure
#'
#' The print shows what the lists contain, at the strength that gives the observed error (or at the
#' first given strength), and what this says about your list. If no simulated signal is as strong as
#' the data, it says so. `summary()` has the tables: the procedures' own lists, and the cuts that
#' satisfy the targets. The picture shows how many features of each kind every cut contains, with a
#' line for the claimed bound.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_error_rates`) result of [estimate_error_rates()].
#' @return `summary()`: a list that prints its tables, `own` and `targets`; `autoplot()`: a ggplot
#'   object, which `plot()` draws.
#' @family evidence
#' @name error-rates-methods
NULL

#' @exportS3Method
facts_of.stabilect_error_rates <- function(x, n = 10L) {
  unreached <- unreached_sizes(x)
  own <- own_lists(x)
  own <- own[!own$n_true %in% unreached, ]
  said <- own[own$n_true %in% c(own$n_true[own$n_true > 0L], own$n_true)[1], ]
  said <- said[!duplicated(said$method), ]
  known <- nrow(own) > 0L
  matched <- known && !is.na(x$observed)
  result_facts(
    x, "Error rates: would such a list be right?",
    sprintf("%d simulated outcomes for each strength", x$asked$n_simulations),
    list(
      List = if (known) describe_own(said, x$asked$threshold) else describe_unreached(x),
      Meaning = if (matched) meaning_of_rates(said),
      Caution = if (matched) describe_matching(x, own, said, unreached)
    ),
    design = if (known) describe_imitated(x, said[1, ])
  )
}

own_lists <- function(x) {
  x$table[(x$table$matched | is.na(x$observed)) & x$table$cut == "own", ]
}

# Numbers of true features for which no simulated strength has an error as small as observed, up to
# two Monte Carlo errors.
unreached_sizes <- function(x) {
  if (is.na(x$observed)) {
    return(integer())
  }
  smallest <- tapply(x$error$error - 2 * x$error$error_se, x$error$n_true, min)
  as.integer(names(smallest))[x$observed < smallest]
}

#' @rdname error-rates-methods
#' @export
summary.stabilect_error_rates <- function(object, ...) {
  refuse_dots(...)
  targets <- object$targets[object$targets$matched | is.na(object$observed), ]
  own <- own_lists(object)
  new_summary(object, own = own, targets = targets, sections = list(
    new_section(own_rates_table(own), Inf, sprintf(
      "Own lists (near: |r| > %s with a true feature)", figure(object$asked$threshold)
    )),
    if (NROW(targets) > 0L) target_section(targets, object$asked)
  ))
}

# What was simulated: which features act, and how strong the signal is.
describe_imitated <- function(x, first) {
  if (first$n_true == 0L) {
    return("on your features, without any signal")
  }
  sprintf(
    "on your features: %s with an effect of %s own%s; %s", count_of(first$n_true, "feature"),
    if (first$n_true == 1L) "its" else "their",
    if (first$diffuse > 0) {
      sprintf(", %s of the signal a little in all features", as_percent(first$diffuse))
    } else {
      ""
    },
    if (is.na(x$observed)) {
      sprintf("R2 %s", figure(first$r_squared, digits = 2))
    } else {
      sprintf("as easy to predict as your data (%s)", say_error(x, x$observed))
    }
  )
}

# An error of the kind that the outcome has: "2.8 % wrong", "concordance 0.71".
say_error <- function(x, error) {
  measured <- outcome_of(x$study)$measured
  switch(measured,
    "misclassification rate" = paste(as_percent(error), "wrong"),
    discordance = paste("concordance", figure(1 - error, digits = 2)),
    paste(measured, figure(error, digits = 2))
  )
}

describe_unreached <- function(x) {
  c(
    "cannot be said: no simulated signal is as strong as these data",
    sprintf(
      "out of bag: %s in your data, %s with the strongest simulated signal",
      say_error(x, x$observed), say_error(x, min(x$error$error))
    )
  )
}

# The mean contents of the lists of all procedures with the same simulated signal.
# @param said (rows of the table) one for each procedure.
describe_own <- function(said, threshold) {
  unlist(lapply(seq_len(nrow(said)), function(i) {
    row <- said[i, ]
    size <- sprintf("%.1f", row$size)
    c(
      sprintf(
        "%s %s on average%s:", size, if (size == "1.0") "feature" else "features",
        if (nrow(said) > 1L) paste(" in the list of", row$method) else ""
      ),
      describe_contents(row, threshold)
    )
  }))
}

describe_contents <- function(row, threshold) {
  some <- row$n_true > 0L
  number <- c(
    if (some) row[c("true", "near")], if (row$diffuse > 0) row["behind"],
    list(row$unrelated - row$behind)
  )
  sprintf("%*.1f %s", max(nchar(sprintf("%.1f", row$size)), 4L), pmax(unlist(number), 0), c(
    if (some) {
      c(
        sprintf("of the %d that act by themselves", row$n_true),
        sprintf("close neighbours of one of these (|r| > %s)", figure(threshold))
      )
    },
    if (row$diffuse > 0) "that mark the outcome by the shared signal; acting is open",
    "that follow nothing"
  ))
}

# What the contents of a list say about a feature on it.
meaning_of_rates <- function(said) {
  meaning <- vapply(seq_len(nrow(said)), function(i) meaning_of_list(said[i, ]), "")
  if (length(unique(meaning)) > 1L) paste0(said$method, ": ", meaning) else meaning[1]
}

meaning_of_list <- function(row) {
  if (row$size < 0.5) {
    return("most such lists are empty; an empty one says little about these features")
  }
  nothing <- (row$unrelated - row$behind) / row$size
  if (nothing > 0.5) {
    "do not trust single features: most of such a list follow nothing"
  } else if ((row$true + row$near) / row$size >= 0.5) {
    "most of your features act by themselves, or are close neighbours of one that does"
  } else {
    paste(
      "trust your features as markers; these data cannot say which of them act by",
      "themselves"
    )
  }
}

# Where the answer depends on what is not known, and how the simulations differ from the data.
# @param own,said (rows of the table) of all numbers of true features, and of the one printed.
describe_matching <- function(x, own, said, unreached) {
  number <- function(value) figure(value, digits = 2)
  spread <- x$table$spread[x$table$n_true > 0L & !x$table$n_true %in% unreached]
  far <- spread[abs(log(spread / x$spread)) > log(1.25)]
  others <- own[own$n_true > 0L & own$method == said$method[1], ]
  meanings <- vapply(seq_len(nrow(others)), function(i) meaning_of_list(others[i, ]), "")
  differ <- others$n_true[meanings != meaning_of_list(said[1, ])]
  c(
    if (length(differ) > 0L) {
      sprintf("with %s such features the answer differs: summary()", in_list(differ))
    },
    if (length(far) > 0L) {
      sprintf(
        "features are %s correlated with your outcome than with simulated ones (%s)",
        if (mean(far) < x$spread) "more" else "less", sprintf(
          "mean square: %s times chance, %s there", number(x$spread),
          paste(unique(number(range(spread))), collapse = " to ")
        )
      )
    },
    if (length(unreached) > 0L) {
      sprintf(
        "with %s such features no simulation was as easy to predict as your data",
        in_list(unreached)
      )
    }
  )
}

in_list <- function(numbers) {
  paste(c(toString(utils::head(numbers, -1L))[length(numbers) > 1L], utils::tail(numbers, 1L)),
    collapse = " or "
  )
}

# One row per procedure and number of true features, one column per target.
target_section <- function(targets, asked) {
  kind <- paste0(targets$target, ifelse(targets$counts == "features", "", "_near"))
  rows <- split(seq_len(nrow(targets)), ceiling(seq_len(nrow(targets)) / 4))
  wide <- do.call(rbind, lapply(rows, function(at) {
    cuts <- stats::setNames(as.list(targets$cutoff[at]), kind[at])
    data.frame(
      targets[at[1], c("method", "n_true", "cut")], cuts, claimed = targets$claimed[at[1]]
    )
  }))
  if (all(is.na(wide$claimed))) wide$claimed <- NULL
  new_section(dash_missing(wide), Inf, sprintf(
    paste(
      "Widest cuts that keep to a target (upper 95 %% limit): at most %s false positives on",
      "average (pfer), a share of at most %s (fdr); by feature, or up to neighbours (near true",
      "ones: not false)"
    ),
    figure(asked$pfer), figure(asked$fdr)
  ))
}

own_rates_table <- function(rows) {
  columns <- c(
    "method", "n_true", "r_squared", "diffuse", "size", "true", "near", "unrelated", "behind",
    "pfer", "pfer_se", "claimed"
  )
  if (all(rows$diffuse == 0)) columns <- setdiff(columns, c("diffuse", "behind"))
  if (all(is.na(rows$claimed))) columns <- setdiff(columns, "claimed")
  rows[c("r_squared", "diffuse")] <- round(rows[c("r_squared", "diffuse")], 2)
  dash_missing(join_errors(rows[columns], 2))
}
