# The selection that these sets are; p features.
sets_selection <- function(sets, p, score = NULL, importance = NULL) {
  selected <- Matrix::sparseMatrix(
    i = unlist(lapply(sets, sort)), p = c(0L, cumsum(lengths(sets))), dims = c(p, length(sets)),
    dimnames = list(paste0("V", seq_len(p)), NULL)
  )
  if (is.null(score)) score <- methods::as(selected, "dMatrix")
  new_selection(
    score, selected, rep("ok", length(sets)), "test",
    importance = importance
  )
}

sets_data <- function(...) index_runs(sets_selection(...))

similarity_names <- function() {
  table <- list_stability_indices()
  table$index[table$family == "similarity"]
}

# The value of an index with those of these options that it knows.
similar_value <- function(name, runs, ..., corrected = FALSE, seed = 1, n_threads = 1) {
  options <- list(...)
  options <- options[intersect(names(options), own_options(index_records()[[name]]))]
  arguments <- list(runs, name, corrected = corrected, seed = seed, n_threads = n_threads)
  do.call(index_values, c(arguments, options))[[1]]
}

intersections <- paste0("intersection_", c("count", "mean", "greedy", "mbm"))

random_sets <- function(m, p, sizes) lapply(rep_len(sizes, m), function(k) sample.int(p, k))

random_similarity <- function(p, seed = 1) {
  set.seed(seed)
  s <- abs(stats::cor(matrix(stats::rnorm(6 * p), 6)))
  diag(s) <- 1
  s
}

# The values before correction: for the intersections and Yu their mean size.
uncorrected <- function(name, data, similarity, threshold) {
  if (name %in% c("zucknick", "sechidis")) {
    return(similar_value(name, data, similarity = similarity, threshold = threshold)$estimate)
  }
  size <- compare_similar(similarity_input(data, similarity, threshold, 1L, 1L), data, name, 1L)
  mean(size[upper.tri(size)])
}

