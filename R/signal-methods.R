#' Summary and plot of signals
#'
#' `plot()` draws the absolute correlation of the features against their rank. A band contains 90 %
#' of the null outcomes at each rank; the selected features are marked.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_signals`) result of [find_signals()].
#' @param n (whole number >= 1) number of features in the summary or the picture.
#' @return `summary()`: a list that prints `best` (partial correlations with intervals), neighbours
#'   and `sets` (features that share a signal); `autoplot()`: a ggplot.
#' @family signals
#' @name signals-methods
NULL

#' @exportS3Method
facts_of.stabilect_signals <- function(x, n = 10L) {
  named <- length(x$features) > 0L
  result_facts(
    x, "Signals that can be told apart", describe_null_design(x),
    list(
      Signal = c(describe_verdict(x), describe_dependence(x$dependence)),
      List = c(
        if (named) describe_names(x) else describe_no_names(x), describe_candidates(x),
        describe_marks(x),
        describe_dependent(x$dependence, x$features)
      ),
      Caution = c(
        caution_of_p(x), caution_of_background(x), caution_of_chains(x),
        if (named) caution_of_imputed(x$study$missing)
      )
    ),
    list(if (named) signal_section(x, n))
  )
}

signal_section <- function(x, n) {
  table <- x$table
  columns <- c("probability", "mc_error", "class", "direction", "partial_r")
  if (is.null(x$members)) {
    columns <- c("feature", columns, "n_neighbours", "set_size", "frequency", "score")
  } else {
    table$cluster <- table$feature
    table$members <- shorten_list(table$members, 30L)
    columns <- c("cluster", columns, "frequency", "size", "members")
  }
  new_section(
    name_direction(table[intersect(columns, names(table))], x$study), n,
    below = c(
      "mc_error: Monte Carlo standard error of the probability",
      if (is.null(x$members)) "n_neighbours: features with |r| > 0.7 with it",
      if (is.null(x$members)) "set_size: itself and the features that could stand in its place"
    )
  )
}

# The assumptions of p beyond exchangeable samples.
caution_of_p <- function(x) {
  shown <- x$null$not_normal
  if (x$null$kind == "rotation") {
    return(sprintf(
      "rotations assume normal residuals%s; `null = \"permutation\"` does not",
      if (length(shown) == 0L) "" else sprintf(", and these are not (%s)", toString(shown))
    ))
  }
  switch(x$null$assumes,
    "nearly exchangeable residuals" =
      "with covariates p is approximate: residuals given them are exchanged",
    "residuals of one spread, which these do not have" = paste(
      "p can be far too small: the spread of the outcome changes with the covariates; for counts,",
      "give `family = \"poisson\"`"
    )
  )
}

# Samples are exchanged within blocks, or blocks stand for their samples, which a note says.
describe_null_design <- function(x) {
  blocks <- x$asked$blocks
  # Copies of a sample are one, or exchanged among themselves, which says nothing.
  whole <- is_copied(blocks) ||
    any(startsWith(as.character(x$study$notes), "every block has one response"))
  paste0(
    describe_null_draws(x),
    if (!is.null(blocks) && !whole) sprintf(" within %d blocks", length(unique(blocks)))
  )
}

describe_null_draws <- function(x) describe_draws(x$made$n_null, x$null$complete, x$null$kind)

describe_verdict <- function(x) {
  number <- function(value) figure(value, digits = 2)
  p <- nrow(x$marginal)
  least <- max(1 / (x$made$n_null + 1), 1 / x$null$n_distinct)
  c(
    sprintf(
      "%s: p = %s (%s%s %s; %s)",
      if (x$p_value <= 0.05) "yes" else "no evidence of a linear one", number(x$p_value),
      if (p == 1L) "correlation" else paste("largest of", count_of(p, "correlation")),
      if (is.null(x$members)) "" else " of cluster means",
      number(max(abs(x$marginal$correlation))), describe_null_draws(x)
    ),
    if (x$p_value > 0.05 && least > 0.05) {
      sprintf(
        "there are only %s arrangements of the outcome: p cannot be below %s",
        figure(x$null$n_distinct), number(least)
      )
    }
  )
}

describe_no_names <- function(x) {
  unit <- unit_word(x$study)
  if (x$p_value > 0.05) {
    sprintf("no %s is named", unit)
  } else if (!is.null(x$unnamed)) {
    sprintf("no %s is named: %s", unit, x$unnamed)
  } else {
    sprintf(
      "the data show signal, and cannot say which %s carries it: none attains probability %s", unit,
      figure(named_from)
    )
  }
}

