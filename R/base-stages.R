# The stages of a call and what they are expected to take, for its announcer.

# What a call will do: each stage that is announced then speaks for those after it too.
# @param costs (named list or numeric) expected cost of the stages in their order; the names are the
#   labels of their reporters, and a label may come again. Numbers are in any unit, the same for
#   all; function(before): seconds, when all stages before it take `before` seconds; NA: not known.
#   Stages expected before without a number, which have not begun, still follow.
# @param verb (environment, or NULL) frame of the call.
expect_stages <- function(costs, verb = user_call()$frame) {
  if (!is.null(verb) && !is_inner_work(NULL)) {
    known <- get0(".stages", verb, inherits = FALSE)
    open <- without_numbers(known$costs)
    now <- proc.time()[["elapsed"]]
    verb$.stages <- list(
      costs = c(as.list(costs), open[!names(open) %in% names(costs)]), done = 0, began = now,
      first = if (is.null(known)) now else known$first
    )
  }
}

without_numbers <- function(costs) {
  Filter(function(cost) is.function(cost) || is.na(cost), costs)
}

# @return (list, or NULL) costs of this stage, of those that are done and of those that follow, and
#   the seconds since the first of this unit, and of all, began. Of a stage that nobody expected
#   only what follows without a number is known.
begin_stage <- function(verb, label) {
  stages <- if (!is.null(verb)) get0(".stages", verb, inherits = FALSE)
  if (is.null(stages)) {
    return(NULL)
  }
  now <- proc.time()[["elapsed"]]
  stage <- list(
    own = NA_real_, before = NA_real_, later = without_numbers(stages$costs),
    passed = now - stages$began, since_first = now - stages$first
  )
  at <- match(label, names(stages$costs))
  if (!is.na(at)) {
    own <- stages$costs[[at]]
    stage$own <- if (is.function(own)) NA_real_ else own
    skipped <- Filter(is.numeric, stages$costs[seq_len(at - 1L)])
    stage$before <- stages$done + sum(as.numeric(skipped))
    stage$later <- stages$costs[-seq_len(at)]
    verb$.stages$costs <- stage$later
    verb$.stages$done <- stage$before + stage$own
  }
  stage
}

# What follows a stage: numbers go on as fast as the stages up to now have been.
# @param seconds that the stage has taken; share (fraction) of it that is done.
# @param left (seconds) that it still takes.
# @return list(seconds, unknown (character): stages whose time is not known).
what_follows <- function(stage, seconds, share, left) {
  unit <- (stage$passed + seconds) / (stage$before + share * stage$own)
  before <- stage$since_first + seconds + left
  each <- vapply(stage$later, function(cost) {
    took <- if (is.function(cost)) cost(before) else cost * unit
    if (!is.na(took)) before <<- before + took
    took
  }, 0)
  list(seconds = sum(each, na.rm = TRUE), unknown = unique(names(each)[is.na(each)]))
}

# The cost of a stage from a part of it, done once and only when the time of a call is asked for.
# @param times function(): how often the part is done in the stage. @param part function().
# @return function(before), see expect_stages(). A part that fails says nothing.
measured_stage <- function(times, part) {
  found <- NULL
  function(before) {
    if (is.null(found)) {
      took <- function() with_seed(1, suppressWarnings(seconds_of_part(part)))
      found <<- tryCatch(times() * took(), error = function(e) NA_real_)
    }
    found
  }
}

# The shortest of three times: the first has to load and to find memory.
seconds_of_part <- function(part) {
  now <- function() proc.time()[["elapsed"]]
  min(vapply(1:3, function(turn) {
    n <- 0
    from <- now()
    # A clock that counts in milliseconds cannot tell less.
    while (now() - from < 0.01) {
      part()
      n <- n + 1
    }
    (now() - from) / n
  }, 0))
}

# Does a function announce the work in which this is done?
# @param env (environment, or NULL) frame that does not count.
is_inner_work <- function(env) {
  any(vapply(sys.frames(), function(frame) {
    !identical(frame, env) && exists(".announced_work", frame, inherits = FALSE)
  }, NA))
}
