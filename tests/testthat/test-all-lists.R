# Lists of the best features, in all verbs: what has no score is in no list, and equal features are
# not ordered by column. In column order two lists of noise share the first columns.

noise_study <- function(n = 24, p = 300, seed = 3) {
  withr::local_seed(seed)
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
  list(x = x, y = factor(rep(c("a", "b"), length.out = n)), z = stats::rnorm(n))
}

# Few scores, or equal ones.
sparse_selectors <- function() {
  made <- list(
    lasso = selector_lasso_path(), entry = selector_lasso_path("entry"), mrmr = selector_mrmr(),
    svm = selector_learner(learner_svm(), step = 0.3), hybrid = selector_hybrid_rfe(5),
    information = selector_filter("mutual_information"), wilcoxon = selector_filter("wilcoxon"),
    trex = selector_trex(),
    few = selector_custom(function(x, y) {
      score <- abs(stats::cor(x, as.integer(y)))[, 1]
      replace(score, rank(-score) > 4, 0)
    }),
    equal = selector_custom(function(x, y) rep(1, ncol(x))),
    pairs = function(x, y, ...) stability_selection(x, y, pfer = 1, n_pairs = 5, ...),
    bends = function(x, y, ...) fealect(x, y, n_runs = 5, ...)
  )
  if (requireNamespace("ranger", quietly = TRUE)) {
    made$forest <- selector_learner(learner_forest(n_trees = 5))
  }
  if (requireNamespace("glmnet", quietly = TRUE)) {
    made$net <- selector_lasso_path("coefficient", max_features = 5)
  }
  made
}

test_that("lists of noise by disjoint halves have stability 0", {
  # Splits of one data set share its chance correlations, so that data sets are drawn.
  results <- lapply(1:6, function(seed) {
    d <- noise_study(seed = seed)
    suppressWarnings(evaluate_selectors(
      d$x, d$y, sparse_selectors(), list(), n_features = c(5, 20), n_repeats = 2,
      index = "nogueira", seed = seed
    ))
  })
  result <- results[[1]]
  table <- result$table[!is.na(result$table$n_features), ]
  means <- rowMeans(vapply(results, function(one) {
    one$table$nogueira[!is.na(one$table$n_features)]
  }, numeric(nrow(table))))
  # For two random lists of any size the index has variance 1 / (p - 1).
  expect_lt(max(abs(means)), 3 / sqrt(6 * 299))
  expect_lt(abs(mean(means)), 2 / sqrt(6 * 299))
  expect_true(all(table$n_selected <= table$n_features))
  # Paths of 12 samples end.
  of <- function(name) table$n_selected[table$selector == name & table$n_features == 20]
  expect_lt(of("lasso"), 14)
  expect_identical(of("few"), 4)
  expect_output(print(result), "n_selected")
})

test_that("ensembles of noise have stability 0 by every aggregation", {
  rules <- lapply(
    stats::setNames(nm = c("mean_score", "mean_rank", "frequency", "frequency_best", "borda")),
    aggregate_by
  )
  values <- vapply(1:6, function(seed) {
    d <- noise_study(seed = seed)
    evaluate_selectors(
      d$x, d$y, sparse_selectors()[c("lasso", "few", "equal")], rules, n_features = 20,
      resampling = resample_subsample(6), n_repeats = 2, index = "nogueira", seed = seed
    )$table$nogueira
  }, numeric(18))
  expect_lt(max(abs(rowMeans(values))), 3 / sqrt(6 * 299))
})

