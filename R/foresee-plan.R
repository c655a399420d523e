#' Plan an ensemble
#'
#' The smallest ensemble that reaches a wanted stability, or why none does, and how many features
#' to select instead.
#'
#' @param estimate (`stabilect_estimate`, or `NULL`) from [estimate_stability()]; otherwise give
#'   `n_features`, `n_target`, `n_useful` and `p`.
#' @param target_stability (number) the stability that is wanted.
#' @param budget (whole number >= 1) members at most.
#' @param n_features,n_target,n_useful,p,index,aggregation,corrected,n_runs,n_threads as in
#'   [simulate_stability()].
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator, or the seed of the estimate.
#'
#' @details
#' Ensembles are simulated on a grid of sizes up to the budget, then at every size between the last
#' that is too small and the first that is enough. A single selector may be more stable than small
#' ensembles: these average the chance choices of few members before they average them out.
#'
#' What ensembles can reach is set by `n_target` / `n_useful`: endless ones choose `n_target` of the
#' useful features at random. Selecting more of them brings the choices together; with
#' `n_target` = `n_useful` endless ensembles agree. The number given, `n_target_needed`, is the
#' smallest whose plateau is the wanted stability, should `n_useful` and `p` stay as they are.
#'
#' All this is true of the model, whose useful features are equally likely. Real selectors often
#' have favourites, and go beyond the plateau. Where the runs of the estimate tell that the model
#' does not fit (its field `misfit`), the recommendation is read off the real runs regrouped
#' instead: the smallest of the sizes tried, which reach up to half of the runs; beyond them nothing
#' is known.
#' @return An object of class `stabilect_plan`, a list with `n_weak` (smallest size, `NA` when no
#'   size within the budget is known to be enough), `reason` (string: `"reached"`, `"budget"`,
#'   `"plateau"`, or `"unknown"` when neither the model nor enough runs can tell), `source` (string:
#'   `"model"`, or `"regrouped"` for the real runs), `stability` (at that size, else the best within
#'   the budget), `best` (size with that), `misfit` and `regrouped` of the estimate (`NULL` without
#'   one); of the model, `plateau`, `n_target_needed` (`NA` when no number up to `n_useful` is
#'   enough), `table` (data frame `n_weak`, `stability`, `se`), and `target_stability`, `budget`,
#'   `n_target`, `n_useful`, `p`, `index`. `as.data.frame()` gives `table`.
#' @section Errors:
#' Class `stabilect_error_input`: parameters that are missing or given beside an estimate.
#' @family estimation
#' @examples
#' plan_ensemble(
#'   n_features = 500, n_target = 10, n_useful = 30, p = 0.7, target_stability = 0.15,
#'   n_runs = 50, budget = 50, seed = 1
#' )
#' plan_ensemble(
#'   n_features = 500, n_target = 10, n_useful = 30, p = 0.7, target_stability = 0.5,
#'   n_runs = 50, budget = 50, seed = 1
#' )
#' @export
plan_ensemble <- function(estimate = NULL, target_stability, budget = 1000, n_features = NULL,
                          n_target = NULL, n_useful = NULL, p = NULL, index = "jaccard",
                          aggregation = aggregate_rank("mean"), corrected = FALSE,
                          n_runs = 200, seed = NULL, n_threads = 1) {
  rlang::check_required(target_stability)
  target <- check_number(target_stability, "target_stability")
  budget <- check_count(budget, "budget", max = 1e5)
  given <- list(n_features = n_features, n_target = n_target, n_useful = n_useful, p = p)
  if (!is.null(estimate)) {
    check_estimate(estimate, given)
    given <- c(estimate$settings[c("n_features", "n_target")], estimate[c("n_useful", "p")])
    index <- estimate$settings$index
    aggregation <- estimate$settings$aggregation
    corrected <- estimate$settings$corrected
    if (is.null(seed)) seed <- estimate$settings$seed
  }
  model <- check_urn(given$n_features, given$n_target, given$n_useful, given$p)
  check_one_pool(model)
  value <- check_overlap_index(index, model, corrected)
  seed <- check_seed(seed)
  table_of <- function(sizes) {
    simulate_stability(
      model$n_features, model$n_target, model$n_useful, model$p, sizes, n_runs,
      aggregation = aggregation, index = index, corrected = corrected,
      seed = seed, n_threads = n_threads, progress = FALSE
    )$table[c("n_weak", "stability", "se")]
  }
  plateau <- plateau_value(model$n_useful, model$p, model$n_features, model$n_target, value)
  table <- search_size(table_of, target, budget, plateau)
  plan <- new_plan(table, model, plateau, target, budget, index, corrected)
  if (is.null(estimate)) plan else plan_with_runs(plan, estimate)
}

# What the real runs say goes before a model that does not fit them.
plan_with_runs <- function(plan, estimate) {
  regrouped <- estimate$regrouped
  plan$misfit <- estimate$misfit
  plan$regrouped <- regrouped
  regrouped <- regrouped[regrouped$n_weak <= plan$budget, ]
  if (length(plan$misfit) == 0L || nrow(regrouped) == 0L) {
    return(plan)
  }
  enough <- which(regrouped$stability >= plan$target_stability)
  best <- if (length(enough) > 0L) enough[1] else which.max(regrouped$stability)
  plan$source <- "regrouped"
  plan$reason <- if (length(enough) > 0L) {
    "reached"
  } else if (max(estimate$regrouped$n_weak) >= plan$budget) {
    "budget"
  } else {
    "unknown"
  }
  plan$n_weak <- if (length(enough) > 0L) regrouped$n_weak[best] else NA_integer_
  plan$stability <- regrouped$stability[best]
  plan$best <- regrouped$n_weak[best]
  plan
}

