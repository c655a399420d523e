# The arguments of evaluate_selectors().

# Selectors, and whole procedures given as functions, distinguished by name.
check_judged <- function(selectors, label) {
  if (is.function(selectors)) {
    selectors <- stats::setNames(list(selectors), if (nchar(label) > 40L) "procedure" else label)
  }
  is_verb <- is.list(selectors) && !inherits(selectors, "stabilect_selector")
  is_verb <- if (is_verb) vapply(selectors, is.function, NA)
  if (!any(is_verb)) {
    return(check_selectors(selectors))
  }
  given <- rlang::names2(selectors)
  refuse(any(given[is_verb] == ""),
    "Name the functions in {.arg selectors}: {.code list(fealect = fealect)}."
  )
  out <- selectors
  out[is_verb] <- Map(as_procedure, selectors[is_verb], given[is_verb])
  if (!all(is_verb)) {
    plain <- check_selectors(selectors[!is_verb])
    out[!is_verb] <- plain
    given[!is_verb] <- names(plain)
  }
  check_apart(given, "selectors")
  stats::setNames(out, given)
}

# With covariates, all compared parts must adjust for them.
check_judged_hold <- function(selectors, study, data) {
  if (is.null(study$response$covariates)) {
    return(invisible())
  }
  refuse(!is.null(data),
    "{.arg covariates} are those of samples, but training sets of generated data are drawn
      from their model."
  )
  is_selector <- vapply(selectors, inherits, NA, "stabilect_selector")
  check_selectors_hold(selectors[is_selector], study)
  for (verb in selectors[!is_selector]) {
    refuse(!verb$holds,
      c("The procedure {.val {verb$name}} has no argument {.arg covariates} to be given
        them.", i = "{.code function(x, y, covariates, ...)} has.")
    )
  }
}

# All selectors must take the response.
open_judged_study <- function(x, y, selectors, covariates) {
  study <- open_study(
    x, y, takes_of("evaluate_selectors"), "an evaluation", covariates = covariates
  )
  for (one in Filter(function(one) inherits(one, "stabilect_selector"), selectors)) {
    check_takes(study$response, one$responses, "this selector")
  }
  n_events <- sum(study$response$event)
  refuse(study$response$type == "survival" && n_events < 4L,
    "{.arg y} has {n_events} events; two halves need at least 4."
  )
  study
}

# Everything that is the same for all splits.
check_evaluation <- function(selectors, aggregation, n_features, learner, resampling, index,
                             study) {
  p <- study$p
  response <- study$response
  if (is.null(learner)) {
    learner <- default_learner(outcome_of(response), !is.null(response$covariates))
  }
  if (is.null(n_features)) n_features <- min(100L, p)
  refuse(!is.numeric(n_features) || length(n_features) == 0L || anyDuplicated(n_features),
    "{.arg n_features} must hold distinct whole numbers."
  )
  sizes <- vapply(n_features, check_count, 1L, name = "n_features", max = p)
  refuse(!inherits(resampling, "stabilect_resampling"),
    "{.arg resampling} must be a plan made by a {.code resample_*()} function, not
      {describe_value(resampling)}: each half needs draws of its own."
  )
  known <- list_stability_indices()$index
  unknown <- if (is.character(index)) setdiff(index, known) else "index"
  refuse(length(unknown) > 0L || length(index) == 0L,
    "{.arg index} must hold names from {.code list_available(\"indices\")}, such as
      {.val cw_rel}."
  )
  list(
    selectors = selectors, aggregation = name_aggregations(aggregation),
    n_features = sizes, learner = name_learners(learner, response),
    resampling = resampling, index = index, covariates = response$covariates
  )
}

name_aggregations <- function(aggregation) {
  if (inherits(aggregation, "stabilect_aggregation")) aggregation <- list(aggregation)
  if (!is.list(aggregation)) check_aggregation(aggregation, "aggregation")
  lapply(aggregation, check_aggregation, name = "aggregation")
  # "single" is the selection without any.
  labels <- c("single", name_apart(aggregation, "label"))
  check_apart(labels, "aggregations")
  stats::setNames(aggregation, labels[-1])
}

name_learners <- function(learner, response) {
  if (inherits(learner, "stabilect_learner")) learner <- list(learner)
  if (!is.list(learner) || length(learner) == 0L) check_learner(learner, "learner")
  lapply(learner, check_learner, name = "learner")
  lapply(learner, check_learner_takes, response)
  learner <- lapply(learner, hold_in_learner, response)
  labels <- name_apart(learner, "name")
  check_apart(labels, "learners")
  stats::setNames(learner, labels)
}

# The given names; without one, the object's own name.
name_apart <- function(objects, field) {
  labels <- vapply(objects, function(one) one[[field]], "", USE.NAMES = FALSE)
  given <- rlang::names2(objects)
  ifelse(given == "", labels, given)
}

check_apart <- function(labels, what) {
  refuse_at(labels[duplicated(labels)], "Two {what} are called {.val {at}}; name them apart.")
}
