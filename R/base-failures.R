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

# Memory that the system does not give, as an error of our class.
# @param bytes (number) what the largest table needs at least.
# @param table (string) what that table is.
with_memory <- function(code, bytes, table) {
  size <- if (bytes < 1e9) paste(ceiling(bytes / 1e6), "MB") else paste(ceiling(bytes / 1e9), "GB")
  short <- passing_messages()[c(1L, 6L)] # nolint: object_usage_linter.
  tryCatch(code, error = function(e) {
    memory <- inherits(e, c("std::bad_alloc", "memoryError")) ||
      any(vapply(short, grepl, NA, x = conditionMessage(e), fixed = TRUE))
    if (!memory) stop(e)
    abort(
      c("There is not enough memory: {table} needs at least {size}.",
        i = "Ask for fewer or smaller tables, or take a machine with more memory."
      ),
      class = "memory"
    )
  })
}
