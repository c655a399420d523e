lymphoma_x <- as.matrix(mcl_sll[, -1])
lymphoma_y <- mcl_sll$MCL
space <- asNamespace("stabilect")
strong <- withr::with_seed(4, {
  x <- matrix(rnorm(60 * 100), 60, dimnames = list(NULL, paste0("g", 1:100)))
  list(x = x, y = drop(x[, 1:3] %*% c(2, 1.5, 1)) + rnorm(60))
})
authors <- readRDS(test_path("fixtures", "ipss.rds"))

# The indicators of the fixture as changes of models.
authors_changes <- function() {
  runs <- 2 * authors$n_pairs
  j <- rep(seq_len(authors$p), each = runs)
  entry <- as.vector(authors$enters)
  exit <- as.vector(authors$leaves)
  feature <- c(j, j)
  change <- rep(c(1, -1), each = length(j))
  lambda <- authors$grid[c(entry, ifelse(entry > 25, 99, exit))]
  kept <- which(!is.na(lambda))
  kept <- kept[order(-lambda[kept])]
  list(
    feature = feature[kept], change = change[kept], lambda = lambda[kept],
    ends = rep(0, runs)
  )
}

test_that("pfer and q values are those of the authors' program", {
  parts <- space$integrate_changes(authors_changes(), authors$grid[25], authors$p)
  pfer <- space$expected_false(parts, authors$p)
  expect_equal(pfer, authors$whole$efp, tolerance = 1e-12)
  expect_equal(space$false_share(pfer), authors$whole$fdr, tolerance = 1e-12)
  expect_true(any(authors$whole$fdr < 1) && any(pfer < 5))
})

test_that("their pfer is too small where their cutoff ends the grid", {
  cut <- authors$truncated$stop
  expect_lt(cut, 25)
  parts <- space$integrate_changes(authors_changes(), authors$grid[cut], authors$p)
  ratio <- (1 - (authors$grid[25] / 2)^(1 / 25)) / log(2 / authors$grid[25]) /
    ((1 - (authors$grid[cut] / 2)^(1 / cut)) / log(2 / authors$grid[cut]))
  pfer <- space$expected_false(parts, authors$p)
  shown <- pfer < authors$p
  expect_true(sum(shown) >= 3)
  expect_equal(authors$truncated$efp[shown], pfer[shown] * ratio, tolerance = 1e-9)
  expect_lt(ratio, 0.5)
})

test_that("the integrals are those of a fine grid over refitted paths", {
  fit <- stability_selection(strong$x, strong$y, pfer = 1, n_pairs = 5, seed = 1)
  lambda <- fit$bound$lambda
  edges <- exp(seq(log(lambda[2]), log(lambda[1]), length.out = 4001))
  middle <- c(sqrt(edges[-1] * edges[-4001]), lambda[1] * (1 + 1e-9))
  share <- 0
  for (b in 1:10) {
    rows <- split(fit$resamples)[[b]]
    path <- lars_path(strong$x[rows, ], strong$y[rows])
    at <- vapply(middle * sqrt(length(rows)), function(v) sum(path$lambda >= v), 0)
    active <- as.matrix(path$coefficients != 0)
    # The model of a segment is that of its end.
    share <- share + active[, pmin(at + 1, ncol(active))] * rep(at > 0, each = 100) / 10
  }
  size <- colSums(share)[1:4000]
  score <- rowMeans(pmax(2 * share[, 1:4000] - 1, 0)^2)
  integral <- mean(size^2 / (100 * 5) + 4 * size^4 / (5 * 100^3))
  at <- match(fit$table$feature, colnames(strong$x))
  expect_equal(fit$table$score, unname(score[at]), tolerance = 0.005)
  expect_equal(fit$bound$integral, integral, tolerance = 0.005)
  expect_equal(fit$table$pfer[1], fit$bound$integral / fit$table$score[1], tolerance = 1e-12)
  expect_equal(fit$table$frequency, unname(share[at, 4001]), tolerance = 1e-12)
  expect_equal(fit$bound$size, sum(share[, 4001]), tolerance = 1e-12)
  expect_lte(fit$bound$size, 6)
})

