# Laws of the simulated selector by enumeration, as far from the code as can be: a ranking grows
# feature by feature (Algorithm 3), with its probability.
enumerate_rankings <- function(n_total, preferred, p) {
  grow <- function(done, probability) {
    left <- setdiff(seq_len(n_total), done)
    if (length(left) == 0L) {
      return(list(list(ranking = done, probability = probability)))
    }
    inside <- intersect(left, preferred)
    outside <- setdiff(left, preferred)
    share <- if (length(inside) == 0L) 0 else if (length(outside) == 0L) 1 else p
    weight <- ifelse(left %in% inside, share / length(inside), (1 - share) / length(outside))
    unlist(Map(function(f, w) grow(c(done, f), probability * w), left, weight), recursive = FALSE)
  }
  grow(integer(), 1)
}

# Over all draws of S_m: matrix of rankings (rows) and their probabilities.
ranking_law <- function(n_total, n_features, n_useful, p) {
  pools <- utils::combn(n_useful, n_features, simplify = FALSE)
  all <- unlist(lapply(pools, function(s) enumerate_rankings(n_total, s, p)), recursive = FALSE)
  list(
    ranking = do.call(rbind, lapply(all, function(one) one$ranking)),
    probability = vapply(all, function(one) one$probability, 0) / length(pools)
  )
}

jaccard_of <- function(a, b) length(intersect(a, b)) / length(union(a, b))

test_that("the exact stability of single selectors is that of an enumeration", {
  for (case in list(c(5, 2, 3, 0.7), c(5, 2, 4, 0.2), c(4, 3, 3, 0.6), c(5, 3, 4, 0.5))) {
    law <- ranking_law(case[1], case[2], case[3], case[4])
    key <- apply(law$ranking[, seq_len(case[2]), drop = FALSE], 1, function(s) {
      paste(sort(s), collapse = " ")
    })
    probability <- tapply(law$probability, key, sum)
    sets <- lapply(strsplit(names(probability), " "), as.integer)
    value <- outer(seq_along(sets), seq_along(sets), Vectorize(function(i, j) {
      jaccard_of(sets[[i]], sets[[j]])
    }))
    mean <- drop(probability %*% value %*% probability)
    spread <- sqrt(drop(probability %*% value^2 %*% probability) - mean^2)
    exact <- simulate_stability(case[1], case[2], case[3], case[4], n_weak = 1)$table
    expect_equal(exact$stability, mean)
    expect_equal(exact$sd, spread)
    expect_identical(exact$engine, "exact")
  }
})

test_that("simulated ensembles follow the enumerated law, ties included", {
  law <- ranking_law(4, 1, 2, 0.6)
  rank <- t(apply(law$ranking, 1, order))
  chosen <- numeric(4)
  for (i in seq_len(nrow(rank))) {
    for (j in seq_len(nrow(rank))) {
      total <- rank[i, ] + rank[j, ]
      # The package's order of ties: sum of ranks, then how often first; then by chance.
      key <- total - ((rank[i, ] == 1) + (rank[j, ] == 1)) / 10
      best <- which(key == min(key))
      chosen[best] <- chosen[best] + law$probability[i] * law$probability[j] / length(best)
    }
  }
  expect_equal(sum(chosen), 1)
  useful <- cpp_simulate_sets(4L, 1L, 2L, 0.6, 0, 2L, 40000L, 3, TRUE, 1L, NULL)
  share <- chosen[1] + chosen[2]
  expect_lt(abs(mean(useful) - share), 4 * sqrt(share * (1 - share) / 40000))
  simulated <- simulate_stability(
    4, 1, 2, 0.6, 2, n_simulations = 4000, method = "simulate", seed = 4
  )$table
  expect_lt(abs(simulated$stability - sum(chosen^2)), 4 * simulated$se)
})

test_that("the paper's colon has the values that follow from its parameters", {
  colon <- simulate_stability(2000, 20, 60, 0.7, n_weak = 1)$table
  expect_equal(colon$useful / 60, 0.2354, tolerance = 1e-3)
  expect_equal(colon$overlap, 3.34, tolerance = 1e-3)
  expect_equal(colon$stability, 0.0931, tolerance = 1e-3)
  # Figure 3, left: about 0.2 from 30 members on, whatever p.
  rest <- simulate_stability(
    2000, 20, 60, c(0.4, 0.7, 1), n_weak = c(30, 100), method = "asymptotic"
  )
  expect_true(all(abs(rest$table$stability - 0.2) < 0.01))
})

