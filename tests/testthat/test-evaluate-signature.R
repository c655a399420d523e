# Written here a second time: ridge regression of one list, fitted without a fold.
ridge_link <- function(x, z, targets, rows, out, lambda) {
  centre <- function(m, of) sweep(m, 2, colMeans(of))
  part <- x[rows, , drop = FALSE]
  s <- sqrt(colMeans(centre(part, part)^2))
  u <- sweep(centre(part, part), 2, s, "/")
  new <- sweep(centre(x[out, , drop = FALSE], part), 2, s, "/")
  free <- cbind(rep(1, nrow(x)), z)
  columns <- cbind(free[rows, , drop = FALSE], u)
  penalty <- diag(rep(c(0, lambda), c(ncol(free), ncol(u))))
  beta <- solve(crossprod(columns) + penalty, crossprod(columns, targets))
  cbind(free[out, , drop = FALSE], new) %*% beta
}

signature_data <- function(n = 24, p = 12, seed = 1) {
  set.seed(seed)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
  list(x = x, y = x[, 1] + x[, 2] + rnorm(n))
}

test_that("all lists are enumerated, and the errors are those of a ridge regression", {
  d <- signature_data()
  plan <- draw_resamples(resample_folds(4), d$y, seed = 2)
  fit <- test_signature(
    d$x, d$y, c("g1", "g2"), permute = 0, outer = plan, lambda = 2, seed = 1
  )
  error_of <- function(list) {
    link <- numeric(24)
    for (run in 1:4) {
      out <- which(plan$counts[, run] == 0)
      rows <- which(plan$counts[, run] > 0)
      link[out] <- ridge_link(d$x[, list], NULL, d$y[rows], rows, out, 2)
    }
    mean((d$y - link)^2)
  }
  errors <- apply(combn(12, 2), 2, error_of)
  expect_true(fit$asked$complete)
  expect_equal(fit$null$random, errors, tolerance = 1e-10)
  expect_equal(fit$oob$error, errors[1], tolerance = 1e-10)
  expect_equal(fit$table$p[1], mean(errors <= errors[1] * (1 + 1e-9)))
  # Drawn lists estimate the same share.
  drawn <- test_signature(
    d$x, d$y, c("g3", "g4"), n_random = 65, permute = 0, outer = plan, lambda = 2, seed = 1
  )
  expect_false(drawn$asked$complete)
  own <- errors[which(colSums(combn(12, 2) == c(3, 4)) == 2)]
  expect_lt(abs(drawn$table$p[1] - mean(errors <= own)), 0.2)
})

test_that("the p-value of a random list is uniform", {
  d <- signature_data(30, 40, seed = 4)
  plan <- draw_resamples(resample_folds(5), d$y, seed = 2)
  set.seed(11)
  p <- replicate(150, {
    list <- sample(40, 3)
    test_signature(
      d$x, d$y, list, n_random = 199, permute = 0, outer = plan, seed = sample(1e6, 1)
    )$table$p[1]
  })
  expect_gt(stats::ks.test(p, "punif")$p.value, 0.01) |> suppressWarnings()
})

test_that("covariates are in every model without a penalty", {
  d <- signature_data()
  z <- cbind(age = rnorm(24), batch = rep(0:1, 12))
  y <- d$y + 3 * z[, 2]
  plan <- draw_resamples(resample_folds(4), y, seed = 2)
  fit <- test_signature(
    d$x, y, c(1, 5), permute = 19, n_random = 10, outer = plan, covariates = z, seed = 1
  )
  error_of <- function(list) {
    link <- numeric(24)
    for (run in 1:4) {
      out <- which(plan$counts[, run] == 0)
      rows <- which(plan$counts[, run] > 0)
      link[out] <- ridge_link(d$x[, list, drop = FALSE], z, y[rows], rows, out, 12)
    }
    mean((y - link)^2)
  }
  expect_equal(fit$oob$error, error_of(c(1, 5)), tolerance = 1e-10)
  expect_equal(fit$oob$baseline, error_of(integer()), tolerance = 1e-10)
  expect_identical(fit$table$comparison[4], "covariates alone")
  expect_length(fit$null$permuted, 19)
})