# Two questions: which features mark the outcome, as any of many correlated ones does, and which
# carry the signal beside the others.
describe_marks <- function(x) {
  found <- marks_of(x)
  n <- length(found)
  if (n > 0L) {
    sprintf(
      "%s %s the outcome by %s (family-wise p <= 0.05, see `marginal`): %s",
      count_of(n, unit_word(x$study)), if (n == 1L) "marks" else "mark",
      if (n == 1L) "itself" else "themselves",
      shorten_list(toString(with_copies(found, x$study)), 100L)
    )
  }
}

# Those with the largest correlations first.
marks_of <- function(x) {
  found <- x$marginal[x$marginal$p <= 0.05, ]
  found$feature[order(-abs(found$correlation), method = "radix")]
}

# The probability from which the core names a feature.
named_from <- 0.8

describe_names <- function(x) {
  unit <- unit_word(x$study)
  c(
    sprintf(
      "%s with probability of at least %s that it, or %s |r| > 0.7, carries signal%s",
      count_of(nrow(x$table), unit), figure(named_from),
      if (is.null(x$members)) "a neighbour with" else "one whose mean has",
      if (is.null(x$table$class)) "" else " for its class against all others"
    ),
    paste("expected number of wrong names:", if (chains_disagree(x)) {
      "not known, as the chains of the sampler disagree"
    } else if (x$expected_wrong < 0.01) {
      "below 0.01"
    } else {
      figure(x$expected_wrong, digits = 2)
    })
  )
}

describe_candidates <- function(x) {
  if (nrow(x$candidates) > 0L) {
    # 0.7996 is no 0.80 where names begin at 0.8.
    probability <- floor(100 * x$candidates$probability + 1e-9) / 100
    paste("not named, with their probability:", join_correlations(
      stats::setNames(probability, with_copies(x$candidates$feature, x$study))
    ))
  }
}

# With 5 % of the values missing names are wrong as often as said, with 20 % about twice as often
# (experiments/missing).
caution_of_imputed <- function(missing) {
  if (isTRUE(missing$all > 0.1)) {
    sprintf(
      "%s of the values are missing: names are wrong more often than said, as a page shows: %s",
      as_percent(missing$all), "vignette(\"missing-values\")"
    )
  }
}

# The Monte Carlo error of a share from four chains that agree is a few hundredths. Where they
# disagree on one feature, they may also agree on another by chance.
chains_disagree <- function(x) max(0, x$table$mc_error, x$candidates$mc_error) > 0.08

caution_of_chains <- function(x) {
  if (chains_disagree(x)) {
    sprintf(
      paste(
        "the chains of the sampler disagree (mc_error up to %s): names and probabilities change",
        "with the seed, also where mc_error is 0; compare some seeds"
      ), figure(max(x$table$mc_error, x$candidates$mc_error), digits = 2)
    )
  }
}

caution_of_background <- function(x) {
  if (isTRUE(x$background$probability > 0.5)) {
    paste0(
      "much of the outcome is spread over many features or components (probability ",
      figure(x$background$probability, digits = 2), ")",
      if (length(x$features) > 0L) {
        "; a name stands out of this rest, and is wrong if it has no effect of its own"
      }
    )
  }
}

#' @rdname signals-methods
#' @export
summary.stabilect_signals <- function(object, n = 20, ...) {
  refuse_dots(...)
  n <- check_count(n)
  columns <- intersect(c("feature", "class", "partial_r", "lower", "upper"), names(object$table))
  best <- utils::head(object$table[columns], n)
  new_summary(object, best = best, sets = object$sets, sections = c(
    list(if (length(object$features) > 0L) {
      new_section(
        object$table[columns], n,
        "Partial correlations, 95 % intervals that take the names as given"
      )
    }),
    member_sections(object, n), neighbour_sections(object, n),
    list(if (nrow(object$sets) > 0L) {
      new_section(
        object$sets, n, "Features that carry the signal of a name, by their share of the models"
      )
    })
  ))
}

neighbour_sections <- function(x, n) {
  lapply(x$features, function(feature) {
    around <- utils::head(x$neighbours[[feature]], n)
    names(around) <- with_copies(names(around), x$study)
    new_section(above = paste0(
      "Neighbours of ", with_copies(feature, x$study), ": ", join_correlations(around)
    ))
  })
}

member_sections <- function(x, n) {
  lapply(if (!is.null(x$members)) x$features, function(cluster) {
    own <- x$members[x$members$cluster == cluster, ]
    own <- utils::head(own[order(-abs(own$correlation), method = "radix"), ], n)
    new_section(above = paste0(
      "Members of ", cluster, ", and their correlations with its mean: ",
      join_correlations(stats::setNames(own$correlation, with_copies(own$feature, x$study)))
    ))
  })
}

# @param correlations (numeric) named by features.
join_correlations <- function(correlations) {
  if (length(correlations) == 0L) {
    return("none")
  }
  toString(paste(names(correlations), sprintf("%.2f", correlations)))
}
