#' Search the trade-off between accuracy and stability
#'
#' Runs many settings of a feature selection on the same resamples, and records the accuracy out of
#' bag and every stability index of each. [pareto_front()] of the result shows what can be had;
#' [choose_tradeoff()] picks a point.
#'
#' @inheritParams select_ensemble
#' @param y (n values) classes; two for `"hybrid_rfe"`.
#' @param grid (named list, or data frame) values of the settings: all combinations of a list's
#'   vectors (which may be lists), or the rows of the data frame. With `n_random` elements may be
#'   functions of n that draw n values, such as `function(n) 10^runif(n, -2, 2)`.
#' @param method (`"hybrid_rfe"`, or function) what to run. A function takes the settings by name
#'   and returns a list with `selector` (`stabilect_selector`), `learner` (`stabilect_learner`) and
#'   `n_features` (how many of the selector's best features the learner gets; absent or `NULL` for
#'   the selector's own sets).
#' @param n_random (whole number >= 1, or `NULL`) how many settings to draw at random: each element
#'   of a list by itself, or rows of a data frame without replacement. `NULL` runs all.
#' @param index (character) stability indices, see [list_stability_indices()]; `"all"` for every
#'   index that these runs allow.
#' @param resampling (`stabilect_resampling` or `stabilect_resamples`) of which all settings get the
#'   same.
#' @param ... Settings that are the same for all: arguments of [hybrid_rfe()] or of `method`.
#'
#' @details
#' Accuracy is the mean over runs of the share of samples that the run did not draw and that its
#' model gives the right class; its standard error is over runs. Those of the indices are jackknife
#' estimates over runs, as in [stability()].
#'
#' **Importance**, for `"phi_iw"` and `"phi_pears"`, is that of the run's final model: for
#' `"hybrid_rfe"` and the linear learners by \eqn{|w_f|} (see [importance_linear()]; for several
#' classes the root of the sum of squares), for others by their own importance. For a learner
#' without any it is that of the selector; without that, too, these indices take the size of the
#' scores, and their note says so.
#'
#' Settings that cannot be run, such as `n_stable` above `n_features`, stay in the table with the
#' reason in `status`.
#' @return An object of class `stabilect_tradeoff`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per setting) `config`, the settings, `status`, `accuracy`,
#'     `accuracy_se`, each index and its standard error (`_se`), `n_selected` (mean over runs),
#'     `n_failed` (runs); `NA` where `status` is not `"ok"`.}
#'   \item{accuracy}{(numeric matrix, B x settings) of each run; `NA` where it failed.}
#'   \item{selections}{(list of `stabilect_selection`, `NULL` for settings that failed)}
#'   \item{index}{(character) the indices.}
#'   \item{notes}{(character) what the indices had to say, once each.}
#'   \item{resamples, settings}{(`stabilect_resamples`; list with `method`, `parameters`, `fixed`,
#'     `n`, `p`, `seed`)}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for a grid that does not fit the method, unknown indices;
#' `stabilect_error_runs` when no setting succeeded.
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
#' choose_tradeoff(front, gamma = 0.5)
#' hypervolume(tuned, n_boot = 100, seed = 1)
#' @export
tune_tradeoff <- function(x, y, grid, method = "hybrid_rfe", n_random = NULL,
                          index = c("nogueira", "phi_pears", "phi_iw"),
                          resampling = resample_bootstrap(30), ..., seed = NULL, n_threads = 1,
                          progress = interactive()) {
  input <- read_input(x, y)
  x <- check_x(input$x)
  y <- input$y
  check_sample_names(names(y), rownames(x), rlang::current_env())
  fixed <- check_fixed(list(...))
  call <- rlang::current_env()
  hybrid <- identical(method, "hybrid_rfe")
  if (!hybrid) check_tuned_method(method, call)
  runner <- if (hybrid) hybrid_runner(fixed) else custom_runner(method, fixed)
  response <- check_response_for(
    y, nrow(x), if (hybrid) "binary" else c("binary", "multiclass"), call,
    if (hybrid) "hybrid-RFE" else "a search of the trade-off"
  )
  check_has_classes(response)
  n_threads <- check_threads(n_threads)
  progress <- check_flag(progress, "progress")
  check_index_names(index)
  seed <- check_seed(seed)
  seeds <- child_seeds(seed, 2L)
  configs <- draw_configs(grid, check_count(n_random, "n_random", null_ok = TRUE), seeds[1])
  check_config_names(names(configs), runner, names(fixed))
  resampling <- plan_with_blocks(resampling, input$blocks)
  resamples <- resolve_resamples(resampling, plain_response(response), nrow(x), seed)
  task <- with_data(function(i) {
    values <- config_values(configs, i)
    run_config(runner, values, x, response, resamples, index, seed, n_threads)
  }, runner = runner, configs = configs, x = x, response = response, resamples = resamples,
  index = index, seed = seeds[2], n_threads = n_threads)
  results <- map_tasks(nrow(configs), task, "Trade-off", progress)
  result <- new_tradeoff(
    configs, results, resamples,
    list(
      method = if (hybrid) "hybrid_rfe" else "custom", parameters = names(configs), fixed = fixed,
      n = nrow(x), p = ncol(x), seed = seed
    )
  )
  with_input_notes(result, input$notes)
}

