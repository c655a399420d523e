#' @rdname hybrid_rfe
#' @param object (object of class `stabilect_hybrid_rfe`)
#' @param ... Not used.
#' @export
print.stabilect_hybrid_rfe <- function(x, ...) {
  settings <- x$settings
  cat(sprintf(
    "<stabilect_hybrid_rfe> %d of %d features, %d of them stable; %d samples\n",
    settings$n_features, settings$p, settings$n_stable, settings$n
  ))
  print_input_notes(x)
  failed <- sum(x$selection$status != "ok")
  cat(sprintf(
    "%s%s; seed %d\n", format(x$resamples$plan),
    if (failed > 0L) sprintf(" (%d failed)", failed) else "", settings$seed
  ))
  cat(sprintf(
    "lambda %s, final %s; epsilon %s; alpha %s\n", format(settings$lambda),
    format(settings$lambda_final), format(settings$epsilon), format(settings$alpha)
  ))
  cat(sprintf("accuracy out of bag: %.3f\n\n", mean(x$accuracy, na.rm = TRUE)))
  cat("on all samples, the largest weight first\n")
  print(utils::head(x$model, 10L), row.names = FALSE, digits = 3)
  invisible(x)
}

#' @rdname hybrid_rfe
#' @export
summary.stabilect_hybrid_rfe <- function(object, ...) {
  table <- as.data.frame(object)
  stable <- if (length(ok_runs(object$selection)) > 1L) {
    stability(object$selection, c("nogueira", "phi_pears", "phi_iw"))$table
  }
  structure(
    list(fit = object, stability = stable, best = utils::head(table, 10L)),
    class = "summary_stabilect_hybrid_rfe"
  )
}

#' @export
print.summary_stabilect_hybrid_rfe <- function(x, ...) {
  print(x$fit)
  if (!is.null(x$stability)) {
    cat("\nstability of the runs\n")
    shown <- c("index", "estimate", "lower", "upper")
    print(x$stability[shown], row.names = FALSE, digits = 3)
  }
  cat("\nselected most often\n")
  print(x$best, row.names = FALSE, digits = 3)
  invisible(x)
}

#' @rdname hybrid_rfe
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_hybrid_rfe <- function(x, row.names = NULL, optional = FALSE, ...) {
  runs <- ok_runs(x$selection)
  selected <- x$selection$selected[, runs, drop = FALSE]
  times <- unname(Matrix::rowSums(selected))
  table <- data.frame(
    feature = x$selection$feature_names, frequency = times / length(runs),
    mean_importance = unname(Matrix::rowMeans(x$selection$importance[, runs, drop = FALSE])),
    frequency_score = unname(Matrix::rowSums(x$frequency_score[, runs, drop = FALSE])) / times,
    stable = unname(Matrix::rowMeans(x$stable[, runs, drop = FALSE]))
  )[times > 0, ]
  table <- table[order(-table$frequency, -table$mean_importance, method = "radix"), ]
  rownames(table) <- NULL
  table
}

#' @rdname hybrid_rfe
#' @export
coef.stabilect_hybrid_rfe <- function(object, ...) {
  c("(Intercept)" = object$intercept, stats::setNames(object$model$coefficient, object$features))
}

#' @rdname hybrid_rfe
#' @param newdata (numeric matrix or data frame, or sparse Matrix) samples to predict, with the
#'   selected features among its columns.
#' @param type (string) `"class"` (factor), `"link"` (log odds of the second class) or `"response"`
#'   (its probability).
#' @export
predict.stabilect_hybrid_rfe <- function(object, newdata, type = c("class", "link", "response"),
                                         ...) {
  rlang::check_required(newdata)
  type <- check_choice(type, "type", c("class", "link", "response"))
  newdata <- code_newdata(newdata, object$settings$input_coding, object$features)
  absent <- setdiff(object$features, colnames(newdata))
  if (length(absent) > 0L) {
    abort("{.arg newdata} lacks {length(absent)} of the selected features:
      {.val {utils::head(absent, 5L)}}.")
  }
  columns <- as.matrix(newdata[, object$features, drop = FALSE])
  if (!is.numeric(columns) || anyNA(columns)) {
    abort("{.arg newdata} must hold numbers without missing values.")
  }
  link <- unname(drop(columns %*% object$model$coefficient)) + object$intercept
  switch(type,
    link = link,
    response = stats::plogis(link),
    class = factor(object$settings$levels[1L + (link > 0)], object$settings$levels)
  )
}
