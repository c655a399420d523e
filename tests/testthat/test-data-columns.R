test_that("slabs of a sparse matrix give the bits of the dense one, for every filter", {
  d <- columns_data()
  sparse <- methods::as(d$x, "CsparseMatrix")
  columns <- as_columns(sparse)
  expect_identical(columns$kind, "sparse")
  weights <- withr::with_seed(2, matrix(stats::rpois(16 * 5, 1), 16, 5)) + 0L
  weights[, 5] <- c(3L, rep(0L, 15)) # one class
  storage.mode(weights) <- "integer"
  for (selector in column_selectors()) {
    dense <- runs_of_selector(selector, d$x, d$y, weights)
    for (n_threads in c(1L, 3L)) {
      expect_identical(
        runs_of_selector(selector, columns, d$y, weights, n_threads = n_threads), dense,
        info = selector$label
      )
    }
  }
  expect_identical(
    score_features(sparse, d$y, selector_filter("t")),
    score_features(d$x, d$y, selector_filter("t"))
  )
})

test_that("ensembles on sparse x are those on dense x, with all that they can do", {
  d <- columns_data()
  sparse <- methods::as(d$x, "CsparseMatrix")
  both <- function(...) {
    fits <- lapply(list(d$x, sparse), function(x) {
      select_ensemble(x, d$y, ..., n_features = 6, seed = 4)
    })
    expect_identical(plain_ensemble(fits[[2]]), plain_ensemble(fits[[1]]))
  }
  both(
    list(selector_filter("t"), selector_filter("wilcoxon")), resample_bootstrap(4), subspace = 0.01
  )
  both(selector_filter("welch"), resample_subsample(4), learner = learner_lda())
  both(selector_filter, resample_bootstrap(3), parameters = list(
    statistic = c("pearson", "spearman")
  ))
  # A selector that looks at all features takes the dense form.
  small <- d$x[, 4001:4200]
  expect_identical(
    score_features(methods::as(small, "CsparseMatrix"), d$y, selector_learner(learner_svm())),
    score_features(small, d$y, selector_learner(learner_svm()))
  )
})

test_that("every sparse class of Matrix is read", {
  x <- withr::with_seed(1, matrix(stats::rbinom(12 * 5, 1, 0.5), 12, 5))
  colnames(x) <- letters[1:5]
  for (class in c("CsparseMatrix", "RsparseMatrix", "TsparseMatrix")) {
    columns <- as_columns(methods::as(x, class))
    expect_identical(columns[, 1:5], x + 0)
    expect_identical(columns[, c(4L, 2L)], x[, c(4, 2)] + 0)
  }
  pattern <- methods::as(methods::as(x, "CsparseMatrix"), "nMatrix")
  expect_identical(as_columns(pattern)[, 1:5], x + 0)
  symmetric <- Matrix::crossprod(methods::as(x, "CsparseMatrix"))
  expect_identical(unname(as_columns(symmetric)[, 1:5]), unname(crossprod(x)))
})

test_that("a matrix in a file gives the bits of the matrix in memory", {
  skip_if_not_installed("bigstatsr")
  d <- columns_data()
  fbm <- file_fbm(d$x)
  fit <- function(x, selector, n_threads = 1) {
    plain_ensemble(select_ensemble(
      x, d$y, selector, resample_bootstrap(5), n_features = 6, seed = 4, n_threads = n_threads
    ))
  }
  for (selector in column_selectors()) {
    expect_identical(fit(fbm, selector, 3), fit(d$x, selector), info = selector$label)
  }
  both <- list(selector_filter("t"), selector_filter("welch"))
  expect_identical(fit(fbm, both), fit(d$x, both))
  for (type in c("integer", "float", "unsigned short")) {
    whole <- round(abs(d$x[, 1:200]))
    expect_identical(
      score_features(suppressWarnings(file_fbm(whole, type = type)), d$y, selector_filter("t")),
      score_features(whole, d$y, selector_filter("t"))
    )
  }
  coded <- bigstatsr::FBM.code256(16, 3, code = c(0, 0.5, 1, rep(NA, 253)),
    init = as.raw(rep(c(0, 1, 2, 1), 12)), backingfile = withr::local_tempfile())
  expect_identical(unname(as_columns(coded)[, 1:3]), coded[])
})

