lymphoma <- function() {
  list(
    x = as.matrix(mcl_sll[, -1]),
    y = factor(mcl_sll$MCL, levels = c(0, 1), labels = c("SLL", "MCL"))
  )
}

# 40 samples, 60 features, the first three with an effect.
planted <- function() {
  withr::with_seed(7, {
    x <- matrix(rnorm(40 * 60), 40, dimnames = list(NULL, paste0("f", 1:60)))
    y <- factor(ifelse(drop(x[, 1:3] %*% c(2, 2, 2)) + rnorm(40) / 2 > 0, "ill", "well"))
    list(x = x, y = y)
  })
}

fit_small <- function(..., n_runs = 30, seed = 1) {
  data <- planted()
  fealect(data$x, data$y, n_runs = n_runs, n_boot = 20, seed = seed, ...)
}

test_that("the result is the same for any number of threads", {
  data <- lymphoma()
  fits <- lapply(1:3, function(n_threads) {
    fealect(data$x, data$y, n_runs = 40, n_boot = 30, seed = 3, n_threads = n_threads)
  })
  expect_identical(fits[[1]], fits[[2]])
  expect_identical(fits[[1]], fits[[3]])
})

test_that("both vector widths give the same bits", {
  data <- lymphoma()
  counts <- as.matrix(draw_resamples(resample_bootstrap(40), data$y, seed = 1))
  storage.mode(counts) <- "double"
  run <- function(width) {
    cpp_score_paths(data$x, 2 * as.integer(data$y) - 3, counts,
      list(keep_paths = TRUE, kernel_width = width), 1L, NULL
    )
  }
  expect_identical(run(0L), run(16L))
})

test_that("a run does not depend on its neighbours", {
  few <- fit_small(n_runs = 5)$selection
  many <- fit_small(n_runs = 50)$selection
  expect_identical(few$score@x, many[1:5]$score@x)
})

test_that("scores are those of Eq. 2 and 3 along CRAN lars' paths", {
  skip_if_not_installed("lars")
  data <- lymphoma()
  fit <- fealect(data$x, data$y, n_runs = 12, n_boot = 0, oob = FALSE, seed = 5)
  y <- 2 * as.integer(data$y) - 3
  total <- numeric(ncol(data$x))
  for (b in 1:12) {
    rows <- split(fit$resamples)[[b]]
    x <- data$x[rows, ]
    varies <- which(apply(x, 2, sd) > 0)
    path <- lars::lars(x[, varies], y[rows], use.Gram = FALSE)
    active <- integer()
    seen <- integer()
    for (action in path$actions) {
      for (a in action) {
        # A feature reported as leaving that never entered was collinear.
        if (a > 0) active <- c(active, a) else active <- setdiff(active, -a)
      }
      k <- length(active)
      if (k > 0 && !k %in% seen) {
        seen <- c(seen, k)
        total[varies[active]] <- total[varies[active]] + 1 / k
      }
    }
  }
  # No copy of a column enters beside the first.
  distinct <- match(colnames(mcl_distinct()), colnames(data$x))
  expect_true(all(total[-distinct] == 0))
  x <- data$x[, distinct]
  counts <- as.matrix(fit$resamples)
  ours <- stats::setNames(fit$table$score, fit$table$feature)
  theirs <- stats::setNames(total[distinct] / 12, colnames(x))
  expect_equal(
    sums_of_equal(ours, x, counts), sums_of_equal(theirs, x, counts), tolerance = 1e-10
  )
})

test_that("planted features come first and are informative", {
  fit <- fit_small(n_runs = 100)
  expect_setequal(fit$table$feature[1:3], c("f1", "f2", "f3"))
  expect_true(all(c("f1", "f2", "f3") %in% fit$features))
  expect_lt(fit$oob$error, fit$oob$baseline)
})

