# A little noise breaks the ties, so that every run has a clear order.
mcl_x <- as.matrix(mcl_sll[, -1])[, 1:40]
mcl_x <- mcl_x + withr::with_seed(1, 0.01 * stats::rnorm(length(mcl_x)))
mcl_y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))

# |t| by stats::t.test() on the rows of a resample.
t_of_rows <- function(rows, x = mcl_x, y = mcl_y) {
  apply(x[rows, ], 2, function(column) {
    abs(stats::t.test(column ~ y[rows], var.equal = TRUE)$statistic)
  })
}

test_that("an ensemble is what a loop over resamples does", {
  draws <- draw_resamples(resample_bootstrap(12), mcl_y, seed = 3)
  fit <- select_ensemble(mcl_x, mcl_y, selector_filter("t"), draws, n_features = 5, seed = 1)
  score <- vapply(1:12, function(b) {
    t_of_rows(split(draws)[[b]])
  }, numeric(40))
  expect_equal(unname(as.matrix(fit$selection$score)), unname(score), tolerance = 1e-8)
  best <- apply(score, 2, function(s) rank(-s, ties.method = "first") <= 5)
  expect_identical(unname(as.matrix(fit$selection$selected)), unname(best))
  expect_identical(fit$features, colnames(mcl_x)[order(-rowMeans(score))][1:5])
  by_rank <- aggregate(fit, aggregate_rank("mean"))
  ranks <- apply(-score, 2, rank)
  expect_equal(
    by_rank$ranking$table$score[match(colnames(mcl_x), by_rank$ranking$table$feature)],
    -unname(rowMeans(ranks))
  )
  expect_identical(by_rank$selection, fit$selection)
  expect_true(same_resamples(fit, draws))
  expect_true(same_resamples(fit$selection, draws))
})

test_that("a plan is drawn with the seed, and threads change nothing", {
  one <- select_ensemble(mcl_x, mcl_y, selector_filter("t"), n_features = 5, seed = 3)
  two <- select_ensemble(
    mcl_x, mcl_y, selector_filter("t"), n_features = 5, seed = 3, n_threads = 2
  )
  expect_identical(one$ranking$table, two$ranking$table)
  expect_identical(one$selection$score, two$selection$score)
  drawn <- draw_resamples(resample_bootstrap(40, stratify = TRUE), mcl_y, seed = 3)
  expect_identical(one$resamples, drawn)
  withr::with_seed(8, a <- select_ensemble(mcl_x, mcl_y, selector_filter("t"), n_features = 5))
  withr::with_seed(8, b <- select_ensemble(mcl_x, mcl_y, selector_filter("t"), n_features = 5))
  expect_identical(a$runs, b$runs)
  withr::local_seed(4)
  before <- .Random.seed
  select_ensemble(mcl_x, mcl_y, selector_filter("t"), n_features = 5, subspace = 0.5, seed = 3)
  expect_identical(.Random.seed, before)
})

test_that("NULL is 100 features, or all that there are", {
  fit <- select_ensemble(mcl_x, mcl_y, selector_filter("t"), resample_bootstrap(3), seed = 3)
  expect_identical(fit$asked$n_features, 40L)
  all <- select_ensemble(
    mcl_x, mcl_y, selector_filter("t"), resample_bootstrap(3), n_features = 40, seed = 3
  )
  expect_false(identical(fit$made$call, all$made$call))
  expect_identical(without_call(fit), without_call(all))
})

test_that("an ensemble that is ranked again keeps its number of features, or takes another", {
  both <- list(selector_filter("t"), selector_filter("wilcoxon"))
  run <- function(...) {
    select_ensemble(mcl_x, mcl_y, both, resample_bootstrap(9), ..., seed = 1)
  }
  fit <- run(n_features = 5)
  by_rank <- run(n_features = 5, aggregation = aggregate_rank("mean"))
  expect_identical(aggregate(fit, aggregate_rank("mean"))$ranking, by_rank$ranking)
  fewer <- aggregate(fit, n_features = 3)
  expect_length(selected(fewer), 3)
  expect_identical(fewer$asked$n_features, 3L)
  expect_match(message_of(aggregate(fit, n_features = 41)), "`n_features` must be")
})

test_that("random subspaces leave other features unscored", {
  fit <- select_ensemble(
    mcl_x, mcl_y, selector_filter("t"), n_features = 5, subspace = 0.26, seed = 1
  )
  full <- select_ensemble(mcl_x, mcl_y, selector_filter("t"), n_features = 5, seed = 1)
  seen <- !is.na(fit$selection$score)
  expect_true(all(colSums(seen) == 11))
  expect_equal(fit$selection$score[seen], full$selection$score[seen])
  expect_true(all(Matrix::colSums(fit$selection$selected) == 5))
  expect_false(any(as.matrix(fit$selection$selected)[!seen]))
  # Every feature has its turn, about equally often.
  expect_gt(min(rowSums(seen)), 0)
  table <- fit$ranking$table[match(colnames(mcl_x), fit$ranking$table$feature), ]
  expect_equal(table$score, unname(rowMeans(fit$selection$score, na.rm = TRUE)))
  expect_equal(
    table$frequency, unname(Matrix::rowSums(fit$selection$selected) / rowSums(seen))
  )
  # The first runs do not depend on how many there are.
  few <- select_ensemble(
    mcl_x, mcl_y, selector_filter("t"), resample_bootstrap(7, stratify = TRUE), n_features = 5,
    subspace = 0.26, seed = 1
  )
  expect_identical(few$selection$score, fit$selection$score[, 1:7])
})

