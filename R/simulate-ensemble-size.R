#' Ensemble size for a target stability
#'
#' Finds the smallest ensemble with a target stability, or the reason why there is none, and how
#' many features to select instead.
#'
#' @inheritParams run_control
#' @param target_stability (number) target.
#' @param estimate (`stabilect_estimate`, or `NULL`) result of [estimate_stability()]; otherwise
#'   give `n_total`, `n_features`, `n_useful` and `p`.
#' @param budget (whole number >= 1) largest number of members.
#' @param n_total,n_features,n_useful,p,aggregation,n_simulations as in [simulate_stability()].
#' @param index,corrected as in [simulate_stability()].
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) seed of the simulations; `NULL` takes
#'   the seed of the estimate, or one integer from R's generator.
#'
#' @details
#' Ensembles are simulated on a grid of sizes up to the budget. Then every size between the last
#' that is too small and the first that is large enough is simulated. A single selector may be more
#' stable than small ensembles, in which the chance choices of few members do not yet cancel out.
#'
#' The attainable stability depends on `n_features` / `n_useful`: even an ensemble of unlimited size
#' chooses `n_features` of the useful features at random. Its stability is the *plateau*. Selecting
#' more of the useful features raises it; with `n_features` = `n_useful`, ensembles of unlimited
#' size agree completely. `n_features_needed` is the smallest number of selected features whose
#' plateau is at least the target, provided that `n_useful` and `p` stay the same.
#'
#' All this assumes the model, in which all useful features are equally likely to be preferred. Real
#' selectors often prefer some of them, and exceed the plateau. The recommendation uses the real
#' runs, regrouped into ensembles (see [estimate_stability()]), in two cases: the runs of the
#' estimate show that the model does not fit (its field `misfit`), or too few useful features were
#' counted to trust it (`withheld`). It is then the smallest of the tried sizes, up to half of the
#' runs; nothing is known beyond them.
#' @return An object of class `stabilect_ensemble_size`, a list with
#' \describe{
#'   \item{n_weak}{(whole number) the smallest size; `NA` if no size within the budget is known to
#'   be sufficient.}
#'   \item{reason}{(string) `"reached"`, `"budget"`, `"plateau"`, or `"unknown"` if neither the
#'   model nor enough runs can decide.}
#'   \item{source}{(string) `"model"`, or `"regrouped"` for the real runs.}
#'   \item{stability, best}{(numbers) `stability`: the stability at that size, or else the best
#'   within the budget; `best`: the size with this stability.}
#'   \item{plateau, n_features_needed}{(numbers) of the model: the stability of ensembles of
#'   unlimited size, and the number of selected features that attains the target, `NA` if no number
#'   up to `n_useful` does.}
#'   \item{misfit, withheld, regrouped}{of the estimate; `NULL` without one.}
#'   \item{table}{(data frame) `n_weak`, `stability`, `se`, of the model.}
#'   \item{asked}{(list) `target_stability`, `budget`, `n_total`, `n_features`, `n_useful`, `p`,
#'   `index`, `aggregation`, `corrected`, `n_simulations`: the arguments, or the values of the
#'   estimate.}
#'   \item{study,made}{(lists) of the estimate, see [results]; `made$seed` belongs to the
#'   simulations.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for parameters that are missing or given beside an estimate.
#' @family estimation
#' @examples
#' estimate_ensemble_size(
#'   0.15, n_total = 500, n_features = 10, n_useful = 30, p = 0.7, n_simulations = 50,
#'   budget = 50, seed = 1
#' )
#' estimate_ensemble_size(
#'   0.5, n_total = 500, n_features = 10, n_useful = 30, p = 0.7, n_simulations = 50,
#'   budget = 50, seed = 1
#' )
#' @export
estimate_ensemble_size <- function(target_stability, estimate = NULL, budget = 1000, n_total = NULL,
                                   n_features = NULL, n_useful = NULL, p = NULL, index = "jaccard",
                                   aggregation = aggregate_by("mean_rank"), corrected = FALSE,
                                   n_simulations = 200, seed = NULL,
                                   n_threads = getOption("stabilect.n_threads", 1),
                                   progress = interactive()) {
  check_given()
  asked <- list(
    target_stability = check_number(target_stability),
    budget = check_count(budget, max = 1e5), n_total = n_total, n_features = n_features,
    n_useful = n_useful, p = p, index = index, aggregation = aggregation,
    corrected = check_flag(corrected), n_simulations = n_simulations
  )
  if (!is.null(estimate)) {
    asked <- ask_estimate(estimate, asked)
    if (is.null(seed)) seed <- estimate$made$seed
  }
  model <- check_urn(asked$n_total, asked$n_features, asked$n_useful, asked$p)
  check_one_pool(model)
  asked[names(model)] <- model
  value <- check_overlap_index(asked$index, model, asked$corrected)
  seed <- check_seed(seed)
  table_of <- function(sizes) {
    simulate_stability(
      model$n_total, model$n_features, model$n_useful, model$p, sizes, asked$n_simulations,
      aggregation = asked$aggregation, index = asked$index,
      corrected = asked$corrected, seed = seed, n_threads = n_threads,
      progress = progress
    )$table[c("n_weak", "stability", "se")]
  }
  plateau <- plateau_value(model$n_useful, model$p, model$n_total, model$n_features, value)
  table <- search_size(table_of, asked$target_stability, asked$budget, plateau)
  plan <- new_plan(table, plateau, asked, estimate$study, seed)
  if (is.null(estimate)) plan else plan_with_runs(plan, estimate)
}

