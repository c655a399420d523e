#' Methods of stability selection
#'
#' @param object (object of class `stabilect_stability_selection`) made by [stability_selection()].
#' @param n (whole number >= 1) number of features to show.
#' @param type (string) kind of plot:
#'   * `"frequency"`: selection frequencies of the best features with the cutoff; with `efp` or
#'     `fdr`, the efp of the best features;
#'   * `"paths"`: share of runs with each of the best features in the model of k features, against
#'     k; with `efp` or `fdr`, against the penalty;
#'   * `"cutoffs"`: calibration score of every pair of q and cutoff, see Details.
#' @param ... Not used.
#' @details
#' `type = "cutoffs"` is a heat map of the score by which `cutoff = "calibrated"` chooses q and
#' cutoff, see [stability_selection()]. The point is the chosen pair. Above the lines there is a
#' bound, or a bound of at most the given `pfer`. The `data` of the plot has the columns `q`,
#' `cutoff`, `n_selected`, `z` and `allowed` (flag: above the line).
#' @return `summary()`: the data frame `table`. `autoplot()`: a ggplot object, which `plot()` draws.
#' @family stability selection
#' @name stability_selection-methods
NULL

#' @exportS3Method
facts_of.stabilect_stability_selection <- function(x, n = 10L) {
  title <- c(
    if (is_integrated(x$asked)) {
      "Integrated stability selection with the lasso"
    } else {
      "Stability selection with the lasso"
    },
    describe_likelihood(x$asked$likelihood)
  )
  some <- length(x$features) > 0L
  shown <- if (some) x$table[x$table$selected, ] else best_rows(x, n)
  rows <- if (is.null(x$asked$clusters)) stable_section else cluster_section
  verdict <- signal_facts(x)
  verdict$List <- c(describe_stable(x), if (!some) explain_nothing(x))
  verdict$Caution <- c(verdict$Caution, caution_of_stable(x))
  result_facts(
    x, paste(title, collapse = ": "), format(x$resamples$plan), verdict,
    list(rows(x, shown, n, if (!some) "Most frequent features")),
    c(
      describe_adjusted(x$asked$likelihood), describe_bound(x$bound), describe_asked_bound(x),
      if (x$made$n_failed > 0L) {
        sprintf(
          "%d of %d runs left out (failed, or in a pair with a failed one); bound for the rest",
          x$made$n_failed, x$made$n_runs
        )
      }
    )
  )
}

stable_section <- function(x, shown, n, above) {
  simultaneous <- if (!anyNA(shown$simultaneous)) "simultaneous"
  by_rate <- is_integrated(x$asked)
  measures <- if (by_rate) c("efp", "fdr", "frequency") else c("frequency", simultaneous)
  evidence_section(x, shown, measures, n, above = above)
}

# The first rows when nothing is selected: those with a score, if any.
best_rows <- function(x, n) {
  scored <- if (is_integrated(x$asked)) which(x$table$score > 0) else integer()
  utils::head(if (length(scored) > 0L) x$table[scored, ] else x$table, n)
}

# The number of features, and of false positives allowed by the bound.
describe_stable <- function(x) {
  if (is_integrated(x$asked)) {
    return(describe_integrated(x))
  }
  if (is_calibrated(x$asked)) {
    return(describe_calibrated(x))
  }
  unit <- unit_word(x$asked)
  bound <- x$bound
  m <- length(x$features)
  if (m == 0L) {
    return(sprintf(
      "none: no %s of %s is in %s of the runs or more; bound: %s", unit,
      figure(bound$n_total, big.mark = ","), as_percent(bound$cutoff), describe_pfer(bound)
    ))
  }
  sprintf(
    "%s of %s; %s", count_of(m, paste("stable", unit)), figure(bound$n_total, big.mark = ","),
    describe_pfer(bound)
  )
}

