# Numbers in sentences of help pages, README files and vignettes, computed again from the stored
# results of the experiments. A row fails when the sentence is gone, or when its numbers are others.

test_that("FeaLect's list with known truth", {
  known <- result_of("zare", "known-truth")
  fealect <- known[known$method == "FeaLect", ]
  signal <- fealect[fealect$signal != "none", ]
  noise <- fealect$false[fealect$signal == "none"]
  expect_says(
    "experiments/zare/README.md", "among %.0f to %.0f others, and %.0f features when",
    min(signal$false), max(signal$false), mean(noise)
  )
  by_n <- function(column) tapply(signal[[column]], signal$n, mean)
  expect_says(
    "experiments/zare/README.md", "| FeaLect | %s | %s |",
    paste(sprintf("%.1f", by_n("true")), collapse = " | "),
    paste(sprintf("%.1f", by_n("false")), collapse = " | ")
  )
})

test_that("the model of Onda et al. beside real ensembles", {
  cases <- result_of("onda", "predictions")
  cases <- cases[cases$n_weak > 1, ]
  off <- function(rows, column) mean(abs(rows[[column]] - rows$real))
  half <- cases[cases$reading == "one_half", ]
  expect_says(
    "design/decisions.md", paste(
      "in %d comparisons with real ensembles it was off by %.2f on average, and the stability of a",
      "single selector was off by only %.2f; in the paper's own protocol it was %.2f against %.2f"
    ),
    nrow(cases), off(cases, "predicted"), off(cases, "single"), off(half, "predicted"),
    off(half, "single")
  )
  expect_says(
    "experiments/onda/README.md",
    "Over all %d values: paper's model %.3f, graded %.3f, single %.3f.", nrow(cases),
    off(cases, "predicted"), off(cases, "graded"), off(cases, "single")
  )
  real <- result_of("onda", "ensembles")
  colon <- function(n_tree, n_weak) {
    real$stability[real$case == sprintf("colon-forest%d-one_half", n_tree) & real$n_weak == n_weak]
  }
  expect_says(
    "experiments/onda/README.md",
    "50 trees have %.3f and 500 have %.3f, with 50 members %.3f and %.3f", colon(50, 30),
    colon(500, 30), colon(50, 50), colon(500, 50)
  )
  inside <- sum(cases$lower <= cases$real & cases$real <= cases$upper)
  expect_says(
    "experiments/onda/README.md", "95 %% interval for %d of %d values", inside, nrow(cases)
  )
})

test_that("intervals of estimate_stability() under their own model", {
  cover <- result_of("onda", "coverage")
  cover$setting <- paste(cover$n_total, cover$n_features, cover$n_useful, cover$p, cover$n_runs)
  given <- cover[cover$given >= 0.5, ]
  expect_says(
    "R/simulate-estimate.R",
    "contained the truth in %.0f to %.0f %% of the studies in which they were given",
    100 * min(given$covered), 100 * max(given$covered)
  )
  withheld <- cover[cover$given < 0.5, ]
  expect_true(all(withheld$given == 0))
  expect_says("R/simulate-estimate.R", "they were withheld in every study")
})

test_that("intervals of stability() where runs hardly vary", {
  laws <- result_of("stability", "laws")
  expect_false(any(laws$points > 0 | laws$p_of_0 > 0, na.rm = TRUE))
  laws <- laws[laws$index != "sechidis", ]
  even <- laws[!grepl("one in", laws$law), ]
  covered <- round(100 * range(even$coverage))
  expect_gte(covered[1], 92)
  expect_says(
    "R/stability-verb.R", "contained the truth in %.0f to %.0f %% of simulations", covered[1],
    covered[2]
  )
  # Sizes that differ by five and twelve times: pairs that weigh equally, and the others.
  odd <- laws[grepl("one in", laws$law), ]
  pairs <- round(100 * range(odd$coverage[odd$index == "jaccard"]))
  expect_says(
    "vignettes/error-rates.Rmd", "`\"jaccard\"` covered in %.0f to %.0f %%", pairs[1], pairs[2]
  )
  refused <- odd[odd$index == "nogueira" & odd$m == 30, ]
  expect_says(
    "vignettes/error-rates.Rmd",
    "`\"nogueira\"` had no interval in %.0f and %.0f %% of the sets of 30 runs",
    100 * (1 - refused$given[1]), 100 * (1 - refused$given[2])
  )
})

