samples_design <- function(n = 60, p = 80, effect = 1, seed = 1) {
  withr::with_seed(seed, {
    y <- factor(rep(c("ill", "well"), length.out = n))
    x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    x[, 1:5] <- x[, 1:5] + effect * (y == "ill")
    list(x = x, y = y)
  })
}

# What a hand-written procedure returns.
list_of <- function(features) {
  structure(
    list(table = data.frame(feature = features), features = features[1:3]),
    class = c("stabilect_test", "stabilect_result")
  )
}
largest_means <- function(x, y, ...) {
  difference <- abs(colMeans(x[y == "ill", ]) - colMeans(x[y == "well", ]))
  list_of(names(sort(-difference)))
}

test_that("halves are disjoint, and all their beginnings hold the strata in proportion", {
  strata <- rep(c(1, 2, 3), c(11, 20, 30))
  for (seed in 1:5) {
    halves <- draw_halves(61, strata, seed)
    expect_identical(lengths(halves), c(30L, 30L))
    expect_length(intersect(halves[[1]], halves[[2]]), 0)
    for (half in halves) {
      for (size in c(12, 19, 30)) {
        there <- tabulate(strata[half[seq_len(size)]], 3)
        expect_true(all(abs(there - size * c(11, 20, 30) / 61) <= 1.5))
      }
    }
  }
  # Equal classes, whose samples alternate in any order by share, are in both halves.
  even <- draw_halves(40, rep(1:2, 20), 1)
  expect_identical(tabulate(rep(1:2, 20)[even[[1]]]), c(10L, 10L))
  expect_false(identical(draw_halves(61, strata, 1), draw_halves(61, strata, 2)))
})

test_that("stability of parts is that of a slow loop, and Nogueira's of each pair of lists", {
  d <- samples_design(effect = 0.7)
  plan <- estimate_sample_size(largest_means, d$x, d$y, n_features = 4, n_pairs = 5, seed = 3)
  sizes <- c(12, 15, 19, 24, 30)
  expect_equal(plan$table$n[1:5], sizes)
  seeds <- child_seeds(3, 15)
  lists <- lapply(1:5, function(pair) {
    lapply(draw_halves(60, as.integer(d$y), seeds[pair]), function(half) {
      lapply(sizes, function(size) {
        rows <- sort(half[seq_len(size)])
        largest_means(d$x[rows, ], d$y[rows])$table$feature[1:4]
      })
    })
  })
  for (k in seq_along(sizes)) {
    by_pair <- vapply(lists, function(pair) {
      sets <- list(match(pair[[1]][[k]], colnames(d$x)), match(pair[[2]][[k]], colnames(d$x)))
      value_of_index(as_selection(sets, n_total = 80), "nogueira")
    }, 0)
    expect_equal(plan$table$stability[k], mean(by_pair))
    common <- vapply(lists, function(pair) length(intersect(pair[[1]][[k]], pair[[2]][[k]])), 0L)
    expect_identical(plan$pairs$n_common[plan$pairs$n == sizes[k]], as.double(common))
    expect_equal(plan$table$n_again[k], mean(common))
  }
  # Sets of the procedure's own size, by the formula of evaluate_replication().
  own <- estimate_sample_size(largest_means, d$x, d$y, n_features = NULL, n_pairs = 5, seed = 3)
  sets <- unlist(lapply(lists, function(pair) {
    lapply(pair, function(half) match(half[[5]][1:3], colnames(d$x)))
  }), recursive = FALSE)
  known <- overlap_of_halves(sets, 80)
  expect_equal(
    own$table$stability[5], (known$overlap - known$by_chance) / (1 - known$by_chance)
  )
  expect_true(all(is.na(own$table$n_again[6:8])))
})