test_that("features are selected by the rate, and frequencies are those of the last penalty", {
  fit <- stability_selection(
    strong$x, strong$y, pfer = 2, bound = "integrated", q = 4, n_pairs = 20, seed = 1
  )
  expect_identical(fit$table$selected, fit$table$pfer <= 2)
  expect_true(all(c("g1", "g2") %in% fit$features) && length(fit$features) < 6)
  expect_equal(sum(fit$table$frequency), fit$bound$size, tolerance = 1e-12)
  expect_false(is.unsorted(fit$table$pfer))
  by_share <- stability_selection(fit, fdr = 0.01)
  expect_identical(by_share$table$selected, by_share$table$fdr <= 0.01)
  expect_identical(by_share$table$pfer, fit$table$pfer)
  expect_identical(
    by_share$table,
    stability_selection(strong$x, strong$y, fdr = 0.01, q = 4, n_pairs = 20, seed = 1)$table
  )
  expect_identical(by_share$bound$pfer, NA_real_)
  expect_identical(
    fit, stability_selection(
      strong$x, strong$y, pfer = 2, bound = "integrated", q = 4, n_pairs = 20, seed = 1,
      n_threads = 2
    )
  )
})

test_that("without any rate it is one false feature, with models of n / 10", {
  fit <- stability_selection(lymphoma_x, lymphoma_y, n_pairs = 10, seed = 1)
  expect_identical(fit$asked$pfer, 1)
  expect_identical(fit$bound$q, nrow(lymphoma_x) %/% 10L)
  # Few features: the bound at the last penalty alone is 0.05 at most.
  few <- stability_selection(
    lymphoma_x[rep(1:22, 4), 1:10], rep(lymphoma_y, 4), n_pairs = 10, seed = 1
  )
  q <- few$bound$q
  expect_lte(q^2 / 100 + 0.9 * q^4 / 1000, 0.05)
  expect_gt((q + 1)^2 / 100 + 0.9 * (q + 1)^4 / 1000, 0.05)
})

test_that("a result of two of q, cutoff and pfer can be asked for a rate and back", {
  draws <- draw_resamples(resample_pairs(15), lymphoma_y, seed = 3)
  scored <- fealect(lymphoma_x, lymphoma_y, resampling = draws, oob = FALSE, n_boot = 0)
  whole <- stability_selection(
    lymphoma_x, lymphoma_y, pfer = 1, bound = "integrated", q = 2, resampling = draws
  )
  expect_identical(
    stability_selection(scored, pfer = 1, bound = "integrated", q = 2)$table, whole$table
  )
  expect_identical(
    stability_selection(whole, cutoff = 0.8)$table,
    stability_selection(scored, q = 2, cutoff = 0.8)$table
  )
  # Paths of three features end before the mean size is two.
  short <- stability_selection(lymphoma_x, lymphoma_y, q = 2, cutoff = 0.8, resampling = draws)
  again <- stability_selection(short, pfer = 1, bound = "integrated", q = 2)
  expect_lt(again$bound$size, whole$bound$size)
  expect_gt(again$bound$lambda[1], whole$bound$lambda[1])
})

test_that("merged results are those of all pairs", {
  one <- stability_selection(
    lymphoma_x, lymphoma_y, pfer = 1, bound = "integrated", q = 2, n_pairs = 6, seed = 1
  )
  two <- stability_selection(
    lymphoma_x, lymphoma_y, pfer = 1, bound = "integrated", q = 2, n_pairs = 6, seed = 2
  )
  both <- stability_selection(
    lymphoma_x, lymphoma_y, pfer = 1, bound = "integrated", q = 2,
    resampling = c(one$resamples, two$resamples)
  )
  expect_identical(c(one, two)$table, both$table)
  expect_identical(c(one, two)$bound, both$bound)
})

test_that("other families and permutations go along", {
  fit <- stability_selection(
    lymphoma_x, lymphoma_y, fdr = 0.5, q = 2, n_pairs = 5, family = "binomial", permute = 3,
    seed = 1
  )
  expect_s3_class(fit$null, "stabilect_null")
  expect_true(all(c("fdr", "q_fdr") %in% names(fit$table)))
  expect_true(all(fit$table$fdr > 0 & fit$table$fdr <= 1))
})

