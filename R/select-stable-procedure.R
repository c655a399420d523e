# Stability selection as a procedure.

stable_procedure <- function(asked, plan) {
  new_procedure(
    "stability_selection", asked, plan, stable_job, read_stable, takes_of("stability_selection"),
    entries = stable_entries, join = join_stable
  )
}

#' @exportS3Method
procedure_of.stabilect_stability_selection <- function(x) { # nolint
  stable_procedure(x$asked, x$resamples$plan)
}

# The paths of stability selection. A stopping rule is checked with the bound for the pairs done so
# far.
stable_job <- function(study, draws, asked, control) {
  bound <- find_bound(study$p, asked, draws)
  refuse(!is.null(control$until) && is_calibrated(asked),
    c("{.arg until} looks at one q and cutoff; {.code cutoff = \"calibrated\"} finds them when all
       runs are done.",
      i = "Leave {.arg until} out, or give {.arg q} and a number as {.arg cutoff}."
    )
  )
  refuse(!is.null(control$until) && is.null(asked$q),
    c("With {.arg until}, {.arg q} must be given: from {.arg cutoff} and {.arg pfer} it would
       follow from the number of pairs.",
      i = "Here, all runs would have {.arg q} = {bound$q}."
    )
  )
  path_job(
    study, draws, control, asked$score_rule, path_limit(bound$q, asked, study$p), asked$weakness,
    "Stability selection",
    look = function(runs) {
      sets <- stable_sets(runs, bound$q, asked)
      selection <- stable_selection(sets, study, runs, runs$draws, bound$q)
      list(select_clusters(selection, asked$clusters))
    },
    cutoff = function(draws) {
      tryCatch(
        find_bound(study$p, asked, draws)$cutoff,
        stabilect_error_bound = function(e) NA_real_
      )
    },
    likelihood = asked$likelihood, clusters = asked$clusters
  )
}

# @param runs of stable_job(), or of several results with the bound of all.
read_stable <- function(runs, asked, study, record, control) {
  bound <- runs$bound
  if (is.null(bound)) bound <- find_bound(record$p, asked, runs$draws)
  new_stability_selection(record, runs, asked, bound)
}

stable_entries <- function(asked, fit) {
  list(
    limit = most_held(fit), weakness = asked$weakness, whole = asked$score_rule == "size",
    likelihood = asked$likelihood, clusters = asked$clusters
  )
}

join_stable <- function(parts, draws) {
  joined <- join_runs(parts, draws)
  joined$runs$bound <- bound_of_all(parts, draws)
  joined
}

# The arguments, with the pairs of all parts. The stored paths contain q features.
bound_of_all <- function(parts, draws) {
  first <- parts[[1]]
  bound <- find_bound(first$study$p, first$asked, draws)
  held <- min(vapply(parts, most_held, 0L))
  if (bound$q <= held) {
    return(bound)
  }
  smaller <- first$asked
  smaller$q <- held
  if (!is_calibrated(smaller)) smaller["pfer"] <- list(NULL)
  smaller <- find_bound(first$study$p, smaller, draws)
  smaller$asked <- bound$asked
  smaller
}