# The arguments; an estimate replaces those that describe the selector.
ask_estimate <- function(estimate, asked) {
  described <- c("n_total", "n_features", "n_useful", "p")
  check_estimate(estimate, asked[described])
  known <- c(
    n_total = estimate$study$p, estimate$asked[c("n_features", "index", "aggregation")],
    estimate$asked["corrected"], estimate[c("n_useful", "p")]
  )
  asked[names(known)] <- known
  asked
}

# Real runs take precedence over a model that does not fit or whose intervals are withheld.
plan_with_runs <- function(plan, estimate) {
  regrouped <- estimate$regrouped
  plan$misfit <- estimate$misfit
  plan$withheld <- estimate$withheld
  plan$regrouped <- regrouped
  regrouped <- regrouped[regrouped$n_weak <= plan$asked$budget, ]
  trusted <- length(plan$misfit) == 0L && !nzchar(plan$withheld)
  if (trusted || nrow(regrouped) == 0L) {
    return(plan)
  }
  enough <- which(regrouped$stability >= plan$asked$target_stability)
  best <- if (length(enough) > 0L) enough[1] else which.max(regrouped$stability)
  plan$source <- "regrouped"
  plan$reason <- if (length(enough) > 0L) {
    "reached"
  } else if (max(estimate$regrouped$n_weak) >= plan$asked$budget) {
    "budget"
  } else {
    "unknown"
  }
  plan$n_weak <- if (length(enough) > 0L) regrouped$n_weak[best] else NA_integer_
  plan$stability <- regrouped$stability[best]
  plan$best <- regrouped$n_weak[best]
  plan
}

# Stabilities on a grid, and at all sizes between the last too small one and the first sufficient
# one.
search_size <- function(table_of, target, budget, plateau) {
  grid <- size_grid(budget)
  table <- table_of(grid[grid <= 100L])
  # Large ensembles take the longest: they are simulated only where they can help.
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
  sort_rows(table, table$n_weak)
}

new_plan <- function(table, plateau, asked, study, seed) {
  target <- asked$target_stability
  enough <- which(table$stability >= target)
  best <- if (length(enough) > 0L) enough[1] else which.max(table$stability)
  reason <- if (length(enough) > 0L) "reached" else if (plateau < target) "plateau" else "budget"
  new_result(
    "stabilect_ensemble_size", table,
    n_weak = if (length(enough) > 0L) table$n_weak[best] else NA_integer_,
    reason = reason, source = "model", stability = table$stability[best],
    best = table$n_weak[best], plateau = plateau, n_features_needed = features_needed(asked),
    asked = asked, study = study, made = list(seed = seed)
  )
}

# The smallest number of selected features whose plateau is the target, by bisection: the plateau
# grows with it.
features_needed <- function(asked) {
  enough <- function(n_features) {
    value <- overlap_values(asked$index, asked$n_total, n_features, asked$corrected)
    if (is.null(value)) {
      return(FALSE)
    }
    plateau <- plateau_value(asked$n_useful, 1, asked$n_total, n_features, value)
    isTRUE(plateau >= asked$target_stability)
  }
  if (!enough(asked$n_useful)) {
    return(NA_integer_)
  }
  low <- 0L
  high <- as.integer(asked$n_useful)
  while (high - low > 1L) {
    middle <- (low + high) %/% 2L
    if (enough(middle)) high <- middle else low <- middle
  }
  high
}

#' @exportS3Method
facts_of.stabilect_ensemble_size <- function(x, n = 10L) {
  asked <- x$asked
  new_facts(
    sprintf(
      "Ensemble for a stability (%s) of %s", asked$index, figure(asked$target_stability, digits = 3)
    ),
    sprintf(
      "%d of %d useful features, p = %.2f", asked$n_features, asked$n_useful, asked$p
    ),
    verdict = list(
      Stability = if (x$source == "model") describe_model_plan(x) else describe_regrouped_plan(x)
    ),
    calls = next_of(x)
  )
}

describe_model_plan <- function(x) {
  told <- switch(x$reason,
    reached = sprintf(
      "%d member%s: %.3f", x$n_weak, if (x$n_weak == 1L) "" else "s", x$stability
    ),
    budget = sprintf(
      "not attained with %d members (best: %.3f with %d); ensembles of unlimited size: %.3f",
      x$asked$budget, x$stability, x$best, x$plateau
    ),
    plateau = sprintf(
      "no size attains it: in the limit, ensembles pick %d of %d useful features at random%s",
      x$asked$n_features, x$asked$n_useful, sprintf(", %.3f", x$plateau)
    )
  )
  if (x$reason != "plateau") {
    return(told)
  }
  c(
    told, if (is.na(x$n_features_needed)) {
      "selecting more features, up to all useful ones, is not enough either"
    } else {
      sprintf("select %d features to attain it, if they are as useful", x$n_features_needed)
    },
    "selectors that prefer some of them can do better: see anova()"
  )
}

describe_regrouped_plan <- function(x) {
  members <- sprintf("%d member%s", x$best, if (x$best == 1L) "" else "s")
  tried <- x$regrouped$n_weak[x$regrouped$n_weak < x$best]
  c(
    switch(x$reason,
      reached = sprintf(
        "%s: %.3f, by the real runs regrouped%s", members, x$stability,
        if (length(tried) > 0L) sprintf(" (%d: not enough)", max(tried)) else ""
      ),
      budget = sprintf(
        "not attained with %d members (best: %.3f with %d), by the real runs regrouped",
        x$asked$budget, x$stability, x$best
      ),
      unknown = sprintf(
        "not known: %.3f with %s, by the real runs regrouped; more runs are needed to tell",
        x$stability, members
      )
    ),
    sprintf(
      "the model, with a plateau of %.3f, %s: see anova()", x$plateau,
      if (length(x$misfit) > 0L) "does not fit" else paste("is not to be trusted:", x$withheld)
    )
  )
}
