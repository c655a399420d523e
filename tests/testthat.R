library(testthat)
library(stabilect)

# With STABILECT_TEST_RESULTS set, one line per test goes to that file, for `make check` to count
# and to say which files take longest.
results_file <- Sys.getenv("STABILECT_TEST_RESULTS")
if (nzchar(results_file)) {
  record <- ListReporter$new()
  tryCatch(
    test_check("stabilect", reporter = MultiReporter$new(list(CheckReporter$new(), record))),
    finally = {
      results <- as.data.frame(record$get_results())
      keep <- c("file", "test", "failed", "skipped", "error", "real")
      utils::write.csv(results[, keep], results_file, row.names = FALSE)
    }
  )
} else {
  test_check("stabilect")
}
