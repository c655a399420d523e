# The runs of stability selection, at once or in stages, and their evaluation.

assumptions <- c("unimodal", "r_concave", "none")

# Settings of stability_selection() alone, which come by name.
stability_settings <- list(assumption = assumptions, selector = NULL)

# The arguments that say how runs become a list, checked, and the name of the rule they ask for.
# @param score_rule (string) where the paths are yet to be run.
ask_list <- function(q, cutoff, pfer, assumption, fdr = NULL, bound = NULL, score_rule = NULL) {
  asked <- list(
    q = check_count(q, null_ok = TRUE),
    cutoff = check_cutoff(cutoff),
    pfer = check_positive(pfer, null_ok = TRUE),
    assumption = check_choice(assumption, assumptions)
  )
  bound <- if (!is.null(bound)) check_choice(bound, c("integrated", "cutoff"))
  given <- list(fdr = fdr, bound = bound, score_rule = score_rule)
  rule <- rule_wanted(c(asked, given))
  c(rule$ask(asked, given), list(rule = rule$name))
}

# A number, or the word of a rule.
check_cutoff <- function(cutoff) {
  if (is.null(cutoff)) {
    return(NULL)
  }
  words <- unlist(lapply(list_rules(), `[[`, "cutoff"), use.names = FALSE)
  if (is.character(cutoff) && length(words) > 0L) {
    return(check_choice(cutoff, words))
  }
  check_fraction(cutoff)
}

# What is known of the list before there are runs.
plan_list <- function(asked, record, draws) {
  rule_of(asked)$plan(asked, unit_of(record), draws)
}

# A pair counts when both of its runs succeeded.
whole_pairs <- function(status, pair) {
  if (!is.null(pair)) {
    broken <- status == "ok" & pair %in% pair[status != "ok"]
    status[broken] <- "the other run of the pair failed"
  }
  status
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
# @param plan of plan_list(), for all of these runs.
new_stability_selection <- function(record, runs, asked,
                                    plan = plan_list(asked, record, runs$draws)) {
  rule_of(asked)$read(record, runs, asked, plan, unit_of(record))
}

# @param fields (list, or NULL) that the units add.
new_stable_result <- function(table, bound, selection, runs, asked, record, n_short,
                              fields = NULL) {
  result <- new_result(
    "stabilect_stability_selection",
    table = table, features = table$feature[table$selected], bound = bound, selection = selection,
    paths = runs$paths, resamples = runs$draws, asked = asked, study = record,
    made = run_account(selection, runs$draws, runs$until, n_short = n_short)
  )
  result[names(fields)] <- fields
  result
}

# Selection frequencies, the most frequent unit first.
# @param rows (data frame) of the units in their order; last (character) its columns at the end.
# @param ... further columns of the verb.
frequency_table <- function(rows, selection, cutoff, last = character(), ...) {
  frequency <- mean_selected(selection)
  table <- c(
    rows, list(frequency = frequency), lapply(list(...), rep_len, length(frequency)),
    list(selected = frequency >= cutoff - 1e-9)
  )
  at <- order_best(rows$feature, frequency)
  list2DF(lapply(table[c(setdiff(names(table), last), last)], `[`, at))
}

# The runs of a result, which are read again without new runs.
runs_of_result <- function(x) {
  list(paths = x$paths, status = x$selection$status, draws = x$resamples)
}

# Stability selection from the paths of a result.
select_again <- function(x, asked, plan) {
  fit <- new_stability_selection(x$study, runs_of_result(x), asked, plan)
  fit$made$merged <- x$made$merged
  fit
}
