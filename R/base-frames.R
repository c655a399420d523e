# The function that an error names: the one that the user called.

# All functions that users can call: exports and methods, found once. Functions are recognised by
# themselves, not by name, because of `mine <- fealect; mine(x)` and `lapply(sets, fealect)`.
users <- new.env(parent = emptyenv())

user_functions <- function() {
  if (is.null(users$functions)) {
    space <- topenv()
    # Methods that other packages registered later have no name here.
    methods <- unlist(Filter(is.character, as.list(getNamespaceInfo(space, "S3methods")[, 3L])))
    known <- mget(c(getNamespaceExports(space), methods), envir = space, ifnotfound = list(NULL))
    users$functions <- unname(Filter(is.function, known))
  }
  users$functions
}

is_user_function <- function(fun) {
  any(vapply(user_functions(), identical, NA, fun))
}

# The frame of the innermost user-callable function on the stack; without any, the caller of our
# first function. Of methods that our functions call by a generic of another package
# (`stats::predict()`) the user knows nothing.
user_frame <- function() {
  frames <- seq_len(sys.nframe())
  own <- vapply(frames, function(i) {
    around <- environment(sys.function(i))
    !is.null(around) && identical(topenv(around), topenv())
  }, NA)
  callers <- sys.parents()
  for (i in rev(frames[own])) {
    # The frame before that of a method is its generic's.
    inside <- callers[i] %in% frames[own] && identical(callers[i - 1L], callers[i]) &&
      is.call(sys.call(i - 1L)[[1]])
    if (!inside && is_user_function(sys.function(i))) {
      return(sys.frame(i))
    }
  }
  sys.frame(sys.parents()[frames[own][1]])
}
