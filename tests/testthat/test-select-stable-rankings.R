# Stability selection with a selector in place of the lasso.

space <- asNamespace("stabilect")
easy <- withr::with_seed(7, {
  x <- matrix(stats::rnorm(60 * 80), 60, dimnames = list(NULL, paste0("g", 1:80)))
  list(x = x, y = factor(drop(x[, 1:3] %*% c(2, 1.5, 1)) + stats::rnorm(60) > 0))
})
filter_runs <- function(...) {
  stability_selection(easy$x, easy$y, ..., selector = selector_filter("t"), seed = 1)
}

# |t| of every feature in every run, by R's own function.
t_in_runs <- function(fit) {
  vapply(split(fit$resamples), function(rows) {
    y <- easy$y[rows]
    apply(easy$x[rows, ], 2L, function(g) {
      abs(unname(stats::t.test(g ~ y, var.equal = TRUE)$statistic))
    })
  }, numeric(80))
}

test_that("frequencies count the q best features of every run, with the bound of the theorem", {
  fit <- filter_runs(q = 5, pfer = 1, n_pairs = 10)
  best <- apply(t_in_runs(fit), 2L, function(t) rank(-t) <= 5)
  expect_equal(fit$table$frequency, unname(rowMeans(best)[fit$table$feature]), tolerance = 1e-12)
  bound <- error_bound(80, q = 5, pfer = 1, n_pairs = 10)
  kept <- c("q", "cutoff", "pfer", "n_total", "n_pairs", "assumption")
  expect_equal(fit$bound[kept], bound[kept])
  expect_identical(fit$features[1], "g1")
  again <- stability_selection(fit, q = 3, cutoff = 0.9)
  best <- apply(t_in_runs(fit), 2L, function(t) rank(-t) <= 3)
  expect_equal(
    again$table$frequency, unname(rowMeans(best)[again$table$feature]), tolerance = 1e-12
  )
  expect_error(stability_selection(fit, q = 6, pfer = 1), "at most 5",
    class = "stabilect_error_input"
  )
})

test_that("pfer and fdr are the integrals over the sizes of lists", {
  fit <- filter_runs(pfer = 1, bound = "integrated", q = 6, n_pairs = 10)
  rank <- apply(-t_in_runs(fit), 2L, rank)
  width <- log(2:7 / 1:6)
  shares <- vapply(1:6, function(k) rowMeans(rank <= k), numeric(80))
  score <- drop(pmax(2 * shares - 1, 0)^2 %*% width) / log(7)
  integral <- sum(((1:6)^2 / (80 * 10) + 9 * (1:6)^4 / (10 * 80^3)) * width) / log(7)
  expect_equal(fit$bound$integral, integral, tolerance = 1e-12)
  pfer <- integral / pmax(score, integral / 80)
  expect_equal(fit$table$pfer, unname(pfer[match(fit$table$feature, colnames(easy$x))]),
    tolerance = 1e-10
  )
  expect_equal(fit$bound$size, 6)
  # Runs are compared at equal numbers of features, whatever their numbers of samples.
  expect_equal(fit$bound$lambda, c(1 / 7, 1))
  expect_identical(fit$table$selected, fit$table$pfer <= 1)
})

test_that("pfer and q values of rankings are those of the authors' program on a fine grid", {
  authors <- readRDS(test_path("fixtures", "ipss.rds"))
  score <- t(authors$scores)
  rownames(score) <- paste0("g", seq_len(authors$p))
  runs <- list(score = score, status = rep("ok", ncol(score)), makes_sets = FALSE)
  unit <- space$unit_of(list(feature_names = rownames(score)))
  paths <- space$rank_paths(runs, 4 * authors$largest, unit, seq_len(ncol(score)))
  changes <- space$path_changes(paths, rep(1, ncol(score)), seq_len(ncol(score)))
  lower <- space$lowest_penalty(changes, authors$largest)
  expect_equal(lower, 1 / (authors$largest + 1))
  parts <- space$integrate_changes(changes, lower, authors$p)
  pfer <- space$expected_false(parts, authors$p)
  expect_gt(sum(pfer < 1), 2)
  expect_equal(pfer, authors$ranked$efp, tolerance = 2e-3)
  expect_equal(space$false_share(pfer), authors$ranked$fdr, tolerance = 2e-3)
})