test_that("intervals of stability() for a procedure that selects either of two lists", {
  kinds <- result_of("stability", "kinds")
  covered <- function(rows, column) round(100 * range(rows[[column]]))
  many <- kinds[kinds$m >= 30, ]
  expect_says(
    "R/stability-verb.R", "30 and 100 runs covered in %.0f to %.0f %%",
    covered(many, "coverage")[1], covered(many, "coverage")[2]
  )
  expect_says(
    "R/stability-verb.R", "the jackknife alone covers in %.0f to %.0f %%",
    covered(many, "plain")[1], covered(many, "plain")[2]
  )
  few <- covered(kinds[kinds$m == 10, ], "coverage")
  expect_says("R/stability-verb.R", "ten runs covered in %.0f to %.0f %%", few[1], few[2])
  expect_says(
    "experiments/stability/README.md", "the test calls at most %.0f %% of the pairs different",
    100 * max(many$size)
  )
})

test_that("test_stability() of several equally stable procedures", {
  pairs <- result_of("stability", "pairs")
  expect_says(
    "R/stability-test.R", paste(
      "in %.0f to %.0f %% of simulated comparisons (%.1f %% on average); without adjustment in",
      "%.0f to %.0f %%"
    ),
    100 * min(pairs$any_holm), 100 * max(pairs$any_holm), 100 * mean(pairs$any_holm),
    100 * min(pairs$any_plain), 100 * max(pairs$any_plain)
  )
  expect_identical(range(pairs$n_procedures), c(3L, 5L))
  expect_gte(min(pairs$covered), 1 - max(pairs$any_holm) - 0.001)
  expect_says(
    "experiments/stability/README.md", "in %.0f to %.0f %% of the comparisons of five",
    100 * min(pairs$any_plain[pairs$n_procedures == 5]),
    100 * max(pairs$any_plain[pairs$n_procedures == 5])
  )
})

test_that("the size of the real data of Dernoncourt et al.", {
  fit <- result_of("dernoncourt", "fit-real")
  fit <- fit[fit$reading != "Colon_log", ]
  fit <- fit[fit$selector %in% c("t", "mi_frequency5", "svm_rfe_raw"), ]
  off <- tapply(fit$both, fit$n_features, mean)
  expect_says(
    "experiments/dernoncourt/README.md",
    "on colon and leukemia %.2f, %.2f and %.2f for 50, 100 and 200", off[["50"]], off[["100"]],
    off[["200"]]
  )
  # At the edge of the grid.
  expect_identical(names(which.min(off)), as.character(max(fit$n_features)))
})

test_that("p values of permutations beside covariates", {
  null <- result_of("permutations", "null")
  ensemble <- startsWith(null$law, "ensemble")
  percent <- function(rate) vapply(100 * range(rate), format, "")
  paths <- percent(null$rate[!ensemble])
  filters <- percent(null$rate[ensemble])
  expect_says(
    "vignettes/error-rates.Rmd",
    "On %s data sets without a signal, whose covariate or stratum did have one, %s to %s %% of the",
    format(sum(null$n_sets[!ensemble]), big.mark = ","), paths[1], paths[2]
  )
  expect_says(
    "vignettes/error-rates.Rmd", "of ensembles of filters, on %d, %s to %s %% were",
    sum(null$n_sets[ensemble]), filters[1], filters[2]
  )
})

