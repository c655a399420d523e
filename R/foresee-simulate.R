#' Stability of simulated ensembles
#'
#' How stable an ensemble of selectors would be if its members were the simulated selector of Onda
#' et al.: each member prefers `n_target` features, drawn anew from a pool of `n_useful`, and picks
#' one of these with probability `p` and any other feature otherwise, until all are ranked.
#'
#' @param n_features (whole number) features in the data.
#' @param n_target (whole number) features to select.
#' @param n_useful (whole numbers from `n_target` to `n_features`) size of the pool of useful
#'   features, S' in the paper.
#' @param p (numbers in \[0, 1\]) probability of a pick from the preferred features. With several
#'   values of `n_useful` or `p`, all combinations are done.
#' @param n_weak (whole numbers >= 1) members of the ensembles; 1 is the single selector.
#' @param n_runs (whole number >= 5) ensembles simulated for each combination.
#' @param method (string) see details.
#' @param aggregation (`stabilect_aggregation`) how the members' rankings become one, such as
#'   [aggregate_rank("mean")].
#' @param index (string) a stability index, see [list_stability_indices()].
#' @param preference (number >= 0) 0: useful features are equally likely to be preferred, as in the
#'   paper. Otherwise the weights with which they are drawn fall geometrically, from 1 to
#'   exp(-`preference`), see [diagnose_estimate()].
#' @param correct_for_chance (flag) of the index, see [stability()].
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) `NULL` takes one integer from R's
#'   generator.
#' @param n_threads (whole number >= 1) threads; the result is the same for any number.
#' @param progress (flag) show a progress bar when it takes long?
#'
#' @details
#' All useful features are alike, and so are all others. So only H, the number of useful features
#' among the selected, is left to chance: given its value in two selections, their overlap is the
#' sum of two hypergeometric numbers.
#'
#' * `"exact"`: for one member H is a binomial number plus a hypergeometric one, and the answer is a
#'   finite sum, without simulation. For ensembles there is no closed form; they are done as with
#'   `"rao_blackwell"`. The column `method` says what was done.
#' * `"rao_blackwell"`: H is simulated, and the index averaged exactly over the overlap given H: the
#'   same mean as plain simulation, with less variance. For any aggregation rule that selects
#'   `n_target` features and treats all alike.
#' * `"asymptotic"`: H by a normal approximation of the rank sums with the exact moments of the
#'   urns, nothing is simulated; for mean ranks and two members or more (one is exact). Good from
#'   about 10 members on: it understates the stability of fewer.
#' * `"simulate"`: Algorithms 2 and 3 of the paper as they are, and the index of the simulated sets;
#'   for any rule and any index that needs no more than sets and ranks.
#'
#' The first three are for indices that depend on the overlap and the sizes: Jaccard, Dice, Ochiai,
#' Hamming, POG, Kuncheva, Nogueira and others that are means over pairs, and CW.
#'
#' An ensemble of 10 has the first ten members of one of 20, and all combinations share their random
#' numbers. A member scores features with `n_features` + 1 minus their rank, for rules that read
#' scores. Ties are broken as in [aggregate_runs()], then at random.
#' @return An object of class `stabilect_simulation`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per combination) `n_useful`, `p`, `n_weak`, `stability` (mean
#'     of the index over pairs of ensembles), `se` (its Monte Carlo standard error, 0 when exact or
#'     asymptotic), `sd` (standard deviation of the index of two ensembles; `NA` for indices of all
#'     sets together), `overlap` (mean number of features that two ensembles share), `useful` (mean
#'     of H), `method`.}
#'   \item{n_features, n_target, n_runs, preference, index, aggregation, seed}{as given.}
#' }
#' `as.data.frame()` gives `table`; `summary()` adds the stability of endless ensembles.
#' @section Errors:
#' Class `stabilect_error_input`: sizes other than `n_target` <= `n_useful` <= `n_features`,
#' a `method` that the rule, the index or the `preference` does not allow.
#' @references Onda R, Gao Z, Kotera M, Oono K. Fast estimation method for the stability of ensemble
#'   feature selectors. Sections 2.2, 2.3.
#' @family estimation
#' @examples
#' simulate_stability(2000, 20, 60, p = 0.7, n_weak = 1)
#' simulate_stability(500, 10, 30, p = c(0.5, 0.9), n_weak = c(1, 10, 30), n_runs = 50, seed = 1)
#' @export
simulate_stability <- function(n_features, n_target, n_useful, p,
                               n_weak = c(1, 5, 10, 20, 30, 50, 100), n_runs = 200,
                               method = c("exact", "rao_blackwell", "simulate", "asymptotic"),
                               aggregation = aggregate_rank("mean"), index = "jaccard",
                               preference = 0, correct_for_chance = FALSE, seed = NULL,
                               n_threads = 1, progress = interactive()) {
  methods <- c("exact", "rao_blackwell", "simulate", "asymptotic")
  model <- check_urn(n_features, n_target, n_useful, p)
  model$preference <- check_number(preference, "preference", min = 0, max = 500)
  settings <- list(
    n_weak = check_numbers(n_weak, "n_weak"), n_runs = check_count(n_runs, "n_runs", min = 5),
    method = check_choice(method, "method", methods),
    options = index_options(correct = correct_for_chance, n_threads = n_threads, seed = 1L),
    n_threads = check_threads(n_threads), progress = check_flag(progress, "progress")
  )
  check_aggregation(aggregation, "aggregation")
  check_simulated_index(index, settings$options)
  # The plain default gives way where only simulation is possible.
  value <- overlap_values(index, model$n_features, model$n_target, settings$options)
  if (missing(method) && (is.null(value) || model$preference > 0 || free_size(aggregation))) {
    settings$method <- "simulate"
  }
  check_simulation_method(settings$method, value, model, aggregation, index)
  draws <- settings$method == "simulate" || settings$method != "asymptotic" &&
    any(settings$n_weak > 1L | settings$method == "rao_blackwell")
  seed <- if (draws || !is.null(seed)) check_seed(seed) else NA_integer_
  settings$seed <- seed
  table <- simulation_table(model, settings, aggregation, index, value)
  new_simulation(table, model, settings, aggregation, index)
}

