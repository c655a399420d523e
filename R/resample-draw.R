#' Random resamples of a plan
#'
#' Draws the runs of a plan: how often each sample is in the bag of each run. A run's samples are
#' *in bag*, all others *out of bag*.
#'
#' @details
#' Run b of a subsample or bootstrap plan, pair k of a pairs plan and repeat r of a folds plan have
#' their own stream of random numbers. The generator is counter-based (Threefry-4x64, 20 rounds);
#' its key is `seed` and the number of the run, pair or repeat. So a run is the same whether 10 or
#' 1000 runs are drawn. R's generator is used only if `seed` is `NULL`, for one integer.
#'
#' **Redraws.** With `y`, a run is useless if all its in-bag samples have one class, for a numeric
#' `y` one value, or if they are all censored. It is drawn again from the same stream, at most 1000
#' times. The halves of a pair and the folds of a repeat are redrawn together. A run that is still
#' useless is kept and marked in `status`. Redraws are not tried where they cannot help:
#' leave-one-out, stratified draws (their class totals are fixed), custom runs, and pairs or folds
#' with only one sample outside the largest class.
#'
#' @inheritParams arguments
#' @param resampling (object of class `stabilect_resampling`) plan to draw, see
#'   [resample_subsample()].
#' @param y (factor, character, logical or numeric vector of length n, survival times
#'   `survival::Surv(time, event)`, or `NULL`) outcome; needed to stratify, to balance and to redraw
#'   runs of one class. A numeric `y` has classes if its values are 0 and 1, or -1 and 1. The
#'   classes of survival times are samples with the event and censored samples. Classes are ordered
#'   by the levels of a factor; otherwise they are sorted (text in the C locale, in which all
#'   machines agree).
#' @param n (integer >= 2 or `NULL`) number of samples without `y`; not needed for plans with
#'   blocks.
#' @return An object of class `stabilect_resamples`: a list with
#'   * `counts` (integer matrix, n samples x runs): how often each sample is in the bag of each run;
#'   * `plan` (`stabilect_resampling`);
#'   * `seed` (integer): `NA` after combining draws of different seeds;
#'   * `n`, `n_runs` (integer);
#'   * `redraws` (integer, one per run);
#'   * `status` (character, one per run): "ok", or "one class", "constant y" or "no events" if
#'     redraws were used up or could not help;
#'   * `pair` (integer, one per run): number of the pair, the same for complementary halves; `NULL`
#'     unless drawn as pairs, or given as halves, see [resample_custom()];
#'   * `fold`, `repetition` (integer, one per run): the left-out fold, and the division of the
#'     samples that it belongs to; `NULL` unless drawn as folds;
#'   * `run_id` (character, one per run): seed and number of the run, by which [merge_runs()]
#'     recognises duplicates;
#'   * `run_hash` (character, one per run): hash of the counts of each run;
#'   * `fingerprint` (string): hash of these hashes, equal for the same resamples in the same
#'     order.
#' @section Errors:
#' Class `stabilect_error_input` for
#' * missing or infinite values in `y` (with position), and a `y` of one class;
#' * a plan that needs classes if `y` has none;
#' * blocks with several classes in a stratified or balanced plan;
#' * plans that leave fewer than 2 samples in a run.
#' @family resampling
#' @examples
#' y <- factor(rep(c("normal", "tumour"), c(22, 40)))
#' draws <- draw_resamples(resample_subsample(100, stratify = TRUE), y, seed = 1)
#' draws
#' table(y[split(draws)[[1]]])
#' split(draws, "out")[[1]]
#' @export
draw_resamples <- function(resampling, y = NULL, seed = NULL, n = NULL) {
  check_given()
  plan <- resampling
  refuse(!inherits(plan, "stabilect_resampling"),
    "{.arg resampling} must be made by a {.code resample_*()} function."
  )
  check_plan_samples(plan, samples_of_values(y, "y"))
  draw_runs(plan, drawn_response(y, check_count(n, min = 2, null_ok = TRUE), plan), seed)
}

# @param response of response_of_draws().
draw_runs <- function(plan, response, seed) {
  check_plan_size(plan, response$n)
  units <- if (is.null(plan$blocks)) {
    list(n = response$n, labels = response$labels, cell = response$cell, min_size = 2L)
  } else {
    draw_units(plan, response)
  }
  seed <- check_seed(seed)
  if (plan$scheme == "custom") {
    counts <- custom_counts(plan, response$n)
    if (!is.null(plan$blocks)) check_whole_blocks(counts, plan$blocks)
    degenerate <- !is.na(response$failure) & is_of_one_class(counts, response$labels)
    drawn <- list(counts = counts, redraws = integer(ncol(counts)), degenerate = degenerate)
  } else if (!is.null(units$cell) && is_division(plan)) {
    drawn <- divide_design(plan, units, seed)
  } else {
    drawn <- cpp_draw_resamples(units$n, units$labels, list(
      scheme = plan$scheme, n_units = count_units(plan),
      fraction = if (is.na(plan$fraction)) 1 else plan$fraction,
      n_folds = if (is.na(plan$n_folds)) 2L else plan$n_folds,
      stratify = plan$stratify, balance = plan$balance, min_size = units$min_size, seed = seed
    ))
  }
  if (!is.null(plan$blocks) && plan$scheme != "custom") {
    drawn$counts <- drawn$counts[as.integer(plan$blocks), , drop = FALSE]
  }
  useless <- if (!is.null(response$useless)) response$useless(drawn$counts)
  if (!is.null(useless)) drawn$degenerate <- useless
  runs <- seq_len(ncol(drawn$counts))
  new_resamples(
    counts = drawn$counts, plan = plan, seed = seed, redraws = drawn$redraws,
    status = ifelse(drawn$degenerate, response$failure, "ok"),
    pair = switch(plan$scheme,
      pairs = (runs + 1L) %/% 2L, custom = given_pairs(drawn$counts, plan$blocks)
    ),
    fold = if (plan$scheme == "folds") (runs - 1L) %% plan$n_folds + 1L,
    repetition = if (plan$scheme == "folds") (runs - 1L) %/% plan$n_folds + 1L,
    # Leave-one-out and custom runs are the same for any seed.
    run_id = paste(if (plan$scheme %in% c("loo", "custom")) plan$scheme else seed, runs)
  )
}

