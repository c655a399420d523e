# Samples compared within groups: against conditional logistic regression of survival and glmnet,
# fixed effects of glmnet and lm, random intercepts of nlme, and all flips of signs.

stored <- readRDS(test_path("fixtures", "within.rds"))

test_that("the stored answers are those of the packages", {
  for (package in c("survival", "glmnet", "nlme")) skip_if_not_installed(package)
  skip_if_not_installed("glmnet", "4.1.3")
  expect_equal(answers_within(), stored, tolerance = 1e-6, ignore_attr = TRUE)
})

test_that("two classes within sets are conditional logistic regression, as in survival", {
  path <- lasso_path(
    prepare_study(matched$x, matched$y, within = matched$set),
    family = "binomial", lambda = 0, tolerance = 1e-12
  )
  expect_equal(unname(coef(path, at = 0)), stored$clogit, tolerance = 1e-7)
  expect_match(paste(capture.output(path), collapse = " "), "conditional logistic regression")
})

test_that("paths of two classes within sets are those of glmnet's stratified Cox regression", {
  path <- lasso_path(
    prepare_study(scaled_within_sets(centre = TRUE), matched$y, within = matched$set),
    family = "binomial", lambda = penalties_within, tolerance = 1e-12
  )
  # The tolerance is glmnet's.
  expect_equal(unname(as.matrix(path$coefficients)), stored$cox, tolerance = 1e-4)
})

test_that("least squares within groups has an intercept for each group, as in glmnet and lm", {
  groups <- factor(matched$set)
  y <- matched$number
  path <- lars_path(prepare_study(scaled_within_sets(), y, within = matched$set))
  ours <- vapply(penalties_within * sqrt(120), function(lambda) {
    coef(path, at = lambda, mode = "lambda")[letters[1:6]]
  }, numeric(6))
  expect_equal(unname(ours), stored$least_squares, tolerance = 1e-6)
  age <- seq_len(120)
  model <- fit_model(
    prepare_study(matched$x, y, within = matched$set, covariates = data.frame(age)),
    features = "b", lambda = 0
  )
  fixed <- stats::lm(y ~ matched$x[, "b"] + age + groups)
  expect_equal(unname(model$coefficients[c("b", "age")]), unname(coef(fixed)[2:3]))
  new <- prepare_study(matched$x[1:6, ], within = matched$set[1:6],
    covariates = data.frame(age = age[1:6]))
  expected <- stats::ave(
    stats::predict(fixed)[1:6], matched$set[1:6], FUN = function(v) v - mean(v)
  )
  expect_equal(unname(predict(model, new)), unname(expected))
})

test_that("effects within pairs are those of a model with random intercepts", {
  data <- thirty_pairs
  fit <- stability_selection(data$x, data$y, q = 3, pfer = 1, within = data$patient, seed = 1)
  table <- feature_effects(fit, data$x, data$y, features = c("g1", "g4"))$table
  expect_equal(
    table$in_sample[match(c("g1", "g4"), table$feature)], unname(stored$mixed), tolerance = 1e-6
  )
  # In left-out samples: the same effect with each sample as often as it was left out.
  weights <- rowSums(fit$resamples$counts[, fit$selection$selected["g1", ] > 0] == 0)
  centred <- stats::ave(data$x[, "g1"], data$patient, FUN = function(v) v - mean(v))
  step <- ifelse(data$y == "tumour", 0.5, -0.5)
  raw <- sum(weights * step * centred) / sum(weights * step^2)
  n <- sum(weights)^2 / sum(weights^2)
  spread <- sqrt(sum(weights * (centred - raw * step)^2) / sum(weights) * n / (n / 2 - 1))
  expect_equal(table$left_out[1], raw / spread)
})

test_that("permutations within few pairs are all flips of signs", {
  data <- paired(6, n_pairs = 8, p = 5, effect = 1.2, n_true = 1)
  sides <- as.matrix(expand.grid(rep(list(c(-1, 1)), 8)))
  centred <- stabilect:::centre_within(data$x, factor(data$patient))
  unit <- sweep(centred, 2, sqrt(colSums(centred^2)), "/")
  largest <- apply(sides, 1, function(s) max(abs(crossprod(unit, c(-s, s)))))
  observed <- max(abs(crossprod(unit, rep(c(-1, 1), each = 8))))
  exact <- mean(largest >= observed - 1e-9)
  whole <- resample_custom(counts = matrix(1L, 16, 1))
  fit <- fealect(
    data$x, data$y, within = data$patient, resampling = whole, oob = FALSE, permute = 300, seed = 1
  )
  expect_true(fit$null$complete)
  expect_identical(fit$null$n_possible, 256)
  expect_equal(fit$null$p, exact)
  found <- find_signals(data$x, data$y, within = data$patient, permute = 9999, seed = 1)
  expect_equal(found$p_value, exact, tolerance = 4 * sqrt(exact * (1 - exact) / 9999) / exact)
})

