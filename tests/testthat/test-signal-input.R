# find_signals(): odd and bad data, covariates, blocks, prints and adapters.

noise <- function(n = 20, p = 30, seed = 1) {
  withr::with_seed(seed, matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", 1:p))))
}
# Rounding may lead a chain elsewhere: effects are equal, probabilities nearly.
expect_same_names <- function(a, b) {
  effects <- c("feature", "direction", "partial_r", "lower", "upper")
  expect_equal(a$table[effects], b$table[effects], tolerance = 1e-6)
  expect_equal(a$table$probability, b$table$probability, tolerance = 0.05)
}
x <- noise()
y <- 2 * x[, 4] + withr::with_seed(2, stats::rnorm(20))

test_that("the same seed gives the same bits for any number of threads, and leaves R's alone", {
  set.seed(5)
  before <- .Random.seed
  for (null in c("rotation", "permutation")) {
    one <- find_signals(x, y, null = null, permute = 199, seed = 3)
    expect_identical(find_signals(x, y, null = null, permute = 199, seed = 3, n_threads = 3), one)
    other <- find_signals(x, y, null = null, permute = 199, seed = 4)
    expect_false(identical(other$null$maxima, one$null$maxima))
    # More draws go on where fewer end.
    more <- find_signals(x, y, null = null, permute = 250, seed = 3)
    expect_identical(more$null$maxima[1:199], one$null$maxima)
  }
  expect_identical(.Random.seed, before)
})

test_that("units, constant and repeated columns do not matter", {
  fit <- find_signals(x, y, permute = 199, seed = 1)
  expect_identical(fit$features, "g4")
  scaled <- sweep(sweep(x, 2, 10^seq(-5, 5, length.out = 30), `*`), 2, 1000 * (1:30), `+`)
  again <- find_signals(scaled, 1e-6 * y + 7, permute = 199, seed = 1)
  expect_same_names(again, fit)
  measures <- c("feature", "correlation", "p")
  expect_equal(again$marginal[measures], fit$marginal[measures], tolerance = 1e-6)
  wide <- cbind(x, flat = 3.7, zcopy = x[, 4], zmirror = -x[, 4])
  odd <- find_signals(wide, y, permute = 199, seed = 1)
  # Three columns that are one feature, with its probability.
  expect_same_names(odd, fit)
  expect_identical(odd$table$copies, "zcopy, zmirror")
  expect_length(odd$neighbours[[1]], 0)
  flat <- odd$marginal[odd$marginal$feature == "flat", ]
  expect_identical(c(flat$correlation, flat$p), c(0, 1))
})

test_that("one feature will do", {
  fit <- find_signals(x[, 4, drop = FALSE], y, permute = 99, seed = 1)
  expect_identical(fit$features, "g4")
  expect_identical(fit$table$n_neighbours, 0L)
  expect_identical(fit$p_value, 0.01)
})

test_that("bad data are refused with their place and what to do", {
  refused <- function(pattern, ...) {
    error <- expect_error(find_signals(..., seed = 1), class = "stabilect_error_input")
    expect_match(gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error))), pattern)
  }
  refused("at least 5 samples", x[1:4, ], y[1:4])
  refused("at least 3 must be left", x, rep(letters[1:19], length.out = 20))
  refused("only one class", x, rep("a", 20))
  refused("constant", matrix(1, 20, 3), y)
  refused("row 2, column 3", replace(x, cbind(2, 3), NA), y)
  refused("`null` must be one of", x, y, null = "bootstrap")
  refused("`permute` must be a whole number >= 19", x, y, permute = 5)
  refused("explain `y` completely", x, y, covariates = 3 * y)
  refused("at least 3 must be left", x, y, covariates = noise(20, 18, 7))
  refused("explain every column", x[, 1:3], y, covariates = x[, 1:3])
  refused("`covariates` has 3 rows but `x` has 20", x, y, covariates = 1:3)
  refused("\"age\" of `covariates` has NA at position 2", x, y,
    covariates = data.frame(age = replace(y, 2, NA))
  )
  refused("`covariates` must be a numeric matrix", x, y, covariates = list(1))
  refused("blocks. has 3 labels", x, y, blocks = 1:3)
  refused("must be a result with frequencies", x, y, result = 1)
  refused("explain `y` completely", x, rep(1:10, each = 2), blocks = rep(1:10, each = 2),
    covariates = rep(1:10, each = 2)
  )
  twins <- rep(1:2, each = 10)
  refused("at least 5 samples", x, twins == 1, blocks = twins)
  fit <- stability_selection(x[, 1:5], y, q = 2, pfer = 1, seed = 1)
  refused("lacks \"g6\"", x, y, result = fit)
})

