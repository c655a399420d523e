given <- readRDS(test_path("fixtures", "sharp.rds"))
lymphoma_x <- as.matrix(mcl_sll[, -1])

test_that("scores of cutoffs are those of sharp on the same proportions", {
  z <- asNamespace("stabilect")$z_of_cutoffs
  for (q in 1:6) {
    # Features that no run selected may be left out.
    share <- given$share[q, given$share[q, ] > 0]
    ours <- z(share, given$cutoffs, given$n_runs, 30)
    theirs <- replace(given$z[q, ], !is.finite(given$z[q, ]), NA)
    expect_equal(ours$z, theirs, tolerance = 1e-10)
  }
  expect_true(any(is.na(given$z)) && any(given$z > 10, na.rm = TRUE))
})

test_that("the heat map has every pair of q and cutoff, and its best pair can be asked for", {
  skip_if_not_installed("ggplot2")
  fit <- stability_selection(
    lymphoma_x, mcl_sll$MCL, q = 8, cutoff = 0.8, n_pairs = 10, seed = 1
  )
  picture <- ggplot2::autoplot(fit, type = "cutoffs")
  table <- picture$data
  expect_identical(nrow(table), 8L * 50L)
  # At the lowest cutoffs no bound holds.
  table <- table[table$cutoff >= 0.6, ]
  best <- table[which.max(table$z), ]
  again <- stability_selection(fit, q = best$q, cutoff = best$cutoff)
  expect_identical(length(again$features), best$n_selected)
  share <- again$table$frequency
  inside <- share >= best$cutoff - 1e-9
  pooled <- mean(share)
  n <- 20 * c(sum(inside), sum(!inside))
  expect_equal(
    best$z,
    (mean(share[inside]) - mean(share[!inside])) / sqrt(pooled * (1 - pooled) * sum(1 / n)),
    tolerance = 1e-9
  )
  expect_s3_class(ggplot2::ggplot_build(picture), "ggplot_built")
  rate <- stability_selection(lymphoma_x, mcl_sll$MCL, efp = 1, q = 2, n_pairs = 10, seed = 1)
  expect_identical(max(ggplot2::autoplot(rate, type = "cutoffs")$data$q), 8L)
})
