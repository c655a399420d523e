#' Look at stability selection
#'
#' @param object (object of class `stabilect_stability_selection`) Made by
#'   [stability_selection()].
#' @param n (whole number >= 1) how many features to name.
#' @param type (string) `"frequency"`: selection frequencies of the best features with the cutoff;
#'   `"paths"`: share of runs with each of the best features in the model of k features, against k.
#'   Where a rate was asked for (`efp` or `fdr`), the efp of the best features, and shares of runs
#'   against the penalty. `"cutoffs"`: how clearly every pair of q and cutoff parts the features,
#'   see Details.
#' @param ... Not used.
#' @details
#' `type = "cutoffs"` is a heat map of the score by which `cutoff = "calibrated"` chooses both
#' parameters, see [stability_selection()]. The point is the pair that it takes; above the lines a
#' bound holds, or is at most the `pfer` that was asked for. The `data` of the plot has the columns
#' `q`, `cutoff`, `n_selected`, `z` and `allowed` (flag: above the line).
#' @return `summary()`: the data frame `table`; `autoplot()` a
#'   ggplot object, which `plot()` draws.
#' @family stability selection
#' @name stability_selection-methods
NULL

#' @exportS3Method
facts_of.stabilect_stability_selection <- function(x, n = 10L) {
  rule <- rule_of(x$asked)
  title <- c(rule$title(x), describe_likelihood(x$asked$likelihood))
  some <- length(x$features) > 0L
  shown <- if (some) x$table[x$table$selected, ] else best_rows(x$table, rule, n)
  verdict <- signal_facts(x)
  verdict$List <- c(rule$verdict(x), if (!some) rule$nothing(x))
  verdict$Caution <- c(verdict$Caution, rule$caution(x))
  rows <- unit_of(x$asked)$section(
    x, shown, rule$measures(shown), n, if (!some) "Most frequent features",
    "predict(fit, x) gives a column for each stable cluster"
  )
  result_facts(
    x, paste(title, collapse = ": "), format(x$resamples$plan), verdict, list(rows),
    c(
      describe_adjusted(x$asked$likelihood), rule$design(x),
      if (x$made$n_failed > 0L) {
        sprintf(
          "%d of %d runs left out (failed, or in a pair with a failed one); bound for the rest",
          x$made$n_failed, x$made$n_runs
        )
      }
    )
  )
}

# The first rows where nothing is selected: those with a score, where any has one.
best_rows <- function(table, rule, n) {
  scored <- rule$scored(table)
  utils::head(if (length(scored) > 0L) table[scored, ] else table, n)
}

#' @rdname stability_selection-methods
#' @export
summary.stabilect_stability_selection <- function(object, ...) {
  refuse_dots(...)
  object$table
}

#' @rdname stability_selection-methods
#' @param newdata (samples by features, as `x` of [stability_selection()]) samples; needs the
#'   features of the stable clusters.
#' @param member_weights (string) how the features of a cluster are weighed: `"weighted"`, by their
#'   own selection frequencies; `"simple"`, equally; `"best"`, the most frequent one alone (equal
#'   ones equally).
#' @section Clusters of new samples:
#' `predict()` is for a result with `clusters`. With \eqn{\theta_j} the share of runs whose model
#' had feature j, \eqn{m_j} and \eqn{s_j} its mean and standard deviation in the data of the result
#' and \eqn{c_j} (1 or -1) the sign of its correlation with the middle of its cluster C (the feature
#' with the largest mean correlation with the others), the column of C is
#' \deqn{X_C = \sum_{j \in C} w_j c_j \frac{x_j - m_j}{s_j},}
#' with weights \eqn{w_j = \theta_j / \sum_{k \in C} \theta_k}, \eqn{1 / |C|}, or equal ones for
#' those with the largest \eqn{\theta} (Faletto and Bien 2022, section 3; without sign and scale). A
#' model of the clusters is `fit_model(predict(result, x), y)`, which [predict()][fit_model()] then
#' applies to `predict(result, newdata)`.
#' @exportS3Method
predict.stabilect_stability_selection <- function(object, newdata, # nolint: object_name_linter.
                                                  member_weights = c("weighted", "simple", "best"),
                                                  ...) {
  refuse_dots(...)
  how <- check_choice(member_weights, c("weighted", "simple", "best"))
  refuse(!unit_of(object$asked)$grouped,
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