test_that("covariates are held: strings and factors by level, repeated ones once", {
  batch <- rep(c("b", "a", "c", "a"), 5)
  named <- function(covariates) find_signals(x, y, covariates, permute = 99, seed = 1)
  plain <- named(data.frame(batch))
  expect_same_names(named(factor(batch, c("c", "a", "b"))), plain)
  expect_same_names(named(cbind(batch == "a", batch == "b")), plain)
  expect_same_names(named(data.frame(batch, again = batch, one = 1)), plain)
  expect_false(isTRUE(all.equal(find_signals(x, y, permute = 99, seed = 1)$table, plain$table)))
})

test_that("blocks with one response become samples, others are held and exchanged within", {
  blocks <- rep(letters[1:10], each = 2)
  labels <- rep(rep(c("ill", "well"), 5), each = 2)
  fit <- find_signals(x, labels, blocks = blocks, permute = 199, seed = 1)
  means <- rowsum(x, blocks) / 2
  rownames(means) <- NULL
  direct <- find_signals(means, labels[c(TRUE, FALSE)], permute = 199, seed = 1)
  answer <- c("table", "p_value", "marginal")
  expect_identical(fit[answer], direct[answer])
  expect_match(fit$study$notes, "10 blocks as samples")
  # Pairs of one ill and one well sample: only the differences within pairs count.
  paired <- rep(c("ill", "well"), 10)
  shifted <- x + rep(100 * stats::runif(10), each = 2)
  within <- find_signals(x, paired, blocks = blocks, permute = 199, seed = 1)
  moved <- find_signals(shifted, paired, blocks = blocks, permute = 199, seed = 1)
  measures <- c("feature", "correlation", "p")
  expect_equal(moved$marginal[measures], within$marginal[measures], tolerance = 1e-6)
  expect_identical(within$null$n_distinct, 2^10)
  # The largest t statistic of paired tests, by its correlation.
  ill <- paired == "ill"
  t <- apply(x, 2, function(g) stats::t.test(g[ill], g[!ill], paired = TRUE)$statistic)
  expect_equal(abs(within$marginal$correlation), abs(unname(t)) / sqrt(t^2 + 9), ignore_attr = TRUE)
})

test_that("when little can be shown the print says why", {
  few <- find_signals(x[1:6, ], rep(c("a", "b"), 3), permute = 99, seed = 1)
  expect_identical(few$null$n_distinct, 20)
  flat <- find_signals(x, withr::with_seed(6, stats::rnorm(20)), permute = 99, seed = 1)
  expect_identical(flat$features, character())
  expect_identical(dim(flat$table)[1], 0L)
  expect_gt(flat$p_value, 0.05)
  expect_match(printed_words(flat), "Signal no evidence of a linear one: .*no feature is named")
  four <- find_signals(x[1:5, ], c(1, 1, 1, 1, 2) > 1, permute = 99, seed = 1)
  expect_match(
    printed_words(four), "only 5 arrangements of the outcome: p cannot be below 0.2"
  )
})

test_that("print, summary and the adapters show the names", {
  fit <- find_signals(cbind(x, h = x[, 4] + 0.1 * x[, 5]), y, permute = 199, seed = 1)
  expect_snapshot(fit)
  expect_snapshot(summary(fit))
  expect_identical(selected(fit), fit$features)
  expect_identical(as.data.frame(fit), fit$table)
  skip_if_not_installed("generics")
  tidied <- generics::tidy(fit)
  expect_identical(tidied$term, fit$features)
  expect_identical(tidied$estimate, fit$table$partial_r)
  expect_identical(tidied$probability, fit$table$probability)
  expect_identical(generics::glance(fit)$p.value, fit$p_value)
})

test_that("frequencies of another result stand beside the names", {
  runs <- fealect(x, y, n_runs = 20, seed = 1)
  fit <- find_signals(x, y, permute = 99, seed = 1, result = runs)
  row <- runs$table[runs$table$feature == "g4", ]
  expect_identical(fit$table$frequency, row$frequency)
  expect_identical(fit$table$score, row$score)
})

test_that("the picture marks the names and has the null band", {
  skip_if_not_installed("ggplot2")
  fit <- find_signals(x, y, permute = 99, seed = 1)
  picture <- ggplot2::autoplot(fit)
  expect_identical(picture$layers[[3]]$data$feature, "g4")
  # The band, by its definition: points of the k-th largest of the same 99 null responses.
  band <- fit$null$band
  expect_identical(band$rank, 1:30)
  expect_equal(band$upper[1], sort(fit$null$maxima)[95], tolerance = 1e-5)
  expect_equal(band$lower[1], sort(fit$null$maxima)[5], tolerance = 1e-5)
  expect_false(is.unsorted(-band$upper))
  expect_no_error(ggplot2::ggplot_build(picture))
})

