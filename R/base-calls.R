# The user's call: the outermost function of this package on the stack. Verbs call verbs, and only
# the outermost one speaks to the user.

# @return (list of call and frame) of the outermost function of this package; NULL when none. In
#   `write_report(fealect(x, y), file)` there are two: the user calls the argument, too.
user_call <- function() {
  own <- topenv()
  callers <- sys.parents()
  outer <- NULL
  for (k in seq_len(sys.nframe() - 1L)) {
    by_user <- is.null(outer) || callers[k] < outer
    if (by_user && identical(environment(sys.function(k)), own)) outer <- k
  }
  if (!is.null(outer)) list(call = sys.call(outer), frame = sys.frame(outer))
}

# Is it the first time in the user's call that this is told? Some work is done several times in one.
first_told <- function(what) {
  verb <- user_call()$frame
  name <- paste0(".told_", what)
  if (is.null(verb)) {
    return(TRUE)
  }
  first <- !exists(name, verb, inherits = FALSE)
  assign(name, TRUE, verb)
  first
}

# Does `frame` belong to the function that the user called, or to its method?
is_user_frame <- function(frame) {
  outer <- user_call()
  if (is.null(outer) || identical(outer$frame, frame)) {
    return(!is.null(outer))
  }
  # A method has the arguments of its generic, under another name.
  at <- which(vapply(sys.frames(), identical, NA, frame))
  length(at) > 0L && identical(as.list(sys.call(at[1]))[-1L], as.list(outer$call)[-1L])
}
