# Outcomes are classes: each answers every question, and verbs that train on some samples and
# predict others do so by one function, with the draws of a learner in one order.

set.seed(3)
n <- 36
x <- matrix(rnorm(n * 4), n, dimnames = list(NULL, paste0("f", 1:4)))
labels_of <- list(
  binary = factor(rep(c("a", "b"), n / 2)), multiclass = factor(rep(c("a", "b", "c"), n / 3)),
  numeric = x[, 1] + rnorm(n), survival = new_surv(rexp(n) + 0.1, rep(c(1, 1, 0), n / 3))
)

# A learner all of whose answers are random numbers; `told` is what it was asked, in order.
drawing_learner <- function(type, told = new.env()) {
  tell <- function(what, value) {
    told$asked <- c(told$asked, what)
    value
  }
  odds <- function(model, newdata) {
    k <- length(model$levels)
    draws <- matrix(
      runif(nrow(newdata) * k), nrow(newdata), dimnames = list(NULL, model$levels)
    )
    draws / rowSums(draws)
  }
  is_class <- type %in% c("binary", "multiclass")
  one <- learner_custom(
    fit = function(x, y) {
      tell("fit", list(levels = if (is_class) levels(y), own = runif(1), k = ncol(x)))
    },
    predict = function(model, newdata) {
      value <- model$own + runif(nrow(newdata))
      if (is_class) value <- model$levels[1 + floor(value / 2 * length(model$levels))]
      tell("predict", value)
    },
    importance = function(model) tell("importance", runif(model$k)),
    probability = if (is_class) {
      function(model, newdata) tell("probability", odds(model, newdata))
    },
    survival = if (type == "survival") {
      function(model, newdata, times) {
        tell("survival", matrix(runif(1), nrow(newdata), length(times)))
      }
    },
    responses = type
  )
  # Values of their own, which no probability stands for.
  if (is_class) one$decision <- function(model, newdata) tell("decision", odds(model, newdata))
  one
}

# What follows from the draws of a learner that is asked in this order.
# @param timed (integer) rows of the times of curves.
by_hand <- function(type, train, test, set, seed, order, metric, timed = 1:n) {
  y <- labels_of[[type]]
  one <- drawing_learner(type)
  answers <- with_seed(seed, {
    model <- one$fit(x[train, set, drop = FALSE], label_rows(y, train))
    newx <- x[test, set, drop = FALSE]
    times <- if (type == "survival") {
      values <- unclass(y)[timed, ]
      sort(unique(values[values[, 2] == 1, 1]))
    }
    values <- lapply(order, function(what) {
      if (what == "survival") return(one$survival(model, newx, times))
      if (what == "importance") one$importance(model) else one[[what]](model, newx)
    })
    stats::setNames(values, order)
  })
  newy <- label_rows(y, test)
  if (is.factor(y)) {
    return(measure_predictions(
      newy, answers$predict, answers$probability, answers$decision, metric = metric
    ))
  }
  curves <- answers$survival
  if (!is.null(curves)) colnames(curves) <- label_times(times)
  measure_predictions(newy, answers$predict, curves, metric = metric)
}
orders <- list(
  binary = c("probability", "decision", "predict"),
  multiclass = c("probability", "decision", "predict"), numeric = "predict",
  survival = c("predict", "survival")
)
judged_by <- list(
  binary = c("accuracy", "log_loss", "auc"), multiclass = c("accuracy", "log_loss", "auc"),
  numeric = "rmse", survival = c("concordance", "integrated_brier")
)
# Shares of pairs in which the first is larger, ties half.
outer_above <- function(high, low) outer(high, low, function(a, b) (a > b) + (a == b) / 2)
halves <- resample_custom(rows = list(1:24, 13:36))

test_that("a learner that draws is asked in one order, in a path of eliminations", {
  for (type in names(labels_of)) {
    for (metric in judged_by[[type]]) {
      fit <- eliminate_features(
        x, labels_of[[type]], drawing_learner(type), search_sizes(4), halves, metric = metric,
        refit = FALSE, seed = 7
      )
      order <- c("importance", orders[[type]])
      expected <- vapply(1:2, function(b) {
        train <- halves$rows[[b]]
        by_hand(
          type, train, setdiff(seq_len(n), train), 1:4, child_seeds(7, 2)[b], order, metric
        )
      }, 0)
      expect_equal(fit$scores$score, expected, info = paste(type, metric))
    }
  }
})

