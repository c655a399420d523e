# Ordered classes: an ordered factor of three or more levels. The loss of a prediction is its
# distance in classes; the mean absolute error is the usual comparison of ordinal predictions
# (Gaudette & Japkowicz 2009; Baccianella, Esuli & Sebastiani 2009). A share of wrong classes counts
# a neighbour like the other end, and squares treat distances as measured. The median class has the
# smallest such error.

register_outcome("ordered", function() {
  class_traits(
    "ordered", "ordered classes", place = 2.5, also = "multiclass",
    got = "{length(response$levels)} ordered classes ({.val {response$levels}})",
    advice = "Join neighbours to two classes: {.code y >= \"{response$levels[2]}\"}.",
    shared = "pairs", error = "mean distance in classes", metric = "mean_distance",
    measured = "mean distance in classes", ranked = "none", family = "multinomial",
    models = "ridge_ordered", selector = "spearman"
  )
})

claims_y.outcome_ordered <- function(outcome, y, family) {
  !identical(family, "poisson") && is.ordered(y) && length(unique(y)) > 2L
}

# With two remaining classes, order has no effect.
code_response.outcome_ordered <- function(outcome, y) {
  response <- code_classes(y)
  if (length(response$levels) <= 2L) {
    return(response)
  }
  new_response("ordered", response$y, response$codes, response$levels)
}

holds_labels.outcome_ordered <- function(outcome, y) is.ordered(y) && nlevels(y) > 2L

response_labels.outcome_ordered <- function(response) {
  ordered_factor(response$codes, response$levels)
}

# Some samples may lack classes and are then read again.
take_rows.outcome_ordered <- function(response, rows) {
  code_response(outcome_of(response), response_labels(response)[rows])
}

describe_outcome.outcome_ordered <- function(outcome, record) paste(NextMethod(), "(ordered)")

# Ridits (Bross 1958): the score of a proportional-odds model.
outcome_scores.outcome_ordered <- function(response, z) {
  rank(response$codes) / length(response$codes)
}

# A link for each class but the lowest: this class or a higher one?
working_targets.outcome_ordered <- function(response, rows) {
  higher <- outer(response$codes[rows], seq_along(response$levels)[-1], `>=`)
  ifelse(higher, 1, -1)
}

predicted_labels.outcome_ordered <- function(outcome, values, y) ordered_factor(values, levels(y))

predict_alone.outcome_ordered <- function(outcome, y, n) {
  replace(NextMethod(), "class", list(rep(median_class(as.integer(y)), n)))
}

outcome_loss.outcome_ordered <- function(outcome, y, newy, prediction) {
  class_distance(prediction$class, match(as.character(newy), levels(y)))
}

link_errors.outcome_ordered <- function(response, links, part = NULL) {
  above <- Reduce(`+`, lapply(links, beyond_half))
  colMeans(abs(above + 1L - response$codes))
}

# If no prediction is wrong, the upper limit is the largest share of errors that is compatible with
# none, each at the largest distance.
judge_outcome.outcome_ordered <- function(outcome, seen, decision, blocks, conf_level, order) {
  distances <- abs(as.integer(seen$predicted) - as.integer(seen$observed))
  judged <- judge_losses(distances, outcome$measured, blocks, conf_level)
  if (all(distances == 0)) {
    n_units <- if (is.null(blocks)) nrow(seen) else length(unique(blocks))
    share <- exact_interval(0, n_units / 2, conf_level)
    judged$limits <- share * (nlevels(seen$observed) - 1L)
  }
  judged
}

baseline_error.outcome_ordered <- function(outcome, predictions, within) {
  codes <- as.integer(predictions$observed)
  class_distance(codes, median_class(codes))
}

name_reference.outcome_ordered <- function(outcome, observed) {
  paste("when always predicting", say_class(levels(observed)[median_class(as.integer(observed))]))
}

read_new_outcome.outcome_ordered <- function(outcome, y, study) {
  observed <- NextMethod()$observed
  data.frame(observed = ordered_factor(as.integer(observed), study$levels))
}

measure_outcome.outcome_ordered <- function(outcome, model, observed, link, conf_level, tau) {
  measure_ordered(observed$observed, link, conf_level)
}

said_by_link.outcome_ordered <- function(outcome, link, levels) {
  ordered_factor(ordered_class(link), levels)
}

decision_of_link.outcome_ordered <- function(outcome, link) ordered_shares(link)

say_towards.outcome_ordered <- function(outcome, levels) {
  paste("higher classes, up to", say_class(levels[length(levels)]))
}

say_favours.outcome_ordered <- function(outcome, levels) say_towards(outcome, levels)
