# Names are identity: every argument of every verb that has one value for each sample is compared
# with the names of the samples, in one place.

n <- 24L
samples <- paste0("s", seq_len(n))
x <- withr::with_seed(1, {
  matrix(stats::rnorm(n * 6), n, dimnames = list(samples, paste0("g", 1:6)))
})
classes <- factor(rep(c("a", "b"), length.out = n))
numbers <- x[, 1] + sin(seq_len(n))
skip_if_not_installed("survival")
times <- survival::Surv(exp(x[, 1] + cos(seq_len(n)) / 2), rep(c(1, 1, 0), n / 3))
counts_of <- round(exp(abs(x[, 2])))
age <- cos(seq_len(n) * 3)
patient <- rep(paste0("p", seq_len(n / 2)), each = 2)
pieces <- rep(c("u", "v", "w"), n / 3)
small <- list(n_runs = 4, n_boot = 0, seed = 1)
quick <- function(...) do.call(fealect, c(list(...), small))
stable <- function(...) stability_selection(..., q = 2, cutoff = 0.9, n_pairs = 3, seed = 1)
model <- fit_model(x, classes, c("g1", "g2"))
scored <- fealect(x, classes, n_runs = 4, n_boot = 0, seed = 1)
adjusted <- fit_model(x, classes, c("g1", "g2"), covariates = data.frame(age = age))
new <- x[24:1, ] + 1
path <- lasso_path(x, counts_of, family = "poisson", covariates = data.frame(age = age),
  offset = log(1 + age^2), lambda = c(0.5, 0.1)
)

# @param value with one value for each sample, as a vector or a table; of x, or of `new`.
# @param call function(value).
one <- function(argument, value, call, of = "x") {
  list(argument = argument, value = value, call = call, of = of)
}
plan <- function(verb, draw) {
  one("blocks", patient, function(v) verb(draw(blocks = v)))
}
table_of <- data.frame(age = age, site = pieces)
filter_t <- selector_filter("t")

