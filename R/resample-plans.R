#' Plan resamples
#'
#' A plan says how samples are to be drawn; [draw_resamples()] draws them. One set of draws can
#' be given to several methods, so that they see the same rows.
#'
#' @details
#' With n samples, the bag of one run (its samples, *in-bag*; all others are *out of bag*) holds
#' * subsample: floor(`fraction` n) samples, without replacement;
#' * bootstrap: floor(`fraction` n) samples, with replacement;
#' * pairs: floor(n/2) samples, without replacement; runs 2k - 1 and 2k are disjoint, and for odd
#'   n one sample is in neither;
#' * leave-one-out: all samples but sample b in run b;
#' * folds: all but one of `n_folds` folds, whose sizes differ by at most one; runs
#'   (r - 1) `n_folds` + 1, ..., r `n_folds` are those of repeat r.
#'
#' **Stratified** draws have the class proportions of the data: m samples are divided over the
#' classes by largest remainder (the integer parts of m n_c / n, then one more for the largest
#' remainders, ties to the class that comes first), so their total is exactly m. The second half
#' of a pair is divided in the same way over the samples that the first half has left. Folds are
#' dealt class by class, each class going on at the fold where the last one stopped, so that the
#' class totals of two folds differ by at most one, too.
#'
#' **Balanced** draws have classes of equal size: after drawing, samples of the smaller classes
#' are drawn again, with replacement, from those that are in the bag, until every class that is
#' in the bag at all has the size of the largest. Their counts then exceed 1. Nothing is taken
#' from outside the bag.
#'
#' **Blocks.** Samples of one patient are alike, so that a model which has seen one of them knows
#' more about the others than it will know about new patients. With `blocks`, everything above
#' applies to blocks in place of samples: a run draws floor(`fraction` m) of m blocks, halves are
#' halves of the blocks, leave-one-out leaves out one block, folds are folds of blocks; a sample is
#' as often in the bag as its block was drawn, so that no run has one sample of a block in the bag
#' and another one outside. Stratified draws have the class proportions of the blocks, balanced ones
#' as many blocks of each class; both need blocks of one class each. Numbers of *samples* in a bag
#' vary with the sizes of the blocks. Blocks of one sample each give the draws of the plan without
#' blocks.
#'
#' Functions that split the samples further also keep blocks whole: an out-of-bag prediction comes
#' from a model that has seen no sample of the block, inner resamples are drawn by the blocks of the
#' training rows.
#'
#' @param n_runs (integer >= 1) Number of runs to draw.
#' @param fraction (number in (0, 1\]) Size of a draw as a fraction of the number of samples.
#' @param n_pairs (integer >= 1) Number of pairs; there are `2 * n_pairs` runs.
#' @param n_folds (integer >= 2) Number of folds.
#' @param n_repeats (integer >= 1) How often the samples are divided into folds; there are
#'   `n_folds * n_repeats` runs.
#' @param stratify (logical) Draw within the classes of `y`?
#' @param balance (logical) Oversample the smaller classes of every draw?
#' @param blocks (vector of n labels without `NA`, or `NULL`) Which samples belong together:
#'   patients with several samples, litters, batches. Blocks are drawn whole.
#' @return An object of class `stabilect_resampling`: a list with
#'   * `scheme` (character): "subsample", "bootstrap", "pairs", "loo", "folds" or "custom";
#'   * `n_runs` (integer): number of runs; `NA` for leave-one-out, where it is the number of
#'     samples, or of blocks;
#'   * `fraction` (double): `NA` except for subsamples and bootstraps;
#'   * `n_folds`, `n_repeats` (integer): `NA` except for folds;
#'   * `stratify`, `balance` (logical);
#'   * `rows` (list of integer vectors or `NULL`), `counts` (integer matrix or `NULL`), `n`
#'     (integer or `NULL`): what [resample_custom()] was given;
#'   * `blocks` (factor of length n, levels in the order of the samples, or `NULL`); with blocks,
#'     `n` is their length.
#'
#'   `format()` gives the one line that `print()` shows.
#' @section Errors:
#' All arguments are checked here (class `stabilect_error_input`); whether the data are large
#' enough for the plan is checked by [draw_resamples()].
#' @references
#' Zare, H., Haffari, G., Gupta, A. and Brinkman, R. R. (2013). Scoring relevancy of features
#' based on combinatorial analysis of Lasso with application to lymphoma diagnosis.
#' *BMC Genomics* 14 (Suppl 1), S14 (subsamples, balancing). \doi{10.1186/1471-2164-14-S1-S14}
#'
#' Shah, R. D. and Samworth, R. J. (2013). Variable selection with error control: another look
#' at stability selection. *Journal of the Royal Statistical Society B* 75, 55-80
#' (complementary pairs). \doi{10.1111/j.1467-9868.2011.01034.x}
#' @family resampling
#' @examples
#' resample_subsample(100, fraction = 3/4, stratify = TRUE)
#' resample_pairs(50)
#' resample_folds(10, n_repeats = 5)
#' patient <- rep(c("a", "b", "c", "d"), c(3, 1, 2, 2))
#' bag_counts(draw_resamples(resample_subsample(5, blocks = patient), seed = 1))
#' @name resampling
NULL

