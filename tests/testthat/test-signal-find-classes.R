# find_signals() on several classes and on counts: F and score tests of models of one feature, p of
# an enumeration, the figures of the experiment.

features <- withr::with_seed(21, {
  matrix(stats::rnorm(60 * 40), 60, dimnames = list(NULL, paste0("g", 1:40)))
})
classes <- factor(rep(c("a", "b", "c"), c(40, 10, 10)))
marked <- features
marked[classes == "b", 3] <- marked[classes == "b", 3] + 2.5
marked[classes == "c", 9] <- marked[classes == "c", 9] - 2.5

test_that("correlations with several classes are those of score and F tests", {
  skip_if_not_installed("nnet")
  fit <- find_signals(marked, classes, permute = 19, seed = 1)
  f <- apply(marked, 2, function(v) summary(stats::aov(v ~ classes))[[1]][1, "F value"])
  squared <- fit$marginal$correlation^2
  expect_equal(squared / (1 - squared) * 57 / 2, unname(f))
  null <- nnet::multinom(classes ~ 1, trace = FALSE)
  rest <- (outer(as.integer(classes), 1:3, `==`) - stats::fitted(null))[, -1]
  share <- stats::fitted(null)[1, -1]
  score <- apply(scale(marked, scale = FALSE), 2, function(v) {
    u <- crossprod(rest, v)
    information <- sum(v^2) * (diag(share) - tcrossprod(share))
    drop(crossprod(u, solve(information, u)))
  })
  expect_equal(60 * squared, unname(score), tolerance = 1e-4)
})

test_that("with covariates correlations are those of nested models", {
  z <- withr::with_seed(22, stats::rnorm(60)) + (classes == "c")
  fit <- find_signals(marked, classes, covariates = z, permute = 19, seed = 1)
  rest <- function(v, model) sum(stats::residuals(stats::lm(model))^2)
  squared <- apply(marked, 2, function(v) 1 - rest(v, v ~ z + classes) / rest(v, v ~ z))
  expect_equal(fit$marginal$correlation, unname(sqrt(squared)))
  # The covariate tells one class: the other two are left.
  told <- find_signals(marked, classes, covariates = classes == "c", permute = 19, seed = 1)
  expect_equal(
    abs(told$marginal$correlation[3]), abs(stats::cor(
      stats::residuals(stats::lm(marked[, 3] ~ I(classes == "c"))),
      stats::residuals(stats::lm((classes == "b") ~ I(classes == "c")))
    ))
  )
})

test_that("p of few samples in three classes is that of all arrangements", {
  x <- withr::with_seed(23, matrix(stats::rnorm(8 * 6), 8, dimnames = list(NULL, letters[1:6])))
  y <- factor(c("u", "v", "u", "w", "v", "u", "w", "u"))
  x[, 2] <- x[, 2] + 0.8 * as.integer(y)
  x[, 4] <- x[, 4] + 1.2 * (y == "v")
  ways <- as.matrix(expand.grid(rep(list(1:3), 8)))
  ways <- ways[apply(ways, 1, function(codes) identical(tabulate(codes, 3), c(4L, 2L, 2L))), ]
  expect_identical(nrow(ways), 420L)
  lengths_of <- function(codes) {
    sqrt(apply(x, 2, function(v) summary(stats::lm(v ~ factor(codes)))$r.squared))
  }
  all_ways <- apply(ways, 1, lengths_of)
  seen <- lengths_of(as.integer(y))
  # Step-down by Westfall and Young (1993, algorithm 4.1).
  order <- order(seen)
  single <- vapply(seq_along(order), function(k) {
    largest <- apply(all_ways[order[1:k], , drop = FALSE], 2, max)
    mean(largest >= seen[order[k]] - 1e-9)
  }, 0)
  stepped <- rev(cummax(rev(single)))
  fit <- find_signals(x, y, permute = 19999, seed = 1)
  expect_equal(fit$p_value, stepped[6], tolerance = 0.05)
  expect_equal(fit$marginal$p[order], stepped, tolerance = 0.05)
  expect_identical(fit$null$n_distinct, 420)
})

