replication_data <- function(n = 40, p = 60, effect = 1.5, seed = 1) {
  withr::with_seed(seed, {
    y <- factor(rep(c("ill", "well"), length.out = n))
    x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", 1:p)))
    x[, 1:3] <- x[, 1:3] + effect * (y == "ill")
    list(x = x, y = y)
  })
}

# The five features with the largest difference of means, in order; three are selected.
by_means <- function(x, y, ...) {
  difference <- abs(colMeans(x[y == "ill", ]) - colMeans(x[y == "well", ]))
  best <- names(sort(-difference))
  structure(
    list(table = data.frame(feature = best), features = best[1:3]),
    class = c("stabilect_test", "stabilect_result")
  )
}

test_that("overlap, chance and shares are those of a slow loop over the halves", {
  d <- replication_data(effect = 0.7)
  fit <- evaluate_replication(by_means, d$x, d$y, n_pairs = 6, n_features = c(5, 10), seed = 3)
  draws <- draw_resamples(resample_pairs(6, stratify = TRUE), d$y, seed = 3)
  lists <- lapply(1:12, function(half) {
    rows <- split(draws)[[half]]
    by_means(d$x[rows, ], d$y[rows])$table$feature
  })
  for (k in c(5, 10, 3)) {
    common <- vapply(seq(1, 11, 2), function(first) {
      length(intersect(lists[[first]][1:k], lists[[first + 1]][1:k]))
    }, 0L)
    row <- fit$table[fit$table$n_features == k, ]
    expect_equal(row$n_again, mean(common))
    expect_equal(row$overlap, mean(common) / k)
    expect_equal(row$by_chance, k / 60)
    # Spearman-Brown: a test of double length, the overlap beyond chance as its reliability.
    beyond <- (row$overlap - k / 60) / (1 - k / 60)
    expect_equal((row$extrapolated - k / 60) / (1 - k / 60), 2 * beyond / (1 + beyond))
  }
  in_top <- vapply(fit$again$feature, function(f) {
    mean(vapply(lists, function(one) f %in% one[1:5], NA))
  }, 0)
  expect_equal(fit$again$top_5, unname(in_top))
  expect_identical(is.unsorted(-fit$again$top_5), FALSE)
  expect_setequal(fit$again$feature, unique(unlist(lapply(lists, head, 10))))
  expect_identical(double_length(0.01, 0.1), 0.1)
  expect_identical(double_length(1, 1), 1)
})

test_that("a result is repeated with its own settings on halves of each class", {
  d <- replication_data()
  fit <- fealect(d$x, d$y, n_runs = 12, max_features = 4, score_rule = "step", seed = 1)
  again <- evaluate_replication(fit, d$x, d$y, n_pairs = 2, n_features = 3, seed = 5)
  draws <- draw_resamples(resample_pairs(2, stratify = TRUE), d$y, seed = 5)
  rows <- split(draws)[[2]]
  half <- fealect(
    d$x[rows, ], d$y[rows], max_features = 4, score_rule = "step", oob = FALSE, n_boot = 0,
    resampling = fit$resamples$plan, seed = child_seeds(5, 4)[2]
  )
  rows <- which(draws$counts[, 2] > 0)
  study <- open_study(d$x, d$y, "binary")
  result <- answer_on(as_procedure(fit, "object"), study, rows, child_seeds(5, 4)[2], 1L)
  one <- rank_part(result, study, rows, "object")
  expect_identical(one$order[1:3], match(half$table$feature[1:3], colnames(d$x)))
  expect_identical(one$own, match(half$features, colnames(d$x)))
  expect_true(all(fit$features %in% again$again$feature))
  at <- match(again$again$feature, fit$table$feature)
  expect_false(is.unsorted(at))
  expect_identical(
    evaluate_replication(fit, d$x, d$y, n_pairs = 2, n_features = 3, seed = 5, n_threads = 2), again
  )
  stable <- stability_selection(d$x, d$y, q = 4, cutoff = 0.9, n_pairs = 5, seed = 1)
  bag <- bolasso(d$x, d$y, n_runs = 5, seed = 1)
  for (one in list(stable, bag)) {
    expect_s3_class(
      evaluate_replication(one, d$x, d$y, n_pairs = 1, seed = 1), "stabilect_replication"
    )
  }
})

