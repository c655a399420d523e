#' Stability of simulated ensembles
#'
#' Computes the stability of an ensemble whose members are simulated selectors, the model of Onda et
#' al. Each member draws `n_features` preferred features from a pool of `n_useful` useful ones. It
#' then picks one of these with probability `p` and any other feature otherwise, until all features
#' are ranked.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param n_total (whole number) number of features in the data.
#' @param n_features (whole number) number of features to select.
#' @param n_useful (whole numbers from `n_features` to `n_total`) size of the pool of useful
#'   features, S' in Onda et al.
#' @param p (numbers in \[0, 1\]) probability of a pick from the preferred features. With several
#'   values of `n_useful` or `p`, all combinations are simulated.
#' @param n_weak (whole numbers >= 1) members of the ensembles; 1 is the single selector.
#' @param n_simulations (whole number >= 5) ensembles simulated for each combination.
#' @param method (string) computation of the stability, see Details; `"auto"` takes `"exact"` where
#'   possible, else `"simulate"`.
#' @param aggregation (`stabilect_aggregation`) rule that makes one ranking from the members', for
#'   example `aggregate_by("mean_rank")`.
#' @param index (string) a stability index, see [list_available()].
#' @param preference (number >= 0) with 0, useful features are equally likely to be preferred, as in
#'   Onda et al. Otherwise their weights fall geometrically from 1 to exp(-`preference`), see
#'   [anova()][anova.stabilect_estimate].
#' @param corrected (flag) correct the index for chance? See [stability()].
#'
#' @details
#' All useful features are alike, and so are all others. Only H, the number of useful features among
#' the selected ones, must be simulated. Given H in two selections, their overlap is the sum of two
#' hypergeometric numbers.
#'
#' * `"exact"`: for one member H is a binomial number plus a hypergeometric one, and the answer is a
#'   finite sum, without simulation. Ensembles have no closed form; they are computed by
#'   `"rao_blackwell"`. The column `engine` shows the engine used.
#' * `"rao_blackwell"`: H is simulated, and the index is averaged exactly over the overlap given H:
#'   the same mean as plain simulation, with less variance. It works for any aggregation rule that
#'   selects `n_features` features and treats all features alike.
#' * `"asymptotic"`: H by a normal approximation of the rank sums with their exact moments; nothing
#'   is simulated. It is for mean ranks and two or more members (a single member is exact). From 10
#'   members on it is within 3 % of simulated values (`tests/testthat/test-simulate-selector.R`);
#'   for fewer it is off by up to 25 %, in either direction.
#' * `"simulate"`: Algorithms 2 and 3 of Onda et al. unchanged, and the index of the simulated sets;
#'   for any rule and any index that needs no more than sets and ranks.
#'
#' The first three are for indices that depend only on the overlap and the sizes: Jaccard, Dice,
#' Ochiai, Hamming, POG, Kuncheva, Nogueira, other means over pairs, and CW.
#'
#' An ensemble of 10 has the first ten members of an ensemble of 20, and all combinations share
#' their random numbers. The score of a feature in a member is `n_total` + 1 minus its rank, for
#' rules that read scores. Ties are broken as in [aggregate()][aggregate.stabilect_selection], then
#' at random.
#' @return An object of class `stabilect_simulation`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per combination) `n_useful`, `p`, `n_weak`, `stability` (mean
#'   of the index over pairs of ensembles), `se` (its Monte Carlo standard error, 0 if exact or
#'   asymptotic), `sd` (standard deviation of the index of two ensembles; `NA` for indices of all
#'   sets together), `overlap` (mean number of features shared by two ensembles), `useful` (mean of
#'   H), `method` (the one used).}
#'   \item{asked}{(list) the arguments, with the chosen `method`.}
#'   \item{made}{(list) `seed`; `NA` if nothing was drawn.}
#' }
#' `as.data.frame()` gives `table`; `summary()` gives a list that prints it and
#' `plateaus` (the stability of ensembles of unlimited size).
#' @section Errors:
#' Class `stabilect_error_input` for sizes other than `n_features` <= `n_useful` <= `n_total`, and
#' a `method` that the rule, the index or the `preference` does not allow.
#' @references Onda R, Gao Z, Kotera M, Oono K (2021). Fast estimation method for the stability of
#'   ensemble feature selectors. *arXiv* 2108.01485. Sections 2.2, 2.3.
#' @family estimation
#' @concept simulated selector
#' @concept simulated feature selector
#' @examples
#' simulate_stability(2000, 20, 60, p = 0.7, n_weak = 1)
#' simulate_stability(
#'   500, 10, 30, p = c(0.5, 0.9), n_weak = c(1, 10, 30), n_simulations = 50, seed = 1
#' )
#' @order 1
#' @export
simulate_stability <- function(n_total, n_features, n_useful, p,
                               n_weak = c(1, 5, 10, 20, 30, 50, 100), n_simulations = 200,
                               method = c(
                                 "auto", "exact", "rao_blackwell", "simulate", "asymptotic"
                               ),
                               aggregation = aggregate_by("mean_rank"), index = "jaccard",
                               preference = 0, corrected = FALSE, seed = NULL,
                               n_threads = getOption("stabilect.n_threads", 1),
                               progress = interactive()) {
  check_given()
  model <- check_urn(n_total, n_features, n_useful, p)
  model$preference <- check_number(preference, min = 0, max = 500)
  settings <- list(
    n_weak = check_numbers(n_weak),
    n_simulations = check_count(n_simulations, min = 5),
    method = check_choice(method, simulation_engines),
    corrected = check_flag(corrected),
    n_threads = check_threads(n_threads), progress = check_flag(progress)
  )
  check_aggregation(aggregation, "aggregation")
  check_simulated_index(index)
  value <- overlap_values(index, model$n_total, model$n_features, settings$corrected)
  settings$method <- choose_engine(settings$method, value, model, aggregation, index)
  settings$seed <- if (draws_numbers(settings) || !is.null(seed)) check_seed(seed) else NA_integer_
  table <- with_memory(
    simulation_table(model, settings, aggregation, index, value), 8 * model$n_total,
    sprintf("a simulated ranking of %s", count_of(model$n_total, "feature"))
  )
  rownames(table) <- NULL
  asked <- c(
    model, settings[c("n_weak", "n_simulations", "method")],
    list(aggregation = aggregation, index = index, corrected = corrected)
  )
  new_result(
    "stabilect_simulation", table, asked = asked, study = NULL, made = list(seed = settings$seed)
  )
}

