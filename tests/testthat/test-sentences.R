# Numbers in sentences of help pages, README files and vignettes, computed again from the stored
# results of the experiments. A row fails when the sentence is gone, or when its numbers are others.

experiment <- function(...) {
  system.file("experiments", ..., package = "stabilect", mustWork = TRUE)
}
result_of <- function(name, table) {
  utils::read.csv(experiment(name, "results", paste0(table, ".csv")))
}

# The text of a file of the sources without marks of comments and line breaks; NULL where only the
# installed package is there.
text_of <- function(file) {
  path <- if (startsWith(file, "inst/experiments/")) {
    do.call(experiment, as.list(strsplit(sub("inst/experiments/", "", file), "/")[[1]]))
  } else {
    test_path("..", "..", file)
  }
  if (!file.exists(path)) {
    return(NULL)
  }
  lines <- gsub("^#' ?", "", readLines(path, encoding = "UTF-8"))
  gsub("\\s+", " ", paste(lines, collapse = " "))
}

expect_says <- function(file, ...) {
  text <- text_of(file)
  skip_if(is.null(text), paste(file, "is not there"))
  sentence <- sprintf(...)
  expect_true(grepl(sentence, text, fixed = TRUE), info = paste0(file, ": ", sentence))
}

test_that("FeaLect's list with known truth", {
  known <- result_of("zare", "known-truth")
  fealect <- known[known$method == "FeaLect", ]
  signal <- fealect[fealect$signal != "none", ]
  noise <- fealect$false[fealect$signal == "none"]
  expect_says(
    "R/select-fealect.R",
    "contained %.1f to %.0f of them and %.0f to %.0f others, by setting, and %.0f",
    min(signal$true), max(signal$true), min(signal$false), max(signal$false), mean(noise)
  )
  expect_says(
    "inst/experiments/zare/README.md", "among %.0f to %.0f others, and %.0f features when",
    min(signal$false), max(signal$false), mean(noise)
  )
  by_n <- function(column) tapply(signal[[column]], signal$n, mean)
  expect_says(
    "inst/experiments/zare/README.md", "| FeaLect | %s | %s |",
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
    "README.md", paste(
      "in %d comparisons with real ensembles it was off by %.2f on average, while taking the",
      "stability of a single selector for that of the ensemble was off by %.2f; in the paper's own",
      "protocol it was %.2f against %.2f"
    ),
    nrow(cases), off(cases, "predicted"), off(cases, "single"), off(half, "predicted"),
    off(half, "single")
  )
  expect_says(
    "inst/experiments/onda/README.md",
    "Over all %d values: paper's model %.3f, graded %.3f, single %.3f.", nrow(cases),
    off(cases, "predicted"), off(cases, "graded"), off(cases, "single")
  )
  inside <- sum(cases$lower <= cases$real & cases$real <= cases$upper)
  expect_says(
    "inst/experiments/onda/README.md", "95 %% interval for %d of %d values", inside, nrow(cases)
  )
})

test_that("intervals of estimate_stability() under their own model", {
  cover <- result_of("onda", "coverage")
  cover$setting <- paste(cover$n_total, cover$n_features, cover$n_useful, cover$p, cover$n_runs)
  given <- cover[cover$given >= 0.5, ]
  expect_says(
    "R/foresee-estimate.R",
    "contained the truth in %.0f to %.0f %% of the studies in which they were given",
    100 * min(given$covered), 100 * max(given$covered)
  )
  withheld <- cover[cover$given < 0.5, ]
  expect_true(all(withheld$given == 0))
  expect_says("R/foresee-estimate.R", "they were withheld in every study")
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
  expect_says("R/stability-verb.R", "`\"jaccard\"` they did in %.0f to %.0f %%", pairs[1], pairs[2])
  refused <- odd[odd$index == "nogueira" & odd$m == 30, ]
  expect_says(
    "R/stability-verb.R", "withheld in %.0f and %.0f %% of the sets of 30 runs",
    100 * (1 - refused$given[1]), 100 * (1 - refused$given[2])
  )
})

test_that("the size of the real data of Dernoncourt et al.", {
  fit <- result_of("dernoncourt", "fit-real")
  fit <- fit[fit$reading != "Colon_log", ]
  fit <- fit[fit$selector %in% c("t", "mi_frequency5", "svm_rfe_raw"), ]
  off <- tapply(fit$both, fit$n_features, mean)
  expect_says(
    "inst/experiments/dernoncourt/README.md",
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
    "R/select-null.R",
    "On %s data sets without a signal, whose covariate or stratum did have one, %s to %s %% of the",
    format(sum(null$n_sets[!ensemble]), big.mark = ","), paths[1], paths[2]
  )
  expect_says(
    "R/select-null.R", "of ensembles of filters, on %d, %s to %s %% were",
    sum(null$n_sets[ensemble]), filters[1], filters[2]
  )
})

