# An outcome is a class, in one file (outcome-*.R): its traits, which are constants, and its methods
# of the generics below. A response has this class. Study records, errors and labels only know the
# name, `type`; generics about these first get outcome_of(record), traits of the same class.
#
# NAMESPACE does not list the methods: R finds them from where the generic is called, which has to
# be in the package. So lapply(some, function(one) generic(one)), not lapply(some, generic).

# The traits of an outcome; one without a default must be given.
# @param name (string) as in `response$type`, and kin (string, or NULL): the outcome has the class
#   outcome_<name>, and inherits methods of outcome_<kin>. @param words (string): in messages; place
#   (number): the order of tables.
# @param got,advice (strings, cli) in an error: what y contains, and what to do. @param also,learns
#   (character) outcomes under whose name verbs and selectors, or learners, may take it.
# @param direction (string): what goes with large values of a feature, the heading of its column in
#   prints; signs (named character, or NULL for names of classes): how they write it. @param
#   compares_within (flag) can it be compared within groups?
# @param lacks (string) name of a run whose samples are too much alike; shared (character): draws
#   that are stratified by default: "pairs", "halves". @param is_number (flag) does least squares on
#   `y` make sense? is_scale: are the numbers also measured?
# @param needs (character) what metrics read, in the order in which learners are asked; wanted
#   (string, cli): name of these values; expected: of the outcome of new samples. @param error
#   (string, or NULL) name of the default error; metric (string): one minus this error; measured
#   (string): the measure of errors out of bag.
# @param ranked (string) the measure that compares pairs of samples: "error", "auc" or "none". Pairs
#   are compared in groups that one model predicts, see R/resample-groups.R.
# @param panels (string) kind of picture: "points", "scatter" or "curves"; axis (string, or NULL):
#   what its axis calls the outcome.
# @param family (string) of paths; models (character): final models, the default first; selector
#   (string) that scores features; learners,holders (strings, cli): learners that take it, and
#   learners that also adjust for covariates.
new_outcome <- function(name, kin, words, place, got, lacks, needs, wanted, expected, error, metric,
                        measured, panels, models, learners, holders, also = character(),
                        learns = also, advice = "Give classes as a factor, {.code factor(y)}.",
                        direction = "outcome", signs = c("+" = "up", "-" = "down"),
                        compares_within = FALSE, shared = character(), is_number = FALSE,
                        is_scale = FALSE, ranked = "none", axis = NULL, family = "gaussian",
                        selector = NULL) {
  frame <- environment()
  traits <- setdiff(names(formals()), "kin")
  absent <- Filter(function(trait) rlang::is_missing(frame[[trait]]), traits)
  if (length(absent) > 0L) stop("an outcome lacks ", toString(absent))
  structure(mget(traits, frame), class = c(sprintf("outcome_%s", c(name, kin)), "outcome"))
}

outcome_registry <- new_registry()
# The files of outcomes call this.
register_outcome <- outcome_registry$add
outcome_records <- outcome_registry$all

# @param response (response, study record or error) with `type`.
outcome_of <- function(response) outcome_records()[[response$type]]

# @param y (factor, numbers or Surv).
outcome_of_labels <- function(y) Find(function(one) holds_labels(one, y), outcome_records())

outcome_words <- function() vapply(outcome_records(), `[[`, "", "words")

# The outcomes that a verb passes to open_study().
takes_of <- function(verb) {
  one <- verb_registry$all()[[verb]]
  known <- names(outcome_records())
  if (is.null(one)) {
    return(character())
  }
  if (is.null(one$only)) setdiff(known, one$without) else intersect(known, one$only)
}

# @param outcome (string).
verbs_that_take <- function(outcome) {
  Filter(function(verb) outcome %in% takes_of(verb), known_verbs())
}

# --- From the user's outcome to the response, and back to labels ---

# Is y, as the user gave it, of this kind? One outcome says so.
claims_y <- function(outcome, y, family) UseMethod("claims_y")

# @return (stabilect_response) see new_response().
code_response <- function(outcome, y) UseMethod("code_response")

# Warns or stops if y may mean something else.
check_meaning <- function(response) UseMethod("check_meaning")
check_meaning.outcome <- function(response) NULL

# Are labels of this kind?
holds_labels <- function(outcome, y) UseMethod("holds_labels")

# The labels that learners get: the response as the user gave it, a factor, numbers or a Surv.
response_labels <- function(response) UseMethod("response_labels")

# The response as columns of a table.
observed_columns <- function(response) UseMethod("observed_columns")
observed_columns.outcome <- function(response) data.frame(observed = response_labels(response))

