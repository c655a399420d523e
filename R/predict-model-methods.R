#' Predictions of a final model for new samples
#'
#' @inheritParams arguments
#' @param object (`stabilect_model`) result of [fit_model()].
#' @param type (string, or `NULL`) kind of prediction; `NULL` takes the first of:
#'   * two classes: `"class"` (the second if the link is positive), `"probability"` (of the second
#'     class; ridge-logistic regression only), `"link"` (log odds, or the fitted value of least
#'     squares);
#'   * several classes: `"class"` (the likeliest), `"probability"` and `"link"` of each;
#'   * ordered classes: `"class"` (the median class, with the smallest expected distance from the
#'     truth), `"probability"` of each, `"link"` (log odds of each class or a higher one, except the
#'     lowest);
#'   * numbers: `"response"`;
#'   * counts: `"response"` (their mean), `"link"` (its logarithm);
#'   * survival times: `"risk"` (log hazard relative to a sample with mean features; larger for
#'     earlier events), `"survival"` (probabilities to live without the event up to `times`);
#'   * all outcomes: `"contributions"`, what each feature adds to the link of a sample.
#' @param times (numbers >= 0, or `NULL`) for `type = "survival"`, in the unit of the survival times
#'   of the fit; `NULL` takes the times of their events.
#' @param covariates (as in [fit_model()]) covariates of the new samples, for a model with
#'   covariates; `NULL` takes them from the columns of `newdata`, by name (of a container from its
#'   `colData` or `pData`).
#' @return (named numeric, one per row of `newdata`), or a factor with the levels of the model for
#'   `type = "class"`. Names are the row names of `newdata`, if any. Probabilities and links of
#'   several classes are a matrix with a column for each. For `type = "survival"` a matrix with a
#'   row per row of `newdata` and a column per time, named by the time; `NA` for times later than
#'   any in the fit. For `type = "contributions"` a matrix with a row per row of `newdata` and a
#'   column per covariate and feature. If each of several classes has coefficients of its own, it is
#'   an array with a third dimension for the classes. Its attribute `constant` (number, or one for
#'   each class, for ordered classes for each but the lowest) is the link of a sample with mean
#'   values.
#' @details Infinite values in the columns of the model are an error, as are missing columns.
#' Missing values are filled in, with a message: with the medians of the fit if its data were
#' prepared with `na = "median"` or `"impute"`, else with the means of its samples. A sample that
#' lacks more than half of the features gets `NA`, with a warning; see [prepare_study()].
#'
#' The probability of a sample of risk r to live up to t without the event is
#' \deqn{S(t) = \exp(-e^r H(t)), \quad
#'   H(t) = \sum_{t_k \le t} \sum_{l = 0}^{d_k - 1} \Bigl(\sum_{i: t_i \ge t_k} e^{r_i} -
#'   \frac{l}{d_k} \sum_{i \in D_k} e^{r_i}\Bigr)^{-1},}
#' where \eqn{D_k} are the \eqn{d_k} samples with the event at the time \eqn{t_k}, and the risks are
#' those of the samples of the fit, as in `survival::survfit()` of a Cox model. It is the estimate
#' of Breslow (1974) with the ties of Efron (1977). The risks were fitted to these samples. With a
#' small penalty they are therefore too extreme; see `calibration_slope` in [validate_model()].
#'
#' **Contributions.** Final models are linear. The contribution of feature j to the link of a sample
#' is \eqn{\beta_j (x_j - \bar x_j)}, with the mean over the samples of the fit. A row sums to the
#' link minus `constant`. This is `predict(type = "terms")` of `stats::glm()`, and the Shapley value
#' of a linear model with independent features (Lundberg and Lee 2017). Correlated features share
#' what they have in common as the penalty divides it.
#' @section Errors:
#' Class `stabilect_error_input`: columns that are missing or not finite numbers, a `type` that the
#' model does not have, `times` that are negative, not finite, or given for another `type`.
#' @references Breslow NE (1974). Covariance analysis of censored survival data. *Biometrics* 30(1),
#'   89-99.
#'
#'   Efron B (1977). The efficiency of Cox's likelihood function for censored data. *Journal of the
#'   American Statistical Association* 72, 557-565.
#'
#'   Lundberg SM, Lee S-I (2017). A unified approach to interpreting model predictions. *Advances in
#'   Neural Information Processing Systems* 30.
#' @family fealect
#' @examples
#' x <- matrix(c(1:10, 10:1, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3), 10)
#' colnames(x) <- c("a", "b", "c")
#' model <- fit_model(x, rep(c("no", "yes"), each = 5), features = c("a", "c"))
#' predict(model, x[9:10, ], type = "probability")
#' predict(model, x[9:10, ], type = "contributions")
#' if (requireNamespace("survival", quietly = TRUE)) {
#'   times <- survival::Surv(c(2, 5, 1, 4, 8, 3, 9, 6, 7, 10), rep(c(1, 0), c(8, 2)))
#'   predict(fit_model(x, times, "c"), x[1:3, ], type = "survival", times = c(2, 6))
#' }
#' @export
predict.stabilect_model <- function(object, newdata, type = NULL, times = NULL, covariates = NULL,
                                    ...) {
  refuse_dots(...)
  model <- final_model_record(object)
  type <- check_predict_type(type, object$study$type, c(model$types, "contributions"))
  if (type == "survival") {
    times <- check_times(times, object$baseline)
  } else if (!is.null(times)) {
    abort("{.arg times} applies only to {.code type = \"survival\"} of a model of survival
      times; leave it out.")
  }
  columns <- read_newdata(newdata, object$study, object$features)
  z <- covariates_of_new(covariates, newdata, object$covariates, object$asked$covariates)
  z <- centre_within(z, new_groups(newdata, object$study)$groups)
  if (type == "contributions") {
    return(contributions_of(object, columns, z))
  }
  link <- link_of_model(object, columns, z)
  switch(type,
    class = stats::setNames(
      said_by_link(outcome_of(object$study), link, object$study$levels),
      if (is.matrix(link)) rownames(link) else names(link)
    ),
    probability = with_classes(model$probability(link), object$study$levels),
    response = model$respond(link),
    survival = {
      curves <- curves_of_risk(object$baseline, link, times)
      curves[, times > max(object$baseline$time)] <- NA_real_
      curves
    },
    link
  )
}

# @param link (numeric, or matrix with a column for each class).
class_of_links <- function(link, levels) {
  if (!is.matrix(link)) {
    return(stats::setNames(class_of_link(link, levels), names(link)))
  }
  codes <- top_class(link)
  stats::setNames(factor(levels[codes], levels), rownames(link))
}

# @param study (study record, or response) with `type` and `levels`.
# @param observed (data frame).
# @return (data frame) sample, those observed, predicted, link, or one for each of several classes.
predictions_of <- function(study, sample, observed, link) {
  links <- if (is.matrix(link)) {
    structure(as.data.frame(link), names = paste0("link_", utils::tail(study$levels, ncol(link))))
  } else {
    data.frame(link = link)
  }
  data.frame(
    sample = sample, observed, predicted = said_by_link(outcome_of(study), link, study$levels),
    links, check.names = FALSE
  )
}

class_probabilities <- function(links) {
  odds <- exp(links - apply(links, 1L, max))
  odds / rowSums(odds)
}

# No infinite mean of a sample far away, and no mean of 0, whose deviance would be infinite.
mean_count <- function(link) exp(pmax(pmin(link, 700), -700))

describe_method <- function(x) {
  model <- final_model_record(x)
  if (x$asked$lambda > 0) model$title else model$plain
}

#' @exportS3Method
facts_of.stabilect_model <- function(x, n = 10L) {
  new_facts(
    capitalised(describe_method(x)), describe_data(x$study), describe_fit(x),
    list(Error = c(
      "not assessed: on the samples of the fit it is too low, most of all if they also chose the
       features",
      "new samples give an honest error, or repeating the choice without the samples predicted"
    )),
    list(label_section(model_section(x, n), x$study)), next_of(x)
  )
}

describe_fit <- function(x) {
  c(
    sprintf(
      "%s, lambda = %s", count_of(length(x$features), "feature"),
      figure(x$asked$lambda, digits = 3)
    ),
    if (!is.null(x$covariates)) {
      paste("beside covariates without a penalty:", describe_held(x$covariates))
    },
    # The model of fealect().
    if (!is.null(x$study$roles$weights)) "all samples count alike, whatever their weight"
  )
}

describe_signs <- function(x) {
  favours <- say_favours(outcome_of(x$study), x$study$levels)
  if (!is.null(favours)) paste("positive coefficients favour", favours)
}

# Intercept, covariates and the features with the largest standardised coefficients.
model_section <- function(x, n) {
  order <- order(-apply(abs(as.matrix(x$standardised)), 1L, max))
  shown <- utils::head(order, n)
  coefficients <- as.matrix(x$coefficients)
  n_free <- nrow(coefficients) - length(x$features)
  rows <- c(seq_len(n_free), n_free + shown)
  table <- data.frame(
    feature = rownames(coefficients)[rows], coefficients[rows, , drop = FALSE], row.names = NULL,
    check.names = FALSE
  )
  if (ncol(table) == 2L) names(table)[2] <- "coefficient"
  n_more <- length(order) - length(shown)
  new_section(table, Inf, below = c(
    if (n_more > 0L) sprintf("... %d more with smaller standardised coefficients", n_more),
    describe_signs(x)
  ))
}

#' @export
coef.stabilect_model <- function(object, ...) {
  refuse_dots(...)
  object$coefficients
}

#' Coefficients of a model as a table
#'
#' @param x,object (`stabilect_model`) result of [fit_model()].
#' @param row.names,optional,... not used; part of the generic.
#' @return (data frame, k + 1 rows) `feature` (character; `(Intercept)` first, none for Cox
#'   regression, one for each ordered class except the lowest; then the covariates and features),
#'   `class` (string; only for several classes, each with its k + 1 rows), `coefficient` (number,
#'   original scale) and `standardised` (number, coefficient times standard deviation; `NA` for the
#'   intercept and covariates). `summary()`: the same, the largest standardised coefficient first.
#' @family fealect
#' @examples
#' x <- matrix(c(1:10, 10:1, 3, 1, 4, 1, 5, 9, 2, 6, 5, 3), 10)
#' as.data.frame(fit_model(x, 2 * x[, 3] + 1, features = 3))
#' @export
as.data.frame.stabilect_model <- function(x, row.names = NULL, # nolint: object_name_linter.
                                          optional = FALSE, ...) {
  coefficients <- as.matrix(x$coefficients)
  table <- data.frame(
    feature = rep(rownames(coefficients), ncol(coefficients)),
    class = NA_character_, coefficient = as.vector(coefficients),
    standardised = as.vector(rbind(
      matrix(NA_real_, nrow(coefficients) - length(x$features), ncol(coefficients)),
      as.matrix(x$standardised)
    ))
  )
  if (is.matrix(x$coefficients)) {
    table$class <- rep(colnames(coefficients), each = nrow(coefficients))
  } else {
    table$class <- NULL
  }
  name_copies(table, x$study)
}

#' @rdname as.data.frame.stabilect_model
#' @export
summary.stabilect_model <- function(object, ...) {
  refuse_dots(...)
  table <- as.data.frame(object)
  table[order(-abs(table$standardised), na.last = FALSE), ]
}
