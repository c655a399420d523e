# `na = "impute"`: the values, what is said of them, and what every verb does with them.

expect_no_words <- function(text, words) expect_false(grepl(words, text, fixed = TRUE))

message_of <- function(code) {
  error <- expect_error(code, class = "stabilect_error_input")
  gsub("\\s+", " ", conditionMessage(error))
}

test_that("imputed values are nearer to the truth than medians, and values that are there stay", {
  for (slope in c(0, 1.5)) {
    d <- holes(slope = slope)
    data <- prepare_study(d$x, d$y, na = "impute", seed = 1)
    own <- colnames(data$x)
    gaps <- is.na(d$x[, own])
    expect_false(anyNA(data$x))
    expect_identical(data$x[!gaps], d$x[, own][!gaps])
    error <- function(x) sqrt(mean((x - d$whole[, own])[gaps]^2))
    medians <- prepare_study(d$x, d$y, na = "median")$x
    expect_lt(error(data$x), 0.75 * error(medians))
    # The curve: none where values are missing at random, and most of its slope where they are not.
    expect_equal(length(data$imputed$slope), 1L)
    expect_lte(data$imputed$slope, 0)
    if (slope == 0) {
      expect_gt(data$imputed$slope, -0.15)
    } else {
      expect_gt(data$imputed$slope, -1.2 * slope)
      expect_lt(data$imputed$slope, -0.5 * slope)
      expect_match(paste(data$notes, collapse = " "), "small values are missing more often: one")
    }
  }
})

test_that("draws vary as values do, and their mean is the expected value", {
  d <- holes()
  data <- prepare_study(d$x, d$y, na = "impute", n_draws = 60, seed = 2)
  drawn <- data$imputed$drawn
  expect_identical(dim(drawn), c(60L, length(data$imputed$row)))
  expected <- data$x[cbind(data$imputed$row, data$imputed$column)]
  expect_lt(abs(mean(colMeans(drawn) - expected)), 0.02)
  expect_gt(stats::cor(colMeans(drawn), expected), 0.97)
  # A value given its five relatives has a standard deviation of about a half.
  expect_true(stats::median(apply(drawn, 2, stats::sd)) > 0.35)
  expect_true(stats::median(apply(drawn, 2, stats::sd)) < 0.85)
})

test_that("the same seed gives the same bits, for any threads and order of use", {
  d <- holes()
  one <- prepare_study(d$x, d$y, na = "impute", seed = 7)
  withr::local_seed(3)
  before <- .Random.seed
  two <- prepare_study(d$x, d$y, na = "impute", seed = 7, n_threads = 2)
  expect_identical(.Random.seed, before)
  expect_identical(one, two)
  other <- prepare_study(d$x, d$y, na = "impute", seed = 8)
  expect_false(identical(one$x, other$x))
  table <- prepare_study(as.data.frame(d$x), d$y, na = "impute", seed = 7)
  expect_identical(as.matrix(table$x), one$x)
  # Scale and place of features: powers of two change no bit of a draw but the unit.
  moved <- prepare_study(d$x * 4, d$y, na = "impute", seed = 7)
  expect_equal(moved$x / 4, one$x)
})

test_that("the outcome is not used", {
  d <- holes()
  one <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  two <- prepare_study(d$x, rev(d$y), na = "impute", seed = 1)
  expect_identical(one$x, two$x)
  expect_identical(prepare_study(d$x, na = "impute", seed = 1)$x, one$x)
})

test_that("results know their data by the values that were there, and by how they were imputed", {
  d <- holes()
  data <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  fit <- fealect(data, n_runs = 20, n_boot = 0, seed = 1)
  again <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  expect_s3_class(evaluate_replication(fit, again, n_pairs = 2, seed = 1), "stabilect_replication")
  other <- prepare_study(d$x, d$y, na = "impute", seed = 2)
  expect_match(message_of(evaluate_replication(fit, other, n_pairs = 2, seed = 1)),
    "not the data of"
  )
  more <- fealect(other, n_runs = 20, n_boot = 0, seed = 2)
  expect_error(c(fit, more), class = "stabilect_error_merge")
  joined <- c(fit, fealect(again, n_runs = 20, n_boot = 0, seed = 2))
  expect_identical(joined$made$n_runs, 40L)
})

