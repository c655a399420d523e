# Counts in find_signals(): scores against generalised linear models of stats and MASS.

n <- 60
x <- withr::with_seed(41, matrix(stats::rnorm(n * 50), n, dimnames = list(NULL, paste0("g", 1:50))))
z <- withr::with_seed(42, cbind(age = stats::rnorm(n, 50, 10), sex = rep(0:1, n / 2)))
link <- 0.08 * (z[, "age"] - 50) + z[, "sex"]
even <- withr::with_seed(43, stats::rpois(n, exp(link)))
spread <- withr::with_seed(44, stats::rnbinom(n, mu = exp(link), size = 0.7))
# As few as expected of a Poisson model.
narrow <- pmin(even, round(exp(link)))
scores_of <- function(y, z) {
  unname(stabilect:::outcome_scores(stabilect:::read_response(y, length(y), "poisson"), z))
}

test_that("without further spread scores are deviance residuals of a Poisson model", {
  model <- stats::glm(narrow ~ z, family = stats::poisson(), epsilon = 1e-12)
  expect_lt(sum(stats::residuals(model, "pearson")^2), stats::df.residual(model))
  expect_equal(scores_of(narrow, z), unname(stats::residuals(model, "deviance")), tolerance = 1e-6)
})

test_that("with spread they are those of a negative binomial model with Pearson's chi-square", {
  skip_if_not_installed("MASS")
  for (held in list(z, z[, 0])) {
    design <- cbind(1, held)
    # MASS solves the same equation for the spread at given means.
    theta <- 1
    for (turn in 1:200) {
      model <- stats::glm.fit(
        design, spread, family = MASS::negative.binomial(theta),
        control = list(epsilon = 1e-12, maxit = 100)
      )
      last <- theta
      theta <- MASS::theta.mm(
        spread, model$fitted.values, n - ncol(design), limit = 100, eps = 1e-10
      )
      theta <- as.numeric(theta)
      if (abs(theta - last) < 1e-9 * theta) break
    }
    family <- MASS::negative.binomial(theta)
    expected <- sign(spread - model$fitted.values) *
      sqrt(family$dev.resids(spread, model$fitted.values, 1))
    expect_equal(scores_of(spread, held), unname(expected), tolerance = 1e-5)
  }
})

test_that("the evidence is that of the scores as numbers", {
  fit <- find_signals(x, spread, covariates = z, family = "poisson", permute = 99, seed = 1)
  of_scores <- find_signals(x, scores_of(spread, z), covariates = z, permute = 99, seed = 1)
  expect_identical(fit$p_value, of_scores$p_value)
  expect_equal(fit$marginal, of_scores$marginal, tolerance = 1e-12)
  expect_identical(fit$study$type, "count")
  expect_identical(fit$asked$family, "poisson")
  text <- paste(capture.output(fit), collapse = "\n")
  expect_match(text, "outcome: counts")
})

test_that("only counts taken as numbers warn of a spread that follows the covariates", {
  y <- withr::with_seed(46, stats::rnbinom(n, mu = exp(link + 1), size = 1))
  said <- function(...) {
    fit <- find_signals(x, y, covariates = z, permute = 99, seed = 1, ...)
    gsub("\\s+", " ", paste(capture.output(fit), collapse = " "))
  }
  expect_match(said(), "changes with the covariates; for counts, give `family = \"poisson\"`")
  expect_match(said(family = "poisson"), "residuals given them are exchanged")
})

test_that("a signal beside a covariate is named, in any unit of the covariate", {
  y <- withr::with_seed(45, stats::rnbinom(n, mu = exp(link + 1 + 1.5 * x[, 7]), size = 2))
  fit <- find_signals(x, y, covariates = z, family = "poisson", seed = 1)
  expect_identical(fit$features, "g7")
  moved <- find_signals(
    x, y, covariates = cbind(z[, 1] * 1e6 + 1e9, z[, 2]), family = "poisson", seed = 1
  )
  expect_equal(moved$marginal$correlation, fit$marginal$correlation, tolerance = 1e-6)
})

