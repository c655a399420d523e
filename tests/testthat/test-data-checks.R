m <- matrix(c(1, 2, 3, 4, 5, 7), 3, dimnames = list(c("s1", "s2", "s3"), c("a", "b")))

test_that("check_x() returns the same double matrix from every kind of input", {
  expect_identical(check_x(m), m)
  whole <- m
  storage.mode(whole) <- "integer"
  expect_identical(check_x(whole), m)
  expect_identical(check_x(as.data.frame(m)), m)
  expect_identical(check_x(Matrix::Matrix(m, sparse = TRUE)), m)
  expect_identical(check_x(methods::as(Matrix::Matrix(m), "CsparseMatrix")), m)
  flags <- m > 2
  expect_identical(check_x(flags), flags + 0)
  mixed <- data.frame(a = c(1L, 2L, 3L), b = c(TRUE, FALSE, TRUE))
  expect_identical(check_x(mixed), cbind(a = c(1, 2, 3), b = c(1, 0, 1)))
  expect_identical(check_x(unname(m)), unname(m, force = TRUE) |> `colnames<-`(c("V1", "V2")))
  expect_identical(check_x(structure(m, class = c("own", "matrix"))), m)
  expect_identical(dim(check_x(m[, 1, drop = FALSE])), c(3L, 1L))
})

test_that("numbers kept in another way are converted, not reinterpreted", {
  as.double.stabilect_test_number <- function(x, ...) unclass(x) / 100 # nolint
  registerS3method("as.double", "stabilect_test_number", as.double.stabilect_test_number)
  coded <- data.frame(a = 1:3)
  coded$a <- structure(c(100, 200, 300), class = "stabilect_test_number")
  expect_identical(check_x(coded)[, "a"], c(1, 2, 3))
})

test_that("check_x() says what it wants instead", {
  expect_identical(
    message_of(check_x(1:5)),
    paste0(
      "`x` must be a numeric matrix, a data frame of numbers or a sparse Matrix, not an object of ",
      "class <integer> and length 5.\n Turn one feature into a matrix with `matrix(x, ncol = 1)`."
    )
  )
  expect_match(message_of(check_x(matrix("a", 3, 2))), "not a matrix of type character")
  expect_match(message_of(check_x(matrix(1i, 3, 2))), "not a matrix of type complex")
  expect_match(message_of(check_x(array(1, c(3, 2, 2)))), "Samples go in rows, features in columns")
  expect_match(message_of(check_x(NULL)), "not NULL", fixed = TRUE)
  expect_match(message_of(check_x(list(1, 2))), "class <list>")
  expect_identical(
    message_of(check_x(m[1:2, ])),
    "`x` must have at least 3 rows (samples), not 2."
  )
  expect_match(message_of(check_x(m[, 0])), "at least 1 column (feature), not 0", fixed = TRUE)
  expect_match(message_of(check_x(data.frame(a = 1:2))), "at least 3 rows")
  expect_match(message_of(check_x(data.frame(a = 1:3)[, 0])), "at least 1 column")
})

test_that("check_x() refuses columns that are not numbers by name", {
  expect_identical(
    message_of(check_x(data.frame(a = 1:3, g = factor(1:3)))),
    paste0(
      "Column 2 (\"g\") of `x` has class <factor>, not numbers.\n ",
      "`prepare_study(factors = \"columns\")` makes indicator columns of it."
    )
  )
  expect_match(message_of(check_x(data.frame(g = c("a", "b", "c")))), "Column 1 (\"g\")",
    fixed = TRUE
  )
  expect_match(message_of(check_x(data.frame(d = Sys.Date() + 0:2))), "class <Date>")
  nested <- data.frame(a = 1:3)
  nested$inner <- matrix(1, 3, 2)
  expect_match(message_of(check_x(nested)), "Column 2 (\"inner\") of `x` has class <matrix>",
    fixed = TRUE
  )
})

test_that("check_x() gives the place of the first value that is not finite", {
  for (bad in list(NA_real_, NaN, Inf, -Inf)) {
    wrong <- m
    wrong[2, 2] <- bad
    expect_match(
      message_of(check_x(wrong)),
      paste0("`x` has ", format(bad), " at row 2, column 2 (\"b\").\n 1 of its values is missing"),
      fixed = TRUE
    )
    expect_match(message_of(check_x(as.data.frame(wrong))), "at row 2, column 2")
  }
  wrong[3, 1] <- NA
  expect_match(
    message_of(check_x(unname(wrong))),
    "`x` has NA at row 3, column 1.\n 2 of its values are missing or infinite.\n Remove them",
    fixed = TRUE
  )
  whole <- matrix(c(1:5, NA), 3)
  expect_match(message_of(check_x(whole)), "NA at row 3, column 2")
  expect_match(message_of(check_x(Matrix::Matrix(wrong, sparse = TRUE))), "row 3, column 1")
})

