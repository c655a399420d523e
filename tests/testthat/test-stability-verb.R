# Runs that select features with given probabilities, independently.
bernoulli_runs <- function(m, p = 30, seed = 1) {
  withr::with_seed(seed, {
    chance <- c(rep(0.9, 5), rep(0.5, 5), rep(0.1, p - 10))
    as_selection(matrix(stats::rbinom(m * p, 1, rep(chance, each = m)), m))
  })
}

test_that("stability() gives Nogueira's published numbers", {
  z <- rbind(c(1, 1, 0, 0, 0), c(1, 1, 1, 0, 0), c(1, 0, 0, 0, 0), c(1, 1, 0, 1, 0))
  fit <- stability(z, interval = "analytic")
  expect_equal(fit$table$estimate, 0.393939393939, tolerance = 1e-11)
  expect_equal(fit$table$se^2, 0.00744615834913, tolerance = 1e-11)
  half <- stats::qnorm(0.975) * sqrt(0.00744615834913)
  expect_equal(fit$table$upper, 0.393939393939 + half, tolerance = 1e-10)
})

test_that("the jackknife is that of its textbook formula, for every index", {
  runs <- bernoulli_runs(8)
  indices <- setdiff(
    list_available("indices")$index,
    c("kuncheva", grep("^intersection", list_available("indices")$index, value = TRUE))
  )
  x <- withr::with_seed(2, matrix(rnorm(20 * 30), 20))
  options_known <- function(name) {
    options <- list(similarity = list(x = x), threshold = 0.3, location = 5)
    options[intersect(names(options), own_options(index_records()[[name]]))]
  }
  fit <- stability(runs, indices, similarity = list(x = x), threshold = 0.3, location = 5)
  for (name in indices) {
    loo <- vapply(1:8, function(i) {
      do.call(value_of_index, c(list(runs[-i], name), options_known(name)))
    }, 0)
    row <- fit$table[fit$table$index == name, ]
    se <- sqrt(7 / 8 * sum((loo - mean(loo))^2))
    expect_equal(row$se, se, tolerance = 1e-8, info = name)
    expect_equal(
      row$upper, min(1, row$estimate + stats::qt(0.975, 7) * se), tolerance = 1e-8, info = name
    )
  }
})

test_that("intervals need three runs", {
  two <- stability(bernoulli_runs(2), c("nogueira", "jaccard"))
  expect_true(all(is.na(two$table$lower)) && !anyNA(two$table$estimate))
  expect_match(two$table$note, "at least 3 runs")
})

test_that("runs that do not vary have a lower limit", {
  same <- matrix(rep(c(1, 1, 0, 0), 5), 5, byrow = TRUE)
  for (interval in c("jackknife", "analytic", "bootstrap")) {
    table <- stability(same, interval = interval, seed = 1)$table
    # Two runs are the same with this probability when five are with 2.5 %.
    expect_equal(c(table$estimate, table$lower, table$upper), c(1, 0.025^0.4, 1))
    expect_identical(table$se, NA_real_)
    expect_match(table$note, "do not vary")
  }
  # Importance and scores count for the indices that look at them.
  score <- matrix(c(3, 2, 1, 0), 4, 5) + 0
  runs <- as_selection(score, runs_in = "columns", type = "weight", n_features = 2)
  expect_match(stability(runs, "spearman")$table$note, "do not vary")
  score[1:2, 1] <- c(2, 3)
  runs <- as_selection(score, runs_in = "columns", type = "weight", n_features = 2)
  both <- stability(runs, c("nogueira", "spearman"))$table
  expect_match(both$note[1], "do not vary")
  expect_match(both$note[2], "all runs but 1 are the same")
  # Three disjoint sets say nothing about how much a fourth would differ.
  apart <- stability(as_selection(list(1:2, 3:4, 5:6), n_total = 20), c("jaccard", "nogueira"))
  expect_true(all(is.na(apart$table$lower)))
  expect_match(apart$table$note, "equally well")
})

