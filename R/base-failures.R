# Errors in functions of the user or of another package.

# Why a run failed, as one line. Errors of the moment (an interrupt, memory, a time limit, a dead
# worker) are raised again: a repeated run may succeed, so it must not be stored as failed.
reason_of_failure <- function(error) {
  message <- conditionMessage(error)
  # ranger turns an interrupt into an error.
  if (grepl("User interrupt or internal error", message, fixed = TRUE)) rlang::interrupt()
  passing <- vapply(passing_messages(), grepl, NA, x = message, fixed = TRUE)
  moment <- inherits(error, c("FutureError", "stabilect_error_memory"))
  if (!moment && lacks_memory(error)) stop(memory_error_of(error))
  if (moment || any(passing)) stop(error)
  sub("\n.*", "", message)
}

# In the language of the session; the text after a "%" differs.
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
      # Foreign text is not cli markup.
      reason <- reason_of_failure(e) # nolint: object_usage_linter.
      abort("{what}: {reason}", class = class, call = NULL)
    })
  }
}

# Evaluates the user's data without the warning of log() for negative numbers: our own error names
# row and column.
without_nan_warning <- function(code) {
  said <- gettext("NaNs produced", domain = "R")
  withCallingHandlers(code, warning = function(w) {
    if (identical(conditionMessage(w), said)) invokeRestart("muffleWarning")
  })
}

# Is it an error of R, or of the core, that memory cannot be allocated?
lacks_memory <- function(error) {
  short <- c(passing_messages()[c(1L, 6L)], "could not allocate memory")
  inherits(error, c("stabilect_error_memory", "memoryError")) ||
    any(vapply(short, grepl, NA, x = conditionMessage(error), fixed = TRUE))
}

# An error of our class when memory cannot be allocated, also by R itself.
# @param bytes (number) smallest size of the largest table, if that is known.
# @param table (string) name of that table.
with_memory <- function(code, bytes = NULL, table = NULL) {
  withCallingHandlers(code, error = function(e) {
    if (is.null(table) && inherits(e, "stabilect_error") || !lacks_memory(e)) {
      return()
    }
    if (is.null(table)) stop(memory_error_of(e))
    size <- in_bytes(bytes) # nolint: object_usage_linter.
    abort(
      c("There is not enough memory: {table} needs at least {size}.",
        i = "Ask for fewer or smaller tables, or take a machine with more memory."
      ),
      class = "memory"
    )
  })
}

# The error of the border when the core cannot allocate memory: what the call needs at least, by the
# sizes of its data.
no_memory <- function() {
  frames <- Filter(function(frame) {
    startsWith(function_of_frame(frame), "cpp_")
  }, seq_len(sys.nframe()))
  at <- if (length(frames) > 0L) max(frames)
  given <- if (!is.null(at)) as.list(sys.frame(at))
  tables <- Filter(is.matrix, given)
  n <- if (length(tables) > 0L) max(vapply(tables, nrow, 0L)) else max(lengths(given), 1L)
  p <- max(vapply(tables, ncol, 0L), 1L)
  memory_error(n, p)
}

# Steps copy their data at least once.
memory_error <- function(n, p) {
  new_memory_error(paste0(
    ": this step with ", count_of(n, "sample"), " needs at least ", in_bytes(8 * n * p)
  ))
}

# R says what it could not have.
memory_error_of <- function(error) {
  new_memory_error(sprintf(" (%s)", sub("\n.*", "", conditionMessage(error))))
}

new_memory_error <- function(why) {
  structure(
    class = c("stabilect_error_memory", "stabilect_error", "error", "condition"),
    list(message = paste0(
      "There is not enough memory", why, ".\n",
      "i Take fewer samples or features at a time, or a machine with more memory."
    ), call = NULL)
  )
}

function_of_frame <- function(at) {
  name <- sys.call(at)[[1L]]
  if (is.symbol(name)) as.character(name) else ""
}

in_bytes <- function(bytes) {
  if (bytes < 1e9) paste(ceiling(bytes / 1e6), "MB") else paste(ceiling(bytes / 1e9), "GB")
}
