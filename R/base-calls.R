# The user's call: the outermost function of this package on the stack. Verbs call verbs, and only
# the outermost one speaks to the user.

# @return (list of call and frame) of the outermost function of this package; NULL when none.
user_call <- function() {
  own <- topenv()
  for (k in seq_len(sys.nframe() - 1L)) {
    if (identical(environment(sys.function(k)), own)) {
      return(list(call = sys.call(k), frame = sys.frame(k)))
    }
  }
  NULL
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
