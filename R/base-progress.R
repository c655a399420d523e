# `progress` is the user's flag; a `report` is a function of (done, total) that the work calls.

# A report that draws a progress bar. Where no bar can be seen, it announces long work.
# @param done (number) runs done before the start.
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

# cli shows a bar only after a while, and only where someone can see it. Work that turns out to need
# another round has another bar.
bar_reporter <- function(label, env) {
  if (isNamespaceLoaded("progressr")) {
    return(progressr_reporter(label, env))
  }
  id <- NULL
  last <- -1
  function(done, total) {
    # The end may be told twice.
    if (is.null(id) && done <= last) {
      return()
    }
    last <<- done
    if (is.null(id)) {
      id <<- cli::cli_progress_bar(label, total = total, .envir = env)
    }
    if (done < total) {
      cli::cli_progress_update(set = done, id = id, .envir = env)
    } else {
      cli::cli_progress_done(id = id, .envir = env)
      id <<- NULL
    }
  }
}

# When progressr is loaded, its handlers decide what to show.
progressr_reporter <- function(label, env) {
  signal <- NULL
  last <- 0
  function(done, total) {
    if (is.null(signal) && last > 0 && done <= last) {
      return()
    }
    if (is.null(signal)) {
      signal <<- progressr::progressor(steps = total - last, message = label, envir = env)
    }
    signal(amount = done - last)
    last <<- done
    if (done >= total) signal <<- NULL
  }
}
