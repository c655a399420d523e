test_that("no more threads are asked for than are allowed, and nothing is printed", {
  skip_on_cran()
  taskset <- Sys.which("taskset")
  skip_if(!nzchar(taskset), "taskset is not there")
  skip_if(system2(taskset, c("-c", "0", "true"), stderr = FALSE) != 0L, "no processor 0 here")
  script <- withr::local_tempfile(fileext = ".R", lines = c(
    sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(stabilect)",
    "fit <- fealect(colon_genes$x[, 1:50], colon_genes$y, n_runs = 20, n_threads = 4, seed = 1)",
    "cat(class(fit)[1])"
  ))
  r <- file.path(R.home("bin"), "Rscript")
  said <- suppressWarnings(
    system2(taskset, c("-c", "0", shQuote(r), shQuote(script)), stdout = TRUE, stderr = TRUE)
  )
  expect_identical(said, "stabilect_fealect")
})
