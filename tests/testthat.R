library(testthat)
library(stabilect)

# A machine that many packages are checked on gives each of them two cores, which one process uses.
if (!nzchar(Sys.getenv("NOT_CRAN"))) Sys.setenv(TESTTHAT_PARALLEL = "false")

# With STABILECT_TEST_RESULTS set, one line per test goes to that file, for `make check` to count.
results_file <- Sys.getenv("STABILECT_TEST_RESULTS")
if (nzchar(results_file)) {
  record <- ListReporter$new()
  tryCatch(
    test_check("stabilect", reporter = MultiReporter$new(list(CheckReporter$new(), record))),
    finally = {
      results <- as.data.frame(record$get_results())
      keep <- c("file", "test", "failed", "skipped", "error")
      utils::write.csv(results[, keep], results_file, row.names = FALSE)
    }
  )
} else {
  test_check("stabilect")
}
