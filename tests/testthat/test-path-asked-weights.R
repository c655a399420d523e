n <- 60L
rows <- sprintf("s%02d", seq_len(n))
x <- withr::with_seed(
  1, matrix(stats::rnorm(n * 25), n, dimnames = list(rows, sprintf("g%d", 1:25)))
)
weights <- withr::with_seed(2, stats::setNames(stats::rexp(n) + 0.1, rows))
weights[7] <- 0
offset <- withr::with_seed(3, stats::setNames(stats::rnorm(n, sd = 0.7), rows))
link <- drop(x[, 1:3] %*% c(1, -1, 0.7))
outcomes <- withr::with_seed(4, list(
  gaussian = link + offset + stats::rnorm(n),
  binomial = factor(stats::rlogis(n) < link + offset, labels = c("low", "high")),
  poisson = stats::rpois(n, exp(0.5 * link + offset)),
  cox = cbind(time = stats::rexp(n, exp(link + offset)), status = stats::rbinom(n, 1, 0.7))
))

test_that("the runs of every family are glmnet's with weights and offset", {
  skip_if_not_installed("glmnet")
  skip_if_not_installed("survival")
  for (family in names(outcomes)) {
    y <- outcomes[[family]]
    own <- if (family == "cox") survival::Surv(y[, 1], y[, 2]) else y
    fit <- bolasso(x, own,
      lambda = 0.1, cutoff = 0.5, n_runs = 6, family = family, weights = weights, offset = offset,
      seed = 1
    )
    for (b in 1:6) {
      in_run <- fit$resamples$counts[, b] * weights
      used <- in_run > 0
      peer <- glmnet::glmnet(
        x[used, ], if (is.matrix(y)) own[used] else y[used], family,
        weights = in_run[used], offset = offset[used], lambda = 0.1 * c(16, 8, 4, 2, 1),
        thresh = 1e-14
      )
      of_peer <- names(which(stats::coef(peer, s = 0.1)[colnames(x), 1] != 0))
      of_run <- names(which(fit$selection$selected[, b] > 0))
      expect_setequal(of_run, of_peer)
    }
    # The path of one run is lasso_path()'s, to its penalties.
    alone <- lasso_path(
      x[used, ], if (is.matrix(y)) own[used] else y[used], family, weights = in_run[used],
      offset = offset[used], lambda = 0.1 * c(16, 8, 4, 2, 1), tolerance = 1e-10
    )
    expect_equal(
      as.matrix(alone$coefficients), as.matrix(stats::coef(peer)[colnames(x), ]),
      tolerance = 1e-6, ignore_attr = TRUE
    )
  }
})

test_that("classes have an offset for each, as glmnet's grouped paths", {
  skip_if_not_installed("glmnet")
  classes <- withr::with_seed(5, factor(sample(c("a", "b", "c"), n, TRUE)))
  by_class <- withr::with_seed(6, matrix(stats::rnorm(3 * n), n, dimnames = list(rows, NULL)))
  fit <- bolasso(x, classes,
    lambda = 0.08, cutoff = 0.5, n_runs = 5, weights = weights, offset = by_class, seed = 1
  )
  for (b in 1:5) {
    in_run <- fit$resamples$counts[, b] * weights
    used <- in_run > 0
    peer <- glmnet::glmnet(
      x[used, ], classes[used], "multinomial", type.multinomial = "grouped",
      weights = in_run[used], offset = by_class[used, ], lambda = 0.08 * c(8, 4, 2, 1),
      thresh = 1e-14
    )
    of_peer <- names(which(stats::coef(peer, s = 0.08)$a[colnames(x), 1] != 0))
    expect_setequal(names(which(fit$selection$selected[, b] > 0)), of_peer)
  }
})

folds_of <- function(y, stratify) {
  draw_resamples(resample_folds(5, stratify = stratify), y, seed = 1)$counts
}

test_that("the cross-validated loss is that of cv.glmnet", {
  skip_if_not_installed("glmnet")
  for (family in c("gaussian", "binomial", "poisson")) {
    y <- outcomes[[family]]
    fit <- bolasso(x, y,
      cutoff = 0.5, n_runs = 2, n_folds = 5, family = family, weights = weights, offset = offset,
      seed = 1
    )
    # glmnet does not converge on smaller penalties.
    first <- seq_len(45)
    peer <- glmnet::cv.glmnet(
      x, y, family = family, weights = weights, offset = offset, lambda = fit$cv$lambda[first],
      foldid = max.col(1 - folds_of(y, family == "binomial")), thresh = 1e-14
    )
    expect_equal(fit$cv$error[first], unname(peer$cvm), tolerance = 1e-5)
  }
})

