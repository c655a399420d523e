# What lists deliver, as pages say it.

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
    "experiments/clusters/README.md",
    "%d of %d features have a substitute, %.1f each on average and up to %d.", sum(named$some),
    sum(named$features), mean(named$mean), max(named$most)
  )
  for (k in which(close)) {
    expect_says(
      "experiments/clusters/README.md", "| %s | %s | %d | %.3f | %.0f %% |",
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
    "vignettes/error-rates.Rmd", paste(
      "the named clusters (found at 0.7) contained %.2f true features on average, and %.2f",
      "clusters contained none; of single features %.2f true and %.2f false ones were named. Of",
      "the colon genes, named clusters of at most 100 contained %.2f, and %.2f clusters",
      "contained none; of single genes %.2f true and %.2f false ones were named."
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
  readme <- "experiments/clusters/README.md"
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
  expect_says(
    "R/select-stable.R", paste(
      "Lists of `q = 20, pfer = 1` had %.2f false features on average and found a share of %.2f of",
      "the true ones, those of `pfer = 1` alone %.2f and %.2f"
    ),
    real("bound_unimodal")$feature, real("bound_unimodal")$power,
    real("integrated_efp")$feature, real("integrated_efp")$power
  )
  designs <- result_of("error-rates", "designs")
  worst <- designs[designs$method == "integrated_efp" & designs$signal, ]
  worst <- worst[worst$design == "nki_319", ]
  expect_says(
    "R/select-stable.R",
    "but %.1f (standard error %.1f) false ones with 500 genes of 319 patients",
    worst$feature, worst$feature_se
  )
  blocks <- of("integrated_fdr", "correlated")
  expect_says(
    "vignettes/error-rates.Rmd",
    "`fdr = 0.1` brought a share of %.2f on correlated normal features, of which %.2f unrelated",
    blocks$feature, blocks$unrelated
  )
  none <- kinds[kinds$method == "integrated_fdr" & !kinds$signal, ]
  expect_says(
    "vignettes/error-rates.Rmd",
    "named something in %.0f %% of the responses on independent features and %.0f %% on real ones",
    100 * none$feature[none$kind == "independent"], 100 * none$feature[none$kind == "real"]
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
    "vignettes/error-rates.Rmd", "(correlation at most 0.7) in %.0f %% of the responses.",
    100 * real("permute_p")$unrelated
  )
  trex <- function(kind) of("trex", kind)
  none <- kinds[kinds$method == "trex" & !kinds$signal, ]
  expect_says(
    "R/score-trex.R", paste(
      "`fdr = 0.2` gave a share of false positives of %.2f on independent features, %.2f on",
      "correlated normal features and %.2f on real features. On these, %.2f were not even",
      "correlated by more than 0.7 with a true feature. It found a share of %.2f of the true",
      "features on real data; without signal it selected something in %.1f %% of the outcomes."
    ),
    trex("independent")$feature, trex("correlated")$feature, trex("real")$feature,
    trex("real")$unrelated, trex("real")$power, 100 * stats::weighted.mean(none$feature, none$sets)
  )
  expect_lt(trex("independent")$feature, trex("independent")$claimed)
  expect_gt(trex("real")$unrelated, trex("real")$claimed)
  # The advice: up to neighbours where not by feature, and without exception for tests on splits.
  expect_lt(real("bound_unimodal")$worst, real("bound_unimodal")$claimed)
  expect_lt(blocks$unrelated, 0.1)
  expect_lt(stats::weighted.mean(splits$feature, splits$sets), 0.05)
})

test_that("the experiment on error rates says how much of it was run", {
  designs <- result_of("error-rates", "designs")
  run <- function(methods, signal) {
    min(designs$repetitions[designs$method %in% methods & designs$signal == signal])
  }
  methods <- list(
    c("bound_unimodal", "signals"), c("integrated_efp", "clusters_0.7"), c("split_p", "permute_p")
  )
  with <- vapply(methods, run, 0L, signal = TRUE)
  without <- vapply(methods, run, 0L, signal = FALSE)
  expect_says(
    "experiments/error-rates/README.md", paste(
      "with signal: %d of 200 repetitions of `bounds` and `signals`, %d of `integrated` and",
      "`clusters`, and %d of `splits` and `permutation`; without signal, where a repetition is one",
      "response for each set of features, %d, %d and %d."
    ),
    with[1], with[2], with[3], without[1], without[2], without[3]
  )
  expect_says(
    "experiments/error-rates/README.md",
    "Of `trex` there are %d repetitions with signal and %d without.", run("trex", TRUE),
    run("trex", FALSE)
  )
})

test_that("what concordances and AUC out of bag deliver", {
  cells <- result_of("honest-ranks", "cells")
  ranked <- cells[cells$outcome != "ordered", ]
  few <- ranked$outcome == "10:90" & ranked$n == 40
  expect_says(
    "vignettes/error-rates.Rmd", paste(
      "both were within %.2f of the value on new samples on average, and the interval contained",
      "it in %.0f %% or more, with 15 samples of a class or about 20 events and more, and 50 runs.",
      "With four samples of a class they were up to %.2f too low"
    ),
    ceiling(100 * max(abs(ranked$difference[!few]))) / 100,
    floor(100 * min(ranked$contained[!few])), -min(ranked$difference[few])
  )
  # The table of the page.
  names <- c(survival = "survival times", `50:50` = "50:50", `10:90` = "10:90")
  for (outcome in names(names)) {
    for (n in c(40, 150, 1000)) {
      own <- ranked[ranked$outcome == outcome & ranked$n == n, ]
      # Without a minus before zero.
      size <- function(value) sub("^-0.000$", "0.000", sprintf("%.3f", value))
      expect_says(
        "experiments/honest-ranks/README.md", "| %s | %s | %s to %s | %s | %.0f %% |",
        names[[outcome]], format(n, big.mark = ","), size(min(own$difference)),
        size(max(own$difference)), size(mean(own$difference)), floor(100 * min(own$contained))
      )
    }
  }
  noise <- range(ranked$printed[ranked$design == "noise"])
  expect_says(
    "experiments/honest-ranks/README.md", "Noise: %.2f to %.2f in all nine cells",
    noise[1], noise[2]
  )
})
