least_squares_rss <- function(v, a, b) {
  t <- seq_along(v)
  sum(stats::lm.fit(cbind(1, t, pmax(a - t, 0)^2, pmax(t - b, 0)^2), v)$residuals^2)
}

# Every admissible pair of knots by lm.fit(); a = 1 and b = m are the curves without that bend.
search_by_enumeration <- function(v, min_segment = 1) {
  m <- length(v)
  lower <- c(1, which(seq_len(m) - 1 >= min_segment))
  upper <- c(which(m - seq_len(m) >= min_segment & c(diff(v) > 0, FALSE)), m)
  pairs <- unique(expand.grid(a = lower, b = upper))
  pairs <- pairs[pairs$a <= pairs$b, ]
  pairs$rss <- mapply(function(a, b) least_squares_rss(v, a, b), pairs$a, pairs$b)
  pairs[order(pairs$rss), ]
}

curve_scores <- function(m, a, b, c1 = 0.02, c2 = -3e-4, c3 = 2e-3) {
  t <- seq_len(m)
  exp(-5 + c1 * t + c2 * pmax(a - t, 0)^2 + c3 * pmax(t - b, 0)^2)
}

test_that("the search finds the pair of knots that lm.fit() finds among all", {
  set.seed(11)
  samples <- list(
    function(m) rnorm(m), function(m) runif(m), function(m) rexp(m), function(m) rt(m, 2),
    function(m) c(rnorm(m - 2), 6, 8)
  )
  for (draw in samples) {
    for (m in c(8, 9, 13, 30, 60)) {
      for (min_segment in c(1, 3)) {
        v <- sort(draw(m))
        best <- search_by_enumeration(v, min_segment)[1, ]
        fit <- three_segment(exp(v), min_segment = min_segment)
        expect_identical(unname(fit$knots), as.integer(c(best$a, best$b)))
        expect_equal(fit$rss, best$rss, tolerance = 1e-10)
        expect_equal(fit$rss_linear, least_squares_rss(v, 1, m), tolerance = 1e-10)
        lower_only <- vapply(c(1, seq(min_segment + 1, m)), least_squares_rss, 0, v = v, b = m)
        expect_equal(fit$rss_no_upper, min(lower_only), tolerance = 1e-10)
      }
    }
  }
})

test_that("planted knots are recovered without noise", {
  for (case in list(c(60, 15, 50), c(200, 40, 199), c(800, 160, 700), c(3000, 2, 2900))) {
    fit <- three_segment(curve_scores(case[1], case[2], case[3]))
    expect_identical(unname(fit$knots), as.integer(case[2:3]))
    expect_true(fit$bends_up)
    expect_identical(fit$n_features, as.integer(case[1] - case[3]))
    expect_equal(
      unname(fit$coefficients), c(-5, 0.02, -3e-4, 2e-3),
      tolerance = 1e-6
    )
    expect_equal(fit$threshold, exp(-5 + 0.02 * case[3]), tolerance = 1e-8)
  }
})

test_that("the curve and its slope are continuous at both knots", {
  set.seed(5)
  fit <- three_segment(exp(rnorm(100)))
  height <- function(rank) curve_height(fit$coefficients, fit$knots, rank)
  expect_equal(height(seq_len(100)), fit$fitted)
  for (knot in fit$knots) {
    h <- 1e-5
    slopes <- c(height(knot) - height(knot - h), height(knot + h) - height(knot)) / h
    expect_equal(slopes[1], slopes[2], tolerance = 1e-3)
    expect_equal(slopes[1], fit$coefficients[["slope"]], tolerance = 1e-3)
  }
})

test_that("powers and multiples of the scores change nothing but the scale", {
  set.seed(8)
  v <- rnorm(150)
  fit <- three_segment(exp(v))
  moved <- three_segment(exp(3 * v + 2))
  expect_identical(moved$knots, fit$knots)
  expect_identical(moved$features, fit$features)
  expect_equal(moved$rss, 9 * fit$rss)
  expect_equal(moved$bend_ratio, fit$bend_ratio)
  expect_equal(moved$fitted, 3 * fit$fitted + 2)
})

test_that("the number of threads changes no bit", {
  set.seed(2)
  scores <- exp(rnorm(1500))
  expect_identical(three_segment(scores, n_threads = 2), three_segment(scores))
})

