# fealect() on clusters of features.

lymphoma_x <- as.matrix(mcl_sll[, -1])
lymphoma_y <- mcl_sll$MCL
ns <- asNamespace("stabilect")
by_name <- function(table) table[order(table$feature), ]

grouped_data <- function() {
  withr::with_seed(1, {
    common <- matrix(stats::rnorm(40 * 6), 40)
    x <- common[, rep(1:6, each = 3)] + 0.5 * matrix(stats::rnorm(40 * 18), 40)
    colnames(x) <- paste0("g", 1:18)
    y <- 2 * (common[, 1] - common[, 4]) + stats::rnorm(40)
    list(x = x, y = y, clusters = rep(letters[1:6], each = 3))
  })
}

# The scores of a run from its models, one after the other.
plain_scores <- function(path, clusters, largest = Inf) {
  cluster <- stats::setNames(numeric(nlevels(clusters)), levels(clusters))
  feature <- stats::setNames(numeric(length(clusters)), names(clusters))
  met <- integer()
  for (end in path$end) {
    event <- path$event[seq_len(end)]
    # Those whose last event is an entry.
    model <- abs(event)[event > 0 & !duplicated(abs(event), fromLast = TRUE)]
    own <- unique(as.character(clusters[model]))
    k <- length(own)
    if (k == 0 || k > largest || k %in% met) next
    met <- c(met, k)
    cluster[own] <- cluster[own] + 1 / k
    feature[model] <- feature[model] + 1 / k
  }
  list(cluster = cluster, feature = feature)
}

test_that("a cluster scores by the models that hold one of its features", {
  data <- grouped_data()
  for (largest in list(NULL, 3)) {
    fit <- fealect(
      data$x, data$y, n_runs = 12, seed = 1, clusters = data$clusters, max_features = largest
    )
    clusters <- fit$study$roles$clusters
    plain <- lapply(1:12, function(b) {
      plain_scores(ns$path_of_run(fit$paths, b), clusters, if (is.null(largest)) Inf else largest)
    })
    score <- vapply(plain, `[[`, numeric(6), "cluster")
    expect_equal(as.matrix(fit$selection$score), score, ignore_attr = TRUE)
    member <- vapply(plain, `[[`, numeric(18), "feature")
    expect_equal(as.matrix(fit$member_selection$score), member, ignore_attr = TRUE)
    expect_identical(as.matrix(fit$selection$selected), score > 0, ignore_attr = TRUE)
    expect_identical(as.matrix(fit$member_selection$selected), member > 0, ignore_attr = TRUE)
    at <- match(fit$table$feature, levels(clusters))
    expect_equal(fit$table$score, rowMeans(score)[at], ignore_attr = TRUE)
    expect_equal(fit$table$frequency, rowMeans(score > 0)[at], ignore_attr = TRUE)
    expect_equal(fit$members$frequency, rowMeans(member > 0), ignore_attr = TRUE)
    best <- vapply(split(1:18, clusters), function(own) {
      names(clusters)[own[which.max(rowMeans(member > 0)[own])]]
    }, "")
    expect_identical(fit$table$representative, unname(best[fit$table$feature]))
  }
  # Three clusters have nine features: some models hold more than three.
  expect_gt(max(Matrix::colSums(fit$member_selection$selected)), 3)
  expect_lte(max(Matrix::colSums(fit$selection$selected)), 6)
})

test_that("a size counts once, and not when several clusters enter together beyond the limit", {
  # Sizes 1, 2, 1, 2, 4.
  units <- list(
    event = c(1L, 2L, -1L, 3L, 1L, 4L), event_end = c(1:4, 6L), run_events = 6L, run_steps = 5L
  )
  # Models of one and two clusters count, and that of four: 1, 1 / 2 and 1 / 4.
  whole <- ns$cpp_score_models(units, units, -1L)
  expect_identical(whole$i, 0:3)
  expect_equal(whole$x, c(1 + 1 / 2 + 1 / 4, 1 / 2 + 1 / 4, 1 / 4, 1 / 4))
  expect_equal(ns$cpp_score_models(units, units, 3L)[c("i", "x")], list(i = 0:1, x = c(1.5, 0.5)))
})

test_that("clusters of one feature each give what features give", {
  plain <- fealect(lymphoma_x, lymphoma_y, n_runs = 20, seed = 1)
  names <- colnames(lymphoma_x)
  fit <- fealect(
    lymphoma_x, lymphoma_y, n_runs = 20, seed = 1, clusters = stats::setNames(as.list(names), names)
  )
  own <- setdiff(names(plain$table), c("above_cut", "copies"))
  expect_equal(by_name(fit$table)[own], by_name(plain$table)[own], ignore_attr = TRUE)
  expect_setequal(fit$features, plain$features)
  expect_equal(fit$oob$error, plain$oob$error)
  expect_equal(coef(fit)[names(coef(plain))], coef(plain))
  expect_true(all(fit$table$size == 1L) && all(fit$table$representative == fit$table$feature))
})

