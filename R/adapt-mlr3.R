# Filters for mlr3. mlr3filters is only suggested: the class is made with the first filter, and the
# dictionary is filled when mlr3filters is loaded.

#' Filters for mlr3
#'
#' Any selector, ensemble of selectors or [fealect()] as a filter of the package mlr3filters, for
#' example for `mlr3pipelines::po("filter")`. When mlr3filters is loaded, its dictionary gets
#' `"stabilect_fealect"` and one filter for each function of [list_available()], for example
#' `flt("stabilect_learner", learner = learner_svm(0.1), step = 0.2)`.
#'
#' @param selector (`stabilect_selector`, a list of several, or string) selector, for example
#'   [selector_custom()]; or the name of a selector function without `selector_`, for example
#'   `"filter"`, whose arguments then become hyperparameters; or `"fealect"`.
#' @param ... values of hyperparameters, see below.
#' @param id (string, or `NULL`) identifier of the filter; `NULL` takes `"stabilect_"` and the name
#'   of the selector.
#'
#' @details
#' Hyperparameters of a filter are the arguments of its selector (for [fealect()]: `n_runs`,
#' `fraction`, `max_features`, `score_rule`) and
#' * `resampling` (`stabilect_resampling`, or `NULL`): with a plan, for example
#'   [resample_bootstrap()], the selector runs on these resamples as in [select_ensemble()]; without
#'   a plan, once on all samples. Several selectors need a plan.
#' * `aggregation` (`stabilect_aggregation`) and `n_features` (size of the set of a run; by default
#'   `nfeat` of `$calculate()`, at most 100) of this ensemble.
#' * `seed`: by default one integer from R's generator; `n_threads`.
#'
#' Filters take classification and regression tasks if their selectors take these outcomes. They
#' take survival tasks if the package mlr3proba, which defines these, is loaded before the filter is
#' made.
#'
#' Scores are those of [score_features()], [aggregate()][aggregate.stabilect_selection] or
#' [fealect()]; higher is better. mlr3filters puts equal scores in random order. Features must be
#' numbers, without missing values.
#' @return (`FilterStabilect`, an R6 object that inherits from `mlr3filters::Filter`)
#' @section Errors:
#' Class `stabilect_error_input` for an unknown name, and several selectors without `resampling`; in
#' `$calculate()` also for data that the selector does not take. paradox checks hyperparameters.
#' @family frameworks
#' @examplesIf requireNamespace("mlr3filters", quietly = TRUE)
#' task <- mlr3::as_task_classif(
#'   data.frame(class = factor(mcl_sll$MCL), mcl_sll[, 2:41]), target = "class"
#' )
#' filter <- mlr3filters::flt("stabilect_filter", resampling = resample_bootstrap(20), seed = 1)
#' filter$calculate(task, nfeat = 5)
#' head(filter$scores)
#' own <- filter_mlr3(selector_custom(function(x, y) apply(x, 2, mad), name = "mad"))
#' head(own$calculate(task)$scores)
#' @export
filter_mlr3 <- function(selector, ..., id = NULL) {
  check_given()
  for (package in c("mlr3filters", "paradox", "R6")) check_package(package, "filter")
  parts <- if (is.character(selector)) named_filter(selector) else ready_filter(selector)
  if (!is.null(id)) parts$id <- id
  parts$task_types <- task_types_of(parts$responses, mlr3::mlr_reflections$task_types$type)
  refuse(length(parts$task_types) == 0L,
    c("{.arg selector} takes survival times only, for which mlr3 alone has no tasks.",
      i = "Load the package {.pkg mlr3proba} first."
    )
  )
  filter <- filter_class()$new(parts)
  values <- list(...)
  refuse(length(values) > 0L && !rlang::is_dictionaryish(values),
    "Hyperparameters need names: {.code filter_mlr3(\"filter\", statistic = \"t\")}."
  )
  filter$param_set$values[names(values)] <- values
  filter
}

# The parts of a filter: id, label, responses (of new_selector()), task_types of these, engine
# (package), params (domains), and make(values): the selector made from the values of its own
# hyperparameters.
named_filter <- function(name) {
  name <- check_choice(name, name = "selector", choices = c(filter_names(), "fealect"))
  if (name == "fealect") {
    own <- c(
      formals(fealect)[c("n_runs", "fraction", "max_features")], formals(path_control)["score_rule"]
    )
    return(list(
      id = "stabilect_fealect", label = "FeaLect score", responses = takes_of("fealect"),
      engine = NULL, params = domains_of(own),
      make = function(values) structure(values, class = "stabilect_fealect_settings")
    ))
  }
  maker <- get(paste0("selector_", name), envir = topenv())
  about <- list_selectors()
  about <- about[maker_of(about$selector) == name, ]
  several <- nrow(about) > 1L
  kinds <- c("binary", "multiclass", "numeric", "survival")
  list(
    id = paste0("stabilect_", name),
    label = if (several) paste0("selector_", name, "()") else capitalised(about$method),
    # The responses that any of its selectors takes; each refuses those that it cannot use.
    responses = kinds[vapply(about[kinds], any, NA)],
    engine = if (!"C++" %in% about$engine) unique(about$engine),
    params = domains_of(formals(maker)),
    make = function(values) do.call(maker, values)
  )
}

filter_names <- function() unique(maker_of(list_selectors()$selector))

# "filter" of 'selector_filter("t")'.
maker_of <- function(written) sub("^selector_([a-z_]+)[(].*", "\\1", written)

