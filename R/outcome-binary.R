# Two classes, which also serve as numbers: -1 and 1.

register_outcome("binary", function() {
  class_traits(
    "binary", "two classes", place = 1, got = "two classes", also = c("multiclass", "numeric"),
    learns = "multiclass", compares_within = TRUE, is_number = TRUE,
    models = c("ridge_logistic", "least_squares"), selector = "t"
  )
})

claims_y.outcome_binary <- function(outcome, y, family) {
  !identical(family, "poisson") && (is_label(y) && length(unique(y)) <= 2L || is_two_codes(y))
}

holds_labels.outcome_binary <- function(outcome, y) is.factor(y) && nlevels(y) <= 2L

# Classes stay: against centred features, codes have the same products as centred codes.
response_within.outcome_binary <- function(response, groups) {
  refuse(all(response$codes == response$codes[match(groups, groups)]),
    c("{.arg y} does not differ within any group of {.arg within}.",
      i = "Samples of one class that belong together are {.arg blocks} of {.fn prepare_study}."
    )
  )
  response
}

measure_outcome.outcome_binary <- function(outcome, model, observed, link, conf_level, tau) {
  rbind(
    measure_classes(observed$observed, link, conf_level),
    if (model$asked$model == "ridge_logistic") {
      measure_calibration(observed$observed, link, conf_level)
    }
  )
}

decision_of_link.outcome_binary <- function(outcome, link) cbind(-link, link)

prediction_of_link.outcome_binary <- function(outcome, link) {
  odds <- stats::plogis(link)
  list(
    class = 1L + beyond_half(link), probability = cbind(1 - odds, odds),
    decision = decision_of_link(outcome, link)
  )
}

say_towards.outcome_binary <- function(outcome, levels) say_class(levels[2])

say_favours.outcome_binary <- function(outcome, levels) {
  paste(say_class(levels[2:1]), collapse = " over ")
}
