# Stability selection as a procedure.

stable_procedure <- function(asked, plan, unit) {
  new_procedure(
    "stability_selection", asked, plan, stable_job, read_stable, takes_of("stability_selection"),
    entries = if (is.null(asked$selector)) stable_entries,
    later = if (is.null(asked$selector)) 0.7 else 1,
    join = join_stable, tied = unit$once
  )
}

#' @exportS3Method
procedure_of.stabilect_stability_selection <- function(x) { # nolint
  stable_procedure(x$asked, x$resamples$plan, unit_of(x$study))
}

# The paths of stability selection. A stopping rule is checked with the bound for the pairs done so
# far.
stable_job <- function(study, draws, asked, control) {
  rule <- rule_of(asked)
  unit <- unit_of(study)
  plan <- rule$plan(asked, unit, draws)
  if (!is.null(control$until)) rule$until(asked, plan)
  hint_capacity(plan$q, asked, study, draws)
  limit <- rule$limit(plan$q, unit, study$n)
  look <- function(runs) {
    sets <- unit$sets(runs$paths, plan$q, asked$score_rule)
    list(unit$gather(stable_selection(sets, study, runs, runs$draws, plan$q)))
  }
  cutoff <- function(draws) {
    tryCatch(rule$plan(asked, unit, draws)$cutoff, stabilect_error_bound = function(e) NA_real_)
  }
  if (!is.null(asked$selector)) {
    return(ranking_job(study, draws, asked, control, limit, unit, look, cutoff))
  }
  path_job(
    study, draws, control, asked$score_rule, limit, asked$weakness, "Stability selection",
    look, cutoff, asked$likelihood,
    units = unit$engine
  )
}

# @param runs of stable_job(), or of several results, which bring the plan of all.
read_stable <- function(runs, asked, study, record, control) {
  plan <- runs$plan
  if (is.null(plan)) plan <- plan_list(asked, record, runs$draws)
  new_stability_selection(record, runs, asked, plan)
}

stable_entries <- function(asked, fit) {
  list(
    limit = rule_of(asked)$held(fit), weakness = asked$weakness, whole = asked$score_rule == "size",
    likelihood = asked$likelihood, unit = unit_of(fit$study)
  )
}

join_stable <- function(parts, draws) {
  joined <- join_runs(parts, draws)
  joined$runs$plan <- plan_of_all(parts, draws)
  joined
}

# The arguments, with the pairs of all parts. The stored paths contain q features.
plan_of_all <- function(parts, draws) {
  first <- parts[[1]]
  asked <- first$asked
  rule <- rule_of(asked)
  plan <- plan_list(asked, first$study, draws)
  held <- min(vapply(parts, rule$held, 0L))
  if (plan$q <= held) {
    return(plan)
  }
  shorter <- plan_list(rule$shorter(asked, held), first$study, draws)
  if (!is.null(plan$bound)) shorter$bound$asked <- plan$bound$asked
  shorter
}
