test_that("colon is what its help page says", {
  expect_identical(dim(colon_genes$x), c(62L, 2000L))
  expect_true(all(is.finite(colon_genes$x)))
  expect_identical(as.vector(table(colon_genes$y)), c(22L, 40L))
  expect_identical(levels(colon_genes$y), c("normal", "tumour"))
  expect_identical(colnames(colon_genes$x), colon_genes$genes$id)
  expect_identical(anyDuplicated(colon_genes$genes$id), 0L)
  expect_identical(colon_genes$genes$id[2:3], c("Hsa.13491", "Hsa.13491_1"))
  expect_identical(read_response(colon_genes$y, 62)$type, "binary")
})

test_that("mcl_sll is what its help page says", {
  expect_identical(dim(mcl_sll), c(22L, 237L))
  expect_identical(names(mcl_sll)[1:2], c("MCL", "T1.P3"))
  expect_identical(as.vector(table(mcl_sll$MCL)), c(15L, 7L))
  is_constant <- vapply(mcl_sll[-1], function(v) all(v == v[1]), logical(1))
  expect_identical(sum(is_constant), 48L)
  expect_identical(row.names(mcl_sll)[1], "PAT10105")
})

test_that("colon agrees with the package it was taken from", {
  skip_if_not_installed("plsgenomics")
  env <- new.env()
  utils::data("Colon", package = "plsgenomics", envir = env)
  expect_identical(unname(colon_genes$x), unname(env$Colon$X))
  expect_identical(as.integer(colon_genes$y), as.integer(env$Colon$Y))
})

test_that("both agree with the copies made for experiments", {
  sets <- experiment_data()
  skip_if_not(all(sets$available[sets$name %in% c("alon", "mcl_sll")]), "no experiment data")
  alon <- experiment_data("alon")
  # That copy is rounded to two decimals.
  expect_lt(max(abs(colon_genes$x - alon$x)), 0.0051)
  expect_identical(colon_genes$y == "tumour", alon$y == "t")
  lymphoma <- experiment_data("mcl_sll")
  expect_identical(as.matrix(mcl_sll[-1]), lymphoma$x)
  expect_identical(mcl_sll$MCL == 1, lymphoma$y == "MCL")
})