test_that("equal scores are ordered at random in each run, so that no feature is stable", {
  same <- selector_custom(function(x, y) rep(1, ncol(x)), "same")
  fit <- stability_selection(
    easy$x, easy$y, q = 5, pfer = 1, selector = same, n_pairs = 100, seed = 1
  )
  expect_length(fit$features, 0)
  expect_true(all(Matrix::colSums(fit$selection$selected) == 5))
  # Counts of 200 runs at 5 / 80: chi-squared with 79 degrees of freedom, if columns are equal.
  expected <- 200 * 5 / 80
  spread <- sum((200 * fit$table$frequency - expected)^2 / expected) / (1 - 5 / 80)
  expect_gt(stats::pchisq(spread, 79, lower.tail = FALSE), 0.001)
  two <- selector_custom(function(x, y) rep(2:1, c(2, ncol(x) - 2)), "two")
  fit <- stability_selection(
    easy$x, easy$y, q = 5, pfer = 1, selector = two, n_pairs = 10, seed = 1
  )
  expect_identical(sort(fit$features), c("g1", "g2"))
})

test_that("selectors that make sets select at most their set, and the print says so", {
  fit <- stability_selection(
    easy$x, easy$y, q = 10, cutoff = 0.7, selector = selector_mrmr(n_features = 4), n_pairs = 10,
    seed = 1
  )
  expect_true(all(Matrix::colSums(fit$selection$selected) == 4))
  expect_match(format(fit), "20 runs selected fewer, as mRMR gave no more",
    all = FALSE, fixed = TRUE
  )
  # A set that ends early is complete: nothing enters later.
  rate <- stability_selection(
    easy$x, easy$y, pfer = 1, bound = "integrated", q = 6,
    selector = selector_mrmr(n_features = 4), n_pairs = 10,
    seed = 1
  )
  expect_equal(rate$bound$size, 4)
})

test_that("results do not depend on threads, checkpoints or the order of the work", {
  forest <- function(...) {
    stability_selection(
      easy$x, easy$y, q = 5, pfer = 1, selector = selector_learner(learner_forest(n_trees = 20)),
      n_pairs = 5, seed = 3, ...
    )
  }
  skip_if_not_installed("ranger")
  one <- forest()
  expect_identical(one$table, forest(n_threads = 2)$table)
  folder <- withr::local_tempfile()
  expect_identical(one$table, forest(checkpoint = folder)$table)
  expect_identical(one$table, forest(checkpoint = folder)$table)
  expect_identical(filter_runs(q = 5, pfer = 1), filter_runs(q = 5, pfer = 1))
})

test_that("clusters are counted once, at their first feature", {
  clusters <- stats::setNames(rep(1:20, each = 4), colnames(easy$x))
  fit <- filter_runs(q = 3, cutoff = 0.7, clusters = clusters, n_pairs = 10, permute = 0)
  t <- t_in_runs(fit)
  best <- apply(t, 2L, function(one) {
    1:20 %in% unique(clusters[names(sort(one, decreasing = TRUE))])[1:3]
  })
  expect_equal(fit$table$frequency, rowMeans(best)[as.integer(fit$table$feature)])
  expect_identical(fit$bound$unit, "cluster")
  tested <- filter_runs(q = 3, cutoff = 0.7, clusters = clusters, n_pairs = 5, permute = 19)
  expect_lte(tested$null$p, 0.1)
  expect_length(tested$null$observed, 20)
})

