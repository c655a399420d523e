# Three cohorts of 30, 40 and 50 samples: a1 to a4 have an effect in all, b1 and b2 in the first
# two, c1 in the first and with the opposite sign in the second.
three_cohorts <- function(seed = 1, effect = 2) {
  withr::with_seed(seed, {
    sizes <- c(Bern = 30, Oslo = 40, Turin = 50)
    study <- factor(rep(names(sizes), sizes), names(sizes))
    y <- factor(ifelse(unlist(lapply(sizes, function(n) rep_len(0:1, n))) == 1, "ill", "well"),
      c("well", "ill"))
    x <- matrix(stats::rnorm(sum(sizes) * 60), sum(sizes))
    colnames(x) <- c(paste0("a", 1:4), "b1", "b2", "c1", paste0("z", 1:53))
    up <- effect * (y == "ill")
    x[, 1:4] <- x[, 1:4] + up
    x[, 5:6] <- x[, 5:6] + up * (study != "Turin")
    x[, 7] <- x[, 7] + up * c(1, -1, 0)[study]
    # Batch effects.
    x <- x + rep(stats::rnorm(60, sd = 2), each = nrow(x)) * as.integer(study)
  })
  list(x = x, y = y, study = study)
}

# Benjamini and Heller (2008), for one feature, by the definition.
by_definition <- function(p, r, method) {
  last <- sort(p)[r:length(p)]
  m <- length(last)
  switch(method,
    simes = min(m * last / seq_len(m)), bonferroni = min(1, m * last[1]),
    fisher = stats::pchisq(-2 * sum(log(last)), 2 * m, lower.tail = FALSE)
  )
}

test_that("partial conjunctions are those of the definition", {
  p <- withr::with_seed(1, matrix(stats::runif(400)^3, 100, dimnames = list(1:100, NULL)))
  for (method in names(combine_p)) {
    found <- partial_conjunction(p, method)
    expected <- t(apply(p, 1, function(one) {
      cummax(vapply(1:4, function(r) by_definition(one, r, method), 0))
    }))
    expect_equal(found, expected, ignore_attr = TRUE, tolerance = 1e-13)
    # All K: the largest p.
    expect_true(all(found[, 4] >= apply(p, 1, max) - 1e-15))
  }
})

test_that("Fisher's combination is that of metap, the mean correlation that of metafor", {
  stored <- utils::read.csv(test_path("fixtures", "combined-p.csv"))
  p <- as.matrix(stored[paste0("p.", 1:4)])
  expected <- t(apply(as.matrix(stored[paste0("fisher.", 1:4)]), 1, cummax))
  expect_equal(partial_conjunction(p, "fisher"), expected, ignore_attr = TRUE, tolerance = 1e-10)
  r <- as.matrix(stored[paste0("correlation.", 1:3)])
  rownames(r) <- 1:20
  by_cohort <- list(correlation = r, p = r^2, named = r > 0)
  found <- list(p = r^2, p_adjusted = r^2, positive = NULL)
  table <- cohorts_table(
    found, by_cohort, list(), c(30, 40, 50), list(min_cohorts = 2, max_p = 0.1)
  )
  expect_equal(table$correlation, stored$fixed, tolerance = 1e-10)
})

test_that("the null with K - r + 1 cohorts without effect keeps its rate", {
  # In the worst case r - 1 cohorts have p of 0, and the others are uniform.
  p <- withr::with_seed(2, matrix(stats::runif(80000), 20000))
  for (method in names(combine_p)) {
    for (r in 1:4) {
      worst <- p
      worst[, seq_len(r - 1)] <- 0
      rate <- mean(partial_conjunction(worst, method)[, r] <= 0.05)
      expect_lte(rate, 0.05 + 3 * sqrt(0.05 * 0.95 / 20000))
      # Simes' and Fisher's combinations are exact for independent cohorts.
      if (method != "bonferroni") expect_gte(rate, 0.05 - 3 * sqrt(0.05 * 0.95 / 20000))
    }
  }
})

