fixture <- readRDS(test_path("fixtures", "selector.rds"))
rules <- c("equal_width", "equal_frequency", "sd")

information_of <- function(...) selector_filter("mutual_information", ...)

test_that("mutual information is that of infotheo on the same bins", {
  d <- selector_design()
  check <- sum(d$x * cos(seq_along(d$x))) + sum(d$weights * seq_along(d$weights))
  skip_if_not(isTRUE(all.equal(check, fixture$check)), "this platform generates other data")
  for (rule in rules) {
    one <- score_features(d$x, d$y, information_of(rule, n_bins = 4), weights = d$weights[, 1])
    expect_equal(one$score, unname(fixture$empirical[, rule]), tolerance = 1e-12)
    corrected <- information_of(rule, n_bins = 4, estimator = "miller_madow")
    two <- score_features(d$x, d$y, corrected, weights = d$weights[, 1])
    expect_equal(two$score, pmax(0, unname(fixture$miller_madow[, rule])), tolerance = 1e-12)
  }
})

test_that("several classes and numbers are taken, in every run", {
  skip_if_not_installed("infotheo")
  d <- selector_design(3)
  number <- d$x[, 1] + d$x[, 7]
  for (rule in rules) {
    selector <- information_of(rule, n_bins = 3)
    classes <- score_runs(selector, d$x, d$y, d$weights)
    numbers <- score_runs(selector, d$x, number, d$weights)
    for (b in c(2, 5)) {
      rows <- rep(seq_len(30), d$weights[, b])
      bins <- apply(d$x[rows, ], 2, reference_bins, rule, 3)
      peer <- function(y) {
        apply(bins, 2, function(v) infotheo::mutinformation(as.integer(v), as.integer(y)))
      }
      expect_equal(unname(classes[, b]), unname(peer(d$y[rows])), tolerance = 1e-12)
      y <- reference_bins(number[rows], rule, 3)
      expect_equal(unname(numbers[, b]), unname(peer(y)), tolerance = 1e-12)
    }
  }
})

test_that("information has its closed forms at the ends", {
  y <- rep(c("u", "v"), 8)
  x <- cbind(same = 2, copy = y == "u", alone = rep(c(0, 0, 1, 1), 4))
  out <- score_features(x, y, information_of("equal_frequency", n_bins = 2))
  expect_equal(out$score, c(0, log(2), 0), tolerance = 1e-14)
  # The default number of bins is the cube root of the number of samples.
  d <- selector_design()
  expect_identical(
    score_features(d$x, d$y, information_of())$score,
    score_features(d$x, d$y, information_of(n_bins = 3))$score
  )
})

# Peng et al. (2005), written down from the formula.
reference_mrmr <- function(bins, y, size, quotient) {
  information <- function(a, b) {
    share <- table(a, b) / length(a)
    product <- outer(rowSums(share), colSums(share))
    sum(ifelse(share > 0, share * log(share / product), 0))
  }
  relevance <- apply(bins, 2, information, y)
  chosen <- which.max(relevance)
  while (length(chosen) < size) {
    shared <- vapply(seq_len(ncol(bins)), function(j) {
      mean(vapply(chosen, function(s) information(bins[, j], bins[, s]), numeric(1)))
    }, numeric(1))
    value <- if (quotient) relevance / pmax(shared, 1e-12) else relevance - shared
    # Equal up to rounding counts as equal: the first column wins.
    value <- signif(replace(value, chosen, -Inf), 10)
    chosen <- c(chosen, which.max(value))
  }
  unname(chosen)
}

test_that("mRMR chooses what its formula says", {
  d <- selector_design()
  d$x <- d$x[, 1:25]
  for (criterion in c("mid", "miq")) {
    for (rule in rules) {
      selector <- selector_mrmr(6, criterion, rule, 4)
      out <- runs_of_selector(selector, d$x, d$y, d$weights)
      rows <- rep(seq_len(30), d$weights[, 4])
      bins <- apply(d$x[rows, ], 2, reference_bins, rule, 4)
      expected <- reference_mrmr(bins, d$y[rows], 6, criterion == "miq")
      expect_identical(unname(order(-out$score[, 4])[1:6]), expected)
      expect_identical(unname(sort(out$score[expected, 4])), as.double(1:6))
      expect_identical(unname(which(out$selected[, 4])), sort(expected))
      expect_equal(Matrix::colSums(out$selected), rep(6, 6))
    }
  }
})

test_that("mRMR takes the number of features from the caller, or asks for it", {
  d <- selector_design()
  out <- score_features(d$x, d$y, selector_mrmr(), n_features = 4)
  expect_identical(sum(out$score > 0), 4L)
  expect_error(score_features(d$x, d$y, selector_mrmr()), "needs a number of features",
    class = "stabilect_error_input"
  )
  expect_identical(sum(score_features(d$x[, 1:3], d$y, selector_mrmr(9))$score > 0), 3L)
})

test_that("counts are rows, and threads and places change no bit", {
  d <- selector_design()
  d$x[, 9] <- d$x[, 1]
  rows <- rep(seq_len(30), d$weights[, 2])
  selectors <- c(lapply(rules, information_of), list(selector_mrmr(5)))
  for (selector in selectors) {
    counted <- score_features(d$x, d$y, selector, weights = d$weights[, 2])
    expect_identical(score_features(d$x[rows, ], d$y[rows], selector), counted)
    score <- score_runs(selector, d$x, d$y, d$weights)
    expect_identical(score_runs(selector, d$x, d$y, d$weights, n_threads = 2L), score)
    turned <- sample.int(30)
    expect_identical(score_runs(selector, d$x[turned, ], d$y[turned], d$weights[turned, ]), score)
    if (selector$name != "mrmr") {
      expect_identical(unname(score[9, ]), unname(score[1, ]))
      expect_identical(score_runs(selector, d$x[, 60:1], d$y, d$weights), score[60:1, ])
    }
  }
})

test_that("parameters out of range are refused", {
  expect_error(information_of("width"), class = "stabilect_error_input")
  expect_error(information_of(n_bins = 1), "n_bins", class = "stabilect_error_input")
  expect_error(selector_mrmr(0), "n_features", class = "stabilect_error_input")
  expect_error(selector_mrmr(criterion = "x"), "criterion", class = "stabilect_error_input")
})
