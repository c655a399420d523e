# Every line under "Next" is a call that runs on the result as printed. Results of every kind, in
# every state, are printed; the calls are taken from the lines and run.

next_data <- function(kind = "binary", effect = 1.5, n = 40, p = 14) {
  withr::with_seed(1, {
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    z <- data.frame(age = stats::rnorm(n), sex = rep(c("f", "m"), length.out = n))
    link <- effect * (x[, 1] - x[, 2]) + stats::rnorm(n)
    y <- switch(kind,
      binary = factor(ifelse(link > 0, "ill", "well")), numeric = link,
      multiclass = cut(link, c(-Inf, -1, 1, Inf), c("low", "mid", "high")),
      count = stats::rpois(n, exp(link / 3 + 0.5)),
      survival = new_surv(exp(-link / 2), rep(c(1, 1, 1, 0), length.out = n))
    )
    x_new <- x + stats::rnorm(n * p, sd = 0.01)
    list(x = x, y = y, z = z, new_x = x_new, new_y = y, new_z = z)
  })
}

# Calls under "Next", and for what they are.
calls_in <- function(lines) {
  at <- which(lines == "Next")
  if (length(at) == 0L) {
    return(character())
  }
  testthat::expect_length(at, 1L)
  below <- lines[-seq_len(at)]
  testthat::expect_match(below, "^  [^ ].*  [a-z]|^  [^ ].*[)]$|^ {40}[a-z]")
  calls <- grep("^  [^ ]", below, value = TRUE)
  trimws(sub("  +[^ ].*$", "", trimws(calls)))
}

# Without pictures where ggplot2 is not there.
can_run <- function(call) {
  requireNamespace("ggplot2", quietly = TRUE) || !grepl("^plot|^write_report", call)
}

# As printed, with fewer repetitions than the defaults to take less time.
quick_call <- function(call) {
  folds <- quote(resample_folds(3))
  call <- str2lang(call)
  fewer <- switch(deparse(call[[1]]),
    estimate_sample_size = list(n_pairs = 5), evaluate_replication = list(n_pairs = 2),
    estimate_error_rates = list(n_simulations = 2), find_signals = list(permute = 99),
    fealect = list(n_runs = 10, n_boot = 5),
    stability_selection = list(n_pairs = 5), eliminate_features = list(resampling = folds),
    evaluate_elimination = list(outer = folds, resampling = folds),
    tune_tradeoff = list(resampling = quote(resample_bootstrap(5)))
  )
  if (!is.null(call$permute)) call$permute <- 9
  as.call(c(as.list(call), fewer))
}

run_next <- function(fit, data, done = new.env(), least = 1L) {
  lines <- capture.output(print(fit))
  testthat::expect_lte(max(nchar(lines[cumsum(lines == "Next") > 0L]), 0L), 80L)
  calls <- calls_in(lines)
  testthat::expect_gte(length(calls), least)
  here <- list2env(c(list(fit = fit, d = data), data), parent = globalenv())
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  withr::local_pdf(NULL)
  for (call in Filter(can_run, calls)) {
    # Those that ask nothing of this very result run once for its kind.
    key <- paste(if (grepl("\\bfit\\b", call)) class(fit)[1], call, class(data$y)[1])
    if (grepl("\\((fit, )?(x, y|d\\$x, d\\$y)", call) && !is.null(done[[key]])) next
    value <- tryCatch(
      withr::with_seed(1, utils::capture.output(suppressMessages(eval(quick_call(call), here)))),
      error = identity
    )
    why <- if (inherits(value, "error")) conditionMessage(value) else "none"
    testthat::expect_identical(why, "none", info = paste(class(fit)[1], call))
    assign(key, TRUE, envir = done)
  }
  invisible(calls)
}

# By themselves the data know nothing of blocks, nor what was done with missing values.
expect_of_study <- function(calls, study) {
  verbs <- setdiff(calls, study)
  alone <- grep("x, y|x, d\\$y", verbs, value = TRUE)
  testthat::expect_identical(alone, character(), info = paste(calls, collapse = "; "))
  testthat::expect_identical(any(grepl("study[,)]", verbs)), calls[1] %in% study)
}

