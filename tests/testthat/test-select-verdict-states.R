# What prints say, and do not say, about a signal: by kind of result, by outcome and by the number
# of permutations that were made.

states <- withr::with_seed(7, {
  x <- matrix(stats::rnorm(48 * 20), 48, dimnames = list(NULL, paste0("g", 1:20)))
  strong <- 2 * x[, 1]
  list(
    x = x, noise = factor(rep(c("a", "b"), 24)), strong = strong,
    classes = factor(ifelse(strong + stats::rnorm(48) > 0, "ill", "well")),
    numbers = strong + stats::rnorm(48), counts = stats::rpois(48, exp(0.8 * strong)),
    several = cut(strong + stats::rnorm(48, sd = 0.5), c(-Inf, -0.8, 0.8, Inf), c("p", "q", "r")),
    age = stats::rnorm(48), time = stats::rexp(48, exp(strong)), event = rep(c(1, 1, 1, 0), 12)
  )
})

words_of <- function(result) {
  gsub("\\s+", " ", paste(utils::capture.output(print(result)), collapse = " "))
}

quick_score <- function(y, ..., x = states$x, n_runs = 8) {
  fealect(x, y, n_runs = n_runs, n_boot = 0, ..., seed = 1, progress = FALSE)
}

by_verb <- function(y, permute, x = states$x, ...) {
  list(
    fealect = quick_score(y, permute = permute, x = x, ...),
    stability = stability_selection(
      x, y, q = 3, pfer = 1, n_pairs = 6, permute = permute, ..., seed = 1
    ),
    integrated = stability_selection(x, y, n_pairs = 6, permute = permute, ..., seed = 1),
    bolasso = bolasso(x, y, n_runs = 6, permute = permute, ..., seed = 1),
    ensemble = select_ensemble(
      x, y, selector_filter("t"), resample_bootstrap(6), n_features = 2, permute = permute, seed = 1
    )
  )
}

test_that("no print of few permutations gives a verdict, however strong the signal is", {
  for (permute in c(3, 10, 19, 20)) {
    fits <- if (permute %in% c(3, 20)) {
      by_verb(states$classes, permute)
    } else {
      list(quick_score(states$classes, permute = permute))
    }
    for (fit in fits) {
      expect_identical(fit$null$p, 1 / (permute + 1))
      text <- words_of(fit)
      expect_match(text, sprintf(
        "Signal undecided: p = %s is the smallest value that %d permutations can give",
        format(1 / (permute + 1), digits = 2), permute
      ), fixed = TRUE)
      expect_match(text, "`permute = 39` would take (about|less than)")
      expect_no_match(text, "Signal yes|no evidence|there by chance|not tested")
    }
  }
})

test_that("39 permutations decide, with one p", {
  for (fit in by_verb(states$classes, 39)) {
    text <- words_of(fit)
    yes <- "Signal yes: p = 0.025 for the best feature (39 permutations of the outcome)"
    expect_match(text, yes, fixed = TRUE)
    expect_no_match(text, "undecided|no evidence|not tested|< 0.001")
    # No p value of permutations is smaller than their number allows.
    expect_gte(min(fit$table$p_fwer, fit$null$error$p, fit$null$auc$p), 1 / 40)
  }
  expect_identical(verdict_of_null(list(p = 2 / 40, n_asked = 39)), "Signal")
  expect_identical(verdict_of_null(list(p = 3 / 40, n_asked = 39)), "No evidence of a signal")
  few <- list(p = 1 / 39, n_asked = 38, n_permutations = 38)
  expect_identical(verdict_of_null(few), "Undecided")
})

test_that("what 39 permutations find of a signal is as the help page says", {
  # Of an exact p of 0.01, with at most 0, 1 and 4 permutations as good.
  found <- stats::pbinom(c(0, 1, 4), c(19, 39, 99), 0.01)
  expect_says(
    "R/select-null.R",
    "%.0f %% of the draws of 19 permutations, in %.0f %% of 39 and in %.1f %% of 99",
    100 * found[1], 100 * found[2], 100 * found[3]
  )
  # 38 are no better than 19, and worse: one more place for a permutation to be better by chance.
  expect_identical(floor(c(19, 38, 39) * 0.05 + 0.05), c(1, 1, 2))
})

