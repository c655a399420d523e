# What calibrated cutoffs and clusters of signals deliver, as pages say it.

test_that("what calibrated cutoffs deliver", {
  rates <- result_of("calibrated", "rates")
  real <- function(method, signal) {
    rates[rates$method == method & rates$kind == "real" & rates$signal == signal, ]
  }
  both <- function(method, column) c(real(method, FALSE)[[column]], real(method, TRUE)[[column]])
  free <- both("calibrated", "false")
  limited <- both("calibrated, pfer = 1", "false")
  wide <- both("cutoffs from 0.01", "false")
  bound <- both("q = 20, pfer = 1", "false")
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "On real features (`experiments/calibrated`, %d responses without signal and %d with)",
      "it named %.1f features on average without signal, and %.1f false ones with signal; with",
      "`pfer = 1` %.2f and %.2f, as `q = 20, pfer = 1` did (%.2f and %.2f)."
    ),
    both("calibrated", "sets")[1], both("calibrated", "sets")[2], free[1], free[2], limited[1],
    limited[2], bound[1], bound[2]
  )
  expect_says(
    "vignettes/error-rates.Rmd",
    "such lists contained %.0f false features without signal, and %.0f with.",
    wide[1], wide[2]
  )
  expect_says(
    "experiments/calibrated/README.md", "%.1f on real features. The bound of its pair (%.0f",
    free[1], real("calibrated", FALSE)$bound
  )
  # The tables are those of the rows.
  sets <- readRDS(experiment("calibrated", "results", "sets.rds"))
  own <- sets[sets$method == "calibrated" & grepl("^(colon|gravier|nki)", sets$design), ]
  expect_equal(mean((own$named - own$true)[own$s == 0]), free[1], tolerance = 0.01)
  expect_identical(sum(own$s > 0), both("calibrated", "sets")[2])
})
