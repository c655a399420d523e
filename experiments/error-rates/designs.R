# Features, true features and responses of this experiment. Read by run.R and tables.R.

near <- 0.7
n_synthetic <- 300L

# Normal features: independent, in blocks of ten with one correlation, or correlated r^|i - j|.
draw_blocks <- function(n, r) {
  common <- matrix(rnorm(n * n_synthetic / 10), n)[, rep(seq_len(n_synthetic / 10), each = 10)]
  sqrt(1 - r) * matrix(rnorm(n * n_synthetic), n) + sqrt(r) * common
}
draw_toeplitz <- function(n, r) {
  x <- matrix(rnorm(n * n_synthetic), n)
  for (j in seq_len(n_synthetic)[-1]) x[, j] <- r * x[, j - 1] + sqrt(1 - r^2) * x[, j]
  x
}

# Real features: all samples, or the same random ones in every repetition.
read_real <- function(name, n = NULL) {
  x <- if (name == "colon") {
    log2(stabilect::colon_genes$x)
  } else {
    as.matrix(stabilect::experiment_data(name)$x)
  }
  if (!is.null(n)) {
    # Without a trace in the generator, from which the response is drawn next.
    x <- x[sort(withr::with_seed(1, sample(nrow(x), n))), ]
  }
  named_columns(x[, apply(x, 2, stats::sd) > 0])
}

named_columns <- function(x) {
  dimnames(x) <- list(NULL, paste0("f", seq_len(ncol(x))))
  scale(x)[, ]
}

drawn <- function(draw, ...) function() named_columns(draw(...))
fixed <- function(...) {
  x <- NULL
  function() {
    if (is.null(x)) x <<- read_real(...)
    x
  }
}

designs <- list(
  independent_60 = drawn(draw_blocks, 60, 0), independent_200 = drawn(draw_blocks, 200, 0),
  blocks_0.5_60 = drawn(draw_blocks, 60, 0.5), blocks_0.5_200 = drawn(draw_blocks, 200, 0.5),
  blocks_0.8_60 = drawn(draw_blocks, 60, 0.8), blocks_0.8_200 = drawn(draw_blocks, 200, 0.8),
  toeplitz_0.9_60 = drawn(draw_toeplitz, 60, 0.9),
  toeplitz_0.9_200 = drawn(draw_toeplitz, 200, 0.9),
  colon_62 = fixed("colon"), gravier_168 = fixed("gravier"),
  nki_100 = fixed("nki500_survivALL", 100), nki_319 = fixed("nki500_survivALL")
)

# Number of true features, share of the variance of the response that they explain.
cells <- rbind(
  data.frame(s = 0, r2 = 0), expand.grid(r2 = c(0.3, 0.6, 0.9), s = c(3, 10, 30))[2:1]
)

# The data of one repetition: the same features and noise for every strength.
draw_set <- function(design, cell, repetition) {
  set.seed(10000 * match(design, names(designs)) + repetition)
  x <- designs[[design]]()
  noise <- stats::rnorm(nrow(x))
  order <- sample(ncol(x))
  signs <- sample(c(-1, 1), ncol(x), replace = TRUE)
  truth <- order[seq_len(cell$s)]
  y <- noise
  if (cell$s > 0) {
    eta <- drop(x[, truth, drop = FALSE] %*% signs[truth])
    y <- sqrt(cell$r2) * eta / stats::sd(eta) + sqrt(1 - cell$r2) * noise
  }
  list(x = x, y = y, truth = truth)
}

# One row for a list of sets of features, mostly of one: how many hold a true feature, how many
# only one that is near a true feature, how many neither; how many features are in them, and how
# many true ones.
judge <- function(sets, truth, r) {
  is_true <- vapply(sets, function(set) any(set %in% truth), NA)
  is_near <- vapply(sets, function(set) any(r[set, ] > near), NA)
  members <- unique(unlist(sets))
  data.frame(
    named = length(sets), true = sum(is_true), near = sum(!is_true & is_near),
    unrelated = sum(!is_true & !is_near), members = length(members),
    found = sum(truth %in% members),
    found_near = sum(colSums(r[members, , drop = FALSE] > near) > 0)
  )
}
