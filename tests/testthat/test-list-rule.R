# List rules are records: which one is asked, what it refuses, and that nothing else asks.

ns <- asNamespace("stabilect")

rule_data <- withr::with_seed(3, {
  x <- matrix(rnorm(24 * 8), 24, dimnames = list(NULL, paste0("v", 1:8)))
  list(
    x = x, y = factor(ifelse(x[, 1] + rnorm(24) / 2 > 0, "ill", "well")),
    clusters = stats::setNames(rep(1:4, 2), colnames(x))
  )
})

rule_fit <- function(..., n_pairs = 8, seed = 1) {
  d <- rule_data
  stability_selection(d$x, d$y, ..., n_pairs = n_pairs, seed = seed, progress = FALSE)
}

test_that("every rule refuses what it does not go with, in the same order", {
  d <- rule_data
  until <- until_stable(0.01)
  bound <- rule_fit(q = 2, cutoff = 0.8)
  rate <- rule_fit(efp = 1)
  clusters <- rule_fit(q = 1, cutoff = 0.8, clusters = d$clusters, permute = 0)
  plain <- resample_subsample(6)
  subsamples <- stability_selection(
    d$x, d$y, q = 2, assumption = "none", resampling = plain, seed = 1, progress = FALSE
  )
  short <- fealect(d$x, d$y, n_runs = 8, max_features = 3, n_boot = 0, seed = 1, progress = FALSE)
  expect_snapshot(error = TRUE, {
    rule_fit(cutoff = "calibrated", efp = 1)
    rule_fit(efp = 1, fdr = 0.2)
    rule_fit(fdr = 0.2, pfer = 1)
    rule_fit(q = 2, cutoff = 0.8, pfer = 1)
    rule_fit(efp = 1, assumption = "none")
    rule_fit(assumption = "r_concave")
    rule_fit(efp = 1, clusters = d$clusters)
    rule_fit(clusters = d$clusters)
    rule_fit(score_rule = "step")
    rule_fit(efp = 1, score_rule = "step", clusters = d$clusters)
    rule_fit(q = 2, score_rule = "step", clusters = d$clusters)
    rule_fit(cutoff = "calibrate")
    rule_fit(cutoff = 2)
    rule_fit(efp = 0)
    rule_fit(fdr = 1)
    rule_fit(q = 9)
    rule_fit(q = 9, efp = 1)
    rule_fit(q = 5, clusters = d$clusters)
    rule_fit(q = 5, cutoff = "calibrated", clusters = d$clusters)
    rule_fit(q = 4, cutoff = 0.55)
    rule_fit(pfer = 1e-9)
    rule_fit(cutoff = "calibrated", pfer = 1e-9)
    rule_fit(cutoff = "calibrated", until = until)
    rule_fit(cutoff = 0.8, until = until)
    stability_selection(d$x, d$y, resampling = plain)
    stability_selection(d$x, d$y, q = 2, resampling = plain)
    stability_selection(d$x, d$y, cutoff = "calibrated", resampling = plain)
    stability_selection(bound)
    stability_selection(bound, q = 2, cutoff = 0.8, pfer = 1)
    stability_selection(bound, q = 9, assumption = "none")
    stability_selection(bound, q = 7, efp = 1)
    stability_selection(bound, efp = 1, cutoff = 0.9)
    stability_selection(rate, q = 2, cutoff = "calibrated", efp = 1)
    stability_selection(clusters, efp = 1)
    stability_selection(subsamples, efp = 1)
    stability_selection(short, q = 4, assumption = "none")
    stability_selection(short)
    merge_runs(bound, rate)
    merge_runs(bound, stability_selection(bound, cutoff = "calibrated"))
    ggplot2::autoplot(bound, type = "cut")
  })
})

test_that("rows of equal rates are in the order of their frequencies, then of the columns", {
  d <- rule_data
  x <- cbind(d$x[, 8:1], copy = d$x[, 1], flat = 0 * d$x[, 1] + rep(0:1, 12))
  fit <- suppressWarnings(stability_selection(
    x, d$y, efp = 1, n_pairs = 8, seed = 1, progress = FALSE
  ))
  table <- fit$table
  expect_true(anyDuplicated(table$efp) > 0)
  column <- match(table$feature, colnames(x))
  expect_identical(order(table$efp, -table$frequency, column), seq_len(nrow(table)))
  # A tie in efp that frequencies part against the order of the columns.
  same <- which(diff(table$efp) == 0)
  expect_true(any(diff(table$frequency)[same] < 0 & diff(column)[same] < 0))
})
