# A step for recipes. The package recipes is only suggested: it is called by `::` inside functions,
# and the methods are registered when it is loaded.

#' Recipe step for stable feature selection
#'
#' A step for recipes (tidymodels): `prep()` selects features on the training set with many
#' resamples, and `bake()` keeps these features. Within resampling by `rsample`, features are
#' selected again on every analysis set: the selection never sees the assessment set.
#'
#' @inheritParams run_control
#' @param recipe (`recipe`) result of `recipes::recipe()`.
#' @param ... selectors of the candidate predictors, for example
#'   `recipes::all_numeric_predictors()`; other predictors stay unchanged.
#' @param outcome (string, or `NULL`) name of the outcome: a factor, numbers, or survival times (one
#'   column made by `survival::Surv(time, event)`). `NULL` takes the only column with the role
#'   `"outcome"`.
#' @param verb (string, result, or function) what selects:
#'   * `"ensemble"` for [select_ensemble()], or the name of [fealect()], [stability_selection()],
#'     [find_signals()] or [split_test()];
#'   * the result of a verb, for example of [bolasso()]: the verb is repeated on the training set
#'     with the same settings;
#'   * a function of (`x`, `y`, `...`) that returns the result of a verb.
#' @param selector (`stabilect_selector`, or `NULL`) selector for `verb = "ensemble"`. `NULL`
#'   depends on the outcome: `selector_filter("t")` for two classes, `selector_filter("anova")` for
#'   more, `selector_filter("pearson")` for numbers, `selector_filter("cox")` for survival times.
#' @param n_features (whole number >= 1, or `NULL`) number of features to keep, the best of the
#'   ranking; all if there are fewer. `NULL`: the verb's own selection (for `"ensemble"` the 100
#'   best, for `"fealect"` the informative, else the stable features), which can be empty. Not for
#'   `"find_signals"`, which ranks no features.
#' @param options (named list) further arguments of the verb, for example `list(resampling =
#'   resample_bootstrap(100))`; for `"stability_selection"` for example `list(pfer = 1)`, its
#'   default.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) seed of the resamples; `NULL` takes one
#'   integer from R's generator at `prep()`.
#' @param role,skip,id as in all steps of recipes; `role` is not used, since no columns are
#'   made.
#' @param x (object of class `step_select_stable`) the step.
#'
#' @details
#' The number of features can be tuned: `n_features = tune()`. Predictors must be numbers without
#' missing values in this step; put steps that impute or code factors before it. Case weights are
#' not used.
#'
#' A step of a trained recipe, `recipe$steps[[1]]`, keeps the complete result of the verb in its
#' field `result`; [stability()] of this field measures how much the runs agreed.
#' @return The recipe with the step added. `tidy()` of the step, one row per predictor, best first:
#'   `terms`, `score`, `rank`, `selected` (flag; `NA` in all three before `prep()`), `id`.
#' @section Errors:
#' Class `stabilect_error_input` for no or several outcomes, and unsuitable `n_features` or
#' `options`; at `prep()` also for data that the verb does not take, for example missing values. If
#' nothing is selected, a warning of class `stabilect_warning_nothing`.
#' @family frameworks
#' @examplesIf requireNamespace("recipes", quietly = TRUE)
#' data <- cbind(class = factor(mcl_sll$MCL), mcl_sll[, -1])
#' rec <- recipes::recipe(class ~ ., data = data)
#' rec <- step_select_stable(rec, recipes::all_numeric_predictors(), n_features = 5, seed = 1)
#' trained <- recipes::prep(rec, training = data)
#' names(recipes::bake(trained, new_data = data))
#' recipes::tidy(trained, number = 1)
#' stability(trained$steps[[1]]$result)
#' @export
step_select_stable <- function(recipe, ..., outcome = NULL,
                               verb = c(
                                 "ensemble", "fealect", "stability_selection", "find_signals",
                                 "split_test"
                               ),
                               selector = NULL, n_features = NULL, options = list(), seed = NULL,
                               n_threads = getOption("stabilect.n_threads", 1), role = NA,
                               skip = FALSE, id = NULL) {
  check_given()
  check_package("recipes", "step")
  refuse(!inherits(recipe, "recipe"),
    "{.arg recipe} must come from {.fn recipes::recipe}, not be {describe_value(recipe)}."
  )
  verb <- check_step_verb(verb, options)
  refuse(!is.null(outcome) && !checkmate::test_string(outcome),
    "{.arg outcome} must be the name of one column, not {describe_value(outcome)}."
  )
  if (!is.null(selector)) {
    check_selector(selector)
    refuse(!identical(verb, "ensemble"), "{.arg selector} is for {.code verb = \"ensemble\"} only.")
  }
  # tune() is still an unevaluated call here; tuning replaces it by a number before prep().
  if (!is.call(n_features)) check_count(n_features, null_ok = TRUE)
  if (is.character(verb)) check_step_options(options, verb)
  refuse(identical(verb, "find_signals") && !is.null(n_features),
    "{.fn find_signals} ranks no features: leave {.arg n_features} out."
  )
  recipes::add_step(recipe, new_step_select_stable(
    terms = rlang::enquos(...), outcome = outcome, verb = verb, selector = selector,
    n_features = n_features, options = options, seed = seed, n_threads = n_threads, role = role,
    trained = FALSE, result = NULL, removals = NULL, skip = skip,
    id = if (is.null(id)) recipes::rand_id("select_stable") else id
  ))
}