test_that("all engines agree over a grid", {
  z <- numeric()
  for (case in list(c(300, 8, 20), c(300, 8, 8), c(120, 15, 60))) {
    arguments <- list(case[1], case[2], case[3], p = c(0.3, 0.9), n_weak = c(1, 10, 25))
    run <- function(...) do.call(simulate_stability, c(arguments, list(...)))$table
    plain <- run(method = "simulate", n_simulations = 400, seed = 1)
    averaged <- run(method = "rao_blackwell", n_simulations = 400, seed = 2)
    normal <- run(method = "asymptotic")
    exact <- run(method = "exact", n_simulations = 20, seed = 3)
    z <- c(z, (plain$stability - averaged$stability) / sqrt(plain$se^2 + averaged$se^2 + 1e-12))
    one <- exact$n_weak == 1
    z <- c(z, ((plain$stability - exact$stability) / plain$se)[one & plain$se > 0])
    z <- c(z, ((averaged$stability - exact$stability) / pmax(averaged$se, 1e-6))[one])
    expect_lt(max(abs(normal$stability - averaged$stability) - 4 * averaged$se), 0.02)
    expect_equal(normal$stability[one], exact$stability[one])
  }
  expect_lt(max(abs(z)), 4)
  expect_lt(sqrt(mean(z^2)), 1.5)
})

test_that("the normal approximation is off as far as its help page says, in either direction", {
  off <- lapply(list(c(300, 30, 30, 0.5), c(1000, 20, 60, 0.7)), function(case) {
    run <- function(...) {
      simulate_stability(case[1], case[2], case[3], case[4], c(2, 10, 30), ...)$table$stability
    }
    run(method = "asymptotic") / run(method = "rao_blackwell", n_simulations = 1000, seed = 1) - 1
  })
  expect_gt(off[[1]][1], 0.02)
  expect_lt(off[[2]][1], -0.1)
  expect_lt(max(abs(c(off[[1]][1], off[[2]][1]))), 0.25)
  expect_lt(max(abs(c(off[[1]][-1], off[[2]][-1]))), 0.03)
})

test_that("averaging over the overlap takes away most of the variance", {
  one_go <- function(seed, method) {
    simulate_stability(
      2000, 20, 60, 0.7, 30, n_simulations = 30, method = method, seed = seed
    )$table
  }
  plain <- do.call(rbind, lapply(1:25, one_go, method = "simulate"))
  averaged <- do.call(rbind, lapply(1:25, one_go, method = "rao_blackwell"))
  expect_gt(stats::var(plain$stability) / stats::var(averaged$stability), 2)
  # The standard errors that are reported are those that are met.
  for (table in list(plain, averaged)) {
    ratio <- stats::sd(table$stability) / mean(table$se)
    expect_gt(ratio, 0.6)
    expect_lt(ratio, 1.6)
  }
})

test_that("special cases are what they must be", {
  stable <- simulate_stability(500, 10, 10, 1, n_weak = c(1, 7), n_simulations = 10, seed = 1)$table
  expect_equal(stable$stability, c(1, 1))
  random_pick <- sum(stats::dhyper(0:10, 10, 20, 10) * 0:10 / (20 - 0:10))
  certain <- simulate_stability(500, 10, 30, 1, n_weak = 1)$table
  expect_equal(certain$stability, random_pick)
  large <- simulate_stability(500, 10, 30, 0.5, n_weak = 400, n_simulations = 20, seed = 1)$table
  expect_equal(large$stability, random_pick, tolerance = 1e-6)
  # No pick from S_m: features outside of it, of which S' has n_useful - n_features.
  none <- simulate_stability(500, 10, 30, 0, n_weak = 1)$table
  expect_equal(none$useful, 10 * 20 / 490)
  everything <- simulate_stability(
    12, 12, 12, 0.3, n_weak = c(1, 3), n_simulations = 5, seed = 1
  )$table
  expect_equal(everything$stability, c(1, 1))
  # With all features useful, and S_m any of them, selections are uniform.
  uniform <- simulate_stability(
    50, 5, 50, 0.8, n_weak = c(1, 20), n_simulations = 20, seed = 1
  )$table
  expect_equal(uniform$overlap, c(0.5, 0.5))
})

test_that("same seed, same bits: threads, other sizes and other parameters change nothing", {
  run <- function(...) simulate_stability(200, 8, 20, ..., n_simulations = 20, seed = 9)$table
  expect_identical(
    run(c(0.4, 0.8), c(1, 5), method = "simulate", n_threads = 1),
    run(c(0.4, 0.8), c(1, 5), method = "simulate", n_threads = 2)
  )
  expect_identical(run(0.4, c(3, 5), n_threads = 1), run(0.4, c(3, 5), n_threads = 2))
  both <- run(c(0.4, 0.8), c(3, 5))
  alone <- run(0.8, 5)
  expect_equal(both[both$p == 0.8 & both$n_weak == 5, ], alone, ignore_attr = TRUE)
  withr::local_seed(1)
  before <- .Random.seed
  run(0.4, 3)
  simulate_stability(200, 8, 20, 0.4, 1)
  expect_identical(.Random.seed, before)
  simulate_stability(200, 8, 20, 0.4, 3, n_simulations = 5)
  expect_false(identical(.Random.seed, before))
})