test_that("the penalty of several classes", {
  tried <- result_of("honest-error", "lambda-classes")
  above <- function(lambda) {
    vapply(split(tried, tried$set), function(set) {
      set$log_loss[set$lambda == lambda] - min(set$log_loss)
    }, 0)
  }
  expect_says(
    "R/predict-model.R",
    "was at most %.2f above the best of 1, 3, 10, 30 and 100, and with 30 %.2f to %.2f above it",
    max(above(3)), min(above(30)), max(above(30))
  )
})

test_that("what a hundred paths of survival times take, and a hundred splits", {
  all <- utils::read.csv(sources("bench", "many-samples.csv"))
  all <- all[all$n == 2000 & all$p == 500, ]
  rows <- all[all$outcome == "numbers", ]
  expect_says("R/select-split.R", "at 2,000 x 500 they take as long as %.0f paths of glmnet",
    rows$seconds[rows$verb == "split_test"] / rows$seconds[rows$verb == "glmnet"]
  )
  rows <- all[all$outcome == "survival", ]
  paths <- function(verb) rows$seconds[rows$verb == verb] / rows$seconds[rows$verb == "glmnet"]
  expect_says(
    "vignettes/scaling-out.Rmd",
    "at 2,000 x 500 as long as %.0f paths of glmnet; with `max_features = 30` as %.0f",
    paths("fealect"), paths("fealect, max_features = 30")
  )
})

test_that("how long the fastest peer takes for one path, with its default and at equal accuracy", {
  rows <- utils::read.csv(sources("bench", "equal-accuracy.csv"))
  rows <- rows[rows$family != "cox" & !is.na(rows$violation), ]
  ratios <- function(task, accuracy) {
    own <- rows[rows$accuracy == accuracy & rows$task == task, ]
    cells <- split(own, paste(own$family, own$n, own$p, own$design))
    vapply(cells, function(one) {
      ours <- one$solver == "stabilect"
      min(one$ms[!ours]) / one$ms[ours]
    }, 0)
  }
  full <- lapply(c("default", "equal"), ratios, task = "full")
  short <- unlist(lapply(c("default", "equal"), ratios, task = "to20"))
  expect_says(
    "README.md", paste(
      "the fastest of four others %.1f to %.0f times, %.0f to %.0f at equal accuracy",
      "(to 20 features %.0f to %.0f)"
    ),
    min(full[[1]]), max(full[[1]]), min(full[[2]]), max(full[[2]]), min(short), max(short)
  )
  expect_says("vignettes/articles/benchmarks.Rmd", "the loosest tolerance with which")
})

test_that("where paths of many samples end, the best features are those of whole paths", {
  ends <- utils::read.csv(sources("experiments", "scaling", "results", "ends.csv"))
  expect_identical(sort(unique(ends$n)), c(1500L, 3000L))
  expect_true(all(ends$overlap_10 == 1 & ends$overlap_ensemble_10 == 1))
  expect_identical(ends$true_in_10, ends$true_in_10_whole)
  expect_says("vignettes/scaling-out.Rmd", "the best features are the same")
})

test_that("what ran with the current suite", {
  ran <- utils::read.csv(sources("design", "check-current.csv"))
  came <- function(step, outcome) expect_match(ran$outcome[ran$step == step], outcome, info = step)
  expect_says("cran-comments.md", "without any suggested package, recommended ones included")
  came("check", "^OK \\(\\)$")
  came("alone", "^OK .* 0 fail")
  expect_says("cran-comments.md", "link-time optimisation without a warning")
  for (step in c("tests", "parallel", "lto")) came(step, " 0 fail")
  came("lto", "^0 warnings")
  expect_says("cran-comments.md", "address and undefined behaviour sanitizers")
  came("sanitized", "All tests passed.*nothing reported")
  came("valgrind", "^no fault")
  old <- ran[ran$step == "noLD in Debian 12", ]
  files <- sub("^(\\d+ of \\d+ test files).*", "\\1", old$ran)
  expect_says("cran-comments.md", paste0("R 4.2.2 with the packages of Debian 12: ", files))
  expect_match(old$outcome, " 0 fail")
})
