# Calls that take long, one or more for every verb that can, and a process that is interrupted in
# the middle of one. tools/attack-interrupt.R makes them all, test-all-interrupts.R a few.

# What the calls work on, made in the process itself.
interrupt_material <- function() {
  set.seed(1)
  x <- matrix(stats::rnorm(200 * 8000), 200)
  y <- factor(rep_len(c("a", "b"), 200))
  small <- x[1:100, 1:300]
  colnames(small) <- paste0("g", seq_len(300))
  sets <- matrix(stats::rbinom(1500 * 4000, 1, 0.05), 1500)
  library(stabilect)
  many <- resample_subsample(1e5, 0.5)
  list(
    x = x, y = y, small = small, labels = y[1:100], many = many, sets = as_selection(sets),
    numbers = small[, 1] + stats::rnorm(100), half = resample_subsample(20, 0.5),
    runs = as_selection(matrix(stats::rexp(60 * 300), 60), type = "weight", n_features = 10),
    slow = function(x, y, ...) {
      select_ensemble(x, y, selector_filter("t"), resample_subsample(50, 0.5), n_features = 5, ...)
    }
  )
}

# A table, so longer than a function.
long_calls <- function() {
  ensemble <- function(selector, ...) {
    rlang::expr(select_ensemble(m$small, m$labels, !!selector, m$many, n_features = 5, seed = 1))
  }
  selectors <- rlang::exprs(
    filter_t = selector_filter("t"), filter_wilcoxon = selector_filter("wilcoxon"),
    information = selector_filter("mutual_information"), mrmr = selector_mrmr(50),
    relief = selector_relief(3), trex = selector_trex(), lasso_path = selector_lasso_path(),
    svm = selector_learner(learner_svm()), svm_rfe = selector_learner(learner_svm(), step = 0.1),
    logistic = selector_learner(learner_logistic()), hybrid = selector_hybrid_rfe(3),
    elastic_net = selector_lasso_path("coefficient", alpha = 0.5),
    group_lasso = selector_group_lasso(rep(1:100, 3)),
    forest = selector_learner(learner_forest(500)),
    boosting = selector_learner(learner_boosting(100)),
    custom = selector_custom(function(x, y) {
      Sys.sleep(0.01)
      colMeans(x)
    }),
    screened = selector_screened(selector_learner(learner_forest(500)), n_keep = 200)
  )
  names(selectors) <- paste0("select_ensemble, ", names(selectors))
  c(lapply(selectors, ensemble), rlang::exprs(
    fealect = fealect(m$x, m$y, n_runs = 1e5, seed = 1),
    "fealect, permute" = fealect(m$small, m$labels, n_runs = 200, permute = 2000, seed = 1),
    FeaLect = FeaLect(
      `rownames<-`(m$small, 1:100), stats::setNames(rep(0:1, 50), 1:100), 50, 1e5,
      plot.scores = FALSE
    ),
    stability_selection = stability_selection(m$x, m$y, q = 20, cutoff = 0.9, n_pairs = 1e5),
    "stability_selection, cox" = stability_selection(
      m$small, survival::Surv(abs(m$numbers), rep(1, 100)), q = 10, cutoff = 0.9, n_pairs = 1e5
    ),
    "stability_selection, permute" = stability_selection(
      m$small, m$labels, q = 10, cutoff = 0.9, n_pairs = 50, permute = 1e4
    ),
    bolasso = bolasso(m$small, m$numbers, n_runs = 1e5), lars_path = lars_path(
      matrix(stats::rnorm(3000 * 6000), 3000), stats::rnorm(3000)
    ),
    lasso_path = lasso_path(
      matrix(stats::rnorm(1000 * 10000), 1000), rep(0:1, 500), "binomial", n_lambda = 5000
    ),
    eliminate_features = eliminate_features(
      m$small, m$labels, resampling = resample_subsample(1e4, 0.7), seed = 1
    ),
    "eliminate_features, forest" = eliminate_features(
      m$small, m$labels, learner_forest(500), resampling = resample_folds(10), seed = 1
    ),
    evaluate_elimination = evaluate_elimination(
      m$small, m$labels, outer = resample_subsample(500), resampling = resample_folds(10), seed = 1
    ),
    hybrid_rfe = hybrid_rfe(m$small, m$labels, n_features = 5, resampling = m$many, seed = 1),
    tune_tradeoff = tune_tradeoff(
      m$small, m$labels, list(n_stable = 0:20), n_features = 30,
      resampling = resample_subsample(5000, 0.7), seed = 1
    ),
    "fit_model, times" = fit_model(
      matrix(stats::rnorm(800 * 900), 800), survival::Surv(stats::rexp(800), rep(1, 800))
    ),
    find_signals = find_signals(
      matrix(stats::rnorm(2000 * 4000), 2000), rep(0:1, 1000), permute = 999, seed = 1
    ),
    split_test = split_test(m$x, m$y, n_runs = 1e5, seed = 1),
    estimate_error_rates = estimate_error_rates(
      m$slow, m$small, m$labels, n_true = 5, n_simulations = 5000, seed = 1
    ),
    evaluate_replication = evaluate_replication(
      m$slow, m$small, m$labels, n_pairs = 5000, n_features = 5, seed = 1
    ),
    alternative_lists = alternative_lists(
      m$slow, m$small, m$labels, n_features = 1, max_steps = 5000, seed = 1
    ),
    test_signature = test_signature(
      m$small, m$labels, m$slow, outer = resample_folds(5, 1000), seed = 1
    ),
    estimate_sample_size = estimate_sample_size(
      m$slow, m$small, m$labels, n_pairs = 5000, n_features = 5, seed = 1
    ),
    evaluate_selectors = evaluate_selectors(
      m$small, m$labels, list(selector_filter("t")), n_features = 5, n_repeats = 5000, seed = 1
    ),
    estimate_stability = estimate_stability(
      m$small, m$labels, selector_filter("t"), 10, n_simulations = 1e5, n_boot = 1e4, seed = 1
    ),
    "estimate_stability, rule" = estimate_stability(
      m$runs, n_weak = c(1, 100, 1000), n_simulations = 1e5, aggregation = aggregate_rank("median")
    ),
    estimate_ensemble_size = estimate_ensemble_size(
      0.4, n_total = 1e5, n_features = 100, n_useful = 200, p = 0.6, n_simulations = 1e5
    ),
    anova = anova(
      estimate_stability(m$runs, n_weak = 2, n_simulations = 5, n_boot = 20), n_simulations = 1e7
    ),
    simulate_stability = simulate_stability(
      1e6, 20, 100, 0.5, n_weak = 1000, n_simulations = 50, method = "simulate", seed = 1
    ),
    "simulate_stability, exact" = simulate_stability(
      1e5, 500, 2000, seq(0.3, 0.9, 0.01), n_weak = c(10, 1000), n_simulations = 1e4, seed = 1
    ),
    stability = stability(m$sets[rep(1:1500, 12)], "jaccard", interval = "bootstrap"),
    "stability, similarity" = stability(
      m$sets, "intersection_mean", similarity = list(x = matrix(stats::rnorm(100 * 4000), 100)),
      corrected = TRUE
    ),
    stability_convergence = stability_convergence(m$sets[rep(1:1500, 3)], "jaccard"),
    explain_stability = explain_stability(m$sets, similarity = rep(1:400, 10)),
    aggregate_runs = aggregate(
      as_selection(matrix(stats::rexp(1000 * 20000), 1000), type = "weight", n_features = 10),
      aggregate_rank("robust")
    ),
    importance_permutation = importance_permutation(
      fit_model(m$small, m$labels), m$small, m$labels, n_repeats = 1e5, seed = 1
    ),
    importance_flip = importance_flip(
      fit_model(m$small, m$labels), m$small[rep(1:100, 20), ], stats::predict
    )
  ))
}

