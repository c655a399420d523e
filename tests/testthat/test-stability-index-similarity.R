# Indices that know similar features against stabm, enumeration and formulas.

test_that("all indices are those of stabm, before and after its exact correction", {
  cases <- readRDS(test_path("fixtures", "stabm.rds"))$cases
  compared <- 0
  for (case in cases[seq(1, length(cases), by = 3)]) {
    data <- similar_data(case$sets, case$p)
    for (name in similarity_names()) {
      # Their Yu is not defined for two empty sets; the size of an intersection is.
      if (name == "yu" && sum(data$size == 0) > 1) next
      expect_equal(
        uncorrected(name, data, case$similarity, case$threshold), case$values[[name]],
        tolerance = 1e-10, info = name
      )
    }
    similar <- any(case$similarity[upper.tri(case$similarity)] >= case$threshold)
    for (name in intersect(names(case$corrected), similarity_names())) {
      # Without similar features stabm takes the unadjusted index for Yu's.
      if (name == "yu" && !similar) next
      value <- similar_value(
        name, data, similarity = case$similarity, threshold = case$threshold, corrected = TRUE
      )
      expect_identical(is.na(value$estimate), is.na(case$corrected[[name]]), info = name)
      if (is.na(value$estimate)) next
      expect_lt(abs(value$estimate - case$corrected[[name]]), max(5 * value$mc_se, 1e-10))
      if (!name %in% intersections) expect_identical(value$mc_se, 0)
      compared <- compared + 1
    }
  }
  expect_gt(compared, 50)
})

test_that("larger cases are those of the installed stabm", {
  skip_if_not_installed("stabm")
  s <- random_similarity(30, 4)
  set.seed(2)
  sets <- random_sets(30, rep_len(c(3, 8, 12), 6))
  data <- similar_data(sets, 30)
  peers <- list(
    intersection_count = stabm::stabilityIntersectionCount,
    intersection_mean = stabm::stabilityIntersectionMean,
    intersection_greedy = stabm::stabilityIntersectionGreedy,
    yu = stabm::stabilityYu, zucknick = stabm::stabilityZucknick
  )
  for (name in names(peers)) {
    expect_equal(
      uncorrected(name, data, s, 0.7),
      peers[[name]](sets, s, 0.7, "none"),
      tolerance = 1e-12
    )
  }
  expect_equal(
    uncorrected("sechidis", data, s, 0.7),
    stabm::stabilitySechidis(sets, s, 0.7),
    tolerance = 1e-12
  )
})

# Mean of the adjusted intersection over all pairs of sets of these sizes, by brute force.
enumerated <- function(name, p, a, b, input) {
  sets <- c(utils::combn(p, a, simplify = FALSE), utils::combn(p, b, simplify = FALSE))
  data <- similar_data(sets, p)
  size <- compare_similar(input, data, name, 1L)
  mean(size[data$size == a, data$size == b])
}

test_that("expectations under random selection are those of full enumeration", {
  p <- 6
  s <- random_similarity(p, 3)
  for (sizes in list(c(2, 3), c(1, 5))) {
    data <- similar_data(list(seq_len(sizes[1]), seq_len(sizes[2])), p)
    input <- similarity_input(data, s, 0.5, 1L, 1L)
    highest <- c(
      stats::setNames(rep(sqrt(prod(sizes)), 4), intersections), yu = mean(sizes), zucknick = 1
    )
    for (name in names(highest)) {
      value <- similar_value(
        name, data, similarity = s, threshold = 0.5, n_draws = 4000, corrected = TRUE
      )
      # Back from (observed - chance) / (highest - chance).
      observed <- compare_similar(input, data, name, 1L)[1, 2]
      chance <- (observed - value$estimate * highest[[name]]) / (1 - value$estimate)
      se <- value$mc_se * (highest[[name]] - chance)^2 / abs(observed - highest[[name]])
      truth <- enumerated(name, p, sizes[1], sizes[2], input)
      expect_lt(abs(chance - truth), if (name %in% intersections) 4 * se + 1e-12 else 1e-12)
    }
  }
})

test_that("given sizes that differ, phi_C is negative for random runs, and zero once corrected", {
  s <- random_similarity(4)
  mean_over_all <- function(corrected) {
    mean(vapply(all_choices(4, c(1, 2, 3)), function(sets) {
      similar_value(
        "sechidis", similar_data(sets, 4), similarity = s, threshold = 0, corrected = corrected
      )$estimate
    }, 0))
  }
  expect_lt(mean_over_all(FALSE), -0.05)
  expect_lt(abs(mean_over_all(TRUE)), 1e-12)
})