test_that("the error rests on features that were chosen without the sample", {
  data <- grouped_data()
  fit <- fealect(data$x, data$y, n_runs = 15, seed = 1, clusters = data$clusters, max_features = 3)
  clusters <- fit$study$roles$clusters
  counts <- fit$resamples$counts
  sets <- rep(list(6:1), 40)
  found <- ns$represent_left_out(sets, fit$member_selection, clusters, counts)
  for (i in 1:40) {
    runs <- which(counts[i, ] == 0)
    votes <- Matrix::rowSums(fit$member_selection$selected[, runs, drop = FALSE])
    wanted <- vapply(6:1, function(k) {
      own <- 3 * k - 2:0
      own[which.max(votes[own])]
    }, 0)
    expect_equal(found[[i]], wanted)
  }
  # Not the same features for all samples.
  expect_gt(length(unique(found)), 1)
  expect_lt(fit$oob$error, fit$oob$baseline / 2)
  expect_true(all(fit$model$features %in% fit$table$representative))
  expect_length(predict(fit, data$x[1:3, ]), 3)
})

test_that("clusters go through merging, threads, stages and other verbs", {
  data <- grouped_data()
  run <- function(...) {
    fealect(data$x, data$y, clusters = data$clusters, n_boot = 0, ...)
  }
  draws <- draw_resamples(resample_pairs(6), data$y, seed = 2)
  first <- run(resampling = draws[1:6])
  both <- run(resampling = c(draws[1:6], draws[7:12]))
  merged <- merge_runs(first, run(resampling = draws[7:12]), x = data$x, y = data$y)
  expect_identical(merged$table, both$table)
  expect_identical(merged$members, both$members)
  expect_identical(merged$oob, both$oob)
  other <- fealect(
    data$x, data$y, clusters = rep(letters[1:6], 3), n_boot = 0, resampling = draws[7:12]
  )
  expect_error(c(first, other), "clusters", class = "stabilect_error_merge")
  expect_identical(run(n_runs = 8, seed = 1, n_threads = 2), run(n_runs = 8, seed = 1))
  whole <- run(resampling = draws)
  fresh <- stability_selection(
    data$x, data$y, q = 2, cutoff = 0.9, resampling = draws, clusters = data$clusters, permute = 0
  )
  again <- stability_selection(whole, q = 2, cutoff = 0.9)
  expect_identical(again$table, fresh$table)
  expect_identical(again$bound, fresh$bound)
  expect_error(stability_selection(whole, fdr = 0.1), "`clusters` do not go with")
  expect_error(
    stability_selection(run(resampling = draws, max_features = 1), q = 2, cutoff = 0.9), "1 cluster"
  )
})

test_that("permutations are of clusters", {
  data <- grouped_data()
  fit <- fealect(
    data$x, data$y, n_runs = 10, n_boot = 0, clusters = data$clusters, permute = 19, seed = 1
  )
  expect_setequal(names(fit$null$observed), letters[1:6])
  expect_identical(nrow(fit$null$curve), 6L)
  expect_true(fit$table$p_fwer[1] <= 0.1)
})

test_that("prints and pictures speak of clusters", {
  data <- grouped_data()
  fit <- fealect(data$x, data$y, n_runs = 15, seed = 1, clusters = data$clusters, max_features = 4)
  text <- printed_words(fit)
  expect_match(text, "List 4 clusters in at least half of the runs")
  expect_match(text, "the final model represents each cluster by its most frequent feature")
  expect_match(text, "cluster outcome +score frequency size +members")
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(fit, type = "frequency")
  expect_identical(picture$labels$x, "Clusters in the model (k)")
  units <- ns$cluster_paths(fit$paths, fit$study$roles$clusters)
  expect_equal(
    picture$data$frequency[picture$data$size == 2],
    ns$cpp_frequency_by_size(
      units, match(unique(picture$data$feature), letters[1:6]), 2L, "size"
    )[, 2]
  )
  scores <- ggplot2::autoplot(fit)
  expect_match(scores$labels$title, "cluster")
  expect_identical(scores$labels$x, "Rank of the cluster")
  expect_s3_class(ggplot2::ggplot_build(scores), "ggplot_built")
})

test_that("without a cut the print says so in clusters", {
  data <- grouped_data()
  fit <- fealect(data$x, data$y, n_runs = 5, seed = 1, clusters = data$clusters, oob = FALSE)
  text <- printed_words(fit)
  expect_match(text, "FeaLect: clusters scored by lasso paths")
  expect_match(text, "the score curve gives no cut: ")
  expect_match(text, "List 2 clusters with at least half of the best score")
  expect_match(text, "only 6 clusters have a positive score")
})

test_that("clusters are checked, and steps are not counted in them", {
  data <- grouped_data()
  refused <- function(pattern, ...) {
    expect_error(fealect(data$x, data$y, n_runs = 5, ...), pattern, class = "stabilect_error_input")
  }
  refused("counts the steps", clusters = data$clusters, score_rule = "step")
  refused("clusters", clusters = 1:3)
  refused("All 18 features", clusters = rep("a", 18))
})
