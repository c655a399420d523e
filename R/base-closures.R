# Functions that travel to other processes.

# `fn` with only these values in its environment, so that nothing else is sent to another process.
with_data <- function(fn, ...) {
  environment(fn) <- list2env(list(...), parent = topenv())
  fn
}
