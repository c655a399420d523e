#' @rdname hybrid_rfe
#' @param object (object of class `stabilect_hybrid_rfe`)
#' @param n (whole number >= 1) how many features to print.
#' @param ... Not used.
#' @export
print.stabilect_hybrid_rfe <- function(x, n = 10, ...) {
  show_hybrid_rfe(x, check_count(n))
  print_next(x)
}

show_hybrid_rfe <- function(x, n) {
  asked <- x$asked
  print_verdict(sprintf(
    "%d of %s, %d of them stable: accuracy out of bag %.3f on average over the runs; %s.",
    asked$n_features, count_of(x$study$p, "feature"), asked$n_stable,
    mean(x$accuracy, na.rm = TRUE), describe_chance("accuracy", x$study)
  ))
  print_head(x, "Hybrid recursive feature elimination", format(x$resamples$plan))
  cat(sprintf(
    "lambda %s, final %s; epsilon %s; alpha %s\n", figure(asked$lambda),
    figure(asked$lambda_final), figure(asked$epsilon), figure(asked$alpha)
  ))
  cat("\non all samples, the largest weight first\n")
  print_rows(x$model, names(x$model), n)
}

#' @rdname hybrid_rfe
#' @export
summary.stabilect_hybrid_rfe <- function(object, ...) {
  refuse_dots(...)
  stable <- if (length(ok_runs(object$selection)) > 1L) {
    stability(object$selection, c("nogueira", "phi_pears", "phi_iw"))$table
  }
  structure(
    list(fit = object, stability = stable, best = utils::head(object$table, 10L)),
    class = "summary_stabilect_hybrid_rfe"
  )
}

#' @export
print.summary_stabilect_hybrid_rfe <- function(x, ...) {
  show_hybrid_rfe(x$fit, 10)
  if (!is.null(x$stability)) {
    cat("\nstability of the runs\n")
    shown <- c("index", "estimate", "lower", "upper")
    print_figures(x$stability[shown], digits = 3)
  }
  cat("\nselected most often\n")
  print_table(x$best)
  invisible(x)
}

#' @rdname hybrid_rfe
#' @export
coef.stabilect_hybrid_rfe <- function(object, ...) {
  refuse_dots(...)
  c("(Intercept)" = object$intercept, stats::setNames(object$model$coefficient, object$features))
}

#' @rdname hybrid_rfe
#' @param newdata (numeric matrix or data frame, or sparse Matrix) samples to predict, with the
#'   selected features among its columns.
#' @param type (string, or `NULL`) `"class"` (factor; the default), `"probability"` (of the second
#'   class) or `"link"` (its log odds).
#' @export
predict.stabilect_hybrid_rfe <- function(object, newdata, type = NULL, ...) {
  refuse_dots(...)
  type <- check_predict_type(type, object$study$type)
  newdata <- read_newdata(newdata, object$study, object$features)
  link <- drop(newdata %*% object$model$coefficient) + object$intercept
  names(link) <- rownames(newdata)
  switch(type,
    class = stats::setNames(class_of_link(link, object$study$levels), names(link)),
    probability = stats::plogis(link),
    link = link
  )
}
