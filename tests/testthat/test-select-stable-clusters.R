# Ten groups of three features that are nearly copies, and ten features alone.
clustered_data <- function(n = 50) {
  withr::local_seed(4)
  base <- matrix(stats::rnorm(n * 20), n)
  x <- base[, c(rep(1:10, each = 3), 11:20)] + matrix(stats::rnorm(n * 40, sd = 0.4), n)
  x[, 2] <- -x[, 2]
  colnames(x) <- paste0("g", 1:40)
  list(
    x = x, y = base[, 1] + base[, 2] + stats::rnorm(n),
    labels = c(rep(letters[1:10], each = 3), rep(NA, 10))
  )
}
d <- clustered_data()
clusters_named <- split(colnames(d$x), d$labels)

select_grouped <- function(..., clusters = d$labels, q = 5, cutoff = 0.9, permute = 0) {
  stability_selection(
    d$x, d$y, q = q, cutoff = cutoff, n_pairs = 15, seed = 1, clusters = clusters,
    permute = permute, ...
  )
}

test_that("with clusters of one feature it is stability selection", {
  plain <- stability_selection(d$x, d$y, q = 5, cutoff = 0.9, n_pairs = 15, seed = 1)
  alone <- select_grouped(clusters = colnames(d$x))
  shared <- setdiff(names(plain$table), "feature")
  expect_identical(alone$table[shared], plain$table[shared])
  expect_identical(alone$paths, plain$paths)
  expect_identical(alone$bound$pfer, plain$bound$pfer)
})

# The features that are active in each step, from the coefficients at its two ends, with the lambda
# at its start and the number of clusters that they meet.
walk_path <- function(samples, code) {
  path <- lars_path(d$x[samples, ], d$y[samples])
  beta <- coef(path)
  active <- beta[, -ncol(beta)] + beta[, -1] != 0
  list(
    active = active, lambda = path$lambda,
    met = apply(active, 2, function(own) length(unique(code[own])))
  )
}

test_that("a run takes the first model that meets q clusters", {
  fit <- select_grouped()
  expect_identical(fit$bound$n_total, 20L)
  expect_equal(fit$bound$pfer, error_bound(20, q = 5, cutoff = 0.9, n_pairs = 15)$pfer)
  code <- ifelse(is.na(d$labels), colnames(d$x), d$labels)
  for (b in c(1, 7, 30)) {
    path <- walk_path(fit$resamples$counts[, b] > 0, code)
    set <- which(path$active[, which(path$met == 5)[1]])
    expect_identical(which(fit$member_selection$selected[, b]), set)
    expect_setequal(names(which(fit$selection$selected[, b])), unique(code[set]))
  }
})

test_that("clusters come in any form", {
  fit <- select_grouped()
  expect_identical(select_grouped(clusters = clusters_named)$table, fit$table)
  number <- match(d$labels, letters)
  expect_identical(
    select_grouped(clusters = stats::setNames(number, colnames(d$x)))$table$frequency,
    fit$table$frequency
  )
  found <- cluster_features(d$x, 0.7)
  by_found <- select_grouped(clusters = found)
  expect_identical(by_found$table$frequency, fit$table$frequency)
  # Clusters of equal frequency go by lot of their names, which differ here.
  sizes <- function(fit) fit$table$size[order(-fit$table$frequency, fit$table$size)]
  expect_identical(sizes(by_found), sizes(fit))
  shuffled <- sample(stats::setNames(d$labels, colnames(d$x)))
  expect_identical(
    select_grouped(clusters = shuffled)$table$frequency, fit$table$frequency
  )
})

test_that("proportions, weights and representatives are those of cssr", {
  cssr <- readRDS(test_path("fixtures", "cssr.rds"))
  names <- colnames(cssr$x)
  by_name <- lapply(cssr$clusters, function(own) names[own])
  clusters <- check_clusters(by_name, names)
  features <- as_selection(apply(cssr$selected > 0, 1, which), n_total = 12, feature_names = names)
  proportions <- Matrix::rowMeans(select_clusters(features, clusters)$selected)
  expect_equal(proportions, cssr$proportions)
  record <- list(
    feature_names = names, scaling = data.frame(mean = rep(0, 12), sd = 1, sign = 1)
  )
  result <- structure(
    list(
      members = member_table(record, features, clusters),
      features = names(which(proportions >= cssr$cutoff)),
      study = c(record, list(roles = list(clusters = clusters)))
    ),
    class = "stabilect_stability_selection"
  )
  for (how in c("weighted", "simple", "best")) {
    answer <- cssr$answers[[how]]
    weight <- weigh_members(result$members$frequency, clusters, how)
    for (name in names(by_name)) {
      expect_equal(weight[cssr$clusters[[name]]], unname(answer$weights[[name]]))
    }
    expect_equal(predict(result, cssr$x, member_weights = how), answer$design)
  }
})

