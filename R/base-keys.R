# The identity of rules (selectors, learners, aggregations, searches, `until`): all that decides
# their results. Checkpoints and merging compare it. Constructors state it, since functions cannot
# be compared.

# A rule's field `key`.
# @param params (list) all arguments that decide results, including functions of the user.
# @param wraps (list of rules) the rules inside this rule; their keys become part of its key.
new_key <- function(name, params, wraps = list()) {
  list(name = name, params = params, wraps = lapply(wraps, `[[`, "key"))
}

# A hash of values that hold no code: vectors, lists and their attributes. It is kept on disk, so
# that it rests on no function of another package, nor on how R writes values.
hash_plain <- function(x) cpp_hash_tree(x)

# They have no order.
sorted_attributes <- function(x) {
  known <- attributes(x)
  if (length(known) < 2L) known else known[order(names(known), method = "radix")]
}

# Equal for settings that give the same results, also in other sessions.
# @param x any value; lists may hold rules, functions and lists.
hash_identity <- function(x) {
  hash_plain(identity_of(x, new.env(parent = emptyenv())))
}

# The same for what is compared within this session only, and is asked for in every call.
hash_of_session <- function(x) if (holds_values(x)) hash_plain(x) else hash_identity(x)

holds_values <- function(x) {
  if (!is.list(x)) {
    return(is.atomic(x) || is.null(x))
  }
  for (one in x) {
    if (!holds_values(one)) {
      return(FALSE)
    }
  }
  TRUE
}

# `x` without what differs between sessions: rules become their keys, functions their code and the
# values they use, environments their values.
# @param seen (environment) functions and environments already visited, which may contain each
#   other.
identity_of <- function(x, seen) {
  if (is.function(x) || is.environment(x)) {
    return(identity_once(x, seen))
  }
  if (is.language(x)) {
    return(code_of(x, seen))
  }
  if (typeof(x) == "externalptr") {
    return(class(x))
  }
  if (!is.list(x)) {
    return(list(if (is.atomic(x)) as.vector(x), lapply(sorted_attributes(x), identity_of, seen)))
  }
  if (is.object(x) && "key" %in% names(x)) x <- x$key
  list(lapply(unclass(x), identity_of, seen), if (is.object(x)) class(x))
}

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
  code <- if (is.primitive(x)) deparse(x) else lapply(list(formals(x), body(x)), code_of, seen)
  list(code, lapply(captured_values(x), identity_of, seen))
}

# Code as lists of names and values, since the text that deparse() makes of it may change with R.
# Source references do not count.
code_of <- function(x, seen) {
  if (is.symbol(x)) {
    return(list("name", as.character(x)))
  }
  if (!typeof(x) %in% c("language", "pairlist", "expression")) {
    return(list("value", identity_of(x, seen)))
  }
  parts <- as.list(x)
  if (is.call(x) && identical(parts[[1]], quote(`function`))) parts <- parts[1:3]
  # An argument without a default is the empty name, which cannot be passed on.
  list(typeof(x), names(parts), lapply(seq_along(parts), function(i) {
    if (!rlang::is_missing(parts[[i]])) code_of(parts[[i]], seen)
  }))
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
