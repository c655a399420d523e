# Rules (selectors, learners, aggregations, searches) hold functions, which identical() takes for
# different when two calls made them, even of the same code and values. So each rule is one object
# in a session, and results of two same calls are identical().

rules <- new.env(parent = emptyenv())

# The object of this session that is the same as `rule`, down to the values that its functions use.
# One that holds a function with values of the user's own stays what it is: such values may change.
one_object <- function(rule) {
  if (!is_lasting(rule$key)) {
    return(rule)
  }
  hash <- rlang::hash(rule)
  known <- get0(hash, envir = rules, inherits = FALSE)
  if (!is.null(known)) {
    return(known)
  }
  if (length(rules) >= 1000L) rm(list = ls(rules), envir = rules)
  assign(hash, rule, envir = rules)
  rule
}

# @param x a key, see new_key().
is_lasting <- function(x) {
  if (is.function(x)) {
    return(is.primitive(x) || is_shared_environment(environment(x)))
  }
  if (is.list(x)) all(vapply(x, is_lasting, NA)) else !is.environment(x)
}
