#' Resampling plans: subsamples, bootstrap, complementary pairs, folds
#'
#' A plan says how samples are drawn; [draw_resamples()] draws them. Several methods can use one set
#' of draws and then see the same rows.
#'
#' @details
#' With n samples, the bag of one run contains
#'
#' * subsample: floor(`fraction` n) samples, without replacement;
#' * bootstrap: floor(`fraction` n) samples, with replacement;
#' * pairs: floor(n/2) samples, without replacement; runs 2k - 1 and 2k are disjoint, and for odd n
#'   one sample is in neither;
#' * leave-one-out: all samples but sample b in run b;
#' * folds: all but one of `n_folds` folds, whose sizes differ by at most one; repeat r has the runs
#'   (r - 1) `n_folds` + 1, ..., r `n_folds`.
#'
#' Samples in the bag of a run are *in bag*, all others *out of bag*.
#'
#' **Stratified** draws have the class proportions of the data, by largest remainder: their total is
#' exact. The second half of a pair is divided in the same way over the samples outside the first
#' half. Folds are dealt class by class, each class from the fold after the last one. Classes are
#' drawn in the order of their levels: the same seed gives other draws where the levels, or the
#' samples, come in another order.
#'
#' **Balanced** draws have classes of equal size. After drawing, samples of the smaller classes are
#' drawn again, with replacement, from the bag, until every class in the bag has the size of the
#' largest. Samples outside the bag are not used.
#'
#' **Blocks.** Samples of one patient are alike. A model that has seen one of them knows more about
#' the others than about new patients. With `blocks`, all of the above applies to blocks in place of
#' samples:
#'
#' * a run draws floor(`fraction` m) of m blocks; halves, leave-one-out and folds take whole blocks;
#' * a sample is in the bag as often as its block was drawn, and no run splits a block;
#' * stratified draws have the class proportions of the blocks, balanced draws as many blocks of
#'   each class; both need blocks of one class each.
#'
#' The number of *samples* in a bag varies with the sizes of the blocks. Functions that split the
#' samples further also keep blocks whole: a model that predicts an out-of-bag sample has seen no
#' sample of its block.
#' @param n_runs (integer >= 1) number of runs to draw.
#' @param fraction (number in (0, 1\]) size of a draw as a fraction of the number of samples.
#' @param n_pairs (integer >= 1) number of pairs; there are `2 * n_pairs` runs.
#' @param n_folds (integer >= 2) number of folds.
#' @param n_repeats (integer >= 1) number of divisions into folds; there are `n_folds * n_repeats`
#'   runs.
#' @param stratify (logical) draw within the classes of `y`? In a verb that adjusts for covariates
#'   of a balanced design, within the classes of each batch, see [fealect()].
#' @param balance (logical) oversample the smaller classes of every draw?
#' @param blocks (vector of n labels without `NA`, or `NULL`) block of each sample: patients with
#'   several samples, litters, batches. Blocks are drawn whole.
#' @return An object of class `stabilect_resampling`: a list with
#' * `scheme` (character): "subsample", "bootstrap", "pairs", "loo", "folds" or "custom";
#' * `n_runs` (integer): number of runs; `NA` for leave-one-out, which has one run for each sample
#'   or block;
#' * `fraction` (double): `NA` except for subsamples and bootstraps;
#' * `n_folds`, `n_repeats` (integer): `NA` except for folds;
#' * `stratify`, `balance` (logical);
#' * `rows` (list of integer vectors or `NULL`), `counts` (integer matrix or `NULL`), `n` (integer
#'   or `NULL`): the arguments of [resample_custom()];
#' * `blocks` (factor of length n, levels in the order of the samples, or `NULL`); with blocks, `n`
#'   is their length.
#'
#' `format()` gives the one line that `print()` shows.
#' @section Errors:
#' All arguments are checked here (class `stabilect_error_input`). [draw_resamples()] checks whether
#' the data are large enough for the plan.
#' @references
#' Zare, H., Haffari, G., Gupta, A. and Brinkman, R. R. (2013). Scoring relevancy of features
#' based on combinatorial analysis of Lasso with application to lymphoma diagnosis.
#' *BMC Genomics* 14 (Suppl 1), S14 (subsamples, balancing). \doi{10.1186/1471-2164-14-S1-S14}
#'
#' Shah, R. D. and Samworth, R. J. (2013). Variable selection with error control: another look
#' at stability selection. *Journal of the Royal Statistical Society B* 75, 55-80
#' (complementary pairs). \doi{10.1111/j.1467-9868.2011.01034.x}
#' @concept cross-validation
#' @concept bootstrap
#' @concept subsampling
#' @family resampling
#' @examples
#' resample_subsample(100, fraction = 3/4, stratify = TRUE)
#' resample_pairs(50)
#' resample_folds(10, n_repeats = 5)
#' patient <- rep(c("a", "b", "c", "d"), c(3, 1, 2, 2))
#' as.matrix(draw_resamples(resample_subsample(5, blocks = patient), seed = 1))
#' @name resampling
NULL

