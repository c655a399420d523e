# Hybrid-RFE as a procedure.

# @param read makes the fit of hybrid_rfe(), or what a trade-off judges.
hybrid_procedure <- function(settings, plan, seed, read = read_hybrid_rfe) {
  new_procedure(
    "hybrid_rfe", settings, plan, hybrid_job, read, takes_of("hybrid_rfe"), seed = seed,
    join = NULL
  )
}

#' @exportS3Method
procedure_of.stabilect_hybrid_rfe <- function(x) { # nolint: object_name_linter.
  hybrid_procedure(hybrid_settings(x$asked, x$study$p), x$resamples$plan, x$made$seed)
}

hybrid_job <- function(study, draws, asked, control) {
  seed <- control$seed
  new_job(
    list(hybrid_work(study, draws, asked, seed, control$n_threads)), "Hybrid-RFE",
    list(list("hybrid-RFE", asked, seed)),
    bind = function(values, draws) bind_hybrid(values[[1]]),
    look = function(runs) {
      list(hybrid_selection(runs, runs$draws, study$feature_names, asked, runs$score))
    }
  )
}

hybrid_work <- function(study, draws, settings, seed, n_threads) {
  x <- study$x
  y <- study$response
  counts <- draws$counts
  seeds <- child_seeds(seed, draws$n_runs)
  with_data(function(index, report) {
    run_hybrid(x, y, counts[, index, drop = FALSE], settings, seeds[index], n_threads, report)
  },
  x = x, y = y, counts = counts, settings = settings, seeds = seeds, n_threads = n_threads)
}

# The elimination on all samples; its seed follows the seeds of the runs.
fit_hybrid <- function(study, n_runs, settings, seed, n_threads) {
  seed <- child_seeds(seed, n_runs + 1L)[n_runs + 1L]
  run <- run_hybrid(
    study$x, study$response, matrix(1L, study$n, 1L), settings, seed, n_threads, NULL
  )
  refuse(run$status != "ok", "The fit to all samples failed: {run$status}.", class = "runs")
  run
}

read_hybrid_rfe <- function(runs, asked, study, record, control) {
  draws <- runs$draws
  last <- fit_hybrid(study, draws$n_runs, asked, control$seed, control$n_threads)
  selection <- hybrid_selection(
    runs, draws, study$feature_names, asked, runs$score, runs$hash
  )
  ok <- selection$status == "ok"
  if (!any(ok)) abort_no_run(selection$status)
  link <- runs$link
  link[draws$counts > 0L | rep(!ok, each = study$n)] <- NA
  spread <- function(feature, value) spread_values(feature, value, ok, study$feature_names)
  model <- hybrid_model(last, study$feature_names)
  frequency_score <- spread(runs$feature, runs$frequency)
  stable <- methods::as(spread(runs$stable, 1 + 0 * runs$stable), "nMatrix")
  made <- run_account(selection, draws, runs$until)
  made$seed <- control$seed
  if (!is.null(study)) record <- know_means(record, study$x[, model$feature, drop = FALSE])
  new_result(
    "stabilect_hybrid_rfe",
    table = hybrid_table(selection, frequency_score, stable, model$feature),
    features = model$feature, model = model, intercept = last$intercept, selection = selection,
    frequency_score = frequency_score, stable = stable,
    accuracy = hybrid_accuracy(link, study$response, draws, selection$status), link = link,
    resamples = draws, asked = asked[names(asked) != "share"], study = record, made = made
  )
}

hybrid_table <- function(selection, frequency_score, stable, features) {
  runs <- ok_runs(selection)
  times <- unname(Matrix::rowSums(selection$selected[, runs, drop = FALSE]))
  # The fit to all samples may select features that no run did.
  chosen <- selection$feature_names %in% features
  table <- data.frame(
    feature = selection$feature_names, frequency = times / length(runs),
    mean_importance = unname(Matrix::rowMeans(selection$importance[, runs, drop = FALSE])),
    frequency_score = unname(Matrix::rowSums(frequency_score[, runs, drop = FALSE])) /
      ifelse(times > 0, times, NA),
    stable = unname(Matrix::rowMeans(stable[, runs, drop = FALSE])),
    selected = chosen
  )[times > 0 | chosen, ]
  table <- table[order_best(table$feature, table$frequency, table$mean_importance), ]
  rownames(table) <- NULL
  table
}

# The model of a run as a table, the largest weight first.
hybrid_model <- function(run, feature_names) {
  at <- order(-abs(run$weight[, 1L]), method = "radix")
  number <- run$feature[at, 1L]
  data.frame(
    feature = feature_names[number], stable = number %in% run$stable,
    weight = run$weight[at, 1L], frequency_score = run$frequency[at, 1L],
    coefficient = run$coefficient[at, 1L]
  )
}