test_that("noise does not come again, whatever the agreement of its runs", {
  d <- replication_data(effect = 0, p = 200)
  fit <- fealect(d$x, d$y, n_runs = 20, n_boot = 0, oob = FALSE, seed = 1)
  top <- evaluate_replication(fit, d$x, d$y, n_pairs = 15, n_features = 10, seed = 1)$table[1, ]
  expect_lt(abs(top$overlap - top$by_chance), 0.06)
  expect_gt(value_of_index(as_selection(fit, n_features = 10), "nogueira"), 0.15)
})

test_that("blocks are halved as a whole, with the plan of the result or of the data", {
  d <- replication_data()
  who <- rep(1:10, each = 4)
  y <- rep(c("ill", "well"), each = 4, length.out = 40)
  seen <- NULL
  spy <- function(x, y, ...) {
    seen <<- c(seen, list(x$blocks))
    by_means(x$x, x$y)
  }
  study <- prepare_study(d$x, y, blocks = who)
  evaluate_replication(spy, study, n_pairs = 3, n_features = 2, seed = 1)
  for (blocks in seen) expect_true(all(table(as.character(blocks)) == 4L))
  plan <- resample_subsample(5, blocks = who)
  fit <- fealect(d$x, y, resampling = plan, n_boot = 0, oob = FALSE, seed = 1)
  by_plan <- evaluate_replication(fit, d$x, y, n_pairs = 3, n_features = 2, seed = 1)
  prepared <- evaluate_replication(fit, study, n_pairs = 3, n_features = 2, seed = 1)
  prepared$made$call <- by_plan$made$call
  expect_identical(prepared, by_plan)
})

test_that("pairs with a failed half are left out", {
  d <- replication_data()
  count <- 0
  fails <- function(x, y, ...) {
    count <<- count + 1
    if (count == 2) abort("Nothing.", class = "runs")
    by_means(x, y)
  }
  fit <- evaluate_replication(fails, d$x, d$y, n_pairs = 3, n_features = 2, seed = 1)
  expect_identical(fit$made$n_failed, 2L)
  expect_error(
    evaluate_replication(function(x, y) abort("Nothing.", class = "runs"), d$x, d$y, seed = 1),
    "failed on every pair of halves: Nothing",
    class = "stabilect_error_runs"
  )
})

test_that("what it says, and what it refuses", {
  d <- replication_data()
  fit <- fealect(d$x, d$y, n_runs = 5, n_boot = 0, oob = FALSE, seed = 1)
  expect_snapshot(
    print(evaluate_replication(by_means, d$x, d$y, n_pairs = 4, n_features = 5, seed = 1), n = 3)
  )
  refuse <- function(pattern, ...) {
    expect_error(evaluate_replication(...), pattern, class = "stabilect_error_input")
  }
  refuse("not the data", fit, d$x[-1, ], d$y[-1])
  refuse("must be a result", 1, d$x, d$y)
  refuse("n_pairs", fit, d$x, d$y, n_pairs = 0)
  refuse("n_features", fit, d$x, d$y, n_features = 61)
  refuse("distinct", fit, d$x, d$y, n_features = c(2, 2))
  refuse("must return a result", function(x, y) 1, d$x, d$y)
  found <- find_signals(d$x, d$y, permute = 19, seed = 1)
  refuse("names features but ranks no others", found, d$x, d$y)
  path <- lasso_path(d$x, d$y)
  refuse("function\\(x, y, \\.\\.\\.\\)", path, d$x, d$y)
  custom <- resample_custom(counts = as.matrix(fit$resamples))
  refuse("Custom resamples", fealect(d$x, d$y, resampling = custom, n_boot = 0), d$x, d$y)
})

test_that("a checkpoint takes up finished halves", {
  d <- replication_data()
  file <- withr::local_tempfile()
  run <- function(checkpoint = NULL, n_pairs = 3) {
    evaluate_replication(
      by_means, d$x, d$y, n_pairs = n_pairs, n_features = 2, seed = 1, checkpoint = checkpoint
    )
  }
  first <- run(file)
  expect_identical(run(file), first)
  expect_identical(run(), first)
  expect_error(run(file, n_pairs = 4), class = "stabilect_error")
})