# @return list of `how` ("interrupted", "ended before", "error: ...", or the classes of another
#   interrupt than R's), and from the signal to the end of the call `seconds` and, on Linux, `cpu`:
#   seconds of the processor, which other work on the machine does not add to.
interrupt_call <- function(call, wait = 1, material = interrupt_material) {
  child <- callr::r_bg(function(call, material) {
    m <- material()
    cat("start\n")
    how <- tryCatch(
      {
        eval(call)
        "ended before"
      },
      interrupt = function(e) {
        if (identical(class(e), c("interrupt", "condition"))) "interrupted" else toString(class(e))
      },
      error = function(e) paste("error:", conditionMessage(e))
    )
    list(how = how, at = Sys.time(), cpu = sum(proc.time()[1:2]))
  }, list(call, material), stdout = "|", stderr = NULL)
  on.exit(child$kill())
  child$poll_io(120000)
  Sys.sleep(wait)
  sent <- Sys.time()
  used <- cpu_of_process(child$get_pid())
  child$interrupt()
  child$wait(30000)
  if (child$is_alive()) {
    return(list(how = "goes on", seconds = Inf, cpu = Inf))
  }
  end <- child$get_result()
  list(
    how = end$how, seconds = as.numeric(difftime(end$at, sent, units = "secs")),
    cpu = end$cpu - used
  )
}

# Seconds of the processor so far; fields 14 and 15 of proc(5), in hundredths.
cpu_of_process <- function(pid) {
  file <- sprintf("/proc/%d/stat", pid)
  if (!file.exists(file)) {
    return(NA_real_)
  }
  fields <- strsplit(sub(".*[)] ", "", readLines(file)), " ")[[1]]
  sum(as.numeric(fields[12:13])) / 100
}
