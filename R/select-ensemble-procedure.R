# An ensemble as a procedure.

# @param selectors (list, or NULL: can be merged, not repeated).
# @param seed (integer) of what they draw.
ensemble_procedure <- function(asked, plan, selectors, seed) {
  job <- if (!is.null(selectors)) {
    with_data(function(study, draws, asked, control) {
      selectors_job(study, selectors, draws, asked, control)
    }, selectors = selectors)
  }
  read <- with_data(function(runs, asked, study, record, control) {
    fit <- read_ensemble(runs, asked, study, record, control)
    # Allows repetition on parts of the samples.
    fit$made$selectors <- selectors
    fit
  }, selectors = selectors)
  new_procedure(
    "ensemble", asked, plan, job, read, takes_of("select_ensemble"), store = store_merged,
    seed = seed, lean = lean_ensemble, join = join_ensembles,
    may_differ = "learner"
  )
}

#' @exportS3Method
procedure_of.stabilect_ensemble <- function(x) { # nolint: object_name_linter.
  ensemble_procedure(x$asked, x$resamples$plan, x$made$selectors, x$made$seed)
}

lean_ensemble <- function(asked, error) {
  if (!error) asked["learner"] <- list(NULL)
  asked
}

# Residuals of features, which permutations need beside covariates, are of numbers in memory.
check_residuals <- function(study) {
  if (is.null(study$response$covariates)) {
    return(invisible())
  }
  is_scale <- outcome_of(study$response)$is_scale
  refuse(!is_scale && (!is.matrix(study$x) || length(study$factors) > 0L),
    c("{.arg permute} beside {.arg covariates} takes residuals of the features, which must be
      numbers in memory.", i = "Leave {.arg permute} out, or the features that are factors.")
  )
}

join_ensembles <- function(parts, draws) {
  asked <- parts[[1]]$asked
  learners <- Filter(Negate(is.null), lapply(parts, function(part) part$asked$learner))
  asked["learner"] <- list(if (length(learners) > 0L) learners[[1]])
  runs <- bind_ensemble_runs(parts, asked$selector, draws)
  # The seeds of learners that draw come from the first part.
  runs$seed <- seeds_of_result(parts[[1]])[1]
  runs[c("draws", "hash")] <- list(draws, runs$selection$data_hash)
  list(runs = runs, asked = asked)
}

# One selector after the other, the runs of each in the order of the arguments.
# @return list(selection, table).
bind_ensemble_runs <- function(parts, labels, draws) {
  grid <- expand.grid(part = seq_along(parts), selector = labels, stringsAsFactors = FALSE)
  offset <- cumsum(c(0L, vapply(parts, function(part) part$resamples$n_runs, 0L)))
  pieces <- Map(function(k, label) {
    part <- parts[[k]]
    rows <- which(part$runs$selector == label)
    table <- part$runs[rows, ]
    table$resample <- table$resample + offset[k]
    list(selection = part$selection[rows], runs = table)
  }, grid$part, grid$selector)
  selection <- bind_selections(lapply(pieces, `[[`, "selection"))
  selection$method <- method_of_ensemble(labels, draws)
  selection["seed"] <- list(draws$seed)
  table <- do.call(rbind, lapply(pieces, `[[`, "runs"))
  table$run <- seq_len(nrow(table))
  rownames(table) <- NULL
  list(selection = selection, table = table)
}

# Out-of-bag errors read the columns that they need.
store_merged <- function(x) {
  if (is_in_file(x)) as_columns(x) else code_levels(x)
}

# Everything that follows from the runs, also from runs of several results.
# @param study (stabilect_study, or NULL) without it there is no out-of-bag error.
# @param runs list(runs, or selection and table; draws, hash, until, seed) of selectors_job().
read_ensemble <- function(runs, asked, study, record, control) {
  n_threads <- control$n_threads
  if (is.null(runs$selection)) runs <- join_selectors(runs)
  ranking <- rule_of(asked)$read(runs, asked, n_threads)
  made <- run_account(runs$selection, runs$draws, runs$until)
  # Drawn resamples have a seed of their own.
  made$seed <- runs$seed
  new_result(
    "stabilect_ensemble",
    table = with_direction(ranking$table, record), features = ranking$features, ranking = ranking,
    selection = runs$selection, runs = runs$table, resamples = runs$draws,
    oob = if (!is.null(study) && !is.null(asked$learner)) {
      oob_of_ensemble(study, runs, asked, n_threads)
    },
    asked = asked, study = record, made = made
  )
}
