simulated <- function(n = 80, p = 200, seed = 1) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
  list(x = x, y = x[, 1] + 0.7 * x[, 2] + rnorm(n))
}

test_that("the effect in left-out samples is that of weights counted by hand", {
  d <- simulated()
  fit <- stability_selection(d$x, d$y, q = 5, cutoff = 0.6, n_pairs = 20, seed = 1)
  found <- feature_effects(fit, d$x, d$y, features = c("g2", "g7", "g1"))
  expect_identical(found$table$feature, c("g2", "g7", "g1"))
  expect_equal(found$table$in_sample, as.vector(cor(d$x[, c(2, 7, 1)], d$y)))
  counts <- fit$resamples$counts
  weight <- 0
  for (b in which(as.matrix(fit$selection$selected)["g2", ])) weight <- weight + (counts[, b] == 0)
  byhand <- stats::cov.wt(cbind(d$x[, 2], d$y), weight / sum(weight), cor = TRUE)$cor[1, 2]
  expect_equal(found$table$left_out[1], byhand)
  at <- match(c("g2", "g7", "g1"), fit$table$feature)
  expect_equal(found$table$frequency, fit$table$frequency[at])
  expect_identical(found$table$direction, fit$table$direction[at])
})

test_that("scores are the votes of fealect, and runs of several selectors share their samples", {
  d <- simulated()
  fit <- fealect(d$x, d$y, n_runs = 20, seed = 1)
  found <- feature_effects(fit, d$x, d$y, features = "g1")
  weight <- rowSums((fit$resamples$counts == 0) * rep(fit$selection$score["g1", ], each = 80))
  byhand <- stats::cov.wt(cbind(d$x[, 1], d$y), weight / sum(weight), cor = TRUE)$cor[1, 2]
  expect_equal(found$table$left_out, byhand)
  both <- select_ensemble(
    d$x, d$y, list(selector_filter("pearson"), selector_filter("spearman")),
    n_features = 3, seed = 1
  )
  found <- feature_effects(both, d$x, d$y, features = "g1")
  selected <- as.matrix(both$selection$selected)["g1", ]
  counts <- both$resamples$counts
  weight <- (cbind(counts, counts) == 0) %*% selected
  byhand <- stats::cov.wt(cbind(d$x[, 1], d$y), weight[, 1] / sum(weight), cor = TRUE)$cor[1, 2]
  expect_equal(found$table$left_out, byhand)
})

test_that("shrunk effects are posterior means, by numerical integration", {
  spread <- list(sd = c(0, 1, 3), weight = c(0.7, 0.2, 0.1))
  slab <- function(mu) 0.2 * dnorm(mu, 0, 1) + 0.1 * dnorm(mu, 0, 3)
  for (z in c(-1, 0.5, 3, 6)) {
    top <- integrate(function(mu) mu * dnorm(z, mu) * slab(mu), -30, 30, rel.tol = 1e-10)$value
    below <- integrate(function(mu) dnorm(z, mu) * slab(mu), -30, 30, rel.tol = 1e-10)$value
    expect_equal(shrink_z(z, spread), top / (below + 0.7 * dnorm(z)), tolerance = 1e-6)
  }
  expect_equal(shrink_z(1e4, spread), 9e3)
})

test_that("the fitted spread has the largest likelihood, with ten more null values", {
  set.seed(1)
  z <- c(rnorm(800), rnorm(200, 0, 3))
  spread <- fit_spread(z)
  value <- function(weight) {
    density <- outer(round(abs(z), 2), spread$sd, function(z, sd) dnorm(z, 0, sqrt(1 + sd^2)))
    sum(log(density %*% weight)) + 10 * log(weight[1])
  }
  best <- value(spread$weight)
  for (k in seq_along(spread$sd)) {
    other <- 0.99 * spread$weight
    other[k] <- other[k] + 0.01
    expect_lt(value(other), best + 1e-3)
  }
  expect_equal(sum(spread$weight), 1)
  # Variance 9 for a fifth of the values.
  expect_equal(sum(spread$weight * spread$sd^2), 0.2 * 8, tolerance = 0.25)
  expect_gt(fit_spread(rnorm(1000))$weight[1], 0.8)
})

