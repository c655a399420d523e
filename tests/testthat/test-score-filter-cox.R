# The Cox score filter against coxph(), and ensembles of survival times.

test_that("the score is that of coxph(), with ties, and counts as weights", {
  skip_if_not_installed("survival")
  for (digits in c(0, 1, 6)) {
    d <- survival_design(n = 47, p = 7, seed = 3 + digits, digits = digits)
    d$x[, 3] <- round(d$x[, 3]) # ties
    d$x[, 4] <- 5 # constant
    d$x[, 5] <- 1e6 + d$x[, 5]
    d$x[, 7] <- d$x[, 1]
    weights <- withr::with_seed(2, matrix(stats::rpois(47 * 11, 1), 47))
    score <- score_runs(selector_filter("cox"), d$x, surv_of(d), weights)
    for (b in seq_len(ncol(weights))) {
      rows <- which(weights[, b] > 0)
      w <- weights[rows, b]
      expected <- apply(d$x[rows, ], 2, function(v) {
        if (all(v == v[1])) {
          return(0)
        }
        fit <- survival::coxph(survival::Surv(d$time[rows], d$event[rows]) ~ v, weights = w,
          iter.max = 0)
        sqrt(fit$score)
      })
      expect_equal(score[-5, b], expected[-5], tolerance = 1e-9)
      expect_equal(score[5, b], expected[5], tolerance = 1e-6)
    }
    expect_identical(unname(score[1, ]), unname(score[7, ]))
  }
})

test_that("ties of Breslow, which other packages have, rank features as those of Efron do", {
  skip_if_not_installed("survival")
  d <- survival_design(n = 100, p = 200, seed = 4, digits = 6)
  # About ten samples at each time.
  d$time <- ceiling(10 * rank(d$time) / 100)
  score <- score_features(d$x, surv_of(d), selector_filter("cox"))$score
  by <- function(ties) {
    apply(d$x, 2, function(v) {
      y <- survival::Surv(d$time, d$event)
      sqrt(survival::coxph(y ~ v, ties = ties, iter.max = 0)$score)
    })
  }
  expect_equal(unname(score), unname(by("efron")), tolerance = 1e-9)
  # The help page of lasso_path() gives these numbers.
  expect_identical(c(sum(d$event), length(unique(d$time))), c(65L, 10L))
  expect_gt(stats::cor(score, by("breslow"), method = "spearman"), 0.99)
})

test_that("without ties the square of a feature of two values is the log-rank statistic", {
  skip_if_not_installed("survival")
  d <- survival_design(digits = 8)
  group <- as.numeric(d$x[, 1] > 0)
  score <- score_features(cbind(group, d$x), surv_of(d), selector_filter("cox"))$score
  test <- survival::survdiff(survival::Surv(d$time, d$event) ~ group)
  expect_equal(score[1]^2, test$chisq, tolerance = 1e-10)
})

test_that("a feature is shifted, scaled or hardly varies in a run without loss", {
  d <- survival_design(n = 30, p = 3)
  y <- surv_of(d)
  plain <- score_runs(selector_filter("cox"), d$x, y, matrix(1L, 30, 1))
  for (change in list(function(v) 1e9 + v, function(v) v * 1e-200, function(v) v * 1e200)) {
    changed <- score_runs(selector_filter("cox"), change(d$x), y, matrix(1L, 30, 1))
    expect_equal(changed, plain, tolerance = 1e-6)
  }
  # An outlier that is out of the bag.
  far <- d$x
  far[30, ] <- 1e8
  weights <- matrix(rep(c(1L, 0L), c(29, 1)), 30, 1)
  expect_equal(
    score_runs(selector_filter("cox"), far, y, weights),
    score_runs(selector_filter("cox"), d$x, y, weights), tolerance = 1e-6
  )
  # Constant in the bag, though not in the data.
  far[1:29, 1] <- 0.1
  expect_identical(score_runs(selector_filter("cox"), far, y, weights)[[1]], 0)
})

test_that("runs without two events fail with the reason", {
  d <- survival_design()
  weights <- cbind(1L, as.integer(d$event == 0), as.integer(seq_len(60) == which(d$event == 1)[1]))
  weights[which(d$event == 0)[1:5], 3] <- 1L
  runs <- runs_of_selector(selector_filter("cox"), d$x, surv_of(d), weights)
  expect_identical(runs$status, c("ok", "fewer than 2 events", "fewer than 2 events"))
  expect_true(all(runs$score[, 2:3] == 0))
})

