# What made a result.

test_that("a result carries the version and the call of the user", {
  x <- as.matrix(mcl_sll[, -1])
  y <- mcl_sll$MCL
  fit <- fealect(x, y, n_runs = 5, seed = 1, n_threads = 2, progress = FALSE)
  expect_identical(fit$made$version, as.character(utils::packageVersion("stabilect")))
  expect_identical(fit$made$call, "fealect(x, y, n_runs = 5, seed = 1)")
  stable <- stability_selection(x, y, q = 3, pfer = 2, n_pairs = 3, seed = 1)
  expect_identical(
    stable$made$call, "stability_selection(x, y, q = 3, pfer = 2, n_pairs = 3, seed = 1)"
  )
  inline <- do.call(fealect, list(x, y, n_runs = 5, seed = 1))
  expect_identical(inline$made$call, "fealect(`<matrix>`, `<numeric>`, n_runs = 5, seed = 1)")
  expect_match(describe_origin(fit), "Made by stabilect .*: fealect\\(x, y")
})

test_that("merging looks at neither, and says where versions differ", {
  x <- as.matrix(mcl_sll[, -1])
  one <- fealect(x, mcl_sll$MCL, n_runs = 5, seed = 1)
  two <- do.call(fealect, list(x, mcl_sll$MCL, n_runs = 5, seed = 2))
  merged <- expect_no_warning(c(one, two))
  two$made$version <- "0.1.0"
  expect_warning(
    again <- c(one, two), "Argument 2 was made by 0.1.0", class = "stabilect_warning_versions"
  )
  expect_identical(again$table, merged$table)
})

test_that("update() repeats a call with other arguments, or says what it needs", {
  x <- as.matrix(mcl_sll[, -1])
  y <- factor(mcl_sll$MCL)
  fit <- fealect(x, y, n_runs = 5, seed = 1)
  expect_identical(stats::update(fit, n_runs = 8), fealect(x, y, n_runs = 8, seed = 1))
  expect_identical(
    stats::update(fit, seed = 2, evaluate = FALSE), quote(fealect(x, y, n_runs = 5, seed = 2))
  )
  inline <- do.call(fealect, list(x, y, n_runs = 5, seed = 1))
  expect_error(stats::update(inline, seed = 2), "<matrix>", class = "stabilect_error")
  merged <- c(fit, stats::update(fit, seed = 2))
  expect_error(stats::update(merged, seed = 3), "Call the verb again", class = "stabilect_error")
  model <- fit_model(x, y, colnames(x)[1:2])
  for (kept in list(model, stability(fit))) expect_identical(stats::update(kept), kept)
  for (kept in list(fit$selection, cluster_features(x))) {
    expect_error(stats::update(kept), "None is kept", class = "stabilect_error")
  }
})
