# The performance of a whole elimination on unseen samples.

#' Honest performance of recursive feature elimination (nested resampling)
#'
#' Runs [eliminate_features()] on the training part of every outer run and judges its final model on
#' the left-out samples. These samples do not influence the ranking, the scaling or the choice of
#' the size.
#'
#' @inheritParams eliminate_features
#' @param outer (`stabilect_resampling`, or drawn `stabilect_resamples`, or `NULL`) the outer runs.
#'   `NULL`: ten folds, or one per block if there are fewer blocks, stratified unless a block has
#'   several classes. Blocks of either plan apply to both plans: no block is split between training
#'   and test.
#' @param resampling (`stabilect_resampling`, or `NULL`) the inner runs. `NULL`: five folds of the
#'   training rows, or fewer if they have fewer blocks, as for `outer`. Inner runs keep the blocks
#'   of the training rows whole. Copies of a sample in a bootstrap form a block and stay together.
#' @param control (`stabilect_run_control`) threads, progress, checkpoint and early stopping of the
#'   outer runs, see [run_control()]. A rule `until` judges the features of the outer runs; it does
#'   not apply to folds.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula like `~ age +
#'   batch`, or `NULL`) covariates, see [eliminate_features()]. `table` then has the column
#'   `<metric>_of_covariates`, the `metric` of the covariates alone.
#' @return An object of class `stabilect_elimination_evaluation`, a list with
#' \describe{
#'   \item{table}{(data frame, a row per outer run) `run`, `status`, `n_features`, `n_sizes`,
#'   `n_fits`, and every metric of [measure_predictions()] that the learner allows.}
#'   \item{selection}{(`stabilect_selection`) the features that each outer run chose.}
#'   \item{resamples}{(`stabilect_resamples`) the outer runs.}
#'   \item{asked}{(list) `learner`, `search`, `metric`, `tie`, `size_rule`, `resampling`, and
#'   `max_features` if given.}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' `summary()` gives the mean, standard deviation and standard error of the columns of `table`;
#' `macro_recall`, another name of the balanced accuracy, only if it is the `metric`.
#' @section Errors:
#' As for [eliminate_features()]; an error in one run stops the call.
#' @concept nested cross-validation
#' @concept overfitting
#' @concept selection bias
#' @family elimination
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' result <- evaluate_elimination(
#'   x, mcl_sll$MCL, outer = resample_folds(3, stratify = TRUE), seed = 1
#' )
#' result
#' stability(result$selection)
#' # The error of a panel of at most eight features, its choice included:
#' evaluate_elimination(
#'   x, mcl_sll$MCL, max_features = 8, outer = resample_folds(3, stratify = TRUE), seed = 1
#' )
#' @export
evaluate_elimination <- function(x, y, learner = NULL, outer = NULL,
                                 search = NULL, resampling = NULL,
                                 metric = NULL, tie = c("smallest", "largest"),
                                 size_rule = c("one_se", "best"), covariates = NULL,
                                 control = run_control(), ..., max_features = NULL, seed = NULL,
                                 data = NULL) {
  check_given(except = "y")
  control <- read_dots(list(...), control)$control
  study <- open_study(
    x, y, takes_of("evaluate_elimination"), "recursive feature elimination",
    covariates = covariates
  )
  asked <- check_elimination(
    study$response, learner, search, metric, tie, size_rule, max_features = max_features
  )
  asked$covariates <- study$response$covariates
  seed <- check_seed(seed)
  refuse(!is.null(resampling) && !inherits(resampling, "stabilect_resampling"),
    "{.arg resampling} must be a plan made by a {.code resample_*()} function, or NULL, not
      {describe_value(resampling)}: each outer run draws its own."
  )
  for (plan in list(outer, resampling)) check_plan_samples(plan, samples_of_study(study))
  study$response$blocks <- find_blocks(outer, resampling, study$response$blocks)
  inner <- plan_with_blocks(resampling, study$response$blocks)
  draws <- elimination_draws(study, outer, 10, seed, "outer")
  hash <- hash_study(study)
  job <- new_job(
    list(evaluation_work(study, draws, asked, inner, seed, control$n_threads)), "Outer runs",
    list(list("elimination evaluation", asked, inner, seed)),
    bind = function(values, draws) list(values = values[[1]]),
    look = function(runs) {
      list(evaluation_selection(runs$values, runs$draws, study, asked, seed, hash))
    }
  )
  done <- do_job(draws, job, control, hash)
  new_elimination_evaluation(done, study, c(asked, list(resampling = resampling)), seed, hash)
}
register_verb("evaluate_elimination", place = 12, without = "count")

