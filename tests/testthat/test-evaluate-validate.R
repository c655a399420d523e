validation_data <- function(n = 90) {
  withr::with_seed(2, {
    x <- matrix(rnorm(n * 6), n, dimnames = list(paste0("s", 1:n), paste0("g", 1:6)))
    y <- factor(ifelse(x[, 1] - x[, 2] + rnorm(n) > 0, "ill", "well"))
    list(x = x, y = y, train = 1:50, test = 51:n)
  })
}

test_that("AUC and its interval are those of DeLong et al. (1988)", {
  d <- validation_data()
  model <- fit_model(d$x[d$train, ], d$y[d$train])
  fit <- validate_model(model, d$x[d$test, ], d$y[d$test], conf_level = 0.9)
  auc <- fit$table[fit$table$measure == "auc", ]
  # pROC 1.18: roc(ill / well of the test samples, link, levels, direction = "<"), auc(), var().
  skip_if_not_installed("pROC")
  link <- predict(model, d$x[d$test, ], type = "link")
  peer <- pROC::roc(d$y[d$test], link, levels = c("ill", "well"), direction = "<", quiet = TRUE)
  expect_equal(auc$estimate, as.numeric(pROC::auc(peer)))
  half <- qnorm(0.95) * sqrt(pROC::var(peer)) / (auc$estimate * (1 - auc$estimate))
  expect_equal(c(auc$lower, auc$upper), plogis(qlogis(auc$estimate) + c(-half, half)))
})

test_that("errors, calibration and their intervals are those of base R", {
  d <- validation_data()
  fit <- fealect(d$x[d$train, ], d$y[d$train], n_runs = 20, max_features = 2, seed = 1)
  expect_gt(length(fit$features), 0)
  checked <- validate_model(fit, d$x[d$test, ], d$y[d$test])
  row <- function(measure) checked$table[checked$table$measure == measure, ]
  observed <- d$y[d$test]
  predicted <- predict(fit, d$x[d$test, ])
  wrong <- sum(predicted != observed)
  n <- length(observed)
  peer <- stats::prop.test(wrong, n, correct = FALSE)$conf.int
  expect_equal(unlist(row("error")[2:4], use.names = FALSE), c(wrong / n, peer))
  expect_equal(row("error")$reference, min(table(observed)) / n)
  metric <- measure_predictions(observed, predicted, metric = "balanced_accuracy")
  expect_equal(row("balanced_error")$estimate, 1 - metric[[1]])
  expect_lt(row("balanced_error")$lower, row("balanced_error")$estimate)
  link <- predict(fit, d$x[d$test, ], type = "link")
  slope <- stats::glm((observed == "well") ~ link, stats::binomial())
  expect_equal(row("calibration_slope")$estimate, coef(slope)[[2]])
  limits <- suppressMessages(stats::confint.default(slope))[2, ]
  expect_equal(unlist(row("calibration_slope")[3:4], use.names = FALSE), unname(limits))
  level <- stats::glm((observed == "well") ~ 1, stats::binomial(), offset = link)
  expect_equal(row("calibration_intercept")$estimate, coef(level)[[1]])
  probability <- predict(fit, d$x[d$test, ], type = "probability")
  expect_equal(row("brier")$estimate, mean((probability - (observed == "well"))^2))
  expect_identical(checked$predictions$sample, rownames(d$x)[d$test])
  expect_identical(checked$predictions$predicted, unname(predicted))
  expect_match(
    printed_words(checked), "Signal yes: the interval of the error .*Error .* on 40 new samples"
  )
})

test_that("the limits of a balanced error lie between those of its classes, and shrink with n", {
  # One class: Wilson's limits. Two of equal size and error: narrower by root two.
  expect_equal(interval_of_mean(0.2, 50, 0.95), wilson_interval(0.2, 50, 0.95))
  one <- wilson_interval(0.2, 50, 0.95)
  both <- interval_of_mean(c(0.2, 0.2), c(50, 50), 0.95)
  expect_equal(both - 0.2, (one - 0.2) / sqrt(2))
})

test_that("numbers, one class, perfect separation and small samples", {
  d <- validation_data()
  z <- d$x[, 1] - d$x[, 2]
  checked <- validate_model(
    fit_model(d$x[d$train, ], z[d$train] + d$x[d$train, 3]), d$x[d$test, ], z[d$test]
  )
  losses <- (z[d$test] - predict(
    fit_model(d$x[d$train, ], z[d$train] + d$x[d$train, 3]), d$x[d$test, ]
  ))^2
  expect_equal(checked$table$estimate[1], mean(losses))
  variance <- mean((z[d$test] - mean(z[d$test]))^2)
  expect_equal(checked$table$estimate[2], 1 - mean(losses) / variance)
  expect_output(print(checked), "mean squared error")
  model <- fit_model(d$x[d$train, ], d$y[d$train])
  ill <- which(d$y == "ill" & seq_along(d$y) %in% d$test)
  ill <- validate_model(model, d$x[ill, ], rep("ill", length(ill)))
  expect_true(is.na(ill$table$estimate[ill$table$measure == "auc"]))
  expect_true(is.na(ill$table$estimate[ill$table$measure == "calibration_slope"]))
  own <- predict(model, d$x + 1e-9)
  perfect <- validate_model(model, d$x + 1e-9, own)$table
  expect_identical(perfect$estimate[1:3], c(0, 0, 1))
  expect_true(is.na(perfect$estimate[4]))
  expect_lt(perfect$lower[3], 1)
  one <- d$test[1]
  expect_s3_class(
    validate_model(model, d$x[one, , drop = FALSE], d$y[one]), "stabilect_validation"
  )
})

