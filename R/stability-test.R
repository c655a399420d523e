#' Test and confidence interval for stability, or for a difference of stabilities
#'
#' Tests the stability of one selection against a given value, of two selections on independent
#' runs, or of two selectors on the *same* resamples (paired). For several selections it tests all
#' pairs, paired if they share their resamples. The test takes any index; it uses jackknife standard
#' errors and the t distribution.
#'
#' @inheritParams arguments
#' @param selection,other (`stabilect_selection`, or anything that [as_selection()] takes) the runs.
#'   `other = NULL` tests `selection` against `null_value`. A named list of selections or results as
#'   `selection` compares all of them.
#' @param index (string) one name from [list_available()].
#' @param null_value (number) stability, or difference of stabilities (`selection` minus `other`),
#'   under the null hypothesis.
#' @param alternative (string) `"two_sided"`, `"greater"` or `"less"`.
#' @param paired (flag, or `NULL`) were the runs of both made on the same resamples, run by run?
#'   `NULL` compares their fingerprints.
#' @param p_adjust (string) for several selections: adjustment of the p-values for the number of
#'   pairs, a method of [stats::p.adjust()].
#' @param ... `corrected`, `seed`, `n_threads` and options of the index, as in [stability()].
#'
#' @details
#' Let \eqn{\hat\Phi_{(-i)}} be the index without run i. The jackknife variance of a selection is
#' \eqn{v = \frac{m-1}{m}\sum_i(\hat\Phi_{(-i)} - \bar\Phi_{(\cdot)})^2}. One selection: \eqn{t =
#' (\hat\Phi - \Phi_0)/\sqrt v} with m - 1 degrees of freedom. Independent runs: \eqn{t =
#' (\hat\Phi_x - \hat\Phi_y - \Delta_0)/\sqrt{v_x + v_y}} with Welch's degrees of freedom. Paired:
#' the jackknife of the difference, \eqn{\hat\Phi_{x(-i)} - \hat\Phi_{y(-i)}}, in which the effect
#' of the common resamples cancels. The test of Nogueira et al. (2018) treats paired runs as
#' independent and loses most of its power.
#'
#' **Runs that hardly vary, and runs of two kinds.** If more than half of the runs of a selection
#' are the same, or if they are of two kinds, the p-value comes from the limits of [stability()]: it
#' is the level at which the null value leaves them. For two selections, the limits of the
#' difference come from both limits (Zou and Donner 2008), as if these were independent, even for
#' paired runs. If no pair of runs differs from the others, the limits of a paired difference are
#' \eqn{1 - tail^{2 / m}} away from it: unseen pairs may differ.
#'
#' **Several selections.** Holm's adjustment keeps the probability of calling any pair of equally
#' stable procedures different. With three and five of them, on the same or other resamples, this
#' happened in 0 to 7 % of simulated comparisons (3.5 % on average); without adjustment in 3 to 30 %
#' (`experiments/stability`).
#'
#' **What p is about.** The null hypothesis is about the resampling distribution given the data, see
#' [stability()]: runs on these samples. With enough runs any difference is found, however small,
#' and other samples may not show it. For a statement about other samples compare selectors on
#' disjoint halves: `summary(evaluate_selectors(...))` has a paired test of their errors and
#' stabilities.
#'
#' @return For one or two selections an object of classes `stabilect_stability_test` and `htest`:
#'   `statistic` (t), `parameter` (degrees of freedom), `p.value`, `conf.int`, `estimate` (one or
#'   two stabilities), `null.value`, `stderr`, `alternative`, `method`, `data.name`. If runs
#'   hardly vary or are of two kinds, `statistic` and `parameter` are missing, `stderr` is `NA`,
#'   and the p-value is at least 2.2e-16.
#'
#'   For several selections an object of class `stabilect_stability_comparison`, a list with
#'   `table` (data frame, one row per pair: `a`, `b`, `difference` (a minus b), `lower`, `upper`,
#'   `se`, `p_value`, `p_adjusted`, `paired`), `stabilities` (data frame, one row per selection:
#'   `selection`, `n_runs`, `estimate`, `lower`, `upper`, `se`), `asked` (`index`, `p_adjust`,
#'   `conf_level`) and `study` (of the first result). Intervals of pairs hold `conf_level` for all
#'   pairs together (Bonferroni), or for each pair if `p_adjust = "none"`. `as.data.frame()` gives
#'   `table`, `plot()` draws the stabilities, and [write_report()] takes it beside a result.
#' @section Errors:
#' Class `stabilect_error_input` for
#' * fewer than 3 successful runs, or `paired = TRUE` with different numbers of runs;
#' * an index that is undefined for these runs or without one of them;
#' * runs that differ but all agree equally well with the others, for example three disjoint sets;
#' * sizes of runs with which few runs dominate an index weighted by size (see [stability()]).
#' @references Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection
#'   algorithms. *Journal of Machine Learning Research* 18(174), 1-54.
#'
#' Zou GY, Donner A (2008). Construction of confidence limits about effect measures: a general
#'   approach. *Statistics in Medicine* 27(10), 1693-1702.
#' @family stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' draws <- draw_resamples(resample_subsample(30), mcl_sll$MCL, seed = 1)
#' small <- fealect(x, mcl_sll$MCL, resampling = draws, max_features = 3)
#' large <- fealect(x, mcl_sll$MCL, resampling = draws, max_features = 10)
#' test_stability(small, null_value = 0.5)
#' test_stability(small, large)
#' test_stability(list(three = small, ten = large))
#' @export
test_stability <- function(selection, other = NULL, index = "nogueira", null_value = 0,
                           alternative = c("two_sided", "greater", "less"), paired = NULL,
                           conf_level = 0.95, p_adjust = "holm", ...) {
  check_given()
  if (is_several(selection)) {
    refuse(!is.null(other) || !identical(null_value, 0) || !is.null(paired),
      "Several selections are tested against each other: give no {.arg other}, {.arg null_value} or
        {.arg paired}."
    )
    return(compare_stability(selection, index, p_adjust, conf_level, ...))
  }
  refuse(!is.character(index) || length(index) != 1L,
    "{.arg index} must be one name from {.code list_available(\"indices\")}."
  )
  null_value <- check_number(null_value)
  alternative <- check_choice(alternative, c("two_sided", "greater", "less"))
  conf_level <- check_fraction(conf_level, open_right = TRUE)
  labels <- c(deparse1(substitute(selection)), deparse1(substitute(other)))
  test_selections(
    selection, other, index, null_value, alternative, paired, conf_level, labels, ...
  )
}

