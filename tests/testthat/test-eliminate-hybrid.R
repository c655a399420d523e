hybrid_data <- function(n = 40, p = 60, seed = 1) {
  withr::with_seed(seed, {
    y <- factor(rep(c("a", "b"), length.out = n))
    x <- matrix(rnorm(n * p), n, p, dimnames = list(NULL, paste0("f", seq_len(p))))
    first <- seq_len(min(6, p))
    x[, first] <- x[, first] + 1.2 * (y == "b")
    # Different spreads, so that the variance is a criterion.
    list(x = x * rep(exp(rnorm(p) / 2), each = n), y = y)
  })
}

# Algorithm 1 and Eqs. 15 and 16 as they stand, in the features and not in the samples: every fit
# by optim() on the weights, which must be few.
plain_hybrid <- function(x, y, rows, k, n_stable, lambda, lambda_final, epsilon, alpha, drop) {
  z <- x[rows, ]
  z <- sweep(z, 2, colMeans(z))
  z <- sweep(z, 2, sqrt(colMeans(z^2)), "/")
  sign <- ifelse(y[rows] == levels(y)[2], 1, -1)
  # Weights w = v / root penalty, which makes the problem well scaled.
  fit <- function(f, penalty, lambda) {
    zs <- z[, f, drop = FALSE] / rep(sqrt(penalty), each = nrow(z))
    value <- function(v) {
      sum(log1p(exp(-sign * (zs %*% v[-1] + v[1])))) + lambda / 2 * sum(v[-1]^2)
    }
    slope <- function(v) {
      u <- -sign / (1 + exp(sign * drop(zs %*% v[-1] + v[1])))
      c(sum(u), crossprod(zs, u) + lambda * v[-1])
    }
    best <- optim(numeric(length(f) + 1), value, slope,
      method = "BFGS", control = list(reltol = 1e-15, maxit = 2000)
    )$par
    list(w = best[-1] / sqrt(penalty), intercept = best[1])
  }
  t_ratio <- apply(x[rows, ], 2, function(v) abs(t.test(v ~ y[rows])$statistic))
  variance <- apply(x[rows, ], 2, var)
  r <- order(-(0.5 * t_ratio / sd(t_ratio) + 0.5 * variance / sd(variance)))
  stable <- r[seq_len(n_stable)]
  active <- seq_len(ncol(x))
  sc <- rep(1, ncol(x))
  n_first <- length(active)
  while (length(active) > k) {
    w <- fit(active, ifelse(active %in% stable, epsilon^2, 1), lambda)$w
    rest <- setdiff(active, stable)
    ranked <- c(stable, rest[order(-abs(w[match(rest, active)]))])
    before <- length(active)
    after <- max(k, before - max(1, floor(drop * before)))
    for (rank in seq_len(after)) {
      f <- ranked[rank]
      sc[f] <- sc[f] * (after - rank + 1) / (before - rank + 1)
    }
    active <- sort(ranked[seq_len(after)])
  }
  sc <- sc[active] * n_first / k
  last <- fit(active, 1 + alpha * (1 - sc), lambda_final)
  list(active = active, sc = sc, w = last$w, intercept = last$intercept, stable = stable)
}

test_that("the algorithm is the paper's, with in-bag counts as repeated rows", {
  d <- hybrid_data(p = 25)
  draws <- draw_resamples(resample_bootstrap(3), d$y, seed = 4)
  fit <- hybrid_rfe(d$x, d$y,
    n_features = 7, n_stable = 3, lambda = 2, lambda_final = 5, epsilon = 0.4, alpha = 3,
    step = 0.25, resampling = draws, seed = 1
  )
  for (b in 1:3) {
    rows <- rep(seq_along(d$y), draws$counts[, b])
    plain <- plain_hybrid(d$x, d$y, rows, 7, 3, 2, 5, 0.4, 3, 0.25)
    expect_identical(unname(which(fit$selection$selected[, b])), plain$active)
    expect_setequal(unname(which(fit$stable[, b])), plain$stable)
    expect_equal(unname(fit$frequency_score[plain$active, b]), plain$sc, tolerance = 1e-12)
    expect_equal(
      unname(fit$selection$importance[plain$active, b]), 7 * abs(plain$w) / sum(abs(plain$w)),
      tolerance = 1e-5
    )
    out <- which(draws$counts[, b] == 0)
    mean <- colMeans(d$x[rows, plain$active])
    spread <- sqrt(colMeans(sweep(d$x[rows, plain$active], 2, mean)^2))
    link <- drop(t((t(d$x[out, plain$active]) - mean) / spread) %*% plain$w) + plain$intercept
    expect_equal(unname(fit$link[out, b]), unname(link), tolerance = 1e-4)
    expect_equal(fit$accuracy[b], mean((link > 0) == (d$y[out] == "b")))
    expect_true(all(is.na(fit$link[-out, b])))
  }
})

