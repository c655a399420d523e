# Indices that know similar features: how similarities come in, and what is refused.

test_that("the four ways to give a similarity agree", {
  set.seed(9)
  sets <- random_sets(24, rep_len(c(4, 7), 7))
  data <- similar_data(sets, 24)
  group <- rep(c("a", "b", "c"), c(6, 8, 10))
  by_group <- outer(group, group, `==`) * 1
  x <- matrix(stats::rnorm(12 * 24), 12)
  x[, 13:24] <- x[, 1:12] + 0.4 * x[, 13:24]
  correlation <- abs(stats::cor(x))
  for (name in similarity_names()) {
    number <- function(similarity, threshold = 0.6) {
      similar_value(
        name, data, similarity = similarity, threshold = threshold, corrected = TRUE
      )[c("estimate", "loo", "mc_se")]
    }
    expect_equal(number(group), number(by_group), tolerance = 1e-12)
    expect_equal(
      number(methods::as(by_group, "CsparseMatrix")), number(by_group),
      tolerance = 1e-12
    )
    clusters <- structure(list(membership = factor(group)), class = "stabilect_clusters")
    expect_equal(number(clusters), number(group))
    if (name != "sechidis") {
      expect_equal(number(list(x = x)), number(correlation), tolerance = 1e-10)
    }
  }
})

test_that("features are matched by name", {
  set.seed(10)
  sets <- random_sets(12, rep_len(4, 6))
  s <- random_similarity(12, 2)
  shuffle <- sample(12)
  named <- s
  dimnames(named) <- list(paste0("V", 1:12), paste0("V", 1:12))
  labels <- stats::setNames(rep(1:4, 3), paste0("V", 1:12))
  x <- matrix(stats::rnorm(120), 10, dimnames = list(NULL, paste0("V", 1:12)))
  value <- function(similarity) {
    similar_value("yu", similar_data(sets, 12), similarity = similarity, threshold = 0.6)$estimate
  }
  expect_identical(value(named[shuffle, shuffle]), value(s))
  expect_identical(value(labels[shuffle]), value(unname(labels)))
  expect_identical(value(list(x = x[, shuffle])), value(list(x = unname(x))))
})

test_that("beyond the limit correlations are sampled for chance alone", {
  # 84 copies of 60 features: more than are looked at whole, and a sparse matrix of similarities.
  set.seed(11)
  x <- matrix(stats::rnorm(30 * 60), 30)
  x[, 31:60] <- x[, 1:30] + 0.5 * x[, 31:60]
  alike <- abs(stats::cor(x))
  alike[alike < 0.6] <- 0
  whole <- Matrix::kronecker(matrix(1, 84, 84), Matrix::Matrix(alike, sparse = TRUE))
  x <- x[, rep(1:60, 84)]
  data <- similar_data(random_sets(60, rep_len(c(5, 9), 8)), ncol(x))
  names <- setdiff(similarity_names(), "sechidis")
  values <- function(similarity) {
    index_values(data, names, similarity = similarity, threshold = 0.6, corrected = TRUE, seed = 1)
  }
  whole <- values(whole)
  sampled <- values(list(x = x))
  for (name in names) {
    value <- sampled[[name]]
    expect_lt(abs(value$estimate - whole[[name]]$estimate), 6 * value$mc_se + 1e-10)
    expect_lt(value$mc_se, 0.1)
    expect_match(value$note, "1000 of 5040")
  }
})

test_that("an index says whether it takes random numbers", {
  data <- similar_data(random_sets(60, rep_len(4, 3)), 60)
  draws <- function(name, n_total = 60, corrected = FALSE) {
    data$n_total <- n_total
    index_records()[[name]]$draws(data, list(similarity = list(x = 1), corrected = corrected))
  }
  expect_true(all(vapply(intersections, draws, NA)))
  expect_identical(c(draws("yu"), draws("yu", 6000)), c(FALSE, TRUE))
  expect_identical(c(draws("zucknick", 6000), draws("zucknick", 6000, TRUE)), c(FALSE, TRUE))
  expect_false(draws("sechidis", 6000, TRUE))
})

