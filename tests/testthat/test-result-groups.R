group_names <- paste0("f", 1:12)
group_score <- withr::with_seed(1, matrix(stats::rnorm(12 * 5), 12))
rownames(group_score) <- group_names
group_set <- withr::with_seed(2, matrix(stats::runif(60) < 0.3, 12))
group_of <- c("b", "a", "b", "c", "a", "b", NA, "d", "d", "b", NA, "c")

made_selection <- function(score = group_score, set = group_set, importance = NULL) {
  selected <- methods::as(methods::as(set, "nMatrix"), "generalMatrix")
  selected <- methods::as(selected, "CsparseMatrix")
  dimnames(selected) <- list(group_names, NULL)
  new_selection(
    score, selected, c("ok", "ok", "one class", "ok", "ok"), "made",
    resamples = list(run_hash = letters[1:5], fingerprint = "print"), importance = importance
  )
}

# By hand: run by run, group by group.
by_hand <- function(score, set, columns, method, share = NULL) {
  rule <- list(max = max, mean = mean, sum = sum)[[method]]
  fill <- matrix(NA_real_, length(columns), ncol(score), dimnames = list(names(columns), NULL))
  selected <- fill > 0
  for (g in seq_along(columns)) {
    for (b in seq_len(ncol(score))) {
      seen <- columns[[g]][!is.na(score[columns[[g]], b])]
      if (length(seen) > 0) fill[g, b] <- rule(score[seen, b])
      count <- sum(set[columns[[g]], b])
      selected[g, b] <- count > 0 && (is.null(share) || count / length(seen) >= share)
    }
  }
  list(score = fill, selected = selected)
}

expect_grouped <- function(grouped, expected) {
  score <- as.matrix(grouped$score)
  expect_equal(score, expected$score)
  expect_identical(as.matrix(grouped$selected), expected$selected)
}

test_that("groups are what an enumeration makes of them", {
  columns <- list(b = c(1, 3, 6, 10), a = c(2, 5), c = c(4, 12), d = 8:9)
  for (method in c("max", "mean", "sum")) {
    for (share in list(NULL, 0.5, 1)) {
      grouped <- group_features(made_selection(), group_of, method, share)
      expect_grouped(grouped, by_hand(group_score, group_set, columns, method, share))
    }
  }
  grouped <- group_features(made_selection(), factor(group_of))
  expect_grouped(
    grouped, by_hand(group_score, group_set, columns[c("a", "b", "c", "d")], "max")
  )
  expect_s3_class(grouped, "stabilect_selection")
  expect_identical(grouped$n_total, 4L)
  expect_identical(grouped$feature_names, c("a", "b", "c", "d"))
  expect_identical(grouped$status, made_selection()$status)
  expect_identical(grouped$run_hash, letters[1:5])
  expect_identical(grouped$fingerprint, "print")
})

test_that("overlapping groups, columns in no group, names in another order", {
  lists <- list(
    one = c("f3", "f1", "f12", "not measured"), none = c("x", "y"), two = c("f12", "f3", "f3", "f8")
  )
  columns <- list(one = c(1, 3, 12), two = c(3, 8, 12))
  for (method in c("max", "mean", "sum")) {
    grouped <- group_features(made_selection(), lists, method)
    expect_grouped(grouped, by_hand(group_score, group_set, columns, method))
    kept <- group_features(made_selection(), lists, method, ungrouped = "keep")
    alone <- c(2, 4:7, 9:11)
    columns_kept <- c(columns, stats::setNames(as.list(alone), group_names[alone]))
    expect_grouped(kept, by_hand(group_score, group_set, columns_kept, method))
  }
  table <- withr::with_seed(3, sample(c(stats::setNames(group_of, group_names), other = "a")))
  in_order <- factor(group_of, unique(stats::na.omit(table[group_names])))
  expect_identical(
    group_features(made_selection(), table), group_features(made_selection(), in_order)
  )
  # Every column on its own is the selection as it was.
  own <- group_features(made_selection(), group_names)
  expect_identical(own$score, group_score)
  expect_identical(own$selected, made_selection()$selected)
})

test_that("sparse scores are as dense ones, absent entries 0", {
  sparse <- group_score * group_set
  columns <- list(b = c(1, 3, 6, 10), a = c(2, 5), c = c(4, 12), d = 8:9)
  for (values in list(sparse, abs(sparse))) {
    packed <- methods::as(methods::as(values, "generalMatrix"), "CsparseMatrix")
    for (method in c("max", "mean", "sum")) {
      grouped <- group_features(made_selection(packed), group_of, method)
      expect_s4_class(grouped$score, "dgCMatrix")
      expect_grouped(grouped, by_hand(values, group_set, columns, method))
    }
  }
  empty <- methods::as(methods::as(0 * sparse, "generalMatrix"), "CsparseMatrix")
  for (method in c("max", "mean", "sum")) {
    nothing <- group_features(made_selection(empty, group_set & FALSE), group_of, method)
    expect_identical(sum(nothing$selected), 0L)
    expect_identical(sum(nothing$score), 0)
  }
})

