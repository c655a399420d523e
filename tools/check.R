# Everything that must hold, stage by stage; a stage that fails does not keep the later ones from
# running unless they need it. Tests of the core and lint run beside R CMD check, which uses one
# processor until it comes to the tests. Ends with `N passed, N failed`: tests of the R side, tests
# of the core and the stages. Nothing is asked of the network once the dependencies are there.
#
#   Rscript tools/check.R         what continuous integration runs
#   Rscript tools/check.R alone   R CMD check as on a machine without a single suggested package

alone <- identical(commandArgs(TRUE), "alone")
root <- getwd()
out <- file.path(root, ".build", "check")
unlink(out, recursive = TRUE)
dir.create(out, recursive = TRUE)
results_file <- file.path(out, "testthat.csv")
r_program <- file.path(R.home("bin"), "R")
# Asked when it is needed: the first stage may install it.
has_pandoc <- function() nzchar(Sys.which("pandoc"))

# `--as-cran` asks the repository for cyclic dependencies and orphaned packages, and breaks off
# where there is no network: it is given an empty repository on disk instead.
make_repository <- function(dir) {
  dir.create(file.path(dir, "src", "contrib"), recursive = TRUE)
  dir.create(file.path(dir, "web", "packages"), recursive = TRUE)
  file.create(file.path(dir, "src", "contrib", "PACKAGES"))
  nothing <- data.frame(Package = character(), Maintainer = character())
  saveRDS(nothing, file.path(dir, "web", "packages", "packages.rds"))
  paste0("file://", normalizePath(dir))
}

repository <- make_repository(file.path(out, "repository"))
Sys.setenv(
  R_CRAN_WEB = repository,
  `_R_CHECK_XREFS_REPOSITORIES_` = repository,
  MAKEFLAGS = paste0("-j", Sys.getenv("JOBS", "2")),
  NOT_CRAN = "true",
  STABILECT_TEST_RESULTS = results_file,
  # Tests of pages and of experiments, neither of which is installed.
  STABILECT_SOURCES = root,
  `_R_CHECK_CRAN_INCOMING_` = "FALSE",
  `_R_CHECK_CRAN_INCOMING_REMOTE_` = "FALSE",
  `_R_CHECK_DEPENDS_ONLY_` = if (alone) "TRUE" else "FALSE",
  `_R_CHECK_FORCE_SUGGESTS_` = "FALSE",
  `_R_CHECK_SYSTEM_CLOCK_` = "FALSE",
  # Examples are timed below, in seconds of the processor: those that pass say what runs beside.
  `_R_CHECK_EXAMPLE_TIMING_THRESHOLD_` = "600",
  `_R_CHECK_EXAMPLE_TIMING_CPU_TO_ELAPSED_THRESHOLD_` = "600",
  # Tests run on two processes, of which each may use two threads.
  `_R_CHECK_TEST_TIMING_CPU_TO_ELAPSED_THRESHOLD_` = "600",
  `_R_CHECK_XREFS_USE_ALIASES_FROM_CRAN_` = "FALSE"
)

# Packages that ask for the time zone make R call timedatectl, whose complaints on machines without
# systemd would count as notes.
if (!nzchar(Sys.getenv("TZ"))) Sys.setenv(TZ = "UTC")

# Notes that say something about the machine or about a decision, not about a fault: the check they
# come from, and what every paragraph of the note must match.
allowed_notes <- c(
  "for GNU extensions in Makefiles" = "GNU make",
  "installed package size" = "installed size|sub-directories|^ *[a-z]+ +[0-9.]+Mb",
  "for future file timestamps" = "unable to verify current time",
  "package dependencies" = "suggested but not available",
  "top-level files" = "cannot be checked without .pandoc.",
  "HTML version of manual" = "Skipping checking"
)

# Seconds of the processor that one example may take on a slow machine.
most_example_seconds <- 5

# What CRAN takes, in bytes: of the tarball, and of documentation (pages and help) and data as they
# are installed. Of code it says nothing.
most_bytes <- c("the tarball" = 5e6, documentation = 5e6, data = 5e6)

# Why stages failed. Said where it is found, and again at the end: often no more than that is kept.
reasons <- character()
fail_because <- function(...) {
  reason <- paste0(...)
  cat(reason, "\n", sep = "")
  reasons <<- c(reasons, reason)
  FALSE
}

