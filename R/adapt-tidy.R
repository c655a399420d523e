# Methods for the generics of broom and tidymodels, registered when the suggested package generics
# is loaded.

#' Results as tidy data frames: tidy(), glance(), augment()
#'
#' Methods of `tidy()`, `glance()` and `augment()` (package generics, also as `broom::tidy()` and
#' `recipes::tidy()`). They return results as data frames with the column names of broom, ready to
#' be combined with the results of other models.
#'
#' @inheritParams arguments
#' @param x (result) a result of this package, see the table.
#' @param matrix (string) table of a result with several: `"features"` or `"sizes"` of
#'   [eliminate_features()], `"members"` or `"parameters"` of [estimate_stability()].
#' @param covariates (as in [fit_model()]) covariates of the new samples, if the model has some.
#'
#' @details
#' The table shows the meaning of a row of `tidy()` and of its `estimate`, and the other columns.
#' `se`, `lower`, `upper` and `p` abbreviate `std.error`, `conf.low`, `conf.high` and `p.value`:
#'
#' | result of | row | `estimate` | others |
#' |---|---|---|---|
#' | [find_signals()] | feature | partial correlation | `probability`, `lower`, `upper`, ... |
#' | [fealect()] | feature | score | `se`, `rank`, `selected`, `frequency`, `above_cut` |
#' | [select_ensemble()] | feature | score | `rank`, `selected`, `frequency`, `mean_score` |
#' | [aggregate()][aggregate.stabilect_selection] | feature | score | the same |
#' | [stability_selection()] | feature | share of runs | `rank`, `selected`, `simultaneous` |
#' | [feature_effects()] | feature | corrected effect | `lower`, `upper`, `left_out`, ... |
#' | [compare_cohorts()] | feature | mean correlation | `p`, `adj.p.value`, `n_found`, ... |
#' | [split_test()] | feature | share of splits | `adj.p.value` or `inclusion`, ... |
#' | [bolasso()] | feature | share of runs | `rank`, `selected` |
#' | [as_selection()] | feature | share of runs | `se` (of the score), `mean_score` |
#' | [eliminate_features()] | feature | share of runs | `rank`, `selected`, `mean_rank` |
#' | [eliminate_features()], `"sizes"` | size | score | `se`, `selected`, `n_features`, `pass` |
#' | [hybrid_rfe()] | feature | coefficient | `rank`, `stable`, `weight`, `frequency_score` |
#' | [tune_tradeoff()] | measure, setting | value | `se`, `config`, settings, `status`, ... |
#' | [evaluate_selectors()] | measure, setting | value | `se`, `selector`, `aggregation`, ... |
#' | [fit_model()] | feature | coefficient | `standardised` |
#' | [lasso_path()] | feature, point | coefficient | `class`, `step`, `lambda`, `dev.ratio` |
#' | [validate_model()] | measure | value | `lower`, `upper`, `reference` |
#' | [stability()] | index | value | `se`, `lower`, `upper`, `interval`, `note` |
#' | [test_stability()] | pair | difference | `se`, `lower`, `upper`, `p`, `adj.p.value`, ... |
#' | [cluster_features()] | cluster | mean correlation | `size`, `representative` |
#' | [fdp_bound()] | the first features | `share` of false positives | `n_features`, `n_false` |
#' | [substitutes()] | pair | share of runs | `substitute` |
#' | [explain_stability()] | feature | contribution | `frequency`, `share` |
#' | [lars_path()] | feature, step | coefficient | `lambda`, `coefficient_scaled`, ... |
#' | [three_segment()] | feature | score | `rank`, `segment`, `fitted` |
#' | [stability_convergence()] | number of runs | value | `se`, `lower`, `upper`, `n_runs` |
#' | [estimate_stability()] | members | stability | `lower`, `upper`, `n_weak`, `regrouped`, ... |
#' | the same, `"parameters"` | parameter | value | `lower`, `upper` |
#'
#' The first column is `term`: the feature, measure, index, pair or parameter.
#' @return (data frame; a tibble if the package tibble is installed)
#'   `augment()` of [fit_model()] and [fealect()]: `newdata` with the columns `.fitted` (predicted
#'   class, number, mean count or risk) and, for classes by likelihood, `.probability_` and the name
#'   of each class. `tidy()`: see the table, the best feature first. `glance()`: one row with
#'   `n_selected` (features), `n_runs`, `n_failed` (runs), `n_total` (p) and `nobs` (n), as far as
#'   known, and
#'   * for results with runs, their [stability()] (`"nogueira"`; `NA` for one run) in `estimate`,
#'     `conf.low` and `conf.high`;
#'   * `oob.error`, `oob.baseline` for [fealect()] and [select_ensemble()]; `NA` without an error;
#'   * `cutoff` (`NA` with `bound = "integrated"`), `q` and `pfer` for [stability_selection()],
#'     `cutoff` with `lambda` for [bolasso()];
#'   * `score`, `std.error` with `metric` and `n_fits` for [eliminate_features()]; the out-of-bag
#'     accuracy for [hybrid_rfe()];
#'   * `n_configs`, `metric`, `score` (the best) for [tune_tradeoff()], where `n_failed` counts
#'     settings;
#'   * `n_configs`, `error` (the lowest), `n_splits` for [evaluate_selectors()];
#'   * `p.value` (is there any signal?) and `n_null` for [find_signals()];
#'   * `model`, `lambda` for [fit_model()]; `family`, `n_steps`, `dev.ratio` (the last) and
#'     `nulldev` for [lasso_path()]; `measure`, `error`, `baseline` and their limits for
#'     [validate_model()];
#'   * `conf.level` for [stability()]; `runs_needed` for [stability_convergence()];
#'   * `n_clusters` for [cluster_features()], `n_steps`, `r.squared` (the last) for [lars_path()],
#'     `threshold` for [three_segment()], their stability in `estimate` for [explain_stability()];
#'   * `n_useful`, `p`, `plateau` and `misfit` (flag) for [estimate_stability()].
#' @section Errors:
#' Class `stabilect_error_input` for an unknown `matrix`.
#' @family frameworks
#' @examplesIf requireNamespace("generics", quietly = TRUE)
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 5, seed = 1)
#' head(generics::tidy(fit))
#' generics::glance(fit)
#' @name tidiers
NULL

