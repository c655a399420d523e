test_that("the best of all slabs are the best of all scores, ties and infinite statistics too", {
  d <- columns_data()
  columns <- as_columns(methods::as(d$x, "CsparseMatrix"))
  weights <- withr::with_seed(3, matrix(stats::rpois(16 * 6, 1), 16, 6))
  weights[1:6, ] <- weights[1:6, ] + 1L
  storage.mode(weights) <- "integer"
  response <- read_response(d$y, 16)
  for (filter in column_selectors()) {
    score <- score_runs(filter, d$x, d$y, weights)
    for (n_keep in c(1L, 3L, 70L, 5000L, 9001L)) {
      best <- best_by_slabs(columns, response, weights, filter, n_keep, 1L, 11:16)
      expected <- lapply(1:6, function(b) {
        sort(order_best(colnames(d$x), score[, b], seed = 10L + b)[seq_len(n_keep)])
      })
      expect_identical(best, expected, info = paste(filter$label, n_keep))
    }
  }
})

test_that("the selector works on what the filter of the same run kept", {
  d <- columns_data(p = 300)
  weights <- withr::with_seed(3, matrix(stats::rpois(16 * 4, 1), 16, 4))
  weights[1:6, ] <- weights[1:6, ] + 1L
  storage.mode(weights) <- "integer"
  inner <- list(
    selector_learner(learner_svm(), step = 0.2), selector_lasso_path(), selector_relief(),
    selector_custom(function(x, y) colMeans(x) + stats::rnorm(ncol(x)))
  )
  for (selector in inner) {
    runs <- runs_of_selector(
      selector_screened(selector, selector_filter("welch"), 40), d$x, d$y, weights
    )
    filter <- score_runs(selector_filter("welch"), d$x, d$y, weights)
    seeds <- child_seeds(1L, 4)
    for (b in 1:4) {
      kept <- sort(order_best(colnames(d$x), filter[, b], seed = seeds[b])[1:40])
      control <- selector_control(seeds[b])
      y <- read_response(d$y, 16)
      one <- selector$score(d$x[, kept], y, weights[, b, drop = FALSE], control)
      expected <- replace(numeric(300), kept, one$score[, 1] - min(one$score, 0))
      expect_identical(unname(runs$score[, b]), expected, info = selector$label)
      if (!is.null(one$selected)) {
        expect_setequal(which(runs$selected[, b]), kept[which(one$selected[, 1])])
      }
    }
  }
})

test_that("with all features kept it is the selector itself", {
  d <- columns_data(p = 200)
  for (selector in list(
    selector_lasso_path("entry"), selector_learner(learner_svm()), selector_mrmr(5)
  )) {
    fits <- lapply(list(selector, selector_screened(selector, n_keep = 1e4)), function(one) {
      select_ensemble(d$x, d$y, one, resample_bootstrap(9), n_features = 5, seed = 2)
    })
    expect_identical(as.matrix(fits[[2]]$selection$score), fits[[1]]$selection$score)
    expect_identical(fits[[2]]$selection$selected, fits[[1]]$selection$selected)
    expect_identical(fits[[2]]$ranking$table, fits[[1]]$ranking$table)
  }
})

test_that("dense, sparse and file-backed x, many runs and threads give the same bits", {
  d <- columns_data()
  forms <- list(d$x, methods::as(d$x, "CsparseMatrix"))
  if (requireNamespace("bigstatsr", quietly = TRUE)) forms <- c(forms, list(file_fbm(d$x)))
  screened <- selector_screened(selector_lasso_path(max_features = 5), n_keep = 30)
  fit <- function(x, n_runs = 12, n_threads = 1) {
    select_ensemble(
      x, d$y, screened, resample_bootstrap(n_runs), n_features = "own", seed = 5,
      n_threads = n_threads
    )
  }
  first <- plain_ensemble(fit(d$x))
  for (x in forms[-1]) expect_identical(plain_ensemble(fit(x, n_threads = 2)), first)
  # More runs than go together, the first of them as before.
  many <- fit(d$x[, 1:60], 300)$selection
  few <- fit(d$x[, 1:60], 20)$selection
  expect_identical(many$score[, 1:20], few$score)
  expect_s4_class(many$score, "dgCMatrix")
})

test_that("failed runs say why and select nothing", {
  d <- columns_data(p = 50)
  weights <- cbind(rep(1L, 16), c(4L, rep(0L, 15)), c(1L, 1L, rep(0L, 14)))
  runs <- runs_of_selector(
    selector_screened(selector_learner(learner_svm()), n_keep = 9), d$x, d$y, weights
  )
  expect_identical(runs$status, c("ok", "one class", "fewer than 3 samples"))
  expect_equal(unname(Matrix::colSums(runs$score != 0)), c(9, 0, 0))
  alone <- runs_of_selector(
    selector_screened(selector_learner(learner_svm())), d$x, d$y, weights[, 2, drop = FALSE]
  )
  expect_equal(sum(alone$score != 0), 0)
})

test_that("screening works inside evaluations and as the criterion of hybrid-RFE", {
  d <- columns_data(p = 120)
  screened <- selector_screened(selector_learner(learner_svm(), step = 0.2), n_keep = 20)
  done <- evaluate_selectors(d$x, d$y, list(screened), n_features = 3, n_repeats = 2, seed = 1)
  expect_false(anyNA(done$table$error))
  hybrid <- function(criterion) {
    fit <- hybrid_rfe(
      d$x[, 1:20], d$y, n_features = 3, criterion = criterion, resampling = resample_bootstrap(5),
      seed = 1
    )
    as.data.frame(fit)
  }
  expect_identical(hybrid(selector_screened(selector_filter("t"))), hybrid(selector_filter("t")))
})

test_that("arguments are checked", {
  expect_error(selector_screened(1), "selector", class = "stabilect_error_input")
  expect_error(selector_screened(selector_filter("t"), selector_learner(learner_svm())),
    "one feature at a time",
    class = "stabilect_error_input"
  )
  expect_error(
    selector_screened(selector_filter("t"), "t"), "filter", class = "stabilect_error_input"
  )
  expect_error(selector_screened(selector_learner(learner_svm()), n_keep = 0), "n_keep",
    class = "stabilect_error_input"
  )
  numbers <- selector_custom(function(x, y) colMeans(x), responses = "numeric")
  expect_no_error(selector_screened(numbers, selector_filter("t")))
  several <- selector_custom(function(x, y) colMeans(x), responses = "numeric")
  expect_identical(selector_screened(several, selector_filter("anova"))$responses, "binary")
  expect_snapshot(
    selector_screened(selector_learner(learner_svm(), step = 0.2), selector_filter("spearman"), 500)
  )
})
