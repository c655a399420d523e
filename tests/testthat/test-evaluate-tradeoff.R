trade_data <- function(n = 40, p = 40) {
  withr::with_seed(1, {
    y <- factor(rep(c("a", "b"), length.out = n))
    x <- matrix(rnorm(n * p), n, p, dimnames = list(NULL, paste0("f", seq_len(p))))
    x[, 1:5] <- x[, 1:5] + 1.2 * (y == "b")
    list(x = x, y = y)
  })
}

test_that("every setting is what hybrid_rfe() and stability() say of it", {
  d <- trade_data()
  draws <- draw_resamples(resample_bootstrap(12), d$y, seed = 3)
  tuned <- tune_tradeoff(d$x, d$y, list(n_stable = c(0, 4), lambda_final = c(1, 20)),
    index = c("nogueira", "jaccard", "phi_iw"), n_features = 8, alpha = 1, resampling = draws,
    seed = 1
  )
  table <- as.data.frame(tuned)
  expect_identical(table$n_stable, c(0, 4, 0, 4))
  expect_identical(table$lambda_final, c(1, 1, 20, 20))
  for (i in 1:4) {
    fit <- hybrid_rfe(d$x, d$y, 8, table$n_stable[i],
      lambda_final = table$lambda_final[i], alpha = 1, resampling = draws, seed = 1
    )
    expect_identical(tuned$scores[, i], fit$accuracy)
    expect_equal(table$accuracy[i], mean(fit$accuracy))
    said <- stability(fit$selection, tuned$index)$table
    expect_equal(unlist(table[i, tuned$index], use.names = FALSE), said$estimate)
    expect_equal(unlist(table[i, paste0(tuned$index, "_se")], use.names = FALSE), said$se)
  }
})

test_that("the result depends on the seed only", {
  d <- trade_data()
  run <- function(threads) {
    tune_tradeoff(d$x, d$y, list(lambda = function(n) 10^runif(n, -1, 2), n_stable = 0:3),
      n_random = 5, n_features = 6, resampling = resample_bootstrap(6), seed = 9,
      n_threads = threads
    )
  }
  expect_identical(run(1), run(2))
  expect_length(unique(run(1)$table$lambda), 5)
  expect_true(all(run(1)$table$n_stable %in% 0:3))
})

test_that("any selector with any learner can be searched", {
  d <- trade_data()
  draws <- draw_resamples(resample_bootstrap(8), d$y, seed = 3)
  tuned <- tune_tradeoff(d$x, d$y, list(k = c(2, 6)),
    method = function(k, cost) {
      list(selector = selector_filter("welch"), learner = learner_svm(cost), n_features = k)
    }, index = "nogueira", cost = 0.1, resampling = draws, seed = 1
  )
  for (i in 1:2) {
    k <- c(2, 6)[i]
    ensemble <- select_ensemble(d$x, d$y, selector_filter("welch"), draws, n_features = k, seed = 1)
    expect_identical(
      as.matrix(tuned$selections[[i]]$selected), as.matrix(ensemble$selection$selected)
    )
    learner <- learner_svm(0.1)
    right <- vapply(1:8, function(b) {
      set <- which(ensemble$selection$selected[, b])
      rows <- rep(seq_along(d$y), draws$counts[, b])
      out <- draws$counts[, b] == 0
      mean(learner$predict(learner$fit(d$x[rows, set], d$y[rows]), d$x[out, set]) == d$y[out])
    }, 0)
    expect_equal(tuned$scores[, i], right)
    # Importance is that of the models of the runs (Eq. 7).
    set <- which(ensemble$selection$selected[, 1])
    rows <- rep(seq_along(d$y), draws$counts[, 1])
    weight <- sqrt(learner$importance(learner$fit(d$x[rows, set], d$y[rows])))
    expect_equal(unname(tuned$selections[[i]]$importance[set, 1]), k * weight / sum(weight),
      ignore_attr = TRUE
    )
  }
  plain <- learner_custom(learner_lda()$fit, learner_lda()$predict)
  without <- tune_tradeoff(d$x, d$y, list(k = 3),
    method = function(k) {
      list(selector = selector_filter("welch"), learner = plain, n_features = k)
    },
    resampling = draws, seed = 1
  )
  expect_match(without$notes[1], "size of the scores")
  expect_error(
    tune_tradeoff(d$x, d$y, list(k = 3), function(k) selector_filter("welch"), resampling = draws),
    "selector", class = "stabilect_error_runs"
  )
})