# The file that takes the output of what runs beside the rest, so that the two do not mix.
log_file <- NULL
stages <- logical()
stage <- function(name, run) {
  say("\n== ", name, "\n")
  started <- Sys.time()
  ok <- tryCatch(isTRUE(run()), error = function(e) {
    say(conditionMessage(e), "\n")
    FALSE
  })
  seconds <- round(as.numeric(difftime(Sys.time(), started, units = "secs")))
  say("-- ", name, ": ", if (ok) "passed" else "FAILED", " (", seconds, " s)\n")
  stages[[name]] <<- ok
  invisible(ok)
}

say <- function(...) {
  cat(..., sep = "", file = if (is.null(log_file)) "" else log_file, append = TRUE)
}

run_program <- function(program, ..., dir = root) {
  old <- setwd(dir)
  on.exit(setwd(old))
  into <- if (!is.null(log_file)) paste(">>", shQuote(log_file), "2>&1")
  system2(program, c(shQuote(c(...)), into)) == 0L
}

build_tarball <- function() {
  no_vignettes <- if (alone || !has_pandoc()) "--no-build-vignettes"
  run_program(r_program, "CMD", "build", no_vignettes, root, dir = out)
}

# R CMD build has just run the vignettes.
check_tarball <- function() {
  options <- c(
    "--as-cran",
    if (!nzchar(Sys.which("pdflatex"))) "--no-manual",
    if (alone || !has_pandoc()) "--ignore-vignettes" else "--no-vignettes",
    if (!alone && has_pandoc()) "--no-build-vignettes"
  )
  tarball <- list.files(out, "^stabilect_.*[.]tar[.]gz$")
  run_program(r_program, "CMD", "check", options, tarball, dir = out)
  check_dir <- file.path(out, "stabilect.Rcheck")
  all(
    judge_check(check_dir), has_found_sources(check_dir), has_quick_examples(check_dir),
    is_small(file.path(out, tarball), file.path(check_dir, "stabilect"))
  )
}

# Tests that read the sources have not been skipped, as they are in a check from elsewhere.
has_found_sources <- function(check_dir) {
  said <- unlist(lapply(Sys.glob(file.path(check_dir, "tests", "testthat.Rout*")), readLines))
  skipped <- grepl("the sources are not there", said, fixed = TRUE)
  !any(skipped) || fail_because("Tests were skipped: ", toString(said[skipped]))
}

has_quick_examples <- function(check_dir) {
  file <- file.path(check_dir, "stabilect-Ex.timings")
  if (!file.exists(file)) {
    return(fail_because("The examples were not run"))
  }
  times <- utils::read.delim(file)
  slow <- times$user + times$system > most_example_seconds
  !any(slow) || fail_because(
    "Examples that take more than ", most_example_seconds, " s: ", toString(times$name[slow])
  )
}

# Without pngquant the pictures of the pages are larger than those of a release.
is_small <- function(tarball, installed) {
  size_of <- function(folders) {
    files <- list.files(file.path(installed, folders), recursive = TRUE, full.names = TRUE)
    sum(file.size(files))
  }
  bytes <- c(file.size(tarball), size_of(c("doc", "help", "html")), size_of(c("data", "extdata")))
  cat(sprintf("Size of %s: %.1f MB\n", names(most_bytes), bytes / 1e6), sep = "")
  too_large <- bytes > most_bytes & nzchar(Sys.which("pngquant"))
  !any(too_large) || fail_because("Too large: ", toString(names(most_bytes)[too_large]))
}

judge_check <- function(check_dir) {
  log <- file.path(check_dir, "00check.log")
  if (!any(grepl("^Status: ", readLines(log, warn = FALSE)))) {
    return(fail_because("R CMD check did not come to its end"))
  }
  details <- tools::check_packages_in_dir_details(logs = log)
  details <- details[details$Status %in% c("NOTE", "WARNING", "ERROR", "FAILURE"), ]
  allowed <- details$Status == "NOTE" & mapply(note_is_allowed, details$Check, details$Output)
  for (i in which(!allowed)) {
    fail_because(
      "Not allowed: ", details$Status[i], " in ", details$Check[i], "\n", details$Output[i]
    )
  }
  all(allowed)
}

note_is_allowed <- function(check, output) {
  pattern <- allowed_notes[names(allowed_notes) == check]
  length(pattern) == 1L && grepl(pattern, output)
}

test_core <- function() {
  program <- file.path(out, "..", "cpp", "core-tests")
  if (!run_program("make", "--no-print-directory", "-C", "tests/cpp", "build")) {
    return(FALSE)
  }
  if (run_program(program, "-r", "xml", "-o", file.path(out, "core.xml"))) {
    return(TRUE)
  }
  run_program(program)
  FALSE
}