test_that("a sum that overflows is no reason to refuse finite values", {
  huge <- matrix(9e304, 2500, 2, dimnames = list(NULL, c("a", "b")))
  expect_false(is.finite(sum(huge)))
  expect_identical(check_x(huge), huge)
})

test_that("check_x() wants unique names for all columns or none", {
  expect_identical(
    message_of(check_x(`colnames<-`(cbind(m, 1), c("a", "b", "a")))),
    paste0(
      "Columns 1 and 3 of `x` have the same name, \"a\".\n Make names unique, for example with ",
      "`make.unique()`."
    )
  )
  expect_identical(
    message_of(check_x(`colnames<-`(m, c("a", "")))),
    "Column 2 of `x` has no name; name all columns or none."
  )
  expect_match(message_of(check_x(`colnames<-`(m, c(NA, "b")))), "Column 1 of `x` has no name")
})

test_that("read_response() codes two classes as -1 and +1, the second level positive", {
  parts <- function(y, n = 3) unclass(read_response(y, n))
  coded <- list(
    type = "binary", y = c(-1, 1, 1), codes = c(1L, 2L, 2L), levels = c("n", "t"), numbers = NULL
  )
  expect_identical(parts(factor(c("n", "t", "t"))), coded)
  expect_identical(parts(c("n", "t", "t")), coded)
  expect_identical(parts(factor(c("n", "t", "t"), levels = c("n", "unused", "t"))), coded)
  expect_identical(parts(factor(c("n", "t", "t"), levels = c("t", "n")))$y, c(1, -1, -1))
  coded$levels <- c("FALSE", "TRUE")
  expect_identical(parts(c(FALSE, TRUE, TRUE)), coded)
  coded[c("levels", "numbers")] <- list(c("0", "1"), c(0, 1))
  expect_identical(parts(c(0L, 1L, 1L)), coded)
  coded <- list(
    type = "binary", y = c(1, -1, 1), codes = c(2L, 1L, 2L), levels = c("-1", "1"),
    numbers = c(-1, 1)
  )
  expect_identical(parts(c(1, -1, 1)), coded)
})

test_that("several classes are numbered, and come back as labels", {
  response <- read_response(c("b", "a", "c"), 3)
  expect_identical(response$type, "multiclass")
  expect_identical(response$y, c(2, 1, 3))
  expect_identical(response_labels(response), factor(c("b", "a", "c")))
})

test_that("the coding of text does not follow the locale", {
  suppressWarnings(withr::local_collate("en_US.UTF-8"))
  skip_if(identical(sort(c("b", "B")), c("B", "b")), "no locale that sorts other than by bytes")
  expect_identical(read_response(c("b", "B", "b"), 3)$levels, c("B", "b"))
})

test_that("read_response() keeps numbers as they are", {
  response <- read_response(c(1, 2, 2), 3)
  expect_identical(response[c("type", "y")], list(type = "numeric", y = c(1, 2, 2)))
  expect_null(response$levels)
  expect_identical(read_response(c(a = 1L, b = 2L, c = 4L), 3)$y, c(1, 2, 4))
  expect_identical(read_response(matrix(c(1, 2, 4), 3), 3)$y, c(1, 2, 4))
})

test_that("a regression has the numbers that were given, and labels as -1 and 1", {
  expect_identical(
    unclass(regression_response(read_response(c(0, 1, 1), 3))),
    unclass(new_response("numeric", c(0, 1, 1)))
  )
  labels <- read_response(factor(c(0, 1, 1)), 3)
  expect_identical(regression_response(labels), labels)
})

