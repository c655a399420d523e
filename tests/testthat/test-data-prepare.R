mixed <- function() {
  data.frame(
    y = factor(c("b", "a", "b", "a", "b", "a")), sex = c("m", "f", "m", "m", "f", "m"),
    site = factor(c("x", "z", "y", "x", "z", "y"), c("z", "x", "y", "never")),
    stage = factor(c("II", "I", "III", "I", "II", "I"), c("I", "II", "III"), ordered = TRUE),
    smoker = c(TRUE, FALSE, TRUE, TRUE, FALSE, FALSE), age = c(50, 60, 40, 30, 20, 10)
  )
}

test_that("indicator columns are those of model.matrix()", {
  data <- mixed()
  prepared <- prepare_study(data, "y", factors = "columns")
  data$stage <- as.integer(data$stage)
  data$site <- droplevels(data$site)
  expected <- stats::model.matrix(y ~ ., data)[, -1]
  expect_equal(unname(check_x(prepared$x)), unname(expected), ignore_attr = TRUE)
  expect_identical(
    names(prepared$x), c("sex=m", "site=x", "site=y", "stage", "smoker", "age")
  )
  expect_identical(
    prepared$groups,
    factor(c(`sex=m` = "sex", `site=x` = "site", `site=y` = "site", stage = "stage",
      smoker = "smoker", age = "age"
    ), c("sex", "site", "stage", "smoker", "age"))
  )
  expect_identical(prepared$y, data$y)
})

test_that("factors stay one feature by default, two levels become 0 and 1", {
  data <- mixed()
  prepared <- prepare_study(data, "y")
  expect_identical(names(prepared$x), names(data)[-1])
  expect_identical(prepared$x$sex, c(1L, 0L, 1L, 1L, 0L, 1L))
  expect_identical(prepared$x$stage, as.integer(data$stage))
  expect_identical(prepared$x$site, droplevels(data$site))
  expect_identical(prepared$x$smoker, data$smoker)
  expect_null(prepared$groups)
  expect_null(prepare_study(data["age"], data$y, factors = "columns")$groups)
  single <- prepare_study(data.frame(a = 1:3, s = "only"), factors = "columns")
  expect_identical(check_x(single$x)[, "s"], c(0, 0, 0))
})

test_that("matrices and tables in a column give their columns", {
  data <- data.frame(a = c(1, 2, 3))
  data$m <- matrix(1:6, 3)
  data$i <- I(matrix(1:3, 3, dimnames = list(NULL, "q")))
  data$t <- data.frame(u = 4:6, v = c("l", "k", "l"))
  x <- check_x(prepare_study(data)$x)
  expect_identical(colnames(x), c("a", "m.1", "m.2", "i.q", "t.u", "t.v"))
  expect_equal(unname(x), unname(cbind(as.matrix(data[1:3]), 4:6, c(1, 0, 1))))
})

test_that("missing values are refused, with the place of the first", {
  data <- mixed()
  data$age[4] <- NA
  data$site[2] <- NA
  expect_match(
    message_of(prepare_study(data, "y")),
    "2 missing values, the first at row 2, column 2 (\"site\")", fixed = TRUE
  )
  expect_match(message_of(prepare_study(matrix(c(1:5, NA), 3))), "at row 3, column 2.\n")
  data <- mixed()
  data$y[5] <- NA
  for (na in c("error", "median")) {
    expect_match(message_of(prepare_study(data, "y", na = na)), "`y` is missing at position 5")
  }
  expect_match(message_of(prepare_study(mixed(), "y", blocks = c(1, NA, 1, 2, 2, 2))), "position 2")
})

test_that("samples with missing values are left out of x, y and blocks", {
  x <- matrix(c(1:11, NA), 4)
  blocks <- c("p", "p", "q", "q")
  for (form in list(x, Matrix::Matrix(x, sparse = TRUE), as.data.frame(x))) {
    expect_match(
      message_of(prepare_study(form, c(NA, 2, 3, 4), na = "omit")), "fewer than 3 are left"
    )
    kept <- prepare_study(form, c(1.5, 2, 3, 4), na = "omit", blocks = blocks)
    expect_equal(unname(as.matrix(kept$x)), x[1:3, ])
    expect_identical(kept$y, c(1.5, 2, 3))
    expect_identical(kept$blocks, blocks[1:3])
    expect_identical(kept$dropped, 4L)
    expect_identical(kept$notes, "1 of 4 samples left out for missing values: number 4")
  }
  named <- rbind(x, x)
  rownames(named) <- letters[1:8]
  y <- c(1, NA, 3:8)
  for (form in list(named, as.data.frame(named))) {
    kept <- prepare_study(form, y, na = "omit")
    expect_identical(kept$dropped, c("b", "d", "h"))
    expect_identical(rownames(kept$x), c("a", "c", "e", "f", "g"))
    expect_match(kept$notes, "3 of 8 samples left out for missing values: b, d, h")
  }
  whole <- prepare_study(x[1:3, ], c(1, 2, 3), na = "omit")
  expect_identical(whole[c("x", "notes", "dropped")], list(
    x = x[1:3, ], notes = character(), dropped = character()
  ))
})

