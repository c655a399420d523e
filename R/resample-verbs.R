#' Resamples as a matrix or a list
#'
#' @param x (object of class `stabilect_resamples`) resamples from [draw_resamples()].
#' @param f (string) `"in"` for the samples in the bag of each run, `"out"` for those out of it.
#' @param drop Not used.
#' @param ... Not used.
#' @return `as.matrix()`: integer matrix (n samples x B runs), the number of times that each sample
#'   is in each bag.
#'
#'   `split()`: list of B integer vectors of row numbers, ascending: the rows in the bag, each as
#'   often as it was drawn. `x[split(draws)[[1]], ]` is the data of the first run. With `f = "out"`
#'   the rows out of the bag; `integer(0)` for a run with all samples.
#' @family resampling
#' @examples
#' draws <- draw_resamples(resample_bootstrap(20), n = 10, seed = 1)
#' rowMeans(as.matrix(draws) > 0)
#' split(draws)[[3]]
#' split(draws, "out")[[3]]
#' @name resamples_as
NULL

#' @rdname resamples_as
#' @export
as.matrix.stabilect_resamples <- function(x, ...) { # nolint: object_name_linter.
  refuse_dots(...)
  x$counts
}

#' @rdname resamples_as
#' @export
split.stabilect_resamples <- function(x, f = c("in", "out"), drop = FALSE, ...) {
  refuse_dots(...)
  rows <- if (check_choice(f, c("in", "out")) == "out") {
    function(b) which(x$counts[, b] == 0L)
  } else {
    function(b) rep(seq_len(x$n), x$counts[, b])
  }
  lapply(seq_len(x$n_runs), rows)
}

# The numbers of the runs selected by an index.
choose_runs <- function(i, n_runs) {
  runs <- if (is.numeric(i) || is.logical(i)) seq_len(n_runs)[i]
  refuse(length(runs) == 0L || anyNA(runs),
    "{.arg i} must choose runs from 1 to {n_runs}, at least one."
  )
  runs
}

#' Take or combine runs
#'
#' @param x (object of class `stabilect_resamples`) resamples from [draw_resamples()].
#' @param i (numbers, negative numbers or logical vector) runs to take, as for any vector.
#' @param ... For `c()`: objects of class `stabilect_resamples` over the same samples. The same plan
#'   and seed give the same runs: use different seeds for the parts.
#' @return An object of class `stabilect_resamples` with the fields of these runs. After `c()`,
#'   pairs and repeats are renumbered, and `seed` is `NA` unless all seeds are equal. The plan is a
#'   custom plan unless all parts have the same scheme.
#' @section Errors:
#' Class `stabilect_error_input` for runs that do not exist, and for parts with different numbers of
#' samples or different blocks.
#' @family resampling
#' @examples
#' draws <- draw_resamples(resample_subsample(20), n = 12, seed = 1)
#' draws[1:5]
#' c(draws, draw_resamples(resample_subsample(10), n = 12, seed = 2))
#' @name combine_resamples
NULL

#' @rdname combine_resamples
#' @export
`[.stabilect_resamples` <- function(x, i) {
  runs <- choose_runs(i, x$n_runs)
  counts <- x$counts[, runs, drop = FALSE]
  new_resamples(
    counts = counts, plan = x$plan, seed = x$seed,
    redraws = x$redraws[runs], status = x$status[runs],
    pair = if (x$plan$scheme == "custom") given_pairs(counts, x$plan$blocks) else x$pair[runs],
    fold = x$fold[runs], repetition = x$repetition[runs], run_id = x$run_id[runs]
  )
}

#' @rdname combine_resamples
#' @export
c.stabilect_resamples <- function(...) {
  parts <- list(...)
  refuse(!all(vapply(parts, inherits, logical(1), "stabilect_resamples")),
    "Only objects made by {.fn draw_resamples} can be combined with each other."
  )
  sizes <- unique(vapply(parts, `[[`, integer(1), "n"))
  refuse(length(sizes) > 1L, "All parts must be over the same samples; they have {sizes} samples.")
  blocks <- lapply(parts, function(part) part$plan$blocks)
  refuse(!all(vapply(blocks, same_blocks, NA, blocks[[1]])),
    "All parts must have the same blocks, or all of them none."
  )
  counts <- do.call(cbind, lapply(parts, `[[`, "counts"))
  seeds <- unique(vapply(parts, `[[`, integer(1), "seed"))
  plan <- combine_plans(lapply(parts, `[[`, "plan"), counts)
  new_resamples(
    counts = counts, plan = plan,
    seed = if (length(seeds) == 1L) seeds else NA_integer_,
    redraws = unlist(lapply(parts, `[[`, "redraws")),
    status = unlist(lapply(parts, `[[`, "status")),
    pair = if (plan$scheme == "custom") {
      given_pairs(counts, plan$blocks)
    } else {
      combine_numbers(parts, "pair")
    },
    fold = combine_numbers(parts, "fold", number_on = FALSE),
    repetition = combine_numbers(parts, "repetition"),
    run_id = combine_numbers(parts, "run_id", number_on = FALSE)
  )
}

combine_plans <- function(plans, counts) {
  # Equal blocks may have different labels.
  varying <- c("n_runs", "n_repeats", "blocks")
  alike <- lapply(plans, function(plan) plan[setdiff(names(plan), varying)])
  if (plans[[1]]$scheme == "custom" || length(unique(alike)) > 1L) {
    return(new_resampling(
      "custom",
      n_runs = ncol(counts), counts = counts, n = nrow(counts), blocks = plans[[1]]$blocks
    ))
  }
  plan <- plans[[1]]
  plan$n_runs <- sum(vapply(plans, `[[`, integer(1), "n_runs"))
  plan$n_repeats <- sum(vapply(plans, `[[`, integer(1), "n_repeats"))
  plan
}

# `NA` for the runs of parts without the field; `NULL` if no part has it.
combine_numbers <- function(parts, field, number_on = TRUE) {
  numbers <- lapply(parts, function(part) part[[field]])
  if (all(vapply(numbers, is.null, logical(1)))) {
    return(NULL)
  }
  last <- 0L
  for (i in seq_along(parts)) {
    if (is.null(numbers[[i]])) {
      numbers[[i]] <- rep(NA_integer_, parts[[i]]$n_runs)
    } else if (number_on) {
      numbers[[i]] <- numbers[[i]] + last
      last <- max(last, numbers[[i]], na.rm = TRUE)
    }
  }
  unlist(numbers)
}

# Drawn runs get a plan with their number of runs; selected runs keep the plan they came from.
as_whole_plan <- function(resamples) {
  scheme <- resamples$plan$scheme
  n_runs <- resamples$n_runs
  if (scheme %in% c("subsample", "bootstrap", "pairs", "folds")) resamples$plan$n_runs <- n_runs
  if (scheme == "folds") {
    resamples$plan$n_repeats <- length(unique(resamples$repetition))
  }
  resamples
}

# Folds for a verb that divides the samples itself: stratified by class or event where response and
# blocks allow it, and no more folds than blocks.
folds_for <- function(n_folds, y, blocks) {
  if (!is.null(blocks)) n_folds <- min(n_folds, length(unique(blocks)))
  strata <- if (is_survival(y)) surv_matrix(y)[, 2L] else if (is.factor(y)) as.integer(y)
  pure <- is.null(blocks) || blocks_are_pure(strata, blocks)
  resample_folds(n_folds, stratify = length(unique(strata)) > 1L && pure, blocks = blocks)
}
