# Two views of the same samples, for tests and data-raw/make-ipflasso-fixture.R.
two_views <- withr::with_seed(7, {
  draw <- function(p, name) {
    matrix(stats::rnorm(80 * p), 80, dimnames = list(sprintf("p%d", 1:80), paste0(name, 1:p)))
  }
  x <- list(clinical = draw(4, "c"), expression = draw(20, "g"))
  number <- x$clinical[, 1] + x$expression[, 1] + stats::rnorm(80)
  list(x = x, number = number, y = factor(number > 0, labels = c("well", "ill")))
})