test_that("informative features are those above the upper knot, best first", {
  scores <- stats::setNames(curve_scores(100, 20, 90), paste0("g", 1:100))
  shuffled <- scores[c(seq(2, 100, 2), seq(1, 99, 2))]
  fit <- three_segment(c(shuffled, never = 0))
  expect_identical(fit$features, paste0("g", 100:91))
  expect_identical(fit$n_total, 101L)
  expect_named(fit$scores, paste0("g", 1:100))
  table <- as.data.frame(fit)
  expect_identical(as.vector(table(table$segment)), c(19L, 71L, 10L))
  expect_identical(table$feature[table$segment == "upper"], rev(fit$features))
  expect_equal(table$fitted, table$score, tolerance = 1e-8)
})

test_that("g3 is the third segment whether or not the curve really bends up", {
  gated <- 0
  for (seed in 1:20) {
    scores <- withr::with_seed(seed, stats::setNames(stats::runif(40), paste0("f", 1:40)))
    fit <- three_segment(scores)
    above <- names(fit$scores)[-seq_len(fit$knots[["upper"]])]
    expect_identical(fit$g3, rev(above))
    if (fit$bends_up) expect_identical(fit$g3, fit$features) else expect_length(fit$features, 0)
    gated <- gated + (!fit$bends_up && length(fit$g3) > 0)
  }
  expect_gt(gated, 5)
  expect_identical(three_segment(c(a = 1, b = 2))$g3, character())
})

test_that("one outstanding feature is found as one", {
  fit <- three_segment(c(exp(1:50 / 50 + 0.002 * sin(1:50)), 12))
  expect_identical(fit$features, "V51")
})

test_that("the upper knot does not separate equal scores", {
  set.seed(4)
  for (i in 1:20) {
    v <- sort(round(rexp(60), 1)) + 1
    fit <- three_segment(exp(v))
    best <- search_by_enumeration(v)[1, ]
    expect_equal(fit$rss, best$rss, tolerance = 1e-10)
    if (fit$n_features > 0) {
      expect_gt(fit$scores[[60 - fit$n_features + 1]], fit$scores[[60 - fit$n_features]])
    }
  }
})

test_that("curves that cannot be judged say so", {
  few <- three_segment(c(a = 1, b = 2, c = 0))
  expect_false(few$bends_up)
  expect_match(few$reason, "only 2 features have")
  expect_identical(few$knots, c(lower = NA_integer_, upper = NA_integer_))
  expect_true(is.na(few$threshold) && is.na(few$rss) && all(is.na(few$fitted)))
  expect_match(three_segment(rep(0, 5))$reason, "only 0 features have")
  expect_match(three_segment(rep(3, 50))$reason, "equal")
  expect_match(three_segment(exp(1:40 / 7))$reason, "straight line")
  down <- three_segment(curve_scores(100, 30, 80, c2 = 0, c3 = -1e-4))
  expect_false(down$bends_up)
  expect_identical(down$n_features, 0L)
  expect_identical(down$features, character())
  for (fit in list(few, three_segment(rep(3, 50)), down)) {
    expect_identical(nrow(as.data.frame(fit)), length(fit$scores))
  }
})

test_that("five in a hundred curves without a bend are called bent", {
  set.seed(21)
  for (m in c(8, 40, 200)) {
    bent <- mean(replicate(600, three_segment(exp(runif(m)))$bends_up))
    expect_gt(bent, 0.05 - 4 * sqrt(0.05 * 0.95 / 600))
    expect_lt(bent, 0.05 + 4 * sqrt(0.05 * 0.95 / 600))
  }
})

# Sparse scores by run, and the same as a matrix.
runs_of_scores <- function(p = 40, n_runs = 25) {
  set.seed(31)
  strength <- exp(-4 + seq_len(p) / 12 + 0.05 * pmax(seq_len(p) - 34, 0)^2)
  dense <- matrix(stats::rexp(p * n_runs) * strength, p) *
    (matrix(stats::runif(p * n_runs), p) < 0.6)
  list(dense = dense, sparse = methods::as(dense, "CsparseMatrix"))
}

