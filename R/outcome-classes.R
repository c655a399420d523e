# The common part of two, several and ordered classes; errors are shares of wrong classes.

# @param ... further traits, or others than these.
class_traits <- function(name, words, place, got, models, measured = "misclassification rate",
                         error = NULL, metric = "accuracy", ranked = "auc", ...) {
  new_outcome(
    name, "classes", words, place, got, ...,
    direction = "higher in", signs = NULL, lacks = "one class",
    needs = c("probability", "decision", "predict"),
    wanted = "one of the classes {.val {levels(y)}}", expected = "classes", error = error,
    metric = metric, measured = measured, ranked = ranked, panels = "points", models = models,
    learners = "The page {.code ?learners} has learners for classes.",
    holders = "{.fn learner_logistic} has, with its default {.arg scaling} and {.arg intercept} and
      without weights of features."
  )
}

code_response.outcome_classes <- function(outcome, y) code_class_labels(y)

response_labels.outcome_classes <- function(response) {
  factor(response$levels[response$codes], response$levels)
}

kept_of_response.outcome_classes <- function(response) {
  list(class_sizes = tabulate(response$codes, length(response$levels)))
}

describe_outcome.outcome_classes <- function(outcome, record) {
  if (length(record$levels) > 6L) {
    sizes <- format_range(range(record$class_sizes))
    return(sprintf("%d classes of %s samples", length(record$levels), sizes))
  }
  paste(record$class_sizes, say_class(record$levels), collapse = ", ")
}

strata_of.outcome_classes <- function(response) response$codes

strata_words.outcome_classes <- function(response, what) {
  paste0(what, " of class \"", response$levels, "\"")
}

# A single sample is refused, see check_class_sizes().
describe_scarce.outcome_classes <- function(outcome, record) {
  small <- which.min(record$class_sizes)
  size <- record$class_sizes[small]
  if (isTRUE(size < 5L && size > 1L)) {
    sprintf("class \"%s\" has only %s", record$levels[small], count_of(size, "sample"))
  }
}

run_status.outcome_classes <- function(response, weights, min_class) {
  status <- rep("ok", ncol(weights))
  sizes <- rowsum(weights, response$codes)
  small <- colSums(sizes > 0L & sizes < min_class) > 0L
  status[small] <- sprintf("a class with fewer than %d samples", min_class)
  status[colSums(sizes > 0L) < 2L] <- "one class"
  status
}

# Logistic, and of Cox and multinomial models.
outcome_noise.outcome_classes <- function(response) {
  cbind(stats::rlogis(length(response$codes)) * sqrt(3) / pi)
}
gumbel_noise <- function(n, n_links) {
  matrix(-log(stats::rexp(n * n_links)), n) * sqrt(6) / pi
}

# Standardised, each feature by the class where it is highest among all samples.
single_effects.outcome_classes <- function(response, values, weights = NULL) {
  codes <- response$codes
  classes <- outer(codes, sort(unique(codes)), `==`) + 0
  z <- response$covariates
  effects_by_column(
    "difference", paste(
      "mean of the class where the feature is highest minus the mean of the other samples, in",
      "standard deviations within classes"
    ),
    values, weights, function(v, w) difference_effect(v, classes, w, z, response$within),
    together = TRUE
  )
}

read_predicted.outcome_classes <- function(outcome, predicted, y) {
  match(as.character(predicted), levels(y))
}

prediction_of_answers.outcome_classes <- function(outcome, answers, y) {
  list(
    class = answers$predict, probability = columns_of_classes(answers$probability, levels(y), 0),
    decision = columns_of_classes(of_either_side(answers$decision, levels(y)), levels(y), -Inf)
  )
}

# For two classes a model has one value, often the second class against 0. Each of several classes
# has its own value against all others.
of_either_side <- function(values, classes) {
  if (length(classes) > 2L && NCOL(values) == 2L) values - rowMeans(values) else values
}

plain_prediction.outcome_classes <- function(outcome, prediction) prediction$class

predicted_labels.outcome_classes <- function(outcome, values, y) {
  factor(levels(y)[values], levels(y))
}

present_labels.outcome_classes <- function(outcome, y) droplevels(y)

