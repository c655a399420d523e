# What list rules deliver with other selectors: the stored simulations.

any_selector <- function() result_of("any-selector", "rates")

# One row of the table.
delivered <- function(features, law, selector, rule = "efp = 1") {
  table <- any_selector()
  table[table$features == features & table$law == law & table$selector == selector &
    table$rule == rule, ]
}

test_that("bounds and rates are kept up to neighbours of true features", {
  table <- any_selector()
  expect_identical(nrow(table), 9L * 4L * 3L)
  expect_true(all(table$repetitions[table$selector != "forest"] >= 30))
  bounded <- table[table$rule != "fdr = 0.2", ]
  expect_true(all(bounded$unrelated <= bounded$bound))
  expect_true(all(table$unrelated_share[table$rule == "fdr = 0.2"] <= 0.2))
  beyond <- bounded[bounded$false > bounded$bound, ]
  expect_identical(unique(paste(beyond$law, beyond$selector)), "linear moderated_t")
  expect_identical(unique(beyond$features), c("genes", "correlated"))
})

test_that("the help and the README have the figures that were measured", {
  table <- any_selector()
  most <- function(rule, field) max(table[table$rule == rule, field])
  genes <- delivered("genes", "linear", "moderated_t")
  circle <- function(selector) delivered("independent", "circle", selector)$true
  found <- max(table$true[table$law == "interaction"])
  expect_says(
    "vignettes/error-rates.Rmd", "had at most %.2f features on average that were unrelated",
    most("efp = 1", "unrelated")
  )
  expect_says(
    "vignettes/error-rates.Rmd", "mutual information found %.2f and moderated t %.2f.",
    circle("mutual_information"), circle("moderated_t")
  )
  expect_says("vignettes/error-rates.Rmd", "no selector found more than %.2f.", found)
  blocks <- delivered("correlated", "linear", "moderated_t")
  expect_says(
    "vignettes/error-rates.Rmd", "moderated t named %.2f of them, and on genes %.2f",
    blocks$false - blocks$unrelated, genes$false - genes$unrelated
  )
  readme <- "experiments/any-selector/README.md"
  expect_says(
    readme, "at most %.2f with `q = 10, pfer = 1` and %.2f with `pfer = 1` alone",
    most("pfer = 1", "unrelated"), most("efp = 1", "unrelated")
  )
  expect_says(
    readme, "their mean share was at most %.2f", most("fdr = 0.2", "unrelated_share")
  )
  genes <- delivered("genes", "linear", "moderated_t", "pfer = 1")
  blocks <- delivered("correlated", "linear", "moderated_t", "pfer = 1")
  expect_says(
    readme, paste(
      "(a bound of %.2f) %.2f in blocks (standard error %.2f) and %.2f on genes (%.2f), of which",
      "%.2f and %.2f were unrelated"
    ),
    genes$bound, blocks$false, blocks$se, genes$false, genes$se, blocks$unrelated,
    genes$unrelated
  )
  linear <- function(selector) delivered("independent", "linear", selector)$true
  expect_says(
    readme, "(%.2f of 3 true features with `pfer = 1` alone; forests %.2f)",
    linear("moderated_t"), linear("forest")
  )
  expect_says(
    readme, "mutual information finds %.2f of 2 and forests of this size %.2f",
    circle("mutual_information"), circle("forest")
  )
  expect_says(readme, "effects of single features: at most %.2f of 2", found)
})
