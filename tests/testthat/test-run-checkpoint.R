checkpoint_data <- function() {
  list(x = as.matrix(mcl_sll[, 2:80]), y = mcl_sll$MCL)
}

test_that("a call with a checkpoint is the call without, and goes on from what is there", {
  d <- checkpoint_data()
  plain <- fealect(d$x, d$y, n_runs = 45, seed = 2)
  file <- withr::local_tempfile(fileext = ".ckp")
  expect_identical(fealect(d$x, d$y, n_runs = 45, seed = 2, checkpoint = file), plain)
  stored <- checkpoint_content(file)
  expect_identical(unlist(lapply(stored$parts, `[[`, "index")), 1:45)
  # Half of the chunks are gone, in the middle too; what is there is not run again.
  stored$parts <- stored$parts[c(1:3, 8:10)]
  stored$parts[[1]]$value$status[1] <- "no_signal"
  write_content(stored, file)
  resumed <- fealect(d$x, d$y, n_runs = 45, seed = 2, checkpoint = file)
  expect_identical(resumed$selection$status[1], "no signal")
  expect_identical(resumed$paths, plain$paths)
  expect_identical(sort(unlist(lapply(checkpoint_content(file)$parts, `[[`, "index"))), 1:45)
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
      d$x, d$y, list(selector_filter("t")), n_features = 3, n_repeats = 4, seed = 2,
      checkpoint = file
    )
  }
  for (verb in list(ensemble, evaluation)) {
    plain <- verb(NULL)
    file <- withr::local_tempfile(fileext = ".ckp")
    whole <- verb(file)
    stored <- checkpoint_content(file)
    stored$parts <- stored$parts[-2]
    write_content(stored, file)
    resumed <- verb(file)
    expect_identical(resumed$selection$score, plain$selection$score)
    expect_identical(resumed$table, plain$table)
    expect_identical(whole$table, plain$table)
  }
})

