# The calls of adopters: what the script has, what its table says, and what the page shows.

test_that("every call has a row: it ran, was refused, or its package is not there", {
  table <- result_of("adopters", "calls")
  text <- unlist(lapply(c("containers", "frameworks", "workers"), function(part) {
    readLines(experiment("adopters", paste0(part, ".R")))
  }))
  lines <- grep('new_call("', text, value = TRUE, fixed = TRUE)
  named <- sub('.*new_call\\("([^"]+)".*', "\\1", lines)
  expect_length(named, 24L)
  expect_identical(table$call, named)
  ran <- table$state == "ran"
  refused <- table$state == "refused as documented"
  absent <- grepl("^package not here: ", table$state)
  expect_true(all(ran | refused | absent))
  expect_false(anyNA(table$version[!absent]))
  expect_true(all(table$seconds[!absent] >= 0))
  # The page says so: none was left out.
  expect_true(all(ran | refused))
  expect_true(all(ran[grepl("SLURM|merge|checkpoint|stabs", table$call)]))
})

test_that("the calls that need no other package still have their answers", {
  skip_on_cran()
  where <- new.env(parent = globalenv())
  where$new_call <- function(call, packages, checked, run) {
    list(call = call, packages = packages, run = run)
  }
  where$x <- as.matrix(mcl_sll[, -1])
  rownames(where$x) <- paste0("s", seq_len(nrow(where$x)))
  where$y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
  for (part in c("containers", "frameworks")) {
    sys.source(experiment("adopters", paste0(part, ".R")), where)
  }
  for (one in c(where$container_calls, where$framework_calls)) {
    cheap <- one$call %in% c("sparse Matrix", "stabs", "knitr", "tibble and formula")
    if (!cheap || !all(vapply(one$packages, requireNamespace, NA, quietly = TRUE))) next
    expect_no_error(one$run())
  }
})

test_that("the page on the first hour shows the minutes that were measured", {
  steps <- utils::read.csv(experiment("first-hour", "results", "steps.csv"))
  minutes <- sprintf("| `%s` | %.1f | %.1f |", steps$step, steps$elapsed / 60, steps$processor / 60)
  page <- readLines(experiment("first-hour", "README.md"))
  expect_identical(grep("^[|] `", page, value = TRUE), minutes)
  said <- readLines(experiment("first-hour", "results", "print.txt"))
  short <- said[-seq_len(match("selected(short)", said))]
  facts <- utils::read.csv(experiment("first-hour", "results", "facts.csv"))
  expect_length(short, facts$short)
  expect_lt(facts$megabytes, 2)
})
