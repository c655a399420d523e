#' Test a final model on other data
#'
#' Predicts samples that played no part in a result, such as those of another hospital, and compares
#' the predictions with what was observed: error rates with intervals, and how far probabilities can
#' be taken at their word.
#'
#' @param object (result of [fealect()] or [fit_model()]) with a final model.
#' @param newdata (numeric matrix, samples x features, or data frame, or sparse Matrix) new samples;
#'   has a column for every feature of the model, found by name.
#' @param y (one value per row of `newdata`) what was observed: classes by the names that they had
#'   for `object`, numbers, or survival times (`survival::Surv(time, event)`).
#' @param conf_level (number in (0, 1)) confidence level of the intervals.
#' @param tau (number > 0, or `NULL`) for survival times: `concordance_uno` and `integrated_brier`
#'   look at times up to this one, such as five years; `NULL` takes the last event in `y`.
#'
#' @details
#' The model is fixed and the samples are new and taken to be independent, so that the intervals are
#' those of the textbook, unlike that of an out-of-bag error:
#' * `error`, the share of wrong classes: Wilson (1927).
#' * `balanced_error`, the mean of the error rates of the classes that `y` has: Wilson's limits of
#'   each, combined as Zou and Donner (2008) do.
#' * `auc`, the area under the ROC curve: DeLong et al. (1988) on the logit scale; where it is 0 or
#'   1, Wilson's interval for as many samples as the smaller class has. `NA` when `y` has one class.
#' * `calibration_slope`: a in \eqn{\mathrm{logit}\, P(y) = b + a \, l}, l the log odds of the model
#'   (Cox 1958): 1 is ideal, below 1 the probabilities are too extreme. `calibration_intercept`: b
#'   with a fixed at 1, 0 is ideal, above 0 the second class is more frequent than predicted. Wald
#'   intervals; `NA` when the classes are separated or one is missing. Both are for ridge-logistic
#'   models only, as is
#' * `brier`, the mean squared error of the probability of the second class.
#' * For numbers: `mean_squared_error` (interval: normal for its logarithm), `r_squared` (1 - it /
#'   variance of `y`, divisor n; without interval) and `calibration_slope`, that of the regression
#'   of `y` on the predictions.
#' * For survival times: `discordance` and `concordance`, which is 1 minus it: Harrell's;
#'   `concordance_uno`, which does not change with how many are censored (intervals: normal on the
#'   logit scale with the infinitesimal-jackknife variance of `survival::concordance()`); and
#'   `calibration_slope`, the coefficient of the predicted risk in a Cox model (Wald interval):
#'   below 1 the risks are too extreme. `NA` where no two samples can be compared.
#'   `integrated_brier` judges the survival curves, which go on level after the last time that the
#'   model was fitted to; its `reference` is that of the Kaplan-Meier curve of the samples of the
#'   fit. It has no interval.
#'
#' [measure_predictions()] says what each of these tells, with formulas and sources.
#'
#' @return An object of class `stabilect_validation`, a list with
#' \describe{
#'   \item{table}{(data frame) `measure`, `estimate`, `lower`, `upper` and `reference`: what it is
#'     without features (errors, AUC), or at best (calibration); `NA` where there is none.}
#'   \item{predictions}{(data frame) `sample`, `observed` (for survival times `time` and `event`),
#'     `predicted`, `link`.}
#'   \item{asked}{(list) `conf_level`, `tau`.}
#'   \item{study}{(list) of the data that `object` was made from, see [results].}
#'   \item{made}{(list) `n`, new samples.}
#' }
#' @section Errors:
#' Class `stabilect_error_input`: a result without a final model, columns that `newdata` lacks,
#' classes that `object` does not know (named), lengths that disagree, missing values.
#' @references Cox DR (1958). Two further applications of a model for binary regression.
#'   *Biometrika* 45, 562-565.
#'
#'   DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Comparing the areas under two or more
#'   correlated receiver operating characteristic curves. *Biometrics* 44, 837-845.
#'
#'   Wilson EB (1927). Probable inference, the law of succession, and statistical inference.
#'   *Journal of the American Statistical Association* 22, 209-212.
#'
#'   Zou GY, Donner A (2008). Construction of confidence limits about effect measures. *Statistics
#'   in Medicine* 27, 1693-1702.
#' @family evidence
#' @examples
#' data <- generate_classes("NC100", n = 80, n_total = 200, seed = 1)
#' fit <- fealect(data$x[1:50, ], data$y[1:50], n_runs = 30, seed = 1)
#' validate_model(fit, data$x[51:80, ], data$y[51:80])
#' @export
validate_model <- function(object, newdata, y, conf_level = 0.95, tau = NULL) {
  check_given()
  model <- if (inherits(object, "stabilect_fealect")) final_model(object) else object
  if (!inherits(model, "stabilect_model")) {
    abort(
      c("{.arg object} must be a result of {.fn fealect} or {.fn fit_model}, not
         {describe_value(object)}.",
        i = "{.code fit_model(x, y, selected(object))} makes a model of selected features."
      )
    )
  }
  conf_level <- check_fraction(conf_level, "conf_level", open_right = TRUE)
  levels <- model$study$levels
  tau <- check_tau(tau, model$study$type)
  link <- stats::predict(model, newdata, type = if (!is.null(levels)) "link")
  of_times <- model$study$type == "survival"
  observed <- if (of_times) {
    read_observed_times(y, length(link))
  } else {
    data.frame(observed = read_observed(y, levels, length(link)))
  }
  samples <- if (is.null(names(link))) as.character(seq_along(link)) else names(link)
  link <- unname(link)
  table <- if (of_times) {
    measure_survival(observed$time, observed$event, link, model$baseline, conf_level, tau)
  } else if (is.null(levels)) {
    measure_numbers(observed$observed, link, conf_level)
  } else {
    rbind(
      measure_classes(observed$observed, link, conf_level),
      if (model$asked$model == "ridge_logistic") {
        measure_calibration(observed$observed, link, conf_level)
      }
    )
  }
  rownames(table) <- NULL
  new_result(
    "stabilect_validation", table,
    predictions = data.frame(
      sample = samples, observed,
      predicted = if (is.null(levels)) link else class_of_link(link, levels), link = link
    ),
    asked = list(conf_level = conf_level, tau = tau), study = model$study,
    made = list(n = length(link))
  )
}

