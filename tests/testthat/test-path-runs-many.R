# Verbs of more than 1,000 samples, beside the ways of fewer.

many_numbers <- function(n = 1500, p = 60, seed = 1) {
  withr::with_seed(seed, {
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    list(x = x, y = drop(x[, 1:12] %*% rep(c(0.3, -0.2), 6)) + stats::rnorm(n))
  })
}

# The value of `code` as if 1,000 samples were not many.
as_few <- function(code) {
  space <- asNamespace("stabilect")
  put <- function(value) {
    unlockBinding("many_samples", space)
    assign("many_samples", value, space)
    lockBinding("many_samples", space)
  }
  on.exit(put(1000L))
  put(1000000000L)
  force(code)
}

test_that("bolasso() ends paths at the penalty, and selects what whole paths do", {
  data <- many_numbers()
  fit <- bolasso(data$x, data$y, n_runs = 20, seed = 1)
  whole <- as_few(bolasso(data$x, data$y, n_runs = 20, seed = 1))
  expect_identical(fit[c("table", "lambda", "cv")], whole[c("table", "lambda", "cv")])
  expect_identical(fit$selection$selected, whole$selection$selected)
  expect_lt(length(fit$paths$event), length(whole$paths$event))
  # Permutations read further models, of paths of their own.
  told <- bolasso(data$x, data$y, lambda = 0.2, n_runs = 4, permute = 19, seed = 1)
  known <- as_few(bolasso(data$x, data$y, lambda = 0.2, n_runs = 4, permute = 19, seed = 1))
  expect_equal(told$null$p_value, known$null$p_value)
  expect_equal(told$null$table, known$null$table)
})

test_that("the paths of folds, too, end where the error has turned", {
  data <- many_numbers(1500, 200)
  fit <- bolasso(data$x, data$y, n_runs = 2, seed = 1)
  whole <- as_few(bolasso(data$x, data$y, n_runs = 2, seed = 1))
  expect_identical(fit$lambda, whole$lambda)
  expect_lt(nrow(fit$cv), 100)
  expect_gte(nrow(fit$cv), which.min(fit$cv$error) + 10)
  expect_equal(fit$cv, whole$cv[seq_len(nrow(fit$cv)), ], tolerance = 1e-12)
})

test_that("a bar shows every round of the folds, and changes nothing", {
  data <- many_numbers(1500, 200)
  run <- function(...) bolasso(data$x, data$y, n_runs = 2, seed = 1, ...)
  plain <- run()
  withr::local_options(cli.dynamic = TRUE, cli.progress_show_after = 0)
  shown <- utils::capture.output(with_bar <- run(progress = TRUE), type = "message")
  expect_identical(with_bar[c("table", "cv")], plain[c("table", "cv")])
  # Work that goes on after its end was told has another bar; the end may be told twice.
  bar <- bar_reporter("Rounds", environment())
  for (done in c(1, 2, 2)) bar(done, 2)
  expect_silent(utils::capture.output(bar(3, 4), bar(4, 4), type = "message"))
  skip_if_not_installed("progressr")
  amounts <- numeric()
  progressr::with_progress({
    bar <- progressr_reporter("Rounds", environment())
    withCallingHandlers({
      for (done in c(1, 2, 2)) bar(done, 2)
      for (done in 3:5) bar(done, 5)
    }, progression = function(p) if (p$type == "update") amounts <<- c(amounts, p$amount))
  }, handlers = progressr::handler_void(), enable = TRUE)
  expect_identical(sum(amounts), 5)
})

test_that("the deviance of folds ends there, too", {
  data <- many_numbers(1200, 260)
  link <- data$y / 2
  outcomes <- list(
    binomial = factor(link > 0), poisson = round(exp(link)),
    cox = if (is_installed("survival")) survival::Surv(exp(-link), rep(c(1, 1, 0), 400))
  )
  for (family in names(Filter(Negate(is.null), outcomes))) {
    run <- function() {
      bolasso(data$x, outcomes[[family]], family = family, n_folds = 2, n_runs = 2, seed = 1)
    }
    fit <- run()
    whole <- as_few(run())
    expect_identical(fit$lambda, whole$lambda, info = family)
    expect_identical(nrow(whole$cv), 100L, info = family)
    expect_lt(nrow(fit$cv), 100)
    expect_lt(fit$cv$lambda[nrow(fit$cv)], fit$lambda / 1.5)
    expect_equal(fit$cv, whole$cv[seq_len(nrow(fit$cv)), ], tolerance = 1e-12, info = family)
  }
})

test_that("fealect() follows paths to 250 features, unless asked otherwise, and says so", {
  data <- many_numbers(1100, 280)
  run <- function(...) fealect(data$x, data$y, n_runs = 2, n_boot = 0, oob = FALSE, seed = 1, ...)
  longest <- function(fit) vapply(run_sizes(fit$paths), max, 0)
  fit <- run()
  expect_identical(longest(fit), c(250, 250))
  expect_null(fit$asked$max_features)
  expect_match(printed_words(fit), "paths to 250 features each (`max_features`)", fixed = TRUE)
  expect_identical(fit$table, run(max_features = 250)$table)
  expect_gt(min(longest(run(max_features = 270))), 250)
  whole <- as_few(run())
  expect_gt(min(longest(whole)), 250)
  # The best features enter early.
  expect_setequal(utils::head(fit$table$feature, 12), utils::head(whole$table$feature, 12))
  expect_error(
    stability_selection(fit, q = 260, assumption = "none"), "end at 250", class = "stabilect_error"
  )
  expect_error(bolasso(fit, lambda = 1e-6), "where the first path", class = "stabilect_error")
  expect_identical(bolasso(fit, lambda = 0.2)$features, bolasso(whole, lambda = 0.2)$features)
  few <- many_numbers(1100, 40)
  whole <- fealect(few$x, few$y, n_runs = 2, n_boot = 0, seed = 1)
  expect_no_match(printed_words(whole), "paths to")
})

