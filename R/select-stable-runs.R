# The runs of stability selection, at once or in stages, and their evaluation.

assumptions <- c("unimodal", "r_concave", "none")

# Settings of stability_selection() alone, which come by name.
stability_settings <- list(assumption = assumptions)

# The arguments of the bound: two of q, cutoff and pfer, the third NULL; or a rate. With one alone,
# another takes its usual value, see fill_bound().
ask_bound <- function(q, cutoff, pfer, assumption, efp = NULL, fdr = NULL) {
  asked <- list(
    q = check_count(q, null_ok = TRUE),
    cutoff = check_cutoff(cutoff),
    pfer = check_positive(pfer, null_ok = TRUE),
    assumption = check_choice(assumption, assumptions)
  )
  nothing <- is.null(q) && is.null(cutoff) && is.null(pfer)
  if (!nothing && is.null(efp) && is.null(fdr)) {
    return(fill_bound(asked))
  }
  c(asked, ask_rate(q, cutoff, pfer, efp, fdr, asked$assumption))
}

# The bound for these resamples.
# @param asked (list) of ask_bound().
find_bound <- function(p, asked, draws) {
  if (is_integrated(asked)) {
    return(plan_integral(p, asked, draws))
  }
  refuse(asked$assumption != "none" && is.null(draws$pair),
    c("{.code assumption = \"{asked$assumption}\"} needs complementary pairs of subsamples.",
      i = "Use {.fn resample_pairs}, or {.code assumption = \"none\"}."
    )
  )
  n_pairs <- max(2L, draws$n_runs %/% 2L)
  p <- n_units(p, asked$clusters)
  if (!is.null(asked$clusters)) check_cluster_number(p, asked$q)
  if (is_calibrated(asked)) {
    return(plan_calibration(p, asked, n_pairs))
  }
  bound <- solve_bound(p, asked$q, asked$cutoff, asked$pfer, n_pairs, asked$assumption)
  if (!is.null(asked$clusters)) bound$unit <- "cluster"
  bound
}

# The same q and cutoff with fewer pairs.
bound_of_rest <- function(bound, n_pairs) {
  rest <- solve_bound(bound$n_total, bound$q, bound$cutoff, NULL, n_pairs, bound$assumption)
  rest$asked <- bound$asked
  rest$unit <- bound$unit
  rest
}

# A pair counts when both of its runs succeeded.
whole_pairs <- function(status, pair) {
  if (!is.null(pair)) {
    broken <- status == "ok" & pair %in% pair[status != "ok"]
    status[broken] <- "the other run of the pair failed"
  }
  status
}

# With clusters, all features of the models with features in q of them.
stable_sets <- function(runs, q, asked) {
  if (!is.null(asked$clusters)) {
    steps <- cluster_steps(unit_paths(runs$paths, asked$clusters), q)
    return(path_sets(runs$paths, function(size, lambda, b) steps[b]))
  }
  path_sets(runs$paths, choose_first(q, asked$score_rule))
}

# @param record (study, or the record of one).
stable_selection <- function(sets, record, runs, draws, q) {
  sets_to_selection(
    sets, record, whole_pairs(runs$status, draws$pair),
    sprintf("stability selection, q = %d: %s", q, format(draws$plan)), draws
  )
}

# Everything that follows from the paths, also from paths of other results.
# @param record (list) of study_record().
# @param runs list(paths, status, draws, until) as of path_job().
# @param bound (stabilect_error_bound) for all of these runs.
new_stability_selection <- function(record, runs, asked,
                                    bound = find_bound(record$p, asked, runs$draws)) {
  if (is_integrated(asked)) {
    return(new_integrated_selection(record, runs, asked))
  }
  if (is_calibrated(asked)) {
    return(new_calibrated_selection(record, runs, asked, bound$q))
  }
  sets <- stable_sets(runs, bound$q, asked)
  selection <- stable_selection(sets, record, runs, runs$draws, bound$q)
  left <- ok_runs(selection)
  if (length(left) < 2L) abort_no_run(selection$status)
  if (length(left) < selection$n_runs) {
    bound <- bound_of_rest(bound, length(left) %/% 2L)
  }
  if (!is.null(asked$clusters)) {
    return(new_cluster_selection(record, runs, selection, asked, bound))
  }
  table <- frequency_table(
    record, selection, runs$paths, bound$cutoff,
    simultaneous = share_of_pairs(selection, runs$draws$pair)
  )
  # After q steps a path can have fewer features because some left.
  short <- if (asked$score_rule == "size") lengths(sets)[left] < bound$q
  new_result(
    "stabilect_stability_selection",
    table = table, features = table$feature[table$selected], bound = bound, selection = selection,
    paths = runs$paths, resamples = runs$draws, asked = asked, study = record,
    made = run_account(selection, runs$draws, runs$until, n_short = sum(short))
  )
}