test_that("levels without counts, single counts and huge ones have finite scores", {
  group <- cbind(rep(0:1, each = n / 2))
  odd <- list(
    ifelse(group == 1, 0, spread), c(rep(0, n - 2), 1, 2), c(spread[-1], 1e9),
    rep(c(0, 1e6, 3), n / 3)
  )
  for (y in odd) for (held in list(group, z, z[, 0])) {
    expect_true(all(is.finite(scores_of(as.double(y), held))))
  }
})

test_that("what is not a count is refused, and so are other families", {
  refused <- function(pattern, ...) {
    error <- expect_error(find_signals(x, ..., seed = 1), class = "stabilect_error_input")
    expect_match(gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error))), pattern)
  }
  refused("counts are whole numbers", spread + 0.5, family = "poisson")
  refused("`y` must hold counts", factor(spread > 1), family = "poisson")
  refused("`y` holds survival times", new_surv(spread + 1, rep(1, n)), family = "poisson")
  refused("`family` must be \"poisson\"", spread, family = "binomial")
})

test_that("a report of counts reads them as counts, also with a vector of covariates", {
  skip_if_not_installed("ggplot2")
  y <- withr::with_seed(45, stats::rnbinom(n, mu = exp(link + 1 + 1.5 * x[, 7]), size = 2))
  fit <- find_signals(x, y, covariates = z[, "age"], family = "poisson", permute = 99, seed = 1)
  expect_true(is.matrix(fit$asked$covariates))
  file <- withr::local_tempfile(fileext = ".html")
  expect_message(write_report(fit, file, x = x, y = y), NA)
  expect_match(paste(readLines(file), collapse = " "), "counts")
  expect_identical(plot_values(fit, x, y)$labels$y, "Count")
})

test_that("the page on error rates has the figures of the experiment", {
  rates <- result_of("counts", "rates")
  rates <- rates[rates$law == "all", ]
  of <- function(field, truth, covariate) {
    100 * rates[[field]][rates$truth == truth & rates$covariate == covariate]
  }
  signal <- rates$truth == "sparse"
  named <- rates[signal, ]
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "In %d simulated outcomes each without signal p was at most 0.05 in %.1f %% without and in",
      "%.1f %% with a covariate that matters; counts taken as numbers had %.0f %% there, and",
      "log(y + 1) %.0f %%. In %d outcomes each with signal p was at most 0.05 in %.0f %% and",
      "%.0f %%, as numbers without covariate in %.0f %%. Of %d names there %.0f %% were right, at",
      "a mean probability of %.2f"
    ),
    unique(rates$outcomes[!signal]), of("signal", "none", FALSE), of("signal", "none", TRUE),
    of("numbers", "none", TRUE), of("logs", "none", TRUE), unique(rates$outcomes[signal]),
    of("signal", "sparse", FALSE), of("signal", "sparse", TRUE), of("numbers", "sparse", FALSE),
    sum(named$names), 100 * stats::weighted.mean(named$right, named$names),
    stats::weighted.mean(named$probability, named$names)
  )
  laws <- subset(result_of("counts", "rates"), law != "all" & truth == "sparse")
  poisson <- laws[laws$law == "poisson", ]
  others <- laws[laws$law != "poisson", ]
  expect_says(
    "experiments/counts/README.md", paste(
      "all of %d of Poisson counts with a covariate, %.0f %% of %d without, and %.0f %% of %d of",
      "the other laws"
    ),
    poisson$names[poisson$covariate & poisson$right == 1],
    100 * poisson$right[!poisson$covariate], poisson$names[!poisson$covariate],
    100 * stats::weighted.mean(others$right, others$names), sum(others$names)
  )
  outcomes <- result_of("counts", "outcomes")
  expect_equal(
    sum(rates$outcomes * rates$signal), sum(outcomes$p_value <= 0.05), tolerance = 1e-3
  )
})
