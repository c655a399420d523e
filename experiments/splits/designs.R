# Features and outcomes of this experiment. Read by run.R and run-tests.R.

tox <- scale(as.matrix(stabilect::experiment_data("skf_TOX_171")$x))
tox <- tox[, apply(tox, 2, function(v) all(is.finite(v)))]

# Independent ones, blocks of ten with a correlation of 0.7, and gene expression.
features <- list(
  independent = function(n, p) matrix(stats::rnorm(n * p), n),
  blocks = function(n, p) {
    common <- matrix(stats::rnorm(n * ceiling(p / 10)), n)
    block <- common[, rep(seq_len(ncol(common)), each = 10, length.out = p)]
    sqrt(0.7) * block + sqrt(0.3) * matrix(stats::rnorm(n * p), n)
  },
  real = function(n, p) tox[sample(nrow(tox), n), sample(ncol(tox), p)]
)

# Censoring is independent of the features and takes about this share without signal.
times <- function(link, censored) {
  time <- stats::rexp(length(link), exp(link))
  end <- stats::rexp(length(link), censored / (1 - censored))
  survival::Surv(pmin(time, end), time <= end)
}

# The link moves the second class up and the third down.
classes <- function(link, shares) {
  utility <- outer(rep(1, length(link)), log(shares)) + cbind(0, link, -link)
  factor(letters[max.col(utility - log(-log(matrix(stats::runif(3 * length(link)), ncol = 3))))])
}

outcomes <- list(
  times_30 = function(link) times(link, 0.3), times_80 = function(link) times(link, 0.8),
  classes_even = function(link) classes(link, c(1, 1, 1) / 3),
  classes_rare = function(link) classes(link, c(10, 1, 1) / 12),
  counts_spread = function(link) stats::rnbinom(length(link), mu = exp(link), size = 0.5),
  counts_poisson = function(link) stats::rpois(length(link), exp(link)),
  counts_zeros = function(link) {
    stats::rnbinom(length(link), mu = exp(link + 1), size = 2) * stats::rbinom(length(link), 1, 0.5)
  }
)

# Are there enough samples of every class, or events, or counts above 0?
usable <- function(y, least) {
  if (is.factor(y)) {
    return(all(table(factor(y, letters[1:3])) >= least))
  }
  sum((if (survival::is.Surv(y)) y[, 2] else y) > 0) >= least + 2
}

# An outcome with or without three true features, drawn again until it is usable.
draw_outcome <- function(name, x, truth, size, least = 4) {
  repeat {
    at <- if (truth) sample(ncol(x), 3) else integer()
    signal <- x[, at, drop = FALSE] %*% sample(c(-1, 1), length(at), replace = TRUE)
    link <- if (truth) size * drop(scale(signal)) else numeric(nrow(x))
    y <- outcomes[[name]](link)
    if (usable(y, least)) return(list(y = y, at = at))
  }
}
