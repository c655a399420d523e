#' Bolasso: features that the lasso selects in all bootstrap samples
#'
#' Runs the lasso at one value of the penalty on many bootstrap samples and keeps the features that
#' all of them select (Bolasso; Bach 2008), or at least a share `cutoff` (Bolasso-S, usually
#' 0.9).
#'
#' @inheritParams arguments
#' @inheritParams fealect
#' @param x (as in [fealect()]) the data; or a result of [fealect()], whose paths are used again
#'   without new runs, down to the penalty where the first of them ends. Least squares paths are
#'   exact. Beside covariates and with another `family`, features enter a stored path at a penalty
#'   that is foreseen, mostly within 1 % of the true one: a few of 100 runs may differ by a feature
#'   from those of a call with the data.
#' @param cutoff (number in (0, 1\]) smallest share of the runs: 1 for Bolasso, 0.9 for
#'   Bolasso-S.
#' @param lambda (number > 0, or `NULL`) penalty on the scale of glmnet and [lasso_path()], with
#'   standardised columns and two classes coded -1 and 1. `NULL` takes the value with the smallest
#'   cross-validated squared error of the lasso on all samples, or deviance for another `family`.
#' @param n_runs (whole number >= 1, or `NULL`) number of bootstrap samples; `NULL` takes 128.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`, or `NULL`) other resamples.
#' @param n_folds (whole number >= 2) number of folds of the cross-validation, by default 10, or n
#'   if there are fewer samples; if the resamples have blocks, folds of blocks, at most as many as
#'   blocks.
#' @param permute (whole number >= 0) number of permutations of the outcome, each with the whole
#'   procedure including the cross-validation of `lambda`, see [permutations]; 0 for none.
#' @param control (`stabilect_run_control`) threads, progress bar, checkpoint and early stopping,
#'   see [run_control()]. With `cutoff = 1` a feature that is in all runs is never decided;
#'   [until_decided()] then needs a `share` below 1.
#' @param ... settings of [path_control()] and [run_control()] by name, for example `family =
#'   "poisson"` or `n_threads = 2`.
#'
#' @details In Bach's theory the penalty falls with n and is the same for all bootstrap samples; the
#' theory does not say how to choose it. The R package FeaLect instead takes, in every sample, the
#' step of the path with the smallest value of its own training criterion. This is nearly always the
#' end of the path, see [FeaLect()]. No error rate is stated: on 1512 outcomes of
#' `experiments/peers`, 0.40 true and 0.00 false features were selected on average, 0.00 of them
#' unrelated to any true one.
#'
#' Classes, counts and survival times are cross-validated by their deviance: twice the difference of
#' the log likelihoods of a perfect fit and of the model. For survival times this is the log partial
#' likelihood of all samples minus that of the samples used for the fold's path (Verweij and van
#' Houwelingen 1993). Survival times and several classes are drawn in the proportion of events or
#' classes, if these are large enough.
#'
#' @return An object of class `stabilect_bolasso`, a list with
#' \describe{
#'   \item{features}{(character) selected features, most frequent first; can be empty.}
#'   \item{table}{(data frame, p rows, most frequent first) `feature`, `direction` and
#'     `same_sign` (as in [fealect()]), `frequency`, `selected`.}
#'   \item{lambda}{(number) the penalty.}
#'   \item{cv}{(data frame) `lambda`, `error` (mean squared error, or deviance, of a sample), `se`
#'     of the cross-validation, of more than 1,000 samples only until the error has turned;
#'     `NULL` for a given `lambda`.}
#'   \item{coefficients}{(named numeric) the last step of the Bolasso: a fit of the selected
#'   features to all samples without a penalty, with intercept (not for survival times), covariates
#'   and features on the scale of `x`; for several classes a matrix with a column for each. `NULL`
#'   if no feature is selected, if the samples do not determine so many features, if the features
#'   separate the classes, and in results merged or made from others.}
#'   \item{selection}{(`stabilect_selection`) what every run selected.}
#'   \item{paths, resamples}{as in [fealect()].}
#'   \item{null}{(`stabilect_null`) what permutations say, see [permutations]; `NULL` without.}
#'   \item{asked}{(list) `cutoff`, `lambda` (`NULL` when it was cross-validated), `n_folds`,
#'     `rule` (`"share"`), `likelihood` (as in [stability_selection()]).}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' @section Errors: as [fealect()].
#' @references Bach FR (2008). Bolasso: model consistent lasso estimation through the bootstrap.
#'   *Proceedings of the 25th International Conference on Machine Learning*, 33-40.
#'
#'   Verweij PJM, van Houwelingen HC (1993). Cross-validation in survival analysis. *Statistics in
#'   Medicine* 12, 2305-2314.
#' @family stability selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- bolasso(x, mcl_sll$MCL, cutoff = 0.9, n_runs = 50, seed = 1)
#' fit
#' @export
bolasso <- function(x, y, cutoff = 1, lambda = NULL, n_runs = NULL, resampling = NULL,
                    n_folds = 10, permute = 0, paths = path_control(), control = run_control(),
                    ..., seed = NULL, data = NULL) {
  check_given(except = "y")
  without_nan_warning(x)
  if (inherits(x, "stabilect_fealect")) {
    refuse_data(c(
      y = !missing(y), n_runs = !missing(n_runs), resampling = !missing(resampling),
      n_folds = !missing(n_folds), permute = !missing(permute), paths = !missing(paths),
      control = !missing(control), seed = !missing(seed), data = !missing(data)
    ))
    return(bolasso_of_fealect(x, cutoff, lambda, ...))
  }
  given <- read_dots(list(...), control, paths, unused = c(weakness = "", score_rule = ""))
  control <- given$control
  paths <- given$paths
  study <- open_study(
    x, y, family_takes(paths$family), "Bolasso", family = paths$family,
    covariates = paths$covariates, roles = paths[path_roles]
  )
  check_varying(study$x)
  warn_leak(study)
  warn_scarce(study$response)
  if (missing(n_folds)) n_folds <- min(n_folds, study$n)
  asked <- list(
    cutoff = check_fraction(cutoff),
    lambda = check_positive(lambda, null_ok = TRUE),
    n_folds = check_count(n_folds, min = 2, max = study$n), rule = "share"
  )
  asked["likelihood"] <- list(ask_likelihood(study, paths))
  permute <- check_permute(permute)
  draws <- study_draws(study, bootstrap_plan(study, n_runs, resampling), seed)
  if (!is.null(draws$plan$blocks)) study <- with_blocks(study, draws)
  procedure <- bolasso_procedure(asked, draws$plan)
  expect_permutations(permute, procedure)
  fit <- carry_out(procedure, study, draws, control, study_record(study))
  if (permute > 0L) add_null(fit, procedure, study, permute, control) else fit
}
register_verb("bolasso", place = 5)

