# Work on chunks of runs, in this process or on the workers of the user's future plan. A chunk gives
# the same bits wherever and whenever it is done: this code does not affect results.

# Turns a function of one run into the work on a chunk of runs, one after the other. An error of a
# learner names its run.
one_by_one <- function(fn) {
  of_run <- fn
  with_data(function(index, report) {
    values <- vector("list", length(index))
    for (k in seq_along(index)) {
      value <- withCallingHandlers(of_run(index[k]), stabilect_error_learner = function(e) {
        e$message <- paste0("Run ", index[k], ": ", e$message)
        stop(e)
      })
      values[k] <- list(value)
      if (!is.null(report)) report(k, length(index))
    }
    values
  }, of_run = of_run)
}

# Runs 1 to n in chunks of consecutive runs.
# @param fn function(index, report): the value of a chunk; `report` is NULL or a function of (done,
#   total) that the work calls now and then; it stops the work after an interrupt.
# @param checkpoint (NULL, or what open_checkpoint() returns) where finished chunks are kept; in
#   memory only with `save = FALSE`.
# @return list of list(index, value), in order of the runs.
run_chunks <- function(n, fn, label, progress = FALSE, checkpoint = NULL) {
  known <- if (is.null(checkpoint)) list() else checkpoint$parts()
  # When a call in stages is repeated, the checkpoint may already contain runs of later stages.
  known <- Filter(function(part) max(part$index) <= n, known)
  todo <- setdiff(seq_len(n), unlist(lapply(known, `[[`, "index")))
  n_workers <- if (isNamespaceLoaded("future")) min(plan_workers(), length(todo)) else 1L
  saves <- !is.null(checkpoint) && !isFALSE(checkpoint$save)
  chunks <- if (n_workers > 1L || saves || length(todo) < n) {
    split_runs(todo, n_workers, saves)
  } else {
    list(todo)
  }
  # Workers report to progressr themselves.
  signal <- isTRUE(progress) && n_workers > 1L && isNamespaceLoaded("progressr")
  n_known <- n - length(todo)
  report <- if (!signal) progress_reporter(progress, label, done = n_known)
  keep <- function(part) {
    if (!is.null(checkpoint)) checkpoint$add(part)
    part
  }
  new <- if (n_workers > 1L) {
    finished <- chunk_reporter(report, n_known, n)
    run_on_workers(chunks, fn, n_workers, keep, finished, signal, label)
  } else {
    before <- n_known + cumsum(c(0L, lengths(chunks)))
    done <- vector("list", length(chunks))
    for (k in seq_along(chunks)) {
      index <- chunks[[k]]
      value <- fn(index, shifted_report(report, before[k], length(index), n))
      done[[k]] <- keep(list(index = index, value = value))
    }
    done
  }
  parts <- c(known, new)
  parts[order(vapply(parts, function(part) part$index[1], 1L))]
}

# A chunk reports progress in its own units, runs or groups of runs; the bar counts runs.
shifted_report <- function(report, before, size, total) {
  if (is.null(report)) {
    return(NULL)
  }
  function(done, of) report(before + done / of * size, total)
}

chunk_reporter <- function(report, done, total) {
  function(n_new) {
    done <<- done + n_new
    if (!is.null(report)) report(done, total)
  }
}

# Number of processes in the user's plan; 1 unless a plan was set.
plan_workers <- function() {
  # A plan cannot be set without loading the package.
  if (!isNamespaceLoaded("future") || inherits(future::plan("next"), "sequential")) {
    return(1L)
  }
  # Schedulers without a limit say Inf.
  as.integer(min(future::nbrOfWorkers(), 100))
}

# Do the workers persist between chunks? Jobs of a scheduler do not.
plan_is_lasting <- function() {
  inherits(future::plan("next"), c("cluster", "multicore", "mirai"))
}

# Chunks of consecutive runs: one chunk without workers and checkpoint; four per worker, since one
# slow worker then causes little delay; one per job of a scheduler, which starts slowly; at least
# twenty if finished chunks are saved.
split_runs <- function(todo, n_workers, save) {
  if (length(todo) == 0L) {
    return(list())
  }
  per_worker <- if (n_workers > 1L) if (plan_is_lasting()) 4L else 1L
  n_chunks <- max(1L, per_worker * n_workers, if (save) 20L)
  size <- if (n_chunks == 1L) length(todo) else ceiling(length(todo) / n_chunks)
  stretch <- cumsum(c(TRUE, diff(todo) != 1L))
  if (n_chunks == 1L && stretch[length(todo)] == 1L) {
    return(list(todo))
  }
  pieces <- split(todo, stretch)
  unname(unlist(lapply(pieces, function(piece) {
    split(piece, (seq_along(piece) - 1L) %/% size)
  }), recursive = FALSE))
}
