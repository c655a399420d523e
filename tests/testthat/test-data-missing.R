# Missing values: shares that are refused, what fills in new samples, and where values are missing.

gappy <- function(n = 60, p = 40) {
  withr::with_seed(1, {
    x <- matrix(stats::rnorm(n * p), n)
    dimnames(x) <- list(paste0("s", seq_len(n)), paste0("g", seq_len(p)))
    y <- factor(rep(c("a", "b"), n / 2))
    x[, 1:3] <- x[, 1:3] + 1.5 * (y == "b")
    x[sample.int(n * p, n * p / 12)] <- NA
    x[1:(n * 2 / 3), 7] <- NA
    list(x = x, y = y)
  })
}

message_of <- function(code) {
  error <- expect_error(code, class = "stabilect_error_input")
  gsub("\\s+", " ", conditionMessage(error))
}

test_that("features that are mostly missing are left out, in every form and with a note", {
  d <- gappy()
  for (x in list(d$x, as.data.frame(d$x), Matrix::Matrix(d$x, sparse = TRUE))) {
    data <- prepare_study(x, d$y, na = "median")
    expect_identical(colnames(data$x), setdiff(colnames(d$x), "g7"))
    expect_match(data$notes[2], "1 feature left out, with more than 50.% missing values: g7")
    expect_false(anyNA(as.matrix(data$x)))
  }
  # Those that stay are filled in as before.
  medians <- apply(d$x[, -7], 2, stats::median, na.rm = TRUE)
  expected <- d$x[, -7]
  at <- which(is.na(expected), arr.ind = TRUE)
  expected[at] <- medians[at[, 2]]
  expect_equal(prepare_study(d$x, d$y, na = "median")$x, expected)
  all <- prepare_study(d$x, d$y, na = "median", max_missing = 1)
  expect_identical(ncol(all$x), 40L)
  expect_identical(all$prepared[["max_missing"]], "1")
  some <- prepare_study(d$x, d$y, na = "median", max_missing = 0.1)
  expect_identical(colnames(some$x), colnames(d$x)[colMeans(is.na(d$x)) <= 0.1])
  # A feature without any value is one of them.
  d$x[, 9] <- NA
  expect_false("g9" %in% colnames(prepare_study(d$x, d$y, na = "median")$x))
  views <- prepare_study(list(few = d$x[, c(7, 9)], many = d$x[, 10:40]), d$y, na = "median")
  expect_identical(levels(views$views), "many")
})

test_that("what would mostly be filled in is refused, with the place and the remedy", {
  d <- gappy()
  x <- d$x
  x[3, 1:38] <- NA
  expect_match(message_of(prepare_study(x, d$y, na = "median")), "Row 3 (\"s3\") of `x` has 95 %",
    fixed = TRUE
  )
  x <- d$x
  x[withr::with_seed(2, sample.int(2400, 1150))] <- NA
  expect_match(message_of(prepare_study(x, d$y, na = "median", max_missing = 1)),
    "% of the values in `x` are missing.*missing_pattern"
  )
  expect_match(message_of(prepare_study(x, d$y, na = "median", max_missing = 0)), "Every feature")
  expect_match(message_of(prepare_study(d$x, d$y, na = "median", max_missing = 2)), "max_missing")
})

test_that("new samples are filled in with the medians of the fit, by every verb, and it is said", {
  d <- gappy()
  data <- prepare_study(d$x, d$y, na = "median")
  new <- d$x[1:12, ] + 1
  new[1, 1] <- NA
  filled <- new
  filled[, -7][is.na(new[, -7])] <- rep(data$fill, each = 12)[is.na(new[, -7])]
  filled[, 7] <- 0
  fits <- list(
    fit_model(data), fealect(data, n_runs = 10, n_boot = 0, seed = 1), lars_path(data),
    lasso_path(data, family = "binomial"),
    eliminate_features(data, learner = learner_svm(), search = search_sizes(c(5, 2)), seed = 1),
    hybrid_rfe(data, n_features = 5, resampling = resample_bootstrap(5), seed = 1)
  )
  for (fit in fits) {
    heard <- NULL
    value <- withCallingHandlers(suppressWarnings(predict(fit, new)),
      stabilect_message_filled = function(m) {
        heard <<- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(m)))
        invokeRestart("muffleMessage")
      }
    )
    expect_match(heard, "values? of the new samples (was|were) missing", info = class(fit)[1])
    expect_equal(value, suppressWarnings(predict(fit, filled)), info = class(fit)[1])
  }
  # Also where nothing was missing among the samples of the fit.
  whole <- prepare_study(filled, d$y[1:12], na = "median")
  expect_message(predict(fit_model(whole), new[1:3, ]), "filled in", class = "stabilect_message_filled")
  # Once in a call that reads the samples twice.
  heard <- 0
  withCallingHandlers(
    suppressWarnings(validate_model(fits[[1]], new, rev(d$y[1:12]))),
    stabilect_message_filled = function(m) {
      heard <<- heard + 1
      invokeRestart("muffleMessage")
    }
  )
  expect_identical(heard, 1)
  new[2, ] <- NA
  expect_match(message_of(predict(fits[[1]], new)), "Row 2 of `newdata` lacks 39 of the 39 features")
  new <- d$x[1:3, ]
  new[1, 1] <- Inf
  expect_match(message_of(suppressMessages(predict(fits[[1]], new))), "has Inf at row 1")
  # Without medians the remedy is named.
  plain <- fit_model(filled, d$y[1:12])
  expect_match(message_of(predict(plain, d$x[1:3, ])), "prepare_study")
})

