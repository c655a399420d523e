# One run spelt out: repeated rows are rows, the rows they are copies of named by `id`.
naive_relief <- function(x, y, weights, k) {
  range_of <- function(v) max(max(v) - min(v), .Machine$double.xmin)
  z <- sweep(x, 2, apply(x, 2, range_of), "/")
  id <- rep(seq_len(nrow(x)), weights)
  z <- z[id, , drop = FALSE]
  y <- y[id]
  m <- length(id)
  distance <- as.matrix(stats::dist(z, "manhattan"))
  # The mean of values of the k nearest rows; those at the last distance share what is left.
  among_nearest <- function(i, among, value) {
    among <- among[id[among] != id[i]]
    if (length(among) == 0L) return(NULL)
    last <- sort(distance[i, among])[min(k, length(among))]
    nearer <- distance[i, among] < last - 1e-9
    equal <- abs(distance[i, among] - last) <= 1e-9
    share <- nearer + equal * (min(k, length(among)) - sum(nearer)) / sum(equal)
    colSums(share * value(among)) / sum(share)
  }
  difference <- function(i, l) abs(sweep(z[l, , drop = FALSE], 2, z[i, ]))
  if (is.numeric(y)) {
    both <- only_y <- only_x <- 0
    for (i in seq_len(m)) {
      dy <- function(l) abs(y[l] - y[i]) / diff(range(y))
      only_y <- only_y + among_nearest(i, seq_len(m), function(l) as.matrix(dy(l)))
      only_x <- only_x + among_nearest(i, seq_len(m), function(l) difference(i, l))
      both <- both + among_nearest(i, seq_len(m), function(l) dy(l) * difference(i, l))
    }
    return(both / only_y - (only_x - both) / (m - only_y))
  }
  prior <- table(y) / m
  w <- 0
  for (i in seq_len(m)) {
    for (class in levels(y)) {
      change <- among_nearest(i, which(y == class), function(l) difference(i, l))
      if (is.null(change)) next
      share <- if (class == y[i]) -1 else prior[[class]] / (1 - prior[[as.character(y[i])]])
      w <- w + share * change / m
    }
  }
  w
}

test_that("scores are those of the definition, for classes and numbers", {
  for (n_classes in 2:3) {
    d <- selector_design(n_classes)
    number <- d$x[, 1] * 2 + d$x[, 2]^2
    for (k in c(1L, 5L, 10L, 200L)) {
      score <- score_runs(selector_relief(k), d$x, d$y, d$weights)
      numeric_score <- score_runs(selector_relief(k), d$x, number, d$weights)
      for (b in c(1L, 4L)) {
        w <- d$weights[, b]
        expect_equal(score[, b], naive_relief(d$x, d$y, w, k), tolerance = 1e-10)
        expect_equal(numeric_score[, b], naive_relief(d$x, number, w, k), tolerance = 1e-10)
      }
    }
  }
})

test_that("equally near neighbours share the last places, in any order of the rows", {
  d <- selector_design()
  # Ranges of 4 scale without rounding.
  x <- pmin(pmax(round(d$x[, 1:6]), -2), 2)
  x[1:2, ] <- c(-2, 2)
  score <- score_runs(selector_relief(3), x, d$y, d$weights)
  for (b in 1:6) {
    expected <- naive_relief(x, d$y, d$weights[, b], 3)
    expect_equal(score[, b], expected, tolerance = 1e-10)
  }
  again <- score_runs(selector_relief(3), x[30:1, ], d$y[30:1], d$weights[30:1, ])
  expect_equal(again, score, tolerance = 1e-10)
})

test_that("the Boolean problem of Robnik-Sikonja & Kononenko (2003) has its published scores", {
  # C = (A1 and A2) or (A1 and A3): 0.75 for A1, 0.1875 for the others.
  a <- as.matrix(expand.grid(A1 = 0:1, A2 = 0:1, A3 = 0:1))[rep(1:8, 60), ]
  y <- factor(a[, 1] & (a[, 2] | a[, 3]))
  jitter <- withr::with_seed(4L, matrix(stats::runif(length(a), 0, 1e-3), nrow(a)))
  score <- score_features(a + jitter, y, selector_relief(10))$score
  expect_equal(score, c(0.75, 0.1875, 0.1875), tolerance = 0.05)
})

test_that("features that matter only together are seen", {
  x <- withr::with_seed(5L, matrix(stats::runif(200 * 6), 200))
  y <- factor((x[, 2] > 0.5) != (x[, 5] > 0.5))
  score <- score_features(x, y, selector_relief())$score
  expect_setequal(order(-score)[1:2], c(2, 5))
})

test_that("counts, threads, constants, equal columns, order of features", {
  d <- selector_design()
  d$x[, 9] <- d$x[, 1]
  d$x[, 12] <- 4
  score <- score_runs(selector_relief(), d$x, d$y, d$weights)
  expect_identical(score_runs(selector_relief(), d$x, d$y, d$weights, n_threads = 2L), score)
  expect_identical(unname(score[9, ]), unname(score[1, ]))
  expect_identical(unname(score[12, ]), unname(apply(score, 2, min)))
  expect_equal(score_runs(selector_relief(), d$x[, 60:1], d$y, d$weights), score[60:1, ])
  expect_equal(score_runs(selector_relief(), 3 * d$x - 7, d$y, d$weights), score)
})

test_that("runs of one class fail, classes of one sample do not", {
  d <- selector_design()
  one <- ifelse(d$y == "a", 1L, 0L)
  lone <- one
  lone[which(d$y == "b")[1]] <- 2L
  out <- runs_of_selector(selector_relief(), d$x, d$y, cbind(one, lone))
  expect_identical(out$status, c("one class", "ok"))
  expect_equal(out$score[, 2], naive_relief(d$x, d$y, lone, 10), tolerance = 1e-10)
  expect_error(selector_relief(0), "n_neighbours", class = "stabilect_error_input")
})