test_that("features are named for the class that they tell from all others", {
  fit <- find_signals(marked, classes, permute = 199, seed = 1)
  expect_setequal(fit$features, c("g3", "g9"))
  at <- match(c("g3", "g9"), fit$features)
  expect_identical(fit$table$class[at], c("b", "c"))
  expect_identical(names(fit$candidates), c("feature", "probability", "mc_error", "class"))
  means <- rowsum(marked, classes) / c(40, 10, 10)
  expect_identical(fit$table$direction[at], rownames(means)[apply(means[, c(3, 9)], 2, which.max)])
  # Partial correlations are those of least squares on the indicator of the class.
  t <- summary(stats::lm((classes == "c") ~ marked[, 3] + marked[, 9]))$coefficients[3, "t value"]
  expect_equal(fit$table$partial_r[at[2]], t / sqrt(t^2 + 57))
  # The first class has the random numbers of two classes.
  first <- factor(as.character(classes), c("b", "a", "c"))
  again <- find_signals(marked, first, permute = 199, seed = 1)
  two <- find_signals(marked, classes == "b", permute = 199, seed = 1)
  own <- c("feature", "probability", "mc_error", "partial_r", "set_size")
  expect_identical(again$table$class[again$table$feature == "g3"], "b")
  one <- again$table[again$table$feature == "g3", own[-4]]
  expect_equal(one, two$table[two$table$feature == "g3", own[-4]], ignore_attr = TRUE)
  expect_gte(again$marginal$inclusion[3], two$marginal$inclusion[3])
  printed <- printed_words(fit)
  expect_match(printed, "carries signal for its class against all others", fixed = TRUE)
  expect_match(printed, "mc_error class higher in", fixed = TRUE)
  expect_match(printed_words(summary(fit)), "feature class partial_r", fixed = TRUE)
})

test_that("names do not depend on threads, and go with covariates, blocks and clusters", {
  fit <- find_signals(marked, classes, permute = 99, seed = 1)
  expect_identical(
    find_signals(marked, classes, permute = 99, seed = 1, n_threads = 2)$table, fit$table
  )
  # The covariate tells one class: the others are named.
  told <- find_signals(marked, classes, covariates = classes == "c", permute = 99, seed = 1)
  expect_identical(told$features, "g3")
  days <- rep(1:4, 15)
  blocked <- find_signals(marked, classes, blocks = days, permute = 99, seed = 1)
  expect_setequal(blocked$features, c("g3", "g9"))
  pairs <- rep(paste0("pair", 1:20), each = 2)
  clustered <- find_signals(marked, classes, clusters = pairs, permute = 99, seed = 1)
  expect_true(all(clustered$features %in% pairs))
  expect_true(all(c("class", "members") %in% names(clustered$table)))
  none <- find_signals(features, classes, permute = 99, seed = 1)
  expect_identical(none$features, character())
  expect_identical(nrow(none$candidates), 0L)
  expect_identical(none$background$probability, NA_real_)
})

test_that("classes with fewer than five samples have no names, and the print says if none has", {
  rare <- classes
  rare[which(classes == "c")[-(1:4)]] <- "a"
  x <- features
  x[rare == "c", 9] <- x[rare == "c", 9] - 8
  x[rare == "b", 3] <- x[rare == "b", 3] + 3
  fit <- suppressWarnings(
    find_signals(x, rare, permute = 99, seed = 1), classes = "stabilect_warning_small_class"
  )
  expect_lte(fit$p_value, 0.05)
  expect_false("c" %in% c(fit$table$class, fit$candidates$class))
  # g3 tells b from a, and as well a from b.
  expect_true(all(fit$table$class[fit$table$feature == "g3"] %in% c("a", "b")))
  some <- c(which(rare == "a")[1:4], which(rare == "b")[1:4], which(rare == "c"))
  small <- suppressWarnings(
    find_signals(x[some, ], rare[some], permute = 199, seed = 1),
    classes = "stabilect_warning_small_class"
  )
  expect_lte(small$p_value, 0.05)
  expect_identical(small$features, character())
  expect_match(printed_words(small), "no feature is named: no class has five samples")
  expect_match(printed_words(small), "family-wise p <= 0.05, see `marginal`): g9", fixed = TRUE)
})

test_that("the order of classes does not matter to p, and what is impossible is refused", {
  fit <- find_signals(marked, classes, permute = 199, seed = 1)
  renamed <- factor(as.character(classes), c("c", "a", "b"))
  again <- find_signals(marked, renamed, permute = 199, seed = 1, n_threads = 2)
  expect_equal(again$marginal$correlation, fit$marginal$correlation)
  expect_identical(again$p_value, fit$p_value)
  expect_error(
    find_signals(marked, classes, null = "rotation", seed = 1), "`null` must be \"permutation\"",
    class = "stabilect_error_input"
  )
  expect_error(
    find_signals(marked, classes, kind = "any", seed = 1), "`kind` must be \"linear\"",
    class = "stabilect_error_input"
  )
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit), "ggplot")
})

