#' Look at signals
#'
#' `plot()` draws the absolute correlation of the features against their rank, with the band in
#' which 90 % of the null responses lie at each rank, and marks the named features.
#'
#' @param x,object (object of class `stabilect_signals`) Made by [find_signals()].
#' @param n (whole number >= 1) how many features to print, or to draw.
#' @param ... Not used.
#' @return `print()` returns `x`, invisibly; `summary()` an object that prints steps, neighbours and
#'   credible sets, too; `autoplot()` a ggplot object, which `plot()` draws.
#' @family signals
#' @name signals-methods
NULL

#' @rdname signals-methods
#' @export
print.stabilect_signals <- function(x, n = 10, ...) {
  show_signals(x, check_count(n))
  print_next(x)
}

show_signals <- function(x, n) {
  named <- length(x$features) > 0L
  print_verdict(c(describe_verdict(x), if (named) explain_names(x) else explain_no_names(x)))
  print_head(x, "Signals that can be told apart", describe_null_draws(x))
  if (!named) {
    return(invisible())
  }
  cat("\n")
  table <- x$table
  columns <- c("p", "direction", "partial_r", "n_neighbours", "set_size", "frequency", "score")
  if (is.null(x$members)) {
    columns <- c("feature", columns)
  } else {
    table$cluster <- table$feature
    table$members <- shorten_list(table$members, 30L)
    columns <- c("cluster", "p", "direction", "partial_r", "frequency", "size", "members")
  }
  print_rows(table, intersect(columns, names(table)), n)
}

# What p takes for granted, where that is more than exchangeable samples.
explain_assumption <- function(x) {
  shown <- x$null$not_normal
  if (x$null$kind == "rotation") {
    return(sprintf(
      "Rotations assume normal residuals%s; `null = \"permutation\"` does not.",
      if (length(shown) == 0L) "" else sprintf(", and these are not (%s)", toString(shown))
    ))
  }
  if (identical(x$null$assumes, "nearly exchangeable residuals")) {
    "With covariates p is approximate: residuals given them are exchanged."
  }
}

describe_null_draws <- function(x) {
  count_of(x$made$n_null, if (x$null$kind == "rotation") "rotation" else "permutation")
}

describe_verdict <- function(x) {
  about <- sprintf(
    "p = %s: the largest of %s correlations%s, %s, against %s", figure(x$p_value, digits = 2),
    figure(nrow(x$marginal), big.mark = ","), if (is.null(x$members)) "" else " of cluster means",
    figure(max(abs(x$marginal$correlation)), digits = 2),
    describe_null_draws(x)
  )
  least <- max(1 / (x$made$n_null + 1), 1 / x$null$n_distinct)
  if (x$p_value <= 0.05) {
    return(c(paste0("Signal: yes (", about, ")."), explain_assumption(x)))
  }
  c(
    paste0("Signal: not shown (", about, ")."), explain_assumption(x),
    if (least > 0.05) {
      sprintf(
        "There are only %s arrangements of the response: p cannot be below %s.",
        figure(x$null$n_distinct), figure(least, digits = 2)
      )
    }
  )
}

explain_no_names <- function(x) {
  c(
    if (x$p_value <= 0.05) {
      sprintf(
        "No %s can be told from the others with %d samples.", unit_word(x$asked), x$study$n
      )
    } else {
      sprintf("So no %s is named.", unit_word(x$asked))
    },
    if (length(x$unproven) > 0L) {
      paste0("First in line, unproven: ", paste(x$unproven, collapse = ", "), ".")
    }
  )
}

explain_names <- function(x) {
  c(
    sprintf("%s can be named (p: given the others).", count_of(nrow(x$table), unit_word(x$asked))),
    if (is.null(x$members)) {
      "A name stands for itself or one of its neighbours (|r| > 0.7)."
    } else {
      "A name stands for a feature of its cluster, or of a cluster with a similar mean (|r| > 0.7)."
    },
    describe_rates(x$rates)
  )
}

describe_rates <- function(rates) {
  in_percent <- function(share) figure(signif(100 * share, 2))
  if (!is.null(rates$false)) {
    return(sprintf(
      paste(
        "In %s simulations with known truth %s %% of the named clusters (%s to %s %% by data set)",
        "held no true feature, %s %% nothing near one; this is observed, not proven."
      ),
      figure(rates$responses, big.mark = ","), in_percent(rates$false), in_percent(rates$lowest),
      in_percent(rates$highest), in_percent(rates$unrelated)
    ))
  }
  sprintf(
    paste(
      "In %s simulations with known truth %s %% of the names (%s to %s %% by data set) were",
      "unrelated to every true feature; this is observed, not proven."
    ),
    figure(rates$responses, big.mark = ","), in_percent(rates$unrelated), in_percent(rates$lowest),
    in_percent(rates$highest)
  )
}

#' @rdname signals-methods
#' @export
summary.stabilect_signals <- function(object, n = 20, ...) {
  refuse_dots(...)
  structure(list(fit = object, n = check_count(n)), class = "summary_stabilect_signals")
}

#' @export
print.summary_stabilect_signals <- function(x, ...) {
  fit <- x$fit
  show_signals(fit, x$n)
  if (length(fit$features) > 0L) {
    cat("\npartial correlations, 95 % intervals that take the names as given\n")
    print_rows(fit$table, c("feature", "partial_r", "lower", "upper"), x$n)
  }
  for (cluster in if (!is.null(fit$members)) fit$features) {
    own <- fit$members[fit$members$cluster == cluster, ]
    own <- utils::head(own[order(-abs(own$correlation), method = "radix"), ], x$n)
    cat("\n")
    print_text(paste0(
      "members of ", cluster, ", and their correlations with its mean: ",
      toString(paste(own$feature, sprintf("%.2f", own$correlation)))
    ))
  }
  cat("\nforward steps\n")
  print_figures(fit$steps, digits = 3)
  for (feature in fit$features) {
    near <- utils::head(fit$neighbours[[feature]], x$n)
    cat("\n")
    print_text(paste0(
      "neighbours of ", feature, ": ",
      if (length(near) == 0L) "none" else toString(paste(names(near), sprintf("%.2f", near)))
    ))
  }
  if (nrow(fit$sets) > 0L) {
    cat("\ncredible sets, and the names that they are about\n")
    print_rows(fit$sets, c("set", "about", "feature", "probability"), x$n)
  }
  invisible(x)
}
