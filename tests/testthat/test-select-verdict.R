# Snapshots are of words; the numbers in them are tested elsewhere.

verdict_data <- function(n = 40, effect = 1.5) {
  withr::with_seed(1, {
    y <- factor(rep(c("ill", "well"), length.out = n))
    x <- matrix(rnorm(n * 100), n, dimnames = list(NULL, paste0("g", 1:100)))
    x[, 1:3] <- x[, 1:3] + effect * (y == "ill")
    list(x = x, y = y)
  })
}

# Without the time that the machine took.
printed <- function(result, ...) {
  lines <- paste(format(result, ...), collapse = "\n")
  time <- "would\\s+take\\s+(less\\s+than\\s+a\\s+second|about\\s+\\S+\\s+(s|min))"
  cat(gsub(time, "TIME", lines))
}

test_that("prints open with a verdict", {
  d <- verdict_data()
  noise <- verdict_data(effect = 0)
  expect_snapshot({
    printed(fealect(d$x, d$y, n_runs = 30, seed = 1), n = 3)
    printed(fealect(noise$x, noise$y, n_runs = 30, seed = 1), n = 3)
    printed(fealect(d$x, d$x[, 1] - d$x[, 2], n_runs = 30, seed = 1), n = 3)
    printed(stability_selection(d$x, d$y, q = 5, pfer = 1, seed = 1))
    printed(stability_selection(noise$x, noise$y, q = 5, pfer = 1, seed = 1), n = 2)
    printed(bolasso(d$x, d$y, n_runs = 20, seed = 1), n = 2)
    printed(select_ensemble(
      d$x, d$y, selector_filter("t"), n_features = 4, learner = learner_lda(), seed = 1
    ))
    printed(select_ensemble(d$x, d$y, selector_filter("t"), n_features = 2, seed = 1))
  })
})

test_that("the caution follows the interval of the error", {
  result <- function(error, lower, upper, baseline = 0.5) {
    list(features = "a", oob = list(
      error = error, lower = lower, upper = upper, baseline = baseline, conf_level = 0.95, n = 20,
      measure = "misclassification rate", n_empty = 0L, type = "binary"
    ))
  }
  facts <- function(...) signal_facts(result(...))
  expect_match(
    facts(0.2, 0.1, 0.4)$Error[1],
    "^20.% out of bag .4 of 20 samples; 95.% CI.10 to 40.%.; 50.% when always predicting"
  )
  expect_null(facts(0.2, 0.1, 0.4)$Caution)
  expect_match(facts(0.4, 0.2, 0.6)$Caution, "interval of the error contains 50.%: all features")
  expect_match(facts(0.5, 0.3, 0.7)$Caution, "error is no better than 50.%: all features")
  expect_null(signal_facts(list(features = character()))$Caution)
  for (features in list(character(), "a")) {
    expect_match(signal_facts(list(features = features))$Signal, "^not tested by permutations")
  }
})

test_that("the error without features is the same for any order of classes, and half for equal", {
  y <- c("a", "a", "b", "b", "b")
  error_without_features <- function(y) {
    baseline_error(outcome_of_labels(y), data.frame(observed = y), FALSE)
  }
  expect_equal(error_without_features(factor(y)), 0.4)
  expect_equal(error_without_features(factor(y, c("b", "a"))), 0.4)
  expect_equal(error_without_features(factor(rep(1:10, 10))), 0.9)
  expect_equal(error_without_features(c(1, 2, 6)), 7)
})

test_that("without features all classes are predicted alike", {
  noise <- verdict_data(20, 0)
  response <- read_response(noise$y, 20)
  none <- rep(list(integer()), 20)
  link <- predict_left_out(
    noise$x, response, none, left_out_together(response), "ridge_logistic", 3, 1L
  )
  study <- open_study(noise$x, noise$y, "binary")
  oob <- oob_of_links(study, list(link = link), rep(1L, 20), lengths(none))
  expect_identical(oob$n_empty, oob$n)
  # Not 1: the companion of a sample keeps its class from being the smaller one.
  expect_equal(oob$error, 0.5)
  expect_equal(oob$auc, 0.5)
})

test_that("Wilson's interval is that of prop.test()", {
  for (share in c(0, 0.1, 0.5, 1)) {
    peer <- stats::prop.test(share * 40, 40, conf.level = 0.9, correct = FALSE)$conf.int
    expect_equal(wilson_interval(share, 40, 0.9), as.numeric(peer))
  }
})

