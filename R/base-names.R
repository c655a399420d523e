# Names of features: what a function or an argument of the user returns for features is matched by
# name where it has names.

# @param values (vector, or matrix of one column) of a user's function.
# @param features (character) that it was called for.
# @return the values in the order of the features, without names; a string where names do not fit:
#   the end of a sentence about the function.
in_feature_order <- function(values, features) {
  if (length(dim(values)) == 2L && ncol(values) == 1L) {
    values <- stats::setNames(as.vector(as.matrix(values)), rownames(values))
  }
  own <- names(values)
  if (is.null(own) || identical(own, features)) {
    return(unname(values))
  }
  again <- anyDuplicated(own)
  strange <- setdiff(own, features)
  absent <- setdiff(features, own)
  if (length(strange) == 0L && length(absent) == 0L && again == 0L) {
    return(unname(values[features]))
  }
  reason <- if (length(strange) > 0L) {
    sprintf("a value named \"%s\", which is not a feature", strange[1])
  } else if (again > 0L) {
    sprintf("two values named \"%s\"", own[again])
  } else {
    sprintf("names, but no value named \"%s\"", absent[1])
  }
  paste0(reason, ": name values as the columns of x, or not at all")
}