test_that("the bootstrap of the threshold is that of weighted sums of the runs", {
  runs <- runs_of_scores()
  p <- nrow(runs$dense)
  bootstrap <- function(n_threads, n_boot = 130, seed = 7) {
    cpp_bootstrap_three_segment(
      runs$sparse@i, runs$sparse@p, runs$sparse@x, p, n_boot, seed, 1L, FALSE, n_threads
    )
  }
  one <- bootstrap(1L)
  expect_identical(bootstrap(2L), one)
  expect_identical(bootstrap(1L, n_boot = 50)$threshold, one$threshold[1:50])
  expect_false(identical(bootstrap(1L, seed = 8), one))
  expect_identical(sum(one$times_informative), sum(one$n_informative))
  expect_identical(is.nan(one$threshold), one$n_informative == 0L)
  # the whole set of runs lies inside what its resamples give
  whole <- three_segment(rowMeans(runs$dense))
  expect_true(whole$bends_up)
  expect_gte(whole$threshold, min(one$threshold, na.rm = TRUE))
  expect_lte(whole$threshold, max(one$threshold, na.rm = TRUE))
  # a single run can only be drawn again
  first <- cpp_bootstrap_three_segment(
    runs$sparse@i[1:runs$sparse@p[2]], runs$sparse@p[1:2], runs$sparse@x[1:runs$sparse@p[2]],
    p, 3L, 1, 1L, FALSE, 1L
  )
  alone <- three_segment(runs$dense[, 1])
  expect_identical(first$n_informative, rep(alone$n_features, 3))
  expect_identical(
    which(first$times_informative == 3L), sort(match(alone$features, paste0("V", 1:p)))
  )
})

test_that("out-of-bag thresholds use only the runs without the sample", {
  runs <- runs_of_scores()
  p <- nrow(runs$dense)
  set.seed(3)
  in_bag <- matrix(stats::rbinom(12 * 25, 2, 0.4), 12)
  in_bag[5, ] <- 1L
  oob <- function(n_threads) {
    cpp_oob_three_segment(
      runs$sparse@i, runs$sparse@p, runs$sparse@x, p, in_bag, 1L, FALSE, n_threads
    )
  }
  result <- oob(1L)
  expect_identical(oob(2L), result)
  expect_identical(result$n_runs, as.integer(rowSums(in_bag == 0)))
  expect_identical(result$informative[[5]], integer())
  for (i in setdiff(1:12, 5)) {
    fit <- three_segment(rowMeans(runs$dense[, in_bag[i, ] == 0]))
    expect_identical(result$informative[[i]], match(fit$features, paste0("V", 1:p)))
  }
  expect_gt(length(unlist(result$informative)), 0)
})

test_that("broken run scores are refused", {
  expect_error(
    cpp_bootstrap_three_segment(0L, c(0L, 1L), c(1, 2), 3L, 1L, 1, 1L, FALSE, 1L), "column"
  )
  expect_error(cpp_bootstrap_three_segment(3L, c(0L, 1L), 1, 3L, 1L, 1, 1L, FALSE, 1L), "features")
  expect_error(cpp_bootstrap_three_segment(0L, c(0L, 1L), -1, 3L, 1L, 1, 1L, FALSE, 1L), "negative")
  expect_error(
    cpp_oob_three_segment(0L, c(0L, 1L), 1, 3L, matrix(0L, 4, 2), 1L, FALSE, 1L),
    "one column per run"
  )
})

test_that("messages and printing", {
  expect_refusals({
    three_segment("a")
    three_segment(c(1, NA, 2))
    three_segment(c(1, 2, -1))
    three_segment(c(a = 1, b = 2, a = 3))
    three_segment(c(a = 1, 2))
    three_segment(1:10, min_segment = 0)
  })
  scores <- curve_scores(100, 20, 90) * exp(sin(1:100) / 50)
  names(scores) <- paste0("gene", 1:100)
  expect_snapshot({
    three_segment(c(scores, never = 0))
    three_segment(scores[1:4])
  })
  fit <- three_segment(scores)
  expect_identical(summary(fit)$segment, c("lower", "middle", "upper"))
  expect_identical(summary(fit)$n_features[3], fit$n_features)
  expect_identical(summary(fit)$lowest_score[3], min(scores[fit$features]))
})