# cv.glmnet divides weights of all samples and of a fold by different numbers.
test_that("the cross-validated loss of survival times is the partial likelihood of coxph", {
  skip_if_not_installed("survival")
  y <- survival::Surv(outcomes$cox[, 1], outcomes$cox[, 2])
  fit <- bolasso(x, y,
    cutoff = 0.5, n_runs = 2, n_folds = 5, weights = weights, offset = offset, seed = 1
  )
  shown <- c(5, 20, 40)
  likelihood <- function(link, rows) {
    rows <- rows[weights[rows] > 0]
    data <- data.frame(link = link[rows], w = weights[rows])
    data$y <- y[rows]
    survival::coxph(y ~ offset(link), data, weights = w)$loglik[1]
  }
  folds <- folds_of(y, TRUE)
  loss <- vapply(1:5, function(fold) {
    inside <- which(folds[, fold] > 0)
    path <- lasso_path(
      x[inside, ], y[inside], weights = weights[inside], offset = offset[inside],
      lambda = fit$cv$lambda, tolerance = 1e-10
    )
    link <- as.matrix(x %*% path$coefficients[, shown]) + offset
    2 * apply(link, 2, function(one) likelihood(one, inside) - likelihood(one, seq_len(n)))
  }, numeric(3))
  expect_equal(fit$cv$error[shown], rowSums(loss) / sum(weights), tolerance = 1e-6)
})

test_that("equal weights change nothing, and repeats keep the weights of their samples", {
  y <- outcomes$binomial
  plain <- fealect(x, y, n_runs = 10, family = "binomial", seed = 1)
  ones <- fealect(x, y, n_runs = 10, family = "binomial", weights = rep(1, n), seed = 1)
  expect_identical(ones$table, plain$table)
  twos <- fealect(x, y, n_runs = 10, family = "binomial", weights = rep(2, n), seed = 1)
  expect_equal(twos$table, plain$table)
  # With other weights, if equal, least squares leaves its own engine for that of likelihoods.
  squares <- fealect(x, y, n_runs = 10, max_features = 8, seed = 1)
  weighted <- fealect(x, y, n_runs = 10, max_features = 8, weights = rep(2, n), seed = 1)
  expect_equal(weighted$table$feature, squares$table$feature)
  expect_equal(weighted$table$score, squares$table$score, tolerance = 1e-6)

  fit <- stability_selection(
    x, y, q = 3, cutoff = 0.7, n_pairs = 10, family = "binomial", weights = weights,
    offset = offset, seed = 1
  )
  expect_equal(fit$study$roles[c("weights", "offset")], list(
    weights = unname(weights), offset = unname(offset)
  ))
  half <- which(fit$resamples$counts[, 1] > 0)
  procedure <- procedure_of(fit)
  part <- part_of_study(with_roles(study_of(x, read_response(y, n)), fit$study$roles), half)
  expect_equal(part$response$weights, unname(weights)[half])
  expect_equal(part$response$offset, unname(offset)[half])
  expect_equal(update(fit, n_threads = 2)$table, fit$table)
  parts <- split(seq_len(20), rep(1:2, each = 10))
  draws <- draw_resamples(resample_pairs(10), y, seed = 1)
  each <- lapply(parts, function(runs) {
    stability_selection(
      x, y, q = 3, cutoff = 0.7, resampling = draws[runs], family = "binomial",
      weights = weights, offset = offset
    )
  })
  joined <- do.call(merge_runs, unname(each))
  expect_equal(joined$table$frequency, fit$table$frequency)
})