cases <- list(
  fealect = list(
    one("y", classes, function(v) quick(x, v)), one("y", numbers, function(v) quick(x, v)),
    one("y", times, function(v) quick(x, v)),
    one("covariates", age, function(v) quick(x, classes, covariates = v)),
    one("covariates", table_of, function(v) quick(x, classes, covariates = v)),
    one("covariates", cbind(age = age), function(v) quick(x, classes, covariates = v)),
    one("weights", 1 + age^2, function(v) quick(x, numbers, weights = v)),
    one("within", patient, function(v) quick(x, classes, within = v)),
    plan(function(p) fealect(x, classes, resampling = p, n_boot = 0, seed = 1), function(blocks) {
      resample_subsample(4, blocks = blocks)
    }),
    one("counts", matrix(rep(0:1, n * 2), n), function(v) {
      fealect(x, numbers, resampling = resample_custom(counts = v), n_boot = 0, seed = 1)
    })
  ),
  stability_selection = list(
    one("y", classes, function(v) stable(x, v)),
    one("covariates", table_of, function(v) stable(x, classes, covariates = v)),
    one("strata", pieces, function(v) stable(x, times, strata = v)),
    one("weights", 1 + age^2, function(v) stable(x, numbers, weights = v)),
    one("offset", age, function(v) stable(x, counts_of, family = "poisson", offset = v)),
    one("within", patient, function(v) stable(x, classes, within = v)),
    plan(function(p) {
      stability_selection(x, classes, q = 2, cutoff = 0.9, resampling = p, seed = 1)
    }, function(blocks) resample_pairs(3, blocks = blocks))
  ),
  bolasso = list(
    one("y", numbers, function(v) bolasso(x, v, lambda = 0.1, n_runs = 4, seed = 1)),
    one("covariates", age, function(v) {
      bolasso(x, numbers, lambda = 0.1, n_runs = 4, seed = 1, covariates = v)
    }),
    one("within", patient, function(v) {
      bolasso(x, numbers, lambda = 0.1, n_runs = 4, seed = 1, within = v)
    }),
    plan(function(p) bolasso(x, numbers, lambda = 0.1, resampling = p, seed = 1),
      function(blocks) resample_bootstrap(4, blocks = blocks))
  ),
  select_ensemble = list(
    one("y", classes, function(v) {
      select_ensemble(x, v, filter_t, resample_bootstrap(4), n_features = 2, seed = 1)
    }),
    one("covariates", age, function(v) {
      select_ensemble(x, classes, filter_t, resample_bootstrap(4), n_features = 2, covariates = v,
        seed = 1
      )
    }),
    plan(function(p) select_ensemble(x, classes, filter_t, p, n_features = 2, seed = 1),
      function(blocks) resample_bootstrap(4, blocks = blocks))
  ),
  eliminate_features = list(
    one("y", classes, function(v) eliminate_features(x, v, seed = 1)),
    one("covariates", age, function(v) {
      eliminate_features(x, classes, learner_logistic(), covariates = v, seed = 1)
    }),
    plan(function(p) eliminate_features(x, classes, resampling = p, seed = 1),
      function(blocks) resample_folds(3, blocks = blocks))
  ),
  evaluate_elimination = list(
    one("y", classes, function(v) {
      evaluate_elimination(x, v, outer = resample_folds(2), seed = 1)
    }),
    one("covariates", age, function(v) {
      evaluate_elimination(x, classes, learner_logistic(), outer = resample_folds(2),
        covariates = v, seed = 1
      )
    }),
    plan(function(p) evaluate_elimination(x, classes, outer = p, seed = 1),
      function(blocks) resample_folds(2, blocks = blocks)),
    plan(function(p) {
      evaluate_elimination(x, classes, outer = resample_folds(2), resampling = p, seed = 1)
    }, function(blocks) resample_folds(2, blocks = blocks))
  ),
  hybrid_rfe = list(
    one("y", classes, function(v) {
      hybrid_rfe(x, v, 2, 1, resampling = resample_bootstrap(3), seed = 1)
    }),
    plan(function(p) hybrid_rfe(x, classes, 2, 1, resampling = p, seed = 1),
      function(blocks) resample_bootstrap(3, blocks = blocks))
  ),
  tune_tradeoff = list(
    one("y", classes, function(v) {
      tune_tradeoff(x, v, list(n_stable = c(0, 1)), n_features = 2,
        resampling = resample_bootstrap(3), seed = 1
      )
    }),
    one("covariates", age, function(v) {
      tune_tradeoff(x, classes, list(size = 1:2), function(size) {
        list(selector = filter_t, n_features = size, learner = learner_logistic())
      }, resampling = resample_bootstrap(3), covariates = v, seed = 1)
    }),
    plan(function(p) {
      tune_tradeoff(x, classes, list(n_stable = c(0, 1)), n_features = 2, resampling = p, seed = 1)
    }, function(blocks) resample_bootstrap(3, blocks = blocks))
  ),
  evaluate_selectors = list(
    one("y", classes, function(v) {
      evaluate_selectors(x, v, filter_t, n_features = 2, n_repeats = 2,
        resampling = resample_bootstrap(3), seed = 1
      )
    }),
    one("covariates", age, function(v) {
      evaluate_selectors(x, classes, filter_t, n_features = 2, n_repeats = 2,
        learner = learner_logistic(), covariates = v, resampling = resample_bootstrap(3), seed = 1
      )
    }),
    plan(function(p) {
      evaluate_selectors(x, classes, filter_t, n_features = 2, n_repeats = 2, resampling = p,
        seed = 1
      )
    }, function(blocks) resample_bootstrap(3, blocks = blocks))
  ),
  estimate_stability = list(
    one("y", classes, function(v) {
      estimate_stability(x, v, filter_t, n_features = 2, n_weak = 2, n_simulations = 5, n_boot = 20,
        resampling = resample_subsample(4, 0.5), seed = 1
      )
    }),
    plan(function(p) {
      estimate_stability(x, classes, filter_t, n_features = 2, n_weak = 2, n_simulations = 5,
        n_boot = 20, resampling = p, seed = 1
      )
    }, function(blocks) resample_subsample(4, 0.5, blocks = blocks))
  ),
  find_signals = list(
    one("y", classes, function(v) find_signals(x, v, permute = 19, seed = 1)),
    one("covariates", table_of, function(v) {
      find_signals(x, classes, covariates = v, permute = 19, seed = 1)
    }),
    one("blocks", patient, function(v) {
      find_signals(x, classes, blocks = v, permute = 19, seed = 1)
    }),
    one("within", patient, function(v) find_signals(x, classes, within = v, permute = 19, seed = 1))
  ),
  compare_cohorts = list(
    one("y", numbers, function(v) compare_cohorts(x, v, pieces, seed = 1)),
    one("cohorts", pieces, function(v) compare_cohorts(x, numbers, v, seed = 1))
  ),
  split_test = list(
    one("y", numbers, function(v) split_test(x, v, n_runs = 3, n_features = 1, seed = 1))
  ),
  test_signature = list(
    one("y", classes, function(v) {
      test_signature(x, v, features = 1:2, n_random = 19, permute = 2, seed = 1)
    }),
    one("covariates", age, function(v) {
      test_signature(x, classes, features = 1:2, n_random = 19, permute = 2, covariates = v,
        seed = 1
      )
    })
  ),
  evaluate_replication = list(
    one("y", classes, function(v) {
      evaluate_replication(stable(x, classes), x, v, n_pairs = 2, seed = 1)
    })
  ),
  estimate_sample_size = list(
    one("y", classes, function(v) {
      estimate_sample_size(filter_t, x, v, n_features = 2, n_pairs = 5, seed = 1)
    })
  ),
  estimate_error_rates = list(
    one("y", classes, function(v) {
      estimate_error_rates(stable(x, classes), x, v, n_true = 1, r_squared = 0.5, n_simulations = 2,
        seed = 1
      )
    })
  ),
  alternative_lists = list(
    one("y", classes, function(v) {
      alternative_lists(stable(x, classes), x, v, n_features = 1, max_steps = 2, seed = 1)
    })
  ),
  feature_effects = list(
    one("y", classes, function(v) feature_effects(stable(x, classes), x, v, features = 1:2))
  ),
  merge_runs = list(
    one("y", classes, function(v) {
      merge_runs(quick(x, classes), fealect(x, classes, n_runs = 4, n_boot = 0, seed = 2),
        x = x, y = v
      )
    })
  ),
  plot_values = list(one("y", classes, function(v) plot_values(colnames(x), x, v))),
  write_report = list(
    one("y", classes, function(v) {
      write_report(scored, withr::local_tempfile(fileext = ".html"), x = x, y = v)
      TRUE
    })
  ),
  write_tables = list(
    one("y", classes, function(v) {
      write_tables(scored, withr::local_tempdir(), x = x, y = v)
      TRUE
    })
  ),
  lars_path = list(
    one("y", numbers, function(v) lars_path(x, v)),
    one("weights", 1 + age^2, function(v) lars_path(x, numbers, weights = v))
  ),
  lasso_path = list(
    one("y", times, function(v) lasso_path(x, v)),
    one("covariates", age, function(v) lasso_path(x, classes, covariates = v)),
    one("strata", pieces, function(v) lasso_path(x, times, strata = v)),
    one("weights", 1 + age^2, function(v) lasso_path(x, numbers, weights = v)),
    one("offset", age, function(v) lasso_path(x, counts_of, "poisson", offset = v))
  ),
  fit_model = list(
    one("y", classes, function(v) fit_model(x, v, "g1")),
    one("covariates", table_of, function(v) fit_model(x, classes, "g1", covariates = v))
  ),
  score_features = list(
    one("y", classes, function(v) score_features(x, v, filter_t)),
    one("covariates", age, function(v) score_features(x, classes, filter_t, covariates = v)),
    one("weights", rep(1:2, n / 2), function(v) score_features(x, classes, filter_t, v))
  ),
  feature_importance = list(
    one("y", classes, function(v) feature_importance(model, x, v, n_repeats = 1, seed = 1)),
    one("dual", abs(age), function(v) feature_importance(v, x, classes, "svm"))
  ),
  prepare_study = list(
    one("y", classes, function(v) prepare_study(x, v)),
    one("covariates", table_of, function(v) prepare_study(x, classes, covariates = v)),
    one("blocks", patient, function(v) prepare_study(x, classes, blocks = v)),
    one("within", patient, function(v) prepare_study(x, classes, within = v))
  ),
  validate_model = list(
    one("y", classes, function(v) validate_model(model, new, v), "newdata"),
    one("covariates", data.frame(age = age), function(v) {
      validate_model(adjusted, new, classes, covariates = v)
    }, "newdata")
  ),
  predict = list(
    one("covariates", data.frame(age = age), function(v) predict(adjusted, new, covariates = v),
      "newdata"),
    one("covariates", data.frame(age = age), function(v) {
      predict(path, new, covariates = v, offset = age)
    }, "newdata"),
    one("offset", age, function(v) {
      predict(path, new, covariates = data.frame(age = age), offset = v)
    }, "newdata")
  ),
  measure_predictions = list(
    one("predicted", classes, function(v) {
      measure_predictions(stats::setNames(rev(classes), samples), v)
    }, "y"),
    one("probability", cbind(a = age^2, b = 1 - age^2), function(v) {
      measure_predictions(stats::setNames(classes, samples), classes, v)
    }, "y"),
    one("decision", cbind(a = age, b = -age), function(v) {
      measure_predictions(stats::setNames(classes, samples), classes, NULL, v)
    }, "y")
  ),
  draw_resamples = list(
    one("blocks", patient, function(v) {
      draw_resamples(resample_bootstrap(3, blocks = v), stats::setNames(numbers, samples), seed = 1)
    }, "y")
  ),
  resample_custom = list(
    one("blocks", patient, function(v) {
      resample_custom(counts = matrix(rep(0:1, each = 2, times = n), n,
        dimnames = list(samples, NULL)
      ), blocks = v)
    }, "counts")
  )
)

