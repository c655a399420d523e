# Which tests reach which functions of the package, and how long each takes: recorded once, so that
# a mutant is tried by tests that can notice it. Sourced by tools/mutate.R.

# The expressions of a test file, and which of them are tests. NA: no test, runs before every one.
read_tests <- function(file) {
  expressions <- as.list(parse(file.path("tests/testthat", file), keep.source = FALSE))
  is_test <- vapply(expressions, function(e) {
    is.call(e) && identical(e[[1]], quote(test_that)) && is.character(e[[2]])
  }, NA)
  names <- vapply(seq_along(expressions), function(k) {
    if (is_test[k]) expressions[[k]][[2]] else NA_character_
  }, "")
  list(expressions = expressions, names = names)
}

# What stands between tests and can wait until a test asks for it: definitions, unless a name is
# defined twice in the file. A name that is made of itself is not put off.
can_wait <- function(expressions) {
  defines <- vapply(expressions, function(e) {
    is.call(e) && identical(e[[1]], quote(`<-`)) && is.symbol(e[[2]])
  }, NA)
  defines[defines] <- vapply(expressions[defines], function(e) {
    !as.character(e[[2]]) %in% all.names(e[[3]])
  }, NA)
  names <- vapply(expressions[defines], function(e) as.character(e[[2]]), "")
  defines & !anyDuplicated(names)
}

# The tests of a file with these names, one after the other, and what stands between tests.
# @param at_test function(name, code), called around each of them.
run_tests_of <- function(file, wanted, reporter, at_test = function(name, code) force(code)) {
  tests <- read_tests(file)
  waits <- can_wait(tests$expressions)
  space <- new.env(parent = helpers)
  old <- setwd("tests/testthat")
  on.exit(setwd(old))
  testthat::with_reporter(reporter, {
    reporter$start_file(file)
    testthat::local_test_context()
    testthat::local_edition(3)
    for (k in seq_along(tests$expressions)) {
      name <- tests$names[k]
      e <- tests$expressions[[k]]
      if (!is.null(wanted) && waits[k]) {
        eval(call("delayedAssign", as.character(e[[2]]), e[[3]], space, space))
      } else if (is.na(name) || is.null(wanted) || name %in% wanted) {
        at_test(name, eval(e, space))
      }
    }
    reporter$end_file()
  })
}

# The helpers of the tests, read once by the process that forks.
helpers <- NULL
read_helpers <- function() {
  helpers <<- new.env(parent = asNamespace("stabilect"))
  testthat::local_edition(3)
  files <- list.files("tests/testthat", "^helper.*[.]R$", full.names = TRUE)
  old <- setwd("tests/testthat")
  on.exit(setwd(old))
  for (file in basename(files)) sys.source(file, helpers)
}

# Every function of the package notes its name in `hits` when it is called.
note_calls <- function(hits) {
  ns <- asNamespace("stabilect")
  names <- Filter(function(name) is.function(get(name, ns)), ls(ns, all.names = TRUE))
  names <- names[!grepl("^[.]__|^cpp_", names)]
  for (name in names) {
    fun <- get(name, ns)
    if (is.primitive(fun) || !identical(environment(fun), ns)) next
    note <- local({
      of <- name
      function() assign(of, TRUE, hits)
    })
    body(fun) <- call("{", as.call(list(note)), body(fun))
    redefine(name, fun)
  }
  register_again(names)
}

# @return (data frame) file, test, seconds, ok, and the list column `reached` of functions; one row
#   a test. What runs between tests counts for the file's next test.
reach_of_file <- function(file) {
  hits <- new.env()
  note_calls(hits)
  rows <- list()
  reporter <- testthat::ListReporter$new()
  run_tests_of(file, NULL, reporter, function(name, code) {
    # Of the processor: other work on the machine must not choose the tests.
    start <- sum(proc.time()[1:2])
    force(code)
    rows[[length(rows) + 1L]] <<- list(
      name = name, seconds = sum(proc.time()[1:2]) - start, reached = ls(hits, all.names = TRUE)
    )
    rm(list = ls(hits, all.names = TRUE), envir = hits)
  })
  found <- as.data.frame(reporter$get_results())
  bad <- found$test[found$failed > 0L | found$error | found$skipped]
  between <- vapply(rows, function(row) is.na(row$name), NA)
  setup <- unlist(lapply(rows[between], `[[`, "reached"))
  rows <- rows[!between]
  data.frame(
    file = file, test = vapply(rows, `[[`, "", "name"),
    seconds = vapply(rows, `[[`, 1, "seconds"),
    ok = !vapply(rows, `[[`, "", "name") %in% bad,
    reached = I(lapply(rows, function(row) union(row$reached, setup)))
  )
}

# Read from the place of the last time unless tests, package or R changed since.
read_reach <- function(place = ".build/mutation-reach.rds") {
  files <- c(list.files("R", full.names = TRUE), list.files("tests/testthat", full.names = TRUE))
  digest <- tools::md5sum(files[!dir.exists(files)])
  stored <- if (file.exists(place)) readRDS(place)
  test_files <- grep(spared_tests, list.files("tests/testthat", "^test-.*[.]R$"),
    invert = TRUE, value = TRUE
  )
  common <- digest[!grepl("/test-", names(digest))]
  if (!identical(stored$common, common)) stored <- NULL
  known <- stored$tests
  fresh <- names(digest)[digest == stored$digest[names(digest)]]
  known <- known[file.path("tests/testthat", known$file) %in% fresh, ]
  todo <- setdiff(test_files, known$file)
  rows <- lapply(todo, function(file) {
    end <- run_child(function() reach_of_file(file), 600)
    cat(sprintf("%-45s %5.1f s\n", file, end$seconds))
    if (is.data.frame(end$value)) end$value
  })
  tests <- do.call(rbind, c(list(known), rows))
  saveRDS(list(common = common, digest = digest, tests = tests), place)
  tests
}
