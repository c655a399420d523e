# What functions of the user need on a worker: their helpers in the workspace and in attached
# packages, neither of which a worker has.

# @param fn (function) the work, with the data in its frame.
# @return list(values (named list: workspace variables used by functions in `fn`, directly or
#   through other variables), packages (character: attached packages that they use)).
travelling_values <- function(fn) {
  found <- new.env(parent = emptyenv())
  found$seen <- list()
  found$values <- list()
  found$packages <- character()
  gather_travelling(fn, found)
  list(values = found$values, packages = unique(found$packages))
}

# Searches lists, frames and functions for functions of the workspace.
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
  # findGlobals() warns if `...` belongs to an enclosing function.
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

# The attached package that has this name; NULL for packages that every session has.
package_with <- function(name) {
  known <- utils::find(name)
  package <- sub("^package:", "", known[startsWith(known, "package:")])[1]
  standard <- c("base", "methods", "stats", "utils", "graphics", "grDevices", "datasets")
  if (!is.na(package) && !package %in% standard) package
}