test_that("sets of several classes, and runs that failed or leave nothing out", {
  d <- trade_data()
  y <- factor(rep(letters[1:4], 10))
  counts <- cbind(c(rep(1L, 39), 0L), rep(1L, 40), as.integer(y == "a"), rep(2:0, length.out = 40))
  tuned <- tune_tradeoff(d$x, y, list(k = 3),
    method = function(k) {
      list(selector = selector_filter("anova"), learner = learner_lda(), n_features = k)
    }, resampling = resample_custom(counts = counts), seed = 1
  )
  expect_identical(is.na(tuned$scores[, 1]), c(FALSE, TRUE, TRUE, FALSE))
  expect_identical(tuned$table$n_failed, 1)
  expect_identical(tuned$selections[[1]]$status[3], "one class")
})

test_that("settings that cannot run are kept with the reason", {
  d <- trade_data()
  tuned <- tune_tradeoff(d$x, d$y, data.frame(n_stable = c(2, 9), n_features = c(5, 5)),
    resampling = resample_bootstrap(5), seed = 1
  )
  expect_identical(tuned$table$status == "ok", c(TRUE, FALSE))
  expect_match(tuned$table$status[2], "n_stable")
  expect_true(is.na(tuned$table$accuracy[2]))
  expect_null(tuned$selections[[2]])
  expect_identical(pareto_front(tuned)$table$row, 1L)
  expect_output(print(tuned), "1 of them could not be run")
  expect_error(
    tune_tradeoff(d$x, d$y, list(n_features = 99), resampling = resample_bootstrap(5), seed = 1),
    class = "stabilect_error_runs"
  )
})

test_that("fronts and choices are those of the table", {
  d <- trade_data()
  tuned <- tune_tradeoff(d$x, d$y, list(n_stable = c(0, 3, 6), lambda_final = c(1, 30)),
    n_features = 6, resampling = resample_bootstrap(10), seed = 1
  )
  front <- pareto_front(tuned, index = "phi_pears")
  by_table <- pareto_front(tuned$table, c("accuracy", "phi_pears"))
  expect_identical(without_call(front), without_call(by_table))
  best <- which.max(0.3 * tuned$table$accuracy + 0.7 * tuned$table$phi_pears)
  expect_identical(selected(front, 0.3)$row, best)
  expect_identical(pareto_front(tuned)$asked$objectives, c("accuracy", "nogueira"))
  chosen <- summary(tuned)
  expect_identical(chosen$index, tuned$index)
  expect_identical(chosen$balanced[chosen$index == "phi_pears"], selected(front, 0.5)$row)
  volume_of <- function(x) pareto_front(x, reference = c(0, 0), n_boot = 100, seed = 1)$volume
  areas <- volume_of(tuned)
  expect_equal(areas$hypervolume[2], volume_of(front))
  expect_identical(areas, volume_of(tuned))
})

test_that("redrawn areas are those of the redrawn runs", {
  d <- trade_data()
  tuned <- tune_tradeoff(d$x, d$y, list(n_stable = c(0, 6)),
    n_features = 6, index = "nogueira", resampling = resample_bootstrap(8), seed = 1
  )
  # Without any run twice a redrawing is a choice of runs.
  times <- cbind(rep(1, 8), c(1, 1, 1, 1, 1, 0, 0, 0))
  accuracy <- redraw_means(tuned$scores, times)
  expect_equal(accuracy, cbind(colMeans(tuned$scores), colMeans(tuned$scores[1:5, ])))
  index <- redraw_index(tuned$selections, "jaccard", times, 1)
  expect_equal(index[1, 2], value_of_index(tuned$selections[[1]][1:5], "jaccard"))
  expect_equal(index[2, 1], value_of_index(tuned$selections[[2]], "jaccard"))
})

test_that("the standard error of an area is near that over independent searches", {
  skip_on_cran()
  d <- trade_data()
  run <- function(seed) {
    tuned <- tune_tradeoff(d$x, d$y, list(n_stable = c(0, 3, 6)),
      n_features = 6, index = "nogueira", resampling = resample_bootstrap(30), seed = seed
    )
    pareto_front(tuned, reference = c(0, 0), n_boot = 100, seed = 1)$volume
  }
  areas <- do.call(rbind, lapply(1:25, run))
  ratio <- mean(areas$se) / stats::sd(areas$hypervolume)
  expect_gt(ratio, 0.6)
  expect_lt(ratio, 1.6)
})

