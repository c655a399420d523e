#' How stable is a selection?
#'
#' Measures how much the runs of a selection agree, with one or several indices of stability, each
#' with a standard error and an interval.
#'
#' @param selection (`stabilect_selection`, or anything that [as_selection()] takes) at least two
#'   runs.
#' @param index (character) names from [list_stability_indices()]; `"nogueira"` by default. Several
#'   names give several rows; `"all"` gives every index that these runs allow.
#' @param conf_level (number in (0, 1)) confidence level of the intervals.
#' @param method (string) how intervals are made: `"jackknife"` (any index), `"analytic"` (normal
#'   interval of Nogueira et al. 2018, for `"nogueira"` only) or `"bootstrap"` (BCa over runs).
#' @param correct_for_chance (flag) correct indices that are not so by construction, such that
#'   random runs of the same sizes have expectation 0 and the highest value stays 1.
#' @param impute_na (number, or `NULL`) value of pairs of runs for which an index is not defined,
#'   such as two empty runs; with `NULL` the estimate is `NA` then, and the note says which runs.
#' @param similarity (p x p numeric matrix or sparse Matrix, p group labels, or `list(x = )` with
#'   the n x p data; or `NULL`) how alike features are, for the indices that take it into account;
#'   `list(x = )` means the absolute correlations of its columns, or, for `"sechidis"`, the plain
#'   ones.
#' @param threshold (number) features at least this similar count as the same.
#' @param penalty (number >= 0) of the index `"davis"`.
#' @param location (whole number >= 1, or `NULL`) how many top ranks `"canberra"` looks at; `NULL`
#'   is the median size of the runs.
#' @param weights (numeric, or `NULL`) of the ranks in `"weighted_overlap"`.
#' @param n_boot (whole number >= 100) bootstrap replicates.
#' @param n_draws (whole number >= 100) random pairs of runs for the four indices whose correction
#'   has no closed form.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) for these two; used only when needed.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#'
#' @details
#' **Jackknife.** With \eqn{\hat\Phi_{(-i)}} the index without run i,
#' \eqn{v = \frac{m-1}{m} \sum_i (\hat\Phi_{(-i)} - \bar\Phi_{(\cdot)})^2}, and the interval is
#' \eqn{\hat\Phi \pm t_{m-1} \sqrt v}, cut to the range of the index. **Analytic.** Nogueira et al.
#' (2018), section 4.2, with the sign of their Python and Matlab code; the sign in their R code is
#' wrong for runs of different sizes. **Bootstrap.** Runs are drawn with replacement; a run is never
#' paired with its own copy, which would raise every replicate by about \eqn{(1 - \Phi)/m}.
#'
#' **Coverage.** For independent runs with known truth, nominal 95 % jackknife intervals of
#' `"nogueira"`, `"jaccard"`, `"cw_rel"` and `"phi_iw"` held it in 94 to 98 % of the cases, for 10,
#' 30 and 100 runs, of equal sizes or of sizes from 10 to 40; the paired test of [test_stability()]
#' rejected a true null hypothesis in 3 to 5.5 %. Where every fifth run selects twelve times as many
#' features as the others, those few runs decide the index: then 75 to 90 % for `"nogueira"` and 87
#' to 94 % for `"cw_rel"`, while the bootstrap is too cautious (over 99 %). Script and tables are in
#' `system.file("experiments", "stability", package = "stabilect")`.
#'
#' **What the interval is about.** Runs on resamples of one data set: it says what more runs on
#' resamples of the *same data* would give. Fresh data vary more. For those, select on disjoint
#' halves, as [evaluate_selectors()] does.
#'
#' @return An object of class `stabilect_stability`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per index) `index`; `estimate` (`NA` when undefined);
#'     `lower`, `upper`, `se` (`NA` with fewer than 3 runs or when undefined without some run);
#'     `method`; `note` (why something is `NA`, or what was done; else empty).}
#'   \item{values}{(list, one per index) estimates without each run, for tests.}
#'   \item{conf_level, n_runs, n_failed, n_features, sizes, run_hash, label}{what was judged.}
#' }
#' `as.data.frame()` gives `table`.
#' @section Errors:
#' Class `stabilect_error_input`: unknown index, fewer than two runs, an index that needs a
#' `similarity` without one, `method = "analytic"` for another index than `"nogueira"`.
#' @references Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection
#'   algorithms. *Journal of Machine Learning Research* 18(174), 1-54.
#' @family stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 30, max_features = 5, seed = 1)
#' stability(fit)
#' stability(fit, c("nogueira", "jaccard", "cw_rel"), correct_for_chance = TRUE)
#' @export
stability <- function(selection, index = "nogueira", conf_level = 0.95,
                      method = c("jackknife", "analytic", "bootstrap"),
                      correct_for_chance = FALSE, impute_na = NULL, similarity = NULL,
                      threshold = 0.9, penalty = 0, location = NULL, weights = NULL,
                      n_boot = 2000, n_draws = 1000, seed = NULL, n_threads = 1) {
  rlang::check_required(selection)
  selection <- as_selection(selection)
  method <- check_choice(method, "method", c("jackknife", "analytic", "bootstrap"))
  conf_level <- check_fraction(conf_level, "conf_level", open_right = TRUE)
  n_boot <- check_count(n_boot, "n_boot", min = 100)
  options <- index_options(
    correct = correct_for_chance, impute_na = impute_na, similarity = similarity,
    threshold = threshold, penalty = penalty, location = location, weights = weights,
    n_draws = n_draws, n_threads = n_threads
  )
  data <- index_data(selection)
  check_run_number(data$n_runs)
  entries <- find_indices(index, data, options)
  if (method == "analytic" && !identical(names(entries), "nogueira")) {
    abort("{.code method = \"analytic\"} is there for {.val nogueira} only; take
      {.val jackknife} for {.val {setdiff(names(entries), \"nogueira\")}}.")
  }
  options$seed <- seed
  options <- settle_seed(options, entries, data, method == "bootstrap")
  values <- lapply(entries, function(entry) entry$fun(data, options))
  rows <- Map(function(entry, value) {
    interval <- index_interval(value, entry, data, options, method, conf_level, n_boot)
    data.frame(
      index = entry$name, estimate = value$estimate, lower = interval$lower,
      upper = interval$upper, se = interval$se, method = interval$method,
      note = join_notes(value$note, interval$note)
    )
  }, entries, values)
  new_stability(do.call(rbind, unname(rows)), values, selection, data, conf_level, options)
}

new_stability <- function(table, values, selection, data, conf_level, options) {
  rownames(table) <- NULL
  structure(
    list(
      table = table, values = lapply(values, function(value) value["loo"]),
      conf_level = conf_level, corrected = options$correct, n_runs = data$n_runs,
      n_failed = selection$n_runs - data$n_runs, n_features = data$n_features,
      sizes = data$size, run_hash = selection$run_hash[ok_runs(selection)],
      label = selection$method
    ),
    class = "stabilect_stability"
  )
}

# Everything an index may ask for, checked once; the defaults are those of stability().
index_options <- function(correct = FALSE, impute_na = NULL, similarity = NULL, threshold = 0.9,
                          penalty = 0, location = NULL, weights = NULL, n_draws = 1000,
                          seed = NULL, n_threads = 1, call = rlang::caller_env()) {
  list(
    correct = check_flag(correct, "correct_for_chance", call = call),
    impute_na = check_number(impute_na, "impute_na", null_ok = TRUE, call = call),
    similarity = similarity,
    threshold = check_number(threshold, "threshold", call = call),
    penalty = check_number(penalty, "penalty", min = 0, call = call),
    location = check_count(location, "location", null_ok = TRUE, call = call),
    weights = weights,
    n_draws = check_count(n_draws, "n_draws", min = 100, call = call),
    seed = seed, n_threads = check_threads(n_threads, call = call)
  )
}

check_run_number <- function(n_runs, call = rlang::caller_env()) {
  if (n_runs < 2L) {
    abort("Stability is about at least 2 successful runs, but {.arg selection} has {n_runs}.",
      call = call
    )
  }
}

# Kept here, so that the exported one-number functions stay one line each.
index_number <- function(name, selection, ..., call = rlang::caller_env()) {
  selection <- as_selection(selection)
  options <- index_options(..., call = call)
  data <- index_data(selection)
  check_run_number(data$n_runs, call)
  entries <- find_indices(name, data, options, call)
  options <- settle_seed(options, entries, data, call = call)
  entries[[1]]$fun(data, options)$estimate
}

# A seed is drawn only when something random is asked for: a plain index leaves R's generator alone.
settle_seed <- function(options, entries, data, random = FALSE, call = rlang::caller_env()) {
  random <- random || any(vapply(entries, draws_at_random, NA, data = data, options = options))
  options$seed <- if (random || !is.null(options$seed)) check_seed(options$seed, call) else 0L
  options
}

# The four without a closed form, and two whose closed form would take the correlations of more
# features than are computed.
draws_at_random <- function(entry, data, options) {
  sampled <- is.list(options$similarity) && data$n_features > 5000 &&
    (entry$name == "yu" || entry$name == "zucknick" && options$correct)
  startsWith(entry$name, "intersection_") || sampled
}
