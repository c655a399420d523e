checkpoint_data <- function() {
  list(x = as.matrix(mcl_sll[, 2:80]), y = mcl_sll$MCL)
}

test_that("a call with a checkpoint is the call without, and goes on from what is there", {
  d <- checkpoint_data()
  plain <- fealect(d$x, d$y, n_runs = 45, seed = 2)
  file <- withr::local_tempfile(fileext = ".rds")
  expect_identical(fealect(d$x, d$y, n_runs = 45, seed = 2, checkpoint = file), plain)
  stored <- readRDS(file)
  expect_identical(unlist(lapply(stored$parts, `[[`, "index")), 1:45)
  # Half of the blocks are gone, in the middle too; what is there is not run again.
  stored$parts <- stored$parts[c(1:3, 8:10)]
  stored$parts[[1]]$value$status[1] <- "no_signal"
  saveRDS(stored, file)
  resumed <- fealect(d$x, d$y, n_runs = 45, seed = 2, checkpoint = file)
  expect_identical(resumed$selection$status[1], "no signal")
  expect_identical(resumed$paths, plain$paths)
  expect_identical(sort(unlist(lapply(readRDS(file)$parts, `[[`, "index"))), 1:45)
  expect_identical(list.files(dirname(file), basename(file)), basename(file))
})

test_that("other verbs resume, too", {
  d <- checkpoint_data()
  ensemble <- function(file) {
    selectors <- list(selector_filter("t"), selector_custom(function(x, y) colMeans(x)))
    select_ensemble(d$x, d$y, selectors,
      resample_bootstrap(25),
      n_features = 5, seed = 2, checkpoint = file
    )
  }
  evaluation <- function(file) {
    evaluate_selectors(
      d$x, d$y, list(selector_filter("t")), n_features = 3, n_splits = 4, seed = 2,
      checkpoint = file
    )
  }
  for (verb in list(ensemble, evaluation)) {
    plain <- verb(NULL)
    file <- withr::local_tempfile(fileext = ".rds")
    whole <- verb(file)
    stored <- readRDS(file)
    stored$parts <- stored$parts[-2]
    saveRDS(stored, file)
    resumed <- verb(file)
    expect_identical(resumed$selection$score, plain$selection$score)
    expect_identical(resumed$table, plain$table)
    expect_identical(whole$table, plain$table)
  }
})

test_that("a file of something else is refused with the reason, and not touched", {
  d <- checkpoint_data()
  file <- withr::local_tempfile(fileext = ".rds")
  fit <- function(x = d$x, y = d$y, n_runs = 21, seed = 2, ...) {
    fealect(x, y, n_runs = n_runs, seed = seed, checkpoint = file, ...)
  }
  fit()
  sum <- tools::md5sum(file)
  refused <- function(code, why, ...) {
    expect_error(code, why, class = "stabilect_error_checkpoint", ...)
    expect_identical(tools::md5sum(file), sum)
  }
  refused(fit(x = d$x[, -1]), "other data")
  refused(fit(y = 1 - d$y), "other data")
  refused(fit(seed = 3), "another seed (2, not 3)", fixed = TRUE)
  refused(fit(fraction = 0.5), "other resamples")
  refused(fit(max_features = 3), "other settings")
  refused(stability_selection(
    d$x, d$y, q = 5, cutoff = 0.7, seed = 2, checkpoint = file
  ), "other")
  saveRDS(1, file)
  sum <- tools::md5sum(file)
  refused(fit(), "is not a checkpoint")
  writeLines("text", file)
  sum <- tools::md5sum(file)
  refused(fit(), "is not a checkpoint")
  expect_error(fealect(d$x, d$y, checkpoint = 1), "`checkpoint` must be the name of a file")
  expect_error(
    fealect(d$x, d$y, checkpoint = file.path(file, "no", "such")), "a folder that exists"
  )
})

test_that("a killed process loses no finished block, and leaves no half a file", {
  skip_on_cran()
  skip_on_os("windows")
  file <- withr::local_tempfile(fileext = ".rds")
  log <- withr::local_tempfile()
  slow <- function(x, y) {
    cat("run\n", file = Sys.getenv("STABILECT_TEST_LOG"), append = TRUE)
    Sys.sleep(0.05)
    abs(colMeans(x[y == y[1], ]))
  }
  fit <- function(slow, file) {
    select_ensemble(as.matrix(mcl_sll[, 2:80]), mcl_sll$MCL, selector_custom(slow),
      resample_bootstrap(60),
      n_features = 5, seed = 2, checkpoint = file, progress = FALSE
    )
  }
  script <- withr::local_tempfile(fileext = ".R", lines = c(
    sprintf(".libPaths(%s); library(stabilect)", deparse1(.libPaths())),
    "slow <-", deparse(slow), "fit <-", deparse(fit), sprintf("fit(slow, %s)", deparse1(file))
  ))
  pid_file <- withr::local_tempfile()
  r <- file.path(R.home("bin"), "Rscript")
  withr::local_envvar(STABILECT_TEST_LOG = log)
  system(sprintf("%s %s > /dev/null 2>&1 & echo $! > %s", r, script, pid_file))
  deadline <- Sys.time() + 60
  while (!file.exists(file) && Sys.time() < deadline) Sys.sleep(0.05)
  tools::pskill(as.integer(readLines(pid_file)), 9)
  Sys.sleep(0.2)
  n_done <- length(unlist(lapply(readRDS(file)$parts, `[[`, "index")))
  expect_gt(n_done, 0)
  expect_lt(n_done, 60)
  unlink(log)
  resumed <- fit(slow, file)
  expect_length(readLines(log), 60 - n_done)
  expect_identical(resumed$selection, fit(slow, NULL)$selection)
})
