# Covariates without a penalty in final models and in fealect(): coefficients, choice of the
# penalty, errors left out, predictions, refusals.

covariate_data <- function(n = 50, p = 12) {
  withr::with_seed(11, {
    age <- round(stats::rnorm(n, 50, 9))
    batch <- factor(sample(c("b1", "b2", "b3"), n, TRUE))
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    x[, 1] <- 10 * x[, 1] + 2 * (batch == "b2")
    y <- x[, 2] + x[, 3] + 2 * (batch == "b2") + stats::rnorm(n)
    time <- ceiling(10 * stats::rexp(n, exp(x[, 2] + (batch == "b3"))))
    list(
      x = x, z = data.frame(age, batch), y = y, class = factor(ifelse(y > 0.5, "high", "low")),
      times = new_surv(time, stats::rbinom(n, 1, 0.7))
    )
  })
}
d <- covariate_data()
few <- c("g1", "g2", "g5")
dummies <- cbind(age = d$z$age, b2 = d$z$batch == "b2", b3 = d$z$batch == "b3") + 0

standardised <- function(x) {
  z <- t(t(x) - colMeans(x))
  t(t(z) / sqrt(colMeans(z^2)))
}

test_that("without a penalty the models are those of lm(), glm() and coxph()", {
  fit <- fit_model(d$x, d$y, few, lambda = 0, covariates = d$z)
  peer <- stats::lm(d$y ~ age + batch + d$x[, few], d$z)
  expect_equal(unname(coef(fit)), unname(stats::coef(peer)), tolerance = 1e-10)
  expect_identical(names(coef(fit)), c("(Intercept)", "age", "batch: b2", "batch: b3", few))
  expect_equal(unname(fit$without_features), unname(stats::coef(stats::lm(d$y ~ age + batch, d$z))))
  fit <- fit_model(d$x, d$class, "g1", lambda = 1e-9, covariates = d$z)
  exact <- stats::glm.control(epsilon = 1e-14, maxit = 100)
  peer <- stats::glm(d$class ~ age + batch + d$x[, 1], stats::binomial(), d$z, control = exact)
  expect_equal(unname(coef(fit)), unname(stats::coef(peer)), tolerance = 1e-7)
  peer <- stats::glm(d$class ~ age + batch, stats::binomial(), d$z, control = exact)
  expect_equal(unname(fit$without_features), unname(stats::coef(peer)), tolerance = 1e-9)
  skip_if_not_installed("survival")
  fit <- fit_model(d$x, d$times, few, lambda = 0, covariates = d$z)
  times <- survival::Surv(unclass(d$times)[, 1], unclass(d$times)[, 2])
  exact <- survival::coxph.control(1e-13, 1e-14, 50)
  peer <- survival::coxph(times ~ age + batch + d$x[, few], d$z, control = exact)
  expect_equal(unname(coef(fit)), unname(stats::coef(peer)), tolerance = 1e-8)
  expect_equal(
    diff(unname(predict(fit, d$x, covariates = d$z))), diff(unname(stats::predict(peer))),
    tolerance = 1e-8
  )
})

test_that("a penalty holds the standardised features and not the covariates", {
  wide <- withr::with_seed(2, matrix(stats::rnorm(50 * 80), 50))
  colnames(wide) <- paste0("w", 1:80)
  for (x in list(d$x, wide)) {
    s <- standardised(x)
    # Ridge regression is least squares with a row for each penalised coefficient.
    rows <- rbind(cbind(1, dummies, s), cbind(matrix(0, ncol(x), 4), sqrt(7) * diag(ncol(x))))
    peer <- stats::lm.fit(rows, c(d$y, numeric(ncol(x))))$coefficients
    fit <- fit_model(x, d$y, lambda = 7, covariates = d$z)
    expect_equal(unname(fit$standardised), unname(peer[-(1:4)]), tolerance = 1e-9)
    expect_equal(unname(coef(fit)[2:4]), unname(peer[2:4]), tolerance = 1e-9)
    fit <- fit_model(x, d$class, lambda = 2, covariates = d$z)
    rest <- (d$class == "low") - predict(fit, x, "probability", covariates = d$z)
    expect_equal(drop(crossprod(cbind(1, dummies), rest)), numeric(4),
      tolerance = 1e-7, ignore_attr = TRUE
    )
    expect_equal(drop(crossprod(s, rest)), 2 * fit$standardised, tolerance = 1e-7)
  }
  skip_if_not_installed("survival")
  times <- survival::Surv(unclass(d$times)[, 1], unclass(d$times)[, 2])
  s <- standardised(d$x)
  peer <- survival::coxph(
    times ~ age + batch + survival::ridge(s, theta = 4, scale = FALSE), d$z,
    control = survival::coxph.control(1e-13, 1e-14, 50)
  )
  fit <- fit_model(d$x, d$times, lambda = 4, covariates = d$z)
  expect_equal(
    c(coef(fit)[1:3], fit$standardised), stats::coef(peer), tolerance = 1e-7, ignore_attr = TRUE
  )
})

