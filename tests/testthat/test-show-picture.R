# Pictures of 480 x 480 and of 700 x 500 pixels with names of 60 characters: what is left for the
# data, and whether the titles fit. Snapshots of whole pictures would change with every version of
# ggplot2.
skip_if_not_installed("ggplot2")

# The last one is a column of a journal.
sizes <- list(square = c(480, 480) / 72, wide = c(700, 500) / 72, column = c(3.5, 3))
d <- withr::with_seed(1, {
  y <- factor(rep(c("ill", "well"), length.out = 40))
  x <- matrix(stats::rnorm(40 * 30), 40)
  x[, 1:3] <- x[, 1:3] + 1.3 * (y == "ill")
  colnames(x) <- sprintf("%s%02d", strrep("ENSG00000|miR-", 5), 1:30)
  list(x = x, y = y)
})

# @return list(data = share of the width that panels have, titles = inches of the longest one).
measure <- function(picture, size) {
  grDevices::pdf(NULL, width = size[1], height = size[2])
  on.exit(grDevices::dev.off())
  table <- ggplot2::ggplotGrob(picture)
  inches <- function(unit) grid::convertWidth(unit, "in", valueOnly = TRUE)
  # In the sizes of plain_theme().
  text <- function(label, size) {
    if (is.null(label)) 0 else inches(grid::grobWidth(grid::textGrob(label, gp = size)))
  }
  widths <- c(
    text(picture$labels$title, grid::gpar(fontsize = 12.1)),
    text(picture$labels$subtitle, grid::gpar(fontsize = 9.9)),
    text(picture$labels$caption, grid::gpar(fontsize = 8.8))
  )
  # Widths of panels are shares of what is left, which have no inches.
  list(data = 1 - sum(inches(table$widths)) / size[1], titles = max(widths))
}

test_that("most of a small picture is for the data, and titles fit", {
  ensemble <- select_ensemble(
    d$x, d$y, selector_filter("t"), resample_bootstrap(10), n_features = 4, seed = 1
  )
  fit <- fealect(d$x, d$y, n_runs = 20, n_boot = 0, permute = 3, seed = 1)
  train <- rep(c(TRUE, FALSE), c(25, 15))
  model <- fit_model(d$x[train, ], d$y[train], colnames(d$x)[1:5])
  again <- evaluate_replication(fit, d$x, d$y, n_pairs = 2, n_features = c(2, 5), seed = 1)
  plan <- resample_bootstrap(5)
  pictures <- list(
    scores = ggplot2::autoplot(fit), frequency = ggplot2::autoplot(fit, type = "frequency"),
    strength = ggplot2::autoplot(fit, type = "strength"), overlap = ggplot2::autoplot(again),
    predictions = ggplot2::autoplot(again, type = "predictions"),
    calibration = ggplot2::autoplot(validate_model(model, d$x[!train, ], d$y[!train])),
    stable = ggplot2::autoplot(stability_selection(d$x, d$y, q = 3, pfer = 1, seed = 1)),
    bolasso = ggplot2::autoplot(bolasso(d$x, d$y, n_runs = 10, seed = 1)),
    split = ggplot2::autoplot(split_test(d$x, d$y, n_runs = 4, n_features = 3, seed = 1)),
    signals = ggplot2::autoplot(find_signals(d$x, d$y, permute = 19, seed = 1)),
    ensemble = ggplot2::autoplot(ensemble),
    map = ggplot2::autoplot(ensemble$selection, type = "map"),
    bars = ggplot2::autoplot(ensemble$selection),
    explanation = ggplot2::autoplot(explain_stability(ensemble)),
    comparison = ggplot2::autoplot(compare_methods(d$x[, 1:8])),
    clusters = ggplot2::autoplot(cluster_features(d$x, 0.5)),
    samples = ggplot2::autoplot(estimate_sample_size(
      selector_filter("t"), d$x, d$y, n_features = 2, n_pairs = 5, seed = 1
    )),
    model = ggplot2::autoplot(fit_model(d$x, d$y, colnames(d$x)[1:5])),
    path = ggplot2::autoplot(lars_path(d$x, d$y)),
    likelihood = ggplot2::autoplot(lasso_path(d$x, d$y, n_lambda = 10)),
    tradeoff = ggplot2::autoplot(tune_tradeoff(
      d$x, d$y, grid = list(n_stable = 0:2), n_features = 4, resampling = plan, seed = 1
    ))
  )
  for (name in names(pictures)) {
    for (size in sizes) {
      found <- measure(pictures[[name]], size)
      # Names of 24 letters take half of a journal's column.
      expect_gte(found$data, if (size[1] > 4) 0.6 else 0.3)
      expect_gt(found$titles, 0)
      expect_lte(found$titles, size[1])
    }
  }
})