simulation_engines <- c("auto", "exact", "rao_blackwell", "simulate", "asymptotic")

# "auto": exact where possible, else simulated.
choose_engine <- function(engine, value, model, aggregation, index) {
  if (engine == "auto") {
    possible <- !is.null(value) && model$preference == 0 && !free_size(aggregation)
    return(if (possible) "exact" else "simulate")
  }
  check_simulation_engine(engine, value, model, aggregation, index)
  engine
}

# Exact sums and the normal approximation need no random numbers.
draws_numbers <- function(settings) {
  switch(settings$method,
    simulate = , rao_blackwell = TRUE,
    exact = any(settings$n_weak > 1L),
    asymptotic = FALSE
  )
}

check_urn <- function(n_total, n_features, n_useful, p) {
  n_total <- check_count(n_total)
  n_features <- check_count(n_features, max = n_total)
  list(
    n_total = n_total, n_features = n_features,
    n_useful = check_numbers(n_useful, min = n_features, max = n_total, sorted = FALSE),
    p = check_probabilities(p, "p")
  )
}

# Distinct whole numbers, ascending by default.
check_numbers <- function(x, min = 1, max = 1e5, sorted = TRUE, name = rlang::caller_arg(x)) {
  refuse(!is.numeric(x) || is.object(x) || length(x) == 0L,
    "{.arg {name}} must hold whole numbers from {min} to {max}, not {describe_value(x)}."
  )
  x <- unique(vapply(x, check_count, 1L, name = name, min = min, max = max))
  if (sorted) sort(x) else x
}

check_probabilities <- function(p, name) {
  refuse(!is.numeric(p) || is.object(p) || length(p) == 0L,
    "{.arg {name}} must hold numbers from 0 to 1, not {describe_value(p)}."
  )
  unique(vapply(p, check_number, 0, name = name, min = 0, max = 1))
}

# A rule with a cutoff determines the number of selected features.
free_size <- function(aggregation) !is.null(aggregation$params$cutoff)

check_simulation_engine <- function(engine, value, model, aggregation, index) {
  if (engine == "simulate") {
    return(invisible())
  }
  why <- if (is.null(value)) {
    "for indices that depend on the overlap of two sets and their sizes, and {.val {index}} does
     not"
  } else if (model$preference > 0) {
    "for useful features that are all alike, {.code preference = 0}"
  } else if (free_size(aggregation)) {
    "for rules that select {.arg n_features} features"
  } else if (engine == "asymptotic" && !is_plain_mean_rank(aggregation)) {
    "for {.code aggregate_by(\"mean_rank\")} without weights"
  }
  refuse(!is.null(why), c(paste0("{.code method = \"{engine}\"} is ", why, "."),
    i = "Take {.code method = \"simulate\"}."
  ))
}
