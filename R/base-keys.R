# The identity of rules (selectors, learners, aggregations, searches, `until`): all that decides
# their results. Checkpoints and merging compare it. Constructors state it, since functions cannot
# be compared.

# A rule's field `key`.
# @param params (list) all arguments that decide results, including functions of the user.
# @param wraps (list of rules) the rules inside this rule; their keys become part of its key.
new_key <- function(name, params, wraps = list()) {
  list(name = name, params = params, wraps = lapply(wraps, `[[`, "key"))
}

# Equal for settings that give the same results, also in other sessions.
# @param x any value; lists may hold rules, functions and lists.
hash_identity <- function(x) {
  rlang::hash(identity_of(x, new.env(parent = emptyenv())))
}

# `x` without what differs between sessions: rules become their keys, functions their text and the
# values they use, environments their values.
# @param seen (environment) functions and environments already visited, which may contain each
#   other.
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

# Serialization version 2 has no compact forms: 1:3 and c(1L, 2L, 3L) give the same bytes. The
# header is dropped because it contains the version of R.
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

# Source references and comments do not count; numbers keep all digits.
exact_text <- function(x) {
  deparse(x, control = c("keepNA", "keepInteger", "niceNames", "showAttributes", "digits17"))
}

# The values that a function uses from its enclosing environments, up to the workspace. Packages are
# left out: they are the same everywhere.
captured_values <- function(fn) {
  if (is.primitive(fn)) {
    return(list())
  }
  # findGlobals() warns if `...` belongs to an enclosing function.
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

# A missing or failing argument has no value.
values_in <- function(frame, names) {
  sapply(names, function(name) {
    value <- if (name == "...") quote(list(...)) else as.name(name)
    tryCatch(eval(value, frame), error = function(e) NULL)
  }, simplify = FALSE)
}