test_that("the exact interval of a share is that of binom.test()", {
  for (wrong in c(0, 1, 7, 20)) {
    peer <- stats::binom.test(wrong, 20, conf.level = 0.9)$conf.int
    expect_equal(exact_interval(wrong / 20, 20, 0.9), as.numeric(peer))
  }
})

test_that("the time that a result took is remembered, and is no part of it", {
  d <- verdict_data()
  one <- fealect(d$x, d$y, n_runs = 5, seed = 1)
  expect_identical(fealect(d$x, d$y, n_runs = 5, seed = 1), one)
  expect_type(seconds_of(one), "double")
  expect_output(print(one), "`permute = 39`\\s+would\\s+take")
  expect_identical(describe_seconds(125), "about 2.1 min")
  expect_identical(describe_seconds(12.34), "about 12 s")
})

test_that("directions are those of the means, or of the correlation", {
  d <- verdict_data()
  d$x[, 5] <- 1
  expected <- ifelse(colMeans(d$x[d$y == "ill", ]) > colMeans(d$x[d$y == "well", ]), "ill", "well")
  expected[5] <- NA
  fit <- fealect(d$x, d$y, n_runs = 5, seed = 1)
  table <- fit$table[match(colnames(d$x), fit$table$feature), ]
  expect_identical(table$direction, unname(expected))
  stable <- stability_selection(fit, q = 3, cutoff = 0.9, assumption = "none")$table
  expect_identical(stable$direction, unname(expected)[match(stable$feature, colnames(d$x))])
  number <- d$x[, 7] - d$x[, 8]
  fit <- fealect(d$x, number, n_runs = 5, seed = 1)
  table <- fit$table[match(colnames(d$x), fit$table$feature), ]
  correlation <- suppressWarnings(stats::cor(d$x, number))
  expect_identical(table$direction, c("-", "+")[1 + (drop(correlation) > 0)])
  three <- factor(rep(c("a", "b", "c"), length.out = 40))
  means <- apply(d$x, 2, function(v) tapply(v, three, mean))
  ensemble <- select_ensemble(
    Matrix::Matrix(d$x, sparse = TRUE), three, selector_filter("variance"), n_features = 5, seed = 1
  )
  at <- match(ensemble$table$feature, colnames(d$x))
  expect_identical(
    ensemble$table$direction, replace(c("a", "b", "c")[apply(means, 2, which.max)], 5, NA)[at]
  )
  again <- aggregate(ensemble, aggregate_rank("mean"))
  at <- match(again$table$feature, ensemble$table$feature)
  expect_identical(again$table$direction, ensemble$table$direction[at])
})

test_that("a score curve cut short falls back on features in half of the runs", {
  d <- withr::with_seed(3, {
    x <- matrix(rnorm(200 * 60), 200, dimnames = list(NULL, paste0("w", 1:60)))
    list(x = x, y = factor(drop(x[, 1:8] %*% rep(1, 8)) + rnorm(200) > 0))
  })
  fit <- fealect(d$x, d$y, n_runs = 30, max_features = 8, n_boot = 20, seed = 1)
  expect_false(fit$three_segment$bends_up)
  expect_identical(fit$cut, "majority")
  expect_setequal(fit$features, fit$table$feature[fit$table$frequency >= 0.5])
  expect_true(all(paste0("w", 1:8) %in% fit$features))
  expect_lt(fit$oob$upper, fit$oob$baseline)
  expect_identical(fit$oob$n_empty, 0L)
  expect_output(print(fit), "in at least half of the\\s+runs")
  # Sets without a sample are those of the runs without it.
  i <- 7L
  runs <- which(as.matrix(fit$resamples)[i, ] == 0)
  share <- Matrix::rowMeans(fit$selection$score[, runs] > 0)
  expect_identical(fit$oob$predictions$n_features[i], sum(share >= 0.5))
  # Full paths have the tail that the curve bends away from, or half of the best score is taken.
  expect_true(fealect(d$x, d$y, n_runs = 30, seed = 1)$cut %in% c("bend", "half"))
})

test_that("three features among a thousand are seen in a numeric response", {
  d <- withr::with_seed(4, {
    x <- matrix(rnorm(80 * 1000), 80, dimnames = list(NULL, paste0("g", 1:1000)))
    list(x = x, y = x[, 1] - x[, 2] + 0.7 * x[, 3] + rnorm(80))
  })
  fit <- fealect(d$x, d$y, n_runs = 50, n_boot = 0, seed = 1)
  expect_lt(fit$oob$error, 0.7 * fit$oob$baseline)
  expect_identical(fit$model$features, head(fit$features, 16))
  expect_gt(mean((predict(fit, d$x) - d$y)^2), 0.1)
  expect_output(print(fit), "the final model has the first 16")
})

