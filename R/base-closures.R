# Functions that travel to other processes.

# `fn` with only these values in its environment: nothing else travels to other processes.
with_data <- function(fn, ...) {
  environment(fn) <- list2env(list(...), parent = topenv())
  fn
}

# A function of the user without the rest of the frames that it was made in, such as data that are
# read there, which would be stored with every result. Frames keep what the function names, and what
# functions of the same frames name that it calls.
# @return (function) `fn` itself if it reaches frames by other ways than names, or names what is not
#   there yet.
without_rest <- function(fn) {
  kept <- if (is.function(fn) && !is.primitive(fn)) names_to_keep(fn)
  if (is.null(kept)) fn else copy_frames(fn, kept)
}

# The same of functions that may share a frame, and in it what one of them changes.
# @param functions (list of functions and NULL)
all_without_rest <- function(functions) {
  whole <- vapply(functions, function(fn) {
    is.function(fn) && !is.primitive(fn) && length(frames_of(fn)) > 0L && is.null(names_to_keep(fn))
  }, NA)
  if (any(whole)) functions else lapply(functions, without_rest)
}

# @return (environment) `frames` and the `names` to keep of each, or NULL to keep all.
names_to_keep <- function(fn) {
  kept <- new.env(parent = emptyenv())
  kept$frames <- frames_of(fn)
  kept$names <- rep(list(character()), length(kept$frames))
  if (length(kept$frames) > 0L && keep_named(fn, kept)) kept
}

# @return list of environments: where `fn` was made and around it, up to a package or the workspace.
frames_of <- function(fn) {
  frames <- list()
  frame <- environment(fn)
  while (!is_shared_environment(frame)) {
    frames <- c(frames, frame)
    frame <- parent.env(frame)
  }
  frames
}

# They change frames, or read them by names that are made on the way.
reaching_functions <- c(
  "<<-", "assign", "get", "get0", "mget", "exists", "eval", "evalq", "eval.parent", "environment",
  "environment<-", "parent.env", "local", "delayedAssign", "makeActiveBinding", "sys.function",
  "sys.frame", "parent.frame", "load", "source", "attach", "as.environment", "ls", "rm"
)

# @param kept (environment) `frames`, and `names` to keep of each, to which is added.
# @return FALSE if the function reaches frames by other ways.
keep_named <- function(fn, kept) {
  named <- named_outside(fn)
  if (any(c(reaching_functions, "...") %in% named) || !all_defined(fn)) {
    return(FALSE)
  }
  inside <- seq_along(kept$frames) < frame_number(environment(fn), kept$frames)
  all(vapply(named, function(name) {
    here <- vapply(kept$frames, exists, NA, x = name, inherits = FALSE)
    at <- which(here & !inside)[1]
    is.na(at) || keep_value(name, at, kept)
  }, NA))
}

keep_value <- function(name, at, kept) {
  if (name %in% kept$names[[at]]) {
    return(TRUE)
  }
  kept$names[[at]] <- c(kept$names[[at]], name)
  # An argument that is missing or fails has no value to keep, and NULL may be filled later.
  value <- tryCatch(list(kept$frames[[at]][[name]]), error = function(e) NULL)
  if (is.null(unlist(value, FALSE)) || rlang::is_missing(value[[1]])) {
    return(FALSE)
  }
  !is_of_frames(value[[1]], kept$frames) || keep_named(value[[1]], kept)
}

# All names and strings in the code of a function but its own arguments and variables: names in a
# formula or in quoted code count, and functions that are called by a string.
named_outside <- function(fn) {
  code <- c(list(body(fn)), Filter(Negate(rlang::is_missing), as.list(formals(fn))))
  names <- unlist(lapply(code, function(part) c(all.names(part), strings_of(part))))
  own <- c(names(formals(fn)), codetools::findFuncLocals(formals(fn), body(fn)))
  changed <- unlist(lapply(code, changed_in_part))
  # findGlobals() warns if `...` belongs to an enclosing function.
  unique(c(setdiff(names, own), changed, suppressWarnings(codetools::findGlobals(fn))))
}

# Variables that code changes in part, `value$field <- 1`: they are read first, from where they are.
changed_in_part <- function(code) {
  if (!is.call(code) && !is.pairlist(code)) {
    return(NULL)
  }
  assigns <- is.call(code) && length(code) == 3L && as.character(code[[1]])[1] %in% c("<-", "=")
  c(
    if (assigns && is.call(code[[2]])) utils::head(all.vars(code[[2]]), 1L),
    unlist(lapply(Filter(Negate(rlang::is_missing), as.list(code)), changed_in_part))
  )
}

# Is there a value for all that it uses? What is not there may come later.
all_defined <- function(fn) {
  used <- suppressWarnings(codetools::findGlobals(fn))
  all(vapply(used, exists, NA, envir = environment(fn)))
}

strings_of <- function(code) {
  if (is.character(code)) {
    return(code)
  }
  if (is.call(code) || is.pairlist(code)) {
    unlist(lapply(Filter(Negate(rlang::is_missing), as.list(code)), strings_of))
  }
}

frame_number <- function(frame, frames) which(vapply(frames, identical, NA, frame))[1]

is_of_frames <- function(value, frames) {
  is.function(value) && !is.primitive(value) && !is.na(frame_number(environment(value), frames))
}

# `fn` with copies of its frames that have only the names to keep.
copy_frames <- function(fn, kept) {
  frames <- kept$frames
  around <- parent.env(frames[[length(frames)]])
  copies <- list()
  for (at in rev(seq_along(frames))) {
    around <- new.env(parent = around)
    copies[[at]] <- around
  }
  own <- function(value) {
    if (is_of_frames(value, frames)) {
      environment(value) <- copies[[frame_number(environment(value), frames)]]
    }
    value
  }
  for (at in seq_along(frames)) {
    for (name in kept$names[[at]]) assign(name, own(frames[[at]][[name]]), envir = copies[[at]])
  }
  own(fn)
}
