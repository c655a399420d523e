ns <- asNamespace("stabilect")

test_that("tied pairs are counted once for columns that order the rows alike", {
  x <- withr::with_seed(1, cbind(
    a = sample(4, 12, TRUE), b = sample(3, 12, TRUE), c = stats::rnorm(12), d = rep(1, 12)
  ))
  x <- cbind(x, same = x[, "a"]^3, turned = -x[, "b"], other = rev(x[, "a"]))
  tied <- function(v) sum(outer(v, v, "==")[upper.tri(diag(12))])
  expect_equal(ns$cpp_tied_pairs(x), unname(apply(x[, c("a", "b", "c", "d", "other")], 2, tied)))
  # By Kendall's tau: 1 or -1 means the same order.
  many <- withr::with_seed(2, matrix(sample(2, 5 * 40, TRUE), 5))
  tau <- suppressWarnings(abs(stats::cor(many, method = "kendall")))
  constant <- apply(many, 2, function(v) length(unique(v)) == 1)
  tau[constant, constant] <- 1
  tau[is.na(tau)] <- 0
  first <- !vapply(seq_len(40), function(j) any(tau[j, seq_len(j - 1)] > 1 - 1e-12), NA)
  pairs <- apply(many, 2, function(v) sum(choose(table(v), 2)))
  expect_equal(ns$cpp_tied_pairs(many), pairs[first])
})
