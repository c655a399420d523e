# The likelihood of verbs with many paths.

# What the paths of many runs maximise: NULL for plain least squares, which has exact paths, or
# list(family, alpha, covariates (double matrix), strata) for path_job().
# @param paths of path_control().
ask_likelihood <- function(study, paths) {
  family <- family_of(paths$family, study$response)
  likelihood <- list(
    family = family, alpha = paths$alpha,
    covariates = study_covariates(study$covariates, study),
    strata = check_strata(paths$strata, family, study$n)
  )
  if (is_plain(family, likelihood$alpha, ncol(likelihood$covariates))) {
    return(NULL)
  }
  refuse(paths$score_rule == "step",
    c("{.code score_rule = \"step\"} counts the steps of a path of plain least squares.",
      i = "Take {.code score_rule = \"size\"}."
    )
  )
  check_free(ncol(likelihood$covariates), floor(study$n / 2))
  likelihood
}

# The model of a result in words, for prints; NULL for plain least squares.
describe_likelihood <- function(likelihood) {
  if (is.null(likelihood)) {
    return(NULL)
  }
  paste0(
    family_record(likelihood$family)$words,
    if (likelihood$alpha < 1) sprintf(", elastic net with alpha %s", figure(likelihood$alpha))
  )
}

# The covariates that it adjusts for; NULL without any.
describe_adjusted <- function(likelihood) {
  held <- colnames(likelihood$covariates)
  c(
    if (length(held) > 0L) paste("adjusted for", describe_held(held)),
    if (!is.null(likelihood$strata)) sprintf("%d strata", max(likelihood$strata))
  )
}