test_that("the median fills numbers, the most frequent value categories", {
  withr::local_seed(5)
  x <- matrix(round(stats::rnorm(60), 2), 12)
  x[sample(60, 9)] <- NA
  expected <- apply(x, 2, function(v) ifelse(is.na(v), stats::median(v, na.rm = TRUE), v))
  expect_identical(prepare_study(x, na = "median")$x, expected)
  table <- prepare_study(as.data.frame(x), na = "median")$x
  expect_identical(unname(as.matrix(table)), expected)
  sparse <- x * (abs(x) > 1)
  filled <- prepare_study(methods::as(sparse, "CsparseMatrix"), na = "median")$x
  expect_s4_class(filled, "sparseMatrix")
  expect_identical(unname(as.matrix(filled)), prepare_study(sparse, na = "median")$x)
  data <- mixed()
  data[1, c("sex", "smoker")] <- NA
  data[2, c("site", "stage")] <- NA
  filled <- prepare_study(data, "y", na = "median")
  expect_identical(filled$x$sex[1], 1L)
  expect_false(filled$x$smoker[1])
  expect_identical(as.character(filled$x$site[2]), "x")
  # I I II II III: the lower median
  expect_identical(filled$x$stage[2], 2L)
  expect_match(filled$notes[1], "4 missing values in 4 features .* the most frequent")
})

test_that("a column without any value is named, or left out where missing values may be", {
  x <- cbind(a = c(1, 2, 3), b = NA)
  for (na in c("error", "omit", "median")) {
    for (form in list(x, as.data.frame(x), Matrix::Matrix(x))) {
      if (na != "error") {
        expect_identical(colnames(prepare_study(form, na = na)$x), "a")
        next
      }
      expect_match(message_of(prepare_study(form, na = na)), "Column 2 (\"b\") of `x` has no value",
        fixed = TRUE
      )
    }
  }
})

test_that("columns are found by name, once", {
  data <- mixed()
  prepared <- prepare_study(data, outcome = "y", blocks = "sex")
  expect_identical(names(prepared$x), c("site", "stage", "smoker", "age"))
  expect_identical(prepared$blocks, data$sex)
  expect_identical(
    names(prepare_study(y ~ ., data, blocks = "sex")$x), c("site", "stage", "smoker", "age")
  )
  expect_match(message_of(prepare_study(data, "gone")), "\"gone\", but no columns")
  expect_match(message_of(prepare_study(data, "y", outcome = "y")), "not both")
  expect_match(message_of(prepare_study(data, outcome = 3)), "`outcome` must be a string")
  expect_match(message_of(prepare_study(as.matrix(data["age"]), "y")), "but `x` is a matrix")
  twice <- data.frame(a = 1:3, a = 4:6, y = c(1, 3, 2), check.names = FALSE)
  expect_match(message_of(prepare_study(twice, "a")), "2 columns")
  expect_match(message_of(lars_path(prepare_study(y ~ ., twice))), "have the same name")
})

test_that("what is no data is refused", {
  expect_match(message_of(prepare_study(1:3)), "must be a numeric matrix")
  expect_match(message_of(prepare_study(matrix("a", 3, 2))), "type character")
  expect_match(message_of(prepare_study(data.frame(d = Sys.Date() + 1:3))), "class <Date>")
  expect_match(message_of(prepare_study(data.frame(id = letters[1:4], a = 1:4))), "in every sample")
  expect_match(message_of(prepare_study(mixed(), 1:3)), "3 values but `x` has 6 samples")
  expect_match(message_of(prepare_study(mixed(), "y", blocks = 1:2)), "one value for each of the 6")
  expect_match(message_of(prepare_study(mixed(), "y", assay = 1)), "`assay` is for containers")
  expect_match(message_of(prepare_study(mixed(), na = "mean")), "must be one of")
  expect_match(message_of(fealect(prepare_study(mixed()[0, -1]), 1:3)), "at least 3 rows")
})