test_that("every outcome has an error, the same as its judgement", {
  set.seed(5)
  n <- 60
  x <- matrix(rnorm(n * 15), n, dimnames = list(NULL, letters[1:15]))
  at <- x[, 1] * 2 + rnorm(n)
  grades <- cut(at, c(-Inf, -1, 1, Inf), c("low", "mid", "high"))
  outcomes <- list(
    two = at > 0, several = factor(as.character(grades)), ordered = factor(grades, ordered = TRUE),
    numbers = at, counts = rpois(n, exp(at / 3))
  )
  if (requireNamespace("survival", quietly = TRUE)) {
    outcomes$survival <- survival::Surv(rexp(n, exp(at)), rep(c(1, 1, 0), 20))
  }
  for (name in names(outcomes)) {
    family <- if (name == "counts") "poisson"
    run <- function(list, ...) {
      test_signature(
        x, outcomes[[name]], list, n_random = 100, permute = 19, family = family, seed = 1, ...
      )
    }
    fit <- run(c("a", "b"))
    # Its error is among those of the lists, computed in another way.
    expect_identical(fit$asked$complete, FALSE)
    whole <- run("a")
    expect_true(whole$asked$complete)
    expect_equal(whole$oob$error, whole$null$random[1], tolerance = 1e-10)
    expect_lt(fit$table$p[1], 0.2)
    expect_lt(fit$oob$error, fit$oob$baseline)
    expect_identical(run(c("a", "b"), n_threads = 2)$null, fit$null)
    expect_lte(max(nchar(format(fit))), 80)
  }
})

test_that("matched lists have the variances and the correlation of the list", {
  set.seed(6)
  common <- rnorm(50)
  x <- matrix(rnorm(50 * 300), 50) + outer(common, rep(c(1, 0), c(150, 150)))
  x <- x * rep(exp(seq(0, 3, length.out = 300)), each = 50)
  colnames(x) <- paste0("g", 1:300)
  drawn <- draw_matched(x, seq_len(ncol(x)), 101:110, 10L, 300L, 1, 1L)
  correlation <- abs(cor(x))
  mean_of <- function(list) mean(correlation[list, list][upper.tri(diag(length(list)))])
  expect_equal(drawn$target, mean_of(101:110))
  expect_equal(drawn$correlation, vapply(drawn$lists, mean_of, 0))
  expect_gt(mean(abs(drawn$correlation - drawn$target) <= 0.01), 0.95)
  ranks <- rank(apply(x, 2, var))
  near <- vapply(drawn$lists, function(list) max(abs(ranks[list] - ranks[101:110])), 0)
  # The nearest 21 ranks.
  expect_lte(max(near), 10)
  expect_identical(anyDuplicated(drawn$lists[[1]]), 0L)
  expect_gt(length(unique(unlist(drawn$lists))), 25)
})

test_that("a procedure chooses its list anew in every part", {
  d <- signature_data(40, 60)
  by_correlation <- function(x, y, ...) {
    score <- abs(drop(stats::cor(x, y)))
    of_class("stabilect_result",
      table = data.frame(feature = colnames(x)[order(-score)]),
      features = colnames(x)[order(-score)][1:3]
    )
  }
  plan <- draw_resamples(resample_folds(5), d$y, seed = 2)
  fit <- test_signature(d$x, d$y, by_correlation, n_random = 200, outer = plan, seed = 1)
  best <- lapply(1:5, function(run) {
    rows <- which(plan$counts[, run] > 0)
    names(sort(-abs(cor(d$x[rows, ], d$y[rows])[, 1])))[1:3]
  })
  expect_identical(fit$chosen, best)
  link <- numeric(40)
  for (run in 1:5) {
    out <- which(plan$counts[, run] == 0)
    rows <- which(plan$counts[, run] > 0)
    link[out] <- ridge_link(d$x[, best[[run]]], NULL, d$y[rows], rows, out, 12)
  }
  expect_equal(fit$oob$error, mean((d$y - link)^2), tolerance = 1e-10)
  # Chosen on the samples that it predicts, a list of noise looks good.
  p <- vapply(1:12, function(k) {
    set.seed(k)
    noise <- rnorm(40)
    list <- names(sort(-abs(cor(d$x, noise)[, 1])))[1:3]
    lists <- list(list, by_correlation)
    vapply(lists, function(one) {
      test <- test_signature(
        d$x, noise, one, n_random = 100, permute = 0, outer = plan, seed = 1
      )
      test$table$p[1]
    }, 0)
  }, numeric(2))
  expect_lt(max(p[1, ]), 0.1)
  expect_gt(mean(p[2, ]), 0.4)
  as_given <- test_signature(d$x, d$y, 1:3, n_random = 50, permute = 0, outer = plan, seed = 1)
  honest <- test_signature(
    d$x, d$y, by_correlation, n_random = 50, permute = 9, outer = plan, seed = 1
  )
  expect_length(honest$null$permuted, 9)
  expect_match(paste(format(as_given), collapse = " "), "as given")
  expect_match(paste(format(honest), collapse = " "), "chosen anew in every part")
})

