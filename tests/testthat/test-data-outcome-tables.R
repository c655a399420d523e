# Which verb takes which outcome: the table of ?stabilect against what the verbs do.

d <- survival_design(n = 30, p = 6, seed = 12)
outcomes <- list(
  binary = factor(rep(c("a", "b"), 15)), multiclass = factor(rep(c("a", "b", "c"), 10)),
  ordered = factor(rep(c("lo", "mid", "hi"), 10), c("lo", "mid", "hi"), ordered = TRUE),
  numeric = d$x[, 1] + d$x[, 2], survival = surv_of(d)
)
# A selector that takes the outcome.
filter_for <- function(type) {
  selector_filter(switch(type, survival = "cox", numeric = "pearson", "anova"))
}

calls <- list(
  find_signals = function(y, type) find_signals(d$x, y, seed = 1),
  split_test = function(y, type) split_test(d$x, y, n_runs = 4, n_folds = 3, seed = 1),
  fealect = function(y, type) fealect(d$x, y, n_runs = 5, oob = FALSE, seed = 1),
  stability_selection = function(y, type) {
    stability_selection(d$x, y, q = 2, cutoff = 0.9, n_pairs = 3, seed = 1)
  },
  bolasso = function(y, type) {
    bolasso(d$x, y, lambda = 0.1, resampling = resample_bootstrap(4), seed = 1)
  },
  lars_path = function(y, type) lars_path(d$x, y),
  lasso_path = function(y, type) lasso_path(d$x, y),
  select_ensemble = function(y, type) {
    select_ensemble(d$x, y, filter_for(type), resample_bootstrap(4), n_features = 2, seed = 1)
  },
  estimate_stability = function(y, type) {
    estimate_stability(
      d$x, y, filter_for(type), n_features = 2, n_weak = 2, resampling = resample_bootstrap(6),
      n_simulations = 5, n_boot = 20, seed = 1
    )
  },
  score_features = function(y, type) score_features(d$x, y, filter_for(type)),
  eliminate_features = function(y, type) {
    eliminate_features(d$x, y, search = search_sizes(c(6, 3)), seed = 1)
  },
  evaluate_elimination = function(y, type) {
    evaluate_elimination(
      d$x, y, outer = resample_folds(2), resampling = resample_folds(2),
      search = search_sizes(c(6, 3)), seed = 1
    )
  },
  hybrid_rfe = function(y, type) {
    hybrid_rfe(d$x, y, n_features = 3, n_stable = 2, resampling = resample_bootstrap(3), seed = 1)
  },
  tune_tradeoff = function(y, type) {
    tune_tradeoff(d$x, y, list(k = 2:3), function(k) {
      numbers <- type %in% c("numeric", "survival")
      learner <- if (numbers) learner_ridge() else learner_lda()
      list(selector = filter_for(type), learner = learner, n_features = k)
    }, resampling = resample_bootstrap(3), seed = 1)
  },
  evaluate_selectors = function(y, type) {
    evaluate_selectors(
      d$x, y, filter_for(type), n_features = 2, n_repeats = 2, resampling = resample_bootstrap(3),
      seed = 1
    )
  },
  evaluate_replication = function(y, type) {
    rule <- function(x, y, ...) {
      select_ensemble(x, y, filter_for(type), resample_bootstrap(3), n_features = 2, ...)
    }
    evaluate_replication(rule, d$x, y, n_pairs = 2, n_features = 2, seed = 1)
  },
  alternative_lists = function(y, type) {
    rule <- function(x, y, ...) {
      select_ensemble(x, y, filter_for(type), resample_bootstrap(3), n_features = 2, ...)
    }
    if (type == "count") rule <- fealect(d$x, y, n_runs = 5, family = "poisson", seed = 1)
    alternative_lists(rule, d$x, y, n_features = 1, max_steps = 2, seed = 1)
  },
  feature_effects = function(y, type) {
    family <- if (type == "count") "poisson"
    fit <- fealect(d$x, y, n_runs = 5, family = family, seed = 1)
    feature_effects(fit, d$x, y, features = 1:2)
  },
  compare_cohorts = function(y, type) compare_cohorts(d$x, y),
  test_signature = function(y, type) {
    family <- if (type == "count") "poisson"
    test_signature(d$x, y, 1:2, n_random = 20, permute = 2, family = family, seed = 1)
  },
  estimate_sample_size = function(y, type) {
    estimate_sample_size(filter_for(type), d$x, y, n_features = 2, n_pairs = 5, seed = 1)
  },
  fit_model = function(y, type) fit_model(d$x, y),
  estimate_error_rates = function(y, type) {
    estimate_error_rates(list(s = function(x, y, ...) {
      stability_selection(x, y, q = 2, cutoff = 0.9, n_pairs = 2, ...)
    }), d$x, y, n_true = 2, n_simulations = 2, seed = 1)
  }
)

test_that("every verb takes the outcomes of the table and refuses the others, naming verbs", {
  expect_setequal(names(calls), known_verbs())
  for (verb in names(calls)) {
    for (type in names(outcomes)) {
      result <- suppressWarnings(tryCatch(
        calls[[verb]](outcomes[[type]], type), error = function(e) e
      ))
      info <- paste(verb, type)
      if (type %in% takes_of(verb)) {
        expect_false(inherits(result, "error"), info = paste(info, format(result)[1]))
      } else {
        expect_s3_class(result, "stabilect_error_input")
        text <- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(result)))
        expect_match(text, "`y` holds .* but .* is for", info = info)
        expect_match(text, "select_ensemble\\(\\).* take ", info = info)
      }
    }
  }
})

test_that("verbs name outcomes that there are, each at a place of its own in the tables", {
  verbs <- verb_registry$all()
  named <- unlist(lapply(verbs, function(one) c(one$only, one$without)))
  expect_identical(setdiff(named, names(outcome_records())), character())
  expect_identical(anyDuplicated(vapply(verbs, `[[`, 0, "place")), 0L)
  expect_identical(takes_of("hybrid_rfe"), "binary")
  expect_identical(takes_of("select_ensemble"), setdiff(names(outcome_records()), "count"))
  expect_identical(takes_of("no_verb"), character())
  for (type in names(outcomes)) {
    taken <- vapply(names(verbs), function(verb) type %in% takes_of(verb), NA)
    expect_identical(verbs_that_take(type), names(verbs)[taken])
  }
})

test_that("the table of ?stabilect is that of the code", {
  page <- sources("man", "stabilect-package.Rd")
  text <- gsub("\\s+", " ", paste(readLines(page), collapse = " "))
  for (verb in known_verbs()) {
    flags <- ifelse(names(outcomes) %in% takes_of(verb), "yes", "")
    row <- paste0(verb, "()}} \\tab ", paste(flags, collapse = " \\tab "))
    expect_true(grepl(gsub("\\s+", " ", row), text, fixed = TRUE), info = verb)
  }
})

test_that("the table of covariates is that of the arguments", {
  verbs <- union(known_verbs(), "validate_model")
  takes <- vapply(verbs, function(verb) {
    method <- utils::getS3method(verb, "default", optional = TRUE)
    fun <- if (is.null(method)) getExportedValue("stabilect", verb) else method
    "covariates" %in% arguments_of(fun)
  }, NA)
  expect_setequal(verbs[takes], names(covariate_verbs))
  page <- sources("man", "stabilect-package.Rd")
  text <- paste(readLines(page), collapse = " ")
  for (verb in names(covariate_verbs)) {
    expect_match(text, paste0(verb, "()}} \\tab ", substr(covariate_verbs[[verb]], 1, 20)),
      fixed = TRUE
    )
  }
})
