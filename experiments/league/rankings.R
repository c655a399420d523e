# Lists of fixed sizes: error of the whole procedure, stability and time. Read by run.R.

sizes <- c(10L, 20L, 50L)
n_splits <- 5L

# The test of one feature at a time that the outcome has.
univariate <- function(y) {
  selector_filter(switch(outcome_of_set(y),
    `two classes` = "t", `several classes` = "anova", survival = "cox"
  ))
}

# A class with one sample in a half cannot be resampled; procedures select without it.
resampled_rows <- function(y) {
  if (!is.factor(y)) {
    return(seq_along(y))
  }
  which(y %in% names(which(table(y) > 1L)))
}
classes_at <- function(y, rows) if (is.factor(y)) droplevels(y[rows]) else y[rows]

# A selector, a selector with an aggregation, or a procedure.
ranking_methods <- function(y) {
  t <- univariate(y)
  lasso <- selector_lasso_path()
  methods <- list(
    random = selector_custom(function(x, y) stats::runif(ncol(x)), "random"),
    variance = selector_filter("variance"), t = t,
    limma = if (is.factor(y)) selector_filter("moderated_t"),
    ensemble_t = list(t, aggregate_by()), lasso = lasso,
    ensemble_lasso = list(lasso, aggregate_by()),
    svm_rfe = if (is.factor(y)) selector_learner(learner_svm(), step = 0.2),
    forest = selector_learner(learner_forest()),
    stability = function(x, y, ...) {
      rows <- resampled_rows(y)
      stability_selection(x[rows, ], classes_at(y, rows), ...)
    },
    # Only the scores are used: the error is measured here for all methods alike.
    fealect = function(x, y, ...) {
      rows <- resampled_rows(y)
      fealect(
        x[rows, ], classes_at(y, rows), n_runs = 50, max_features = 50, oob = FALSE, ...
      )
    }
  )
  Filter(Negate(is.null), methods)
}

# Not a single object of the package, which are lists as well.
is_ensemble <- function(method) is.list(method) && is.null(attr(method, "class"))

processor_seconds <- function(code) {
  took <- system.time(code, gcFirst = FALSE)
  took[["user.self"]] + took[["sys.self"]]
}

# One selection from all samples.
time_selection <- function(method, x, y) {
  processor_seconds(if (is_ensemble(method)) {
    select_ensemble(
      x, y, method[[1L]], resample_bootstrap(40), method[[2L]], n_features = 20, seed = 1,
      progress = FALSE
    )
  } else if (is.function(method)) {
    method(x, y, seed = 1, progress = FALSE)
  } else {
    score_features(x, y, method, n_features = 20, seed = 1)
  })
}

# The splits depend on the seed and the samples alone: they are the same for all methods.
one_ranking <- function(name, set) {
  method <- ranking_methods(set$y)[[name]]
  ensemble <- is_ensemble(method)
  judged <- evaluate_selectors(
    set$x, set$y, stats::setNames(list(if (ensemble) method[[1L]] else method), name),
    if (ensemble) list(ensemble = method[[2L]]) else list(),
    n_features = sizes[sizes <= ncol(set$x) / 2], n_repeats = n_splits, index = "nogueira",
    learner = if (is.factor(set$y)) learner_logistic() else learner_ridge(),
    resampling = resample_bootstrap(40), seed = 1, progress = FALSE
  )
  table <- judged$table
  # The own list of a procedure has no size.
  wanted <- if (ensemble) "ensemble" else c("single", "own")
  table <- table[table$aggregation %in% wanted & !is.na(table$n_features), ]
  data.frame(
    method = name, table[c("n_features", "n_selected", "error", "nogueira")],
    failed = nrow(judged$failures), seconds = time_selection(method, set$x, set$y),
    row.names = NULL
  )
}
