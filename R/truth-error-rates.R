#' Error rates of a selection procedure on your own features
#'
#' Keeps the observed features with their correlations, simulates outcomes with known true features
#' and many small effects, as predictable and as widely associated as the observed one, and runs the
#' procedures on them. The result is a table. For every cut of the list it shows how many features
#' the list contains, how many are true, near a true feature or neither, and what the procedure
#' claims. (Simulations that keep the observed features are called plasmode.)
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param object (result of [fealect()], [stability_selection()], [bolasso()], [select_ensemble()],
#'   [hybrid_rfe()], [split_test()] or [find_signals()], also of clusters; or a function of (`x`,
#'   `y`, ...) that returns a result; or a named list of these) the procedures to compare. A result
#'   is repeated with its settings and plan of resampling. Functions are for example `function(x, y,
#'   ...) select_ensemble(x, y, selector_filter("t"), ...)`. A function gets `seed`, `n_threads` and
#'   `progress` if it takes them.
#' @param x,y (as in [fealect()], in any form) the data; `y` as for [find_signals()].
#' @param n_true (whole numbers >= 0) number of true features; 0 for an outcome of pure noise. The
#'   default leaves out what is more than half of the features, and is at least a fifth of them.
#' @param r_squared (numbers in (0, 1), or `NULL`) share of the variance of the outcome (of its
#'   latent value, for classes) that the true features explain, without a diffuse part. `NULL`: for
#'   every `n_true` the share that gives the out-of-bag error of the data, with a diffuse part.
#' @param n_simulations (whole number >= 2) number of outcomes to simulate for each `n_true` and
#'   `r_squared`. It determines the Monte Carlo errors.
#' @param threshold (number in (0, 1)) a feature is near a true one if the absolute value of their
#'   correlation is larger than this.
#' @param pfer,fdr (numbers > 0) targets: mean number of false positives, and their share; the field
#'   `targets` has the cuts that satisfy them.
#' @param family (string or `NULL`) `"poisson"`: the numbers of `y` are counts. `NULL`: as for the
#'   results in `object`. Functions get the counts as numbers and need it in their own calls.
#' @details
#' **What the numbers mean.** By feature, every feature outside the true ones is a false positive:
#' `pfer` is the mean number, `fdr` the mean share (0 for an empty list). Up to neighbours, only
#' `unrelated` features are. Beside a diffuse part, a name that is neither true nor near a true one
#' is unrelated, even if it is correlated with that part; `behind` is the number of these. Clusters
#' are true if they contain a true feature.
#'
#' Compare `claimed` with `pfer`. A bound like the one of Shah and Samworth (2013) counts as false a
#' feature that is rarely selected by chance. Neighbours of true features are selected often, and
#' the bound does not cover them if features are strongly correlated.
#'
#' **How far outcomes resemble yours.** The number of true features and the form of their effects
#' are unknown: there is a grid and not one answer. With `r_squared = NULL` outcomes are as easy to
#' predict as yours, and their signal is spread as widely over the features. Classes that are far
#' apart can be out of reach. The print then says so, and gives both errors: for the leukaemia data
#' of Golub et al. (1999) 0.03, and 0.10 for the strongest outcomes.
#'
#' On `colon_genes` (out-of-bag error 0.11, spread 2.3) 40 further outcomes of the chosen strengths
#' had a mean error of 0.12 and a spread of 2.3. Beside the diffuse part `stability_selection(pfer =
#' 1, q = 10)` named 1.10 unrelated features an outcome, against 0.12 where the same signal lay in
#' the true features alone; for [find_signals()] these were 0.00 and 0.08 (`experiments/plasmode`).
#'
#' **How outcomes are made.** Features stay unchanged. `n_true` random features have equal effects
#' with random signs; noise is added, normal for numbers. Classes keep their sizes, counts and
#' ordered classes their values, survival times their times and censoring (Sylvestre and
#' Abrahamowicz 2008). A result with frequencies is cut at frequencies, one with scores after the 1,
#' 2, 3, 5, ... best features; every procedure also has its own selection. Simulated samples are
#' independent: blocks are not supported. `vignette("how-computed")` has the formulas and how the
#' strength is found.
#' @return An object of class `stabilect_error_rates`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per procedure, `n_true`, `r_squared` and cut) `method`
#'   (string), `n_true`, `r_squared` (of the whole signal), `diffuse` (its diffuse share), `matched`
#'   (flag: was this strength chosen to give the observed error?), `cut` (string: `"own"`,
#'   `"frequency"` or `"n_features"`), `cutoff` (number; `NA` for the procedure's own selection),
#'   `size`, `true`, `near`, `unrelated` (mean numbers of features),
#'   `pfer`, `fdr`, `fdr_near` (mean share of unrelated features), `power` (mean share of the true
#'   features; `NA` without any). From `unrelated` on, each column is followed by its Monte Carlo
#'   standard error (`pfer_se`, ...), and `behind` is a part of `unrelated`. Then `claimed` (the
#'   bound on `pfer`; `NA` without a claim), `spread` (mean of the simulated outcomes) and
#'   `n_simulations`.}
#'   \item{targets}{(data frame) the widest cut for each `method`, `n_true`, `r_squared`, `target`
#'   (`"pfer"`, `"fdr"`) and `counts` (`"features"` or `"neighbours"`: what is false). Its upper 95
#'   % limit of the error rate, and the limits of all narrower cuts, are at most the target. Columns
#'   `cut`, `cutoff` (`NA` if no cut satisfies it), `power`, and `claimed` (the cutoff that the
#'   bound requires; `NA` without a bound).}
#'   \item{error}{(data frame) the matching: `n_true`, `r_squared`, `diffuse`, `error` (mean on
#'   simulated outcomes) with `error_se`, `spread`; `NULL` with a given `r_squared`. `observed` and
#'   `spread` (numbers): the error and the spread of the data.}
#'   \item{asked}{(list) the arguments. `study`, `made`: as in [results].}
#' }
#' @section Errors: Class `stabilect_error_input` for arguments out of range, samples in blocks, and
#'   procedures that return no result.
#' @references Shah RD, Samworth RJ (2013). Variable selection with error control: another look at
#'   stability selection. *Journal of the Royal Statistical Society B* 75, 55-80.
#'
#'   Sylvestre MP, Abrahamowicz M (2008). Comparison of algorithms to generate event times
#'   conditional on time-dependent covariates. *Statistics in Medicine* 27, 2618-2634.
#' @family evidence
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- stability_selection(x, mcl_sll$MCL, q = 5, pfer = 1, n_pairs = 10, seed = 1)
#' estimate_error_rates(fit, x, mcl_sll$MCL, n_true = 2, r_squared = 0.8, n_simulations = 5, seed =
#' 1)
#' @export
estimate_error_rates <- function(object, x, y, n_true = c(3, 10, 30), r_squared = NULL,
                                 n_simulations = 20, threshold = 0.7, pfer = 1, fdr = 0.2,
                                 family = NULL, seed = NULL,
                                 n_threads = getOption("stabilect.n_threads", 1),
                                 progress = interactive()) {
  check_given(except = "y")
  procedures <- simulated_procedures(object, deparse1(substitute(object)))
  if (is.null(family)) family <- family_among(object)
  takes <- takes_with("estimate_error_rates", family)
  study <- open_again(
    x, y, one_result(object), takes, "the simulation of outcomes", family = family
  )
  check_varying(study$x)
  refuse(has_own_blocks(study$response$blocks), blocks_not_simulated)
  procedures <- simulated_roles(procedures, study)
  # Simulated outcomes have no values of samples but those of a procedure.
  study <- without_roles(study, "samples")
  z <- standardise_varying(study$x)
  read_sizes <- if (missing(n_true)) usual_true_sizes else check_true_sizes
  sizes <- read_sizes(n_true, ncol(z))
  asked <- list(
    n_true = sizes, r_squared = check_strengths(r_squared),
    n_simulations = check_count(n_simulations, min = 2),
    threshold = check_fraction(threshold, open_right = TRUE),
    pfer = check_positive(pfer), fdr = check_positive(fdr)
  )
  control <- check_run(n_threads, progress)
  seed <- check_seed(seed)
  each <- seconds_of_all(object)
  strengths <- choose_strengths(study, z, asked, seed, control, each)
  counted <- count_in_cells(study, z, procedures, strengths, asked, seed, control)
  table <- error_rates_table(counted, strengths$cells, asked$n_simulations)
  new_result(
    "stabilect_error_rates",
    table = table, targets = error_rates_targets(table, asked), error = strengths$error,
    observed = strengths$observed, spread = strengths$like$spread, asked = asked,
    study = c(study_record(study), roles_in_common(procedures)),
    made = list(seed = seed, n_runs = nrow(strengths$cells) * asked$n_simulations, n_failed = 0L)
  )
}
register_verb("estimate_error_rates", place = 23)

blocks_not_simulated <- c(
  "Error rates of samples in blocks cannot be estimated: the simulated samples are independent.",
  i = "One sample of each block can be: {.code !duplicated(blocks)} are such."
)

# @return (number) seconds that results took, one after the other; NA for functions and results of
#   other sessions.
seconds_of_all <- function(object) {
  is_one <- inherits(object, "stabilect_result") || is.function(object)
  results <- if (is_one) list(object) else object
  sum(vapply(results, function(one) {
    seconds <- if (inherits(one, "stabilect_result")) seconds_of(one)
    if (is.null(seconds)) NA_real_ else seconds
  }, 0))
}

# The result whose data these are, if the object is about results.
one_result <- function(object) {
  if (inherits(object, "stabilect_result") || is.function(object)) object else object[[1]]
}

# Covariates of prepared data are those of the results, or are given to functions that take some.
simulated_roles <- function(procedures, study) {
  brought <- roles_of(study)["covariates"]
  if (is.null(brought[[1]])) {
    return(procedures)
  }
  lapply(procedures, function(one) {
    own <- one$procedure
    if (is.null(own$holds)) {
      check_same_roles(study, own$roles)
    } else {
      check_holds(own)
      one$procedure$roles <- brought
    }
    one
  })
}

# What all procedures adjust for, for prints.
roles_in_common <- function(procedures) {
  all <- unique(lapply(procedures, function(one) one$procedure$roles$covariates))
  if (length(all) == 1L && !is.null(all[[1]])) list(roles = list(covariates = all[[1]]))
}

check_holds <- function(procedure) {
  refuse(!procedure$holds,
    c("{.arg x} is prepared data with covariates, which the function {.val {procedure$name}} does
        not take.",
      i = "Give it an argument {.arg covariates} or {.code ...}, which it passes on."
    )
  )
}

# The family of the first result among procedures that has one.
family_among <- function(object) {
  if (inherits(object, "stabilect_result")) object <- list(object)
  if (is.list(object)) unlist(lapply(object, family_of_result))[1L]
}

# One procedure, or a named list of procedures.
# @return named list of list(procedure, claim (of its rule)).
simulated_procedures <- function(object, label) {
  single <- is.function(object) || inherits(object, "stabilect_result")
  if (single) object <- stats::setNames(list(object), name_of_procedure(object, label))
  refuse(!is.list(object) || length(object) == 0L,
    "{.arg object} must be a result, a function or a named list of these, not
      {describe_value(object)}."
  )
  labels <- names(object)
  refuse(is.null(labels) || any(labels == "") || anyDuplicated(labels) > 0L,
    "{.arg object} must give each of its {length(object)} procedures a different name."
  )
  Map(function(one, label) {
    procedure <- as_procedure(one, label, whole = TRUE)
    refuse(has_own_blocks(roles_of_result(one)$blocks), blocks_not_simulated)
    refuse(!is.null(record_of(one)$roles$offset),
      c("{.arg object} has an {.arg offset}, which simulated outcomes do not contain.",
        i = "Take a result without; for numbers {.code y - offset} is then the outcome."
      )
    )
    # Simulated outcomes differ between copies of a sample.
    if (is_copied(procedure$plan$blocks)) procedure$plan["blocks"] <- list(NULL)
    list(procedure = procedure, claim = rule_of(settings_of(one))$claim(one))
  }, object, labels)
}

name_of_procedure <- function(object, label) {
  if (!is.function(object)) {
    return(sub("^stabilect_", "", class(object)[1]))
  }
  if (nchar(label) > 40L || !grepl("^[a-zA-Z._0-9]+$", label)) "procedure" else label
}

check_strengths <- function(r_squared) {
  if (is.null(r_squared)) {
    return(NULL)
  }
  refuse(!is.numeric(r_squared) || length(r_squared) == 0L || anyDuplicated(r_squared),
    "{.arg r_squared} must hold distinct numbers in (0, 1), or be NULL."
  )
  vapply(r_squared, check_fraction, 0, name = "r_squared", open_right = TRUE)
}

# @param of (string) "samples" or "features": as if none of these were given.
without_roles <- function(study, of) {
  field <- if (of == "samples") "response" else "features"
  own <- intersect(study$given, role_names(of))
  study[[field]][own] <- NULL
  study$given <- setdiff(study$given, own)
  study
}