# Selection frequencies, the most frequent feature first.
# @param ... further columns of the verb.
frequency_table <- function(record, selection, paths, cutoff, ...) {
  frequency <- mean_selected(selection)
  table <- data.frame(
    feature = selection$feature_names, direction = record$direction,
    same_sign = same_sign(record, selection, paths), frequency = frequency, ...,
    selected = frequency >= cutoff - 1e-9
  )
  table <- table[order(-table$frequency, method = "radix"), ]
  rownames(table) <- NULL
  table
}

# The runs of a result, which are read again without new runs.
runs_of_result <- function(x) {
  list(paths = x$paths, status = x$selection$status, draws = x$resamples)
}

# Everything that follows from the paths with a rate.
# @param runs list(paths, status, draws, until) as of path_job().
new_integrated_selection <- function(record, runs, asked) {
  draws <- runs$draws
  plan_integral(record$p, asked, draws)
  ok <- which(whole_pairs(runs$status, draws$pair) == "ok")
  if (length(ok) < 2L) abort_no_run(whole_pairs(runs$status, draws$pair))
  norms <- path_norms(asked, draws)
  changes <- path_changes(runs$paths, norms, ok)
  looked <- lapply(c(1, 1 / 2, 2) * asked$q, function(q) {
    parts <- integrate_changes(changes, lowest_penalty(changes, q), record$p)
    parts$efp <- expected_false(parts, record$p)
    parts$fdr <- false_share(parts$efp)
    parts$selected <- meets_rate(parts, asked)
    c(list(q = q), parts)
  })
  main <- looked[[1]]
  lower <- main$lambda[1]
  sets <- path_sets(runs$paths, function(size, lambda, b) sum(lambda / norms[b] > lower))
  selection <- sets_to_selection(
    sets, record, whole_pairs(runs$status, draws$pair),
    sprintf("integrated stability selection, q = %d: %s", asked$q, format(draws$plan)), draws
  )
  table <- integrated_table(record, selection, runs, main)
  new_result(
    "stabilect_stability_selection",
    table = table, features = table$feature[table$selected],
    bound = new_integral_bound(looked, record$p, asked, length(ok) %/% 2L),
    selection = selection, paths = runs$paths, resamples = draws, asked = asked, study = record,
    made = run_account(selection, draws, runs$until, n_short = 0L)
  )
}

integrated_table <- function(record, selection, runs, parts) {
  table <- frequency_table(
    record, selection, runs$paths, Inf,
    simultaneous = share_of_pairs(selection, runs$draws$pair)
  )
  at <- match(table$feature, selection$feature_names)
  table <- data.frame(
    table[c("feature", "direction", "same_sign")], score = parts$score[at], efp = parts$efp[at],
    fdr = parts$fdr[at], table[c("frequency", "simultaneous")], selected = parts$selected[at]
  )
  table <- table[order(table$efp, method = "radix"), ]
  rownames(table) <- NULL
  table
}

# The largest size of the paths of a result.
most_held <- function(x) if (is_calibrated(x$asked)) x$calibration$largest else x$bound$q

# Stability selection from the paths of a result.
select_again <- function(x, asked, bound) {
  fit <- new_stability_selection(x$study, runs_of_result(x), asked, bound)
  fit$made$merged <- x$made$merged
  fit
}

# Share of runs whose models of 1, 2, ..., largest features contain each feature (or cluster).
# @return matrix, units x largest.
shares_by_size <- function(runs, ok, largest, asked, p) {
  code <- if (is.null(asked$clusters)) seq_len(p) else as.integer(asked$clusters)
  shares <- vapply(seq_len(largest), function(q) {
    sets <- lapply(stable_sets(runs, q, asked)[ok], function(set) unique(code[set]))
    tabulate(unlist(sets), max(code)) / length(ok)
  }, numeric(max(code)))
  matrix(shares, ncol = largest)
}

# The scores of all pairs for finished runs.
# @param runs list(paths, ...) as of path_job(); the paths contain `largest` features (or clusters).
#   ok (integer): runs that count.
# @return list(largest, scores, peaks).
calibrate_runs <- function(runs, ok, p, asked, largest) {
  n_pairs <- max(2L, length(ok) %/% 2L)
  shares <- shares_by_size(runs, ok, largest, asked, p)
  lowest <- lowest_cutoffs(largest, nrow(shares), n_pairs, asked)
  scores <- score_pairs(shares, length(ok), lowest)
  list(largest = largest, scores = scores, peaks = find_peaks(scores, shares))
}

# Everything that follows from the paths when the pair is calibrated.
new_calibrated_selection <- function(record, runs, asked, largest) {
  status <- whole_pairs(runs$status, runs$draws$pair)
  ok <- which(status == "ok")
  if (length(ok) < 2L) abort_no_run(status)
  found <- calibrate_runs(runs, ok, record$p, asked, largest)
  p <- n_units(record$p, asked$clusters)
  pair <- asked
  pair[c("q", "cutoff", "pfer")] <- list(NULL)
  fit <- new_stability_selection(
    record, runs, pair, bound_of_pair(found, p, length(ok) %/% 2L, asked)
  )
  fit$asked <- asked
  fit$calibration <- found
  fit
}