test_that("columns that a run did not look at do not count", {
  gaps <- group_score
  gaps[withr::with_seed(4, sample(60, 30))] <- NA
  gaps[8:9, 2] <- NA
  set <- group_set & !is.na(gaps)
  columns <- list(b = c(1, 3, 6, 10), a = c(2, 5), c = c(4, 12), d = 8:9)
  for (method in c("max", "mean", "sum")) {
    for (share in list(NULL, 0.5)) {
      grouped <- group_features(made_selection(gaps, set), group_of, method, share)
      expect_grouped(grouped, by_hand(gaps, set, columns, method, share))
    }
  }
  expect_true(is.na(grouped$score["d", 2]))
})

test_that("importance adds up over the columns", {
  weight <- abs(group_score) * group_set
  packed <- methods::as(methods::as(weight, "generalMatrix"), "CsparseMatrix")
  grouped <- group_features(made_selection(importance = packed), group_of)
  expect_equal(
    as.matrix(grouped$importance),
    rowsum(weight[!is.na(group_of), ], group_of[!is.na(group_of)])[c("b", "a", "c", "d"), ]
  )
  all <- group_features(made_selection(importance = packed), group_of, ungrouped = "keep")
  expect_equal(Matrix::colSums(all$importance), Matrix::colSums(packed))
})

test_that("stability, aggregation and pictures work on groups", {
  x <- without_copies(as.matrix(mcl_sll[, -1]))
  fit <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 15, seed = 1)
  pair <- paste0("pair", (seq_len(ncol(x)) + 1) %/% 2)
  grouped <- group_features(fit, pair)
  expect_identical(grouped, group_features(fit$selection, pair))
  # Nogueira's index of the 0/1 matrix of groups, by its formula.
  z <- t(as.matrix(fit$selection$selected) + 0)
  z <- pmax(z[, c(TRUE, FALSE)], z[, c(FALSE, TRUE)])
  k <- mean(rowSums(z)) / ncol(z)
  expected <- 1 - mean(apply(z, 2, stats::var)) / (k * (1 - k))
  expect_equal(stability(grouped, "nogueira")$table$estimate, expected)
  ranking <- aggregate(grouped, aggregate_frequency(), n_features = 4)
  expect_identical(ranking$table$frequency, unname(sort(colMeans(z), decreasing = TRUE)))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(ranking), "ggplot")
  expect_s3_class(map_picture(grouped), "ggplot")
})

test_that("copies of a column are unstable, their group is not", {
  x <- withr::with_seed(1, matrix(stats::rnorm(60 * 40), 60))
  y <- factor(rep(1:2, 30))
  x[, 1:4] <- x[, 1] + 3 * as.integer(y) + withr::with_seed(2, 0.3 * stats::rnorm(240))
  colnames(x) <- paste0("probe", 1:40)
  gene <- paste0("gene", c(1, 1, 1, 1, 2:37))
  fit <- select_ensemble(
    x, y, selector_filter("t"), resample_subsample(40), n_features = 1, seed = 1
  )
  expect_lt(stability(fit, "nogueira")$table$estimate, 0.9)
  expect_identical(stability(group_features(fit, gene), "nogueira")$table$estimate, 1)
})

named_groups <- stats::setNames(group_of, group_names)

test_that("a ranking of columns becomes one of groups", {
  ranking <- aggregate(made_selection(), aggregate_score(), n_features = 4)
  score <- stats::setNames(ranking$table$score, ranking$table$feature)[group_names]
  for (method in c("max", "mean", "sum")) {
    grouped <- group_features(ranking, named_groups, method)
    expected <- tapply(score, group_of, list(max = max, mean = mean, sum = sum)[[method]])
    expected <- sort(expected, decreasing = TRUE)
    expect_s3_class(grouped, "stabilect_ranking")
    expect_identical(grouped$table$feature, names(expected))
    expect_equal(grouped$table$score, as.vector(expected))
    expect_identical(grouped$table$rank, 1:4)
    chosen <- group_of[match(ranking$features, group_names)]
    expect_setequal(grouped$features, chosen[!is.na(chosen)])
  }
  expect_identical(grouped$n_features, length(grouped$features))
  all <- group_features(ranking, named_groups, share = 1)
  whole <- names(which(tapply(group_names %in% ranking$features, group_of, all)))
  expect_setequal(all$features, whole)
  expect_output(print(grouped), "of 4 features")
})

test_that("ties between groups of a ranking go to the best column", {
  ranking <- aggregate(made_selection(), n_features = 2)
  ranking$table$score <- 0
  first <- group_features(ranking, named_groups)$table$feature
  order <- group_of[match(ranking$table$feature, group_names)]
  expect_identical(first, unique(order[!is.na(order)]))
})

test_that("groups are checked", {
  selection <- made_selection()
  expect_refusals({
    group_features(selection, c("a", "b"))
    group_features(selection, 1:12)
    group_features(selection, c(f1 = "a", f2 = "b"))
    group_features(selection, rep(NA_character_, 12))
    group_features(selection, list(c("f1", "f2")))
    group_features(selection, list(a = "f1", a = "f2"))
    group_features(selection, list(a = 1:2))
    group_features(selection, list(a = "g1"))
    group_features(selection, list(f2 = "f1"), ungrouped = "keep")
    group_features(selection, group_of, combine = "median")
    group_features(selection, group_of, share = 0)
    group_features(diag(3) > 2, group_of)
    group_features(aggregate(selection), group_of)
  })
})
