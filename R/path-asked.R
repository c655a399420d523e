# What verbs with many paths are asked to maximise.

# What the paths of many runs maximise: NULL for plain least squares, whose paths are exact, or
# list(family, alpha, covariates (double matrix), strata) for run_lasso_paths().
ask_model <- function(study, family, alpha, covariates, strata, score_rule = "size",
                      call = rlang::caller_env()) {
  family <- family_of(family, study$response)
  model <- list(
    family = family, alpha = check_fraction(alpha, "alpha", call = call),
    covariates = study_covariates(covariates, study, call),
    strata = check_strata(strata, family, study$n, call)
  )
  if (family == "gaussian" && model$alpha == 1 && ncol(model$covariates) == 0L) {
    return(NULL)
  }
  if (score_rule == "step") {
    abort(c("{.code score_rule = \"step\"} counts the steps of a path of plain least squares.",
      i = "Take {.code score_rule = \"size\"}."
    ), call = call)
  }
  check_free(ncol(model$covariates), floor(study$n / 2), call)
  model
}

# The model of a result in words, for prints; NULL for plain least squares.
describe_model <- function(model) {
  if (is.null(model)) {
    return(NULL)
  }
  held <- colnames(model$covariates)
  paste0(
    family_words[[model$family]],
    if (model$alpha < 1) sprintf(", elastic net with alpha %s", format(model$alpha)),
    if (length(held) > 0L) paste0("; held constant: ", paste(held, collapse = ", ")),
    if (!is.null(model$strata)) sprintf("; %d strata", max(model$strata))
  )
}
