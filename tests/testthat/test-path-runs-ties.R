# Columns that are equal in the samples of a run, but not in all: 0/1 columns that differ in one
# sample. Which of them a path takes is a matter of lot by names and runs, not of columns.

tied_data <- function() {
  withr::local_seed(1)
  n <- 60
  x <- matrix(stats::rnorm(n * 10), n, dimnames = list(NULL, letters[1:10]))
  x[, 1:2] <- 0
  x[1:5, 1] <- x[1:6, 2] <- 1
  y <- x[, 3] + x[, 1] + stats::rnorm(n)
  list(
    x = x, y = y, class = factor(y > 0), z = data.frame(z = cos(1:n)),
    times = new_surv(exp(-y), rep(c(1, 1, 0), 20))
  )
}

# By name.
sorted_table <- function(fit) {
  table <- as.data.frame(if (is.null(fit$ranking)) fit else fit$ranking$table)
  table <- table[order(table$feature), ]
  table[vapply(table, is.numeric, NA)]
}

test_that("columns in another order give the same values where columns are equal in some runs", {
  d <- tied_data()
  lasso <- selector_lasso_path()
  calls <- list(
    squares = function(x) fealect(x, d$y, n_boot = 0, seed = 1),
    binomial = function(x) fealect(x, d$class, family = "binomial", n_boot = 0, seed = 1),
    covariates = function(x) fealect(x, d$y, covariates = d$z, n_boot = 0, seed = 1),
    survival = function(x) fealect(x, d$times, n_boot = 0, oob = FALSE, seed = 1),
    permuted = function(x) fealect(x, d$y, permute = 9, n_boot = 0, oob = FALSE, seed = 1),
    stability = function(x) stability_selection(x, d$y, q = 3, cutoff = 0.7, seed = 1),
    rate = function(x) stability_selection(x, d$y, pfer = 1, seed = 1),
    bolasso = function(x) bolasso(x, d$y, n_runs = 32, seed = 1),
    bolasso_binomial = function(x) bolasso(x, d$class, family = "binomial", n_runs = 16, seed = 1),
    ensemble = function(x) select_ensemble(x, d$y, lasso, n_features = 3, seed = 1),
    ensemble_cox = function(x) select_ensemble(x, d$times, lasso, n_features = 3, seed = 1),
    splits = function(x) split_test(x, d$y, n_runs = 10, seed = 1),
    mirrors = function(x) split_test(x, d$y, "mirror", fdr = 0.2, n_runs = 10, seed = 1)
  )
  for (name in names(calls)) {
    first <- sorted_table(calls[[name]](d$x))
    expect_equal(sorted_table(calls[[name]](d$x[, 10:1])), first,
      tolerance = 1e-9, ignore_attr = TRUE, info = name
    )
  }
})

test_that("neither of two such columns always comes first", {
  d <- tied_data()
  runs <- resample_subsample(200, 0.5)
  fit <- fealect(d$x, d$y, resampling = runs, n_boot = 0, oob = FALSE, seed = 1)
  counts <- as.matrix(draw_resamples(runs, d$y, seed = 1))
  # They differ in sample 6 alone.
  equal <- which(counts[6, ] == 0 & fit$selection$status == "ok")
  taken <- as.matrix(fit$selection$selected[1:2, equal])
  expect_true(all(colSums(taken) <= 1))
  shares <- rowMeans(taken) / mean(colSums(taken))
  expect_true(all(shares > 0.3))
  # A run decides as it did in all runs together.
  half <- fealect(d$x, d$y,
    resampling = draw_resamples(runs, d$y, seed = 1)[101:200], n_boot = 0, oob = FALSE, seed = 1
  )
  expect_identical(as.matrix(half$selection$score), as.matrix(fit$selection$score)[, 101:200])
})
