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
  expect_message(predict(fit_model(whole), new[1:3, ]), class = "stabilect_message_filled")
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
  new[5, ] <- NA
  # Samples that lack most features have no prediction, in any verb; the others keep theirs.
  for (fit in fits) {
    said <- expect_warning(
      value <- suppressMessages(predict(fit, new)), class = "stabilect_warning_empty_samples"
    )
    expect_match(gsub("\\s+", " ", conditionMessage(said)),
      "2 of the new samples lack more than half .* no prediction .*: rows 2, 5"
    )
    # The first point of a path has no feature.
    last <- function(values) cbind(values)[, NCOL(values)]
    expect_identical(unname(which(is.na(last(value)))), c(2L, 5L))
    kept <- suppressWarnings(suppressMessages(predict(fit, new[-c(2, 5), ])))
    expect_equal(last(value)[-c(2, 5)], last(kept))
  }
  judged <- suppressMessages(suppressWarnings(validate_model(fits[[1]], new, rev(d$y[1:12]))))
  expect_identical(judged$made$n, 10L)
  expect_identical(nrow(judged$predictions), 10L)
  none <- replace(new, TRUE, NA)
  expect_match(
    message_of(suppressWarnings(validate_model(fits[[1]], none, rev(d$y[1:12])))), "No sample"
  )
  # A feature that no new sample has is named.
  new <- d$x[1:4, ]
  new[, 4] <- NA
  expect_message(predict(fits[[1]], new), "No new sample has a value of g4")
  new <- d$x[1:3, ]
  new[1, 1] <- Inf
  expect_match(message_of(suppressMessages(predict(fits[[1]], new))), "has Inf at row 1")
  # Fits on complete data know the means of the features of their models.
  y <- d$y[1:12]
  plain <- list(
    fit_model(filled, y), fealect(filled, y, n_runs = 10, n_boot = 0, seed = 1),
    lars_path(filled, y), lasso_path(filled, y, family = "binomial"),
    eliminate_features(filled, y, learner_svm(), search = search_sizes(c(5, 2)), seed = 1),
    hybrid_rfe(filled, y, n_features = 5, resampling = resample_bootstrap(5), seed = 1)
  )
  new <- matrix_of <- filled[1:3, ] + 0.1
  gap <- "g1"
  new[2, gap] <- NA
  matrix_of[2, gap] <- mean(filled[, gap])
  for (fit in plain) {
    expect_equal(suppressMessages(predict(fit, new)), predict(fit, matrix_of), info = class(fit)[1])
  }
  expect_message(predict(plain[[1]], new), "filled in with the mean of the samples of the fit")
})

test_that("medians of columns are those of stats::median()", {
  for (n in c(1, 2, 7, 8)) {
    x <- withr::with_seed(n, matrix(round(stats::rnorm(n * 5), 1), n))
    colnames(x) <- letters[1:5]
    expect_equal(medians_of_columns(x), apply(x, 2, stats::median))
  }
  expect_identical(medians_of_columns(data.frame(a = 1:3, b = letters[1:3])), c(a = 2))
  logical <- cbind(a = rep(c(TRUE, FALSE), 3), b = rep(c(TRUE, TRUE, FALSE), 2))
  expect_identical(medians_of_columns(logical), c(a = 0, b = 1))
  expect_identical(medians_of_columns(as.data.frame(logical)), c(a = 0, b = 1))
  expect_null(medians_of_columns(matrix(1, 2, 2)))
  expect_null(medians_of_columns(data.frame(b = letters)))
})

