#' External validation of a final model
#'
#' Predicts samples that were not used for a result, for example from another hospital, and compares
#' predictions with observations: error rates with intervals, and calibration of probabilities.
#'
#' @param object (result of [fealect()] or [fit_model()]) result with a final model.
#' @param newdata (numeric matrix, samples x features, or data frame, sparse Matrix, list of views
#'   or Bioconductor container) new samples, with a column for every feature of the model, found by
#'   name.
#' @param y (one value per row of `newdata`) observed outcome: classes with their names in `object`,
#'   numbers, counts, or survival times (`survival::Surv(time, event)`); or the name of a column of
#'   `newdata` (two names, of time and event), if it is a data frame or a container. Leave it out if
#'   `newdata` is the result of [prepare_study()] with an outcome.
#' @param conf_level (number in (0, 1)) confidence level of the intervals.
#' @param tau (number > 0, or `NULL`) for survival times: upper limit of the times for
#'   `concordance_uno` and `integrated_brier`, for example five years; `NULL` takes the last event
#'   in `y`.
#' @param covariates (as in [fit_model()], or `NULL`) covariates of the new samples, if the model
#'   has some; `NULL` takes them from the columns of `newdata`, by name (of a container from its
#'   `colData` or `pData`).
#'
#' @details
#' The model is fixed, and the samples are new and assumed to be independent. Intervals are
#' therefore textbook intervals, unlike for an out-of-bag error. [measure_predictions()] explains
#' each measure, with formulas.
#'
#' * *Classes*: `error`, the share of wrong classes (Wilson 1927); `balanced_error`, the mean of the
#'   error rates of the classes (Zou and Donner 2008); `auc` (DeLong et al. 1988 on the logit
#'   scale), of several classes the mean of each against the rest, without interval; `brier` and, of
#'   several classes, `log_loss`. `calibration_slope` is ideally 1; below 1 the probabilities are
#'   too extreme. `calibration_intercept` is ideally 0; above 0 the second class is more frequent
#'   than predicted (Cox 1958; Wald intervals, for two classes).
#' * *Numbers*: `mean_squared_error` (interval: normal for its logarithm), `r_squared` (1 - mean
#'   squared error / variance of `y`) and `calibration_slope`, the slope of the regression of `y` on
#'   the predictions.
#' * *Counts*: `mean_poisson_deviance` and `calibration_slope`, with an interval that allows for
#'   overdispersion.
#' * *Survival times*: `concordance` (Harrell's) and `discordance` (1 minus it); `concordance_uno`,
#'   which does not depend on the amount of censoring; intervals by the infinitesimal jackknife on
#'   the logit scale. `calibration_slope`, of the predicted risk in a Cox model, as above.
#'   `integrated_brier` judges the survival curves; its `reference` is the Kaplan-Meier curve of the
#'   samples of the fit.
#'
#' Values are `NA` where they do not exist, for example an `auc` of one class.
#'
#' **With covariates** the question is what the features add to them. Both models predict the same
#' samples, and the interval of the difference is paired: normal, from the difference of the
#' influences of each sample on both estimates; for `error` Agresti and Min (2005). Differences of
#' `r_squared`, `integrated_brier` and of the AUC of several classes have no interval.
#'
#' **Samples of the fit** are an error: rows that agree with a sample of the fit in all features of
#' the model and in `y`. If rows would also agree by chance, all features of the study must agree as
#' well, or more rows than chance explains (probability below 1e-4). The error of the procedure on
#' its own samples is the out-of-bag error of [fealect()], or the error of [evaluate_selectors()].
#' @return An object of class `stabilect_validation`, a list with
#' \describe{
#'   \item{table}{(data frame) `measure`, `estimate`, `lower`, `upper` and `reference`: the value
#'   without features (errors, AUC), or the ideal (calibration); `NA` without one. For a model with
#'   covariates it is the value of the covariates alone: predictions of the new samples by the model
#'   without features that was fitted to the same data. Then there are also `difference` (estimate
#'   minus this value), `difference_lower` and `difference_upper`, its interval (see Details).}
#'   \item{predictions}{(data frame) `sample`, `observed` (for survival times `time` and `event`),
#'   `predicted`, `link` (for several classes one for each, named `link_` and the class).}
#'   \item{baseline}{(data frame; `NULL` without survival times) `time`, `hazard`: the cumulative
#'   hazard of a sample of risk 0, see [fit_model()].}
#'   \item{asked}{(list) `conf_level`, `tau`.}
#'   \item{study}{(list) of the data that `object` was made from, see [results].}
#'   \item{made}{(list) `n`, new samples; `covariates` (character), if the model has some.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for samples of the fit among the new ones (their rows are named), a
#' result without a final model, columns that `newdata` lacks, unknown classes (named), lengths that
#' disagree, and missing values.
#' @references Agresti A, Min Y (2005). Simple improved confidence intervals for comparing matched
#'   proportions. *Statistics in Medicine* 24, 729-740.
#'
#'   Cox DR (1958). Two further applications of a model for binary regression.
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
#' @concept external validation
#' @concept overfitting
#' @concept calibration
#' @family evidence
#' @examples
#' data <- simulate_data("NC100", n = 80, n_total = 200, seed = 1)
#' fit <- fealect(data$x[1:50, ], data$y[1:50], n_runs = 30, seed = 1)
#' validate_model(fit, data$x[51:80, ], data$y[51:80])
#' @export
validate_model <- function(object, newdata, y, conf_level = 0.95, tau = NULL, covariates = NULL) {
  check_given(except = "y")
  if (missing(y)) {
    # Prepared data bring their outcome.
    if (inherits(newdata, "stabilect_data")) y <- newdata$y
    if (missing(y) || is.null(y)) abort_absent("y")
  }
  model <- if (inherits(object, "stabilect_fealect")) final_model(object) else object
  refuse(!inherits(model, "stabilect_model"),
    c("{.arg object} must be a result of {.fn fealect} or {.fn fit_model}, not
       {describe_value(object)}.",
      i = "{.code fit_model(x, y, selected(object))} makes a model of selected features."
    )
  )
  refuse(!is.null(model$study$roles$within),
    c("{.fn validate_model} does not compare within groups, as {.arg object} does.",
      i = "{.code predict(object, prepare_study(newdata, within = ))} does."
    )
  )
  conf_level <- check_fraction(conf_level, open_right = TRUE)
  tau <- check_tau(tau, model$study$type)
  # If predictions are not links, links are requested.
  type <- intersect("link", predict_types(outcome_of(model$study), "link"))
  if (length(type) == 0L) type <- NULL
  link <- stats::predict(model, newdata, type = type, covariates = covariates)
  y <- outcome_in(y, newdata)
  observed <- read_observed(y, model$study, NROW(link))
  check_samples(y, samples_of_new(newdata), "y")
  check_new_samples(model, object, newdata, observed)
  samples <- if (is.matrix(link)) rownames(link) else names(link)
  if (is.null(samples)) samples <- as.character(seq_len(NROW(link)))
  # Samples that lack most features have no prediction, of which predict() warns.
  known <- which(rowSums(is.na(cbind(link))) == 0)
  refuse(length(known) == 0L, "No sample of {.arg newdata} has half of the features of the model.")
  link <- unname(if (is.matrix(link)) link[known, , drop = FALSE] else link[known])
  observed <- observed[known, , drop = FALSE]
  samples <- samples[known]
  table <- measure_link(model, observed, link, conf_level, tau)
  baseline <- model$baseline[c("time", "hazard")]
  if (!is.null(model$covariates)) {
    z <- covariates_of_new(covariates, newdata, model$covariates, model$asked$covariates)
    z <- z[known, , drop = FALSE]
    alone <- unname(link_of_model(model, NULL, z, with_features = FALSE))
    # The curves of the covariates have their own hazard.
    model$baseline$hazard <- model$baseline$hazard_alone
    table <- beside_covariates(
      table, measure_link(model, observed, alone, conf_level, tau), conf_level
    )
  }
  table$influence <- NULL
  new_result(
    "stabilect_validation", table,
    predictions = predictions_of(model$study, samples, observed, link), baseline = baseline,
    asked = list(conf_level = conf_level, tau = tau), study = model$study,
    made = c(list(n = NROW(link)), model["covariates"][!is.null(model$covariates)])
  )
}

