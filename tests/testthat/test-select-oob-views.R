x <- lapply(two_views$x, function(part) part[1:45, ])
x$noise <- withr::with_seed(8, matrix(stats::rnorm(45 * 6), 45))
number <- two_views$number[1:45]
classes <- two_views$y[1:45]

test_that("errors without views are those of fits without them, on the same resamples", {
  by_hand <- function(some, y, fit, ...) {
    fealect(x[some], y, resampling = fit$resamples, n_boot = 0, ..., seed = 1)$oob
  }
  for (y in list(number, classes)) {
    fit <- fealect(x, y, n_runs = 30, n_boot = 0, oob = "views", seed = 1)
    expect_identical(fit$oob, fealect(x, y, n_runs = 30, n_boot = 0, seed = 1)$oob)
    views <- fit$views
    expect_identical(views$view, names(x))
    expect_identical(views$n_total, c(4L, 20L, 6L))
    for (k in 1:3) {
      without <- by_hand(-k, y, fit)
      expect_identical(views$without[k], without$error)
      expect_equal(views$adds[k], without$error - fit$oob$error)
      if (is.numeric(y)) {
        losses <- function(oob) with(oob$predictions, (observed - predicted)^2)
        d <- losses(without) - losses(fit$oob)
        half <- stats::qnorm(0.975) * sqrt(3) * stats::sd(d) / sqrt(45)
        expect_equal(c(views$lower[k], views$upper[k]), mean(d) + c(-half, half))
      }
    }
    up_to <- c(by_hand(1, y, fit)$error, by_hand(1:2, y, fit)$error, fit$oob$error)
    expect_identical(views$up_to, up_to)
    expect_equal(views$adds_in_order, -diff(c(fit$oob$baseline, up_to)))
    expect_identical(is.na(views$lower_in_order), c(TRUE, FALSE, FALSE))
    expect_equal(views$lower_in_order[3], views$lower[3])
  }
})

test_that("weights, clusters, covariates and groups of samples are those of the whole", {
  skip_if_not_installed("survival")
  each <- stats::setNames(
    c("a", "b", "a", "b", "one", "one", rep(NA, 24)),
    c(paste0("c", 1:4), paste0("g", 1:20), paste0("noise:", 1:6))
  )
  age <- withr::with_seed(9, stats::rnorm(45))
  times <- withr::with_seed(9, {
    survival::Surv(stats::rexp(45, exp(x$clinical[, 1])), stats::rbinom(45, 1, 0.8))
  })
  patient <- rep(1:15, 3)
  settings <- list(
    list(y = number, penalty = "views"), list(y = number, penalty = c(expression = 2, c1 = 0.5)),
    list(y = number, clusters = each), list(y = classes, covariates = age), list(y = times)
  )
  for (own in settings) {
    fit <- do.call(fealect, c(list(x, n_runs = 12, n_boot = 0, oob = "views", seed = 1), own))
    if (is.numeric(own$penalty)) own$penalty <- c(expression = 2)
    if (!is.null(own$clusters)) own$clusters <- each[-(1:4)]
    without <- do.call(fealect, c(
      list(x[-1], resampling = fit$resamples, n_boot = 0, seed = 1), own
    ))
    expect_identical(fit$views$without[1], without$oob$error)
  }
  plan <- resample_subsample(40, blocks = patient)
  fit <- fealect(x, number, resampling = plan, n_boot = 0, oob = "views", seed = 1)
  without <- fealect(x[-1], number, resampling = fit$resamples, n_boot = 0, seed = 1)
  losses <- function(oob) with(oob$predictions, (observed - predicted)^2)
  d <- rowsum(losses(without$oob) - losses(fit$oob), patient) / 3
  half <- stats::qnorm(0.975) * sqrt(3) * stats::sd(d) / sqrt(15)
  expect_equal(fit$views$upper[1], mean(d) + half)
})

test_that("prints say what views add", {
  fit <- fealect(x, classes, n_runs = 20, n_boot = 0, oob = "views", seed = 1)
  squeeze <- function(lines) gsub("[\\s\u00a0]+", " ", paste(lines, collapse = " "), perl = TRUE)
  shown <- squeeze(capture.output(print(fit)))
  own <- fit$views[1, ]
  two <- function(value) format_two(100 * value)
  expect_match(shown, fixed = TRUE, squeeze(sprintf(
    "clinical adds %s points (95 %% CI %s to %s); %s without it", two(own$adds), two(own$lower),
    two(own$upper), as_percent(own$without)
  )))
  expect_match(shown, fixed = TRUE, squeeze(sprintf(
    "in their order: %s with clinical, then %s with expression", as_percent(fit$views$up_to[1]),
    as_percent(fit$views$up_to[2])
  )))
  expect_output(print(summary(fit)), "Error out of bag without each view")
  expect_output(print(summary(fit)), "Error out of bag with the views up to each")
})

test_that("a view that never varies has no error alone, and other data are refused", {
  constant <- list(constant = cbind(age = rep(1, 45)), expression = x$expression)
  fit <- fealect(constant, number, n_runs = 10, n_boot = 0, oob = "views", seed = 1)
  expect_equal(fit$views$adds[1], 0)
  expect_identical(fit$views$without[2], NA_real_)
  expect_identical(fit$views$up_to[1], NA_real_)
  expect_output(print(fit), "constant adds 0 ")
  refused <- function(message, x, oob) {
    expect_error(fealect(x, number, n_runs = 5, oob = oob), message,
      class = "stabilect_error_input", fixed = TRUE
    )
  }
  refused("needs two views or more", x$clinical, "views")
  refused("needs two views or more", x[1], "views")
  refused("`oob` must be TRUE, FALSE or \"views\"", x, "view")
})

test_that("the figures of what views add are those that were measured", {
  table <- result_of("views", "adds")
  without <- with(table, signal == "none" | (signal == "clinical" & block == "expression") |
    (signal == "expression" & block == "clinical"))
  carries <- with(table, (signal %in% c("both", "clinical", "dense") & block == "clinical") |
    (signal %in% c("both", "expression") & block == "expression"))
  of <- function(outcome) table[table$outcome == outcome, ]
  percent <- function(value) round(100 * value)
  for (file in c("vignettes/error-rates.Rmd", "experiments/views/README.md")) {
    expect_says(file, "%d to %d %% of the data sets for classes and %d to %d %% for numbers",
      percent(min(of("classes")$covered)), percent(max(of("classes")$covered)),
      percent(min(of("numbers")$covered)), percent(max(of("numbers")$covered))
    )
    expect_says(file, "were above 0 in at most %d %%", percent(max(table$above_zero[without])))
  }
  expect_true(all(table$adds[carries] > 0))
  numbers <- table[carries & table$outcome == "numbers", ]
  expect_says(
    "experiments/views/README.md", "above 0 in %d to %d %% for numbers with signal",
    percent(min(numbers$above_zero)), percent(max(numbers$above_zero))
  )
  chosen <- result_of("views", "chosen")
  none <- chosen[chosen$signal == "none", ]
  expect_true(all(abs(none$error_chosen - none$error) <= 2 * none$se))
  expect_true(all(chosen$error_chosen / chosen$error <= 1.01))
  row <- function(signal) chosen[chosen$signal == signal & chosen$outcome == "classes", ]
  expect_says(
    "experiments/views/README.md", "from %.0f to %.0f %% where ten clinical values",
    100 * row("dense")$error, 100 * row("dense")$error_chosen
  )
  expect_says(
    "experiments/views/README.md", "from %.0f to %.0f %% where two",
    100 * row("clinical")$error, 100 * row("clinical")$error_chosen
  )
})
