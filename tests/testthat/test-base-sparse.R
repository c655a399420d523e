ns <- asNamespace("stabilect")

test_that("a matrix of valid slots is the one of Matrix::sparseMatrix()", {
  i <- c(0L, 2L, 1L, 2L)
  ends <- c(0L, 2L, 2L, 4L)
  names <- c("a", "b", "c")
  plain <- Matrix::sparseMatrix(
    i = i, p = ends, x = 1:4 / 2, index1 = FALSE, dims = c(3, 3), dimnames = list(names, NULL)
  )
  expect_identical(ns$new_sparse(i, ends, names, 1:4 / 2), plain)
  expect_identical(ns$new_sparse(i, ends, names), methods::as(plain, "nMatrix"))
  wide <- Matrix::sparseMatrix(i = i, p = ends, index1 = FALSE, dims = c(7, 3))
  expect_identical(ns$new_sparse(i, ends, NULL, n_rows = 7L), wide)
  # One of them is never another one later.
  expect_length(ns$new_sparse(integer(), 0L, NULL, n_rows = 2L)@i, 0L)
  expect_true(methods::validObject(ns$new_sparse(i, ends, names, 1:4 / 2)))
})
