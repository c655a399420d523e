# Functions that travel to other processes.

# `fn` with these values and nothing else of the frame where it was made: all that has to travel.
with_data <- function(fn, ...) {
  environment(fn) <- list2env(list(...), parent = topenv())
  fn
}
