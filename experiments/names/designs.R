# Features and responses of this experiment. Read by run.R and tables.R.

# Sets on which neither the prior nor the line was chosen, each with the same random features.
set_names <- c("skf_GLIOMA", "khan", "singh")
n_features <- 2000L

read_features <- function(name) {
  x <- as.matrix(stabilect::experiment_data(name)$x)
  if (name == "singh") x <- log2(pmin(pmax(x, 10), 16000))
  x <- x[, apply(x, 2, stats::sd) > 0]
  if (ncol(x) > n_features) x <- x[, sort(withr::with_seed(1, sample(ncol(x), n_features)))]
  dimnames(x) <- list(NULL, paste0("f", seq_len(ncol(x))))
  scale(x)[, ]
}

# What the outcome follows, its errors, and the share of the first class if it is cut.
cells <- list(
  sparse = list(truth = "sparse", errors = "normal"),
  mixed = list(truth = "mixed", errors = "normal"),
  weak20 = list(truth = "weak20", errors = "normal"),
  component = list(truth = "component", errors = "normal"),
  t3 = list(truth = "sparse", errors = "t3"),
  lognormal = list(truth = "sparse", errors = "lognormal"),
  classes_50 = list(truth = "sparse", errors = "normal", cut = 0.5),
  classes_90 = list(truth = "sparse", errors = "normal", cut = 0.9)
)

errors <- list(
  normal = stats::rnorm, t3 = function(n) stats::rt(n, 3) / sqrt(3),
  lognormal = function(n) (stats::rlnorm(n) - exp(0.5)) / sqrt(exp(2) - exp(1))
)

unit <- function(v) drop(scale(v))

# Sizes of effects differ by up to a factor of four.
sparse_truth <- function(x, s) {
  at <- sample(ncol(x), s)
  sizes <- sample(c(-1, 1), s, replace = TRUE) * stats::runif(s, 0.5, 2)
  list(at = at, signal = unit(x[, at, drop = FALSE] %*% sizes))
}

truths <- list(
  sparse = function(x, repetition) sparse_truth(x, c(1, 3, 8)[1 + repetition %% 3]),
  # Three features, and effects of all the others with 0.7 of their standard deviation.
  mixed = function(x, repetition) {
    own <- sparse_truth(x, 3)
    spread <- unit(x %*% stats::rnorm(ncol(x)))
    list(at = own$at, signal = unit(own$signal + 0.7 * spread))
  },
  weak20 = function(x, repetition) {
    at <- sample(ncol(x), 20)
    list(at = at, signal = unit(x[, at] %*% stats::rnorm(20)))
  },
  component = function(x, repetition) {
    list(at = integer(), signal = unit(svd(x, nu = 5, nv = 0)$u[, 1 + repetition %% 5]))
  }
)

# The outcome of one repetition; `like` (n x k): the true features, or the component.
draw_set <- function(x, set, cell_name, repetition) {
  cell <- cells[[cell_name]]
  seed <- 1000 * (100 * match(set, set_names) + match(cell_name, names(cells))) + repetition
  set.seed(seed)
  truth <- truths[[cell$truth]](x, repetition)
  r2 <- c(0.4, 0.7)[1 + repetition %% 2]
  y <- sqrt(r2) * truth$signal + sqrt(1 - r2) * errors[[cell$errors]](nrow(x))
  if (!is.null(cell$cut)) y <- y > stats::quantile(y, cell$cut)
  like <- if (length(truth$at) > 0L) x[, truth$at, drop = FALSE] else matrix(truth$signal)
  list(y = y, at = truth$at, like = like, seed = seed, r2 = r2)
}
