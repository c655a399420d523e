#' Summary and plot of independent signals
#'
#' `plot()` draws the absolute correlation of the features against their rank. A band contains 90 %
#' of the null outcomes at each rank; the selected features are marked.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_signals`) result of [find_signals()].
#' @param n (whole number >= 1) number of features in the summary or the picture.
#' @return `summary()`: an object that prints steps, neighbours and credible sets; `autoplot()`: a
#' @family signals
#' @name signals-methods
NULL

#' @exportS3Method
facts_of.stabilect_signals <- function(x, n = 10L) {
  named <- length(x$features) > 0L
  result_facts(
    x, "Signals that can be told apart", describe_null_draws(x),
    list(
      Signal = describe_verdict(x),
      List = if (named) describe_names(x) else describe_no_names(x),
      Caution = c(caution_of_p(x), if (named) describe_rates(x$rates))
    ),
    list(if (named) signal_section(x, n))
  )
}

signal_section <- function(x, n) {
  table <- x$table
  columns <- c("p", "direction", "partial_r", "n_neighbours", "set_size", "frequency", "score")
  if (is.null(x$members)) {
    columns <- c("feature", columns)
  } else {
    table$cluster <- table$feature
    table$members <- shorten_list(table$members, 30L)
    columns <- c("cluster", "p", "direction", "partial_r", "frequency", "size", "members")
  }
  new_section(
    name_direction(table[intersect(columns, names(table))], x$study), n,
    below = "p: of each, given the others"
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
  if (identical(x$null$assumes, "nearly exchangeable residuals")) {
    "with covariates p is approximate: residuals given them are exchanged"
  }
}

describe_null_draws <- function(x) {
  count_of(x$made$n_null, if (x$null$kind == "rotation") "rotation" else "permutation")
}

describe_verdict <- function(x) {
  number <- function(value) figure(value, digits = 2)
  least <- max(1 / (x$made$n_null + 1), 1 / x$null$n_distinct)
  c(
    sprintf(
      "%s: p = %s (largest of %s correlations%s %s; %s)",
      if (x$p_value <= 0.05) "yes" else "no evidence", number(x$p_value),
      figure(nrow(x$marginal), big.mark = ","), if (is.null(x$members)) "" else " of cluster means",
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
  unit <- unit_word(x$asked)
  c(
    if (x$p_value <= 0.05) {
      sprintf("no %s can be told apart from the others with %d samples", unit, x$study$n)
    } else {
      sprintf("no %s is named", unit)
    },
    if (length(x$unproven) > 0L) {
      sprintf("first in line, unproven: %s", paste(x$unproven, collapse = ", "))
    }
  )
}

describe_names <- function(x) {
  n <- nrow(x$table)
  c(
    sprintf(
      "%s can be told apart from the others", if (is.null(x$members)) {
        count_of(n, "signal")
      } else {
        count_of(n, "cluster")
      }
    ),
    if (is.null(x$members)) {
      "a feature stands for itself or a close neighbour (|r| > 0.7)"
    } else {
      "a cluster stands for itself, or for one with a similar mean (|r| > 0.7)"
    }
  )
}

describe_rates <- function(rates) {
  in_percent <- function(share) figure(signif(100 * share, 2))
  if (!is.null(rates$false)) {
    return(sprintf(
      paste(
        "in %s simulations with known truth %s\u00a0%% of the named clusters (%s to %s\u00a0%% by",
        "data set) held no true feature, %s\u00a0%% nothing near one; this is observed, not proven"
      ),
      figure(rates$responses, big.mark = ","), in_percent(rates$false), in_percent(rates$lowest),
      in_percent(rates$highest), in_percent(rates$unrelated)
    ))
  }
  sprintf(
    paste(
      "in %s simulations with known truth %s\u00a0%% of the names (%s to %s\u00a0%% by data set)",
      "were unrelated to every true feature; this is observed, not proven"
    ),
    figure(rates$responses, big.mark = ","), in_percent(rates$unrelated), in_percent(rates$lowest),
    in_percent(rates$highest)
  )
}

#' @rdname signals-methods
#' @export
summary.stabilect_signals <- function(object, n = 20, ...) {
  refuse_dots(...)
  of_class("summary_stabilect_signals", fit = object, n = check_count(n))
}

#' @exportS3Method
facts_of.summary_stabilect_signals <- function(x, n = 10L) {
  fit <- x$fit
  near <- lapply(fit$features, function(feature) {
    around <- utils::head(fit$neighbours[[feature]], x$n)
    new_section(above = paste0("Neighbours of ", feature, ": ", join_correlations(around)))
  })
  members <- lapply(if (!is.null(fit$members)) fit$features, function(cluster) {
    own <- fit$members[fit$members$cluster == cluster, ]
    own <- utils::head(own[order(-abs(own$correlation), method = "radix"), ], x$n)
    new_section(above = paste0(
      "Members of ", cluster, ", and their correlations with its mean: ",
      join_correlations(stats::setNames(own$correlation, own$feature))
    ))
  })
  sections <- c(
    list(if (length(fit$features) > 0L) {
      new_section(
        fit$table[c("feature", "partial_r", "lower", "upper")], x$n,
        "Partial correlations, 95 % intervals that take the names as given"
      )
    }),
    members, list(new_section(fit$steps, Inf, "Forward steps")), near,
    list(if (nrow(fit$sets) > 0L) {
      new_section(
        fit$sets[c("set", "about", "feature", "probability")], x$n,
        "Credible sets, and the names that they are about"
      )
    })
  )
  summary_facts(fit, sections)
}

# @param correlations (numeric) named by features.
join_correlations <- function(correlations) {
  if (length(correlations) == 0L) {
    return("none")
  }
  toString(paste(names(correlations), sprintf("%.2f", correlations)))
}
