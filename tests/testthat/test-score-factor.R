# A table with a factor of four levels, one of two, and numbers; counts of several runs.
factor_data <- function(n_classes = 2, n = 60) {
  withr::local_seed(20 + n_classes)
  y <- factor(sample(LETTERS[seq_len(n_classes)], n, TRUE))
  site <- factor(sample(letters[1:4], n, TRUE))
  site[as.integer(y) == 1 & stats::runif(n) < 0.5] <- "a"
  weights <- matrix(stats::rpois(n * 6, 1), n, 6)
  storage.mode(weights) <- "integer"
  list(
    y = y, number = as.integer(y) + stats::rnorm(n), weights = weights,
    x = data.frame(site = site, pair = ifelse(site %in% c("a", "b"), 0, 1), z = stats::rnorm(n))
  )
}

score_of <- function(x, y, selector, ...) score_features(x, y, selector, ...)$score

repeated <- function(d, b) rep(seq_len(nrow(d$x)), d$weights[, b])

test_that("a factor's statistic has the p-value of the chi-squared, F or rank test of stats", {
  d <- factor_data()
  for (b in seq_len(ncol(d$weights))) {
    rows <- repeated(d, b)
    site <- droplevels(d$x$site[rows])
    y <- d$y[rows]
    n <- length(rows)
    score <- function(selector) score_of(d$x, d$y, selector, weights = d$weights[, b])[1]
    one_way <- stats::anova(stats::lm(as.integer(y) ~ site))$`Pr(>F)`[1]
    expect_equal(2 * stats::pt(-score(selector_filter("t")), n - 2), one_way)
    expect_equal(2 * stats::pt(-score(selector_filter("welch")), n - 2), one_way)
    f <- score(selector_filter("anova"))
    expect_equal(stats::pf(f, 1, n - 2, lower.tail = FALSE), one_way)
    r <- score(selector_filter("pearson"))
    expect_equal(2 * stats::pt(-r * sqrt((n - 2) / (1 - r^2)), n - 2), one_way)
    rank_test <- stats::kruskal.test(as.integer(y), site)$p.value
    expect_equal(2 * stats::pnorm(-score(selector_filter("wilcoxon"))), rank_test)
    # R squared is the chi-squared statistic divided by n.
    table <- suppressWarnings(stats::chisq.test(y, site, correct = FALSE))
    r2 <- table$statistic[[1]] / n
    k <- nlevels(site)
    p <- stats::pf(r2 / (1 - r2) * (n - k) / (k - 1), k - 1, n - k, lower.tail = FALSE)
    expect_equal(p, one_way)
  }
})

test_that("several classes give Pillai's trace and its F of stats", {
  d <- factor_data(3)
  for (b in seq_len(ncol(d$weights))) {
    rows <- repeated(d, b)
    site <- droplevels(d$x$site[rows])
    indicators <- stats::model.matrix(~ d$y[rows])[, -1]
    pillai <- summary(stats::manova(indicators ~ site), test = "Pillai")$stats
    f <- score_of(d$x, d$y, selector_filter("anova"), weights = d$weights[, b])[1]
    df2 <- length(rows) - nlevels(d$y)
    expect_equal(stats::pf(f, 2, df2, lower.tail = FALSE), pillai[1, "Pr(>F)"])
  }
})

test_that("numeric responses give the F of the one-way model, Spearman that of midranks", {
  d <- factor_data()
  d$number <- round(d$number, 1)
  for (b in seq_len(ncol(d$weights))) {
    rows <- repeated(d, b)
    site <- d$x$site[rows]
    n <- length(rows)
    p_of <- function(r) 2 * stats::pt(-r * sqrt((n - 2) / (1 - r^2)), n - 2)
    for (method in c("pearson", "spearman")) {
      y <- if (method == "pearson") d$number[rows] else rank(d$number[rows])
      r <- score_of(d$x, d$number, selector_filter(method), weights = d$weights[, b])[1]
      expect_equal(p_of(r), stats::anova(stats::lm(y ~ site))$`Pr(>F)`[1])
    }
  }
})

test_that("a factor with two of its levels in the run scores as a 0/1 column", {
  for (n_classes in 2:3) {
    d <- factor_data(n_classes)
    keep <- as.integer(d$x$site %in% c("a", "c"))
    x <- data.frame(site = d$x$site, code = as.integer(d$x$site == "c"))
    selectors <- list(
      selector_filter("anova"), selector_filter("variance"),
      selector_filter("mutual_information", n_bins = 2)
    )
    if (n_classes == 2L) {
      selectors <- c(selectors, list(
        selector_filter("t"), selector_filter("wilcoxon"), selector_filter("pearson"),
        selector_filter("spearman"),
        selector_filter("mutual_information", n_bins = 2, estimator = "miller_madow")
      ))
    }
    for (selector in selectors) {
      score <- score_of(x, d$y, selector, weights = keep)
      expect_gt(score[1], 0)
      expect_equal(score[1], score[2], info = selector$name)
    }
    information <- selector_filter("mutual_information", n_bins = 2)
    score <- score_of(x, d$number, information, weights = keep)
    expect_equal(score[1], score[2])
  }
})

test_that("mutual information takes the levels as bins", {
  d <- factor_data(3)
  for (b in 1:3) {
    rows <- repeated(d, b)
    joint <- table(d$x$site[rows], d$y[rows]) / length(rows)
    terms <- joint * log(joint / outer(rowSums(joint), colSums(joint)))
    score <- score_of(d$x, d$y, selector_filter("mutual_information"), weights = d$weights[, b])[1]
    expect_equal(score, sum(terms[joint > 0]))
  }
})

