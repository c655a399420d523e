#' How many more samples?
#'
#' Runs a whole procedure on disjoint parts of the samples, as two small studies would, with parts
#' from a fifth to a half of the samples, and follows how fast their lists become alike. The curve
#' is extended to two and four times as many samples as there are. Simulated studies of these sizes
#' can be set beside it. [plan_ensemble()] answers how many *runs* are needed; more runs do not
#' replace samples.
#'
#' @param object (selector from a `selector_*()` function, whose `n_features` best features are the
#'   list; or a result, such as that of [fealect()] or [select_ensemble()], or a function, as in
#'   [evaluate_replication()]) the procedure.
#' @param x,y the data of `object`, in any form that [evaluate_replication()] takes; at least 20
#'   samples (blocks, where there are any), and 10 of each class.
#' @param n_features (whole number >= 1, or `NULL`) how many of the best features are the list;
#'   `NULL` for the features that the procedure selects by itself.
#' @param target_stability (number in (0, 1)) the stability between studies that is wanted: 0 is
#'   that of lists drawn by chance, 1 that of equal lists.
#' @param learner (`stabilect_learner`, or `NULL`) model of the list whose error is followed, too;
#'   `NULL` takes that of [evaluate_selectors()].
#' @param n_pairs (whole number >= 5) how often the samples are divided.
#' @param conf_level (number in (0, 1)) confidence level of the bands.
#' @param n_simulations (whole number: 0, or >= 2) pairs of studies to simulate for every value of
#'   `n_true`, for two classes or numbers; 20 are enough for a picture. 0 simulates none. It takes
#'   longer than all else: the strength alone needs 48 times [fealect()] with 50 runs for each value
#'   of `n_true`, and the procedure runs on up to four times as many samples as there are.
#' @param n_true (whole numbers >= 1, or `NULL`) how many features are true in simulated studies;
#'   `NULL` for 10, 30 and 100, as far as there are more features.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#' @param progress (flag) show a progress bar when it takes long? Without one that can be seen, what
#'   takes more than 10 s says so when its first runs are done, by one message.
#' @param checkpoint (string, or `NULL`) name of a file in which finished parts (not simulated
#'   studies) are kept, see `vignette("scaling-out")`.
#'
#' @details
#' **Parts.** The samples (whole blocks, where there are any) are divided at random into two halves
#' in which classes have their proportions, and smaller parts are taken from within each half, up to
#' five sizes from 0.2 n to 0.5 n. The two parts of a pair have no sample in common. With A and B
#' their lists and sums over pairs,
#' \deqn{s = \frac{h - c}{1 - c}, \quad h = \frac{\sum |A \cap B|}{\sum (|A| + |B|) / 2}, \quad
#'   c = \frac{\sum |A| |B| / p}{\sum (|A| + |B|) / 2},}
#' the overlap corrected for chance. For lists of one size it is the mean over pairs of the index of
#' Kuncheva (2007), and of Nogueira et al. (2018). [stability()] of runs on overlapping resamples is
#' higher: such runs share samples.
#'
#' **Curve.** \eqn{\mathrm{logit}\, s(n) = a + b \log n} with \eqn{0 \le b \le 3}, fitted
#' by quasi-likelihood (values below 0 count as 0). There is none where parts never agree beyond
#' chance.
#'
#' **Band.** Pairs are drawn again with replacement, 200 times, and the curve is fitted to each
#' draw: this tells how much the curve depends on how the samples were divided, but not how much on
#' which samples were there. All pairs share the same samples; therefore deviations from the curve
#' are multiplied by 2 (on the logit scale). Beyond the largest parts the lower end stays as low as
#' it is there, since agreement may level off. Both were chosen in simulations
#' (`experiments/samples`). In 32 simulated studies of 60 or 120 samples with signal the 95 %
#' band held the truth for as many, twice and four times as many samples in 97, 100 and 100 %; the
#' curve itself was too high, by 0.06, 0.15 and 0.22 on average. On noise bands held less often. On
#' halves of three real data sets they held what the whole shows in 83 % of 23 cases.
#'
#' **Error.** Models of the lists predict all samples outside of their part. Their mean error
#' follows \eqn{e(n) = a + b n^{-c}} with \eqn{a, b \ge 0} and c from 0.1 to 2 (least squares;
#' Figueroa et al. 2012). Its band is that of the 200 draws of pairs, widened in the same way. It is
#' refused where the sizes tried do not determine it: where the error does not fall in 95 % of the
#' draws, or 90 % of the values of c fill the whole range. In the simulations a curve was given in
#' 21 of the 32 studies; its 95 % band held the truth in 81, 71 and 67 %, less often than it says.
#'
#' **Simulated studies.** What the extended curve cannot know, a simulation can: whether agreement
#' goes on to grow, and whether the lists are right. Samples are made so that they resemble the
#' data. Let u be the response (for classes -1 and 1) with mean 0 and variance 1. Features have
#' deviations from their lines on u; a new sample has those of a sample drawn at random, multiplied
#' by \eqn{\sqrt{1 - \lambda}}, plus independent normal noise with the share \eqn{\lambda} of
#' each variance, so that correlations shrink as far as the estimate of Schaefer and Strimmer (2005)
#' advises. Without that, what correlates by chance in few samples would do so in every simulated
#' study. To `n_true` features, drawn at random, u times an effect is added. Effects are normal
#' numbers, multiplied by one strength, for which simulated studies of n samples have the
#' out-of-bag error of the data, as in [calibrate_selection()]. (There, features are as they are,
#' and responses are made of them; of s features whose correlations have shrunk each could explain
#' no more than about 1 / s of a response.) The procedure then runs on pairs of independent studies
#' of n / 2, n, 2 n and 4 n samples. Nobody knows how many features are true; the number whose lists
#' agree most nearly as those of the largest parts of the data is told first. Features that are near
#' true ones in the data are not so in the simulation where correlations shrink much. In 6 studies
#' of 60 samples with signal (`experiments/samples`) the stability of simulated lists was off
#' by 0.13, 0.16 and 0.19 (root mean square) for as many, twice and four times as many samples,
#' mostly too low, that of the extended curve by 0.17, 0.26 and 0.33.
#'
#' A curve of five points on one data set says little about four times as many samples. What is
#' extrapolated is marked as such.
#'
#' @return An object of class `stabilect_sample_plan`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per number of samples) `n`; `kind` (string: `"measured"`, or
#'     `"extrapolated"` for 1, 2 and 4 times the samples that there are); `stability` (s above; `NA`
#'     where extrapolated); `fitted`, `lower`, `upper` (the curve and its band; `NA` without one);
#'     `n_again` (features that two lists share: the mean; by the curve where extrapolated, `NA` for
#'     lists without a fixed size); `error` (mean error of the models); `error_fitted`,
#'     `error_lower`, `error_upper` (`NA` where refused).}
#'   \item{needed}{(data frame, one row) `target_stability`; `n` (whole number: samples at which the
#'     curve reaches it), `lower`, `upper` (those at which the upper and the lower end of the band
#'     do); `Inf` for more than four times the samples that there are; `NA` without a curve. Below
#'     the smallest part nothing is known, and the size of the smallest part is given.}
#'   \item{curve}{(named numbers) `a`, `b` of the curve; `NULL` without one.}
#'   \item{error_curve}{(named numbers) `a`, `b`, `c`; `NULL` where refused.}
#'   \item{refused}{(named strings) why there is no `curve`, no `error_curve`; empty if there are
#'     both.}
#'   \item{simulated}{(data frame, one row per number of true features and size; `NULL` with
#'     `n_simulations = 0`) `n_true`, `r_squared` (share of the variance of the response that the
#'     true features would explain, were they independent given the response), `matched` (flag: does
#'     this strength give the out-of-bag error of the data?), `n`, `stability`, `n_again`, `power`
#'     (share of the true features that is in a list, mean), `fdr` (share of a list that is not
#'     true, mean), `error`, each of the last five followed by its Monte Carlo standard error by the
#'     jackknife over pairs (`stability_se`, ...).}
#'   \item{pairs}{(data frame, one row per pair and size) `pair`, `n`, `n_common` (features in both
#'     lists), `size_1`, `size_2` (of the lists), `error`; `NA` where the procedure failed.}
#'   \item{asked}{(list) the arguments.}
#'   \item{study,made}{(lists) about the data and the runs, see [results]; `made$n_runs` parts,
#'     `made$n_failed` on which the procedure failed; simulated studies are not counted.}
#' }
#' `as.data.frame()` gives `table`, which is what was measured and extrapolated; what was simulated
#' is in `simulated`.
#' @section Errors:
#' Class `stabilect_error_input` for too few samples (how many are needed is said), other data than
#' those of `object`, custom resamples, a function that returns no result, a list of all features,
#' and `n_simulations` with blocks, covariates, or another response than two classes and numbers;
#' `stabilect_error_runs` when the procedure failed on nearly every part.
#' @references Figueroa RL, Zeng-Treitler Q, Kandula S, Ngo LH (2012). Predicting sample size
#'   required for classification performance. *BMC Medical Informatics and Decision Making* 12, 8.
#'
#'   Ein-Dor L, Zuk O, Domany E (2006). Thousands of samples are needed to generate a robust gene
#'   list for predicting outcome in cancer. *PNAS* 103, 5923-5928.
#'
#'   Kuncheva LI (2007). A stability index for feature selection. *Proceedings of the 25th IASTED
#'   International Multi-Conference on Artificial Intelligence and Applications*, 390-395.
#'
#'   Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection algorithms.
#'   *Journal of Machine Learning Research* 18(174).
#'
#'   Schaefer J, Strimmer K (2005). A shrinkage approach to large-scale covariance matrix estimation
#'   and implications for functional genomics. *Statistical Applications in Genetics and Molecular
#'   Biology* 4(1), 32.
#' @family evidence
#' @examples
#' data <- generate_data("NC100", n = 60, n_total = 200, seed = 1)
#' plan_samples(selector_filter("t"), data$x, data$y, n_features = 10, n_pairs = 10, seed = 1)
#' @export
plan_samples <- function(object, x, y, n_features = 10, target_stability = 0.5, learner = NULL,
                         n_pairs = 20, conf_level = 0.95, n_simulations = 0, n_true = NULL,
                         seed = NULL, n_threads = 1, progress = interactive(),
                         checkpoint = NULL) {
  check_given(except = "y")
  study <- open_study(x, y, takes_of("plan_samples"), "a plan of samples", covariates = NULL)
  is_selector <- inherits(object, "stabilect_selector")
  if (is_selector) check_takes(study$response, object$responses, "this selector")
  asked <- list(
    n_features = check_list_size(n_features, study$p, is_selector),
    target_stability = check_open_fraction(target_stability),
    n_pairs = check_count(n_pairs, min = 5),
    conf_level = check_open_fraction(conf_level),
    n_simulations = check_simulated(n_simulations), n_true = check_n_true(n_true, study$p)
  )
  procedure <- if (is_selector) {
    procedure_of_selector(object, asked$n_features)
  } else {
    as_procedure(object, "object")
  }
  # The covariates and blocks are those that a result was made with.
  study <- with_covariates(study, procedure$asked$likelihood$covariates)
  if (is.null(study$blocks)) study["blocks"] <- list(procedure$plan$blocks)
  if (asked$n_simulations > 0L) check_imitable(study, asked$n_true)
  if (is.null(learner)) learner <- default_learner(study$response)
  check_learner(learner, "learner")
  asked["learner"] <- name_learners(learner, study$response)
  control <- check_run(n_threads, progress, checkpoint)
  record <- study_record(study)
  if (!is_selector) check_data_of(object, record$hash)
  sizes <- part_sizes(study)
  seed <- check_seed(seed)
  done <- run_parts(study, procedure, sizes, asked, seed, control, record$hash)
  plan <- new_sample_plan(done, sizes, asked, study, record, seed)
  if (asked$n_simulations > 0L) {
    control <- check_run(n_threads, progress)
    plan$simulated <- simulate_studies(study, procedure, asked, seed, control)
  }
  plan
}

check_open_fraction <- function(x, name = rlang::caller_arg(x)) {
  check_fraction(x, name = name, open_right = TRUE)
}

check_list_size <- function(n_features, p, is_selector) {
  if (is.null(n_features)) {
    refuse(is_selector, "{.arg n_features} must be a number: a selector has no list of its own.")
    return(NULL)
  }
  check_count(n_features)
  refuse(n_features >= p,
    "{.arg n_features} must be less than the {p} features that there are: a list of all comes
      again whatever the samples."
  )
  as.integer(n_features)
}
