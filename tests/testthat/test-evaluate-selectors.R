# A little noise breaks the ties, so that every run has a clear order.
mcl_x <- as.matrix(mcl_sll[, -1])[, 1:40]
mcl_x <- mcl_x + withr::with_seed(1, 0.01 * stats::rnorm(length(mcl_x)))
mcl_y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))

evaluate_small <- function(..., seed = 1) {
  evaluate_selectors(
    mcl_x, mcl_y, list(selector_filter("t"), selector_filter("wilcoxon")),
    list(score = aggregate_score(), rank = aggregate_rank("mean")),
    n_features = c(3, 6), n_repeats = 3, resampling = resample_bootstrap(8), seed = seed, ...
  )
}

small_evaluation <- evaluate_small()

# The protocol of section 3.3 once more, with public functions and MASS::lda() only.
naive_split <- function(halves, split, seeds, size, rule) {
  rows <- split(halves)[2 * split - 1:0]
  parts <- lapply(1:2, function(half) {
    train <- rows[[half]]
    test <- rows[[3 - half]]
    # Seven samples of the smaller class make three or four in a half.
    suppressWarnings(
      fit <- select_ensemble(
        mcl_x[train, ], mcl_y[train], selector_filter("t"),
        draw_resamples(resample_bootstrap(8), mcl_y[train], seed = seeds[2 * split - 2 + half]),
        n_features = size, aggregation = rule, seed = 1
      ),
      classes = "stabilect_warning_small_class"
    )
    model <- suppressWarnings(MASS::lda(mcl_x[train, fit$features], mcl_y[train]))
    wrong <- stats::predict(model, mcl_x[test, fit$features])$class != mcl_y[test]
    list(error = mean(wrong), features = fit$features)
  })
  z <- vapply(parts, function(part) colnames(mcl_x) %in% part$features, logical(40))
  f <- rowMeans(z)
  k <- size / 40
  list(
    error = mean(c(parts[[1]]$error, parts[[2]]$error)),
    nogueira = 1 - mean(2 * f * (1 - f)) / (k * (1 - k))
  )
}

test_that("the protocol is that of the paper, step by step", {
  skip_if_not_installed("MASS")
  result <- small_evaluation
  halves <- draw_resamples(resample_pairs(3), mcl_y, seed = 1)
  seeds <- child_seeds(1, 6)
  for (rule in list(score = aggregate_score(), rank = aggregate_rank("mean"))) {
    label <- c("mean score" = "score", "mean rank" = "rank")[[rule$label]]
    splits <- lapply(1:3, naive_split, halves = halves, seeds = seeds, size = 6, rule = rule)
    pick <- function(table) {
      table$selector == "t" & table$aggregation == label & table$n_features == 6
    }
    errors <- vapply(splits, function(one) one$error, 0)
    expect_equal(result$errors$error[pick(result$errors)], errors)
    values <- vapply(splits, function(one) one$nogueira, 0)
    stabilities <- result$stabilities[result$stabilities$index == "nogueira", ]
    expect_equal(stabilities$value[pick(stabilities)], values)
    row <- result$table[pick(result$table), ]
    expect_equal(row$error, mean(errors))
    expect_equal(row$error_se, stats::sd(errors) / sqrt(3))
    expect_equal(row$nogueira, mean(values))
    expect_equal(row$nogueira_se, stats::sd(values) / sqrt(3))
  }
})

test_that("the table has all combinations, single first, and cw_rel is Eq. 5", {
  result <- small_evaluation
  expect_identical(nrow(result$table), 2L * 3L * 2L)
  expect_identical(unique(result$table$aggregation), c("single", "score", "rank"))
  expect_identical(as.data.frame(result), result$table)
  # Two sets of k features: CW = (shared / k), smallest 0 (k <= p / 2), largest 1.
  one <- result$stabilities[result$stabilities$index == "cw_rel", ]
  expect_equal(one$value * one$n_features, round(one$value * one$n_features))
  shared <- one$value
  k <- one$n_features
  both <- result$stabilities$value[result$stabilities$index == "nogueira"]
  expect_equal(both, (shared - k / 40) / (1 - k / 40))
})

