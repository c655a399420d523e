#' @export
format.stabilect_lasso_path <- function(x, ...) {
  asked <- x$asked
  kept <- x$study$feature_names[which(asked$penalty == 0)]
  held <- c(rownames(path_parts(x)[[1]]$covariates), kept)
  n_points <- length(x$lambda)
  first <- utils::head(entered_order(x), 6)
  c(
    paste0(
      lasso_path_title(asked), if (!is.null(asked$weights)) ", weighted",
      if (!is.null(asked$offset)) ", with an offset"
    ),
    unlist(lapply(describe_data(x$study), wrap_text)),
    if (length(held) > 0L) {
      shown <- paste(utils::head(held, 5), collapse = ", ")
      sprintf("Stay in: %s%s", shown, if (length(held) > 5) ", ..." else "")
    },
    if (n_points > 0L) {
      wrap_text(sprintf(
        "%s, lambda %s to %s, up to %s, %s of the deviance explained at the end",
        count_of(n_points, "point"), figure(x$lambda[1], digits = 4),
        figure(x$lambda[n_points], digits = 4), count_of(max(x$size), "feature"),
        percent_of(x$explained[n_points])
      ))
    },
    paste("Ended:", describe_lasso_end(x)),
    if (length(first) > 0L) wrap_text(paste("First to enter:", toString(first)))
  )
}

lasso_path_title <- function(asked) {
  kind <- if (asked$alpha < 1) sprintf("Elastic net path (alpha %s)", asked$alpha) else "Lasso path"
  paste0(
    kind, " of ", family_record(asked$family)$words,
    if (!is.null(asked$strata) && !family_record(asked$family)$matched) {
      sprintf(", %d strata", max(asked$strata))
    },
    if (identical(asked$ties, "breslow")) ", ties as in Breslow"
  )
}

percent_of <- function(share) paste0(figure(100 * share, digits = 2), " %")

describe_lasso_end <- function(path) {
  switch(path$status,
    complete = "at the last lambda",
    max_features = sprintf("`max_features` = %d reached", path$asked$max_features),
    explained = "99.9 % of the deviance is explained",
    no_signal = "at the start, no feature is related to y",
    no_convergence = "the model at the next lambda could not be found",
    path$status
  )
}

# Names of the features in the order of their first coefficient; ties by column.
entered_order <- function(path) {
  b <- path_parts(path)[[1]]$coefficients
  free <- which(path$asked$penalty == 0)
  index <- unique(b@i + 1L)
  rownames(b)[setdiff(index, free)]
}

#' Coefficients and predictions of a likelihood path
#'
#' @details
#' What `at` means:
#' * `mode = "lambda"`: the penalty. Coefficients are exact at the points of the path. Between two
#'   points they are interpolated linearly in lambda, which is exact for `"gaussian"` only; for
#'   exact values give [lasso_path()] that `lambda`. Above the first lambda, the first model is
#'   used; below the last one there is an error.
#' * `mode = "size"`: the number of features; the first model on the path with so many counts.
#'
#' @param object (`stabilect_lasso_path`) result of [lasso_path()].
#' @param at (numeric, any length, or `NULL`) points on the path; `NULL` takes all of them.
#' @param mode (string) unit of `at`: `"lambda"` or `"size"`, see Details.
#' @param intercept (flag) add intercept and covariates as the first elements or rows? Survival
#'   times have no intercept.
#' @param ... Not used.
#' @return `coef()`: a named numeric vector of length p if `at` is one number, otherwise a p x
#'   `length(at)` matrix, on the scale of `x`. `"multinomial"` has coefficients for each class: a p
#'   x K matrix, or a list of K matrices.
#' @section Errors:
#' Class `stabilect_error_input` for points off the path, sizes that it does not have, new samples
#' without a feature of the path, and absent or unknown covariates or offsets.
#' @family lasso paths
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' path <- lasso_path(x, mcl_sll$MCL, family = "binomial", max_features = 5)
#' head(coef(path, at = c(2, 4), mode = "size"))
#' predict(path, x[1:2, ], at = 4, mode = "size", type = "probability")
#' @export
coef.stabilect_lasso_path <- function(object, at = NULL, mode = c("lambda", "size"),
                                      intercept = FALSE, ...) {
  refuse_dots(...)
  mode <- check_choice(mode, c("lambda", "size"))
  intercept <- check_flag(intercept)
  weights <- point_weights(object, at, mode)
  family <- family_record(object$asked$family)
  values <- lapply(path_parts(object), function(part) {
    coefficients <- as.matrix(part$coefficients %*% weights)
    if (!intercept) {
      return(coefficients)
    }
    level <- if (family$has_level) {
      matrix(part$intercepts, 1L, dimnames = list("(Intercept)", NULL))
    }
    rbind(as.matrix(rbind(level, part$covariates) %*% weights), coefficients)
  })
  if (length(at) == 1L) values <- lapply(values, function(one) one[, 1L])
  if (!family$by_class) {
    return(values[[1]])
  }
  if (length(at) == 1L) do.call(cbind, values) else values
}

