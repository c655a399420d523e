# Features, true features and responses. Read by run.R.

n_samples <- 80L
n_features <- 300L

independent <- function(n) matrix(stats::rnorm(n * n_features), n)
# Blocks of ten with correlation 0.8.
blocks <- function(n) {
  common <- independent(n)[, rep(seq_len(n_features / 10), each = 10)]
  sqrt(0.2) * independent(n) + sqrt(0.8) * common
}

# The same samples and features of a real set in all repetitions, at most as many as above. Columns
# that are constant or repeat another one are left out, since no list can tell them apart.
real <- function(x) {
  withr::with_seed(1, {
    rows <- if (nrow(x) > n_samples) sort(sample(nrow(x), n_samples)) else seq_len(nrow(x))
    x <- unname(as.matrix(x[rows, sample(ncol(x))[seq_len(min(ncol(x), 2 * n_features))]])) + 0
  })
  x <- x[, apply(x, 2, stats::sd) > 0 & !duplicated(t(x))]
  x[, seq_len(min(ncol(x), n_features))]
}
real_sets <- list(
  colon = real(log2(stabilect::colon_genes$x)),
  nki500 = real(stabilect::experiment_data("nki500_survivALL")$x),
  arcene = real(stabilect::experiment_data("skf_arcene")$x),
  gastro = real(stabilect::experiment_data("gastro_WL")$x)
)

designs <- c("independent", "blocks", names(real_sets))
laws <- c("normal", "t3", "classes")

# Five effects of one size, or ten from 1 to 1/8; signs at random. They explain 70 % of the variance
# (of classes 90 % of the latent variable, which is cut at its median). `none`: laws take turns.
cells <- data.frame(
  truth = c("none", "sparse", "mixed", "sparse", "sparse"),
  law = c(NA, "normal", "normal", "t3", "classes")
)
sizes <- list(none = numeric(), sparse = rep(1, 5), mixed = 2^-(3 * (0:9) / 9))

draw_set <- function(design, cell, repetition) {
  seed <- 10000 * match(design, designs) + 1000 * cell + repetition
  set.seed(seed)
  x <- switch(design,
    independent = independent(n_samples), blocks = blocks(n_samples), real_sets[[design]]
  )
  x <- scale(x)[, ]
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  size <- sizes[[cells$truth[cell]]]
  law <- cells$law[cell]
  if (is.na(law)) law <- laws[(repetition - 1) %% length(laws) + 1]
  truth <- sample(ncol(x), length(size))
  y <- if (law == "t3") stats::rt(nrow(x), 3) / sqrt(3) else stats::rnorm(nrow(x))
  if (length(truth) > 0L) {
    eta <- drop(x[, truth] %*% (size * sample(c(-1, 1), length(size), replace = TRUE)))
    share <- if (law == "classes") 0.9 else 0.7
    y <- sqrt(share) * eta / stats::sd(eta) + sqrt(1 - share) * y
  }
  if (law == "classes") y <- factor(y > stats::median(y), labels = c("low", "high"))
  list(x = x, y = y, truth = truth, law = law, seed = seed)
}
