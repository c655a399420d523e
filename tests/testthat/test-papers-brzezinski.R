# The vignette on Brzezinski (2020): its live part, its tables from the folds, and the paper's
# numbers that it reads.

stored <- function(name) shipped_tables("brzezinski")[[name]]

# Nine of the 2,000 genes are copies of others, and one feature each since the results were stored:
# the best scores are the same to two samples, the sizes of a flat curve are not.
test_that("the first fold of colon gives the stored scores again", {
  z <- scale(colon_genes$x)
  # The stored runs had copies of columns as features of their own.
  x <- told_apart(2 * (z > 0.5) - 2 * (z < -0.5))
  y <- colon_genes$y
  train <- as.matrix(draw_resamples(resample_folds(10, stratify = TRUE), y, seed = 1))[, 1] > 0
  best <- function(search) {
    fit <- eliminate_features(
      x[train, ], y[train], learner_svm(1, scaling = "range", intercept = "penalised"), search,
      resample_folds(5, stratify = TRUE), refit = FALSE, seed = 2
    )
    max(fit$sizes$score)
  }
  rows <- stored("folds")
  rows <- rows[rows$data == "colon" & rows$classifier == "SVM" & rows$fold == 1, ]
  score_of <- function(method) rows$inner_accuracy[rows$method == method]
  sample <- 2.2 / sum(train)
  expect_lt(abs(best(search_peak()) - score_of("FRFE")), sample)
  n_sizes <- rows$n_sizes[rows$method == "FRFE"]
  plain <- best(search_sizes(step = 2000 %/% n_sizes + 1))
  expect_lt(abs(plain - score_of("RFE_F")), sample)
})

test_that("the first fold of colon with the author's machine gives the stored score again", {
  z <- scale(colon_genes$x)
  # The stored runs had copies of columns as features of their own.
  x <- told_apart(2 * (z > 0.5) - 2 * (z < -0.5))
  y <- colon_genes$y
  # Folds in the order of the rows: how many of a class each has, by dealing the sorted labels.
  row_folds <- function(y, n_folds) {
    code <- match(y, unique(y))
    dealt <- table(factor(rep_len(seq_len(n_folds), length(y))), sort(code))
    fold <- integer(length(y))
    for (g in seq_len(max(code))) fold[code == g] <- rep(seq_len(n_folds), dealt[, g])
    fold
  }
  train <- row_folds(y, 10) != 1
  low <- apply(x[train, ], 2, min)
  scaled <- t((t(x[train, ]) - low) / pmax(apply(x[train, ], 2, max) - low, 1))
  inner <- row_folds(y[train], 5)
  fit <- eliminate_features(
    scaled, y[train],
    learner_svm(1, "l1", "none", multiclass = "one_against_one"), search_peak(),
    resample_custom(lapply(1:5, function(k) which(inner != k)), n = sum(train)), refit = FALSE,
    seed = 1
  )
  rows <- stored("svm-folds")
  row <- rows[rows$data == "colon" & rows$fold == 1 & rows$method == "FRFE", ]
  expect_lt(abs(max(fit$sizes$score) - row$inner_accuracy), 2.2 / sum(train))
})

test_that("cells, ranks and tests are those of the folds", {
  # LIBLINEAR's machine, and the author's.
  for (name in c("SVM", "libsvm")) {
    folds <- stored(if (name == "SVM") "folds" else "svm-folds")
    folds <- folds[folds$classifier == "SVM" & folds$data != "ALLAML", ]
    sizes <- tapply(folds$n_features, list(folds$data, folds$method), mean)
    ours <- stored("tests")
    ours <- ours[ours$classifier == name & ours$measure == "n_smallest", ]
    expect_identical(unique(ours$n_sets), nrow(sizes))
    p <- mapply(function(search, plain) {
      stats::wilcox.test(
        sizes[, search], sizes[, plain], paired = TRUE, alternative = "less", exact = TRUE
      )$p.value
    }, ours$search, ours$plain)
    expect_equal(unname(p), ours$p, tolerance = 0.02)
    ranks <- stored("ranks")
    ranks <- ranks[ranks$classifier == name & ranks$measure == "n_smallest", ]
    by_hand <- colMeans(t(apply(sizes, 1L, rank)))
    expect_equal(unname(by_hand[ranks$method]), ranks$ours, tolerance = 0.02)
  }
})

test_that("the paper's tables are stored whole", {
  expect_identical(dim(stored("paper-table2")), c(28L, 12L))
  expect_identical(dim(stored("paper-table3")), c(16L, 8L))
  expect_identical(nrow(stored("paper-table1")), 28L)
  # Eight ranks add up to 36, whatever is ranked.
  ranks <- stored("paper-table2")
  expect_true(all(abs(rowSums(ranks[, 4:11]) - 36) < 0.06))
})
