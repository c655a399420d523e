# Several classes.

register_outcome("multiclass", function() {
  new_outcome(
    "multiclass", "several classes", place = 2,
    class_reading(
      claims = function(y, family) {
        !identical(family, "poisson") && is_label(y) && !is.ordered(y) &&
          length(unique(y)) > 2L
      },
      holds = function(y) is.factor(y) && !is.ordered(y) && nlevels(y) > 2L, rows = rows_of_classes,
      got = "{length(response$levels)} classes ({.val {response$levels}})",
      advice = "Keep the samples of two classes, or set one against the rest:
        {.code y == \"{response$levels[1]}\"}."
    ),
    class_drawing(
      shared = "pairs",
      # The scores of a multinomial model.
      score = function(response, z) class_indicators(response, seq_len(nrow(z))),
      unnamed = function(response) {
        if (!any(large_classes(response))) "no class has five samples"
      },
      rivals = large_classes,
      working = class_indicators, noise = function(response) {
        gumbel_noise(length(response$codes), length(response$levels))
      }, arrange = arrange_classes
    ),
    judging_by_share(function(model, observed, link, conf_level, tau) {
      measure_several(observed$observed, link, conf_level)
    }),
    class_showing(),
    class_defaults(
      family = "multinomial", models = "ridge_multinomial", selector = "anova",
      decision = class_probabilities, towards = function(levels) "the class of the panel",
      favours = function(levels) "the class of their column"
    )
  )
})

class_indicators <- function(response, rows) {
  outer(response$codes[rows], seq_along(response$levels), `==`) + 0
}

# Codes of classes with at least five samples, 0 for smaller ones.
large_classes <- function(response) {
  small <- tabulate(response$codes) < 5L
  ifelse(small[response$codes], 0L, response$codes)
}

# The class of the largest value, with levels of the classes that keep their sizes.
arrange_classes <- function(response, value) {
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

# Some samples may lack classes and are then read again.
rows_of_classes <- function(response, rows) code_class_labels(response_labels(response)[rows])
