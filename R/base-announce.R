# Long work says how long it will take once its first runs are done, unless a progress bar shows it.
# Only messages depend on the clock here, never a result.

# Calls longer than `long` seconds say so. Times shorter than `least` are too unsure to extrapolate,
# shares below `share` are until `patience`. `hidden`: see without_times().
announcing <- list2env(
  list(long = 10, least = 0.5, share = 0.15, patience = 10, hidden = FALSE), parent = emptyenv()
)

# A function of (done, total) that says once how long the whole will take, with the stages of
# expect_stages() that follow.
# @param label (string) what is done.
# @param env (environment) frame of the function that does the work; nested work says nothing.
# @param done (number) runs that a checkpoint already had.
# @return function, or NULL where nothing is to be said.
announcer <- function(label, env, done = 0) {
  force(label)
  if (is_inner_work(env)) {
    return(NULL)
  }
  # The mark disappears with the frame.
  env$.announced_work <- TRUE
  verb <- user_call()$frame
  stage <- begin_stage(verb, label)
  before <- done
  began <- proc.time()[["elapsed"]]
  function(done, total) {
    seconds <- proc.time()[["elapsed"]] - began
    share <- (done - before) / (total - before)
    if (share <= 0 || share >= 1 || seconds < announcing$least) {
      return()
    }
    if (share >= announcing$share || seconds >= announcing$patience) {
      left <- seconds * (1 - share) / share
      then <- if (!is.null(stage)) what_follows(stage, seconds, (done - before) / total, left)
      later <- if (is.null(then)) 0 else then$seconds
      passed <- seconds + if (is.null(stage)) 0 else stage$since_first
      what <- if (later > 0) paste(label, "and what follows") else label
      announce(what, passed, left + later, verb, then$unknown)
    }
  }
}

# Says how long the work will still take; again in one call only if more remains than was said, or
# for a stage whose time was unknown then.
# @param passed,left (seconds) spent on this work and the stages before, and expected from now on.
# @param verb (environment, or NULL) frame of the call.
# @param unknown (character) what comes then; it will speak for itself.
announce <- function(label, passed, left, verb, unknown = NULL) {
  last <- if (!is.null(verb)) get0(".announced", verb, inherits = FALSE)
  said <- if (!is.null(last) && (!last$open || last$label == label)) last$seconds
  if (passed + left <= announcing$long || (!is.null(said) && left <= 1.25 * said)) {
    return(invisible())
  }
  if (!is.null(verb)) {
    verb$.announced <- list(seconds = left, label = label, open = length(unknown) > 0L)
  }
  to_go <- if (is.null(said)) "to go" else "to go, more than was said"
  time <- describe_seconds(left)
  cli::cli_inform(
    c(
      i = "{label}: {time} {to_go}. {.code progress = TRUE} shows how far it is.",
      if (length(unknown) > 0L) {
        c(" " = "{.val {unknown}} will follow; how long it takes will be said then.")
      }
    ),
    class = c("stabilect_message_long", "stabilect_message"), seconds = left
  )
}

# Times are kept outside results: the same seed must give the same bits. Prints use them to say what
# repeats would take.
clock <- new.env(parent = emptyenv())

# @param began (seconds) proc.time()[["elapsed"]] before the runs of this result.
remember_seconds <- function(result, began) {
  seconds <- proc.time()[["elapsed"]] - began
  if (length(clock) >= 1000L) rm(list = ls(clock), envir = clock)
  assign(made_alike(result), seconds, envir = clock)
}

# @return (number, or NULL if no such result was made in this session)
seconds_of <- function(result) {
  if (!announcing$hidden) get0(made_alike(result), envir = clock, inherits = FALSE)
}

# The value of `code` as if no time were known: files are the same in every session.
without_times <- function(code) {
  before <- announcing$hidden
  on.exit(announcing$hidden <- before)
  announcing$hidden <- TRUE
  force(code)
}

made_alike <- function(x) {
  asked <- lapply(x$asked, function(value) {
    if (is.list(value) && "key" %in% names(value)) value$key else value
  })
  hash_of_session(list(class(x)[1], x$study$hash, x$resamples$fingerprint, asked))
}

# "about 12 s"
describe_seconds <- function(seconds) {
  if (seconds < 1) {
    return("less than a second")
  }
  if (seconds < 90) {
    return(sprintf("about %s s", figure(signif(seconds, 2))))
  }
  sprintf("about %s min", figure(signif(seconds / 60, 2)))
}