test_that("without stable features it eliminates as selector_learner() does", {
  d <- hybrid_data(p = 150)
  draws <- draw_resamples(resample_bootstrap(6), d$y, seed = 2)
  for (step in list(0.2, "one")) {
    fit <- hybrid_rfe(d$x, d$y, 12, 0, lambda = 4, step = step, resampling = draws, seed = 1)
    rfe <- select_ensemble(d$x, d$y, selector_learner(learner_logistic(4), step = step), draws,
      n_features = 12, seed = 1
    )$selection
    expect_identical(as.matrix(fit$selection$selected), as.matrix(rfe$selected))
    gone <- as.matrix(rfe$score) <= 150 - 12
    expect_identical(fit$selection$score[gone], as.matrix(rfe$score)[gone])
  }
})

test_that("with stable features only it is a filter, whatever the penalties", {
  d <- hybrid_data()
  draws <- draw_resamples(resample_bootstrap(8), d$y, seed = 3)
  fits <- lapply(list(c(1, 0.1), c(50, 1)), function(s) {
    hybrid_rfe(d$x, d$y, 10, 10,
      lambda = s[1], epsilon = s[2], criterion = "welch", resampling = draws, seed = 1
    )
  })
  expect_identical(fits[[1]]$selection$selected, fits[[2]]$selection$selected)
  filter <- select_ensemble(d$x, d$y, selector_filter("welch"), draws, n_features = 10, seed = 1)
  expect_identical(
    as.matrix(fits[[1]]$selection$selected), as.matrix(filter$selection$selected)
  )
  # Eq. 15 for constant ranks: no matter how many steps.
  sc <- as.matrix(fits[[1]]$frequency_score)
  welch <- as.matrix(filter$selection$score)
  for (b in 1:8) {
    ranked <- order(-welch[, b])[1:10]
    expect_equal(unname(sc[ranked, b]), (60 / 10) * (10 - 1:10 + 1) / (60 - 1:10 + 1))
  }
})

test_that("frequency scores are within 0 and 1, and 1 without a step", {
  d <- hybrid_data()
  fit <- hybrid_rfe(d$x, d$y, 15, 4, resampling = resample_bootstrap(20), seed = 1)
  sc <- fit$frequency_score@x
  expect_length(sc, 20 * 15)
  expect_true(all(sc > 0 & sc <= 1))
  # The first stable feature is always first.
  expect_identical(unname(colSums(as.matrix(fit$frequency_score) == 1) >= 1), rep(TRUE, 20))
  all <- hybrid_rfe(d$x, d$y, 60, 0, alpha = 9, resampling = resample_bootstrap(3), seed = 1)
  expect_true(all(all$frequency_score@x == 1))
  expect_identical(dim(all$model), c(60L, 5L))
})

test_that("the final model on all samples is that of fit_model()", {
  d <- hybrid_data()
  fit <- hybrid_rfe(d$x, d$y, 8, 2, lambda_final = 7, resampling = resample_bootstrap(2), seed = 1)
  model <- fit_model(d$x, d$y, features = fit$features, lambda = 7)
  expect_equal(coef(fit)[names(coef(model))], coef(model), tolerance = 1e-7)
  expect_identical(predict(fit, d$x), predict(model, d$x, type = "class"))
  expect_equal(predict(fit, d$x, "probability"), stats::plogis(predict(fit, d$x, "link")))
  expect_error(predict(fit, d$x[, 1:3]), "lacks", class = "stabilect_error_input")
  expect_match(message_of(predict(fit, replace(d$x, seq_along(d$x), Inf))), "has Inf")
})

test_that("alpha takes weight from features with low scores, and changes no set", {
  d <- hybrid_data()
  fits <- lapply(c(0, 20), function(alpha) {
    hybrid_rfe(d$x, d$y, 10, 3, alpha = alpha, resampling = resample_bootstrap(20), seed = 1)
  })
  expect_identical(fits[[1]]$selection$selected, fits[[2]]$selection$selected)
  change <- fits[[2]]$selection$importance - fits[[1]]$selection$importance
  sc <- as.matrix(fits[[1]]$frequency_score)
  on <- as.matrix(fits[[1]]$selection$selected)
  expect_gt(stats::cor(as.matrix(change)[on], sc[on], method = "spearman"), 0.4)
})

