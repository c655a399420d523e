# The class in which a feature is higher, or the sign of its relation to numbers or hazard.

# @return (character, p) the class with the largest mean; "+" or "-", the sign of the correlation
#   with numbers (above their offset, of weighted samples), or of the score of a Cox model (+: large
#   values come with early events); NA for features that are equal in all classes, uncorrelated, or
#   factors.
feature_directions <- function(study) {
  response <- study$response
  w <- response$weights
  of <- if (is.null(response$codes)) {
    y <- linear_response(response)
    if (!is.null(response$offset)) y <- above_offset(y, response)
    y <- if (is.null(w)) y - mean(y) else w * (y - stats::weighted.mean(y, w))
    function(x) c("-", NA, "+")[cpp_product_signs(x, y) + 2L]
  } else if (!is.null(w)) {
    function(x) highest_classes(x, response, w)
  } else {
    n_classes <- length(response$levels)
    function(x) c(NA, response$levels)[cpp_highest_classes(x, response$codes, n_classes) + 1L]
  }
  x <- study$x
  direction <- if (inherits(x, "stabilect_columns")) {
    unlist(lapply(slabs_of(study$p), function(j) of(x$read(j))), use.names = FALSE)
  } else {
    of(x)
  }
  if (!is.null(study$factors)) direction[study$feature_names %in% study$factors] <- NA_character_
  direction
}

# @param used (integer) features; the others have NA.
some_directions <- function(study, used) {
  direction <- rep(NA_character_, study$p)
  direction[used] <- feature_directions(study[, used])
  direction
}

# The direction of positive and negative correlations with the score of an outcome.
direction_words <- function(sign, levels) {
  if (is.null(levels)) {
    return(ifelse(sign > 0, "+", "-"))
  }
  levels[ifelse(sign > 0, length(levels), 1L)]
}

# A table of features with the column `direction` after the first one.
# @param record (list) of study_record().
with_direction <- function(table, record) {
  direction <- record$direction[match(table$feature, record$feature_names)]
  columns <- c(table["feature"], list(direction = direction), table[names(table) != "feature"])
  structure(list2DF(columns), row.names = attr(table, "row.names"))
}

# By the means of weighted samples.
highest_classes <- function(x, response, w) {
  share <- outer(response$codes, seq_along(response$levels), `==`) * w
  share <- share / rep(colSums(share), each = nrow(share))
  means <- as.matrix(Matrix::crossprod(x, share))
  size <- drop(as.matrix(Matrix::crossprod(abs(x), w))) / sum(w)
  # Means that only rounding tells apart are equal, and the first of them counts.
  apart <- means - apply(means, 1L, max) < -1e-10 * size
  highest <- response$levels[max.col(!apart, "first")]
  replace(highest, rowSums(apart) == 0L, NA_character_)
}

# What an offset leaves of numbers, of counts at one rate for all, and of events at one hazard.
above_offset <- function(y, response) {
  offset <- response$offset
  switch(response$type,
    numeric = y - offset,
    count = y - exp(offset) * sum(y) / sum(exp(offset)),
    survival = martingale_residuals(response$y, response$event, risk = offset),
    y
  )
}
