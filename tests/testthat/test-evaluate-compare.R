random_table <- function(n, k, seed, ties = FALSE) {
  withr::with_seed(seed, {
    values <- matrix(rnorm(n * k), n, k, dimnames = list(NULL, letters[seq_len(k)]))
    values <- values + rep(seq_len(k) / 2, each = n)
    if (ties) round(values) else values
  })
}

test_that("the Friedman test is that of stats, with and without ties", {
  for (seed in 1:20) {
    values <- random_table(5 + seed, 2 + seed %% 5, seed, ties = seed > 10)
    result <- compare_methods(values)
    peer <- stats::friedman.test(values)
    expect_equal(result$friedman$statistic[1], unname(peer$statistic))
    expect_equal(result$friedman$p_value[1], peer$p.value)
    expect_equal(colMeans(result$ranks), rowMeans(apply(-values, 1, rank)))
  }
})

test_that("Iman and Davenport's F is that of the analysis of variance of ranks", {
  values <- random_table(9, 4, 3)
  result <- compare_methods(values)
  long <- data.frame(
    rank = c(result$ranks), method = gl(4, 9), set = factor(rep(1:9, 4))
  )
  f <- stats::anova(stats::lm(rank ~ method + set, long))
  expect_equal(result$friedman$statistic[2], f["method", "F value"])
  expect_equal(result$friedman$p_value[2], f["method", "Pr(>F)"])
})

test_that("critical differences are those of Demsar (2006)", {
  # His Table 5(a) of q for 2 to 10 classifiers at 0.05 and 0.10, and the example in section 3.2.2:
  # 4 classifiers, 14 data sets, CD 1.25 at 0.05 and 1.12 at 0.10.
  q05 <- c(1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
  q10 <- c(1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920)
  for (k in 2:10) {
    values <- random_table(14, k, k)
    scale <- sqrt(k * (k + 1) / (6 * 14))
    expect_equal(compare_methods(values)$critical_difference / scale, q05[k - 1], tolerance = 3e-4)
    at_10 <- compare_methods(values, conf_level = 0.9)$critical_difference
    expect_equal(at_10 / scale, q10[k - 1], tolerance = 3e-4)
  }
  four <- random_table(14, 4, 1)
  expect_equal(round(compare_methods(four)$critical_difference, 2), 1.25)
  expect_equal(round(compare_methods(four, conf_level = 0.9)$critical_difference, 2), 1.12)
})

test_that("Demsar's example has his mean ranks and tests", {
  # Table 6: AUC of C4.5 with and without tuned parameters on 14 data sets.
  auc <- cbind(
    c45 = c(.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957),
    m = c(.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978),
    cf = c(.771, .590, .968, .654, .886, .916, .609, .563, .866, 1, .965, .614, .9751, .946),
    both = c(.798, .569, .967, .657, .898, .931, .685, .625, .875, 1, .962, .669, .975, .970)
  )
  result <- compare_methods(auc)
  expect_equal(unname(round(colMeans(result$ranks), 3)), c(3.143, 2.000, 2.893, 1.964))
  # He leaves ties out of the statistic: 9.28 and F 3.69.
  expect_equal(round(friedman_tests(round(colMeans(result$ranks), 3), 14)$statistic, 2),
    c(9.28, 3.69)
  )
  # At 0.10 C4.5 differs from both +m and +m+cf; at 0.05 from none.
  at_10 <- compare_methods(auc, conf_level = 0.9)
  expect_true(all(result$nemenyi > 0.05))
  expect_lt(at_10$nemenyi["c45", "m"], 0.1)
  expect_lt(at_10$nemenyi["c45", "both"], 0.1)
  expect_identical(at_10$table$group[at_10$table$method == "c45"], "b")
})

test_that("Wilcoxon tests are those of stats, in the direction of better", {
  values <- random_table(12, 3, 5)
  for (higher in c(TRUE, FALSE)) {
    result <- compare_methods(
      values, if (higher) "max" else "min", alternative = "better", p_adjust = "holm"
    )
    sign <- if (higher) 1 else -1
    p <- apply(result$wilcoxon[c("first", "second")], 1, function(pair) {
      stats::wilcox.test(sign * values[, pair[1]], sign * values[, pair[2]],
        paired = TRUE, alternative = "greater"
      )$p.value
    })
    expect_equal(result$wilcoxon$p_value, unname(p))
    expect_equal(result$wilcoxon$p_adjusted, unname(stats::p.adjust(p, "holm")))
  }
  two <- compare_methods(values, pairs = c("b", "a"))$wilcoxon
  expect_equal(two$p_value, stats::wilcox.test(values[, "b"], values[, "a"], paired = TRUE)$p.value)
  expect_identical(two$n_first_better, sum(values[, "b"] > values[, "a"]))
})

test_that("missing values are refused, left out, or ranked last, tied", {
  values <- random_table(8, 5, 6)
  values[2, c(1, 4)] <- NA
  values[5, 2] <- NA
  expect_error(compare_methods(values), "row|missing", class = "stabilect_error_input")
  omitted <- compare_methods(values, na = "omit")
  expect_identical(omitted$omitted, c("2", "5"))
  expect_identical(unname(omitted$ranks), unname(compare_methods(values[-c(2, 5), ])$ranks))
  last <- compare_methods(values, na = "last")
  lowest <- replace(values, is.na(values), min(values, na.rm = TRUE) - 1)
  expect_equal(unname(last$ranks), unname(t(apply(-lowest, 1, rank))))
  expect_identical(last$wilcoxon$n[last$wilcoxon$first == "a" & last$wilcoxon$second == "b"], 6L)
  expect_output(print(last), "3 missing values ranked last, tied")
  expect_output(print(omitted), "left out for missing values: 2, 5")
})

test_that("the published sizes: what is smallest depends on the rule for ties", {
  fixture <- readRDS(test_path("fixtures", "compare.rds"))
  pairs <- cbind(c("FRFE", "SRFE3", "SRFE5", "SRFE10"), c("RFE_F", "RFE3", "RFE5", "RFE10"))
  run <- function(table) {
    compare_methods(table, "min",
      na = "last", pairs = pairs, alternative = "better", p_adjust = "none"
    )
  }
  published <- lapply(fixture$published, run)
  smallest <- lapply(fixture$smallest, run)
  # The authors ranked missing values last in the order of the columns.
  in_order <- function(table) replace(table, is.na(table), 1e9 + col(table)[is.na(table)])
  # Others' ranks are over 28 data sets; 16 of them are here. What they say of the other twelve
  # must be possible: sums of ranks from 12 to 96.
  others <- fixture$all_sets
  for (name in names(published)) {
    for (part in list(
      list("as_published", fixture$published), list("RFE_ties_to_smallest", fixture$smallest)
    )) {
      row <- others[others$ties == part[[1]] & others$classifier == name, -(1:2)]
      ours <- colMeans(compare_methods(in_order(part[[2]][[name]]), "min")$ranks)[names(row)]
      rest <- 28 * unlist(row) - 16 * ours
      expect_true(all(rest >= 12 - 0.2 & rest <= 96 + 0.2))
      expect_gt(stats::cor(unlist(row), ours), 0.85)
    }
  }
  # As published, subsecting selects fewer features; ties to the smallest in all methods turn it.
  p_of <- function(results, name) results[[name]]$wilcoxon$p_value
  for (name in c("GBM", "LR", "SVM")) {
    expect_true(all(p_of(published, name) < 0.025))
    expect_true(all(p_of(smallest, name) > 0.75))
  }
  expect_true(all(abs(p_of(published, "RF")[2:4] - c(0.007, 0.045, 0.008)) < 0.01))
})

test_that("groups are the longest stretches below the critical difference", {
  groups <- rank_groups(c(1, 1.5, 2.8, 3, 4.3), 1.6)
  expect_identical(unname(groups), cbind(1:3, c(2L, 4L, 5L)))
  expect_identical(group_letters(c(1, 1.5, 2.8, 3, 4.3), 1.6), c("a", "ab", "bc", "bc", "c"))
  # Exactly the critical difference is significant.
  expect_identical(group_letters(c(1, 2, 3), 1), c("a", "b", "c"))
  expect_identical(group_letters(c(1, 2, 3), 0.5), c("a", "b", "c"))
  expect_identical(group_letters(c(1, 2, 3), 5), c("a", "a", "a"))
})

test_that("methods that tie everywhere are no failure", {
  result <- compare_methods(matrix(1, 4, 3))
  expect_true(is.nan(result$friedman$p_value[1]))
  expect_identical(result$wilcoxon$p_value, c(1, 1, 1))
  expect_output(print(result), "3 methods on 4 data sets, ")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(result), "ggplot")
})

