quick_data <- function() {
  x <- as.matrix(mcl_sll[, -1])
  list(x = x + withr::with_seed(1, 0.01 * stats::rnorm(length(x))), y = mcl_sll$MCL)
}

# Everything that a user may run on workers, small.
all_verbs <- function(d, n_threads = 1) {
  x <- d$x[, 1:60]
  list(
    fealect = fealect(x, d$y, n_runs = 23, seed = 3, n_threads = n_threads)$paths,
    weak = stability_selection(
      x, d$y, q = 5, cutoff = 0.7, n_pairs = 9, weakness = 0.5, seed = 3, n_threads = n_threads
    )$selection,
    ensemble = select_ensemble(
      x, d$y, list(selector_filter("t"), selector_learner(learner_svm())), resample_bootstrap(11),
      n_features = 8,
      seed = 3, n_threads = n_threads
    )$selection,
    subspace = select_ensemble(
      x, d$y, selector_filter("t"), resample_bootstrap(7), n_features = 4, subspace = 0.5, seed = 3
    )$selection,
    evaluation = evaluate_selectors(
      x, d$y, list(selector_filter("t")), n_features = 3, n_repeats = 3, seed = 3
    )$table
  )
}

test_that("chunks of runs are those of all runs at once", {
  parts <- run_chunks(10, function(index, report) index, "x")
  expect_identical(parts, list(list(index = 1:10, value = 1:10)))
  split <- split_runs(c(1:7, 12:20), 1, TRUE)
  expect_identical(unlist(split), c(1:7, 12:20))
  expect_true(all(vapply(split, function(one) all(diff(one) == 1L), NA)))
  expect_length(split_runs(1:100, 1, TRUE), 20L)
  expect_identical(split_runs(integer(), 3, TRUE), list())
  expect_identical(describe_runs(c(1:3, 7L, 9:10)), "1-3, 7, 9-10")
})

test_that("results are the same bits on 1, 2 and 3 processes, and the plan is left alone", {
  skip_on_cran()
  skip_if_not_installed("future")
  d <- quick_data()
  here <- all_verbs(d)
  before <- future::plan()
  withr::defer(future::plan(before))
  for (n in 2:3) {
    future::plan("multisession", workers = n)
    set <- future::plan()
    withr::with_seed(4, {
      seed <- .Random.seed
      expect_identical(all_verbs(d), here)
      expect_identical(.Random.seed, seed)
    })
    expect_identical(future::plan(), set)
  }
})

test_that("a forked process has one thread and the same bits", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("future")
  d <- quick_data()
  here <- fealect(d$x, d$y, n_runs = 12, seed = 3, n_threads = 2)$paths
  before <- future::plan()
  withr::defer(future::plan(before))
  future::plan("multicore", workers = 2)
  skip_if(inherits(future::plan("next"), "sequential"), "forks are not supported here")
  expect_true(plan_is_lasting())
  expect_identical(fealect(d$x, d$y, n_runs = 12, seed = 3, n_threads = 2)$paths, here)
})

test_that("a worker that dies has its runs done again; runs that kill every worker are named", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("future")
  before <- future::plan()
  withr::defer(future::plan(before))
  future::plan("multisession", workers = 2)
  main <- Sys.getpid()
  once <- withr::local_tempfile()
  dies_once <- function(index, report) {
    if (3L %in% index && !file.exists(once)) {
      file.create(once)
      tools::pskill(Sys.getpid(), 9)
    }
    index * 10
  }
  parts <- run_chunks(8, dies_once, "x")
  expect_identical(unlist(lapply(parts, `[[`, "value")), (1:8) * 10)
  expect_true(file.exists(once))

  future::plan("multisession", workers = 2)
  dies <- function(index, report) {
    if (3L %in% index) tools::pskill(Sys.getpid(), 9)
    index
  }
  lost <- tryCatch(
    run_chunks(8, dies, "Splits"),
    stabilect_error_workers = function(e) e
  )
  expect_s3_class(lost, "stabilect_error_workers")
  expect_match(cli::ansi_strip(conditionMessage(lost)), "^Splits: [0-9]+ (was|were) lost")
  expect_true(3L %in% lost$runs)
  kept <- unlist(lapply(lost$parts, `[[`, "index"))
  expect_setequal(c(kept, lost$runs), 1:8)
  expect_identical(Sys.getpid(), main)
})