test_that("so it is for sets that are evaluated, whatever the error", {
  for (type in names(labels_of)) {
    y <- labels_of[[type]]
    for (metric in judged_by[[type]]) {
      error <- with_seed(5, error_of_set(
        2:3, samples_at(x, y, rows = 1:24), samples_at(x, y, rows = -(1:24)),
        drawing_learner(type), metric
      ))
      expected <- by_hand(type, 1:24, 25:n, 2:3, 5, orders[[type]], metric, 1:24)
      if (metric_sign(metric) > 0) expected <- 1 - expected
      expect_equal(error, expected[[1]], info = paste(type, metric))
    }
    own <- c(binary = "accuracy", multiclass = "accuracy", survival = "concordance")
    error <- with_seed(5, error_of_set(
      2:3, samples_at(x, y, rows = 1:24), samples_at(x, y, rows = -(1:24)), drawing_learner(type)
    ))
    expected <- if (type == "numeric") {
      by_hand(type, 1:24, 25:n, 2:3, 5, "predict", "rmse")^2
    } else {
      1 - by_hand(type, 1:24, 25:n, 2:3, 5, "predict", own[[type]])
    }
    expect_equal(error, expected[[1]], info = type)
  }
})

test_that("so it is where settings are tuned, and the importance comes last", {
  for (type in names(labels_of)) {
    filter <- selector_filter(switch(type, survival = "cox", numeric = "pearson", "anova"))
    tune <- function() {
      told <- new.env()
      made <- list(selector = filter, learner = drawing_learner(type, told), n_features = 4)
      metric <- judged_by[[type]][1]
      fit <- tune_tradeoff(
        x, labels_of[[type]], list(k = 1), function(k) made, resampling = halves, metric = metric,
        seed = 7
      )
      list(score = fit$table[[metric]], asked = told$asked)
    }
    set.seed(1)
    first <- tune()
    set.seed(2)
    expect_identical(tune(), first)
    seeds <- child_seeds(child_seeds(7, 2)[2], 2)
    expected <- vapply(1:2, function(b) {
      train <- halves$rows[[b]]
      test <- setdiff(seq_len(n), train)
      by_hand(type, train, test, 1:4, seeds[b], orders[[type]], judged_by[[type]][1])
    }, 0)
    expect_identical(first$asked, rep(c("fit", orders[[type]], "importance"), 2))
    expect_equal(first$score, mean(expected), info = type)
  }
})

test_that("so it is for out-of-bag predictions of an ensemble, first one model a sample", {
  for (type in names(labels_of)) {
    told <- new.env()
    filter <- selector_filter(switch(type, survival = "cox", numeric = "pearson", "anova"))
    fit <- select_ensemble(
      x, labels_of[[type]], filter, halves, n_features = 4, learner = drawing_learner(type, told),
      seed = 7
    )
    out <- setdiff(seq_len(n), intersect(halves$rows[[1]], halves$rows[[2]]))
    is_class <- is.factor(labels_of[[type]])
    once <- c("fit", "predict", if (is_class) "decision")
    # Numbers are not ranked; the other outcomes are, with a model for each pair.
    n_models <- length(told$asked) / length(once)
    expect_identical(told$asked, rep(once, n_models), info = type)
    if (type == "numeric") expect_length(out, n_models) else expect_gt(n_models, length(out))
    expect_identical(which(!is.na(fit$oob$predictions$predicted)), out)
  }
})

# Functions of the package that dispatch on an outcome, and methods by class.
generics_of_outcomes <- function() {
  namespace <- asNamespace("stabilect")
  Filter(function(name) {
    one <- get(name, namespace)
    is.function(one) && "UseMethod" %in% all.names(body(one)) &&
      names(formals(one))[1] %in% c("outcome", "response")
  }, ls(namespace))
}

has_method <- function(generic, classes) {
  any(paste0(generic, ".", classes) %in% ls(asNamespace("stabilect"), all.names = TRUE))
}

test_that("every outcome has every trait, and a method of every generic", {
  records <- outcome_records()
  traits <- lapply(records, names)
  expect_length(unique(traits), 1L)
  expect_false(any(vapply(unlist(records, FALSE), is.function, NA)))
  expect_error(new_outcome("other", NULL, "others", 6), "an outcome lacks got, lacks, needs")
  generics <- generics_of_outcomes()
  expect_gt(length(generics), 45L)
  ranked <- Filter(function(one) one$ranked != "none", records)
  # Callers ask the trait, or take two classes only.
  some <- list(
    rank_agreement = ranked, comparable_pairs = ranked, scarcest_samples = ranked,
    response_within = Filter(function(one) one$compares_within, records),
    prediction_of_link = records["binary"]
  )
  expect_identical(setdiff(names(some), generics), character())
  for (generic in generics) {
    for (one in if (is.null(some[[generic]])) records else some[[generic]]) {
      expect_true(has_method(generic, class(one)), label = paste(generic, "of", one$name))
    }
  }
})

