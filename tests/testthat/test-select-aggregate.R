# Everything is compared with plain R on dense matrices, from the definitions on the help page.

score_selection <- function(score, size = 3, status = NULL) {
  if (is.null(rownames(score))) rownames(score) <- paste0("f", seq_len(nrow(score)))
  if (is.null(status)) status <- rep("ok", ncol(score))
  dense <- as.matrix(score)
  selected <- apply(dense, 2, function(s) {
    s[is.na(s)] <- -Inf
    rank(-s, ties.method = "first") <= size & s > -Inf & s != 0
  })
  dimnames(selected) <- dimnames(score)
  new_selection(
    score = score, selected = methods::as(Matrix::Matrix(selected, sparse = TRUE), "nMatrix"),
    status = status, method = "test"
  )
}

tied_scores <- function(p = 30, runs = 12, seed = 1) {
  withr::with_seed(seed, matrix(round(stats::rexp(p * runs), 1), p, runs))
}

raw_score <- function(selection, rule, n_features = 3, n_threads = 1) {
  rule$score(selection, n_features, n_threads)
}

naive_ranks <- function(score) apply(score, 2, function(s) rank(-s))

# The beta distribution of order statistics, as in the paper of Kolde et al.
naive_rho <- function(r) {
  n <- length(r)
  min(stats::pbeta(sort(r), seq_len(n), n - seq_len(n) + 1))
}

test_that("every rule is its definition", {
  score <- tied_scores()
  selection <- score_selection(score)
  r <- naive_ranks(score)
  p <- nrow(score)
  top <- apply(score, 2, function(s) {
    vapply(s, function(one) min(max((3 - sum(s > one)) / sum(s == one), 0), 1), 0)
  })
  minmax <- function(s) (s - min(s)) / (max(s) - min(s))
  expected <- list(
    list(aggregate_score(), rowMeans(score)),
    list(aggregate_score("rank"), rowMeans((p - r) / (p - 1))),
    list(aggregate_score("minmax"), rowMeans(apply(score, 2, minmax))),
    list(aggregate_score("zscore"), rowMeans(scale(score))),
    list(aggregate_score("sum"), rowMeans(apply(score, 2, function(s) s / sum(abs(s))))),
    list(aggregate_score(power = 2.5), rowMeans(score^2.5)),
    list(aggregate_score("zscore", 2), rowMeans(scale(score) * abs(scale(score)))),
    list(aggregate_rank("mean"), -rowMeans(r)),
    list(aggregate_rank("median"), -apply(r, 1, stats::median)),
    list(aggregate_rank("best"), -apply(r, 1, min)),
    list(aggregate_rank("borda"), rowMeans(p - r + 1)),
    list(aggregate_rank("borda", n_features = 4), rowMeans(pmax(4 - r + 1, 0))),
    list(aggregate_rank("exponential"), rowMeans(exp(-r / 3))),
    list(aggregate_rank("exponential", decay = 7), rowMeans(exp(-r / 7))),
    list(aggregate_frequency("best"), rowMeans(top)),
    list(aggregate_rank("robust"), -log10(apply(r / p, 1, naive_rho))),
    list(aggregate_rank("product"), -exp(rowMeans(log(r)))),
    list(aggregate_frequency(), Matrix::rowMeans(selection$selected))
  )
  for (one in expected) {
    expect_equal(raw_score(selection, one[[1]]), unname(one[[2]]), info = one[[1]]$label)
  }
})

test_that("without ties, stability selection is Eq. 3 of the paper", {
  score <- withr::with_seed(2, matrix(stats::rnorm(400), 40))
  inside <- apply(score, 2, function(s) rank(-s) <= 6)
  expect_equal(
    raw_score(score_selection(score), aggregate_frequency("best", n_features = 6)), rowMeans(inside)
  )
})

test_that("weights of runs count as repeated runs", {
  score <- tied_scores()
  weights <- c(3, 1, 2, 0, 1, 1, 4, 1, 0, 2, 1, 2)
  repeated <- score_selection(score[, rep(seq_len(12), weights)])
  selection <- score_selection(score)
  ranks <- lapply(c("mean", "median", "borda", "exponential", "product"), function(by) {
    function(...) aggregate_rank(by, ...)
  })
  best <- function(...) aggregate_frequency("best", ...)
  rules <- c(list(aggregate_score, aggregate_frequency, best), ranks)
  for (rule in rules) {
    expect_equal(raw_score(selection, rule(run_weights = weights)), raw_score(repeated, rule()))
  }
  expect_error(
    raw_score(selection, aggregate_rank("mean", run_weights = 1:3)), class = "stabilect_error_input"
  )
})