test_that("an error of the work is that of the call", {
  skip_on_cran()
  skip_if_not_installed("future")
  before <- future::plan()
  withr::defer(future::plan(before))
  future::plan("multisession", workers = 2)
  expect_error(
    run_chunks(4, function(index, report) stop("no good"), "x"),
    "no good"
  )
})

test_that("progressr is told of every run", {
  skip_on_cran()
  skip_if_not_installed("progressr")
  skip_if_not_installed("future")
  before <- future::plan()
  withr::defer(future::plan(before))
  withr::local_options(progressr.enable = TRUE)
  d <- quick_data()
  for (workers in 1:2) {
    if (workers == 2L) future::plan("multisession", workers = 2)
    amount <- 0
    withCallingHandlers(
      fealect(d$x, d$y, n_runs = 40, seed = 1, progress = TRUE),
      progression = function(p) if (p$type == "update") amount <<- amount + p$amount
    )
    expect_equal(amount, 40)
  }
})

test_that("long work on one thread reports several times a second", {
  skip_on_cran()
  skip_if_not_installed("progressr")
  withr::local_options(progressr.enable = TRUE)
  d <- quick_data()
  n_reports <- 0
  began <- proc.time()[["elapsed"]]
  withCallingHandlers(
    fealect(d$x, d$y, n_runs = 10000, oob = FALSE, n_boot = 0, seed = 1, progress = TRUE),
    progression = function(p) if (p$type == "update") n_reports <<- n_reports + 1
  )
  expect_gt(n_reports, 2 * (proc.time()[["elapsed"]] - began))
})

# sbatch, squeue and scancel that run the jobs here, so that the template is tested without SLURM.
local_slurm <- function(env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
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
    "for pid in $(cat %s 2>/dev/null); do kill -0 $pid 2>/dev/null && echo $pid; done; exit 0", pids
  ))
  command("scancel", 'kill "$@"')
  withr::local_path(folder, .local_envir = env)
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = ":"), .local_envir = env)
  withr::local_dir(folder, .local_envir = env)
  pids
}

test_that("jobs of SLURM give the same bits (its commands replaced by ones that run here)", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("future.batchtools")
  d <- quick_data()
  here <- fealect(d$x, d$y, n_runs = 10, seed = 3)
  pids <- local_slurm()
  before <- future::plan()
  withr::defer(future::plan(before))
  future::plan(
    future.batchtools::batchtools_slurm, workers = 2,
    template = system.file("templates", "slurm.tmpl", package = "stabilect"),
    resources = list(ncpus = 1, memory = "1G", walltime = "00:10:00")
  )
  expect_identical(fealect(d$x, d$y, n_runs = 10, seed = 3), here)
  expect_length(readLines(pids), 2L)
})

test_that("processes of mirai give the same bits, and get the data once", {
  skip_on_cran()
  skip_if_not_installed("future")
  skip_if_not_installed("future.mirai")
  d <- quick_data()
  before <- future::plan()
  withr::defer(future::plan(before))
  future::plan(future.mirai::mirai_multisession, workers = 2)
  there <- fealect(d$x, d$y, n_runs = 24, seed = 1)
  informed <- new.env()
  informed$n <- 0L
  namespace <- asNamespace("stabilect")
  count <- bquote({
    e <- .(informed)
    e$n <- e$n + !is.null(fn)
  })
  suppressMessages(trace("start_chunk", count, print = FALSE, where = namespace))
  withr::defer(suppressMessages(untrace("start_chunk", where = namespace)))
  again <- fealect(d$x, d$y, n_runs = 24, seed = 1)
  future::plan("sequential")
  expect_identical(there, fealect(d$x, d$y, n_runs = 24, seed = 1))
  expect_identical(again, there)
  # One chunk per worker brings the data, or a few more when one worker takes both.
  expect_gte(informed$n, 2L)
  expect_lt(informed$n, 8L)

  # Every process dies of run 3; without new ones the call would wait for ever.
  future::plan(future.mirai::mirai_multisession, workers = 2)
  dies <- function(index, report) {
    if (3L %in% index) tools::pskill(Sys.getpid(), 9)
    index
  }
  lost <- tryCatch(
    run_chunks(8, dies, "Splits"),
    stabilect_error_workers = function(e) e
  )
  expect_true(3L %in% lost$runs)
  kept <- unlist(lapply(lost$parts, `[[`, "index"))
  expect_setequal(c(kept, lost$runs), 1:8)
})