# A name, or a procedure: the way of a verb that is repeated.
check_step_verb <- function(verb, options) {
  if (is.character(verb)) {
    return(check_choice(verb, names(step_verbs)))
  }
  refuse(length(options) > 0L, "{.arg options} are for a {.arg verb} by name; others have theirs.")
  procedure <- as_procedure(verb, "verb", "verb")
  held <- intersect(role_names("samples"), names(record_of(verb)$roles))
  refuse(length(held) > 0L || !is.null(procedure$plan$blocks),
    "{.arg verb} has covariates, strata, weights, an offset or blocks of its samples, which a step
      does not know."
  )
  procedure
}

new_step_select_stable <- function(...) recipes::step(subclass = "select_stable", ...)

check_step_options <- function(options, verb) {
  named <- is.list(options) && (length(options) == 0L || rlang::is_dictionaryish(options))
  refuse(!named, "{.arg options} must be a list of values with the names of arguments, not
    {describe_value(options)}.")
  fun <- step_verbs[[verb]]()
  known <- setdiff(c(arguments_of(fun$verb), names(fun$settings)), c("x", "y", "clusters"))
  taken <- intersect(c("selector", "n_features", "seed", "n_threads"), known)
  bad <- setdiff(names(options), setdiff(known, taken))
  if (length(bad) > 0L) {
    own <- if (bad[1] %in% taken) "; it is an argument of the step itself"
    abort("{.arg options} must not name {.val {bad[1]}}{own}.")
  }
}

# By name: the verb, the settings that it alone takes by name, and its label.
step_verbs <- list(
  ensemble = function() list(verb = select_ensemble, label = "ensemble"),
  fealect = function() list(verb = fealect, settings = fealect_settings, label = "FeaLect"),
  stability_selection = function() {
    list(verb = stability_selection, settings = stability_settings, label = "stability selection")
  },
  find_signals = function() list(verb = find_signals, label = "signals"),
  split_test = function() list(verb = split_test, label = "tests on splits")
)

#' @exportS3Method recipes::prep
prep.step_select_stable <- function(x, training, info = NULL, ...) {
  columns <- unname(recipes::recipes_eval_select(x$terms, training, info))
  removals <- character()
  result <- NULL
  if (length(columns) > 0L) {
    outcome <- step_outcome(x$outcome, training, info)
    x$options$weights <- step_weights(x, training, info)
    columns <- setdiff(columns, outcome)
    result <- run_step(x, as.data.frame(training[columns]), training[[outcome]])
    removals <- setdiff(columns, step_ranking(result, x$n_features)$kept)
    if (length(removals) == length(columns)) {
      cli::cli_warn(
        c("The step {.val {x$id}} selected none of {length(columns)} predictors, and removes all.",
          i = if (!inherits(result, "stabilect_signals")) {
            "Give {.arg n_features} to keep the best of them."
          }
        ),
        class = "stabilect_warning_nothing"
      )
    }
  }
  x$trained <- TRUE
  x$result <- result
  x$removals <- removals
  x
}

# Case weights of the recipe, for the verbs that weigh samples; others would ignore them.
step_weights <- function(step, training, info) {
  column <- info$variable[info$role %in% "case_weights"]
  if (length(column) == 0L) {
    return(step$options$weights)
  }
  refuse(!identical(step$verb, "stability_selection"),
    c("The recipe has case weights, {.val {column[1]}}, which this step cannot use.",
      i = "{.code verb = \"stability_selection\"} takes them. To select without, give them another
        role: {.code update_role({column[1]}, new_role = \"id\", old_role = \"case_weights\")}."
    )
  )
  as.double(training[[column[1]]])
}

step_outcome <- function(outcome, training, info) {
  known <- if (is.null(outcome)) info$variable[info$role %in% "outcome"] else outcome
  known <- unique(known)
  refuse(length(known) != 1L,
    c("The recipe has {length(known)} column{?s} with the role {.val outcome}; one is needed.",
      i = "Name the response in {.arg outcome}."
    )
  )
  refuse(!known %in% names(training),
    "The training set has no column {.val {known}} ({.arg outcome})."
  )
  known
}

run_step <- function(step, x, y) {
  if (inherits(step$verb, "stabilect_procedure")) {
    takes <- step$verb$takes
    if (is.null(takes)) takes <- takes_of("evaluate_replication")
    study <- open_study(x, y, takes, "the step", store = step$verb$store)
    rows <- seq_len(study$n)
    return(carry_out_on(step$verb, study, rows, check_seed(step$seed), step$n_threads))
  }
  options <- step$options
  if (step$verb == "ensemble") {
    options$selector <- if (is.null(step$selector)) default_selector(y) else step$selector
    if (!is.null(step$n_features)) options$n_features <- min(step$n_features, count_features(x))
  }
  if (is.null(options$progress)) options$progress <- FALSE
  settings <- list(seed = step$seed, n_threads = step$n_threads)
  # Data by name: errors show the name of the verb, not all of the data.
  verb <- as.name(if (step$verb == "ensemble") "select_ensemble" else step$verb)
  eval(as.call(c(verb, list(x = quote(x), y = quote(y)), settings, options)))
}

default_selector <- function(y) {
  if (is_survival(y)) {
    return(selector_filter("cox"))
  }
  if (is.numeric(y) && length(unique(y)) > 2L) {
    return(selector_filter("pearson"))
  }
  if (length(unique(y)) > 2L) selector_filter("anova") else selector_filter("t")
}

# All features of a result, best first, and the kept ones.
step_ranking <- function(result, n_features) {
  table <- result$table
  best <- if (is.null(n_features)) {
    result$features
  } else {
    utils::head(ranked_features(result), n_features)
  }
  selected <- table$feature %in% best
  list(
    table = data.frame(
      feature = table$feature, score = as.double(table[[estimate_of(table)]]), selected = selected
    ),
    kept = table$feature[selected]
  )
}

#' @exportS3Method recipes::bake
bake.step_select_stable <- function(object, new_data, ...) {
  new_data[!names(new_data) %in% object$removals]
}

#' @rdname step_select_stable
#' @export
print.step_select_stable <- function(x, ...) {
  what <- if (is.character(x$verb)) step_verbs[[x$verb]]()$label else x$verb$name
  cat("Stable feature selection (", what, ")", sep = "")
  if (x$trained && is.null(x$result)) {
    cat(": no predictors [trained]\n")
  } else if (x$trained) {
    kept <- step_ranking(x$result, x$n_features)$kept
    shown <- paste(utils::head(kept, 3L), collapse = ", ")
    more <- if (length(kept) > 3L) sprintf(", and %d more", length(kept) - 3L) else ""
    p <- length(kept) + length(x$removals)
    cat(sprintf(" kept %d of %d: %s%s [trained]\n", length(kept), p, shown, more))
  } else {
    cat(" on ", paste(recipes::sel2char(x$terms), collapse = ", "), "\n", sep = "")
  }
  invisible(x)
}

#' @rdname step_select_stable
#' @exportS3Method generics::tidy
tidy.step_select_stable <- function(x, ...) {
  if (!x$trained) {
    terms <- recipes::sel2char(x$terms)
    table <- data.frame(terms = terms, score = NA_real_, rank = NA_integer_, selected = NA)
  } else if (is.null(x$result)) {
    table <- data.frame(
      terms = character(), score = numeric(), rank = integer(), selected = logical()
    )
  } else {
    ranked <- step_ranking(x$result, x$n_features)$table
    table <- data.frame(
      terms = ranked$feature, score = ranked$score, rank = seq_len(nrow(ranked)),
      selected = ranked$selected
    )
  }
  table$id <- rep(x$id, nrow(table))
  as_tidy(table)
}

#' @exportS3Method generics::required_pkgs
required_pkgs.step_select_stable <- function(x, ...) "stabilect"

#' @exportS3Method generics::tunable
tunable.step_select_stable <- function(x, ...) {
  as_tidy(data.frame(
    name = "n_features",
    call_info = I(list(list(pkg = "dials", fun = "num_terms", range = c(1L, 50L)))),
    source = "recipe", component = "step_select_stable", component_id = x$id
  ))
}

# All names that a verb takes: its arguments and the settings of its groups.
arguments_of <- function(verb) {
  own <- setdiff(names(formals(verb)), "...")
  groups <- list(paths = path_control, control = run_control)[c("paths", "control") %in% own]
  c(own, unlist(lapply(groups, function(make) names(formals(make))), use.names = FALSE))
}