test_that("where few runs deviate, limits are those of a binomial share", {
  one <- as_selection(c(rep(list(1:10), 9), list(2:11)), n_total = 100)
  table <- stability(one, "jaccard")$table
  # A deviating run of ten makes nine pairs of 45 worse by 2 / 11, twice its share of the runs.
  loss <- 2 * 2 / 11
  share <- stats::binom.test(1, 10)$conf.int
  expect_equal(table$estimate, 1 - loss / 10)
  expect_equal(c(table$lower, table$upper), 1 - loss * rev(share), tolerance = 1e-8)
  expect_match(table$note, "all runs but 1")
  one_lower <- table$lower
  # Two sets: the limits hold the values of all shares between the exact limits.
  sets <- as_selection(c(rep(list(1:10), 11), rep(list(6:15), 9)), n_total = 100)
  table <- stability(sets, "jaccard")$table
  share <- stats::binom.test(9, 20)$conf.int
  q <- seq(share[1], share[2], length.out = 1001)
  truth <- 1 - 2 * q * (1 - q) * (1 - 5 / 15)
  expect_lte(table$lower, min(truth) + 1e-9)
  expect_equal(table$upper, max(truth), tolerance = 1e-6)
  # Sizes by which few runs decide.
  uneven <- withr::with_seed(1, as_selection(
    lapply(rep(c(5, 60), c(16, 4)), function(k) sample.int(100, k)), n_total = 100
  ))
  table <- stability(uneven, c("nogueira", "jaccard"))$table
  expect_identical(is.na(table$lower), c(TRUE, FALSE))
  expect_match(table$note[1], "sizes from 5 to 60 a few runs decide")
  expect_false(is.na(stability(uneven, interval = "bootstrap", n_boot = 200, seed = 1)$table$lower))
  expect_error(test_stability(uneven), "a few runs decide", class = "stabilect_error_input")
  # A run that deviates more takes the first steps of the share, and those for runs not seen.
  two <- as_selection(c(rep(list(1:10), 8), list(2:11), list(21:30)), n_total = 100)
  expect_lt(stability(two, "jaccard")$table$lower, one_lower - 0.3)
})

test_that("intervals stay inside the range of the index", {
  runs <- as_selection(list(1:2, 1:2, 1:2, c(1, 3)), n_total = 40)
  table <- stability(runs, c("jaccard", "nogueira", "hamming"), conf_level = 0.999)$table
  expect_true(all(table$upper <= 1))
  expect_true(all(table$lower >= c(0, -1 / 3, 0)))
})

test_that("the bootstrap interval is that of the package boot", {
  skip_if_not_installed("boot")
  runs <- bernoulli_runs(25)
  z <- t(as.matrix(runs$selected)) * 1
  # CW is a plain ratio of sums; pairs of a run with its copy are left out, as in stability().
  statistic <- function(z, rows) {
    w <- tabulate(rows, nrow(z))
    h <- colSums(w * z)
    pairs <- sum(h^2) - sum(w^2 * rowSums(z))
    # The expected number of pairs of each size law is that of the drawn runs.
    pairs / sum(w * rowSums(z)) / (sum(w) - 1) * (sum(w)^2 - sum(w)) / (sum(w)^2 - sum(w^2))
  }
  peer <- withr::with_seed(1, boot::boot(z, statistic, R = 4000))
  expect_equal(peer$t0, value_of_index(runs, "cw"), tolerance = 1e-12)
  limits <- boot::boot.ci(peer, type = "bca")$bca[4:5]
  ours <- stability(runs, "cw", interval = "bootstrap", n_boot = 4000, seed = 2)$table
  expect_equal(c(ours$lower, ours$upper), limits, tolerance = 0.03)
  expect_equal(ours$se, stats::sd(peer$t), tolerance = 0.1)
})