test_that("HDF5 and other delayed matrices give the bits of the matrix in memory", {
  skip_if_not_installed("HDF5Array")
  d <- columns_data()
  delayed <- file_hdf5(d$x)
  expect_identical(
    score_features(delayed, d$y, selector_filter("t")),
    score_features(d$x, d$y, selector_filter("t"))
  )
  fits <- lapply(list(d$x, delayed * 2 + 1), function(x) {
    x <- if (is.matrix(x)) x * 2 + 1 else x
    plain_ensemble(select_ensemble(
      x, d$y, selector_filter("wilcoxon"), resample_bootstrap(3), n_features = 6, seed = 4,
      learner = learner_lda()
    ))
  })
  expect_identical(fits[[2]], fits[[1]])
  # Samples in columns, as in a SummarizedExperiment.
  turned <- DelayedArray::t(DelayedArray::DelayedArray(t(d$x)))
  expect_identical(
    score_features(turned, d$y, selector_filter("t")),
    score_features(d$x, d$y, selector_filter("t"))
  )
})

test_that("files are opened by workers, and checkpoints belong to their values", {
  skip_on_cran()
  skip_if_not_installed("future")
  skip_if_not_installed("bigstatsr")
  skip_if_not_installed("HDF5Array")
  d <- columns_data(p = 5000)
  fbm <- file_fbm(d$x)
  fit <- function(x, selector = selector_filter("t"), ...) {
    plain_ensemble(select_ensemble(
      x, d$y, selector, resample_bootstrap(8), n_features = 6, seed = 4, ...
    ))
  }
  screened <- selector_screened(selector_lasso_path(), n_keep = 40)
  here <- list(fit(d$x), fit(d$x, screened))
  before <- future::plan()
  withr::defer(future::plan(before))
  future::plan("multisession", workers = 2)
  expect_identical(list(fit(fbm), fit(fbm, screened)), here)
  expect_identical(fit(file_hdf5(d$x)), here[[1]])
  expect_identical(fit(methods::as(d$x, "CsparseMatrix"), screened), here[[2]])
  future::plan("sequential")
  file <- withr::local_tempfile()
  expect_identical(fit(fbm, screened, checkpoint = file), here[[2]])
  expect_identical(fit(fbm, screened, checkpoint = file), here[[2]])
  fbm[1, 5000] <- 77
  expect_error(fit(fbm, screened, checkpoint = file), class = "stabilect_error_checkpoint")
})

test_that("what travels to a worker is the name of the file", {
  skip_if_not_installed("bigstatsr")
  columns <- as_columns(file_fbm(columns_data()$x))
  columns$names <- NULL
  expect_lt(length(serialize(columns$read, NULL)), 20000)
})

test_that("bad values are refused with their place", {
  d <- columns_data(p = 5000)
  sparse <- methods::as(d$x, "CsparseMatrix")
  sparse[3, 4500] <- NA
  refused <- function(x, ...) {
    expect_error(score_features(x, d$y, selector_filter("t")), ..., class = "stabilect_error_input")
  }
  refused(sparse, "NA at row 3, column 4500 \\(\"V4500\"\\)")
  refused(sparse[1:2, ], "at least 3 rows")
  twice <- methods::as(d$x, "CsparseMatrix")
  colnames(twice)[7] <- "V2"
  refused(twice, "Columns 2 and 7")
  skip_if_not_installed("bigstatsr")
  bad <- d$x
  bad[9, 4999] <- Inf
  refused(file_fbm(bad), "Inf at row 9, column 4999")
  skip_if_not_installed("DelayedArray")
  refused(DelayedArray::DelayedArray(matrix("a", 16, 4)), "matrix of numbers")
  refused(DelayedArray::DelayedArray(t(d$x)), "t\\(x\\)")
})

test_that("what needs all features at once is refused for x in a file, with advice", {
  skip_if_not_installed("DelayedArray")
  d <- columns_data(p = 40)
  delayed <- DelayedArray::DelayedArray(d$x)
  expect_error(score_features(delayed, d$y, selector_learner(learner_svm())), "selector_screened",
    class = "stabilect_error_input"
  )
  expect_error(select_ensemble(delayed, d$y, selector_filter("t"), subspace = 0.5), "subspace",
    class = "stabilect_error_input"
  )
  expect_error(
    select_ensemble(delayed, d$y, selector_filter, parameters = list(statistic = "pearson")),
    "parameters",
    class = "stabilect_error_input"
  )
  expect_error(fealect(delayed, d$y), "select_ensemble", class = "stabilect_error_input")
})

test_that("a number that is not finite is found at its place in a later slab", {
  columns <- new_columns(3, 5000, NULL, NULL, function(j) {
    values <- matrix(0, 3, length(j))
    values[2, j == 4999] <- Inf
    values
  }, "FBM")
  expect_error(
    check_finite_columns(columns), "row\\s+2,\\s+column\\s+4999", class = "stabilect_error"
  )
})
