# Does a learner take what it is given, and give what it should?

check_learner <- function(learner, name) {
  refuse(!inherits(learner, "stabilect_learner"),
    "{.arg {name}} must be made by a {.code learner_*()} function, such as
      {.code learner_lda()}, not be {describe_value(learner)}."
  )
  invisible(learner)
}

# Learners of numbers do not predict classes, of which two are numbers elsewhere.
check_learner_takes <- function(learner, response) {
  takes <- learner$responses
  type <- response$type
  if (type %in% takes || type == "binary" && "multiclass" %in% takes) {
    return(invisible(learner))
  }
  abort(
    c("The learner {.val {learner$name}} predicts {.or {outcome_words[takes]}}, but {.arg y} holds
       {outcome_words[[type]]}.",
      i = if (is.null(response$codes)) {
        "{.fn learner_ridge}, {.fn learner_lasso} and {.fn learner_forest} predict numbers and
         survival times, {.fn learner_custom} makes a learner of any functions."
      } else {
        "The page {.code ?learners} has learners for classes."
      }
    )
  )
}

# The learner beside the covariates of a response, which are then the first columns of x and of
# newdata; without any, the learner itself.
hold_in_learner <- function(learner, response) {
  k <- ncol(response$covariates)
  if (is.null(k)) {
    return(learner)
  }
  refuse(is.null(learner$held),
    c("The learner {.val {learner$name}} has no part without a penalty, where {.arg covariates}
       could stay in.",
      i = if (is.null(response$codes)) {
        "{.fn learner_ridge} has."
      } else {
        "{.fn learner_logistic} has, with its default {.arg scaling} and {.arg intercept} and
         without weights of features."
      }
    )
  )
  learner$held(k)
}

# Features beside the covariates of the samples.
# @param z (double matrix, or NULL).
beside <- function(z, x) if (is.null(z)) x else cbind(z, x)

# What a learner predicts for some samples: codes of classes, or numbers.
# @param y (the responses of training) a factor, numbers or a Surv.
predicted_values <- function(learner, model, newdata, y) {
  predicted <- learner$predict(model, newdata)
  if (is.factor(y)) {
    values <- match(as.character(predicted), levels(y))
    wanted <- "one of the classes {.val {levels(y)}}"
  } else {
    values <- if (is.numeric(predicted)) as.double(predicted) else NA
    wanted <- "a finite number"
  }
  refuse(length(values) != nrow(newdata) || any(!is.finite(values)),
    c(paste0("The learner {.val {learner$name}} must predict ", wanted, " for each of
        {nrow(newdata)} sample{?s}, not {describe_value(predicted)}."),
        i = "See {.arg predict} in {.fn learner_custom}."
      ),
      class = "learner", call = NULL
  )
  values
}