test_that("missing_pattern() has the features that are there in some samples", {
  d <- gappy()
  pattern <- missing_pattern(d$x)
  n <- colSums(is.na(d$x))
  expected <- 1 * is.na(d$x)[, n >= 3 & n <= 57]
  colnames(expected) <- paste0("missing:", colnames(expected))
  expect_identical(pattern, expected)
  expect_identical(missing_pattern(as.data.frame(d$x)), pattern)
  views <- missing_pattern(list(one = d$x[, 1:7], two = d$x[, 8:40]))
  expect_identical(views, pattern)
  if (is_installed("SummarizedExperiment")) {
    se <- SummarizedExperiment::SummarizedExperiment(list(values = t(d$x)))
    expect_identical(missing_pattern(se), pattern)
  }
  expect_identical(ncol(missing_pattern(d$x, min_samples = 15)), 1L)
  expect_match(message_of(missing_pattern(matrix(1, 3, 3))), "No value is missing")
  expect_match(message_of(missing_pattern(1:3)), "matrix")
  # A protein that is there in one class is found, and no other.
  d$x[, 5] <- ifelse(d$y == "a" & seq_len(60) %% 4 != 1, NA, 1)
  found <- find_signals(missing_pattern(d$x), d$y, permute = 99, seed = 1)
  expect_lt(found$p_value, 0.05)
  expect_identical(found$features, "missing:g5")
})

# Hints --------------------------------------------------------------------------------------------

intensities <- function(n = 16, p = 60) {
  withr::with_seed(3, {
    x <- 2^matrix(stats::rnorm(n * p, 22, 3), n, dimnames = list(NULL, paste0("P", seq_len(p))))
    x[sample.int(n * p, n * p / 4)] <- 0
    x
  })
}

test_that("zeros that stand apart are seen, whatever other columns there are", {
  x <- intensities()
  expect_equal(share_of_absent(x), 0.25)
  expect_equal(share_of_absent(log2(x + 1)), 0.25)
  more <- cbind(x, age = 30:45, sex = rep(0:1, 8), change = stats::rnorm(16))
  expect_gt(share_of_absent(more), 0.2)
  x[x == 0] <- 1e5
  expect_identical(share_of_absent(x), 0)
})

test_that("`zeros` makes them missing, column by column", {
  x <- cbind(intensities(), age = 30:45, sex = rep(0:1, 8), n = rep(0:7, 2))
  y <- rep(c("a", "b"), each = 8)
  expected <- x
  expected[, 1:60][x[, 1:60] == 0] <- NA
  for (form in list(x, as.data.frame(x))) {
    found <- zeros_as_missing(form)
    expect_identical(as.matrix(found$x), expected)
    expect_identical(found$note, "240 zeros in 60 features taken for missing values")
    data <- prepare_study(form, y, na = "median", zeros = "missing")
    expect_equal(as.matrix(data$x), prepare_study(expected, y, na = "median")$x)
    expect_identical(data$prepared[["zeros"]], "\"missing\"")
    expect_match(data$notes, "taken for missing", all = FALSE)
  }
  views <- list(proteins = x[, 1:60], clinical = x[, 61:63])
  data <- prepare_study(views, y, na = "median", zeros = "missing")
  expect_equal(data$x, prepare_study(x, y, na = "median", zeros = "missing")$x)
  expect_match(message_of(prepare_study(x, y, zeros = "missing")), "240 missing values")
  expect_match(message_of(prepare_study(Matrix::Matrix(x, sparse = TRUE), y, zeros = "missing")),
    "in memory"
  )
  expect_null(zeros_as_missing(x[, 61:63])$note)
})

test_that("features that are mostly missing do not cost samples", {
  d <- gappy()
  kept <- prepare_study(d$x[, c(1:7)], d$y, na = "omit")
  expect_identical(ncol(kept$x), 6L)
  expect_gt(nrow(kept$x), 30)
  expect_match(kept$notes[1], "samples left out")
  expect_match(kept$notes[2], "1 feature left out")
})