# One setting on all resamples. An input error of a setting is an answer, not the end of the search.
run_config <- function(runner, values, x, response, resamples, index, seed, n_threads) {
  tryCatch(
    {
      result <- runner$run(values, x, response, resamples, seed, n_threads)
      ok <- sum(result$selection$status == "ok")
      if (ok < 2L) {
        list(status = sprintf("only %d run%s succeeded", ok, if (ok == 1L) "" else "s"))
      } else {
        c(result, index_columns(result$selection, index, seed), list(status = "ok"))
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

new_tradeoff <- function(configs, results, resamples, settings, call = rlang::caller_env()) {
  status <- vapply(results, `[[`, "", "status")
  fine <- which(status == "ok")
  if (length(fine) == 0L) {
    abort(c("None of the {length(status)} setting{?s} could be run.", x = "{unique(status)[1]}"),
      class = "runs", call = call
    )
  }
  index <- unique(unlist(lapply(results[fine], function(one) names(one$stability))))
  accuracy <- matrix(NA_real_, resamples$n_runs, length(results))
  for (i in fine) accuracy[, i] <- results[[i]]$accuracy
  known <- colSums(!is.na(accuracy))
  column <- function(field, name) {
    vapply(results, function(one) as.double(c(one[[field]][name], NA)[1]), 0)
  }
  stabilities <- lapply(index, function(name) {
    stats::setNames(
      data.frame(column("stability", name), column("stability_se", name)),
      c(name, paste0(name, "_se"))
    )
  })
  selections <- lapply(results, `[[`, "selection")
  of_runs <- function(fun) {
    vapply(selections, function(one) if (is.null(one)) NA_real_ else as.double(fun(one)), 0)
  }
  mean_accuracy <- colMeans(accuracy, na.rm = TRUE)
  mean_accuracy[known == 0] <- NA_real_
  table <- data.frame(
    config = seq_along(results), configs_as_text(configs), status = status,
    accuracy = mean_accuracy,
    accuracy_se = apply(accuracy, 2L, stats::sd, na.rm = TRUE) / sqrt(known), stabilities,
    n_selected = of_runs(function(one) mean(Matrix::colSums(one$selected)[ok_runs(one)])),
    n_failed = of_runs(function(one) one$n_runs - length(ok_runs(one))), check.names = FALSE
  )
  structure(
    list(
      table = table, accuracy = accuracy, selections = selections, index = index,
      notes = unique(unlist(lapply(results, `[[`, "notes"))), resamples = resamples,
      settings = settings
    ),
    class = "stabilect_tradeoff"
  )
}