named <- function(value, labels) {
  if (inherits(value, "Surv")) {
    dimnames(value) <- NULL
    attributes(value)[c("dimnames", "inputAttributes")] <- NULL
    dimnames(value) <- list(labels, c("time", "status"))
    return(value)
  }
  if (length(dim(value)) == 2L) rownames(value) <- labels else names(value) <- labels
  value
}

turned <- function(value) {
  other <- c(2L, 1L, 3:n)
  if (length(dim(value)) == 2L && !inherits(value, "Surv")) {
    value[other, , drop = FALSE]
  } else {
    value[other]
  }
}

plain_result <- function(result) {
  if (inherits(result, "ggplot")) result$data else strip_closures(result)
}

test_that("every argument with one value a sample is in the table", {
  arguments <- c(
    "y", "covariates", "blocks", "within", "strata", "weights", "offset", "cohorts", "probability",
    "decision", "predicted"
  )
  for (verb in getNamespaceExports("stabilect")) {
    fun <- get(verb, asNamespace("stabilect"))
    method <- paste0(verb, ".default")
    if (exists(method, asNamespace("stabilect"))) fun <- get(method, asNamespace("stabilect"))
    wanted <- if (is.function(fun)) intersect(names(formals(fun)), arguments)
    # Plans and paths are given to verbs; y of draw_resamples() and measure_predictions() has no x.
    if (length(wanted) == 0L || grepl("^(resample|learner)_", verb) || verb == "path_control") next
    if (verb %in% c("draw_resamples", "measure_predictions")) wanted <- setdiff(wanted, "y")
    told <- vapply(cases[[verb]], `[[`, "", "argument")
    expect_identical(setdiff(wanted, told), character(), info = verb)
  }
})

