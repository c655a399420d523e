example_selection <- function() {
  as_selection(
    as_selection(list(1:2, c(2, 4), NULL), n_total = 4),
    importance = list(c(V1 = 3, V2 = 1), c(V2 = 1, V4 = 1), NULL)
  )
}

test_that("c() puts runs side by side, and subsetting takes them apart again", {
  selection <- example_selection()
  both <- c(selection, selection[2])
  expect_identical(both$n_runs, 4L)
  expect_identical(both$method, "sets")
  expect_identical(both[1:3], selection)
  expect_identical(both[4], selection[2])
  expect_identical(c(selection), selection)
})

test_that("c() keeps what all parts have", {
  selection <- example_selection()
  bare <- as_selection(list(3), n_total = 4)
  expect_null(c(selection, bare)$importance)
  ranks <- as_selection(rbind(1:4), type = "rank", n_features = 1)
  mixed <- c(bare, ranks)
  expect_equal(unname(mixed$score), cbind(c(0, 0, 1, 0), 4:1))
  expect_identical(mixed$method, "sets + ranks up to 1")
})

test_that("c() merges what identifies the runs", {
  x <- as.matrix(mcl_sll[, 2:6])
  full <- fealect(x, mcl_sll$MCL, n_runs = 6, n_boot = 0, seed = 1)$selection
  other <- fealect(x, mcl_sll$MCL, n_runs = 4, n_boot = 0, seed = 2)$selection
  expect_identical(c(full[1:2], full[3:6]), full)
  both <- c(full, other)
  expect_identical(both$run_hash, c(full$run_hash, other$run_hash))
  expect_false(both$fingerprint %in% c(full$fingerprint, other$fingerprint))
  expect_null(both$seed)
  bare <- as_selection(list(1), feature_names = colnames(x))
  expect_null(c(full, bare)$run_hash)
  expect_null(c(full, bare)$fingerprint)
  failed <- full
  failed$status[2] <- "one response"
  expect_identical(c(failed, other)$status[1:3], c("ok", "one response", "ok"))
})

test_that("c() refuses selections over other features", {
  selection <- example_selection()
  expect_refusals({
    c(selection, as_selection(list(1), n_total = 5))
    c(selection, as_selection(list("V1"), feature_names = paste0("V", c(1, 2, 4, 3))))
    c(selection, list(1:2))
  })
})

test_that("print tells sizes, failures and importance", {
  selection <- example_selection()
  failed <- selection
  failed$status[3] <- "one response"
  expect_snapshot({
    selection
    failed
    as_selection(list(1, 2:3), n_total = 4)
  })
})

test_that("frequency, mean score and its error are those of the definition", {
  withr::local_seed(1)
  w <- matrix(rnorm(60) * (runif(60) < 0.6), 12, dimnames = list(NULL, letters[1:5]))
  table <- as.data.frame(as_selection(w, type = "weight"))
  expect_identical(table$feature, letters[1:5])
  expect_equal(table$frequency, unname(colMeans(w != 0)))
  expect_equal(table$mean_score, unname(colMeans(abs(w))))
  expect_equal(table$se, unname(apply(abs(w), 2, sd)) / sqrt(12))
})

test_that("runs are chosen as columns are, with all that belongs to them", {
  selection <- example_selection()
  last <- selection[-1]
  expect_identical(last$importance, selection$importance[, 2:3])
  expect_identical(last$selected, selection$selected[, 2:3])
  expect_identical(selection[c(TRUE, FALSE, TRUE)], selection[c(1, 3)])
  expect_refusals(selection[4])
  expect_refusals(selection[0])
})

test_that("the summary has the best features first", {
  best <- summary(as_selection(list(c("b", "c"), "c", "c"), feature_names = letters))
  expect_identical(best$feature[1:2], c("c", "b"))
  expect_identical(nrow(best), 26L)
})
