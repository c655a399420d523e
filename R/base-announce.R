# What takes long says so once its first runs are done, unless a bar shows how far it is. Only what
# the user is told depends on the clock here, never a result.

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
