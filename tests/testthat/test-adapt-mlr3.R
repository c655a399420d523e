# Filters against the verbs they call, in mlr3filters as installed.

skip_unless_mlr3 <- function() {
  for (package in c("mlr3", "mlr3filters", "paradox", "R6")) skip_if_not_installed(package)
}

# Tasks sort their features, and selectors break ties by column. With noise, so that no columns are
# copies of each other, in no part of the samples: verbs see one of them, filters all.
x <- as.matrix(mcl_sll[, sort(names(mcl_sll)[2:41], method = "radix")])
x <- x + withr::with_seed(1, stats::rnorm(length(x), sd = 1e-3))
y <- factor(mcl_sll$MCL)
make_task <- function() mlr3::as_task_classif(data.frame(class = y, x), target = "class")
in_order <- function(scores) scores[colnames(x)]

test_that("the dictionary has every selector, loaded before or after this package", {
  skip_unless_mlr3()
  makers <- setdiff(
    grep("^selector_", getNamespaceExports("stabilect"), value = TRUE),
    c("selector_custom", "selector_screened")
  )
  keys <- sub("^selector", "stabilect", c(makers, "selector_fealect"))
  expect_true(all(keys %in% mlr3filters::mlr_filters$keys()))
  for (key in keys) expect_s3_class(mlr3filters::flt(key), c("FilterStabilect", "Filter"))
  skip_on_cran()
  skip_if_not_installed("callr")
  found <- callr::r(function(keys) {
    loadNamespace("mlr3filters")
    before <- any(keys %in% mlr3filters::mlr_filters$keys())
    loadNamespace("stabilect")
    c(before, all(keys %in% mlr3filters::mlr_filters$keys()))
  }, list(keys))
  expect_identical(found, c(FALSE, TRUE))
})

test_that("scores of one run are those of score_features()", {
  skip_unless_mlr3()
  task <- make_task()
  expect_identical(task$feature_names, colnames(x))
  filter_of <- function(name, ...) mlr3filters::flt(paste0("stabilect_", name), ..., seed = 1)
  svm <- learner_svm()
  cases <- list(
    list(filter_of("filter"), selector_filter("t")),
    list(filter_of("filter", statistic = "anova"), selector_filter("anova")),
    list(filter_of("filter", statistic = "wilcoxon"), selector_filter("wilcoxon")),
    list(filter_of("learner", learner = svm, step = 0.2), selector_learner(svm, step = 0.2)),
    list(filter_of("mrmr"), selector_mrmr()), list(filter_of("relief"), selector_relief())
  )
  for (case in cases) {
    filter <- case[[1]]
    filter$calculate(task)
    table <- score_features(x, y, case[[2]], n_features = ncol(x), seed = 1)
    expect_identical(unname(in_order(filter$scores)), table$score)
    expect_false(is.unsorted(-filter$scores))
  }
  # A filter of mlr3filters that computes the same.
  ours <- mlr3filters::flt("stabilect_filter", statistic = "variance")
  theirs <- mlr3filters::flt("variance")
  expect_equal(in_order(ours$calculate(task)$scores), in_order(theirs$calculate(task)$scores))
  ours <- mlr3filters::flt("stabilect_filter", statistic = "anova")
  theirs <- mlr3filters::flt("anova")
  wanted <- theirs$calculate(task)$scores
  # Theirs are NaN for constant features.
  wanted <- wanted[!is.na(wanted)]
  expect_gt(length(wanted), 15L)
  best <- utils::head(names(ours$calculate(task)$scores), length(wanted))
  expect_setequal(best, names(wanted))
  # Equal columns come in any order.
  expect_false(is.unsorted(-round(wanted[best], 10)))
})

test_that("hyperparameters are the arguments of the selector, and checked", {
  skip_unless_mlr3()
  task <- make_task()
  weak <- learner_svm(cost = 0.01, loss = "l1")
  filter <- mlr3filters::flt("stabilect_learner", learner = weak)
  table <- score_features(x, y, selector_learner(weak))
  expect_identical(unname(in_order(filter$calculate(task)$scores)), table$score)
  expect_error(mlr3filters::flt("stabilect_filter")$param_set$set_values(statistic = "u"))
  expect_false(filter$hash == mlr3filters::flt("stabilect_learner", learner = learner_svm())$hash)
  copy <- filter$clone(deep = TRUE)
  copy$param_set$set_values(step = 0.2)
  expect_null(filter$param_set$values$step)
})