test_that("the intervals are those that held the true error in the simulation", {
  folder <- experiment("honest-error", "results")
  cells <- utils::read.csv(file.path(folder, "summary.csv"))
  # The page on error rates gives this range, for the divisors that the code uses.
  together <- cells[cells$left_out == "together", ]
  numbers <- grepl("numbers", together$cell)
  coverage <- c(together$cover_2[!numbers], together$cover_3[numbers])
  expect_gte(min(coverage), 0.9)
  equal <- cells[cells$cell == "fealect, 10:10, delta 0", ]
  expect_identical(round(equal$error, 2), c(0.51, 0.68))
  real <- result_of("honest-error", "real-coverage")
  says <- function(sentence, rows) {
    now <- 100 * real$now[rows]
    shares <- as.list(c(range(now), mean(now)))
    do.call(expect_says, c("vignettes/error-rates.Rmd", sentence, shares))
  }
  classes <- real$kind != "numbers"
  seen <- real$part == "seen"
  says("in %.0f to %.0f %% of the draws for classes (%.0f %% on average)", classes & seen)
  says("in %.0f to %.0f %% for numbers (%.0f %%)", !classes & seen)
  says("it was %.0f to %.0f %% (%.0f %%) and", classes & !seen)
  says("and %.0f to %.0f %% (%.0f %%). They hold", !classes & !seen)
  expect_says(
    "vignettes/error-rates.Rmd", "samples of %d to %d from %s published", min(real$n), max(real$n),
    c("nine", "ten", "eleven")[length(unique(sub(" .*", "", real$set[seen]))) - 8L]
  )
  expect_identical(sort(unique(real$n[!seen])), c(20L, 40L))
  gordon <- real[real$set == "gordon" & real$procedure == "fealect" & classes, ]
  says_of_gordon <- function(sentence, shares) {
    do.call(expect_says, c("experiments/honest-error/README.md", sentence, as.list(100 * shares)))
  }
  says_of_gordon(
    "contained the error in %.0f, %.0f and %.0f %% (20, 40, 80 samples)", gordon$before
  )
  says_of_gordon("contained it in %.0f, %.0f and %.0f %%", gordon$now)
  # As many as three of twelve: t with 2 degrees of freedom, the standard error of three.
  losses <- rep(c(1, 3), 6)
  half <- 4.302653 * stats::sd(losses) / sqrt(3) / 2
  expect_equal(interval_of_loss(losses, NULL, 0.95), 2 * exp(c(-1, 1) * half), tolerance = 1e-6)
})

test_that("lists that ask what adds to the others say so, and rankings of single features do not", {
  d <- withr::with_seed(1, list(x = matrix(stats::rnorm(800), 40), y = stats::rnorm(40)))
  asks <- "asks which features add to the others; find_signals\\(\\): which mark the outcome"
  stable <- function(...) stability_selection(d$x, d$y, q = 3, cutoff = 0.8, n_pairs = 5, ...)
  adds <- list(
    fealect(d$x, d$y, n_runs = 5, oob = FALSE, seed = 1), stable(seed = 1),
    bolasso(d$x, d$y, lambda = 0.2, n_runs = 5, seed = 1),
    split_test(d$x, d$y, n_runs = 5, n_features = 3, seed = 1)
  )
  for (fit in adds) expect_match(printed_words(fit), asks)
  single <- stable(selector = selector_filter("pearson"), seed = 1)
  expect_no_match(printed_words(single), "asks which")
  groups <- cluster_features(d$x, threshold = 0.4)
  grouped <- stability_selection(d$x, d$y, clusters = groups, q = 3, cutoff = 0.8, seed = 1)
  expect_match(printed_words(grouped), "asks which clusters add")
})

test_that("a time is not torn from its unit", {
  x <- withr::with_seed(1, fealect(matrix(stats::rnorm(200), 20), 1:20, n_runs = 5))
  whole <- permutations_as_whole(n_deciding_permutations, procedure_of(x))
  assign(made_alike(x), 25 / whole, envir = clock)
  for (n in 1:40) {
    facts <- list(Signal = paste(strrep("a ", n), describe_signal(x)))
    expect_match(lay_out(new_facts("Title", verdict = facts)), "about 25 s$", all = FALSE)
  }
})
