# Chunks of runs on the workers of a future plan. The work (a closure with the data in its frame)
# travels to each worker once: the first chunk brings it, later chunks name it, and a worker without
# it says so. Workspace variables of the user's functions travel with it.

worker_state <- new.env(parent = emptyenv())

# Runs in the worker's process.
# @param fn (function or NULL) NULL if the worker should know it by its `key`.
# @param stop_file (string) exists once the user has interrupted; visible to workers that share the
#   file system.
# @param workspace (named list) workspace variables of the user's functions.
work_on_chunk <- function(key, fn, index, stop_file, signal, workspace) {
  # Arguments may lie in the worker's workspace under names that are assigned below.
  force(list(key, fn, index, stop_file, signal, workspace))
  if (is.null(fn)) {
    if (!identical(worker_state$key, key)) {
      return(of_class("stabilect_no_work"))
    }
    fn <- worker_state$fn
    workspace <- worker_state$workspace
  } else {
    worker_state$key <- key
    worker_state$fn <- fn
    worker_state$workspace <- workspace
  }
  list2env(workspace, globalenv())
  # Only the user's process announces times.
  .announced_work <- TRUE # nolint: object_name_linter, object_usage_linter.
  last <- 0
  report <- function(done, total) {
    if (file.exists(stop_file)) stop("interrupted")
    share <- done / total * length(index)
    if (!is.null(signal)) signal(amount = share - last)
    last <<- share
  }
  list(index = index, value = fn(index, report))
}

# @param keep function(part), finished function(n_runs): called for every returned chunk.
run_on_workers <- function(chunks, fn, n_workers, keep, finished, progress, label) {
  stop_file <- tempfile("stabilect-stop-")
  complete <- FALSE
  # Workers finish their chunk even after an interrupt; their messages must not reach later calls.
  on.exit(if (!complete) {
    file.create(stop_file)
    restart_workers()
  })
  signal <- if (progress) progressr::progressor(steps = sum(lengths(chunks)))
  queue <- new_queue(chunks, fn, n_workers, stop_file, signal)
  while (length(queue$waiting) + length(queue$active) > 0L) {
    send_chunks(queue)
    parts <- take_chunks(queue)
    for (part in parts) {
      keep(part)
      finished(length(part$index))
    }
    if (length(parts) == 0L) Sys.sleep(0.02)
  }
  complete <- TRUE
  if (queue$broken) restart_workers()
  if (length(queue$lost) > 0L) abort_lost(queue, label)
  queue$done
}

# A plan does not replace a dead process, so the same plan is set again.
restart_workers <- function() {
  plan <- future::plan("list")
  if (inherits(plan[[1]], c("cluster", "mirai"))) {
    future::plan("sequential")
    future::plan(plan)
  }
}

# The state of the chunks, an environment that send_chunks() and take_chunks() change:
#   waiting (integer) chunks to be sent, in this order;
#   active (list, named by chunk) running jobs; done (list) returned chunks;
#   attempts (integer, one per chunk) number of sendings; lost (list) chunks given up;
#   n_informed (integer) jobs that brought the work along since the plan was set;
#   inform_all (flag) always bring the work along, as every job is its own process;
#   broken (flag) a worker has died, and the plan must be set again;
#   travels (list) of travelling_values().
new_queue <- function(chunks, fn, n_workers, stop_file, signal) {
  list2env(list(
    chunks = chunks, fn = fn, n_workers = n_workers, stop_file = stop_file, signal = signal,
    key = paste(Sys.info()[["nodename"]], Sys.getpid(), stop_file),
    waiting = seq_along(chunks), active = list(), done = list(),
    attempts = integer(length(chunks)), lost = list(), n_informed = 0L,
    inform_all = !inherits(future::plan("next"), c("cluster", "mirai")), broken = FALSE,
    travels = travelling_values(fn)
  ), parent = emptyenv())
}

