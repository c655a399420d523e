# find_signals() on survival times and ordered classes: scores of coxph() and polr(), p of an
# enumeration, the figures of the experiment.

times_of <- function(link, seed, censored = 0.3) {
  withr::with_seed(seed, {
    n <- length(link)
    time <- stats::rexp(n) * exp(-link)
    survival::Surv(time, seq_len(n) %in% sample(n, (1 - censored) * n))
  })
}
features <- withr::with_seed(11, {
  matrix(stats::rnorm(60 * 40), 60, dimnames = list(NULL, paste0("g", 1:40)))
})
held <- withr::with_seed(12, {
  data.frame(age = stats::rnorm(60), batch = rep(c("a", "b", "c"), 20))
})

test_that("correlations of survival times are those with the residuals of a Cox model", {
  skip_if_not_installed("survival")
  y <- times_of(features[, 3], 13)
  fit <- find_signals(features, y, permute = 19, seed = 1)
  null <- survival::coxph(y ~ 1)
  expected <- drop(stats::cor(features, stats::residuals(null, "martingale")))
  expect_equal(fit$marginal$correlation, unname(expected), tolerance = 1e-7)
  # The product with a feature is the score of the Cox model in which only it is new.
  first <- survival::coxph(y ~ features[, 3], init = 0, iter.max = 0)
  residuals <- martingale_residuals(y[, 1], y[, 2])
  expect_equal(sum(features[, 3] * residuals), sum(stats::residuals(first, "score")))
})

test_that("with covariates they are those with deviance residuals, given the covariates", {
  skip_if_not_installed("survival")
  y <- times_of(features[, 3] + held$age, 13)
  fit <- find_signals(features, y, covariates = held, permute = 99, seed = 1)
  model <- survival::coxph(y ~ age + batch, held, eps = 1e-11)
  expected <- unname(stats::residuals(model, "deviance"))
  response <- read_response(y, 60)
  z <- read_covariates(held, 60)
  expect_equal(outcome_scores(response, z), expected, tolerance = 1e-6)
  numbers <- find_signals(features, expected, covariates = held, permute = 99, seed = 1)
  expect_equal(fit$marginal$correlation, numbers$marginal$correlation, tolerance = 1e-6)
  expect_identical(fit$p_value, numbers$p_value)
  # Times may be tied, and a level may have no events.
  odd <- new_surv(ceiling(3 * y[, 1]), ifelse(held$batch == "a", 0, y[, 2]))
  expect_true(all(is.finite(outcome_scores(read_response(odd, 60), z))))
})

test_that("features of times with few events are not named", {
  skip_if_not_installed("survival")
  few <- times_of(3 * features[, 3], 13, censored = 0.75)
  fit <- find_signals(features, few, permute = 199, seed = 1)
  expect_lte(fit$p_value, 0.05)
  expect_identical(fit$features, character())
  expect_match(printed_words(fit), "probabilities do not hold with so few events")
  # The limit is 30 % of the samples.
  n <- length(few)
  at <- function(share) {
    times <- survival::Surv(few[, 1], seq_len(n) <= ceiling(share * n))
    find_signals(features, times, permute = 19, seed = 1)$unnamed
  }
  expect_null(at(0.3))
  expect_match(at(0.3 - 1.5 / n), "so few events")
})

