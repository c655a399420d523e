# The attack: calls of all exports, valid and damaged, made by a generator that is driven by one
# table of arguments, fixtures/attack-arguments.csv (kind and range of every word), and by
# attack_calls(), a small valid call of every export; helper-attack-feed.R has other data for them
# and verbs that take their results. tools/attack.R makes some thousand of them, test-all-attack.R a
# few hundred. Nothing here runs unless it is called.

# What the calls are made of.
attack_material <- function() {
  names <- paste0("g", 1:7)
  x <- withr::with_seed(1, matrix(stats::rnorm(20 * 7), 20, dimnames = list(NULL, names)))
  y <- factor(rep(c("ill", "well"), 10))
  x[, 1:2] <- x[, 1:2] + 1.3 * (y == "ill")
  runs <- as_selection(withr::with_seed(2, matrix(stats::rbinom(12 * 9, 1, 0.4), 12)))
  scored <- as_selection(
    withr::with_seed(3, matrix(stats::rexp(10 * 9), 10)), type = "weight", n_features = 3
  )
  draws <- draw_resamples(resample_subsample(8, 0.7), y, seed = 1)
  fit <- fealect(x, y, resampling = draws, n_boot = 5)
  estimate <- estimate_stability(
    scored, n_weak = c(1, 3), n_simulations = 5, n_boot = 20, seed = 1
  )
  labels <- stats::setNames(rep(0:1, 10), paste0("s", 1:20))
  values <- x
  rownames(values) <- names(labels)
  list(
    x = x, y = y, runs = runs, scored = scored, draws = draws, fit = fit, estimate = estimate,
    model = fit_model(x, y), path = lars_path(x, y, max_features = 4), labels = labels,
    values = values, plan = resample_subsample(5, 0.7), filter = selector_filter("t"),
    front = data.frame(accuracy = c(0.7, 0.8, 0.9), stability = c(0.6, 0.5, 0.2)),
    halves = fealect(x, y, resampling = draws[1:4], n_boot = 5)
  )
}

