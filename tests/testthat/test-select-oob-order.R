# A covariate, or one feature, of two values: pairs that do not differ in it are ties in every
# model, and with a strong effect the others are in order. What is printed is then the concordance
# of the value itself; ranks pooled over models are far below.
set.seed(1)
n <- 60L
stage <- rbinom(n, 1, 0.5)
time <- rexp(n, exp(1.5 * stage))
last <- rexp(n, 0.3)
noise <- matrix(rnorm(n * 20), n, dimnames = list(NULL, paste0("g", 1:20)))
labels_of <- list(
  survival = if (requireNamespace("survival", quietly = TRUE)) {
    survival::Surv(pmin(time, last), as.numeric(time <= last))
  },
  two = factor(ifelse(runif(n) < plogis(2 * stage - 1), "b", "a")),
  several = factor(ifelse(runif(n) < plogis(2 * stage - 1), "c", sample(c("a", "b"), n, TRUE)))
)
labels_of <- Filter(Negate(is.null), labels_of)

# The AUC, or the concordance, of `stage`.
of_stage <- function(y) {
  reverse <- inherits(y, "Surv")
  if (!reverse) y <- as.integer(y == tail(levels(y), 1))
  survival::concordance(y ~ stage, reverse = reverse)$concordance
}

# Known by this name to survival.
strata <- if (requireNamespace("survival", quietly = TRUE)) survival::strata

printed <- function(oob) if (oob$measure == "discordance") 1 - oob$error else oob$auc
printed_alone <- function(oob) {
  if (oob$measure == "discordance") 1 - oob$baseline else oob$auc_baseline
}

verbs <- list(
  fealect = function(x, y, ...) fealect(x, y, n_runs = 10, n_boot = 0, seed = 1, ...)$oob,
  select_ensemble = function(x, y, ...) {
    survived <- inherits(y, "Surv")
    select_ensemble(
      x, y, selector_filter(if (survived) "cox" else "anova"), resample_subsample(8, 0.6),
      n_features = 1, learner = if (survived) learner_ridge() else learner_logistic(), seed = 1, ...
    )$oob
  },
  test_signature = function(x, y, ...) {
    test_signature(x, y, colnames(x)[1], outer = resample_folds(5, 2), n_random = 5, permute = 0,
      seed = 1, ...
    )$oob
  }
)

test_that("a covariate of two values is judged as it separates new samples, in each verb", {
  skip_if_not_installed("survival")
  for (verb in names(verbs)) {
    for (type in setdiff(names(labels_of), "several")) {
      y <- labels_of[[type]]
      oob <- suppressWarnings(verbs[[verb]](noise, y, covariates = data.frame(stage)))
      expect_lt(abs(printed_alone(oob) - of_stage(y)), 0.06, label = paste(verb, type))
    }
  }
})

test_that("one feature of two values is, too, and samples with one value are ties", {
  skip_if_not_installed("survival")
  for (type in names(labels_of)) {
    y <- labels_of[[type]]
    fit <- suppressWarnings(fealect(cbind(stage = stage), y, n_runs = 40, n_boot = 0, seed = 1))
    order <- fit$oob$order
    counts <- as.matrix(fit$resamples)
    # Two entries a pair, of one model if a run drew neither.
    pairs <- matrix(order$row[order(order$group)], 2)
    expect_length(order$row, 2 * max(order$group))
    value <- order$value[order(order$group), , drop = FALSE]
    same <- stage[pairs[1, ]] == stage[pairs[2, ]]
    shared <- colSums(t(counts[pairs[1, ], ] + counts[pairs[2, ], ] == 0)) > 0
    gap <- abs(value[c(TRUE, FALSE), , drop = FALSE] - value[c(FALSE, TRUE), , drop = FALSE])
    expect_gt(sum(same & shared), 30)
    expect_lt(max(gap[same & shared, ]), 1e-12)
    if (type != "several") expect_lt(abs(printed(fit$oob) - of_stage(y)), 0.08, label = type)
  }
  x <- cbind(stage, noise)
  for (type in names(labels_of)) {
    oob <- verbs$test_signature(x, labels_of[[type]])
    if (type != "several") expect_lt(abs(printed(oob) - of_stage(labels_of[[type]])), 0.06)
    expect_gt(printed(oob), 0.55, label = type)
  }
})

test_that("values in groups are those of survival::concordance() in strata, also the AUC", {
  skip_if_not_installed("survival")
  withr::local_seed(2)
  group <- sample(8, 70, TRUE)
  y <- survival::Surv(round(rexp(70), 1) + 0.1, rbinom(70, 1, 0.6))
  risk <- round(rnorm(70), 1)
  found <- concordance_within(y[, 1], y[, 2], risk, group)
  peer <- survival::concordance(y ~ risk + strata(group), reverse = TRUE)
  expect_equal(found$concordance, peer$concordance)
  expect_equal(sum(found$influence^2), peer$var)
  # An infinite link is equal to itself.
  expect_equal(concordance_within(1:2, c(1, 1), c(Inf, Inf), c(1, 1))$concordance, 0.5)
  codes <- sample(3, 70, TRUE)
  value <- matrix(rnorm(210), 70)
  each <- vapply(1:3, function(k) {
    inside <- as.integer(codes == k)
    survival::concordance(inside ~ value[, k] + strata(group))$concordance
  }, 0)
  expect_equal(auc_within(codes, value, group)$concordance, mean(each))
  # One group: the AUC of all pairs.
  expect_equal(auc_within(codes, value, rep(1, 70))$concordance, auc_of(codes, value))
  two <- pmin(codes, 2L)
  expect_equal(
    auc_within(two, value[, 1:2], rep(1, 70))$concordance, auc_of(two, value[, 1:2])
  )
})