test_that("the penalty is chosen with the covariates counted", {
  fit <- fit_model(d$x, d$y, covariates = d$z)
  s <- qr.resid(qr(cbind(1, dummies)), standardised(d$x))
  rest <- qr.resid(qr(cbind(1, dummies)), d$y)
  gcv <- function(lambda) {
    hat <- s %*% solve(crossprod(s) + diag(lambda, 12), t(s))
    50 * sum((rest - hat %*% rest)^2) / (50 - 4 - sum(diag(hat)))^2
  }
  around <- fit$asked$lambda * 10^c(-0.3, -0.1, 0, 0.1, 0.3)
  expect_identical(which.min(vapply(around, gcv, 0)), 3L)
  cox <- fit_model(d$x, d$times, covariates = d$z)
  expect_gt(cox$asked$lambda, 0)
})

test_that("a covariate that says nothing gives the model of none", {
  plain <- function(kind, y, lambda, event = NULL) {
    for (wide in c(FALSE, TRUE)) {
      x <- if (wide) cbind(d$x, d$x[50:1, ], d$x[c(25:50, 1:24), ], d$x^2, abs(d$x)) else d$x
      none <- fit_ridge(x, matrix(0, 50, 0), kind, y, event, lambda)
      same <- fit_ridge(x, matrix(7, 50, 1), kind, y, event, lambda)
      expect_equal(same$lambda, none$lambda)
      expect_equal(same$coefficients, none$coefficients, tolerance = 1e-8)
      expect_equal(same$intercept, none$intercept, tolerance = 1e-8)
      expect_equal(same$offset, none$offset)
      expect_identical(same$covariates, 0)
    }
  }
  for (lambda in list(NULL, 3)) {
    plain("least_squares", d$y, lambda)
    plain("ridge_cox", d$times[, 1], lambda, d$times[, 2])
  }
  plain("ridge_logistic", ifelse(d$y > stats::median(d$y), 1, -1), 2)
})

test_that("new samples need their covariates, in any order of columns", {
  fit <- fit_model(d$x, d$y, few, covariates = d$z)
  known <- predict(fit, d$x[1:6, ], covariates = d$z[1:6, ])
  expect_equal(known, unname(drop(cbind(1, dummies, d$x[, few])[1:6, ] %*% coef(fit))))
  expect_identical(predict(fit, d$x[1:6, ], covariates = cbind(other = 1, d$z[1:6, 2:1])), known)
  expect_identical(unname(predict(fit, cbind(as.data.frame(d$x), d$z)[1:6, ])), known)
  refused <- function(message, ...) {
    expect_error(predict(fit, ...), message, class = "stabilect_error_input")
  }
  refused("of the new samples are needed: \"age\" and \"batch\"", d$x)
  refused("needed: \"batch\"", cbind(d$x, age = 50))
  refused("has 5 rows but `newdata` has 50", d$x, covariates = d$z[1:5, ])
  refused("must have the columns of the model", d$x, covariates = d$z["age"])
  odd <- replace(as.character(d$z$batch), 4, "b9")
  refused("\"b9\" at position 4", d$x, covariates = data.frame(age = d$z$age, batch = odd))
  refused("NA at position 2", d$x, covariates = transform(d$z, age = replace(age, 2, NA)))
  plain <- fit_model(d$x, d$y, few)
  expect_error(predict(plain, d$x, covariates = d$z), "no covariates", class = "stabilect_error")
})