# The program that uses the core without R. CMake is not needed: the flags are the same.
build_example <- function() {
  program <- file.path(out, "select-features")
  table <- file.path(out, "table.csv")
  source <- file.path("examples", "core", "select_features.cpp")
  compiler <- strsplit(system2(r_program, c("CMD", "config", "CXX"), stdout = TRUE), " ")[[1]]
  eigen <- system.file("include", package = "RcppEigen")
  sitmo <- system.file("include", package = "sitmo")
  built <- run_program(
    compiler[1], compiler[-1], "-std=c++14", "-O2", "-Wall", "-Wextra", "-Werror",
    "-Iinst/include", "-isystem", eigen, "-isystem", sitmo, source, "-o", program, "-pthread"
  )
  built && run_program(
    file.path(R.home("bin"), "Rscript"), file.path("examples", "core", "compare.R"), program, table
  )
}

count_core <- function() {
  file <- file.path(out, "core.xml")
  lines <- if (file.exists(file)) readLines(file) else character()
  # One such element closes each test case; those of assertions and sections have other names.
  c(
    passed = sum(grepl("<OverallResult success=\"true\"", lines, fixed = TRUE)),
    failed = sum(grepl("<OverallResult success=\"false\"", lines, fixed = TRUE))
  )
}

count_testthat <- function() {
  if (!file.exists(results_file)) {
    return(c(passed = 0L, failed = 0L))
  }
  results <- utils::read.csv(results_file)
  failed <- results$failed > 0 | results$error
  skipped <- !failed & results$skipped
  cat("Tests of the R side: ", nrow(results), ", of them skipped: ", sum(skipped), "\n", sep = "")
  c(passed = sum(!failed & !skipped), failed = sum(failed))
}

# The use of names is read off the package that the check installs.
lint <- function() {
  log <- file.path(out, "stabilect.Rcheck", "00install.out")
  is_installed <- function() {
    file.exists(log) && any(grepl("^[*] DONE", readLines(log, warn = FALSE)))
  }
  while (!is_installed() && !file.exists(check_ended)) Sys.sleep(1)
  Sys.setenv(R_LIBS = paste(
    c(file.path(out, "stabilect.Rcheck"), Sys.getenv("R_LIBS")), collapse = .Platform$path.sep
  ))
  run_program(file.path(R.home("bin"), "Rscript"), "tools/lint.R")
}

# Words that neither the dictionary nor inst/WORDLIST knows.
check_spelling <- function() {
  found <- spelling::spell_check_package(root)
  if (nrow(found) > 0L) print(found)
  nrow(found) == 0L
}

has_dictionary <- function() {
  requireNamespace("spelling", quietly = TRUE) &&
    requireNamespace("hunspell", quietly = TRUE) && "en_GB" %in% hunspell::list_dictionaries()
}

install_missing <- function() {
  run_program(file.path(R.home("bin"), "Rscript"), "tools/install-deps.R", "check")
}

package_stages <- function() {
  on.exit(file.create(check_ended))
  if (stage("R CMD build", build_tarball)) {
    stage("R CMD check", check_tarball)
  }
}

other_stages <- function() {
  log_file <<- file.path(out, "other-stages.log")
  # R CMD check takes longer, and goes first.
  tools::psnice(value = 10L)
  stages <<- logical()
  stage("core tests", test_core)
  if (has_dictionary()) stage("spelling", check_spelling)
  stage("lint", lint)
  # It compares with the package that the check has installed, for which lint waits.
  stage("core without R", build_example)
  stages
}

if (stage("dependencies", install_missing)) {
  check_ended <- file.path(out, "check-ended")
  if (alone) {
    package_stages()
  } else if (.Platform$OS.type == "windows") {
    package_stages()
    stages <- c(stages, other_stages())
  } else {
    job <- parallel::mcparallel(other_stages())
    package_stages()
    others <- parallel::mccollect(job)[[1]]
    writeLines(readLines(file.path(out, "other-stages.log")))
    stages <- c(stages, if (is.logical(others)) others else c(`core tests and lint` = FALSE))
  }
}

counts <- count_testthat() + count_core() + c(sum(stages), sum(!stages))
if (!alone && !has_pandoc()) {
  cat("Skipped: vignettes are neither built nor checked, which needs pandoc\n")
}
if (any(!stages)) {
  cat("Failed stages:", toString(names(stages)[!stages]), "\n")
  writeLines(reasons)
}
line <- sprintf("%d passed, %d failed", counts[["passed"]], counts[["failed"]])
writeLines(line, file.path(out, "summary.txt"))
cat(line, "\n", sep = "")
quit(status = as.integer(counts[["failed"]] > 0L))
