# identical() takes functions made by two calls for different, even with the same code and values.
# So each rule (selector, learner, aggregation, search) is one object per session: two equal calls
# give identical() results.

rules <- new.env(parent = emptyenv())

# The object of this session that equals `rule`, with the values that its functions use. Rules that
# use the user's own values are returned unchanged: these values may change.
one_object <- function(rule) {
  if (!is_lasting(rule$key)) {
    return(rule)
  }
  # The key and what prints, which decide the functions of the rule.
  hash <- hash_of_session(list(class(rule), rule$key, Filter(is.character, unclass(rule))))
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
