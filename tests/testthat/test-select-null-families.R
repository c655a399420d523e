# Permutations of paths by likelihood, with strata and covariates.

design <- survival_design(n = 40, p = 10, seed = 9)
times <- surv_of(design)
strata <- rep(1:2, 20)
age <- withr::with_seed(3, rnorm(40))
study <- open_study(design$x, times, "survival", "a test")
holding <- function(study, ...) with_roles(study, list(...))

test_that("times and events move together, within strata", {
  held <- holding(study, strata = strata)
  orders <- draw_arrangements(held, NULL, 20, 1L)$orders
  for (order in orders) {
    expect_identical(sort(order), 1:40)
    expect_identical(strata[order], strata)
    moved <- permute_study(held, order, "cox")
    expect_identical(moved$response$y, design$time[order])
    expect_identical(moved$response$event, as.integer(design$event[order]))
    expect_identical(moved$x, study$x)
  }
})

test_that("residuals of the features move, and keep what the covariates explain", {
  held <- holding(study, covariates = cbind(age = age), strata = strata)
  order <- draw_arrangements(held, NULL, 1, 1L)$orders[[1]]
  moved <- permute_study(held, order, "cox")
  expect_identical(moved$response, held$response)
  z <- cbind(age, strata)
  before <- stats::lm(design$x ~ z)
  after <- stats::lm(moved$x ~ z)
  expect_equal(
    unname(stats::fitted(before) + stats::resid(before)[order, ]), unname(moved$x)
  )
  # Residuals keep their covariances.
  expect_equal(
    crossprod(stats::resid(before)), crossprod(moved$x - stats::fitted(before)),
    ignore_attr = TRUE
  )
  expect_false(isTRUE(all.equal(after$coefficients, before$coefficients)))
})

test_that("for least squares the residuals of the response move (Freedman and Lane)", {
  y <- age + sin(1:40)
  numbers <- open_study(design$x, y, "numeric", "a test")
  held <- holding(numbers, covariates = cbind(age = age))
  order <- rev(1:40)
  moved <- permute_study(held, order, "gaussian")
  fit <- stats::lm(y ~ age)
  expect_equal(moved$response$y, unname(stats::fitted(fit) + stats::resid(fit)[order]))
  expect_identical(moved$x, numbers$x)
})

test_that("the statistic is the mean penalty of lasso_path() at entry", {
  classes <- factor(c("a", "b", "c")[max.col(cbind(design$x[, 1:2], 0) + sin(1:120))])
  fit <- stability_selection(
    design$x, classes,
    q = 3, cutoff = 0.9, n_pairs = 3, permute = 20, seed = 1
  )
  drawn <- as.matrix(fit$resamples)
  entry <- vapply(1:6, function(b) {
    path <- lasso_path(
      design$x, classes, weights = drawn[, b], max_features = 3, n_lambda = 2000
    )
    vapply(seq_len(10), function(j) {
      at <- which(path$coefficients$a[j, ] != 0)
      if (length(at) > 0) path$lambda[at[1]] else 0
    }, 0)
  }, numeric(10))
  # Runs follow no grid, and say where features enter to a few parts in a thousand.
  expect_equal(unname(fit$null$observed), rowMeans(entry), tolerance = 0.01)
  expect_identical(fit$null$permuted, "responses")
})

test_that("signals are found beside a covariate, and prints say what was permuted", {
  n <- 60
  x <- withr::with_seed(1, matrix(rnorm(n * 20), n, dimnames = list(NULL, paste0("g", 1:20))))
  z <- withr::with_seed(2, rnorm(n) + x[, 2])
  eta <- 1.5 * x[, 1] + z
  time <- withr::with_seed(3, rexp(n, exp(eta)))
  y <- new_surv(time, as.double(time < 2))
  fit <- stability_selection(
    x, y,
    q = 3, cutoff = 0.9, n_pairs = 10, covariates = z, permute = 39, seed = 1
  )
  expect_identical(fit$null$permuted, "residuals of the features")
  expect_lte(fit$null$p, 0.05)
  expect_lte(fit$table$p_fwer[fit$table$feature == "g1"], 0.05)
  expect_output(print(fit$null), "residuals of the features")
  again <- stability_selection(
    x, y,
    q = 3, cutoff = 0.9, n_pairs = 10, covariates = z, permute = 39, seed = 1, n_threads = 2
  )
  expect_identical(again$null, fit$null)
  scored <- fealect(x, y, n_runs = 6, permute = 20, seed = 1)
  expect_identical(length(scored$null$error$values), 20L)
  lasso <- bolasso(x, x[, 1] + z, covariates = z, lambda = 0.3, n_runs = 6, permute = 20, seed = 1)
  expect_identical(lasso$null$permuted, "residuals of the response")
  expect_output(print(stability_selection(
    x, y,
    q = 3, cutoff = 0.9, n_pairs = 3, strata = rep(1:2, 30), permute = 20, seed = 1
  )$null), "within their strata")
})

test_that("blocks swap within their stratum, or are refused", {
  blocks <- factor(rep(1:20, each = 2))
  labels <- open_study(design$x, rep(rep(c(1.5, 2, 4, 7), each = 2), 5), "numeric", "a test")
  half <- rep(1:2, each = 20)
  orders <- draw_arrangements(holding(labels, strata = half), blocks, 5, 1L)$orders
  for (order in orders) expect_identical(half[order], half)
  expect_error(
    draw_arrangements(holding(labels, strata = strata), blocks, 5, 1L), "several `strata`"
  )
})

test_that("ensembles score permuted residuals beside the covariates", {
  select <- function(x, y, ...) {
    select_ensemble(
      x, y, selector_filter(if (is.factor(y)) "t" else "pearson"), resample_bootstrap(6),
      n_features = 3, covariates = age, seed = 1, ...
    )
  }
  classes <- factor(ifelse(design$x[, 1] + age > 0, "high", "low"))
  for (y in list(age + sin(1:40), classes)) {
    fit <- select(design$x, y, permute = 3)
    numbers <- open_study(design$x, y, c("binary", "numeric"), "a test")
    held <- holding(numbers, covariates = cbind(age = age))
    orders <- draw_arrangements(held, NULL, 3, 1L)$orders
    best <- vapply(orders, function(order) {
      moved <- permute_study(held, order, "gaussian")
      max(select(moved$x, if (is.factor(y)) y else moved$response$y)$table$score)
    }, 0)
    expect_equal(fit$null$maxima, best)
    expect_identical(
      fit$null$permuted, paste("residuals of the", if (is.factor(y)) "features" else "response")
    )
  }
  with_levels <- open_study(design$x, classes, "binary", "a test")
  with_levels$response$covariates <- cbind(age = age)
  expect_null(check_residuals(with_levels))
  with_levels$factors <- "V1"
  expect_error(check_residuals(with_levels), "numbers in memory", class = "stabilect_error_input")
})
