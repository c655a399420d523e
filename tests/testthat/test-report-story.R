# The words of a report: what was asked, found, and not done.
x <- as.matrix(mcl_sll[, -1])
x <- without_copies(x[, apply(x, 2, stats::sd) > 0])[, 1:30]
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
quick <- function(y, ...) fealect(x, y, n_runs = 20, n_boot = 0, seed = 1, ...)

test_that("the paragraph says question, signal, error and list", {
  fit <- quick(y, permute = 39)
  fit$null$p <- 0.025
  story <- paste(story_of(fit), collapse = " ")
  expect_match(
    story, "which of 30 features add to the others in telling SLL and MCL apart, in 22 samples"
  )
  expect_match(story, "There is a signal: .*\\(p = 0.025, [0-9]+ permutations\\)")
  expect_match(story, sprintf("with an error of %s", as_percent(fit$oob$error)), fixed = TRUE)
  expect_match(story, sprintf("The first are: %s \\(higher in ", fit$features[1]))
  # The number above the cut is no test, and stands below.
  bend <- quick(y)
  bend$cut <- "bend"
  expect_match(
    story_of_list(bend)[1], "^The list: a ranking of the features by score, without an error rate"
  )
  expect_match(facts_of(bend)$verdict$List, "which is no test", all = FALSE)
  fit$null[c("p", "error")] <- list(0.6, NULL)
  story <- paste(story_of(fit), collapse = " ")
  expect_match(story, "no evidence of a signal.*may be there by chance")
  fit$null[c("p", "n_asked", "n_permutations")] <- list(1 / 3, 5, 5)
  expect_match(story_of_signal(fit, list()), "undecided: the permutations are too few")
})

test_that("a test of signals beside a list is the test of the report", {
  fit <- stability_selection(x, y, q = 3, pfer = 1, n_pairs = 10, seed = 1)
  signals <- find_signals(x, y, permute = 99, seed = 1)
  expect_match(story_of_signal(fit, list()), "was not tested")
  expect_match(story_of_signal(fit, list(Signals = signals)), "99 permutations")
  expect_match(left_undone(fit, list(), NULL)[1], "signal was not tested")
  expect_no_match(left_undone(fit, list(signals), NULL), "signal was not tested")
})

test_that("the paragraph has the error that a section below has, new samples first", {
  short <- stability_selection(x, y, q = 3, pfer = 1, n_pairs = 10, seed = 1)
  expect_match(story_of_error(short, list()), "was not measured")
  fit <- quick(y)
  beside <- list("A list" = fit)
  story <- paste(story_of_error(short, beside), collapse = " ")
  expect_match(story, "In the section .A list., samples that the model had not seen")
  expect_match(story, sprintf("with an error of %s", as_percent(fit$oob$error)), fixed = TRUE)
  expect_match(story, sprintf("not of the list below"), fixed = TRUE)
  expect_no_match(left_undone(short, beside, NULL), "error on new samples")
  expect_match(left_undone(short, list(), NULL), "error on new samples", all = FALSE)
  some <- c(TRUE, TRUE, FALSE)
  model <- fit_model(x[some, ], y[some], features = colnames(x)[1:2])
  beside$New <- validate_model(model, x[!some, ], y[!some])
  new <- story_of_error(short, beside)
  expect_match(new, "^Prediction error, from the section .New.: [0-9.]+\u00a0% on 7 new samples")
  # Its own error comes before all others.
  expect_match(story_of_error(fit, beside), "^Samples that")
})

test_that("an error that chose the size is told as such, and is no error of others", {
  set <- eliminate_features(
    x[, 1:8], y, learner_lda(), resampling = resample_folds(3), seed = 1
  )
  expect_match(story_of_error(set), "Prediction error: .* in cross-validation")
  expect_match(plain_words(facts_of(set)$verdict$Caution), "also chose the size")
  expect_length(others_with_error(list(a = set, b = stability(set))), 0L)
  compared <- evaluate_selectors(
    x[, 1:8], y, list(t = selector_filter("t")), n_features = 2, aggregation = list(),
    n_repeats = 3, seed = 1
  )
  expect_match(error_of_other(compared), "least error", all = FALSE)
})

test_that("permutations of a further result are the test of the report", {
  short <- stability_selection(x, y, q = 3, pfer = 1, n_pairs = 10, seed = 1)
  permuted <- quick(y, permute = 5)
  expect_match(story_of_signal(short, list(List = permuted)), "5 permutations|undecided")
  expect_no_match(left_undone(short, list(permuted), NULL), "signal was not tested")
})

