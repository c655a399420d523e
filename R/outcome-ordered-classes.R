# Ordered classes: an ordered factor of three or more levels. The loss of a prediction is its
# distance in classes; the mean absolute error is the usual comparison of ordinal predictions
# (Gaudette & Japkowicz 2009; Baccianella, Esuli & Sebastiani 2009). A share of wrong classes counts
# a neighbour like the other end, and squares treat distances as measured. The median class has the
# smallest such error.

register_outcome("ordered", function() {
  new_outcome(
    "ordered", "ordered classes", place = 2.5, ordered_reading(), ordered_drawing(),
    ordered_judging(), class_showing(), ordered_defaults()
  )
})

ordered_reading <- function() {
  reading(
    claims = function(y, family) {
      !identical(family, "poisson") && is.ordered(y) && length(unique(y)) > 2L
    },
    code = code_ordered, holds = function(y) is.ordered(y) && nlevels(y) > 2L,
    labels = function(response) ordered_factor(response$codes, response$levels),
    # Some samples may lack classes and are then read again.
    rows = function(response, rows) code_ordered(response_labels(response)[rows]),
    record = function(response) {
      list(class_sizes = tabulate(response$codes, length(response$levels)))
    },
    describe = function(record) paste(describe_classes(record), "(ordered)"),
    direction = "higher in", also = "multiclass",
    got = "{length(response$levels)} ordered classes ({.val {response$levels}})",
    advice = "Join neighbours to two classes: {.code y >= \"{response$levels[2]}\"}."
  )
}

# A link for each class but the lowest: this class or a higher one?
ordered_drawing <- function() {
  class_drawing(
    shared = "pairs",
    # Ridits (Bross 1958): the score of a proportional-odds model.
    score = function(response, z) rank(response$codes) / length(response$codes),
    working = function(response, rows) {
      higher <- outer(response$codes[rows], seq_along(response$levels)[-1], `>=`)
      ifelse(higher, 1, -1)
    }
  )
}

# With two remaining classes, order has no effect.
code_ordered <- function(y) {
  response <- code_classes(y)
  if (length(response$levels) > 2L) response$type <- "ordered"
  response
}

ordered_judging <- function() {
  one <- class_judging(
    named = function(values, y) ordered_factor(values, levels(y)),
    alone = function(y, n) {
      replace(shares_alone(y, n), "class", list(rep(median_class(as.integer(y)), n)))
    },
    loss = function(y, newy, prediction) {
      class_distance(prediction$class, match(as.character(newy), levels(y)))
    },
    errors = function(response, links) {
      above <- Reduce(`+`, lapply(links, beyond_half))
      colMeans(abs(above + 1L - response$codes))
    },
    error = "mean distance in classes", metric = "mean_distance", judge = judge_distances,
    measured = "mean distance in classes",
    baseline = function(predictions) {
      codes <- as.integer(predictions$observed)
      class_distance(codes, median_class(codes))
    },
    reference = function(observed) {
      paste("when always predicting", levels(observed)[median_class(as.integer(observed))])
    },
    measure = function(model, observed, link, conf_level, tau) {
      measure_ordered(observed$observed, link, conf_level)
    }
  )
  one$read <- function(y, study) {
    observed <- classes_observed(y, study)$observed
    data.frame(observed = ordered_factor(as.integer(observed), study$levels))
  }
  one
}

# Without any error, the largest possible share of errors given none, at the largest distance.
judge_distances <- function(seen, decision, blocks, conf_level, order) {
  distances <- abs(as.integer(seen$predicted) - as.integer(seen$observed))
  judged <- judge_losses(distances, "mean distance in classes", blocks, conf_level)
  if (all(distances == 0)) {
    n_units <- if (is.null(blocks)) nrow(seen) else length(unique(blocks))
    share <- exact_interval(0, n_units / 2, conf_level)
    judged$limits <- share * (nlevels(seen$observed) - 1L)
  }
  judged
}

ordered_defaults <- function() {
  one <- class_defaults(
    family = "multinomial", models = "ridge_ordered", selector = "spearman",
    decision = ordered_shares,
    towards = function(levels) paste("higher classes, up to", levels[length(levels)]),
    favours = function(levels) paste("higher classes, up to", levels[length(levels)])
  )
  one$said <- function(link, levels) ordered_factor(ordered_class(link), levels)
  one
}