test_that("bad input is refused", {
  bad <- function(...) expect_error(compare_methods(...), class = "stabilect_error_input")
  values <- random_table(4, 3, 1)
  bad(1:3)
  bad(values[1, , drop = FALSE])
  bad(values[, 1, drop = FALSE])
  bad(data.frame(a = 1:3, b = letters[1:3]))
  bad(cbind(values, a = 1))
  bad(values, pairs = c("a", "z"))
  bad(values, pairs = c("a", "a"))
  bad(values, p_adjust = "tukey")
  bad(replace(values, 2, Inf))
  bad(replace(values, c(1, 2, 3), NA), na = "omit")
})

test_that("the diagram has a label for each method and a bar for each group", {
  skip_if_not_installed("ggplot2")
  values <- random_table(30, 6, 2)
  result <- compare_methods(values)
  picture <- ggplot2::autoplot(result)
  # Names are those of two axes: the better half left, best first, the others from below.
  axis <- picture$scales$get_scales("y")
  expect_identical(
    c(axis$labels[1:3], axis$secondary.axis$labels),
    sprintf("%s (%.2f)", result$table$method, result$table$mean_rank)
  )
  bars <- group_bars(result)
  groups <- rank_groups(result$table$mean_rank, result$critical_difference)
  expect_identical(nrow(bars), sum(groups[, "to"] > groups[, "from"]))
  expect_identical(summary(result), result$wilcoxon)
})
