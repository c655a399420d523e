# Tables with missing values whose truth is known.

# Features in groups of five with a common part; small values are missing more often.
holes <- function(n = 60, p = 200, slope = 1.5, seed = 1) {
  withr::with_seed(seed, {
    shared <- matrix(stats::rnorm(n * p / 5), n)[, rep(seq_len(p / 5), each = 5)]
    whole <- 8 + shared + 0.5 * matrix(stats::rnorm(n * p), n)
    dimnames(whole) <- list(paste0("s", seq_len(n)), paste0("g", seq_len(p)))
    link <- unname(whole[, 1] + whole[, 6])
    y <- factor(ifelse(link + stats::rnorm(n) > 16, "b", "a"))
    odds <- -1.8 - slope * (whole - 8)
    x <- replace(whole, stats::runif(n * p) < stats::plogis(odds), NA)
    list(x = x, y = y, whole = whole)
  })
}