test_that("permutations keep outcome, weights and offset together", {
  y <- outcomes$poisson
  fit <- bolasso(x, y,
    lambda = 0.1, cutoff = 0.5, n_runs = 4, family = "poisson", weights = weights,
    offset = offset, permute = 20, seed = 1
  )
  expect_identical(fit$null$permuted, "residuals of the features")
  entries <- vapply(1:4, function(b) {
    counts <- fit$resamples$counts[, b]
    path <- lasso_path(
      x, y, "poisson", weights = counts * weights, offset = offset, max_features = 10,
      tolerance = 1e-10, n_lambda = 2000
    )
    entered <- apply(as.matrix(path$coefficients) != 0, 1, function(met) which(met)[1])
    ifelse(is.na(entered), 0, path$lambda[entered])
  }, numeric(ncol(x)))
  best <- names(which.max(fit$null$observed))
  # Runs follow no grid, and say where features enter to a few parts in a thousand.
  expect_equal(unname(fit$null$observed[best]), mean(entries[best, ]), tolerance = 0.01)
  # As many values as without weights: samples of one outcome differ.
  expect_identical(fit$null$n_permutations, 20L)
  study <- with_roles(study_of(x, read_response(y, n)), fit$study$roles)
  order <- rev(seq_len(n))
  permuted <- permute_study(study, order, fit$asked$likelihood$family)
  expect_equal(permuted$x, x[order, ], ignore_attr = TRUE)
  expect_identical(permuted$response, study$response)
})

test_that("what does not fit is refused by name", {
  y <- outcomes$binomial
  refuses <- function(message, ...) expect_error(bolasso(x, y, lambda = 0.1, ...), message)
  refuses("`weights\\[rownames\\(x\\)\\]`", weights = rev(weights))
  refuses("one value for each of the 60 rows", weights = weights[1:10])
  refuses("not negative, but has NA at position 3", weights = replace(weights, 3, NA))
  refuses("but has -1 at position 3", weights = replace(weights, 3, -1))
  refuses("positive for at least 3 rows, not 0", weights = 0 * weights)
  refuses("Sample name 1 of `offset` is \"s60\"", offset = rev(offset))
  refuses("must be finite", offset = replace(offset, 2, Inf))
  refuses("cannot be combined with `within`", weights = weights, within = rep(1:30, 2))
  expect_error(fealect(x, y, offset = offset), "The final model has none")
  expect_error(
    fealect(x, outcomes$gaussian, weights = weights, score_rule = "step"), "score_rule = \"size\""
  )
  expect_error(lasso_path(x, y, weights = rev(weights)), "Sample name 1 of `weights`")
  fit <- stability_selection(
    x, y, q = 3, cutoff = 0.7, n_pairs = 5, weights = weights, offset = offset, seed = 1
  )
  expect_error(estimate_error_rates(fit, x, y), "simulated outcomes do not contain")
  expect_error(estimate_sample_size(fit, x, y, seed = 1), "an estimate of the sample size do not")
  weighted <- stability_selection(
    x, y, q = 3, cutoff = 0.7, n_pairs = 5, weights = weights, seed = 1
  )
  expect_error(
    estimate_sample_size(weighted, x, y, n_simulations = 2, seed = 1), "simulated samples have none"
  )
  expect_error(
    compare_cohorts(x, y, rep(1:2, n / 2), object = fit), "`object` has `weights`"
  )
})

test_that("prints say what is weighted, and what is not", {
  fit <- fealect(x, outcomes$binomial, n_runs = 5, weights = weights, oob = FALSE, seed = 1)
  shown <- utils::capture.output(print(fit))
  expect_match(shown, "paths with weights of samples from 0 to 4.96", all = FALSE, fixed = TRUE)
  expect_match(shown, "final model and error count all samples alike", all = FALSE)
  again <- "stability_selection(x, outcomes$binomial, weights = weights)"
  expect_match(shown, again, all = FALSE, fixed = TRUE)
  alike <- "^all samples count alike, whatever their weight$"
  expect_match(utils::capture.output(print(fit$model)), alike, all = FALSE)
})

test_that("the next call of a model says what it does not use", {
  purpose <- function(roles) {
    names(next_model(list(study = list(type = "survival", roles = roles))))
  }
  expect_identical(purpose(list()), "a model of these features")
  expect_identical(purpose(list(covariates = 1)), "a model of these features")
  expect_identical(purpose(list(weights = 1)), "a model of these features, without the weights")
  expect_identical(
    purpose(list(strata = 1, weights = 1)),
    "a model of these features, without the weights and strata"
  )
  # It takes no data that are compared within groups.
  expect_null(next_model(list(study = list(type = "survival", roles = list(within = 1)))))
})