# The function of the first class of `x` in a table of functions by class.
of_this_class <- function(functions, x, verb) {
  known <- intersect(class(x), names(functions))
  refuse(length(known) == 0L,
    "There is no {.fn {verb}} of an object of class {.cls {class(x)[1]}}.", call = NULL
  )
  functions[[known[1]]]
}

as_tidy <- function(table) {
  rownames(table) <- NULL
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}

# The names of broom for our columns.
broom_names <- c(
  feature = "term", index = "term", parameter = "term", stable = "selected", lower = "conf.low",
  upper = "conf.high", se = "std.error", p_value = "p.value", p_adjusted = "adj.p.value",
  p_fwer = "adj.p.value", informative = "selected"
)

# @param estimate (string) the column that becomes `estimate`.
# @param first (character) first columns; the others follow in their order.
to_broom <- function(table, estimate, drop = character(), names = broom_names) {
  names(table)[match(estimate, names(table))] <- "estimate"
  known <- names(table) %in% names(names)
  names(table)[known] <- names[names(table)[known]]
  first <- intersect(
    c("term", "estimate", "std.error", "conf.low", "conf.high", "rank", "selected"), names(table)
  )
  as_tidy(table[c(first, setdiff(names(table), c(first, drop)))])
}

# The column of a feature table with the quality of a feature.
estimate_of <- function(table) {
  intersect(c("score", "frequency", "partial_r"), names(table))[1]
}

