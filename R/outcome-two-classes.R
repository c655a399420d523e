# Two classes, which also serve as numbers: -1 and 1.

register_outcome("binary", function() {
  new_outcome(
    "binary", "two classes", place = 1,
    class_reading(
      claims = function(y, family) {
        !identical(family, "poisson") && (is_label(y) && length(unique(y)) <= 2L || is_two_codes(y))
      },
      holds = function(y) is.factor(y) && nlevels(y) <= 2L, got = "two classes",
      also = c("multiclass", "numeric"), learns = "multiclass", within = classes_within
    ),
    class_drawing(is_number = TRUE),
    judging_by_share(function(model, observed, link, conf_level, tau) {
      rbind(
        measure_classes(observed$observed, link, conf_level),
        if (model$asked$model == "ridge_logistic") {
          measure_calibration(observed$observed, link, conf_level)
        }
      )
    }),
    class_showing(),
    two_classes_defaults()
  )
})

# Classes stay: against centred features, codes have the same products as centred codes.
classes_within <- function(response, groups) {
  refuse(all(response$codes == response$codes[match(groups, groups)]),
    c("{.arg y} does not differ within any group of {.arg within}.",
      i = "Samples of one class that belong together are {.arg blocks} of {.fn prepare_study}."
    )
  )
  response
}

two_classes_defaults <- function() {
  class_defaults(
    models = c("ridge_logistic", "least_squares"), selector = "t",
    towards = function(levels) levels[2],
    favours = function(levels) paste(levels[2], "over", levels[1]),
    decision = function(link) cbind(-link, link),
    from_link = function(link) {
      odds <- stats::plogis(link)
      list(
        class = 1L + beyond_half(link), probability = cbind(1 - odds, odds),
        decision = cbind(-link, link)
      )
    }
  )
}