test_that("blocks keep the promise that exchanging all samples breaks", {
  folder <- experiment("evidence")
  table <- utils::read.csv(file.path(folder, "results", "blocks.csv"))
  null <- table[table$cell == "none", ]
  told <- null$told == "blocks"
  expect_true(all(null$signal[told] <= 0.05 + 3 * sqrt(0.05 * 0.95 / null$responses[told])))
  expect_true(all(null$signal[!told] > 0.5))
  with <- table[table$cell == "few", ]
  expect_true(all(with$power[with$told == "blocks"] > with$power[with$told == "none"]))
})

test_that("other methods, and blocks, are in the README as in the tables", {
  folder <- experiment("evidence")
  readme <- paste(readLines(file.path(folder, "README.md")), collapse = " ")
  table <- utils::read.csv(file.path(folder, "results", "comparators.csv"))
  for (method in c("signals", "stability_selection", "ipss", "multi_split", "entry_max_t")) {
    row <- table[table$method == method, ]
    cells <- sprintf(
      c("%.0f", "%.2f", "%.2f", "%.3f", "%.2f", "%.3f"),
      unlist(row[c("responses", "n", "true", "share", "power", "none_named")])
    )
    expect_true(grepl(paste0("| ", paste(cells, collapse = " | "), " |"), readme, fixed = TRUE))
  }
  blocks <- utils::read.csv(file.path(folder, "results", "blocks.csv"))
  percent <- function(cell, told, what) {
    rows <- blocks[blocks$cell == cell & blocks$told == told, ]
    sprintf("%.0f and %.0f %%", 100 * rows[rows$kind == "batches", what],
      100 * rows[rows$kind == "patients", what])
  }
  said <- c(
    percent("none", "blocks", "signal"), percent("none", "none", "signal"),
    percent("few", "blocks", "share"), percent("few", "none", "share")
  )
  for (one in said) expect_true(grepl(one, gsub(" +", " ", readme), fixed = TRUE), info = one)
})

test_that("means of blocks are those of their samples", {
  x <- matrix(as.numeric(1:12), 6)
  blocks <- factor(c("b", "a", "b", "b", "a", "c"))
  means <- vapply(1:2, function(j) as.vector(tapply(x[, j], blocks, mean)), numeric(3))
  expect_equal(unname(block_means(x, blocks, as.vector(table(blocks)))), means)
})

test_that("the print warns where the spread of numbers changes with the covariates", {
  data <- withr::with_seed(1, {
    z <- stats::rnorm(80)
    list(
      x = matrix(stats::rnorm(80 * 20), 80), z = z, even = z + stats::rnorm(80),
      counts = stats::rnbinom(80, mu = exp(0.5 + 0.8 * z), size = 1)
    )
  })
  statistic <- function(y) {
    fit <- stats::lm(y ~ data$z)
    80 * summary(stats::lm(stats::resid(fit)^2 ~ stats::fitted(fit)))$r.squared
  }
  find <- function(y, ...) find_signals(data$x, y, permute = 19, seed = 1, ...)
  expect_gt(statistic(data$counts), stats::qchisq(0.99, 1))
  expect_output(
    print(find(data$counts, covariates = data.frame(z = data$z))), "p can be far too small"
  )
  expect_lt(statistic(data$even), stats::qchisq(0.99, 1))
  expect_output(
    print(find(data$even, covariates = data.frame(z = data$z))), "with covariates p is approximate"
  )
  expect_no_match(capture_output(print(find(data$counts))), "Caution")
  # Covariates without any share in y: no warning of R, and none in the print.
  balanced <- rep(c(-1, 1), each = 40)
  expect_no_warning(flat <- find(rep(c(1, 2, 2, 5), 20), covariates = data.frame(z = balanced)))
  expect_identical(flat$null$assumes, "nearly exchangeable residuals")
  # At the limit: as many as the formula says.
  limit <- vapply(1:200, function(seed) {
    withr::with_seed(seed, {
      z <- stats::rnorm(40)
      y <- z + stats::rnorm(40) * exp(0.3 * z)
    })
    rest <- stats::resid(stats::lm(y ~ z))
    c(
      has_uneven_spread(y, rest),
      40 * summary(stats::lm(rest^2 ~ I(y - rest)))$r.squared > stats::qchisq(0.99, 1)
    )
  }, c(NA, NA))
  expect_identical(limit[1, ], limit[2, ])
  expect_gt(sum(limit[1, ]), 10)
})
