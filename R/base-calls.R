# Which call of the user is running: the outermost one of a function of this package. Verbs call
# verbs, on parts of the data and on permuted responses, and what is said to the user is said by the
# outermost one alone.

# @return (list of call, frame and depth) of the outermost function of this package; NULL when none.
user_call <- function() {
  own <- topenv()
  for (k in seq_len(sys.nframe() - 1L)) {
    if (identical(environment(sys.function(k)), own)) {
      return(list(call = sys.call(k), frame = sys.frame(k)))
    }
  }
  NULL
}

# Is `frame` that of the function that the user called? A method has the call of its generic.
is_user_frame <- function(frame) {
  outer <- user_call()
  known <- which(vapply(sys.frames(), identical, NA, frame))
  length(known) > 0L && (
    identical(outer$frame, frame) || identical(sys.call(known[1]), outer$call)
  )
}
