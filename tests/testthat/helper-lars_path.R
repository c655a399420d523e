mtcars_x <- as.matrix(datasets::mtcars[, -1])
small <- function(n = 30, p = 6) {
  withr::with_seed(1, {
    x <- matrix(stats::rnorm(n * p), n, p)
    list(x = x, y = x[, 1] - 2 * x[, min(2, p)] + stats::rnorm(n))
  })
}
