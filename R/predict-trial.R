# Training on some samples and predicting others: only done here.

# Samples of a study, without copying them.
# @param y,z response_labels() and the covariates (n x k, or NULL) of all samples of x.
# @param rows (integer, with repeats or negative; or NULL for all).
# @return list(x, z, rows, y (of these samples)).
samples_at <- function(x, y, z = NULL, rows = NULL) {
  list(x = x, z = z, rows = rows, y = if (is.null(rows)) y else label_rows(y, rows))
}

# Covariates, then features.
# @param set (integer) columns.
columns_at <- function(samples, set) {
  rows <- samples$rows
  if (is.null(rows)) {
    return(beside(samples$z, samples$x[, set, drop = FALSE]))
  }
  # Columns of a file are read whole.
  x <- if (is.matrix(samples$x)) {
    samples$x[rows, set, drop = FALSE]
  } else {
    samples$x[, set, drop = FALSE][rows, , drop = FALSE]
  }
  beside(samples$z[rows, , drop = FALSE], x)
}

# @param set (integer) columns of both. @param train,test of samples_at().
# @param needs (character) the requests to the learner, in this order, which matters for learners
#   that draw random numbers: see ask_learner(). @param y labels that contain all classes, and times
#   of curves.
# @return list(model, importance (if requested), truth, prediction (see metric_value(); NULL without
#   test samples)).
trial <- function(learner, set, train, test, needs = outcome$needs, y = train$y,
                  outcome = outcome_of_labels(y)) {
  # A class without training samples is unknown to the model, for every caller.
  x <- columns_at(train, set)
  model <- if (is.null(learner$drawn) || is.null(train$rows)) {
    learner$fit(x, present_labels(outcome, train$y))
  } else {
    # Rows may be those that are left out.
    learner$drawn(x, present_labels(outcome, train$y), seq_len(nrow(train$x))[train$rows])
  }
  newx <- columns_at(test, set)
  answers <- ask_learner(learner, model, newx, y, needs)
  list(
    model = model, importance = answers$importance, truth = true_values(outcome, test$y, y),
    prediction = if (nrow(newx) > 0L) prediction_of_answers(outcome, answers, y)
  )
}

# @param needs (character) some of "importance", "predict", "probability", "decision", "survival".
# @return (list) the answer to each; NULL for functions that the learner does not have.
ask_learner <- function(learner, model, newx, y, needs) {
  if (nrow(newx) == 0L) needs <- intersect(needs, "importance")
  answers <- list()
  for (what in needs) {
    # Most learners derive decision values from probabilities, which are then computed once.
    known <- what == "decision" && "probability" %in% names(answers) &&
      identical(learner$decision, learner$probability)
    answers[what] <- list(
      if (known) answers$probability else answer_of(learner, model, newx, y, what)
    )
  }
  answers
}

answer_of <- function(learner, model, newx, y, what) {
  if (is.null(learner[[what]])) {
    return(NULL)
  }
  switch(what,
    importance = learner$importance(model),
    predict = predicted_values(learner, model, newx, y),
    survival = predicted_curves(learner, model, newx, y),
    learner[[what]](model, newx)
  )
}

# A model on new samples, by all metrics that its learner has answers for.
# @param all (labels) of the training samples, as of trial(). @return (named numeric).
judge_fitted <- function(learner, model, set, test, all) {
  one <- outcome_of_labels(all)
  answers <- ask_learner(learner, model, columns_at(test, set), all, one$needs)
  prediction <- prediction_of_answers(one, answers, all)
  given <- c("predict", names(Filter(Negate(is.null), answers)))
  metrics <- check_metrics(NULL, metrics_of(one$name), given)
  vapply(stats::setNames(metrics, metrics), metric_value, 0,
    truth = true_values(one, test$y, all), prediction = prediction
  )
}