test_that("all arrangements of few samples decide only when there are 20", {
  x <- states$x[1:6, ]
  y <- factor(rep(c("a", "b"), each = 3))
  x[, 1] <- c(1:3, 11:13)
  fit <- suppressWarnings(quick_score(y, permute = 199, x = x, resampling = NULL))
  # Labels turned round are as good.
  expect_identical(fit$null$n_permutations, 19L)
  expect_identical(verdict_of_null(fit$null), "No evidence of a signal")
  few <- list(p = 1 / 6, n_permutations = 5L, complete = TRUE, n_asked = 99)
  expect_match(
    describe_signal(list(null = few)), "these samples have only 6 arrangements.* at least 0.17"
  )
})

test_that("noise has no evidence, whatever the list is", {
  fits <- by_verb(states$noise, 39)
  for (fit in fits) {
    text <- words_of(fit)
    expect_match(text, "Signal no evidence: p = 0[.][0-9]+ for the best feature")
    expect_match(text, "stopped early of 39")
    expect_no_match(text, "Signal yes|undecided|the first 0")
  }
  text <- words_of(fits$fealect)
  expect_match(text, "Highest scores, for orientation", fixed = TRUE)
  expect_match(text, "List no feature with p_fwer of at most 0.05")
  counts <- "List [0-9]+ features? with p_fwer of at most 0.05, [0-9]+ with q_fdr of at most 0.2"
  strong <- words_of(quick_score(states$classes, permute = 39))
  expect_match(strong, counts)
  expect_no_match(strong, "orientation")
})

test_that("the list as a whole and its best feature are told apart, where they differ", {
  # Ten weak features: together they predict, none of them stands out.
  d <- withr::with_seed(7, {
    x <- matrix(stats::rnorm(60 * 200), 60, dimnames = list(NULL, paste0("g", 1:200)))
    list(x = x, y = factor(drop(x[, 1:20] %*% rep(0.45, 20)) + stats::rnorm(60) > 0))
  })
  fit <- fealect(d$x, d$y, n_runs = 30, permute = 99, n_boot = 0, seed = 1)
  expect_gt(fit$null$p, 0.05)
  expect_lte(fit$null$error$p, 0.05)
  text <- words_of(fit)
  expect_match(
    text, "Signal together: yes, p = 0.048 for the out-of-bag error (20 permutations)", fixed = TRUE
  )
  expect_match(text, "one by one: no evidence, p = 0[.][0-9]+ for the best feature \\(")
  expect_match(text, "use their order, and claim no single one")
  expect_no_match(text, "may be there by chance")
  expect_match(story_of_signal(fit, list()), "together predict better .* no single one stands out")
})

test_that("every outcome is told that no permutations were made, and what they would take", {
  outcomes <- list(
    states$classes, states$numbers, states$counts, states$several,
    survival = new_surv(states$time, states$event)
  )
  for (y in outcomes) {
    fit <- quick_score(y, n_runs = 4, max_features = 4)
    expect_match(words_of(fit), "Signal not tested by permutations; `permute = 39` would")
  }
  beside <- quick_score(states$numbers, n_runs = 4, covariates = data.frame(age = states$age))
  expect_match(words_of(beside), "Signal not tested by permutations; `permute = 39` would")
  # It is true of them, too.
  fit <- quick_score(states$counts, n_runs = 4, max_features = 2, family = "poisson", permute = 2)
  expect_s3_class(fit$null, "stabilect_null")
  expect_match(words_of(fit), "undecided: p = 0.33", fixed = TRUE)
  # Where the time is not known.
  expect_match(
    describe_signal(list(study = list(hash = "none"))), "permutations; `permute = 39` would decide"
  )
})