test_that("nothing of a half reaches the other", {
  seen <- list()
  spy <- learner_custom(
    function(x, y) {
      seen[[length(seen) + 1]] <<- rownames(x)
      levels(y)[1]
    },
    function(model, newdata) {
      expect_false(any(rownames(newdata) %in% seen[[length(seen)]]))
      rep(model, nrow(newdata))
    }
  )
  x <- mcl_x
  rownames(x) <- paste0("s", 1:22)
  result <- evaluate_selectors(
    x, mcl_y, selector_filter("t"), list(), n_features = 3, learner = spy, n_repeats = 3, seed = 1
  )
  expect_identical(unique(lengths(seen)), 11L)
  expect_length(seen, 6)
  expect_identical(result$table$aggregation, "single")
})

test_that("a useless feature set has the error of guessing, a leak none", {
  withr::local_seed(2)
  x <- matrix(stats::rnorm(60 * 30), 60)
  y <- rep(c("a", "b"), 30)
  noise <- evaluate_selectors(x, y, selector_filter("t"), n_features = 3, n_repeats = 20, seed = 1)
  expect_lt(abs(noise$table$error[1] - 0.5), 0.1)
  x[, 7] <- ifelse(y == "a", 5, -5) + x[, 7]
  leak <- evaluate_selectors(x, y, selector_filter("t"), n_features = 1, n_repeats = 5, seed = 1)
  expect_identical(leak$table$error, c(0, 0))
  expect_identical(leak$table$cw_rel, c(1, 1))
})

test_that("threads and more aggregations change nothing; seeds do", {
  result <- small_evaluation
  expect_identical(evaluate_small(n_threads = 2)$table, result$table)
  expect_false(identical(evaluate_small(seed = 2)$table, result$table))
  fewer <- evaluate_selectors(
    mcl_x, mcl_y, list(selector_filter("t")), list(rank = aggregate_rank("mean")),
    n_features = 6, n_repeats = 3, resampling = resample_bootstrap(8), seed = 1
  )
  same <- result$table$selector == "t" & result$table$aggregation != "score" &
    result$table$n_features == 6
  expect_equal(fewer$table, result$table[same, ], ignore_attr = "row.names")
  withr::local_seed(3)
  before <- .Random.seed
  evaluate_selectors(mcl_x, mcl_y, selector_filter("t"), list(), 3, n_repeats = 2, seed = 1)
  expect_identical(.Random.seed, before)
})

test_that("paired comparisons are differences within splits", {
  result <- small_evaluation
  compared <- summary(result)$comparison
  value <- function(aggregation) {
    errors <- result$errors
    errors$error[
      errors$selector == "t" & errors$aggregation == aggregation & errors$n_features == 3
    ]
  }
  difference <- value("rank") - value("single")
  row <- compared[
    compared$selector == "t" & compared$aggregation == "rank" & compared$n_features == 3 &
      compared$measure == "error",
  ]
  expect_equal(row$difference, mean(difference))
  expect_equal(row$se, stats::sd(difference) / sqrt(3))
  expect_identical(row$n, 3L)
  expect_identical(nrow(compared), 2L * 2L * 2L * 3L)
  against <- summary(result, reference = "rank")
  expect_setequal(against$comparison$aggregation, c("single", "score"))
  expect_output(print(against), "differences to \"rank\"")
  expect_match(message_of(summary(result, reference = "mean")), "`reference` must be one of")
})

test_that("selections that fail are left out and told", {
  fragile <- selector_custom(function(x, y) {
    if (any(x[, 1] == mcl_x[1, 1])) stop("not with this sample")
    abs(stats::cor(x, as.numeric(y)))[, 1]
  })
  result <- evaluate_selectors(
    mcl_x, mcl_y, list(a = selector_filter("t"), b = fragile), list(), n_features = 3,
    n_repeats = 3,
    seed = 1
  )
  expect_identical(nrow(result$failures), 3L)
  expect_true(all(is.na(result$errors$error[result$errors$selector == "b"])))
  expect_false(anyNA(result$errors$error[result$errors$selector == "a"]))
  expect_output(print(result), "3 selections failed")
})

test_that("a selection whose resamples all fail has failed, although all samples would do", {
  # Samples are repeated in a bootstrap only.
  fragile <- selector_custom(function(x, y) {
    if (anyDuplicated(x) > 0L) stop("repeated samples")
    abs(colMeans(x))
  })
  result <- evaluate_selectors(
    mcl_x, mcl_y, fragile, n_features = 3, n_repeats = 2, resampling = resample_bootstrap(4),
    seed = 1
  )
  expect_identical(nrow(result$failures), 4L)
  expect_match(result$failures$message, "repeated samples")
  expect_true(all(is.na(result$table$error)))
})

