# A few hundred calls of the generator in helper-attack.R, and the relations that verbs promise.
# `make attack` makes some thousand of them with another seed.

test_that("the tables of the attack hold every argument and every export", {
  words <- utils::read.csv(test_path("fixtures", "words.csv"))
  arguments <- utils::read.csv(test_path("fixtures", "attack-arguments.csv"))
  expect_identical(arguments$word, words$word)
  # What needs other packages or files, or takes no arguments.
  spared <- c(
    "caret_functions", "filter_mlr3", "step_select_stable", "experiment_data", "write_report",
    "write_tables", "plot_values", "compute.logistic.score", "train.doctor", "list_available"
  )
  exports <- getNamespaceExports("stabilect")
  exports <- Filter(function(name) is.function(getExportedValue("stabilect", name)), exports)
  expect_setequal(names(attack_calls()), setdiff(exports, spared))
})

test_that("every valid call of the attack works", {
  material <- attack_material()
  calls <- attack_calls()
  outcomes <- vapply(calls, function(call) attack_outcome(call, material)$outcome, "")
  expect_identical(names(calls)[outcomes != "ok"], character())
})

test_that("valid and damaged calls work or are refused by class", {
  skip_on_cran()
  words <- utils::read.csv(test_path("fixtures", "attack-arguments.csv"))
  calls <- attack(words, seed = 20, n = 400, feeds = 3)
  strange <- calls[!calls$outcome %in% c("ok", "refused"), ]
  expect_identical(paste(strange$call, strange$feed), character())
  # The generator damages what it should: most damaged calls are refused, most others are not.
  damaged <- nzchar(calls$damaged)
  expect_gt(mean(calls$outcome[damaged] == "refused"), 0.4)
  expect_lt(mean(calls$outcome[!damaged & !calls$other] == "refused"), 0.3)
  # And results go on into other verbs.
  expect_gt(sum(calls$fed), 100)
})

# Relations --------------------------------------------------------------------------------------

related <- attack_material()
verbs <- list(
  fealect = function(x, y, ...) fealect(x, y, n_boot = 0, oob = FALSE, ...),
  filter = function(x, y, ...) select_ensemble(x, y, selector_filter("t"), n_features = 3, ...),
  ranks = function(x, y, ...) {
    select_ensemble(x, y, selector_filter("wilcoxon"), n_features = 3, ...)
  },
  svm = function(x, y, ...) {
    select_ensemble(x, y, selector_learner(learner_svm()), n_features = 3, ...)
  }
)
scores_of <- function(fit) {
  score <- as.matrix(as_selection(fit)$score)
  score[order(rownames(score)), ]
}

test_that("scores do not depend on the order of rows, columns or the names of classes", {
  counts <- as.matrix(related$draws)
  for (name in names(verbs)) {
    run <- function(x, y, counts) {
      scores_of(verbs[[name]](x, y, resampling = resample_custom(counts = counts), seed = 1))
    }
    plain <- run(related$x, related$y, counts)
    rows <- withr::with_seed(4, sample.int(20))
    expect_equal(
      run(related$x[rows, ], related$y[rows], counts[rows, ]), plain, tolerance = 1e-6, info = name
    )
    columns <- withr::with_seed(5, sample.int(7))
    expect_equal(run(related$x[, columns], related$y, counts), plain, tolerance = 1e-6, info = name)
    others <- factor(related$y, labels = c("A", "B"))
    expect_equal(run(related$x, others, counts), plain, tolerance = 1e-12, info = name)
  }
})

test_that("scores do not depend on units that are powers of two", {
  units <- 2^c(-300, -20, 0, 3, 40, 200, 400)
  for (name in names(verbs)) {
    run <- function(x) scores_of(verbs[[name]](x, related$y, resampling = related$draws, seed = 1))
    expect_identical(run(sweep(related$x, 2, units, "*")), run(related$x), info = name)
  }
})

test_that("threads change nothing, and fewer runs are the first of more", {
  for (name in names(verbs)) {
    run <- function(n_runs, n_threads) {
      verbs[[name]](
        related$x, related$y, resampling = resample_subsample(n_runs, 0.7), seed = 3,
        n_threads = n_threads
      )
    }
    many <- scores_of(run(12, 1))
    expect_identical(scores_of(run(12, 2)), many, info = name)
    expect_identical(scores_of(run(5, 1)), many[, 1:5], info = name)
  }
})
