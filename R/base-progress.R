# `progress` is the flag of the user; a `report` is a function of (done, total) that the work calls.

# A report that draws a progress bar and, where none can be seen, says beforehand that it takes
# long.
# @param done (number) what is there at the start.
# @return function, or NULL where there is nothing to show or say.
progress_reporter <- function(progress, label, env = parent.frame(), done = 0) {
  force(env)
  shown <- progress && (isNamespaceLoaded("progressr") || cli::is_dynamic_tty())
  reports <- list(
    if (progress) bar_reporter(label, env), if (!shown) announcer(label, env, done)
  )
  reports <- Filter(Negate(is.null), reports)
  if (length(reports) < 2L) {
    return(if (length(reports) == 1L) reports[[1]])
  }
  function(done, total) for (report in reports) report(done, total)
}

# cli shows a bar only once the work has taken a while, and only where someone can see it.
bar_reporter <- function(label, env) {
  if (isNamespaceLoaded("progressr")) {
    return(progressr_reporter(label, env))
  }
  id <- NULL
  function(done, total) {
    if (is.null(id)) {
      id <<- cli::cli_progress_bar(label, total = total, .envir = env)
    }
    if (done < total) {
      cli::cli_progress_update(set = done, id = id, .envir = env)
    } else {
      cli::cli_progress_done(id = id, .envir = env)
    }
  }
}

# When progressr is loaded, its handlers decide what is shown.
progressr_reporter <- function(label, env) {
  signal <- NULL
  last <- 0
  function(done, total) {
    if (is.null(signal)) {
      signal <<- progressr::progressor(steps = total, message = label, envir = env)
    }
    signal(amount = done - last)
    last <<- done
  }
}
