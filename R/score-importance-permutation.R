# Importance of a feature as the loss that comes from permuting it.

importance_permutation <- function(model, x, y, predict = NULL, loss = NULL, features = NULL,
                                   n_repeats = 5, seed = NULL) {
  held_out <- read_held_out(x, y)
  x <- held_out$x
  y <- held_out$y
  features <- check_features(features, colnames(x))
  n_repeats <- check_count(n_repeats)
  seed <- check_seed(seed)
  predict <- check_function(predict, "predict", predict_any)
  is_class <- is.factor(y) || is.character(y) || is.logical(y)
  loss <- check_function(loss, "loss", if (is_class) {
    function(y, predicted) mean(as.character(y) != as.character(predicted))
  } else if (is_survival(y)) {
    function(y, predicted) 1 - concordance_of_labels(y, predicted)$concordance
  } else {
    function(y, predicted) mean((y - predicted)^2)
  })
  loss_at <- function(newdata) {
    value <- loss(y, as_predictions(predict(model, newdata), n_labels(y), is_class))
    refuse(!checkmate::test_number(value),
      "{.arg loss} must return one number, not {describe_value(value)}."
    )
    value
  }
  base <- loss_at(x)
  orders <- with_seed(seed, lapply(seq_len(n_repeats), function(i) sample.int(nrow(x))))
  gain <- vapply(features, function(feature) {
    permuted <- vapply(orders, function(order) {
      newdata <- x
      newdata[, feature] <- x[order, feature, drop = TRUE]
      loss_at(newdata)
    }, 0)
    mean(permuted) - base
  }, 0)
  importance <- stats::setNames(numeric(ncol(x)), colnames(x))
  importance[features] <- pmax(gain, 0)
  importance
}

# Samples for a model of any package, read as in open_study(); but a table stays unchanged, since
# other models accept factors, and one class is enough.
read_held_out <- function(x, y) {
  if (is.data.frame(x)) check_one_given(y, "y")
  from <- samples_from(x, if (!missing(y)) y)
  input <- if (is.data.frame(x)) list(x = x, y = y) else read_input(x, y)
  x <- input$x
  refuse(length(dim(x)) != 2L || nrow(x) < 2L || is.null(colnames(x)),
    "{.arg x} must be a matrix or data frame with named columns and at least 2 rows."
  )
  y <- if (is.matrix(input$y) && ncol(input$y) == 1L) input$y[, 1L] else input$y
  if (is_survival(y)) check_right_censored(attr(y, "type"))
  refuse(n_labels(y) != nrow(x),
    "{.arg y} has {n_labels(y)} value{?s} but {.arg x} has {nrow(x)} row{?s}."
  )
  refuse_blank(y, "{.arg y}")
  missing <- if (is_survival(y)) rowSums(is.na(surv_matrix(y))) > 0 else is.na(y)
  refuse(any(missing), "{.arg y} is missing at position {which(missing)[1]}.")
  check_samples(input$y, c(list(names = names_of_samples(x)), from), "y")
  # `[` of a data.table follows other rules.
  list(x = if (is.data.frame(x)) as.data.frame(x) else x, y = y)
}

check_function <- function(f, name, default) {
  if (is.null(f)) f <- default
  if (is.null(f)) {
    return(NULL)
  }
  refuse(!is.function(f), "{.arg {name}} must be a function, not {describe_value(f)}.")
  with_own_errors(f, paste0("`", name, "` failed"), "input")
}

predict_any <- function(model, newdata) {
  answer <- if (inherits(model, "ranger")) {
    stats::predict(model, data = newdata)
  } else {
    stats::predict(model, newdata)
  }
  if (is.list(answer) && !is.null(answer$predictions)) answer$predictions else answer
}

# Class probabilities become the most probable class, the first of several.
as_predictions <- function(answer, n, is_class) {
  if (length(dim(answer)) == 2L && nrow(answer) == n) {
    if (ncol(answer) == 1L) {
      answer <- answer[, 1L]
    } else if (is_class && !is.null(colnames(answer))) {
      answer <- colnames(answer)[max.col(as.matrix(answer), "first")]
    }
  }
  # Numbers for classes are labels only if y contains numbers: a probability would always be wrong.
  fits <- is.null(dim(answer)) && length(answer) == n && !anyNA(answer) &&
    is_class != (is.numeric(answer) && !is.factor(answer))
  if (!fits) {
    wanted <- if (is_class) "classes" else "numbers"
    abort(
      c("{.arg predict} must return {n} {wanted} without NA, one per row of {.arg x}, not
          {describe_value(answer)}.",
        i = if (is_class) {
          "Turn probabilities into classes: {.code ifelse(predict(model, x) > 0.5, \"a\", \"b\")}."
        }
      )
    )
  }
  answer
}
