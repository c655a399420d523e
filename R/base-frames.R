# Whom an error is addressed to: the function that the user called.

# The functions that users can call, exports and methods of generics, found once. An error within
# `mine <- fealect; mine(x)` or `lapply(sets, fealect)` names its function, too, since functions
# are recognised by themselves and not by the name in the call.
users <- new.env(parent = emptyenv())

user_functions <- function() {
  if (is.null(users$functions)) {
    space <- topenv()
    # Methods that another package registered late have no name here.
    methods <- unlist(Filter(is.character, as.list(getNamespaceInfo(space, "S3methods")[, 3L])))
    known <- mget(c(getNamespaceExports(space), methods), envir = space, ifnotfound = list(NULL))
    users$functions <- unname(Filter(is.function, known))
  }
  users$functions
}

is_user_function <- function(fun) {
  any(vapply(user_functions(), identical, NA, fun))
}

# The frame of the innermost function on the stack that users can call; without one, that of the
# function that called the first of ours.
user_frame <- function() {
  frames <- seq_len(sys.nframe())
  own <- vapply(frames, function(i) {
    around <- environment(sys.function(i))
    !is.null(around) && identical(topenv(around), topenv())
  }, NA)
  for (i in rev(frames[own])) {
    if (is_user_function(sys.function(i))) {
      return(sys.frame(i))
    }
  }
  sys.frame(sys.parents()[frames[own][1]])
}