# @param observed (data frame) `observed`, or `time` and `event`.
measure_link <- function(model, observed, link, conf_level, tau) {
  table <- measure_outcome(outcome_of(model$study), model, observed, link, conf_level, tau)
  rownames(table) <- NULL
  table
}

check_observed_length <- function(y, n) {
  size <- n_labels(y)
  refuse(size != n || n == 0L,
    "{.arg y} has {size} value{?s}, but {.arg newdata} has {n} sample{?s}."
  )
}

# The observed outcome, in the form of the model.
# @param study (list) record of the data of the model.
# @return (data frame) `observed`, or `time` and `event`.
read_observed <- function(y, study, n) {
  one <- outcome_of(study)
  refuse(!fits_outcome(one, y),
    paste0("{.arg y} must be ", one$expected, ", as for {.arg object}, not
      {if (is_survival(y)) 'survival times' else describe_value(y)}.")
  )
  check_observed_length(y, n)
  read_new_outcome(one, y, study)
}

#' @exportS3Method
facts_of.stabilect_validation <- function(x, n = 10L) {
  # Prints show the concordance, not the discordance.
  shown <- x$table[order(x$table$measure == "discordance"), ]
  # Rounding errors would give the whole column an exponent.
  numbers <- vapply(shown, is.numeric, NA)
  shown[numbers] <- lapply(shown[numbers], function(v) ifelse(abs(v) < 1e-10, 0, v))
  new_facts(
    sprintf("Validation of a model on %s", count_of(x$made$n, "new sample")),
    c(wrap_model(x$study), describe_roles(x)),
    verdict = validation_verdict(x, shown[1, ]),
    sections = list(new_section(dash_missing(with_difference(shown)), Inf,
      below = if (!is.null(x$made$covariates)) {
        "reference: the covariates alone; difference to them on the same samples, with its interval"
      }
    ))
  )
}

# "-0.12 (-0.2 to -0.04)" in one column.
with_difference <- function(table) {
  if (is.null(table$difference)) {
    return(table)
  }
  two <- function(column) figures(table[[column]], digits = 2)
  limits <- ifelse(is.na(table$difference_lower), "", sprintf(
    " (%s to %s)", two("difference_lower"), two("difference_upper")
  ))
  table$difference <- ifelse(is.na(table$difference), NA, paste0(two("difference"), limits))
  table[!names(table) %in% c("difference_lower", "difference_upper")]
}

wrap_model <- function(record) paste("model made with", describe_study(record))

validation_verdict <- function(x, first) {
  held <- !is.null(x$made$covariates)
  # A larger concordance is better.
  side <- if (first$measure == "concordance") -1 else 1
  limit <- if (side > 0) first$upper else first$lower
  number <- if (first$measure == "error") as_percent else function(value) figure(value, digits = 2)
  reference <- number(first$reference)
  measure <- in_words(first$measure)
  state <- if (held) {
    state_beside(first, side, measure, x$asked$conf_level)
  } else if (isTRUE(side * limit < side * first$reference)) {
    sprintf("yes: the interval of the %s is beyond %s", measure, reference)
  } else if (orders_beyond_chance(x$table)) {
    say_order(x$table, first, measure, reference)
  } else if (isTRUE(side * first$estimate < side * first$reference)) {
    sprintf("undecided: the interval of the %s contains %s", measure, reference)
  } else {
    sprintf("no evidence: the %s is no better than %s", measure, reference)
  }
  list(
    Signal = state,
    Error = sprintf(
      "%s%s on %s (%s); %s %s",
      if (first$measure == "error") "" else paste0(measure, " "), number(first$estimate),
      count_of(x$made$n, "new sample"),
      describe_interval(first, x$asked$conf_level, first$measure == "error"), reference,
      if (held) {
        "with the covariates alone"
      } else if (side < 0) {
        "by chance"
      } else {
        "without any feature"
      }
    )
  )
}

# Of a rare class no threshold at one half may be better than none, and the order still be right.
orders_beyond_chance <- function(table) isTRUE(table$lower[match("auc", table$measure)] > 0.5)

# An error that is lower than the reference only lacks samples; another threshold would not help it.
say_order <- function(table, first, measure, reference) {
  auc <- table[table$measure == "auc", ]
  sprintf(
    "yes: the AUC is above 0.5 (%s to %s), but %s",
    figure(auc$lower, digits = 2), figure(auc$upper, digits = 2),
    if (isTRUE(first$estimate < first$reference)) {
      sprintf("the interval of the %s contains %s", measure, reference)
    } else {
      sprintf("the %s is not below %s: take another threshold", measure, reference)
    }
  )
}

# Is the model better than its covariates, by the paired difference?
state_beside <- function(first, side, measure, conf_level) {
  better <- -side * first$difference
  limits <- sort(-side * c(first$difference_lower, first$difference_upper))
  state <- if (isTRUE(limits[1] > 0)) {
    "yes"
  } else if (isTRUE(better > 0)) {
    "undecided"
  } else {
    "no evidence"
  }
  scale <- if (first$measure == "error") 100 else 1
  two <- function(value) figure(scale * value, digits = 2)
  sprintf(
    "%s: with the features the %s is %s by %s%s (%s\u00a0%% CI of the paired difference %s to %s)",
    state, measure, if (first$difference > 0) "higher" else "lower", two(abs(first$difference)),
    if (scale == 100) " percentage points" else "", figure(100 * conf_level),
    two(first$difference_lower), two(first$difference_upper)
  )
}