check_observed_length <- function(y, n, call) {
  size <- n_labels(y)
  if (size != n || n == 0L) {
    abort("{.arg y} has {size} value{?s}, but {.arg newdata} has {n} sample{?s}.", call = call)
  }
}

read_observed_times <- function(y, n, call = rlang::caller_env()) {
  if (!is_survival(y)) {
    abort("{.arg y} must be survival times, {.code survival::Surv(time, event)}, as for
      {.arg object}, not {describe_value(y)}.", call = call)
  }
  check_observed_length(y, n, call)
  as.data.frame(read_survival(y, call))
}

# What was observed, with the levels of the model.
read_observed <- function(y, levels, n, call = rlang::caller_env()) {
  check_observed_length(y, n, call)
  if (is.null(levels)) {
    bad <- if (is.numeric(y)) which(!is.finite(y)) else 1L
    if (length(bad) > 0L) {
      abort("{.arg y} must be finite numbers, as for {.arg object}; value {bad[1]} is
        {format(y[[bad[1]]])}.", call = call)
    }
    return(as.double(y))
  }
  observed <- factor(as.character(y), levels)
  bad <- which(is.na(observed))
  if (length(bad) > 0L) {
    abort(
      c("{.arg y} has {format(y[[bad[1]]])} at position {bad[1]}, which is no class of
         {.arg object}.",
        i = "Its classes are {.val {levels}}."
      ),
      call = call
    )
  }
  observed
}

measure_row <- function(measure, estimate, limits = c(NA_real_, NA_real_), reference = NA_real_) {
  data.frame(
    measure = measure, estimate = estimate, lower = limits[1], upper = limits[2],
    reference = reference
  )
}

measure_classes <- function(observed, link, conf_level) {
  wrong <- observed != class_of_link(link, levels(observed))
  error <- mean(wrong)
  by_class <- tapply(wrong, droplevels(observed), mean)
  sizes <- table(droplevels(observed))
  second <- as.integer(observed) == 2L
  auc <- auc_interval(link[second], link[!second], conf_level)
  rbind(
    measure_row(
      "error", error, wilson_interval(error, length(wrong), conf_level),
      error_without_features(observed)
    ),
    measure_row(
      "balanced_error", mean(by_class), interval_of_mean(by_class, sizes, conf_level),
      1 - 1 / length(sizes)
    ),
    measure_row("auc", auc[1], auc[2:3], 0.5)
  )
}

# Zou & Donner (2008): limits of a mean from those of independent shares.
interval_of_mean <- function(shares, sizes, conf_level) {
  limits <- mapply(wilson_interval, shares, sizes, MoreArgs = list(conf_level = conf_level))
  off <- sqrt(rowSums((limits - rep(shares, each = 2))^2)) / length(shares)
  mean(shares) + c(-1, 1) * off
}

# DeLong, DeLong & Clarke-Pearson (1988) for one curve, on the logit scale.
# @param high,low (numeric) links of the samples of the second and of the first class.
# @return c(estimate, lower, upper).
auc_interval <- function(high, low, conf_level) {
  if (length(high) == 0L || length(low) == 0L) {
    return(rep(NA_real_, 3L))
  }
  above <- outer(high, low, function(a, b) (a > b) + (a == b) / 2)
  auc <- mean(above)
  smaller <- min(length(high), length(low))
  if (smaller < 2L || auc %in% c(0, 1)) {
    return(c(auc, wilson_interval(auc, smaller, conf_level)))
  }
  variance <- stats::var(rowMeans(above)) / length(high) + stats::var(colMeans(above)) / length(low)
  half <- stats::qnorm((1 + conf_level) / 2) * sqrt(variance) / (auc * (1 - auc))
  c(auc, stats::plogis(stats::qlogis(auc) + c(-half, half)))
}

measure_calibration <- function(observed, link, conf_level) {
  second <- as.integer(observed) == 2L
  slope <- recalibrate(second ~ link, 2L, conf_level)
  intercept <- recalibrate(second ~ offset(link), 1L, conf_level)
  rbind(
    measure_row("calibration_slope", slope[1], slope[2:3], 1),
    measure_row("calibration_intercept", intercept[1], intercept[2:3], 0),
    measure_row("brier", mean((stats::plogis(link) - second)^2))
  )
}

# @return c(estimate, lower, upper) of one coefficient; NA where there is no finite estimate.
recalibrate <- function(formula, at, conf_level) {
  fit <- suppressWarnings(stats::glm(formula, stats::binomial()))
  probability <- stats::fitted(fit)
  separated <- !fit$converged || min(probability) < 1e-8 && max(probability) > 1 - 1e-8
  one_class <- length(unique(fit$y)) < 2L
  estimate <- summary(fit)$coefficients
  if (separated || one_class || nrow(estimate) < at) {
    return(rep(NA_real_, 3L))
  }
  half <- stats::qnorm((1 + conf_level) / 2) * estimate[at, 2]
  estimate[at, 1] + c(0, -half, half)
}

measure_numbers <- function(observed, link, conf_level) {
  losses <- (observed - link)^2
  spread <- mean((observed - mean(observed))^2)
  half <- stats::qnorm((1 + conf_level) / 2) * standard_error(losses) / mean(losses)
  fit <- if (length(unique(link)) > 1L && length(link) > 2L) stats::lm(observed ~ link)
  slope <- if (is.null(fit)) {
    rep(NA_real_, 3L)
  } else {
    unname(c(stats::coef(fit)[2], stats::confint(fit, level = conf_level)[2, ]))
  }
  rbind(
    measure_row("mean_squared_error", mean(losses), mean(losses) * exp(c(-half, half)), spread),
    measure_row("r_squared", 1 - mean(losses) / spread, reference = 0),
    measure_row("calibration_slope", slope[1], slope[2:3], 1)
  )
}

#' @rdname validate_model
#' @param x (object of class `stabilect_validation`) made by `validate_model()`.
#' @param digits (whole number >= 1) significant digits to print.
#' @param ... Not used.
#' @export
print.stabilect_validation <- function(x, digits = 2, ...) {
  digits <- check_count(digits, "digits")
  first <- x$table[1, ]
  number <- function(value) format(value, digits = 2)
  verdict <- if (isTRUE(first$upper < first$reference)) {
    "The model predicts new samples"
  } else if (isTRUE(first$estimate < first$reference)) {
    "Undecided"
  } else {
    "The model does not predict new samples"
  }
  cat(strwrap(sprintf(
    "%s: the %s on %d new samples is %s (%s%% interval %s to %s); without features it is %s.",
    verdict, in_words(first$measure), x$made$n, number(first$estimate),
    format(100 * x$asked$conf_level), number(first$lower), number(first$upper),
    number(first$reference)
  ), width = 80), "", sep = "\n")
  print(x$table, row.names = FALSE, digits = digits)
  cat(sprintf("model made with %s\n", describe_study(x$study)))
  invisible(x)
}