# By class: the rows. Where there are several tables of a result, methods follow below.
tidies <- list(
  stabilect_selection = function(x) {
    table <- as.data.frame(x)
    table <- table[order(-table$frequency, -table$mean_score, method = "radix"), ]
    to_broom(table, "frequency")
  },
  stabilect_hybrid_rfe = function(x) {
    table <- cbind(x$model, rank = seq_len(nrow(x$model)))
    # In hybrid-RFE, `stable` names a kind of feature; all features of the model are selected.
    to_broom(table, "coefficient", names = c(feature = "term"))
  },
  stabilect_model = function(x) to_broom(as.data.frame(x), "coefficient"),
  stabilect_lasso_path = function(x) {
    if (!is.list(x$coefficients)) {
      return(to_broom(path_points(x$coefficients, x), "coefficient"))
    }
    # One matrix for each of several classes.
    parts <- lapply(x$coefficients, path_points, path = x)
    class <- rep(names(parts), vapply(parts, nrow, 0L))
    to_broom(cbind(class = class, do.call(rbind, parts)), "coefficient")
  },
  stabilect_validation = function(x) {
    to_broom(x$table, "estimate", names = c(broom_names, measure = "term"))
  },
  stabilect_tradeoff = function(x) {
    about <- c("config", x$asked$settings, "status", "n_selected", "n_failed")
    tidy_measures(x$table, c(x$asked$metric, x$index), about)
  },
  stabilect_evaluation = function(x) {
    about <- c("selector", "aggregation", "n_features", "learner")
    tidy_measures(x$table, c("error", x$asked$index), about)
  },
  stabilect_stability = function(x) to_broom(x$table, "estimate"),
  stabilect_stability_comparison = function(x) {
    term <- paste(x$table$a, "-", x$table$b)
    to_broom(cbind(term = term, x$table), "difference", drop = c("a", "b"))
  },
  stabilect_signals = function(x) {
    to_broom(x$table, "partial_r")
  },
  stabilect_clusters = function(x) {
    to_broom(x$table, "mean_correlation", names = c(cluster = "term"))
  },
  stabilect_substitutes = function(x) to_broom(x$table, "frequency"),
  stabilect_explanation = function(x) to_broom(as.data.frame(x), "contribution"),
  stabilect_path = function(x) to_broom(as.data.frame(x), "coefficient"),
  stabilect_three_segment = function(x) to_broom(as.data.frame(x), "score"),
  stabilect_convergence = function(x) to_broom(cbind(term = x$index, x$table), "estimate"),
  stabilect_effects = function(x) to_broom(x$table, "effect"),
  stabilect_fdp_bound = function(x) to_broom(as.data.frame(x), "share"),
  stabilect_cohorts = function(x) {
    to_broom(x$table, "correlation", names = c(broom_names, p = "p.value"))
  },
  stabilect_result = function(x) {
    table <- x$table
    if (is.null(table$rank)) table$rank <- seq_len(nrow(table))
    to_broom(table, estimate_of(table))
  }
)

#' @rdname tidiers
#' @exportS3Method generics::tidy
#' @rawNamespace S3method(generics::tidy,stabilect_fdp_bound,tidy.stabilect)
tidy.stabilect <- function(x, ...) {
  refuse_dots(...)
  of_this_class(tidies, x, "tidy")(x)
}

# The non-zeros of a sparse matrix, which broom lists of glmnet's paths.
path_points <- function(coefficients, path) {
  used <- Matrix::summary(coefficients)
  used <- used[used$x != 0, ]
  data.frame(
    term = rownames(coefficients)[used$i], step = used$j, coefficient = used$x,
    lambda = path$lambda[used$j], dev.ratio = path$explained[used$j]
  )
}

# A row per setting and measure, of a table with a column for each measure and its standard error.
tidy_measures <- function(table, measures, about) {
  rows <- lapply(measures, function(measure) {
    data.frame(
      term = measure, estimate = table[[measure]], std.error = table[[paste0(measure, "_se")]],
      table[about], check.names = FALSE
    )
  })
  setting <- rep(seq_len(nrow(table)), length(measures))
  as_tidy(do.call(rbind, rows)[order(setting, method = "radix"), ])
}

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.stabilect_elimination <- function(x, matrix = c("features", "sizes"), ...) {
  refuse_dots(...)
  matrix <- check_choice(matrix, c("features", "sizes"))
  if (matrix == "features") {
    return(to_broom(x$table, "frequency"))
  }
  table <- data.frame(
    term = x$asked$metric, x$sizes[c("score", "se")], n_features = x$sizes$size,
    pass = x$sizes$pass, selected = x$sizes$size == x$n_features
  )
  to_broom(table, "score")
}

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.stabilect_estimate <- function(x, matrix = c("members", "parameters"), ...) {
  refuse_dots(...)
  matrix <- check_choice(matrix, c("members", "parameters"))
  if (matrix == "parameters") {
    return(to_broom(x$parameters, "estimate"))
  }
  table <- as.data.frame(x)
  # The Monte Carlo error of the prediction, not a standard error of the estimate.
  names(table)[names(table) == "se"] <- "simulation_se"
  to_broom(cbind(term = x$asked$index, table), "stability")
}