test_that("the out-of-bag error is that of a slow reimplementation", {
  data <- planted()
  fit <- fit_small()
  companions <- left_out_together(read_response(data$y, 40))
  expect_true(all(vapply(companions, function(rows) length(unique(data$y[rows])), 0L) == 2L))
  expect_identical(unique(lengths(companions)), 2L)
  expected <- vapply(seq_along(data$y), function(i) {
    runs <- which(as.matrix(fit$resamples)[i, ] == 0)
    scores <- Matrix::rowSums(fit$selection$score[, runs, drop = FALSE])
    chosen <- three_segment(scores)$features
    # Where the curve gives no cut, half of the best score.
    if (length(chosen) == 0L) {
      best <- names(which(2 * scores >= max(scores)))
      chosen <- best[order(-scores[best], method = "radix")]
    }
    others <- -companions[[i]]
    model <- suppressWarnings(
      fit_model(data$x[others, ], data$y[others], chosen), "stabilect_warning_no_features"
    )
    unname(predict(model, data$x[i, , drop = FALSE], type = "link"))
  }, 0)
  expect_equal(fit$oob$predictions$link, expected, tolerance = 1e-6)
  expect_identical(
    as.character(fit$oob$predictions$predicted), ifelse(expected > 0, "well", "ill")
  )
})

test_that("the seed decides, and R's generator is left alone", {
  set.seed(9)
  before <- .Random.seed
  a <- fit_small(seed = 4)
  expect_identical(.Random.seed, before)
  b <- fit_small(seed = NULL)
  set.seed(9)
  expect_identical(fit_small(seed = NULL), b)
  expect_identical(fit_small(seed = b$made$seed), b)
  expect_false(identical(a$table, b$table))
})

test_that("drawn resamples can be shared, and permuting samples changes nothing", {
  data <- planted()
  draws <- draw_resamples(resample_subsample(20), data$y, seed = 2)
  fit <- fealect(data$x, data$y, resampling = draws, n_boot = 0)
  expect_true(same_resamples(fit, draws))
  order <- rev(seq_along(data$y))
  permuted <- fealect(data$x[order, ], data$y[order],
    resampling = resample_custom(counts = as.matrix(draws)[order, ]), n_boot = 0
  )
  expect_equal(permuted$table$score, fit$table$score, tolerance = 1e-10)
  expect_identical(permuted$table$feature[1:3], fit$table$feature[1:3])
})

test_that("sparse, integer, logical and table inputs mean the same", {
  data <- withr::with_seed(1, {
    x <- matrix(as.integer(runif(30 * 20) > 0.5), 30, dimnames = list(NULL, paste0("s", 1:20)))
    list(x = x, y = factor(ifelse(x[, 1] + runif(30) > 0.9, "b", "a")))
  })
  run <- function(x) fealect(x, data$y, n_runs = 10, n_boot = 0, seed = 1)$table
  expected <- run(data$x + 0)
  expect_identical(run(data$x), expected)
  expect_identical(run(data$x == 1L), expected)
  expect_identical(run(as.data.frame(data$x)), expected)
  expect_identical(run(Matrix::Matrix(data$x + 0, sparse = TRUE)), expected)
})

test_that("one feature, numbers as response, and more samples than features work", {
  x <- matrix(c(1, 5, 2, 8, 3, 9, 4, 7), ncol = 1, dimnames = list(NULL, "only"))
  fit <- fealect(x, x[, 1] + c(0.1, -0.1), n_runs = 5, seed = 1)
  expect_identical(fit$table$score, 1)
  expect_identical(fit$features, "only")
  expect_identical(fit$cut, "half")
  expect_identical(fit$oob$measure, "mean squared error")
  expect_match(printed_words(fit), "gives no cut: only 1 feature has a positive score")
  expect_length(predict(fit, x[1:2, , drop = FALSE]), 2)
})

test_that("a run of one class is kept with its reason", {
  data <- planted()
  counts <- as.matrix(draw_resamples(resample_subsample(6), data$y, seed = 1))
  counts[, 2] <- as.integer(data$y == "ill")
  fit <- fealect(data$x, data$y, resampling = resample_custom(counts = counts), n_boot = 0)
  expect_identical(fit$selection$status[2], "one class")
  expect_identical(fit$made$n_failed, 1L)
  others <- fealect(data$x, data$y, resampling = resample_custom(counts = counts[, -2]), n_boot = 0)
  expect_equal(fit$table$score, others$table$score)
  expect_error(
    fealect(data$x, data$y, resampling = resample_custom(counts = counts[, c(2, 2)])),
    class = "stabilect_error_runs"
  )
})