test_that("a file of something else is refused with the reason, and not touched", {
  d <- checkpoint_data()
  file <- withr::local_tempfile(fileext = ".ckp")
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

test_that("a killed process loses no finished chunk, and leaves no half a file", {
  skip_on_cran()
  skip_on_os("windows")
  file <- withr::local_tempfile(fileext = ".ckp")
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
  n_done <- length(unlist(lapply(checkpoint_content(file)$parts, `[[`, "index")))
  expect_gt(n_done, 0)
  expect_lt(n_done, 60)
  unlink(log)
  resumed <- fit(slow, file)
  expect_length(readLines(log), 60 - n_done)
  expect_identical(resumed$selection, fit(slow, NULL)$selection)
})

test_that("values are the same bits after they were bytes, and code has no bytes", {
  sparse <- Matrix::sparseMatrix(c(1, 3), c(2, 4), x = c(-1.5, NaN), dims = c(3, 4))
  values <- list(
    NULL, list(), list(NULL, a = list(b = 1)), TRUE, NA, 1:3, NA_integer_, -0, c(NaN, NA, Inf),
    c(a = "x", b = NA, c = "", d = "\u00e9"), character(), factor(c("u", "v", NA)),
    data.frame(n = 1:2, s = c("x", NA)), data.frame(n = 1:3)[2:3, , drop = FALSE],
    matrix(1:6, 2, dimnames = list(NULL, letters[1:3])), sparse,
    methods::as(sparse != 0, "nMatrix"), structure(list(x = 1), class = "anything")
  )
  for (value in values) {
    expect_identical(bytes_to_value(value_to_bytes(value)), value)
  }
  for (code in list(mean, quote(a + b), globalenv(), list(1, function(x) x), y ~ x)) {
    expect_error(value_to_bytes(code), class = "stabilect_error_checkpoint")
  }
})

test_that("no flipped bit and no missing end of a checkpoint is believed", {
  d <- checkpoint_data()
  file <- withr::local_tempfile()
  fit <- function() fealect(d$x, d$y, n_runs = 21, oob = FALSE, seed = 2, checkpoint = file)
  plain <- fit()
  bytes <- readBin(file, "raw", file.size(file))
  damaged <- function(other) {
    writeBin(other, file)
    expect_error(fit(), class = "stabilect_error_checkpoint")
    expect_identical(readBin(file, "raw", length(other)), other)
  }
  places <- withr::with_seed(1, sample(length(bytes), 60))
  for (k in places) damaged(replace(bytes, k, xor(bytes[k], as.raw(2^(k %% 8)))))
  for (size in c(1, 10, length(checkpoint_format) + 5, length(bytes) - 1)) {
    damaged(bytes[seq_len(size)])
  }
  writeBin(bytes, file)
  expect_identical(fit(), plain)
})

test_that("a checkpoint whose checksums are right, but whose parts are not, is refused", {
  d <- checkpoint_data()
  file <- withr::local_tempfile()
  fit <- function() fealect(d$x, d$y, n_runs = 21, oob = FALSE, seed = 2, checkpoint = file)
  plain <- fit()
  stored <- checkpoint_content(file)
  first <- stored$parts[[1]]
  wrong <- list(
    list(1, "a"), list(first$value), list(replace(first, "index", list(22L))),
    list(replace(first, "index", list(2:1))), list(replace(first, "index", list(c(1, NA)))),
    list(list(index = 1L)), list(replace(first, "value", list(NULL)))
  )
  for (parts in wrong) {
    write_content(list(header = stored$header, parts = parts), file)
    expect_error(fit(), "damaged", class = "stabilect_error_checkpoint")
  }
  for (header in list("a", list(), 1:5)) {
    write_content(list(header = header, parts = list()), file)
    expect_error(fit(), class = "stabilect_error_checkpoint")
  }
  # A chunk that is there twice counts once; a part of another checkpoint has another checksum.
  write_content(list(header = stored$header, parts = stored$parts[c(1, 1, 2)]), file)
  expect_identical(fit(), plain)
  other <- replace(stored$header, "seed", list(3L))
  writeBin(c(
    checkpoint_bytes(stored$header, list()), checkpoint_bytes(other, stored$parts, whole = FALSE)
  ), file)
  expect_error(fit(), "damaged", class = "stabilect_error_checkpoint")
})

test_that("damage is said only where a checksum shows it", {
  d <- checkpoint_data()
  file <- withr::local_tempfile()
  fit <- function(n_runs = 21) fealect(d$x, d$y, n_runs = n_runs, seed = 2, checkpoint = file)
  fit()
  refused <- function(code, why) expect_error(code, why, class = "stabilect_error_checkpoint")
  # Its parts are no runs of this call.
  refused(fit(n_runs = 5), "other resamples")
  bytes <- readBin(file, "raw", file.size(file))
  writeBin(c(charToRaw("stabilect checkpoint 2\n"), bytes[-(1:23)]), file)
  refused(fit(), "has the format of another version")
  stored <- list(header = list(version = "0.0.1"), parts = list())
  write_content(stored, file)
  refused(fit(), "another version of stabilect")
  # The checksum of what cannot be read as a value is right.
  code <- as.raw(1:9)
  writeBin(c(checkpoint_format, number_bytes(9), charToRaw(section_checksum(code, "")), code), file)
  refused(fit(), "could not be read: ")
})

test_that("a file with code in it is refused, and the code is not run", {
  d <- checkpoint_data()
  file <- withr::local_tempfile()
  seen <- withr::local_tempfile()
  # A promise at the top of a file of readRDS(), which R before 4.4 runs when it looks at the value.
  call <- serialize(bquote(file.create(.(seen))), NULL, version = 2L)
  promise <- as.raw(c(0, 0, 4, 5, 0, 0, 0, 0xfd, 0, 0, 0, 0xfc))
  writeBin(c(call[1:14], promise, call[-(1:14)]), file)
  expect_error(
    fealect(d$x, d$y, seed = 2, checkpoint = file), "not a checkpoint",
    class = "stabilect_error_checkpoint"
  )
  expect_false(file.exists(seen))
})

test_that("a checkpoint that cannot be written is refused before the first run", {
  skip_on_os("windows")
  d <- checkpoint_data()
  log <- withr::local_tempfile()
  slow <- selector_custom(function(x, y) {
    cat("run\n", file = log, append = TRUE)
    colMeans(x)
  })
  folder <- withr::local_tempdir()
  refused <- function(file, ...) {
    expect_error(
      select_ensemble(d$x, d$y, slow, resample_bootstrap(4), n_features = 2, checkpoint = file),
      class = "stabilect_error", ...
    )
    expect_false(file.exists(log))
  }
  refused(file.path(folder, strrep("a", 250)), "could not be written")
  file.symlink(file.path(folder, "gone"), file.path(folder, "link"))
  refused(file.path(folder, "link"), "link to a file that is gone")
  expect_identical(list.files(folder), "link")
  if (dir.exists("/proc/self")) refused("/proc/self/checkpoint", "could not be written")
})

test_that("a full disk leaves the checkpoint as it was, and nothing else", {
  skip_on_os("windows")
  skip_if_not(file.exists("/dev/full"))
  d <- checkpoint_data()
  folder <- withr::local_tempdir()
  file <- file.path(folder, "ck")
  fit <- function() fealect(d$x, d$y, n_runs = 21, oob = FALSE, seed = 2, checkpoint = file)
  plain <- fit()
  stored <- checkpoint_content(file)
  stored$parts <- stored$parts[1:3]
  write_content(stored, file)
  bytes <- readBin(file, "raw", file.size(file))
  # What is written goes to a device that is always full.
  file.symlink("/dev/full", paste0(file, this_process(), Sys.getpid(), ".part"))
  expect_error(fit(), "could not be written", class = "stabilect_error_checkpoint")
  expect_identical(list.files(folder), "ck")
  expect_identical(readBin(file, "raw", file.size(file)), bytes)
  expect_identical(fit(), plain)
})

test_that("what a killed process left is removed, what a living one writes is not", {
  skip_on_os("windows")
  d <- checkpoint_data()
  folder <- withr::local_tempdir()
  file <- file.path(folder, "ck")
  # No process has the highest number that R takes.
  names <- paste0("ck", this_process(), c("999999999", Sys.getpid(), "x"), ".part")
  file.create(file.path(folder, names))
  remove_left_over(file)
  expect_setequal(list.files(folder), names[-1])
})

test_that("two processes do not work on one checkpoint, and a dead one does not block", {
  skip_on_os("windows")
  d <- checkpoint_data()
  folder <- withr::local_tempdir()
  file <- file.path(folder, "ck")
  fit <- function() fealect(d$x, d$y, n_runs = 21, oob = FALSE, seed = 2, checkpoint = file)
  mark_of <- function(process) paste0(file, this_process(), process, ".work")
  other <- as.integer(system("sleep 600 > /dev/null 2>&1 & echo $!", intern = TRUE))
  withr::defer(tools::pskill(other, 9))
  file.create(mark_of(other))
  error <- expect_error(fit(), class = "stabilect_error_checkpoint")
  expect_match(conditionMessage(error), paste("Process", other, "has been working on"))
  expect_match(conditionMessage(error), format(file.mtime(mark_of(other)), "%Y-%m-%d %H:%M"))
  expect_identical(list.files(folder), basename(mark_of(other)))
  # Its number is that of a process which began later than the mark was made.
  Sys.setFileTime(mark_of(other), Sys.time() - 3600)
  plain <- fit()
  expect_identical(list.files(folder), "ck")
  file.create(mark_of("999999999"))
  expect_identical(fit(), plain)
  # The mark goes with a call that fails, too.
  expect_error(fealect(d$x, d$y, n_runs = 21, seed = 3, checkpoint = file), "another seed")
  expect_identical(list.files(folder), "ck")
})

test_that("a checkpoint holds the runs, which no number of permutations changes", {
  d <- checkpoint_data()
  verbs <- list(
    function(...) fealect(d$x, d$y, n_runs = 12, seed = 2, ...),
    function(...) stability_selection(d$x, d$y, q = 2, cutoff = 0.9, n_pairs = 6, seed = 2, ...),
    function(...) {
      select_ensemble(
        d$x, d$y, selector_lasso_path(), resample_subsample(8), n_features = 3, seed = 2, ...
      )
    }
  )
  for (verb in verbs) {
    file <- withr::local_tempfile()
    verb(checkpoint = file, permute = 0)
    kept <- checkpoint_content(file)
    expect_identical(verb(checkpoint = file, permute = 19)$null, verb(permute = 19)$null)
    expect_identical(checkpoint_content(file), kept)
  }
})