test_that("runs of the draws say how much runs agree where missing values vary", {
  d <- holes()
  data <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  fits <- list(
    stability_selection(data, seed = 1), fealect(data, n_runs = 60, n_boot = 0, seed = 1),
    select_ensemble(data, selector = selector_filter("t"), n_features = 10, seed = 1)
  )
  for (fit in fits) {
    expect_s3_class(fit$drawn, "stabilect_selection")
    expect_identical(fit$drawn$n_runs, fit$selection$n_runs)
    expect_true(all(fit$table$frequency_drawn >= 0 & fit$table$frequency_drawn <= 1))
    agreed <- stability(fit)$table
    expect_lt(agreed$drawn, agreed$estimate + 0.01)
    expect_identical(agreed$drawn, stability(fit$drawn)$table$estimate)
    expect_match(paste(cli::ansi_strip(utils::capture.output(print(fit))), collapse = " "),
      "over draws of the missing values"
    )
  }
  whole <- stability_selection(d$whole, d$y, seed = 1)
  expect_null(whole$drawn)
  expect_null(whole$table$frequency_drawn)
})

test_that("find_signals() names by the draws, and tests by the expected values", {
  d <- holes()
  data <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  found <- find_signals(data, permute = 99, seed = 1)
  plain <- find_signals(data$x, d$y, permute = 99, seed = 1)
  expect_identical(found$p_value, plain$p_value)
  expect_identical(found$marginal$p, plain$marginal$p)
  expect_false(identical(found$marginal$inclusion, plain$marginal$inclusion))
  expect_identical(find_signals(data, permute = 99, seed = 1, n_threads = 2)$table, found$table)
  true <- c(paste0("g", 1:10))
  expect_true(all(found$features %in% true))
  expect_gte(length(found$features), 1L)
  # Neighbours are those of the draws, whose correlations are smaller.
  r <- stats::cor(stabilect:::pooled_draws(data))
  near <- found$neighbours[[1]]
  expect_equal(unname(near), unname(r[names(found$neighbours)[1], names(near)]), tolerance = 0.02)
  clusters <- cluster_features(data, threshold = 0.5)
  grouped <- find_signals(data, clusters = clusters, permute = 99, seed = 1)
  expect_lte(grouped$p_value, 0.05)
})

test_that("draws of differences within groups are differences of draws", {
  d <- holes()
  pairs <- rep(1:30, each = 2)
  y <- rep(c("a", "b"), 30)
  study <- stabilect:::open_study(
    prepare_study(d$x, y, na = "impute", seed = 1, within = pairs), takes = "binary",
    roles = list(within = NULL)
  )
  data <- prepare_study(d$x, y, na = "impute", seed = 1)
  for (k in c(1, 10)) {
    whole <- stabilect:::with_drawn(data$x, data$imputed, k)
    centred <- whole - stats::ave(whole, pairs, col(whole))
    expect_equal(stabilect:::study_of_draw(study, k)$x, centred[, study$feature_names],
      tolerance = 1e-6, ignore_attr = TRUE
    )
  }
})

test_that("tables have the share of missing values of each feature", {
  d <- holes()
  data <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  fit <- fealect(data, n_runs = 10, n_boot = 0, seed = 1)
  expect_equal(fit$table$missing, unname(colMeans(is.na(d$x))[fit$table$feature]))
})

test_that("a part of the samples is imputed from itself", {
  d <- holes()
  study <- stabilect:::open_study(
    prepare_study(d$x, d$y, na = "impute", seed = 1), takes = "binary"
  )
  part <- stabilect:::part_of_study(study, 1:40)
  alone <- prepare_study(d$x[1:40, study$feature_names], d$y[1:40], na = "impute", seed = 1,
    max_missing = 1)
  expect_identical(unname(part$x), unname(alone$x))
})