test_that("parameters are drawn for each run", {
  fit <- select_ensemble(
    mcl_x, mcl_y, selector_filter,
    parameters = list(statistic = c("pearson", "spearman")), n_features = 5, seed = 2
  )
  expect_setequal(fit$runs$statistic, c("pearson", "spearman"))
  for (statistic in c("pearson", "spearman")) {
    one <- select_ensemble(mcl_x, mcl_y, selector_filter(statistic), n_features = 5, seed = 2)
    runs <- which(fit$runs$statistic == statistic)
    expect_equal(fit$selection$score[, runs], one$selection$score[, runs])
  }
  expect_identical(fit$asked$selector, "selector_filter")
})

test_that("several selectors are aggregated one by one, then together", {
  both <- list(t = selector_filter("t"), r = selector_filter("spearman"))
  fit <- select_ensemble(mcl_x, mcl_y, both, resample_bootstrap(9), n_features = 5, seed = 1)
  expect_identical(fit$selection$n_runs, 18L)
  expect_identical(fit$runs$selector, rep(c("t", "r"), each = 9))
  single <- lapply(both, function(one) {
    select_ensemble(mcl_x, mcl_y, one, resample_bootstrap(9), n_features = 5, seed = 1)
  })
  place <- vapply(single, function(one) {
    score <- one$ranking$table$score[match(colnames(mcl_x), one$ranking$table$feature)]
    rank(-score)
  }, numeric(40))
  table <- fit$ranking$table[match(colnames(mcl_x), fit$ranking$table$feature), ]
  expect_equal(table$score, -unname(rowMeans(place)))
  expect_match(fit$ranking$aggregation$label, "mean score, then mean rank of 2 selectors")
  twice <- select_ensemble(
    mcl_x, mcl_y, list(selector_filter("t"), selector_filter("t")), resample_bootstrap(4),
    n_features = 5, seed = 1
  )
  expect_identical(twice$asked$selector, c("t", "t_1"))
})

# A selector without any other code of the package.
test_selector <- function(score, selected = NULL, status = NULL) {
  new_selector("test", "test", list(score, selected, status), c("binary", "numeric"),
    function(x, y, weights, control) {
      runs <- ncol(weights)
      list(
        score = matrix(score, ncol(x), runs, dimnames = list(colnames(x), NULL)),
        status = if (is.null(status)) rep("ok", runs) else rep_len(status, runs),
        selected = if (!is.null(selected)) {
          Matrix::sparseMatrix(
            i = rep(selected, runs), j = rep(seq_len(runs), each = length(selected)),
            dims = c(ncol(x), runs)
          )
        },
        importance = NULL
      )
    }
  )
}

test_that("a selector's own set limits what a run selects", {
  fit <- select_ensemble(mcl_x, mcl_y, test_selector(40:1, c(3, 9, 2)), n_features = 2, seed = 1)
  expect_identical(which(fit$selection$selected[, 1]), 2:3, ignore_attr = TRUE)
  fit <- select_ensemble(mcl_x, mcl_y, test_selector(40:1, c(3, 9, 2)), n_features = 7, seed = 1)
  expect_identical(which(fit$selection$selected[, 5]), c(2L, 3L, 9L), ignore_attr = TRUE)
  three <- test_selector(40:1, c(3, 9, 2))
  fit <- select_ensemble(mcl_x, mcl_y, three, n_features = "own", seed = 1)
  expect_identical(unique(Matrix::colSums(fit$selection$selected)), 3L)
  expect_length(fit$features, 3)
  expect_match(
    message_of(select_ensemble(mcl_x, mcl_y, selector_filter("t"), n_features = "own", seed = 1)),
    "is for selectors that make sets"
  )
})

test_that("failed runs are recorded, not fatal", {
  fit <- select_ensemble(
    mcl_x, mcl_y, test_selector(40:1, status = c("ok", "no signal")), n_features = 2, seed = 1
  )
  expect_identical(sum(fit$runs$status == "no signal"), 20L)
  expect_identical(sum(Matrix::colSums(fit$selection$selected) == 0), 20L)
  expect_identical(fit$ranking$table$frequency[1:3], c(1, 1, 0))
  expect_output(print(fit), ", 20 failed; seed 1")
  expect_output(print(summary(fit)), "failed runs: no signal 20")
  expect_error(
    select_ensemble(mcl_x, mcl_y, test_selector(40:1, status = "no"), n_features = 2),
    class = "stabilect_error_runs"
  )
})

