# Groups of three, two and one, whose members are copies with noise.
grouped_x <- function(n = 40, seed = 1) {
  withr::local_seed(seed)
  base <- matrix(stats::rnorm(n * 3), n)
  x <- base[, c(1, 2, 1, 3, 2, 1)] + matrix(stats::rnorm(n * 6, sd = 0.1), n)
  colnames(x) <- paste0("g", 1:6)
  x
}

test_that("groups in the data are found, by each kind of linkage", {
  for (linkage in c("average", "complete", "single")) {
    clusters <- cluster_features(grouped_x(), linkage = linkage)
    code <- as.integer(factor(clusters$membership, unique(clusters$membership)))
    expect_identical(code, c(1L, 2L, 1L, 3L, 2L, 1L))
    expect_identical(clusters$table$size, 3:1)
    expect_identical(names(clusters$membership), paste0("g", 1:6))
    expect_true(is.na(clusters$table$mean_correlation[3]))
  }
})

test_that("clusters are those of hclust() and cutree()", {
  x <- log2(colon_genes$x)[, 1:300]
  for (signed in c(FALSE, TRUE)) {
    r <- if (signed) stats::cor(x) else abs(stats::cor(x))
    for (linkage in c("average", "single")) {
      tree <- stats::hclust(stats::as.dist(1 - r), linkage)
      for (threshold in c(0.5, 0.7, 0.9)) {
        code <- stats::cutree(tree, h = 1 - threshold)
        found <- cluster_features(x, threshold, linkage, signed)
        both <- table(code, found$membership) > 0
        expect_true(all(rowSums(both) == 1) && all(colSums(both) == 1))
        if (linkage == "single") {
          linked <- cpp_linked_columns(unit_columns(x), threshold, signed, 2L)
          expect_identical(linked, unname(match(code, code)) - 1L)
        }
      }
    }
  }
})

test_that("the representative has the largest mean correlation with the others", {
  x <- log2(colon_genes$x)[, 1:300]
  clusters <- cluster_features(x, 0.7)
  r <- abs(stats::cor(x))
  diag(r) <- 0
  for (k in which(clusters$table$size > 1L)[1:5]) {
    row <- clusters$table[k, ]
    own <- names(clusters$membership)[clusters$membership == row$cluster]
    expect_length(own, row$size)
    mean_r <- colSums(r[own, own]) / (length(own) - 1)
    expect_identical(row$representative, own[which.max(mean_r)])
    expect_equal(row$mean_correlation, mean(mean_r))
  }
})

# The parts of two divisions are the same.
expect_same_parts <- function(found, expected) {
  expect_identical(match(found, unique(found)), match(expected, unique(expected)))
}

test_that("trees by chains of neighbours are those of hclust()", {
  unit <- unit_columns(log2(colon_genes$x)[, 1:600])
  r <- crossprod(unit)
  for (signed in c(FALSE, TRUE)) {
    distances <- stats::as.dist(1 - if (signed) r else abs(r))
    for (linkage in c("average", "complete", "single")) {
      tree <- stats::hclust(distances, linkage)
      found <- cpp_cluster_tree(unit, linkage, signed, 2L)
      expect_equal(found$height, sort(tree$height), tolerance = 1e-14)
      expect_identical(cpp_cluster_tree(unit, linkage, signed, 1L), found)
      own <- list(merge = cbind(found$left, found$right), height = found$height)
      expect_setequal(leaf_order(found), seq_len(600))
      for (k in c(5, 50, 300)) {
        expect_same_parts(stats::cutree(own, k), stats::cutree(tree, k))
      }
    }
  }
})

test_that("more than 5,000 features have a tree, too, and their clusters are those of hclust()", {
  withr::local_seed(3)
  x <- matrix(stats::rnorm(20 * 5100), 20)
  # A chain over blocks: each of the copies is joined to the next.
  x[, c(1, 2000, 4000, 5100)] <- x[, 1] + outer(stats::rnorm(20), c(0, 0.2, 0.4, 0.6))
  clusters <- cluster_features(x, 0.8, n_threads = 2)
  tree <- stats::hclust(stats::as.dist(1 - abs(stats::cor(x))), "average")
  expect_same_parts(as.integer(clusters$membership), stats::cutree(tree, h = 0.2))
  expect_identical(cluster_features(x, 0.8), clusters)
  linked <- cluster_features(x, 0.95, "single")
  expect_length(unique(linked$membership[c(1, 2000, 4000, 5100)]), 1L)
  expect_s3_class(linked$tree, "hclust")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(clusters), "ggplot")
})

test_that("features without a tree of all are divided as a tree of all would divide them", {
  x <- log2(colon_genes$x)[, 1:600]
  for (linkage in c("average", "complete", "single")) {
    for (max_size in c(Inf, 5)) {
      asked <- list(threshold = 0.6, linkage = linkage, signed = FALSE, max_size = max_size)
      divided <- divide_linked(unit_columns(x), asked, 2L)
      whole <- cluster_features(x, 0.6, linkage, max_size = max_size)
      expect_same_parts(divided, as.integer(whole$membership))
    }
  }
  skip_if_not_installed("ggplot2")
  clusters <- cluster_features(x)
  clusters["tree"] <- list(NULL)
  expect_error(ggplot2::autoplot(clusters), "no tree", class = "stabilect_error_input")
})