test_that("blocks are units: copies of samples do not narrow an interval", {
  skip_if_not_installed("survival")
  withr::local_seed(3)
  codes <- sample(2, 40, TRUE)
  value <- cbind(0, rnorm(40) + codes)
  group <- rep(1:8, 5)
  once <- judge_order(auc_within(codes, value, group), 1:40, NULL, 0.95, 15)
  twice <- c(1:40, 1:40)
  again <- judge_order(
    auc_within(codes[twice], value[twice, ], group[twice]), 1:80, factor(twice), 0.95, 15
  )
  expect_equal(again, once)
  # Wider with four samples of a class.
  expect_gt(diff(judge_order(auc_within(codes, value, group), 1:40, NULL, 0.95, 4)$limits),
    diff(once$limits)
  )
})

test_that("noise adds nothing to a covariate: the interval contains the covariate alone", {
  skip_if_not_installed("survival")
  y <- labels_of$survival
  fit <- fealect(noise, y, covariates = data.frame(stage), n_runs = 20, n_boot = 0, seed = 1)
  expect_gte(1 - fit$oob$lower, 1 - fit$oob$baseline)
  expect_output(print(fit), "may\\s+be\\s+there\\s+by\\s+chance")
})

test_that("a difference is judged on the same pairs: without a constant nothing changes", {
  skip_if_not_installed("survival")
  x <- list(measured = noise, added = matrix(rnorm(n * 5), n, dimnames = list(NULL, letters[1:5])))
  fit <- fealect(x, labels_of$survival, n_runs = 20, n_boot = 0, oob = "views", seed = 1)
  expect_equal(fit$views$without - fit$oob$error, fit$views$adds)
  same <- difference_of_errors(fit$oob, fit$oob)
  expect_identical(unlist(same), c(difference = 0, se = 0))
  # As survival::concordance() has it for two scores on the same pairs.
  oob <- fit$oob
  other <- oob
  other$order$value <- other$order$value + rnorm(length(other$order$row))
  a <- oob$order$value[, 1]
  b <- other$order$value[, 1]
  rows <- oob$order$row
  y <- survival::Surv(oob$predictions$time, oob$predictions$event)[rows]
  group <- oob$order$group
  id <- rows
  influence <- function(value) {
    survival::concordance(y ~ value + strata(group), influence = 1, reverse = TRUE)$dfbeta
  }
  by_unit <- rowsum(influence(a) - influence(b), id)
  expect_equal(se_of_order(oob, other, NULL), sqrt(sum(by_unit^2)))
})

test_that("few events, or a class of few samples, are said", {
  skip_if_not_installed("survival")
  rare <- labels_of$two
  rare[which(rare == "b")[-(1:6)]] <- "a"
  few <- suppressWarnings(fealect(noise, rare, n_runs = 20, n_boot = 0, seed = 1))
  expect_output(print(few$oob), "an AUC of 6 samples of b says little")
  expect_output(print(summary(few)), "an AUC of 6 samples of b says little")
  often <- fealect(noise, labels_of$two, n_runs = 20, n_boot = 0, seed = 1)
  expect_no_match(paste(format(often$oob), collapse = " "), "says little")
  y <- survival::Surv(time, seq_len(n) <= 7)
  events <- suppressWarnings(fealect(noise, y, n_runs = 20, n_boot = 0, seed = 1))
  expect_output(print(events$oob), "a concordance of 7 events says little")
})

test_that("error rates and predictions of classes are those without groups", {
  fit <- fealect(noise, labels_of$two, n_runs = 10, n_boot = 0, seed = 1)
  oob <- fit$oob
  known <- !is.na(oob$predictions$predicted)
  expect_equal(oob$error, mean((oob$predictions$predicted != labels_of$two)[known]))
  expect_true(oob$auc_lower < oob$auc && oob$auc < oob$auc_upper)
  expect_output(print(oob), "AUC [0-9.]+ \\([0-9]+ pairs; 95.%.CI.+; 0.5 by chance")
  covered <- fealect(
    noise, labels_of$two, n_runs = 10, n_boot = 0, seed = 1, covariates = data.frame(stage)
  )
  expect_output(print(covered$oob), "AUC.+;\\s+0.[0-9]+ with the\\s+covariates\\s+alone")
})

test_that("predictions that only rounding tells apart are equal, in any unit of x", {
  risk <- c(0.1 * 3, 0.3, 0.3 + 1e-16, 0.2)
  expect_gt(length(unique(risk)), 2L)
  found <- concordance_within(1:4, rep(1, 4), risk, rep(1, 4))$concordance
  expect_identical(found, concordance_within(1:4, rep(1, 4), c(3, 3, 3, 2), rep(1, 4))$concordance)
  # Small differences count.
  expect_identical(order(without_rounding(c(1 + 1e-8, 1, -5))), c(3L, 2L, 1L))
  skip_if_not_installed("survival")
  codes <- withr::with_seed(4, {
    matrix(sample(0:2, n * 6, TRUE), n, dimnames = list(NULL, paste0("s", 1:6)))
  })
  judge <- function(x) {
    test_signature(x, labels_of$survival, c("s1", "s2"), n_random = 50, seed = 1)$table
  }
  expect_equal(judge(0.3 * codes + 0.1), judge(codes))
})
