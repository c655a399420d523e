draws_of <- function(seed, m = 12, p = 20, high = 0.8) {
  withr::with_seed(seed, {
    chance <- c(rep(high, 5), rep(0.2, p - 5))
    as_selection(matrix(stats::rbinom(m * p, 1, rep(chance, each = m)), m))
  })
}
loo_of <- function(runs) {
  vapply(seq_len(runs$n_runs), function(i) value_of_index(runs[-i], "nogueira"), 0)
}
jackknife_of <- function(loo) {
  m <- length(loo)
  (m - 1) / m * sum((loo - mean(loo))^2)
}

test_that("one selection against a value is a t test with the jackknife error", {
  runs <- draws_of(1)
  test <- test_stability(runs, null_value = 0.2, alternative = "greater")
  se <- sqrt(jackknife_of(loo_of(runs)))
  t <- (value_of_index(runs, "nogueira") - 0.2) / se
  expect_equal(unname(test$statistic), t)
  expect_equal(test$p.value, stats::pt(t, 11, lower.tail = FALSE))
  expect_identical(test$conf.int[2], Inf)
  expect_s3_class(test, "htest")
  both <- test_stability(runs, null_value = 0.2)
  expect_equal(both$p.value, 2 * min(test$p.value, 1 - test$p.value))
  # The interval holds what is not rejected.
  edge <- test_stability(runs, null_value = both$conf.int[2])
  expect_equal(edge$p.value, 0.05, tolerance = 1e-8)
})

test_that("two selections are compared as independent or paired", {
  a <- draws_of(1)
  b <- draws_of(2, high = 0.6)
  free <- test_stability(a, b)
  v <- c(jackknife_of(loo_of(a)), jackknife_of(loo_of(b)))
  expect_equal(free$stderr, sqrt(sum(v)))
  expect_equal(unname(free$parameter), sum(v)^2 / sum(v^2 / 11))
  paired <- test_stability(a, b, paired = TRUE)
  expect_equal(paired$stderr, sqrt(jackknife_of(loo_of(a) - loo_of(b))))
  expect_equal(unname(paired$parameter), 11)
  expect_match(free$method, "independent")
  swapped <- test_stability(b, a, paired = TRUE)
  expect_equal(swapped$p.value, paired$p.value)
})

test_that("shared resamples are recognised, and runs that failed in one are left out of both", {
  x <- as.matrix(mcl_sll[, -1])
  draws <- draw_resamples(resample_subsample(10), mcl_sll$MCL, seed = 1)
  a <- fealect(x, mcl_sll$MCL, resampling = draws, max_features = 3, n_boot = 0)
  b <- fealect(x, mcl_sll$MCL, resampling = draws, max_features = 8, n_boot = 0)
  expect_match(test_stability(a, b)$method, "Paired")
  other <- fealect(x, mcl_sll$MCL, n_runs = 10, max_features = 8, n_boot = 0, seed = 9)
  expect_match(test_stability(a, other)$method, "independent")
  expect_error(test_stability(a, other, paired = TRUE), "different resamples")
  broken <- b$selection
  broken$status[4] <- "failed"
  test <- test_stability(a, broken)
  expect_equal(unname(test$parameter), 8)
  expect_equal(unname(test$estimate[1]), value_of_index(a$selection[-4], "nogueira"))
})

test_that("runs that hardly vary are tested by exact limits, and no p value is 0", {
  same <- as_selection(matrix(rep(c(1, 1, 0, 0), 5), 5, byrow = TRUE))
  test <- test_stability(same, null_value = 0.5)
  # Five runs are the same with probability 0.5^(5 / 2) at most when two are with 0.5.
  expect_equal(test$p.value, 2 * 0.5^2.5)
  expect_equal(test_stability(same, null_value = 0.5, alternative = "greater")$p.value, 0.5^2.5)
  expect_equal(test$conf.int[1:2], c(0.025^0.4, 1))
  expect_match(test$method, "hardly vary")
  expect_output(print(test), "p-value = 0.35")
  expect_identical(test_stability(same, null_value = 1)$p.value, 1)
  expect_identical(test_stability(same, same, paired = TRUE)$p.value, 1)
  expect_identical(test_stability(same, null_value = 0)$p.value, .Machine$double.eps)
  # The interval holds what is not rejected.
  one <- as_selection(c(rep(list(1:10), 9), list(2:11)), n_total = 100)
  lower <- test_stability(one, index = "jaccard")$conf.int[1]
  expect_equal(lower, stability(one, "jaccard")$table$lower)
  expect_equal(
    test_stability(one, index = "jaccard", null_value = lower)$p.value, 0.05, tolerance = 1e-6
  )
})

