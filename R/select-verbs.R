# Whole procedures that are run again on parts of the data: a result tells how it was made, a
# function of the user makes one.

# @param x a result of the package, or a function of (x, y, ...) that returns one.
# @return (stabilect_verb) list(name, run (function of (x, y, blocks, rows, seed, n_threads): a
#   result; `rows` are those of x among all samples), key).
as_verb <- function(x, name) {
  if (is.function(x)) verb_of_function(x, name) else verb_of_result(x)
}

new_verb <- function(name, run, params) {
  one_object(
    structure(list(name = name, run = run, key = new_key(name, params)), class = "stabilect_verb")
  )
}

verb_of_function <- function(fun, name) {
  takes <- names(formals(args(fun)))
  own <- with_own_errors(fun, paste0("The procedure \"", name, "\" failed"), "input")
  run <- with_data(function(x, y, blocks, rows, seed, n_threads, covariates = NULL) {
    data <- if (is.null(blocks)) list(x, y) else list(prepare_study(x, y, blocks = blocks))
    options <- list(seed = seed, n_threads = n_threads, progress = FALSE)
    if (!"..." %in% takes) options <- options[names(options) %in% takes]
    if (!is.null(covariates)) options$covariates <- covariates
    without_size_warning(do.call(own, c(data, options)))
  }, own = own, takes = takes)
  verb <- new_verb(name, run, list(fun = fun))
  verb$holds <- any(c("covariates", "...") %in% takes)
  verb
}

# The verbs whose results tell all that it takes to repeat them, by the class of the results. They
# are found by name, as rooms that use this one have some of them.
repeatable_verbs <- c(
  stabilect_fealect = "fealect", stabilect_stability_selection = "stability_selection",
  stabilect_bolasso = "bolasso", stabilect_ensemble = "select_ensemble",
  stabilect_hybrid_rfe = "hybrid_rfe", stabilect_split_test = "split_test"
)

verb_of_result <- function(fit) {
  kind <- class(fit)[1]
  check_repeatable(fit)
  verb <- repeatable_verbs[[kind]]
  plan <- fit$resamples$plan
  asked <- repeated_arguments(fit)
  drawn <- kind != "stabilect_split_test"
  run <- with_data(function(x, y, blocks, rows, seed, n_threads) {
    asked <- c(asked[names(asked) != "likelihood"], likelihood_arguments(asked$likelihood, rows))
    if (!is.null(asked$n_folds)) asked$n_folds <- min(asked$n_folds, nrow(x))
    if (is.matrix(asked$covariates) && nrow(asked$covariates) > nrow(x)) {
      asked$covariates <- asked$covariates[rows, , drop = FALSE]
    }
    if (drawn) asked$resampling <- plan_for_rows(plan, rows)
    without_size_warning(do.call(verb, c(list(x, y), asked, list(
      seed = seed, n_threads = n_threads, progress = FALSE
    )), envir = topenv()))
  }, verb = verb, asked = asked, plan = plan, drawn = drawn)
  new_verb(kind, run, list(asked, format(plan)))
}

check_repeatable <- function(fit) {
  kind <- class(fit)[1]
  verbs <- unname(repeatable_verbs) # nolint: object_usage_linter.
  refuse(!kind %in% names(repeatable_verbs),
    c("{.arg object} must be a result of {.or {.fn {verbs}}}, or a function that makes a result,
       not {describe_value(fit)}.",
      i = "For others: {.code function(x, y, ...) select_ensemble(x, y, selector, ...)}."
    )
  )
  clusters <- !is.null(fit$asked$clusters) || !is.null(fit$groups)
  refuse(clusters, c("{.arg object} selects clusters of features, not features.",
    i = "Give a result without {.arg clusters}."
  ))
  refuse(fit$resamples$plan$scheme == "custom",
    "Custom resamples cannot be drawn again from a part of the samples: {.arg object} needs
      another plan."
  )
}

# The arguments that a result was made with, by their names.
repeated_arguments <- function(fit) {
  asked <- Filter(Negate(is.null), fit$asked)
  if (inherits(fit, "stabilect_fealect")) asked[c("n_boot", "oob")] <- list(0, FALSE)
  if (inherits(fit, "stabilect_split_test")) asked$n_splits <- fit$made$n_runs
  if (inherits(fit, "stabilect_ensemble")) {
    selectors <- fit$made$selectors
    asked$selector <- if (is.null(asked$parameters)) selectors else selectors[[1]]
    asked[c("selector_hash", "learner")] <- NULL
  }
  asked$permute <- if (is_calibrated(asked)) 0
  asked
}

# Classes of halves are small by design.
without_size_warning <- function(code) {
  muffle <- function(warning) invokeRestart("muffleWarning")
  withCallingHandlers(
    code, stabilect_warning_small_class = muffle, stabilect_warning_separated = muffle
  )
}

# @return list(order (integer: columns, best first), own (integer: columns of the selected ones)).
ranking_of_result <- function(result, feature_names, name) {
  ok <- inherits(result, "stabilect_result") && is.character(result$features) &&
    !is.null(result$table$feature)
  refuse(!ok,
    "The procedure {.val {name}} must return a result that selects features, such as that of
      {.fn fealect}, not {describe_value(result)}.", call = NULL
  )
  list(
    order = match(result$table$feature, feature_names),
    own = match(result$features, feature_names)
  )
}