for (verb in names(cases)) {
  test_that(paste0(verb, ": names in another order are refused with the call that repairs it"), {
    skip_if_not_installed("survival")
    for (case in cases[[verb]]) {
      info <- paste(verb, case$argument)
      own <- if (case$of == "newdata") rownames(new) else samples
      value <- named(case$value, own)
      wrong <- turned(value)
      error <- tryCatch(case$call(wrong), error = identity)
      expect_s3_class(error, "stabilect_error_input")
      text <- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error)))
      expect_match(text, sprintf("Sample name 1 of `%s` is \"%s\", of `%s` \"%s\"", case$argument,
        own[2], case$of, own[1]
      ), fixed = TRUE, info = info)
      advice <- regmatches(text, regexec("another order: use `(.*)`\\.", text))[[1]][2]
      frame <- list(wrong, x = x, newdata = new, y = stats::setNames(classes, samples),
        counts = matrix(0, n, 1, dimnames = list(samples, NULL)))
      names(frame)[1] <- case$argument
      repaired <- eval(parse(text = advice)[[1]], frame)
      expect_identical(unname(as.matrix(repaired)), unname(as.matrix(value)), info = info)
      expect_equal(plain_result(case$call(repaired)), plain_result(case$call(value)), info = info)
      other <- named(case$value, replace(own, 3, "stranger"))
      expect_error(case$call(other), "drop the names of one", class = "stabilect_error_input",
        info = info
      )
    }
  })
}

