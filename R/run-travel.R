# What functions of the user need on a worker: a function that was written in the workspace finds
# its helpers there, and those of attached packages on the search path; a worker has neither.

# @param fn (function) the work, with the data in its frame.
# @return list(values (named list: variables of the workspace that functions in `fn` use, directly
#   or through one another), packages (character: attached ones in which they find others)).
travelling_values <- function(fn) {
  found <- new.env(parent = emptyenv())
  found$seen <- list()
  found$values <- list()
  found$packages <- character()
  gather_travelling(fn, found)
  list(values = found$values, packages = unique(found$packages))
}

# Goes through lists, frames and functions to the functions of the workspace.
gather_travelling <- function(x, found) {
  if (is.list(x)) {
    for (one in unclass(x)) gather_travelling(one, found)
  } else if (is.environment(x) || is.function(x) && !is.primitive(x)) {
    if (any(vapply(found$seen, identical, NA, x))) {
      return(invisible())
    }
    found$seen <- c(found$seen, x)
    if (is.function(x)) gather_function(x, found) else gather_frame(x, found)
  }
  invisible()
}

gather_frame <- function(frame, found) {
  if (is_shared_environment(frame)) {
    return(invisible())
  }
  names <- sort(ls(frame, all.names = TRUE), method = "radix")
  for (one in values_in(frame, names)) gather_travelling(one, found)
  gather_frame(parent.env(frame), found)
}

gather_function <- function(fn, found) {
  frame <- environment(fn)
  gather_frame(frame, found)
  while (!is_shared_environment(frame)) frame <- parent.env(frame)
  if (!identical(frame, globalenv())) {
    return(invisible())
  }
  # It warns where `...` is that of an enclosing function.
  for (name in suppressWarnings(codetools::findGlobals(fn))) {
    if (exists(name, envir = globalenv(), inherits = FALSE)) {
      if (!name %in% names(found$values)) {
        value <- get(name, envir = globalenv())
        found$values[name] <- list(value)
        gather_travelling(value, found)
      }
    } else {
      found$packages <- c(found$packages, package_with(name))
    }
  }
  invisible()
}

# The attached package in which a name is found; NULL for those that every session has.
package_with <- function(name) {
  known <- utils::find(name)
  package <- sub("^package:", "", known[startsWith(known, "package:")])[1]
  standard <- c("base", "methods", "stats", "utils", "graphics", "grDevices", "datasets")
  if (!is.na(package) && !package %in% standard) package
}
