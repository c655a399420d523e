# Set indices: estimates without each run, under multiplicities, for any number of threads, and
# where they are not defined.

# The names that are defined for these sizes.
usable <- function(sizes) {
  setdiff(set_names(), if (length(unique(sizes)) > 1) "kuncheva")
}

test_that("leaving a run out is computing without it", {
  withr::local_seed(1)
  for (i in 1:8) {
    p <- sample(6:25, 1)
    sizes <- if (i %% 2) sample(0:p, 6, replace = TRUE) else rep(3, 6)
    sets <- random_sets(p, sizes)
    options <- list(
      corrected = i %% 4 < 2, impute_na = if (i %% 3 == 0) 0, penalty = (i %% 4) / 2
    )
    for (name in usable(sizes)) {
      value <- do.call(index_of, c(list(name, sets, p), options))
      loo <- vapply(seq_along(sets), function(j) {
        do.call(index_of, c(list(name, sets[-j], p), options))$estimate
      }, 0)
      expect_equal(value$loo, loo, tolerance = 1e-10, label = name)
      expect_equal(value$replicate(1 - diag(6)), loo, tolerance = 1e-10, label = name)
      expect_equal(value$replicate(matrix(1, 6, 1)), value$estimate, tolerance = 1e-10)
    }
  }
  two <- index_of("jaccard", list(1:2, 2:3), 5)
  expect_identical(two$loo, c(NA_real_, NA_real_))
})

test_that("one undefined run leaves the estimate undefined, but not that without it", {
  value <- index_of("ochiai", list(1:2, integer(), 2:3, 1:3), 5)
  expect_identical(value$estimate, NA_real_)
  expect_identical(is.na(value$loo), c(TRUE, FALSE, TRUE, TRUE))
  expect_equal(value$replicate(cbind(c(1, 0, 2, 1), c(1, 1, 1, 1))), c(
    index_of("ochiai", list(1:2, 2:3, 1:3), 5)$replicate(cbind(c(1, 2, 1))), NA
  ))
})

test_that("copies of a run are not compared with one another", {
  withr::local_seed(2)
  sets <- random_sets(12, c(2, 5, 4, 7))
  w <- c(3, 1, 0, 2)
  copies <- rep(1:4, w)
  for (name in c("jaccard", "dice", "pog", "wald", "hamming")) {
    pairs <- utils::combn(length(copies), 2)
    values <- apply(pairs, 2L, function(pair) {
      at <- copies[pair]
      if (at[1] == at[2]) NA else index_of(name, sets[at], 12)$estimate
    })
    expect_equal(index_of(name, sets, 12)$replicate(cbind(w)), mean(values, na.rm = TRUE))
  }
  z <- vapply(sets, function(set) seq_len(12) %in% set, logical(12))
  h <- drop(z %*% w)
  overlap <- sum(h^2 - z %*% w^2) / (sum(w)^2 - sum(w^2))
  k <- sum(h) / sum(w)
  expect_equal(
    index_of("nogueira", sets, 12)$replicate(cbind(w)), 1 - (k - overlap) / (k * (1 - k / 12))
  )
  expect_equal(index_of("cw", sets, 12)$replicate(cbind(w)), overlap / k)
  alone <- cbind(c(4, 0, 0, 0))
  expect_identical(index_of("jaccard", sets, 12)$replicate(alone), NA_real_)
  expect_identical(index_of("nogueira", sets, 12)$replicate(alone), NA_real_)
})

test_that("without copies, multiplicities of Davis's index are those of its formula", {
  withr::local_seed(4)
  sets <- random_sets(15, c(2, 5, 4, 7, 3))
  for (w in list(c(2, 0, 1, 1, 1), c(0, 0, 1, 4, 1))) {
    drawn <- rep(1:5, w)
    sizes <- lengths(sets)[drawn]
    union <- length(unique(unlist(sets[drawn])))
    expected <- max(0, sum(sizes) / (length(drawn) * union) - stats::median(sizes) / 15)
    expect_equal(index_of("davis", sets, 15, penalty = 1)$replicate(cbind(w)), expected)
  }
})

test_that("corrected replicates of Novovicova's index need whole multiplicities", {
  value <- index_of("novovicova", list(1:2, 2:3, 3:4), 6, corrected = TRUE)
  expect_identical(is.na(value$replicate(cbind(c(1, 1, 1), c(0.5, 1, 1.5)))), c(FALSE, TRUE))
})

test_that("values are the same bits for any number of threads", {
  sets <- withr::with_seed(6, random_sets(400, sample(5:40, 150, replace = TRUE)))
  w <- withr::with_seed(7, stats::rmultinom(20, 150, rep(1, 150)))
  for (name in c("jaccard", "kappa", "ochiai")) {
    one <- index_of(name, sets, 400, corrected = TRUE)
    for (n_threads in 2:3) {
      other <- index_of(name, sets, 400, corrected = TRUE, n_threads = n_threads)
      expect_identical(other$estimate, one$estimate)
      expect_identical(other$loo, one$loo)
      expect_identical(other$replicate(w), one$replicate(w))
    }
  }
})

test_that("the matrix of pairs holds the values of pairs", {
  sets <- list(1:3, 2:5, integer(), integer())
  data <- sets_data(sets, 6)
  matrix <- pair_matrix(data, index_records()$jaccard$pairs)
  expect_equal(matrix[1, 2], 2 / 5)
  expect_identical(matrix, t(matrix))
  expect_identical(is.na(matrix), row(matrix) + col(matrix) == 7)
})

test_that("notes say how many pairs are undefined and where, and what was done", {
  sets <- list(1:2, integer(), 2:3, integer())
  value <- index_of("jaccard", sets, 5)
  expect_identical(value$estimate, NA_real_)
  expect_identical(
    value$note, "1 of 6 pairs undefined, the first: runs 2 (size 0) and 4 (size 0)"
  )
  value <- index_of("phi", sets, 5, impute_na = 0)
  expect_match(value$note, "^5 of 6 pairs undefined and imputed, the first: runs 1 .* and 2")
  expect_equal(value$estimate, stats::cor(1:5 %in% 1:2, 1:5 %in% 2:3) / 6)
  value <- index_of("kuncheva", list(1:2, 1:3, 2:3, 3:4, 4), 5)
  expect_identical(value$estimate, NA_real_)
  expect_identical(value$note, "needs equal sizes: runs 2, 5 have 3, 1 features, the others 2")
  empty <- list(integer(), integer())
  expect_identical(index_of("davis", empty, 3)$note, "no run selected any feature")
  expect_identical(index_of("nogueira", empty, 3, impute_na = 0)$estimate, 0)
  expect_match(index_of("nogueira", list(1:3, 1:3), 3)$note, "every feature")
  expect_identical(index_of("dice", list(1:2), 3)$note, "needs at least two runs")
})

test_that("ten thousand features and runs of one feature stay in range", {
  sets <- c(list(1L), lapply(1:60, function(i) i %/% 2L + 1L))
  for (name in usable(1)) {
    value <- index_of(name, sets, 10000)$estimate
    expect_true(is.finite(value) && value <= 1, label = name)
  }
})