test_that("what is next runs, after lists of two classes and of noise", {
  library(stabilect)
  done <- new.env()
  for (effect in c(1.5, 0)) {
    d <- next_data(effect = effect)
    run <- function(fit) run_next(fit, d, done)
    run(fealect(d$x, d$y, n_runs = 10, n_boot = 5, seed = 1))
    run(fealect(d$x, d$y, n_runs = 10, n_boot = 5, permute = 19, seed = 1))
    run(fealect(d$x, d$y, n_runs = 10, n_boot = 5, oob = FALSE, seed = 1))
    run(stability_selection(d$x, d$y, n_pairs = 10, seed = 1))
    run(stability_selection(d$x, d$y, n_pairs = 10, q = 2, pfer = 1, seed = 1))
    run(bolasso(d$x, d$y, n_runs = 5, n_folds = 5, seed = 1))
    run(select_ensemble(d$x, d$y, selector_filter("t"), n_features = 3, seed = 1))
    run(find_signals(d$x, d$y, permute = 99, seed = 1))
    run(split_test(d$x, d$y, n_runs = 5, n_features = 3, seed = 1))
  }
})

test_that("what is next runs, for every outcome, with covariates and clusters", {
  library(stabilect)
  done <- new.env()
  for (kind in c("numeric", "multiclass", "count", "survival")) {
    for (effect in c(1.5, 0)) {
      d <- next_data(kind, effect)
      run <- function(fit) run_next(fit, d, done)
      family <- if (kind == "count") "poisson"
      run(fealect(d$x, d$y, n_runs = 10, n_boot = 5, family = family, seed = 1))
      run(stability_selection(d$x, d$y, n_pairs = 10, family = family, seed = 1))
      if (effect > 0) run(bolasso(d$x, d$y, n_runs = 5, n_folds = 5, family = family, seed = 1))
      model <- if (kind == "count") "ridge_poisson"
      run(fit_model(d$x, d$y, c("g1", "g2"), model = model))
    }
  }
  d <- next_data()
  run <- function(fit, ...) run_next(fit, d, done, ...)
  run(fealect(d$x, d$y, n_runs = 10, n_boot = 5, covariates = d$z, seed = 1))
  run(stability_selection(d$x, d$y, n_pairs = 10, covariates = d$z, seed = 1))
  run(bolasso(d$x, d$y, n_runs = 5, n_folds = 5, covariates = d$z, seed = 1))
  run(find_signals(d$x, d$y, permute = 99, covariates = d$z, seed = 1))
  run(fit_model(d$x, d$y, c("g1", "g2"), covariates = d$z))
  clusters <- cluster_features(d$x, 0.2)
  run(fealect(d$x, d$y, n_runs = 10, n_boot = 5, clusters = clusters, seed = 1))
  run(stability_selection(
    d$x, d$y, q = 2, pfer = 1, n_pairs = 10, clusters = clusters, seed = 1
  ))
  run(find_signals(d$x, d$y, permute = 99, clusters = clusters, seed = 1))
})

test_that("what is next runs, after merging, and after custom resamples", {
  library(stabilect)
  d <- next_data()
  parts <- lapply(1:2, function(seed) fealect(d$x, d$y, n_runs = 10, n_boot = 5, seed = seed))
  run_next(merge_runs(parts[[1]], parts[[2]]), d)
  run_next(merge_runs(parts[[1]], parts[[2]], x = d$x, y = d$y), d)
  own <- resample_custom(lapply(1:6, function(b) setdiff(1:40, b + 0:9)), n = 40)
  run_next(fealect(d$x, d$y, resampling = own, n_boot = 5, seed = 1), d)
})