test_that("all indices are those of stabm, before and after its exact correction", {
  cases <- readRDS(test_path("fixtures", "stabm.rds"))$cases
  compared <- 0
  for (case in cases[seq(1, length(cases), by = 3)]) {
    data <- sets_data(case$sets, case$p)
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
  sets <- random_sets(6, 30, c(3, 8, 12))
  data <- sets_data(sets, 30)
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
  data <- sets_data(sets, p)
  size <- compare_similar(input, data, name, 1L)
  mean(size[data$size == a, data$size == b])
}

test_that("expectations under random selection are those of full enumeration", {
  p <- 6
  s <- random_similarity(p, 3)
  for (sizes in list(c(2, 3), c(1, 5))) {
    data <- sets_data(list(seq_len(sizes[1]), seq_len(sizes[2])), p)
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
        "sechidis", sets_data(sets, 4), similarity = s, threshold = 0, corrected = corrected
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
  data <- sets_data(random_sets(150, p, c(3, 6, 10)), p)
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
  data <- sets_data(random_sets(5, 20, c(4, 7)), 20)
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
  sets <- random_sets(8, 25, c(4, 6, 9))
  data <- sets_data(sets, 25)
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
  sets <- random_sets(12, 30, c(5, 8, 2))
  z <- vapply(sets, function(v) as.numeric(seq_len(30) %in% v), numeric(30))
  k <- mean(colSums(z)) / 30
  nogueira <- 1 - mean(apply(z, 1, stats::var)) / (k * (1 - k))
  for (similarity in list(diag(30), Matrix::Diagonal(30), seq_len(30))) {
    value <- similar_value("sechidis", sets_data(sets, 30), similarity = similarity)
    expect_equal(value$estimate, nogueira, tolerance = 1e-12)
  }
})

test_that("phi_C of correlations equals the one of the p x p matrix", {
  set.seed(7)
  x <- matrix(stats::rnorm(20 * 15), 20)
  sets <- random_sets(9, 15, c(3, 6))
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
    similar_value("sechidis", sets_data(sets, 15), similarity = list(x = x))$estimate
  }
  expect_equal(phi(x), by_matrix(stats::cor(x)), tolerance = 1e-12)
  # A constant column is like itself alone.
  x[, 4] <- 2
  c_matrix <- suppressWarnings(stats::cor(x))
  c_matrix[is.na(c_matrix)] <- 0
  c_matrix[4, 4] <- 1
  expect_equal(phi(x), by_matrix(c_matrix), tolerance = 1e-12)
})

test_that("the four ways to give a similarity agree", {
  set.seed(9)
  sets <- random_sets(7, 24, c(4, 7))
  data <- sets_data(sets, 24)
  group <- rep(c("a", "b", "c"), c(6, 8, 10))
  by_group <- outer(group, group, `==`) * 1
  x <- matrix(stats::rnorm(12 * 24), 12)
  x[, 13:24] <- x[, 1:12] + 0.4 * x[, 13:24]
  correlation <- abs(stats::cor(x))
  for (name in similarity_names()) {
    number <- function(similarity, threshold = 0.6) {
      similar_value(
        name, data, similarity = similarity, threshold = threshold, corrected = TRUE
      )[c("estimate", "loo", "mc_se")]
    }
    expect_equal(number(group), number(by_group), tolerance = 1e-12)
    expect_equal(
      number(methods::as(by_group, "CsparseMatrix")), number(by_group),
      tolerance = 1e-12
    )
    if (name != "sechidis") {
      expect_equal(number(list(x = x)), number(correlation), tolerance = 1e-10)
    }
  }
})

test_that("features are matched by name", {
  set.seed(10)
  sets <- random_sets(6, 12, 4)
  s <- random_similarity(12, 2)
  shuffle <- sample(12)
  named <- s
  dimnames(named) <- list(paste0("V", 1:12), paste0("V", 1:12))
  labels <- stats::setNames(rep(1:4, 3), paste0("V", 1:12))
  x <- matrix(stats::rnorm(120), 10, dimnames = list(NULL, paste0("V", 1:12)))
  value <- function(similarity) {
    similar_value("yu", sets_data(sets, 12), similarity = similarity, threshold = 0.6)$estimate
  }
  expect_identical(value(named[shuffle, shuffle]), value(s))
  expect_identical(value(labels[shuffle]), value(unname(labels)))
  expect_identical(value(list(x = x[, shuffle])), value(list(x = unname(x))))
})

test_that("beyond the limit correlations are sampled for chance alone", {
  # 84 copies of 60 features: more than are looked at whole, and a sparse matrix of similarities.
  set.seed(11)
  x <- matrix(stats::rnorm(30 * 60), 30)
  x[, 31:60] <- x[, 1:30] + 0.5 * x[, 31:60]
  alike <- abs(stats::cor(x))
  alike[alike < 0.6] <- 0
  whole <- Matrix::kronecker(matrix(1, 84, 84), Matrix::Matrix(alike, sparse = TRUE))
  x <- x[, rep(1:60, 84)]
  data <- sets_data(random_sets(8, 60, c(5, 9)), ncol(x))
  names <- setdiff(similarity_names(), "sechidis")
  values <- function(similarity) {
    index_values(data, names, similarity = similarity, threshold = 0.6, corrected = TRUE, seed = 1)
  }
  whole <- values(whole)
  sampled <- values(list(x = x))
  for (name in names) {
    value <- sampled[[name]]
    expect_lt(abs(value$estimate - whole[[name]]$estimate), 6 * value$mc_se + 1e-10)
    expect_lt(value$mc_se, 0.1)
    expect_match(value$note, "1000 of 5040")
  }
})

test_that("an index says whether it takes random numbers", {
  data <- sets_data(random_sets(3, 60, 4), 60)
  draws <- function(name, n_total = 60, corrected = FALSE) {
    data$n_total <- n_total
    index_records()[[name]]$draws(data, list(similarity = list(x = 1), corrected = corrected))
  }
  expect_true(all(vapply(intersections, draws, NA)))
  expect_identical(c(draws("yu"), draws("yu", 6000)), c(FALSE, TRUE))
  expect_identical(c(draws("zucknick", 6000), draws("zucknick", 6000, TRUE)), c(FALSE, TRUE))
  expect_false(draws("sechidis", 6000, TRUE))
})

test_that("leave-one-out, replicates and threads", {
  s <- random_similarity(18, 12)
  set.seed(12)
  sets <- random_sets(7, 18, c(3, 5, 8))
  for (name in similarity_names()) {
    on_runs <- function(keep, ...) {
      similar_value(
        name, sets_data(sets[keep], 18), similarity = s, threshold = 0.7, corrected = TRUE, ...
      )
    }
    value <- on_runs(1:7)
    without <- vapply(1:7, function(i) on_runs(-i)$estimate, 0)
    expect_equal(value$loo, without, tolerance = 1e-12)
    w <- cbind(1, c(1, 1, 0, 1, 0, 1, 1), c(2, 2, 0, 2, 0, 2, 2))
    expect_equal(
      value$replicate(w)[1:2], c(value$estimate, on_runs(c(1, 2, 4, 6, 7))$estimate),
      tolerance = 1e-12
    )
    for (n_threads in 2:3) {
      again <- on_runs(1:7, n_threads = n_threads)
      expect_identical(again[c("estimate", "loo", "mc_se")], value[c("estimate", "loo", "mc_se")])
    }
  }
})

test_that("runs drawn twice are not paired with themselves", {
  s <- random_similarity(18, 12)
  set.seed(13)
  data <- sets_data(random_sets(2, 18, c(3, 5)), 18)
  for (name in setdiff(similarity_names(), "sechidis")) {
    value <- similar_value(name, data, similarity = s, threshold = 0.7)
    expect_equal(value$replicate(cbind(c(5, 2))), value$estimate)
  }
})

test_that("pairs without a score are named, imputed, or left out with their run", {
  sets <- list(1:3, integer(), 2:4, integer())
  data <- sets_data(sets, 8)
  group <- rep(1:4, 2)
  for (name in setdiff(similarity_names(), "sechidis")) {
    value <- similar_value(name, data, similarity = group)
    expect_identical(value$estimate, NA_real_)
    expect_match(value$note, "^runs [12] and [24]: ")
    filled <- similar_value(name, data, similarity = group, impute_na = 0)
    expect_false(is.na(filled$estimate))
    expect_match(filled$note, "pairs set to 0")
  }
  one_empty <- similar_value("intersection_mbm", sets_data(sets[1:3], 8), similarity = group)
  expect_identical(is.na(one_empty$loo), c(TRUE, FALSE, TRUE))
  expect_identical(
    is.na(one_empty$replicate(cbind(c(1, 0, 2), c(1, 1, 0)))), c(FALSE, TRUE)
  )
})

test_that("phi_C is not defined without a set, or when every set is full", {
  for (sets in list(list(integer(), integer(), integer()), list(1:5, 1:5, 1:5))) {
    value <- similar_value("sechidis", sets_data(sets, 5), similarity = diag(5))
    expect_identical(value$estimate, NA_real_)
    expect_true(nzchar(value$note))
  }
})

test_that("an exchange of similar features costs nothing", {
  sets <- list(c(1, 3, 5), c(2, 4, 6), c(1, 4, 5))
  group <- c(1, 1, 2, 2, 3, 3, 4:30)
  for (name in c(intersections, "yu")) {
    value <- similar_value(name, sets_data(sets, 33), similarity = group)
    expect_equal(value$estimate, 1)
  }
})

test_that("similarities that cannot be used are refused", {
  selection <- sets_selection(list(1:3, 2:4, 3:5), 6)
  s <- diag(6)
  expect_snapshot(error = TRUE, {
    stability_value(selection, "yu", similarity = diag(5))
    stability_value(selection, "yu", similarity = s - 0.1)
    s[1, 2] <- 0.9
    stability_value(selection, "yu", similarity = s)
    stability_value(selection, "yu", similarity = 1:4)
    stability_value(selection, "yu", similarity = "a")
    stability_value(selection, "yu", similarity = list(x = matrix(rnorm(20), 4)))
    stability_value(selection, "yu", similarity = diag(6), threshold = 0)
    stability_value(selection, "yu", similarity = stats::setNames(1:6, letters[1:6]))
  })
})

test_that("one number is that of the index", {
  selection <- sets_selection(list(1:3, 2:4, 3:5), 6)
  similarity <- c(1, 1, 2, 2, 3, 3)
  for (name in similarity_names()) {
    expect_identical(
      stability_value(selection, name, similarity = similarity, seed = 1),
      similar_value(name, index_runs(selection), similarity = similarity)$estimate
    )
  }
})
