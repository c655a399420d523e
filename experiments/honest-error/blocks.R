# Features of sizes.R and sizes-likelihood.R: blocks of ten with correlation 0.5.

p <- 500L
block_of <- rep(seq_len(p / 10), each = 10)

draw <- function(n) {
  common <- matrix(rnorm(n * max(block_of)), n)[, block_of]
  x <- sqrt(0.5) * common + sqrt(0.5) * matrix(rnorm(n * p), n)
  colnames(x) <- paste0("f", seq_len(p))
  x
}