test_that("missing values that go with the outcome are told, and others are not", {
  d <- holes()
  batch <- d$y == "b"
  x <- d$whole
  rate <- ifelse(batch, 0.25, 0.1)
  x[withr::with_seed(5, stats::runif(length(x))) < rate] <- NA
  for (na in c("impute", "median")) {
    data <- prepare_study(x, d$y, na = na, seed = 1)
    expect_match(paste(utils::capture.output(print(data)), collapse = " "), "Caution: samples miss")
    fit <- fealect(data, n_runs = 10, n_boot = 0, seed = 1)
    said <- gsub("\\s+", " ", paste(utils::capture.output(print(fit)), collapse = " "))
    expect_match(said, "samples miss more values with some outcomes than with others (a 10",
      fixed = TRUE
    )
  }
  chance <- vapply(1:40, function(seed) {
    y <- withr::with_seed(seed, sample(d$y))
    study <- stabilect:::open_study(prepare_study(d$x, y, na = "median"), takes = "binary")
    is.null(study$missing$batch)
  }, NA)
  expect_gte(sum(chance), 37L)
})

test_that("categories get the most frequent value, views a curve each, and raw numbers none", {
  d <- holes()
  table <- data.frame(d$x, site = rep(c("u", "u", "v"), 20))
  table$site[4] <- NA
  data <- prepare_study(table, d$y, na = "impute", seed = 1)
  expect_identical(unname(data$x[4, "site"]), 0)
  views <- prepare_study(list(one = d$x[, 1:100], two = d$x[, 101:200]), d$y, na = "impute",
    seed = 1)
  expect_length(views$imputed$slope, 2L)
  # Columns of another scale do not hide the curve of the others.
  mixed <- cbind(d$x, sex = rep(0:1, 30), age = withr::with_seed(1, stats::rnorm(60, 60, 8)))
  beside <- prepare_study(mixed, d$y, na = "impute", seed = 1)
  alone <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  expect_equal(beside$imputed$slope[1], alone$imputed$slope, tolerance = 0.2)
  expect_identical(beside$imputed$by_value, c(TRUE, FALSE))
  raw <- prepare_study(2^d$x * 100, d$y, na = "impute", seed = 1)
  expect_identical(raw$imputed$slope, 0)
  expect_match(paste(raw$notes, collapse = " "), "take logarithms first")
})

test_that("what cannot be imputed is refused, with the remedy", {
  d <- holes()
  expect_match(message_of(prepare_study(d$x[1:15, ], d$y[1:15], na = "impute")), "20 samples")
  expect_match(message_of(prepare_study(d$x[, 1:30], d$y, na = "impute")), "50 features.*median")
  expect_match(message_of(prepare_study(Matrix::Matrix(d$x), d$y, na = "impute")), "as.matrix")
  x <- d$x
  x[2, 3] <- Inf
  expect_match(message_of(prepare_study(x, d$y, na = "impute")), "has Inf at row 2")
  x[4, 1] <- x[9, 3] <- -Inf
  expect_match(
    message_of(prepare_study(x, d$y, na = "median")), "-Inf at row 4, column 1.*logarithm"
  )
  y <- replace(d$y, 3, NA)
  expect_match(message_of(prepare_study(d$x, y, na = "impute")), "`y` is missing at position 3")
  expect_match(message_of(prepare_study(d$x, d$y, na = "impute", n_draws = 1)), "n_draws")
  expect_match(message_of(prepare_study(d$x, d$y)), "na = \"impute\"")
  z <- replace(stats::rnorm(60), 2, NA)
  expect_match(
    message_of(prepare_study(d$x, d$y, na = "impute", covariates = z)), "has NA at position 2"
  )
  # Nothing is missing: nothing is done.
  whole <- prepare_study(d$whole, d$y, na = "impute", seed = 1)
  expect_identical(whole$x, d$whole)
  expect_null(whole$imputed)
})

test_that("prepared data know where values were missing, also of features that were left out", {
  d <- holes()
  d$x[1:40, 3] <- NA
  data <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  expect_false("g3" %in% colnames(data$x))
  pattern <- missing_pattern(data)
  expect_true("missing:g3" %in% colnames(pattern))
  expect_identical(pattern, missing_pattern(d$x))
  expect_match(message_of(missing_pattern(prepare_study(d$whole, d$y))), "know of no missing")
})

