# What simulations of tests on splits and of T-Rex found on other outcomes: sentences and results.

test_that("?split_test and its experiment have the stored shares of tests and lists", {
  levels <- result_of("splits", "levels")
  lists <- result_of("splits", "lists")
  of <- function(n, column) 100 * levels[levels$outcome == "all" & levels$n == n, column]
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "%.1f and %.1f %% of the tests of false features had a p of at most 0.05, and %.1f and %.1f",
      "%% of the likelihood ratios. A list of p values had any false feature in %.1f %% of %d"
    ),
    of(30, "scores_05"), of(75, "scores_05"), of(30, "ratio_05"), of(75, "ratio_05"),
    100 * mean(lists$false > 0), nrow(lists)
  )
  single <- levels[levels$outcome != "all", ]
  expect_lt(max(single$scores_05), 0.07)
  expect_lt(max(single$scores_005), 0.013)
  expect_gt(max(single$ratio_05), 0.2)
  readme <- "experiments/splits/README.md"
  expect_says(
    readme, "%.1f and %.1f %% had a p of at most 0.05 (%.1f to %.1f %% for single outcomes)",
    of(30, "scores_05"), of(75, "scores_05"), 100 * min(single$scores_05),
    100 * max(single$scores_05)
  )
  expect_says(
    readme, "%.1f and %.1f %% (%.1f to %.1f %%: most with rare classes)", of(30, "ratio_05"),
    of(75, "ratio_05"), 100 * min(single$ratio_05), 100 * max(single$ratio_05)
  )
  found <- function(n) mean(lists$true[lists$signal & lists$n == n]) / 3
  expect_says(
    readme, "A share of %.2f of the true features was found with 60 samples, and of %.2f with 150",
    found(60), found(150)
  )
  rates <- result_of("splits", "rates")
  any <- function(signal) sum(lists$false[lists$signal == signal] > 0)
  expect_says(
    readme, "Without signal %d of %d lists of `split_test()` had any feature, and with signal %d",
    any(FALSE), sum(!lists$signal), any(TRUE)
  )
  expect_true(all(rates$any_false <= 0.05))
  expect_equal(sum(rates$lists[rates$outcome == "all"]), nrow(lists))
})

test_that("?selector_trex has the stored shares for survival times, several classes and counts", {
  shares <- result_of("splits", "shares")
  of <- function(kind, design) {
    shares$false[shares$kind == kind & shares$design == design & shares$signal]
  }
  none <- function(kind) 100 * mean(shares$any[shares$kind == kind & !shares$signal])
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "shares of %.2f and %.2f on independent features, %.2f and %.2f in correlated blocks, and",
      "%.2f and %.2f on real features; without signal something was selected in %.1f and %.1f %%"
    ),
    of("times", "independent"), of("classes", "independent"), of("times", "blocks"),
    of("classes", "blocks"), of("times", "real"), of("classes", "real"), none("times"),
    none("classes")
  )
  counts <- shares$kind == "counts" & !shares$signal
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "shares were %.2f, %.2f and %.2f; without signal something was selected in %.1f %% of %d"
    ),
    of("counts", "independent"), of("counts", "blocks"), of("counts", "real"), none("counts"),
    sum(shares$lists[counts])
  )
  expect_lt(max(shares$false[shares$design == "independent"]), 0.2)
  lists <- result_of("splits", "trex-counts")
  lists <- lists[lists$signal, ]
  found <- tapply(lists$true, lists[c("design", "outcome")], mean) / 3
  expect_says(
    "experiments/splits/README.md", paste(
      "T-Rex found a share of %.2f, %.2f and %.2f of the true features (independent, blocks, gene",
      "expression), of the other counts %.2f to"
    ),
    found["independent", "counts_zeros"], found["blocks", "counts_zeros"],
    found["real", "counts_zeros"], min(found[, c("counts_poisson", "counts_spread")])
  )
  expect_identical(sum(shares$lists[!shares$signal & shares$kind == "times"]), 120L)
})