test_that("errors are those of models of the lists on all other samples", {
  d <- samples_design(effect = 1)
  plan <- estimate_sample_size(
    largest_means, d$x, d$y, n_features = 4, learner = learner_lda(), n_pairs = 5, seed = 3
  )
  halves <- draw_halves(60, as.integer(d$y), child_seeds(3, 15)[2])
  lda <- learner_lda()
  error <- vapply(halves, function(half) {
    rows <- sort(half[1:24])
    best <- largest_means(d$x[rows, ], d$y[rows])$table$feature[1:4]
    mean(lda$predict(lda$fit(d$x[rows, best], d$y[rows]), d$x[-rows, best]) != d$y[-rows])
  }, 0)
  at <- plan$pairs$pair == 2 & plan$pairs$n == 24
  expect_equal(plan$pairs$error[at], mean(error))
  expect_equal(plan$table$error[4], mean(plan$pairs$error[plan$pairs$n == 24]))
})

test_that("a selector is its best features on each part", {
  d <- samples_design()
  plan <- estimate_sample_size(
    selector_filter("t"), d$x, d$y, n_features = 4, n_pairs = 5, seed = 1
  )
  by_hand <- estimate_sample_size(function(x, y, ...) {
    scores <- score_features(x, y, selector_filter("t"), seed = 1)
    list_of(scores$feature[order(scores$rank)])
  }, d$x, d$y, n_features = 4, n_pairs = 5, seed = 1)
  expect_identical(plan$pairs, by_hand$pairs)
  expect_identical(plan$table, by_hand$table)
  expect_error(
    estimate_sample_size(selector_filter("cox"), d$x, d$y, seed = 1),
    class = "stabilect_error_input"
  )
})

test_that("nothing is foreseen where lists never agree", {
  d <- samples_design()
  turn <- 0
  never <- function(x, y, ...) {
    turn <<- turn + 1
    # Parts of one half come one after the other.
    from <- if (((turn - 1) %/% 5) %% 2 == 0) 1:20 else 21:40
    list_of(colnames(x)[c(from, setdiff(seq_len(ncol(x)), from))])
  }
  plan <- estimate_sample_size(never, d$x, d$y, n_features = 20, n_pairs = 5, seed = 1)
  expect_true(all(plan$table$stability[1:5] <= 0))
  expect_null(plan$curve)
  expect_true(all(is.na(plan$needed[c("n", "lower", "upper")])))
  expect_match(plan$refused[["curve"]], "beyond chance")
  expect_output(print(plan), "do\\s+not\\s+agree\\s+beyond\\s+chance")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(plan), "ggplot")
})

test_that("more samples bring more agreement and less error, and the band holds the curve", {
  d <- samples_design(n = 120, effect = 0.9)
  plan <- estimate_sample_size(
    selector_filter("t"), d$x, d$y, n_features = 5, n_pairs = 10, seed = 1
  )
  expect_gt(plan$curve[["b"]], 0)
  expect_false(is.unsorted(plan$table$fitted))
  inside <- plan$table$lower <= plan$table$fitted & plan$table$fitted <= plan$table$upper
  expect_true(all(inside))
  expect_equal(plan$table$n[6:8], c(120, 240, 480))
  expect_equal(
    plan$table$fitted, stats::plogis(plan$curve[["a"]] + plan$curve[["b"]] * log(plan$table$n))
  )
  if (!is.null(plan$error_curve)) expect_false(is.unsorted(rev(plan$table$error_fitted)))
  expect_equal(
    plan$table$n_again[6:8], 5 * (5 / 80 + (1 - 5 / 80) * plan$table$fitted[6:8])
  )
})

test_that("same seed, same bits, for any threads and from a checkpoint", {
  d <- samples_design()
  run <- function(...) {
    estimate_sample_size(selector_filter("t"), d$x, d$y, n_features = 3, n_pairs = 5, ...)
  }
  first <- run(seed = 1)
  expect_identical(run(seed = 1, n_threads = 2), first)
  file <- withr::local_tempfile()
  expect_identical(run(seed = 1, checkpoint = file), first)
  expect_identical(run(seed = 1, checkpoint = file), first)
  expect_false(identical(run(seed = 2)$table, first$table))
  withr::local_seed(7)
  before <- .Random.seed
  run(seed = 1)
  expect_identical(.Random.seed, before)
})