# Some samples, without their roles; another outcome, if classes disappear with the others.
take_rows <- function(response, rows) UseMethod("take_rows")

# @return (list, or NULL) what a study record keeps besides.
kept_of_response <- function(response) UseMethod("kept_of_response")
kept_of_response.outcome <- function(response) NULL

# One line on the data. @param record (study record).
describe_outcome <- function(outcome, record) UseMethod("describe_outcome")

# The response as it is compared within groups, of outcomes with `compares_within`.
response_within <- function(response, groups) UseMethod("response_within")

# --- How samples are drawn, and whether a run on some of them is usable ---

# Codes from 1 that stratified draws keep in proportion, or NULL.
strata_of <- function(response) UseMethod("strata_of")
strata_of.outcome <- function(response) NULL

# Names of the strata. @param what (string) "samples" or "blocks".
strata_words <- function(response, what) UseMethod("strata_words")
strata_words.outcome <- function(response, what) NULL

# Codes of unstratified draws. A run needs at least two of them.
draw_codes <- function(response) UseMethod("draw_codes")
draw_codes.outcome <- function(response) strata_of(response)

# Flags of useless runs, for outcomes whose codes do not show them; otherwise NULL.
useless_runs <- function(response, counts) UseMethod("useless_runs")
useless_runs.outcome <- function(response, counts) NULL

# Status of each run: "ok", or why it failed.
run_status <- function(response, weights, min_class) UseMethod("run_status")

# What there are fewer than five of, in a sentence without its point, or NULL. @param record (study
# record, or what of it comes from the response).
describe_scarce <- function(outcome, record) UseMethod("describe_scarce")
describe_scarce.outcome <- function(outcome, record) NULL

scarce_says_little <- "errors and frequencies that rest on fewer than five say little"

warn_scarce <- function(response) {
  record <- c(kept_of_response(response), list(levels = response$levels))
  scarce <- describe_scarce(outcome_of(response), record)
  if (!is.null(scarce)) {
    warn(
      c("{capitalised(scarce)}.", i = "{capitalised(scarce_says_little)}."),
      class = "small_class"
    )
  }
}

# --- The response as numbers ---

# One number per sample, the target of linear scores and directions.
linear_response <- function(response) UseMethod("linear_response")
linear_response.outcome <- function(response) response$y

# The same with the covariates z (n x q) in the model without features, or several columns.
outcome_scores <- function(response, z) UseMethod("outcome_scores")
outcome_scores.outcome <- function(response, z) linear_response(response)

# Why probabilities of names do not hold for these scores, or NULL.
why_unnamed <- function(response) UseMethod("why_unnamed")
why_unnamed.outcome <- function(response) NULL

# Codes of classes that are each named against all others, 0 for those with too few samples; none
# for one score.
rival_classes <- function(response) UseMethod("rival_classes")
rival_classes.outcome <- function(response) integer()

# Codes, equal for indistinguishable samples.
distinct_codes <- function(response) UseMethod("distinct_codes")
distinct_codes.outcome <- function(response) match(response$y, sort(unique(response$y)))

# Noise of simulated outcomes, with variance 1, a column for each link.
outcome_noise <- function(response) UseMethod("outcome_noise")
outcome_noise.outcome <- function(response) cbind(stats::rnorm(length(response$y)))

# For each sample, the one whose response it gets, by its links with noise; NULL where these are the
# responses.
arrange_outcome <- function(response, value) UseMethod("arrange_outcome")
arrange_outcome.outcome <- function(response, value) order(response$y)[rank(value)]

# A column for each link, the targets of least squares that take one step of Newton's method from
# the model without features; see R/evaluate-list-errors.R.
working_targets <- function(response, rows) UseMethod("working_targets")
working_targets.outcome <- function(response, rows) cbind(response$y[rows])

# Effect of each feature, given the covariates of the response: see effects_by_column().
single_effects <- function(response, values, weights = NULL) UseMethod("single_effects")

# The same of very many features: name, meaning and value, without the influence of samples.
plain_effects <- function(response, values) UseMethod("plain_effects")
plain_effects.outcome <- function(response, values) {
  single_effects(response, values)[c("name", "meaning", "value")]
}

# --- What is predicted. A prediction is a list, see metric_value() ---

# What a learner predicted, as codes or numbers; NA if it is something else.
read_predicted <- function(outcome, predicted, y) UseMethod("read_predicted")
read_predicted.outcome <- function(outcome, predicted, y) {
  if (is.numeric(predicted)) as.double(predicted) else NA
}

