filter_data <- function(n_classes = 2) {
  withr::local_seed(10 + n_classes)
  n <- 31
  x <- matrix(stats::rnorm(n * 9), n, 9, dimnames = list(NULL, letters[1:9]))
  y <- factor(LETTERS[c(seq_len(n_classes), sample.int(n_classes, n - n_classes, TRUE))])
  x[, 1] <- x[, 1] + as.integer(y)
  x[, 2] <- 1e6 + x[, 2]
  x[, 3] <- round(x[, 3]) # ties
  x[, 4] <- 7 # constant
  x[, 8] <- x[, 3]
  weights <- matrix(stats::rpois(n * 11, 1), n, 11)
  weights[seq_len(n_classes), ] <- weights[seq_len(n_classes), ] + 2L
  storage.mode(weights) <- "integer"
  list(x = x, y = y, weights = weights)
}

all_filters <- list(
  t = selector_filter("t"), welch = selector_filter("welch"), anova = selector_filter("anova"),
  wilcoxon = selector_filter("wilcoxon"), pearson = selector_filter("pearson"),
  spearman = selector_filter("spearman"), variance = selector_filter("variance")
)

# One run by R's own functions, on the rows spelt out.
reference_filter <- function(name, x, y) {
  number <- if (is.factor(y)) as.integer(y) else y
  one <- function(v) {
    if (all(v == v[1])) {
      return(0)
    }
    switch(name,
      t = abs(stats::t.test(v ~ y, var.equal = TRUE)$statistic),
      welch = abs(stats::t.test(v ~ y)$statistic),
      anova = stats::oneway.test(v ~ y, var.equal = TRUE)$statistic,
      wilcoxon = stats::qnorm(
        stats::wilcox.test(v ~ y, exact = FALSE, correct = FALSE)$p.value / 2,
        lower.tail = FALSE
      ),
      pearson = abs(stats::cor(v, number)),
      spearman = abs(stats::cor(v, number, method = "spearman")),
      variance = stats::var(v)
    )
  }
  apply(x, 2, one)
}

test_that("every filter is that of R, run by run on repeated rows", {
  d <- filter_data()
  for (name in names(all_filters)) {
    score <- score_runs(all_filters[[name]], d$x, d$y, d$weights)
    for (b in seq_len(ncol(d$weights))) {
      rows <- rep(seq_len(nrow(d$x)), d$weights[, b])
      expected <- reference_filter(name, d$x[rows, ], d$y[rows])
      # The feature far from zero loses digits in R's one-pass formulas.
      expect_equal(score[-2, b], expected[-2], tolerance = 1e-10, info = name)
      expect_equal(score[2, b], expected[2], tolerance = 1e-7, info = name)
    }
  }
})

test_that("analysis of variance takes several classes, also absent ones", {
  d <- filter_data(4)
  d$weights[d$y == "B", 3] <- 0L
  score <- score_runs(selector_filter("anova"), d$x, d$y, d$weights)
  for (b in seq_len(ncol(d$weights))) {
    rows <- rep(seq_len(nrow(d$x)), d$weights[, b])
    expected <- reference_filter("anova", d$x[rows, ], droplevels(d$y[rows]))
    expect_equal(score[-2, b], expected[-2], tolerance = 1e-10)
  }
})

test_that("correlations take numbers", {
  d <- filter_data()
  y <- d$x[, 1] - d$x[, 3]
  for (name in c("pearson", "spearman")) {
    score <- score_runs(all_filters[[name]], d$x, y, d$weights)
    rows <- rep(seq_len(nrow(d$x)), d$weights[, 5])
    expect_equal(score[-2, 5], reference_filter(name, d$x[rows, ], y[rows])[-2], tolerance = 1e-10)
    expect_lte(max(score), 1)
  }
})

test_that("counts are repeated rows", {
  d <- filter_data()
  rows <- rep(seq_len(nrow(d$x)), d$weights[, 1])
  for (selector in all_filters) {
    counted <- score_features(d$x, d$y, selector, weights = d$weights[, 1])
    spelt <- score_features(d$x[rows, ], d$y[rows], selector)
    expect_equal(counted$score, spelt$score, tolerance = 1e-8)
  }
})

test_that("threads, neighbours and the other runs change no bit", {
  withr::local_seed(5)
  x <- matrix(stats::rnorm(40 * 301), 40)
  x[, 300] <- x[, 1]
  y <- rep(c("u", "v"), 20)
  weights <- draw_resamples(resample_bootstrap(19), y, seed = 2)$counts
  colnames(x) <- paste0("V", seq_len(301))
  for (selector in all_filters) {
    score <- score_runs(selector, x, y, weights)
    expect_identical(score_runs(selector, x, y, weights, n_threads = 2L), score)
    expect_identical(score_runs(selector, x, y, weights[, 7, drop = FALSE])[, 1], score[, 7])
    expect_identical(score_runs(selector, x[, 100:1], y, weights), score[100:1, ])
    expect_identical(unname(score[300, ]), unname(score[1, ]))
    turned <- sample.int(40)
    expect_equal(
      score_runs(selector, x[turned, ], y[turned], weights[turned, ]), score, tolerance = 1e-10
    )
  }
})

test_that("features without spread are finite: 0, or the largest finite one of their run", {
  y <- rep(c("a", "b"), c(4, 6))
  x <- cbind(same = 0.1, parts = ifelse(y == "a", 0.1, 0.7), jump = c(0.1, rep(0.3, 9)))
  weights <- cbind(rep(1L, 10), c(0L, rep(1L, 9)))
  score <- score_runs(selector_filter("t"), x, y, weights)
  expect_identical(unname(score[c("same", "parts"), 1]), c(0, max(1, score["jump", 1])))
  # `jump` is constant once sample 1 is left out, although its class mean was not.
  expect_identical(unname(score["jump", 2]), 0)
  f <- score_runs(selector_filter("anova"), x, y, weights)
  expect_identical(unname(f[c("same", "parts"), 1]), c(0, max(1, f["jump", 1])))
  for (selector in all_filters) {
    out <- score_runs(selector, x, y, weights)
    expect_true(all(is.finite(out)))
    expect_identical(unname(out["same", ]), c(0, 0))
    expect_identical(unname(out["jump", 2]), 0)
  }
})

test_that("an outlier that is left out of the bag costs no digits", {
  withr::local_seed(8)
  y <- rep(c("a", "b"), each = 10)
  x <- cbind(v = stats::rnorm(20))
  x[3] <- 1e9
  out <- score_features(x, y, selector_filter("t"), weights = as.integer(seq_len(20) != 3))
  expected <- stats::t.test(x[-3] ~ y[-3], var.equal = TRUE)$statistic
  expect_equal(out$score, abs(unname(expected)), tolerance = 1e-6)
})