test_that("replications and plans of noise agree by chance alone", {
  d <- noise_study()
  fits <- list(
    stability_selection(d$x, d$y, pfer = 1, n_pairs = 5, seed = 1),
    fealect(d$x, d$y, n_runs = 5, seed = 1),
    select_ensemble(
      d$x, d$y, selector_lasso_path(), resample_subsample(3), n_features = 50, seed = 1
    )
  )
  for (fit in fits) {
    table <- evaluate_replication(fit, d$x, d$y, n_pairs = 12, n_features = 50, seed = 1)$table
    size <- table$n_features[1]
    se <- sqrt(size^2 / 300 * (1 - size / 300)^2 / 12)
    expect_lt(abs(table$n_again[1] - size^2 / 300), 3.5 * se)
    expect_lte(size, 50)
  }
  plan <- estimate_sample_size(
    function(x, y, ...) stability_selection(x, y, pfer = 1, n_pairs = 5, ...), d$x, d$y,
    n_features = 50, n_pairs = 5, seed = 1
  )
  expect_lt(max(abs(plan$table$stability), na.rm = TRUE), 3 / sqrt(5 * 299))
  text <- gsub("\\s+", " ", paste(utils::capture.output(print(plan)), collapse = " "))
  expect_match(text, "of 50 features asked for, only [0-9.]+ have a score")
  expect_no_match(text, "may be enough")
})

# Features of three values, many of them equally good; some are constant.
tied_study <- function() {
  withr::local_seed(5)
  x <- matrix(sample(0:2, 24 * 60, TRUE) + 0, 24, dimnames = list(NULL, sprintf("f%02d", 1:60)))
  x[, c(7, 30, 31)] <- 1
  x[, 50:55] <- stats::rnorm(24 * 6)
  list(
    x = x, y = factor(rep(c("a", "b"), each = 12)), z = stats::rnorm(24),
    time = survival::Surv(stats::rexp(24), stats::rbinom(24, 1, 0.8))
  )
}

# Calls whose answer must not depend on the order of the columns.
ordered_calls <- function(d) {
  ensemble <- function(selector, y = d$y, ...) {
    function(x) {
      select_ensemble(x, y, selector, resample_subsample(8), n_features = 10, seed = 1, ...)
    }
  }
  screened <- selector_screened(selector_filter("t"), selector_filter("mutual_information"), 12)
  # Scores are rounded; sums of columns would depend on their order.
  rough <- selector_custom(function(x, y) {
    apply(x, 2L, function(v) round(abs(mean(v[y == "a"]) - mean(v[y == "b"])), 1))
  })
  list(
    information = ensemble(selector_filter("mutual_information")),
    wilcoxon = ensemble(selector_filter("wilcoxon"), aggregation = aggregate_by("frequency_best")),
    borda = ensemble(selector_filter("wilcoxon"), aggregation = aggregate_by("borda")),
    mrmr = ensemble(selector_mrmr()), lasso = ensemble(selector_lasso_path()),
    svm = ensemble(selector_learner(learner_svm())),
    elimination = ensemble(selector_learner(learner_svm(), step = 0.2)),
    relief = ensemble(selector_relief()), screened = ensemble(screened), rough = ensemble(rough),
    several = ensemble(list(selector_filter("wilcoxon"), selector_mrmr())),
    spearman = ensemble(selector_filter("spearman"), d$z),
    cox = ensemble(selector_filter("cox"), d$time),
    hybrid_selector = ensemble(selector_hybrid_rfe(5)),
    pairs = function(x) stability_selection(x, d$y, q = 8, pfer = 2, n_pairs = 8, seed = 1),
    pairs_by_filter = function(x) {
      stability_selection(
        x, d$y, q = 8, pfer = 2, n_pairs = 8, selector = selector_filter("wilcoxon"), seed = 1
      )
    },
    rate = function(x) {
      stability_selection(
        x, d$y, n_pairs = 8, selector = selector_filter("mutual_information"), seed = 1
      )
    },
    bends = function(x) fealect(x, d$y, n_runs = 8, seed = 1),
    bends_of_times = function(x) fealect(x, d$time, n_runs = 8, seed = 1),
    bolasso = function(x) bolasso(x, d$z, n_runs = 8, seed = 1),
    splits = function(x) split_test(x, d$z, n_runs = 8, seed = 1),
    mirrors = function(x) split_test(x, d$z, "mirror", fdr = 0.5, n_runs = 8, seed = 1),
    eliminate = function(x) eliminate_features(x, d$y, seed = 1),
    hybrid = function(x) {
      hybrid_rfe(x, d$y, n_features = 8, resampling = resample_bootstrap(5), seed = 1)
    },
    replication = function(x) {
      fit <- select_ensemble(
        x, d$y, selector_filter("wilcoxon"), resample_subsample(5), n_features = 10, seed = 1
      )
      again <- evaluate_replication(fit, x, d$y, n_pairs = 3, n_features = 10, seed = 1)
      list(table = again$again, features = unlist(again$table[-1]))
    },
    scores = function(x) {
      scores <- score_features(x, d$y, selector_filter("wilcoxon"), seed = 1)
      list(table = scores[order(scores$rank), ], features = NULL)
    }
  )
}

