# The verbs of the laws.

# @param call (call, or function(kind): the call). @param outcomes,axes (character) what it takes.
# @param plan (string) of the resamples that it draws.
# @param rows (flag) does the order of the samples change nothing, if resamples are given?
# @param share (number) how often it is drawn, against 1. @param scale (flag) are units of features
#   without influence? @param loop (flag) does it draw samples by their places?
# @param simulates (flag) does it make outcomes from the features?
laws_verb <- function(call, outcomes, axes = character(), plan = NULL, rows = TRUE, share = 1,
                      scale = TRUE, loop = FALSE, simulates = FALSE) {
  list(
    call = if (is.function(call)) call else function(kind) call, outcomes = outcomes, axes = axes,
    plan = plan, rows = rows, share = share, scale = scale, loop = loop,
    simulates = simulates
  )
}

laws_kinds <- c("binary", "multiclass", "ordered", "numeric", "count", "survival")
laws_path_axes <- c(
  "covariates", "strata", "within", "weights", "penalty", "blocks", "views", "jitter"
)

# Counts need their family.
laws_family <- function(call, kind) {
  if (kind == "count") call$family <- "poisson"
  likely <- kind == "binary" && is.null(call$score_rule) && stats::runif(1) < 0.3
  if (likely) call$family <- "binomial"
  call
}

# A selector that suits the outcome, as a call.
laws_selector <- function(kind) {
  all <- list(
    binary = rlang::exprs(
      selector_filter("t"), selector_filter("welch"), selector_filter("wilcoxon"),
      selector_filter("moderated_t"), selector_filter("pearson"), selector_filter("spearman"),
      selector_filter("anova"), selector_filter("mutual_information"),
      selector_learner(learner_svm()), selector_learner(learner_logistic()),
      selector_lasso_path(), selector_relief(3), selector_mrmr(3)
    ),
    multiclass = rlang::exprs(
      selector_filter("anova"), selector_filter("moderated_t"), selector_learner(learner_svm()),
      selector_learner(learner_logistic()), selector_lasso_path(), selector_relief(3),
      selector_mrmr(3), selector_filter("mutual_information")
    ),
    ordered = rlang::exprs(selector_filter("spearman"), selector_filter("anova")),
    numeric = rlang::exprs(
      selector_filter("pearson"), selector_filter("spearman"), selector_filter("moderated_t"),
      selector_lasso_path(), selector_relief(3), selector_mrmr(3)
    ),
    survival = rlang::exprs(selector_filter("cox"), selector_lasso_path())
  )
  sample(all[[kind]], 1L)[[1]]
}

# Selectors whose scores are adjusted for covariates.
laws_holding <- function(kind) {
  one <- switch(kind,
    binary = c("t", "wilcoxon", "pearson", "moderated_t"), multiclass = "anova",
    ordered = "spearman", numeric = c("pearson", "spearman", "moderated_t"), survival = "cox"
  )
  call("selector_filter", sample(one, 1L))
}

laws_learner <- function(kind) {
  switch(kind,
    binary = , multiclass = sample(
      rlang::exprs(learner_svm(), learner_logistic(), learner_lda(), learner_knn(3)), 1L
    )[[1]],
    ordered = quote(learner_lda()), quote(learner_ridge())
  )
}

