# find_signals(): the figures of the experiment behind its names, and its promises.

rates <- function(cell, naming = "posterior") {
  table <- result_of("names", "rates")
  table[table$naming == naming & table$cell == cell, ]
}

test_that("the tables of names are those of the stored outcomes", {
  responses <- readRDS(experiment("names", "results", "responses.rds"))
  named <- readRDS(experiment("names", "results", "names.rds"))
  whole <- Reduce(intersect, split(responses$repetition, responses$naming))
  named <- named[named$repetition %in% whole, ]
  for (naming in c("posterior", "steps")) {
    own <- responses[responses$naming == naming & responses$repetition %in% whole, ]
    # Nothing is named without signal; names have seeds and seconds.
    names <- named[named$naming == naming & named$named, ]
    key <- function(rows) paste(rows$set, rows$cell, rows$repetition)
    expect_true(all(key(names) %in% key(own[own$p_value <= 0.05, ])))
    expect_true(all(own$seconds > 0 & own$seed > 0))
    for (cell in unique(own$cell)) {
      row <- rates(cell, naming)
      of_cell <- names[names$cell == cell, ]
      n <- sum(own$cell == cell)
      expect_identical(row$responses, n)
      expect_equal(row$true, sum(of_cell$true) / n, tolerance = 1e-3)
      expect_equal(row$unrelated, sum(of_cell$r <= 0.5) / n, tolerance = 1e-3)
    }
  }
  shown <- named[named$naming == "posterior" & named$cell != "component", ]
  calibration <- result_of("names", "calibration")
  expect_identical(sum(calibration$n), nrow(shown))
  high <- shown$probability >= 0.99
  expect_equal(calibration$realised[6], mean(shown$r[high] > 0.7), tolerance = 1e-3)
  expect_true(all(shown$named[shown$probability >= 0.8]))
})

test_that("names are what they promise, and more and better than those of forward steps", {
  calibration <- result_of("names", "calibration")
  above <- calibration[calibration$from >= 0.8, ]
  right <- stats::weighted.mean(above$realised, above$n)
  said <- stats::weighted.mean(above$probability, above$n)
  expect_gte(right, said - 0.05)
  expect_gte(rates("sparse")$true, 1.2 * rates("sparse", "steps")$true)
  expect_gt(rates("all")$true, rates("all", "steps")$true)
  expect_lt(rates("all")$share, rates("all", "steps")$share / 2)
  expect_lte(rates("sparse")$share - 2 * rates("sparse")$share_se, 0.05)
})

test_that("the README of the experiment has its table", {
  readme <- text_of("experiments/names/README.md")
  for (cell in c("all", "sparse", "mixed", "weak20", "component", "t3", "lognormal", "classes_50",
                 "classes_90")) {
    row <- rates(cell)
    steps <- rates(cell, "steps")
    line <- sprintf(
      "| %s | %d | %.2f | %.1f (%.1f) | %.2f | %.1f (%.1f) |", cell, row$responses, row$true,
      100 * row$share, 100 * row$share_se, steps$true, 100 * steps$share, 100 * steps$share_se
    )
    expect_true(grepl(line, readme, fixed = TRUE), info = line)
  }
  table <- result_of("names", "calibration")
  lines <- sprintf(
    "| %.2f to %.2f | %d | %.2f | %.2f |", table$from, table$to, table$n, table$probability,
    table$realised
  )
  for (line in lines) expect_true(grepl(line, readme, fixed = TRUE), info = line)
})

test_that("the README says how often names of each kind of outcome were right", {
  table <- result_of("names", "by-outcome")
  of <- function(kind) {
    row <- table[table$kind == kind, ]
    c(100 * row$right, row$probability)
  }
  readme <- "experiments/names/README.md"
  kinds <- c(
    "counts", "classes_90", "component", "mixed", "censored_30_mixed", "ordered_mixed",
    "several_mixed"
  )
  values <- as.list(vapply(kinds, of, numeric(2)))
  sentence <- paste(
    "but counts (%.0f %% right at %.2f) and classes 9 to 1, which had 15 names (%.0f %% right at",
    "%.2f). Names of a component are right in %.0f %% at %.2f. In *mixed* truths they are right in",
    "%.0f %% at %.2f (survival times %.0f at %.2f, ordered classes %.0f at %.2f, three classes",
    "%.0f at %.2f)."
  )
  do.call(expect_says, c(readme, sentence, values))
  expect_identical(table$names[table$kind == "classes_90"], 15L)
  sparse <- table[!table$kind %in% kinds, ]
  expect_lt(max(sparse$probability - sparse$right), 0.03)
})

test_that("the README on priors of the background has its table", {
  rates <- result_of("backgrounds", "rates")
  of <- function(prior, truth, classes) {
    rates[rates$prior == prior & rates$truth == truth & rates$classes == classes, ]
  }
  readme <- "experiments/backgrounds/README.md"
  for (prior in unique(rates$prior)) {
    for (classes in c(FALSE, TRUE)) {
      at <- lapply(
        c("sparse", "mixed", "weak20", "component"), of,
        prior = prior, classes = classes
      )
      expect_says(
        readme, "| `%s` | %s | %.2f | %.2f | %.2f | %.0f for %.0f (%d) | %.2f | %.0f |", prior,
        if (classes) "classes" else "numbers", at[[1]]$true, at[[2]]$true, at[[3]]$true,
        100 * at[[2]]$right, 100 * at[[2]]$probability, at[[2]]$names, at[[4]]$unrelated,
        100 * at[[4]]$background
      )
    }
  }
  expect_says(readme, "%d outcomes of each kind", unique(rates$outcomes))
})