test_that("every method of an outcome is one of a generic, with its arguments", {
  namespace <- asNamespace("stabilect")
  classes <- unique(unlist(lapply(outcome_records(), class)))
  methods <- grep("[.]outcome(_|$)", ls(namespace, all.names = TRUE), value = TRUE)
  expect_gt(length(methods), 140L)
  expect_identical(setdiff(sub(".*[.]", "", methods), classes), character())
  for (method in methods) {
    generic <- sub("[.].*", "", method)
    expect_identical(
      names(formals(get(method, namespace))), names(formals(get(generic, namespace))), info = method
    )
  }
})

test_that("a response has the class of its outcome, and a missing method is an error", {
  for (type in names(labels_of)) {
    response <- read_response(labels_of[[type]], n)
    expect_identical(class(response), c(class(outcome_of(response)), "stabilect_response"))
  }
  expect_error(prediction_of_link(outcome_records()$numeric, 1), "no applicable method")
})

test_that("each y has one reader", {
  records <- outcome_records()
  given <- list(
    list(labels_of$binary, NULL, "binary"), list(c("u", "v"), NULL, "binary"),
    list(c(TRUE, FALSE), NULL, "binary"), list(c(0, 1, 1), NULL, "binary"),
    list(c(-1, 1), NULL, "binary"), list(c(0L, 1L), NULL, "binary"),
    list(factor(c("u", "u"), c("u", "v", "w")), NULL, "binary"), list("u", NULL, "binary"),
    list(labels_of$multiclass, NULL, "multiclass"),
    list(factor(1:3, ordered = TRUE), NULL, "ordered"),
    list(factor(1:2, 1:3, ordered = TRUE), NULL, "binary"),
    list(factor(1:3, ordered = TRUE), "poisson", "count"), list(letters, NULL, "multiclass"),
    list(c(0, 1, 2), NULL, "numeric"), list(c(0, 0), NULL, "numeric"),
    list(1:3, NULL, "numeric"), list(c(0, 1, NA), NULL, "numeric"),
    list(labels_of$survival, NULL, "survival"), list(labels_of$survival, "poisson", "survival"),
    list(0:3, "poisson", "count"), list(c(0, 1), "poisson", "count"),
    list(labels_of$binary, "poisson", "count")
  )
  for (one in given) {
    claims <- vapply(records, function(record) claims_y(record, one[[1]], one[[2]]), NA)
    expect_identical(names(which(claims)), one[[3]])
  }
  for (type in names(labels_of)) {
    held <- vapply(records, function(record) holds_labels(record, labels_of[[type]]), NA)
    expect_identical(names(which(held)), type)
  }
})

test_that("labels go in and come out, for all rows and some", {
  for (type in names(labels_of)) {
    y <- labels_of[[type]]
    response <- read_response(y, n)
    expect_identical(response$type, type)
    expect_equal(response_labels(response), y, ignore_attr = TRUE)
    some <- response_rows(response, c(5:20, 5))
    expect_equal(response_labels(some), label_rows(y, c(5:20, 5)), ignore_attr = TRUE)
    strata <- strata_of(response)
    expect_true(is.null(strata) || all(strata >= 1 & strata == round(strata)))
  }
  # A response keeps its outcome's name and class, and no traits.
  expect_false(any(vapply(read_response(labels_of$survival, n), is.function, NA)))
})

test_that("one risk for all is half right, also where no two samples can be compared", {
  y <- labels_of$survival
  censored <- new_surv(c(1, 2, 3), c(0, 0, 0))
  x <- matrix(0, 3, 1)
  expect_identical(
    error_of_set(integer(), samples_at(x, label_rows(y, 1:3)), samples_at(x, censored), NULL), 0.5
  )
})

test_that("a class that a run lacks is dropped before fitting, whoever fits", {
  y <- labels_of$multiclass
  lacking <- resample_custom(rows = list(which(y != "c")[1:18], c(1:20, 30)))
  seen <- list()
  watching <- learner_custom(
    fit = function(x, y) {
      seen[[length(seen) + 1L]] <<- levels(y)
      levels(y)
    },
    predict = function(model, newdata) rep(model[1], nrow(newdata)),
    importance = function(model) 1:4, responses = c("binary", "multiclass")
  )
  asked_of <- function(code) {
    seen <<- list()
    force(code)
    seen
  }
  expect_identical(asked_of(eliminate_features(
    x, y, watching, search_sizes(4), lacking, refit = FALSE, seed = 1
  )), list(c("a", "b"), c("a", "b", "c")))
  expect_identical(asked_of(tune_tradeoff(x, y, list(k = 1), function(k) {
    list(selector = selector_filter("anova"), learner = watching, n_features = 4)
  }, resampling = lacking, metric = "accuracy", seed = 1)), list(c("a", "b"), c("a", "b", "c")))
  expect_identical(asked_of(error_of_set(
    1:2, samples_at(x, y, rows = which(y != "c")), samples_at(x, y), watching
  )), list(c("a", "b")))
  # The engine of linear learners does as their functions do.
  slow <- learner_logistic()
  slow$path <- NULL
  for (metric in c("auc", "log_loss")) {
    scores <- lapply(list(learner_logistic(), slow), function(learner) {
      eliminate_features(
        x, y, learner, search_sizes(4), lacking, metric = metric, refit = FALSE, seed = 1
      )$scores
    })
    expect_equal(scores[[1]], scores[[2]], info = metric)
  }
})

