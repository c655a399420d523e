# The door of questions about a procedure, and their loop: data that are given again, beside a
# result, become its study again, and the procedure is carried out on parts of it.

# @param x,y,covariates,family as the user gave them; `y` may be missing.
# @param object (result, function or selector) that the question is about.
# @param verb,what (strings) the question. @param argument (string) name of `object`.
# @param seed (number, or NULL) a question that draws nothing leaves it out.
# @param procedure (stabilect_procedure, or NULL).
# @param offset (flag) do the models of the question have one?
# @return list(study, record, procedure, control, seed).
question <- function(x, y, object, verb, what, n_threads = 1, progress = FALSE, seed = 0,
                     checkpoint = NULL, argument = "object", covariates = NULL, family = NULL,
                     procedure = as_procedure(object, argument, argument), offset = FALSE) {
  force(procedure)
  about <- study_again(x, y, object, verb, what, covariates, family, argument)
  if (!offset) refuse_offset(about$study, what)
  about["procedure"] <- list(procedure)
  about$control <- check_run(n_threads, progress, checkpoint)
  about$seed <- check_seed(seed)
  about
}

# The question inside a task of another one: without progress and checkpoint.
quietly <- function(about) {
  about$control <- check_run(about$control$n_threads, FALSE)
  about$record <- NULL
  about
}

# What the procedure finds on parts of the samples, here or on workers.
# @param about of question(). @param parts (list of integer) the samples of each part, each once.
# @param read function(result, study, rows, seed): what is kept of a part, see answer_on().
# @param label (string) for progress; settings (list) what else decides the values.
over_parts <- function(about, parts, read, label, settings = NULL,
                       seeds = child_seeds(about$seed, length(parts))) {
  study <- about$study
  procedure <- about$procedure
  n_threads <- about$control$n_threads
  task <- with_data(function(k) {
    rows <- parts[[k]]
    result <- answer_on(procedure, study, rows, seeds[k], n_threads)
    read(result, study, rows, seeds[k])
  },
  study = study, procedure = procedure, parts = parts, read = read, seeds = seeds,
  n_threads = n_threads)
  settings <- list(key_of(procedure), settings, roles_of(study))
  identity <- list(data = about$record$hash, settings = settings)
  run_tasks(length(parts), task, about$control, label, identity, about$seed)
}

# @return the result of the procedure on these samples, or (string) why there is none.
answer_on <- function(procedure, study, rows, seed, n_threads, error = FALSE) {
  if (n_distinct_labels(label_rows(response_labels(study$response), rows)) < 2L) {
    return("one class")
  }
  carry_out_on(procedure, study, rows, seed, n_threads, conditionMessage, error)
}

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
  study <- open_again(x, y, object, takes_of(verb), what, family = family, covariates = covariates)
  record <- study_record(study)
  if (!is.null(known)) check_data_of(object, record$hash)
  refuse(!is.null(roles$covariates) && !is.null(covariates),
    "{.arg {argument}} brings covariates of its own: leave {.arg covariates} out."
  )
  if (!is.null(known)) check_same_roles(study, roles)
  study <- with_roles(study, roles)
  # Counts may have been read as numbers.
  if (identical(known$type, "numeric")) study <- without_offset(study)
  record$roles <- known$roles
  # Halves are parts of the data, with no plan that keeps the blocks.
  record$blocks <- study$response$blocks
  list(study = study, record = c(record, record_constant(study)))
}

# The data of an object, read as the object read them: with its family, compared within its groups,
# without the columns that were its covariates.
# @param object (result, function or selector); other arguments as of open_study().
open_again <- function(x, y, object, takes, what, store = check_x, family = NULL,
                       covariates = NULL, merge = TRUE) {
  known <- record_of(object)
  if (!missing(x)) refuse_unprepared(x, known)
  rest <- without_columns(x, y, known$covariate_columns)
  if (!is.null(rest$x)) x <- rest$x
  if (!is.null(rest$y)) y <- rest$y
  open_study(
    x, y, takes, what, store, family = family, covariates = covariates,
    roles = list(within = roles_of_result(object)$within), merge = merge
  )
}

# A result of data that were filled in takes these, not those with the holes.
refuse_unprepared <- function(x, known) {
  is_table <- is.matrix(x) || is.data.frame(x)
  refuse(is_table && length(known$prepared) > 0L && anyNA(x), c(
    "{.arg x} has missing values, and the result is of prepared data, which have none.",
    i = "Give what {.fn prepare_study} made, in place of {.arg x} and {.arg y}."
  ))
}

# Data that bring values of samples of their own must bring those of the result.
# @param roles (list) of the result, by role.
check_same_roles <- function(study, roles) {
  values <- list(
    covariates = function(z) {
      if (!is.null(z)) matrix(z, nrow(z), dimnames = list(NULL, colnames(z)))
    },
    blocks = function(groups) as.integer(factor(groups, unique(groups)))
  )
  for (name in intersect(study$given, names(values))) {
    of <- values[[name]]
    known <- roles[[name]]
    refuse(!isTRUE(all.equal(of(study$response[[name]]), of(known))),
      c(
        if (is.null(known)) {
          "{.arg x} is prepared data with {.arg {name}}, which the result does not have."
        } else {
          "{.arg x} is prepared data with other {.arg {name}} than the result has."
        },
        i = "Give {.arg x} and {.arg y} as they were given for the result."
      )
    )
  }
}

# Numbers with an offset are their difference to it, also for models that know no offset.
without_offset <- function(study) {
  offset <- study$response$offset
  if (!is.null(offset)) {
    # It stays among the given roles: a procedure brings it no second time.
    study$response$y <- study$response$y - offset
    study$response$offset <- NULL
  }
  study
}

# Models of the questions, which ridge regressions and learners fit, have no offset.
refuse_offset <- function(study, what) {
  refuse(!is.null(study$response$offset),
    c("The result has an {.arg offset}, which the models of {what} do not have.",
      i = "Take a result that has it as one of its {.arg covariates}."
    )
  )
}

check_data_of <- function(object, hash) {
  known <- if (!is.function(object)) object$study$hash
  refuse(!is.null(known) && !identical(known, hash),
    "{.arg x} and {.arg y} are not the data of {.arg object}."
  )
}