test_that("on 31 pairs of patients who differ, both features are named within pairs only", {
  data <- paired(6, p = 2000, spread = 4, effect = 1.6)
  apart <- stability_selection(data$x, data$y, pfer = 1, cutoff = 0.75, seed = 1)
  expect_identical(apart$features, character())
  together <- stability_selection(
    data$x, data$y, pfer = 1, cutoff = 0.75, within = data$patient, seed = 1
  )
  expect_setequal(together$features, c("g1", "g2"))
  expect_match(paste(capture.output(together), collapse = " "), "compared within 31 groups")
  likely <- stability_selection(
    data$x, data$y, pfer = 1, cutoff = 0.75, within = data$patient, family = "binomial", seed = 1
  )
  expect_identical(likely$table$feature[1:2], together$table$feature[1:2])
  expect_gt(find_signals(data$x, data$y, seed = 1)$p_value, 0.05)
  expect_setequal(
    find_signals(data$x, data$y, within = data$patient, seed = 1)$features, c("g1", "g2")
  )
  expect_gt(fealect(data$x, data$y, seed = 1, n_runs = 20)$oob$error, 0.4)
  expect_lt(
    fealect(data$x, data$y, within = data$patient, seed = 1, n_runs = 20)$oob$error, 0.2
  )
})

test_that("groups are drawn whole, and a feature's level in a group is of no account", {
  data <- paired(7, p = 30)
  plans <- list(NULL, resample_bootstrap(20), resample_subsample(20))
  shift <- withr::with_seed(1, matrix(sample(-9:9, 31 * 30, TRUE), 31)[rep(1:31, 2), ])
  for (plan in plans) {
    fit <- fealect(data$x, data$y, within = data$patient, resampling = plan, seed = 1, oob = FALSE)
    counts <- fit$resamples$counts
    expect_identical(counts[1:31, ], counts[32:62, ])
    moved <- fealect(
      data$x + shift, data$y, within = data$patient, resampling = plan, seed = 1, oob = FALSE
    )
    expect_equal(moved$selection$score, fit$selection$score, tolerance = 1e-10)
  }
  uneven <- resample_custom(counts = cbind(rep(1L, 62), c(2L, rep(1L, 61))))
  expect_error(
    fealect(data$x, data$y, within = data$patient, resampling = uneven), "different counts",
    class = "stabilect_error_input"
  )
})

test_that("a feature that does not vary within groups scores 0", {
  data <- paired(8, p = 20)
  data$x[, 3] <- 0.1 * as.integer(factor(data$patient))
  fit <- fealect(data$x, data$y, within = data$patient, seed = 1, oob = FALSE)
  expect_identical(fit$table$score[fit$table$feature == "g3"], 0)
})

test_that("verbs for a result take its groups, and new samples need their own", {
  data <- paired(9, p = 30)
  fit <- fealect(data$x, data$y, within = data$patient, n_runs = 20, seed = 1)
  prepared <- prepare_study(data$x, data$y, within = data$patient)
  expect_identical(fealect(prepared, n_runs = 20, seed = 1)$table, fit$table)
  expect_identical(
    feature_effects(fit, data$x, data$y)$table, feature_effects(fit, prepared)$table
  )
  expect_s3_class(evaluate_replication(fit, data$x, data$y, n_pairs = 2, seed = 1),
    "stabilect_replication")
  tested <- test_signature(data$x, data$y, fit, n_random = 50, seed = 1)
  # A pair is left out as a whole: both or neither of its predictions are right.
  wrong <- tested$oob$predictions$observed != tested$oob$predictions$predicted
  expect_identical(wrong[1:31], wrong[32:62])
  expect_s3_class(alternative_lists(fit, data$x, data$y, max_steps = 2, seed = 1),
    "stabilect_alternatives")
  new <- prepare_study(data$x[c(1, 32), ], within = c("new", "new"))
  link <- predict(fit, new, type = "link")
  expect_equal(unname(link[1]) - fit$model$coefficients[[1]],
    -(unname(link[2]) - fit$model$coefficients[[1]]))
  expect_error(predict(fit, data$x), "within groups", class = "stabilect_error_input")
  expect_error(validate_model(fit, new, data$y[c(1, 32)]), "does not compare within",
    class = "stabilect_error_input")
})