test_that("a search goes on from its checkpoint, and does not stop early", {
  d <- trade_data()
  file <- withr::local_tempfile(fileext = ".rds")
  run <- function(...) {
    tune_tradeoff(d$x, d$y, list(n_stable = c(0, 3, 6)), n_features = 6,
      resampling = resample_bootstrap(6), seed = 1, ...
    )
  }
  plain <- run()
  run(checkpoint = file)
  stored <- checkpoint_content(file)
  stored$parts <- stored$parts[-2]
  write_content(stored, file)
  expect_identical(run(checkpoint = file), plain)
  expect_error(
    tune_tradeoff(d$x, d$y, list(n_stable = c(0, 3, 5)), n_features = 6,
      resampling = resample_bootstrap(6), seed = 1, checkpoint = file
    ), class = "stabilect_error_checkpoint"
  )
})

test_that("bad input is refused", {
  d <- trade_data()
  bad <- function(...) {
    expect_error(tune_tradeoff(d$x, d$y, ..., seed = 1), class = "stabilect_error_input")
  }
  bad(list())
  bad(list(1:3))
  bad(list(gamma = 1))
  bad(list(lambda = 1), lambda = 2)
  bad(list(lambda = function(n) n))
  bad(list(lambda = 1), method = "rfe")
  bad(list(lambda = 1), index = "nog")
  bad(list(lambda = 1), 5, 7)
  bad(list(k = 1), method = function(j) NULL)
  expect_error(
    tune_tradeoff(d$x, rnorm(40), list(lambda = 1)), class = "stabilect_error_input"
  )
})

test_that("pictures hold a panel for each index and circles on the hull", {
  skip_if_not_installed("ggplot2")
  d <- trade_data()
  tuned <- tune_tradeoff(d$x, d$y, list(n_stable = c(0, 3, 6), lambda_final = c(1, 30)),
    n_features = 6, resampling = resample_bootstrap(10), seed = 1
  )
  picture <- ggplot2::autoplot(tuned)
  expect_setequal(
    as.character(picture$data$panel), paste("optimising", c("nogueira", "phi_pears", "phi_iw"))
  )
  circles <- ggplot2::layer_data(picture, 4)
  corners <- vapply(tuned$index, function(name) {
    sum(pareto_front(tuned, index = name)$table$hull)
  }, 0L)
  expect_identical(as.integer(table(circles$PANEL)), unname(3L * corners))
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  plot(tuned)
  grDevices::dev.off()
  expect_gt(file.size(file), 5000)
  expect_error(ggplot2::autoplot(tuned, index = "jaccard"), class = "stabilect_error_input")
})

filters_and_ridge <- function(filter, lambda = NULL) {
  function(k) {
    list(selector = selector_filter(filter), learner = learner_ridge(lambda), n_features = k)
  }
}

test_that("survival times: each run is a Cox model of the best features, judged out of bag", {
  d <- survival_design(n = 60, p = 12)
  y <- surv_of(d)
  draws <- draw_resamples(resample_subsample(10), y, seed = 3)
  search <- function(metric) {
    tune_tradeoff(d$x, y, list(k = c(2, 8)), filters_and_ridge("cox", 3), metric = metric,
      index = c("nogueira", "phi_iw"), resampling = draws, seed = 1
    )
  }
  tuned <- search(NULL)
  expect_identical(tuned$asked$metric, "concordance")
  for (b in c(1, 7)) {
    rows <- split(draws)[[b]]
    out <- split(draws, "out")[[b]]
    scores <- score_features(d$x[rows, ], label_rows(y, rows), selector_filter("cox"))
    best <- scores$feature[scores$rank <= 2]
    model <- fit_model(d$x[rows, ], label_rows(y, rows), features = best, lambda = 3)
    truth <- label_rows(y, out)
    expect_equal(
      tuned$scores[b, 1],
      measure_predictions(truth, predict(model, d$x[out, ]), metric = "concordance")[[1]]
    )
  }
  expect_equal(tuned$table$concordance, colMeans(tuned$scores))
  expect_equal(tuned$table$concordance_se, apply(tuned$scores, 2, stats::sd) / sqrt(10))
  expect_output(print(tuned), "nogueira .*gamma: weights of concordance")
  expect_identical(pareto_front(tuned)$asked$objectives, c("concordance", "nogueira"))
  # A loss is minimised.
  loss <- search("integrated_brier")
  front <- pareto_front(loss)
  expect_identical(front$asked$direction, c("min", "max"))
  expect_identical(selected(front, 1)$row, which.min(loss$table$integrated_brier))
  expect_error(
    pareto_front(loss, reference = 0), "`reference` must", class = "stabilect_error_input"
  )
  area <- pareto_front(loss, reference = c(0.3, 0), n_boot = 100, seed = 1)$volume
  gains <- data.frame(a = 0.3 - loss$table$integrated_brier, b = loss$table$nogueira)
  expect_equal(area$hypervolume[1], pareto_front(gains, reference = c(0, 0))$volume)
  expect_true(all(area$lower < area$hypervolume & area$hypervolume < area$upper))
  skip_if_not_installed("generics")
  expect_identical(generics::glance(loss)$score, min(loss$table$integrated_brier))
  skip_if_not_installed("ggplot2")
  expect_identical(ggplot2::autoplot(tuned)$labels$y, "Concordance out of bag")
  expect_identical(ggplot2::autoplot(loss)$labels$title, "What integrated brier costs in stability")
})

