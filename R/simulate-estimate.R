#' Prediction of ensemble stability from a few runs
#'
#' Predicts the stability of ensembles of any size from a few dozen runs of a single selector,
#' without building an ensemble. It uses the simulated selector, a model by Onda et al. (Algorithm
#' 1). In each run a selector prefers some features of a pool of n_useful useful ones, and picks a
#' preferred feature with probability p.
#'
#' @inheritParams arguments
#' @param x (numeric matrix, n samples x p features) data, as in [select_ensemble()]; or a
#'   `stabilect_selection` or `stabilect_ensemble`, whose runs are used: nothing is run.
#' @param y,selector as in [select_ensemble()]; any selector, also from [selector_custom()].
#' @param n_features (whole number >= 1, or `NULL`) number of features to select. For a selection,
#'   `NULL` takes the median size of its runs; a number takes the best features of each run by
#'   score.
#' @param n_weak (whole numbers >= 1) sizes of the ensembles.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`) the samples of the real runs
#'   and of the ensembles' members.
#' @param aggregation,index as in [simulate_stability()].
#' @param estimator (string) method for the number of useful features, see Details.
#' @param n_simulations (whole number >= 5) simulated ensembles of each size.
#' @param n_boot (whole number, at least 20) parametric bootstrap samples.
#' @param control (`stabilect_run_control`) threads, progress, checkpoint and early stopping of the
#'   real runs, see [run_control()].
#' @param ... settings of [run_control()] by name, for example `n_threads = 2`; and `corrected`
#'   (flag), as in [simulate_stability()].
#'
#' @details
#' **What the numbers mean.** The m real runs serve twice. How often each feature was selected gives
#' `n_useful`, the number of useful features; the stability of the runs gives `p`, how strongly a
#' selector prefers them (section F.2 of Onda et al.). From both the model predicts the stability of
#' ensembles. Measuring real ensembles would take as many runs as ensembles times their size.
#'
#' `regrouped` needs no model: the real runs are divided into disjoint groups, each is aggregated,
#' and their stability is averaged. It assumes that the members of an ensemble differ as the runs
#' do. Ensembles whose members all see the same half of the samples, or new data, are less stable.
#' In the package's experiments, regrouped values had a mean error of 0.028, and values of the model
#' of 0.33. The print begins with the regrouped runs; the model follows if it fits. It does not
#' where real runs are more stable than any p allows, regrouped ensembles lie outside the interval,
#' or the deviance of the counts ([anova()][anova.stabilect_estimate]) is too large.
#'
#' **Where the model fails.** In it all useful features are equally likely to be preferred. Even
#' ensembles of unlimited size then choose among them at random, and the stability stops at a
#' plateau. Real selectors prefer some useful features to others, and their ensembles become more
#' stable than that. Real runs also share samples, which the model ignores.
#'
#' **Intervals** describe how much the estimates would vary with another m runs of *this model*, not
#' whether the model is right. They are withheld (`withheld` says why) where the model does not fit,
#' or most useful features were missed. In simulated studies of the model itself, 95 % intervals
#' contained the truth in 82 to 97 % of the studies in which they were given. In two settings where
#' most useful features are missed, they were withheld in every study.
#'
#' **How it is computed.** Features are useful if selected more often than the most frequent of a
#' random selector (section 2.3.1). `estimator` treats their number: `"none"` takes it, as Onda et
#' al.; `"fixed_point"` iterates Equation 1; `"moments"` adds useful features below the threshold.
#' `vignette("how-computed")` has all of it.
#' @return An object of class `stabilect_estimate`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per size) `n_weak`, `stability`, `lower`, `upper` (`NA` if
#'   withheld), `se` (Monte Carlo), `engine` (see [simulate_stability()]), `regrouped` and
#'   `regrouped_se` (real ensembles, see below; `NA` above half of the runs).}
#'   \item{parameters}{(data frame, rows `n_useful` and `p`) `parameter`, `estimate`, `lower`,
#'     `upper`.}
#'   \item{n_useful, p}{the estimates.}
#'   \item{counted}{(list) the count above the threshold: `n_useful` (whole number), `expected`
#'   (before rounding), `sd` (due to the threshold), `threshold` (list with `law`, a data frame of
#'   `threshold` and `probability`, `mean` and `sd`), `counts` (of each feature), `n_runs`,
#'   `n_features`, `n_total`.}
#'   \item{fit}{(list) `p`, `attained` (flag), `range` (lowest and highest stability that n_useful
#'   allows), `stability` (of the model at `p`).}
#'   \item{verified}{(number) A\[f\] of Equation 1 at the estimate.}
#'   \item{real}{(data frame, one row) `n_weak` (1), `stability`, `lower`, `upper`: real runs.}
#'   \item{regrouped}{(data frame, one row per size, up to half of the real runs as the last)
#'   `n_weak`, `stability`, `n_ensembles` (groups of one division), `n_divisions`, `se`; with
#'   `predicted`, `lower`, `upper` of the model.}
#'   \item{misfit}{(character) where model and runs disagree; empty if they agree.}
#'   \item{withheld}{(string) why there are no intervals; `""` if there are.}
#'   \item{plateau}{(number) stability of ensembles of unlimited size.}
#'   \item{enough}{(whole number, or `NA`) smallest size from which ensembles stay within 2 % of the
#'   plateau.}
#'   \item{bootstrap}{(data frame) `n_useful`, `p`, `stability` of each bootstrap sample.}
#'   \item{runs}{(string) origin of the real runs.}
#'   \item{asked}{(list) the arguments, with the final `n_features`.}
#'   \item{study,made}{(lists) about the data and the runs, see [results]; `made$n_runs` real runs
#'   were used, `made$n_failed` others failed.}
#' }
#' `summary()` gives a list that prints `parameters`, `table` and `regrouped` of its field `fit`.
#' @section Errors:
#' Class `stabilect_error_input` for fewer than 3 successful runs, and an index that is no function
#' of the overlap; `stabilect_error_runs` if no run succeeded.
#' @references Onda R, Gao Z, Kotera M, Oono K (2021). Fast estimation method for the stability of
#'   ensemble feature selectors. *arXiv* 2108.01485.
#' @family estimation
#' @concept weak selector
#' @concept t_uniform
#' @concept n_useful
#' @concept fast estimation of stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' estimate <- estimate_stability(
#'   x, mcl_sll$MCL, selector_filter("t"), n_features = 10, n_weak = c(1, 10, 30),
#'   resampling = resample_subsample(30, 0.5), n_simulations = 50, n_boot = 50, seed = 1
#' )
#' estimate
#' estimate_ensemble_size(0.5, estimate)
#' @order 1
#' @export
estimate_stability <- function(x, y, selector, n_features = NULL,
                               n_weak = c(1, 5, 10, 20, 30, 50, 100),
                               resampling = resample_subsample(50, fraction = 0.5),
                               aggregation = aggregate_by("mean_rank"), index = "jaccard",
                               estimator = c("none", "fixed_point", "moments"),
                               n_simulations = 200, n_boot = 200, conf_level = 0.95,
                               control = run_control(), ..., seed = NULL, data = NULL) {
  check_given(except = c("y", "selector"))
  given <- read_dots(list(...), control, own = list(corrected = FALSE))
  seed <- check_seed(seed)
  # All is checked first: errors come before the long runs.
  asked <- list(
    n_weak = check_numbers(n_weak), aggregation = check_aggregation(aggregation, "aggregation"),
    index = index, estimator = check_choice(estimator, c("none", "fixed_point", "moments")),
    n_simulations = check_count(n_simulations, min = 5), n_boot = check_count(n_boot, min = 20),
    conf_level = check_fraction(conf_level, open_right = TRUE),
    corrected = check_flag(given$own$corrected, name = "corrected")
  )
  if (inherits(x, "stabilect_selection") || inherits(x, "stabilect_ensemble")) {
    refuse_data(c(
      y = !missing(y), selector = !missing(selector), resampling = !missing(resampling),
      data = !missing(data)
    ))
    refuse_unused(given, c(checkpoint = "", until = ""))
    return(estimate_of_result(x, n_features, asked, given$control, seed))
  }
  check_one_given(selector, "selector")
  if (is.null(n_features)) abort_absent("n_features")
  check_selector(selector)
  seeds <- child_seeds(seed, 2L)
  real <- select_ensemble(
    x, y, selector, resampling, n_features = check_count(n_features), control = given$control,
    seed = seeds[1]
  )
  estimate <- estimate_of_result(real, n_features, asked, given$control, seeds[2])
  estimate$made$seed <- seed
  estimate
}
register_verb("estimate_stability", place = 9, without = "count")

