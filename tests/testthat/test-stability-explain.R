explain_runs <- function() {
  withr::with_seed(4, {
    z <- matrix(0, 30, 12)
    z[, 1] <- 1
    z[, 2] <- stats::rbinom(30, 1, 0.5)
    z[, 3] <- 1 - z[, 2]
    z[, 4] <- stats::rbinom(30, 1, 0.3)
    twin <- stats::rnorm(40)
    x <- matrix(stats::rnorm(40 * 12), 40)
    x[, 2:3] <- twin + stats::rnorm(80) / 20
    list(runs = as_selection(z), x = x)
  })
}

test_that("contributions of features add up to the instability", {
  runs <- explain_runs()$runs
  explained <- explain_stability(runs)
  expect_equal(sum(explained$features$contribution), 1 - value_of_index(runs, "nogueira"))
  expect_equal(sum(explained$features$share), 1)
  expect_false("V1" %in% explained$features$feature)
  expect_identical(explained$features$contribution, sort(explained$features$contribution, TRUE))
})

test_that("the influence of a run is what leaving it out does", {
  runs <- explain_runs()$runs
  worst <- explain_stability(runs)$runs[1, ]
  without <- value_of_index(runs[-worst$run], "nogueira")
  expect_equal(worst$influence, 29 * (value_of_index(runs, "nogueira") - without))
  expect_lt(worst$influence, 0)
})

test_that("features that replace each other are found, and counting them as one helps", {
  data <- explain_runs()
  explained <- explain_stability(data$runs, list(x = data$x), threshold = 0.9)
  expect_identical(nrow(explained$swaps), 1L)
  expect_setequal(strsplit(explained$swaps$features, ", ")[[1]], c("V2", "V3"))
  expect_identical(explained$swaps$together, 1)
  z <- t(as.matrix(data$runs$selected)) * 1
  merged <- unname(cbind(z[, 1], pmax(z[, 2], z[, 3]), z[, 4:12]))
  gain <- value_of_index(as_selection(merged), "nogueira") - value_of_index(data$runs, "nogueira")
  expect_equal(explained$recovered, gain)
  alike <- abs(stats::cor(data$x))
  dimnames(alike) <- rep(list(data$runs$feature_names), 2)
  expect_identical(explain_stability(data$runs, alike, threshold = 0.9)$swaps, explained$swaps)
  turned <- alike[12:1, 12:1]
  expect_identical(explain_stability(data$runs, turned, threshold = 0.9)$swaps, explained$swaps)
  group <- c(1, 2, 2, 4:12)
  expect_identical(explain_stability(data$runs, group)$swaps, explained$swaps)
  colnames(data$x) <- data$runs$feature_names
  clusters <- cluster_features(data$x, 0.9)
  expect_identical(max(clusters$table$size), 2L)
  expect_identical(explain_stability(data$runs, clusters)$swaps, explained$swaps)
  none <- explain_stability(data$runs, list(x = data$x), threshold = 1)
  expect_identical(nrow(none$swaps), 0L)
  shown <- function(x) gsub("\\s+", " ", paste(format(x), collapse = " "))
  expect_match(shown(none), "no similar features replace each other")
  expect_match(shown(none), "Features that add most to the instability")
  expect_match(shown(explained), sprintf(
    "replace each other in 1 group: with each as one feature it would be %s",
    figure(explained$stability + explained$recovered, digits = 3)
  ), fixed = TRUE)
  expect_no_match(shown(explained), "Features that add most")
  expect_named(summary(explained), c("fit", "features", "runs", "swaps", "sections"))
  expect_match(shown(summary(explained)), "Runs that lower the stability most")
})

test_that("convergence follows the first runs, and a wanted width gives a number of runs", {
  runs <- explain_runs()$runs
  settled <- stability_convergence(runs, n_runs = c(10, 30), width = 0.1)
  expect_equal(settled$table$estimate[1], value_of_index(runs[1:10], "nogueira"))
  expect_equal(settled$table$estimate[2], value_of_index(runs, "nogueira"))
  sigma <- settled$table$se[2] * sqrt(30)
  width <- function(m) 2 * stats::qt(0.975, m - 1) * sigma / sqrt(m)
  expect_lte(width(settled$runs_needed), 0.1 + 1e-6)
  expect_gt(width(settled$runs_needed - 1), 0.1 - 1e-6)
  expect_error(stability_convergence(runs, n_runs = 31), "from 3 to 30")
  expect_error(stability_convergence(runs[1:2]), "at least 3 successful runs")
  skip_if_not_installed("ggplot2")
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(settled)))
})

test_that("similarities of the wrong size are refused", {
  data <- explain_runs()
  expect_error(explain_stability(data$runs, list(x = data$x[, 1:3])), "have 12")
  expect_error(explain_stability(data$runs, diag(3)), "12 x")
  expect_error(explain_stability(data$runs, -diag(12)), "between 0 and 1")
})