# Sends as many chunks as there are free workers. After a worker has died, all other chunks must
# return, and the plan must be set again, before a chunk is sent.
send_chunks <- function(queue) {
  if (queue$broken && length(queue$active) == 0L) {
    restart_workers()
    queue$broken <- FALSE
    queue$n_informed <- 0L
  }
  while (!queue$broken && length(queue$waiting) > 0L && length(queue$active) < queue$n_workers) {
    chunk <- queue$waiting[1]
    queue$waiting <- queue$waiting[-1]
    queue$attempts[chunk] <- queue$attempts[chunk] + 1L
    inform <- queue$inform_all || queue$n_informed < queue$n_workers
    queue$n_informed <- queue$n_informed + inform
    tryCatch(
      queue$active[[as.character(chunk)]] <- start_chunk(
        queue$key, if (inform) queue$fn, queue$chunks[[chunk]], queue$stop_file, queue$signal,
        if (inform) queue$travels$values, queue$travels$packages
      ),
      FutureError = function(e) send_again(queue, chunk, conditionMessage(e))
    )
  }
}

# The chunks returned since the last call.
take_chunks <- function(queue) {
  parts <- list()
  for (name in names(queue$active)) {
    chunk <- as.integer(name)
    result <- tryCatch(take_chunk(queue$active[[name]]), FutureError = function(e) e)
    if (is.null(result)) next
    queue$active[[name]] <- NULL
    if (inherits(result, "FutureError")) {
      send_again(queue, chunk, conditionMessage(result))
    } else if (inherits(result, "stabilect_no_work")) {
      queue$inform_all <- TRUE
      queue$waiting <- c(chunk, queue$waiting)
      queue$attempts[chunk] <- queue$attempts[chunk] - 1L
    } else {
      parts <- c(parts, list(result))
    }
  }
  queue$done <- c(queue$done, parts)
  parts
}

# A chunk whose worker died is sent again, at most twice.
send_again <- function(queue, chunk, why, max_attempts = 3L) {
  queue$broken <- TRUE
  if (queue$attempts[chunk] < max_attempts) {
    queue$waiting <- c(queue$waiting, chunk)
  } else {
    queue$lost[[as.character(chunk)]] <- list(index = queue$chunks[[chunk]], why = why)
  }
}

start_chunk <- function(key, fn, index, stop_file, signal, workspace, packages) {
  future::future(
    work_on_chunk(key, fn, index, stop_file, signal, workspace),
    # Tasks set and restore R's generator themselves.
    seed = NULL, packages = unique(c("stabilect", packages)),
    globals = list(
      work_on_chunk = work_on_chunk, key = key, fn = fn, index = index, stop_file = stop_file,
      signal = signal, workspace = workspace
    )
  )
}

# NULL while the chunk is running.
take_chunk <- function(job) {
  if (!future::resolved(job)) {
    return(NULL)
  }
  future::value(job)
}

# @param label (string) the caller's name of the work.
abort_lost <- function(queue, label) {
  lost <- queue$lost
  runs <- sort(unlist(lapply(lost, `[[`, "index")))
  cli::cli_abort(
    c("{label}: {length(runs)} {?was/were} lost with {?its/their} worker{?s}, number{?s}
       {describe_runs(runs)}.",
      x = sub("\n.*", "", lost[[1]]$why),
      i = "The others are in the field {.field parts} of this condition. With
        {.arg checkpoint} they are kept in a file, and the call can be repeated."
    ),
    class = c("stabilect_error_workers", "stabilect_error"), runs = runs, parts = queue$done,
    call = user_frame()
  )
}

# "1-5, 9": runs as ranges.
describe_runs <- function(runs) {
  stretch <- split(runs, cumsum(c(TRUE, diff(runs) != 1L)))
  paste(vapply(stretch, function(one) {
    if (length(one) == 1L) as.character(one) else paste0(one[1], "-", one[length(one)])
  }, ""), collapse = ", ")
}
