# The common part of two and several classes.

class_reading <- function(...) {
  reading(
    ..., code = code_class_labels,
    labels = function(response) factor(response$levels[response$codes], response$levels),
    record = function(response) {
      list(class_sizes = tabulate(response$codes, length(response$levels)))
    },
    describe = describe_classes, direction = "higher in"
  )
}

class_drawing <- function(noise = logistic_noise,
                          arrange = function(response, value) order(response$codes)[rank(value)],
                          ...) {
  drawing(
    ..., noise = noise, arrange = arrange, lacks = "one class", status = status_of_classes,
    strata = function(response) response$codes,
    strata_words = function(response, what) {
      paste0(what, " of class \"", response$levels, "\"")
    },
    scarce = warn_rare_class
  )
}

logistic_noise <- function(response) cbind(stats::rlogis(length(response$codes)) * sqrt(3) / pi)

# Of Cox and multinomial models.
gumbel_noise <- function(n, n_links) {
  matrix(-log(stats::rexp(n * n_links)), n) * sqrt(6) / pi
}

class_showing <- function() showing(class_differences, "points")

# Standardised, each feature by the class where it is highest among all samples.
class_differences <- function(values, response, weights = NULL) {
  codes <- response$codes
  classes <- outer(codes, sort(unique(codes)), `==`) + 0
  z <- response$covariates
  effects_by_column(
    "difference", paste(
      "mean of the class where the feature is highest minus the mean of the other samples, in",
      "standard deviations within classes"
    ),
    values, weights, function(v, w) {
      top <- classes[, which.max(colSums(classes * v) / colSums(classes))] == 1
      difference_effect(v, top, classes, w, z, response$within)
    }
  )
}

class_judging <- function(...) {
  judging(
    ..., needs = c("probability", "decision", "predict"),
    values = function(predicted, y) match(as.character(predicted), levels(y)),
    wanted = "one of the classes {.val {levels(y)}}", prediction = prediction_of_class,
    plain = function(prediction) prediction$class,
    truth = function(newy, y) match(as.character(newy), levels(y)), present = droplevels,
    expected = "classes", read = classes_observed
  )
}

# By shares of wrong classes.
judging_by_share <- function(measure) {
  class_judging(
    measure = measure, named = function(values, y) factor(levels(y)[values], levels(y)),
    alone = shares_alone,
    loss = function(y, newy, prediction) mean(levels(y)[prediction$class] != as.character(newy)),
    error = NULL, metric = "accuracy", errors = shares_of_errors, ranked = "auc",
    agreement = agreement_of_classes, scarcest = rarest_class,
    comparable = function(response, i, j) response$codes[i] != response$codes[j],
    judge = judge_classes, measured = "misclassification rate",
    baseline = function(predictions) rarer_share(predictions$observed),
    reference = reference_of_classes
  )
}

class_defaults <- function(...) {
  defaults(
    ..., types = function(known) c("class", known),
    said = function(link, levels) unname(class_of_links(link, levels)),
    learner = function(held) if (held) learner_logistic() else learner_lda(),
    first = function(held) if (held) learner_logistic() else learner_svm(),
    learners = "The page {.code ?learners} has learners for classes.",
    holders = "{.fn learner_logistic} has, with its default {.arg scaling} and {.arg intercept} and
      without weights of features."
  )
}

describe_classes <- function(record) {
  if (length(record$levels) > 6L) {
    sizes <- format_range(range(record$class_sizes))
    return(sprintf("%d classes of %s samples", length(record$levels), sizes))
  }
  paste(record$class_sizes, record$levels, collapse = ", ")
}

# Classes too small for an error rate of their own.
warn_rare_class <- function(response) {
  sizes <- tabulate(response$codes, length(response$levels))
  small <- which.min(sizes)
  # A single sample is refused, see check_class_sizes().
  if (sizes[small] < 5L && sizes[small] > 1L) {
    warn(
      c("Class {.val {response$levels[small]}} has only {sizes[small]} sample{?s}.",
        i = "Errors and frequencies that rest on fewer than five samples of a class say little."
      ),
      class = "small_class"
    )
  }
}

status_of_classes <- function(response, weights, min_class) {
  status <- rep("ok", ncol(weights))
  sizes <- rowsum(weights, response$codes)
  small <- colSums(sizes > 0L & sizes < min_class) > 0L
  status[small] <- sprintf("a class with fewer than %d samples", min_class)
  status[colSums(sizes > 0L) < 2L] <- "one class"
  status
}

prediction_of_class <- function(answers, y) {
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

# The shares of the classes, and the largest class (the first among equals).
shares_alone <- function(y, n) {
  shares <- tabulate(y, nlevels(y)) / length(y)
  odds <- matrix(shares, n, nlevels(y), byrow = TRUE)
  list(class = rep(which.max(shares), n), probability = odds, decision = odds)
}

# As class_of_links(): two classes by the sign, several by the largest link, the first of equals.
shares_of_errors <- function(response, links) {
  if (length(links) == 1L) {
    return(colMeans(beyond_half(links[[1]]) != (response$codes == 2L)))
  }
  each <- vapply(links, as.double, numeric(length(links[[1]])))
  found <- matrix(top_class(each), length(response$codes))
  colMeans(found != response$codes)
}

reference_of_classes <- function(observed) {
  sizes <- table(observed)
  largest <- if (length(sizes) > 0L) names(sizes)[which.max(sizes)] else "the largest class"
  paste("when always predicting", largest)
}

judge_classes <- function(seen, decision, blocks, conf_level, order) {
  n_units <- if (is.null(blocks)) nrow(seen) else length(unique(blocks))
  error <- mean(seen$predicted != seen$observed)
  by_class <- measure_by_class(
    seen$observed, seen$predicted, if (is.null(order)) decision
  )
  judged <- new_judgement(
    "misclassification rate", error, exact_interval(error, n_units / 2, conf_level),
    by_class$balanced_error, by_class$auc
  )
  if (!is.null(order)) {
    found <- agreement_of_classes(seen, order)
    found <- judge_order(found, order$row, blocks, conf_level, rarest_class(seen)$n)
    judged[c("auc", "auc_limits")] <- found[c("share", "limits")]
  }
  judged
}

rarest_class <- function(seen) {
  sizes <- tabulate(seen$observed, nlevels(seen$observed))
  rarest <- which.min(replace(sizes, sizes == 0L, NA))
  words <- paste(count_of(sizes[rarest], "sample"), "of", levels(seen$observed)[rarest])
  list(n = sizes[rarest], words = words)
}

agreement_of_classes <- function(seen, order) {
  auc_within(as.integer(seen$observed)[order$row], order$value, order$group)
}

measure_by_class <- function(observed, predicted, decision) {
  recalls <- recalls_of(as.integer(observed), as.integer(predicted))
  list(
    balanced_error = 1 - mean(recalls),
    auc = if (is.null(decision)) NA_real_ else auc_of(as.integer(observed), decision)
  )
}

# @param study (list) record of the data of the model.
classes_observed <- function(y, study) {
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
