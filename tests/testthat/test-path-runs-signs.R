# Small data in which some features enter with the sign that they do not have alone, leave and come
# back.
sign_data <- function() {
  withr::with_seed(3, {
    x <- matrix(stats::rnorm(30 * 12), 30, dimnames = list(NULL, paste0("f", 1:12)))
    x[, 2] <- x[, 1] + 0.3 * x[, 2]
    x[, 5] <- -x[, 4] + 0.5 * x[, 5]
    y <- drop(x[, 1] * 2 - 1.5 * x[, 2] + x[, 4] + 0.4 * x[, 5] + stats::rnorm(30))
    list(x = x, y = y, classes = factor(ifelse(y > stats::median(y), "high", "low")))
  })
}

# Sign of the first coefficient of each feature that is not 0, from a path.
first_sign <- function(path) {
  apply(stats::coef(path), 1, function(beta) c(sign(beta[beta != 0]), NA)[1])
}

# The share with the sign of `direction`, from plain paths on the rows of each run.
share_by_coefficients <- function(fit, upwards, data, y) {
  signs <- apply(as.matrix(fit$resamples), 2, function(count) {
    rows <- which(count > 0)
    first_sign(lars_path(data$x[rows, ], y[rows]))
  })
  same <- signs == ifelse(upwards, 1, -1)
  share <- rowMeans(same, na.rm = TRUE)
  share[is.nan(share)] <- NA
  unname(share)
}

test_that("same_sign counts the signs of the coefficients with which features enter", {
  data <- sign_data()
  fit <- fealect(data$x, data$y, n_runs = 40, n_boot = 0, oob = FALSE, seed = 1)
  table <- fit$table[match(colnames(data$x), fit$table$feature), ]
  expect_true(any(fit$paths$event < 0))
  expect_true(any(table$same_sign < 0.5))
  expected <- share_by_coefficients(fit, table$direction == "+", data, data$y)
  expect_equal(table$same_sign, expected)
  upwards <- stats::cor(data$x, data$y)[, 1] > 0
  expect_identical(table$direction, unname(ifelse(upwards, "+", "-")))
})

test_that("same_sign of classes is about the class in which a feature is high", {
  data <- sign_data()
  for (levels in list(c("low", "high"), c("high", "low"))) {
    y <- factor(data$classes, levels = levels)
    fit <- fealect(data$x, y, n_runs = 40, n_boot = 0, oob = FALSE, seed = 1)
    table <- fit$table[match(colnames(data$x), fit$table$feature), ]
    expect_equal(
      table$same_sign, share_by_coefficients(fit, table$direction == "high", data, y == "high")
    )
    expect_true(any(table$same_sign > 0.9) && any(table$same_sign < 0.5))
  }
})

test_that("same_sign of paths by likelihood is that of their coefficients", {
  data <- sign_data()
  fit <- stability_selection(
    data$x, data$classes, family = "binomial", q = 3, cutoff = 0.9, n_pairs = 10, seed = 1
  )
  counts <- as.matrix(fit$resamples)
  run_of_event <- rep(1:20, diff(c(0, fit$paths$run_events)))
  for (b in 1:20) {
    rows <- which(counts[, b] > 0)
    path <- lasso_path(data$x[rows, ], data$classes[rows], family = "binomial", n_lambda = 400)
    signs <- unname(first_sign(path))
    event <- fit$paths$event[run_of_event == b]
    positive <- fit$paths$positive[run_of_event == b]
    entries <- event > 0 & !duplicated(event)
    expect_identical(positive[entries], signs[event[entries]] > 0)
  }
})

test_that("same_sign is about the runs that selected a feature, however long the paths are", {
  data <- sign_data()
  few <- function(x, ...) stability_selection(x, ..., q = 2, cutoff = 0.9)
  long <- stability_selection(data$x, data$y, q = 3, cutoff = 0.9, n_pairs = 10, seed = 1)
  cut <- few(long)
  expect_identical(is.na(cut$table$same_sign), cut$table$frequency == 0)
  # Not a number that was computed: a value that is not there.
  expect_false(any(is.nan(cut$table$same_sign)))
  expect_identical(cut$table, few(data$x, data$y, n_pairs = 10, seed = 1)$table)
})

test_that("the colon genes that matter beside others are as many as were counted", {
  x <- log2(colon_genes$x)
  table <- fealect(x, colon_genes$y, n_runs = 1000, n_boot = 0, oob = FALSE, seed = 1)$table
  frequent <- table[table$frequency >= 0.1, ]
  expect_identical(c(nrow(frequent), sum(frequent$same_sign < 0.1)), c(155L, 13L))
})
