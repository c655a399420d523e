# The class in which a feature is higher, or the sign of its relation to numbers or hazard.

# @return (character, p) the class with the largest mean; "+" or "-", the sign of the correlation
#   with numbers, or of the score of a Cox model (+: large values come with early events); NA for
#   features that are equal in all classes, uncorrelated, or factors.
feature_directions <- function(study) {
  response <- study$response
  of <- if (is.null(response$codes)) {
    y <- linear_response(response)
    function(x) c("-", NA, "+")[cpp_product_signs(x, y - mean(y)) + 2L]
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
