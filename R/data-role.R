# Roles: what is known of samples and of features besides x and the outcome. A study owns the value
# of every role that is given; `study[rows, features]` is the only code that takes rows or columns
# of them. Of a role that is not given no code is executed. Values of samples are fields of the
# response, so that whoever receives samples (selectors, learners, engines) receives them; values of
# features are fields of `study$features`.

role_registry <- new_registry()

# @param of (string) "samples" or "features".
# @param read function(value, study, family): the checked value; NULL: as if not given.
# @param take function(value, at): of some samples or features.
# @param words function(value, x): for prints of the result x; of a NULL nothing is said.
# @param caution function(value, x): under Caution there, likewise.
# @param data function(value): what it says of the data themselves, as their number of samples does.
# @param argument function(value): as the next call of a verb with paths gives it; NULL: not there.
# @param join function(value, stands): one value for all copies of a feature, at the place of the
#   column that stands for them; data-copies.R.
# @param see function(study, value): function(x, seed), what a run sees of x, from a seed of its
#   own; NULL: x.
# @param neutral function(value): does it say nothing (weights of 1)? Then it is as if not given.
# @param enter function(study, value, family): the study that has it.
# @param excludes (character) roles that cannot be given beside it.
# @param place (number) order of reading and of words.
register_role <- function(name, of, read, words = function(value, x) NULL, take = take_values,
                          argument = function(value) paste(name, "=", name), see = NULL,
                          join = function(value, stands) value, neutral = function(value) FALSE,
                          enter = function(study, value, family) set_role(study, name, value),
                          data = function(value) NULL, caution = function(value, x) NULL,
                          excludes = character(), place = 1) {
  role_registry$add(name, function() {
    list(
      name = name, of = of, read = read, take = take, words = words, argument = argument,
      see = see, join = join, neutral = neutral, enter = enter, data = data, caution = caution,
      excludes = excludes, place = place
    )
  })
}

# What runs see of x, if not the same: function(x, run), or NULL.
seen_in_runs <- function(study, draws) {
  roles <- Filter(function(role) !is.null(role$see), role_registry$all()[study$given])
  if (length(roles) == 0L) {
    return(NULL)
  }
  values <- roles_of(study)[names(roles)]
  see <- Map(function(role, value) role$see(study, value), roles, values)
  # Run b draws from (seed, b), also in a part of the resamples.
  number <- as.integer(sub(".* ", "", draws$run_id))
  seeds <- child_seeds(draws$seed, max(number))[number]
  with_data(function(x, run) {
    for (seen in see) x <- seen(x, seeds[run])
    x
  }, see = see, seeds = seeds)
}

role_names <- function(of) {
  names(Filter(function(role) role$of == of, role_registry$all()))
}

take_values <- function(value, at) {
  if (is.matrix(value)) value[at, , drop = FALSE] else value[at]
}

# The study with the values that the user gave.
# @param given (list) by role; NULL for none.
read_roles <- function(study, given, family) {
  given <- given[!vapply(given, is.null, NA)]
  if (length(given) == 0L) {
    return(study)
  }
  roles <- role_registry$all()
  for (role in roles[intersect(names(roles), names(given))]) {
    refuse_at(intersect(role$excludes, names(given)),
      "{.arg {at}} cannot be combined with {.arg {role$name}}."
    )
    value <- role$read(given[[role$name]], study, family)
    if (!is.null(value) && !role$neutral(value)) study <- role$enter(study, value, family)
  }
  study
}

# @param role (record, or string).
set_role <- function(study, role, value) {
  if (is.character(role)) role <- role_registry$all()[[role]]
  field <- if (role$of == "samples") "response" else "features"
  study[[field]][[role$name]] <- value
  study$given <- union(study$given, role$name)
  study
}

# The values of a study, or of the record of one, by role.
# @param of (character) "samples", "features" or both.
roles_of <- function(study) {
  if (is.null(study$response)) {
    return(study$roles)
  }
  roles <- role_registry$all()
  values <- lapply(roles, function(role) {
    if (role$of == "samples") study$response[[role$name]] else study$features[[role$name]]
  })
  values[!vapply(values, is.null, NA)]
}

# @param roles (list) values by role, as a study had them.
with_roles <- function(study, roles) {
  known <- study$given
  for (name in names(roles)) {
    study <- if (name %in% known) {
      set_role(study, name, roles[[name]])
    } else {
      role_registry$all()[[name]]$enter(study, roles[[name]], NULL)
    }
  }
  study
}

# What a result knows of its samples and features, for data that are given again; of functions and
# selectors nothing.
roles_of_result <- function(object) {
  if (inherits(object, "stabilect_result")) {
    blocks <- blocks_of_result(object)
    c(object$study$roles, if (!is.null(blocks)) list(blocks = blocks))
  }
}

# The plan keeps the blocks; where nothing was drawn by one, what was asked or the study does.
blocks_of_result <- function(object) {
  Find(Negate(is.null), list(
    object$resamples$plan$blocks, object$asked$blocks, object$study$blocks
  ))
}

# The blocks of the plan are those of the study.
with_blocks <- function(study, draws) {
  blocks <- draws$plan$blocks
  if (is.null(blocks)) study else set_role(study, "blocks", blocks)
}

# In words, in the order of the roles.
# @param as (string) "words" or "caution".
describe_roles <- function(x, as = "words") {
  given <- x$study$roles
  unlist(lapply(names(given), function(name) role_registry$all()[[name]][[as]](given[[name]], x)))
}

# What they say of the data themselves.
# @param record of study_record(); of as in role_names().
data_words <- function(record, of) {
  given <- record$roles
  unlist(lapply(intersect(names(given), role_names(of)), function(name) {
    role_registry$all()[[name]]$data(given[[name]])
  }))
}

# Was this known of the samples or features of a result?
has_role <- function(x, name) name %in% names(x$study$roles)

# What a result says about its data; nothing of functions and selectors.
record_of <- function(object) if (inherits(object, "stabilect_result")) object$study