test_that("read_response() refuses what cannot be explained, and says where", {
  expect_match(
    message_of(read_response(1:4, 3)), "`y` has 4 values but `x` has 3 rows.", fixed = TRUE
  )
  expect_match(
    message_of(read_response(1, 3)), "`y` has 1 value but `x` has 3 rows.", fixed = TRUE
  )
  expect_identical(
    message_of(read_response(c(1, NA, 2), 3)),
    "`y` has NA at position 2.\n Leave out samples without a response, in `x` too."
  )
  expect_match(message_of(read_response(c(1, 2, Inf), 3)), "`y` has Inf at position 3")
  expect_match(message_of(read_response(c("a", NA, "b"), 3)), "`y` has NA at position 2")
  expect_match(message_of(read_response(factor(c(NA, "a", "b")), 3)), "at position 1")
  expect_identical(
    message_of(read_response(c(2, 2, 2), 3)),
    "`y` is constant (2); there is nothing to explain.\n Check how the samples were chosen."
  )
  expect_identical(
    message_of(read_response(factor(c("a", "a", "a"), levels = c("a", "b")), 3)),
    "`y` has only one class, \"a\"; two are needed.\n Check how the samples were chosen."
  )
  expect_match(message_of(read_response(NULL, 3)), "not NULL", fixed = TRUE)
  expect_match(message_of(read_response(list(1, 2, 3), 3)), "class <list>")
  expect_match(message_of(read_response(cbind(1:3, 1:3), 3)), "a factor, a numeric vector or surv")
  expect_match(message_of(read_response(Sys.Date() + 0:2, 3)), "class <Date>")
})

test_that("a response that the verb cannot use is refused with advice", {
  expect_identical(
    message_of(check_takes(read_response(c("a", "b", "c"), 3), c("binary", "numeric"), "this")),
    paste0(
      "`y` holds 3 classes (\"a\", \"b\", and \"c\"), but this is for two classes or numbers.\n ",
      "Keep the samples of two classes, or set one against the rest: `y == \"a\"`.\n ",
      "`find_signals()`, `split_test()`, `fealect()`, `stability_selection()`, `bolasso()`, ",
      "`lasso_path()`, `select_ensemble()`, `estimate_stability()`, `score_features()`, ",
      "`eliminate_features()`, `evaluate_elimination()`, `tune_tradeoff()`, ",
      "`evaluate_selectors()`, ",
      "`evaluate_replication()`, `test_signature()`, `alternative_lists()`, ",
      "`feature_effects()`, `compare_cohorts()`, `estimate_sample_size()`, ",
      "`fit_model()`, and `estimate_error_rates()` take several classes; ",
      "`list_available(\"selectors\")` names the selectors that do."
    )
  )
  numbers <- read_response(c(1, 2, 4), 3)
  expect_match(message_of(check_takes(numbers, "binary", "this")), "y` holds numbers, but this is")
  two <- read_response(c(0, 1, 1), 3)
  for (takes in c("binary", "multiclass", "numeric")) {
    expect_identical(check_takes(two, takes, "this"), two)
  }
})

test_that("open_study() holds the names together", {
  open <- function(x, y) open_study(x, y, c("binary", "numeric"))
  y <- c(s1 = 1, s2 = 2, s3 = 4)
  study <- open(m, y)
  expect_identical(study$x, m)
  expect_identical(study$response$y, c(1, 2, 4))
  expect_identical(study$feature_names, c("a", "b"))
  expect_identical(study$sample_names, c("s1", "s2", "s3"))
  expect_identical(c(study$n, study$p), 3:2)
  expect_identical(open(unname(m), y)$response$y, c(1, 2, 4))
  expect_identical(open(m, unname(y)), study)
  expect_identical(open(m, as.matrix(y)), study)
  expect_identical(open(data.frame(a = 1:3), y)$response$y, c(1, 2, 4))
  expect_identical(
    message_of(open(m, y[c(1, 3, 2)])),
    paste0(
      "Sample name 2 of `y` is \"s3\", of `x` \"s2\".\n They are the same samples in another ",
      "order: use `y[rownames(x)]`."
    )
  )
  expect_match(
    message_of(open(m, c(s1 = 1, s2 = 2, other = 4))),
    "Sample name 3 of `y` is \"other\", of `x` \"s3\".\n Put both in the same order, or drop",
    fixed = TRUE
  )
})

test_that("errors of nested checks name the user's function", {
  user_function <- function(x, y) open_study(x, y, "binary")
  error <- expect_error(user_function(m, 1:4), class = "stabilect_error_input")
  expect_identical(error$call[[1]], quote(user_function))
  error <- expect_error(user_function(m[1:2, ], 1:2), class = "stabilect_error_input")
  expect_identical(error$call[[1]], quote(user_function))
  error <- expect_error(user_function(data.frame(a = letters), 1:26), class = "stabilect_error")
  expect_identical(error$call[[1]], quote(user_function))
})