test_that("numbers are judged by R squared, classes by any measure", {
  d <- survival_design(n = 60, p = 12)
  number <- d$x[, 1] - d$x[, 2]
  tuned <- tune_tradeoff(d$x, number, list(k = c(1, 2, 6)), filters_and_ridge("pearson"),
    resampling = resample_bootstrap(8), seed = 1
  )
  expect_identical(tuned$asked$metric, "r_squared")
  expect_identical(which.max(tuned$table$r_squared), 2L)
  expect_gt(tuned$table$r_squared[2], 0.9)
  classes <- trade_data()
  by <- function(metric, ...) {
    tune_tradeoff(classes$x, classes$y, list(n_stable = c(0, 4)), metric = metric, n_features = 8,
      resampling = resample_bootstrap(5), seed = 1, ...
    )
  }
  # By the log odds of the models.
  draws <- by(NULL)$resamples
  fit <- hybrid_rfe(
    classes$x, classes$y, n_features = 8, n_stable = 0, resampling = draws, seed = 1
  )
  auc <- by("auc")
  loss <- by("log_loss")
  for (b in 1:2) {
    out <- split(draws, "out")[[b]]
    link <- fit$link[out, b]
    odds <- cbind(a = stats::plogis(-link), b = stats::plogis(link))
    expect_equal(
      c(auc = auc$scores[b, 1], log_loss = loss$scores[b, 1]),
      measure_predictions(
        classes$y[out], ifelse(link > 0, "b", "a"), odds, metric = c("auc", "log_loss")
      )
    )
  }
  expect_match(message_of(by("rmse")), "`metric` must be")
  expect_match(
    message_of(
      tune_tradeoff(classes$x, classes$y, list(k = 2), function(k) {
        list(selector = selector_filter("t"), learner = learner_svm(), n_features = k)
      }, metric = "log_loss", resampling = resample_bootstrap(3), seed = 1),
      class = "stabilect_error_runs"
    ),
    "needs probabilities, which the learner \"svm\" does not predict"
  )
  expect_match(
    message_of(tune_tradeoff(d$x, number, list(k = 2))),
    "hybrid-RFE.*two classes.*`eliminate_features.*take numbers"
  )
})

test_that("without a grid hybrid-RFE has one of its own, and functions need one", {
  d <- simulate_data("NC100", n = 20, n_total = 100, seed = 1)
  tuned <- tune_tradeoff(
    d$x, d$y, n_features = 8, resampling = resample_bootstrap(3), index = "nogueira", seed = 1
  )
  expect_identical(nrow(tuned$table), 15L)
  expect_setequal(tuned$table$n_stable, c(0, 2, 4, 6, 8))
  fixed <- tune_tradeoff(
    d$x, d$y, n_features = 4, lambda_final = 3, resampling = resample_bootstrap(3),
    index = "nogueira", seed = 1
  )
  expect_identical(nrow(fixed$table), 5L)
  expect_error(
    tune_tradeoff(d$x, d$y, method = function(k) NULL, seed = 1), "grid",
    class = "stabilect_error_input"
  )
})