# The blocks of the data, or else of either plan.
find_blocks <- function(outer, inner, of_data) {
  of_plan <- function(plan) {
    if (inherits(plan, "stabilect_resamples")) plan <- plan$plan
    if (inherits(plan, "stabilect_resampling")) plan$blocks
  }
  check_blocks(first_blocks(of_data, of_plan(outer), of_plan(inner)))
}

# The work of the outer runs; NULL for an unusable run.
evaluation_work <- function(study, draws, asked, inner, seed, n_threads) {
  status <- draws$status
  counts <- draws$counts
  seeds <- child_seeds(seed, draws$n_runs)
  one_by_one(with_data(function(b) {
    if (status[b] == "ok") {
      evaluate_run(study, counts[, b], asked, inner, seeds[b], n_threads)
    }
  },
  study = study, status = status, counts = counts, asked = asked, inner = inner, seeds = seeds,
  n_threads = n_threads))
}

# @param inner (stabilect_resampling, or NULL) NULL: the default folds that the blocks allow.
# @return list(row (data frame), ranking (integer, p), n_features).
evaluate_run <- function(study, count, asked, inner, seed, n_threads) {
  rows <- rep(seq_len(study$n), count)
  training <- study_rows(study, rows)
  draws <- elimination_draws(training, plan_for_rows(inner, rows), 5, seed)
  tree <- new_tree(training, draws, asked, seed, check_run(n_threads, FALSE))
  found <- run_search(asked$search, study$p, evaluate_sizes, asked$tie, tree)
  fit <- new_elimination(tree, found)
  row <- data.frame(
    n_features = fit$n_features, n_sizes = nrow(fit$sizes), n_fits = fit$n_fits
  )
  out <- which(count == 0L)
  y <- response_labels(study$response)
  # Some learners draw from R's generator.
  measures <- with_seed(seed, c(
    as.list(judge_final(fit, samples_at(study$x, y, study$response$covariates, out), y)),
    alone_on_rest(study, count, asked)
  ))
  list(row = cbind(row, measures), ranking = fit$ranking, n_features = fit$n_features)
}

# Metrics of the final model on other samples: all that the search could have maximised with this
# learner, computed in the same way.
# @param test of samples_at(); all (factor, numbers or Surv): the responses of all samples.
judge_final <- function(fit, test, all) {
  set <- match(names(fit$ranking)[fit$ranking <= fit$n_features], colnames(test$x))
  judge_fitted(fit$asked$learner, fit$model, set, test, all)
}

# The metric of the covariates alone on the left-out samples, as a list with its name; NULL without
# covariates.
alone_on_rest <- function(study, count, asked) {
  score <- score_covariates(study$response, count, asked$learner, asked$metric)
  if (!is.null(score)) stats::setNames(list(score), paste0(asked$metric, "_of_covariates"))
}

# @param done of do_job().
new_elimination_evaluation <- function(done, study, asked, seed, hash) {
  draws <- done$draws
  values <- done$values
  selection <- evaluation_selection(values, draws, study, asked, seed, hash)
  made <- run_account(selection, draws, done$until)
  made$seed <- seed
  new_result(
    "stabilect_elimination_evaluation",
    table = evaluation_table(values, draws$status), selection = selection, resamples = draws,
    asked = asked[names(asked) != "refit"], study = study_record(study, hash), made = made
  )
}

# @param values (list) results of evaluate_run(), in chunks of runs.
evaluation_table <- function(values, status) {
  runs <- unlist(values, recursive = FALSE)
  usable <- which(status == "ok")
  rows <- do.call(rbind, lapply(runs[usable], `[[`, "row"))
  table <- data.frame(run = seq_along(status), status = status)
  cbind(table, rows[match(table$run, usable), , drop = FALSE], row.names = NULL)
}

