#' Trade-off between accuracy and stability: search over settings
#'
#' Runs many settings of a feature selection on the same resamples. For each setting, it records a
#' measure of out-of-bag predictions (by default the accuracy) and every stability index.
#' [pareto_front()] of the result shows which combinations of accuracy and stability are attainable;
#' `selected()` picks one setting.
#'
#' @inheritParams select_ensemble
#' @param y (n values) outcome: classes, numbers, or right-censored survival times
#'   (`survival::Surv(time, event)`); two classes for `"hybrid_rfe"`.
#' @param grid (named list, or data frame, or `NULL`) values of the settings: all combinations of a
#'   list's vectors (which may be lists), or the rows of the data frame. With `n_random`, elements
#'   may be functions of n that draw n values, for example `function(n) 10^runif(n, -2, 2)`. `NULL`,
#'   for `"hybrid_rfe"`: `n_stable` at none, a quarter, a half, three quarters and all of
#'   `n_features`, each with a `lambda_final` of 0.3, 3 and 30.
#' @param method (`"hybrid_rfe"`, or function) the method whose parameters are varied. A function
#'   takes the settings by name and returns a list with `selector` (`stabilect_selector`), `learner`
#'   (`stabilect_learner`) and `n_features` (number of the selector's best features for the learner;
#'   absent or `NULL` for the selector's own sets).
#' @param n_random (whole number >= 1, or `NULL`) number of settings to draw at random: each element
#'   of a list by itself, or rows of a data frame without replacement. `NULL` runs all.
#' @param index (character) stability indices, see [list_available()]; `"all"` for every
#'   index that these runs allow.
#' @param metric (string, or `NULL`) measure of predictions, see [measure_predictions()]. `NULL`:
#'   accuracy for classes, `"r_squared"` for numbers, `"concordance"` for survival times.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`) the resamples, the same for
#'   all settings.
#' @param control (`stabilect_run_control`) threads, progress and checkpoint, see [run_control()].
#'   `until` does not apply: all settings are compared on the same runs, and none stops early.
#' @param ... settings common to all, by name: arguments of [hybrid_rfe()] or of the function; and
#'   settings of [run_control()], for example `n_threads = 2`.
#'
#' @details
#' The metric is computed from the out-of-bag samples of a run, by its model, and averaged over the
#' runs where it is defined; its standard error is over runs. Standard errors of the indices are
#' jackknife estimates over runs, as in [stability()].
#'
#' **Importance**, for `"phi_iw"` and `"phi_pears"`, belongs to the run's final model. For
#' `"hybrid_rfe"` and the linear learners it is \eqn{|w_f|} (see [feature_importance()]; for several
#' classes the root of the sum of squares), for others their own importance. If the learner has
#' none, the selector's importance is used; without this, the indices use the size of the scores,
#' and their note says so.
#'
#' **Covariates** stay in every model without a penalty, and scores are adjusted for them. This
#' needs a function as `method`, whose selectors and learners can adjust; hybrid-RFE cannot.
#'
#' Settings that cannot be run, for example `n_stable` above `n_features`, stay in the table with
#' the reason in `status`.
#' @return An object of class `stabilect_tradeoff`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per setting) `config`, the settings, `status`, the metric
#'   under its name (`accuracy`) and its standard error (`accuracy_se`), the same for each index,
#'   `n_selected` (mean over runs), `n_failed` (runs); `NA` if `status` is not `"ok"`.}
#'   \item{scores}{(numeric matrix, B x settings) the metric of each run; `NA` if it failed.}
#'   \item{selections}{(list of `stabilect_selection`, `NULL` for settings that failed) the selected
#'   features.}
#'   \item{index}{(character) the indices.}
#'   \item{notes}{(character) notes of the indices, each once.}
#'   \item{resamples}{(`stabilect_resamples`) the same for all settings.}
#'   \item{asked}{(list) `method` (`"hybrid_rfe"` or `"custom"`), `settings` (names of the
#'   settings in the grid), `fixed` (list, `...`), `n_random`, `index`, `metric`: the arguments.}
#'   \item{study,made}{(lists) about the data and the runs, see [results]; `made$n_failed` settings
#'   could not be run.}
#' }
#' `summary()` gives a data frame with a row for each index: `index`, `size` (settings on its
#' front), `balanced` (the setting for `gamma = 0.5`) and `knee` (the setting at the knee, or `NA`).
#' @section Errors:
#' Class `stabilect_error_input` for a grid that does not fit, unknown indices, and a metric that
#' does not suit the outcome or the learner (in `status`); `stabilect_error_runs` if no setting
#' succeeded.
#' @references Hamer V, Dupont P (2021). An importance weighted feature selection stability measure.
#'   *Journal of Machine Learning Research* 22(116), 1-57.
#' @family trade-off
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' tuned <- tune_tradeoff(
#'   x, mcl_sll$MCL, list(n_stable = c(0, 3, 6), lambda_final = c(1, 30)), n_features = 6,
#'   resampling = resample_bootstrap(12), seed = 1
#' )
#' tuned
#' front <- pareto_front(tuned, index = "phi_iw")
#' selected(front, gamma = 0.5)
#' pareto_front(tuned, reference = c(0, 0), n_boot = 100, seed = 1)$volume
#' @order 1
#' @export
tune_tradeoff <- function(x, y, grid = NULL, method = "hybrid_rfe", n_random = NULL,
                          index = c("nogueira", "phi_pears", "phi_iw"), metric = NULL,
                          resampling = resample_bootstrap(30), covariates = NULL,
                          control = run_control(), ..., seed = NULL, data = NULL) {
  check_given(except = "y")
  dots <- list(...)
  of_run <- names(dots) %in% names(formals(run_control))
  control <- read_dots(dots[of_run], control, unused = c(
    until = "All settings are compared on the same runs, and none stops early."
  ))$control
  fixed <- check_fixed(dots[!of_run])
  runner <- tradeoff_runner(method, fixed)
  study <- open_study(x, y, runner$takes, runner$what, covariates = covariates)
  if (!is.null(study$response$covariates)) runner$hold()
  check_index_names(index)
  metrics <- choosing_metrics(study$response$type)
  metric <- if (is.null(metric)) metrics[1] else check_choice(metric, metrics)
  seed <- check_seed(seed)
  seeds <- child_seeds(seed, 2L)
  n_random <- check_count(n_random, null_ok = TRUE)
  if (is.null(grid)) grid <- runner$grid(fixed, study$p)
  configs <- draw_configs(grid, n_random, seeds[1])
  check_config_names(names(configs), runner, names(fixed), metric)
  draws <- study_draws(study, resampling, seed)
  asked <- list(
    method = if (is.function(method)) "custom" else method, settings = names(configs),
    fixed = fixed, n_random = n_random, index = index, metric = metric
  )
  hash <- hash_study(study)
  results <- run_configs(study, runner, configs, draws, asked, seeds[2], control, list(
    data = hash, settings = list(
      method, as.list(configs), fixed, index, metric, study$response$covariates
    )
  ))
  new_tradeoff(configs, results, draws, asked, study_record(study, hash), seed)
}
register_verb("tune_tradeoff", place = 14, without = "count")

