# Bolasso as a procedure.

bolasso_procedure <- function(asked, plan) {
  new_procedure(
    "bolasso", asked, plan, bolasso_job, read_bolasso, takes_of("bolasso"),
    part = part_of_bolasso,
    entries = bolasso_entries, later = 0.05, join = join_bolasso,
    may_differ = c("lambda", "n_folds"), found = "lambda",
    settle = function(asked, fit) replace(asked, "lambda", list(fit$lambda))
  )
}

#' @exportS3Method
procedure_of.stabilect_bolasso <- function(x) { # nolint: object_name_linter.
  bolasso_procedure(x$asked, x$resamples$plan)
}

# The whole path of a fold takes as long as about so many runs down to the penalty, as measured from
# 60 x 2,000 to 5,000 x 500.
fold_of_runs <- function(likelihood, n) {
  if (!is.null(likelihood)) 40 else if (n > many_samples) 20 else 8
}

# @return new_job(), whose runs also have `lambda` and `cv`.
bolasso_job <- function(study, draws, asked, control) {
  lambda <- asked$lambda
  likelihood <- asked$likelihood
  cv <- if (is.null(lambda)) {
    fold <- fold_of_runs(likelihood, study$n)
    expect_stages(c("Cross-validation" = fold * asked$n_folds, Bolasso = draws$n_runs))
    report <- progress_reporter(control$progress, "Cross-validation")
    cross_validate(study, likelihood, asked$n_folds, draws, report)
  }
  if (is.null(lambda)) lambda <- cv$lambda[which.min(cv$error)]
  job <- path_job(
    study, draws, control, "size", -1L, label = "Bolasso", likelihood = likelihood,
    lambda = if (ends_at_penalty(asked, study$n)) lambda,
    look = function(runs) list(bolasso_selection(study, runs, runs$draws, lambda)),
    cutoff = function(draws) asked$cutoff
  )
  bind <- job$bind
  job$bind <- function(values, draws) c(bind(values, draws), list(lambda = lambda, cv = cv))
  job
}

# Do paths end at the penalty? Of many samples all that follows would take most of the time.
ends_at_penalty <- function(asked, n) !is.null(asked$likelihood) || n > many_samples

read_bolasso <- function(runs, asked, study, record, control) {
  fit <- new_bolasso(record, runs, asked, runs$lambda, runs$cv)
  if (!is.null(study)) {
    fit["coefficients"] <- list(refit_features(study, fit$features, asked$likelihood))
  }
  fit
}

part_of_bolasso <- function(asked, study) {
  if (!is.null(asked$n_folds)) asked$n_folds <- min(asked$n_folds, study$n)
  asked
}

bolasso_entries <- function(asked, fit) {
  list(
    limit = NULL, weakness = 1, whole = !ends_at_penalty(asked, fit$study$n),
    likelihood = asked$likelihood, unit = unit_of(fit$study)
  )
}

# The cross-validation of `lambda` is kept if it is the same in all parts.
join_bolasso <- function(parts, draws) {
  joined <- join_runs(parts, draws)
  cv <- unique(lapply(parts, `[[`, "cv"))
  joined$runs$lambda <- parts[[1]]$lambda
  joined$runs$cv <- if (length(cv) == 1L) cv[[1]]
  joined
}

bolasso_selection <- function(record, runs, draws, lambda) {
  sets <- path_sets(runs$paths, choose_lambda(lambda * run_scales(draws, roles_of(record)$weights)))
  sets_to_selection(sets, record, runs$status, paste("bolasso:", format(draws$plan)), draws)
}

# Everything that follows from the paths, also from paths of other results.
new_bolasso <- function(record, runs, asked, lambda, cv) {
  if (all(runs$status != "ok")) abort_no_run(runs$status)
  selection <- bolasso_selection(record, runs, runs$draws, lambda)
  unit <- unit_of(record)
  table <- rule_of(asked)$read(unit$rows(record, selection, runs$paths), selection, asked)
  new_result(
    "stabilect_bolasso",
    table = table, features = table$feature[table$selected], lambda = lambda, cv = cv,
    selection = selection, paths = runs$paths, resamples = runs$draws, asked = asked,
    study = record, made = run_account(selection, runs$draws, runs$until)
  )
}

#' @exportS3Method
has_rank.stabilect_bolasso <- function(result) { # nolint: object_name_linter.
  result$table$frequency > 0
}
