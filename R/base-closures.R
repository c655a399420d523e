# Functions that travel to other processes.

# `fn` with only these values in its environment: nothing else travels to other processes.
with_data <- function(fn, ...) {
  environment(fn) <- list2env(list(...), parent = topenv())
  fn
}
