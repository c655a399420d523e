# What prints of stability selection of clusters say, and the clusters of new samples.

# The verdict. What permutations named comes first when it is clearly more than the bound.
describe_clusters <- function(x) {
  chance <- describe_named(x)
  m <- length(x$features)
  of <- format(x$bound$n_total, big.mark = ",")
  claim <- if (m == 0L) {
    sprintf(
      "No cluster of %s is selected stably: none is in %s of the runs or more.", of,
      format(x$bound$cutoff)
    )
  } else {
    sprintf(
      "%s of %s; the bound on the expected number of false ones is %s.",
      count_of(m, "stable cluster"), of, format(x$bound$pfer, digits = 2)
    )
  }
  size <- range(x$table$size)
  caveat <- if (size[1] < size[2]) {
    sprintf(
      paste(
        "The bound takes clusters to be selected equally often by chance, but these have %d to %s",
        "features."
      ),
      size[1], format(size[2], big.mark = ",")
    )
  }
  if (isTRUE(attr(chance, "exceeds"))) c(chance, claim) else c(claim, caveat, chance)
}

# What the procedure named where every cluster is false; NULL without permutations.
describe_named <- function(x) {
  named <- x$null$named
  if (is.null(named)) {
    return(NULL)
  }
  bound <- x$bound$pfer
  error <- stats::sd(named) / sqrt(length(named))
  exceeds <- isTRUE(mean(named) - 2 * error > bound)
  text <- sprintf(
    "On %s of the response, where every cluster is false, this procedure named %s on average%s",
    count_of(length(named), "permutation"), format(mean(named), digits = 2),
    if (length(named) > 1L) sprintf(" (standard error %s)", format(error, digits = 2)) else ""
  )
  if (exceeds) {
    text <- c(
      sprintf(
        "%s: the bound of %s does not hold for these clusters.", text, format(bound, digits = 2)
      ),
      if (is.na(x$null$cutoff)) {
        "No cutoff would keep that number within it: take smaller clusters, or a smaller `q`."
      } else {
        sprintf("A cutoff of %s would keep that number within it.", format(x$null$cutoff))
      }
    )
  } else {
    text <- paste0(text, ".")
  }
  structure(text, exceeds = exceeds)
}

print_cluster_rows <- function(x, shown, n) {
  shown$cluster <- shown$feature
  shown$members <- shorten_list(shown$members, 40L)
  columns <- c(
    "cluster", setdiff(evidence_columns(shown, c("frequency", "size", "members")), "feature")
  )
  print_rows(shown, columns, n)
  cat("\npredict(result, x) gives a column for each stable cluster.\n")
  invisible(x)
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
  how <- check_choice(member_weights, "member_weights", c("weighted", "simple", "best"))
  if (is.null(object$asked$clusters)) {
    abort(c("{.arg object} has no clusters, and stability selection has no model.",
      i = "For a model of the stable features: {.code fit_model(x, y, selected(object))}."
    ))
  }
  members <- object$members
  weight <- weigh_members(members$frequency, object$asked$clusters, how)
  own <- which(members$cluster %in% object$features & weight > 0)
  x <- read_newdata(newdata, object$study, members$feature[own])
  x <- (x - rep(members$mean[own], each = nrow(x))) / rep(members$sd[own], each = nrow(x))
  shares <- matrix(0, length(own), length(object$features))
  shares[cbind(seq_along(own), match(members$cluster[own], object$features))] <-
    weight[own] * members$sign[own]
  out <- x %*% shares
  dimnames(out) <- list(rownames(newdata), object$features)
  out
}
