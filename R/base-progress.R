# `progress` is the flag of the user; a `report` is a function of (done, total) that the work calls.

# A report that draws a progress bar, or NULL without one. cli shows a bar only once the work has
# taken a while, and only where someone can see it.
progress_reporter <- function(progress, label, env = parent.frame()) {
  force(env)
  if (!progress) {
    return(NULL)
  }
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