test_that("generated data: error and stability of independent training sets", {
  model <- function(n) {
    simulate_data("NC100", n = n, n_total = 120, bayes_error = 0.1, seed = 1)
  }
  # All features, many samples: discriminant analysis comes near the Bayes error.
  large <- evaluate_selectors(
    model(1500), selectors = selector_filter("t"), aggregation = list(), n_features = 120,
    n_repeats = 3, n_test = 5000, seed = 1
  )
  expect_lt(abs(large$table$error - 0.1), 0.03)
  expect_identical(nrow(large$stabilities), 0L)
  expect_no_match(format(large), "ensembles:")
  evaluate <- function(...) {
    evaluate_selectors(
      model(40), selectors = selector_filter("t"), n_features = 10, n_repeats = 6, n_test = 500,
      resampling = resample_bootstrap(5), index = "nogueira", seed = 2, ...
    )
  }
  small <- evaluate()
  expect_output(print(small), "6 generated training sets of 40 samples \\(Bayes error 0.1\\)")
  expect_output(print(small), "in brackets: SE over training sets of the same model")
  expect_identical(
    names(small$table)[5:9], c("n_selected", "error", "error_se", "nogueira", "nogueira_se")
  )
  expect_true(all(small$table$error > 0.1 & small$table$error < 0.5))
  expect_identical(small$table, evaluate(n_threads = 2)$table)
  expect_error(evaluate(until = until_stable()), "no resamples", class = "stabilect_error_input")
  expect_error(
    evaluate_selectors(model(8), mcl_y, selector_filter("t")), "leave `y` out",
    class = "stabilect_error_input"
  )
  # By hand: the sets of the single selections.
  seeds <- child_seeds(2, 13)
  sets <- lapply(1:6, function(unit) {
    train <- simulate_again(model(40), 40, seeds[2 * unit - 1])
    t <- apply(train$x, 2, function(f) abs(stats::t.test(f ~ train$y, var.equal = TRUE)$statistic))
    order(-t)[1:10]
  })
  f <- tabulate(unlist(sets), 120) / 6
  expect_equal(
    small$table$nogueira[1], 1 - mean(6 / 5 * f * (1 - f)) / (10 / 120 * (1 - 10 / 120))
  )
})

test_that("several learners judge the same selections", {
  pair <- list(lda = learner_lda(), svm = learner_svm())
  both <- evaluate_small(learner = pair)
  expect_identical(nrow(both$table), 24L)
  for (name in names(pair)) {
    alone <- evaluate_small(learner = pair[name])
    rows <- both$table$learner == name
    expect_equal(both$table[rows, ], alone$table, ignore_attr = "row.names")
  }
  expect_identical(both$stabilities, small_evaluation$stabilities)
  compared <- summary(both)$comparison
  expect_identical(sum(compared$measure == "error"), 16L)
  expect_identical(nrow(compared), 32L)
  expect_match(
    message_of(evaluate_small(learner = unname(pair)[c(1, 1)])), "Two learners are called"
  )
})

test_that("splits stop early, in whole pairs, when the rule holds for every selection", {
  evaluate <- function(...) {
    evaluate_selectors(
      mcl_x, mcl_y, selector_filter("t"), list(), n_features = c(3, 6), n_repeats = 60,
      seed = 1, ...
    )
  }
  stopped <- evaluate(until = until_stable(width = 0.9))
  expect_true(stopped$made$until$reached)
  expect_identical(stopped$made$n_runs, 25L)
  expect_output(print(stopped), "25 splits of 22 samples")
  whole <- evaluate()
  first <- whole$errors$unit <= 25
  expect_identical(stopped$errors$error, whole$errors$error[first])
  expect_identical(evaluate(until = until_stable(width = 0.001))$table, whole$table)
})

test_that("print, summary and plot", {
  result <- small_evaluation
  expect_output(print(result), "3 splits of 22 samples into halves")
  expect_match(printed_words(result), "models from half of the samples (11 of 22)", fixed = TRUE)
  expect_output(print(result), "in brackets: SE over splits of these 22 samples")
  expect_output(print(summary(result)), "Paired differences")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(result, "nogueira"), "ggplot")
  # As the print.
  expect_identical(ggplot2::autoplot(result)$labels$x, "Stability (nogueira)")
  expect_identical(ggplot2::autoplot(result, "cw_rel")$labels$x, "Stability (cw_rel)")
  expect_match(message_of(ggplot2::autoplot(result, "dice")), "`index` must be one of")
})