# A valid call of every export, quoted: `m` is the material. A table, so longer than a function.
attack_calls <- function() {
  calls <- rlang::exprs(
    FeaLect = FeaLect(m$values, m$labels, 3, 3, plot.scores = FALSE),
    aggregate_by = aggregate_by("mean_rank"),
    as_selection = as_selection(list(1:2, 2:3), n_total = 5),
    bolasso = bolasso(m$x, m$y, lambda = 0.1, n_runs = 5, seed = 1),
    estimate_error_rates = estimate_error_rates(
      function(x, y, ...) select_ensemble(x, y, m$filter, m$plan, n_features = 2, ...), m$x, m$y,
      n_true = 2, n_simulations = 2, seed = 1
    ),
    cluster_features = cluster_features(m$x, 0.5),
    compare_methods = compare_methods(
      matrix(c(1:6, 3:8), 6, 2, dimnames = list(NULL, c("a", "b")))
    ),
    compare_cohorts = compare_cohorts(
      rbind(m$x, m$x), c(m$y, m$y), cohorts = rep(c("a", "b"), each = length(m$y)), seed = 1
    ),
    compute.balanced = compute.balanced(m$values, m$labels),
    doctor.validate = doctor.validate(c(0, 1, 1, 0), c(0.2, 0.7, 0.4, 0.6)),
    draw_resamples = draw_resamples(m$plan, m$y, seed = 1),
    eliminate_features = eliminate_features(m$x, m$y, resampling = resample_folds(3), seed = 1),
    error_bound = error_bound(1000, q = 10, cutoff = 0.8),
    estimate_stability = estimate_stability(
      m$scored, n_weak = 2, n_simulations = 5, n_boot = 20, seed = 1
    ),
    evaluate_elimination = evaluate_elimination(
      m$x, m$y, outer = resample_folds(3), resampling = resample_folds(2), seed = 1
    ),
    evaluate_replication = evaluate_replication(
      function(x, y, ...) select_ensemble(x, y, m$filter, m$plan, n_features = 2, ...), m$x, m$y,
      n_pairs = 2, n_features = 2, seed = 1
    ),
    feature_effects = feature_effects(
      stability_selection(m$x, m$y, q = 2, cutoff = 0.6, n_pairs = 5, seed = 1), m$x, m$y,
      features = 1:2
    ),
    alternative_lists = alternative_lists(
      function(x, y, ...) select_ensemble(x, y, m$filter, m$plan, n_features = 2, ...),
      m$x, m$y, n_features = 2, max_steps = 2, seed = 1
    ),
    test_signature = test_signature(
      m$x, m$y, 1:2, n_random = 20, permute = 5, outer = resample_folds(3), seed = 1
    ),
    evaluate_selectors = evaluate_selectors(
      m$x, m$y, m$filter, n_features = 2, n_repeats = 2, resampling = m$plan, seed = 1
    ),
    explain_stability = explain_stability(m$runs, similarity = rep(1:3, 3)),
    fdp_bound = fdp_bound(
      fealect(m$x, m$y, resampling = m$draws, n_boot = 2, permute = 9, seed = 1)
    ),
    fealect = fealect(m$x, m$y, n_runs = 6, n_boot = 5, seed = 1),
    find_signals = find_signals(m$x, m$y, permute = 29, seed = 1),
    fit_model = fit_model(m$x, m$y),
    simulate_data = simulate_data("NC100", 12, n_total = 120, seed = 1),
    group_features = group_features(m$runs, rep(letters[1:3], 3)),
    hybrid_rfe = hybrid_rfe(m$x, m$y, n_features = 3, n_stable = 1, resampling = m$plan, seed = 1),
    ignore.redundant = ignore.redundant(m$values),
    feature_importance = feature_importance(m$model, m$x, m$y, n_repeats = 2, seed = 1),
    input.check.FeaLect = input.check.FeaLect(m$values, m$labels, 3, 0.75),
    lars_path = lars_path(m$x, m$y, max_features = 4),
    lasso_path = lasso_path(m$x, m$y, "binomial", n_lambda = 5),
    learner_boosting = learner_boosting(5), learner_forest = learner_forest(10),
    learner_custom = learner_custom(function(x, y) y[1], function(model, newx) model),
    learner_knn = learner_knn(3), learner_lasso = learner_lasso(), learner_lda = learner_lda(),
    learner_logistic = learner_logistic(), learner_ridge = learner_ridge(),
    learner_svm = learner_svm(),
    measure_predictions = measure_predictions(m$y, rev(m$y)),
    merge_runs = merge_runs(m$fit, fealect(m$x, m$y, resampling = m$plan, n_boot = 5, seed = 9)),
    pareto_front = pareto_front(m$front, reference = c(0, 0)),
    estimate_ensemble_size = estimate_ensemble_size(
      0.2, n_total = 100, n_features = 5, n_useful = 12, p = 0.7, n_simulations = 5, budget = 10,
      seed = 1
    ),
    missing_pattern = missing_pattern(replace(m$x, 1:9, NA), min_samples = 2),
    path_control = path_control(family = "binomial", alpha = 0.5),
    estimate_sample_size = estimate_sample_size(
      m$filter, m$x, m$y, n_features = 2, n_pairs = 5, seed = 1
    ),
    prepare_study = prepare_study(m$x, m$y),
    random.subset = random.subset(m$values, m$labels, 0.75, replace = TRUE),
    resample_bootstrap = resample_bootstrap(5), resample_folds = resample_folds(3),
    resample_custom = resample_custom(list(1:4, 3:8)), resample_loo = resample_loo(),
    resample_pairs = resample_pairs(4), resample_subsample = resample_subsample(5),
    run_control = run_control(n_threads = 2, progress = FALSE),
    score_features = score_features(m$x, m$y, m$filter),
    search_sizes = search_sizes(step = 2),
    search_peak = search_peak(3),
    select_ensemble = select_ensemble(m$x, m$y, m$filter, m$plan, n_features = 2, seed = 1),
    selected = selected(m$fit),
    selector_custom = selector_custom(function(x, y) colMeans(x)),
    selector_filter = selector_filter("t"),
    selector_group_lasso = selector_group_lasso(rep(1:3, 3)[1:7]),
    selector_hybrid_rfe = selector_hybrid_rfe(3), selector_lasso_path = selector_lasso_path(),
    selector_learner = selector_learner(), selector_mrmr = selector_mrmr(3),
    selector_relief = selector_relief(3), selector_screened = selector_screened(m$filter),
    selector_trex = selector_trex(n_repeats = 4),
    simulate_stability = simulate_stability(
      100, 5, 12, 0.6, n_weak = c(1, 3), n_simulations = 5, seed = 1
    ),
    split_test = split_test(m$x, m$y, n_runs = 2, n_features = 2, seed = 1),
    stability = stability(m$scored, c("nogueira", "jaccard", "canberra")),
    stability_convergence = stability_convergence(m$runs),
    stability_selection = stability_selection(m$x, m$y, q = 2, cutoff = 0.9, n_pairs = 4, seed = 1),
    substitutes = substitutes(m$fit, m$x, c("g1", "g2"), threshold = 0.1, max_p = 1),
    test_stability = test_stability(m$runs, null_value = 0.1),
    three_segment = three_segment(sort(stats::rexp(30), decreasing = TRUE)),
    tune_tradeoff = tune_tradeoff(
      m$x, m$y, list(n_stable = c(0, 1)), n_features = 2, resampling = m$plan, seed = 1
    ),
    until_decided = until_decided(), until_stable = until_stable(),
    validate_model = validate_model(m$model, m$x + 1e-9, m$y)
  )
  if (!requireNamespace("gglasso", quietly = TRUE)) {
    calls$selector_group_lasso <- quote(selector_filter("t"))
  }
  calls
}

