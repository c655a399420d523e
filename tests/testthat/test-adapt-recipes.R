# The step against the verb that it calls, by way of recipes as installed.

skip_unless_recipes <- function() {
  skip_if_not_installed("recipes")
  skip_if_not_installed("dplyr")
  # A vctrs or rlang that does not go with the installed dplyr breaks recipes, not the step.
  works <- tryCatch(
    {
      recipes::prep(recipes::recipe(Species ~ ., data = datasets::iris))
      NULL
    },
    error = function(e) conditionMessage(e)
  )
  if (!is.null(works)) skip(paste("recipes does not work here:", works))
}

data <- cbind(class = factor(mcl_sll$MCL, labels = c("SLL", "MCL")), mcl_sll[, -1])
x <- as.matrix(mcl_sll[, -1])

test_that("prep() selects as the verb does, and bake() keeps what was selected", {
  skip_unless_recipes()
  rec <- recipes::recipe(class ~ ., data = data)
  rec <- step_select_stable(rec, recipes::all_numeric_predictors(), n_features = 5, seed = 1)
  trained <- recipes::prep(rec, training = data)
  verb <- select_ensemble(x, data$class, selector_filter("t"), n_features = 5, seed = 1)
  step <- trained$steps[[1]]
  expect_identical(step$result$features, verb$features)
  expect_identical(step$result$ranking$table, verb$ranking$table)

  baked <- recipes::bake(trained, new_data = data[3:1, ])
  expect_setequal(names(baked), c("class", verb$features))
  expect_identical(baked[[verb$features[1]]], data[3:1, verb$features[1]])

  table <- recipes::tidy(trained, number = 1)
  expect_identical(table$terms[table$selected], verb$features)
  expect_named(table, c("terms", "score", "rank", "selected", "id"))
  expect_identical(unique(table$id), step$id)
  expect_identical(recipes::tidy(rec, number = 1)$selected, NA)
  expect_true("stabilect" %in% generics::required_pkgs(trained))
  expect_snapshot({
    print(rec$steps[[1]])
    print(step)
  })
})

test_that("every verb runs, with several classes and with numbers", {
  skip_unless_recipes()
  kept <- function(data, formula, ...) {
    rec <- step_select_stable(
      recipes::recipe(formula, data = data), recipes::all_predictors(), seed = 1, ...
    )
    recipes::prep(rec)$steps[[1]]
  }
  step <- kept(data, class ~ ., verb = "fealect", options = list(n_runs = 20, n_boot = 0))
  fit <- fealect(x, data$class, n_runs = 20, n_boot = 0, seed = 1)
  expect_identical(setdiff(colnames(x), step$removals), intersect(colnames(x), fit$features))

  options <- list(q = 5, cutoff = 0.8, n_pairs = 10)
  step <- kept(data, class ~ ., verb = "stability_selection", options = options, n_features = 3)
  fit <- stability_selection(x, data$class, q = 5, cutoff = 0.8, n_pairs = 10, seed = 1)
  expect_setequal(setdiff(colnames(x), step$removals), fit$table$feature[1:3])

  step <- kept(datasets::iris, Species ~ ., n_features = 2)
  expect_identical(step$result$asked$selector, "anova")
  step <- kept(datasets::mtcars, mpg ~ ., n_features = 2)
  expect_identical(step$result$asked$selector, "pearson")
  expect_length(step$removals, 8L)
})

test_that("other columns stay, a missing set is none, and n_features may exceed p", {
  skip_unless_recipes()
  rec <- recipes::recipe(class ~ ., data = data)
  some <- recipes::prep(
    step_select_stable(rec, tidyselect::all_of(names(data)[2:5]), n_features = 1, seed = 1)
  )
  expect_length(some$steps[[1]]$removals, 3L)
  expect_true(all(names(data)[-(2:5)] %in% names(recipes::bake(some, new_data = NULL))))

  none <- recipes::prep(step_select_stable(rec, recipes::has_role("id"), n_features = 1))
  expect_identical(names(recipes::bake(none, new_data = data)), c(names(data)[-1], "class"))
  expect_identical(nrow(recipes::tidy(none, number = 1)), 0L)

  all <- recipes::prep(
    step_select_stable(rec, tidyselect::all_of(names(data)[2:5]), n_features = 99, seed = 1)
  )
  # What has no score is not kept.
  step <- all$steps[[1]]
  expect_setequal(step$removals, step$result$table$feature[!has_rank(step$result)])
})

test_that("skip leaves new data alone, and tune() waits", {
  skip_unless_recipes()
  rec <- recipes::recipe(class ~ ., data = data)
  step <- step_select_stable(
    rec, recipes::all_predictors(), n_features = 2, seed = 1, skip = TRUE
  )
  trained <- recipes::prep(step)
  expect_length(recipes::bake(trained, new_data = data), ncol(data))
  expect_length(recipes::bake(trained, new_data = NULL), 3L)
  to_tune <- quote(tune())
  step <- step_select_stable(rec, recipes::all_predictors(), n_features = to_tune)
  table <- generics::tunable(step$steps[[1]])
  expect_identical(table$name, "n_features")
  expect_identical(table$call_info[[1]][c("pkg", "fun")], list(pkg = "dials", fun = "num_terms"))
  expect_error(recipes::prep(step), "tune")
})

