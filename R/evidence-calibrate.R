#' What would this procedure get right on my data?
#'
#' Keeps the features as they are, with their correlations, simulates responses whose true features
#' are known, at the strength that the data seem to have, and runs the same procedures on them. The
#' answer is a table: for every cut of the list, how many features it holds, how many of them are
#' true, how many are near a true one, how many are neither, and how that compares with what the
#' procedure claims. (Simulations that keep the observed features are called plasmode.)
#'
#' @param object (result of [fealect()], [stability_selection()], [bolasso()], [select_ensemble()],
#'   [hybrid_rfe()] or [split_test()], whose settings and
#'   resamples are used again; or a function of (`x`, `y`, ...) that returns a result, such as
#'   `function(x, y, ...) select_ensemble(x, y, selector_filter("t"), ...)` or [find_signals]; or a
#'   named list of these) the procedures to compare. A function is given `seed`, `n_threads` and
#'   `progress`, as far as it takes them.
#' @param x,y the data, in any form that [fealect()] takes; two classes or numbers.
#' @param n_true (whole numbers >= 0) how many features are true; 0 for a response of pure noise.
#' @param r_squared (numbers in (0, 1), or `NULL`) share of the variance of the response (of its
#'   latent value, for classes) that the true features explain. `NULL`: for every `n_true` the share
#'   that gives the out-of-bag error of the data, and those with half and twice its signal-to-noise
#'   ratio \eqn{R^2 / (1 - R^2)}.
#' @param n_sets (whole number >= 2) responses to simulate for each `n_true` and `r_squared`. Their
#'   number decides the Monte Carlo errors.
#' @param near (number in (0, 1)) a feature is near a true one when the absolute value of their
#'   correlation is larger than this.
#' @param pfer,fdr (numbers > 0) targets: the number of false features on average, and their share;
#'   the field `targets` has the cuts that meet them.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#' @param progress (flag) show a progress bar when it takes long? Without one that can be seen, what
#'   takes more than 10 s says so when its first runs are done, by one message.
#'
#' @details
#' **Responses.** A set A of `n_true` features is drawn at random among those that vary, with random
#' signs \eqn{s}. With \eqn{z} the standardised features and \eqn{\eta = \sum_{j \in A} s_j z_j},
#' scaled to variance 1, the response is \eqn{\sqrt{R^2} \eta + \sqrt{1 - R^2} \epsilon}: a linear
#' model with equal effects and normal noise. With two classes the noise is logistic with variance
#' 1, and the samples with the largest values form the second class, so that the classes keep their
#' sizes. Nobody knows how many true features there are, nor that they act in this way; therefore
#' there is a grid and not one answer.
#'
#' **Strength.** With `r_squared = NULL`, the out-of-bag error of [fealect()] with 50 runs on the
#' data is compared with the mean error on 6 simulated responses for each of 8 values of
#' \eqn{R^2} from 0.05 to 0.95, made decreasing by isotonic regression, and interpolated. An error
#' outside of their range gives the end of the range.
#'
#' **Cuts.** A result with selection frequencies is cut at frequencies, one with scores after the 1,
#' 2, 3, 5, ... best features, and every procedure has its own selection.
#'
#' **False.** By feature, everything that is not in A is false: `pfer` is the mean number, `fdr` the
#' mean share (0 for an empty list). Up to neighbours, only `unrelated` features are. A bound such
#' as that of Shah and Samworth (2013) counts as false a feature that is rarely selected by chance;
#' neighbours of true features are selected often, and are not covered where features are strongly
#' correlated. The column `claimed` beside `pfer` shows whether that matters for these data.
#'
#' Samples in blocks are refused: the simulated samples are independent.
#'
#' @return An object of class `stabilect_calibration`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per procedure, `n_true`, `r_squared` and cut) `method`
#'     (string), `n_true`, `r_squared`, `matched` (flag: does this strength give the observed
#'     error?), `cut` (string: `"own"`, `"frequency"` or `"n_features"`), `cutoff` (number; `NA`
#'     for the procedure's own selection), `size`, `true`, `near`, `unrelated` (mean numbers of
#'     features), `pfer`, `fdr`, `fdr_near` (mean share of unrelated ones), `power` (mean share of
#'     the true features; `NA` without any), from `unrelated` on each followed by its Monte Carlo
#'     standard error (`pfer_se`, ...), `claimed` (the bound on `pfer`; `NA` where none is claimed)
#'     and `n_sets`.}
#'   \item{targets}{(data frame) per `method`, `n_true`, `r_squared`, `target` (`"pfer"`, `"fdr"`)
#'     and `counts` (`"features"` or `"neighbours"`: what is false) the widest cut for which the
#'     upper 95 % limit of the realised rate is at most the target, as for all narrower cuts:
#'     `cut`, `cutoff`, `power`, and `claimed` (the cutoff that the bound asks for; `NA` without a
#'     bound). `cutoff` is `NA` when no cut meets it.}
#'   \item{error}{(data frame) the matching: `n_true`, `r_squared`, `error` (mean on simulated
#'     responses); `NULL` with a given `r_squared`. `observed` (number): the error on the data.}
#'   \item{asked}{(list) the arguments. `study`, `made`: as in [results].}
#' }
#' @section Errors: Class `stabilect_error_input` for arguments out of range, samples in blocks,
#'   more than two classes, and procedures that return no result.
#' @references Shah RD, Samworth RJ (2013). Variable selection with error control: another look at
#'   stability selection. *Journal of the Royal Statistical Society B* 75, 55-80.
#' @family evidence
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- stability_selection(x, mcl_sll$MCL, q = 5, pfer = 1, n_pairs = 10, seed = 1)
#' calibrate_selection(fit, x, mcl_sll$MCL, n_true = 2, r_squared = 0.8, n_sets = 5, seed = 1)
#' @export
calibrate_selection <- function(object, x, y, n_true = c(3, 10, 30), r_squared = NULL,
                                n_sets = 20, near = 0.7, pfer = 1, fdr = 0.2, seed = NULL,
                                n_threads = 1, progress = interactive()) {
  check_given(except = "y")
  study <- open_study(x, y, c("binary", "numeric"), "calibration")
  check_varying(study$x)
  refuse(!is.null(study$blocks),
    "Samples in blocks cannot be calibrated: the simulated samples are independent."
  )
  procedures <- calibrated_procedures(object, deparse1(substitute(object)))
  z <- standardise_varying(study$x)
  asked <- list(
    n_true = check_true_sizes(n_true, ncol(z)), r_squared = check_strengths(r_squared),
    n_sets = check_count(n_sets, min = 2),
    near = check_fraction(near, open_right = TRUE),
    pfer = check_positive(pfer), fdr = check_positive(fdr)
  )
  control <- check_run(n_threads, progress)
  seed <- check_seed(seed)
  strengths <- choose_strengths(study, z, asked, seed, control)
  cells <- strengths$cells
  counted <- count_in_cells(study, z, procedures, cells, asked, seed, control)
  table <- calibration_table(counted, cells, asked$n_sets)
  new_result(
    "stabilect_calibration",
    table = table, targets = calibration_targets(table, asked), error = strengths$error,
    observed = strengths$observed, asked = asked, study = study_record(study),
    made = list(seed = seed, n_runs = nrow(cells) * asked$n_sets, n_failed = 0L)
  )
}