test_that("the order of the columns changes no list and no order of features", {
  d <- tied_study()
  moved <- withr::with_seed(8, sample(60))
  calls <- ordered_calls(d)
  for (name in names(calls)) {
    one <- suppressWarnings(calls[[name]](d$x))
    other <- suppressWarnings(calls[[name]](d$x[, moved]))
    expect_identical(other$table$feature, one$table$feature, info = name)
    expect_identical(other$features, one$features, info = name)
  }
})

test_that("constant columns are in no list", {
  d <- tied_study()
  x <- d$x[, c(1:10, 50:52)]
  x[, -c(2, 11, 13)] <- 1
  known <- colnames(x)[c(2, 11, 13)]
  filters <- list(
    list("t", d$y), list("welch", d$y), list("anova", d$y), list("wilcoxon", d$y),
    list("pearson", d$z), list("spearman", d$z), list("cox", d$time), list("variance", d$y),
    list("mutual_information", d$y), list("moderated_t", d$y)
  )
  for (one in filters) {
    fit <- suppressWarnings(select_ensemble(
      x, one[[2]], selector_filter(one[[1]]), resample_bootstrap(10), n_features = 6, seed = 1
    ))
    expect_true(all(fit$features %in% known), info = one[[1]])
    expect_lte(max(Matrix::colSums(fit$selection$selected)), 3)
    expect_identical(nrow(fit$table), ncol(x))
  }
})

test_that("a single lasso lists no more features than it ranks", {
  d <- noise_study()
  fit <- select_ensemble(
    d$x, d$y, selector_lasso_path(), resample_custom(list(1:24)), n_features = 100, seed = 1
  )
  ranked <- sum(fit$selection$score[, 1] != 0)
  expect_lt(ranked, 30)
  expect_length(fit$features, ranked)
  expect_identical(fit$features, fit$table$feature[fit$table$frequency > 0])
  own <- aggregate(fit$selection, aggregate_by("mean_rank"), n_features = 100)
  expect_length(own$features, ranked)
  # Cut again, its selection has no more either.
  expect_identical(sum(as_selection(fit, n_features = 100)$selected), ranked)
})

test_that("lists of unequal sizes have every index that takes them", {
  sets <- list(1:4, c(1L, 5L), integer(), 2:9)
  for (index in c("nogueira", "cw_rel", "jaccard", "phi_pears", "lustgarten")) {
    expect_identical(nrow(stability(as_selection(sets, n_total = 40), index)$table), 1L)
  }
})

test_that("merged runs order equal features as one call with all runs does", {
  d <- tied_study()
  draws <- draw_resamples(resample_subsample(12), d$y, seed = 4)
  fit <- function(draws) {
    select_ensemble(
      d$x, d$y, selector_filter("wilcoxon"), draws, n_features = 10,
      aggregation = aggregate_by("frequency_best"), seed = 1
    )
  }
  whole <- fit(draws)
  again <- fit(draws)
  expect_identical(again$table, whole$table)
  paths <- function(draws) stability_selection(d$x, d$y, q = 8, pfer = 2, resampling = draws)
  halves <- draw_resamples(resample_pairs(8), d$y, seed = 4)
  expect_identical(
    merge_runs(paths(halves[1:8]), paths(halves[9:16]))$table, paths(halves)$table
  )
})