test_that("each outcome has its question, and concordance its word", {
  of_classes <- function(levels) relation_of(list(study = list(levels = levels)))
  expect_match(of_classes(c("a", "b", "c")), "between a, b and c", fixed = TRUE)
  expect_match(of_classes(letters[1:9]), "e and others")
  expect_match(relation_of(list()), "related to the outcome")
  skip_if_not_installed("survival")
  times <- survival::Surv(seq_along(y) + 0.5, rep(0:1, 11))
  fit <- quick(times)
  expect_match(story_of(fit)[1], "time until the event, in 22 samples \\(11 events")
  expect_match(story_of_error(fit), "a concordance of 0.* it is 0.5 by chance")
})

test_that("columns have their meanings, and those that never vary are said below", {
  fit <- quick(y, permute = 39)
  study <- reported_study(x, y, fit)
  shown <- report_table(fit, study, 5)
  expect_true(all(setdiff(names(shown$table), c("rank", "feature")) %in% names(shown$meanings)))
  # Other features are searched, whose values may differ.
  expect_false(any(vapply(rbind(shown$table, shown$rest)[-(1:3)], is_constant, NA)))
  fit$table$frequency <- 1
  again <- report_table(fit, study, 5)
  expect_false("frequency" %in% names(again$table))
  expect_match(again$same, "frequency is 1", all = FALSE)
})

test_that("effects are those of lm, cor and coxph", {
  fit <- quick(y)
  effect <- effects_of(reported_study(x, y, fit), fit$features[1:2])
  for (j in 1:2) {
    one <- summary(stats::lm(x[, fit$features[j]] ~ y))
    expect_equal(effect$value[j], abs(one$coefficients[2, 1]) / one$sigma)
  }
  number <- x[, 1] + sin(1:22)
  effect <- effects_of(open_study(x, number, "numeric"), colnames(x)[1:3])
  expect_equal(effect$value, as.vector(stats::cor(x[, 1:3], number)))
  skip_if_not_installed("survival")
  times <- survival::Surv(exp(sin(1:22)), rep(0:1, 11))
  effect <- effects_of(open_study(x, times, "survival"), colnames(x)[1:3])
  for (j in 1:3) {
    z <- as.vector(scale(x[, j]))
    peer <- survival::coxph(times ~ z)
    expect_equal(effect$value[j], unname(exp(peer$coefficients)), tolerance = 1e-6)
  }
})

test_that("a constant feature has no effect, and no number that is none", {
  constant <- cbind(x[, 1:2], flat = 1)
  outcomes <- list(y, x[, 1] + sin(1:22))
  if (requireNamespace("survival", quietly = TRUE)) {
    outcomes <- c(outcomes, list(survival::Surv(exp(sin(1:22)), rep(0:1, 11))))
  }
  for (outcome in outcomes) {
    study <- open_study(constant, outcome, names(outcome_records()), store = store_any)
    effect <- effects_of(study, colnames(constant))
    expect_identical(is.na(effect$value), c(FALSE, FALSE, TRUE))
    expect_false(any(is.nan(effect$value)))
  }
})

test_that("data of another study are refused", {
  fit <- quick(y)
  file <- withr::local_tempfile(fileext = ".html")
  expect_error(write_report(fit, file, x = x + 1, y = y), "not the data",
    class = "stabilect_error_input"
  )
  expect_error(write_report(fit, file, y = y), "needs `x`", class = "stabilect_error_input")
})

test_that("the methods say what was done beside the list, with its source", {
  fit <- quick(y)
  others <- list(
    again = evaluate_replication(fit, x, y, n_pairs = 3, seed = 1),
    agree = stability(fit), kuncheva = stability(fit, "jaccard")
  )
  text <- methods_of(fit, NULL, others)
  expect_match(text$paragraph, "repeating the procedure on 3 pairs of disjoint halves")
  expect_match(text$paragraph, "Nogueira's index \\(Nogueira et al. 2018\\)[.] All computations")
  expect_identical(sum(grepl("Nogueira S", text$references)), 1L)
  expect_no_match(methods_of(fit, NULL, others["kuncheva"])$paragraph, "Nogueira")
  others$signals <- find_signals(x, y, permute = 39, seed = 1)
  expect_match(methods_of(fit, NULL, others)$paragraph, "Signal was tested by")
  expect_identical(title_of_report(fit), "Which features tell SLL and MCL apart?")
  expect_identical(title_of_report(others$signals), "Which features differ between SLL and MCL?")
})