test_that("variation is half the mean squared difference of two samples", {
  d <- factor_data()
  rows <- repeated(d, 1)
  differs <- outer(d$x$site[rows], d$x$site[rows], "!=")
  n <- length(rows)
  score <- score_of(d$x, d$y, selector_filter("variance"), weights = d$weights[, 1])[1]
  expect_equal(score, sum(differs) / (2 * n * (n - 1)))
})

test_that("names of levels and their order do not matter, nor do levels without samples", {
  d <- factor_data()
  other <- d$x
  other$site <- factor(c(a = "z", b = "q", c = "m", d = "r")[as.character(d$x$site)],
    c("q", "unused", "z", "r", "m")
  )
  text <- d$x
  text$site <- as.character(text$site)
  expected <- score_of(d$x, d$y, selector_filter("t"))
  expect_equal(score_of(other, d$y, selector_filter("t")), expected)
  expect_identical(score_of(text, d$y, selector_filter("t")), expected)
})

test_that("constant, perfect and saturated factors have finite scores", {
  d <- factor_data()
  one_level <- as.integer(d$x$site == "a")
  perfect <- d$x
  perfect$site <- factor(ifelse(d$y == "A", "p", sample(c("q", "r"), 60, TRUE)))
  for (selector in list(
    selector_filter("t"), selector_filter("welch"), selector_filter("anova"),
    selector_filter("wilcoxon"), selector_filter("pearson"),
    selector_filter("variance"), selector_filter("mutual_information")
  )) {
    expect_identical(score_of(d$x, d$y, selector, weights = one_level)[1], 0, info = selector$name)
    best <- score_of(perfect, d$y, selector)
    expect_true(all(is.finite(best)), info = selector$name)
    if (selector$name != "variance") expect_identical(which.max(best), 1L, info = selector$name)
  }
  # As many levels as samples in the run: nothing is left to test by.
  few <- integer(60)
  few[match(c("a", "b", "c", "d"), d$x$site)] <- 1L
  few[which(d$y != d$y[few > 0][1])[1]] <- 1L
  expect_true(is.finite(score_of(d$x, d$y, selector_filter("t"), weights = few)[1]))
})

test_that("ensembles score factors beside numbers, whatever the runs look at", {
  d <- factor_data()
  plan <- resample_bootstrap(12)
  ensemble <- function(x, ...) {
    select_ensemble(x, d$y, ..., resampling = plan, n_features = 1, seed = 3)
  }
  mixed <- ensemble(d$x, selector_filter("t"))
  numbers <- ensemble(d$x[-1], selector_filter("t"))
  expect_identical(mixed$selection$score[-1, ], numbers$selection$score)
  counts <- mixed$resamples$counts
  alone <- vapply(seq_len(ncol(counts)), function(b) {
    score_of(d$x, d$y, selector_filter("t"), weights = counts[, b])[1]
  }, 0)
  expect_equal(unname(mixed$selection$score[1, ]), alone)
  expect_identical(ensemble(d$x, selector_filter("t"), n_threads = 2)$ranking, mixed$ranking)
  parts <- ensemble(d$x, selector_filter("t"), subspace = 0.5)
  seen <- !is.na(parts$selection$score[1, ])
  expect_true(any(seen) && !all(seen))
  expect_equal(parts$selection$score[1, seen], alone[seen])
  only <- ensemble(d$x[1], selector_filter("wilcoxon"))
  expect_identical(only$features, "site")
  rules <- list(statistic = c("pearson", "spearman"))
  by_rule <- ensemble(d$x, selector_filter, parameters = rules)
  expect_true(all(by_rule$selection$score[1, ] > 0))
})

test_that("what cannot use a factor says so, and where to go", {
  d <- factor_data()
  for (selector in list(selector_learner(), selector_lasso_path(), selector_relief())) {
    text <- message_of(score_features(d$x, d$y, selector))
    expect_match(text, "factor \"site\" with more than two levels")
    expect_match(text, "prepare_study(factors = \"columns\")", fixed = TRUE)
  }
  expect_match(
    message_of(select_ensemble(d$x, d$y, selector_filter("t"), learner = learner_lda())),
    "a learner cannot use"
  )
  custom <- selector_custom(function(x, y) x[1, ], name = "t")
  expect_match(
    message_of(select_ensemble(d$x, d$y, list(selector_filter("t"), custom))), "t cannot use"
  )
  for (verb in list(fealect, stability_selection, eliminate_features, hybrid_rfe, lars_path)) {
    expect_match(message_of(verb(d$x, d$y)), "Column 1 (\"site\") of `x` has class <factor>",
      fixed = TRUE
    )
  }
})

test_that("a factor that separates the classes counts as the best finite feature, at least as 1", {
  y <- factor(rep(c("a", "b"), c(6, 6)))
  # Levels u and v are class a, w is class b: the statistic is infinite.
  three <- factor(rep(c("u", "v", "w"), c(3, 3, 6)))
  weak <- rep(c(1, 2, 3), 4)
  strong <- c(1:6, 11:16)
  for (selector in list(selector_filter("t"), selector_filter("welch"), selector_filter("anova"))) {
    alone <- score_features(data.frame(three, weak), y, selector)
    expect_lt(alone$score[2], 1)
    expect_identical(alone$score[1], 1)
    beside <- score_features(data.frame(three, weak, strong), y, selector)
    expect_identical(beside$score[1], beside$score[3])
    expect_gt(beside$score[3], 1)
  }
})
