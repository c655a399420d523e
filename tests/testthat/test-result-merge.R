merge_data <- function() list(x = mcl_distinct()[, 1:59], y = mcl_sll$MCL)

test_that("equal data have equal hashes in any form, other data have others", {
  study <- open_study(merge_data()$x, merge_data()$y, "binary")
  d <- list(x = study$x, y = study$response$y, levels = study$response$levels)
  hash <- hash_study(study)
  sparse <- Matrix::Matrix(d$x, sparse = TRUE)
  named <- d$x
  rownames(named) <- paste0("s", seq_len(nrow(named)))
  attr(named, "source") <- "elsewhere"
  columns <- structure(
    list(
      n = nrow(d$x), p = ncol(d$x), names = colnames(d$x),
      read = function(j) unname(d$x[, j, drop = FALSE])
    ),
    class = "stabilect_columns"
  )
  for (same in list(sparse, named, columns)) expect_identical(hash_data(same, d), hash)
  expect_identical(hash_data(d$x, read_response(mcl_sll$MCL, nrow(d$x))), hash)
  changed <- d$x
  changed[3, 5] <- changed[3, 5] + 1e-12
  renamed <- d$x
  colnames(renamed)[2] <- "other"
  for (other in list(changed, renamed, d$x[, -1], d$x[, rev(colnames(d$x))])) {
    expect_false(hash_data(other, d) == hash)
  }
  expect_false(hash_data(d$x, d, factors = colnames(d$x)[1]) == hash)
  expect_false(hash_data(d$x, list(y = -d$y, levels = d$levels)) == hash)
  expect_false(hash_data(d$x, list(y = d$y, levels = c("a", "b"))) == hash)
  # Values that are equal, but not stored alike.
  zero <- cbind(a = c(0, 1, 2), b = c(1, -0, 3))
  expect_identical(hash_features(zero), hash_features(cbind(a = c(0, 1, 2), b = c(1, 0, 3))))
  wide <- matrix(as.double(1:9000), 1, dimnames = list(NULL, paste0("V", 1:9000)))
  swapped <- wide[, c(4097:9000, 1:4096), drop = FALSE]
  expect_false(hash_features(wide) == hash_features(`colnames<-`(swapped, colnames(wide))))
})

test_that("every verb keeps the hash of its data", {
  d <- merge_data()
  x <- d$x[, 1:20]
  expected <- hash_study(open_study(x, d$y, "binary"))
  fit <- fealect(x, d$y, n_runs = 5, n_boot = 0, oob = FALSE, seed = 1)
  stable <- stability_selection(x, d$y, q = 3, cutoff = 0.8, n_pairs = 4, seed = 1)
  results <- list(
    fit, stable, stability_selection(stable, q = 2), stability_selection(fit, q = 2, cutoff = 0.9,
      assumption = "none"),
    bolasso(x, d$y, n_runs = 5, lambda = 1, seed = 1),
    select_ensemble(as.data.frame(x), factor(d$y),
      list(selector_filter("t"), selector_filter("wilcoxon")),
      resample_bootstrap(5), n_features = 3, seed = 1),
    eliminate_features(x, d$y, learner_logistic(), resampling = resample_folds(3), seed = 1),
    hybrid_rfe(x, d$y, n_features = 4, resampling = resample_bootstrap(5), seed = 1)
  )
  for (result in results) expect_identical(result$selection$data_hash, expected)
})
