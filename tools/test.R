# The tests of the R side on the installed package. Rscript tools/test.R [part of a file name]
part <- commandArgs(trailingOnly = TRUE)
testthat::test_dir(
  "tests/testthat",
  filter = if (length(part) > 0L) part[1], package = "stabilect", reporter = "summary",
  load_package = "installed"
)
