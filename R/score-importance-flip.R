# Importance of a feature as the change that flips a decision.

importance_flip <- function(model, x, predict = NULL, features = NULL, coefficients = NULL,
                            max_change = 1000, tolerance = 1e-6) {
  refuse(length(dim(x)) != 2L || nrow(x) < 2L || is.null(colnames(x)),
    "{.arg x} must be a matrix or data frame with named columns and at least 2 rows."
  )
  # `[` of a data.table follows other rules.
  x <- if (is.data.frame(x)) as.data.frame(x) else x
  features <- check_features(features, colnames(x))
  max_change <- check_positive(max_change)
  tolerance <- check_fraction(tolerance, open_right = TRUE)
  predict <- check_function(predict, "predict", NULL)
  sigma <- column_spread(x, features)
  if (is.null(coefficients) && is.null(predict) && inherits(model, "stabilect_model")) {
    refuse(is.null(model$study$levels),
      "{.arg model} predicts numbers: there is no decision to flip."
    )
    # Several classes have no single boundary; predict() decides.
    if (!is.matrix(model$coefficients)) coefficients <- model$coefficients
  }
  if (!is.null(coefficients)) {
    w <- match_coefficients(coefficients, colnames(x))[features]
    inverse <- matrix(abs(w) * sigma, 1L)
  } else {
    if (is.null(predict)) predict <- check_function(NULL, "predict", predict_any)
    decide <- decision_function(model, predict)
    inverse <- inverse_changes(decide, x, sigma, max_change, tolerance)
  }
  total <- rowSums(inverse)
  flipped <- total > 0
  importance <- stats::setNames(numeric(ncol(x)), colnames(x))
  if (any(flipped)) {
    share <- colMeans(inverse[flipped, , drop = FALSE] / total[flipped])
    importance[features] <- sum(share > 0) * share
  }
  importance
}

column_spread <- function(x, features) {
  vapply(features, function(feature) {
    column <- x[, feature, drop = TRUE]
    refuse(!is.numeric(column),
      "Column {.val {feature}} of {.arg x} is not numeric; name those that are in
        {.arg features}."
    )
    refuse_at(!is.finite(column),
      "{.arg x} has {figure(column[at])} in row {at}, column {.val {feature}}."
    )
    spread <- stats::sd(column)
    # Rounding errors of a constant are not spread.
    if (spread > 1e-13 * max(abs(column))) spread else 0
  }, 0)
}

match_coefficients <- function(coefficients, columns) {
  if (length(dim(coefficients)) == 2L && ncol(coefficients) == 1L) {
    coefficients <- stats::setNames(as.vector(coefficients), rownames(coefficients))
  }
  refuse(!is.numeric(coefficients) || is.null(names(coefficients)) || anyNA(coefficients),
    "{.arg coefficients} must be numbers named as the columns of {.arg x}, not
      {describe_value(coefficients)}."
  )
  coefficients <- coefficients[names(coefficients) != "(Intercept)"]
  refuse_at(setdiff(names(coefficients)[coefficients != 0], columns),
    "{.arg coefficients} has {.val {at}}, which is not a column of {.arg x}."
  )
  w <- stats::setNames(numeric(length(columns)), columns)
  known <- intersect(names(coefficients), columns)
  w[known] <- coefficients[known]
  w
}

# Decisions as whole numbers that are only compared for equality.
decision_function <- function(model, predict) {
  function(newdata) {
    answer <- predict(model, newdata)
    if (length(dim(answer)) == 2L && ncol(answer) == 1L) {
      answer <- answer[, 1L]
    }
    is_class <- is.factor(answer) || is.character(answer) || is.logical(answer) ||
      (is.numeric(answer) && is.null(dim(answer)) && all(answer == round(answer)) %in% TRUE)
    refuse(!is_class || length(answer) != nrow(newdata) || anyNA(answer),
      c("{.arg predict} must return {nrow(newdata)} decisions without NA, one per row, not
          {describe_value(answer)}.",
        i = "For decision values or probabilities: {.code function(model, x) predict(model, x) >
          0.5}."
      )
    )
    as.character(answer)
  }
}

# sigma_f / delta_if of Eq. 9, n x features; 0 where no change within reach flips the decision.
inverse_changes <- function(decide, x, sigma, max_change, tolerance) {
  before <- decide(x)
  steps <- 2^seq(-6, max(-6, log2(max_change)), by = 0.5)
  steps <- c(steps[steps < max_change], max_change)
  inverse <- vapply(names(sigma), function(feature) {
    if (sigma[[feature]] == 0) {
      return(numeric(nrow(x)))
    }
    flips <- function(row, change) {
      newdata <- x[row, , drop = FALSE]
      newdata[, feature] <- x[row, feature, drop = TRUE] + change * sigma[[feature]]
      decide(newdata) != before[row]
    }
    1 / smallest_flip(flips, nrow(x), steps, tolerance)
  }, numeric(nrow(x)))
  dim(inverse) <- c(nrow(x), length(sigma))
  inverse
}

# @param flips (function of rows and changes in standard deviations) has the decision changed?
# @return (numeric, n) smallest absolute change found, Inf where there is none.
smallest_flip <- function(flips, n, steps, tolerance) {
  row <- seq_len(n)
  found <- data.frame(row = integer(), sign = numeric(), lower = numeric(), upper = numeric())
  lower <- 0
  for (upper in steps) {
    both <- data.frame(row = rep(row, 2L), sign = rep(c(1, -1), each = length(row)))
    hit <- both[flips(both$row, both$sign * upper), ]
    if (nrow(hit) > 0L) {
      found <- rbind(found, cbind(hit, lower = lower, upper = upper))
      row <- setdiff(row, hit$row)
    }
    if (length(row) == 0L) break
    lower <- upper
  }
  found <- bisect_flips(flips, found, tolerance)
  change <- rep(Inf, n)
  at <- order(-found$upper)
  # The smallest of both signs is assigned last.
  change[found$row[at]] <- found$upper[at]
  change
}

# A bracket that starts at 0 halves until it is narrow relative to the flip; 100 halvings end this
# for samples on the boundary.
bisect_flips <- function(flips, found, tolerance) {
  for (i in seq_len(100L)) {
    open <- which(found$upper - found$lower > tolerance * found$upper)
    if (length(open) == 0L) break
    middle <- (found$lower[open] + found$upper[open]) / 2
    hit <- flips(found$row[open], found$sign[open] * middle)
    found$upper[open[hit]] <- middle[hit]
    found$lower[open[!hit]] <- middle[!hit]
  }
  found
}