ready_filter <- function(selector) {
  selectors <- check_selectors(selector)
  list(
    id = paste0("stabilect_", paste(names(selectors), collapse = "_")),
    label = paste(vapply(selectors, function(one) one$label, ""), collapse = ", "),
    responses = Reduce(intersect, lapply(selectors, function(one) one$responses)), engine = NULL,
    params = list(), make = function(values) selector, several = length(selectors) > 1L
  )
}

# Domains of arguments, inferred from their defaults.
domains_of <- function(arguments) {
  arguments <- arguments[names(arguments) != "..."]
  one <- function(name) {
    if (rlang::is_missing(arguments[[name]])) {
      return(paradox::p_uty(tags = "required"))
    }
    default <- eval(arguments[[name]], topenv())
    counts <- grepl("^(n|max)_", name)
    if (counts && (is.null(default) || is.numeric(default))) {
      paradox::p_int(1, special_vals = list(NULL), default = default)
    } else if (is.logical(default)) {
      paradox::p_lgl(default = default)
    } else if (is.character(default) && length(default) > 1L) {
      paradox::p_fct(default, default = default[1])
    } else if (is.numeric(default)) {
      paradox::p_dbl(default = default)
    } else {
      paradox::p_uty(default = default)
    }
  }
  stats::setNames(lapply(names(arguments), one), names(arguments))
}

# Hyperparameters of the run, in addition to the selector's.
common_domains <- function(is_fealect) {
  ensemble <- list(
    aggregation = paradox::p_uty(default = NULL),
    n_features = paradox::p_int(1, special_vals = list(NULL), default = NULL)
  )
  c(
    list(resampling = paradox::p_uty(default = NULL)), if (!is_fealect) ensemble,
    list(
      seed = paradox::p_int(0, special_vals = list(NULL), default = NULL),
      n_threads = paradox::p_int(1, default = getOption("stabilect.n_threads", 1), tags = "threads")
    )
  )
}

# Names that R6 makes visible inside a method.
utils::globalVariables(c("private", "self", "super"))

filter_class <- function() {
  R6::R6Class(
    "FilterStabilect",
    inherit = mlr3filters::Filter,
    public = list(
      parts = NULL,
      initialize = function(parts) {
        self$parts <- parts
        common <- common_domains(parts$id == "stabilect_fealect")
        common <- common[setdiff(names(common), names(parts$params))]
        super$initialize(
          id = parts$id,
          task_types = parts$task_types,
          # Regression tasks do not have this property, and a filter cannot require it for
          # classification only. The number of classes is then checked with the response.
          task_properties = if (identical(parts$responses, "binary")) "twoclass" else character(),
          param_set = do.call(paradox::ps, c(parts$params, common)),
          feature_types = c("integer", "numeric"), packages = c("stabilect", parts$engine),
          label = parts$label, man = "stabilect::filter_mlr3"
        )
      }
    ),
    private = list(
      .calculate = function(task, nfeat) {
        score_task(self$parts, self$param_set$get_values(), task, nfeat)
      },
      # Ready-made selectors are not among the hyperparameters.
      .extra_hash = "parts"
    )
  )
}

# @param known (character) the present task types of mlr3 and its extensions.
task_types_of <- function(responses, known) {
  types <- c(binary = "classif", multiclass = "classif", numeric = "regr", survival = "surv")
  intersect(unname(types[responses]), known)
}

# @return named numeric, in the order of the features.
score_task <- function(parts, values, task, nfeat) {
  x <- as.matrix(as.data.frame(task$data(cols = task$feature_names), optional = TRUE))
  colnames(x) <- task$feature_names
  y <- task$truth()
  own <- values[intersect(names(values), names(parts$params))]
  run <- values[setdiff(names(values), names(own))]
  made <- parts$make(own)
  if (is.null(run$n_threads)) run$n_threads <- getOption("stabilect.n_threads", 1)
  run$n_features <- min(
    if (is.null(values$n_features)) min(nfeat, 100L) else values$n_features, count_features(x)
  )
  table <- if (inherits(made, "stabilect_fealect_settings")) {
    do.call("fealect", c(
      list(x, y, n_boot = 0, oob = FALSE, progress = FALSE), unclass(made),
      run[c("seed", "n_threads")], list(resampling = run$resampling)
    ))$table
  } else if (is.null(run$resampling)) {
    score_once(x, y, made, parts, run)
  } else {
    select_ensemble(
      x, y, made, run$resampling,
      aggregation = if (is.null(run$aggregation)) aggregate_by() else run$aggregation,
      n_features = run$n_features, seed = run$seed, n_threads = run$n_threads, progress = FALSE
    )$table
  }
  # mlr3 needs a score for every column.
  scores <- scores_of_columns(table, x)
  stats::setNames(scores$score, scores$feature)
}

# One selector on all samples.
score_once <- function(x, y, made, parts, run) {
  refuse(isTRUE(parts$several),
    "Several selectors are aggregated over runs: give the filter a {.arg resampling}.",
      call = NULL
  )
  if (inherits(made, "list")) made <- made[[1]]
  score_features(
    x, y, made, n_features = run$n_features, seed = run$seed, n_threads = run$n_threads
  )
}

.onLoad <- function(libname, pkgname) { # nolint: object_name_linter.
  fill <- function(...) fill_mlr3_dictionary()
  if (isNamespaceLoaded("mlr3filters")) fill()
  setHook(packageEvent("mlr3filters", "onLoad"), fill)
}

fill_mlr3_dictionary <- function() {
  for (name in c(filter_names(), "fealect")) {
    mlr3filters::mlr_filters$add(paste0("stabilect_", name), filter_maker(name))
  }
}

filter_maker <- function(name) {
  force(name)
  function() filter_mlr3(name)
}
