# Tests on splits of survival times, several classes and counts.

space <- asNamespace("stabilect")
design <- withr::with_seed(4, {
  x <- matrix(stats::rnorm(120 * 30), 120, dimnames = list(NULL, paste0("g", 1:30)))
  link <- x[, 1] + x[, 2]
  time <- stats::rexp(120, exp(link))
  censored <- stats::rexp(120, 0.7)
  gumbel <- matrix(-log(-log(stats::runif(360))), 120)
  list(
    x = x, counts = stats::rnbinom(120, mu = exp(link), size = 2),
    times = cbind(time = pmin(time, censored), event = time <= censored),
    classes = factor(letters[max.col(cbind(0, 2 * link, -2 * link) + gumbel)])
  )
})
surv <- function() survival::Surv(design$times[, 1], design$times[, 2])

test_that("times have the martingale residuals of an empty Cox model, and t tests of lm", {
  skip_if_not_installed("survival")
  fit <- split_test(design$x, surv(), n_features = 6, n_runs = 6, seed = 1)
  expect_setequal(fit$features, c("g1", "g2"))
  p <- vapply(1:6, function(b) {
    rows <- fit$resamples$counts[, b] == 0
    empty <- survival::coxph(surv()[rows] ~ 1)
    set <- which(fit$selection$selected[, b])
    line <- stats::lm(stats::residuals(empty, "martingale") ~ design$x[rows, set])
    replace(rep(1, 30), set, pmin(1, 6 * summary(line)$coefficients[-1, 4]))
  }, numeric(30))
  expected <- apply(p, 1, function(one) space$aggregate_p(one[one < 1], 6))
  at <- match(fit$table$feature, colnames(design$x))
  expect_equal(fit$table$p_fwer, unname(expected[at]), tolerance = 1e-8)
  # Halves keep their share of events.
  inside <- colSums(fit$resamples$counts * design$times[, 2])
  expect_lte(diff(range(inside, sum(design$times[, 2]) - inside)), 1)
})

test_that("several classes have Wilks' lambda of manova, for features and groups", {
  rows <- 1:60
  y <- space$split_scores(space$read_response(design$classes, 120L), rows)
  expect_identical(dim(y), c(60L, 2L))
  x <- design$x[rows, 1:5]
  kinds <- outer(design$classes[rows], c("a", "b"), `==`) + 0
  wilks <- function(part) {
    fit <- stats::manova(kinds ~ x[, !part] + x[, part])
    summary(fit, test = "Wilks")$stats[2, "Pr(>F)"]
  }
  own <- space$test_set(design$x[rows, ], y, 1:5)
  expect_equal(own$p, vapply(1:5, function(j) wilks(1:5 == j), 0), tolerance = 1e-9)
  expect_true(all(is.na(own$beta)))
  for (part in list(c(TRUE, TRUE, FALSE, FALSE, FALSE), c(FALSE, TRUE, TRUE, TRUE, FALSE))) {
    expect_equal(space$test_part(x, y, part), wilks(part), tolerance = 1e-9)
  }
  # Three columns and three features, where Rao's F is not exact.
  four <- cbind(y, stats::qnorm(stats::ppoints(60)))
  fit <- stats::manova(four ~ x[, 4:5] + x[, 1:3])
  expect_equal(
    space$test_part(x, four, 1:5 < 4), summary(fit, test = "Wilks")$stats[2, "Pr(>F)"],
    tolerance = 1e-9
  )
})

test_that("several and ordered classes are tested after paths of several classes", {
  ordered <- factor(as.character(design$classes), c("c", "a", "b"), ordered = TRUE)
  for (y in list(design$classes, ordered)) {
    fit <- split_test(design$x, y, n_runs = 20, seed = 1)
    expect_setequal(fit$features, c("g1", "g2"))
    expect_identical(fit$asked$n_features, 20L)
    one <- which(fit$resamples$counts[, 1] > 0)
    path <- lasso_path(
      design$x[one, ], droplevels(y[one]), family = "multinomial", n_lambda = 1000
    )
    # Where one feature more was foreseen.
    ratio <- fit$splits$lambda[1] / path$lambda[min(which(path$size > 20))]
    expect_equal(ratio, 1, tolerance = 0.03)
  }
  expect_error(
    split_test(design$x, design$classes, "mirror"), "no single coefficient",
    class = "stabilect_error_input"
  )
  classes <- split_test(design$x, design$classes, n_runs = 10, seed = 1)
  expect_output(print(classes), "higher in +p_fwer +frequency")
  tree <- cluster_features(design$x)$tree
  groups <- split_test(design$x, design$classes, n_runs = 10, groups = tree, seed = 1)$groups
  expect_true(groups$selected[1])
})

test_that("counts have scores of their own, and must be asked for", {
  fit <- split_test(design$x, design$counts, family = "poisson", n_runs = 20, seed = 1)
  expect_setequal(fit$features, c("g1", "g2"))
  expect_output(print(fit), "outcome: counts")
  again <- split_test(
    design$x, design$counts, family = "poisson", n_runs = 20, seed = 1, n_threads = 2
  )
  expect_identical(again$table, fit$table)
  numbers <- split_test(design$x, design$counts, n_runs = 20, seed = 1)
  expect_false(identical(numbers$table$p_fwer, fit$table$p_fwer))
  mirror <- split_test(
    design$x, design$counts, "mirror", fdr = 0.2, family = "poisson", n_runs = 10, seed = 1
  )
  expect_true(all(c("g1", "g2") %in% mirror$table$feature[1:4]))
  expect_error(
    split_test(design$x, design$counts - 1, family = "poisson"), class = "stabilect_error_input"
  )
  expect_error(
    split_test(design$x, design$counts, family = "cox"), "`family` must be \"poisson\"",
    class = "stabilect_error_input"
  )
  # A half without a count has nothing to test.
  rare <- replace(numeric(120), 1:3, 1)
  expect_no_error(split_test(design$x, rare, family = "poisson", n_runs = 10, seed = 1))
})
