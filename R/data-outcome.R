# An outcome is a record: all that is particular to one kind of response, in one file (outcome-*.R).
# Data know its name, `response$type`; everything else asks the record. Records are looked up, never
# stored: objects that contain functions can be neither compared nor hashed.

# @param name (string) as in `response$type`; words (string): in messages; place (number): the order
#   of tables.
# @param ... of reading(), drawing(), judging(), showing() and defaults(), one each.
new_outcome <- function(name, words, place, ...) {
  c(list(name = name, words = words, place = place), ...)
}

# From the user's outcome to the response, and back to labels: the factor, numbers or Surv that
# learners get.
# @param claims function(y, family): is y, as the user gave it, of this kind? One record says so.
# @param code function(y): the response, see new_response(). @param check function(response): warns
#   or stops if y may mean something else.
# @param holds function(y): are labels of this kind? @param labels function(response): the labels.
# @param rows function(response, rows), or NULL where classes never disappear with samples.
# @param observed function(response): columns of a table. @param record function(response): what a
#   study record keeps besides. @param describe function(record): one line.
# @param direction (string): what prints call the direction of a feature; signs (named character,
#   or NULL): how they write it.
# @param also,learns (character) outcomes under whose name verbs and selectors, or learners, may
#   take it.
# @param within function(response, groups): as it is compared within groups, or NULL if it cannot.
# @param got,advice (strings, cli) in an error: what y contains, and what to do.
reading <- function(claims, code, holds, labels, describe, got, also = character(), learns = also,
                    check = function(response) NULL, rows = NULL,
                    observed = function(response) data.frame(observed = labels(response)),
                    record = function(response) NULL, direction = "effect",
                    signs = NULL, within = NULL,
                    advice = "Give classes as a factor, {.code factor(y)}.") {
  complete(environment())
}

# How samples are drawn, and whether a run on some of them is usable.
# @param strata function(response): codes from 1 that stratified draws keep in proportion; or NULL.
# @param shared (character) draws that are stratified by default: "pairs", "halves". @param
#   strata_words function(response, what): names of the strata.
# @param draw function(response): codes of unstratified draws; a run needs at least two of them.
# @param lacks (string) name of a run with fewer; useless function(response, counts): these runs,
#   where codes do not tell. @param status function(response, weights, min_class): of runs, "ok" or
#   the reason. @param scarce function(response): warns of too few.
# @param number function(response): one number per sample, the target of linear scores; score
#   function(response, z): the same with the covariates z (n x q) in the model without features, or
#   several columns of them. @param unnamed function(response): why probabilities of names do not
#   hold for these scores, or NULL. @param rivals function(response): codes of classes that are
#   each named against all others, 0 for those with too few samples; none for one score.
# @param is_number (flag) does least squares on `y` make sense? is_scale: are the numbers also
#   measured?
# @param distinct function(response): codes, equal for indistinguishable samples.
# @param noise function(response): of simulated outcomes, with variance 1, a column for each link.
# @param arrange function(response, value): for each sample, the one whose response it gets, by its
#   links with noise; NULL where these are the responses.
# @param working function(response, rows): a column for each link, the targets of least squares that
#   take one step of Newton's method from the model without features; see R/judge-lists.R.
drawing <- function(lacks, status, strata = function(response) NULL, shared = character(),
                    strata_words = NULL, draw = strata, useless = NULL,
                    scarce = function(response) NULL, number = function(response) response$y,
                    score = function(response, z) number(response),
                    unnamed = function(response) NULL, rivals = function(response) integer(),
                    is_number = FALSE, is_scale = FALSE,
                    distinct = function(response) match(response$y, sort(unique(response$y))),
                    noise = function(response) cbind(stats::rnorm(length(response$y))),
                    arrange = function(response, value) order(response$y)[rank(value)],
                    working = function(response, rows) cbind(response$y[rows])) {
  complete(environment())
}

