# Procedures that users give: a result, a function of the data, or a selector.

# @param x a result of the package, or a function of (x, y, ...) that returns one.
# @param argument (string) what users call it; whole (flag): will all samples and features be there?
as_procedure <- function(x, name, argument = "object", whole = FALSE) {
  if (is.function(x)) {
    return(procedure_of_function(x, name))
  }
  procedure <- procedure_of(x)
  verbs <- c( # nolint: object_usage_linter.
    "fealect", "stability_selection", "bolasso", "select_ensemble", "hybrid_rfe", "split_test"
  )
  refuse(is.null(procedure),
    c("{.arg {argument}} must be a result of {.or {.fn {verbs}}}, or a function that makes a result,
       not {describe_value(x)}.",
      i = "For others: {.code function(x, y, ...) select_ensemble(x, y, selector, ...)}."
    )
  )
  refuse(identical(procedure$once, "job"),
    c("{.arg {argument}} does not hold what it takes to repeat it: another version of the package
       made it.",
      i = "Give a function: {.code function(x, y, ...) select_ensemble(x, y, selector, ...)}."
    )
  )
  # Data that are given again may not have its roles yet.
  procedure$roles <- record_of(x)$roles
  if (whole) {
    return(procedure)
  }
  refuse(identical(procedure$once, "names"),
    c("{.arg {argument}} names features but ranks no others.",
      i = "Give a result of {.or {.fn {verbs}}}."
    )
  )
  refuse(identical(procedure$once, "clusters"),
    c("{.arg {argument}} selects clusters of features, not features.",
      i = "Give a result without {.arg clusters}."
    )
  )
  refuse(!is.null(procedure$once),
    "Custom resamples cannot be drawn again from a part of the samples: {.arg {argument}} needs
      another plan."
  )
  procedure
}

# Procedures without own runs: reading does all the work.
without_runs <- function(study, draws, asked, control) {
  new_job(list(), NULL, list(), function(values, draws) list())
}

procedure_of_function <- function(fun, name) {
  takes <- names(formals(args(fun)))
  own <- with_own_errors(fun, paste0("The procedure \"", name, "\" failed"), "input")
  read <- with_data(function(runs, asked, study, record, control) {
    y <- response_labels(study$response)
    data <- list(study$x, y)
    blocks <- study$response$blocks
    # Copies of samples are found again.
    if (has_own_blocks(blocks)) data <- list(prepare_study(study$x, y, blocks = blocks))
    options <- list(seed = control$seed, n_threads = control$n_threads, progress = FALSE)
    if (!"..." %in% takes) options <- options[names(options) %in% takes]
    options$covariates <- study$response$covariates
    do.call(own, c(data, options))
  }, own = own, takes = takes)
  procedure <- new_procedure(
    name, list(), NULL, without_runs, read, takes = NULL, key = new_key(name, list(fun = fun))
  )
  procedure$holds <- any(c("covariates", "...") %in% takes)
  procedure
}

# A selector run once is a procedure: its best features are its list.
procedure_of_selector <- function(selector, n_features) {
  read <- with_data(function(runs, asked, study, record, control) {
    scores <- score_features(
      study$x, response_labels(study$response), selector, n_features = n_features,
      seed = control$seed, n_threads = control$n_threads
    )
    best <- scores[order(scores$rank), ]
    best <- best[has_score(best$score), ]
    of_class("stabilect_result", table = best, features = utils::head(best$feature, n_features))
  }, selector = selector, n_features = n_features)
  new_procedure(
    selector$label, list(), NULL, without_runs, read, takes = NULL,
    key = new_key(selector$label, list(selector$key))
  )
}

# @return list(order (integer: the columns that have a score, best first), own (integer: selected
#   columns)).
ranking_of_result <- function(result, feature_names, name) {
  ok <- inherits(result, "stabilect_result") && is.character(result$features) &&
    !is.null(result$table$feature)
  refuse(!ok,
    "The procedure {.val {name}} must return a result that selects features, such as that of
      {.fn fealect}, not {describe_value(result)}.", call = NULL
  )
  list(
    order = match(ranked_features(result), feature_names),
    own = match(result$features, feature_names)
  )
}
