test_that("check_count() takes whole numbers and nothing else", {
  expect_identical(check_count(3, name = "n_runs"), 3L)
  expect_identical(check_count(3L, name = "n_runs"), 3L)
  expect_identical(check_count(0, name = "n_runs", min = 0), 0L)
  expect_null(check_count(NULL, name = "n_runs", null_ok = TRUE))
  expect_identical(
    message_of(check_count(0, name = "n_runs")),
    "`n_runs` must be a whole number >= 1, not 0."
  )
  expect_identical(
    message_of(check_count(21, name = "k", max = 20)),
    "`k` must be a whole number between 1 and 20, not 21."
  )
  expect_identical(
    message_of(check_count("a", name = "k", null_ok = TRUE)),
    "`k` must be a whole number >= 1 or NULL, not \"a\"."
  )
  expect_match(message_of(check_count(2.5, name = "k")), "not 2.5.", fixed = TRUE)
  expect_match(message_of(check_count(NULL, name = "k")), "not NULL.", fixed = TRUE)
  expect_match(message_of(check_count(NA_real_, name = "k")), "not NA.", fixed = TRUE)
  expect_match(message_of(check_count(Inf, name = "k")), "not Inf.", fixed = TRUE)
  expect_match(message_of(check_count(3e9, name = "k")), "not 3e+09.", fixed = TRUE)
  expect_match(message_of(check_count(TRUE, name = "k")), "not TRUE.", fixed = TRUE)
  expect_match(
    message_of(check_count(1:2, name = "k")), "an object of class <integer> and length 2"
  )
  expect_match(message_of(check_count(factor("a"), name = "k")), "class <factor> and length 1")
  # A date is a whole number inside.
  expect_match(message_of(check_count(Sys.Date(), name = "k")), "class <Date> and length 1")
})

test_that("check_number() and check_fraction() keep to their ranges", {
  expect_identical(check_number(2L, name = "gap"), 2)
  expect_null(check_number(NULL, name = "gap", null_ok = TRUE))
  expect_identical(
    message_of(check_number(Inf, name = "gap")), "`gap` must be a finite number, not Inf."
  )
  expect_identical(
    message_of(check_number(-1, name = "gap", min = 0)),
    "`gap` must be a finite number >= 0, not -1."
  )
  expect_identical(
    message_of(check_number(2, name = "gap", max = 1)),
    "`gap` must be a finite number <= 1, not 2."
  )
  expect_identical(check_fraction(1, name = "fraction"), 1)
  expect_identical(check_fraction(1L, name = "fraction"), 1)
  expect_identical(check_fraction(0, name = "fraction", open_left = FALSE), 0)
  for (bad in list(0, 1.5, -0.1, NA, NaN, "a", c(0.1, 0.2), NULL)) {
    expect_match(
      message_of(check_fraction(bad, name = "fraction")), "must be a number in (0, 1], not",
      fixed = TRUE
    )
  }
  expect_identical(
    message_of(check_fraction(1, name = "level", open_right = TRUE)),
    "`level` must be a number in (0, 1), not 1."
  )
  expect_identical(
    message_of(check_fraction(1, name = "level", open_left = FALSE, open_right = TRUE)),
    "`level` must be a number in [0, 1), not 1."
  )
})

test_that("check_flag() and check_choice() refuse what is near", {
  expect_true(check_flag(TRUE, name = "verbose"))
  for (bad in list(NA, 1, "TRUE", c(TRUE, FALSE), NULL)) {
    expect_match(
      message_of(check_flag(bad, name = "verbose")), "`verbose` must be TRUE or FALSE, not"
    )
  }
  types <- c("lasso", "lar")
  expect_identical(check_choice(types, types, name = "type"), "lasso")
  expect_identical(check_choice("lar", types, name = "type"), "lar")
  expect_identical(
    message_of(check_choice("la", types, name = "type")),
    "`type` must be one of \"lasso\" or \"lar\", not \"la\"."
  )
  expect_match(message_of(check_choice(NULL, types, name = "type")), "not NULL.", fixed = TRUE)
  expect_match(message_of(check_choice(rev(types), types, name = "type")), "class <character>")
})

