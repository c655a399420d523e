# find_signals() on clusters of features.

# Four features each of eight clusters, one of them with the opposite sign, and four alone.
clustered_data <- function(n = 40, seed = 1, strength = 2) {
  withr::with_seed(seed, {
    common <- matrix(stats::rnorm(n * 8), n)
    x <- common[, rep(1:8, each = 4)] + 0.6 * matrix(stats::rnorm(n * 32), n)
    x[, 6] <- -x[, 6]
    x <- cbind(x, matrix(stats::rnorm(n * 4), n))
    colnames(x) <- paste0("g", 1:36)
    y <- strength * (common[, 2] - common[, 5]) + stats::rnorm(n)
    list(x = 10 + 3 * x, y = y, clusters = c(rep(paste0("c", 1:8), each = 4), rep(NA, 4)))
  })
}

# Means of standardised features with the signs of the data above.
plain_profiles <- function(x) {
  z <- scale(x)
  z[, 6] <- -z[, 6]
  profiles <- vapply(1:8, function(k) rowMeans(z[, 4 * k - 3:0]), numeric(nrow(x)))
  out <- cbind(profiles, z[, 33:36])
  dimnames(out) <- list(NULL, c(paste0("c", 1:8), colnames(x)[33:36]))
  out
}

test_that("clusters are judged by their mean profiles, whatever is asked besides", {
  data <- clustered_data()
  profiles <- plain_profiles(data$x)
  held <- withr::with_seed(2, stats::rnorm(40))
  blocks <- rep(1:10, each = 4)
  compare <- function(...) {
    grouped <- find_signals(data$x, data$y, clusters = data$clusters, permute = 99, seed = 1, ...)
    plain <- find_signals(profiles, data$y, permute = 99, seed = 1, ...)
    at <- match(plain$marginal$feature, grouped$marginal$feature)
    expect_equal(grouped$marginal$correlation[at], plain$marginal$correlation)
    expect_identical(grouped$features, plain$features)
    expect_equal(grouped$p_value, plain$p_value)
    expect_equal(grouped$table[names(plain$table)], plain$table)
    expect_equal(grouped$null$maxima, plain$null$maxima, tolerance = 1e-6)
    grouped
  }
  fit <- compare()
  expect_setequal(fit$features, c("c5", "c2"))
  compare(null = "rotation")
  compare(covariates = held)
  compare(blocks = blocks)
  y <- data$y > 0
  grouped <- find_signals(data$x, y, clusters = data$clusters, permute = 99, seed = 1)
  expect_identical(
    grouped$table$probability,
    find_signals(profiles, y, permute = 99, seed = 1)$table$probability
  )
})

test_that("a named cluster has its size, its representative and its members", {
  data <- clustered_data()
  fit <- find_signals(data$x, data$y, clusters = data$clusters, permute = 99, seed = 1)
  profiles <- plain_profiles(data$x)
  r <- vapply(1:36, function(j) {
    cluster <- if (j > 32) paste0("g", j) else paste0("c", (j + 3) %/% 4)
    stats::cor(data$x[, j], profiles[, cluster])
  }, 0)
  expect_equal(fit$members$correlation, r)
  expect_lt(fit$members$correlation[6], -0.5)
  expect_identical(fit$members$feature, colnames(data$x))
  second <- fit$table[fit$table$feature == "c2", ]
  expect_identical(second$size, 4L)
  best <- colnames(data$x)[5:8][order(-abs(r[5:8]))]
  expect_identical(second$representative, best[1])
  expect_identical(second$members, paste(best, collapse = ", "))
  expect_identical(fit$study$p, 36L)
  expect_identical(nrow(fit$marginal), 12L)
  expect_identical(selected(fit), fit$features)
  text <- printed_words(fit)
  said <- sprintf("%d clusters can be named", length(fit$features))
  expect_match(text, sprintf("List %d clusters with probability", length(fit$features)))
  expect_match(text, "largest of 12 correlations of\\s+cluster means")
  expect_match(text, "expected number of wrong names: (below )?0")
  text <- printed_words(summary(fit))
  expect_match(text, sprintf("Members of c2, and their correlations with its mean: %s", best[1]))
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(fit)
  expect_identical(gsub("\n", " ", picture$labels$title), said)
  expect_identical(picture$labels$x, "Rank of the cluster")
})

test_that("clusters come in all the forms of stability_selection(), with its frequencies", {
  data <- clustered_data()
  found <- cluster_features(data$x, threshold = 0.5)
  named <- split(names(found$membership), found$membership)
  by_object <- find_signals(data$x, data$y, clusters = found, permute = 99, seed = 1)
  by_list <- find_signals(data$x, data$y, clusters = named, permute = 99, seed = 1)
  expect_setequal(by_list$features, by_object$features)
  stable <- stability_selection(
    data$x, data$y, q = 4, cutoff = 0.7, clusters = found, n_pairs = 10, permute = 0, seed = 1
  )
  fit <- find_signals(
    data$x, data$y, clusters = found, permute = 99, seed = 1, result = stable
  )
  at <- match(fit$features, stable$table$feature)
  expect_identical(fit$table$frequency, stable$table$frequency[at])
  expect_error(
    find_signals(data$x, data$y, permute = 99, seed = 1, result = stable),
    "other features", class = "stabilect_error_input"
  )
  expect_error(
    find_signals(data$x, data$y, clusters = list(a = "g1", b = "g1"), permute = 99),
    "in two of the", class = "stabilect_error_input"
  )
  expect_error(
    find_signals(data$x, data$y, clusters = rep("a", 36), permute = 99),
    "All 36 features are in one", class = "stabilect_error_input"
  )
  expect_error(
    find_signals(data$x, data$y, clusters = 1:3, permute = 99), "clusters",
    class = "stabilect_error_input"
  )
  one <- find_signals(data$x, data$y, clusters = found, permute = 99, seed = 1, n_threads = 2)
  expect_identical(one, by_object)
})

test_that("without signal the p value of clusters is uniform, and names are as rare as it says", {
  data <- clustered_data(n = 24, strength = 0)
  fits <- lapply(1:200, function(k) {
    y <- withr::with_seed(1000 + k, stats::rexp(24))
    find_signals(
      data$x, y, clusters = data$clusters, null = "permutation", permute = 39, seed = k
    )
  })
  p <- vapply(fits, `[[`, 0, "p_value")
  # Two-sided, three binomial standard errors.
  for (level in c(0.05, 0.25, 0.5)) {
    expect_lte(abs(mean(p <= level) - level), 3 * sqrt(level * (1 - level) / 200))
  }
  named <- vapply(fits, function(fit) length(fit$features) > 0, NA)
  expect_lte(mean(named), 0.05 + 3 * sqrt(0.05 * 0.95 / 200))
  expect_true(all(p[named] <= 0.05))
})
