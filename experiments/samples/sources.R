# What run.R and simulate.R share: procedures, and where samples come from.

sizes <- c(60, 120)
multiples <- c(1, 2, 4)
procedures <- list(
  "t, top 10" = list(selector = selector_filter("t"), k = 10L),
  "t, top 50" = list(selector = selector_filter("t"), k = 50L)
)

# A source of samples: a function of n that gives 2 n of them, two independent studies.
simulated <- function(effect) {
  function(n) {
    y <- factor(rep(c("a", "b"), length.out = 2 * n))
    block <- rep(seq_len(50), each = 10)
    x <- sqrt(0.5) * matrix(rnorm(2 * n * 50), 2 * n)[, block] +
      sqrt(0.5) * matrix(rnorm(2 * n * 500), 2 * n)
    informative <- seq(1, by = 25, length.out = 20)
    x[, informative] <- x[, informative] +
      outer(as.integer(y) - 1.5, effect * seq(1.4, 0.3, length.out = 20))
    # Halves with classes of one size.
    order <- c(which(seq_along(y) %% 4 < 2), which(seq_along(y) %% 4 >= 2))
    list(x = x[order, ], y = y[order])
  }
}
sources <- list(
  strong = simulated(1), weak = simulated(0.5), none = simulated(0)
)
named <- function(x) {
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  x
}
