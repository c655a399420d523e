# Several classes.

register_outcome("multiclass", function() {
  class_traits(
    "multiclass", "several classes", place = 2,
    got = "{length(response$levels)} classes ({.val {response$levels}})",
    advice = "Keep the samples of two classes, or set one against the rest:
      {.code y == \"{response$levels[1]}\"}.",
    shared = "pairs", family = "multinomial", models = "ridge_multinomial", selector = "anova"
  )
})

claims_y.outcome_multiclass <- function(outcome, y, family) {
  !identical(family, "poisson") && is_label(y) && !is.ordered(y) && length(unique(y)) > 2L
}

holds_labels.outcome_multiclass <- function(outcome, y) {
  is.factor(y) && !is.ordered(y) && nlevels(y) > 2L
}

# Some samples may lack classes and are then read again.
take_rows.outcome_multiclass <- function(response, rows) {
  code_class_labels(response_labels(response)[rows])
}

# The scores of a multinomial model.
outcome_scores.outcome_multiclass <- function(response, z) {
  working_targets(response, seq_len(nrow(z)))
}

why_unnamed.outcome_multiclass <- function(response) {
  if (!any(rival_classes(response))) "no class has five samples"
}

# Codes of classes with at least five samples, 0 for smaller ones.
rival_classes.outcome_multiclass <- function(response) {
  small <- tabulate(response$codes) < 5L
  ifelse(small[response$codes], 0L, response$codes)
}

working_targets.outcome_multiclass <- function(response, rows) {
  outer(response$codes[rows], seq_along(response$levels), `==`) + 0
}

outcome_noise.outcome_multiclass <- function(response) {
  gumbel_noise(length(response$codes), length(response$levels))
}

# The class of the largest value, with levels of the classes that keep their sizes.
arrange_outcome.outcome_multiclass <- function(response, value) {
  size <- tabulate(response$codes, ncol(value))
  # By how much another value is larger than a class's own.
  gap <- function(k, rows) {
    do.call(pmax, as.data.frame(value[rows, -k, drop = FALSE])) - value[rows, k]
  }
  for (turn in 1:20) {
    for (k in seq_along(size)) {
      value[, k] <- value[, k] + mean(sort(gap(k, seq_len(nrow(value))))[size[k] + 0:1])
    }
  }
  at <- integer(nrow(value))
  for (k in seq_along(size)) {
    free <- which(at == 0L)
    at[free[order(gap(k, free))[seq_len(size[k])]]] <- which(response$codes == k)
    value[, k] <- -Inf
  }
  at
}

measure_outcome.outcome_multiclass <- function(outcome, model, observed, link, conf_level, tau) {
  measure_several(observed$observed, link, conf_level)
}

decision_of_link.outcome_multiclass <- function(outcome, link) class_probabilities(link)

say_towards.outcome_multiclass <- function(outcome, levels) "the class of the panel"

say_favours.outcome_multiclass <- function(outcome, levels) "the class of their column"