evaluation_selection <- function(values, draws, study, asked, seed, hash) {
  runs <- unlist(values, recursive = FALSE)
  score <- matrix(0, study$p, draws$n_runs, dimnames = list(study$feature_names, NULL))
  selected <- score > 0
  for (b in which(draws$status == "ok")) {
    score[, b] <- study$p + 1 - runs[[b]]$ranking
    selected[, b] <- runs[[b]]$ranking <= runs[[b]]$n_features
  }
  new_selection(
    score, methods::as(general_sparse(selected), "nMatrix"), draws$status,
    paste("RFE by", asked$learner$label), draws, seed, data_hash = hash
  )
}

#' @rdname evaluate_elimination
#' @param object (object of class `stabilect_elimination_evaluation`)
#' @param ... Not used.
#' @export
summary.stabilect_elimination_evaluation <- function(object, ...) {
  refuse_dots(...)
  values <- object$table[-(1:2)]
  # Macro recall is the balanced accuracy.
  if (object$asked$metric != "macro_recall") values$macro_recall <- NULL
  # The G-mean with a floor is for comparisons with papers.
  if (object$asked$metric != "g_mean_floored") values$g_mean_floored <- NULL
  data.frame(
    measure = names(values), mean = unname(colMeans(values, na.rm = TRUE)),
    sd = unname(vapply(values, stats::sd, 0, na.rm = TRUE)),
    se = unname(vapply(values, standard_error, 0))
  )
}

#' @exportS3Method
facts_of.stabilect_elimination_evaluation <- function(x, n = 10L) { # nolint: object_length_linter.
  values <- summary(x)
  sizes <- values[values$measure == "n_features", ]
  result_facts(
    x, describe_elimination(x$asked), format(x$resamples$plan),
    list(
      Error = c(describe_left_out(x, values), describe_other_measures(x, values)),
      List = sprintf(
        "%s features on average (SD %s)%s: %s", figure(sizes$mean, digits = 3),
        figure(sizes$sd, digits = 2), say_largest(x$asked), switch(x$asked$size_rule,
          one_se = "the fewest evaluated within one SE of the best score",
          best = "the size with the best score"
        )
      ),
      Caution = caution_of_worst(x)
    )
  )
}

# A share of explained variance has no lower limit: of few samples one run can decide the mean.
caution_of_worst <- function(x) {
  metric <- x$asked$metric
  value <- x$table[[metric]][!is.na(x$table[[metric]])]
  if (length(value) > 0L && min(value) < -1 && mean(value) < min(0, stats::median(value))) {
    number <- vapply(c(range(value), stats::median(value)), figure, "", digits = 2)
    sprintf(
      "%s of single runs is %s to %s (median %s): the mean is of the worst; larger parts tell more",
      in_words(metric), number[1], number[2], number[3]
    )
  }
}

describe_left_out <- function(x, values) {
  metric <- x$asked$metric
  at <- values[values$measure == metric, ]
  alone <- values$mean[values$measure == paste0(metric, "_of_covariates")]
  how <- say_predicted(format(x$resamples$plan))
  how <- paste(how, "of the whole search")
  paste(c(
    say_mean_metric(metric, at$mean, at$se, how),
    say_reference(metric, x$study, if (length(alone) > 0L) alone)
  ), collapse = "; ")
}

# Beside the metric that chose, the one that a rare class or the order of samples needs.
describe_other_measures <- function(x, values) {
  same <- if (x$asked$metric == "macro_recall") "balanced_accuracy"
  others <- setdiff(c("balanced_accuracy", "auc"), c(x$asked$metric, same))
  others <- values[values$measure %in% others & !is.na(values$mean), ]
  if (nrow(others) > 0L) {
    paste(
      sprintf(
        "%s %s", sub("auc", "AUC", in_words(others$measure), fixed = TRUE),
        vapply(others$mean, figure, "", digits = 2)
      ),
      collapse = "; "
    )
  }
}

# Some samples of a study with classes, with repeats, as a study of its own. Copies of a sample form
# a block: no model is judged on a copy of its training samples.
study_rows <- function(study, rows) {
  study <- study[rows, ]
  rownames(study$x) <- NULL
  study["sample_names"] <- list(NULL)
  if (is.null(study$response$blocks) && anyDuplicated(rows)) study$response$blocks <- rows
  study
}