# What is predicted, and how the error is measured. A prediction is a list, see metric_value().
# @param needs (character) what metrics read, in the order in which learners are asked.
# @param values function(predicted, y): as codes or numbers; wanted (string, cli): name of these.
# @param prediction function(answers, y): from the learner's answers. @param plain
#   function(prediction): its codes or numbers; named function(values, y): as labels; present
#   function(y): labels without empty classes.
# @param truth function(newy, y): the observed outcome for metric_value(). @param alone function(y,
#   n): the prediction without features. @param loss function(y, newy, prediction): the default
#   error; error (string, or NULL): its name; metric (string): one minus this error.
# @param judge function(seen, decision, blocks, conf_level, order): new_judgement() of pooled
#   predictions; measured (string): its measure; baseline function(predictions): the measure without
#   features, and reference function(observed): its name.
# @param ranked (string) the measure that compares pairs of samples: "error", "auc" or "none". Pairs
#   are compared in groups that one model predicts, see R/resample-groups.R: `order`, a list of row
#   (in `seen`), group (integer) and value (matrix, the larger the later class or the earlier
#   event). Without groups one model predicted all samples. agreement function(seen, order): of
#   concordance_within(). comparable function(response, i, j): which pairs of rows are compared.
#   scarcest function(seen): list(n, words), of the samples that limit the measure.
# @param errors function(response, links): the error of many predictions of all samples; `links` is
#   a list of matrices, n x predictions, one for each link. If the error compares pairs,
#   function(response, links, part): of the pairs that one part left out.
# @param fits function(y): can y be the outcome of new samples? expected (string, cli): what can.
# @param read function(y, study): the outcome of new samples as `observed`; measure function(model,
#   observed, link, conf_level, tau): the table of measures.
judging <- function(needs, values, wanted, prediction, plain, truth, alone, loss, error, metric,
                    judge, measured, baseline, reference, expected, read, measure,
                    errors, fits = function(y) !is_survival(y), named = function(values, y) values,
                    present = identity, ranked = "none", agreement = NULL,
                    comparable = NULL, scarcest = NULL) {
  complete(environment())
}

# How single features are shown beside the outcome.
# @param effects function(values, response, weights): of each column, given the covariates of the
#   response, see effects_by_column().
# @param panels (string) kind of picture: "points", "scatter" or "curves"; axis (string, or NULL):
#   what its axis calls the outcome.
showing <- function(effects, panels, axis = NULL) {
  complete(environment())
}

# Defaults, and the meaning of links.
# @param family (string) of paths. @param models (character) final models, the default first.
# @param learner,first function(held): the learner of evaluations and of eliminations, with
#   covariates or without. @param selector (string) that scores features.
# @param favours function(levels): the same in the print of a model, or NULL.
# @param said function(link, levels): as the response; decision function(link): n x classes, or
#   NULL; from_link function(link): a prediction. @param types function(known): of predict(), the
#   default first. @param towards function(levels): what a positive coefficient favours.
# @param learners,holders (strings, cli) learners that take it, and learners that also adjust for
#   covariates.
defaults <- function(models, learner, said, types, towards, learners, holders,
                     first = learner, family = "gaussian", selector = NULL,
                     decision = function(link) NULL, from_link = NULL,
                     favours = function(levels) NULL) {
  complete(environment())
}

# The arguments of the calling function. Each argument without a default must be given: an
# incomplete record should fail here.
complete <- function(frame) {
  fields <- as.list(frame)
  absent <- vapply(names(fields), function(name) rlang::is_missing(frame[[name]]), NA)
  if (any(absent)) stop("an outcome lacks ", toString(names(fields)[absent]))
  fields
}

outcome_registry <- new_registry()
# The files of outcomes call this.
register_outcome <- outcome_registry$add
outcome_records <- outcome_registry$all

# @param response (response, or study record) with `type`.
outcome_of <- function(response) outcome_records()[[response$type]]

# @param y (factor, numbers or Surv).
outcome_of_labels <- function(y) Find(function(one) one$holds(y), outcome_records())

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

# The return value of `judge`.
new_judgement <- function(measure, error, limits, balanced_error = NA_real_, auc = NA_real_,
                          auc_limits = c(NA_real_, NA_real_)) {
  list(
    measure = measure, error = error, limits = limits, balanced_error = balanced_error, auc = auc,
    auc_limits = auc_limits
  )
}