test_that("p values of a cohort are those of classical tests", {
  d <- three_cohorts()
  of <- function(y) compare_cohorts(d$x, y)$by_cohort
  j <- rownames(of(d$y)$p)
  two <- of(d$y)
  expect_equal(two$p[, 1], vapply(j, function(one) {
    stats::t.test(d$x[, one] ~ d$y, var.equal = TRUE)$p.value
  }, 0), tolerance = 1e-10)
  number <- d$x[, "z1"]^2 + d$x[, "a1"]
  found <- of(number)
  expect_equal(found$p[j, 1], vapply(j, function(one) {
    stats::cor.test(d$x[, one], number)$p.value
  }, 0), tolerance = 1e-8)
  expect_equal(found$correlation[j, 1], stats::cor(d$x[, j], number)[, 1], tolerance = 1e-10)
  three <- factor(rep_len(c("u", "v", "w"), nrow(d$x)))
  found <- of(three)
  expect_equal(found$p[j, 1], vapply(j, function(one) {
    summary(stats::aov(d$x[, one] ~ three))[[1]][1, 5]
  }, 0), tolerance = 1e-8)
  expect_true(all(is.na(compare_cohorts(d$x, three, d$study)$table$direction)))
  skip_if_not_installed("survival")
  time <- withr::with_seed(3, survival::Surv(
    stats::rexp(nrow(d$x)) * exp(-d$x[, "z2"] / 2), stats::rbinom(nrow(d$x), 1, 0.7)
  ))
  found <- of(time)
  rest <- stats::residuals(survival::coxph(time ~ 1))
  expect_equal(found$p[j, 1], vapply(j, function(one) {
    summary(stats::lm(rest ~ d$x[, one]))$coefficients[2, 4]
  }, 0), tolerance = 1e-6)
  score <- vapply(j, function(one) {
    summary(survival::coxph(time ~ d$x[, one]))$sctest[["pvalue"]]
  }, 0)
  expect_gt(stats::cor(stats::qnorm(found$p[j, 1] / 2), stats::qnorm(score / 2)), 0.99)
  fit <- compare_cohorts(d$x, time, d$study)
  expect_setequal(fit$table$direction, c("-", "+"))
  expect_identical(fit$measure, "discordance")
})

test_that("features are found in the cohorts that have them, in one direction", {
  d <- three_cohorts()
  fit <- compare_cohorts(d$x, d$y, d$study)
  table <- fit$table
  rownames(table) <- table$feature
  expect_setequal(fit$features, c(paste0("a", 1:4), "b1", "b2"))
  expect_identical(table[paste0("a", 1:4), "n_found"], rep(3L, 4))
  expect_identical(table[c("b1", "b2"), "n_found"], c(2L, 2L))
  expect_lte(table["c1", "n_found"], 1L)
  expect_true(all(table[c("a1", "b1"), "direction"] == "ill"))
  expect_setequal(
    compare_cohorts(d$x, d$y, d$study, min_cohorts = 3)$features, paste0("a", 1:4)
  )
  expect_match(paste(format(fit), collapse = " "), "opposite directions: c1")
  # By hand: twice the smaller of both one-sided p.
  p <- fit$by_cohort$p["b1", ]
  up <- ifelse(fit$by_cohort$correlation["b1", ] > 0, p / 2, 1 - p / 2)
  at <- match("b1", table$feature)
  expect_equal(fit$partial$p[at, 2], 2 * by_definition(up, 2, "simes"), ignore_attr = TRUE)
  expect_equal(fit$partial$p_adjusted[, 3], stats::p.adjust(fit$partial$p[, 3], "BH"))
  # The mean of Fisher's z, weighted by n - 3.
  z <- sum(atanh(fit$by_cohort$correlation["a1", ]) * c(27, 37, 47)) / (27 + 37 + 47)
  expect_equal(table["a1", "correlation"], tanh(z))
  expect_lte(max(nchar(format(fit))), 80)
  expect_snapshot(fit)
  expect_identical(summary(fit)[["in 2"]], unname(fit$partial$p_adjusted[, 2]))
  expect_named(summary(fit), c("feature", "in 1", "in 2", "in 3"))
})

test_that("lists of data sets and results alone give the same", {
  d <- three_cohorts()
  fit <- compare_cohorts(d$x, d$y, d$study)
  rows <- split(seq_along(d$y), d$study)
  sets <- lapply(rows, function(i) d$x[i, ])
  ys <- lapply(rows, function(i) d$y[i])
  listed <- compare_cohorts(sets, ys)
  expect_identical(listed$table, fit$table)
  expect_equal(listed$cohorts, fit$cohorts)
  prepared <- Map(prepare_study, sets, ys)
  expect_identical(compare_cohorts(prepared)$table, fit$table)
  sites <- lapply(rows, function(i) compare_cohorts(d$x[i, ], d$y[i]))
  joined <- compare_cohorts(sites)
  expect_identical(joined$table, fit$table)
  expect_identical(joined$partial, fit$partial)
  expect_null(joined$measure)
  # One site may send several cohorts.
  some <- d$study != "Turin"
  two <- compare_cohorts(d$x[some, ], d$y[some], droplevels(d$study[some]))
  expect_identical(compare_cohorts(list(two, Turin = sites$Turin))$table, fit$table)
  expect_match(paste(format(sites[[1]]), collapse = " "), "One cohort, to be compared")
  # No values of samples leave a site.
  expect_lt(as.numeric(utils::object.size(sites[[3]]$by_cohort)), 60000)
  expect_false(any(vapply(unlist(sites[[3]], recursive = FALSE), NROW, 0L) == 50L))
  # Common features only.
  sets[[2]] <- sets[[2]][, -(1:2)]
  fewer <- compare_cohorts(sets, ys)
  expect_identical(sort(fewer$table$feature), sort(setdiff(colnames(d$x), c("a1", "a2"))))
  expect_match(paste(format(fewer), collapse = " "), "58 of 60 features are in all cohorts")
})

