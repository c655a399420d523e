#' Feature scores on one data set
#'
#' Runs a selector once, on all samples; [select_ensemble()] repeats this on resamples.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param x (numeric matrix, n samples x p features) data; or a data frame of numbers, a sparse
#'   Matrix, or a matrix in a file (bigstatsr, HDF5; see [select_ensemble()]); no missing values.
#' @param y (n values) outcome: numbers, two classes (factor, character, logical, 0/1 or -1/1),
#'   several classes (factor, character), or survival times (`survival::Surv(time, event)`).
#'   [list_available()] shows what a selector takes.
#' @param selector (`stabilect_selector`) result of a `selector_*()` function.
#' @param weights (n whole numbers >= 0, or `NULL`) how often each sample counts, the same as
#'   repeating its row. `NULL` counts each once.
#' @param n_features (whole number >= 1, or `NULL`) number of features, for selectors that choose a
#'   set of a given size.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula like `~ age +
#'   batch`, or `NULL`) covariates: scores are adjusted for them, see [selector_filter()].
#' @return (data frame, a row for each feature in the order of the columns; copies of a column are
#'   one feature, and are then in a column `copies`) `feature`, `score` (higher is more
#'   relevant), `rank` (1 is best; equal scores are ranked at random, but always alike). With
#'   `selector_filter("moderated_t")` also `p`, of each feature by itself for normal values (Smyth
#'   2004), and `fdr`, adjusted by Benjamini and Hochberg: the list of limma.
#' @section Errors:
#' Class `stabilect_error_input` for data that [fealect()] does not take either, and for an outcome
#' that the selector cannot use; `stabilect_error_runs` if the selector fails, with the reason.
#' @family selectors
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' scores <- score_features(x, mcl_sll$MCL, selector_filter("t"))
#' head(scores[order(scores$rank), ])
#' @export
score_features <- function(x, y, selector, weights = NULL, n_features = NULL, covariates = NULL,
                           seed = NULL, n_threads = getOption("stabilect.n_threads", 1),
                           data = NULL) {
  check_given(except = "y")
  check_selector(selector)
  study <- open_study(x, y, selector$responses, selector$label, function(x) {
    store_x(x, selector)
  }, covariates = covariates)
  check_varying(study$x)
  check_factor_use(list(selector), study)
  check_selectors_hold(list(selector), study)
  control <- selector_control(
    seeds = check_seed(seed),
    n_features = check_count(n_features, max = study$p, null_ok = TRUE),
    n_threads = check_threads(n_threads)
  )
  check_samples(weights, samples_of_study(study), "weights")
  counts <- check_run_weights(weights, study$n)
  runs <- score_all_features(selector, study, TRUE, counts, control)
  refuse(runs$status != "ok", "{selector$label} failed: {runs$status}.", class = "runs")
  score <- unname(runs$score[, 1L])
  table <- data.frame(
    feature = study$feature_names, score = score,
    rank = order(order_best(study$feature_names, score))
  )
  if (!is.null(runs$law)) {
    table$p <- p_of_moderated(score, runs$law)
    table$fdr <- stats::p.adjust(table$p, "BH")
  }
  if (is.null(study$copies)) {
    return(table)
  }
  table$copies <- copies_of(table$feature, study)
  sort_rows(table, match(table$feature, study$copies$columns))
}
register_verb("score_features", place = 10, without = "count")

check_run_weights <- function(weights, n) {
  if (is.null(weights)) {
    return(matrix(1L, n, 1L))
  }
  whole <- is.numeric(weights) && length(weights) == n && all(is.finite(weights)) &&
    all(weights >= 0) && all(weights == round(weights))
  refuse(!whole, "{.arg weights} must be {n} whole numbers >= 0, one per row of {.arg x}, or NULL.")
  matrix(as.integer(weights), n, 1L)
}

#' Custom selectors: any function as a selector
#'
#' @param fun (function) `fun(x, y, ...)` gets the rows of one run (repeated rows are repeated) and
#'   their outcome, a factor, numbers or a `Surv`. It returns one number per column of `x`; higher
#'   is more relevant. Missing values and `-Inf` become the lowest score of the run. A function with
#'   an argument `covariates` gets the verb's covariates (numeric matrix, rows of the run).
#' @param name (string) name in tables and plots.
#' @param responses (character) outcomes that `fun` can use: any of `"binary"`, `"multiclass"`
#'   (also allows ordered classes), `"ordered"`, `"numeric"`, `"survival"`.
#' @param ... passed on to `fun`.
#' @details Before each run, R's generator is set from the seed and the number of the run, and
#' restored afterwards: a function that draws random numbers gives the same scores again. An error
#' in `fun` fails only that run, with its message as the reason. `vignette("paper-selectors")` has
#' the HSIC lasso and SHAP values as selectors.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @concept sparse PLS
#' @concept HSIC lasso
#' @concept SHAP
#' @family selectors
#' @examples
#' spread <- selector_custom(function(x, y) apply(x, 2, mad), name = "mad")
#' head(score_features(as.matrix(mcl_sll[, -1]), mcl_sll$MCL, spread))
#' @export
selector_custom <- function(fun, name = "custom",
                            responses = c("binary", "multiclass", "numeric", "survival"), ...) {
  check_given()
  refuse(!is.function(fun), "{.arg fun} must be a function of x and y, not {describe_value(fun)}.")
  refuse(!checkmate::test_string(name, min.chars = 1L),
    "{.arg name} must be a string, not {describe_value(name)}."
  )
  known <- c("binary", "multiclass", "ordered", "numeric", "survival")
  refuse(!is.character(responses) || !checkmate::test_subset(responses, known, empty.ok = FALSE),
    "{.arg responses} must be some of {.val {known}}, not {describe_value(responses)}."
  )
  more <- list(...)
  fun <- without_rest(fun)
  new_selector(name, name, more, responses, function(x, y, weights, control) {
    labels <- response_labels(y)
    score_each_run(x, y, weights, control, function(rows, seed) {
      held <- y$covariates[rows, , drop = FALSE]
      do.call(fun, c(
        list(x[rows, , drop = FALSE], label_rows(labels, rows)), more,
        if (!is.null(held)) list(covariates = held)
      ))
    }, min_rows = 1L)
  },
  key = new_key(name, list(fun = fun, more = more)),
  holds = if ("covariates" %in% names(formals(args(fun)))) hold_any)
}