test_that("categories are filled in as they were, in logical matrices too", {
  values <- cbind(a = rep(c(TRUE, FALSE), 10), b = rep(c(TRUE, TRUE, FALSE, TRUE), 5))
  values[1:2, "a"] <- NA
  y <- gl(2, 1, 20)
  as_matrix <- prepare_study(values, y, na = "median")
  expect_false(any(as_matrix$x[1:2, "a"]))
  expect_equal(as.matrix(prepare_study(as.data.frame(values), y, na = "median")$x), as_matrix$x)
  d <- withr::with_seed(5, data.frame(
    a = stats::rnorm(60), flag = stats::runif(60) < 0.6,
    sex = sample(c("f", "m"), 60, TRUE, c(0.3, 0.7)),
    stage = factor(sample(c("I", "II", "III"), 60, TRUE), ordered = TRUE),
    site = factor(sample(c("arm", "leg", "neck"), 60, TRUE, c(0.2, 0.6, 0.2)))
  ))
  y <- factor(rep(c("ill", "well"), 30))
  holes <- d
  holes$flag[3] <- NA
  data <- prepare_study(holes, y, na = "median", factors = "columns")
  model <- fit_model(data)
  new <- d[1:12, ]
  for (name in names(new)) new[match(name, names(new)) * 2, name] <- NA
  filled <- new
  filled$a[2] <- stats::median(d$a)
  filled$flag[4] <- TRUE
  filled$sex[6] <- "m"
  filled$stage[8] <- stats::quantile(d$stage, 0.5, type = 1, names = FALSE)
  filled$site[10] <- "leg"
  expect_equal(
    suppressMessages(predict(model, new, "probability")), predict(model, filled, "probability")
  )
  # Of complete data the means of the codes, as of other columns.
  plain <- fit_model(d[-5], y)
  coded <- d[1:12, -5]
  shares <- suppressMessages(predict(plain, new, "link"))
  expect_true(all(is.finite(shares)))
  expect_equal(unname(shares[12]), unname(predict(plain, coded, "link")[12]))
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
    counts, log2(counts + 1), codes, cells, log1p(cells / 3 * 1e4 / 50), tpm, log2(tpm + 1),
    spectra,
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
  expect_match(heard[1], "values in `x` are 0, far from.*prepare_study\\(x, y, .*, zeros = ")
  expect_match(heard[2], "2 features have names of decoys .*REV__P1, CON__P2.* They may")
  # A table of nothing else is about them.
  expect_silent(hint_decoys(c("REV__P1", "CON__P2")))
})

test_that("features of mostly zeros go with the others, zeros of new samples are missing", {
  x <- intensities()
  y <- rep(c("a", "b"), each = 8)
  # 14, 15 and all of 16 values are 0; a feature of small counts is left alone.
  x[1:14, 1] <- x[1:15, 2] <- x[, 3] <- 0
  x <- cbind(x, count = rep(c(0, 0, 0, 1), 4))
  found <- zeros_as_missing(x)
  expect_true(all(c(colnames(x)[1:3]) %in% found$columns))
  expect_false("count" %in% found$columns)
  data <- prepare_study(x, y, na = "median", zeros = "missing")
  expect_false(any(colnames(x)[1:3] %in% colnames(data$x)))
  expect_false(any(data$x[, setdiff(colnames(data$x), "count")] == 0))
  own <- setdiff(colnames(data$x), "count")[1:4]
  model <- fit_model(data, features = own)
  new <- x[1:3, ]
  new[, own] <- data$x[1:3, own]
  new[2, own[1]] <- 0
  empty <- replace(new, cbind(2, match(own[1], colnames(new))), NA)
  expect_equal(
    suppressMessages(predict(model, new, "link")), suppressMessages(predict(model, empty, "link"))
  )
  expect_message(predict(model, new), "1 of 12 values")
})

test_that("questions about a result of prepared data ask for these, not for those with holes", {
  skip_if_not_installed("ggplot2")
  x <- withr::with_seed(1, matrix(stats::rnorm(40 * 6), 40, dimnames = list(NULL, letters[1:6])))
  y <- factor(x[, 1] > 0, labels = c("no", "yes"))
  x[3, 2] <- NA
  filled <- prepare_study(x, y, na = "median")
  fit <- fealect(filled, n_runs = 10, n_boot = 0, seed = 1)
  for (ask in list(
    function() plot_values(fit, x, y), function() feature_effects(fit, x, y),
    function() write_report(fit, tempfile(fileext = ".html"), x = x, y = y),
    function() evaluate_replication(fit, x, y, n_pairs = 2, seed = 1)
  )) {
    expect_error(ask(), "Give what .*prepare_study", class = "stabilect_error_input")
  }
  expect_s3_class(plot_values(fit, filled), "ggplot")
})