test_that("lists come from the procedure, with the seed of a site alone", {
  d <- three_cohorts()
  rule <- function(x, y, ...) {
    select_ensemble(x, y, selector_filter("t"), resample_bootstrap(5), n_features = 4, ...)
  }
  fit <- compare_cohorts(d$x, d$y, d$study, object = rule, seed = 7)
  named <- fit$by_cohort$named
  for (k in levels(d$study)) {
    own <- rule(d$x[d$study == k, ], d$y[d$study == k], seed = 7)$features
    expect_setequal(rownames(named)[named[, k]], own)
  }
  expect_identical(fit$table$n_named, as.integer(rowSums(named)))
  expect_identical(lengths(fit$chosen), c(Bern = 4L, Oslo = 4L, Turin = 4L))
  again <- compare_cohorts(d$x, d$y, d$study, object = rule, seed = 7, n_threads = 2)
  expect_identical(again$cohorts, fit$cohorts)
  result <- stability_selection(d$x, d$y, q = 3, cutoff = 0.9, n_pairs = 3, seed = 1)
  expect_s3_class(
    compare_cohorts(d$x, d$y, d$study, object = result, seed = 1), "stabilect_cohorts"
  )
})

test_that("a cohort left out is predicted by the others, standardised within cohorts", {
  d <- three_cohorts()
  fit <- compare_cohorts(d$x, d$y, d$study)
  scaled <- d$x
  for (k in levels(d$study)) scaled[d$study == k, ] <- scale(d$x[d$study == k, ])
  for (k in levels(d$study)) {
    out <- d$study == k
    others <- compare_cohorts(d$x[!out, ], d$y[!out], droplevels(d$study[!out]))
    expect_identical(fit$chosen[[k]], others$features)
    # Ridge regression on features of mean 0 and standard deviation 1 (divisor n) in the fit.
    v <- scaled[, others$features]
    middle <- colMeans(v[!out, ])
    size <- sqrt(colMeans(sweep(v[!out, ], 2, middle)^2))
    v <- sweep(sweep(v, 2, middle), 2, size, `/`)
    code <- ifelse(d$y == "ill", 1, -1)
    beta <- solve(crossprod(v[!out, ]) + diag(12, ncol(v)), crossprod(v[!out, ], code[!out]))
    wrong <- mean(sign(v[out, ] %*% beta + mean(code[!out])) != code[out])
    expect_equal(fit$cohorts$error[fit$cohorts$cohort == k], wrong)
  }
  expect_equal(fit$cohorts$baseline, rep(0.5, 3))
  # Labels of the cohort left out do not matter.
  other <- d$y
  other[d$study == "Turin"] <- rev(other[d$study == "Turin"])
  swapped <- compare_cohorts(d$x, other, d$study)
  expect_identical(swapped$chosen$Turin, fit$chosen$Turin)
})

test_that("blocks and groups within cohorts count", {
  d <- three_cohorts()
  pair <- paste(d$study, rep_len(rep(1:25, each = 2), nrow(d$x)))
  pair <- unlist(lapply(split(pair, d$study), function(one) {
    paste(one[1], rep(seq_len(length(one) / 2), each = 2))
  }))
  within <- prepare_study(d$x, d$y, within = pair)
  fit <- compare_cohorts(within, cohorts = d$study)
  turin <- d$study == "Turin"
  difference <- d$x[turin, "a1"][d$y[turin] == "ill"] - d$x[turin, "a1"][d$y[turin] == "well"]
  expect_equal(fit$by_cohort$p["a1", "Turin"], stats::t.test(difference)$p.value)
  expect_true(all(c("a1", "a2") %in% fit$features))
  expect_match(format(fit), sprintf("within %d groups", length(unique(pair))), all = FALSE)
  # A site sends no names of its patients.
  expect_false(any(grepl(pair[1], unlist(rapply(unclass(fit), as.character)), fixed = TRUE)))
  expect_error(
    compare_cohorts(prepare_study(d$x, d$y, blocks = rep_len(1:60, nrow(d$x))), cohorts = d$study),
    "in two cohorts", class = "stabilect_error_input"
  )
})