test_that("what is next runs, after eliminations, evaluations and settings", {
  library(stabilect)
  d <- next_data()
  done <- new.env()
  run <- function(fit, ...) run_next(fit, d, done, ...)
  folds <- resample_folds(3)
  run(eliminate_features(d$x, d$y, resampling = folds, seed = 1))
  run(eliminate_features(d$x, d$y, resampling = folds, refit = FALSE, seed = 1))
  run(evaluate_elimination(d$x, d$y, outer = folds, resampling = folds, seed = 1))
  run(eliminate_features(
    d$x, d$y, learner_logistic(), resampling = folds, covariates = d$z, seed = 1
  ))
  few <- resample_bootstrap(6)
  run(hybrid_rfe(d$x, d$y, n_features = 3, n_stable = 2, resampling = few, seed = 1))
  tradeoff <- tune_tradeoff(
    d$x, d$y, grid = list(n_stable = c(0, 2)), n_features = 3, resampling = few, seed = 1
  )
  run(tradeoff)
  run(pareto_front(tradeoff))
  run(evaluate_selectors(
    d$x, d$y, selector_filter("t"), n_features = 3, n_repeats = 2, resampling = few, seed = 1
  ))
  errors <- withr::with_seed(1, matrix(stats::runif(24), 8, dimnames = list(NULL, letters[1:3])))
  run(compare_methods(errors, direction = "min"))
  fit <- fealect(d$x, d$y, n_runs = 10, n_boot = 5, seed = 1)
  run(evaluate_replication(fit, d$x, d$y, n_pairs = 2, n_features = 2, seed = 1))
  run(alternative_lists(fit, d$x, d$y, n_features = 1, max_steps = 2, seed = 1))
  run(feature_effects(fit, d$x, d$y, features = 1:2))
  d$other <- compare_cohorts(d$new_x, d$new_y)
  run_next(compare_cohorts(d$x, d$y), d, done)
  run(test_signature(d$x, d$y, 1:2, n_random = 20, permute = 2, seed = 1))
  plan <- estimate_sample_size(
    selector_filter("t"), d$x, d$y, n_features = 2, n_pairs = 5, seed = 1
  )
  run(plan)
  stable <- stability_selection(d$x, d$y, q = 2, cutoff = 0.9, n_pairs = 10, seed = 1)
  run(estimate_error_rates(
    stable, d$x, d$y, n_true = 2, r_squared = 0.5, n_simulations = 2, seed = 1
  ))
})

test_that("what is next runs, after measures of runs", {
  library(stabilect)
  d <- next_data()
  done <- new.env()
  run <- function(fit, ...) run_next(fit, d, done, ...)
  ensemble <- select_ensemble(d$x, d$y, selector_filter("t"), n_features = 3, seed = 1)
  run(ensemble$selection)
  run(ensemble$ranking)
  run(stability(ensemble))
  run(explain_stability(ensemble))
  run(as_selection(list(c("a", "b"), c("a", "c"), c("b", "c")), feature_names = letters[1:6]))
  run(as_selection(list(c("a", "b"), c("a", "c")), feature_names = letters[1:6]), least = 0L)
  estimate <- estimate_stability(
    ensemble, n_weak = c(2, 5), n_simulations = 5, n_boot = 20, seed = 1
  )
  run(estimate)
  run(anova(estimate, n_simulations = 5, seed = 1))
  d$selector <- selector_filter("t")
  run_next(estimate_ensemble_size(
    0.3, n_total = 50, n_features = 4, n_useful = 8, p = 0.8, n_simulations = 5, budget = 4,
    seed = 1
  ), d, done)
  run(estimate_ensemble_size(
    0.99, n_total = 50, n_features = 4, n_useful = 40, p = 0.1, n_simulations = 5, budget = 4,
    seed = 1
  ), least = 0L)
  run(simulate_stability(50, 5, 10, 0.5, n_weak = 1, n_simulations = 5, seed = 1))
})

test_that("samples in blocks stay in them in what is next", {
  library(stabilect)
  for (effect in c(1.5, 0)) {
    d <- next_data("numeric", effect, n = 60)
    d$patient <- rep(1:30, each = 2)
    prepared <- prepare_study(d$x, d$y, blocks = d$patient)
    fits <- list(
      fealect(prepared, n_runs = 10, n_boot = 5, seed = 1),
      stability_selection(prepared, n_pairs = 10, seed = 1),
      stability_selection(
        d$x, d$y, resampling = resample_pairs(10, blocks = d$patient), seed = 1
      ),
      bolasso(prepared, n_runs = 5, n_folds = 5, seed = 1),
      select_ensemble(prepared, selector = selector_filter("pearson"), n_features = 3, seed = 1),
      find_signals(prepared, permute = 99, seed = 1),
      find_signals(d$x, d$y, blocks = d$patient, covariates = d$z, permute = 99, seed = 1),
      eliminate_features(prepared, resampling = resample_folds(3), seed = 1),
      fit_model(prepared, features = c("g1", "g2")),
      evaluate_replication(function(x, y) stability_selection(x, y, n_pairs = 5), prepared,
        n_pairs = 2, seed = 1
      )
    )
    for (fit in fits) {
      calls <- run_next(fit, d)
      expect_of_study(calls, c(
        "study <- prepare_study(x, y, blocks = patient)",
        "study <- prepare_study(d$x, d$y, blocks = patient)",
        "study <- prepare_study(d$x, d$y, blocks = d$patient)"
      ))
    }
  }
})