test_that("predict() has a column for each stable cluster, of new samples too", {
  fit <- select_grouped(cutoff = 0.8)
  expect_true(all(c("a", "b") %in% selected(fit)))
  z <- predict(fit, d$x, "simple")
  expect_identical(colnames(z), selected(fit))
  scaled <- scale(d$x)
  # The second feature of the first cluster runs against the others.
  expect_equal(abs(z[, "a"]), abs(scaled[, 1] - scaled[, 2] + scaled[, 3]) / 3)
  best <- fit$table$representative[fit$table$feature == "b"]
  expect_equal(abs(predict(fit, d$x, "best")[, "b"]), abs(scaled[, best]))
  expect_equal(predict(fit, d$x[7, , drop = FALSE], "simple"), z[7, , drop = FALSE])
  model <- fit_model(predict(fit, d$x), d$y)
  expect_gt(stats::cor(predict(model, predict(fit, d$x)), d$y), 0.7)
  expect_error(predict(fit, d$x[, -1]), "lacks 1 of", class = "stabilect_error_input")
  expect_error(predict(fit), "newdata", class = "stabilect_error_input")
  expect_error(predict(fit, d$x, "mean"), "member_weights", class = "stabilect_error_input")
  none <- select_grouped(q = 2, cutoff = 1)
  none$features <- character()
  expect_identical(dim(predict(none, d$x)), c(50L, 0L))
  plain <- stability_selection(d$x, d$y, q = 5, cutoff = 0.9, n_pairs = 5, seed = 1)
  expect_error(predict(plain, d$x), "no clusters", class = "stabilect_error_input")
})

test_that("the table says what is in a cluster", {
  fit <- select_grouped()
  expect_equal(as.vector(rowsum(fit$members$weight, fit$members$cluster)), rep(1, 20))
  first <- fit$table[fit$table$feature == "a", ]
  own <- fit$members[fit$members$cluster == "a", ]
  expect_identical(first$size, 3L)
  expect_identical(first$representative, own$feature[which.max(own$frequency)])
  expect_match(first$members, sprintf("%s %.2f", first$representative, max(own$weight)))
  expect_equal(
    own$frequency, unname(Matrix::rowMeans(fit$member_selection$selected[own$feature, ]))
  )
  together <- colSums(as.matrix(fit$member_selection$selected[own$feature, ])) > 0
  expect_equal(first$frequency, mean(together))
})

test_that("a result asked again, or merged, is that of all runs at once", {
  fit <- select_grouped(q = 8)
  expect_identical(stability_selection(fit, q = 5, cutoff = 0.9)$table, select_grouped()$table)
  expect_error(stability_selection(fit, q = 12, cutoff = 0.95), "at most 8 clusters")
  draws <- lapply(1:2, function(seed) draw_resamples(resample_pairs(6), n = 50, seed = seed))
  part <- function(resampling) {
    stability_selection(
      d$x, d$y, q = 5, cutoff = 0.9, resampling = resampling, clusters = d$labels, permute = 0
    )
  }
  merged <- c(part(draws[[1]]), part(draws[[2]]))
  whole <- part(c(draws[[1]], draws[[2]]))
  expect_identical(merged[c("table", "members", "bound")], whole[c("table", "members", "bound")])
  other <- stability_selection(
    d$x, d$y, q = 5, cutoff = 0.9, resampling = draws[[2]], permute = 0,
    clusters = replace(d$labels, c(2, 5), c("b", "a"))
  )
  expect_error(c(part(draws[[1]]), other), "clusters", class = "stabilect_error_merge")
})

test_that("threads, checkpoints and blocks change nothing", {
  fit <- select_grouped(permute = 3)
  expect_identical(select_grouped(permute = 3, n_threads = 2)[1:9], fit[1:9])
  file <- withr::local_tempfile()
  expect_identical(select_grouped(checkpoint = file)$table$frequency, fit$table$frequency)
  expect_identical(select_grouped(checkpoint = file)$table$frequency, fit$table$frequency)
})