test_that("values with braces and markup are shown as they are", {
  expect_match(message_of(check_count("{1 + 1}", name = "k")), "not \"{1 + 1}\".", fixed = TRUE)
})

test_that("check_seed() draws only when there is no seed", {
  expect_identical(check_seed(0), 0L)
  expect_identical(check_seed(.Machine$integer.max), .Machine$integer.max)
  withr::with_seed(1, {
    before <- .Random.seed
    check_seed(7)
    expect_identical(.Random.seed, before)
    drawn <- check_seed(NULL)
  })
  expect_identical(drawn, withr::with_seed(1, sample.int(.Machine$integer.max, 1L)))
  expect_type(drawn, "integer")
  expect_identical(
    message_of(check_seed(-1)),
    "`seed` must be a whole number between 0 and 2147483647, not -1."
  )
  expect_match(message_of(check_seed(2^31)), "not 2147483648.", fixed = TRUE)
})

test_that("check_threads() wants at least one", {
  expect_identical(check_threads(2), 2L)
  expect_identical(
    message_of(check_threads(0)),
    "`n_threads` must be a whole number >= 1, not 0."
  )
})

test_that("an error names the function that the user called", {
  user_function <- function(n_runs) check_count(n_runs, name = "n_runs")
  error <- expect_error(user_function(0), class = "stabilect_error")
  expect_identical(error$call[[1]], quote(user_function))
  expect_s3_class(error, "stabilect_error_input")
  other <- function() abort("Nothing here.", class = "data")
  error <- expect_error(other(), class = "stabilect_error_data")
  expect_identical(error$call[[1]], quote(other))
})

test_that("the error of every verb names that verb", {
  exports <- Filter(function(name) {
    is.function(getExportedValue("stabilect", name))
  }, getNamespaceExports("stabilect"))
  named <- 0L
  for (name in sort(exports)) {
    error <- tryCatch(
      {
        do.call(name, list())
        NULL
      },
      stabilect_error_input = identity, error = function(e) NULL
    )
    if (is.null(error)) next
    named <- named + 1L
    expect_identical(as.character(error$call[[1]]), name, info = name)
  }
  expect_gt(named, 55L)
})

test_that("a verb under another name is recognised by what it is", {
  x <- matrix(1:4, 2)
  mine <- fealect
  error <- expect_error(mine(x, 1:2), class = "stabilect_error")
  expect_identical(error$call[[1]], quote(mine))
  error <- expect_error(lapply(list(x), fealect, y = 1:2), class = "stabilect_error")
  expect_identical(error$call[[1]], quote(FUN))
})

test_that("what belongs elsewhere is sent there: assays, formulas, indices, clusters", {
  x <- as.matrix(mcl_sll[, 2:30])
  wrong <- function(expr, text) {
    expect_error(expr, text, fixed = TRUE, class = "stabilect_error_input")
  }
  wrong(fealect(x, mcl_sll$MCL, assay = "counts"), "prepare_study()")
  wrong(fealect(x, mcl_sll$MCL, offset = 1:22), "`covariates`")
  wrong(fealect(x, class ~ age), "y = \"class\"")
  index <- stability(as_selection(list(1:2, 2:3, 1:2), n_total = 29))
  wrong(test_stability(index, index), "keeps no runs")
  wrong(test_stability(list(a = index, b = index)), "keeps no runs")
  wrong(selected(cluster_features(x, 0.5)), "selects no features")
  wrong(selected(1), "must be a result of this package")
})

test_that("a name that is near is suggested, but not for a single letter", {
  near <- function(name) nearest_name(name, c("x", "y", "n_pairs", "cutoff"))
  expect_identical(near("n_pair"), "n_pairs")
  expect_identical(near("cutof"), "cutoff")
  expect_null(near("z"))
  expect_null(near("entirely"))
})

test_that("what comes second beside prepared data is said to be y", {
  data <- prepare_study(matrix(stats::rnorm(60), 10, 6), rep(0:1, 5))
  expect_error(select_ensemble(data, selector_filter()), "give `selector =`",
    class = "stabilect_error_input"
  )
  expect_error(evaluate_selectors(data, list(t = selector_filter())), "give `selectors =`")
  expect_error(select_ensemble(data$x, data$y), "absent but must be supplied[.]$")
})