test_that("the print says against which lists this one is better", {
  meaning <- function(random, matched, permuted = NA) {
    meaning_of_signature(list(table = data.frame(p = c(random, matched, permuted))))
  }
  expect_match(meaning(0.01, 0.02), "and than lists as variable and correlated")
  expect_match(meaning(0.01, 0.3), "better than random lists, but not")
  expect_match(meaning(0.01, NA), "random lists of its size")
  expect_match(meaning(0.2, 0.01), "nothing speaks for")
  expect_match(meaning(0.01, 0.01, 0.2), "nothing speaks for")
  row <- list(as_good = 0, p = 0.01)
  said <- function(...) gsub("\u00a0", " ", say_as_good(...))
  expect_identical(said(row, "100 lists"), "none of 100 lists errs as little (p = 0.01)")
  row$as_good <- 0.33
  expect_identical(said(row), "33 % err as little (p = 0.01)")
  # Prints give a concordance: the upper limit of the errors is its lower one.
  random <- data.frame(error = 0.4, lower = 0.3, upper = 0.6)
  shown <- shown_random(list(table = random, oob = list(measure = "discordance")))
  expect_equal(unlist(shown), c(error = 0.6, lower = 0.4, upper = 0.7))
})

test_that("results are repeated with their blocks and covariates; bad input is refused", {
  d <- signature_data(40, 20)
  y <- d$y > 0
  fit <- fealect(d$x, y, n_runs = 20, seed = 1)
  test <- test_signature(d$x, y, fit, n_random = 50, seed = 1)
  expect_identical(selected(test), fit$features)
  expect_length(test$chosen, 10)
  expect_snapshot(print(test_signature(d$x, d$y, 1:2, n_random = 50, permute = 19, seed = 1)))
  expect_snapshot(summary(test))
  patient <- rep(1:20, each = 2)
  blocked <- test_signature(
    prepare_study(d$x, d$y, blocks = patient), features = 1:2, n_random = 20, permute = 9, seed = 1
  )
  expect_identical(blocked$oob$n_blocks, 20L)
  refused <- function(pattern, ...) {
    expect_error(test_signature(...), pattern, class = "stabilect_error_input")
  }
  refused("is empty", d$x, y, character())
  refused("no column|not a column", d$x, y, "nothing")
  refused("not the data", d$x[-1, ], y[-1], fit)
  refused("leaves sample", d$x, y, 1, outer = resample_subsample(1))
  refused("n_random", d$x, y, 1, n_random = 0)
  nothing <- function(x, y, ...) {
    of_class("stabilect_result", table = data.frame(feature = colnames(x)), features = character())
  }
  expect_error(test_signature(d$x, y, nothing), "no feature", class = "stabilect_error_runs")
})

test_that("the picture shows the list among random ones", {
  skip_if_not_installed("ggplot2")
  d <- signature_data(40, 20)
  fit <- test_signature(d$x, d$y > 0, 1:3, n_random = 100, permute = 19, seed = 1)
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(fit))
  expect_identical(sum(drawn$data[[1]]$count), 219)
  expect_equal(unique(drawn$data[[2]]$xintercept), c(fit$oob$error, fit$oob$baseline))
  # One feature has no correlation to match.
  alone <- ggplot2::autoplot(test_signature(d$x, d$y > 0, 1, permute = 0, seed = 1))
  expect_match(alone$labels$subtitle, "of random lists err as little$")
})

test_that("the order of columns decides no random or matched list", {
  x <- withr::with_seed(1, matrix(stats::rnorm(40 * 12), 40))
  colnames(x) <- paste0("g", 1:12)
  y <- x[, 1] + withr::with_seed(2, stats::rnorm(40))
  errors <- function(x) {
    fit <- test_signature(x, y, c("g1", "g5", "g9"), n_random = 20, permute = 3, seed = 1)
    fit$table[c("comparison", "error", "lower", "upper", "p")]
  }
  expect_equal(errors(x[, 12:1]), errors(x), tolerance = 1e-9)
  expect_equal(errors(x[, withr::with_seed(3, sample(12))]), errors(x), tolerance = 1e-9)
})

test_that("lists of many samples, which share products, have the errors of ridge regressions", {
  d <- signature_data(1100)
  plan <- draw_resamples(resample_folds(3), d$y, seed = 2)
  fit <- test_signature(d$x, d$y, c(1, 2), permute = 0, outer = plan, lambda = 2, seed = 1)
  errors <- apply(combn(12, 2), 2, function(list) {
    link <- numeric(1100)
    for (run in 1:3) {
      out <- which(plan$counts[, run] == 0)
      rows <- which(plan$counts[, run] > 0)
      link[out] <- ridge_link(d$x[, list], NULL, d$y[rows], rows, out, 2)
    }
    mean((d$y - link)^2)
  })
  expect_true(fit$asked$complete)
  expect_equal(fit$null$random, errors, tolerance = 1e-10)
  # They are shared of many samples, and where there are enough lists.
  part <- list(list(`in` = 1:1000, out = 1001:1100, targets = cbind(d$y[1:1000])))
  study <- list(x = d$x, n = 1100, p = 12, response = list(y = d$y))
  shares <- function(study, n_lists) !is.null(share_products(study, part, n_lists, 2)[[1]]$shared)
  expect_true(shares(study, 100))
  expect_false(shares(study, 1))
  expect_false(shares(replace(study, "n", 1000), 100))
})
