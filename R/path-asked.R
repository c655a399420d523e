# The likelihood of verbs with many paths.

# What the paths of many runs maximise: NULL for plain least squares, which has exact paths, or
# list(family, alpha, covariates (double matrix), strata) for path_job().
# @param paths of path_control().
ask_likelihood <- function(study, paths) {
  family <- family_of(paths$family, study$response)
  strata <- check_strata(paths$strata, family, study$n)
  likelihood <- c(
    list(alpha = paths$alpha, covariates = study_covariates(study$covariates, study)),
    likelihood_within(study, family, strata)
  )
  family <- likelihood$family
  if (is_plain(family, likelihood$alpha, ncol(likelihood$covariates))) {
    return(NULL)
  }
  refuse(paths$score_rule == "step",
    c("{.code score_rule = \"step\"} counts the steps of a path of plain least squares.",
      i = "Take {.code score_rule = \"size\"}."
    )
  )
  check_free(ncol(likelihood$covariates), floor(study$n / 2), likelihood$covariates)
  likelihood
}

# Within groups a family is replaced by the conditional likelihood, with the groups as strata.
# @return list(family, strata (integer, n, or NULL)).
likelihood_within <- function(study, family, strata) {
  if (is.null(study$within)) {
    return(list(family = family, strata = strata))
  }
  stands <- family_record(family)$within
  refuse(is.null(stands),
    c("{family_record(family)$words} cannot compare within groups of {.arg within}.",
      i = "Leave {.arg family} out for least squares, or give two classes and {.val binomial}."
    )
  )
  if (!family_record(stands)$matched) {
    return(list(family = stands, strata = NULL))
  }
  classes <- study$response$levels
  cases <- tabulate(study$blocks[study$response$codes == 2L], nlevels(study$blocks))
  refuse(any(cases > 1L),
    c("{.arg family} {.val {family}} within groups needs at most one sample of {.val {classes[2]}}
        in each, but group {.val {levels(study$blocks)[which(cases > 1L)[1]]}} has more.",
      i = "A class with one sample in each group must be the second, as in {.code factor(y,
        c(\"{classes[2]}\", \"{classes[1]}\"))}. Else leave {.arg family} out for least squares."
    )
  )
  list(family = stands, strata = as.integer(study$blocks))
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
    if (!is.null(likelihood$strata) && !family_record(likelihood$family)$matched) {
      sprintf("%d strata", max(likelihood$strata))
    }
  )
}