test_that("the print says what is promised and how much rests on the last penalty", {
  fit <- stability_selection(
    strong$x, strong$y, pfer = 2, bound = "integrated", q = 4, n_pairs = 20, seed = 1
  )
  expect_output(print(fit), "at\\s+most\\s+2\\s+expected\\s+false\\s+positives\\s+.pfer\\s<=\\s2")
  text <- printed_words(fit)
  number <- fit$bound$sensitivity$n_selected
  expect_match(
    text, sprintf("smaller models give %d features?, larger ones %d", number[1], number[3])
  )
  expect_match(text, "pfer, fdr: false positives expected down to this feature")
  # Settings are in the summary.
  expect_no_match(text, "lambda|q = 4")
  made <- printed_words(summary(fit))
  expect_match(made, "averaged over lambda .* \\(q = 4\\)")
  expect_match(made, "q size lambda integral best_pfer n_selected 2 ")
  expect_identical(summary(fit)$best, utils::head(fit$table, 20))
  expect_match(
    printed_words(stability_selection(fit, fdr = 0.2)), "at most 20 % expected false positives"
  )
  strict <- stability_selection(fit, pfer = 1e-9)
  expect_identical(strict$features, character())
  expect_match(
    printed_words(strict), "none: no feature has a `pfer` of at most 1e-09.*the best, .* has a pfer"
  )
  noise <- withr::with_seed(1, list(x = matrix(rnorm(24 * 60), 24), y = rnorm(24)))
  none <- stability_selection(
    noise$x, noise$y, pfer = 1, bound = "integrated", q = 1, n_pairs = 10, seed = 1
  )
  expect_output(print(none), "in\\s+more\\s+than\\s+half\\s+of\\s+the\\s+models")
})

test_that("rates that cannot be are refused", {
  refused <- function(..., says) {
    expect_error(
      stability_selection(lymphoma_x, lymphoma_y, n_pairs = 4, seed = 1, ...), says,
      class = "stabilect_error_input"
    )
  }
  refused(pfer = 1, fdr = 0.1, says = "not both")
  refused(cutoff = 0.9, bound = "integrated", says = "does not go with `cutoff`")
  refused(fdr = 0.1, cutoff = 0.9, says = "`fdr` does not go with `cutoff`")
  refused(fdr = 0.1, bound = "cutoff", says = "leave `bound` out")
  refused(pfer = 0, says = "`pfer`")
  refused(fdr = 1, says = "`fdr`")
  refused(pfer = 1, bound = "integrated", q = 300, says = "`q` must be")
  refused(pfer = 1, score_rule = "step", says = "counts steps")
  refused(fdr = 0.1, assumption = "none", says = "Leave it out")
  refused(q = 3, cutoff = 0.9, pfer = 1, says = "not all three")
  expect_error(
    stability_selection(lymphoma_x, lymphoma_y, resampling = resample_bootstrap(5)),
    "needs\\s+complementary pairs"
  )
})

test_that("pictures of rates are drawn", {
  skip_if_not_installed("ggplot2")
  fit <- stability_selection(
    strong$x, strong$y, pfer = 2, bound = "integrated", q = 4, n_pairs = 20, seed = 1
  )
  shown <- ggplot2::ggplot_build(ggplot2::autoplot(fit, n = 2))$data
  expect_equal(10^shown[[1]]$x, fit$table$pfer[1:2], tolerance = 1e-9)
  paths <- ggplot2::autoplot(fit, type = "paths")$data
  last <- vapply(split(paths$share, paths$feature), function(s) s[length(s)], 0)
  at <- match(names(last), fit$table$feature)
  expect_equal(unname(last), fit$table$frequency[at], tolerance = 1e-12)
  none <- stability_selection(fit, pfer = 1e-9)
  expect_s3_class(ggplot2::autoplot(none), "ggplot")
})