test_that("bad input is refused", {
  d <- three_cohorts()
  bad <- function(pattern, ...) {
    error <- expect_error(compare_cohorts(...), class = "stabilect_error_input")
    expect_match(cli::ansi_strip(conditionMessage(error)), pattern)
  }
  bad("`cohorts` must be a vector with one label", d$x, d$y, d$study[-1])
  bad("`cohorts` has NA at position 2", d$x, d$y, replace(d$study, 2, NA))
  bad("Cohort \"b\" has 3 samples", d$x, d$y, rep(c("a", "b"), c(117, 3)))
  bad("Cohort \"b\" cannot be tested: it has no sample of a class", d$x, d$y, ifelse(
    seq_along(d$y) %in% which(d$y == "ill")[1:10], "b", "a"
  ))
  bad("leave `cohorts` out", list(d$x, d$x), list(d$y, d$y), d$study)
  bad("must be a list of as many outcomes", list(d$x, d$x), d$y)
  bad("another outcome", list(d$x, d$x), list(d$y, rev(factor(d$y, rev(levels(d$y))))))
  bad("Two cohorts are called \"a\"", list(a = d$x, a = d$x), list(d$y, d$y))
  bad("no feature in common", list(d$x, matrix(d$x, nrow(d$x))), list(d$y, d$y))
  bad("`min_cohorts`", d$x, d$y, d$study, min_cohorts = 4)
  site <- compare_cohorts(d$x, d$y)
  bad("list of results", list(site, site), d$y)
  held <- stability_selection(d$x, d$y, q = 3, cutoff = 0.9, n_pairs = 3, covariates = d$x[, 60],
    seed = 1)
  bad("`object` has `covariates`", d$x, d$y, d$study, object = held)
})

test_that("the picture has the cohorts and the number of them in which features are found", {
  skip_if_not_installed("ggplot2")
  d <- three_cohorts()
  fit <- compare_cohorts(d$x, d$y, d$study)
  drawn <- ggplot2::autoplot(fit, n = 6)
  expect_identical(nrow(drawn$data), 18L)
  expect_identical(ggplot2::layer_data(drawn, 3)$label, sprintf("%d of 3", fit$table$n_found[1:6]))
  expect_identical(nrow(ggplot2::layer_data(drawn, 2)), sum(fit$by_cohort$named[1:6, ]))
  skip_if_not_installed("generics")
  expect_identical(generics::tidy(fit)$estimate, fit$table$correlation)
})

test_that("the help has the figures of the simulation", {
  rates <- result_of("cohorts", "rates")
  wrong <- rates[rates$r > rates$n_signal, ]
  expect_says(
    "R/evaluate-cohorts.R", paste(
      "p was at most 0.05 for at most %.1f %% of the features, and any adjusted p in at most",
      "%.0f %%"
    ),
    100 * max(wrong$p_05), 100 * max(wrong$any)
  )
  expect_identical(unique(rates$repetitions), 100L)
  left <- result_of("cohorts", "left-out")
  left <- left[left$outcome != "lognormal", ]
  # Cohorts left out foretell the error of a new one.
  expect_true(all(abs(left$promised - left$hidden) < 2 * left$se_difference))
})

test_that("a column that is constant in a cohort has no correlation there", {
  d <- three_cohorts()
  d$x[d$study == "Bern", "a1"] <- 1e6 + 0.1
  fit <- compare_cohorts(d$x, d$y, d$study)
  expect_identical(unname(fit$by_cohort$correlation["a1", "Bern"]), 0)
  expect_identical(unname(fit$by_cohort$p["a1", "Bern"]), 1)
  expect_false(anyNA(fit$partial$p))
})

test_that("cohorts are named by a column of the data, which is no feature then", {
  d <- three_cohorts()
  one <- compare_cohorts(d$x, d$y, cohorts = d$study)
  table <- data.frame(site = as.character(d$study), d$x)
  by_name <- compare_cohorts(table, d$y, cohorts = "site")
  expect_equal(by_name$table, one$table)
  expect_identical(by_name$cohorts$cohort, one$cohorts$cohort)
  formula <- compare_cohorts(y ~ ., data = data.frame(y = d$y, table), cohorts = "site")
  expect_equal(formula$table, one$table)
  expect_error(compare_cohorts(table[-1], d$y, cohorts = "sites"), "or the name of a column")
})

test_that("results of the same data are one cohort", {
  d <- three_cohorts()
  site <- compare_cohorts(d$x[1:30, ], d$y[1:30])
  other <- compare_cohorts(d$x[31:70, ], d$y[31:70])
  expect_identical(compare_cohorts(list(a = site, b = other))$cohorts$cohort, c("a", "b"))
  expect_error(compare_cohorts(list(a = site, b = other, c = site)), "results of the same data")
})