test_that("random runs have mean zero once corrected", {
  p <- 40
  s <- random_similarity(p, 5)
  set.seed(8)
  data <- similar_data(random_sets(p, rep_len(c(3, 6, 10), 150)), p)
  for (name in similarity_names()) {
    value <- similar_value(name, data, similarity = s, threshold = 0.8, corrected = TRUE)
    m <- data$n_runs
    se <- sqrt((m - 1) / m * sum((value$loo - mean(value$loo))^2) + value$mc_se^2)
    expect_lt(abs(value$estimate), 4 * se)
    expect_gt(se, 0)
    expect_lt(value$mc_se, 0.02)
  }
})

test_that("the Monte Carlo error is that of repeated draws", {
  s <- random_similarity(20, 6)
  set.seed(4)
  data <- similar_data(random_sets(20, rep_len(c(4, 7), 5)), 20)
  values <- lapply(seq_len(60), function(seed) {
    similar_value(
      "intersection_mbm", data, similarity = s, threshold = 0.7, n_draws = 100, seed = seed
    )
  })
  spread <- stats::sd(vapply(values, `[[`, 0, "estimate"))
  claimed <- mean(vapply(values, `[[`, 0, "mc_se"))
  expect_gt(claimed / spread, 0.7)
  expect_lt(claimed / spread, 1.4)
})

test_that("without similar features the correction is exact, and the old indices come back", {
  set.seed(3)
  sets <- random_sets(25, rep_len(c(4, 6, 9), 8))
  data <- similar_data(sets, 25)
  size <- lengths(sets)
  overlap <- outer(seq_along(sets), seq_along(sets), Vectorize(function(i, j) {
    length(intersect(sets[[i]], sets[[j]]))
  }))
  chance <- outer(size, size) / 25
  mean_of <- function(best) mean(((overlap - chance) / (best - chance))[upper.tri(overlap)])
  for (name in intersections) {
    value <- similar_value(name, data, similarity = diag(25))
    expect_equal(value$estimate, mean_of(sqrt(outer(size, size))), tolerance = 1e-12)
    expect_lt(value$mc_se, 1e-12)
  }
  yu <- similar_value("yu", data, similarity = diag(25))
  expect_equal(yu$estimate, mean_of(outer(size, size, `+`) / 2), tolerance = 1e-12)
})

test_that("phi_C with C = identity is Nogueira's index", {
  set.seed(6)
  sets <- random_sets(30, rep_len(c(5, 8, 2), 12))
  z <- vapply(sets, function(v) as.numeric(seq_len(30) %in% v), numeric(30))
  k <- mean(colSums(z)) / 30
  nogueira <- 1 - mean(apply(z, 1, stats::var)) / (k * (1 - k))
  for (similarity in list(diag(30), Matrix::Diagonal(30), seq_len(30))) {
    value <- similar_value("sechidis", similar_data(sets, 30), similarity = similarity)
    expect_equal(value$estimate, nogueira, tolerance = 1e-12)
  }
})

test_that("phi_C of correlations equals the one of the p x p matrix", {
  set.seed(7)
  x <- matrix(stats::rnorm(20 * 15), 20)
  sets <- random_sets(15, rep_len(c(3, 6), 9))
  z <- vapply(sets, function(v) as.numeric(seq_len(15) %in% v), numeric(15))
  by_matrix <- function(c_matrix) {
    k <- colSums(z)
    a <- mean(k) / 15 * (1 - mean(k) / 15)
    b <- (mean(k^2) - mean(k)) / (15 * 14) - (mean(k) / 15)^2
    sigma <- matrix(b, 15, 15)
    diag(sigma) <- a
    1 - sum(diag(c_matrix %*% stats::cov(t(z)))) / sum(diag(c_matrix %*% sigma))
  }
  phi <- function(x) {
    similar_value("sechidis", similar_data(sets, 15), similarity = list(x = x))$estimate
  }
  expect_equal(phi(x), by_matrix(stats::cor(x)), tolerance = 1e-12)
  # A constant column is like itself alone.
  x[, 4] <- 2
  c_matrix <- suppressWarnings(stats::cor(x))
  c_matrix[is.na(c_matrix)] <- 0
  c_matrix[4, 4] <- 1
  expect_equal(phi(x), by_matrix(c_matrix), tolerance = 1e-12)
})