# Stabilities on a grid, and at all sizes between the last one that is too small and the first that
# is enough.
search_size <- function(table_of, target, budget, plateau) {
  grid <- size_grid(budget)
  table <- table_of(grid[grid <= 100L])
  # Large ensembles are tried only where they can help: they cost most.
  if (max(table$stability) < target && plateau >= target && budget > 100L) {
    table <- rbind(table, table_of(grid[grid > 100L]))
  }
  enough <- which(table$stability >= target)
  if (length(enough) == 0L || enough[1] == 1L) {
    return(table)
  }
  between <- seq(table$n_weak[enough[1] - 1L], table$n_weak[enough[1]])
  between <- between[-c(1L, length(between))]
  if (length(between) == 0L) {
    return(table)
  }
  table <- rbind(table, table_of(between))
  table <- table[order(table$n_weak), ]
  rownames(table) <- NULL
  table
}

new_plan <- function(table, model, plateau, target, budget, index, corrected) {
  enough <- which(table$stability >= target)
  best <- if (length(enough) > 0L) enough[1] else which.max(table$stability)
  reason <- if (length(enough) > 0L) "reached" else if (plateau < target) "plateau" else "budget"
  structure(
    list(
      n_weak = if (length(enough) > 0L) table$n_weak[best] else NA_integer_, reason = reason,
      source = "model",
      stability = table$stability[best], best = table$n_weak[best], plateau = plateau,
      n_target_needed = target_needed(model, target, index, corrected), table = table,
      target_stability = target, budget = budget, n_target = model$n_target,
      n_useful = model$n_useful, p = model$p, index = index
    ),
    class = "stabilect_plan"
  )
}

# The smallest number of selected features whose plateau is the target, by bisection: the plateau
# grows with it.
target_needed <- function(model, target, index, corrected) {
  plateau <- function(n_target) {
    value <- overlap_values(index, model$n_features, n_target, corrected)
    if (is.null(value)) return(NA_real_)
    plateau_value(model$n_useful, 1, model$n_features, n_target, value)
  }
  if (!isTRUE(plateau(model$n_useful) >= target)) {
    return(NA_integer_)
  }
  low <- 0L
  high <- model$n_useful
  while (high - low > 1L) {
    middle <- (low + high) %/% 2L
    if (isTRUE(plateau(middle) >= target)) high <- middle else low <- middle
  }
  high
}

#' @rdname plan_ensemble
#' @param x (object of class `stabilect_plan`)
#' @param ... Not used.
#' @export
print.stabilect_plan <- function(x, ...) {
  cat(sprintf(
    "<stabilect_plan> %s of %s, %d of %d useful features, p = %.2f\n", x$index,
    format(x$target_stability), x$n_target, x$n_useful, x$p
  ))
  cat(if (x$source == "model") describe_model_plan(x) else describe_regrouped_plan(x), sep = "")
  invisible(x)
}

describe_model_plan <- function(x) {
  told <- switch(x$reason,
    reached = sprintf(
      "%d member%s: %.3f\n", x$n_weak, if (x$n_weak == 1L) "" else "s", x$stability
    ),
    budget = sprintf(
      "not with %d members: %.3f at %d; endless ensembles would reach %.3f\n", x$budget,
      x$stability, x$best, x$plateau
    ),
    plateau = sprintf(
      "with no ensemble of this model: endless ones choose %d of %d useful features at random%s\n",
      x$n_target, x$n_useful, sprintf(", %.3f", x$plateau)
    )
  )
  if (x$reason != "plateau") {
    return(told)
  }
  c(
    told, if (is.na(x$n_target_needed)) {
      "no number of selected features up to the useful ones is enough\n"
    } else {
      sprintf("select %d features for that, if they are as useful\n", x$n_target_needed)
    },
    "ensembles of selectors with favourites can do better: see diagnose_estimate()\n"
  )
}

describe_regrouped_plan <- function(x) {
  members <- sprintf("%d member%s", x$best, if (x$best == 1L) "" else "s")
  tried <- x$regrouped$n_weak[x$regrouped$n_weak < x$best]
  c(
    switch(x$reason,
      reached = sprintf(
        "%s: %.3f, the real runs regrouped%s\n", members, x$stability,
        if (length(tried) > 0L) sprintf(" (%d: not enough)", max(tried)) else ""
      ),
      budget = sprintf(
        "not with %d members: %.3f at %d, the real runs regrouped\n", x$budget, x$stability, x$best
      ),
      unknown = sprintf(
        "perhaps: %.3f with %s, the real runs regrouped; more runs would tell\n", x$stability,
        members
      )
    ),
    sprintf(
      "the model, with a plateau of %.3f, does not fit: see diagnose_estimate()\n", x$plateau
    )
  )
}

#' @rdname plan_ensemble
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_plan <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$table
}