test_that("medians of columns are those of stats::median()", {
  for (n in c(1, 2, 7, 8)) {
    x <- withr::with_seed(n, matrix(round(stats::rnorm(n * 5), 1), n, dimnames = list(NULL, letters[1:5])))
    expect_equal(medians_of_columns(x), apply(x, 2, stats::median))
  }
  expect_identical(medians_of_columns(data.frame(a = 1:3, b = letters[1:3])), c(a = 2))
  expect_null(medians_of_columns(matrix(1, 2, 2)))
  expect_null(medians_of_columns(data.frame(b = letters)))
})

test_that("missing_pattern() has the features that are there in some samples", {
  d <- gappy()
  pattern <- missing_pattern(d$x)
  n <- colSums(is.na(d$x))
  expect_identical(pattern, 1 * is.na(d$x)[, n >= 3 & n <= 57])
  expect_identical(missing_pattern(as.data.frame(d$x)), pattern)
  expect_identical(ncol(missing_pattern(d$x, min_samples = 15)), 1L)
  expect_match(message_of(missing_pattern(matrix(1, 3, 3))), "No value is missing")
  expect_match(message_of(missing_pattern(1:3)), "matrix or data frame")
  # A protein that is there in one class is found, and no other.
  d$x[, 5] <- ifelse(d$y == "a" & seq_len(60) %% 4 != 1, NA, 1)
  found <- find_signals(missing_pattern(d$x), d$y, permute = 99, seed = 1)
  expect_lt(found$p_value, 0.05)
  expect_identical(found$features, "g5")
})

# Hints --------------------------------------------------------------------------------------------

intensities <- function(n = 16, p = 60) {
  withr::with_seed(3, {
    x <- 2^matrix(stats::rnorm(n * p, 22, 3), n, dimnames = list(NULL, paste0("P", seq_len(p))))
    x[sample.int(n * p, n * p / 4)] <- 0
    x
  })
}

test_that("zeros that stand apart are taken for values that were not measured", {
  x <- intensities()
  expect_equal(share_of_absent(x), 0.25)
  expect_equal(share_of_absent(log2(x + 1)), 0.25)
  x[x == 0] <- 1e5
  expect_identical(share_of_absent(x), 0)
})

test_that("zeros that are values are left alone", {
  n <- 40
  withr::local_seed(1)
  of <- function(values) matrix(values, n)
  counts <- of(stats::rnbinom(n * 50, mu = 500, size = 0.5))
  expect_gt(mean(counts == 0), 0.01)
  codes <- of(stats::rbinom(n * 50, 2, 0.3))
  cells <- of(stats::rpois(n * 50, 0.5))
  tpm <- of(stats::rexp(n * 50, 1 / 20) * stats::rbinom(n * 50, 1, 0.7))
  spectra <- of(stats::rgeom(n * 50, 0.1))
  tables <- list(
    counts, log2(counts + 1), codes, cells, log1p(cells / 3 * 1e4 / 50), tpm, log2(tpm + 1), spectra,
    of(stats::rnorm(n * 50)), of(stats::rbinom(n * 50, 1, 0.5) * 1000), matrix(0, n, 50),
    as.matrix(mcl_sll[, -1]), colon_genes$x
  )
  for (k in seq_along(tables)) expect_identical(share_of_absent(tables[[k]]), 0, info = k)
})

test_that("rows that are shares of one whole are seen, and a log ratio is what the hint makes", {
  x <- withr::with_seed(2, matrix(stats::rexp(20 * 8), 20, dimnames = list(NULL, letters[1:8])))
  x[1, 2] <- 0
  for (whole in c(1, 100, 1e6)) {
    shares <- whole * x / rowSums(x)
    expect_identical(whole_of_rows(shares), whole)
    expect_identical(whole_of_rows(signif(shares, 4)), whole)
  }
  expect_identical(whole_of_rows(x), 0)
  expect_identical(whole_of_rows(7 * x / rowSums(x)), 0)
  expect_identical(whole_of_rows(diag(8)), 0)
  expect_identical(whole_of_rows(x[, 1:4] / rowSums(x[, 1:4])), 0)
  rlang::reset_message_verbosity("stabilect_message_shares")
  said <- rlang::catch_cnd(score_features(
    x / rowSums(x), rep(0:1, 10), selector = selector_filter("t")
  ), "stabilect_message_shares")
  text <- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(said)))
  expect_match(text, "sum to 1:")
  code <- sub(".*`(x <- log.*)`.*", "\\1", text)
  made <- within(list(x = x / rowSums(x)), eval(parse(text = code)))$x
  logs <- log(x / rowSums(x) + min((x / rowSums(x))[-21]) / 2)
  expect_equal(made, logs - rowMeans(logs))
})

test_that("the other hints come from the verb that the user calls, and name what to do", {
  x <- log2(intensities() + 1)
  colnames(x)[1:2] <- c("REV__P1", "CON__P2")
  y <- rep(c("a", "b"), 8)
  ids <- c("stabilect_message_absent", "stabilect_message_decoys")
  for (id in ids) rlang::reset_message_verbosity(id)
  heard <- character()
  withr::with_options(list(rlib_message_verbosity = "verbose"), withCallingHandlers(
    suppressWarnings(fealect(x, y, n_runs = 5, n_boot = 0, oob = FALSE, seed = 1)),
    message = function(m) {
      if (inherits(m, ids)) heard <<- c(heard, gsub("\\s+", " ", conditionMessage(m)))
      invokeRestart("muffleMessage")
    }
  ))
  expect_length(heard, 2L)
  expect_match(heard[1], "25 % of the values in `x` are 0.*x\\[x == 0\\] <- NA.*prepare_study")
  expect_match(heard[2], "2 features have names of decoys .*REV__P1, CON__P2.* They may")
  # A table of nothing else is about them.
  expect_silent(hint_decoys(c("REV__P1", "CON__P2")))
})