# A value that the table allows for an argument; `default` says the choices.
attack_valid <- function(word, default) {
  switch(word$kind,
    count = sample(word$low:word$high, 1L), number = stats::runif(1, word$low, word$high),
    flag = sample(c(TRUE, FALSE), 1L), seed = sample.int(1e6, 1L),
    choice = if (is.call(default) && identical(default[[1]], quote(c))) sample(eval(default), 1L)
  )
}

# Values that no argument, or none of this kind, can take.
attack_broken <- function(word) {
  common <- list(
    NULL, NA, NaN, Inf, -Inf, "nonsense", "", character(), list(), list(1, "a"), function(x) x,
    quote(a), globalenv(), factor("a"), Sys.time(), 1i, raw(2), matrix("a", 2, 2), data.frame(),
    structure(1, class = "odd"), c(1, NA), -1, 1e300
  )
  own <- switch(word$kind,
    count = list(word$low - 1, 2.5, -3L, 1e12, c(2, 3), TRUE, "3"),
    number = list(word$low - 10, word$high + 1e6, 1e-320, c(0.2, 0.3), "0.5"),
    flag = list(2, c(TRUE, FALSE), "yes"), choice = list(3, c("t", "nonsense"), TRUE),
    seed = list(-5, 1.5, 3e9), data = attack_broken_data()
  )
  all <- c(common, own)
  all[[sample.int(length(all), 1L)]]
}

attack_broken_data <- function() {
  x <- matrix(stats::rnorm(20 * 7), 20, dimnames = list(NULL, paste0("g", 1:7)))
  list(
    replace(x, 3, NA), replace(x, 5, Inf), x[1:3, ], x[, 0], x[0, ], x * 1e300, x * 1e-300,
    unname(x[, 1:2]), x[, c(1, 1, 2:6)], array(0, c(2, 2, 2)), as.data.frame(x), 0 * x,
    rep("a", 20), rep(1:2, 10), rep(NA, 20), factor(rep("a", 20)), 1:20, stats::rnorm(20),
    rep(c("a", "b"), 11), Sys.Date() + 1:20, Matrix::Matrix(x, sparse = TRUE)
  )
}

# The k-th call of a seed: one export with up to two arguments of the table, and in most calls one
# more that is broken or left out, or other data; then two verbs that take the result.
attack_call <- function(seed, k, calls, words, material) {
  withr::local_seed(seed + 7919 * k)
  # Verbs that read data three times as often: they have the most to go wrong.
  reads <- vapply(calls, function(call) "m" %in% all.names(call), NA)
  name <- sample(names(calls), 1L, prob = 1 + 2 * reads)
  call <- attack_replace(calls[[name]], material$others)
  other <- !identical(call, calls[[name]])
  fun <- getExportedValue("stabilect", name)
  arguments <- attack_arguments(name)
  known <- names(arguments)
  of_table <- function(argument) {
    if (!argument %in% words$word) return(list(word = argument, kind = "object"))
    as.list(words[words$word == argument, ])
  }
  call <- match.call(fun, call, envir = list2env(list(m = material)))
  for (argument in utils::head(sample(known), sample(0:2, 1L))) {
    value <- attack_valid(of_table(argument), arguments[[argument]])
    if (!is.null(value)) call[[argument]] <- value
  }
  damaged <- if (length(known) > 0L && stats::runif(1) < 0.5) sample(known, 1L) else ""
  if (nzchar(damaged)) call <- attack_damage(call, of_table(damaged))
  feeds <- lapply(sample(attack_feeds(), 20L), function(feed) {
    if (stats::runif(1) < 0.7) return(feed)
    known <- names(attack_arguments_of_feed(feed))
    if (length(known) == 0L) return(feed)
    attack_damage(attack_named(feed), of_table(sample(known, 1L)))
  })
  list(name = name, call = call, damaged = damaged, other = other, feeds = feeds)
}