test_that("names beside points and lines are shortened", {
  long <- function(picture, at) max(nchar(ggplot2::layer_data(picture, at)$label))
  signals <- find_signals(d$x, d$y, permute = 19, seed = 1)
  expect_gt(length(signals$features), 0)
  expect_lte(long(ggplot2::autoplot(signals), 4), 16)
  path <- ggplot2::autoplot(lars_path(d$x, d$y))
  expect_lte(long(path, 5), 16)
})

test_that("a sample size whose lists do not agree is drawn without a band", {
  noise <- withr::with_seed(2, matrix(stats::rnorm(40 * 30), 40))
  plan <- estimate_sample_size(
    selector_filter("t"), noise, d$y, n_features = 1, n_pairs = 5, seed = 1
  )
  plan$table[c("fitted", "lower", "upper")] <- NA_real_
  picture <- ggplot2::autoplot(plan)
  expect_true(all(ggplot2::layer_data(picture, 2)$PANEL == 2))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(print(picture))
})

test_that("bars of simulated studies end at a stability of 1", {
  plan <- estimate_sample_size(
    selector_filter("t"), d$x, d$y, n_features = 2, n_pairs = 5, n_simulations = 3, n_true = 2,
    seed = 1
  )
  plan$simulated[c("stability", "stability_se")] <- list(0.95, 0.1)
  bars <- ggplot2::layer_data(ggplot2::autoplot(plan), 5)
  expect_identical(unique(bars$ymax[bars$PANEL == 1]), 1)
  expect_identical(unique(bars$ymin[bars$PANEL == 1]), 0.75)
  expect_gt(diff(range(bars$ymax[bars$PANEL == 2])), 0)
})

test_that("labels break where a small picture would cut them", {
  expect_identical(wrap("short", 42L), "short")
  expect_identical(wrap("one statement of ten; another statement", 24L),
    "one statement of ten;\nanother statement"
  )
  lines <- strsplit(wrap(strrep("word ", 30), 42L), "\n")[[1]]
  expect_lte(max(nchar(lines)), 42L)
  expect_lte(diff(range(nchar(lines))), 10L)
  expect_identical(wrap("first\nsecond", 42L), "first\nsecond")
})

test_that("ticks of counts are whole", {
  expect_identical(count_ticks(c(6.9, 8.3)), 7:8)
  expect_identical(count_ticks(c(1, 40)), c(1, 2, 5, 10, 20))
  expect_true(all(count_ticks(c(11, 19)) %in% 11:19))
})

test_that("the strongest marks have names apart where no feature is named", {
  signals <- find_signals(d$x, d$y, permute = 99, seed = 1)
  expect_lte(sum(signals$marginal$p <= 0.05), 30L)
  expect_gt(sum(signals$marginal$p <= 0.05), 1L)
  signals$features <- character()
  shown <- ggplot2::layer_data(ggplot2::autoplot(signals), 5)
  expect_identical(anyDuplicated(shown$label), 0L)
  expect_gt(min(abs(diff(shown$y))), 0.05)
})
