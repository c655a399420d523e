# Claimed and delivered by the law of the response, and with covariates: stored results, what is
# said of them, and what prints say where a claim does not hold.

laws_table <- function() {
  cells <- result_of("response-laws", "cells")
  claims <- result_of("response-laws", "claims")
  merge(cells, claims, by = "rate")
}

test_that("every rate has all laws, and find_signals() on three sets of features", {
  cells <- result_of("response-laws", "cells")
  claims <- result_of("response-laws", "claims")
  expect_true(all(cells$rate %in% claims$rate))
  expect_true(all(cells$responses == 200))
  expect_identical(length(unique(cells$law)), 9L)
  expect_false(anyDuplicated(cells[c("set", "law", "rate")]) > 0)
  run <- table(cells$rate, cells$set)
  expect_setequal(rownames(run), claims$rate)
  expect_true(all(run[, "colon"] == 9))
  permuted <- grepl("^(ensemble|fealect|stability)", rownames(run))
  expect_true(all(run[!permuted, "golub"] == 9))
  signals <- grepl("^(permutation|rotation)", rownames(run))
  expect_true(all(run[signals, "nki"] == 9))
})

test_that("no default delivers more than it claims, or its print says so", {
  table <- laws_table()
  above <- table$delivered - table$claim > 3 * table$se
  expect_identical(table$rate[above & table$default & !nzchar(table$assumption)], character())
  # There is something to be seen: rotations are far above for some laws.
  expect_true(any(above[table$rate == "rotation signal"]))
  # Those with an assumption have it in their print.
  expect_setequal(
    table$assumption[nzchar(table$assumption)], c("normal residuals", "any signal", "no outliers")
  )
  # T-Rex has such a cell.
  expect_true(any(above[table$rate == "trex"]))
  x <- withr::with_seed(1, matrix(stats::rnorm(40 * 60)^3, 40))
  y <- withr::with_seed(2, stats::rnorm(40))
  said <- function(fit) gsub("\\s+", " ", paste(utils::capture.output(print(fit)), collapse = " "))
  fit <- find_signals(x, y, null = "rotation", permute = 39, seed = 1)
  expect_match(said(fit), "assume normal residuals", fixed = TRUE)
  fit <- select_ensemble(
    x, y, selector_trex(), resample_custom(list(1:40)), aggregate_frequency(cutoff = 1),
    n_features = "own", seed = 1
  )
  expect_match(said(fit), "fdr` of T-Rex assumes independent features and values without outliers")
  fit <- stability_selection(x, y + x[, 1], fdr = 0.1, n_pairs = 20, seed = 1)
  expect_gt(length(fit$features), 0)
  expect_match(said(fit), "where there is any signal", fixed = TRUE)
})

test_that("the README has the sizes beside covariates that were measured, none above its claim", {
  sizes <- result_of("signal-covariates", "sizes")
  expect_identical(nrow(sizes), 18L)
  expect_true(all(sizes$signal - 3 * sizes$signal_se <= 0.05))
  largest <- vapply(c(0, 1, 5), function(k) max(sizes$signal[sizes$covariates == k]), 0)
  expect_says(
    "experiments/signal-covariates/README.md",
    "of 0, 1 and 5 covariates are %.3f, %.3f and %.3f.",
    largest[1], largest[2], largest[3]
  )
})

test_that("the help of selector_trex() has the shares of responses with a name", {
  cells <- result_of("response-laws", "cells")
  share <- function(law) {
    100 * cells$delivered[cells$rate == "trex" & cells$set == "golub" & cells$law == law]
  }
  expect_says(
    "R/score-trex.R", "%.0f %% of normal outcomes without any signal gave a selection",
    share("normal")
  )
  expect_says(
    "R/score-trex.R", "%.0f %% for outcomes with one outlier and %.0f %% for lognormal outcomes",
    share("one outlier"), share("lognormal")
  )
})