test_that("errors name the argument", {
  evaluate <- function(...) evaluate_selectors(mcl_x, mcl_y, ..., n_repeats = 2, seed = 1)
  t <- selector_filter("t")
  expect_match(message_of(evaluate("t")), "`selector` must be")
  expect_match(message_of(evaluate(t, 1)), "`aggregation` must be made by")
  expect_match(
    message_of(evaluate(t, list(aggregate_rank("mean"), aggregate_rank("mean")))),
    "called \"mean rank\""
  )
  expect_match(message_of(evaluate(t, n_features = c(3, 3))), "distinct whole numbers")
  expect_match(message_of(evaluate(t, n_features = 99)), "`n_features` must be")
  expect_match(message_of(evaluate(t, learner = 1)), "`learner` must be made by")
  expect_match(message_of(evaluate(t, index = "no such")), "`index` must hold names")
  expect_match(message_of(evaluate(t, resampling = 3)), "`resampling` must be a plan")
  expect_match(
    message_of(evaluate_selectors(
      mcl_x, seq_len(22), selector_filter("pearson"), learner = learner_lda()
    )),
    "predicts two classes or several classes, but `y` holds numbers"
  )
})

test_that("any metric makes the error, by hand for one half, and without features", {
  d <- survival_design(n = 60, p = 10)
  y <- surv_of(d)
  judge <- function(y, filter, metric, ...) {
    evaluate_selectors(
      d$x, y, selector_filter(filter), list(), n_features = 3, n_repeats = 2, metric = metric,
      seed = 1, ...
    )
  }
  draws <- draw_resamples(resample_pairs(2, stratify = TRUE), y, seed = 1)
  sides <- lapply(1:2, function(k) which(draws$counts[, k] > 0))
  for (metric in c("concordance_uno", "integrated_brier")) {
    result <- judge(y, "cox", metric)
    by_hand <- vapply(1:2, function(k) {
      train <- sides[[k]]
      test <- sides[[3 - k]]
      scores <- score_features(d$x[train, ], label_rows(y, train), selector_filter("cox"))
      best <- scores$feature[scores$rank <= 3]
      model <- fit_model(d$x[train, ], label_rows(y, train), sort(match(best, colnames(d$x))))
      curves <- predict(model, d$x[test, ], type = "survival")
      measure_predictions(
        label_rows(y, test), predict(model, d$x[test, ]), curves, metric = metric
      )[[1]]
    }, 0)
    if (metric == "concordance_uno") by_hand <- 1 - by_hand
    expect_equal(result$errors$error[1], mean(by_hand))
  }
  expect_output(print(judge(y, "cox", "concordance_uno")), "error: 1 - concordance_uno")
  expect_output(print(result), "error: integrated_brier")
  classes <- factor(ifelse(d$x[, 1] + d$x[, 3] / 2 > 0.5, "b", "a"))
  result <- judge(classes, "t", "auc")
  expect_lt(result$table$error, 0.2)
  expect_match(message_of(judge(classes, "t", "rmse")), "`metric` must be")
  expect_match(
    message_of(judge(classes, "t", "log_loss", learner = learner_svm())), "needs probabilities"
  )
  # A procedure that selects nothing predicts by the training samples alone.
  error_alone <- function(metric, y, newy) {
    x <- function(y) matrix(0, n_labels(y), 1)
    error_of_set(integer(), samples_at(x(y), y), samples_at(x(newy), newy), NULL, metric)
  }
  none <- predict_alone(outcome_of_labels(y), y, 4)
  expect_identical(error_alone("concordance", y, label_rows(y, 1:4)), 0.5)
  marginal <- cumprod(vapply(attr(none$survival, "times"), function(t) {
    1 - sum(d$time == t & d$event) / sum(d$time >= t)
  }, 0))
  expect_equal(none$survival[3, ], marginal)
  three <- factor(c("a", "b", "b", "c"))
  expect_equal(error_alone("auc", three, three), 0.5)
  shares <- c(1, 2, 1) / 4
  expect_equal(error_alone("log_loss", three, three), -sum(shares * log(shares)))
  expect_equal(error_alone("rmse", c(1, 3), c(2, 4)), sqrt(2))
})