#' @rdname coef.stabilect_lasso_path
#' @param newdata (numeric matrix, samples x features, or data frame, or sparse Matrix) new samples
#'   in rows. There must be a column for every feature that enters the path, found by name.
#' @param covariates (as in [lasso_path()]) covariates of the new samples; needed if the path has
#'   some. `NULL` takes them from the columns of `newdata`, by name.
#' @param offset (as in [lasso_path()]) offset of the new samples; needed if the path has one.
#' @param type (string, or `NULL` for the first of these)
#'   * numbers: `"response"`;
#'   * two classes: `"class"`, `"link"` and, for `"binomial"`, `"probability"` (of the second
#'     class);
#'   * `"multinomial"`: `"class"` (the most probable), `"probability"` and `"link"` of each class;
#'   * counts: `"response"` (their mean) and `"link"` (its logarithm);
#'   * survival times: `"link"` (log hazard relative to a sample whose features and covariates are
#'     zero; higher is worse).
#' @return `predict()`: a vector with a value for each row if `at` is one number (a factor for
#'   `"class"`), otherwise a matrix with a column for each point. Probabilities and links of
#'   `"multinomial"` have a column for each class: a matrix if `at` is one number, otherwise an
#'   array, samples x classes x points.
#' @export
predict.stabilect_lasso_path <- function(object, newdata, at = NULL, mode = c("lambda", "size"),
                                         covariates = NULL, offset = NULL, type = NULL, ...) {
  refuse_dots(...)
  mode <- check_choice(mode, c("lambda", "size"))
  family <- family_record(object$asked$family)
  types <- family$types(object$study$levels)
  check_contributions(type, types)
  type <- if (is.null(type)) types[1] else check_choice(type, types)
  weights <- point_weights(object, at, mode)
  columns <- read_newdata(newdata, object$study, names(features_used(object)))
  groups <- new_groups(newdata, object$study)$groups
  z <- centre_within(new_covariates(covariates, object, newdata), groups)
  offset <- new_offset(offset, object, nrow(columns), samples_of_new(newdata))
  links <- add_offset(lasso_path_links(object, columns, z, weights), offset)
  if (family$by_class) {
    return(predict_classes(links, type, object$study$levels, length(at) == 1L))
  }
  link <- links[[1]]
  out <- switch(type,
    probability = stats::plogis(link),
    response = family$respond(link),
    link
  )
  if (length(at) == 1L) out <- out[, 1L]
  if (type != "class") {
    return(out)
  }
  class <- class_of_link(out, object$study$levels)
  if (length(at) == 1L) {
    return(stats::setNames(class, names(out)))
  }
  out[] <- as.character(class)
  out
}

# @param x (matrix) contains the used features; z covariates, columns as in the path.
# @param weights of point_weights().
# @return list of a matrix (samples x points) for each class, or of one.
lasso_path_links <- function(path, x, z, weights) {
  used <- features_used(path)
  columns <- x[, match(names(used), colnames(x)), drop = FALSE]
  lapply(path_parts(path), function(part) {
    beta <- part$coefficients[used, , drop = FALSE] %*% weights
    link <- as.matrix(columns %*% beta) +
      z %*% as.matrix(part$covariates %*% weights)
    if (family_record(path$asked$family)$has_level) {
      link <- sweep(link, 2L, as.vector(Matrix::crossprod(weights, part$intercepts)), `+`)
    }
    dimnames(link) <- list(rownames(x), colnames(weights))
    link
  })
}