new_resamples <- function(counts, plan, seed, redraws, status, pair = NULL, fold = NULL,
                          repetition = NULL, run_id = NULL) {
  # Without names or other attributes: only the counts decide the fingerprint.
  counts <- matrix(as.integer(counts), nrow(counts), ncol(counts))
  run_hash <- cpp_hash_runs(counts)
  of_class("stabilect_resamples",
    counts = counts, plan = plan, seed = seed, n = nrow(counts), n_runs = ncol(counts),
    redraws = redraws, status = status, pair = pair, fold = fold, repetition = repetition,
    run_id = run_id, run_hash = run_hash, fingerprint = hash_plain(run_hash)
  )
}

# The number of independent draws, each with its own stream.
count_units <- function(plan) {
  switch(plan$scheme,
    pairs = plan$n_runs %/% 2L,
    folds = plan$n_repeats,
    loo = 1L,
    plan$n_runs
  )
}

# Given runs that are halves: runs 2k - 1 and 2k, or runs k and K + k (as in stabs), share no sample
# and contain half of the samples each, up to one.
# @return (integer) the pair of each run, or NULL.
given_pairs <- function(counts, blocks) {
  n_runs <- ncol(counts)
  # Blocks are halved whole: one row stands for each.
  if (!is.null(blocks)) counts <- counts[!duplicated(blocks), , drop = FALSE]
  half <- nrow(counts) %/% 2
  sizes <- colSums(counts)
  if (n_runs %% 2L > 0L || any(counts > 1L) || any(sizes < half | sizes > nrow(counts) - half)) {
    return(NULL)
  }
  layouts <- list(rep(seq_len(n_runs / 2), each = 2L), rep(seq_len(n_runs / 2), 2L))
  for (pair in layouts) {
    first <- counts[, !duplicated(pair), drop = FALSE]
    second <- counts[, order(pair)[c(FALSE, TRUE)], drop = FALSE]
    if (!any(first * second)) {
      return(pair)
    }
  }
}

# The response as drawing needs it: n, labels (integer: strata from 0; codes of the values of
# numbers; empty without a response), failure (string: name of a run of one value) and useless
# (function(counts), or NULL: these runs, where labels do not tell).
drawn_response <- function(y, n, plan) {
  if (is.null(y)) {
    return(no_response(n, plan))
  }
  check_length_of_y(y, n)
  response_of_draws(read_response(y, n_labels(y)), plan)
}

response_of_draws <- function(response, plan) {
  strata <- strata_of(response)
  by_stratum <- plan$stratify || plan$balance
  refuse(is.null(strata) && by_stratum,
    "A stratified or balanced plan needs classes, but {.arg y} is numeric with
      {length(unique(response$y))} distinct values; give a factor."
  )
  labels <- if (by_stratum) strata else draw_codes(response)
  cell <- if (plan$stratify && !plan$balance) cells_of_draws(response, strata, plan)
  # Divisions are dealt by classes and cells; other draws have a stratum for each class of a cell.
  if (!is.null(cell) && !is_division(plan)) labels <- match_rows(cbind(cell, strata))
  list(
    n = length(response$y), labels = labels - 1L, cell = cell, failure = outcome_of(response)$lacks,
    useless = function(counts) useless_runs(response, counts)
  )
}

no_response <- function(n, plan) {
  refuse(plan$stratify || plan$balance,
    "A stratified or balanced plan needs classes; give {.arg y}."
  )
  if (is.null(n)) n <- plan$n
  refuse(is.null(n), "Give {.arg y}, or the number of samples as {.arg n}.")
  list(n = n, labels = integer(), failure = NA_character_)
}

check_length_of_y <- function(y, n) {
  size <- n_labels(y)
  refuse(size == 1L, "{.arg y} has length 1; it is the response. Give a number of samples by name:
    {.code n = {figure(y)}}.")
  refuse(!is.null(n) && size != n, "{.arg y} has length {size} but {.arg n} is {n}.")
}

check_plan_size <- function(plan, n) {
  refuse(!is.null(plan$n) && plan$n != n, "The plan is for {plan$n} samples, but there are {n}.")
  units <- if (is.null(plan$blocks)) n else nlevels(plan$blocks)
  if (plan$scheme == "folds" && plan$n_folds > units) {
    what <- if (is.null(plan$blocks)) "samples" else "blocks"
    abort("{.arg n_folds} is {plan$n_folds}, but there are only {units} {what}.")
  }
  smallest <- if (!is.null(plan$blocks)) {
    smallest_bag_of_blocks(plan)
  } else {
    switch(plan$scheme,
      pairs = n %/% 2L,
      loo = n - 1L,
      folds = n - 1L - (n - 1L) %/% plan$n_folds,
      custom = 2L,
      floor(plan$fraction * n + 1e-9)
    )
  }
  if (smallest < 2L) {
    plan <- format(plan)
    abort(
      "A run must have at least 2 samples; of {n} samples this plan leaves {smallest}: {plan}."
    )
  }
}

# Of what each run drew: the same runs order equal features alike, in whatever call they are made.
tie_seeds <- function(draws) strtoi(substr(draws$run_hash, 1L, 7L), 16L)
