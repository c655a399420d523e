given <- readRDS(test_path("fixtures", "sharp.rds"))
lymphoma_x <- as.matrix(mcl_sll[, -1])
ns <- asNamespace("stabilect")

test_that("scores of cutoffs are those of sharp on the same proportions", {
  for (k in 1:6) {
    # Features that no run selected may be left out.
    share <- given$share[k, given$share[k, ] > 0]
    ours <- ns$z_of_cutoffs(share, given$cutoffs, given$n_runs, 30)
    theirs <- replace(given$z[k, ], !is.finite(given$z[k, ]), NA)
    expect_equal(ours$z, theirs, tolerance = 1e-10)
  }
  expect_true(any(is.na(given$z)) && any(given$z > 10, na.rm = TRUE))
})

# The same proportions as shares of the runs with so many features.
given_shares <- function() {
  shares <- matrix(0, 30, max(given$sizes))
  shares[, given$sizes] <- t(given$share)
  shares
}

test_that("the pair is that of sharp, with any bound and with those of two papers", {
  shares <- given_shares()
  for (assumption in c("free", "none", "unimodal")) {
    asked <- list(assumption = assumption, pfer = 2)
    if (assumption == "free") asked <- list(assumption = "none")
    lowest <- ns$lowest_cutoffs(ncol(shares), 30, given$n_runs / 2, asked)
    scores <- ns$score_pairs(shares, given$n_runs, lowest)
    theirs <- given[[assumption]]
    best <- ns$find_peaks(scores, shares)[1, ]
    expect_equal(c(best$q, best$cutoff, best$z), c(theirs$q, theirs$cutoff, theirs$z))
    # For the lowest cutoff sharp takes a bound below zero, where none holds.
    own <- matrix(scores$allowed & !is.na(scores$z), ncol = 50, byrow = TRUE)[given$sizes, ]
    expect_identical(own[, -1], theirs$allowed[, -1])
  }
  expect_lt(sum(given$unimodal$allowed), sum(given$free$allowed))
  expect_false(identical(given$none$q, given$free$q))
})

test_that("sharp, where it is installed, agrees on the proportions of a result", {
  skip_if_not_installed("sharp")
  # sharp counts all columns, also copies and those that do not vary.
  x <- lymphoma_x[, !duplicated(t(scale(lymphoma_x))) & apply(lymphoma_x, 2, stats::sd) > 0]
  fit <- stability_selection(x, mcl_sll$MCL, q = 5, cutoff = 0.8, n_pairs = 10, seed = 1)
  unit <- ns$unit_of(fit$study)
  shares <- ns$shares_by_size(ns$runs_of_result(fit), 1:20, 5L, fit$asked, unit)
  # sharp compares without tolerance.
  cutoffs <- ns$calibrated_cutoffs - 1e-9
  theirs <- sharp::StabilityMetrics(t(shares), pi_list = cutoffs, K = 20, graph = FALSE)$S_2d
  scores <- ggplot2::autoplot(fit, type = "cutoffs")$data
  expect_equal(
    matrix(scores$z, ncol = 50, byrow = TRUE), replace(theirs, !is.finite(theirs), NA),
    tolerance = 1e-10
  )
})

test_that("peaks are higher than their neighbours, and each list is there once", {
  scores <- data.frame(
    q = rep(1:5, each = 2), cutoff = rep(c(0.6, 0.8), 5),
    n_selected = c(1, 1, 2, 1, 3, 1, 4, 2, 4, 2),
    z = c(5, 5, 4, 3, 6, 2, 1, 1, 3, 2), allowed = TRUE
  )
  shares <- matrix(0, 6, 5)
  for (q in 1:5) shares[seq_len(max(scores$n_selected[scores$q == q])), q] <- 0.7
  shares[1, ] <- 0.9
  peaks <- ns$find_peaks(scores, shares)
  # Of the equal pairs of q = 1 the one with the higher cutoff.
  expect_identical(peaks$q, c(3L, 1L, 5L))
  expect_identical(peaks$cutoff, c(0.6, 0.8, 0.6))
  scores$allowed[scores$q == 3] <- FALSE
  expect_identical(ns$find_peaks(scores, shares)$q, c(1L, 5L))
  shares[, 5] <- shares[, 1]
  expect_identical(ns$find_peaks(scores, shares)$q, 1L)
  expect_identical(nrow(ns$find_peaks(scores[0, ], shares)), 0L)
})

