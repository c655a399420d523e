# Blocks of runs on the workers of a future plan. The work (a closure, with the data in its frame)
# travels to each worker once: the first block brings it along, later ones name it, and a worker
# that does not have it says so.

worker_state <- new.env(parent = emptyenv())

# Runs in the worker's process.
# @param fn (function or NULL) NULL when the worker is to know it by its `key`.
# @param stop_file (string) exists once the user has interrupted; seen where the workers share the
#   file system.
work_on_block <- function(key, fn, index, stop_file, signal) {
  if (is.null(fn)) {
    if (!identical(worker_state$key, key)) {
      return(structure(list(), class = "stabilect_no_work"))
    }
    fn <- worker_state$fn
  } else {
    worker_state$key <- key
    worker_state$fn <- fn
  }
  last <- 0
  report <- function(done, total) {
    if (file.exists(stop_file)) stop("interrupted")
    share <- done / total * length(index)
    if (!is.null(signal)) signal(amount = share - last)
    last <<- share
  }
  list(index = index, value = fn(index, report))
}

run_on_workers <- function(blocks, fn, n_workers, keep, finished, progress, label, call) {
  stop_file <- tempfile("stabilect-stop-")
  complete <- FALSE
  # After an interrupt too, workers end their block, and what they had to say is not read by others.
  on.exit(if (!complete) {
    file.create(stop_file)
    restart_workers()
  })
  state <- new_queue(blocks, fn, n_workers, stop_file, if (progress) {
    progressr::progressor(steps = sum(lengths(blocks)))
  })
  while (state$open()) {
    if (state$broken() && state$n_active() == 0L) {
      restart_workers()
      state$mend()
    }
    while (state$can_launch()) state$launch()
    parts <- state$collect()
    for (part in parts) {
      keep(part)
      finished(length(part$index))
    }
    if (length(parts) == 0L) Sys.sleep(0.02)
  }
  complete <- TRUE
  if (state$broken()) restart_workers()
  if (length(state$lost()) > 0L) abort_lost(state, label, call)
  state$done()
}

# A plan does not replace a process that has died: it is set anew, as it was.
restart_workers <- function() {
  plan <- future::plan("list")
  if (inherits(plan[[1]], c("cluster", "mirai"))) {
    future::plan("sequential")
    future::plan(plan)
  }
}

# The blocks that wait, run, and are done. A block whose worker died is sent again, at most twice,
# once the blocks of the other workers have come back and the plan is whole again.
new_queue <- function(blocks, fn, n_workers, stop_file, signal, max_attempts = 3L) {
  key <- paste(Sys.info()[["nodename"]], Sys.getpid(), stop_file)
  waiting <- seq_along(blocks)
  attempts <- integer(length(blocks))
  active <- list()
  done <- list()
  lost <- list()
  # Jobs that bring the work along; all of them where every job is a process of its own.
  n_informed <- 0L
  inform_all <- !inherits(future::plan("next"), c("cluster", "mirai"))
  broken <- FALSE
  failed <- function(block, why) {
    broken <<- TRUE
    if (attempts[block] < max_attempts) {
      waiting <<- c(waiting, block)
    } else {
      lost[[as.character(block)]] <<- list(index = blocks[[block]], why = why)
    }
  }
  launch <- function() {
    block <- waiting[1]
    waiting <<- waiting[-1]
    attempts[block] <<- attempts[block] + 1L
    inform <- inform_all || n_informed < n_workers
    n_informed <<- n_informed + inform
    job <- tryCatch(
      start_block(key, if (inform) fn, blocks[[block]], stop_file, signal),
      FutureError = function(e) {
        failed(block, conditionMessage(e))
        NULL
      }
    )
    if (!is.null(job)) active[[as.character(block)]] <<- job
  }
  collect <- function() {
    parts <- list()
    for (name in names(active)) {
      block <- as.integer(name)
      result <- tryCatch(take_block(active[[name]]), FutureError = function(e) e)
      if (is.null(result)) next
      active[[name]] <<- NULL
      if (inherits(result, "FutureError")) {
        failed(block, conditionMessage(result))
      } else if (inherits(result, "stabilect_no_work")) {
        inform_all <<- TRUE
        waiting <<- c(block, waiting)
        attempts[block] <<- attempts[block] - 1L
      } else {
        parts <- c(parts, list(result))
      }
    }
    done <<- c(done, parts)
    parts
  }
  list(
    open = function() length(waiting) + length(active) > 0L,
    can_launch = function() !broken && length(waiting) > 0L && length(active) < n_workers,
    n_active = function() length(active), broken = function() broken,
    mend = function() {
      broken <<- FALSE
      n_informed <<- 0L
    },
    launch = launch, collect = collect, done = function() done, lost = function() lost
  )
}

start_block <- function(key, fn, index, stop_file, signal) {
  future::future(
    work_on_block(key, fn, index, stop_file, signal),
    # Tasks set and restore R's generator themselves.
    seed = NULL, packages = "stabilect",
    globals = list(
      work_on_block = work_on_block, key = key, fn = fn, index = index, stop_file = stop_file,
      signal = signal
    )
  )
}

# NULL while the block is running.
take_block <- function(job) {
  if (!future::resolved(job)) {
    return(NULL)
  }
  future::value(job)
}

# @param label (string) what is being done, in the words of the caller.
abort_lost <- function(state, label, call) {
  lost <- state$lost()
  runs <- sort(unlist(lapply(lost, `[[`, "index")))
  cli::cli_abort(
    c("{label}: {length(runs)} {?was/were} lost with {?its/their} worker{?s}, number{?s}
       {describe_runs(runs)}.",
      x = sub("\n.*", "", lost[[1]]$why),
      i = "The others are in the field {.field parts} of this condition. With
        {.arg checkpoint} they are kept in a file, and the call can be repeated."
    ),
    class = c("stabilect_error_workers", "stabilect_error"), runs = runs, parts = state$done(),
    call = call
  )
}

# "1-5, 9": runs as stretches.
describe_runs <- function(runs) {
  stretch <- split(runs, cumsum(c(TRUE, diff(runs) != 1L)))
  paste(vapply(stretch, function(one) {
    if (length(one) == 1L) as.character(one) else paste0(one[1], "-", one[length(one)])
  }, ""), collapse = ", ")
}