new_resampling <- function(scheme, n_runs, fraction = NA_real_, n_folds = NA_integer_,
                           n_repeats = NA_integer_, stratify = FALSE, balance = FALSE,
                           rows = NULL, counts = NULL, n = NULL, blocks = NULL) {
  named <- if (!is.null(names(blocks))) list(blocks = blocks)
  if (!is.null(blocks)) {
    blocks <- check_blocks(blocks)
    n <- length(blocks)
  }
  plan <- of_class("stabilect_resampling",
    scheme = scheme, n_runs = n_runs, fraction = fraction, n_folds = n_folds,
    n_repeats = n_repeats, stratify = stratify, balance = balance,
    rows = rows, counts = counts, n = n, blocks = blocks
  )
  # Compared with the names of the data once these are known.
  plan$named <- named
  plan
}

#' @rdname resampling
#' @export
resample_subsample <- function(n_runs = 100, fraction = 3 / 4, stratify = FALSE,
                               balance = FALSE, blocks = NULL) {
  sized_plan("subsample", n_runs, fraction, stratify, balance, blocks)
}

#' @rdname resampling
#' @export
resample_bootstrap <- function(n_runs = 100, fraction = 1, stratify = FALSE, balance = FALSE,
                               blocks = NULL) {
  sized_plan("bootstrap", n_runs, fraction, stratify, balance, blocks)
}

# A number of runs, each with a fraction of the samples.
sized_plan <- function(scheme, n_runs, fraction, stratify, balance, blocks) {
  new_resampling(
    scheme,
    n_runs = check_count(n_runs),
    fraction = check_fraction(fraction),
    stratify = check_flag(stratify),
    balance = check_flag(balance), blocks = blocks
  )
}

#' @rdname resampling
#' @export
resample_pairs <- function(n_pairs = 50, stratify = FALSE, balance = FALSE, blocks = NULL) {
  new_resampling(
    "pairs",
    n_runs = count_runs(check_count(n_pairs), 2, "n_pairs"),
    stratify = check_flag(stratify),
    balance = check_flag(balance),
    blocks = blocks
  )
}

#' @rdname resampling
#' @export
resample_loo <- function(blocks = NULL) {
  new_resampling("loo", n_runs = NA_integer_, blocks = blocks)
}

#' @rdname resampling
#' @export
resample_folds <- function(n_folds = 10, n_repeats = 1, stratify = FALSE, balance = FALSE,
                           blocks = NULL) {
  n_folds <- check_count(n_folds, min = 2)
  n_repeats <- check_count(n_repeats)
  new_resampling(
    "folds",
    n_runs = count_runs(n_repeats, n_folds, "n_repeats"), n_folds = n_folds,
    n_repeats = n_repeats,
    stratify = check_flag(stratify),
    balance = check_flag(balance),
    blocks = blocks
  )
}