test_that("row numbers of a table are no names, in any argument", {
  skip_if_not_installed("survival")
  for (verb in names(cases)) {
    for (case in cases[[verb]]) {
      # As clin[train, ] of a table with 60 rows.
      rows <- as.character(seq_len(n) + 9L)
      value <- named(case$value, rows)
      expect_no_error(case$call(value))
      if (is.data.frame(case$value)) {
        rownames(value) <- as.integer(rows)
        expect_no_error(case$call(value))
      }
    }
  }
  # A table with row numbers, and tables and vectors with other row numbers or the same.
  genes <- as.data.frame(x)
  rownames(genes) <- NULL
  genes <- rbind(genes, genes + 1)[25:48, ]
  clinical <- rbind(table_of, table_of)[1:24 + 5L, ]
  expect_no_error(fit_model(genes, classes, "g1", covariates = clinical))
  same <- stats::setNames(numbers, rownames(genes))
  expect_no_error(fit_model(genes, same, "g1"))
  expect_error(fit_model(genes, rev(same), "g1"), "another order", class = "stabilect_error_input")
  counted <- stats::setNames(numbers, seq_len(n))
  expect_no_error(fit_model(genes, counted, "g1"))
  # Numbers that are names, in a matrix: other samples are refused.
  patients <- x
  rownames(patients) <- 1000L + seq_len(n)
  expect_error(fit_model(patients, stats::setNames(numbers, 2000L + seq_len(n)), "g1"),
    "drop the names of one", class = "stabilect_error_input"
  )
})

test_that("the remedy fits the form of the data", {
  skip_if_not_installed("survival")
  advice_of <- function(code) {
    error <- tryCatch(code, stabilect_error_input = identity)
    text <- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error)))
    regmatches(text, regexec("another order: use `(.*)`\\.", text))[[1]][2]
  }
  y <- stats::setNames(classes, samples)
  wrong <- rev(y)
  expect_identical(advice_of(fit_model(list(a = x, b = -x), wrong, 1)), "y[rownames(x[[1]])]")
  expect_identical(
    advice_of(quick(prepare_study(x, classes), weights = rev(stats::setNames(1:n, samples)))),
    "weights[rownames(x$x)]"
  )
  data <- data.frame(class = y, x)
  expect_identical(
    advice_of(fit_model(class ~ ., data, 1, covariates = table_of[24:1, ] |> named(samples[24:1]))),
    "covariates[rownames(data), ]"
  )
  times_named <- survival::Surv(stats::setNames(unclass(times)[, 1], samples), times[, 2])
  said <- advice_of(fit_model(x, rev(times_named), 1))
  y <- rev(times_named)
  expect_identical(eval(parse(text = said)[[1]])[1:24, 1], unname(times_named[, 1]))
  skip_if_not_installed("SummarizedExperiment")
  se <- SummarizedExperiment::SummarizedExperiment(list(values = t(x)))
  expect_identical(advice_of(fit_model(se, wrong, 1)), "y[colnames(x)]")
})