test_that("negative correlations, copies and constants", {
  x <- grouped_x()
  x <- cbind(x, minus = -x[, 1], same = x[, 2], one = 1, other = 2)
  wide <- cluster_features(x, 1)
  expect_identical(unname(wide$membership["minus"]), unname(wide$membership["g1"]))
  expect_identical(unname(wide$membership["same"]), unname(wide$membership["g2"]))
  expect_identical(sum(wide$table$size == 2L), 2L)
  expect_identical(wide$table$size[wide$table$representative %in% c("one", "other")], c(1L, 1L))
  apart <- cluster_features(x, 1, signed = TRUE)
  expect_identical(apart$table$size[apart$table$representative == "minus"], 1L)
  expect_identical(cluster_features(x[, 1, drop = FALSE])$table$size, 1L)
})

test_that("runs of features become runs of clusters", {
  x <- grouped_x()
  y <- x[, 1] + x[, 4] + withr::with_seed(2, stats::rnorm(40))
  fit <- select_ensemble(x, y, selector_filter("pearson"), n_features = 2, seed = 1)
  clusters <- cluster_features(x)
  grouped <- group_features(fit, clusters)
  expect_identical(grouped$feature_names, levels(clusters$membership))
  selection <- as_selection(fit)
  any_of <- colSums(as.matrix(selection$selected)[c(1, 3, 6), ]) > 0
  expect_identical(unname(as.matrix(grouped$selected)[1, ]), unname(any_of))
})

test_that("bad input is refused, naming the argument", {
  x <- grouped_x()
  refused <- function(call, what) expect_error(call, what, class = "stabilect_error_input")
  refused(cluster_features(x, 0), "threshold")
  refused(cluster_features(x, 1.2), "threshold")
  refused(cluster_features(x, linkage = "ward"), "linkage")
  refused(cluster_features(x, signed = NA), "signed")
  refused(cluster_features(replace(x, 5, NA)), "x")
  refused(cluster_features(x[1:2, ]), "x")
  refused(cluster_features("a"), "x")
})

test_that("print and pictures", {
  x <- log2(colon_genes$x)[, 1:300]
  clusters <- cluster_features(x, 0.7)
  expect_output(print(clusters, n = 2), "300 features\naverage linkage")
  expect_output(print(clusters, n = 2), "\\.\\.\\. [0-9]+ more")
  expect_output(print(cluster_features(matrix(c(1, 2, 4, 1, -1, 1), 3))), "0 of them")
  expect_identical(as.data.frame(clusters), clusters$table)
  skip_if_not_installed("ggplot2")
  sizes <- ggplot2::autoplot(clusters)$data
  expect_identical(sizes$value[sizes$threshold == 0.7][1], nrow(clusters$table))
  runs <- select_ensemble(
    x, colon_genes$y, selector_filter("t"), resample_subsample(20), n_features = 10, seed = 1
  )
  shown <- ggplot2::autoplot(clusters, runs, n_clusters = 3)$data
  at <- shown[shown$threshold == 0.7, ]
  frequency <- Matrix::rowMeans(group_features(runs, clusters)$selected)
  expect_equal(sort(at$frequency), sort(unname(frequency), decreasing = TRUE)[3:1])
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_error(plot(clusters, runs))
})

test_that("clusters above a size are divided into the largest branches that have it", {
  x <- log2(colon_genes$x)[, 1:300]
  for (linkage in c("average", "single")) {
    tree <- stats::hclust(stats::as.dist(1 - abs(stats::cor(x))), linkage)
    # Every branch of the tree, by cutting it everywhere.
    branches <- unlist(lapply(c(0, tree$height), function(h) {
      split(seq_len(300), stats::cutree(tree, h = h))
    }), recursive = FALSE)
    heights <- lapply(c(0, tree$height), function(h) rep(h, max(stats::cutree(tree, h = h))))
    fits <- unlist(heights) <= 0.5 & lengths(branches) <= 20
    largest <- character(300)
    # The last branch that a feature is written by is the largest one.
    for (own in branches[fits][order(lengths(branches[fits]))]) {
      largest[own] <- paste(own, collapse = " ")
    }
    capped <- cluster_features(x, 0.5, linkage, max_size = 20)
    expect_identical(
      match(largest, unique(largest)),
      match(capped$membership, unique(capped$membership))
    )
    expect_lte(max(capped$table$size), 20L)
    expect_match(capture_output(print(capped)), "0.5, up to 20 features")
    expect_identical(
      nlevels(cluster_features(x, 0.5, linkage, max_size = 300)$membership),
      max(stats::cutree(tree, h = 0.5))
    )
  }
  expect_error(
    cluster_features(x, max_size = 0), "`max_size`", class = "stabilect_error_input"
  )
})

test_that("more features than a tree is made for are divided, too", {
  withr::local_seed(3)
  x <- matrix(stats::rnorm(20 * 5100), 20)
  x[, 1:5] <- x[, 1] + outer(stats::rnorm(20), c(0, 0.01, 0.02, 0.2, 0.21))
  whole <- cluster_features(x, 0.95)
  expect_identical(whole$table$size[1], 5L)
  divided <- cluster_features(x, 0.95, max_size = 3)
  expect_identical(divided$table$size[1:2], 3:2)
  expect_identical(as.integer(divided$membership[1:5]), c(1L, 1L, 1L, 2L, 2L))
})
