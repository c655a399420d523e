# The honest score of a whole elimination.

#' How well does recursive feature elimination do?
#'
#' Runs [eliminate_features()] on the training part of every outer run and judges its final model on
#' the samples that were left out: of ranking, scaling and the choice of the size they have seen
#' nothing.
#'
#' @param x,y,learner,seed,progress as in [eliminate_features()].
#' @param outer (`stabilect_resampling`, or drawn `stabilect_resamples`) the outer runs.
#'   Blocks of either plan hold for both: no block is split between training and test.
#' @param ... further arguments of [eliminate_features()]: `search`, `metric`, `tie`, `rule`,
#'   `n_threads`.
#' @param resampling (`stabilect_resampling`) of the inner runs. With blocks, it is drawn by those
#'   of the training rows, and the default has at most one fold per block, stratified only when each
#'   block has one class (so has the default of `outer`).
#' @return An object of class `stabilect_elimination_evaluation`, a list with
#' \describe{
#'   \item{table}{(data frame, a row per outer run) `run`, `status`, `n_features`, `n_sizes`,
#'     `n_fits`, `seconds`, and every metric of [measure_predictions()] that the learner allows.}
#'   \item{selection}{(`stabilect_selection`) the features that each outer run chose.}
#'   \item{resamples, learner, seed}{as used.}
#' }
#' `as.data.frame()` gives `table`, `summary()` the mean, standard deviation and standard error of
#' its columns.
#' @section Errors:
#' As for [eliminate_features()]; an error in one run stops all.
#' @family elimination
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' result <- evaluate_elimination(
#'   x, mcl_sll$MCL, outer = resample_folds(3, stratify = TRUE), seed = 1
#' )
#' result
#' stability(result$selection)
#' @export
evaluate_elimination <- function(x, y, learner = learner_svm(),
                         outer = resample_folds(10, stratify = TRUE), ...,
                         resampling = resample_folds(5, stratify = TRUE), seed = NULL,
                         progress = interactive()) {
  input <- read_input(x, y)
  x <- check_x(input$x)
  response <- check_response_for(
    input$y, nrow(x), c("binary", "multiclass"), what = "recursive feature elimination"
  )
  check_learner(learner, "learner")
  seed <- check_seed(seed)
  y <- plain_response(response)
  blocks <- find_blocks(outer, resampling, input$blocks)
  if (!is.null(blocks)) {
    outer <- if (missing(outer)) folds_for(10, y, blocks) else plan_with_blocks(outer, blocks)
  }
  resamples <- rfe_resamples(outer, response, seed)
  inner <- if (is.null(blocks) || !missing(resampling)) plan_with_blocks(resampling, blocks)
  seeds <- child_seeds(seed, resamples$n_runs)
  usable <- which(resamples$status == "ok")
  runs <- map_tasks(length(usable), function(k) {
    count <- resamples$counts[, usable[k]]
    evaluate_rfe_run(x, y, count, learner, inner, blocks, seeds[usable[k]], ...)
  }, "Outer runs", check_flag(progress, "progress"))
  result <- structure(
    list(
      table = evaluation_table(runs, usable, resamples$status),
      selection = evaluation_selection(
        runs, usable, colnames(x), resamples, learner, seed, hash_data(x, response)
      ),
      resamples = resamples, learner = learner, seed = seed
    ),
    class = "stabilect_elimination_evaluation"
  )
  with_input_notes(result, input$notes)
}

# Blocks of the data, of the one plan or of the other.
find_blocks <- function(outer, inner, of_data = NULL) {
  of_plan <- function(plan) {
    if (inherits(plan, "stabilect_resamples")) plan <- plan$plan
    if (inherits(plan, "stabilect_resampling")) plan$blocks
  }
  for (blocks in list(of_data, of_plan(outer), of_plan(inner))) {
    if (!is.null(blocks)) {
      return(check_blocks(blocks))
    }
  }
  NULL
}

# @param inner (stabilect_resampling, or NULL) NULL: the default folds, as the blocks allow.
# @return list(row (data frame), ranking (integer, p), n_features).
evaluate_rfe_run <- function(x, y, count, learner, inner, blocks, seed, ...) {
  rows <- rep(seq_len(nrow(x)), count)
  inner <- if (is.null(inner)) {
    folds_for(5, droplevels(y[rows]), blocks[rows])
  } else {
    plan_for_rows(inner, rows)
  }
  out <- which(count == 0L)
  # Repeated rows would have the same name twice.
  train <- x[rows, , drop = FALSE]
  rownames(train) <- NULL
  elapsed <- system.time(fit <- eliminate_features(
    train, droplevels(y[rows]), learner, ...,
    resampling = inner, refit = TRUE, seed = seed, progress = FALSE
  ), gcFirst = FALSE)[["elapsed"]]
  newx <- x[out, names(fit$ranking)[fit$ranking <= fit$n_features], drop = FALSE]
  values <- function(what) if (!is.null(learner[[what]])) learner[[what]](fit$model, newx)
  measures <- measure_predictions(
    y[out], learner$predict(fit$model, newx), values("probability"), values("decision")
  )
  list(
    row = cbind(
      data.frame(
        n_features = fit$n_features, n_sizes = nrow(fit$sizes), n_fits = fit$n_fits,
        seconds = elapsed
      ),
      as.list(measures)
    ),
    ranking = fit$ranking, n_features = fit$n_features
  )
}

evaluation_table <- function(runs, usable, status) {
  rows <- do.call(rbind, lapply(runs, `[[`, "row"))
  table <- data.frame(run = seq_along(status), status = status)
  cbind(table, rows[match(table$run, usable), , drop = FALSE], row.names = NULL)
}

evaluation_selection <- function(runs, usable, feature_names, resamples, learner, seed,
                                 data_hash) {
  p <- length(feature_names)
  score <- matrix(0, p, resamples$n_runs, dimnames = list(feature_names, NULL))
  selected <- score > 0
  for (k in seq_along(runs)) {
    score[, usable[k]] <- p + 1 - runs[[k]]$ranking
    selected[, usable[k]] <- runs[[k]]$ranking <= runs[[k]]$n_features
  }
  new_selection(
    score, methods::as(general_sparse(selected), "nMatrix"), resamples$status,
    paste("RFE by", learner$label), resamples, seed,
    data_hash = data_hash
  )
}

#' @rdname evaluate_elimination
#' @param object (object of class `stabilect_elimination_evaluation`)
#' @export
summary.stabilect_elimination_evaluation <- function(object, ...) {
  values <- object$table[-(1:2)]
  data.frame(
    measure = names(values), mean = unname(colMeans(values, na.rm = TRUE)),
    sd = unname(vapply(values, stats::sd, 0, na.rm = TRUE)),
    se = unname(vapply(values, standard_error, 0))
  )
}

#' @export
print.stabilect_elimination_evaluation <- function(x, ...) {
  cat(sprintf(
    "<stabilect_elimination_evaluation> %s: %s\n", x$learner$label, format(x$resamples$plan)
  ))
  print_input_notes(x)
  print(summary(x), row.names = FALSE, digits = 3)
  invisible(x)
}

#' @rdname evaluate_elimination
#' @param row.names,optional Not used.
#' @export
# nolint start: object_name_linter, object_length_linter.
as.data.frame.stabilect_elimination_evaluation <- function(
  x, row.names = NULL, optional = FALSE, ...
) {
  # nolint end
  x$table
}
