# Which verb takes which outcome: for the refusals of check_takes() and the table on ?stabilect.

outcome_words <- c(
  binary = "two classes", multiclass = "several classes", numeric = "numbers",
  survival = "survival times", count = "counts"
)

# Two classes are taken by all. The selectors, learners and metrics that are given to a verb have to
# take the outcome, too. A test gives every verb every outcome and compares.
outcome_verbs <- list(
  find_signals = "numeric",
  fealect = c("numeric", "survival"),
  stability_selection = c("numeric", "survival"),
  bolasso = "numeric",
  lars_path = "numeric",
  lasso_path = c("numeric", "survival"),
  select_ensemble = c("multiclass", "numeric", "survival"),
  estimate_stability = c("multiclass", "numeric", "survival"),
  score_features = c("multiclass", "numeric", "survival"),
  eliminate_features = c("multiclass", "numeric", "survival"),
  evaluate_elimination = c("multiclass", "numeric", "survival"),
  hybrid_rfe = character(),
  tune_tradeoff = c("multiclass", "numeric", "survival"),
  evaluate_selectors = c("multiclass", "numeric", "survival"),
  evaluate_replication = c("multiclass", "numeric", "survival"),
  fit_model = c("numeric", "survival"),
  calibrate_selection = "numeric"
)

# What open_study() is told.
takes_of <- function(verb) c("binary", outcome_verbs[[verb]])

verbs_taking <- function(type) {
  names(outcome_verbs)[vapply(names(outcome_verbs), function(verb) type %in% takes_of(verb), NA)]
}

# The section of ?stabilect, as roxygen has it.
outcome_section <- function() {
  types <- c("binary", "multiclass", "numeric", "survival")
  rows <- vapply(names(outcome_verbs), function(verb) {
    taken <- ifelse(types %in% takes_of(verb), "yes", "")
    sprintf("| [%s()] | %s |", verb, paste(taken, collapse = " | "))
  }, "")
  c(
    "@section Outcomes:",
    "What `y` is decides what is computed. Classes come as a factor, text, logicals, or numbers",
    "that are 0 and 1 or -1 and 1; survival times, right-censored, as",
    "`survival::Surv(time, event)`; all other numbers are numbers. Selectors and learners that are",
    "given to a verb have to take the outcome, too: [list_selectors()], [learners].", "",
    sprintf("| verb | %s |", paste(outcome_words[types], collapse = " | ")),
    sprintf("|---%s|", strrep("|---", length(types))), unname(rows)
  )
}