test_that("scores are the same for any threads, and x by slabs", {
  d <- survival_design(p = 150)
  weights <- withr::with_seed(1, matrix(stats::rpois(60 * 19, 1), 60))
  one <- score_runs(selector_filter("cox"), d$x, surv_of(d), weights, n_threads = 1L)
  two <- score_runs(selector_filter("cox"), d$x, surv_of(d), weights, n_threads = 2L)
  expect_identical(two, one)
  sparse <- Matrix::Matrix(d$x, sparse = TRUE)
  expect_identical(
    score_features(sparse, surv_of(d), selector_filter("cox")),
    score_features(d$x, surv_of(d), selector_filter("cox"))
  )
})

test_that("an ensemble of survival times finds what matters, by filter and by any function", {
  d <- survival_design(p = 40)
  y <- surv_of(d)
  fit <- select_ensemble(d$x, y, selector_filter("cox"), n_features = 2, seed = 1)
  expect_setequal(fit$features, c("g1", "g2"))
  expect_identical(fit$table$direction[match(c("g1", "g2"), fit$table$feature)], c("+", "-"))
  expect_output(print(fit), "60 samples x 40 features; outcome: [0-9]+ events, median follow-up")
  own <- selector_custom(function(x, y) {
    y <- unclass(y)
    apply(x, 2, function(v) abs(sum(v * martingale_residuals(y[, 1], y[, 2]))))
  })
  by_own <- select_ensemble(d$x, y, own, resample_bootstrap(20), n_features = 2, seed = 1)
  expect_true("g1" %in% by_own$features)
  # Drawn in the proportion of the events.
  events <- colSums(fit$resamples$counts[d$event == 1L, ])
  expect_identical(range(events), rep(range(events)[1], 2))
  null <- select_ensemble(
    d$x, y, selector_filter("cox"), n_features = 2, resampling = resample_bootstrap(5), permute = 3,
    seed = 1
  )$null
  expect_s3_class(null, "stabilect_null")
})

test_that("a forest scores and predicts survival times and numbers", {
  skip_if_not_installed("ranger")
  d <- survival_design(n = 80, p = 15)
  y <- surv_of(d)
  scores <- score_features(d$x, y, selector_learner(learner_forest(200)), seed = 1)
  expect_true(all(scores$rank[1:2] <= 3))
  forest <- learner_forest(n_trees = 200)
  model <- withr::with_seed(1, forest$fit(d$x[1:50, ], label_rows(y, 1:50)))
  risk <- forest$predict(model, d$x[51:80, ])
  expect_gt(measure_predictions(label_rows(y, 51:80), risk, metric = "concordance"), 0.6)
  number <- d$x[, 1] + d$x[, 2]
  model <- withr::with_seed(1, forest$fit(d$x[1:50, ], number[1:50]))
  expect_gt(stats::cor(forest$predict(model, d$x[51:80, ]), number[51:80]), 0.5)
})

test_that("few events are warned of", {
  d <- survival_design()
  few <- new_surv(d$time, replace(integer(60), c(3, 9, 20), 1L))
  expect_warning(
    fit <- select_ensemble(d$x, few, selector_filter("cox"), n_features = 2, seed = 1),
    "only 3 events", class = "stabilect_warning_small_class"
  )
  says_little <- "only 3 events: errors and frequencies that rest on fewer than five say little"
  print_of <- function(fit) gsub("\\s+", " ", paste(format(fit), collapse = " "))
  expect_match(print_of(fit), says_little)
  classes <- factor(rep(c("a", "b"), c(56, 4)))
  named <- suppressWarnings(find_signals(d$x, classes, permute = 19, seed = 1))
  expect_match(print_of(named), "class \"b\" has only 4 samples: errors and frequencies")
})

test_that("selectors and outcomes that do not meet are refused", {
  d <- survival_design()
  expect_error(
    select_ensemble(d$x, surv_of(d), selector_filter("t")),
    "survival times.*two classes", class = "stabilect_error_input"
  )
  expect_error(
    select_ensemble(d$x, d$event, selector_filter("cox")),
    "survival::Surv", class = "stabilect_error_input"
  )
})
