# Ten features: the second and third are copies of the first with noise, turned around in one case,
# and the runs take one of the three; the fourth is like the first, but selected with it.
exchanged <- withr::with_seed(5, {
  base <- stats::rnorm(40)
  x <- matrix(stats::rnorm(40 * 10), 40, dimnames = list(paste0("s", 1:40), paste0("g", 1:10)))
  x[, 1:4] <- base + 0.4 * x[, 1:4]
  x[, 3] <- -x[, 3]
  z <- matrix(stats::rbinom(60 * 10, 1, 0.3), 60)
  z[, 1:3] <- 0
  z[cbind(1:60, rep(c(1, 1, 1, 2, 2, 3), 10))] <- 1
  z[1:4, 2] <- 1
  z[, 4] <- z[, 1]
  list(x = x, z = z, runs = as_selection(z, feature_names = colnames(x)))
})

test_that("substitutes are correlated, and selected instead", {
  found <- substitutes(exchanged$runs, exchanged$x, "g1", threshold = 0.6)
  expect_identical(found$table$substitute, c("g2", "g3"))
  expect_equal(found$table$correlation, stats::cor(exchanged$x)[2:3, 1], ignore_attr = TRUE)
  expect_lt(found$table$correlation[2], 0)
  expect_identical(found$features$n_substitutes, 2L)
  expect_equal(found$features$together, mean(rowSums(exchanged$z[, 1:3]) > 0))
  wider <- substitutes(exchanged$runs, exchanged$x, "g1", threshold = 1e-9, max_p = 1)
  own <- exchanged$z[, 1] == 1
  instead <- colMeans(exchanged$z[own, ]) < colMeans(exchanged$z[!own, ])
  expect_setequal(wider$table$substitute, colnames(exchanged$x)[instead])
  expect_false("g4" %in% wider$table$substitute)
})

test_that("shares and p values are those of the two-way table of the runs", {
  found <- substitutes(exchanged$runs, exchanged$x, threshold = 1e-9, max_p = 1)$table
  expect_gt(nrow(found), 20)
  for (i in seq_len(nrow(found))) {
    row <- found[i, ]
    one <- exchanged$z[, match(row$feature, colnames(exchanged$x))] == 1
    other <- exchanged$z[, match(row$substitute, colnames(exchanged$x))] == 1
    expect_equal(row$frequency, mean(other))
    expect_equal(row$share_with, mean(other[one]))
    expect_equal(row$share_without, mean(other[!one]))
    expect_equal(row$exclusive, sum(one != other) / sum(one | other))
    fisher <- stats::fisher.test(factor(one, c(FALSE, TRUE)), factor(other), alternative = "less")
    expect_equal(row$p_value, fisher$p.value)
  }
  # The smallest first, feature by feature.
  expect_false(any(vapply(split(found$p_value, found$feature), is.unsorted, NA)))
})

test_that("features come from the result, or are the most frequent of the runs", {
  x <- log2(colon_genes$x)
  fit <- stability_selection(x, colon_genes$y, q = 10, pfer = 1, n_pairs = 60, seed = 1)
  found <- substitutes(fit, x)
  expect_identical(found$features$feature, selected(fit))
  expect_gt(nrow(found$table), 0)
  expect_true(all(abs(found$table$correlation) >= 0.7 & found$table$p_value <= 0.05))
  often <- substitutes(fit$selection, x)$features
  frequency <- sort(Matrix::rowMeans(fit$selection$selected), decreasing = TRUE)
  expect_equal(often$frequency, unname(frequency[1:10]))
  # By name or position, with columns in any order, and of other forms of the data.
  by_name <- substitutes(fit, x, often$feature[3:2])
  expect_identical(by_name$features$feature, often$feature[3:2])
  by_number <- substitutes(fit, x, match(often$feature[3:2], colnames(x)))
  expect_identical(by_number, by_name)
  shuffled <- x[, rev(colnames(x))]
  expect_equal(substitutes(fit, shuffled), found)
  expect_identical(substitutes(fit, prepare_study(x, colon_genes$y)), found)
  expect_equal(substitutes(fit, as.data.frame(x)), found)
  expect_identical(substitutes(fit, unname(x)), found)
})

test_that("nothing is selected instead of a feature of every run, or of no run", {
  z <- cbind(1, exchanged$z[, -1])
  z[, 10] <- 0
  runs <- as_selection(z, feature_names = colnames(exchanged$x))
  found <- substitutes(runs, exchanged$x, c("g1", "g10"), threshold = 1e-9, max_p = 1)
  expect_identical(nrow(found$table), 0L)
  expect_named(found$table, names(substitutes(exchanged$runs, exchanged$x)$table))
  expect_identical(found$features$frequency, c(1, 0))
  expect_identical(found$features$together, c(1, 0))
  expect_false("g10" %in% substitutes(runs, exchanged$x, threshold = 1e-9)$features$feature)
  # A constant column is like no other.
  flat <- replace(exchanged$x, cbind(1:40, 2), 1)
  expect_identical(substitutes(exchanged$runs, flat, "g1", 0.6)$table$substitute, "g3")
  nothing <- as_selection(list(integer(), integer(), integer()), feature_names = colnames(flat))
  none <- substitutes(nothing, flat)
  expect_identical(dim(none$features), c(0L, 4L))
  expect_output(print(none), "no feature is selected")
})

