# Methods take `...` because their generic does. An argument that a method does not know is refused
# and never ignored: `predict(fit, x, types = "probability")` must not return classes.

# Those that R or other packages call with arguments of their own: printing and formatting,
# data.frame(), subsetting and the generics of recipes.
passing_on <- c(
  "print", "format", "facts_of", "as.data.frame", "$", "[", "c", "dim", "dimnames", "prep", "bake",
  "tunable", "required_pkgs", "procedure_of", "agreement_of", "judge_runs", "has_rank",
  "methods_further"
)
# Methods for objects of other packages, which test-result-import.R has, and the step of a recipe.
foreign <- c(
  "Boruta", "EnsembleFSResult", "cv.glmnet", "rfe", "stabsel", "variable_selection",
  "step_select_stable"
)

d <- withr::with_seed(1, {
  x <- matrix(stats::rnorm(24 * 8), 24, dimnames = list(NULL, paste0("g", 1:8)))
  y <- factor(rep(c("ill", "well"), length.out = 24))
  x[, 1:2] <- x[, 1:2] + 1.2 * (y == "ill")
  list(x = x, y = y)
})

one_doctor <- function(d) {
  samples <- paste0("s", 1:24)
  labels <- stats::setNames(2 - as.integer(d$y), samples)
  rownames(d$x) <- samples
  train.doctor(d$x, labels, samples[1:16], samples[17:24], colnames(d$x), 3)
}

objects_of_every_class <- function(d) {
  plan <- resample_bootstrap(6)
  fit <- fealect(d$x, d$y, resampling = resample_subsample(8, 0.7), n_boot = 5, seed = 1)
  ensemble <- select_ensemble(
    d$x, d$y, selector_filter("t"), plan, n_features = 3, seed = 1
  )
  stable <- stability(ensemble$selection, seed = 1)
  evaluation <- evaluate_selectors(
    d$x, d$y, selector_filter("t"), n_features = 3, n_repeats = 2,
    resampling = resample_bootstrap(3), seed = 1
  )
  estimate <- estimate_stability(
    ensemble$selection, n_weak = 2, n_simulations = 5, n_boot = 20, seed = 1
  )
  errors <- withr::with_seed(1, matrix(stats::runif(24), 8, dimnames = list(NULL, letters[1:3])))
  permuted <- select_ensemble(
    d$x, d$y, selector_filter("t"), resampling = plan, n_features = 3, permute = 2, seed = 1
  )
  list(
    error_rates = estimate_error_rates(
      stability_selection(d$x, d$y, q = 2, cutoff = 0.9, n_pairs = 4, seed = 1), d$x, d$y,
      n_true = 2, r_squared = 0.5, n_simulations = 2, seed = 1
    ),
    null = permuted$null, permuted = permuted,
    integrated = stability_selection(d$x, d$y, n_pairs = 4, seed = 1),
    bolasso = bolasso(d$x, d$y, lambda = 0.1, resampling = plan, seed = 1),
    clusters = cluster_features(d$x, 0.5),
    comparison = compare_methods(errors, direction = "min"),
    convergence = stability_convergence(ensemble$selection),
    diagnosis = anova(estimate, n_simulations = 5, seed = 1),
    doctor_path = one_doctor(d)$linear.models,
    elimination = eliminate_features(d$x, d$y, resampling = resample_folds(3), seed = 1),
    elimination_evaluation = evaluate_elimination(
      d$x, d$y, outer = resample_folds(3), resampling = resample_folds(2), seed = 1
    ),
    ensemble = ensemble, estimate = estimate, evaluation = evaluation, fealect = fit,
    hybrid_rfe = hybrid_rfe(d$x, d$y, n_features = 3, n_stable = 2, resampling = plan, seed = 1),
    model = fit_model(d$x, d$y, colnames(d$x)[c(1, 3)]),
    signals = find_signals(d$x, d$y, permute = 19, seed = 1),
    pareto = pareto_front(data.frame(a = c(1, 2, 3), b = c(3, 2, 1))),
    lasso_path = lasso_path(d$x, d$y, n_lambda = 5),
    replication = evaluate_replication(fit, d$x, d$y, n_pairs = 2, n_features = 2, seed = 1),
    alternatives = alternative_lists(fit, d$x, d$y, n_features = 1, max_steps = 2, seed = 1),
    effects = feature_effects(fit, d$x, d$y, features = 1:2),
    cohorts = compare_cohorts(d$x, d$y, rep_len(c("a", "a", "b", "b"), length(d$y))),
    signature_test = test_signature(d$x, d$y, 1:2, n_random = 20, permute = 2, seed = 1),
    sample_size = estimate_sample_size(
      selector_filter("t"), d$x, d$y, n_features = 2, n_pairs = 5, seed = 1
    ),
    path = lars_path(d$x, d$y), ranking = ensemble$ranking,
    resamples = draw_resamples(plan, d$y, seed = 1), selection = ensemble$selection,
    simulation = simulate_stability(50, 5, 10, 0.5, n_weak = 1, n_simulations = 5, seed = 1),
    split_test = split_test(d$x, d$y, n_runs = 4, n_features = 2, seed = 1),
    stability = stable,
    substitutes = substitutes(ensemble, d$x, threshold = 0.1, max_p = 1),
    explanation = explain_stability(ensemble), fdp_bound = fdp_bound(permuted),
    ensemble_size = estimate_ensemble_size(
      0.3, n_total = 50, n_features = 4, n_useful = 8, p = 0.8, n_simulations = 5, budget = 4,
      seed = 1
    ),
    stability_comparison = test_stability(ensemble$selection),
    stability_selection = stability_selection(
      d$x, d$y, q = 2, cutoff = 0.9, resampling = resample_pairs(5), seed = 1
    ),
    three_segment = fit$three_segment,
    tradeoff = tune_tradeoff(
      d$x, d$y, grid = list(n_stable = c(0, 2)), n_features = 3, resampling = plan, seed = 1
    ),
    validation = validate_model(fit_model(d$x, d$y, colnames(d$x)[c(1, 3)]), d$x + 1e-9, d$y)
  )
}