test_that("covariates that cannot be held are refused with what to do", {
  refused <- function(message, y = d$y, ...) {
    expect_error(fit_model(d$x, y, few, ...), message, class = "stabilect_error_input")
    expect_error(fealect(d$x, y, n_runs = 3, ...), message, class = "stabilect_error_input")
  }
  refused("constant or a", covariates = cbind(a = d$z$age, b = 7))
  refused("combination of the others", covariates = cbind(a = d$z$age, b = 1 - 2 * d$z$age))
  refused("NA at position 3", covariates = replace(d$z$age, 3, NA))
  refused("has 3 rows", covariates = 1:3)
  refused("name of a covariate and of a feature", covariates = data.frame(g1 = d$z$age))
  refused("determine `y` completely", covariates = 3 * d$y - 1)
  refused("determine `y` completely", y = d$class, covariates = data.frame(d$class))
  refused("leave nothing to explain", covariates = diag(50)[, -1])
  refused("one side", covariates = y ~ age)
  # The covariate orders the classes without being a line through them.
  expect_error(
    fit_model(d$x, d$class, few, covariates = rank(d$y) + stats::runif(50) / 3),
    "determine `y` completely", class = "stabilect_error_input"
  )
  # A level with one class.
  lonely <- replace(as.character(d$z$batch), which(d$class == "low")[1:4], "b4")
  expect_warning(fit_model(d$x, d$class, few, covariates = lonely), "for some of the samples",
    class = "stabilect_warning_separated"
  )
  named <- d$x
  rownames(named) <- paste0("s", 1:50)
  moved <- d$z[50:1, ]
  rownames(moved) <- rownames(named)[50:1]
  expect_error(fit_model(named, d$y, few, covariates = moved), "another order",
    class = "stabilect_error_input"
  )
})

test_that("fealect() scores what features add, and a copy of a covariate adds nothing", {
  copy <- cbind(d$x, copy = 3 * d$z$age, both = d$z$age - (d$z$batch == "b3"))
  fit <- fealect(copy, d$y, n_runs = 8, seed = 1, covariates = d$z)
  expect_identical(fit$table$score[fit$table$feature %in% c("copy", "both")], c(0, 0))
  counts <- as.matrix(fit$resamples)
  for (run in 1:8) {
    rows <- which(counts[, run] > 0)
    held <- qr(cbind(1, dummies)[rows, ])
    # The first to enter has the largest product of its residuals with those of y.
    s <- qr.resid(held, standardised(d$x[rows, ]))
    first <- which.max(abs(crossprod(s, qr.resid(held, d$y[rows]))))
    expect_identical(path_of_run(fit$paths, run)$event[1], first)
  }
  expect_identical(
    fealect(copy, d$y, n_runs = 8, seed = 1, covariates = d$z, n_threads = 2)$oob, fit$oob
  )
  expect_equal(
    fealect(copy, d$y, n_runs = 8, seed = 1, covariates = cbind(1, dummies)[, -1])$table, fit$table
  )
})