# "ok", "refused" (an error of our class), or what else came of it; the value is its attribute.
attack_outcome <- function(call, material, limit = 20, ...) {
  envir <- list2env(list(m = material, ...), parent = asNamespace("stabilect"))
  # Of the processor: a busy machine is no hang.
  setTimeLimit(cpu = limit, elapsed = 30 * limit, transient = TRUE)
  on.exit(setTimeLimit())
  result <- NULL
  outcome <- tryCatch(
    {
      utils::capture.output(
        result <- suppressMessages(suppressWarnings(eval(call, envir))), type = "output"
      )
      if (has_nan(result)) "NaN in the result" else "ok"
    },
    # To say that a library is not there is all that can be done.
    stabilect_error_package = function(e) "ok",
    stabilect_error = function(e) "refused",
    error = function(e) paste("error:", sub("\n.*", "", conditionMessage(e)))
  )
  list(outcome = outcome, result = result)
}

# NaN in the table or the numbers of a result, or an infinite coefficient.
has_nan <- function(result) {
  result <- if (is.data.frame(result)) list(table = result) else result
  table <- if (is.list(result) && is.data.frame(result$table)) result$table
  numbers <- c(as.list(table), if (is.numeric(result)) list(result))
  coefficients <- if (is.list(result) && is.numeric(result$coefficients)) result$coefficients
  any(vapply(numbers, function(column) is.numeric(column) && any(is.nan(column)), NA)) ||
    any(is.nan(coefficients) | is.infinite(coefficients))
}

# One call and the verbs that take its result, up to the first that is strange.
# @return (list) outcome, feed (the verb that came to it, or "").
attack_one <- function(one, material) {
  first <- attack_outcome(one$call, material)
  if (first$outcome != "ok" || !attack_is_ours(first$result)) {
    return(list(outcome = first$outcome, feed = "", fed = 0L))
  }
  feeds <- Filter(function(feed) attack_feeds_on(feed, first$result), one$feeds)
  for (feed in feeds) {
    outcome <- attack_outcome(feed, material, r = first$result)$outcome
    if (!outcome %in% c("ok", "refused")) {
      return(list(outcome = outcome, feed = deparse(feed)[1], fed = length(feeds)))
    }
  }
  list(outcome = "ok", feed = "", fed = length(feeds))
}

# @return (data frame) export, damaged (argument, or ""), other (whether other data stand in the
#   call), feed (verb of the result that failed, or ""), fed (number of verbs that took the result),
#   outcome, call (as text); one row a call.
# @param words (data frame) fixtures/attack-arguments.csv.
# @param first number of the first call: the calls of a seed can be made in portions.
# @param feeds most verbs that take the result of a call.
attack <- function(words, seed, n, first = 1, feeds = 20) {
  # Some calls write a file, of a name that was meant to be refused elsewhere.
  withr::local_dir(withr::local_tempdir())
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  material <- attack_material()
  calls <- attack_calls()
  material$others <- attack_others(material)
  material <- c(material, do.call(c, unname(material$others)))
  rows <- lapply(first - 1 + seq_len(n), function(k) {
    one <- attack_call(seed, k, calls, words, material)
    one$feeds <- utils::head(one$feeds, feeds)
    found <- withr::with_seed(k, attack_one(one, material))
    data.frame(
      k = k, export = one$name, damaged = one$damaged, other = one$other, feed = found$feed,
      fed = found$fed, outcome = found$outcome,
      call = substr(paste(deparse(one$call, nlines = 8), collapse = " "), 1, 400)
    )
  })
  do.call(rbind, rows)
}