# The prediction in the learner's answers.
prediction_of_answers <- function(outcome, answers, y) UseMethod("prediction_of_answers")

# Its codes or numbers, and these as labels.
plain_prediction <- function(outcome, prediction) UseMethod("plain_prediction")
plain_prediction.outcome <- function(outcome, prediction) prediction$value
predicted_labels <- function(outcome, values, y) UseMethod("predicted_labels")
predicted_labels.outcome <- function(outcome, values, y) values

# Labels without empty classes.
present_labels <- function(outcome, y) UseMethod("present_labels")
present_labels.outcome <- function(outcome, y) y

# The observed outcome for metric_value().
true_values <- function(outcome, newy, y) UseMethod("true_values")
true_values.outcome <- function(outcome, newy, y) newy

# The prediction of n samples without features.
predict_alone <- function(outcome, y, n) UseMethod("predict_alone")

# --- How the error is measured ---

# The default error.
outcome_loss <- function(outcome, y, newy, prediction) UseMethod("outcome_loss")

# new_judgement() of pooled predictions. @param seen (data frame) observed columns and `predicted`.
# @param order (list, or NULL) row (in `seen`), group (integer) and value (matrix, the larger the
#   later class or the earlier event). Without groups one model predicted all samples.
judge_outcome <- function(outcome, seen, decision, blocks, conf_level, order) {
  UseMethod("judge_outcome")
}
new_judgement <- function(measure, error, limits, balanced_error = NA_real_, auc = NA_real_,
                          auc_limits = c(NA_real_, NA_real_)) {
  list(
    measure = measure, error = error, limits = limits, balanced_error = balanced_error, auc = auc,
    auc_limits = auc_limits
  )
}

# Losses of fewer samples or blocks have no interval, which would tell nothing.
fewest_for_interval <- 8L

# The measure without features, and its name.
# @param within (flag) are the outcomes compared within groups?
baseline_error <- function(outcome, predictions, within) UseMethod("baseline_error")
name_reference <- function(outcome, observed) UseMethod("name_reference")

# Of outcomes that are ranked: agreement as of concordance_within(); which pairs of rows are
# compared; list(n, words), of the samples that limit the measure.
rank_agreement <- function(outcome, seen, order) UseMethod("rank_agreement")
comparable_pairs <- function(response, i, j) UseMethod("comparable_pairs")
scarcest_samples <- function(outcome, seen) UseMethod("scarcest_samples")

# The error of many predictions of all samples. @param links (list of matrices, n x predictions) one
#   for each link. @param part (integer, n) where the error compares pairs: those of one part.
link_errors <- function(response, links, part = NULL) UseMethod("link_errors")

# Can y be the outcome of new samples?
fits_outcome <- function(outcome, y) UseMethod("fits_outcome")
fits_outcome.outcome <- function(outcome, y) !is_survival(y)

# This outcome in the form of observed_columns(). @param study (study record) of the model.
read_new_outcome <- function(outcome, y, study) UseMethod("read_new_outcome")

# The table of measures. @param observed (data frame) of read_new_outcome().
measure_outcome <- function(outcome, model, observed, link, conf_level, tau) {
  UseMethod("measure_outcome")
}

# --- Defaults, and the meaning of links ---

# The learner of evaluations, and of eliminations. @param held (flag) with covariates?
default_learner <- function(outcome, held) UseMethod("default_learner")
elimination_learner <- function(outcome, held) UseMethod("elimination_learner")
elimination_learner.outcome <- function(outcome, held) default_learner(outcome, held)

# A link as the response; as n x classes, or NULL; as a prediction (of two classes only).
said_by_link <- function(outcome, link, levels) UseMethod("said_by_link")
said_by_link.outcome <- function(outcome, link, levels) link
decision_of_link <- function(outcome, link) UseMethod("decision_of_link")
decision_of_link.outcome <- function(outcome, link) NULL
prediction_of_link <- function(outcome, link) UseMethod("prediction_of_link")

# Types of predict(), the default first. @param known (character) of the model.
predict_types <- function(outcome, known) UseMethod("predict_types")

# What a model predicts, in words.
say_output <- function(outcome, levels) UseMethod("say_output")
say_output.outcome <- function(outcome, levels) "a number"

# What a positive coefficient favours, and the same in the print of a model, or NULL.
say_towards <- function(outcome, levels) UseMethod("say_towards")
say_favours <- function(outcome, levels) UseMethod("say_favours")
say_favours.outcome <- function(outcome, levels) NULL