new_resampling <- function(scheme, n_runs, fraction = NA_real_, n_folds = NA_integer_,
                           n_repeats = NA_integer_, stratify = FALSE, balance = FALSE,
                           rows = NULL, counts = NULL, n = NULL, blocks = NULL) {
  if (!is.null(blocks)) n <- length(blocks)
  of_class("stabilect_resampling",
    scheme = scheme, n_runs = n_runs, fraction = fraction, n_folds = n_folds,
    n_repeats = n_repeats, stratify = stratify, balance = balance,
    rows = rows, counts = counts, n = n, blocks = blocks
  )
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
    balance = check_flag(balance), blocks = check_blocks(blocks)
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
    blocks = check_blocks(blocks)
  )
}

#' @rdname resampling
#' @export
resample_loo <- function(blocks = NULL) {
  new_resampling("loo", n_runs = NA_integer_, blocks = check_blocks(blocks))
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
    blocks = check_blocks(blocks)
  )
}

#' Use resamples drawn elsewhere
#'
#' Give either the rows of every run (`rows`) or how often each run holds each row (`counts`).
#'
#' @param rows (list of vectors, or matrix with runs in columns) Row numbers from 1; a row that
#'   is given k times counts k times.
#' @param counts (matrix, n samples x runs) Whole numbers >= 0, or logical: how often each sample
#'   is in each run.
#' @param n (integer >= 2 or `NULL`) Number of samples. Taken from `counts`, or from the data
#'   when the resamples are drawn; given here, `rows` is checked against it at once.
#' @param blocks (vector of n labels without `NA`, or `NULL`) Which samples belong together, see
#'   [resample_subsample()]; no run may split a block.
#' @return A plan of class `stabilect_resampling`, see [resample_subsample()].
#' @section Errors:
#' Class `stabilect_error_input`, with run and position: row numbers that are not whole numbers from
#' 1 to `n`, counts that are not whole numbers >= 0, empty runs, and runs that split a block.
#' @family resampling
#' @examples
#' plan <- resample_custom(list(c(1, 2, 3), c(2, 3, 3)), n = 4)
#' bag_counts(draw_resamples(plan, n = 4))
#' resample_custom(counts = cbind(c(1, 1, 0, 0), c(0, 0, 1, 2)))
#' @export
resample_custom <- function(rows = NULL, counts = NULL, n = NULL, blocks = NULL) {
  refuse(is.null(rows) == is.null(counts), "Give either {.arg rows} or {.arg counts}.")
  n <- check_count(n, min = 2, null_ok = TRUE)
  if (is.null(counts)) {
    rows <- check_row_lists(rows, n)
    n_runs <- length(rows)
  } else {
    counts <- check_counts(counts, n)
    n <- nrow(counts)
    n_runs <- ncol(counts)
  }
  plan <- new_resampling("custom", n_runs = n_runs, rows = rows, counts = counts, n = n)
  plan_with_blocks(plan, blocks)
}

check_row_lists <- function(rows, n) {
  if (is.matrix(rows)) {
    rows <- lapply(seq_len(ncol(rows)), function(run) rows[, run])
  }
  refuse(!is.list(rows) || length(rows) == 0L,
    "{.arg rows} must be a list of row numbers or a matrix with runs in columns."
  )
  unname(Map(check_rows, rows, seq_along(rows), MoreArgs = list(n = n)))
}

check_rows <- function(rows, run, n) {
  refuse(!is.numeric(rows) || length(rows) == 0L,
    "Run {run} of {.arg rows} must hold row numbers, at least one."
  )
  upper <- if (is.null(n)) .Machine$integer.max else n
  wrong <- which(is.na(rows) | rows < 1 | rows > upper | rows != round(rows))
  if (length(wrong) > 0L) {
    range <- if (is.null(n)) "from 1" else paste("from 1 to", n)
    abort(
      "Run {run} of {.arg rows} must hold whole numbers {range};
       number {wrong[1]} is {rows[wrong[1]]}."
    )
  }
  as.integer(rows)
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
