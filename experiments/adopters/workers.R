# Work on several processes and machines, and results that are kept: the same bits.

with_plan <- function(code, ...) {
  before <- future::plan()
  on.exit(future::plan(before))
  future::plan(...)
  code
}

# Runs `lines` in another process of R that has this package.
in_process <- function(lines, wait = TRUE) {
  script <- tempfile(fileext = ".R")
  libraries <- sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = ""))
  writeLines(c(libraries, "library(stabilect)", lines), script)
  system2(file.path(R.home("bin"), "Rscript"), script, wait = wait, stdout = FALSE, stderr = FALSE)
}

# sbatch, squeue and scancel that run the jobs here.
local_slurm <- function(folder) {
  command <- function(name, lines) {
    writeLines(c("#!/bin/bash", lines), file.path(folder, name))
    Sys.chmod(file.path(folder, name), "755")
  }
  pids <- file.path(folder, "pids")
  command("sbatch", c(
    'script="${@: -1}"', 'log=$(sed -n "s/^#SBATCH --output=//p" "$script")',
    'bash "$script" > "$log" 2>&1 &', sprintf("echo $! >> %s", pids),
    'echo "Submitted batch job $!"'
  ))
  command("squeue", sprintf(
    "for pid in $(cat %s 2>/dev/null); do kill -0 $pid 2>/dev/null && echo $pid; done; exit 0",
    pids
  ))
  command("scancel", 'kill "$@"')
  pids
}

# A job that is killed in its first run, once; the runs are repeated by another job.
slurm_with_a_killed_job <- function() {
  folder <- tempfile()
  dir.create(folder)
  old <- setwd(folder)
  on.exit(setwd(old))
  pids <- local_slurm(folder)
  # Not taken back: future also asks squeue when it cleans up.
  Sys.setenv(
    PATH = paste(folder, Sys.getenv("PATH"), sep = ":"),
    R_LIBS = paste(.libPaths(), collapse = ":")
  )
  once <- file.path(folder, "killed")
  session <- Sys.getpid()
  correlate <- selector_custom(function(x, y) {
    # Only one process makes the folder.
    if (Sys.getpid() != session && dir.create(once, showWarnings = FALSE)) {
      tools::pskill(Sys.getpid(), 9)
    }
    abs(stats::cov(x, as.numeric(y)))[, 1]
  })
  run <- function() {
    select_ensemble(x, y, correlate, resample_bootstrap(12), n_features = 5, seed = 3)
  }
  there <- with_plan(run(), future.batchtools::batchtools_slurm,
    workers = 2, template = system.file("templates", "slurm.tmpl", package = "stabilect"),
    resources = list(ncpus = 1, memory = "1G", walltime = "00:10:00")
  )
  stopifnot(dir.exists(once), length(readLines(pids)) > 2L)
  here <- run()
  stopifnot(identical(there$ranking$table, here$ranking$table))
  stopifnot(identical(there$selection$score, here$selection$score))
}

# Another process is killed as soon as it has kept something.
checkpoint_of_a_killed_process <- function() {
  file <- tempfile(fileext = ".checkpoint")
  pid <- tempfile()
  call <- c(
    "slow <- selector_custom(function(x, y) {",
    "  Sys.sleep(0.05)",
    "  abs(stats::cov(x, as.numeric(y)))[, 1]",
    "})",
    "fit <- select_ensemble(",
    "  as.matrix(mcl_sll[, -1]), factor(mcl_sll$MCL), slow, resample_bootstrap(60),",
    sprintf("  n_features = 5, seed = 1, checkpoint = '%s'", file),
    ")"
  )
  in_process(c(sprintf("writeLines(as.character(Sys.getpid()), '%s')", pid), call), wait = FALSE)
  until <- Sys.time() + 120
  while (!file.exists(file) && Sys.time() < until) Sys.sleep(0.1)
  pid <- as.integer(readLines(pid))
  tools::pskill(pid, 9)
  # Until the system knows that it is dead.
  while (tools::pskill(pid, 0) && Sys.time() < until) Sys.sleep(0.1)
  where <- new.env()
  eval(parse(text = call), where)
  resumed <- where$fit
  unlink(file)
  eval(parse(text = call), where)
  stopifnot(identical(resumed$selection$score, where$fit$selection$score))
}

worker_calls <- list(
  new_call("future multisession", "future", "bits of one process", function() {
    run <- function() fealect(x, y, n_runs = 40, seed = 1)
    stopifnot(identical(with_plan(run(), "multisession", workers = 2), run()))
  }),
  new_call("future multicore", "future", "bits of one process", function() {
    run <- function() stability_selection(x, y, q = 5, n_pairs = 20, seed = 1)
    stopifnot(identical(with_plan(run(), "multicore", workers = 2), run()))
  }),
  new_call("SLURM by future.batchtools (a job killed)", c("future.batchtools", "batchtools"),
    "sbatch and squeue replaced by scripts: bits of one process", slurm_with_a_killed_job),
  new_call("merge of two processes", "stabilect", "bits of one call with all draws", function() {
    halves <- draw_resamples(resample_subsample(40, stratify = TRUE), y, seed = 1)
    files <- replicate(2, tempfile(fileext = ".rds"))
    data <- tempfile(fileext = ".rds")
    saveRDS(list(x = x, y = y, draws = list(halves[1:20], halves[21:40])), data)
    for (k in 1:2) {
      in_process(c(
        sprintf("d <- readRDS('%s')", data),
        sprintf("fit <- fealect(d$x, d$y, resampling = d$draws[[%d]], n_threads = %d)", k, k),
        sprintf("saveRDS(fit, '%s')", files[k])
      ))
    }
    merged <- merge_runs(readRDS(files[1]), readRDS(files[2]))
    stopifnot(identical(merged$table, fealect(x, y, resampling = halves)$table))
  }),
  new_call("kill -9 and checkpoint", "stabilect", "a repeated call has the bits of a fresh one",
    checkpoint_of_a_killed_process),
  new_call("saveRDS() and digest()", "digest", "two calls and a file have one digest", function() {
    run <- function() fealect(x, y, n_runs = 10, permute = 19, seed = 1)
    file <- tempfile()
    fit <- run()
    saveRDS(fit, file)
    stopifnot(length(unique(lapply(list(fit, run(), readRDS(file)), digest::digest))) == 1L)
  })
)