test_that("with a resampling, a filter is an ensemble", {
  skip_unless_mlr3()
  task <- make_task()
  plan <- resample_bootstrap(15)
  filter <- mlr3filters::flt(
    "stabilect_filter",
    resampling = plan, aggregation = aggregate_frequency(), n_features = 5, seed = 2
  )
  fit <- select_ensemble(
    x, y, selector_filter("t"), plan, aggregate_frequency(), n_features = 5, seed = 2
  )
  wanted <- stats::setNames(fit$ranking$table$score, fit$ranking$table$feature)
  expect_identical(in_order(filter$calculate(task)$scores), in_order(wanted))

  both <- list(selector_filter("t"), selector_filter("wilcoxon"))
  several <- filter_mlr3(both, resampling = plan, seed = 2, id = "both")
  fit <- select_ensemble(x, y, both, plan, n_features = 10, seed = 2)
  wanted <- stats::setNames(fit$ranking$table$score, fit$ranking$table$feature)
  expect_identical(in_order(several$calculate(task, nfeat = 10)$scores), in_order(wanted))
  expect_identical(several$id, "both")

  filter <- mlr3filters::flt("stabilect_fealect", n_runs = 10, seed = 3)
  fit <- fealect(x, y, n_runs = 10, n_boot = 0, oob = FALSE, seed = 3)
  wanted <- stats::setNames(fit$table$score, fit$table$feature)
  expect_identical(in_order(filter$calculate(task)$scores), in_order(wanted))
})

test_that("numbers as response, own selectors, and what does not fit", {
  skip_unless_mlr3()
  cars <- mlr3::as_task_regr(datasets::mtcars, target = "mpg")
  filter <- mlr3filters::flt("stabilect_filter", statistic = "pearson")
  by_hand <- abs(stats::cor(datasets::mtcars)[-1, "mpg"])
  expect_equal(filter$calculate(cars)$scores[names(by_hand)], by_hand)
  own <- filter_mlr3(selector_custom(function(x, y) apply(x, 2, max), name = "max"))
  expect_identical(own$id, "stabilect_max")
  expect_equal(in_order(own$calculate(make_task())$scores), apply(x, 2, max))
  hybrid <- mlr3filters::flt("stabilect_hybrid_rfe")
  # The words of mlr3 differ between versions.
  expect_error(hybrid$calculate(cars), "type|twoclass")
  expect_error(hybrid$calculate(mlr3::tsk("iris")), "type|twoclass")
  expect_refusals({
    filter_mlr3("students_t")
    filter_mlr3("filter", 3)
    filter_mlr3(list(selector_filter("t"), selector_filter("welch")))$calculate(make_task())
  })
})

test_that("in a pipeline, the filter sees the rows it is trained on", {
  skip_unless_mlr3()
  skip_if_not_installed("mlr3pipelines")
  rows <- c(20:12, 1:6)
  task <- make_task()$filter(rows)
  plan <- resample_bootstrap(10)
  step <- mlr3pipelines::po(
    "filter", filter_mlr3("filter", resampling = plan, seed = 1), filter.nfeat = 4
  )
  kept <- step$train(list(task))[[1]]$feature_names
  at <- task$row_ids
  fit <- select_ensemble(x[at, ], y[at], selector_filter("t"), plan, n_features = ncol(x), seed = 1)
  expect_setequal(kept, fit$features[1:4])
  expect_setequal(step$predict(list(make_task()))[[1]]$feature_names, kept)
})

test_that("survival tasks are taken where mlr3 knows them", {
  all <- c("binary", "multiclass", "numeric", "survival")
  expect_identical(task_types_of(all, c("regr", "classif")), c("classif", "regr"))
  expect_identical(task_types_of(all, c("regr", "classif", "surv")), c("classif", "regr", "surv"))
  expect_identical(task_types_of("survival", c("regr", "classif")), character())
  # The scores of a task are made from what it says of itself.
  d <- survival_design()
  task <- list(
    data = function(cols) as.data.frame(d$x)[cols], feature_names = colnames(d$x),
    truth = function() surv_of(d)
  )
  parts <- list(make = function(values) selector_filter("cox"), params = list())
  expect_identical(
    score_task(parts, list(), task, 3),
    stats::setNames(score_features(d$x, surv_of(d), selector_filter("cox"))$score, colnames(d$x))
  )
  skip_unless_mlr3()
  skip_if("surv" %in% mlr3::mlr_reflections$task_types$type)
  expect_match(message_of(filter_mlr3(selector_filter("cox"))), "mlr3proba")
  expect_identical(filter_mlr3("filter")$task_types, c("classif", "regr"))
})
