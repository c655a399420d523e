# A function of (done, total) that draws a progress bar, or NULL. cli shows a bar only once the work
# has taken a while, and only where someone can see it.
progress_reporter <- function(progress, label, env = parent.frame()) {
  if (!progress) {
    return(NULL)
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
