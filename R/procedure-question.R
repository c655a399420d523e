# The door of questions: data that are given again, beside a result, become its study again.

# @param x,y,covariates,family as the user gave them; `y` may be missing.
# @param object (result, function or selector) that the question is about.
# @param verb,what (strings) the question. @param argument (string) name of `object`.
# @return list(study, record).
study_again <- function(x, y, object, verb, what, covariates = NULL, family = NULL,
                        argument = "object") {
  known <- record_of(object)
  roles <- roles_of_result(object)
  # Some verbs read counts as numbers.
  if (is.null(family)) family <- asked_family(intersect(known$type, takes_of(verb)))
  study <- open_study(
    x, y, takes_of(verb), what, family = family, covariates = covariates,
    within = if (!is.null(known$within)) roles$blocks
  )
  record <- study_record(study)
  if (!is.null(known)) check_data_of(object, record$hash)
  refuse(!is.null(roles$covariates) && !is.null(covariates),
    "{.arg {argument}} brings covariates of its own: leave {.arg covariates} out."
  )
  study <- with_roles(study, roles)
  record$roles <- known$roles
  list(study = study, record = record)
}

check_data_of <- function(object, hash) {
  known <- if (!is.function(object)) object$study$hash
  refuse(!is.null(known) && !identical(known, hash),
    "{.arg x} and {.arg y} are not the data of {.arg object}."
  )
}
