# The tests of the R side on the installed package, one file after the other, and which files take
# longest. Rscript tools/test.R [part of a file name]
part <- commandArgs(trailingOnly = TRUE)
# Tests on several processes are timed where they are reported, not where they run.
Sys.setenv(TESTTHAT_PARALLEL = "FALSE")
options(testthat.summary.max_reports = 1000L)
results <- testthat::test_dir(
  "tests/testthat",
  filter = if (length(part) > 0L) part[1], package = "stabilect", reporter = "summary",
  load_package = "installed", stop_on_failure = FALSE
)
tests <- as.data.frame(results)
seconds <- sort(tapply(tests$real, tests$file, sum), decreasing = TRUE)
longest <- utils::head(seconds, 15L)
cat(sprintf("\nSeconds of the longest test files, of %.0f in all:\n", sum(seconds)))
cat(sprintf("  %4.0f %s\n", longest, names(longest)), sep = "")
quit(status = as.integer(any(tests$failed > 0 | tests$error)))