test_that("ties in a run go by lot, not by column", {
  tied <- function(at) {
    select_ensemble(mcl_x[, at], mcl_y, test_selector(rep(1, 40)), n_features = 3, seed = 1)
  }
  expect_identical(tied(40:1)$ranking$table, tied(1:40)$ranking$table)
  expect_lt(max(tied(1:40)$table$frequency), 0.5)
})

test_that("the order of features plays no part", {
  turned <- withr::with_seed(1, sample(40))
  a <- select_ensemble(mcl_x, mcl_y, selector_filter("t"), n_features = 5, seed = 1)
  b <- select_ensemble(mcl_x[, turned], mcl_y, selector_filter("t"), n_features = 5, seed = 1)
  expect_identical(a$features, b$features)
})

test_that("print, summary, table and plot", {
  fit <- select_ensemble(mcl_x, mcl_y, selector_filter("t"), n_features = 12, seed = 1)
  expect_output(print(fit), "22 samples x 40 features; outcome: 15 SLL, 7 MCL")
  expect_output(print(fit, n = 3), "9 more")
  expect_output(print(fit), "Stability  of the runs: ")
  summary <- summary(fit)
  expect_identical(summary$stability$selector, "t")
  z <- as.matrix(fit$selection$selected) + 0
  f <- rowMeans(z)
  by_hand <- 1 - mean(40 / 39 * f * (1 - f)) / (12 / 40 * (1 - 12 / 40))
  expect_equal(summary$stability$estimate, by_hand)
  expect_identical(as.data.frame(fit)[names(fit$ranking$table)], fit$ranking$table)
  expect_identical(selected(fit), fit$ranking$features)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit), "ggplot")
})

test_that("errors name the argument", {
  ensemble <- function(...) select_ensemble(mcl_x, mcl_y, ..., seed = 1)
  expect_match(message_of(ensemble("t")), "`selector` must be made by")
  expect_match(message_of(ensemble(list())), "`selector` must be made by")
  expect_match(
    message_of(ensemble(selector_filter("t"), n_features = "all")), "`n_features` must be"
  )
  expect_match(message_of(ensemble(selector_filter("t"), n_features = 41)), "`n_features` must be")
  expect_match(message_of(ensemble(selector_filter("t"), subspace = 0)), "`subspace` must be")
  expect_match(
    message_of(ensemble(selector_filter("t"), aggregation = mean)), "`aggregation` must be"
  )
  expect_match(
    message_of(ensemble(selector_filter("t"), aggregation_across = 1)), "`aggregation_across` must"
  )
  expect_match(
    message_of(ensemble(selector_filter("t"), resampling = 10)), "`resampling` must come from"
  )
  other <- draw_resamples(resample_bootstrap(3), n = 9, seed = 1)
  expect_match(message_of(ensemble(selector_filter("t"), other)), "drawn for 9 samples")
  expect_match(
    message_of(ensemble(selector_filter("t"), parameters = list(a = 1))), "must be the function"
  )
  expect_match(
    message_of(ensemble(selector_filter, parameters = list(statistc = 1))), "names \"statistc\""
  )
  expect_match(message_of(ensemble(selector_filter, parameters = list(1))), "list of values")
  expect_match(
    message_of(select_ensemble(mcl_x, seq_len(22), selector_filter("t"))), "`y` holds numbers"
  )
})

test_that("the print says when equal scores, and not the selector, have chosen", {
  expect_identical(count_equal_at_cut(c(3, 0, 2, 0, NA), c(1L, 2L, 3L)), 1L)
  expect_identical(count_equal_at_cut(c(3, 0, 2, 1), c(1L, 3L)), 0L)
  expect_identical(count_equal_at_cut(c(3, 2, 2), 1:3), 0L)
  expect_identical(count_equal_at_cut(numeric(3), integer()), 0L)
  x <- as.matrix(mcl_sll[, 2:60])
  lazy <- selector_custom(function(x, y) c(stats::rnorm(3)^2 + 2, rep(1, ncol(x) - 3)), "lazy")
  few <- select_ensemble(x, mcl_sll$MCL, lazy, n_features = 3, seed = 1)
  many <- select_ensemble(x, mcl_sll$MCL, lazy, n_features = 12, seed = 1)
  expect_false(any(grepl("had the same score", capture.output(few))))
  expect_match(
    printed_words(many), "on average, 9 of the 12 features of a run had the same score"
  )
})

test_that("the print of an empty list has no empty table, and says what to do next", {
  x <- as.matrix(mcl_sll[, 2:30])
  random <- withr::with_seed(1, stats::rnorm(nrow(x)))
  own <- aggregate_frequency(cutoff = 1)
  few <- resample_subsample(4, 0.5)
  fit <- select_ensemble(x, random, selector_trex(), few, own, n_features = "own", seed = 1)
  expect_identical(fit$features, character())
  text <- capture.output(print(fit))
  expect_false(any(grepl("NaN|NA|<0 rows>|features were in", text)))
  expect_match(text, "^List +none: no feature is selected by frequency", all = FALSE)
  expect_match(
    text, "^  find_signals\\(x, random\\) +any signal, and what marks the outcome", all = FALSE
  )
})
