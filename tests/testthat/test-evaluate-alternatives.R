# A procedure that takes the feature with the largest correlation, the first of equals.
best_one <- function(x, y, ...) {
  order <- order(-round(abs(drop(stats::cor(x, as.double(y)))), 10))
  of_class("stabilect_result",
    table = data.frame(feature = colnames(x)[order]), features = colnames(x)[order[1]]
  )
}

carriers <- function(copies, n = 60, seed = 1) {
  set.seed(seed)
  signal <- rnorm(n)
  # Exact copies would be one feature.
  near <- outer(cos(seq_len(n)), 1e-6 * (seq_len(copies) - 1))
  x <- cbind(signal + near, matrix(rnorm(n * 20), n))
  colnames(x) <- c(paste0("copy", seq_len(copies)), paste0("noise", 1:20))
  list(x = x, y = signal + rnorm(n, sd = 0.3))
}

test_that("m near copies give m lists, a unique carrier has no alternative", {
  for (copies in c(1L, 3L)) {
    d <- carriers(copies)
    fit <- alternative_lists(best_one, d$x, d$y, max_steps = 6, seed = 1)
    expect_identical(sum(fit$table$as_good), copies)
    expect_identical(unlist(fit$lists[seq_len(copies)]), paste0("copy", seq_len(copies)))
    expect_identical(fit$alone$has_substitute, copies > 1L)
    expect_identical(fit$alone$substitute, fit$lists[[2]])
    expect_equal(fit$table$difference[seq_len(copies)], numeric(copies), tolerance = 1e-4)
    expect_identical(anyDuplicated(unlist(fit$lists)), 0L)
    expect_identical(fit$table$n_left, 20L + copies - 0:5)
    expect_lte(max(nchar(format(fit))), 80)
  }
  expect_match(paste(format(fit), collapse = " "), "as the first, within the noise: 2 of 5 further")
})

test_that("a cluster is taken away whole", {
  d <- carriers(3)
  clusters <- cluster_features(d$x, threshold = 0.9)
  fit <- alternative_lists(best_one, d$x, d$y, clusters = clusters, max_steps = 3, seed = 1)
  expect_identical(sum(fit$table$as_good), 1L)
  expect_identical(fit$table$n_left, c(23L, 20L, 19L))
  expect_false(fit$alone$has_substitute)
})

test_that("the error is the out-of-bag error of the procedure where it has one", {
  d <- carriers(2)
  y <- d$y > 0
  fit <- fealect(d$x, y, n_runs = 20, seed = 1)
  steps <- alternative_lists(fit, d$x, y, n_features = 1, max_steps = 2, seed = 3)
  rest <- setdiff(colnames(d$x), steps$lists[[1]])
  procedure <- procedure_of(fit)
  study <- open_study(d$x[, rest], y, "binary")
  again <- carry_out_on(procedure, study, 1:60, 3, 1, error = TRUE)
  expect_identical(steps$table$error[2], again$oob$error)
  expect_identical(steps$lists[[2]], again$table$feature[1])
  expect_identical(
    alternative_lists(fit, d$x, y, n_features = 1, max_steps = 2, seed = 3, n_threads = 2)$table,
    steps$table
  )
  expect_snapshot(steps)
})

test_that("the noise of a difference of mean squares is that of the paired losses", {
  set.seed(2)
  observed <- rnorm(50)
  oob <- function(sd) {
    predicted <- observed + rnorm(50, sd = sd)
    list(
      type = "numeric", conf_level = 0.95, error = mean((observed - predicted)^2),
      predictions = data.frame(observed = observed, predicted = predicted)
    )
  }
  one <- oob(1)
  other <- oob(1.2)
  losses <- function(oob) with(oob$predictions, (observed - predicted)^2)
  d <- losses(other) - losses(one)
  noise <- difference_of_errors(one, other)
  expect_equal(noise$difference, mean(d))
  expect_equal(noise$se, sd(d) / sqrt(50))
})

test_that("bad input is refused, and the picture has all lists", {
  d <- carriers(2)
  refused <- function(pattern, ...) {
    expect_error(alternative_lists(...), pattern, class = "stabilect_error_input")
  }
  refused("clusters", best_one, d$x, d$y, clusters = 1)
  refused("other features", best_one, d$x, d$y, clusters = cluster_features(d$x[, 1:9]))
  refused("not the data", fealect(d$x, d$y, n_runs = 5, seed = 1), d$x, -d$y)
  none <- function(x, y, ...) {
    of_class("stabilect_result", table = data.frame(feature = colnames(x)), features = character())
  }
  expect_error(alternative_lists(none, d$x, d$y), class = "stabilect_error_runs")
  skip_if_not_installed("ggplot2")
  fit <- alternative_lists(best_one, d$x, d$y, max_steps = 4, seed = 1)
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(fit))
  expect_equal(drawn$data[[3]]$y, fit$table$error)
})
