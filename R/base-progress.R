# A function of (done, total) that draws a progress bar, or NULL. cli shows a bar only once the work
# has taken a while, and only where someone can see it.
progress_reporter <- function(progress, label, env = parent.frame()) {
  force(env)
  # Within a block of runs, progress is that of the whole, and so is its reporter.
  if (is.function(progress)) {
    return(progress)
  }
  if (!isTRUE(progress)) {
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

# Where progressr is loaded, its handlers decide what is shown.
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