test_that("z-values of noise are standard normal, also for several classes, and in blocks", {
  d <- simulated(60, 3000)
  z <- function(y, blocks = NULL, covariates = NULL) {
    response <- read_response(y, 60, NULL, 3000)
    response$covariates <- covariates
    z_of_features(d$x, response, blocks)
  }
  y <- rep(c("a", "b", "c"), 20)
  expect_length(z(y), 9000)
  expect_equal(sd(z(y)), 1, tolerance = 0.03)
  covariates <- matrix(rnorm(600), 60)
  expect_equal(sd(z(rnorm(60), NULL, covariates)), 1, tolerance = 0.03)
  # Thirty patients with two equal samples each.
  d$x <- d$x[rep(1:30, each = 2), ]
  patients <- factor(rep(1:30, each = 2))
  expect_equal(sd(z(rep(rnorm(30), each = 2), patients)), 1, tolerance = 0.1)
  expect_gt(sd(z(rep(rnorm(30), each = 2))), 1.3)
})

test_that("effects do not depend on the form of the data, and blocks widen them", {
  d <- simulated(60, 100)
  x <- d$x[rep(1:60, each = 2), ]
  y <- rep(d$y, each = 2)
  patient <- rep(1:60, each = 2)
  fit <- fealect(prepare_study(x, y, blocks = patient), n_runs = 10, oob = FALSE, seed = 1)
  wide <- feature_effects(fit, x, y, features = "g1")
  expect_identical(wide$table, feature_effects(fit, as.data.frame(x), y, features = 1)$table)
  once <- feature_effects(
    fealect(d$x, d$y, n_runs = 10, oob = FALSE, seed = 1), d$x, d$y, features = "g1"
  )
  width <- function(found) atanh(found$table$upper) - atanh(found$table$lower)
  expect_equal(width(wide), width(once), tolerance = 1e-6)
  expect_equal(once$table$in_sample, wide$table$in_sample)
})

test_that("clusters have the effects of their profiles, and covariates are adjusted for", {
  d <- simulated(60, 30)
  d$x[, 3] <- d$x[, 1] + rnorm(60, sd = 0.1)
  clusters <- cluster_features(d$x, threshold = 0.9)
  fit <- stability_selection(d$x, d$y, q = 4, cutoff = 0.6, n_pairs = 10, clusters = clusters,
    seed = 1)
  found <- feature_effects(fit, d$x, d$y)
  expect_identical(found$features, fit$features)
  single <- fit$table$feature[fit$table$size == 1][1]
  member <- fit$table$representative[match(single, fit$table$feature)]
  one <- feature_effects(fit, d$x, d$y, features = single)
  expect_equal(abs(one$table$in_sample), abs(as.vector(cor(d$x[, member], d$y))))
  z <- data.frame(age = d$x[, 2] + rnorm(60))
  held <- fealect(d$x, d$y, n_runs = 10, oob = FALSE, covariates = z, seed = 1)
  rest <- lm(cbind(d$x[, 2], d$y) ~ z$age)$residuals
  expect_equal(
    feature_effects(held, d$x, d$y, features = "g2")$table$in_sample, cor(rest[, 1], rest[, 2])
  )
})

test_that("what has no effects is refused", {
  d <- simulated(40, 20)
  fit <- fealect(d$x, d$y, n_runs = 5, seed = 1)
  refused <- function(pattern, ...) {
    expect_error(feature_effects(...), pattern, class = "stabilect_error_input")
  }
  refused("not the data", fit, d$x, -d$y)
  refused("choose them", split_test(d$x, d$y, seed = 1), d$x, d$y)
  refused("must be a result", fit$selection, d$x, d$y)
  refused("must be a result", find_signals(d$x, d$y, seed = 1), d$x, d$y)
  refused("features", fit, d$x, d$y, features = "nobody")
  none <- stability_selection(d$x, rnorm(40), q = 2, cutoff = 0.99, n_pairs = 20, seed = 1)
  y <- rnorm(40)
  none <- stability_selection(d$x, y, q = 2, cutoff = 0.99, n_pairs = 20, seed = 1)
  refused("selects no feature", none, d$x, y)
  never <- none$table$feature[none$table$frequency == 0][1]
  expect_identical(feature_effects(none, d$x, y, features = never)$table$left_out, NA_real_)
})

