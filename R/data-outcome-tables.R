# The tables of ?stabilect: outcomes that a verb takes, and how verbs adjust for covariates.

# For the second table; a test compares it with their arguments.
covariate_verbs <- c(
  find_signals = "in the test of any signal and the selection of features",
  fealect = "in every path, the final model and the models of the error",
  stability_selection = "in the path of every run",
  bolasso = "in the path of every run",
  lasso_path = "at every point of the path",
  score_features = "in the score of every feature",
  select_ensemble = "in scores, and in the `learner` of the error",
  eliminate_features = "in every model",
  evaluate_elimination = "in every model",
  evaluate_selectors = "in scores, procedures and learners",
  test_signature = "in every model; the test is of what the list adds",
  tune_tradeoff = "in scores and learners of a function of settings",
  fit_model = "in the model",
  validate_model = "of the new samples, for a model with covariates"
)

covariate_section <- function() {
  c(
    "@section Covariates:",
    "What is known beside the features, such as age, sex or batch, stays in the models of these",
    "verbs without a penalty when it is given as `covariates`. Their errors are compared with",
    "those of the covariates alone, and `predict()` asks for the covariates of new samples.", "",
    "| verb | covariates are held |", "|---|---|",
    unname(sprintf("| [%s()] | %s |", names(covariate_verbs), covariate_verbs)), "",
    "Selectors and learners have to hold them, too: [selector_filter()] (but for `\"welch\"` and",
    "`\"variance\"`), a [selector_custom()] whose function has an argument `covariates`,",
    "[learner_logistic()] and [learner_ridge()]. [evaluate_replication()] repeats a result with",
    "the covariates that it was made with."
  )
}

# The section of ?stabilect, for roxygen.
outcome_section <- function() {
  types <- names(outcome_records())
  rows <- vapply(known_verbs(), function(verb) {
    taken <- ifelse(types %in% takes_of(verb), "yes", "")
    sprintf("| [%s()] | %s |", verb, paste(taken, collapse = " | "))
  }, "")
  c(
    "@section Outcomes:",
    "What `y` is decides what is computed. Classes come as a factor, text, logicals, or numbers",
    "that are 0 and 1 or -1 and 1; three or more ordered classes as an ordered factor; survival",
    "times, right-censored, as",
    "`survival::Surv(time, event)`; all other numbers are numbers, or counts with",
    "`family = \"poisson\"`. Selectors and learners that are",
    "given to a verb have to take the outcome, too: [list_available()], [learners].", "",
    sprintf("| verb | %s |", paste(outcome_words(), collapse = " | ")),
    sprintf("|---%s|", strrep("|---", length(types))), unname(rows)
  )
}
