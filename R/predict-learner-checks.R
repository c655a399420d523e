# Does a learner take its input, and return what it should?

check_learner <- function(learner, name) {
  refuse(!inherits(learner, "stabilect_learner"),
    "{.arg {name}} must be made by a {.code learner_*()} function, such as
      {.code learner_lda()}, not be {describe_value(learner)}."
  )
  invisible(learner)
}

# Learners for numbers do not predict classes, although two classes are numbers elsewhere.
check_learner_takes <- function(learner, response) {
  takes <- learner$responses
  one <- outcome_of(response)
  if (any(c(one$name, one$learns) %in% takes)) {
    return(invisible(learner))
  }
  abort(
    c("The learner {.val {learner$name}} predicts {.or {outcome_words()[takes]}}, but {.arg y}
       holds {one$words}.",
      i = one$learners
    )
  )
}

# The learner adjusted for the covariates of a response, which become the first columns of x and of
# newdata; without covariates, the learner itself.
hold_in_learner <- function(learner, response) {
  k <- ncol(response$covariates)
  if (is.null(k)) {
    return(learner)
  }
  refuse(is.null(learner$held),
    c("The learner {.val {learner$name}} cannot adjust for {.arg covariates}.",
      i = outcome_of(response)$holders
    )
  )
  learner$held(k)
}

# Features beside the covariates of the samples.
# @param z (double matrix, or NULL).
beside <- function(z, x) if (is.null(z)) x else cbind(z, x)

# The predictions of a learner for some samples: codes of classes, or numbers.
# @param y (factor, numbers or Surv) the responses of training.
predicted_values <- function(learner, model, newdata, y) {
  one <- outcome_of_labels(y)
  predicted <- learner$predict(model, newdata)
  values <- read_predicted(one, predicted, y)
  refuse(length(values) != nrow(newdata) || any(!is.finite(values)),
    c(paste0("The learner {.val {learner$name}} must predict ", one$wanted, " for each of
        {nrow(newdata)} sample{?s}, not {describe_value(predicted)}."),
        i = "See {.arg predict} in {.fn learner_custom}."
      ),
      class = "learner", call = NULL
  )
  values
}