new_simulation <- function(table, model, settings, aggregation, index) {
  rownames(table) <- NULL
  structure(
    list(
      table = table, n_features = model$n_features, n_target = model$n_target,
      n_runs = settings$n_runs, preference = model$preference, index = index,
      aggregation = aggregation, correct_for_chance = settings$options$correct,
      seed = settings$seed
    ),
    class = "stabilect_simulation"
  )
}

check_urn <- function(n_features, n_target, n_useful, p, call = rlang::caller_env()) {
  n_features <- check_count(n_features, "n_features", call = call)
  n_target <- check_count(n_target, "n_target", max = n_features, call = call)
  list(
    n_features = n_features, n_target = n_target,
    n_useful = check_numbers(n_useful, "n_useful", n_target, n_features, call, sorted = FALSE),
    p = check_probabilities(p, "p", call)
  )
}

# Distinct whole numbers, ascending unless told otherwise.
check_numbers <- function(x, name, min = 1, max = 1e5, call = rlang::caller_env(), sorted = TRUE) {
  if (!is.numeric(x) || is.object(x) || length(x) == 0L) {
    abort("{.arg {name}} must hold whole numbers from {min} to {max}, not {describe_value(x)}.",
      call = call
    )
  }
  x <- unique(vapply(x, check_count, 1L, name = name, min = min, max = max, call = call))
  if (sorted) sort(x) else x
}

check_probabilities <- function(p, name, call = rlang::caller_env()) {
  if (!is.numeric(p) || is.object(p) || length(p) == 0L) {
    abort("{.arg {name}} must hold numbers from 0 to 1, not {describe_value(p)}.", call = call)
  }
  unique(vapply(p, check_number, 0, name = name, min = 0, max = 1, call = call))
}

# A rule with a threshold selects a number of its own.
free_size <- function(aggregation) !is.null(aggregation$params$cutoff)

check_simulation_method <- function(method, value, model, aggregation, index,
                                    call = rlang::caller_env()) {
  if (method == "simulate") {
    return(invisible())
  }
  why <- if (is.null(value)) {
    "for indices that depend on the overlap of two sets and their sizes, and {.val {index}} does
     not"
  } else if (model$preference > 0) {
    "for useful features that are all alike, {.code preference = 0}"
  } else if (free_size(aggregation)) {
    "for rules that select {.arg n_target} features"
  } else if (method == "asymptotic" && !is_plain_mean_rank(aggregation)) {
    "for {.code aggregate_rank(\"mean\")} without weights"
  }
  if (!is.null(why)) {
    abort(c(paste0("{.code method = \"{method}\"} is ", why, "."),
      i = "Take {.code method = \"simulate\"}."
    ), call = call)
  }
}
