#' Runs as an EnsembleFSResult of mlr3fselect
#'
#' Converts the features that the runs selected into an `EnsembleFSResult` of the package
#' mlr3fselect, for its rankings by votes, Pareto fronts and knee points. [as_selection()] is the
#' reverse.
#'
#' @param x (`stabilect_elimination`, or what [as_selection()] takes) the runs; failed runs are left
#'   out. A named list of these is combined, and its names fill the column `learner_id` of the
#'   result; otherwise that column is the name of the learner or selector.
#' @param scores (numeric, one per run, or `NULL`) performance of each run; `NULL` takes the
#'   performance in a result of [eliminate_features()] or [hybrid_rfe()], and `NA` for all others.
#'   Must be `NULL` if `x` is a list.
#' @param metric (string, or `Measure` of mlr3; `NULL`) measure of the scores, for example
#'   `"classif.acc"`. `NULL` takes the metric of [eliminate_features()], if mlr3 has it, else
#'   `"classif.acc"`.
#' @details
#' mlr3 has these metrics: `"accuracy"` (`classif.acc`), `"macro_recall"` and `"balanced_accuracy"`
#' (`classif.bacc`), `"log_loss"` (`classif.logloss`), and for two classes `"auc"` (`classif.auc`).
#'
#' Without scores, use `$feature_ranking(use_weights = FALSE)`; fronts need scores.
#' @return (`EnsembleFSResult`, an R6 object) with one row per run: `resampling_iteration`,
#'   `learner_id`, `features`, `n_features`, the measure, and `importance` if all runs have one.
#' @section Errors:
#' Class `stabilect_error_input` for `scores` of another length, a missing or unknown measure, and
#' results over different features.
#' @family frameworks
#' @examplesIf requireNamespace("mlr3fselect", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, 2:41])
#' fit <- eliminate_features(x, mcl_sll$MCL, learner_svm(), seed = 1)
#' result <- as_ensemble_fs_result(fit)
#' result
#' if (requireNamespace("stabm", quietly = TRUE)) result$stability("jaccard")
#' as_selection(result, feature_names = colnames(x))
#' @export
as_ensemble_fs_result <- function(x, scores = NULL, metric = NULL) {
  check_given()
  for (package in c("mlr3", "mlr3fselect", "data.table")) check_package(package, "conversion")
  many <- is.list(x) && !is.object(x) && !is.null(names(x)) && !all(vapply(x, is.atomic, NA))
  parts <- if (many) {
    refuse(!is.null(scores), "{.arg scores} are for one result, not for a list.")
    Map(fs_part, x, names(x), MoreArgs = list(scores = NULL))
  } else {
    list(fs_part(x, NULL, scores))
  }
  for (i in seq_along(parts)[-1]) {
    check_same_features(parts[[1]]$selection, parts[[i]]$selection, i)
  }
  measure <- fs_measure(metric, unique(unlist(lapply(parts, `[[`, "metric"))))
  tables <- lapply(parts, fs_table, measure_id = measure$id)
  columns <- Reduce(intersect, lapply(tables, names))
  table <- do.call(rbind, lapply(tables, function(one) one[columns]))
  mlr3fselect::EnsembleFSResult$new(
    result = data.table::as.data.table(table), features = parts[[1]]$selection$feature_names,
    measure = measure
  )
}

# One result: its selection, a score per run, the metric (NULL if unknown) and a name.
fs_part <- function(x, learner_id, scores) {
  metric <- NULL
  selection <- as_selection(x)
  known <- rep(NA_real_, selection$n_runs)
  if (inherits(x, "stabilect_elimination")) {
    at <- x$scores[x$scores$size == x$n_features, ]
    known[at$run] <- at$score
    metric <- x$asked$metric
  } else if (inherits(x, "stabilect_hybrid_rfe")) {
    known <- x$accuracy
    metric <- "accuracy"
  }
  if (!is.null(scores)) {
    refuse(!is.numeric(scores) || length(scores) != selection$n_runs,
      "{.arg scores} must be {selection$n_runs} number{?s}, one per run, not
        {describe_value(scores)}."
    )
    known <- as.double(scores)
    metric <- NULL
  }
  if (is.null(learner_id)) {
    learner_id <- if (inherits(x, "stabilect_elimination")) {
      x$asked$learner$name
    } else if (inherits(x, "stabilect_ensemble")) {
      x$runs$selector
    } else {
      selection$method
    }
  }
  list(
    selection = selection, scores = known, metric = metric,
    learner_id = rep_len(learner_id, selection$n_runs)
  )
}

# @param metric what the user gave; known: names of our metrics in the results.
fs_measure <- function(metric, known) {
  if (inherits(metric, "Measure")) {
    return(metric)
  }
  if (is.null(metric)) {
    ids <- c(
      accuracy = "classif.acc", macro_recall = "classif.bacc", balanced_accuracy = "classif.bacc",
      log_loss = "classif.logloss", auc = "classif.auc"
    )
    refuse(length(known) > 1L || !all(known %in% names(ids)),
      c("mlr3 has no measure for {.val {known}}.", i = "Give {.arg scores} and {.arg metric}.")
    )
    metric <- if (is.null(known)) "classif.acc" else ids[[known]]
  }
  available <- mlr3::mlr_measures$keys()
  refuse(!checkmate::test_choice(metric, available),
    "{.arg metric} must be a measure of mlr3 or its name, such as {.val classif.acc}, not
      {describe_value(metric)}."
  )
  mlr3::msr(metric)
}

fs_table <- function(part, measure_id) {
  selection <- part$selection
  runs <- ok_runs(selection)
  named_values <- function(matrix) {
    lapply(runs, function(b) {
      at <- matrix@i[seq_len(matrix@p[b + 1L] - matrix@p[b]) + matrix@p[b]] + 1L
      if (methods::is(matrix, "nMatrix")) {
        return(selection$feature_names[at])
      }
      value <- matrix@x[seq_along(at) + matrix@p[b]]
      sort(stats::setNames(value, selection$feature_names[at]), decreasing = TRUE)
    })
  }
  features <- named_values(selection$selected)
  table <- data.frame(
    resampling_iteration = runs, learner_id = part$learner_id[runs],
    n_features = lengths(features)
  )
  table$features <- features
  table[[measure_id]] <- part$scores[runs]
  if (!is.null(selection$importance)) table$importance <- named_values(selection$importance)
  table
}