test_that("the calls under Next compare within the same groups", {
  data <- paired(9, p = 30)
  x <- data$x
  y <- data$y
  patient <- data$patient
  new_x <- x[1:2, ]
  new_patient <- c("new", "new")
  fits <- list(
    fealect(x, y, within = patient, n_runs = 20, seed = 1),
    find_signals(x, y, within = patient, permute = 19, seed = 1),
    fit_model(prepare_study(x, y, within = patient), features = "g1")
  )
  for (fit in fits) {
    calls <- grep("plot|report", stabilect:::next_of(fit), invert = TRUE, value = TRUE)
    expect_true(any(grepl("within|fit", calls)))
    for (call in calls) expect_no_error(eval(parse(text = call)))
  }
})

test_that("what cannot be compared within groups is refused with what to do", {
  data <- paired(10, n_pairs = 10, p = 5)
  refused <- function(...) {
    error <- expect_error(fealect(data$x, ...), class = "stabilect_error_input")
    gsub("\\s+", " ", conditionMessage(error))
  }
  groups <- data$patient
  expect_match(refused(data$y, within = seq_len(20)), "Sample 1 is alone")
  expect_match(refused(data$y, within = groups[-1]), "19 labels, but there are 20")
  expect_match(refused(data$y, within = c(groups[-20], NA)), "NA at position 20")
  expect_match(refused(data$y, within = "patient"), "takes a column of a data frame")
  expect_match(refused(data$y, within = rep(1, 20)), "one group")
  expect_match(refused(data$y, within = rep(1:2, each = 10)), "does not differ within")
  expect_match(
    refused(survival::Surv(1:20, rep(1, 20)), within = groups), "not survival times"
  )
  expect_match(
    refused(data$y, within = groups, covariates = data.frame(sex = rep(c("f", "m"), 10))),
    "same for all samples of each group"
  )
  expect_match(refused(data$y, within = groups, family = "multinomial"), "cannot compare")
  expect_match(
    refused(data$y, within = rep(1:5, 4), family = "binomial"), "at most one sample of"
  )
  expect_match(
    refused(data$y, covariates = data.frame(patient = groups)), "give it as `within`"
  )
  prepared <- prepare_study(data$x, data$y, within = groups)
  expect_error(split_test(prepared), "does not compare within", class = "stabilect_error_input")
  expect_error(
    select_ensemble(prepared, selector = selector_trex()), "independent samples",
    class = "stabilect_error_input"
  )
  expect_error(
    prepare_study(data$x, data$y, within = groups, blocks = groups), "leave `blocks` out",
    class = "stabilect_error_input"
  )
  # A sample that is left alone by a missing value goes with it.
  data$x[1, 1] <- NA
  expect_identical(
    prepare_study(data$x, data$y, within = groups, na = "omit")$dropped, c(1L, 11L)
  )
})

test_that("the page of the experiment says what its results say", {
  rates <- utils::read.csv(experiment("within", "results", "rates.csv"))
  text <- gsub("\\s+", " ", paste(readLines(experiment("within", "README.md")), collapse = " "))
  count <- function(what, verb, within, outcome, signal) {
    rows <- rates[rates$verb == verb & rates$within == within & rates$outcome == outcome &
      rates$signal == signal, ]
    round(c(sum(rows[[what]] * rows$n), sum(rows$n)))
  }
  says <- function(words, ...) expect_match(text, sprintf(words, ...), fixed = TRUE)
  pairs <- count("p_below_5", "find_signals", TRUE, "classes", FALSE)
  numbers <- count("p_below_5", "find_signals", TRUE, "numbers", FALSE)
  wrong <- vapply(c("classes", "numbers"), function(outcome) {
    count("wrong", "stability_selection", TRUE, outcome, FALSE)[1]
  }, 0)
  says(
    "in %d of %d outcomes of pairs and in %d of %d of repeated numbers, and `stability_selection(pfer = 1, cutoff = 0.75)` names %d and %d false", # nolint: line_length_linter.
    pairs[1], pairs[2], numbers[1], numbers[2], wrong[1], wrong[2]
  )
  blind <- count("p_below_5", "find_signals", FALSE, "classes", TRUE)
  says("finds a signal in %d of %d outcomes of pairs with one", blind[1], blind[2])
  says("it finds all %d.", count("p_below_5", "find_signals", TRUE, "classes", TRUE)[1])
  false <- count("p_below_5", "find_signals", FALSE, "numbers", FALSE)
  says("signal in %d of %d outcomes without any", false[1], false[2])
  true <- function(...) count("true", ...)[1]
  says(
    "%d of %d true features, as with them, %d:",
    true("stability_selection", FALSE, "classes", TRUE), 2 * blind[2],
    true("stability_selection", TRUE, "classes", TRUE)
  )
  says(
    "Of numbers it finds %d and %d of", true("stability_selection", FALSE, "numbers", TRUE),
    true("stability_selection", TRUE, "numbers", TRUE)
  )
  says("as least squares, %d of", true("conditional likelihood", TRUE, "classes", TRUE))
})