test_that("the user's generator is touched only for what is random", {
  runs <- bernoulli_runs(6)
  withr::with_seed(1, {
    before <- .Random.seed
    stability(runs, c("nogueira", "jaccard"))
    expect_identical(.Random.seed, before)
    stability(runs, interval = "bootstrap", n_boot = 100, seed = 3)
    expect_identical(.Random.seed, before)
    stability(runs, interval = "bootstrap", n_boot = 100)
    expect_false(identical(.Random.seed, before))
  })
  one <- stability(runs, "nogueira", interval = "bootstrap", n_boot = 200, seed = 3)
  expect_identical(one, stability(runs, "nogueira", interval = "bootstrap", n_boot = 200, seed = 3))
})

test_that("failed runs are left out, and said", {
  runs <- bernoulli_runs(6)
  runs$status[2] <- "did not converge"
  runs$selected[, 2] <- FALSE
  fit <- stability(runs)
  expect_identical(c(fit$n_runs, fit$n_failed), c(5L, 1L))
  expect_equal(fit$table$estimate, stability(bernoulli_runs(6)[-2])$table$estimate)
  expect_output(print(fit), "1 failed run left out")
})

test_that("every index says what it is, and stays in its range", {
  table <- list_available("indices")
  expect_identical(anyDuplicated(table$index), 0L)
  expect_identical(
    table$options[table$index %in% c("davis", "weighted_overlap")],
    c("penalty, impute_na", "location, weights")
  )
  runs <- bernoulli_runs(6)
  x <- withr::with_seed(2, matrix(rnorm(20 * 30), 20))
  values <- stability(
    runs, "all", similarity = list(x = x), threshold = 0.3, n_draws = 100, seed = 1
  )$table$estimate
  # Chains of such low correlations join all features to one group.
  expect_identical(values[table$index == "phi_iw_similar"], NA_real_)
  for (i in which(!table$index %in% c("kuncheva", "phi_iw_similar"))) {
    value <- values[i]
    range <- index_range(index_records()[[i]], list(n_runs = 6, n_total = 30))
    expect_true(value >= range[1] - 1e-9 && value <= range[2] + 1e-9, info = table$index[i])
  }
  same <- as_selection(list(1:4, 1:4, 1:4), n_total = 9)
  reach <- table$index[table$family == "sets" & !table$index %in% "lustgarten"]
  expect_equal(stability(same, reach)$table$estimate, rep(1, length(reach)))
})

test_that("bad input is refused by name and advice", {
  runs <- bernoulli_runs(5)
  expect_error(stability(runs, "nogeira"), "Did you mean \"nogueira\"", class = "stabilect_error")
  expect_error(stability(runs, 3), "`index` must hold names")
  expect_error(stability(runs, "yu"), "needs the argument `similarity`")
  expect_error(stability(runs, "jaccard", interval = "analytic"), "only for \"nogueira\"")
  expect_error(stability(runs[1]), "at least 2 successful runs")
  expect_error(stability(runs, conf_level = 1), "`conf_level`")
  expect_error(stability(runs, n_boot = 10), "`n_boot`")
  expect_error(stability(runs, "davis", penalty = -1), "`penalty`")
})

test_that("an option that no chosen index has is refused, with those there are", {
  runs <- bernoulli_runs(5)
  expect_refusals({
    stability(runs, "davis", location = 3)
    stability(runs, c("davis", "dice"), method = "bootstrap")
    value_of_index(runs, "phi_iw", impute_na = 0)
    stability(runs, "davis", 0.95, "jackknife", FALSE, 1)
  })
  both <- stability(runs, c("davis", "canberra"), location = 3, penalty = 0.5)$table$estimate
  expect_identical(both, c(
    value_of_index(runs, "davis", penalty = 0.5), value_of_index(runs, "canberra", location = 3)
  ))
})

test_that("stabilities print, and are drawn", {
  runs <- bernoulli_runs(6)
  expect_snapshot(print(stability(runs, c("nogueira", "kuncheva"), corrected = TRUE)))
  skip_if_not_installed("ggplot2")
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(stability(runs, c("nogueira", "dice")))))
})