test_that("mutants that tests kill", {
  key <- function(rows) do.call(paste, rows[c("seed", "file", "line", "before", "after")])
  read <- function(...) {
    file <- experiment("mutation", ...)
    utils::read.csv(file, colClasses = "character", na.strings = character())
  }
  page <- "inst/experiments/mutation/README.md"
  drawn <- lapply(c(core = "core", r = "r"), function(side) {
    rows <- read("results", paste0(side, ".csv"))
    equivalent <- read(paste0("equivalent-", side, ".csv"))
    expect_false(any(key(equivalent) %in% key(rows[rows$status == "killed", ])))
    left <- rows[!key(rows) %in% key(equivalent), ]
    killed <- left$status == "killed"
    expect_says(
      page, "%s: %d mutants, of which %d change nothing. Of the other %d, %d are killed (%.0f %%",
      c(core = "Core", r = "R")[[side]], nrow(rows), nrow(rows) - nrow(left), nrow(left),
      sum(killed), 100 * mean(killed)
    )
    for (room in unique(left$room)) {
      own <- killed[left$room == room]
      expect_says(page, "| %s | %d | %d | %.2f |", room, length(own), sum(own), mean(own))
    }
    nrow(rows)
  })
  expect_says(page, "%d mutants in all", sum(unlist(drawn)))
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

test_that("the r-concave bound on genes without signal", {
  rates <- result_of("error-rates", "designs")
  colon <- rates[rates$design == "colon_62" & !rates$signal, ]
  r_concave <- colon[colon$method == "bound_r_concave", ]
  unimodal <- colon[colon$method == "bound_unimodal", ]
  expect_says(
    "R/select-error-bound.R",
    paste(
      "with a bound of %.2f it named %.1f genes of colon on average (standard error %.1f), where",
      "the unimodal one of %.2f named %.1f"
    ),
    r_concave$claimed, r_concave$feature, r_concave$feature_se, unimodal$claimed, unimodal$feature
  )
})

test_that("who takes the place of a feature that is deleted", {
  pairs <- result_of("clusters", "substitutes")
  named <- result_of("clusters", "named")
  close <- pairs$correlation %in% c("0.7 to 0.8", "0.8 to 1")
  substitutes <- close & pairs$runs == "apart, p <= 0.05"
  taking_over <- function(rows) 100 * stats::weighted.mean(pairs$gain_0.1[rows], pairs$pairs[rows])
  expect_says(
    "R/select-substitutes.R", paste(
      "the default limits, %.0f %% were then selected in a tenth of the runs or more beyond their",
      "former share; of other features correlated by 0.7 or more %.0f %%; of those correlated by",
      "less %.1f %%."
    ),
    taking_over(substitutes), taking_over(close & !substitutes), taking_over(!close)
  )
  expect_says(
    "R/select-substitutes.R", "%d of the %d features had a substitute.", sum(named$some),
    sum(named$features)
  )
  expect_says(
    "inst/experiments/clusters/README.md",
    "%d of %d features have a substitute, %.1f each on average and up to %d.", sum(named$some),
    sum(named$features), mean(named$mean), max(named$most)
  )
  for (k in which(close)) {
    expect_says(
      "inst/experiments/clusters/README.md", "| %s | %s | %d | %.3f | %.0f %% |",
      pairs$correlation[k], pairs$runs[k], pairs$pairs[k], pairs$mean_gain[k],
      100 * pairs$gain_0.1[k]
    )
  }
})

test_that("what stability selection of clusters delivers", {
  rates <- result_of("clusters", "rates")
  row <- function(design, way, n_true = 5) {
    rates[rates$design == design & rates$way == way & rates$n_true == n_true, ]
  }
  pair <- function(design, way) unlist(row(design, way)[c("found", "false")])
  expect_says(
    "R/select-stable.R", paste(
      "the named clusters (found at 0.7) held %.2f true features on average, and %.2f clusters",
      "held none; of single features %.2f true and %.2f false ones were named. Of the colon genes,",
      "named clusters of at most 100 held %.2f, and %.2f clusters held none; of single genes %.2f",
      "true and %.2f false ones were named."
    ),
    pair("equal blocks", "found, 0.7")[1], pair("equal blocks", "found, 0.7")[2],
    pair("equal blocks", "features")[1], pair("equal blocks", "features")[2],
    pair("colon", "found, 0.6, up to 100")[1], pair("colon", "found, 0.6, up to 100")[2],
    pair("colon", "features")[1], pair("colon", "features")[2]
  )
  above <- rates[rates$false > rates$bound, ]
  expect_equal(above[c("design", "n_true", "way")], data.frame(
    design = "colon", n_true = 0L, way = "found, 0.6"
  ), ignore_attr = TRUE)
  expect_identical(unique(rates$repetitions), 100L)
  readme <- "inst/experiments/clusters/README.md"
  for (k in seq_len(nrow(rates))) {
    expect_says(
      readme, "| %s | %d | %s | %d | %d | %.2f | %.2f (%.2f) | %.2f | %.0f |", rates$design[k],
      rates$n_true[k], rates$way[k], rates$units[k], rates$largest[k], rates$bound[k],
      rates$false[k], rates$false_se[k], rates$found[k], rates$size[k]
    )
  }
  known <- pair("equal blocks", "known blocks")
  expect_says(
    readme, "%.2f of five true features against %.2f, with %.2f false clusters against %.2f false",
    known[1], pair("equal blocks", "features")[1], known[2], pair("equal blocks", "features")[2]
  )
  expect_says(
    readme, "%.2f in unequal blocks without signal, and %.2f in clusters of the genes at 0.6",
    row("unequal blocks", "known blocks", 0)$false, row("colon", "found, 0.6", 0)$false
  )
  signal <- rates[rates$n_true == 5 & grepl("found", rates$way) & rates$design == "colon", ]
  expect_says(
    readme, "With five true genes the false clusters number %.2f to %.2f", min(signal$false),
    max(signal$false)
  )
})

test_that("what lists delivered over features, numbers and strengths", {
  kinds <- result_of("error-rates", "kinds")
  of <- function(method, kind) {
    kinds[kinds$method == method & kinds$kind == kind & kinds$signal, ]
  }
  real <- function(method) of(method, "real")
  signals <- real("signals")
  expect_says(
    "R/evidence-signals.R",
    "a share of %.2f of the names was not itself true on real features, and %.2f was unrelated",
    signals$feature, signals$unrelated
  )
  expect_says(
    "R/select-stable.R", paste(
      "Lists of `q = 20, pfer = 1` had %.2f false features on average and found a share of %.2f of",
      "the true ones, those of `efp = 1` %.2f and %.2f"
    ),
    real("bound_unimodal")$feature, real("bound_unimodal")$power,
    real("integrated_efp")$feature, real("integrated_efp")$power
  )
  blocks <- of("integrated_fdr", "correlated")
  expect_says(
    "R/select-stable.R",
    "`fdr = 0.1` brought a share of %.2f on correlated normal features, of which %.2f unrelated",
    blocks$feature, blocks$unrelated
  )
  splits <- kinds[kinds$method == "split_p" & kinds$signal, ]
  expect_says(
    "R/select-split.R", paste(
      "a list of p values had any false feature in %.1f %% of %s responses, and found a share of",
      "%.2f of the true ones on real features"
    ),
    100 * stats::weighted.mean(splits$feature, splits$sets),
    format(sum(splits$sets), big.mark = ","), real("split_p")$power
  )
  expect_says(
    "R/select-null.R", "in %.0f %% of the responses (`vignette(\"error-rates\")`)",
    100 * real("permute_p")$unrelated
  )
  # The advice: up to neighbours where not by feature, and without exception for tests on splits.
  expect_lt(real("bound_unimodal")$worst, real("bound_unimodal")$claimed)
  expect_lt(blocks$unrelated, 0.1)
  expect_lt(stats::weighted.mean(splits$feature, splits$sets), 0.05)
})

test_that("the experiment on error rates says how much of it was run", {
  designs <- result_of("error-rates", "designs")
  run <- tapply(designs$sets[!designs$signal], designs$method[!designs$signal], min)
  expect_says(
    "inst/experiments/error-rates/README.md",
    "%.0f of 200 repetitions of `bounds` and `signals`, %.0f of `integrated` and `clusters`",
    min(run[c("bound_unimodal", "signals")]), min(run[c("integrated_efp", "clusters_0.7")])
  )
  expect_says(
    "inst/experiments/error-rates/README.md", "and %.0f of `splits` and `permutation`",
    min(run[c("split_p", "permute_p")])
  )
})