test_that("the out-of-bag error stands beside that of the covariates alone", {
  d <- covariate_data(p = 150)
  for (y in list(d$y, d$class)) {
    fit <- fealect(d$x, y, n_runs = 16, seed = 3, covariates = d$z)
    oob <- fit$oob$predictions
    left_out <- left_out_together(read_response(y, 50), NULL)
    for (i in c(2, 17)) {
      rows <- setdiff(1:50, left_out[[i]])
      if (is.factor(y)) {
        alone <- stats::glm(y[rows] ~ dummies[rows, ], stats::binomial())
      } else {
        alone <- stats::lm(y[rows] ~ dummies[rows, ])
      }
      expect_equal(oob$by_covariates[i], sum(stats::coef(alone) * c(1, dummies[i, ])),
        tolerance = 1e-6
      )
      left <- which(as.matrix(fit$resamples)[i, ] == 0)
      score <- Matrix::rowMeans(fit$selection$score[, left, drop = FALSE])
      features <- three_segment(score)$features
      if (length(features) == 0L) {
        # Where the curve gives no cut: those with at least half of the best score.
        best <- sort(score[score > 0 & 2 * score >= max(score)], decreasing = TRUE)
        features <- names(best)
      }
      features <- utils::head(features, oob$n_features[i])
      model <- suppressWarnings(
        fit_model(d$x[rows, ], y[rows], features, covariates = dummies[rows, ]),
        "stabilect_warning_no_features"
      )
      link <- predict(model, d$x[i, , drop = FALSE], if (is.factor(y)) "link",
        covariates = dummies[i, , drop = FALSE]
      )
      expect_equal(oob$link[i], link, tolerance = 1e-8)
    }
    wrong <- if (is.factor(y)) (oob$by_covariates > 0) != (y == "low") else oob$by_covariates - y
    expect_equal(fit$oob$baseline, mean(wrong[!is.na(oob$link)]^2))
    expect_output(print(fit), "with\\s+the\\s+covariates\\s+alone")
    expect_output(print(fit), "adjusted for age, batch: b2, batch: b3")
  }
  fit <- fealect(d$x, d$times, n_runs = 20, seed = 3, covariates = d$z)
  skip_if_not_installed("survival")
  # Pairs are compared within groups, by Cox models without the group.
  values <- survival::Surv(surv_matrix(d$times)[, 1], surv_matrix(d$times)[, 2])
  dummies <- as.matrix(fit$study$roles$covariates)
  groups <- order_groups(open_study(d$x, d$times, "survival")$response, seq_along(d$class))
  expect_length(groups, 3)
  row <- rep(seq_along(d$class), 3)
  risk <- unlist(lapply(groups, function(group) {
    vapply(seq_along(group), function(i) {
      inside <- group != group[i]
      peer <- survival::coxph(values[inside] ~ dummies[inside, ])
      sum(stats::coef(peer) * dummies[i, ])
    }, 0)
  }))
  place <- unlist(Map(paste, groups, seq_along(groups)))
  strata <- survival::strata
  peer <- survival::concordance(values[row] ~ risk + strata(place), reverse = TRUE)
  expect_equal(1 - fit$oob$baseline, peer$concordance)
  expect_output(print(fit$model), "covariates without a penalty: age, batch: b2, batch: b3")
})

test_that("results with covariates merge, replicate and validate", {
  draws <- draw_resamples(resample_subsample(12), d$class, seed = 5)
  run <- function(runs) fealect(d$x, d$class, resampling = draws[runs], covariates = d$z)
  whole <- run(1:12)
  merged <- merge_runs(run(1:6), run(7:12), x = d$x, y = d$class)
  expect_equal(merged$model, whole$model)
  expect_equal(merged$oob, whole$oob)
  other <- fealect(d$x, d$class, resampling = draws[7:12], covariates = d$z["age"])
  expect_error(merge_runs(run(1:6), other), "covariates", class = "stabilect_error_merge")
  # In a half, a batch can have one class.
  again <- evaluate_replication(whole, d$x, d$class, n_pairs = 2, n_features = 3, seed = 1)
  expect_equal(
    again$predictions$predicted,
    unname(predict(whole, d$x, type = "probability", covariates = d$z))
  )
  # Samples as those of the fit, but not the same.
  judged <- validate_model(whole, d$x + 1e-9, d$class, covariates = d$z)
  peer <- stats::glm(d$class ~ age + batch, stats::binomial(), d$z)
  wrong <- mean((stats::predict(peer) > 0) != (d$class == "low"))
  expect_equal(judged$table$reference[judged$table$measure == "error"], wrong)
  brier <- mean((stats::fitted(peer) - (d$class == "low"))^2)
  expect_equal(judged$table$reference[judged$table$measure == "brier"], brier, tolerance = 1e-7)
  expect_identical(judged$table$reference[judged$table$measure == "calibration_slope"], 1)
  expect_output(print(judged), "with\\s+the\\s+covariates\\s+alone")
  expect_error(validate_model(whole, d$x, d$class), "needed", class = "stabilect_error_input")
})