test_that("a calibrated result is that of its q and cutoff", {
  calibrate <- function(...) {
    stability_selection(
      lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", n_pairs = 10, seed = 1, permute = 0, ...
    )
  }
  fit <- calibrate()
  # A quarter of 22 samples.
  expect_identical(fit$calibration$largest, 5L)
  scores <- fit$calibration$scores
  expect_identical(nrow(scores), 5L * 50L)
  best <- fit$calibration$peaks[1, ]
  expect_identical(best$z, max(scores$z[scores$allowed], na.rm = TRUE))
  plain <- stability_selection(
    lymphoma_x, mcl_sll$MCL, q = best$q, cutoff = best$cutoff, n_pairs = 10, seed = 1
  )
  expect_identical(fit$table, plain$table)
  expect_identical(fit$bound, plain$bound)
  expect_identical(length(fit$features), best$n_selected)
  inside <- fit$table$selected
  # 48 columns are the same in all samples, and not counted.
  expect_length(fit$study$constant, 48)
  varies <- !fit$table$feature %in% fit$study$constant
  inside <- inside[varies]
  share <- fit$table$frequency[varies]
  pooled <- mean(share)
  expect_equal(
    best$z,
    (mean(share[inside]) - mean(share[!inside])) /
      sqrt(pooled * (1 - pooled) * sum(1 / (20 * c(sum(inside), sum(!inside)))))
  )
  # At the lowest cutoffs no bound holds for ten pairs.
  expect_false(any(scores$allowed[scores$cutoff < 0.525]))
  more <- calibrate(q = 8)
  expect_identical(more$calibration$largest, 8L)
  expect_identical(stability_selection(more, q = 5, cutoff = "calibrated")$table, fit$table)
  expect_identical(stability_selection(more, cutoff = "calibrated")$bound, more$bound)
  # The cutoff of the smallest bound of a list, and none above a `pfer`.
  strict <- calibrate(q = 8, pfer = 0.05)
  allowed <- strict$calibration$scores
  allowed <- allowed[allowed$allowed, ]
  bounds <- mapply(function(q, cutoff) {
    error_bound(160, q = q, cutoff = cutoff, n_pairs = 10)$pfer
  }, allowed$q, allowed$cutoff)
  expect_true(all(bounds <= 0.05) && strict$bound$pfer <= 0.05)
  expect_identical(strict$bound$asked, 0.05)
  expect_identical(
    nrow(allowed),
    sum(mapply(function(q, cutoff) {
      ns$within_bound(ns$bound_unimodal(160, q, cutoff, 10), 0.05)
    }, more$calibration$scores$q, more$calibration$scores$cutoff))
  )
})

test_that("results are calibrated alike from paths, parts and clusters", {
  draws <- draw_resamples(resample_pairs(10), mcl_sll$MCL, seed = 3)
  fresh <- stability_selection(
    lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", resampling = draws, permute = 0
  )
  scored <- fealect(lymphoma_x, mcl_sll$MCL, resampling = draws, oob = FALSE, n_boot = 0)
  expect_identical(stability_selection(scored, cutoff = "calibrated")$bound, fresh$bound)
  short <- fealect(
    lymphoma_x, mcl_sll$MCL, resampling = draws, oob = FALSE, n_boot = 0, max_features = 3
  )
  expect_identical(stability_selection(short, cutoff = "calibrated")$calibration$largest, 3L)
  other <- stability_selection(
    lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", n_pairs = 10, seed = 4, permute = 0
  )
  merged <- c(fresh, other)
  both <- stability_selection(
    lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", resampling = c(draws, other$resamples),
    permute = 0
  )
  expect_identical(merged$calibration, both$calibration)
  expect_identical(merged$table, both$table)
  clusters <- rep(paste0("c", 1:59), 4)
  grouped <- stability_selection(
    lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", resampling = draws, permute = 0,
    clusters = clusters
  )
  best <- grouped$calibration$peaks[1, ]
  plain <- stability_selection(
    lymphoma_x, mcl_sll$MCL, q = best$q, cutoff = best$cutoff, resampling = draws, permute = 0,
    clusters = clusters
  )
  expect_identical(grouped$table, plain$table)
  expect_identical(length(grouped$features), best$n_selected)
  expect_identical(grouped$bound$n_total, 59L)
  # Models have several features of a cluster, which counts once.
  alike <- stability_selection(
    lymphoma_x, mcl_sll$MCL, q = 3, cutoff = 0.9, resampling = draws, permute = 0,
    clusters = rep(paste0("c", 1:6), c(40, 40, 40, 40, 40, 36))
  )
  expect_gt(max(Matrix::colSums(alike$member_selection$selected)), 3)
  unit <- ns$unit_of(alike$study)
  shares <- ns$shares_by_size(ns$runs_of_result(alike), 1:20, 3L, alike$asked, unit)
  expect_equal(shares[, 3], unname(ns$mean_selected(alike$selection)))
})

test_that("a run that fails takes its pair along", {
  counts <- draw_resamples(resample_pairs(10), mcl_sll$MCL, seed = 3)
  broken <- counts
  broken$counts[, 3] <- as.integer(mcl_sll$MCL == 1)
  fit <- stability_selection(
    lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", resampling = broken, permute = 0
  )
  best <- fit$calibration$peaks[1, ]
  expect_identical(fit$made$n_failed, 2L)
  expect_identical(fit$bound$n_pairs, 9L)
  rest <- stability_selection(
    lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", permute = 0,
    resampling = counts[which(counts$pair != counts$pair[3])]
  )
  expect_equal(fit$calibration, rest$calibration)
  expect_identical(length(fit$features), best$n_selected)
})