test_that("small epsilon makes elimination look for what the stable features lack", {
  # f2 repeats f1 with noise, f3 is independent and weaker: with f1 for free, f3 adds more.
  x <- withr::with_seed(5, {
    y <- rep(0:1, each = 100)
    f1 <- rnorm(200) + 2 * y
    cbind(f1 = 3 * f1, f2 = f1 + 0.3 * rnorm(200), f3 = rnorm(200) + 0.9 * y, f4 = rnorm(200))
  })
  y <- rep(0:1, each = 100)
  keep <- function(epsilon) {
    hybrid_rfe(x, y, 2, 1,
      lambda = 300, epsilon = epsilon, criterion = "variance", step = "one",
      resampling = resample_bootstrap(2), seed = 1
    )$model$feature
  }
  expect_setequal(keep(1), c("f1", "f2"))
  expect_setequal(keep(0.01), c("f1", "f3"))
})

test_that("results depend on the seed only, not on threads or the number of runs", {
  d <- hybrid_data()
  run <- function(threads, runs = 12) {
    hybrid_rfe(d$x, d$y, 10, 3,
      alpha = 1, resampling = resample_bootstrap(runs), seed = 7, n_threads = threads
    )
  }
  expect_identical(run(1), run(3))
  expect_identical(run(1)$selection$score[, 1:5], run(1, 5)$selection$score)
})

test_that("it is a selector", {
  d <- hybrid_data()
  selector <- selector_hybrid_rfe(n_stable = 4, alpha = 1)
  draws <- draw_resamples(resample_bootstrap(10), d$y, seed = 2)
  fit <- hybrid_rfe(d$x, d$y, 12, 4, alpha = 1, resampling = draws, seed = 1)
  ensemble <- select_ensemble(d$x, d$y, selector, draws, n_features = 12, seed = 1)
  expect_identical(
    as.matrix(ensemble$selection$selected), as.matrix(fit$selection$selected)
  )
  expect_equal(as.matrix(ensemble$selection$importance), as.matrix(fit$selection$importance))
  own <- select_ensemble(d$x, d$y, selector_hybrid_rfe(9), draws, n_features = "own", seed = 1)
  expect_true(all(Matrix::colSums(own$selection$selected) == 9))
  expect_output(print(selector), "hybrid_rfe")
  expect_identical(
    score_features(d$x, d$y, selector_hybrid_rfe(60, 0))$score,
    score_features(d$x, d$y, selector_hybrid_rfe(60, 0))$score
  )
})

test_that("other selectors are criteria", {
  d <- hybrid_data()
  draws <- draw_resamples(resample_bootstrap(4), d$y, seed = 2)
  fit <- hybrid_rfe(d$x, d$y, 8, 8,
    criterion = selector_filter("wilcoxon"), resampling = draws, seed = 1
  )
  ranks <- select_ensemble(d$x, d$y, selector_filter("wilcoxon"), draws, n_features = 8, seed = 1)
  expect_identical(as.matrix(fit$selection$selected), as.matrix(ranks$selection$selected))
  t_only <- hybrid_rfe(d$x, d$y, 8, 8, variance_weight = 0, resampling = draws, seed = 1)
  welch <- hybrid_rfe(d$x, d$y, 8, 8, criterion = "welch", resampling = draws, seed = 1)
  expect_identical(t_only$selection$selected, welch$selection$selected)
})

test_that("edges: one feature, constant features, runs of one class", {
  d <- hybrid_data(n = 12, p = 5)
  x <- cbind(d$x, constant = 3)
  one <- hybrid_rfe(x[, 1, drop = FALSE], d$y, resampling = resample_bootstrap(3), seed = 1)
  expect_identical(one$features, "f1")
  fit <- hybrid_rfe(x, d$y, 6, 0, resampling = resample_bootstrap(3), seed = 1)
  expect_identical(unname(coef(fit)["constant"]), 0)
  counts <- cbind(as.integer(d$y == "a"), 1L)
  failed <- hybrid_rfe(x, d$y, 3, 1, resampling = resample_custom(counts = counts), seed = 1)
  expect_identical(failed$selection$status, c("one class", "ok"))
  # The second run leaves no sample out.
  expect_identical(failed$accuracy, c(NA_real_, NA_real_))
  expect_true(all(failed$selection$score[, 1] == 0))
})