# Every setting is one task, and the runs of a setting stay together.
# @param asked list(index, metric, ...).
run_configs <- function(study, runner, configs, draws, asked, seed, control, identity) {
  quiet <- check_run(control$n_threads, FALSE)
  task <- with_data(function(k) {
    run_config(runner, config_values(configs, k), study, draws, asked, seed, quiet)
  }, runner = runner, configs = configs, study = study, draws = draws, asked = asked, seed = seed,
  quiet = quiet)
  run_tasks(
    nrow(configs), task, control, "Trade-off", identity, draws$seed, draws$fingerprint
  )
}

# One setting on all resamples. An input error of a setting is recorded and does not end the search.
run_config <- function(runner, values, study, draws, asked, seed, control) {
  tryCatch(
    {
      procedure <- runner$procedure(values, study, asked$metric, seed)
      result <- carry_out(procedure, study, draws, control)
      ok <- sum(result$selection$status == "ok")
      if (ok < 2L) {
        list(status = sprintf("only %d run%s succeeded", ok, if (ok == 1L) "" else "s"))
      } else {
        c(result, index_columns(result$selection, asked$index, seed), list(status = "ok"))
      }
    },
    stabilect_error = function(e) {
      list(status = sub("\n.*", "", cli::ansi_strip(conditionMessage(e))))
    }
  )
}

# Estimates of the indices and their jackknife standard errors.
index_columns <- function(selection, index, seed) {
  values <- index_values(selection, index, seed = seed)
  notes <- vapply(values, `[[`, "", "note")
  list(
    stability = vapply(values, `[[`, 0, "estimate"),
    stability_se = vapply(values, function(value) {
      sqrt(jackknife_variance(value$loo, value$mc_se))
    }, 0),
    notes = sprintf("%s: %s", names(notes), notes)[nzchar(notes)]
  )
}

new_tradeoff <- function(configs, results, draws, asked, record, seed) {
  status <- vapply(results, `[[`, "", "status")
  fine <- which(status == "ok")
  refuse(length(fine) == 0L,
    c("None of the {length(status)} setting{?s} could be run.", x = "{unique(status)[1]}"),
      class = "runs"
  )
  index <- unique(unlist(lapply(results[fine], function(one) names(one$stability))))
  scores <- matrix(NA_real_, draws$n_runs, length(results))
  for (i in fine) scores[, i] <- results[[i]]$scores
  new_result(
    "stabilect_tradeoff", tradeoff_table(configs, results, scores, asked$metric, index, status),
    scores = scores, selections = lapply(results, `[[`, "selection"), index = index,
    notes = unique(unlist(lapply(results, `[[`, "notes"))), resamples = draws, asked = asked,
    study = record,
    made = list(
      seed = seed, n_runs = draws$n_runs, n_failed = length(status) - length(fine)
    )
  )
}

tradeoff_table <- function(configs, results, scores, metric, index, status) {
  column <- function(field, name) {
    vapply(results, function(one) as.double(c(one[[field]][name], NA)[1]), 0)
  }
  stabilities <- lapply(index, function(name) {
    stats::setNames(
      data.frame(column("stability", name), column("stability_se", name)),
      c(name, paste0(name, "_se"))
    )
  })
  of_runs <- function(fun) {
    vapply(results, function(one) {
      if (is.null(one$selection)) NA_real_ else as.double(fun(one$selection))
    }, 0)
  }
  known <- colSums(!is.na(scores))
  means <- colMeans(scores, na.rm = TRUE)
  means[known == 0] <- NA_real_
  errors <- apply(scores, 2L, stats::sd, na.rm = TRUE) / sqrt(known)
  data.frame(
    config = seq_along(results), configs_as_text(configs), status = status,
    stats::setNames(data.frame(means, errors), c(metric, paste0(metric, "_se"))), stabilities,
    n_selected = of_runs(function(one) mean(Matrix::colSums(one$selected)[ok_runs(one)])),
    n_failed = of_runs(function(one) one$n_runs - length(ok_runs(one))), check.names = FALSE
  )
}