test_that("evaluate_elimination() judges by the metric of its search, drawn from its own seed", {
  y <- labels_of$multiclass
  # Test samples of a single pair of classes, of three that the model knows.
  test <- c(which(y == "a")[1:4], which(y == "b")[1:4])
  outer <- resample_custom(rows = list(setdiff(seq_len(n), test), 1:24))
  evaluate <- function(learner, y, metric) {
    evaluate_elimination(
      x, y, learner, outer, search_sizes(4), resample_folds(3), metric = metric, seed = 1
    )
  }
  # It names one class only, but tells all by its values.
  steady <- learner_custom(
    fit = function(x, y) levels(y), predict = function(model, newdata) rep("a", nrow(newdata)),
    importance = function(model) 1:4,
    probability = function(model, newdata) {
      odds <- exp(newdata[, 1:3, drop = FALSE])
      structure(odds / rowSums(odds), dimnames = list(NULL, model))
    }
  )
  result <- evaluate(steady, y, "auc")
  odds <- steady$probability(levels(y), x[test, ])
  one_against_rest <- vapply(c("a", "b"), function(class) {
    inside <- y[test] == class
    mean(outer_above(odds[inside, class], odds[!inside, class]))
  }, 0)
  expect_equal(result$table$auc[1], mean(one_against_rest))
  for (type in names(labels_of)) {
    set.seed(1)
    first <- evaluate(drawing_learner(type), labels_of[[type]], judged_by[[type]][1])
    set.seed(2)
    second <- evaluate(drawing_learner(type), labels_of[[type]], judged_by[[type]][1])
    expect_identical(first$table, second$table, info = type)
  }
})

test_that("an out-of-bag error knows its outcome", {
  counts <- round(exp(labels_of$numeric / 2) * 2)
  given <- c(labels_of, list(count = counts))
  for (type in names(given)) {
    fit <- fealect(
      x, given[[type]], n_runs = 10, seed = 1, permute = 0, n_boot = 0,
      family = if (type == "count") "poisson"
    )
    expect_identical(fit$oob$type, type)
    observed <- fit$oob$predictions$observed
    expect_identical(
      reference_of(fit$oob), name_reference(outcome_of(fit$oob), observed)
    )
  }
})

test_that("tune_tradeoff() refuses a selector of another outcome by its sentence", {
  error <- expect_error(tune_tradeoff(x, labels_of$numeric, list(k = 1), function(k) {
    list(selector = selector_filter("anova"), learner = learner_ridge(), n_features = 2)
  }, resampling = halves, seed = 1))
  expect_match(
    gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error))),
    "`y` holds numbers, but this selector is for two classes or several classes"
  )
})

# Questions of what kind a response is, outside the outcomes: a comparison of `type`, or whether
# codes, levels or events are there.
questions_in <- function(e) {
  if (!is.call(e)) {
    return(0L)
  }
  is_type <- function(v) {
    is.call(v) && identical(v[[1]], quote(`$`)) && identical(v[[3]], quote(type)) &&
      grepl("response|study|record|^y\\$", deparse(v)[1])
  }
  head <- if (is.symbol(e[[1]])) as.character(e[[1]]) else ""
  kinds <- c("binary", "multiclass", "numeric", "survival", "count")
  compares <- head %in% c("==", "!=", "%in%", "switch") && length(e) > 2L
  names_kind <- compares && any(kinds %in% unlist(lapply(e, as.character)))
  asks_type <- compares &&
    (is_type(e[[2]]) || identical(e[[2]], quote(type)) && names_kind)
  asks_part <- head == "is.null" && is.call(e[[2]]) && identical(e[[2]][[1]], quote(`$`)) &&
    as.character(e[[2]][[3]]) %in% c("codes", "levels", "event")
  asks_part + asks_type + sum(vapply(as.list(e), function(part) {
    if (missing(part)) 0L else as.integer(questions_in(part))
  }, 0L))
}

test_that("few places outside the outcomes ask of what kind a response is", {
  folder <- sources("R")
  files <- setdiff(list.files(folder, "[.]R$"), c("RcppExports.R"))
  files <- files[!startsWith(files, "outcome-")]
  asked <- vapply(files, function(file) {
    sum(vapply(as.list(parse(file.path(folder, file))), questions_in, 0L))
  }, 0L)
  # A new one belongs into a method of the outcome.
  expect_lte(sum(asked), 28L)
})
