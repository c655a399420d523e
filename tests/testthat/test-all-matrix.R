# What is known of samples and features, asked of every kind of fit in every way: the same answer
# whichever way it was said, or a refusal whose remedy works. helper-matrix.R has the tables.
# STABILECT_MATRIX=all asks the long questions of all verbs, which takes some ten minutes.

skip_if_not_installed("survival")
skip_if_not_installed("SummarizedExperiment")
skip_if_not_installed("Biobase")
skip_if_not_installed("MultiAssayExperiment")
skip_if_not_installed("ggplot2")

# What a refusal advises, done: without an error.
# @param fit,way of the refused cell; verb (string).
remedies <- list(
  "`n_simulations` must be 0" = function(fit, way, verb) {
    matrix_questions$samples(fit, way)
  },
  "leave nothing to explain" = function(fit, way, verb) {
    few <- matrix_axes()[["covariate, a number"]]$ways[[1]]
    matrix_questions$samples(matrix_run(verb, few), few)
  },
  "One sample of each block can be: `!duplicated(blocks)` are such" = function(fit, way, verb) {
    first <- !duplicated(matrix_data$pair)
    one <- matrix_way(matrix_data$x[first, ], matrix_data$classes[first])
    matrix_questions$error_rates(matrix_run(verb, one), one)
  },
  "`evaluate_replication(object, x, y)` compares the lists" = function(fit, way, verb) {
    do.call(evaluate_replication, c(list(fit), way$data, n_pairs = 2, seed = 1))
  },
  "`predict(object, prepare_study(newdata, within = ))` does" = function(fit, way, verb) {
    predict(fit, prepare_study(matrix_new$x, within = matrix_new$pair))
  },
  "`y - offset` is then the outcome" = function(fit, way, verb) {
    rest <- matrix_way(matrix_data$x, matrix_data$numbers - matrix_data$age)
    matrix_questions$error_rates(matrix_run(verb, rest), rest)
  },
  "Give a result without `clusters`" = function(fit, way, verb) {
    way$given$clusters <- NULL
    matrix_questions$replicate(matrix_run(verb, way), way)
  }
)

test_that("every axis has one value in every question, or is refused with a remedy that works", {
  skip_on_cran()
  whole <- identical(Sys.getenv("STABILECT_MATRIX"), "all")
  cells <- matrix_all(whole)
  wrong <- cells[cells$state == "wrong", ]
  expect_identical(
    sprintf("%s, %s, %s: %s", wrong$axis, wrong$verb, wrong$question, wrong$words), character()
  )
  refused <- cells[cells$state == "refused", ]
  for (words in unique(refused$words)) {
    remedy <- which(vapply(names(remedies), grepl, NA, words, fixed = TRUE))
    expect_length(remedy, 1L)
    cell <- refused[refused$words == words, ][1, ]
    way <- matrix_axes()[[cell$axis]]$ways[[1]]
    done <- matrix_try(remedies[[remedy[1]]](matrix_run(cell$verb, way), way, cell$verb))
    expect_false(inherits(done, "error"), info = paste(cell$axis, cell$verb, words))
  }
  counts <- table(factor(cells$state, c("equal", "refused", "none")))
  cat(sprintf(
    "\n%d cells of the matrix: %d equal, %d refused with a remedy, %d not applicable\n",
    nrow(cells), counts[["equal"]], counts[["refused"]], counts[["none"]]
  ))
  # Most cells have an answer, and each axis has some.
  expect_gt(counts[["equal"]] / nrow(cells), 0.6)
  equal <- cells$state == "equal"
  expect_setequal(cells$axis[equal], cells$axis)
  expect_setequal(cells$question[equal], setdiff(cells$question, "fit"))
})

test_that("data that are given again must bring what the result has", {
  d <- matrix_data
  z <- data.frame(age = d$age)
  fit <- stability_selection(d$x, d$classes, q = 2, cutoff = 0.7, n_pairs = 4, seed = 1)
  beside <- update(fit, covariates = z)
  refuse <- function(fit, data, words) {
    expect_error(
      evaluate_replication(fit, data, n_pairs = 2, seed = 1), words, class = "stabilect_error_input"
    )
  }
  own <- prepare_study(d$x, d$classes, covariates = z)
  expect_s3_class(evaluate_replication(beside, own, n_pairs = 2, seed = 1), "stabilect_replication")
  refuse(fit, own, "prepared data with `covariates`, which the result does not have")
  refuse(
    beside, prepare_study(d$x, d$classes, covariates = z + seq_len(matrix_n)), "other `covariates`"
  )
  blocks <- stability_selection(
    d$x, d$pure, q = 2, cutoff = 0.7, resampling = resample_pairs(4, blocks = d$pair), seed = 1
  )
  refuse(blocks, prepare_study(d$x, d$pure, blocks = rev(rep(1:12, 4))), "other `blocks`")
})

test_that("questions with models refuse the offset of counts, and take that of numbers", {
  d <- matrix_data
  counts <- withr::with_seed(3, stats::rpois(matrix_n, exp(d$age / 2 + d$x[, 1] / 2)))
  fit <- stability_selection(
    d$x, counts, q = 2, cutoff = 0.7, n_pairs = 4, family = "poisson", offset = d$age / 2, seed = 1
  )
  for (ask in list(
    function() estimate_sample_size(fit, d$x, counts, n_pairs = 5, n_features = 3, seed = 1),
    function() test_signature(d$x, counts, fit, n_random = 20, seed = 1),
    function() alternative_lists(fit, d$x, counts, n_features = 2, max_steps = 2, seed = 1),
    function() feature_effects(fit, d$x, counts, features = 1:2)
  )) {
    expect_error(ask(), "The result has an `offset`", class = "stabilect_error_input")
  }
  # The rate of a sample follows the first feature, its count also the exposure.
  table <- fit$table[fit$table$feature == "g1", ]
  expect_identical(table$direction, "+")
  expect_gt(table$same_sign, 0.9)
})

test_that("weighted samples weigh in the direction of a feature", {
  d <- matrix_data
  w <- rep(c(0.01, 1), each = matrix_n / 2)
  last <- seq(matrix_n / 2 + 1, matrix_n)
  of <- function(y, ...) {
    fit <- fealect(d$x, y, ..., n_runs = 4, n_boot = 0, oob = FALSE, seed = 1)
    fit$table$direction[match(colnames(d$x), fit$table$feature)]
  }
  w0 <- replace(w, seq_len(matrix_n / 2), 0)
  mean_of <- function(class) colMeans(d$x[last, ][d$classes[last] == class, ])
  expect_identical(
    of(d$classes, weights = w0), unname(ifelse(mean_of("ill") > mean_of("well"), "ill", "well"))
  )
  r <- stats::cor(d$x[last, ], d$numbers[last])
  expect_identical(of(d$numbers, weights = w0), c("-", "+")[1L + (drop(r) > 0)])
})