test_that("the model of pairs is conditional logistic regression, with twice its coefficients", {
  pair <- rep(1:40, each = 2)
  case <- rep(0:1, 40)
  x <- withr::with_seed(4, matrix(rnorm(160), 80, dimnames = list(NULL, c("a", "b"))))
  x <- x + rep(sin(1:40) * 3, each = 2) + 0.6 * case
  model <- fit_model(prepare_study(x, factor(case), within = pair), lambda = 1e-9)
  # For pairs: logistic regression of the differences, without an intercept.
  difference <- x[case == 1, ] - x[case == 0, ]
  peer <- stats::glm.fit(difference, rep(1, 40), family = stats::binomial(), intercept = FALSE)
  expect_equal(model$coefficients[-1], 2 * peer$coefficients, tolerance = 1e-6)
  seen <- predict(model, prepare_study(x, within = pair), type = "probability")
  expect_equal(
    seen[case == 1], peer$fitted.values, tolerance = 1e-6, ignore_attr = TRUE
  )
})

test_that("a fit within groups predicts with categories that are coded alike", {
  d <- datasets::infert[c("case", "stratum", "age", "parity", "spontaneous")]
  d$education <- ordered(datasets::infert$education)
  d$case <- factor(d$case)
  fit <- fealect(d, "case", within = "stratum", n_runs = 5, n_boot = 0, seed = 1)
  some <- d[d$stratum < 4, ]
  found <- predict(fit, prepare_study(some, within = "stratum"), type = "link")
  numbers <- transform(d, education = as.integer(education))
  by_numbers <- fealect(numbers, "case", within = "stratum", n_runs = 5, n_boot = 0, seed = 1)
  new <- prepare_study(some, within = "stratum")
  expect_identical(found, predict(by_numbers, new, type = "link"))
  expect_identical(
    found, predict(fit, prepare_study(numbers[d$stratum < 4, ], within = "stratum"), type = "link")
  )
})

test_that("within groups, no features predict the mean of the group", {
  number <- matched$number - stats::ave(matched$number, matched$set)
  study <- prepare_study(matched$x, matched$number, within = matched$set)
  fit <- fealect(study, n_runs = 10, n_boot = 0, seed = 1)
  expect_equal(fit$oob$baseline, mean(number^2))
  empty <- suppressWarnings(fit_model(study, features = character()))
  expect_equal(mean((number - as.numeric(predict(empty, study)))^2), fit$oob$baseline)
  tested <- test_signature(study, features = "b", n_random = 5, permute = 0, seed = 1)
  expect_equal(tested$table$error[4], fit$oob$baseline)
  plain <- fealect(matched$x, matched$number, n_runs = 10, n_boot = 0, seed = 1)
  expect_equal(plain$oob$baseline, stats::var(matched$number))
})

test_that("fewer than eight units have no interval, and the print says so", {
  few <- matched$set <= 7
  fit <- fealect(
    matched$x[few, ], matched$number[few], within = matched$set[few], n_runs = 10, n_boot = 0,
    seed = 1
  )
  expect_true(is.na(fit$oob$lower) && is.na(fit$oob$upper))
  expect_match(paste(capture.output(print(fit)), collapse = " "), "no CI from 7\\s+blocks")
  more <- matched$set <= 8
  fit <- fealect(
    matched$x[more, ], matched$number[more], within = matched$set[more], n_runs = 10, n_boot = 0,
    seed = 1
  )
  expect_true(is.finite(fit$oob$upper))
})
