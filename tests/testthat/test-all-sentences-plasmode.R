# What simulated outcomes with a diffuse part are like, as pages say it.

test_that("outcomes of a chosen strength imitate the data, and diffuse signal makes names", {
  read <- function(name) {
    rows <- utils::read.csv(experiment("plasmode", "results", name))
    rows[rows$set == "colon", ]
  }
  matches <- read("matches.csv")
  rates <- read("rates.csv")
  unrelated <- function(method, truth) {
    mean(rates$unrelated[rates$method == method & rates$truth == truth])
  }
  expect_says(
    "R/truth-error-rates.R", paste(
      "On `colon_genes` (out-of-bag error %.2f, spread %.1f) %d further outcomes of the chosen",
      "strengths had a mean error of %.2f and a spread of %.1f."
    ),
    matches$error_data[1], matches$spread_data[1], sum(rates$n_simulations) / 4L,
    mean(matches$error), mean(matches$spread)
  )
  expect_says(
    "R/truth-error-rates.R",
    paste(
      "named %.2f unrelated features an outcome, against %.2f where the same signal lay in the",
      "true features alone; for [find_signals()] these were %.2f and %.2f"
    ),
    unrelated("stable", "diffuse"), unrelated("stable", "sparse"), unrelated("signals", "diffuse"),
    unrelated("signals", "sparse")
  )
  gravier <- subset(
    result_of("plasmode", "rates"), set == "gravier" & method == "signals" & truth == "diffuse"
  )
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "imitate `colon_genes` so, %.2f unrelated features were named an outcome, and %.2f on those",
      "of 2,905 genes"
    ),
    unrelated("signals", "diffuse"), mean(gravier$unrelated)
  )
  for (method in c("stable", "signals")) {
    expect_says(
      "experiments/plasmode/README.md",
      "names %.2f unrelated features an outcome beside it, and %.2f without it.",
      unrelated(method, "diffuse"), unrelated(method, "sparse")
    )
  }
  expect_lt(max(abs(matches$error - matches$error_data)), 0.03)
  expect_lt(max(abs(log(matches$spread / matches$spread_data))), log(1.05))
})

test_that("gravier and survival times are told as they were found", {
  matches <- result_of("plasmode", "matches")
  rates <- result_of("plasmode", "rates")
  reached <- function(set, column) mean(matches[matches$set == set, column])
  named <- function(set, truth, what = "unrelated", method = "signals") {
    mean(rates[rates$set == set & rates$truth == truth & rates$method == method, what])
  }
  sets <- c("gravier", "surv_nki70")
  of <- function(fun, ...) unname(vapply(sets, fun, 0, ...))
  error <- of(reached, "error")
  data <- of(reached, "error_data")
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "the mean error was %.2f for %.2f (gravier, 2,905 genes) and %.2f for %.2f (nki70, survival",
      "times, 70 genes), and %.2f and %.2f unrelated features were named by `find_signals()`"
    ),
    error[1], data[1], error[2], data[2], named(sets[1], "diffuse"), named(sets[2], "diffuse")
  )
  readme <- "experiments/plasmode/README.md"
  says <- function(format, ...) do.call(expect_says, c(readme, format, as.list(c(...))))
  says("error of the data is %.2f, and outcomes have %.2f", data[1], error[1])
  spread <- c(rbind(of(reached, "spread"), of(reached, "spread_data")))
  says("Spreads are %.1f for %.1f, and %.1f for %.1f", spread)
  says(
    paste(
      "names %.2f and %.2f unrelated features an outcome (0.30 and 0.00 before that commit),",
      "`stability_selection()` %.2f and %.2f"
    ),
    of(named, "diffuse"), of(named, "diffuse", method = "stable")
  )
  says(
    "without it, %.2f and %.2f, and %.2f and %.2f.", of(named, "sparse"),
    of(named, "sparse", method = "stable")
  )
  true <- rbind(of(named, "diffuse", "true"), of(named, "sparse", "true"))
  says("%.2f an outcome beside it for %.2f without it on gravier, and %.2f for %.2f on nki70", true)
  expect_lt(max(abs(error - data)), 0.03)
})

test_that("data that no strength imitates are told as they were found", {
  far <- result_of("plasmode", "unreached")
  golub <- far[far$set == "golub", ]
  expect_true(all(far$says_impossible))
  expect_says(
    "R/truth-error-rates.R", "%.2f, and %.2f for the strongest outcomes", golub$error_data[1],
    min(golub$error)
  )
  others <- far[far$set != "golub", ]
  expect_says(
    "experiments/plasmode/README.md", paste(
      "golub has an error of %.2f, and the strongest outcomes %.2f and %.2f (3 and 10 true",
      "features); three lymphomas have %.2f, and %.2f."
    ),
    golub$error_data[1], golub$error[1], golub$error[2], others$error_data[1], max(others$error)
  )
})