test_that("errors about new samples name the user's call, and the column", {
  data <- withr::with_seed(1, matrix(stats::rnorm(90), 30, dimnames = list(NULL, c("a", "b", "c"))))
  y <- factor(rep(c("ill", "well"), 15))
  model <- fit_model(data, y, c("a", "b"))
  refused <- function(code) rlang::catch_cnd(code, "stabilect_error_input")
  verb <- function(error) as.character(error$call[[1]])
  text <- data.frame(data)
  text$b <- as.character(text$b)
  errors <- list(
    validate_model = refused(validate_model(model, text, y)),
    predict = refused(predict(model, text)),
    validate_model = refused(validate_model(model, data[, "a", drop = FALSE], y))
  )
  expect_identical(vapply(errors, verb, ""), stats::setNames(names(errors), names(errors)))
  expect_match(conditionMessage(errors[[1]]), "not numbers.* \"b\", has class <character>")
  numbers <- refused(validate_model(model, as.matrix(text), y))
  expect_match(conditionMessage(numbers), "must have numbers, not <character>")
  scored <- fealect(data, y, n_runs = 5, oob = FALSE, seed = 1)
  expect_identical(verb(refused(predict(scored, text))), "predict")
})

test_that("what is refused", {
  d <- validation_data()
  model <- fit_model(d$x, d$y)
  refuse <- function(pattern, ...) {
    expect_error(validate_model(...), pattern, class = "stabilect_error_input")
  }
  refuse("which is not a class", model, d$x[1:3, ], c("ill", "healthy", "ill"))
  refuse("3 values", model, d$x[1:2, ], d$y[1:3])
  refuse("lacks", model, d$x[, -1], d$y)
  refuse("conf_level", model, d$x, d$y, conf_level = 1)
  refuse("fit_model", stability_selection(d$x, d$y, q = 2, cutoff = 0.9, seed = 1), d$x, d$y)
  refuse("finite numbers", fit_model(d$x, d$x[, 1]), d$x, d$y)
})