test_that("a result is repeated on the training set, with its settings", {
  skip_unless_recipes()
  fit <- bolasso(x, data$class, cutoff = 0.6, lambda = 0.1, n_runs = 10, seed = 3)
  rec <- recipes::recipe(class ~ ., data = data)
  step <- function(...) {
    recipes::prep(step_select_stable(rec, recipes::all_predictors(), seed = 1, ...))$steps[[1]]
  }
  again <- bolasso(x, data$class, cutoff = 0.6, lambda = 0.1, n_runs = 10, seed = 1)
  repeated <- step(verb = fit)
  expect_identical(repeated$result$features, again$features)
  expect_identical(repeated$result$table$frequency, again$table$frequency)
  expect_setequal(repeated$removals, setdiff(colnames(x), again$features))
  own <- step(verb = function(x, y, ...) fealect(x, y, n_runs = 20, ...), n_features = 2)
  scores <- fealect(x, data$class, n_runs = 20, seed = 1)$table
  expect_setequal(setdiff(colnames(x), own$removals), scores$feature[1:2])
  expect_error(step(verb = 1), "`verb` must be a result", class = "stabilect_error_input")
  expect_error(step(verb = fit, options = list(q = 1)), "by name", class = "stabilect_error_input")
})

test_that("what is wrong is told", {
  skip_unless_recipes()
  rec <- recipes::recipe(class ~ ., data = data)
  expect_refusals({
    step_select_stable(data)
    step_select_stable(rec, n_features = 0)
    step_select_stable(rec, options = list(n_runz = 3), verb = "fealect")
    step_select_stable(rec, options = list(seed = 3))
    step_select_stable(rec, selector = selector_filter("t"), verb = "fealect")
  })
  plain <- recipes::recipe(data[, -1])
  plain <- recipes::update_role(plain, tidyselect::everything(), new_role = "predictor")
  step <- step_select_stable(plain, recipes::all_predictors())
  expect_error(recipes::prep(step), "0 columns with the role")
  gap <- data
  gap[2, 3] <- NA
  step <- step_select_stable(recipes::recipe(class ~ ., gap), recipes::all_predictors())
  expect_error(recipes::prep(step), "missing")
  # Noise: nothing is stable.
  noise <- withr::with_seed(5, data.frame(y = rep(0:1, 15), matrix(stats::rnorm(30 * 20), 30)))
  step <- step_select_stable(
    recipes::recipe(y ~ ., noise), recipes::all_predictors(), verb = "stability_selection",
    options = list(q = 3, cutoff = 0.99), seed = 1
  )
  expect_warning(recipes::prep(step), class = "stabilect_warning_nothing")
})

test_that("survival times are a response like others", {
  skip_if_not_installed("recipes")
  skip_if_not_installed("survival")
  d <- survival_design()
  table <- data.frame(d$x)
  table$time <- survival::Surv(d$time, d$event)
  start <- recipes::recipe(time ~ ., table)
  step <- function(...) {
    step_select_stable(start, recipes::all_predictors(), n_features = 3, seed = 1, ...)
  }
  trained <- recipes::prep(step(), table)
  ours <- select_ensemble(d$x, surv_of(d), selector_filter("cox"), n_features = 3, seed = 1)
  expect_identical(trained$steps[[1]]$result$features, ours$features)
  baked <- recipes::bake(trained, table[1:4, ])
  expect_setequal(names(baked), c(ours$features, "time"))
  trained <- recipes::prep(step(verb = "fealect", options = list(n_runs = 20)), table)
  ours <- fealect(d$x, surv_of(d), n_runs = 20, seed = 1)
  expect_setequal(setdiff(names(recipes::bake(trained, table)), "time"), ours$table$feature[1:3])
})

test_that("signals and tests on splits keep what they name, and signals rank nothing", {
  skip_unless_recipes()
  x <- x[, 1:40]
  x[, 1] <- sin(1:22) + 4 * (data$class == "MCL")
  rec <- recipes::recipe(class ~ ., data = data.frame(class = data$class, x, check.names = FALSE))
  kept <- function(...) {
    recipes::prep(step_select_stable(rec, recipes::all_numeric_predictors(), seed = 1, ...))
  }
  trained <- kept(verb = "find_signals", options = list(permute = 199))
  fit <- find_signals(x, data$class, permute = 199, seed = 1)
  expect_gt(length(fit$features), 0L)
  step <- trained$steps[[1]]
  expect_identical(setdiff(colnames(x), step$removals), intersect(colnames(x), fit$features))
  told <- recipes::tidy(trained, number = 1)
  expect_identical(told$terms[told$selected], fit$features)
  expect_identical(told$score, fit$table$partial_r)
  expect_output(print(step), "(signals) kept", fixed = TRUE)
  expect_error(kept(verb = "find_signals", n_features = 3), "ranks no features",
    class = "stabilect_error_input"
  )
  splits <- kept(verb = "split_test", options = list(n_runs = 10), n_features = 2)$steps[[1]]
  tests <- split_test(x, data$class, n_runs = 10, seed = 1)
  expect_setequal(setdiff(colnames(x), splits$removals), tests$table$feature[1:2])
})
