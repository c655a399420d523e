# The identity of rules (selectors, learners, aggregations, searches, `until`): what decides their
# results, so that checkpoints and merging can tell two rules apart. Constructors state the
# identity; it is not derived from the functions that a rule is made of.

# A rule's field `key`.
# @param params (list) all arguments that decide results, functions of the user included.
# @param wraps (list of rules) what the rule is built on; their keys join this one.
new_key <- function(name, params, wraps = list()) {
  list(name = name, params = params, wraps = lapply(wraps, `[[`, "key"))
}

# Equal for settings that give the same results, in other sessions too.
# @param x any value; lists may hold rules, functions and lists.
hash_identity <- function(x) {
  rlang::hash(identity_of(x, new.env(parent = emptyenv())))
}

# `x` without what differs between sessions: rules as their keys, functions as their text and the
# values they use, environments as their values.
# @param seen (environment) functions and environments met so far, which may hold each other.
identity_of <- function(x, seen) {
  if (is.function(x) || is.environment(x)) {
    return(identity_once(x, seen))
  }
  if (is.language(x)) {
    return(exact_text(x))
  }
  if (typeof(x) == "externalptr") {
    return(class(x))
  }
  if (!is.list(x)) {
    return(hash_value(x))
  }
  if (is.object(x) && "key" %in% names(x)) x <- x$key
  list(lapply(unclass(x), identity_of, seen), if (is.object(x)) class(x))
}

# Serialization version 2 has no compact forms, so that 1:3 gives the same bytes as c(1L, 2L, 3L).
# The header is dropped, since it contains the version of R.
hash_value <- function(x) rlang::hash(serialize(x, NULL, version = 2L)[-(1:14)])

identity_once <- function(x, seen) {
  met <- vapply(seen$values, identical, NA, x)
  if (any(met)) {
    return(which(met))
  }
  seen$values <- c(seen$values, x)
  if (is.environment(x)) {
    if (is_shared_environment(x)) {
      return(environmentName(x))
    }
    return(lapply(values_in(x, sort(ls(x, all.names = TRUE), method = "radix")), identity_of, seen))
  }
  list(exact_text(x), lapply(captured_values(x), identity_of, seen))
}

# Sources and comments play no part; numbers keep all digits.
exact_text <- function(x) {
  deparse(x, control = c("keepNA", "keepInteger", "niceNames", "showAttributes", "digits17"))
}

# The values that a function uses from its enclosing environments, up to the workspace. Packages are
# the same everywhere.
captured_values <- function(fn) {
  if (is.primitive(fn)) {
    return(list())
  }
  # It warns where `...` is that of an enclosing function.
  names <- sort(suppressWarnings(codetools::findGlobals(fn)), method = "radix")
  if ("..." %in% all.names(body(fn)) && !"..." %in% names(formals(fn))) names <- c(names, "...")
  values <- list()
  frame <- environment(fn)
  while (length(names) > 0L && (identical(frame, globalenv()) || !is_shared_environment(frame))) {
    here <- vapply(names, exists, NA, envir = frame, inherits = FALSE)
    values <- c(values, values_in(frame, names[here]))
    names <- names[!here]
    if (identical(frame, globalenv())) break
    frame <- parent.env(frame)
  }
  values
}

is_shared_environment <- function(x) {
  identical(x, globalenv()) || identical(x, baseenv()) || identical(x, emptyenv()) ||
    isNamespace(x) || startsWith(environmentName(x), "package:")
}

# An argument that was not given, or that fails, has no value.
values_in <- function(frame, names) {
  sapply(names, function(name) {
    value <- if (name == "...") quote(list(...)) else as.name(name)
    tryCatch(eval(value, frame), error = function(e) NULL)
  }, simplify = FALSE)
}
