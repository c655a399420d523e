#' Test of a signature: is this list better than random ones?
#'
#' Compares the error of a list of features with the errors of random lists of the same size, and
#' with its error on permuted outcomes. In many data sets most random lists predict better than
#' chance (Venet, Dumont and Detours 2011). A small p-value of a permutation test then does not
#' defend *this* list.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param features (character or whole numbers; or a result or function, as `object` of
#'   [evaluate_replication()]) the list. Names or positions of columns are tested as given: they
#'   must come from other samples, or the error is too low. A result, for example of [fealect()], or
#'   a function is a procedure: it chooses its list anew in every part of the samples.
#' @param n_random (whole number >= 1) number of random lists, of either kind.
#' @param permute (whole number >= 0, or `NULL`) number of permutations of the outcome. `NULL` takes
#'   199 for a list, and 0 for a procedure, which every permutation repeats in every part.
#' @param outer (`stabilect_resampling`, or drawn `stabilect_resamples`, or `NULL`) the parts: the
#'   samples in a run fit models, the others are predicted. Every sample must be left out once.
#'   `NULL` takes ten folds, with the classes (or events) in proportion.
#' @param lambda (number > 0) ridge penalty of all models. The default is the 3 of ridge-logistic
#'   regression, divided by 1/4, the curvature of its log likelihood at equal probabilities.
#' @param covariates (as in [fit_model()]) variables to adjust for, which all models contain without
#'   a penalty. A result brings its own.
#' @param family (string, or `NULL`) `"poisson"` reads numbers as counts.
#' @details
#' **What the numbers mean.** `error` is the error of a ridge regression of the list on samples that
#' its part leaves out: misclassification rate, mean distance in classes, mean squared error, mean
#' Poisson deviance, or 1 minus the concordance, as in [fealect()]. All lists have the same parts,
#' penalty and kind of model. `p` says how often a random list is as good:
#' \deqn{p = \frac{1 + \#\{b: T_b \le T\}}{1 + B}}
#' for the error T of the list and the errors \eqn{T_b} of B random lists. If the list itself was
#' drawn at random, independently of the outcome, p is at most \eqn{\alpha} with probability at most
#' \eqn{\alpha}. Lists that a procedure chooses on noise tend to larger errors than random ones;
#' then p is mostly larger.
#'
#' **Random lists** are drawn from all features without replacement. If there are at most `n_random`
#' lists, all are compared. A procedure chooses lists of different sizes in the parts; a random list
#' then takes as many of its features in each part.
#'
#' **Matched lists.** Genes of a list often vary more than others, or belong to one process. Members
#' of a matched list have nearly the variances of the list's members, and are swapped until their
#' mean absolute correlation is nearly the same. `matched` says how near. This comparison is a
#' description, not an exact test.
#'
#' **Permuted outcomes** are drawn as in [permutations], with blocks and covariates. A procedure is
#' repeated as a whole.
#'
#' **The regression** is the first step of Newton's method from the model without features, with a
#' ridge penalty. For numbers, and for two classes coded -1 and 1, this is least squares. Several
#' classes have an indicator each, and the largest prediction is the class; ordered classes are
#' coded below and above each limit; survival times have their martingale residuals. Repeated parts
#' predict a sample several times; the mean counts. `vignette("how-computed")` has the details.
#' @return An object of class `stabilect_signature_test`, a list with
#' \describe{
#'   \item{table}{(data frame) a row for each `comparison`: `"random lists"`, `"matched lists"`,
#'   `"permuted outcomes"`, and `"covariates alone"` or `"no features"`. Columns: `n`; `error`,
#'   `lower`, `upper` (median and 5 and 95 % quantiles of the errors); `beats_reference` (share of
#'   these with a smaller error than the last row); `as_good` (share with an error at most that of
#'   the list); `p`. `NA` where nothing was drawn.}
#'   \item{features}{(character) the list; for a procedure, its list of all samples.}
#'   \item{oob}{(`stabilect_oob`) the error of the list with its interval, see [fealect()].}
#'   \item{null}{(list of numeric) `random`, `matched`, `permuted`: the errors.}
#'   \item{matched}{(list) `target`, mean absolute correlation of the list; `correlation` (numeric,
#'   one per matched list); `share`, of matched lists within 0.02 of the target.}
#'   \item{chosen}{(list of character) the list in each part.}
#'   \item{asked}{(list) `given` (flag: tested as given?), `n_random`, `permute`, `lambda`,
#'   `complete` (flag: were all lists of this size compared?), `covariates`.}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for an empty list, unknown features, other data than in the result,
#' custom resamples in a result, and an `outer` that never leaves out some sample.
#' `stabilect_error_runs` if the procedure selects nothing in any part.
#' @references Venet D, Dumont JE, Detours V (2011). Most random gene expression signatures are
#'   significantly associated with breast cancer outcome. *PLoS Computational Biology* 7(10),
#'   e1002240. \doi{10.1371/journal.pcbi.1002240}
#' @family evidence
#' @examples
#' data <- simulate_data("NC100", n = 60, n_total = 200, seed = 1)
#' test_signature(data$x, data$y, colnames(data$x)[1:5], n_random = 1000, seed = 1)
#' @export
test_signature <- function(x, y, features, n_random = 10000, permute = NULL, outer = NULL,
                           lambda = 12, covariates = NULL, family = NULL, seed = NULL,
                           n_threads = getOption("stabilect.n_threads", 1),
                           progress = interactive(), data = NULL) {
  check_given(except = "y")
  given <- is.character(features) || is.numeric(features)
  about <- question(
    x, y, features, "test_signature", "a signature test", n_threads, progress, seed,
    argument = "features", covariates = covariates, family = family,
    procedure = if (!given) as_procedure(features, "features", "features")
  )
  if (is.null(permute)) permute <- if (given) 199 else 0
  asked <- list(
    given = given, n_random = check_count(n_random, max = 1e6), permute = check_permute(permute),
    lambda = check_positive(lambda), covariates = about$study$response$covariates
  )
  draws <- outer_draws(about$study, outer, about$procedure, about$seed)
  # The plan keeps them.
  about$record$blocks <- NULL
  if (!is.null(draws$plan$blocks)) about$study <- with_blocks(about$study, draws)
  study <- about$study
  whole <- signature_of(features, study, about$procedure, about$seed)
  parts <- with_memory(fitting_parts(study, draws))
  seeds <- child_seeds(about$seed, 4L)
  choices <- choose_in_parts(about, draws, whole, seeds[1])
  judged <- with_memory(
    judge_signature(study, parts, choices, whole, asked, seeds, about$control)
  )
  permuted <- permute_signature(about, draws, whole, asked, seeds[4])
  new_signature_test(study, about$record, judged, permuted, choices, whole, asked, draws)
}
register_verb("test_signature", place = 17)

outer_draws <- function(study, outer, procedure, seed) {
  plan <- if (inherits(outer, "stabilect_resamples")) outer$plan
  if (inherits(outer, "stabilect_resampling")) plan <- outer
  blocks <- first_blocks(study$response$blocks, plan$blocks, procedure$plan$blocks)
  study$response$blocks <- blocks
  n_units <- if (is.null(blocks)) study$n else length(unique(blocks))
  with_memory({
    draws <- elimination_draws(study, outer, min(10L, n_units), seed, "outer")
    check_parts(draws)
    draws
  })
}

# The list of all samples. @return (integer) columns.
signature_of <- function(features, study, procedure, seed) {
  own <- if (is.null(procedure)) {
    check_features(stand_ins(features, study), study$feature_names)
  } else if (is.function(features)) {
    carry_out_on(procedure, study, seq_len(study$n), seed, 1L)$features
  } else {
    features$features
  }
  refuse(length(own) == 0L && is.null(procedure), "{.arg features} is empty: name at least one.")
  match(own, study$feature_names)
}