test_that("blocks are in one part as a whole, and a result brings its settings", {
  d <- samples_design(n = 80)
  who <- rep(1:40, each = 2)
  y <- rep(c("ill", "well"), each = 2, length.out = 80)
  study <- prepare_study(d$x, y, blocks = who)
  seen <- list()
  spy <- function(x, y, ...) {
    seen <<- c(seen, list(as.character(x$blocks)))
    largest_means(x$x, x$y)
  }
  plan <- estimate_sample_size(spy, study, n_features = 3, n_pairs = 5, seed = 1)
  for (blocks in seen) expect_true(all(table(blocks) == 2L))
  expect_equal(plan$table$n[1:5], 2 * c(8, 10, 13, 16, 20))
  fit <- fealect(d$x, d$y, n_runs = 6, max_features = 4, n_boot = 0, oob = FALSE, seed = 1)
  again <- estimate_sample_size(fit, d$x, d$y, n_features = 3, n_pairs = 5, seed = 5)
  rows <- sort(draw_halves(80, as.integer(d$y), child_seeds(5, 15)[1])[[1]][1:40])
  half <- fealect(
    d$x[rows, ], d$y[rows], max_features = 4, oob = FALSE, n_boot = 0,
    resampling = fit$resamples$plan, seed = child_seeds(5, 15)[6]
  )
  largest <- again$pairs$n == 40 & again$pairs$pair == 1
  rows <- sort(draw_halves(80, as.integer(d$y), child_seeds(5, 15)[1])[[2]][1:40])
  other <- fealect(
    d$x[rows, ], d$y[rows], max_features = 4, oob = FALSE, n_boot = 0,
    resampling = fit$resamples$plan, seed = child_seeds(5, 15)[7]
  )
  expect_equal(
    again$pairs$n_common[largest],
    length(intersect(half$table$feature[1:3], other$table$feature[1:3]))
  )
  plan <- resample_subsample(5, blocks = who)
  by_plan <- fealect(d$x, y, resampling = plan, n_boot = 0, oob = FALSE, seed = 1)
  expect_identical(
    estimate_sample_size(by_plan, d$x, y, n_features = 3, n_pairs = 5, seed = 1)$table,
    estimate_sample_size(by_plan, study, n_features = 3, n_pairs = 5, seed = 1)$table
  )
})

test_that("pairs with a failed part are left out, and too many failures are told", {
  d <- samples_design()
  count <- 0
  fails <- function(x, y, ...) {
    count <<- count + 1
    if (count == 2) abort("Nothing.", class = "runs")
    largest_means(x, y)
  }
  plan <- estimate_sample_size(fails, d$x, d$y, n_features = 2, n_pairs = 5, seed = 1)
  expect_identical(plan$made$n_failed, 1L)
  expect_identical(which(is.na(plan$pairs$n_common)), 2L)
  expect_false(anyNA(plan$table$stability[1:5]))
  expect_error(
    estimate_sample_size(function(x, y) abort("Nothing.", class = "runs"), d$x, d$y, seed = 1),
    "nearly every part: Nothing", class = "stabilect_error_runs"
  )
})

test_that("what it says, and what it refuses", {
  d <- samples_design()
  t <- selector_filter("t")
  expect_snapshot(estimate_sample_size(t, d$x, d$y, n_features = 5, n_pairs = 10, seed = 1))
  expect_snapshot(print(estimate_sample_size(
    largest_means, d$x, d$y, n_features = NULL, target_stability = 0.99, n_pairs = 5, seed = 1
  )))
  refuse <- function(pattern, ...) {
    expect_error(estimate_sample_size(...), pattern, class = "stabilect_error_input")
  }
  refuse("at least 20 samples; there are 19", t, d$x[1:19, ], d$y[1:19])
  few <- factor(rep(c("ill", "well"), c(9, 51)))
  refuse("at least 10 samples of class \"ill\"; there are 9", t, d$x, few)
  blocks <- rep(1:15, each = 4)
  refuse("at least 20 blocks; there are 15", t, prepare_study(d$x, d$y, blocks = blocks))
  refuse("n_features` must be less than the 80", t, d$x, d$y, n_features = 80)
  refuse("no list of its own", t, d$x, d$y, n_features = NULL)
  refuse("n_features", t, d$x, d$y, n_features = 0)
  refuse("target_stability", t, d$x, d$y, target_stability = 1)
  refuse("n_pairs", t, d$x, d$y, n_pairs = 4)
  refuse("conf_level", t, d$x, d$y, conf_level = 1)
  refuse("learner", t, d$x, d$y, learner = "lda")
  refuse("must be a result", 1, d$x, d$y)
  refuse("must return a result", function(x, y) 1, d$x, d$y)
  fit <- fealect(d$x, d$y, n_runs = 5, n_boot = 0, oob = FALSE, seed = 1)
  refuse("not the data", fit, d$x[-1, ], d$y[-1])
  late <- survival_design(n = 40, p = 6, seed = 12)
  late$event[] <- rep(c(1, 0), c(5, 35))
  refuse("10 samples with the event; there are 5", selector_filter("cox"), late$x, surv_of(late),
    n_features = 2
  )
})