test_that("a curve without a cut says so, and strong features are not lost", {
  driver <- withr::with_seed(2, {
    x <- matrix(stats::rnorm(60 * 7), 60, dimnames = list(NULL, paste0("w", 1:7)))
    list(x = x, y = new_surv(stats::rexp(60, exp(2 * x[, 2])), rep(1, 60)))
  })
  fit <- quick_score(driver$y, x = driver$x)
  expect_false(fit$three_segment$bends_up)
  expect_identical(fit$cut, "half")
  expect_identical(fit$features[1], "w2")
  expect_identical(
    fit$features, fit$table$feature[fit$table$score >= max(fit$table$score) / 2]
  )
  text <- words_of(fit)
  expect_match(text, "the score curve gives no cut: only 7 features have a positive score")
  expect_match(text, "List [0-9] features? with at least half of the best score")
  expect_match(text, "Error concordance 0[.][0-9]+ out of bag .*; 0.5 by chance")
  expect_no_match(text, "Caution|three-segment cut")
  # So it is when runs are drawn again, and without a sample.
  again <- fealect(driver$x, driver$y, n_runs = 8, n_boot = 20, seed = 1)
  expect_gt(again$table$above_cut[1], 0.9)
  i <- which(rowSums(as.matrix(fit$resamples) == 0) > 0)[1]
  runs <- which(as.matrix(fit$resamples)[i, ] == 0)
  total <- Matrix::rowSums(fit$selection$score[, runs, drop = FALSE])
  expect_identical(fit$oob$predictions$n_features[i], sum(2 * total >= max(total)))
  expect_match(methods_of(fit)$paragraph, "gave no cut; the list has the features with at")
  # Permutations decide without it.
  fit$features <- character()
  fit$null <- list(p = 1 / 40, n_asked = 39, n_permutations = 39L)
  expect_match(describe_signal(fit), "^yes: p = 0.025")
})

test_that("an ensemble says one thing about a signal", {
  fit <- by_verb(states$classes, 39)$ensemble
  expect_null(fit$oob)
  expect_no_match(words_of(fit), "not tested")
  expect_match(words_of(fit), "Error not estimated: a `learner` does")
  fit$null <- NULL
  expect_match(words_of(fit), "Signal not tested by permutations")
})

test_that("where nothing is selected, columns that say nothing are left out, and it is drawn", {
  noise <- withr::with_seed(1, list(x = matrix(stats::rnorm(24 * 60), 24), y = stats::rnorm(24)))
  none <- stability_selection(
    noise$x, noise$y, pfer = 1, bound = "integrated", q = 1, n_pairs = 10, permute = 2, seed = 1
  )
  expect_identical(none$features, character())
  expect_equal(none$table$pfer, rep(60, 60), tolerance = 1e-12)
  text <- words_of(none)
  expect_match(text, "List none: no feature has a `pfer` of at most 1", fixed = TRUE)
  expect_match(
    text, sprintf("largest frequency %s", format(max(none$table$frequency), digits = 2))
  )
  expect_no_match(text, "60 / 60|[ /]60[. /]0| pfer fdr ")
  shown <- utils::head(none$table, 5)
  expect_false(any(c("pfer", "fdr") %in% evidence_columns(shown, c("pfer", "fdr"), 60)))
  shown$expected_by_chance <- 60
  expect_false("expected_by_chance" %in% evidence_columns(shown, "pfer", 60))
  expect_no_match(paste(section_features(none, 5), collapse = " "), "<th>pfer</th>|<td>60</td>")
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(none)
  expect_identical(picture$data$frequency, utils::head(none$table$frequency, 20))
  expect_s3_class(ggplot2::ggplot_build(picture), "ggplot_built")
})

