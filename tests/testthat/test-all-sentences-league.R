# The league of vignette("why-not-a-t-test"): its tables are what its rows say.

test_that("differences to the t-test are those of rows of the same set and size", {
  rows <- result_of("league", "rankings")
  rows <- rows[rows$n_features == 20, ]
  differences <- result_of("league", "differences")
  value <- function(set, method, what) {
    rows[[what]][match(paste(set, method), paste(rows$set, rows$method))]
  }
  for (what in c("error", "nogueira")) {
    own <- value(differences$set, differences$method, what) - value(differences$set, "t", what)
    column <- if (what == "error") "error_difference" else "stability_difference"
    expect_equal(differences[[column]], own, tolerance = 1e-3)
    expect_gt(stats::sd(own), 0)
  }
})

test_that("means and intervals are over studies, each set of which counts as a part", {
  differences <- result_of("league", "differences")
  methods <- result_of("league", "methods")
  methods <- methods[methods$group == "all" & methods$n_features == 20 & methods$method != "t", ]
  for (k in seq_len(nrow(methods))) {
    own <- differences[differences$method == methods$method[k], ]
    means <- tapply(own$error_difference, own$study, mean)
    interval <- stats::t.test(means)$conf.int
    found <- unlist(methods[k, paste0("error_difference", c("", "_low", "_high"))])
    expect_equal(unname(found), c(mean(means), interval), tolerance = 1e-2)
    expect_identical(methods$sets[k], nrow(own))
  }
})

test_that("all lists of the league are of the same outcomes, and all rankings of the same sets", {
  named <- result_of("league", "named")
  of_list <- split(paste(named$set, named$repetition, named$kind), named$list)
  # limma takes no survival times, and a list that failed is left out.
  for (name in names(of_list)) expect_true(all(of_list[[name]] %in% of_list$t), info = name)
  methods <- result_of("league", "methods")
  classes <- methods[methods$group == "all" & methods$n_features == 20, ]
  expect_true(all(classes$sets <= nrow(result_of("league", "sets"))))
  expect_lte(diff(range(classes$sets)), 2L)
})