test_that("in a sparse matrix, features without an entry share the last places", {
  score <- tied_scores() + 0.05
  score[withr::with_seed(3, stats::runif(length(score))) < 0.6] <- 0
  sparse <- Matrix::Matrix(score, sparse = TRUE)
  dense <- score_selection(score)
  partial <- score_selection(sparse)
  rules <- list(
    aggregate_score(), aggregate_score("zscore"), aggregate_score("rank"),
    aggregate_score("minmax"), aggregate_score("sum"), aggregate_rank("mean"),
    aggregate_rank("median"), aggregate_rank("best"), aggregate_rank("borda"),
    aggregate_rank("borda", 4),
    aggregate_rank("exponential"), aggregate_rank("robust"), aggregate_rank("product")
  )
  for (rule in rules) {
    expect_equal(raw_score(partial, rule), raw_score(dense, rule), info = rule$label)
  }
  # Of two scored features and a threshold of three, nothing else is among the best.
  few <- methods::as(
    Matrix::sparseMatrix(i = c(2, 5), j = c(1, 1), x = c(4, 1), dims = c(6, 1)), "CsparseMatrix"
  )
  expect_identical(
    raw_score(score_selection(few), aggregate_frequency("best")), c(0, 1, 0, 0, 1, 0)
  )
  empty <- Matrix::sparseMatrix(i = integer(), j = integer(), x = double(), dims = c(6, 2))
  expect_identical(raw_score(score_selection(empty), aggregate_rank("mean")), rep(-3.5, 6))
})

test_that("what a run did not look at is left out of the means", {
  score <- withr::with_seed(5, matrix(stats::rexp(60), 10))
  score[1, 4:5] <- 50
  score[1, 1:3] <- NA
  score[2, ] <- NA
  selection <- score_selection(score)
  r <- apply(score, 2, function(s) rank(-s, na.last = "keep"))
  expect_equal(raw_score(selection, aggregate_score())[-2], rowMeans(score, na.rm = TRUE)[-2])
  expect_equal(raw_score(selection, aggregate_rank("mean"))[-2], -rowMeans(r, na.rm = TRUE)[-2])
  m <- colSums(!is.na(score))
  expect_equal(
    raw_score(selection, aggregate_rank("robust"))[1], -log10(naive_rho((r[1, ] / m)[4:6]))
  )
  for (rule in list(aggregate_score(), aggregate_rank("median"), aggregate_frequency())) {
    expect_identical(raw_score(selection, rule)[2], NA_real_)
    expect_identical(aggregate(selection, rule, 3)$table$feature[10], "f2")
  }
  expect_identical(score[1, 6] < sort(score[, 6], decreasing = TRUE)[3], TRUE)
  expect_equal(raw_score(selection, aggregate_frequency())[1], 2 / 3)
})

test_that("infinite scores count as the largest finite one of their run", {
  score <- cbind(c(1, Inf, 3, 2), c(2, 1, 5, 0))
  expect_equal(raw_score(score_selection(score), aggregate_score()), c(1.5, 2, 4, 1))
})

test_that("failed runs have no say", {
  score <- tied_scores()
  keep <- c(1:4, 6:12)
  failed <- score
  failed[, 5] <- 1000 * seq_len(30)
  status <- replace(rep("ok", 12), 5, "no signal")
  weights <- seq_len(12)
  for (rule in list(aggregate_score(), aggregate_frequency(), aggregate_rank("robust"))) {
    expect_equal(
      raw_score(score_selection(failed, status = status), rule),
      raw_score(score_selection(score[, keep]), rule)
    )
  }
  expect_equal(
    raw_score(
      score_selection(failed, status = status), aggregate_rank("mean", run_weights = weights)
    ),
    raw_score(score_selection(score[, keep]), aggregate_rank("mean", run_weights = weights[keep]))
  )
  ranking <- aggregate(score_selection(failed, status = status), n_features = 4)
  expect_identical(ranking$n_failed, 1L)
  nothing <- score_selection(score, status = rep("no signal", 12))
  expect_error(aggregate(nothing), class = "stabilect_error_runs")
})

test_that("rho is that of RobustRankAggreg and does not underflow", {
  skip_if_not_installed("RobustRankAggreg")
  r <- naive_ranks(tied_scores()) / 30
  peer <- apply(r, 1, function(one) min(RobustRankAggreg::betaScores(one)))
  expect_equal(raw_score(score_selection(tied_scores()), aggregate_rank("robust")), -log10(peer))
})

