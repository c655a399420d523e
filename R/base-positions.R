# What users give by position.

# survfit() and others take times and events as two arguments; here they are one response, and the
# second would be taken for the third argument of the verb.
# @param arguments (formals of the verb) written (its call) frame (its frame).
refuse_two_parts <- function(arguments, written, frame) {
  names <- names(arguments)
  labels <- names(written)[-1]
  unnamed <- if (is.null(labels)) length(written) - 1L else sum(labels == "")
  by_position <- unnamed >= 3L && identical(names[1:2], c("x", "y")) && !any(names[1:3] %in% labels)
  if (!by_position || names[3] %in% c("covariates", "...")) {
    return(invisible())
  }
  time <- frame$y
  event <- frame[[names[3]]]
  pair <- is.numeric(time) && is.null(dim(time)) && length(time) > 1L && is.atomic(event) &&
    length(event) == length(time) && (is.logical(event) || all(event %in% 0:2))
  if (pair) {
    abort(
      c("{.arg {names[3]}} must be one value, not {length(event)}.",
        i = "For survival times give one response: {.code survival::Surv(time, status)} as
          {.arg y}."
      ),
      call = frame
    )
  }
}

# The data of the user, evaluated here. What log() says of a negative number, our own error says
# better: with the row and the column.
without_nan_warning <- function(code) {
  said <- gettext("NaNs produced", domain = "R")
  withCallingHandlers(code, warning = function(w) {
    if (identical(conditionMessage(w), said)) invokeRestart("muffleWarning")
  })
}
