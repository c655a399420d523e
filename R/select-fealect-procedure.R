# FeaLect as a procedure: its runs, and their evaluation.

fealect_procedure <- function(asked, plan, unit) {
  new_procedure(
    "fealect", asked, plan, fealect_job, read_fealect, takes_of("fealect"), lean = lean_fealect,
    part = part_of_fealect, entries = fealect_entries, later = 0.05, join = join_fealect,
    may_differ = "oob", tied = unit$once, votes = "score"
  )
}

#' @exportS3Method
procedure_of.stabilect_fealect <- function(x) { # nolint: object_name_linter.
  fealect_procedure(x$asked, x$resamples$plan, unit_of(x$study))
}

fealect_job <- function(study, draws, asked, control) {
  if (asked$oob) {
    expect_stages(list(
      "Lasso paths" = 1, "Out-of-bag error" = error_cost(study, draws, asked, control$n_threads)
    ))
  }
  path_job(
    study, draws, control, asked$score_rule, no_limit(limit_of(asked, study$n)),
    look = function(runs) score_runs(runs, study, asked)["selection"],
    likelihood = asked$likelihood, units = unit_of(study)$engine
  )
}

lean_fealect <- function(asked, error) {
  asked$n_boot <- 0L
  if (!error) asked$oob <- FALSE
  asked
}

# Samples that lack a class may be of another outcome, with final models of its own.
part_of_fealect <- function(asked, study) {
  models <- outcome_of(study$response)$models
  if (!asked$model %in% models) {
    usual <- identical(asked$lambda, final_model_record(asked$model)$lambda)
    asked$model <- models[1]
    if (usual) asked["lambda"] <- list(final_model_record(models[1])$lambda)
  }
  asked
}

fealect_entries <- function(asked, fit) {
  limit <- limit_of(asked, fit$study$n)
  list(
    limit = limit, weakness = 1, whole = asked$score_rule == "size" || is.null(limit),
    likelihood = asked$likelihood, unit = unit_of(fit$study)
  )
}

join_fealect <- function(parts, draws) {
  joined <- join_runs(parts, draws)
  joined$asked$oob <- any(vapply(parts, function(part) part$asked$oob, NA))
  members <- unit_of(parts[[1]]$study)$members
  joined$runs$features <- bind_selections(lapply(parts, members))
  joined
}

# Everything that follows from the runs, also from runs of several results.
# @param study (stabilect_study, or NULL) needed for the final model and the error.
# @param runs list(scores or selection, paths, status, hash, draws, until) of fealect_job().
read_fealect <- function(runs, asked, study, record, control) {
  if (is.null(runs$selection)) {
    scores <- score_runs(runs, record, asked)
    runs[names(scores)] <- scores
  }
  n_threads <- control$n_threads
  selection <- runs$selection
  unit <- unit_of(record)
  fit <- rule_of(asked)$read(selection, asked, runs$draws$seed, n_threads)
  features <- fit$features
  rows <- unit$rows(record, runs$features, runs$paths)
  table <- score_table(rows, selection, fit, unit$last)
  in_model <- unit$stand_for(features, table)
  result <- new_result(
    "stabilect_fealect",
    table = table, features = features, cut = fit$cut,
    three_segment = fit$three_segment,
    model = if (!is.null(study)) {
      fit_final_model(
        study, utils::head(in_model, model_size(study$n, asked$model)), asked, record
      )
    },
    oob = if (!is.null(study) && asked$oob) oob_error(study, runs, asked, control),
    convergence = score_convergence(selection, length(features)), selection = selection,
    paths = runs$paths, resamples = runs$draws, asked = asked, study = record,
    made = run_account(selection, runs$draws, runs$until)
  )
  fields <- unit$fields(record, runs$features)
  result[names(fields)] <- fields
  # Of a repeat no one asks whether it has seen a sample.
  if (is.null(record$hash)) result else with_rows(result, study)
}

# The out-of-bag error of FeaLect alone, for simulations.
# @return (stabilect_oob, or NULL).
oob_of_fealect <- function(x, y, seed, n_threads, family = NULL) {
  study <- open_study(x, y, takes_of("fealect"), "FeaLect", family = family)
  draws <- study_draws(study, fealect_plan(study, 50, NULL, NULL), seed)
  asked <- ask_fealect(study, n_boot = 0)
  asked["likelihood"] <- list(ask_likelihood(study, path_control(family = family)))
  procedure <- fealect_procedure(asked, draws$plan, unit_of(study))
  without_size_warning(carry_out(procedure, study, draws, check_run(n_threads)))$oob
}