test_that("bad input is refused", {
  d <- hybrid_data(n = 12, p = 5)
  bad <- function(...) expect_error(hybrid_rfe(d$x, d$y, ...), class = "stabilect_error_input")
  bad(n_features = 6)
  bad(n_features = 3, n_stable = 4)
  bad(epsilon = 0)
  bad(epsilon = 1.5)
  bad(alpha = -1)
  bad(lambda = 0)
  bad(step = 1)
  bad(step = "all")
  bad(step = NULL)
  bad(criterion = "f")
  bad(criterion = selector_filter("spearman")$name)
  expect_error(hybrid_rfe(d$x, rep(1:3, 4)), class = "stabilect_error_input")
  expect_error(hybrid_rfe(d$x, factor(rep(1:3, 4))), "two classes", class = "stabilect_error_input")
})

test_that("print, summary, table and pictures show the fit", {
  d <- hybrid_data()
  fit <- hybrid_rfe(d$x, d$y, 10, 3, resampling = resample_bootstrap(10), seed = 1)
  expect_output(print(fit), "10 of 60 features, 3 of them stable")
  expect_identical(sort(fit$table$feature[fit$table$selected]), sort(selected(fit)))
  expect_output(print(summary(fit)), "phi_iw")
  table <- as.data.frame(fit)
  expect_equal(sum(table$frequency), 10)
  expect_equal(sum(table$mean_importance), 10)
  expect_equal(sum(table$stable), 3)
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(fit)
  expect_equal(nrow(ggplot2::layer_data(picture)), nrow(table))
  expect_s3_class(ggplot2::autoplot(fit, "map"), "ggplot")
})

test_that("runs that did not converge are counted in one warning", {
  expect_silent(warn_runs_not_converged(0L, 8L))
  expect_warning(warn_runs_not_converged(3L, 8L), "In 3 of 8 runs",
    class = "stabilect_warning_convergence"
  )
})

test_that("runs are kept in a checkpoint, and end when they are stable enough", {
  d <- hybrid_data()
  fit <- function(n_runs, ..., criterion = "welch") {
    hybrid_rfe(
      d$x, d$y, 8, 4, criterion = criterion, resampling = resample_bootstrap(n_runs), seed = 1, ...
    )
  }
  file <- withr::local_tempfile(fileext = ".rds")
  expect_identical(fit(24, checkpoint = file), fit(24))
  stored <- checkpoint_content(file)
  stored$parts[[1]]$value$status[1] <- "made up"
  stored$parts <- stored$parts[-3]
  write_content(stored, file)
  resumed <- fit(24, checkpoint = file)
  expect_identical(resumed$selection$status, c("made up", rep("ok", 23)))
  expect_identical(resumed$link[, -1], fit(24)$link[, -1])
  expect_error(
    fit(24, criterion = "variance", checkpoint = file), class = "stabilect_error_checkpoint"
  )
  # A criterion that draws: the final model, too, is that of a plan of 50 runs.
  draws <- selector_custom(function(x, y) stats::runif(ncol(x)))
  stopped <- fit(80, criterion = draws, until = until_stable(width = 0.5))
  expect_identical(stopped$made$until$n_runs, 50L)
  whole <- fit(50, criterion = draws)
  expect_identical(stopped$selection$selected, whole$selection$selected)
  expect_identical(stopped$model, whole$model)
})

test_that("of weights that are equal but for rounding the order of classes decides nothing", {
  for (seed in c(22, 51)) {
    d <- withr::with_seed(seed, {
      x <- matrix(stats::rbinom(28 * 24, 1, 0.2), 28, dimnames = list(NULL, paste0("g", 1:24)))
      y <- factor(sample(rep(c("a", "b"), 14)))
      counts <- sapply(1:4, function(b) tabulate(sample(28, replace = TRUE), 28))
      list(x = x, y = y, counts = counts)
    })
    fit <- function(y) {
      suppressWarnings(hybrid_rfe(
        d$x, y, n_features = 3, n_stable = 1, criterion = "welch",
        resampling = resample_custom(counts = d$counts), seed = 1
      ))
    }
    turned <- fit(factor(d$y, c("b", "a")))
    expect_identical(fit(d$y)$selection$score, turned$selection$score)
  }
})

test_that("labels in another order are refused", {
  d <- hybrid_data(n = 12, p = 5)
  rownames(d$x) <- paste0("s", 1:12)
  y <- as.matrix(stats::setNames(d$y, rev(rownames(d$x))))
  expect_match(message_of(hybrid_rfe(d$x, y)), "the same samples in another order")
})