#' Custom resamples
#'
#' Takes resamples drawn elsewhere: the rows of every run (`rows`), or how often each row is in each
#' run (`counts`).
#'
#' @details
#' Given halves count as complementary pairs, as if [resample_pairs()] had drawn them. Runs 2k - 1
#' and 2k, or runs k and K + k of 2K runs, must share no sample and contain n/2 samples each, up to
#' one; with `blocks`, half of the blocks. The second order is the one of stabs: `counts =
#' cbind(folds, 1 - folds)`. The bounds of [stability_selection()] require halves that were drawn at
#' random, which nobody can see in given ones.
#'
#' @param rows (list of vectors, or matrix with runs in columns) row numbers from 1; a row given k
#'   times counts k times.
#' @param counts (matrix, n samples x runs) whole numbers >= 0, or logical: how often each sample is
#'   in each run.
#' @param n (integer >= 2 or `NULL`) number of samples. `NULL`: from `counts`, or from the data when
#'   the resamples are drawn. With `n`, `rows` is checked at once.
#' @param blocks (vector of n labels without `NA`, or `NULL`) block of each sample, see
#'   [resample_subsample()]; no run may split a block.
#' @return A plan of class `stabilect_resampling`, see [resample_subsample()].
#' @section Errors:
#' Class `stabilect_error_input`, with run and position, for row numbers that are not whole numbers
#' from 1 to `n`, counts that are not whole numbers >= 0, empty runs, and runs that split a block.
#' @family resampling
#' @examples
#' plan <- resample_custom(list(c(1, 2, 3), c(2, 3, 3)), n = 4)
#' as.matrix(draw_resamples(plan, n = 4))
#' resample_custom(counts = cbind(c(1, 1, 0, 0), c(0, 0, 1, 2)))
#' # Halves of stabs
#' folds <- cbind(c(1, 1, 0, 0), c(1, 0, 0, 1))
#' draw_resamples(resample_custom(counts = cbind(folds, 1 - folds)), n = 4)$pair
#' @export
resample_custom <- function(rows = NULL, counts = NULL, n = NULL, blocks = NULL) {
  refuse(is.null(rows) == is.null(counts), "Give either {.arg rows} or {.arg counts}.")
  n <- check_count(n, min = 2, null_ok = TRUE)
  named <- list(
    counts = if (!is.null(rownames(counts))) counts, blocks = if (!is.null(names(blocks))) blocks
  )
  named <- named[!vapply(named, is.null, NA)]
  if (is.null(counts)) {
    rows <- check_row_lists(rows, n)
    n_runs <- length(rows)
  } else {
    counts <- check_counts(counts, n)
    n <- nrow(counts)
    n_runs <- ncol(counts)
  }
  plan <- new_resampling("custom", n_runs = n_runs, rows = rows, counts = counts, n = n)
  if (length(named) > 0L) plan$named <- named
  if (!is.null(blocks)) check_samples(blocks, samples_of_values(named$counts, "counts"), "blocks")
  plan_with_blocks(plan, blocks)
}

check_counts <- function(counts, n) {
  refuse(!is.matrix(counts) || !(is.numeric(counts) || is.logical(counts)) || ncol(counts) == 0L,
    "{.arg counts} must be a numeric matrix, samples in rows, runs in columns."
  )
  refuse(!is.null(n) && nrow(counts) != n,
    "{.arg counts} has {nrow(counts)} rows but {.arg n} is {n}."
  )
  wrong <- which(is.na(counts) | counts < 0 | counts != round(counts), arr.ind = TRUE)
  refuse(length(wrong) > 0L, "{.arg counts} must hold whole numbers >= 0;
    row {wrong[1, 1]}, column {wrong[1, 2]} is {counts[wrong[1, 1], wrong[1, 2]]}.")
  empty <- which(colSums(counts) == 0)
  refuse(length(empty) > 0L, "Run {empty[1]} of {.arg counts} is empty; every run needs samples.")
  matrix(as.integer(counts), nrow(counts), ncol(counts))
}

count_runs <- function(n_units, runs_per_unit, name) {
  n_runs <- as.double(n_units) * runs_per_unit
  refuse(n_runs > .Machine$integer.max,
    "{.arg {name}} = {n_units} asks for {n_runs} runs; take fewer."
  )
  as.integer(n_runs)
}