laws_verbs <- function() {
  kinds <- laws_kinds
  no_counts <- setdiff(kinds, "count")
  list(
    fealect = laws_verb(function(kind) {
      call <- sample(rlang::exprs(
        fealect(x, y, n_boot = 0, seed = seed),
        fealect(x, y, n_boot = 0, alpha = 0.7, oob = FALSE, seed = seed),
        fealect(x, y, n_boot = 0, oob = FALSE, permute = 4, seed = seed),
        fealect(x, y, n_boot = 0, score_rule = "step", oob = FALSE, seed = seed)
      ), 1L, prob = c(4, 3, 2, 1))[[1]]
      laws_family(call, kind)
    }, kinds, c(setdiff(laws_path_axes, "strata"), "clusters"), "subsample", share = 4),
    stability_selection = laws_verb(function(kind) {
      call <- sample(rlang::exprs(
        stability_selection(x, y, q = 3, cutoff = 0.7, permute = 0, seed = seed),
        stability_selection(x, y, pfer = 1, seed = seed),
        stability_selection(x, y, cutoff = "calibrated", q = 4, permute = 0, seed = seed),
        stability_selection(x, y, q = 3, cutoff = 0.7, permute = 4, seed = seed)
      ), 1L, prob = c(3, 2, 1, 1))[[1]]
      laws_family(call, kind)
    }, kinds, c(laws_path_axes, "offset"), "pairs", share = 4),
    stability_clusters = laws_verb(function(kind) {
      laws_family(quote(
        stability_selection(x, y, q = 2, cutoff = 0.7, permute = 0, seed = seed)
      ), kind)
    }, kinds, c("covariates", "strata", "weights", "blocks", "clusters"), "pairs"),
    stability_selector = laws_verb(function(kind) {
      bquote(stability_selection(
        x, y, q = 3, cutoff = 0.7, permute = 0, selector = .(laws_holding(kind)), seed = seed
      ))
    }, no_counts, c("covariates", "blocks"), "pairs"),
    bolasso = laws_verb(function(kind) {
      laws_family(quote(bolasso(x, y, cutoff = 0.6, lambda = 0.2, seed = seed)), kind)
    }, kinds, setdiff(c(laws_path_axes, "offset"), "views"), "bootstrap", share = 2),
    select_ensemble = laws_verb(function(kind) {
      by <- sample(c("mean_score", "mean_rank", "frequency", "borda"), 1L)
      bquote(select_ensemble(
        x, y, selector = .(laws_selector(kind)), n_features = 4, aggregation = aggregate_by(.(by)),
        seed = seed
      ))
    }, no_counts, c("blocks", "views"), "bootstrap", share = 3),
    ensemble_adjusted = laws_verb(function(kind) {
      call <- bquote(select_ensemble(
        x, y, selector = .(laws_holding(kind)), n_features = 4, seed = seed
      ))
      if (kind %in% c("binary", "multiclass")) call$learner <- quote(learner_logistic())
      call
    }, no_counts, c("covariates", "blocks"), "subsample", share = 2),
    score_features = laws_verb(function(kind) {
      bquote(score_features(x, y, selector = .(laws_selector(kind)), n_features = 5, seed = seed))
    }, no_counts, share = 3),
    score_adjusted = laws_verb(function(kind) {
      bquote(score_features(x, y, selector = .(laws_holding(kind)), seed = seed))
    }, no_counts, "covariates"),
    eliminate_features = laws_verb(function(kind) {
      bquote(eliminate_features(x, y, learner = .(laws_learner(kind)), seed = seed))
    }, no_counts, "blocks", "folds", scale = FALSE),
    hybrid_rfe = laws_verb(
      quote(hybrid_rfe(x, y, n_features = 3, n_stable = 1, seed = seed)), "binary", "blocks",
      "bootstrap", scale = FALSE, share = 0.5
    ),
    hybrid_welch = laws_verb(
      quote(hybrid_rfe(x, y, n_features = 3, n_stable = 1, criterion = "welch", seed = seed)),
      "binary", "blocks", "bootstrap"
    ),
    find_signals = laws_verb(function(kind) {
      laws_family(sample(rlang::exprs(
        find_signals(x, y, permute = 29, seed = seed),
        find_signals(x, y, permute = 29, null = "rotation", seed = seed)
      ), 1L, prob = c(4, 1))[[1]], kind)
    }, kinds, c("covariates", "blocks", "within", "clusters"), rows = FALSE, share = 3),
    split_test = laws_verb(function(kind) {
      laws_family(quote(split_test(x, y, n_runs = 4, n_features = 3, seed = seed)), kind)
    }, kinds, rows = FALSE, share = 2),
    fit_model = laws_verb(function(kind) {
      quote(fit_model(x, y, features = c("g01", "g03", "g04")))
    }, no_counts, "covariates"),
    fit_all = laws_verb(quote(fit_model(x, y, lambda = 3)), no_counts, "covariates"),
    predict_model = laws_verb(
      quote(predict(fit_model(x, y, features = c("g01", "g03"), lambda = 2), new)),
      no_counts
    ),
    lars_path = laws_verb(
      quote(lars_path(x, y, max_features = 6)), c("binary", "numeric"), "weights", share = 2
    ),
    lasso_path = laws_verb(function(kind) {
      laws_family(sample(rlang::exprs(
        lasso_path(x, y, n_lambda = 12, max_features = 8, tolerance = 1e-10),
        lasso_path(x, y, alpha = 0.5, n_lambda = 12, max_features = 8, tolerance = 1e-10)
      ), 1L)[[1]], kind)
    }, kinds, c("covariates", "strata", "weights", "offset", "penalty"), share = 4),
    feature_effects = laws_verb(function(kind) {
      quote(feature_effects(
        stability_selection(
          x, y, q = 3, cutoff = 0.7, resampling = resample_custom(counts = counts)
        ), x, y
      ))
    }, no_counts, character(), "pairs"),
    validate_model = laws_verb(function(kind) {
      quote(validate_model(fit_model(x[1:18, ], y[1:18], lambda = 2), x[-(1:18), ], y[-(1:18)]))
    }, no_counts, rows = FALSE),
    test_signature = laws_verb(
      quote(test_signature(x, y, features = c("g01", "g04"), n_random = 5, seed = seed)), no_counts,
      "covariates", rows = FALSE, loop = TRUE, scale = FALSE
    ),
    alternative_lists = laws_verb(function(kind) {
      quote(alternative_lists(
        function(x, y, ...) {
          stability_selection(x, y, q = 2, cutoff = 0.6, n_pairs = 4, permute = 0, ...)
        }, x, y,
        n_features = 2, max_steps = 2, seed = seed
      ))
    }, no_counts, rows = FALSE, loop = TRUE),
    evaluate_replication = laws_verb(function(kind) {
      quote(evaluate_replication(
        function(x, y, ...) {
          stability_selection(x, y, q = 2, cutoff = 0.6, n_pairs = 4, permute = 0, ...)
        }, x, y,
        n_pairs = 2, n_features = 3, seed = seed
      ))
    }, no_counts, rows = FALSE, loop = TRUE),
    evaluate_selectors = laws_verb(function(kind) {
      bquote(evaluate_selectors(
        x, y, selectors = .(laws_holding(kind)), n_features = 3, n_repeats = 2,
        resampling = resample_bootstrap(3), seed = seed
      ))
    }, no_counts, "blocks", rows = FALSE, loop = TRUE),
    estimate_sample_size = laws_verb(function(kind) {
      bquote(estimate_sample_size(
        .(laws_holding(kind)), x, y, n_features = 3, n_pairs = 5, seed = seed
      ))
    }, no_counts, rows = FALSE, loop = TRUE),
    estimate_error_rates = laws_verb(function(kind) {
      bquote(estimate_error_rates(function(x, y, ...) {
        select_ensemble(x, y, .(laws_holding(kind)), resample_subsample(3), n_features = 2, ...)
      }, x, y, n_true = 2, r_squared = 0.5, n_simulations = 2, seed = seed))
    }, setdiff(no_counts, "ordered"), rows = FALSE, share = 0.4, loop = TRUE, simulates = TRUE),
    compare_cohorts = laws_verb(
      quote(compare_cohorts(x, y, cohorts = rep(c("A", "B"), length.out = nrow(x)), seed = seed)),
      no_counts, rows = FALSE
    ),
    evaluate_elimination = laws_verb(
      quote(evaluate_elimination(
        x, y, outer = resample_folds(3), resampling = resample_folds(2), seed = seed
      )), c("binary", "multiclass", "numeric"), "blocks", rows = FALSE, share = 0.5, scale = FALSE,
      loop = TRUE
    ),
    estimate_stability = laws_verb(function(kind) {
      bquote(estimate_stability(
        x, y, selector = .(laws_holding(kind)), n_features = 3, n_weak = 2, n_simulations = 5,
        n_boot = 20, resampling = resample_subsample(6, 0.5), seed = seed
      ))
    }, no_counts, rows = FALSE, share = 0.5, loop = TRUE, simulates = TRUE)
  )
}