test_that("data that were prepared are prepared in what is next", {
  library(stabilect)
  for (effect in c(1.5, 0)) {
    d <- next_data(effect = effect, n = 60)
    d$x[cbind(1:3, 4:6)] <- NA
    site <- factor(rep(c("a", "b", "c"), 20))
    d$x <- data.frame(d$x, site = site)
    d$new_x <- data.frame(d$new_x, site = site)
    prepared <- prepare_study(d$x, d$y, na = "median", factors = "columns")
    d$prepared <- prepared
    fits <- list(
      fealect(prepared, n_runs = 10, n_boot = 5, seed = 1),
      stability_selection(prepared, n_pairs = 10, q = 2, pfer = 1, seed = 1),
      select_ensemble(prepared, selector = selector_filter("t"), n_features = 3, seed = 1),
      find_signals(prepared, permute = 99, seed = 1),
      eliminate_features(prepared, resampling = resample_folds(3), seed = 1),
      split_test(prepared, n_runs = 5, n_features = 3, seed = 1)
    )
    # By the name that they have in the call, else as they were made.
    calls <- unlist(lapply(fits, run_next, d))
    expect_gte(sum(grepl("\\bprepared\\b", calls)), 5L)
    expect_false(any(grepl("\\bstudy\\b|\\bx, y\\b|d\\$x", calls)))
    inline <- fealect(
      prepare_study(d$x, d$y, na = "median", factors = "columns"), n_runs = 10, n_boot = 5, seed = 1
    )
    expect_of_study(
      run_next(inline, d), "study <- prepare_study(x, y, na = \"median\", factors = \"columns\")"
    )
    d$table <- prepare_study(d$x, na = "median", factors = "columns")
    table <- d$table
    y <- d$y
    calls <- run_next(fealect(table, y, n_runs = 10, n_boot = 5, seed = 1), d)
    expect_true(any(grepl("(table, y)", calls, fixed = TRUE)))
    expect_false(any(grepl("study", calls, fixed = TRUE)))
    d$patient <- rep(1:30, each = 2)
    fit <- fealect(
      prepare_study(d$x[-15], d$y, na = "omit", blocks = d$patient), n_runs = 10, n_boot = 5,
      seed = 1
    )
    d[c("x", "new_x")] <- list(d$x[-15], d$new_x[-15])
    expect_of_study(
      run_next(fit, d), "study <- prepare_study(x, y, na = \"omit\", blocks = patient)"
    )
  }
})

test_that("what data brought when they were prepared is brought again", {
  library(stabilect)
  d <- next_data("numeric", n = 60)
  d$x[1:2, 4] <- NA
  d$patient <- rep(1:30, each = 2)
  fit <- stability_selection(
    prepare_study(d$x, d$y, na = "omit", within = d$patient), n_pairs = 10, seed = 1
  )
  calls <- run_next(fit, d)
  expect_of_study(calls, "study <- prepare_study(x, y, na = \"omit\", within = patient)")
  fit <- stability_selection(
    prepare_study(d$x, d$y, na = "omit", covariates = d$z), n_pairs = 10, seed = 1
  )
  calls <- run_next(fit, d)
  expect_of_study(calls, "study <- prepare_study(x, y, na = \"omit\", covariates = z)")
  # As they were named.
  d$x <- data.frame(d$x, id = paste0("p", d$patient), d$z)
  prepared <- prepare_study(d$x[-16:-17], d$y, na = "omit", blocks = "id")
  by_name <- run_next(
    stability_selection(
      prepare_study(d$x[-16:-17], d$y, na = "omit", blocks = "id"), n_pairs = 10, seed = 1
    ), c(list(x = d$x[-16:-17]), d[-1])
  )
  expect_of_study(by_name, "study <- prepare_study(x, y, na = \"omit\", blocks = \"id\")")
  # Where there is room.
  prepared <- prepare_study(d$x, d$y, na = "omit", blocks = "id", covariates = c("age", "sex"))
  expect_identical(
    unname(next_study(stability_selection(prepared, n_pairs = 10, seed = 1))),
    "study <- prepare_study(x, y, na = \"omit\", blocks = patient, covariates = z)"
  )
})