test_that("evaluate_selectors() judges whole procedures beside selectors", {
  d <- replication_data()
  rules <- list(
    t = selector_filter("t"), means = by_means,
    stable = function(x, y, ...) stability_selection(x, y, q = 3, pfer = 1, n_pairs = 3, ...)
  )
  fit <- evaluate_selectors(
    d$x, d$y, rules, n_features = c(2, 5), n_repeats = 3, resampling = resample_bootstrap(4),
    seed = 1
  )
  expect_identical(unique(fit$table$selector), c("t", "means", "stable"))
  means <- fit$table[fit$table$selector == "means", ]
  expect_identical(means$n_features, c(2L, 5L, NA))
  expect_identical(unique(means$aggregation), "own")
  # Its errors and overlaps, by hand.
  draws <- draw_resamples(resample_pairs(3), d$y, seed = 1)
  lda <- learner_lda()
  by_half <- vapply(1:6, function(half) {
    rows <- split(draws)[[half]]
    test <- split(draws)[[half + if (half %% 2 == 1) 1 else -1]]
    best <- by_means(d$x[rows, ], d$y[rows])$table$feature[1:5]
    mean(lda$predict(lda$fit(d$x[rows, best], d$y[rows]), d$x[test, best]) != d$y[test])
  }, 0)
  expect_equal(means$error[2], mean(by_half))
  expect_identical(unique(summary(fit)$comparison$selector), "t")
  single <- evaluate_selectors(
    d$x, d$y, by_means, n_features = 2, n_repeats = 2, seed = 1, aggregation = list()
  )
  expect_identical(unique(single$table$selector), "by_means")
  expect_error(
    evaluate_selectors(d$x, d$y, list(by_means), n_repeats = 2), "Name the functions",
    class = "stabilect_error_input"
  )
  # An empty set predicts the more frequent class.
  none <- function(x, y, ...) {
    result <- by_means(x, y)
    result$features <- character()
    result
  }
  uneven <- factor(rep(c("a", "b"), c(12, 28)))
  empty <- evaluate_selectors(
    d$x, uneven, list(none = function(x, y, ...) none(x, c(a = "ill", b = "well")[y])),
    n_features = 2, n_repeats = 4, aggregation = list(), seed = 1
  )
  expect_equal(empty$table$error[2], 0.3, tolerance = 0.1)
})

test_that("the help page tells what the simulation found", {
  folder <- experiment("honest-error", "results")
  laws <- utils::read.csv(file.path(folder, "replication.csv"))
  expect_equal(range(round(laws$extrapolated - laws$truth, 2)), c(-0.09, 0.02))
  expect_equal(range(round(laws$rmse, 2)), c(0.02, 0.13))
  expect_true(all(laws$overlap[laws$law != "null"] < laws$truth[laws$law != "null"]))
  noise <- laws[laws$law == "null" & laws$list == "top 10", ]
  expect_equal(round(c(noise$stability_of_runs, noise$truth), 2), c(0.25, 0.02))
  new <- result_of("honest-error", "new-predictions")
  inside <- function(column) round(100 * range(new[[column]]))
  expect_identical(sort(unique(new$n)), c(40L, 80L))
  expect_says(
    "R/evaluate-replication.R", paste(
      "these intervals contained %.0f to %.0f %% of the predictions by new studies of half the",
      "size, and %.0f to %.0f %% by new studies of the same size. The quantiles 0.025 and 0.975 of",
      "the predictions by halves contained %.0f to %.0f %%"
    ),
    inside("now")[1], inside("now")[2], inside("now_full")[1], inside("now_full")[2],
    inside("before")[1], inside("before")[2]
  )
  expect_says(
    "R/evaluate-replication.R", "it was off by %.2f, for one set by %.2f", sqrt(mean(new$rmse^2)),
    max(new$rmse)
  )
})

test_that("a function that fails is named, with its own words", {
  d <- replication_data()
  expect_error(
    evaluate_selectors(d$x, d$y, list(mine = function(x, y, ...) stop("no licence")),
      n_features = 3, n_repeats = 2, learner = learner_lda(), seed = 1
    ),
    "\"mine\" failed: no licence", class = "stabilect_error"
  )
})

