# Balanced designs, with as many samples of each class in each batch: in every verb that compares
# with the covariates alone, covariates that say nothing err as chance does.

designs <- list(
  dose = list(y = datasets::ToothGrowth$supp, z = data.frame(dose = datasets::ToothGrowth$dose)),
  dose_levels = list(
    y = datasets::ToothGrowth$supp, z = data.frame(dose = factor(datasets::ToothGrowth$dose))
  ),
  batches = list(
    y = factor(rep(c("a", "b"), 24)), z = data.frame(batch = factor(rep(1:8, each = 6)))
  ),
  two_covariates = list(
    y = factor(rep(c("a", "b"), 24)),
    z = data.frame(batch = factor(rep(1:4, each = 12)), sex = rep(rep(c("f", "m"), each = 6), 4))
  ),
  classes = list(
    y = factor(rep(c("a", "b", "c"), 20)), z = data.frame(batch = factor(rep(1:5, each = 12)))
  )
)

noise_beside <- function(design) {
  x <- withr::with_seed(1, matrix(stats::rnorm(length(design$y) * 8), length(design$y)))
  colnames(x) <- paste0("g", 1:8)
  x
}

# The error of the covariates alone in each verb.
alone <- list(
  fealect = function(x, y, z) {
    fealect(x, y, covariates = z, n_runs = 40, n_boot = 0, seed = 1)$oob$baseline
  },
  select_ensemble = function(x, y, z) {
    plan <- resample_subsample(40)
    filter <- selector_filter(if (nlevels(y) > 2) "anova" else "t")
    select_ensemble(
      x, y, filter, plan, n_features = 2, learner = learner_logistic(), covariates = z, seed = 1
    )$oob$baseline
  },
  eliminate_features = function(x, y, z) {
    1 - eliminate_features(x, y, covariates = z, seed = 1)$without_features$score
  },
  evaluate_elimination = function(x, y, z) {
    fit <- evaluate_elimination(
      x, y, covariates = z, resampling = resample_folds(3, stratify = TRUE), seed = 1
    )
    1 - mean(fit$table$accuracy_of_covariates)
  },
  evaluate_selectors = function(x, y, z) {
    filter <- selector_filter(if (nlevels(y) > 2) "anova" else "t")
    evaluate_selectors(
      x, y, list(filter = filter), n_features = 2, resampling = resample_bootstrap(2),
      covariates = z, n_repeats = 4, seed = 1
    )$without_features$error
  },
  test_signature = function(x, y, z) {
    fit <- test_signature(x, y, c("g1", "g2"), covariates = z, permute = 0, seed = 1)
    fit$table$error[fit$table$comparison == "covariates alone"]
  }
)

test_that("covariates that say nothing err as chance does, in every verb and design", {
  for (name in names(designs)) {
    d <- designs[[name]]
    x <- noise_beside(d)
    for (verb in names(alone)) {
      error <- suppressWarnings(alone[[verb]](x, d$y, d$z))
      expect_equal(error, 1 - 1 / nlevels(d$y), tolerance = 1e-9, info = paste(verb, name))
    }
  }
})

test_that("drawn folds, halves and runs have the classes of each batch in proportion", {
  for (name in names(designs)) {
    d <- designs[[name]]
    x <- noise_beside(d)
    study <- open_study(x, d$y, c("binary", "multiclass"), "a test", covariates = d$z)
    cell <- do.call(paste, d$z)
    plans <- list(
      resample_folds(10, 3, stratify = TRUE), resample_pairs(5, stratify = TRUE),
      resample_subsample(10, stratify = TRUE)
    )
    for (plan in plans) {
      draws <- study_draws(study, plan, 1)
      expect_true(all(draws$status == "ok"))
      left <- vapply(seq_len(draws$n_runs), function(b) {
        counts <- table(cell, d$y, draws$counts[, b] == 0L)
        max(apply(counts, c(1, 3), function(n) diff(range(n))))
      }, 0)
      # A part of an odd number cannot be equal.
      expect_lte(max(left), if (plan$scheme == "subsample") 1 else 0)
      if (plan$scheme == "folds") {
        expect_true(all(colSums(draws$counts == 0L) > 0))
        expect_identical(
          unname(rowSums(draws$counts == 0L)), rep(3, length(d$y)), info = name
        )
      }
    }
    few <- study_draws(study, resample_folds(10, 2, stratify = TRUE), 1)
    many <- study_draws(study, resample_folds(10, 3, stratify = TRUE), 1)
    expect_identical(few$counts, many$counts[, 1:20])
  }
})

test_that("covariates that are as they come change no draw", {
  y <- factor(rep(c("a", "b"), 20))
  x <- withr::with_seed(1, matrix(stats::rnorm(40 * 3), 40))
  z <- withr::with_seed(2, data.frame(age = stats::rnorm(40), sex = stats::rbinom(40, 1, 0.4)))
  plain <- open_study(x, y, "binary", "a test")
  beside <- open_study(x, y, "binary", "a test", covariates = z)
  for (plan in list(
    resample_folds(5, stratify = TRUE), resample_subsample(5, stratify = TRUE),
    resample_pairs(5, stratify = TRUE)
  )) {
    expect_identical(study_draws(beside, plan, 1)$counts, study_draws(plain, plan, 1)$counts)
  }
})

test_that("a strong signal beside a balanced design is found, and the error is small", {
  d <- designs$batches
  x <- noise_beside(d)
  x[, 3] <- x[, 3] + 3 * (d$y == "b")
  fit <- fealect(x, d$y, covariates = d$z, n_runs = 40, n_boot = 0, seed = 1)
  expect_identical(fit$table$feature[1], "g3")
  expect_lt(fit$oob$error, 0.15)
  expect_gt(fit$oob$auc, 0.95)
})

test_that("samples in another order, and columns of covariates, change no error of covariates", {
  d <- designs$two_covariates
  x <- noise_beside(d)
  turned <- withr::with_seed(3, sample(length(d$y)))
  for (verb in names(alone)) {
    error <- alone[[verb]](x[turned, ], d$y[turned], d$z[turned, 2:1])
    expect_equal(error, 0.5, tolerance = 1e-9, info = verb)
  }
})

test_that("blocks of a balanced design are dealt whole, and so is a design of continuous values", {
  who <- rep(1:24, each = 2)
  y <- factor(rep(c("a", "b"), each = 2, length.out = 48))
  z <- data.frame(batch = factor(rep(1:4, each = 12)))
  data <- prepare_study(withr::with_seed(1, matrix(stats::rnorm(48 * 3), 48)), y, blocks = who)
  study <- open_study(data, takes = "binary", what = "a test", covariates = z)
  draws <- study_draws(study, resample_folds(3, stratify = TRUE), 1)
  expect_identical(draws$counts[c(TRUE, FALSE), ], draws$counts[c(FALSE, TRUE), ])
  ages <- withr::with_seed(1, stats::runif(30, 20, 80))
  matched <- open_study(
    matrix(stats::rnorm(180), 60), factor(rep(c("a", "b"), 30)), "binary", "a test",
    covariates = data.frame(age = rep(ages, each = 2), dose = rep(ages^2, each = 2))
  )
  draws <- study_draws(matched, resample_folds(5, stratify = TRUE), 1)
  expect_true(all(abs(rowsum(1 - draws$counts, matched$response$codes)[1, ] - 6) <= 2))
})
