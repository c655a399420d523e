# How long results took. The time is no part of a result, so that the same seed gives the same bits;
# it is remembered for the session and used by prints.

clock <- new.env(parent = emptyenv())

# @param key (string) of the result; began (seconds) proc.time()[["elapsed"]] at its beginning.
remember_seconds <- function(key, began) {
  if (length(clock) >= 1000L) rm(list = ls(clock), envir = clock)
  assign(key, proc.time()[["elapsed"]] - began, envir = clock)
}

# @return (number, or NULL when the result is not of this session)
seconds_of <- function(key) get0(key, envir = clock, inherits = FALSE)

# Such as "about 12 s".
describe_seconds <- function(seconds) {
  if (seconds < 1) {
    return("less than a second")
  }
  if (seconds < 90) {
    return(sprintf("about %s s", figure(signif(seconds, 2))))
  }
  sprintf("about %s min", figure(signif(seconds / 60, 2)))
}