test_that("the print and the picture show the three effects", {
  d <- simulated(60, 100)
  fit <- fealect(d$x, d$y, n_runs = 20, oob = FALSE, seed = 1)
  found <- feature_effects(fit, d$x, d$y, features = fit$features[1:4])
  expect_snapshot(found)
  expect_snapshot(summary(found))
  expect_lte(max(nchar(format(found))), 80)
  skip_if_not_installed("ggplot2")
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(found, n = 3))
  expect_equal(drawn$data[[2]]$x, found$table$lower[1:3])
  expect_setequal(drawn$data[[3]]$x, unlist(found$table[1:3, c("effect", "left_out", "in_sample")]))
  skip_if_not_installed("survival")
  times <- survival::Surv(rexp(60, exp(d$x[, 1])), rep(1, 60))
  ratio <- feature_effects(fealect(d$x, times, n_runs = 10, seed = 1), d$x, times)
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(ratio))
  expect_equal(drawn$data[[1]]$xintercept, 0)
})

test_that("the help says what simulations found", {
  cells <- result_of("effects", "cells")
  at <- function(what, value = what) cells[cells$what == what & cells$value == value, ]
  all <- at("all")
  procedures <- cells$covered[cells$what == "procedure"]
  expect_says(
    "R/evaluate-effects.R", paste(
      "simulations on real features (%d named features, `experiments/effects`), effects in all",
      "samples were too large by %.1f standard errors on average, effects in left-out samples by",
      "%.1f, and corrected effects by %.1f. Intervals contained %.0f %% of the true effects, from",
      "%.0f %% to %.0f %% by procedure; intervals around the effects in all samples contained %.0f",
      "%%."
    ),
    all$n, all$bias.in_sample, all$bias.left_out, all$bias.effect, 100 * all$covered,
    100 * min(procedures), 100 * max(procedures), 100 * all$covered_in_sample
  )
  expect_says(
    "R/evaluate-effects.R", paste(
      "Corrected effects of the features that made the outcome were too small by %.1f, those of",
      "others too large by %.1f."
    ),
    -at("true", "TRUE")$bias.effect, at("true", "FALSE")$bias.effect
  )
  rows <- result_of("effects", "features")
  rows <- rows[stats::complete.cases(rows), ]
  expect_identical(nrow(rows), all$n)
  expect_equal(mean(rows$effect - rows$truth), all$bias.effect, tolerance = 0.01)
})

test_that("eliminations vote for the features that their runs kept", {
  d <- matrix_data
  fit <- eliminate_features(
    d$x, d$classes, learner_logistic(), resampling = resample_folds(3), seed = 1
  )
  effects <- feature_effects(fit, d$x, d$classes, features = "g1")$table
  counts <- fit$resamples$counts[, fit$selection$status == "ok"]
  kept <- as.matrix(fit$selection$selected)["g1", ] > 0
  left <- rowSums(counts[, kept, drop = FALSE] == 0)
  # A plain difference in the samples that these runs left out.
  rest <- left > 0
  ill <- d$classes == "ill"
  means <- tapply(d$x[rest, 1], ill[rest], mean)
  spread <- sqrt(sum((d$x[rest, 1] - means[as.character(ill[rest])])^2) / (sum(rest) - 2))
  expect_true(all(left[rest] == left[rest][1]))
  expect_equal(effects$left_out, unname(means["TRUE"] - means["FALSE"]) / spread)
})

test_that("effects say what of the samples they do not use", {
  data <- withr::with_seed(1, list(x = matrix(stats::rnorm(40 * 6), 40), time = stats::rexp(40)))
  colnames(data$x) <- letters[1:6]
  y <- new_surv(data$time, rep(c(1, 1, 0, 1), 10))
  effects <- function(...) {
    fit <- stability_selection(data$x, y, q = 2, cutoff = 0.7, n_pairs = 4, ..., seed = 1)
    told <- feature_effects(fit, data$x, y, features = 1:2)$effect$meaning
    # A report has effects of its own.
    study <- open_again(data$x, y, fit, "survival", "a report")
    expect_match(effects_of_report(fit, study, "a")$meaning, sub("^[^;]*", "", told), fixed = TRUE)
    told
  }
  expect_match(effects(strata = rep(1:2, 20)), "; strata are not used$")
  expect_match(effects(weights = rep(1:2, 20)), "; all samples count alike, whatever their weight$")
  expect_no_match(effects(), ";")
})