test_that("permutations calibrate again, and the print says what they named", {
  fit <- stability_selection(
    lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", n_pairs = 10, seed = 1
  )
  expect_identical(fit$null$n_whole, 20L)
  expect_length(fit$null$named, 20)
  # Permuted responses have pairs of their own.
  expect_gt(length(unique(fit$null$named)), 1)
  text <- printed_words(fit)
  named <- format(mean(fit$null$named), digits = 2)
  expect_match(text, sprintf("procedure selected %s on average", named))
  expect_match(text, "where every feature is a false positive")
  expect_match(text, "rule of thumb has no error rate")
  expect_match(text, sprintf("in at least %.0f %% of the runs", 100 * fit$bound$cutoff))
  expect_match(
    printed_words(summary(fit)),
    sprintf("chosen: .* at q = %d and cutoff %s", fit$bound$q, format(fit$bound$cutoff))
  )
  near <- fit$calibration$peaks
  near <- near[near$z >= 0.9 * near$z[1], ]
  expect_identical(nrow(near) > 1, grepl("nearly as clear", text))
})

test_that("where nothing is frequent nothing is named, and the print says why", {
  noise <- withr::with_seed(2, list(x = matrix(rnorm(40 * 400), 40), y = rnorm(40)))
  fit <- stability_selection(noise$x, noise$y, cutoff = "calibrated", q = 4, permute = 0, seed = 1)
  expect_identical(nrow(fit$calibration$peaks), 0L)
  expect_identical(fit$features, character())
  expect_identical(fit$bound$q, 4L)
  text <- printed_words(fit)
  expect_match(text, "List none: no pair of q and cutoff")
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(fit, type = "cutoffs")
  expect_match(ggplot2::layer_data(picture, 1)$label, "At no pair of q and cutoff")
})

test_that("the procedure is repeated with its calibration, and without permutations", {
  fit <- stability_selection(
    lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", pfer = 1, n_pairs = 10, seed = 1, permute = 0
  )
  study <- ns$open_study(lymphoma_x, mcl_sll$MCL, "binary")
  again <- ns$carry_out_on(ns$as_procedure(fit, "object"), study, 1:22, seed = 1, n_threads = 1)
  # A repeat has no directions, and names no copies.
  told <- setdiff(names(fit$table), c("direction", "same_sign", "copies"))
  expect_identical(again$table[told], fit$table[told])
  expect_identical(again$calibration, fit$calibration)
  expect_null(again$null)
  judged <- estimate_error_rates(
    fit, lymphoma_x, mcl_sll$MCL, n_true = 2, r_squared = 0.5, n_simulations = 2, seed = 1
  )
  # It claims nothing.
  expect_true(all(is.na(judged$table$claimed)))
})

test_that("what cannot be calibrated is refused", {
  ask <- function(...) {
    stability_selection(lymphoma_x, mcl_sll$MCL, ..., n_pairs = 10, seed = 1, permute = 0)
  }
  refused <- function(pattern, ...) {
    expect_error(ask(...), pattern, class = "stabilect_error_input")
  }
  refused("`cutoff` must be .*calibrated", cutoff = "best")
  refused("does not go with `cutoff`", cutoff = "calibrated", bound = "integrated")
  refused("finds them when all runs", cutoff = "calibrated", until = until_stable(0.1))
  refused("`q`", cutoff = "calibrated", q = 300)
  expect_error(
    ask(cutoff = "calibrated", pfer = 1e-6), "No cutoff keeps the bound",
    class = "stabilect_error_bound"
  )
  expect_error(
    stability_selection(
      lymphoma_x, mcl_sll$MCL, cutoff = "calibrated", resampling = resample_bootstrap(10)
    ),
    "complementary pairs"
  )
})

test_that("the heat map has every pair, and its best pair can be asked for", {
  skip_if_not_installed("ggplot2")
  fit <- stability_selection(
    lymphoma_x, mcl_sll$MCL, q = 8, cutoff = 0.8, n_pairs = 10, seed = 1
  )
  picture <- ggplot2::autoplot(fit, type = "cutoffs")
  table <- picture$data
  expect_identical(nrow(table), 8L * 50L)
  again <- stability_selection(fit, cutoff = "calibrated")
  expect_identical(again$calibration$scores, table)
  expect_s3_class(ggplot2::ggplot_build(picture), "ggplot_built")
  strict <- stability_selection(fit, cutoff = "calibrated", pfer = 0.03)
  picture <- ggplot2::autoplot(strict, type = "cutoffs")
  expect_identical(nrow(strict$calibration$peaks), 0L)
  expect_match(
    picture$labels$subtitle, "no feature is selected above the lines\n.*bound is at most 0.03"
  )
  expect_s3_class(ggplot2::ggplot_build(picture), "ggplot_built")
  expect_match(
    ggplot2::autoplot(again, type = "cutoffs")$labels$subtitle,
    sprintf("largest at q = %d and cutoff %s", again$bound$q, format(again$bound$cutoff))
  )
  rate <- stability_selection(
    lymphoma_x, mcl_sll$MCL, pfer = 1, bound = "integrated", q = 2, n_pairs = 10, seed = 1
  )
  expect_identical(max(ggplot2::autoplot(rate, type = "cutoffs")$data$q), 8L)
})
