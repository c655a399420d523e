#' Methods of stability selection
#'
#' @param object (object of class `stabilect_stability_selection`) made by [stability_selection()].
#' @param n (whole number >= 1) number of features to show; of names in `"strength"`.
#' @param type (string) kind of plot:
#'   * `"frequency"`: selection frequencies of the best features with the cutoff; with `bound
#'     = "integrated"`, the pfer of the best features;
#'   * `"strength"`: how strong and how steady features are, see [plot_strength];
#'   * `"paths"`: share of runs with each of the best features in the model of k features, against
#'     k; with `bound = "integrated"`, against the penalty;
#'   * `"cutoffs"`: calibration score of every pair of q and cutoff, see Details.
#' @param ... Not used.
#' @details
#' `type = "cutoffs"` is a heat map of the score by which `cutoff = "calibrated"` chooses q and
#' cutoff, see [stability_selection()]. The point is the chosen pair. Above the lines there is a
#' bound, or a bound of at most the given `pfer`. The `data` of the plot has the columns `q`,
#' `cutoff`, `n_selected`, `z` and `allowed` (flag: above the line).
#' @return `summary()`: a list with `best` (the first `n` rows of `table`) and `bound`, which prints
#'   them and how the list was made: q, penalties, cutoff and assumption. `autoplot()`: a ggplot
#'   object; `plot()` draws it and returns it invisibly.
#' @family stability selection
#' @name stability_selection-methods
NULL

#' @exportS3Method
facts_of.stabilect_stability_selection <- function(x, n = 10L) {
  rule <- rule_of(x$asked)
  likelihood <- x$asked$likelihood
  title <- c(rule$title(x), if (!is.null(likelihood)) describe_likelihood(likelihood))
  some <- length(x$features) > 0L
  shown <- if (some) x$table[x$table$selected, ] else best_rows(x$table, rule, n)
  verdict <- signal_facts(x)
  verdict$List <- c(rule$verdict(x), if (!some) rule$nothing(x))
  verdict$Stability <- rule$robust(x)
  verdict$Caution <- c(verdict$Caution, rule$caution(x))
  rows <- unit_of(x$study)$section(
    x, shown, rule$measures(shown), n, if (!some) "Most frequent features",
    "predict(fit, x) gives a column for each stable cluster"
  )
  result_facts(
    x, paste(title, collapse = ": "), format(x$resamples$plan), verdict, list(rows),
    c(
      if (x$made$n_failed > 0L) {
        sprintf(
          "%d of %d runs left out (failed, or in a pair with a failed one); bound for the rest",
          x$made$n_failed, x$made$n_runs
        )
      },
      if (!is.null(x$asked$selector) && x$made$n_short > 0L) {
        sprintf(
          "%s selected fewer, as %s gave no more", count_of(x$made$n_short, "run"),
          x$asked$selector$label
        )
      },
      describe_adds(x)
    )
  )
}

#' @rdname stability_selection-methods
#' @export
summary.stabilect_stability_selection <- function(object, n = 20, ...) { # nolint: object_length.
  refuse_dots(...)
  n <- check_count(n)
  best <- utils::head(object$table, n)
  rule <- rule_of(object$asked)
  made <- lapply(rule$details(object), function(part) {
    if (is.character(part)) new_section(above = c("How the list was made", part)) else part
  })
  shown <- best_rows(object$table, rule, n)
  rows <- unit_of(object$study)$section(object, shown, rule$measures(shown), n, NULL)
  new_summary(object, best = best, bound = object$bound, sections = c(
    list(rows), made, list(look_section(object$made$until))
  ))
}

# The first rows where nothing is selected: those with a score, where any has one.
best_rows <- function(table, rule, n) {
  scored <- rule$scored(table)
  utils::head(if (length(scored) > 0L) table[scored, ] else table, n)
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
  refuse(!unit_of(object$study)$grouped,
    c("{.arg object} has no clusters, and stability selection has no model.",
      i = "For a model of the stable features: {.code fit_model(x, y, selected(object))}."
    )
  )
  members <- object$members
  weight <- weigh_members(members$frequency, object$study$roles$clusters, how)
  own <- which(members$cluster %in% object$features & weight > 0)
  x <- read_newdata(newdata, object$study, members$feature[own])
  out <- cluster_columns(x, members[own, ], weight[own], object$features)
  dimnames(out) <- list(rownames(x), object$features)
  out
}

#' @exportS3Method
has_rank.stabilect_stability_selection <- function(result) { # nolint: object_name_linter.
  result$table$frequency > 0
}