# 128 bootstrap samples by default, with the events of survival times and all of several classes;
# `resampling` and `n_runs` exclude each other.
bootstrap_plan <- function(study, n_runs, resampling) {
  if (is.null(resampling)) {
    n_runs <- if (is.null(n_runs)) 128 else n_runs
    n_runs <- check_count(n_runs)
    return(resample_bootstrap(n_runs, stratify = shares_classes(study, 1 / 2)))
  }
  refuse(!is.null(n_runs), "Give either {.arg resampling} or {.arg n_runs}, not both.")
  resampling
}

# The paths of fealect() read at one penalty.
bolasso_of_fealect <- function(x, cutoff, lambda, ...) {
  refuse_dots(...)
  if (is.null(lambda)) abort_absent("lambda")
  asked <- list(
    cutoff = check_fraction(cutoff), lambda = check_positive(lambda), n_folds = NULL,
    rule = "share"
  )
  asked["likelihood"] <- list(x$asked$likelihood)
  check_path_ends(x, asked$lambda)
  fit <- new_bolasso(x$study, runs_of_result(x), asked, asked$lambda, NULL)
  fit$made$merged <- x$made$merged
  fit
}

# Paths by likelihood, and those with at most `max_features`, have an end, beyond which their models
# are not known.
check_path_ends <- function(x, lambda) {
  longest <- limit_of(x$asked, x$study$n)
  if (is.null(x$asked$likelihood) && is.null(longest)) {
    return(invisible())
  }
  ends <- path_ends(x$paths)$last / run_scales(x$resamples, x$study$roles$weights)
  end <- max(ends[x$selection$status == "ok"])
  refuse(lambda < end,
    "{.arg lambda} must be at least {figure(end, digits = 4)}, where the first path of
      {.arg x} ends, not {figure(lambda)}."
  )
}

#' @exportS3Method
facts_of.stabilect_bolasso <- function(x, n = 10L) {
  rule <- rule_of(x$asked)
  some <- length(x$features) > 0L
  verdict <- signal_facts(x)
  verdict$List <- rule$verdict(x)
  verdict$Caution <- c(verdict$Caution, rule$caution(x))
  likelihood <- x$asked$likelihood
  title <- c(rule$title(x), if (!is.null(likelihood)) describe_likelihood(likelihood))
  sizes <- Matrix::colSums(x$selection$selected)[ok_runs(x$selection)]
  shown <- if (some) x$table[x$table$selected, ] else x$table
  result_facts(
    x, paste(title, collapse = ": "), format(x$resamples$plan), verdict,
    list(evidence_section(
      x, shown, rule$measures(shown), n, above = if (!some) "Most frequent features"
    )), c(paste("features per run:", describe_sizes(sizes)), describe_adds(x))
  )
}

#' @rdname bolasso
#' @param object (object of class `stabilect_bolasso`) result of `bolasso()`.
#' @param n (whole number >= 1) number of features in the summary, a list with `best` (rows of
#'   `table`), which also prints the penalty.
#' @export
summary.stabilect_bolasso <- function(object, n = 20, ...) {
  refuse_dots(...)
  best <- utils::head(object$table, check_count(n))
  new_summary(object, best = best, sections = list(
    evidence_section(object, best, rule_of(object$asked)$measures(best), nrow(best)),
    new_section(above = sprintf(
      "lambda %s%s", figure(object$lambda, digits = 3),
      if (is.null(object$cv)) "" else " (cross-validated)"
    ))
  ))
}