test_that("no method ignores an argument that it does not know", {
  methods <- as.data.frame(getNamespaceInfo("stabilect", "S3methods")[, 1:3])
  names(methods) <- c("generic", "class", "name")
  methods$class <- sub("^stabilect_", "", methods$class)
  methods <- methods[!methods$generic %in% passing_on & !methods$class %in% foreign, ]
  # Generics that ours stands in for when a package of that name is loaded.
  methods <- methods[methods$name != "selected.default", ]
  # It refuses every call.
  methods <- methods[methods$name != "predict.stabilect_result", ]
  if (!requireNamespace("ggplot2", quietly = TRUE)) {
    methods <- methods[!methods$generic %in% c("plot", "autoplot"), ]
  }
  objects <- objects_of_every_class(d)
  objects <- c(objects, list(
    default = objects$ensemble, result = objects$ensemble, stabilect = objects$ensemble,
    list = list(1:2, 2:3),
    matrix = diag(3) > 0, Matrix = Matrix::Diagonal(3), data.frame = as.data.frame(diag(3))
  ))
  expect_identical(setdiff(methods$class, names(objects)), character())
  expect_gt(nrow(methods), 60)
  for (k in seq_len(nrow(methods))) {
    method <- get(methods$name[k], asNamespace("stabilect"))
    error <- tryCatch(
      method(objects[[methods$class[k]]], not_an_argument = 1),
      error = identity
    )
    expect_s3_class(error, "stabilect_error")
    message <- if (is.list(error)) cli::ansi_strip(conditionMessage(error)[1]) else "no error"
    expect_match(message, "not_an_argument", info = methods$name[k])
  }
})

