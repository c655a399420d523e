# Inclusion probabilities of one effect among correlated features by susieR, for a test of
# find_signals().

library(susieR)

one_effect <- function(seed, n = 80, p = 60) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n)
  x[, 1:6] <- 0.9 * rnorm(n) + 0.45 * x[, 1:6]
  colnames(x) <- paste0("g", seq_len(p))
  list(x = x, y = 0.8 * x[, 2] + rnorm(n))
}
cases <- lapply(1:3, function(seed) {
  data <- one_effect(seed)
  c(data, list(pip = susie(data$x, data$y, L = 1)$pip))
})
saveRDS(
  list(cases = cases, peer = paste("susieR", packageVersion("susieR"))),
  "tests/testthat/fixtures/susie.rds", version = 3, compress = "xz"
)