# A list of selections or results with names; without names they are runs of one selection.
is_several <- function(selection) {
  is.list(selection) && !is.object(selection) && !is.null(names(selection)) &&
    all(vapply(selection, inherits, NA, c("stabilect_selection", "stabilect_result")))
}

# All pairs of several selections.
compare_stability <- function(selections, index, p_adjust, conf_level, ...) {
  refuse(length(selections) < 2L || !all(nzchar(names(selections))) ||
    anyDuplicated(names(selections)) > 0L,
    "A list as {.arg selection} must hold at least two selections with distinct names."
  )
  p_adjust <- check_choice(p_adjust, stats::p.adjust.methods)
  record <- selections[[1]]$study
  selections <- lapply(selections, as_selection)
  rows <- lapply(names(selections), function(name) {
    one <- stability(selections[[name]], index, conf_level, ...)
    cbind(
      data.frame(selection = name, n_runs = one$n_runs),
      one$table[1, c("estimate", "lower", "upper", "se")]
    )
  })
  pairs <- utils::combn(names(selections), 2L, simplify = FALSE)
  # All intervals together hold the level (Bonferroni), as Holm's p values do.
  own_level <- if (p_adjust == "none") conf_level else 1 - (1 - conf_level) / length(pairs)
  tests <- lapply(pairs, function(pair) {
    compare_pair(pair, selections, index, own_level, ...)
  })
  pairs <- do.call(rbind, tests)
  pairs$p_adjusted <- stats::p.adjust(pairs$p_value, p_adjust)
  order <- c("a", "b", "difference", "lower", "upper", "se", "p_value", "p_adjusted", "paired")
  stabilities <- do.call(rbind, rows)
  rownames(stabilities) <- NULL
  new_result(
    "stabilect_stability_comparison", pairs[order],
    stabilities = stabilities,
    asked = list(index = index, p_adjust = p_adjust, conf_level = conf_level), study = record,
    made = NULL
  )
}

compare_pair <- function(pair, selections, index, conf_level, ...) {
  x <- selections[[pair[1]]]
  y <- selections[[pair[2]]]
  test <- test_selections(x, y, index, 0, "two_sided", NULL, conf_level, ...)
  data.frame(
    a = pair[1], b = pair[2], difference = unname(test$estimate[1] - test$estimate[2]),
    lower = test$conf.int[1], upper = test$conf.int[2], se = test$stderr,
    p_value = unname(test$p.value), paired = resolve_pairing(NULL, x, y)
  )
}

#' @exportS3Method
facts_of.stabilect_stability_comparison <- function(x, n = 10L) {
  best_first <- order(-x$stabilities$estimate, method = "radix")
  best <- x$stabilities[best_first[1], ]
  differ <- sum(x$table$p_adjusted <= 0.05, na.rm = TRUE)
  new_facts(
    sprintf("Stability (%s) of %d selections", x$asked$index, nrow(x$stabilities)),
    verdict = list(Best = c(
      sprintf("most stable: %s, %s", best[[1]], figure(best$estimate, digits = 2)),
      sprintf(
        "%d of %s differ%s (p <= 0.05%s)", differ, count_of(nrow(x$table), "pair"),
        if (differ == 1L) "s" else "", if (x$asked$p_adjust == "none") "" else ", adjusted"
      )
    ), Caution = about_these_samples),
    sections = list(
      new_section(x$stabilities[best_first, ], n),
      new_section(
        x$table, n, sprintf("Differences (a - b); p values adjusted by %s", x$asked$p_adjust)
      )
    )
  )
}

# Resamples of one data set share its samples.
about_these_samples <- c(
  "p and intervals are about more runs on these samples: with enough runs any difference is found",
  "other samples may not show it: summary(evaluate_selectors(...)) compares disjoint halves"
)

#' @rdname test_stability
#' @param x (object of class `stabilect_stability_test`, the result for one or two selections) for
#'   the print.
#' @export
print.stabilect_stability_test <- function(x, ...) {
  # The same text in every session, as all prints of the package.
  old <- options(OutDec = ".", scipen = 0, digits = 7)
  on.exit(options(old))
  NextMethod()
  cat(paste0(strwrap(about_these_samples, 78, exdent = 2), "\n"), sep = "")
  invisible(x)
}