test_that("what rates deliver is on the page and in the README as in the table", {
  folder <- experiment("integrated")
  table <- utils::read.csv(file.path(folder, "results", "rates.csv"))
  expect_identical(nrow(table), 28L)
  default <- table$q == "n / 10"
  blocks <- table$design == "blocks 0.8" & table$n_true > 0
  expect_identical(max(table$false[default]), 0.575)
  expect_identical(max(table$false), 0.945)
  expect_true(all(table$fdr_false[!blocks] <= 0.2))
  expect_equal(max(table$fdr_false[blocks]), 0.3, tolerance = 0.002)
  expect_lte(max(table$fdr_unrelated[blocks]), 0.03)
  few <- default & table$n == 60 & table$n_true > 0
  expect_equal(round(mean(table$selected[few] - table$false[few]), 1), 0.1)
  more <- default & table$n == 120 & table$n_true > 0
  found <- table$selected[more] - table$false[more]
  expect_true(all(found > 1 & found < 2.2))
  expect_true(all(table$false_se < 0.1 & table$fdr_false_se < 0.03))
  readme <- readLines(file.path(folder, "README.md"))
  for (k in seq_len(nrow(table))) {
    cells <- with(table[k, ], sprintf(
      "| %s | %d | %d | %s | %.2f | %.2f | %.2f | %.2f | %.2f |", design, n, n_true, q, selected,
      false, unrelated, fdr_false, fdr_unrelated
    ))
    expect_true(cells %in% readme, info = cells)
  }
})

test_that("of equal best features none is taken for its column", {
  # With few pairs several features may have the smallest pfer, and others at another q.
  for (seed in c(10, 33, 35)) {
    x <- withr::with_seed(seed, matrix(stats::rnorm(24 * 13), 24))
    colnames(x) <- paste0("g", 1:13)
    y <- withr::with_seed(seed + 100, stats::rnorm(24))
    of <- function(x) {
      stability_selection(x, y, pfer = 1, n_pairs = 4, seed = seed)$bound$sensitivity
    }
    expect_equal(of(x[, 13:1]), of(x), tolerance = 1e-6)
  }
})

test_that("what rates deliver without signal is on the page and in the README as in the table", {
  folder <- experiment("integrated")
  table <- utils::read.csv(file.path(folder, "results", "null.csv"), check.names = FALSE)
  expect_identical(nrow(table), 26L)
  expect_true(all(table$repetitions == 400))
  readme <- readLines(file.path(folder, "README.md"))
  for (k in seq_len(nrow(table))) {
    cells <- with(table[k, ], sprintf(
      "| %d | %d | %.1f | %.2f | %.2f | %.2f | %.2f |", n, p, correlation, pfer_1, pfer_0.1,
      fdr_0.1, fdr_0.2
    ))
    expect_true(cells %in% readme, info = cells)
  }
  spread <- function(values, digits) paste(sprintf(digits, range(values)), collapse = " to ")
  says <- function(text) expect_says("R/select-stable.R", "%s", text)
  says(sprintf(
    "named %s features, `pfer = 0.1` %s.", spread(table$pfer_1, "%.2f"),
    spread(table$pfer_0.1, "%.2f")
  ))
  says(sprintf("named something in %s %% of the responses", spread(100 * table$fdr_0.1, "%.0f")))
  expect_says(
    "vignettes/error-rates.Rmd", "`fdr = 0.2` in %s %%, most often",
    spread(100 * table$fdr_0.2, "%.0f")
  )
})

test_that("short lists at a small rate say what the bound leaves out", {
  said <- function(fdr, pfer, features, null = NULL) {
    asked <- list(fdr = fdr, pfer = pfer)
    caution_of_integrated(list(asked = asked, features = features, null = null))
  }
  expect_match(said(0.1, NULL, "a"), "twice as frequent")
  expect_match(said(NULL, 0.5, c("a", "b")), "twice as frequent")
  expect_match(said(NULL, 1, "a"), "what it delivers")
  expect_match(said(0.1, NULL, letters[1:3]), "what it delivers")
  expect_match(said(0.1, NULL, "a", null = list()), "what it delivers")
})

test_that("paths of many samples end sooner, at no less than twice q", {
  limit <- list_rules()$integrated$limit
  unit <- list(n_open = 500L)
  expect_identical(limit(10L, unit, 1000L), 40L)
  expect_identical(limit(10L, unit, 1001L), 30L)
  expect_identical(limit(300L, unit, 5000L), 500L)
})