test_that("rho of hundreds of runs is that of pbeta() on the log scale", {
  score <- withr::with_seed(8, matrix(stats::rexp(200 * 900), 200))
  score[1, ] <- 100
  share <- naive_ranks(score)[c(1, 2, 150), ] / 200
  peer <- apply(share, 1, function(one) {
    min(stats::pbeta(sort(one), 1:900, 900:1, log.p = TRUE))
  })
  ours <- raw_score(score_selection(score), aggregate_rank("robust"))
  expect_equal(ours[c(1, 2, 150)], -peer / log(10), tolerance = 1e-10)
  expect_equal(ours[1], 900 * log10(200), tolerance = 1e-10)
})

test_that("threads change nothing", {
  score <- withr::with_seed(9, matrix(stats::rnorm(9000 * 20), 9000))
  selection <- score_selection(score)
  rules <- list(
    aggregate_score("zscore"), aggregate_rank("exponential"), aggregate_rank("median"),
    aggregate_rank("robust")
  )
  for (rule in rules) {
    expect_identical(raw_score(selection, rule, 50), raw_score(selection, rule, 50, 2L))
  }
})

test_that("permuted features and runs permute the result", {
  score <- tied_scores()
  order_f <- withr::with_seed(6, sample(30))
  order_b <- withr::with_seed(7, sample(12))
  rules <- c(
    list(aggregate_score(), aggregate_frequency("best")),
    lapply(c("mean", "median", "best", "product", "borda", "exponential", "robust"), aggregate_rank)
  )
  for (rule in rules) {
    expect_equal(
      raw_score(score_selection(score), rule)[order_f],
      raw_score(score_selection(score[order_f, order_b]), rule),
      info = rule$label
    )
  }
})

test_that("the ranking breaks ties by frequency, mean score and column", {
  score <- cbind(c(3, 1, 2, 2, 9), c(1, 3, 2, 2, 9), c(2, 2, 2, 2, 9))
  dimnames(score) <- list(letters[1:5], NULL)
  selection <- score_selection(score, size = 2)
  expect_identical(raw_score(selection, aggregate_rank("mean")), -c(3.5, 3.5, 3.5, 3.5, 1))
  # b and a are selected in runs 2 and 1, 3 (first of the tied); c and d never, in equal measure.
  ranking <- aggregate(selection, aggregate_rank("mean"), n_features = 3)
  expect_identical(ranking$table$feature, c("e", "a", "b", "c", "d"))
  expect_identical(ranking$table$rank, 1:5)
  expect_identical(ranking$features, c("e", "a", "b"))
  expect_identical(as.data.frame(ranking), ranking$table)
})

test_that("a frequency threshold selects by itself", {
  score <- rbind(a = rep(9, 10), b = c(rep(8, 6), rep(1, 4)), c = c(rep(1, 6), rep(8, 4)))
  selection <- score_selection(score, size = 2)
  from <- function(cutoff) aggregate(selection, aggregate_frequency(cutoff = cutoff))$features
  expect_identical(from(0.6), c("a", "b"))
  expect_identical(from(0.61), "a")
  expect_identical(aggregate(selection, aggregate_frequency(), 3)$features, c("a", "b", "c"))
})

test_that("a rule of the user's", {
  selection <- score_selection(tied_scores())
  rule <- aggregate_custom(function(s) -seq_len(s$n_total), "first columns")
  expect_identical(aggregate(selection, rule, 2)$features, c("f1", "f2"))
  bad <- aggregate_custom(function(s) 1)
  expect_error(aggregate(selection, bad, 2), class = "stabilect_error_aggregation")
})

test_that("fealect's own order is that of the mean score", {
  x <- as.matrix(mcl_sll[, -1])
  fit <- fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1)
  ranking <- aggregate(fit$selection, n_features = 5)
  expect_equal(ranking$table$score, fit$table$score)
})

test_that("print and summary", {
  ranking <- aggregate(score_selection(tied_scores()), aggregate_rank("mean"), 3)
  expect_output(print(ranking), "12 runs\n\nList  3 of 30 features by mean rank")
  expect_output(print(ranking, n = 4), "26 more")
  expect_identical(summary(ranking), ranking$table)
  expect_output(print(aggregate_score("rank", run_weights = 1:3)), "rank scale, weighted runs")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(ranking), "ggplot")
})