test_that("leave-one-out, replicates and threads", {
  s <- random_similarity(18, 12)
  set.seed(12)
  sets <- random_sets(18, rep_len(c(3, 5, 8), 7))
  for (name in similarity_names()) {
    on_runs <- function(keep, ...) {
      similar_value(
        name, similar_data(sets[keep], 18), similarity = s, threshold = 0.7, corrected = TRUE, ...
      )
    }
    value <- on_runs(1:7)
    without <- vapply(1:7, function(i) on_runs(-i)$estimate, 0)
    expect_equal(value$loo, without, tolerance = 1e-12)
    w <- cbind(1, c(1, 1, 0, 1, 0, 1, 1), c(2, 2, 0, 2, 0, 2, 2))
    expect_equal(
      value$replicate(w)[1:2], c(value$estimate, on_runs(c(1, 2, 4, 6, 7))$estimate),
      tolerance = 1e-12
    )
    for (n_threads in 2:3) {
      again <- on_runs(1:7, n_threads = n_threads)
      expect_identical(again[c("estimate", "loo", "mc_se")], value[c("estimate", "loo", "mc_se")])
    }
  }
})

test_that("runs drawn twice are not paired with themselves", {
  s <- random_similarity(18, 12)
  set.seed(13)
  data <- similar_data(random_sets(18, rep_len(c(3, 5), 2)), 18)
  for (name in setdiff(similarity_names(), "sechidis")) {
    value <- similar_value(name, data, similarity = s, threshold = 0.7)
    expect_equal(value$replicate(cbind(c(5, 2))), value$estimate)
  }
})

test_that("pairs without a score are named, imputed, or left out with their run", {
  sets <- list(1:3, integer(), 2:4, integer())
  data <- similar_data(sets, 8)
  group <- rep(1:4, 2)
  for (name in setdiff(similarity_names(), "sechidis")) {
    value <- similar_value(name, data, similarity = group)
    expect_identical(value$estimate, NA_real_)
    expect_match(value$note, "^runs [12] and [24]: ")
    filled <- similar_value(name, data, similarity = group, impute_na = 0)
    expect_false(is.na(filled$estimate))
    expect_match(filled$note, "pairs set to 0")
  }
  one_empty <- similar_value("intersection_mbm", similar_data(sets[1:3], 8), similarity = group)
  expect_identical(is.na(one_empty$loo), c(TRUE, FALSE, TRUE))
  expect_identical(
    is.na(one_empty$replicate(cbind(c(1, 0, 2), c(1, 1, 0)))), c(FALSE, TRUE)
  )
})

test_that("phi_C is not defined without a set, or when every set is full", {
  for (sets in list(list(integer(), integer(), integer()), list(1:5, 1:5, 1:5))) {
    value <- similar_value("sechidis", similar_data(sets, 5), similarity = diag(5))
    expect_identical(value$estimate, NA_real_)
    expect_true(nzchar(value$note))
  }
})

test_that("an exchange of similar features costs nothing", {
  sets <- list(c(1, 3, 5), c(2, 4, 6), c(1, 4, 5))
  group <- c(1, 1, 2, 2, 3, 3, 4:30)
  for (name in c(intersections, "yu")) {
    value <- similar_value(name, similar_data(sets, 33), similarity = group)
    expect_equal(value$estimate, 1)
  }
})

test_that("similarities that cannot be used are refused", {
  selection <- similar_selection(list(1:3, 2:4, 3:5), 6)
  s <- diag(6)
  expect_refusals({
    value_of_index(selection, "yu", similarity = diag(5))
    value_of_index(selection, "yu", similarity = s - 0.1)
    s[1, 2] <- 0.9
    value_of_index(selection, "yu", similarity = s)
    value_of_index(selection, "yu", similarity = 1:4)
    value_of_index(selection, "yu", similarity = "a")
    value_of_index(selection, "yu", similarity = list(x = matrix(rnorm(20), 4)))
    value_of_index(selection, "yu", similarity = diag(6), threshold = 0)
    value_of_index(selection, "yu", similarity = stats::setNames(1:6, letters[1:6]))
  })
})

test_that("one number is that of the index", {
  selection <- similar_selection(list(1:3, 2:4, 3:5), 6)
  similarity <- c(1, 1, 2, 2, 3, 3)
  for (name in similarity_names()) {
    expect_identical(
      value_of_index(selection, name, similarity = similarity, seed = 1),
      similar_value(name, index_runs(selection), similarity = similarity)$estimate
    )
  }
})
