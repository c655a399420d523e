#' Alternative lists: is this list the only one?
#'
#' Takes the features of a list away and repeats the whole procedure on the others, again and again.
#' Each step gives a list that shares no feature with the lists before, and its honest error. Each
#' feature of the first list is also taken away alone, which shows what has no substitute.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param object (as in [evaluate_replication()]) the procedure.
#' @param x,y (as in the call of `object`) the data.
#' @param n_features (whole number >= 1, or `NULL`) number of best features that each step takes
#'   away; `NULL` takes the list of the procedure.
#' @param clusters (`stabilect_clusters` from [cluster_features()], or `NULL`) with a feature, its
#'   whole cluster is taken away.
#' @param max_steps (whole number >= 1) number of lists after which the search stops. It also stops
#'   when fewer than two features are left, or none is selected.
#' @param conf_level (number in (0, 1)) confidence level of the comparison with the first list.
#' @details
#' **Error.** If the procedure has an out-of-bag error, as [fealect()], it is the error of each
#' step. For others ten folds choose the list anew, and a ridge regression predicts the samples left
#' out, as in [test_signature()]. Either way the samples predicted did not choose their features.
#'
#' **As good.** The difference d between the error of a step and of the first list comes with a
#' standard error s from the jackknife over at most 50 groups of samples (or blocks) in both
#' predictions. Out-of-bag predictions depend on each other; as in [fealect()] the variance is
#' doubled. A list is as good if \eqn{d \le z \sqrt 2 s}, with the one-sided normal quantile z, and
#' if it errs less than without features. With few samples a much worse list can also pass: look at
#' `difference`.
#'
#' A feature has no substitute if \eqn{d > z \sqrt 2 s} when it is taken away alone. Its
#' `substitute` is the best new feature of that list.
#' @return An object of class `stabilect_alternatives`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per step) `step`, `n_left` (features left for the procedure),
#'   `n_features` (of the list), `error`, `difference` (to the first list), `limit`
#'   (\eqn{z \sqrt 2 s}), `as_good` (flag), `list` (string: its five best features).}
#'   \item{alone}{(data frame, one row per feature of the first list, at most 10) `feature`,
#'   `error`, `difference`, `limit` (without the feature), `has_substitute` (flag), `substitute`
#'   (string, or `NA`).}
#'   \item{lists}{(list of character) the list of each step.}
#'   \item{features}{(character) the first list.}
#'   \item{measure,baseline}{(string, number) kind of the error, and its value without features.}
#'   \item{asked}{(list) the arguments.}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for other data than in `object`, clusters of other features, and
#' custom resamples. `stabilect_error_runs` if the procedure selects no feature of all.
#' @family evidence
#' @examples
#' data <- simulate_data("NC100", n = 40, n_total = 100, seed = 1)
#' fit <- fealect(data$x, data$y, n_runs = 20, seed = 1)
#' alternative_lists(fit, data$x, data$y, n_features = 5, max_steps = 3, seed = 1)
#' @export
alternative_lists <- function(object, x, y, n_features = NULL, clusters = NULL, max_steps = 10,
                              conf_level = 0.95, seed = NULL,
                              n_threads = getOption("stabilect.n_threads", 1),
                              progress = interactive(), data = NULL) {
  check_given(except = "y")
  about <- question(
    x, y, object, "alternative_lists", "a search for alternative lists", n_threads, progress, seed
  )
  study <- about$study
  asked <- list(
    n_features = check_count(n_features, max = study$p, null_ok = TRUE),
    clusters = clusters_of_features(clusters, study$feature_names),
    max_steps = check_count(max_steps), conf_level = check_fraction(conf_level, open_right = TRUE)
  )
  report <- progress_reporter(about$control$progress, "Lists")
  told <- function(done, first) {
    total <- asked$max_steps + min(length(first$list), at_most_alone)
    if (!is.null(report)) report(min(done, total), total)
  }
  steps <- take_away(about, asked, told)
  alone <- take_each(about, asked, steps[[1]], told)
  told(Inf, steps[[1]])
  blocks <- first_blocks(study$response$blocks, about$procedure$plan$blocks)
  new_alternatives(steps, alone, asked, about$record, about$seed, blocks)
}
register_verb("alternative_lists", place = 18)

# @return (named factor, p: the cluster of each feature), or NULL.
clusters_of_features <- function(clusters, feature_names) {
  if (is.null(clusters)) {
    return(NULL)
  }
  refuse(!inherits(clusters, "stabilect_clusters"),
    "{.arg clusters} must come from {.fn cluster_features}, not {describe_value(clusters)}."
  )
  membership <- clusters$membership
  refuse(!setequal(names(membership), feature_names),
    "{.arg clusters} were made of other features than {.arg x} has."
  )
  membership
}