test_that("the page has the figures of the experiment, and the tables those of its outcomes", {
  rates <- result_of("times", "rates")
  null <- rates[rates$truth == "none" & !rates$covariate, ]
  size <- function(outcome) 100 * null$signal[null$outcome == outcome]
  both <- rates[rates$both > 0, ]
  shown <- result_of("times", "names")
  sure <- shown[shown$truth != "none" & shown$named & shown$probability >= 0.9, ]
  few <- sure$outcome == "censored_80"
  right <- sure$r > 0.7
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "In %d simulated outcomes each without signal p was at most 0.05 in %.1f, %.1f and %.1f %%",
      "(30 %% censored, 80 %% censored, ordered classes). In %d outcomes with signal it was in",
      "%.0f %%, and the p of the largest of one Cox model a feature, with permutations, in %.0f %%."
    ),
    unique(null$outcomes), size("censored_30"), size("censored_80"), size("ordered"),
    sum(both$both), 100 * sum(both$both * both$signal_both) / sum(both$both),
    100 * sum(both$both * both$cox_both) / sum(both$both)
  )
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "%.0f %% of the %d names with a probability of at least 0.9 were right, with 80 %% of",
      "censored times %.0f %% of %d"
    ),
    100 * mean(right[!few]), sum(!few), 100 * mean(right[few]), sum(few)
  )
  shares <- result_of("times", "shares")
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "Where 30, 45 and 60 %% of the samples had the event, %.0f, %.0f and %.0f %% of %d were",
      "right"
    ),
    100 * shares$sure_right[1], 100 * shares$sure_right[2], 100 * shares$sure_right[3],
    sum(shares$sure)
  )
  expect_identical(shares$events, c(0.3, 0.45, 0.6))
  held <- result_of("times", "held")
  expect_identical(held$events, c(0.2, 0.45, 0.7))
  size <- 100 * held$signal_null
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "p was at most 0.05 in %.1f, %.1f and %.1f %% of %d outcomes each without signal, and",
      "%.0f %% of %d names were right"
    ),
    size[1], size[2], size[3], unique(held$null),
    100 * stats::weighted.mean(held$right[-1], held$named[-1]), sum(held$named)
  )
  expect_equal(
    mean(held$signal_null),
    mean(subset(result_of("times", "held-outcomes"), truth == "none")$p_value <= 0.05),
    tolerance = 1e-4
  )
  outcomes <- result_of("times", "outcomes")
  expect_equal(
    sum(rates$outcomes * rates$signal), sum(outcomes$p_value <= 0.05), tolerance = 1e-3
  )
})

test_that("correlations of ordered classes are those with the score of a proportional-odds model", {
  skip_if_not_installed("MASS")
  y <- cut(features[, 5] + held$age, c(-Inf, -1, 0.5, 1.5, Inf), letters[1:4],
    ordered_result = TRUE
  )
  fit <- find_signals(features, y, permute = 19, seed = 1)
  # The derivative of the likelihood by the coefficient of a feature, at 0.
  score <- vapply(1:5, function(j) {
    z <- features[, j]
    model <- MASS::polr(y ~ 1)
    likelihood <- function(beta) {
      bounds <- c(-Inf, model$zeta, Inf)
      codes <- as.integer(y)
      up_to <- function(bound) stats::plogis(bound - beta * z)
      sum(log(up_to(bounds[codes + 1]) - up_to(bounds[codes])))
    }
    (likelihood(1e-4) - likelihood(-1e-4)) / 2e-4
  }, 0)
  size <- fit$marginal$correlation[1:5] * apply(features[, 1:5], 2, stats::sd)
  expect_equal(unname(size / size[5]), unname(score / score[5]), tolerance = 1e-4)
  expect_identical(fit$features[1], "g5")
  expect_true(fit$table$direction[1] == "d")
})

test_that("p of few survival times is that of all orders", {
  skip_if_not_installed("survival")
  x <- features[1:6, ]
  y <- times_of(x[, 1], 14)[1:6]
  orders <- as.matrix(expand.grid(rep(list(1:6), 6)))
  orders <- orders[apply(orders, 1, anyDuplicated) == 0, ]
  residuals <- martingale_residuals(y[, 1], y[, 2])
  largest <- apply(orders, 1, function(order) max(abs(stats::cor(x, residuals[order]))))
  fit <- find_signals(x, y, permute = 9999, seed = 1)
  at <- max(abs(stats::cor(x, residuals)))
  expect_equal(fit$p_value, mean(largest >= at - 1e-9), tolerance = 0.04)
})

test_that("features of the hazard are named, printed, drawn and tabulated as such", {
  skip_if_not_installed("survival")
  y <- times_of(2 * features[, 3] - 2 * features[, 9], 15, censored = 0.2)
  fit <- find_signals(features, y, seed = 1)
  expect_setequal(fit$features, c("g3", "g9"))
  expect_identical(fit$table$direction[match(c("g3", "g9"), fit$features)], c("+", "-"))
  printed <- format(fit)
  expect_true(any(grepl("hazard", printed)) && any(grepl("48 events", printed)))
  expect_identical(
    fit$features, find_signals(features, y, seed = 1, n_threads = 2)$features
  )
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit), "ggplot")
})

test_that("patients with one outcome are one sample each, also with survival times", {
  skip_if_not_installed("survival")
  y <- times_of(features[, 3], 16)
  patients <- rep(1:20, each = 3)
  alike <- y[patients]
  fit <- find_signals(features, alike, blocks = patients, permute = 99, seed = 1)
  means <- rowsum(features, patients) / 3
  rownames(means) <- NULL
  direct <- find_signals(means, y[1:20], permute = 99, seed = 1)
  expect_identical(fit$marginal, direct$marginal)
  expect_identical(fit$p_value, direct$p_value)
})
