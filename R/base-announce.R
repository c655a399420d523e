# What takes long says so once its first runs are done, unless a bar shows how far it is; and how
# long results took. Only what the user is told depends on the clock here, never a result.

# Calls longer than `long` (in seconds) say so; what is measured for a shorter time than `least`
# tells nothing.
announcing <- list2env(list(long = 10, least = 0.5), parent = emptyenv())

# A report of (done, total) that says once how long the whole will take.
# @param label (string) what is done.
# @param env (environment) frame of the function that does the work. What runs inside the work of
#   another one says nothing.
# @param done (number) what was there before, as from a checkpoint.
# @return function, or NULL where nothing is to be said.
announcer <- function(label, env, done = 0) {
  force(label)
  if (is_inner_work(env)) {
    return(NULL)
  }
  mark_announced(env)
  verb <- user_call()$frame
  before <- done
  began <- proc.time()[["elapsed"]]
  function(done, total) {
    seconds <- proc.time()[["elapsed"]] - began
    if (done < total && done > before && seconds >= announcing$least) {
      announce(label, seconds, seconds * (total - done) / (done - before), verb)
    }
  }
}

# Goes with the frame.
mark_announced <- function(env) env$.announced_work <- TRUE

is_inner_work <- function(env) {
  any(vapply(sys.frames(), function(frame) {
    !identical(frame, env) && exists(".announced_work", frame, inherits = FALSE)
  }, NA))
}

# Says how long it will still take; in one call of the user again only where that is twice as long
# as was said.
# @param passed,left (seconds) spent on this work, and expected from now on.
# @param verb (environment, or NULL) frame of the call.
announce <- function(label, passed, left, verb) {
  known <- if (is.null(verb)) 0 else get0(".announced_seconds", verb, inherits = FALSE)
  whole <- passed + left
  if (whole <= announcing$long || whole <= 2 * max(0, known)) {
    return(invisible())
  }
  if (!is.null(verb)) verb$.announced_seconds <- whole
  cli::cli_inform(
    c(i = "{label}: {describe_seconds(left)} to go. {.code progress = TRUE} shows how far it is."),
    class = c("stabilect_message_long", "stabilect_message")
  )
}

# How long results took is no part of them, so that the same seed gives the same bits; prints say
# what so many repeats would take where it was measured in this session.
clock <- new.env(parent = emptyenv())

# @param began (seconds) proc.time()[["elapsed"]] before the runs of this result.
remember_seconds <- function(result, began) {
  seconds <- proc.time()[["elapsed"]] - began
  if (length(clock) >= 1000L) rm(list = ls(clock), envir = clock)
  assign(made_alike(result), seconds, envir = clock)
}

# @return (number, or NULL when none of these data and settings was made in this session)
seconds_of <- function(result) get0(made_alike(result), envir = clock, inherits = FALSE)

made_alike <- function(x) {
  hash_identity(list(class(x)[1], x$study$hash, x$resamples$fingerprint, x$asked))
}

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
