stabs_answers <- readRDS(test_path("fixtures", "stabs.rds"))
assumption_of <- function(name) sub("-", "_", name)

test_that("bounds are those of stabs", {
  grid <- stabs_answers$grid
  ours <- mapply(function(p, q, cutoff, n_pairs, assumption) {
    error_bound(p, q, cutoff, n_pairs = n_pairs, assumption = assumption_of(assumption))$pfer
  }, grid$p, grid$q, grid$cutoff, grid$n_pairs, grid$assumption)
  expect_equal(ours, grid$pfer, tolerance = 1e-6)
})

test_that("solutions for the cutoff and for q are those of stabs", {
  solved <- stabs_answers$solved
  for (i in seq_len(nrow(solved))) {
    assumption <- assumption_of(solved$assumption[i])
    cutoff <- error_bound(1000, q = 15, pfer = solved$pfer[i], assumption = assumption)
    expect_equal(cutoff$cutoff, solved$cutoff[i])
    expect_lte(cutoff$pfer, solved$pfer[i])
    q <- error_bound(1000, cutoff = 0.8, pfer = solved$pfer[i], assumption = assumption)
    expect_identical(q$q, as.integer(solved$q[i]))
    more <- error_bound(1000, q$q + 1, 0.8, assumption = assumption)
    expect_gt(more$pfer, solved$pfer[i])
  }
})

test_that("the r-concave tail is that of a direct search over distributions", {
  # Extreme distributions on a fine grid of a, with what the mean leaves over at k + 1.
  direct <- function(mean, t, n, r) {
    best <- 0
    for (k in seq(t - 1, n - 1)) {
      for (a in exp(seq(log(1e-4), log(1e4), length.out = 4000))) {
        weight <- (a + 0:k)^(1 / r)
        share <- (k + 1 - mean * n) / sum((k + 1 - 0:k) * weight)
        rest <- 1 - share * sum(weight)
        # What is left over continues the decreasing sequence.
        if (rest < 0 || rest > share * weight[k + 1]) next
        best <- max(best, 1 - share * sum(weight[0:k < t]))
      }
    }
    best
  }
  expect_equal(r_concave_tail(0.05, 6, 10, -1 / 2), direct(0.05, 6, 10, -1 / 2), tolerance = 0.03)
  expect_equal(r_concave_tail(0.1, 14, 20, -1 / 4), direct(0.1, 14, 20, -1 / 4), tolerance = 0.03)
})

test_that("what cannot be met is said, with what could", {
  expect_error(error_bound(100, q = 5), "exactly two of", class = "stabilect_error_input")
  expect_error(
    error_bound(100, q = 5, cutoff = 0.9, pfer = 1), "exactly two of",
    class = "stabilect_error_input"
  )
  expect_error(
    error_bound(100, q = 50, pfer = 0.01), "smallest bound", class = "stabilect_error_bound"
  )
  expect_error(
    error_bound(10, cutoff = 0.55, pfer = 1e-6), "Even `q` = 1",
    class = "stabilect_error_bound"
  )
  expect_error(
    error_bound(10, q = 9, cutoff = 0.5), "No bound holds", class = "stabilect_error_bound"
  )
  expect_error(error_bound(10, 11, 0.9), "`q` must be a whole number between 1 and 10")
  expect_error(error_bound(10, 5, 1.1), "`cutoff` must be a number in")
  expect_identical(bound_pfer(10, 5, 0.5, 50, "unimodal"), Inf)
  expect_snapshot({
    error_bound(2000, q = 20, pfer = 1)
    error_bound(2000, q = 20, cutoff = 0.9, assumption = "none")
    error_bound(2000, cutoff = 0.6, pfer = 1, assumption = "r_concave", n_pairs = 20)
  })
})

test_that("a bound that is reached exactly is kept", {
  # Meinshausen and Buehlmann (2010): q^2 / ((2 cutoff - 1) p) = 1600 / (0.64 * 5000) = 0.5
  found <- error_bound(5000, cutoff = 0.82, pfer = 0.5, assumption = "none")
  expect_identical(found$q, 40L)
  expect_equal(found$pfer, 0.5)
})

test_that("features that no run can select do not count", {
  d <- withr::with_seed(3, {
    x <- matrix(rnorm(48 * 12), 48, dimnames = list(NULL, paste0("g", 1:12)))
    list(x = x, y = x[, 1] - x[, 2] + rnorm(48))
  })
  still <- matrix(1, 48, 20, dimnames = list(NULL, paste0("k", 1:20)))
  pair <- rep(1:24, each = 2)
  # The same in pairs, and not between them.
  of_pairs <- matrix(cos(pair * rep(1:5, each = 48)), 48, dimnames = list(NULL, paste0("a", 1:5)))
  more <- cbind(still, d$x[, 12:1])
  times <- survival::Surv(exp(-d$y), rep(1, 48))
  ways <- list(
    list(d$y, q = 2, pfer = 1), list(d$y, pfer = 1, bound = "integrated", q = 4),
    list(d$y, fdr = 0.2, q = 4),
    list(d$y, cutoff = "calibrated", pfer = 3), list(d$y, q = 2, pfer = 1, within = pair),
    list(times, q = 2, pfer = 1, strata = pair, resampling = resample_pairs(8, blocks = pair))
  )
  for (way in ways) {
    if (is.null(way$resampling)) way$n_pairs <- 8
    find <- function(x) do.call(stability_selection, c(list(x), way, seed = 1))
    plain <- find(d$x)
    grouped <- !is.null(way$within) || !is.null(way$strata)
    beside <- find(if (grouped) cbind(more, of_pairs) else more)
    expect_identical(beside$bound, plain$bound)
    expect_identical(beside$features, plain$features)
    expect_output(
      print(beside), sprintf("%d features constant", if (grouped) 25L else 20L)
    )
  }
  find <- function(x) stability_selection(x, d$y, q = 4, cutoff = 0.9, n_pairs = 8, seed = 1)
  again <- evaluate_replication(find(more), more, d$y, n_features = 2, n_pairs = 2, seed = 1)$table
  expect_identical(again$by_chance[1], 2 / 12)
  expect_error(
    stability_selection(more[, 1:22], d$y, q = 2, pfer = 1, n_pairs = 8, seed = 1), "2 of 2",
    class = "stabilect_error_bound"
  )
})

test_that("a pfer above the number of features is refused, and a cutoff without bound says so", {
  x <- withr::with_seed(1, matrix(stats::rnorm(24 * 8), 24))
  y <- rep(c("a", "b"), 12)
  expect_error(stability_selection(x, y, pfer = 9), "above the number of features, 8")
  expect_error(stability_selection(x, y, pfer = 9, q = 2), "above the number of features, 8")
  expect_error(stability_selection(x, y, cutoff = 0.4, pfer = 1), "no bound for such a")
  one <- x[, 1, drop = FALSE]
  expect_no_error(suppressWarnings(stability_selection(one, y, pfer = 1, n_pairs = 5, seed = 1)))
})
