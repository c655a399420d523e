# The class in which a feature is higher, or the sign of its relation to numbers or hazard.

# @return (character, p) the class with the largest mean; "+" or "-", the sign of the correlation
#   with numbers, or of the score of a Cox model (+: large values come with early events); NA for
#   features that are equal in all classes, uncorrelated, or factors.
feature_directions <- function(study) {
  response <- study$response
  y <- linear_response(response)
  parts <- lapply(slabs_of(study$p), function(j) {
    x <- if (inherits(study$x, "stabilect_columns")) study$x$read(j) else study$x[, j, drop = FALSE]
    if (is.null(response$codes)) direction_signs(x, y) else direction_classes(x, response)
  })
  direction <- unlist(parts, use.names = FALSE)
  direction[study$feature_names %in% study$factors] <- NA_character_
  direction
}

direction_signs <- function(x, y) {
  product <- drop(crossprod(x, y - mean(y)))
  # Constant columns leave only rounding errors.
  product[abs(product) <= 1e-10 * sqrt(colSums(x^2) * sum((y - mean(y))^2))] <- 0
  c("-", NA, "+")[sign(product) + 2]
}

direction_classes <- function(x, response) {
  means <- rowsum(x, response$codes) / tabulate(response$codes)
  highest <- response$levels[max.col(t(means), ties.method = "first")]
  by_class <- lapply(seq_len(nrow(means)), function(g) means[g, ])
  span <- do.call(pmax, by_class) - do.call(pmin, by_class)
  highest[span <= 1e-10 * colMeans(abs(x))] <- NA
  highest
}

# A table of features with the column `direction` after the first one.
# @param record (list) of study_record().
with_direction <- function(table, record) {
  direction <- record$direction[match(table$feature, record$feature_names)]
  cbind(table["feature"], direction = direction, table[setdiff(names(table), "feature")])
}