# Those with facts, without the parts of results that are no objects of the list.
classes_with_facts <- function() {
  methods <- as.data.frame(getNamespaceInfo("stabilect", "S3methods")[, 1:2])
  methods$V2[methods$V1 == "facts_of"]
}

classes_of <- function(objects) {
  parts <- list(
    objects$fealect$oob, objects$stability_selection$bound, objects$integrated$bound
  )
  summaries <- lapply(objects, function(object) tryCatch(summary(object), error = identity))
  unlist(lapply(c(objects, parts, summaries), class))
}

check_layout <- function(object, name) {
  lines <- capture.output(print(object))
  expect_lte(max(nchar(lines)), 80, label = name)
  summary <- tryCatch(summary(object), error = identity)
  # That of base R lists the lengths of the fields.
  others <- c("clusters", "explanation", "lasso_path")
  if (inherits(object, "stabilect_result") || name %in% others) {
    expect_false(inherits(summary, "summaryDefault"), info = name)
  }
  if (inherits(summary, "stabilect_summary")) {
    expect_lte(max(nchar(capture.output(print(summary)))), 80, label = paste("summary of", name))
  }
  if (!any(class(object) %in% classes_with_facts())) {
    return(invisible())
  }
  expect_identical(format(object), lines, info = name)
  expect_match(lines[1], "^[A-Z].*[^.:;]$", info = name)
  expect_false(any(grepl("<stabilect_", lines)), info = name)
  facts <- facts_of(object)
  labels <- sub("  .*", "", grep("^[A-Z][a-z]+  +[^ ]", lines, value = TRUE))
  expect_identical(labels, names(facts$verdict), info = name)
  expect_false(is.unsorted(match(labels, verdict_labels)), info = name)
  # Prints end with what is next for the class of the result.
  calls <- next_of(object)
  if (length(calls) > 0L) {
    wanted <- c("", "Next", describe_calls(calls))
    expect_identical(utils::tail(lines, length(wanted)), wanted, info = name)
  }
}

test_that("prints have one layout of at most 80 columns, however long the names are", {
  long <- d
  colnames(long$x) <- paste0("a_probe_set_of_this_chip_with_a_name_that_is_long_", 1:8, "_x_at")
  levels(long$y) <- paste("patients who fell", c("ill in the first year", "ill later or never"))
  for (data in list(d, long)) {
    objects <- objects_of_every_class(data)
    # Tests of hypotheses are printed by R.
    objects$stability_comparison <- test_stability(
      list(a = objects$selection, b = objects$selection[1:4])
    )
    objects$fdp_bound <- fdp_bound(objects$permuted)
    expect_identical(setdiff(classes_with_facts(), classes_of(objects)), character())
    for (name in names(objects)) check_layout(objects[[name]], name)
  }
})

test_that("labels alone are in colour, and format() has none", {
  rlang::local_options(cli.num_colors = 256L)
  facts <- new_facts("Title", verdict = list(List = "Signal of 3"), calls = c("for" = "plot(fit)"))
  lines <- lay_out(facts)
  expect_identical(lines, cli::ansi_strip(lines))
  shown <- embolden(lines)
  expect_identical(cli::ansi_strip(shown), lines)
  expect_identical(shown != lines, lines %in% c("List  Signal of 3", "Next"))
})

test_that("facts stand under fixed labels in a fixed order, and what goes on is indented", {
  facts <- new_facts("Title", verdict = list(
    Caution = strrep("long ", 20), List = c("one", "two"), Error = NULL
  ))
  expect_identical(lay_out(facts), c(
    "Title", "", "List     one", "         two",
    paste0("Caution  ", paste(rep("long", 14), collapse = " ")),
    paste0("           ", paste(rep("long", 6), collapse = " "))
  ))
  expect_error(new_facts("Title", verdict = list(Verdict = "x")))
})