test_that("p values are named for what they control, and a line says which to read", {
  read <- "Read p_fwer for one feature (family-wise; useful ones may have 1), q_fdr for a list"
  for (fit in by_verb(states$classes, 2)) {
    expect_true(all(c("p_fwer", "q_fdr", "expected_by_chance") %in% names(fit$table)))
    expect_false(any(c("p_value", "q_value", "by_chance") %in% names(fit$table)))
    text <- words_of(fit)
    expect_match(text, read, fixed = TRUE)
    expect_match(text, "p_fwer q_fdr")
    other <- grepl("expected_by_chance is of the score or frequency", text, fixed = TRUE)
    expect_identical(other, fit$null$statistic != "score" && grepl("expected_by_chance ", text))
  }
  page <- withr::local_tempfile(fileext = ".html")
  write_report(fit, page)
  expect_true(any(grepl(read, readLines(page), fixed = TRUE)))
  expect_no_match(words_of(quick_score(states$classes)), "p_fwer")
  skip_if_not_installed("generics")
  expect_identical(generics::tidy(fit)$adj.p.value, fit$table$p_fwer)
})

test_that("the picture of scores says that few permutations do not decide", {
  skip_if_not_installed("ggplot2")
  fit <- quick_score(states$numbers, x = states$x[, 1:6], permute = 3)
  expect_identical(fit$cut, "half")
  picture <- ggplot2::autoplot(fit)
  expect_match(picture$labels$title, "Too few permutations")
  expect_match(picture$labels$subtitle, "^Signal p = 0.25;\\s")
  expect_s3_class(ggplot2::ggplot_build(picture), "ggplot_built")
})

test_that("few permutations decide if so many reach the best feature that p cannot be small", {
  of <- function(n_reached, n) {
    p <- (n_reached + 1) / (n + 1)
    verdict_of_null(list(p = p, n_permutations = n, n_asked = n, complete = FALSE))
  }
  for (n in 1:20) {
    # Exactly: the smallest number that p = 0.05 gives in less than 1 %.
    chance <- rev(cumsum(rev(choose(n, 0:n) * 0.05^(0:n) * 0.95^(n - 0:n))))
    verdicts <- vapply(0:n, of, "", n)
    expect_identical(verdicts == "No evidence of a signal", chance < 0.01)
    expect_false("Signal" %in% verdicts)
  }
  fit <- quick_score(states$noise, permute = 10, x = states$x[, 1:3])
  skip_if(verdict_of_null(fit$null) == "Undecided")
  expect_match(words_of(fit), "no evidence: p = ")
})

test_that("an interval that is wide since few samples were judged says nothing of the list", {
  data <- withr::with_seed(1, {
    x <- matrix(stats::rnorm(1200 * 10), 1200, dimnames = list(NULL, letters[1:10]))
    list(x = x, y = factor(x[, 1] / 8 + stats::rnorm(1200) > 0))
  })
  fit <- fealect(data$x, data$y, n_runs = 10, n_boot = 0, seed = 1)
  fit$oob[c("n", "n_samples")] <- list(300L, 1200L)
  fit$oob[c("lower", "upper")] <- list(fit$oob$baseline - 0.1, fit$oob$baseline + 0.1)
  fit$oob$error <- fit$oob$baseline - 0.02
  fit$oob$auc_lower <- 0.4
  expect_match(caution_of_signal(fit), "with 300 of 1,200 samples judged")
  fit$oob["n_samples"] <- list(NULL)
  expect_match(caution_of_signal(fit), "by chance")
})

test_that("below a p near 1 beside a small one prints say that copies have it", {
  said <- function(p, statistic = "entry") {
    explain_evidence(list(statistic = statistic), c("p_fwer", "q_fdr"), p)
  }
  copies <- "may have 1, above all one that resembles a feature above it), q_fdr"
  expect_match(said(c(0.01, 1)), copies, fixed = TRUE)
  # Copies have the same score, and no feature is above where none stands out.
  for (other in list(said(c(0.01, 1), "score"), said(c(0.3, 1)), said(0.01), said(numeric()))) {
    expect_match(other, "useful ones may have 1), q_fdr", fixed = TRUE)
  }
})
