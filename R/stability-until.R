#' Early stopping rules for resampling
#'
#' Rules for the argument `until` of [select_ensemble()], [stability_selection()] and [fealect()].
#' Runs are done in stages and stop when the rule is satisfied. The plan's number of runs is the
#' upper limit.
#'
#' @inheritParams arguments
#' @param width (number > 0) `until_stable()` stops when the confidence interval of the stability of
#'   the runs is narrower than this.
#' @param index (string) stability index, a name from [list_available()].
#' @param ... For `until_stable()`, further arguments of [stability()], for example `interval` or
#'   `corrected`. Not used by `until_decided()`.
#' @param cutoff (number in (0, 1), or `NULL`) `until_decided()` stops when features are decided to
#'   have a selection frequency above or below this. `NULL` takes the cutoff of
#'   [stability_selection()]; other verbs need a number.
#' @param share (number in (0, 1\]) share of the features that must be decided.
#'
#' @details
#' **What the rules mean.** `until_stable()` ends when the interval of the stability of the runs is
#' narrow enough. The interval is that of [stability()], without correction for repeated looks: the
#' rule depends on its width, which tells little about its centre. `until_decided()` ends when most
#' features are decided: the Clopper-Pearson interval of their selection frequency excludes
#' `cutoff`. The probability to decide a feature wrongly at any look is at most 1 - `conf_level`
#' (Bonferroni over looks), for each feature by itself, not for all together. A feature whose true
#' frequency is close to the cutoff is never decided. Most features are rarely selected and are
#' decided at once. A `share` below 1 should therefore be close to it: `1 - 2 / p` leaves two
#' features open.
#'
#' In simulations (`experiments/adaptive`; nominal error 5 %) features whose frequency is 0.005 or
#' more from the cutoff were decided wrongly in 0 to 1.1 % of the cases. Features 0.05 from the
#' cutoff were decided within 1,000 runs in 81 %. When `until_stable()` stopped, nominal 95 %
#' intervals contained the truth in 93.3 to 97.0 % of the repetitions.
#'
#' **Stages.** The rule is checked after 50, 75, 112, ... runs, each time after half as many more
#' (whole pairs for complementary pairs), and finally at the limit. Run b depends only on the seed
#' and b, and runs are done in order. So the result is bit for bit the result of a plan with that
#' many runs, for any number of threads or workers, also after a killed call was repeated with
#' `checkpoint`. With several selectors, the rule must be satisfied for each.
#'
#' Plans of exchangeable draws can stop early: subsamples, bootstrap samples and pairs. Folds,
#' leave-one-out and custom runs cannot, since their first runs are not a smaller plan of the same
#' kind. [stability_selection()] with `cutoff` and `pfer` cannot either, since q would depend on the
#' number of pairs; use `q`. A `cutoff` that follows from `q` and `pfer` is the cutoff for the pairs
#' done so far. The two halves of a pair do not overlap; the interval treats them as independent
#' runs and is too wide rather than too narrow.
#' @return An object of class `stabilect_until`, a list with `name`, `target` (the width or share)
#'   and the arguments.
#'
#'   A result that used the rule has the field `made$until`, a list with
#'   * `rule`: this object;
#'   * `reached` (flag): was the rule satisfied before the limit?
#'   * `n_runs`, `max_runs` (integer): runs done, and the limit;
#'   * `looks` (data frame): `n_runs`, `value` (width of the interval, `NA` without one, or share of
#'     decided features), `target`, `reached`;
#'   * `undecided` (character): features not decided at the last look; `NULL` for `until_stable()`.
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range, and for plans that cannot stop early
#' (with advice).
#' @references Clopper CJ, Pearson ES (1934). The use of confidence or fiducial limits illustrated
#'   in the case of the binomial. *Biometrika* 26, 404-413.
#' @seealso [stability_convergence()] for the stability as a function of the number of runs.
#' @family stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- select_ensemble(
#'   x, mcl_sll$MCL, selector_filter("t"), resample_bootstrap(1000), n_features = 10, seed = 1,
#'   until = until_stable(width = 0.1)
#' )
#' fit
#' fit$made$until$looks
#' stability_selection(
#'   x, mcl_sll$MCL, q = 5, cutoff = 0.7, n_pairs = 200, seed = 1,
#'   until = until_decided(share = 0.95)
#' )
#' @name until_stable
NULL