test_that("a difference has the limits of both selections where one hardly varies", {
  same <- as_selection(rep(list(1:5), 12), n_total = 20)
  other <- draws_of(1)
  test <- test_stability(same, other)
  a <- stability(same)$table
  b <- stability(other)$table
  expect_equal(test$conf.int[1], 1 - b$estimate - sqrt((1 - a$lower)^2 + (b$upper - b$estimate)^2))
  expect_equal(test$conf.int[2], 1 - b$estimate + b$estimate - b$lower)
  expect_gt(test$p.value, 0)
  flipped <- test_stability(other, same)
  expect_equal(flipped$p.value, test$p.value)
  expect_equal(flipped$conf.int[1:2], -rev(test$conf.int[1:2]))
  apart <- as_selection(list(1:2, 3:4, 5:6), n_total = 20)
  expect_error(
    test_stability(apart, index = "jaccard"), "cannot be tested", class = "stabilect_error"
  )
  expect_error(test_stability(same, apart, index = "jaccard"), "`other` cannot be tested")
})

test_that("several selections are compared with adjusted p values", {
  runs <- list(a = draws_of(1), b = draws_of(2, high = 0.6), c = draws_of(3, high = 0.4))
  result <- test_stability(runs, p_adjust = "bonferroni")
  expect_identical(result$table$p_adjusted, pmin(1, 3 * result$table$p_value))
  expect_equal(
    result$table$p_value[3], test_stability(runs$b, runs$c)$p.value
  )
  expect_equal(result$stabilities$estimate[2], value_of_index(runs$b, "nogueira"))
  expect_output(print(result), "adjusted by bonferroni")
  # Together the intervals hold the level, and the print counts what is left after adjustment.
  wide <- test_stability(runs$a, runs$b, conf_level = 1 - 0.05 / 3)$conf.int
  expect_equal(unlist(result$table[1, c("lower", "upper")]), wide[1:2], ignore_attr = TRUE)
  plain <- test_stability(runs, p_adjust = "none")$table
  expect_equal(plain$upper[1], test_stability(runs$a, runs$b)$conf.int[2])
  result$table$p_value <- 0.01
  expect_output(
    print(result), sprintf("%d of 3 pairs", sum(result$table$p_adjusted <= 0.05))
  )
  expect_identical(as.data.frame(result), result$table)
  expect_output(print(result), "about more runs on these samples")
  expect_output(print(test_stability(runs$a, runs$b)), "about more runs on these samples")
})

test_that("bad input is refused", {
  runs <- draws_of(1)
  expect_error(test_stability(runs[1:2]), "at least 3 successful runs")
  expect_error(test_stability(runs, runs[1:5], paired = TRUE), "as many runs")
  expect_error(test_stability(runs, index = c("dice", "jaccard")), "one name")
  expect_error(test_stability(runs, index = "kuncheva"), "cannot be tested for `selection`")
  expect_error(test_stability(list(a = runs, a = runs)), "distinct names")
  expect_error(test_stability(list(a = runs, b = runs), runs), "against each other")
  expect_error(test_stability(list(a = runs, b = runs), p_adjust = "none of them"), "`p_adjust`")
})

test_that("a comparison of results is drawn, and reported beside one of them", {
  x <- as.matrix(mcl_sll[, 2:60])
  fits <- lapply(c(t = "t", w = "wilcoxon"), function(name) {
    select_ensemble(
      x, mcl_sll$MCL, selector_filter(name), resample_subsample(10), n_features = 5, seed = 1
    )
  })
  compared <- test_stability(fits)
  expect_s3_class(compared, "stabilect_result")
  skip_if_not_installed("ggplot2")
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(compared))
  expect_equal(drawn$data[[3]]$x, compared$stabilities$estimate)
  page <- withr::local_tempfile(fileext = ".html")
  write_report(fits$t, page, Comparison = compared)
  text <- paste(readLines(page), collapse = " ")
  expect_match(text, "2 selections", fixed = TRUE)
  expect_match(text, "about more runs on these samples", fixed = TRUE)
})