test_that("predictions of halves are those of their models, for samples they have not seen", {
  d <- replication_data(effect = 0.7)
  fit <- fealect(d$x, d$y, n_runs = 12, seed = 1)
  again <- evaluate_replication(fit, d$x, d$y, n_pairs = 4, n_features = 3, seed = 5)
  draws <- draw_resamples(resample_pairs(4, stratify = TRUE), d$y, seed = 5)
  seeds <- child_seeds(5, 8)
  values <- vapply(1:8, function(half) {
    rows <- split(draws)[[half]]
    model <- fealect(
      d$x[rows, ], d$y[rows],
      oob = FALSE, n_boot = 0, resampling = fit$resamples$plan, seed = seeds[half]
    )$model
    probability <- rep(NA_real_, 40)
    probability[-rows] <- predict(model, d$x[-rows, ], type = "probability")
    probability
  }, numeric(40))
  table <- again$predictions
  whole <- unname(predict(fit$model, d$x, type = "probability"))
  expect_equal(table$predicted, whole)
  expect_equal(table$n_models, rep(4, 40))
  expect_equal(table$mean, rowMeans(values, na.rm = TRUE))
  expect_equal(table$distance, rowMeans(abs(values - whole), na.rm = TRUE))
  expect_equal(table$other_class, rowMeans((values > 0.5) != (whole > 0.5), na.rm = TRUE))
  # The prediction interval of a normal mean, with three times the variance of the delete-half
  # jackknife.
  first <- stats::na.omit(stats::qlogis(values[1, ]))
  square <- sum((first - mean(first))^2) / 3
  limits <- mean(first) + c(-1, 1) * stats::qt(0.975, 3) * sqrt(3 * square + square / 4)
  expect_equal(unlist(table[1, c("lower", "upper")]), stats::plogis(limits), ignore_attr = TRUE)
  expect_true(all(table$lower <= table$mean & table$mean <= table$upper))
  expect_true(any(table$other_class > 0) && any(table$other_class == 0))
})

test_that("predictions of numbers have no classes, and lists without a model no predictions", {
  d <- replication_data()
  y <- d$x[, 1] + stats::rnorm(40)
  fit <- fealect(d$x, y, n_runs = 6, seed = 1)
  again <- evaluate_replication(fit, d$x, y, n_pairs = 2, n_features = 3, seed = 5)
  expect_true(all(is.na(again$predictions$other_class)))
  expect_equal(again$predictions$predicted, unname(predict(fit$model, d$x)))
  expect_output(print(again), "between\\s+samples")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(again), "ggplot")
  by_hand <- evaluate_replication(by_means, d$x, d$y, n_pairs = 2, n_features = 3, seed = 5)
  expect_null(by_hand$predictions)
  predictions <- ggplot2::autoplot(by_hand, type = "predictions")
  expect_identical(
    ggplot2::layer_data(predictions, 1)$label, "The results of the halves contain no model."
  )
})

test_that("the overlap of lists is drawn with and without models", {
  skip_if_not_installed("ggplot2")
  d <- replication_data()
  again <- evaluate_replication(by_means, d$x, d$y, n_pairs = 2, n_features = c(2, 4), seed = 5)
  picture <- ggplot2::autoplot(again)
  shown <- again$table[again$table$n_features >= 1, ]
  expect_setequal(
    ggplot2::layer_data(picture, 2)$y,
    unlist(shown[c("overlap", "by_chance", "extrapolated")])
  )
  expect_match(
    picture$labels$title, "^Of the 2 best features of one\\shalf, [0-9.]+ recurs? in the"
  )
  again$table$overlap <- NA_real_
  none <- ggplot2::autoplot(again)
  expect_match(ggplot2::layer_data(none, 1)$label, "All lists of the halves are empty")
})

test_that("a function is compared with the mean of its models", {
  d <- replication_data(effect = 0.5)
  scored <- function(x, y, ...) fealect(x, y, n_runs = 5, n_boot = 0, oob = FALSE, ...)
  again <- evaluate_replication(scored, d$x, d$y, n_pairs = 2, n_features = 3, seed = 5)
  expect_identical(again$predictions$predicted, again$predictions$mean)
})