true_values.outcome_classes <- function(outcome, newy, y) match(as.character(newy), levels(y))

# The shares of the classes, and the largest class (the first among equals).
predict_alone.outcome_classes <- function(outcome, y, n) {
  shares <- tabulate(y, nlevels(y)) / length(y)
  odds <- matrix(shares, n, nlevels(y), byrow = TRUE)
  list(class = rep(which.max(shares), n), probability = odds, decision = odds)
}

outcome_loss.outcome_classes <- function(outcome, y, newy, prediction) {
  mean(levels(y)[prediction$class] != as.character(newy))
}

# As class_of_links(): two classes by the sign, several by the largest link, the first of equals.
link_errors.outcome_classes <- function(response, links, part = NULL) {
  if (length(links) == 1L) {
    return(colMeans(beyond_half(links[[1]]) != (response$codes == 2L)))
  }
  each <- vapply(links, as.double, numeric(length(links[[1]])))
  found <- matrix(top_class(each), length(response$codes))
  colMeans(found != response$codes)
}

baseline_error.outcome_classes <- function(outcome, predictions, within) {
  rarer_share(predictions$observed)
}

name_reference.outcome_classes <- function(outcome, observed) {
  sizes <- table(observed)
  largest <- say_class(names(sizes))[which.max(sizes)]
  paste("when always predicting", c(largest, "the largest class")[1])
}

judge_outcome.outcome_classes <- function(outcome, seen, decision, blocks, conf_level, order) {
  n_units <- if (is.null(blocks)) nrow(seen) else length(unique(blocks))
  error <- mean(seen$predicted != seen$observed)
  by_class <- measure_by_class(
    seen$observed, seen$predicted, if (is.null(order)) decision
  )
  judged <- new_judgement(
    outcome$measured, error, exact_interval(error, n_units / 2, conf_level),
    by_class$balanced_error, by_class$auc
  )
  if (!is.null(order)) {
    found <- rank_agreement(outcome, seen, order)
    found <- judge_order(found, order$row, blocks, conf_level, scarcest_samples(outcome, seen)$n)
    judged[c("auc", "auc_limits")] <- found[c("share", "limits")]
  }
  judged
}

measure_by_class <- function(observed, predicted, decision) {
  recalls <- recalls_of(as.integer(observed), as.integer(predicted))
  list(
    balanced_error = 1 - mean(recalls),
    auc = if (is.null(decision)) NA_real_ else auc_of(as.integer(observed), decision)
  )
}

rank_agreement.outcome_classes <- function(outcome, seen, order) {
  auc_within(as.integer(seen$observed)[order$row], order$value, order$group)
}

comparable_pairs.outcome_classes <- function(response, i, j) {
  response$codes[i] != response$codes[j]
}

scarcest_samples.outcome_classes <- function(outcome, seen) {
  sizes <- tabulate(seen$observed, nlevels(seen$observed))
  rarest <- which.min(replace(sizes, sizes == 0L, NA))
  words <- paste(count_of(sizes[rarest], "sample"), "of", say_class(levels(seen$observed)[rarest]))
  list(n = sizes[rarest], words = words)
}

read_new_outcome.outcome_classes <- function(outcome, y, study) {
  levels <- study$levels
  observed <- factor(as.character(y), levels)
  bad <- which(is.na(observed))
  refuse(length(bad) > 0L,
    c("{.arg y} has {figure(y[[bad[1]]])} at position {bad[1]}, which is not a class of
       {.arg object}.",
      i = "Its classes are {.val {levels}}."
    )
  )
  data.frame(observed = observed)
}

default_learner.outcome_classes <- function(outcome, held) {
  if (held) learner_logistic() else learner_lda()
}

elimination_learner.outcome_classes <- function(outcome, held) {
  if (held) learner_logistic() else learner_svm()
}

said_by_link.outcome_classes <- function(outcome, link, levels) unname(class_of_links(link, levels))

predict_types.outcome_classes <- function(outcome, known) c("class", known)

say_output.outcome_classes <- function(outcome, levels) {
  if (length(levels) == 2L) {
    "a probability; the class above 0.5 is predicted"
  } else {
    "the probability of each class; the likeliest is predicted"
  }
}