# One procedure, or a named list of them.
# @return named list of list(procedure, claim (of its rule)).
calibrated_procedures <- function(object, label) {
  single <- is.function(object) || inherits(object, "stabilect_result")
  if (single) object <- stats::setNames(list(object), name_of_procedure(object, label))
  refuse(!is.list(object) || length(object) == 0L,
    "{.arg object} must be a result, a function or a named list of these, not
      {describe_value(object)}."
  )
  labels <- names(object)
  refuse(is.null(labels) || any(labels == "") || anyDuplicated(labels) > 0L,
    "{.arg object} must give each of its {length(object)} procedures a name of its own."
  )
  Map(function(one, label) {
    list(procedure = as_procedure(one, label), claim = rule_of(settings_of(one))$claim(one))
  }, object, labels)
}

name_of_procedure <- function(object, label) {
  if (!is.function(object)) {
    return(sub("^stabilect_", "", class(object)[1]))
  }
  if (nchar(label) > 40L || !grepl("^[a-zA-Z._0-9]+$", label)) "procedure" else label
}

check_true_sizes <- function(n_true, n_varying) {
  refuse(!is.numeric(n_true) || length(n_true) == 0L || anyDuplicated(n_true),
    "{.arg n_true} must hold distinct whole numbers."
  )
  vapply(n_true, check_count, 1L, name = "n_true", min = 0, max = n_varying)
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
