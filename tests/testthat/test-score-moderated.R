# The moderated t and F of limma.

limma_score <- function(x, design, columns) {
  fit <- suppressWarnings(limma::eBayes(limma::lmFit(t(x), design)))
  if (length(columns) == 1L) {
    return(unname(abs(fit$t[, columns])))
  }
  suppressWarnings(limma::eBayes(limma::lmFit(t(x), design)[, columns]))$F
}
moderated <- function(x, y, ...) score_features(x, y, selector_filter("moderated_t"), ...)$score
# To limma copies of a column are several.
lymphoma_x <- without_copies(as.matrix(mcl_sll[, -1]))
moderated_cases <- function() {
  withr::with_seed(2, list(
    two = mcl_sll$MCL, several = factor(rep(c("a", "b", "c"), length.out = 22)),
    numbers = stats::rnorm(22), counts = sample(0:3, 22, TRUE)
  ))
}

test_that("scores are the moderated t and F of limma's eBayes()", {
  cases <- moderated_cases()
  stored <- readRDS(test_path("fixtures", "limma.rds"))
  expect_equal(moderated(lymphoma_x, cases$two), stored$two, tolerance = 1e-10)
  expect_equal(moderated(lymphoma_x, cases$several), stored$several, tolerance = 1e-10)
  expect_equal(moderated(lymphoma_x, cases$numbers), stored$numbers, tolerance = 1e-10)
  # In-bag counts are repeated rows.
  expect_equal(
    moderated(lymphoma_x, cases$two, weights = cases$counts), stored$repeated, tolerance = 1e-10
  )
  skip_if_not_installed("limma")
  design <- stats::model.matrix(~ cases$several)
  expect_equal(stored$several, limma_score(lymphoma_x, design, 2:3), tolerance = 1e-10)
  # Equal variances leave nothing to shrink: all features have the mean variance.
  x <- withr::with_seed(3, matrix(stats::rnorm(20 * 4), 20, dimnames = list(NULL, letters[1:4])))
  x <- apply(x, 2L, function(g) stats::residuals(stats::lm(g ~ rep(1:2, 10))))
  x <- sweep(x, 2L, sqrt(colSums(x^2)), "/")
  x[, 2] <- x[, 2] + rep(1:2, 10)
  expect_equal(
    moderated(x, rep(0:1, 10)), limma_score(x, stats::model.matrix(~ rep(1:2, 10)), 2),
    tolerance = 1e-10
  )
})

test_that("p and fdr are those of limma's topTable()", {
  cases <- moderated_cases()
  stored <- readRDS(test_path("fixtures", "limma.rds"))
  table_of <- function(y) score_features(lymphoma_x, y, selector_filter("moderated_t"))
  for (case in c("two", "several", "numbers")) {
    table <- table_of(cases[[case]])
    p <- stored[[paste0("p_", case)]]
    expect_equal(table$p, p, tolerance = 1e-9)
    expect_equal(table$fdr, stats::p.adjust(p, "BH"), tolerance = 1e-9)
  }
  # All variances equal: those of limma have the degrees of freedom of all features.
  x <- withr::with_seed(3, matrix(stats::rnorm(20 * 4), 20, dimnames = list(NULL, letters[1:4])))
  x <- apply(x, 2L, function(g) stats::residuals(stats::lm(g ~ rep(1:2, 10))))
  x <- sweep(x, 2L, sqrt(colSums(x^2)), "/")
  x[, 2] <- x[, 2] + 0.3 * rep(1:2, 10)
  equal <- score_features(x, rep(0:1, 10), selector_filter("moderated_t"))
  expect_equal(equal$p, 2 * stats::pt(-equal$score, 18 * 4))
  # Other selectors have none.
  expect_null(score_features(lymphoma_x, cases$two, selector_filter("t"))$p)
})

test_that("features without variance have finite scores, and constant ones the lowest", {
  y <- rep(0:1, 11)
  x <- cbind(lymphoma_x, exact = y, constant = 3)
  score <- stats::setNames(moderated(x, y), colnames(x))
  expect_true(all(is.finite(score)))
  expect_equal(score[["constant"]], 0)
  expect_identical(names(which.max(score)), "exact")
  # A single feature has no others to learn from.
  single <- lymphoma_x[, "T6.P11", drop = FALSE]
  expect_equal(moderated(single, y), score_features(single, y, selector_filter("t"))$score)
})

test_that("runs are scored as alone, and failed ones say why", {
  fit <- select_ensemble(lymphoma_x, mcl_sll$MCL, selector_filter("moderated_t"),
    resampling = resample_pairs(3), n_features = 5, seed = 1
  )
  one <- moderated(lymphoma_x, mcl_sll$MCL, weights = fit$resamples$counts[, 4])
  expect_identical(unname(fit$selection$score[, 4]), one)
  expect_error(
    moderated(lymphoma_x, mcl_sll$MCL, weights = c(1, 1, rep(0, 20))),
    class = "stabilect_error_runs"
  )
  expect_error(
    score_features(
      lymphoma_x, mcl_sll$MCL, selector_filter("moderated_t"), covariates = seq_len(22)
    ),
    "cannot score features given", class = "stabilect_error_input"
  )
})

test_that("the prior of the variances is found from its own samples", {
  # s^2 = s0^2 F(d, d0) in Smyth's model.
  variance <- withr::with_seed(5, 2 * stats::rf(1e5, 8, 6))
  post <- asNamespace("stabilect")$shrink_variances(variance, 8)$variance
  slope <- diff(range(post)) / diff(range(variance))
  expect_equal(slope, 8 / 14, tolerance = 0.03)
  expect_equal(min(post) - slope * min(variance), 2 * 6 / 14, tolerance = 0.03)
})
