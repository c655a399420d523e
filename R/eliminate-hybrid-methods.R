#' @exportS3Method
facts_of.stabilect_hybrid_rfe <- function(x, n = 10L) {
  asked <- x$asked
  result_facts(
    x, "Hybrid recursive feature elimination", format(x$resamples$plan),
    list(
      Error = sprintf(
        "%s out of bag, on average over the runs; %s",
        say_metric("accuracy", mean(x$accuracy, na.rm = TRUE)),
        say_reference("accuracy", x$study)
      ),
      List = sprintf(
        "%d of %s, %d of them stable", asked$n_features, count_of(x$study$p, "feature"),
        asked$n_stable
      )
    ),
    list(new_section(x$model, n, below = "model of all samples, the largest weight first"))
  )
}

#' @rdname hybrid_rfe
#' @param object (object of class `stabilect_hybrid_rfe`) result of `hybrid_rfe()`.
#' @export
summary.stabilect_hybrid_rfe <- function(object, ...) {
  refuse_dots(...)
  stable <- if (length(ok_runs(object$selection)) > 1L) {
    stability(object$selection, c("nogueira", "phi_pears", "phi_iw"))$table
  }
  best <- utils::head(object$table, 10L)
  asked <- object$asked
  new_summary(object, stability = stable, best = best, sections = list(
    if (!is.null(stable)) stability_section(stable, "Stability of the runs"),
    new_section(best, Inf, "Features selected most often"),
    new_section(above = sprintf(
      "lambda %s, final %s; epsilon %s; alpha %s", figure(asked$lambda),
      figure(asked$lambda_final), figure(asked$epsilon), figure(asked$alpha)
    ))
  ))
}

#' @rdname hybrid_rfe
#' @export
coef.stabilect_hybrid_rfe <- function(object, ...) {
  refuse_dots(...)
  c("(Intercept)" = object$intercept, stats::setNames(object$model$coefficient, object$features))
}

#' @rdname hybrid_rfe
#' @param newdata (numeric matrix or data frame, or sparse Matrix) samples to predict, with a column
#'   for each selected feature.
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