# What a user's function or argument returns for features.

shuffled <- function(values) stats::setNames(values, colnames(x))[c(4, 1, 6, 2, 5, 3)]
strange <- function(values) stats::setNames(values, c("g1", "g2", "g3", "g4", "g5", "other"))
score_of <- function(x, y) abs(drop(stats::cov(x, as.numeric(y))))
weigh <- function(form) {
  learner_custom(
    fit = function(x, y) score_of(x, y), predict = function(model, newdata) {
      c("a", "b")[1 + (newdata[, 1] > 0)]
    }, importance = function(model) form(model)
  )
}
wide <- selector_custom(function(x, y) score_of(x, y))
six <- select_ensemble(x, classes, filter_t, resample_bootstrap(6), n_features = 2, seed = 2)
sets <- list(c(g1 = 1, g4 = 4), c(g2 = 2, g1 = 1), c(g4 = 4))
some <- paste0("g", 1:6)

# @param plain,by_name,other (functions without arguments): values in order without names, the same
#   with names in another order, and with another name.
by_feature <- function(call, values = NULL) {
  list(
    plain = function() call(function(v) unname(v)), by_name = function() call(shuffled),
    other = function() call(strange)
  )
}
functions_of_users <- list(
  selector_custom = by_feature(function(form) {
    one <- selector_custom(function(x, y) form(score_of(x, y)))
    score_features(x, classes, one)$score
  }),
  selector_matrix = by_feature(function(form) {
    one <- selector_custom(function(x, y) as.matrix(form(score_of(x, y))))
    score_features(x, classes, one)$score
  }),
  select_ensemble = by_feature(function(form) {
    one <- selector_custom(function(x, y) form(score_of(x, y)))
    as.matrix(select_ensemble(x, classes, one, resample_bootstrap(4), n_features = 2, seed = 1)$
      selection$score)
  }),
  evaluate_selectors = by_feature(function(form) {
    one <- selector_custom(function(x, y) form(score_of(x, y)))
    evaluate_selectors(x, classes, one, n_features = 2, n_repeats = 2, aggregation = list(),
      learner = NULL, seed = 1
    )$table
  }),
  eliminate_features = by_feature(function(form) {
    # A learner of two columns has their two names.
    inner <- function(v) {
      named <- stats::setNames(rev(v), rev(names(v)))
      if (identical(form, shuffled)) named else if (identical(form, strange)) {
        stats::setNames(v, rev(paste0("q", seq_along(v))))
      } else {
        unname(v)
      }
    }
    eliminate_features(x, classes, weigh(inner), resampling = resample_folds(3), seed = 1)$table
  }),
  caret_functions = by_feature(function(form) {
    skip_if_not_installed("caret")
    own <- caret_functions(weigh(form))
    own$rank(own$fit(x, classes), x, classes)
  }),
  aggregate_by = by_feature(function(form) {
    rule <- aggregate_by(function(selection) form(rowMeans(as.matrix(selection$score))))
    stats::aggregate(six, rule)$table
  }),
  select_ensemble_aggregation = by_feature(function(form) {
    rule <- aggregate_by(function(selection) form(rowMeans(as.matrix(selection$score))))
    plan <- resample_bootstrap(4)
    select_ensemble(x, classes, filter_t, plan, rule, n_features = 2, seed = 1)$table
  }),
  importance_of_selection = by_feature(function(form) {
    runs <- as_selection(matrix(1, 3, 6, dimnames = list(NULL, some)))
    own <- if (identical(form, shuffled)) form(1:6) else if (identical(form, strange)) {
      form(1:6)
    } else {
      1:6
    }
    as.matrix(as_selection(runs, importance = cbind(own, own, own))$importance)
  }),
  as_selection_matrix = by_feature(function(form) {
    m <- do.call(rbind, lapply(1:3, function(k) form(c(3, 1, 0, 0, 2, 0) * (1:6 > k))))
    as.matrix(as_selection(m, type = "weight", feature_names = some)$score)
  }),
  as_selection_ranks = by_feature(function(form) {
    m <- do.call(rbind, lapply(1:3, function(k) form(c(3, 1, 6, 5, 2, 4))))
    as.matrix(as_selection(m, type = "rank", n_features = 2, feature_names = some)$selected)
  }),
  penalty = by_feature(function(form) {
    as.matrix(lasso_path(x, numbers, penalty = form(1:6 / 2), lambda = 0.1)$coefficients)
  }),
  clusters = by_feature(function(form) {
    stable(x, classes, clusters = form(c(1, 1, 2, 2, 3, 4)))$members
  }),
  groups = by_feature(function(form) {
    group_features(six, form(c("u", "u", "v", "v", "w", "w")))$table
  }),
  similarity = by_feature(function(form) {
    runs <- as_selection(matrix(c(1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1), 2,
      dimnames = list(NULL, some)
    ))
    stability(runs, "zucknick", similarity = form(c("u", "u", "v", "v", "w", "w")))$value
  })
)