# The assumptions of the bound of a list, and permutations that contradict it.
caution_of_stable <- function(x) {
  if (is_integrated(x$asked)) {
    return(if (length(x$features) > 0L) assumed_noise)
  }
  if (is_calibrated(x$asked)) {
    return(c(caution_of_calibrated(x), describe_named(x)))
  }
  if (!is.null(x$asked$clusters)) {
    return(caution_of_clusters(x))
  }
  if (length(x$features) > 0L && x$bound$assumption != "none") {
    paste0(assumed_noise, "; ?stability_selection has its assumptions")
  }
}

assumed_noise <- paste(
  "the bound assumes that all noise features are equally likely to be selected"
)

# Explains whether no feature is selected because of the data or because of the bound.
explain_nothing <- function(x) {
  if (is_integrated(x$asked)) {
    return(explain_rate(x))
  }
  best <- x$table[1, ]
  bound <- x$bound
  unit <- unit_word(x$asked)
  at <- bound_pfer(bound$n_total, bound$q, best$frequency, bound$n_pairs, bound$assumption)
  c(
    sprintf(
      "the most frequent, %s, is in %s of the runs (%s by chance)", best$feature,
      as_percent(best$frequency), as_percent(bound$q / bound$n_total)
    ),
    if (is.finite(at)) {
      sprintf(
        "a cutoff of %s would keep it, with at most %s expected false positives",
        figure(best$frequency, digits = 2), figure(at, digits = 2)
      )
    } else {
      "no bound holds at so low a cutoff"
    },
    if (x$made$n_short > 0L) {
      sprintf(
        "%s ended before q = %d %ss: a smaller q costs nothing", count_of(x$made$n_short, "run"),
        bound$q, unit
      )
    }
  )
}

#' @rdname stability_selection-methods
#' @export
summary.stabilect_stability_selection <- function(object, ...) {
  refuse_dots(...)
  object$table
}

#' @rdname stability_selection-methods
#' @param newdata (samples by features, as `x` of [stability_selection()]) new samples, with the
#'   features of the stable clusters.
#' @param member_weights (string) weights of the features of a cluster: `"weighted"`, their own
#'   selection frequencies; `"simple"`, equal; `"best"`, only the most frequent feature (several
#'   equally).
#' @section Clusters of new samples:
#' `predict()` is for a result with `clusters`. \eqn{\theta_j} is the share of runs whose model
#' contained feature j; \eqn{m_j} and \eqn{s_j} are its mean and standard deviation in the data of
#' the result. \eqn{c_j} (1 or -1) is the sign of its correlation with the middle of its cluster C,
#' the feature with the largest mean correlation with the others. The column of C is
#' \deqn{X_C = \sum_{j \in C} w_j c_j \frac{x_j - m_j}{s_j},}
#' with weights \eqn{w_j = \theta_j / \sum_{k \in C} \theta_k}, \eqn{1 / |C|}, or equal weights for
#' the features with the largest \eqn{\theta} (Faletto and Bien 2022, section 3; without sign and
#' scale). A model of the clusters is `fit_model(predict(result, x), y)`, which
#' [predict()][fit_model()] then applies to `predict(result, newdata)`.
#' @exportS3Method
predict.stabilect_stability_selection <- function(object, newdata, # nolint: object_name_linter.
                                                  member_weights = c("weighted", "simple", "best"),
                                                  ...) {
  refuse_dots(...)
  how <- check_choice(member_weights, c("weighted", "simple", "best"))
  refuse(is.null(object$asked$clusters),
    c("{.arg object} has no clusters, and stability selection has no model.",
      i = "For a model of the stable features: {.code fit_model(x, y, selected(object))}."
    )
  )
  members <- object$members
  weight <- weigh_members(members$frequency, object$asked$clusters, how)
  own <- which(members$cluster %in% object$features & weight > 0)
  x <- read_newdata(newdata, object$study, members$feature[own])
  out <- cluster_columns(x, members[own, ], weight[own], object$features)
  dimnames(out) <- list(rownames(newdata), object$features)
  out
}
