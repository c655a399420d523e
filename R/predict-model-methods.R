#' Predict new samples
#'
#' @param object (`stabilect_model`) result of [fit_model()].
#' @param newdata (numeric matrix, samples x features, or data frame, or sparse Matrix) new samples
#'   in rows; must have a column for every feature of the model, found by name. Other columns are
#'   ignored and order does not matter.
#' @param type (string) `"response"`: probability of the second class (ridge-logistic) or fitted
#'   number (least squares); `"class"`: the class (two classes only; the second where the link is
#'   positive); `"link"`: log odds or fitted number.
#' @param ... not used.
#' @return (named numeric, one per row of `newdata`), or a factor with the levels of the model for
#'   `type = "class"`. Names are the row names of `newdata`, if any.
#' @details Missing or infinite values in the columns of the model are an error, as are missing
#'   columns.
#' @family fealect
#' @examples
#' x <- matrix(c(1:10, 10:1, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3), 10)
#' colnames(x) <- c("a", "b", "c")
#' model <- fit_model(x, rep(c("no", "yes"), each = 5), features = c("a", "c"))
#' predict(model, x[9:10, ], type = "class")
#' @export
predict.stabilect_model <- function(object, newdata, type = c("response", "class", "link"), ...) {
  type <- check_choice(type, "type", c("response", "class", "link"))
  if (missing(newdata)) {
    abort(c("{.arg newdata} is missing.",
      i = "A model does not keep the samples it was fitted to."
    ))
  }
  if (type == "class" && is.null(object$levels)) {
    abort(c("{.arg type} {.val class} needs a model of two classes; this one predicts numbers.",
      i = "Use {.code type = \"response\"}."
    ))
  }
  newdata <- code_newdata(newdata, object$input_coding, object$features)
  columns <- check_newdata(newdata, object$features)
  link <- drop(columns %*% object$coefficients[-1]) + object$coefficients[[1]]
  names(link) <- rownames(columns)
  switch(type,
    link = link,
    response = if (object$method == "ridge_logistic") stats::plogis(link) else link,
    class = stats::setNames(
      factor(object$levels[1 + (link > 0)], levels = object$levels), names(link)
    )
  )
}

# The columns of the model, in its order, as a matrix.
check_newdata <- function(newdata, features, call = rlang::caller_env()) {
  if (length(dim(newdata)) != 2L) {
    abort(
      c("{.arg newdata} must be a matrix or data frame, not {describe_value(newdata)}.",
        i = "One sample is one row: {.code x[i, , drop = FALSE]}."
      ),
      call = call
    )
  }
  absent <- setdiff(features, colnames(newdata))
  if (length(absent) > 0L) {
    shown <- utils::head(absent, 5)
    abort(
      c("{.arg newdata} lacks {length(absent)} of the {length(features)} feature{?s} of the model:
          {.val {shown}}{if (length(absent) > 5) ', ...'}.",
        i = "Columns are found by name."
      ),
      call = call
    )
  }
  again <- features[features %in% colnames(newdata)[duplicated(colnames(newdata))]]
  if (length(again) > 0L) {
    abort("{.arg newdata} has more than one column named {.val {again[1]}}.", call = call)
  }
  columns <- as.matrix(newdata[, features, drop = FALSE])
  if (length(features) > 0L && !is.numeric(columns) && !is.logical(columns)) {
    abort("{.arg newdata} has columns of the model that are not numbers.", call = call)
  }
  bad <- which(!is.finite(columns), arr.ind = TRUE)
  if (nrow(bad) > 0L) {
    value <- format(columns[bad[1, 1], bad[1, 2]])
    abort(
      c("{.arg newdata} has {value} at row {bad[1, 1]}, column {.val {features[bad[1, 2]]}}.",
        i = "Leave such samples out, or impute them."
      ),
      call = call
    )
  }
  storage.mode(columns) <- "double"
  columns
}

describe_method <- function(x) {
  switch(x$method,
    ridge_logistic = "ridge-logistic regression",
    least_squares = if (x$lambda > 0) "ridge regression" else "least squares"
  )
}

print_model_head <- function(x) {
  k <- length(x$features)
  cat(sprintf(
    "<stabilect_model> %s on %d feature%s, %d samples, lambda = %s\n", describe_method(x),
    k, if (k == 1L) "" else "s", x$n, format(x$lambda)
  ))
  if (!is.null(x$levels)) {
    classes <- dQuote(x$levels, FALSE)
    cat("Positive coefficients speak for ", classes[2], " against ", classes[1], "\n", sep = "")
  }
  print_input_notes(x)
}

#' @export
print.stabilect_model <- function(x, n_shown = 6, ...) {
  print_model_head(x)
  order <- order(-abs(x$standardised))
  shown <- utils::head(order, n_shown)
  print(c(x$coefficients[1], x$coefficients[-1][shown]), digits = 3)
  n_more <- length(order) - length(shown)
  if (n_more > 0L) {
    cat(sprintf("... and %d more with smaller standardised coefficients\n", n_more))
  }
  invisible(x)
}

#' @export
summary.stabilect_model <- function(object, ...) {
  table <- as.data.frame(object)
  order <- order(-abs(table$standardised), na.last = FALSE)
  structure(
    list(model = object, coefficients = table[order, ]),
    class = "summary_stabilect_model"
  )
}

#' @export
print.summary_stabilect_model <- function(x, ...) {
  print_model_head(x$model)
  cat("\n")
  print(x$coefficients, row.names = FALSE, digits = 3)
  invisible(x)
}

#' @export
coef.stabilect_model <- function(object, ...) {
  object$coefficients
}

#' Table of a model's coefficients
#'
#' @param x (`stabilect_model`) result of [fit_model()].
#' @param row.names,optional,... not used; part of the generic.
#' @return (data frame, k + 1 rows) `feature` (character, `(Intercept)` first), `coefficient`
#'   (number, original scale) and `standardised` (number, coefficient times standard deviation;
#'   `NA` for the intercept).
#' @family fealect
#' @examples
#' x <- matrix(c(1:10, 10:1, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3), 10)
#' as.data.frame(fit_model(x, 2 * x[, 3] + 1, features = 3))
#' @export
as.data.frame.stabilect_model <- function(x, row.names = NULL, # nolint: object_name_linter.
                                          optional = FALSE, ...) {
  data.frame(
    feature = names(x$coefficients),
    coefficient = unname(x$coefficients),
    standardised = c(NA_real_, unname(x$standardised))
  )
}