test_that("other likelihoods stop at q clusters, too", {
  y <- factor(d$y > 0)
  fit <- stability_selection(
    d$x, y, q = 4, cutoff = 0.9, n_pairs = 8, seed = 1, clusters = d$labels, permute = 2,
    family = "binomial", covariates = data.frame(age = seq_len(50))
  )
  expect_true(all(Matrix::colSums(fit$selection$selected) <= 4))
  # A path that goes further has the same models up to there.
  longer <- stability_selection(
    d$x, y, q = 9, cutoff = 0.9, n_pairs = 8, seed = 1, clusters = d$labels, permute = 0,
    family = "binomial", covariates = data.frame(age = seq_len(50)), assumption = "none"
  )
  expect_identical(
    stability_selection(longer, q = 4, cutoff = 0.9)$table$frequency, fit$table$frequency
  )
  expect_true(all(fit$null$observed >= 0) && length(fit$null$observed) == 20L)
})

test_that("what permutations name is what the procedure names on permuted responses", {
  fit <- select_grouped(permute = 5)
  arranged <- draw_arrangements(
    list(response = new_response("numeric", d$y)), NULL, 5L, fit$made$seed
  )
  named <- vapply(arranged$orders, function(order) {
    again <- stability_selection(
      d$x, d$y[order], q = 5, cutoff = 0.9, n_pairs = 15, seed = 1, clusters = d$labels,
      permute = 0
    )
    length(again$features)
  }, 0L)
  expect_equal(fit$null$named, named)
})

test_that("the statistic of a cluster is the mean penalty at which its first feature enters", {
  fit <- select_grouped(permute = 2)
  code <- ifelse(is.na(d$labels), colnames(d$x), d$labels)
  counts <- fit$resamples$counts
  entry <- vapply(seq_len(ncol(counts)), function(b) {
    samples <- counts[, b] > 0
    path <- walk_path(samples, code)
    step <- which(colSums(path$active[code == "a", ]) > 0 & cummax(path$met) <= 5)[1]
    norm <- sqrt(sum((d$y[samples] - mean(d$y[samples]))^2))
    if (is.na(step)) 0 else path$lambda[step] / norm
  }, 0)
  expect_equal(fit$null$observed[["a"]], mean(entry))
})

test_that("the bound fails for huge clusters of the colon data, and the print says so first", {
  x <- log2(colon_genes$x)
  of_size <- function(max_size) {
    stability_selection(
      x, colon_genes$y, q = 10, pfer = 1, seed = 1,
      clusters = cluster_features(x, 0.6, max_size = max_size)
    )
  }
  huge <- of_size(Inf)
  expect_identical(max(huge$table$size), 427L)
  expect_equal(mean(huge$null$named), 2.15)
  expect_match(capture_output(print(huge)), "Caution +on 20 permutations .*does\\s+not\\s+hold")
  expect_match(capture_output(print(huge)), "a\\s+cutoff\\s+of\\s+0.87\\s+would\\s+keep")
  capped <- of_size(100)
  expect_lte(max(capped$table$size), 100L)
  expect_equal(mean(capped$null$named), 0.15)
  expect_match(capture_output(print(capped)), "List +3 of 173 clusters, each in at least")
})

test_that("damaged clusters are refused", {
  refused <- function(pattern, ..., class = "stabilect_error_input") {
    expect_error(select_grouped(...), pattern, class = class)
  }
  refused("All 40 features are in one of the `clusters`", clusters = rep("a", 40))
  refused("`q` is 21, but there are only 20 clusters", q = 21)
  refused("has 39 entries, but there are 40 columns", clusters = d$labels[-1])
  refused("None of the|different name", clusters = list(c("g1", "g2")))
  refused("\"g2\" is in two of the `clusters`: \"a\" and \"b\"", clusters = list(
    a = c("g1", "g2"), b = c("g2", "g3")
  ))
  refused("must be a factor, a character vector or a named list", clusters = TRUE)
  refused("counts the steps of a path, not `clusters`", score_rule = "step")
  refused("No bound holds|No cutoff", q = 15, cutoff = 0.6, class = "stabilect_error_bound")
  expect_error(
    evaluate_replication(select_grouped(), d$x, d$y, n_pairs = 2, n_features = 2),
    "selects clusters", class = "stabilect_error_input"
  )
})

test_that("pictures, reports and tidy tables are about clusters", {
  fit <- select_grouped(permute = 3)
  skip_if_not_installed("generics")
  skip_if_not_installed("ggplot2")
  expect_s3_class(tidy <- generics::tidy(fit), "data.frame")
  expect_identical(nrow(tidy), 20L)
  expect_match(ggplot2::autoplot(fit)$labels$title, "stable cluster")
  expect_match(ggplot2::autoplot(fit, type = "paths")$labels$x, "Clusters in the model")
  file <- withr::local_tempfile(fileext = ".html")
  write_report(fit, file)
  expect_match(paste(readLines(file), collapse = " "), "20 clusters of features were selected")
})