test_that("a task of bad numbers ends well: constant columns, few values, extreme scales", {
  d <- holes()
  x <- d$x
  x[, 5] <- ifelse(is.na(x[, 5]), NA, 7)
  x[, 6] <- x[, 7]
  x[, 8] <- d$x[, 8] * 1e300
  x[, 9] <- d$x[, 9] * 1e-300
  data <- prepare_study(x, d$y, na = "impute", seed = 1)
  expect_true(all(is.finite(data$x)))
  expect_true(all(is.finite(data$imputed$drawn[, data$imputed$column != 8])))
  expect_identical(unique(data$x[, 5]), 7)
})

test_that("values are nearer to the truth than those of impute.knn()", {
  stored <- readRDS(test_path("fixtures", "imputation.rds"))
  for (kind in names(stored)) {
    d <- holes(slope = c(random = 0, intensity = 1.5)[[kind]])
    data <- prepare_study(d$x, d$y, na = "impute", seed = 1)
    gaps <- is.na(d$x[, colnames(data$x)])
    truth <- d$whole[, colnames(data$x)][gaps]
    error <- function(values) sqrt(mean((values - truth)^2))
    expect_lt(error(data$x[gaps]), error(stored[[kind]]))
    if (is_installed("impute")) {
      x <- d$x[, colnames(data$x)]
      utils::capture.output(live <- impute::impute.knn(t(x), k = 10, rng.seed = 1)$data)
      expect_equal(t(live)[gaps], stored[[kind]], tolerance = 1e-4)
    }
  }
})

test_that("bolasso() has one penalty for values and draws, and says the agreement", {
  d <- holes()
  data <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  fit <- bolasso(data, n_runs = 40, seed = 1)
  given <- bolasso(data, n_runs = 40, lambda = fit$lambda, seed = 1)
  expect_identical(given$drawn$selected, fit$drawn$selected)
  expect_s3_class(fit$drawn, "stabilect_selection")
})

test_that("merged results keep the runs on draws", {
  d <- holes()
  data <- prepare_study(d$x, d$y, na = "impute", seed = 1)
  parts <- lapply(1:2, function(seed) fealect(data, n_runs = 20, n_boot = 0, seed = seed))
  joined <- do.call(c, parts)
  expect_identical(joined$drawn$n_runs, 40L)
  both <- rowMeans(vapply(parts, function(one) {
    one$table$frequency_drawn[match(joined$table$feature, one$table$feature)]
  }, numeric(nrow(joined$table))))
  expect_equal(joined$table$frequency_drawn, both)
})

test_that("prepared new samples are filled in with what the fit knows", {
  d <- holes()
  for (form in list(identity, as.data.frame)) {
    data <- prepare_study(form(d$x[1:45, ]), d$y[1:45], na = "impute", seed = 1)
    model <- fit_model(data, features = c("g1", "g6", "g11"))
    new <- form(d$x[46:60, ])
    plain <- suppressWarnings(suppressMessages(predict(model, new, "link")))
    prepared <- prepare_study(new, d$y[46:60], na = "median", max_missing = 1)
    again <- suppressWarnings(suppressMessages(predict(model, prepared, "link")))
    expect_equal(unname(again), unname(plain))
    judged <- suppressWarnings(suppressMessages(validate_model(model, prepared)))
    known <- suppressWarnings(suppressMessages(validate_model(model, new, d$y[46:60])))
    expect_equal(judged$table, known$table)
  }
  expect_match(message_of(validate_model(model, new)), "`y` is absent")
})

test_that("names of many missing values, and chains that disagree, have a Caution", {
  d <- holes()
  said <- function(fit) paste(utils::capture.output(print(fit)), collapse = " ")
  found <- find_signals(prepare_study(d$x, d$y, na = "impute", seed = 1), permute = 99, seed = 1)
  expect_gt(length(found$features), 0L)
  expect_match(said(found), "names are wrong more often than said")
  found$study$missing$all <- 0.05
  expect_no_words(said(found), "names are wrong more often than said")
  expect_no_words(said(found), "chains of the sampler disagree")
  expect_no_words(said(found), "wrong names: not known")
  found$table$mc_error[1] <- 0.1
  expect_match(said(found), "chains of the sampler disagree")
  expect_match(said(found), "wrong names: not known")
})
