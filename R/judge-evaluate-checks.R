# The arguments of evaluate_selectors().

# Selectors, and whole procedures given as functions, which are told apart by name.
check_judged <- function(selectors, label, call = rlang::caller_env()) {
  if (is.function(selectors)) {
    selectors <- stats::setNames(list(selectors), if (nchar(label) > 40L) "procedure" else label)
  }
  is_verb <- is.list(selectors) && !inherits(selectors, "stabilect_selector")
  is_verb <- if (is_verb) vapply(selectors, is.function, NA)
  if (!any(is_verb)) {
    return(check_selectors(selectors, call = call))
  }
  given <- rlang::names2(selectors)
  if (any(given[is_verb] == "")) {
    abort("Name the functions in {.arg selectors}: {.code list(fealect = fealect)}.", call = call)
  }
  out <- selectors
  out[is_verb] <- Map(as_verb, selectors[is_verb], given[is_verb])
  if (!all(is_verb)) {
    plain <- check_selectors(selectors[!is_verb], call = call)
    out[!is_verb] <- plain
    given[!is_verb] <- names(plain)
  }
  check_apart(given, "selectors", call)
  stats::setNames(out, given)
}

# With covariates, everything that is compared must hold them.
check_judged_hold <- function(selectors, study, data, call = rlang::caller_env()) {
  if (is.null(study$response$covariates)) {
    return(invisible())
  }
  if (!is.null(data)) {
    abort("{.arg covariates} are those of samples, but training sets of generated data are drawn
      from their model.", call = call)
  }
  is_selector <- vapply(selectors, inherits, NA, "stabilect_selector")
  check_selectors_hold(selectors[is_selector], study, call)
  for (verb in selectors[!is_selector]) {
    if (!verb$holds) {
      abort(c("The procedure {.val {verb$name}} has no argument {.arg covariates} to be given
          them.", i = "{.code function(x, y, covariates, ...)} has."), call = call)
    }
  }
}

# All selectors must take the response.
open_judged_study <- function(x, y, selectors, covariates, call = rlang::caller_env()) {
  study <- open_study(
    x, y, takes_of("evaluate_selectors"), "an evaluation", call = call, covariates = covariates
  )
  for (one in Filter(function(one) inherits(one, "stabilect_selector"), selectors)) {
    check_takes(study$response, one$responses, "this selector", call)
  }
  n_events <- sum(study$response$event)
  if (study$response$type == "survival" && n_events < 4L) {
    abort("{.arg y} has {n_events} events; two halves need at least 4.", call = call)
  }
  study
}

# Everything that is the same for all splits.
check_evaluation <- function(selectors, aggregation, n_features, learner, resampling, index,
                             study, call = rlang::caller_env()) {
  p <- study$p
  response <- study$response
  if (is.null(learner)) learner <- default_learner(response)
  if (is.null(n_features)) n_features <- min(100L, p)
  if (!is.numeric(n_features) || length(n_features) == 0L || anyDuplicated(n_features)) {
    abort("{.arg n_features} must hold distinct whole numbers.", call = call)
  }
  sizes <- vapply(n_features, check_count, 1L, name = "n_features", max = p, call = call)
  if (!inherits(resampling, "stabilect_resampling")) {
    abort("{.arg resampling} must be a plan made by a {.code resample_*()} function, not
      {describe_value(resampling)}: each half needs draws of its own.", call = call)
  }
  known <- list_stability_indices()$index
  unknown <- if (is.character(index)) setdiff(index, known) else "index"
  if (length(unknown) > 0L || length(index) == 0L) {
    abort("{.arg index} must hold names from {.fn list_stability_indices}, such as
      {.val cw_rel}.", call = call)
  }
  list(
    selectors = selectors, aggregation = name_aggregations(aggregation, call),
    n_features = sizes, learner = name_learners(learner, response, call),
    resampling = resampling, index = index, covariates = response$covariates
  )
}

# The learner for an outcome when the user names none.
default_learner <- function(response) {
  if (is.null(response$codes)) {
    learner_ridge()
  } else if (is.null(response$covariates)) {
    learner_lda()
  } else {
    learner_logistic()
  }
}

name_aggregations <- function(aggregation, call) {
  if (inherits(aggregation, "stabilect_aggregation")) aggregation <- list(aggregation)
  if (!is.list(aggregation)) check_aggregation(aggregation, "aggregation", call)
  lapply(aggregation, check_aggregation, name = "aggregation", call = call)
  # "single" is the selection without any.
  labels <- c("single", name_apart(aggregation, "label"))
  check_apart(labels, "aggregations", call)
  stats::setNames(aggregation, labels[-1])
}

name_learners <- function(learner, response, call) {
  if (inherits(learner, "stabilect_learner")) learner <- list(learner)
  if (!is.list(learner) || length(learner) == 0L) check_learner(learner, "learner", call)
  lapply(learner, check_learner, name = "learner", call = call)
  lapply(learner, check_learner_takes, response, call)
  learner <- lapply(learner, hold_in_learner, response, call)
  labels <- name_apart(learner, "name")
  check_apart(labels, "learners", call)
  stats::setNames(learner, labels)
}

# The names that were given, and where there is none what the object calls itself.
name_apart <- function(objects, field) {
  labels <- vapply(objects, function(one) one[[field]], "", USE.NAMES = FALSE)
  given <- rlang::names2(objects)
  ifelse(given == "", labels, given)
}

check_apart <- function(labels, what, call) {
  again <- labels[duplicated(labels)]
  if (length(again) > 0L) {
    abort("Two {what} are called {.val {again[1]}}; name them apart.", call = call)
  }
}