test_that("errors name the argument", {
  selection <- score_selection(tied_scores())
  expect_match(message_of(aggregate(selection, "mean")), "`aggregation` must be made by")
  expect_match(message_of(aggregate(selection, n_features = 31)), "`n_features` must be")
  expect_match(message_of(aggregate_by(scale = "log")), "`scale` must be one of")
  expect_match(message_of(aggregate_by(power = 0)), "`power` must be a finite number > 0")
  expect_match(message_of(aggregate_by("exponential", decay = -1)), "`decay`")
  expect_match(message_of(aggregate_by("frequency", cutoff = 2)), "`cutoff`")
  expect_match(message_of(aggregate_by("mean_rank", run_weights = c(1, NA))), "number 2 is NA")
  expect_match(message_of(aggregate_by(run_weights = c(0, 0))), "not all of them 0")
  expect_match(message_of(aggregate_by("sum")), "`rule` must be one of")
  expect_match(message_of(aggregate_by("mean_rank", cutoff = 1)), "`cutoff` does not apply")
  expect_match(message_of(aggregate_by("robust_rank", run_weights = 1:2)), "has no mean over runs")
  expect_match(message_of(aggregate_by(rank, run_weights = 1:2)), "weighs the runs itself")
})

test_that("ties at random place equal scores by lot, and everything else as the mean does", {
  random <- function(seed) aggregate_by("mean_rank", ties = "random", seed = seed)
  mean_rank <- aggregate_by("mean_rank")
  # Without ties the rule is the same.
  untied <- score_selection(matrix(withr::with_seed(1, stats::rnorm(60)), 12))
  expect_equal(raw_score(untied, random(3)), raw_score(untied, mean_rank))
  # With ties it is the mean place on average over seeds, and never outside of the tied places.
  selection <- score_selection(tied_scores(8, 4))
  draws <- vapply(1:400, function(seed) raw_score(selection, random(seed)), numeric(8))
  expect_equal(rowMeans(draws), raw_score(selection, mean_rank), tolerance = 0.05)
  expect_gt(max(apply(draws, 1L, stats::sd)), 0.1)
  lowest <- -rowMeans(apply(-tied_scores(8, 4), 2, rank, ties.method = "max"))
  expect_true(all(draws >= lowest - 1e-9))
  expect_equal(unname(colSums(draws)), rep(-36, 400))
})

test_that("the lot of ties follows the seed and the scores, not the session", {
  rule <- aggregate_by("mean_rank", ties = "random", seed = 5)
  selection <- score_selection(tied_scores())
  set.seed(1)
  first <- raw_score(selection, rule)
  drawn <- stats::runif(1)
  set.seed(1)
  expect_identical(stats::runif(1), drawn)
  expect_identical(raw_score(selection, rule), first)
  # Other data, another lot: the same feature is not put first everywhere.
  zero <- matrix(0, 40, 1)
  one <- replace(zero, 1, 1)
  two <- replace(zero, 1, 2)
  places <- function(score) raw_score(score_selection(score), rule)[-1]
  expect_lt(abs(stats::cor(places(one), places(two))), 0.6)
  # Features without an entry share the last places, as in the core.
  sparse <- Matrix::Matrix(cbind(c(2, 1, 0, 0), c(0, 3, 0, 1)), sparse = TRUE)
  sparse <- methods::as(sparse, "dgCMatrix")
  rownames(sparse) <- letters[1:4]
  expect_equal(
    raw_score(score_selection(sparse), rule)[2],
    raw_score(score_selection(sparse), aggregate_by("mean_rank"))[2]
  )
  expect_match(message_of(aggregate_by("mean_rank", ties = "first")), "`ties` must be one of")
  expect_match(message_of(aggregate_by("mean_rank", seed = 1)), "`seed`")
  expect_match(message_of(aggregate_by("median_rank", ties = "random")), "`ties` does not apply")
})

test_that("aggregate_by() names all rules, with their settings", {
  same <- function(ours, rule) expect_identical(ours[c("label", "key")], rule[c("label", "key")])
  same(aggregate_by(), aggregate_score())
  same(aggregate_by("mean_score", scale = "zscore", power = 2), aggregate_score("zscore", 2))
  for (by in names(rank_rules)) same(aggregate_by(rank_rules[[by]]), aggregate_rank(by))
  same(aggregate_by("borda", n_features = 4), aggregate_rank("borda", 4))
  same(aggregate_by("exponential", decay = 7), aggregate_rank("exponential", decay = 7))
  same(aggregate_by("frequency", cutoff = 0.5), aggregate_frequency(cutoff = 0.5))
  same(
    aggregate_by("frequency_best", n_features = 6, run_weights = 1:3),
    aggregate_frequency("best", 6, run_weights = 1:3)
  )
  own <- function(selection) rep(1, selection$n_total)
  same(aggregate_by(own, name = "mine"), aggregate_custom(own, "mine"))
})

test_that("where half of the runs select nothing, one feature is ranked", {
  runs <- as_selection(list(integer(), integer(), 1:2), n_total = 4)
  expect_identical(check_ranking_size(NULL, runs), 1L)
})