#' @rdname until_stable
#' @export
until_stable <- function(width = 0.05, index = "nogueira", conf_level = 0.95, ...) {
  options <- list(...)
  refuse(!checkmate::test_choice(index, list_stability_indices()$index),
    "{.arg index} must be one name from {.code list_available(\"indices\")}, not
      {describe_value(index)}."
  )
  known <- c(
    "interval", "corrected", "n_boot", "seed", "n_threads", own_options(index_records()[[index]])
  )
  refuse_at(setdiff(rlang::names2(options), known),
    "{.arg ...} must hold arguments of {.fn stability} by their names, not
      {.val {at}}."
  )
  new_until(
    "stable", target = check_positive(width), index = index,
    conf_level = check_fraction(conf_level, open_right = TRUE), options = options
  )
}

#' @rdname until_stable
#' @export
until_decided <- function(cutoff = NULL, conf_level = 0.95, share = 1, ...) {
  refuse_dots(...)
  new_until(
    "decided", target = check_fraction(share),
    cutoff = if (!is.null(cutoff)) check_fraction(cutoff, open_right = TRUE),
    conf_level = check_fraction(conf_level, open_right = TRUE)
  )
}

# @param ... all arguments of the rule; they are part of its key.
new_until <- function(name, ...) {
  class <- c(paste0("stabilect_until_", name), "stabilect_until")
  of_class(class, name = name, ..., key = new_key(name, list(...)))
}

#' @rdname until_stable
#' @param x (object of class `stabilect_until`)
#' @export
print.stabilect_until <- function(x, ...) {
  print_text(paste("until", describe_until(x)))
  invisible(x)
}

#' @exportS3Method
judge_runs.stabilect_until_stable <- function(rule, selections, n_looks, cutoff, seed) {
  value <- max(vapply(selections, interval_width, 0, rule = rule, seed = seed))
  list(value = value, reached = isTRUE(value < rule$target))
}

#' @exportS3Method
judge_runs.stabilect_until_decided <- function(rule, selections, n_looks, cutoff, seed) {
  if (is.na(cutoff)) {
    return(list(value = NA_real_, reached = FALSE))
  }
  level <- 1 - (1 - rule$conf_level) / n_looks
  decided <- vapply(selections, function(selection) {
    decided_features(selection, cutoff, level)
  }, logical(selections[[1]]$n_total))
  decided <- matrix(decided, selections[[1]]$n_total)
  value <- min(colMeans(decided))
  # Shares are rounded quotients: 7 of 10 features must count as 0.7, not as slightly less.
  list(
    value = value, reached = value >= rule$target - 1e-12,
    undecided = which(rowSums(decided) < ncol(decided))
  )
}

# Width of the stability's confidence interval over these runs; NA without an interval.
interval_width <- function(selection, rule, seed) {
  if (length(ok_runs(selection)) < 3L) {
    return(NA_real_)
  }
  options <- utils::modifyList(list(seed = seed), rule$options)
  table <- do.call(
    stability, c(list(selection, rule$index, conf_level = rule$conf_level), options)
  )$table
  table$upper - table$lower
}

# Features whose Clopper-Pearson interval lies above or below the cutoff. A feature that no run
# looked at stays undecided.
decided_features <- function(selection, cutoff, level) {
  runs <- ok_runs(selection)
  score <- selection$score
  seen <- if (is.matrix(score) && anyNA(score)) {
    rowSums(!is.na(score[, runs, drop = FALSE]))
  } else {
    rep(length(runs), selection$n_total)
  }
  count <- Matrix::rowSums(selection$selected[, runs, drop = FALSE])
  tail <- (1 - level) / 2
  # A limit lies beyond the cutoff if and only if a binomial tail at the cutoff is below `tail`:
  # lower > cutoff if P(X >= count) < tail. No quantiles are needed.
  above <- stats::pbinom(count - 1, seen, cutoff, lower.tail = FALSE) < tail
  below <- stats::pbinom(count, seen, cutoff) < tail
  unname(seen > 0 & (above | below))
}