test_that("bad input is refused by name, place and advice", {
  data <- planted()
  refuse <- function(pattern, ...) {
    arguments <- utils::modifyList(list(x = data$x, y = data$y, n_runs = 5), list(...))
    expect_error(do.call(fealect, arguments), pattern, class = "stabilect_error_input")
  }
  bad <- data$x
  bad[3, 2] <- NA
  refuse("row 3", x = bad)
  refuse("fraction", fraction = 0)
  refuse("fraction", fraction = 1)
  refuse("fraction", fraction = 1.5)
  refuse("n_runs", n_runs = 0)
  refuse("max_features", max_features = 0)
  refuse("score_rule", score_rule = "steps")
  refuse("seed", seed = -1)
  refuse("n_threads", n_threads = 0)
  refuse("not both", resampling = resample_loo())
  refuse("40", y = data$y[-1])
  refuse("one class", y = rep("a", 40))
  refuse("constant", x = matrix(1, 40, 2))
  refuse("at least|3", x = data$x[1:2, ], y = data$y[1:2])
  refuse("position|5", y = replace(rnorm(40), 5, Inf))
  expect_error(
    fealect(data$x, data$y, resampling = draw_resamples(resample_subsample(5), n = 39, seed = 1)),
    "39 samples",
    class = "stabilect_error_input"
  )
})

test_that("the picture of every type is drawn", {
  skip_if_not_installed("ggplot2")
  fit <- fit_small()
  for (type in c("scores", "strength", "frequency", "convergence")) {
    picture <- ggplot2::autoplot(fit, type = type)
    expect_s3_class(picture, "ggplot")
    expect_silent(ggplot2::ggplot_build(picture))
  }
  shares <- frequency_by_size(fit, n_lines = 60, max_size = 3)
  # The models of size 1 hold one feature each.
  expect_equal(sum(shares$frequency[shares$size == 1]), 1)
})

test_that("a column that is the response itself is pointed out", {
  d <- planted()
  x <- cbind(d$x, label = as.integer(d$y))
  expect_warning(fealect(x, d$y, n_runs = 5, seed = 1), "determines `y` exactly",
    class = "stabilect_warning_leak"
  )
  expect_silent(fealect(d$x, d$y, n_runs = 5, seed = 1))
})

test_that("numbers and events are found among the columns, near copies are not", {
  x <- withr::with_seed(1, matrix(stats::rnorm(60 * 40), 60))
  y <- withr::with_seed(2, stats::rnorm(60))
  event <- rep(c(0, 0, 1), 20)
  leaks <- function(x, y) {
    said <- FALSE
    withCallingHandlers(fealect(x, y, n_runs = 5, seed = 1, n_boot = 0, oob = FALSE),
      stabilect_warning_leak = function(w) {
        said <<- TRUE
        invokeRestart("muffleWarning")
      }
    )
    said
  }
  expect_true(leaks(cbind(x, 5 - 3 * y), y))
  expect_true(leaks(cbind(x, 2 * event), survival::Surv(exp(y), event)))
  expect_false(leaks(cbind(x, y + 1e-3 * x[, 1]), y))
  expect_false(leaks(x, y))
})

test_that("the same choice of runs of a selection and of its resamples is recognised", {
  d <- planted()
  fit <- fealect(d$x, d$y, n_runs = 10, seed = 1)
  expect_true(same_resamples(fit$selection[3:5], fit$resamples[3:5]))
  expect_false(same_resamples(fit$selection[3:5], fit$resamples[2:4]))
  expect_true(same_resamples(fit$selection[1:10], fit))
})

test_that("printing takes a number of features", {
  d <- planted()
  fit <- fealect(d$x, d$y, n_runs = 10, seed = 1)
  expect_error(print(fit, n = 0), "`n` must be a whole number >= 1")
  lines <- capture.output(print(fit, n = 1))
  expect_length(grep("^ *f[0-9]+ ", lines), 1)
})