test_that("classes by least squares change at zero, wherever the fitted values lie", {
  d <- replication_data(effect = 0.5)
  fit <- fealect(d$x, d$y, n_runs = 5, model = "least_squares", seed = 1)
  again <- evaluate_replication(fit, d$x, d$y, n_pairs = 2, n_features = 3, seed = 5)
  expect_identical(again$made$predicts, "fitted value")
  expect_equal(again$predictions$predicted, unname(predict(fit$model, d$x, type = "link")))
  # All values between 0 and 1 speak for the second class.
  study <- open_study(d$x, d$y, "binary", "a replication")
  halves <- list(
    list(link = rep(0.2, 40), predicts = "fitted value", model = "least_squares"),
    list(link = rep(0.9, 40), predicts = "fitted value", model = "least_squares")
  )
  expect_identical(prediction_instability(halves, by_means, study)$other_class, rep(0, 40))
})

test_that("a level of a covariate that a half does not have is left out there", {
  d <- replication_data(n = 40)
  y <- as.numeric(d$y) + d$x[, 4]
  # The last sample is the only one of its site.
  known <- data.frame(site = factor(rep(c("a", "b", "c"), c(20, 19, 1))), age = 1:40)
  fit <- fealect(d$x, y, n_runs = 5, seed = 1, covariates = known, family = "gaussian")
  again <- evaluate_replication(fit, d$x, y, n_pairs = 4, n_features = 5, seed = 2)
  expect_identical(again$made$n_failed, 0L)
  last <- again$predictions[40, ]
  expect_identical(last$n_models, 0)
  expect_true(all(is.na(last[c("mean", "lower", "upper", "distance")])))
  expect_false(any(vapply(last, is.nan, NA)))
  expect_equal(again$predictions$n_models[1:39], rep(4, 39))
  # The same procedure, with the levels that a half has.
  draws <- draw_resamples(resample_pairs(4), y, seed = 2)
  seeds <- child_seeds(2, 8)
  values <- vapply(1:8, function(half) {
    rows <- split(draws)[[half]]
    own <- fealect(d$x[rows, ], y[rows],
      n_boot = 0, oob = FALSE, resampling = fit$resamples$plan, seed = seeds[half],
      covariates = droplevels(known[rows, ]), family = "gaussian"
    )
    predicted <- rep(NA_real_, 40)
    rest <- setdiff(1:39, rows)
    predicted[rest] <- predict(own$model, d$x[rest, ], covariates = known[rest, ])
    predicted
  }, numeric(40))
  expect_equal(again$predictions$mean[1:39], rowMeans(values[1:39, ], na.rm = TRUE))
  held <- without_leaning(fit$study$roles$covariates[1:39, , drop = FALSE])
  expect_identical(colnames(held), c("site: b", "age"))
})

test_that("columns that a part cannot tell apart tell which samples go beyond it", {
  z <- cbind(a = c(0, 1, 0, 1, 1), b = c(0, 1, 0, 1, 0), c = c(1, 2, 4, 3, 5))
  part <- without_leaning(z[1:4, , drop = FALSE])
  expect_identical(ncol(part), 2L)
  kept <- colnames(part)
  expect_identical(beyond_covariates(z, 1:4, kept), c(FALSE, FALSE, FALSE, FALSE, TRUE))
  expect_identical(beyond_covariates(z, 1:5, colnames(z)), rep(FALSE, 5))
  expect_identical(ncol(without_leaning(z[c(1, 3), "a", drop = FALSE])), 0L)
})

test_that("a selector alone is refused, with the function to give", {
  x <- matrix(cos(1:200)^3, 20)
  y <- factor(rep(c("a", "b"), 10))
  expect_error(
    evaluate_replication(selector_filter("t"), x, y), "select_ensemble\\(x, y, selector",
    class = "stabilect_error_input"
  )
})

test_that("lists are compared that are at most half of the features", {
  for (case in list(c(200, 10, 20, 50), c(99, 10, 20), c(20, 10), c(13, 6), c(2, 1), c(1, 1))) {
    expect_equal(check_list_sizes(NULL, case[1]), case[-1])
  }
})
