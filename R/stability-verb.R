#' Stability of feature selection, with confidence intervals
#'
#' Measures how much the runs of a selection agree, with one or several indices of stability, each
#' with a standard error and an interval.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param selection (`stabilect_selection`, or anything that [as_selection()] takes) at least two
#'   runs.
#' @param index (character) names from [list_available()]; `"nogueira"` by default. Several
#'   names give several rows; `"all"` gives every index that these runs allow.
#' @param interval (string) kind of intervals: `"jackknife"` (any index), `"analytic"` (normal
#'   interval of Nogueira et al. 2018, for `"nogueira"` only) or `"bootstrap"` (BCa over runs).
#' @param corrected (flag) correct for chance the indices that are not corrected by construction?
#'   Random runs of the same sizes then have expectation 0, and the highest value stays 1. Indices
#'   that cannot be corrected stay unchanged: see the columns `corrected` and `correctable` of
#'   [list_available()].
#' @param ... options of the indices, by name. An index takes the options that it knows; an option
#'   that none of them knows is an error. The column `options` of [list_available()] shows
#'   all:
#'   * `impute_na` (number, or `NULL`): value of pairs of runs for which an index is undefined, for
#'     example two empty runs. With `NULL` the estimate is then `NA`, and the note names the runs.
#'   * `similarity`, `threshold`, `n_draws`: for indices that count similar features as the same,
#'     see [stability_similarity].
#'   * `penalty`, for `"davis"`: see [stability_frequencies].
#'   * `location`, `weights`, for indices of ranks: see [stability_weights].
#' @param n_boot (whole number >= 100) number of bootstrap replicates.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) seed of the bootstrap and of corrections
#'   without a closed form; drawn only if needed.
#'
#' @details
#' **What the interval is about.** The runs are on resamples of one data set. The interval therefore
#' says what more runs on resamples of the *same data* would give. New data vary more, and their
#' stability can be far from this value. To estimate it, select on disjoint halves, as in
#' [evaluate_selectors()].
#'
#' **Coverage.** Nominal 95 % intervals of `"nogueira"`, `"jaccard"`, `"cw_rel"`, `"kappa"` and
#' `"phi_iw"` contained the truth in 93 to 100 % of simulations with 5, 10 and 30 runs. For a
#' procedure that selects either of two lists, the rarer one in 10 to 50 % of the runs, 30 and 100
#' runs covered in 91 to 98 %, where the jackknife alone covers in 84 to 97 %; ten runs covered in
#' 64 to 99 %, since all of them may be of one kind. `"sechidis"` has no lower bound and covers
#' less. `vignette("error-rates")` has more.
#'
#' **Methods.** `"jackknife"` leaves out runs, with Student's t. `"analytic"`: Nogueira et al.
#' (2018), section 4.2. `"bootstrap"` draws runs with replacement; a run is never paired with its
#' own copy. In three cases the runs need other limits:
#'
#' * *Runs that hardly vary.* If more than half of the runs are the same, no method can estimate how
#'   often others occur. For any `interval` the limits then come from the exact interval of the
#'   share of deviating runs (Clopper and Pearson 1934; Stringer 1963): a bound for the worst case.
#'   The lower limit is 0.23 for five equal runs and 0.78 for thirty. Runs that differ but all agree
#'   equally well have no interval.
#' * *Runs of two kinds.* If two groups of runs are clearly apart (Ashman et al. 1994), the limits
#'   are those of the share of one kind as values of the index, with the variance within the kinds
#'   (Zou and Donner 2008).
#' * *Sizes with which few runs dominate.* `"nogueira"`, `"cw"`, `"cw_rel"`, `"cw_rel_sizes"` and
#'   `"sechidis"` weight runs by their size. If a few large runs dominate, there is no jackknife or
#'   analytic interval, and the bootstrap is too cautious.
#'
#' `vignette("how-computed")` has the formulas.
#' @return An object of class `stabilect_stability`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per index) `index`; `estimate` (`NA` if undefined); `lower`,
#'   `upper`, `se` (`NA` with fewer than 3 runs, if undefined without some run, or if runs that
#'   differ agree equally well; `se` also if runs do not vary); `interval`; `note` (why something is
#'   `NA`, or what was done; else empty).}
#'   \item{values}{(list, one per index) estimates without each run, for tests.}
#'   \item{conf_level, n_runs, n_failed, n_total, sizes, run_hash, label, about_result}{what was
#'   judged; the last (flag): the runs of a result.}
#'   \item{made}{(list) `seed`, `version` and `call`, see [results].}
#' }
#' `as.data.frame()` gives `table`.
#' @section Errors:
#' Class `stabilect_error_input` for an unknown index, fewer than two runs, an index that needs a
#' `similarity` without one, an option that no chosen index has, and `interval = "analytic"` for an
#' index other than `"nogueira"`.
#' @references Ashman KM, Bird CM, Zepf SE (1994). Detecting bimodality in astronomical datasets.
#'   *The Astronomical Journal* 108(6), 2348-2361.
#'
#'   Clopper CJ, Pearson ES (1934). The use of confidence or fiducial limits illustrated in the
#'   case of the binomial. *Biometrika* 26(4), 404-413.
#'
#'   Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection algorithms.
#'   *Journal of Machine Learning Research* 18(174), 1-54.
#'
#'   Stringer KW (1963). Practical aspects of statistical sampling in auditing. *Proceedings of the
#'   Business and Economic Statistics Section, American Statistical Association*, 405-411.
#'
#'   Zou GY, Donner A (2008). Construction of confidence limits about effect measures: a general
#'   approach. *Statistics in Medicine* 27(10), 1693-1702.
#' @concept reproducibility
#' @concept robustness
#' @family stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 30, max_features = 5, seed = 1)
#' stability(fit)
#' stability(fit, c("nogueira", "jaccard", "cw_rel"), corrected = TRUE)
#' stability(fit, "jaccard")$table$estimate
#' @export
stability <- function(selection, index = "nogueira", conf_level = 0.95,
                      interval = c("jackknife", "analytic", "bootstrap"), corrected = FALSE, ...,
                      n_boot = 2000, seed = NULL, n_threads = getOption("stabilect.n_threads", 1)) {
  check_given()
  about_result <- inherits(selection, "stabilect_result")
  drawn <- if (about_result) selection$drawn
  selection <- as_selection(selection)
  interval <- check_choice(interval, c("jackknife", "analytic", "bootstrap"))
  how <- list(
    interval = interval, conf_level = check_fraction(conf_level, open_right = TRUE),
    n_boot = check_count(n_boot, min = 100),
    seed = if (interval == "bootstrap") check_seed(seed) else seed
  )
  runs <- index_runs(selection)
  check_run_number(runs$n_runs)
  values <- with_memory(
    index_values(
      runs, index, ..., corrected = corrected, seed = how$seed, n_threads = n_threads
    ), 8 * as.numeric(runs$n_total) * runs$n_runs,
    sprintf("%s in %s", count_of(runs$n_total, "feature"), count_of(runs$n_runs, "run"))
  )
  records <- index_records()[names(values)]
  if (interval == "analytic") check_analytic(records, corrected && length(unique(runs$size)) > 1L)
  limits <- Map(function(record, value) {
    variance <- if (interval == "analytic") record$variance(runs)$variance
    index_interval(value, index_range(record, runs, corrected), variance, how)
  }, records, values)
  column <- function(of, field) unlist(lapply(unname(of), `[[`, field))
  table <- list2DF(list(
    index = column(records, "name"), estimate = column(values, "estimate"),
    lower = column(limits, "lower"), upper = column(limits, "upper"), se = column(limits, "se"),
    interval = rep(interval, length(values)),
    note = unname(mapply(function(value, one) join_notes(value$note, one$note), values, limits))
  ))
  made <- new_stability(table, values, selection, runs, how$conf_level, corrected)
  made$about_result <- about_result
  made$made <- c(list(seed = how$seed), origin_of_result("stabilect_stability"))
  if (!is.null(drawn)) {
    again <- index_values(
      index_runs(drawn), index, ..., corrected = corrected, seed = how$seed, n_threads = n_threads
    )
    made$table$drawn <- unname(vapply(again[names(values)], function(one) one$estimate, 0))
  }
  made
}

new_stability <- function(table, values, selection, runs, conf_level, corrected) {
  new_object("stabilect_stability",
    table = table, values = lapply(values, function(value) value["loo"]),
    conf_level = conf_level, corrected = corrected, n_runs = runs$n_runs,
    n_failed = selection$n_runs - runs$n_runs, n_total = runs$n_total,
    sizes = runs$size, run_hash = selection$run_hash[ok_runs(selection)],
    label = selection$method
  )
}

check_analytic <- function(records, corrected) {
  refuse(corrected,
    "{.code interval = \"analytic\"} exists only for the index without the correction for runs of
      different sizes; take {.val jackknife}."
  )
  other <- names(Filter(function(record) is.null(record$variance), records))
  if (length(other) > 0L) {
    known <- names(Filter(function(record) !is.null(record$variance), index_records()))
    abort("{.code interval = \"analytic\"} exists only for {.val {known}}; take
      {.val jackknife} for {.val {other}}.")
  }
}

check_run_number <- function(n_runs) {
  refuse(n_runs < 2L,
    "Stability needs at least 2 successful runs, but {.arg selection} has {n_runs}."
  )
}