test_that("permutations, calibration and repeats run the selector again", {
  fit <- filter_runs(q = 5, pfer = 1, n_pairs = 10, permute = 19)
  expect_equal(fit$null$p, 0.05)
  expect_length(fit$null$named, fit$null$n_whole)
  expect_identical(fit$null$statistic, "score")
  chosen <- stability_selection(fit, cutoff = "calibrated")
  expect_true("g1" %in% chosen$features)
  again <- evaluate_replication(fit, easy$x, easy$y, n_pairs = 2, seed = 1)
  expect_true(is.finite(again$table$overlap[1]))
  tested <- test_signature(easy$x, easy$y, fit, seed = 1)
  expect_lt(tested$table$p[1], 0.05)
  both <- merge_runs(fit, stability_selection(
    easy$x, easy$y, q = 5, pfer = 1, selector = selector_filter("t"), n_pairs = 10, seed = 2
  ))
  expect_identical(both$made$n_runs, 40L)
  expect_error(
    merge_runs(fit, stability_selection(
      easy$x, easy$y, q = 5, pfer = 1, selector = selector_filter("welch"), n_pairs = 10, seed = 2
    )),
    "another `selector`",
    class = "stabilect_error_merge"
  )
})

test_that("covariates are held in every run, also of permutations", {
  z <- easy$x[, 1]
  x <- easy$x[, -1]
  held <- stability_selection(
    x, easy$y, q = 5, pfer = 1, selector = selector_filter("t"), covariates = cbind(z = z),
    n_pairs = 10, permute = 5, seed = 1
  )
  expect_identical(colnames(held$study$roles$covariates), "z")
  rows <- split(held$resamples)
  t <- vapply(rows, function(at) {
    apply(x[at, ], 2L, function(g) {
      abs(stats::coef(summary(stats::lm(g ~ z[at] + easy$y[at])))[3, 3])
    })
  }, numeric(79))
  best <- rowMeans(apply(t, 2L, function(one) rank(-one) <= 5))
  expect_equal(held$table$frequency, unname(best[held$table$feature]), tolerance = 1e-12)
  expect_identical(held$null$permuted, "residuals of the features")
  expect_identical(
    stability_selection(held, q = 4, pfer = 1)$study$roles$covariates, held$study$roles$covariates
  )
})

test_that("outcomes are those of the selector", {
  classes <- factor(rep(c("a", "b", "c"), 20))
  fit <- stability_selection(
    easy$x, classes, q = 5, pfer = 1, selector = selector_filter("anova"), n_pairs = 5, seed = 1
  )
  expect_true(all(table(classes, fit$resamples$counts[, 1])[, 2] == 10))
  expect_error(filter_runs(q = 5, pfer = 1, family = "binomial"),
    "`family` is for lasso paths",
    class = "stabilect_error_input"
  )
  expect_error(stability_selection(easy$x, classes, selector = selector_filter("t"), seed = 1),
    "two-sample t",
    class = "stabilect_error_input"
  )
  expect_error(stability_selection(easy$x, easy$y, selector = "t", seed = 1),
    "must be made by a `selector_*()` function",
    class = "stabilect_error_input", fixed = TRUE
  )
  expect_error(
    stability_selection(easy$x, easy$y, selector = selector_filter("variance"), seed = 1),
    "must look at the outcome",
    class = "stabilect_error_input"
  )
})

test_that("prints, methods and pictures name the selector and no penalty", {
  fit <- filter_runs(q = 5, pfer = 1, n_pairs = 10)
  rate <- filter_runs(pfer = 1, n_pairs = 10)
  expect_match(format(fit)[1], "Stability selection with two-sample t", fixed = TRUE)
  expect_match(format(rate)[1], "Integrated stability selection with two-sample t", fixed = TRUE)
  for (one in list(fit, rate)) {
    text <- paste(c(format(one), space$methods_of_rule(one)[[1]]), collapse = " ")
    expect_match(text, "rankings by two-sample t", fixed = TRUE)
    expect_no_match(text, "lasso|penalt|lambda")
  }
  skip_if_not_installed("ggplot2")
  labels <- vapply(list(fit, rate), function(one) {
    picture <- ggplot2::autoplot(one, type = "paths")
    c(picture$labels$x, picture$labels$y)
  }, character(2))
  expect_identical(unname(labels[, 1]), c(
    "Features in the list (k)", "Share of runs with the\nfeature in the list"
  ))
  expect_identical(labels[, 1], labels[, 2])
})
