# What becomes of an error in a function that is not ours: of the user or of another package.

# Why a run failed, as one line. An error that says something about the moment and nothing about the
# run (an interrupt, memory, a time limit, a dead worker) is raised again: repeated, the run may
# succeed, so it must not be kept as one that fails.
reason_of_failure <- function(error) {
  message <- conditionMessage(error)
  # ranger makes an error of an interrupt.
  if (grepl("User interrupt or internal error", message, fixed = TRUE)) rlang::interrupt()
  passing <- vapply(passing_messages(), grepl, NA, x = message, fixed = TRUE)
  if (inherits(error, "FutureError") || any(passing)) stop(error)
  sub("\n.*", "", message)
}

# In the language of the session; what follows a "%" differs.
passing_messages <- function() {
  sizes <- paste("cannot allocate vector of size %0.1f", c("Gb", "Mb", "Kb"))
  limits <- c("reached elapsed time limit", "reached CPU time limit")
  sub("%.*", "", c(gettext(c(sizes, limits), domain = "R"), "std::bad_alloc"))
}

# `fn` with errors of our class.
# @param what (string) the beginning of the message.
with_own_errors <- function(fn, what, class) {
  force(fn)
  force(what)
  force(class)
  function(...) {
    tryCatch(fn(...), error = function(e) {
      if (inherits(e, "stabilect_error")) stop(e)
      # The message is text of others: no markup.
      reason <- reason_of_failure(e) # nolint: object_usage_linter.
      abort("{what}: {reason}", class = class, call = NULL)
    })
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