test_that("paths by likelihood end earlier, and those of ensembles where those of fealect() do", {
  data <- many_numbers(1100, 280)
  counts <- round(exp(data$y / 3))
  fit <- fealect(data$x, counts, family = "poisson", n_runs = 2, oob = FALSE, n_boot = 0, seed = 1)
  expect_identical(vapply(run_sizes(fit$paths), max, 0), c(100, 100))
  whole <- fealect(
    data$x, counts, family = "poisson", n_runs = 2, oob = FALSE, n_boot = 0, seed = 1,
    max_features = 130
  )
  expect_setequal(utils::head(fit$table$feature, 12), utils::head(whole$table$feature, 12))
  ensemble <- function(...) {
    plan <- resample_subsample(2, 0.75)
    select_ensemble(data$x, data$y, selector_lasso_path(...), plan, n_features = 12, seed = 1)
  }
  expect_identical(ensemble()$table, ensemble(max_features = 250)$table)
  expect_setequal(ensemble()$features, ensemble(max_features = 270)$features)
  # Larger lists need longer paths.
  control <- list(n_features = 260)
  ends <- function(...) end_of_paths(list(max_features = NULL), ...)
  expect_equal(ends(1100, TRUE, control), 260)
  expect_equal(ends(1100, FALSE, list()), 100)
  expect_null(ends(1000, TRUE, control))
})

test_that("split_test() ends the paths of its folds where the error has turned", {
  data <- many_numbers()
  fit <- split_test(data$x, data$y, n_runs = 4, seed = 1)
  whole <- as_few(split_test(data$x, data$y, n_runs = 4, seed = 1))
  expect_identical(fit$splits, whole$splits)
  expect_identical(fit$table, whole$table)
  # A larger model than those of the default can be asked for.
  more <- many_numbers(1500, 380)
  asked <- split_test(more$x, more$y, n_features = 260, n_runs = 2, seed = 1)
  expect_identical(asked$splits$size, c(260L, 260L))
  expect_error(
    split_test(more$x, more$y, n_features = 376, n_runs = 2), "375",
    class = "stabilect_error_input"
  )
})

test_that("the error has turned when it rises well before the first path ends", {
  curve <- function(lowest, end, n = 40) abs(pmin(seq_len(n), end) - lowest) + 1
  turned <- function(...) {
    loss <- cbind(...)
    half <- rep(1L, ncol(loss))
    has_turned(loss, half, rowsum(t(loss), half))
  }
  expect_true(turned(curve(10, 35), curve(12, 36)))
  expect_false(turned(curve(30, 35), curve(30, 36)))
  # One path of the half ends too early.
  expect_false(turned(curve(10, 15), curve(12, 36)))
  expect_identical(
    has_turned(cbind(curve(10, 35), curve(34, 35)), c(3L, 5L), rbind(curve(10, 35), curve(34, 35))),
    c(TRUE, FALSE)
  )
})

test_that("lists that share products of features predict as lists alone", {
  data <- many_numbers(1100, 12)
  data$x[, 7] <- 3
  data$x[, 8] <- 1e6 + data$x[, 8]
  z <- cbind(withr::with_seed(2, stats::rnorm(1100)))
  parts <- list(
    list(`in` = 101:1100, out = 1:100, targets = cbind(data$y[101:1100], -data$y[101:1100])),
    list(`in` = 1:1000, out = 1001:1100, targets = cbind(data$y[1:1000], data$y[1:1000]^2))
  )
  lists <- withr::with_seed(3, lapply(1:40, function(k) sample(12L, 1L + k %% 5L)))
  for (held in list(z, z[, 0L, drop = FALSE])) {
    for (part in parts) {
      alone <- cpp_left_out_lists(data$x, part, held, lists, 4L, 2, 1L)
      expect_equal(dim(alone), c(200L, 40L))
      shared <- c(part, list(shared = cpp_shared_products(data$x, part, held)))
      expect_equal(
        cpp_left_out_lists(data$x, shared, held, lists, 4L, 2, 1L), alone, tolerance = 1e-8
      )
    }
  }
})

test_that("hybrid_rfe() of many samples drops what it drops with a kernel", {
  skip_on_cran()
  # Bags of more than 1,000 samples, and of fewer.
  data <- many_numbers(2000)
  features <- lapply(c(0.6, 0.45), function(share) {
    plan <- resample_subsample(4, share)
    hybrid_rfe(data$x, data$y > 0, n_features = 12, resampling = plan, seed = 1)$features
  })
  expect_setequal(features[[1]], paste0("g", 1:12))
  expect_gte(length(intersect(features[[2]], features[[1]])), 11L)
})

test_that("the page says from how many samples on, and to how many features", {
  page <- paste(readLines(sources("vignettes", "scaling-out.Rmd")), collapse = "\n")
  many <- format(many_samples, big.mark = ",")
  expect_match(page, sprintf("above %s samples |", many), fixed = TRUE)
  longest <- limit_of(list(max_features = NULL), many_samples + 1)
  expect_match(page, sprintf("paths end at %d features", longest), fixed = TRUE)
  expect_match(page, sprintf("models of at most %d features", largest_split(1e5)), fixed = TRUE)
  expect_null(limit_of(list(max_features = NULL), many_samples))
  help <- paste(readLines(sources("R", "select-fealect.R")), collapse = "\n")
  expect_match(help, sprintf("of more than %s samples to %d features", many, longest), fixed = TRUE)
  expect_match(help, sprintf("(%d\n#'   by likelihood)", longest_path(1e4, FALSE)), fixed = TRUE)
})