for (name in names(functions_of_users)) {
  test_that(paste0(name, ": values for features are matched by name, other names are refused"), {
    one <- functions_of_users[[name]]
    expect_equal(one$by_name(), one$plain())
    # An evaluation records failures.
    if (name != "evaluate_selectors") expect_error(one$other(), class = "stabilect_error")
  })
}

test_that("a selector whose names do not fit says which", {
  expect_match(
    message_of(score_features(x, classes, selector_custom(function(x, y) strange(score_of(x, y)))),
      "stabilect_error_runs"),
    "a value named \"other\", which is not a feature"
  )
  with_intercept <- selector_custom(function(x, y) c("(Intercept)" = 1, score_of(x, y)))
  said <- message_of(score_features(x, classes, with_intercept), "stabilect_error_runs")
  expect_match(said, "(Intercept)", fixed = TRUE)
  twice <- selector_custom(function(x, y) stats::setNames(score_of(x, y), c("g1", some[1:5])))
  said <- message_of(score_features(x, classes, twice), "stabilect_error_runs")
  expect_match(said, "two values named \"g1\"")
  # The example of a sorted ranking: the features of noise are not the first columns.
  sorted <- selector_custom(function(x, y) sort(score_of(x, y), decreasing = TRUE))
  expect_identical(score_features(x, classes, sorted), score_features(x, classes, wide))
  screened <- selector_screened(sorted, filter_t, 4)
  expect_equal(
    score_features(x, classes, screened),
    score_features(x, classes, selector_screened(wide, filter_t, 4))
  )
})

test_that("numbers of features that bring names must agree with them", {
  expect_identical(
    as_selection(sets, feature_names = some)$selected,
    as_selection(lapply(sets, names), feature_names = some)$selected
  )
  moved <- list(c(g1 = 1, g4 = 4), c(g2 = 1))
  expect_error(as_selection(moved, n_total = 6), "called \"g2\" in one set, and \"g1\"",
    class = "stabilect_error_input"
  )
  expect_error(as_selection(list(c(g4 = 1)), feature_names = some), "called \"g4\"",
    class = "stabilect_error_input"
  )
  # Names that are others altogether are new names.
  m <- matrix(c(1, 0, 1, 1), 2, dimnames = list(NULL, c("u", "v")))
  expect_identical(as_selection(m, feature_names = c("k", "l"))$feature_names, c("k", "l"))
  expect_error(as_selection(m, feature_names = c("k", "v")), "is not in `feature_names`",
    class = "stabilect_error_input"
  )
  similar <- diag(6)
  dimnames(similar) <- list(some, rev(some))
  expect_error(stability(six, "zucknick", similarity = similar), "in one order",
    class = "stabilect_error_input"
  )
})