# The selectors of the package, for list_available(): all but selector_custom() and
# selector_screened(), which make selectors of functions and of other selectors.
list_selectors <- function() {
  table <- as.data.frame(do.call(rbind, selector_table))
  names(table) <- c("selector", "method", "responses", "engine", "set", "reference")
  table <- data.frame(
    selector = table$selector, method = table$method, binary = grepl("b", table$responses),
    multiclass = grepl("m", table$responses), ordered = grepl("[mo]", table$responses),
    numeric = grepl("n", table$responses), survival = grepl("s", table$responses),
    engine = table$engine, set = table$set == "set", reference = table$reference
  )
  outcomes <- c("binary", "multiclass", "ordered", "numeric", "survival")
  new_listing(table, "selector", list(outcomes = outcomes))
}

# Calls, and outcomes: binary, multiclass (and ordered, as classes), ordered, numeric, survival.
# Outcomes are listed here because selectors of optional packages cannot be made without their
# package. A test compares the list with the selectors and finds missing ones.
selector_table <- list(
  c('selector_filter("t")', "two-sample t, pooled variance", "b", "C++", "", "Student 1908"),
  c('selector_filter("welch")', "two-sample t of Welch", "b", "C++", "", "Welch 1947"),
  c('selector_filter("anova")', "F, one-way analysis of variance", "bm", "C++", "", "Fisher 1925"),
  c('selector_filter("wilcoxon")', "Wilcoxon rank sum z", "b", "C++", "", "Wilcoxon 1945"),
  c('selector_filter("pearson")', "Pearson correlation", "bn", "C++", "", "Pearson 1895"),
  c('selector_filter("spearman")', "Spearman correlation", "bon", "C++", "", "Spearman 1904"),
  c('selector_filter("cox")', "score test in a Cox model", "s", "C++", "", "Cox 1972"),
  c('selector_filter("variance")', "variance", "bmns", "C++", "", ""),
  c('selector_filter("mutual_information")', "mutual information of bins", "bmn", "C++", "",
    "Shannon 1948"),
  c('selector_filter("moderated_t")', "t or F with moderated variances", "bmn", "C++", "",
    "Smyth 2004"),
  c("selector_mrmr()", "minimum redundancy, maximum relevance", "bmn", "C++", "set",
    "Peng et al. 2005"),
  c("selector_learner(learner_svm())", "weights of a linear SVM", "bm", "C++", "",
    "Guyon et al. 2002"),
  c("selector_learner(learner_svm(), step = 0.2)", "SVM, recursive elimination", "bm", "C++", "",
    "Guyon et al. 2002"),
  c("selector_learner(learner_logistic())", "weights of ridge-logistic regression", "bm", "C++", "",
    "le Cessie 1992"),
  c("selector_learner(learner_logistic(), step = 0.2)", "ridge-logistic, recursive elimination",
    "bm", "C++", "", "Zhu 2004"),
  c("selector_hybrid_rfe()", "hybrid-RFE", "b", "C++", "set", "Hamer & Dupont 2021"),
  c("selector_lasso_path()", "models of the lasso path", "bmns", "C++", "set", "Zare et al. 2013"),
  c('selector_lasso_path("coefficient", alpha = 0.5)', "elastic net of a given size", "bmn",
    "glmnet", "set", "Zou & Hastie 2005"),
  c("selector_trex()", "entry before random columns", "bmns", "C++", "set", "Machkour et al. 2025"),
  c("selector_learner(learner_forest())", "importance in a random forest", "bmns", "ranger", "",
    "Breiman 2001"),
  c("selector_relief()", "Relief-F and RReliefF", "bmn", "C++", "", "Kononenko 1994"),
  c("selector_learner(learner_boosting())", "gain in boosted trees", "bn", "gbm", "",
    "Friedman 2001"),
  c("selector_group_lasso(groups)", "entry into the group lasso", "bn", "gglasso", "",
    "Yuan & Lin 2006")
)