test_that("patients of one class are one sample each, and two classes are as before", {
  patients <- rep(1:20, each = 3)
  kinds <- factor(rep(c("a", "b", "c", "c"), 5))
  fit <- find_signals(features, kinds[patients], blocks = patients, permute = 99, seed = 1)
  means <- rowsum(features, patients) / 3
  rownames(means) <- NULL
  direct <- find_signals(means, kinds, permute = 99, seed = 1)
  expect_equal(fit$marginal, direct$marginal)
  # Two scores of two classes have the length of one.
  two <- find_signals(marked, classes == "b", permute = 99, seed = 1)
  of_two <- independent_scores(cbind(classes == "b", classes != "b") + 0, matrix(1 / sqrt(60), 60))
  expect_identical(ncol(of_two), 1L)
  expect_equal(
    abs(drop(stats::cor(marked, of_two))), abs(two$marginal$correlation), ignore_attr = TRUE
  )
})

test_that("the page on error rates has the figures of the experiment", {
  rates <- result_of("outcomes", "rates")
  of <- function(field, outcome, truth = "none", covariate = FALSE) {
    rates[[field]][
      rates$outcome == outcome & rates$truth == truth & rates$covariate == covariate
    ]
  }
  size <- function(outcome, ...) 100 * of("signal", outcome, ...)
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "In %d simulated outcomes each without signal p was at most 0.05 in %.1f and %.1f %% (three",
      "classes of equal size, and 10:1:1), with a covariate that matters in %.1f and %.1f %%."
    ),
    unique(rates$outcomes), size("classes_1_1_1"), size("classes_10_1_1"),
    size("classes_1_1_1", covariate = TRUE), size("classes_10_1_1", covariate = TRUE)
  )
  outcomes <- result_of("outcomes", "outcomes")
  expect_equal(
    sum(rates$outcomes * rates$signal), sum(outcomes$p_value <= 0.05), tolerance = 1e-3
  )
})

test_that("the page has the figures of the names, and the tables those of the outcomes", {
  shown <- result_of("classes", "names")
  outcomes <- result_of("classes", "outcomes")
  rates <- result_of("classes", "rates")
  named <- shown[shown$named & shown$truth != "none", ]
  of <- function(truth) {
    own <- named[named$truth == truth, ]
    c(100 * mean(own$r > 0.7), nrow(own), mean(own$probability), 100 * mean(own$r <= 0.5))
  }
  null <- outcomes$truth == "none"
  values <- c(
    sum(!null), of("sparse"), of("mixed"), sum(shown$named & shown$truth == "none"), sum(null)
  )
  sentence <- paste(
    "In %d simulated outcomes of three classes with signal %.0f %% of %d names were right where",
    "few features matter (mean probability %.2f; %.1f %% unrelated), and %.0f %% of %d where all",
    "matter a little (%.2f; %.1f %%); %d names came in %d outcomes without signal",
    "(`experiments/classes`)."
  )
  do.call(expect_says, c("vignettes/error-rates.Rmd", sentence, as.list(values)))
  expect_equal(sum(rates$outcomes * rates$signal), sum(outcomes$p_value <= 0.05), tolerance = 1e-3)
  expect_identical(sum(rates$names), sum(shown$named))
  expect_identical(sum(result_of("classes", "sizes")$names), nrow(named))
  expect_identical(sum(result_of("classes", "calibration")$names), sum(shown$truth != "none"))
})

test_that("correlations of counts are those of the score test of a Poisson model", {
  y <- withr::with_seed(24, stats::rnbinom(60, mu = exp(features[, 5]), size = 0.5))
  fit <- find_signals(features, y, permute = 19, seed = 1)
  rao <- apply(features, 2, function(v) {
    stats::anova(stats::glm(y ~ v, family = stats::poisson()), test = "Rao")[2, "Rao"]
  })
  expect_equal(fit$marginal$correlation^2 * sum((y - mean(y))^2) / mean(y), unname(rao),
    tolerance = 1e-6
  )
})