test_that("what the features add to covariates is a paired difference", {
  d <- withr::with_seed(4, {
    n <- 140
    x <- matrix(rnorm(n * 6), n, dimnames = list(NULL, paste0("g", 1:6)))
    age <- rnorm(n)
    link <- x[, 1] + age
    list(
      x = x, z = data.frame(age), y = factor(ifelse(link + rlogis(n) > 0, "ill", "well")),
      numbers = link + rnorm(n), time = rexp(n, exp(link)), event = rbinom(n, 1, 0.8),
      train = 1:70, test = 71:n
    )
  })
  check <- function(y) {
    at <- function(rows) if (is.matrix(y)) y[rows, ] else y[rows]
    z <- function(rows) d$z[rows, , drop = FALSE]
    model <- fit_model(d$x[d$train, ], at(d$train), covariates = z(d$train))
    alone <- fit_model(
      matrix(rnorm(70), 70, dimnames = list(NULL, "none")), at(d$train), lambda = 1e8,
      covariates = z(d$train)
    )
    checked <- validate_model(model, d$x[d$test, ], at(d$test), covariates = z(d$test))
    link <- function(of, x) predict(of, x, type = link_type, covariates = z(d$test))
    link_type <- if (is.factor(y)) "link"
    list(
      checked = checked, table = checked$table, full = link(model, d$x[d$test, ]),
      alone = link(alone, matrix(0, 70, 1, dimnames = list(NULL, "none"))),
      row = function(name) checked$table[checked$table$measure == name, ]
    )
  }
  half <- function(row) (row$difference_upper - row$difference_lower) / 2 / qnorm(0.975)

  classes <- check(d$y)
  observed <- d$y[d$test] == "well"
  wrong <- function(link) (link > 0) != observed
  of <- function(link) factor(wrong(link), c(FALSE, TRUE))
  table <- table(of(classes$full), of(classes$alone))
  # Agresti & Min (2005), with half a sample more in each cell.
  more <- (table[2, 1] + 0.5) / 72
  less <- (table[1, 2] + 0.5) / 72
  error <- classes$row("error")
  expect_equal(error$difference, mean(wrong(classes$full)) - mean(wrong(classes$alone)))
  expect_equal(
    c(error$difference_lower, error$difference_upper),
    more - less + c(-1, 1) * qnorm(0.975) * sqrt((more + less - (more - less)^2) / 72)
  )
  losses <- (plogis(classes$full) - observed)^2 - (plogis(classes$alone) - observed)^2
  brier <- classes$row("brier")
  expect_equal(brier$difference, mean(losses), tolerance = 1e-6)
  expect_equal(half(brier), sd(losses) / sqrt(70), tolerance = 1e-5)
  expect_true(all(is.na(classes$row("calibration_slope")$difference)))
  shown <- printed_words(classes$checked)
  expect_match(shown, "percentage points \\(95 % CI of the paired difference")

  numbers <- check(d$numbers)
  y <- d$numbers[d$test]
  losses <- (numbers$full - y)^2 - (numbers$alone - y)^2
  mse <- numbers$row("mean_squared_error")
  expect_equal(mse$difference, mean(losses), tolerance = 1e-5)
  expect_equal(half(mse), sd(losses) / sqrt(70), tolerance = 1e-4)
  shown <- printed_words(numbers$checked)
  expect_match(shown, "Signal yes: with the features the mean squared error is lower by")

  # Against survival::concordance() of both, whose covariance is by the infinitesimal jackknife.
  skip_if_not_installed("survival")
  times <- check(survival::Surv(d$time, d$event))
  time <- survival::Surv(d$time, d$event)[d$test]
  fixed <- function(link) {
    survival::coxph(time ~ link, init = 1, control = survival::coxph.control(iter.max = 0))
  }
  both <- suppressWarnings(survival::concordance(fixed(times$full), fixed(times$alone)))
  concordance <- times$row("concordance")
  expect_equal(concordance$difference, unname(both$concordance[1] - both$concordance[2]))
  contrast <- c(1, -1)
  expect_equal(half(concordance), sqrt(drop(contrast %*% both$var %*% contrast)))

  skip_if_not_installed("pROC")
  roc <- function(link) {
    pROC::roc(d$y[d$test], link, levels = c("ill", "well"), direction = "<", quiet = TRUE)
  }
  full <- roc(classes$full)
  alone <- roc(classes$alone)
  auc <- classes$row("auc")
  expect_equal(auc$difference, as.numeric(full$auc - alone$auc))
  variance <- pROC::var(full) + pROC::var(alone) - 2 * pROC::cov(full, alone)
  expect_equal(half(auc), sqrt(variance))
})

test_that("intervals of paired differences contain the truth", {
  # Two forecasts of one sample, right in 0.8 and 0.7 of all, mostly together.
  contains <- withr::with_seed(1, replicate(400, {
    both <- runif(60) < 0.62
    first <- both | runif(60) < (0.8 - 0.62) / 0.38
    second <- both | runif(60) < (0.7 - 0.62) / 0.38
    each <- influence_on_mean(!first) - influence_on_mean(!second)
    limits <- paired_shares_interval(each, mean(!first) - mean(!second), 0.95)
    limits[1] <= -0.1 && limits[2] >= -0.1
  }))
  expect_gt(mean(contains), 0.93)
  expect_lt(mean(contains), 0.98)
})

test_that("of a rare class the order of the samples decides where the error cannot", {
  d <- withr::with_seed(1, {
    x <- matrix(stats::rnorm(1200 * 6), 1200, dimnames = list(NULL, letters[1:6]))
    link <- x[, 1] + 0.5 * x[, 2] - 2.9
    list(x = x, y = factor(ifelse(stats::runif(1200) < stats::plogis(link), "ill", "well")))
  })
  fit <- fit_model(d$x[1:600, ], d$y[1:600])
  found <- validate_model(fit, d$x[-(1:600), ], d$y[-(1:600)])
  error <- found$table[1, ]
  expect_gte(error$upper, error$reference)
  said <- paste(format(found), collapse = " ")
  expect_match(said, "yes: the AUC is above 0.5")
  # Another threshold helps only where the error is too high, not where samples are few.
  says <- function(estimate) {
    say_order(found$table, list(estimate = estimate, reference = 0.3), "error", "30 %")
  }
  expect_match(says(0.31), "another threshold")
  expect_no_match(says(0.15), "another threshold")
  # Without signal neither decides.
  yes <- vapply(1:12, function(seed) {
    noise <- withr::with_seed(seed, sample(d$y[-(1:600)]))
    said <- format(validate_model(fit, d$x[-(1:600), ], noise))
    grepl("yes: the AUC", paste(said, collapse = " "))
  }, NA)
  expect_lte(sum(yes), 2L)
  loaded <- fealect(d$x[1:600, ], d$y[1:600], n_runs = 20, n_boot = 0, seed = 1)
  said <- gsub("\\s+", " ", paste(format(loaded), collapse = " "))
  expect_false(grepl("may be there by chance", said))
})