test_that("the picture has points, bands and a dashed line that begins where the other ends", {
  skip_if_not_installed("ggplot2")
  d <- samples_design()
  plan <- estimate_sample_size(
    selector_filter("t"), d$x, d$y, n_features = 5, n_pairs = 5, seed = 1
  )
  picture <- ggplot2::autoplot(plan)
  panels <- sample_size_panels(plan)
  expect_identical(sum(panels$n == 30 & panels$kind == "extrapolated"), 2L)
  expect_length(picture$layers, 5)
  expect_no_error(ggplot2::ggplot_build(picture))
  expect_identical(as.data.frame(plan), plan$table)
})

test_that("the help page tells what the experiment found", {
  folder <- experiment("samples", "results")
  coverage <- utils::read.csv(file.path(folder, "coverage.csv"))
  rows <- coverage[coverage$sources == "with signal", ]
  expect_identical(rows$times, c(1L, 2L, 4L))
  expect_identical(widen_samples, 2)
  page <- list(
    covered = c(97, 100, 100), bias = c(0.06, 0.15, 0.22), error_covered = c(81, 71, 67)
  )
  expect_identical(unique(rows$studies), 32L)
  expect_identical(unique(rows$with_error), 21L)
  noise <- coverage[coverage$sources == "none", ]
  expect_lt(mean(noise$covered), min(rows$covered))
  expect_identical(round(100 * rows$covered), page$covered)
  expect_identical(round(rows$bias, 2), page$bias)
  expect_identical(round(100 * rows$error_covered), page$error_covered)
  real <- coverage[coverage$sources == "half hidden", ]
  expect_identical(c(real$with_curve, round(100 * real$covered)), c(23, 83))
})

test_that("the help page tells how far simulated studies were from the truth", {
  folder <- experiment("samples")
  rows <- utils::read.csv(file.path(folder, "results", "simulated.csv"))
  off_by <- function(values, sources) {
    at <- rows$source %in% sources
    unname(tapply((values - rows$truth)[at], rows$times[at], function(d) sqrt(mean(d^2))))
  }
  signal <- c("strong", "weak")
  expect_identical(sum(rows$source %in% signal & rows$times == 1), 6L)
  page <- list(simulated = c(0.13, 0.16, 0.19), extrapolated = c(0.17, 0.26, 0.33))
  expect_equal(round(off_by(rows$simulated, signal), 2), page$simulated, ignore_attr = TRUE)
  expect_equal(round(off_by(rows$extrapolated, signal), 2), page$extrapolated, ignore_attr = TRUE)
  with_signal <- rows[rows$source %in% signal, ]
  bias <- tapply(with_signal$simulated - with_signal$truth, with_signal$times, mean)
  expect_equal(unname(round(c(bias), 2)), c(-0.09, -0.15, -0.17))
  # The truth is that of the other tables.
  truth <- utils::read.csv(file.path(folder, "results", "truth.csv"))
  both <- merge(transform(rows, n = n_study * times), truth, by = c("source", "procedure", "n"))
  expect_identical(nrow(both), nrow(rows))
  expect_identical(both$truth, both$stability)
  readme <- paste(readLines(file.path(folder, "README.md")), collapse = " ")
  for (numbers in page) {
    expect_match(readme, sprintf("%.2f, %.2f and %.2f", numbers[1], numbers[2], numbers[3]))
  }
})