test_that("prepared data print what they are", {
  data <- mixed()
  data$age[6] <- NA
  expect_snapshot({
    prepare_study(data, "y", na = "omit", blocks = "sex")
    prepare_study(data[-1], na = "median", factors = "columns")
    prepare_study(age ~ smoker, data, na = "omit")
  })
})

test_that("one response is wanted", {
  expect_match(message_of(prepare_study(mixed()[-1], mixed()[1:2])), "values of one response")
  expect_match(message_of(prepare_study(cbind(age, smoker) ~ site, mixed())), "one response")
  one <- matrix(c(2, NA, 3, 1, 5, 6), 6)
  expect_identical(prepare_study(mixed()[-1], one, na = "omit")$y, one[-2, , drop = FALSE])
})

test_that("new samples are coded as the data of the model", {
  withr::local_seed(8)
  n <- 40
  table <- data.frame(
    sex = sample(c("f", "m"), n, TRUE), site = factor(sample(c("x", "y", "z"), n, TRUE)),
    stage = factor(sample(c("I", "II", "III"), n, TRUE), ordered = TRUE), age = stats::rnorm(n)
  )
  y <- factor(ifelse(stats::rnorm(n) + (table$sex == "m") + (table$site == "y") > 1, "ill", "well"))
  numbers <- check_x(prepare_study(table, factors = "columns")$x)
  new <- table[5:7, ]
  # Other levels, or none: only the values count.
  new$site <- as.character(new$site)
  new$stage <- factor(new$stage, c("III", "I", "II"))
  data <- prepare_study(table, y, factors = "columns")
  for (fit in list(
    function(...) fit_model(...),
    function(...) fealect(..., n_runs = 5, n_boot = 0, oob = FALSE, seed = 1),
    function(...) eliminate_features(..., resampling = resample_folds(3), seed = 1),
    function(...) hybrid_rfe(..., n_features = 4, resampling = resample_bootstrap(4), seed = 1)
  )) {
    expected <- stats::predict(fit(numbers, y), numbers[5:7, ])
    expect_identical(unname(stats::predict(fit(data), new)), unname(expected))
  }
  model <- fit_model(data)
  expect_identical(stats::predict(model, numbers[5:7, ]),
    stats::predict(fit_model(numbers, y), numbers[5:7, ])
  )
  by_feature <- fit_model(table[c("sex", "stage", "age")], y)
  codes <- cbind(
    sex = as.double(new$sex == "m"), stage = match(new$stage, c("I", "II", "III")), age = new$age
  )
  expect_identical(
    unname(stats::predict(by_feature, new)), unname(stats::predict(by_feature, codes))
  )
  new$site[2] <- "elsewhere"
  expect_match(message_of(stats::predict(model, new)),
    "\"site\" of `newdata` has \"elsewhere\" at row 2.\n The model knows \"x\", \"y\", and \"z\"",
    fixed = TRUE
  )
  few <- fit_model(data, features = "age")
  expect_length(stats::predict(few, new), 3)
  new$sex[1] <- NA
  new$site[2] <- "x"
  # A missing category becomes the mean of its codes.
  expect_message(stats::predict(model, new), "filled in with the mean")
})

test_that("two columns of one name are refused when the data are prepared", {
  values <- matrix(1:24 / 7, 8, dimnames = list(NULL, c("g", "h", "g")))
  y <- rep(c("a", "b"), 4)
  expect_error(prepare_study(values, y), "Columns 1 and 3 of `x` have the same name")
  table <- data.frame(g = values[, 1], h = values[, 2], g = values[, 3], check.names = FALSE)
  expect_error(prepare_study(table, y), "Columns 1 and 3 of `x` have the same name")
})

test_that("a result is no data, whether `y` is given or not", {
  x <- matrix(withr::with_seed(1, stats::rnorm(200)), 20)
  y <- rep(c("a", "b"), 10)
  fit <- bolasso(x, y, n_runs = 4, seed = 1)
  for (verb in list(stability_selection, fealect, find_signals, prepare_study)) {
    expect_error(verb(fit), "`x` is a result")
    expect_error(verb(fit, y), "`x` is a result")
  }
})