test_that("an elimination goes on with its learner", {
  library(stabilect)
  d <- next_data()
  d$learner <- learner_custom(
    function(x, y) list(y = y, p = ncol(x)),
    function(model, newdata) rep(model$y[1], nrow(newdata)),
    importance = function(model) rev(seq_len(model$p))
  )
  folds <- resample_folds(3)
  learners <- list(
    "learner = learner)" = d$learner,
    "learner = learner_svm(cost = 2)" = learner_svm(cost = 2),
    "learner = learner_logistic()" = learner_logistic(), "evaluate_elimination(d$x, d$y)" = NULL
  )
  for (text in names(learners)) {
    fit <- eliminate_features(d$x, d$y, learners[[text]], resampling = folds, seed = 1)
    expect_true(any(grepl(text, run_next(fit, d), fixed = TRUE)), info = text)
  }
})

test_that("data are called in what is next as in the call that made the result", {
  calls <- c(
    a = "stability_selection(x, y, covariates = z, weights = w)", b = "fealect(fit, x, y)",
    c = "study <- prepare_study(x, y, blocks = patient)", d = "cluster_features(x)",
    e = "predict(fit, new_x, covariates = new_z)"
  )
  said_of <- function(made) unname(in_words_of_call(calls, made))[1:4]
  usual <- unname(calls[1:4])
  said <- list(
    "fealect(type ~ ., data = d, covariates = \"age\")" = c(
      "stability_selection(type ~ ., d, covariates = \"age\", weights = w)",
      "fealect(fit, type ~ ., d)", "study <- prepare_study(type ~ ., d, blocks = patient)",
      "cluster_features(x)"
    ),
    "stabilect::fealect(s$x, y = s$y, weights = s$w[1:9], blocks = s$id)" = c(
      "stability_selection(s$x, s$y, covariates = z, weights = s$w[1:9])",
      "fealect(fit, s$x, s$y)", "study <- prepare_study(s$x, s$y, blocks = s$id)",
      "cluster_features(s$x)"
    ),
    "evaluate_replication(fit, genes, \"a\\\\b\", n_pairs = 2)" = c(
      "stability_selection(genes, \"a\\\\b\", covariates = z, weights = w)",
      "fealect(fit, genes, \"a\\\\b\")",
      "study <- prepare_study(genes, \"a\\\\b\", blocks = patient)", "cluster_features(genes)"
    ),
    "fealect(y ~ a + b)" = c(
      "stability_selection(y ~ a + b, covariates = z, weights = w)", "fealect(fit, y ~ a + b)",
      "study <- prepare_study(y ~ a + b, blocks = patient)", "cluster_features(x)"
    )
  )
  for (made in names(said)) expect_identical(said_of(made), said[[made]], info = made)
  # Of a study, a result, values in the call, what is long, and of no call it cannot be known.
  for (made in list(
    "fealect(s)", "stability_selection(fit, q = 3)", "fealect(`<matrix>`, y)", "merge_runs(a, b)",
    sprintf("fealect(as.matrix(d[, c(%s)]), d$low)", toString(1001:1010)), "own(d$x, d$y)",
    "fealect(d$x, d$y, ...)", NA_character_, NULL
  )) {
    expect_identical(said_of(made), usual)
  }
  expect_named(in_words_of_call(calls, "fealect(d$x, d$y)"), names(calls))
  # A formula of seven columns fits, in every line.
  seven <- "factor(low) ~ age + lwt + smoke + ptl + ht + ui + ftv, birthwt"
  long <- in_words_of_call(c(calls, "estimate_sample_size(selector_filter(\"t\"), x, y)"),
    sprintf("find_signals(%s, seed = 1)", seven)
  )
  expect_true(all(grepl(seven, long[c(1:3, 6)], fixed = TRUE)))
})

test_that("no call that forgets weights or an offset is next", {
  d <- next_data("numeric", 0)
  for (given in list(list(weights = rep(1:2, 20)), list(offset = rep(c(0, 0.1), 20)))) {
    fit <- do.call(stability_selection, c(d[c("x", "y")], given, n_pairs = 10, seed = 1))
    expect_false(any(grepl("find_signals", next_of(fit))))
  }
})
