planted_numbers <- function() {
  withr::with_seed(7, {
    x <- matrix(rnorm(60 * 40), 60, dimnames = list(NULL, paste0("f", 1:40)))
    list(x = x, y = drop(x[, 1:3] %*% c(3, -3, 3)) + rnorm(60))
  })
}

test_that("runs are the lasso of glmnet at that lambda", {
  skip_if_not_installed("glmnet")
  data <- planted_numbers()
  draws <- draw_resamples(resample_bootstrap(8), n = 60, seed = 1)
  fit <- bolasso(data$x, data$y, lambda = 0.3, resampling = draws)
  for (b in 1:8) {
    rows <- split(draws)[[b]]
    peer <- glmnet::glmnet(data$x[rows, ], data$y[rows], lambda = 0.3, thresh = 1e-14)
    expect_identical(
      unname(which(as.vector(peer$beta) != 0)), unname(which(fit$selection$selected[, b]))
    )
  }
})

test_that("planted features are in all runs, and Bolasso-S keeps what Bolasso keeps", {
  data <- planted_numbers()
  fit <- bolasso(data$x, data$y, seed = 1, n_runs = 60)
  expect_true(all(c("f1", "f2", "f3") %in% fit$features))
  soft <- bolasso(data$x, data$y, cutoff = 0.9, seed = 1, n_runs = 60)
  expect_true(all(fit$features %in% soft$features))
  expect_identical(fit$table$frequency, soft$table$frequency)
  expect_identical(soft$features, soft$table$feature[soft$table$frequency >= 0.9])
  expect_identical(fit, bolasso(data$x, data$y, seed = 1, n_runs = 60, n_threads = 2))
})

test_that("the cross-validated lambda is near the best of glmnet on the same folds", {
  skip_if_not_installed("glmnet")
  data <- planted_numbers()
  fit <- bolasso(data$x, data$y, seed = 1, n_runs = 2)
  draws <- draw_resamples(resample_folds(10), n = 60, seed = 1)
  fold <- integer(60)
  for (k in 1:10) fold[split(draws, "out")[[k]]] <- k
  peer <- glmnet::cv.glmnet(
    data$x, data$y, foldid = fold, lambda = fit$cv$lambda, thresh = 1e-12, grouped = FALSE
  )
  expect_equal(fit$cv$error, unname(peer$cvm), tolerance = 1e-5)
})

test_that("paths of fealect() are used again", {
  data <- planted_numbers()
  draws <- draw_resamples(resample_bootstrap(20), n = 60, seed = 1)
  scored <- fealect(data$x, data$y, resampling = draws, oob = FALSE, n_boot = 0)
  expect_identical(
    bolasso(scored, lambda = 0.3)$table,
    bolasso(data$x, data$y, lambda = 0.3, resampling = draws)$table
  )
  short <- fealect(data$x, data$y, resampling = draws, max_features = 3, n_boot = 0)
  expect_error(bolasso(short, lambda = 0.01), "where the first path")
  end <- max(path_ends(short$paths)$last / run_scales(draws))
  expect_error(bolasso(short, lambda = 0.99 * end), "where the first path")
  expect_identical(
    bolasso(short, lambda = 1.01 * end)$table, bolasso(scored, lambda = 1.01 * end)$table
  )
})

test_that("bad input is refused", {
  data <- planted_numbers()
  expect_error(bolasso(data$x, data$y, cutoff = 0), "`cutoff`")
  expect_error(bolasso(data$x, data$y, lambda = -1), "`lambda`")
  expect_error(bolasso(data$x, data$y, n_folds = 1), "`n_folds`")
  expect_error(
    bolasso(data$x, data$y, n_runs = 5, resampling = resample_bootstrap(5)), "not both"
  )
})

test_that("runs stop early, with the result of a plan of that many", {
  data <- planted_numbers()
  run <- function(...) bolasso(data$x, data$y, cutoff = 0.9, lambda = 0.3, seed = 1, ...)
  fit <- run(n_runs = 400, until = until_decided(share = 0.8))
  expect_true(fit$made$until$reached)
  expect_lt(fit$made$n_runs, 400)
  whole <- run(n_runs = fit$made$n_runs)
  expect_identical(fit[c("table", "paths", "selection")], whole[c("table", "paths", "selection")])
  expect_output(print(fit), "stopped after")
})

test_that("fewer than ten samples have as many folds by default", {
  x <- withr::with_seed(1, matrix(rnorm(8 * 5), 8))
  y <- x[, 1] + cos(1:8) / 9
  few <- bolasso(x, y, n_runs = 5, seed = 1)
  expect_identical(few$asked$n_folds, 8L)
  expect_identical(few$table, bolasso(x, y, n_runs = 5, n_folds = 8, seed = 1)$table)
  expect_error(
    bolasso(x, y, n_runs = 5, n_folds = 10, seed = 1), "between 2 and 8",
    class = "stabilect_error_input"
  )
})
