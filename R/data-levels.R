# Columns of level numbers, in the place of factors.

# x with the numbers of the levels in place of factors, whose columns its attribute "factors" names.
# The attribute is lost by subsetting, so that no other code can take the numbers for values without
# having asked for it here.
code_levels <- function(x, call = rlang::caller_env()) {
  coded <- which(vapply(x, is.factor, NA))
  for (j in coded) x[[j]] <- as.integer(x[[j]])
  x <- check_x(x, call)
  attr(x, "factors") <- colnames(x)[coded]
  x
}

has_levels <- function(x) is.data.frame(x) && any(vapply(x, is.factor, NA))