# @param links (list of matrices, samples x points) one for each class.
# @param single (flag) one point, without its dimension?
predict_classes <- function(links, type, levels, single) {
  values <- aperm(simplify2array(links), c(1L, 3L, 2L))
  dimnames(values)[[2]] <- levels
  if (type == "class") {
    best <- matrix(apply(values, 3L, top_class), nrow(values))
    if (single) {
      return(stats::setNames(factor(levels[best], levels), rownames(values)))
    }
    return(array(levels[best], dim(best), dimnames(values)[c(1L, 3L)]))
  }
  if (type == "probability") {
    top <- apply(values, c(1L, 3L), max)
    values <- exp(values - top[slice_index(values)])
    values <- values / apply(values, c(1L, 3L), sum)[slice_index(values)]
  }
  if (single) matrix(values, nrow(values), dimnames = dimnames(values)[1:2]) else values
}

# For every element of samples x classes x points, its place in samples x points.
slice_index <- function(values) {
  slice.index(values, 1L) + nrow(values) * (slice.index(values, 3L) - 1L)
}

new_covariates <- function(covariates, path, newdata) {
  wanted <- rownames(path_parts(path)[[1]]$covariates)
  if (length(wanted) == 0L && is.null(covariates)) {
    return(matrix(0, n_new_samples(newdata), 0L))
  }
  covariates_of_new(
    covariates, newdata, if (length(wanted) > 0L) wanted, path$asked$covariates
  )
}

new_offset <- function(offset, path, n, samples) {
  has <- !is.null(path$asked$offset)
  refuse(has && is.null(offset),
    c("{.arg offset} of the new samples is needed: the path was made with one.",
      i = "{.code offset = rep(0, nrow(newdata))} predicts without it."
    )
  )
  refuse(!has && !is.null(offset), "The path was made without an {.arg offset}: leave it out.")
  check_samples(offset, samples, "offset")
  check_offset(offset, path$asked$family, n, path$study$levels, "newdata")
}

# @param links (list of matrices, samples x points) one for each class, or one.
add_offset <- function(links, offset) {
  if (is.null(offset)) {
    return(links)
  }
  offset <- as.matrix(offset)
  Map(function(link, class) link + offset[, class], links, seq_along(links))
}

# Weights that turn the points of the path into the models at `at`: sparse m x length(at).
point_weights <- function(object, at, mode) {
  lambda <- object$lambda
  m <- length(lambda)
  if (is.null(at)) {
    at <- if (mode == "size") object$size else lambda
    return(Matrix::sparseMatrix(
      i = seq_len(m), j = seq_len(m), x = 1, dims = c(m, m), dimnames = list(NULL, format_at(at))
    ))
  }
  refuse(!is.numeric(at) || length(at) == 0L || anyNA(at),
    "{.arg at} must be numbers or NULL, not {describe_value(at)}."
  )
  refuse(m == 0L, "{.arg object} has no point: {object$status}.")
  if (mode == "size") {
    left <- match(at, object$size)
    share <- rep(0, length(at))
    if (anyNA(left)) abort_no_size(object, at[is.na(left)][1])
  } else {
    below <- which(at < lambda[m] * (1 - 1e-9))
    refuse(length(below) > 0L,
      "{.arg at} must be at least {figure(lambda[m])}, the last lambda of the path, but is
        {figure(at[below[1]])} at position {below[1]}."
    )
    inside <- pmin(pmax(at, lambda[m]), lambda[1])
    left <- pmin(findInterval(-inside, -lambda), max(m - 1L, 1L))
    share <- if (m > 1L) (lambda[left] - inside) / (lambda[left] - lambda[left + 1L]) else 0 * at
  }
  columns <- seq_along(at)
  Matrix::sparseMatrix(
    i = c(left, pmin(left + 1L, m)), j = c(columns, columns), x = c(1 - share, share),
    dims = c(m, length(at)), dimnames = list(NULL, format_at(at))
  )
}

abort_no_size <- function(path, size) {
  abort(c("The path has no model of {figure(size)} features.",
    i = "Its models have {sort(unique(path$size))} features.",
    i = if (is.null(path$asked$max_features)) {
      "With {.arg max_features}, {.fn lasso_path} also states those between its lambdas."
    }
  ))
}