test_that("runs that did not look at a feature do not count for it", {
  x <- as.matrix(mcl_sll[, 2:31])
  fit <- select_ensemble(
    x, mcl_sll$MCL, selector_filter("t"), resample_subsample(60), n_features = 5, subspace = 0.5,
    seed = 3
  )
  found <- substitutes(fit, x, threshold = 0.1, max_p = 1)
  expect_gt(nrow(found$table), 3)
  seen <- !is.na(fit$selection$score)
  one <- found$table$feature[1]
  all <- c(one, found$table$substitute[found$table$feature == one])
  expect_equal(
    found$features$together[found$features$feature == one],
    mean(Matrix::colSums(fit$selection$selected[all, seen[one, ]]) > 0)
  )
  selected <- as.matrix(fit$selection$selected)
  for (i in seq_len(nrow(found$table))) {
    row <- found$table[i, ]
    both <- seen[row$feature, ] & seen[row$substitute, ]
    one <- selected[row$feature, both]
    other <- selected[row$substitute, both]
    expect_equal(row$share_with, mean(other[one]))
    expect_equal(row$share_without, mean(other[!one]))
    fisher <- stats::fisher.test(one, other, alternative = "less")
    expect_equal(row$p_value, fisher$p.value)
  }
})

test_that("with clusters it counts clusters, correlated as predict() makes them", {
  x <- log2(colon_genes$x)
  clusters <- cluster_features(x, 0.7)
  fit <- stability_selection(
    x, colon_genes$y, q = 10, pfer = 1, clusters = clusters, permute = 0, seed = 1
  )
  found <- substitutes(fit, x, threshold = 0.5)
  expect_identical(found$features$feature, selected(fit))
  expect_gt(nrow(found$table), 0)
  all <- fit
  all$features <- unique(c(found$table$feature, found$table$substitute))
  r <- stats::cor(predict(all, x))
  expect_equal(found$table$correlation, r[cbind(found$table$feature, found$table$substitute)])
  expect_output(print(found), "clusters")
  expect_error(substitutes(fit, x, "Hsa.8147"), "no cluster for", class = "stabilect_error_input")
  members <- substitutes(fit$member_selection, x)
  expect_true(all(members$table$substitute %in% colnames(x)))
})

test_that("bad input is refused, naming the argument", {
  refused <- function(pattern, ...) {
    arguments <- utils::modifyList(list(object = exchanged$runs, x = exchanged$x), list(...))
    error <- expect_error(do.call(substitutes, arguments), class = "stabilect_error_input")
    expect_match(cli::ansi_strip(conditionMessage(error)), pattern)
  }
  refused("`features` has 1 value that `object` has no feature for: \"h\"", features = c("g1", "h"))
  refused("`object` has 10 features", features = 11)
  refused("twice, the second time at position 2", features = c("g1", "g1"))
  refused("`threshold`", threshold = 0)
  refused("`max_p`", max_p = 2)
  refused("`x` must have 10 columns", x = exchanged$x[, 1:9])
  refused("none is that of feature \"g2\"", x = {
    y <- exchanged$x
    colnames(y)[2] <- "other"
    y
  })
  refused("missing value", x = replace(exchanged$x, 7, NA))
  refused("at least 3 rows", x = exchanged$x[1:2, ])
  refused("at least 3 successful runs", object = exchanged$runs[1:2])
})

test_that("print and picture say who stands for whom", {
  found <- substitutes(exchanged$runs, exchanged$x, c("g1", "g5"), threshold = 0.6)
  printed <- capture_output(print(found))
  expect_match(printed, "g1 (or one of 2 that stand for it): g2 (r 0.", fixed = TRUE)
  expect_match(printed, "1 of 2 features with substitutes", fixed = TRUE)
  long <- exchanged$x
  colnames(long) <- paste0("hsa-miR-", 1:10, "|ENSG0000010|a long description of it")
  runs <- as_selection(exchanged$z, feature_names = colnames(long))
  many <- substitutes(runs, long, threshold = 1e-9, max_p = 1)
  expect_lte(max(nchar(capture.output(print(many)))), 80)
  expect_match(capture_output(print(many, n = 2)), "... and 8 more", fixed = TRUE)
  expect_identical(as.data.frame(found), found$table)
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(found)
  expect_setequal(ggplot2::layer_data(picture, 2)$x, found$table$share_with)
  expect_setequal(ggplot2::layer_data(picture, 3)$x, found$table$share_without)
  expect_identical(nlevels(ggplot2::autoplot(many, n = 3)$data$panel), 3L)
  none <- substitutes(exchanged$runs, exchanged$x, "g5", threshold = 1)
  expect_match(ggplot2::layer_data(ggplot2::autoplot(none), 1)$label, "No substitutes were found")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_error(plot(found))
})