# @param x a stabilect_selection or a stabilect_ensemble.
estimate_of_result <- function(x, n_features, asked, control, seed) {
  if (inherits(x, "stabilect_selection")) {
    return(estimate_of_runs(x, n_features, asked, control, seed))
  }
  estimate <- estimate_of_runs(x$selection, n_features, asked, control, seed)
  estimate$study[names(x$study)] <- x$study
  estimate
}

estimate_of_runs <- function(x, n_features, asked, control, seed) {
  selection <- selection_of_size(x, n_features)
  data <- index_runs(selection)
  refuse(data$n_runs < 3L,
    "An estimate needs at least 3 successful runs, but there are {data$n_runs}.",
    class = if (data$n_runs == 0L) "runs" else "input"
  )
  asked <- c(list(n_features = max(1L, as.integer(stats::median(data$size)))), asked)
  settings <- c(asked, list(
    method = "exact", n_threads = control$n_threads, progress = control$progress, seed = seed
  ))
  model <- list(n_total = data$n_total, n_features = asked$n_features, preference = 0)
  value <- check_overlap_index(asked$index, model, asked$corrected)
  check_simulation_engine("exact", value, model, asked$aggregation, asked$index)
  real <- stability(
    selection, asked$index, settings$conf_level, corrected = asked$corrected,
    seed = settings$seed
  )$table
  refuse(is.na(real$estimate),
    c("The stability of these runs by {.val {asked$index}} is not defined, so it cannot be
        predicted.",
      x = "{real$note}"
    ),
    class = "runs"
  )
  fit <- fit_urn(data$frequency, data$n_runs, real$estimate, model, value, settings$estimator)
  new_estimate(selection, data, model, fit, real, value, settings, asked)
}

# The runs with n_features features each, if their scores allow it.
selection_of_size <- function(selection, n_features) {
  if (is.null(n_features)) {
    return(selection)
  }
  n_features <- check_count(n_features, max = selection$n_total)
  sizes <- Matrix::colSums(selection$selected)[ok_runs(selection)]
  if (stats::median(sizes) == n_features) {
    return(selection)
  }
  too_few <- stats::median(sizes) < n_features && !is.matrix(selection$score)
  refuse(is.null(selection$score) || too_few,
    "{.arg n_features} is {n_features}, but the runs select {stats::median(sizes)} features."
  )
  selected <- best_of_runs(selection$score, n_features, 1L)
  failed <- setdiff(seq_len(selection$n_runs), ok_runs(selection))
  if (length(failed) > 0L) selected[, failed] <- FALSE
  selection$selected <- methods::as(selected, "nMatrix")
  selection
}
