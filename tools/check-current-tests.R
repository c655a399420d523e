# Inside the room of tools/check-current.sh: the tests of the R side that TESTS names (all without
# it); tests-ran.txt and tests-outcome.txt say what ran and what came of it.

part <- Sys.getenv("TESTS")
Sys.setenv(TESTTHAT_PARALLEL = "FALSE")
options(testthat.summary.max_reports = 1000L)
tests <- as.data.frame(testthat::test_dir(
  "tests/testthat",
  filter = if (nzchar(part)) part, package = "stabilect", reporter = "summary",
  load_package = "installed", stop_on_failure = FALSE
))
n_files <- length(list.files("tests/testthat", "^test-.*[.]R$"))
ran <- unique(tests$file)
writeLines(
  if (length(ran) == n_files) {
    sprintf("all %d test files", n_files)
  } else {
    named <- sub("^test-(.*)[.]R$", "\\1", sort(ran))
    sprintf("%d of %d test files: %s", length(ran), n_files, paste(named, collapse = " "))
  },
  "tests-ran.txt"
)
broken <- tests$failed > 0 | tests$error
writeLines(
  sprintf(
    "%d tests, %d fail%s, %d skipped, %d expectations", nrow(tests), sum(broken),
    if (any(broken)) sprintf(" (%s)", paste(unique(tests$file[broken]), collapse = " ")) else "",
    sum(tests$skipped), sum(tests$nb)
  ),
  "tests-outcome.txt"
)
