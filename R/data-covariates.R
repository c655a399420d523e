# Covariates that a verb adjusts for: age, sex, batch.

# Covariates that are columns of the data: the variables of a formula, which then are no features.
# @return list(x, y (NULL where they stay as they are), covariates, columns (character: of a table,
#   which no longer has them)).
part_covariates <- function(x, y, covariates) {
  covariates <- covariates_by_name(table_of_data(x, y), covariates)
  if (!inherits(covariates, "formula") || !is.null(prepared_part(x))) {
    return(list(covariates = covariates))
  }
  data <- table_of_data(x, y)
  if (!is.data.frame(data)) {
    return(list(covariates = formula_covariates(covariates)))
  }
  own <- intersect(names(data), all.vars(covariates))
  values <- formula_covariates(covariates, as.data.frame(take_columns(data, names(data) %in% own)))
  c(without_columns(x, y, own), list(covariates = values, columns = own))
}

# The data without columns that are covariates; of a container these are no features anyway.
# @return list(x, y (NULL where they stay as they are)).
without_columns <- function(x, y, columns) {
  rest <- function(data) {
    own <- names(data) %in% columns
    if (any(own)) take_columns(data, !own) else data
  }
  by_formula <- function(formula) structure(formula, covariates = columns)
  if (inherits(x, "formula")) {
    list(x = by_formula(x), y = if (!missing(y) && is.data.frame(y)) rest(y))
  } else if (is.data.frame(x)) {
    list(x = rest(x), y = if (!missing(y) && inherits(y, "formula")) by_formula(y))
  }
}

# The table that columns are named in; NULL if there is none.
table_of_data <- function(x, y) {
  if (!inherits(x, "formula")) {
    return(table_about(x))
  }
  if (!missing(y) && is.data.frame(y)) y
}

# Roles of samples that are given by the name of a column of the data, which then is no feature.
# @param roles (list) as the user gave them. @param of (character) those that columns may be.
# @return list(x, y (NULL where they stay as they are), roles, columns (character)).
part_roles <- function(x, y, roles, of = role_names("samples")) {
  data <- table_of_data(x, y)
  named <- vapply(roles[intersect(names(roles), of)], function(value) {
    is.character(value) && length(value) == 1L && value %in% names(data)
  }, NA)
  named <- names(named)[named]
  if (length(named) == 0L) {
    return(list(roles = roles))
  }
  columns <- vapply(roles[named], identity, "")
  roles[named] <- lapply(columns, function(column) data[[column]])
  c(without_columns(x, y, unique(columns)), list(roles = roles, columns = unique(columns)))
}

# Names of columns of the data stand for a formula of them.
# @param data (data frame, or NULL).
covariates_by_name <- function(data, covariates) {
  if (!is.character(covariates) || length(covariates) == 0L ||
    !all(covariates %in% names(data))) {
    return(covariates)
  }
  stats::reformulate(sprintf("`%s`", covariates))
}

prepared_part <- function(x) if (inherits(x, "stabilect_data")) x$covariates

# The values that the user gave to the verb, with those that the data bring.
# @param given,data (list) by role; what (string) the verb.
join_given <- function(given, data, what) {
  data <- data[lengths(data) > 0L]
  if (!is.null(data$covariates)) {
    check_covariates_use(given$covariates, "covariates" %in% names(given), what)
  }
  if (!is.null(given$within) || !is.null(data$within)) {
    check_within_use(given$within, data, "within" %in% names(given), what)
  }
  given[names(data)] <- data
  if (!is.null(given$within)) given$blocks <- NULL
  given
}

# Prepared data have covariates. @param given (or NULL) those of the verb.
check_covariates_use <- function(given, holds, what) {
  refuse(!holds, c("{.arg x} is prepared data with covariates, for which {what} cannot adjust.",
    i = "{.fn {names(covariate_verbs)}} can."
  ))
  refuse(!is.null(given),
    "{.arg x} is prepared data with covariates of its own: leave {.arg covariates} out."
  )
}

# Covariates of a study must not be collinear and must not be features.
study_covariates <- function(covariates, study) {
  check_samples(covariates, samples_of_study(study), "covariates")
  z <- read_covariates(covariates, study$n)
  groups <- study$response$within
  if (!is.null(groups)) z <- covariates_within(z, groups)
  refuse_at(intersect(colnames(z), study$feature_names),
    c("{.val {at}} is the name of a covariate and of a feature.",
      i = "Leave it out of {.arg x}, or give its covariate another name."
    )
  )
  refuse_at(leaning_columns(z),
    c("Column {.val {colnames(z)[at]}} of {.arg covariates} is constant or a
      combination of the others.", i = "Leave it out.")
  )
  check_covariates_leave(z, study$response)
  z
}

# Constant columns; without any, columns that are combinations of others.
leaning_columns <- function(z) {
  if (ncol(z) == 0L) {
    return(integer())
  }
  constant <- which(apply(z, 2L, function(column) all(column == column[1])))
  if (length(constant) > 0L) {
    return(constant)
  }
  decomposed <- qr(cbind(1, scale(z)), tol = 1e-9)
  decomposed$pivot[-seq_len(decomposed$rank)] - 1L
}

# Without columns that are constant or combinations of others.
without_leaning <- function(z) {
  repeat {
    leaning <- leaning_columns(z)
    if (length(leaning) == 0L) {
      return(z)
    }
    z <- z[, -leaning, drop = FALSE]
  }
}

# What to do about covariates that separate the responses of some samples.
join_or_leave_out <- "Join rare levels of the covariate, or leave it out."

# For example a batch whose samples all have one class.
warn_separated <- function() {
  warn(
    c("{.arg covariates} determine {.arg y} for some of the samples: their coefficients are
       infinite, and a large number stands for them.",
      i = join_or_leave_out
    ),
    class = "separated"
  )
}

# Covariates must leave something to explain.
check_covariates_leave <- function(z, response) {
  n <- nrow(z)
  refuse(ncol(z) + 2L > n,
    c("{.arg covariates} have {ncol(z)} column{?s}, which leave nothing to explain in {n}
      sample{?s}.", i = many_levels(z))
  )
  if (outcome_of(response)$is_number) {
    left <- qr.resid(qr(cbind(1, z)), response$y)
    refuse(sum(left^2) < 1e-12 * sum((response$y - mean(response$y))^2),
      c("{.arg covariates} determine {.arg y} completely; nothing is left for the features.",
        i = "Leave out the covariate that determines {.arg y}."
      )
    )
  }
}

# Covariates of new samples, coded as in the model.
# @param covariates as the user gave them; NULL: columns of newdata.
# @param wanted (character, or NULL for none) columns of the model; levels: of read_covariates().
covariates_of_new <- function(covariates, newdata, wanted, levels) {
  if (is.null(wanted)) {
    refuse(!is.null(covariates), "{.arg object} has no covariates: leave {.arg covariates} out.")
    return(NULL)
  }
  samples <- samples_of_new(newdata)
  if (is.null(covariates)) covariates <- prepared_part(newdata)
  if (inherits(newdata, "stabilect_data")) newdata <- newdata$x
  covariates <- part_covariates(newdata, NULL, covariates)$covariates
  n <- n_new_samples(newdata)
  about <- table_about(newdata)
  if (!is.null(about)) newdata <- about
  own <- names(levels)
  if (is.null(covariates)) {
    absent <- setdiff(own, colnames(newdata))
    refuse(length(absent) > 0L,
      c("{.arg covariates} of the new samples are needed: {.val {absent}}.",
        i = "Give them as {.arg covariates}, or as columns of {.arg newdata}."
      )
    )
    covariates <- as.data.frame(newdata[, own, drop = FALSE])
  } else if (!is.null(colnames(covariates)) && all(own %in% colnames(covariates))) {
    # Columns may come in any order, and with others.
    covariates <- covariates[, own, drop = FALSE]
  }
  check_samples(covariates, samples, "covariates")
  z <- read_covariates(covariates, n, levels, "newdata")
  refuse(!identical(colnames(z), wanted),
    "{.arg covariates} must have the columns of the model, {.val {own}}, not
      {.val {names(attr(z, 'levels'))}}."
  )
  z
}

# @param covariates as the user gave them; a formula is evaluated where it was written.
# @param levels (named list, or NULL) of an earlier call: new samples are coded in the same way.
# @return (double matrix, n x k) columns of numbers with names, without intercept; k = 0 for NULL.
#   The attribute `levels` has the categories of every coded column.
read_covariates <- function(covariates, n, levels = NULL, other = "x") {
  if (is.null(covariates)) {
    return(matrix(0, n, 0))
  }
  covariates <- covariate_table(covariates)
  refuse(nrow(covariates) != n,
    "{.arg covariates} has {nrow(covariates)} row{?s} but {.arg {other}} has {n}."
  )
  known <- lapply(stats::setNames(nm = names(covariates)), function(name) {
    if (is.null(levels)) covariate_levels(covariates[[name]]) else levels[[name]]
  })
  columns <- lapply(names(covariates), function(name) {
    covariate_columns(covariates[[name]], name, known[[name]])
  })
  z <- do.call(cbind, c(list(matrix(0, n, 0)), columns))
  attr(z, "levels") <- known
  z
}

covariate_table <- function(covariates) {
  if (inherits(covariates, "formula")) {
    return(formula_covariates(covariates))
  }
  if (is.data.frame(covariates)) {
    return(covariates)
  }
  plain <- is.numeric(covariates) || is.character(covariates) || is.logical(covariates)
  refuse(!is.factor(covariates) && !(plain && !is.object(covariates)),
    "{.arg covariates} must be a numeric matrix, a vector, a data frame or a formula, not
      {describe_value(covariates)}."
  )
  as.data.frame(covariates)
}

# @param data (data frame, or NULL) where variables are looked for first.
formula_covariates <- function(formula, data = NULL) {
  refuse(length(formula) != 2L,
    c("{.arg covariates} must be a formula with one side, such as {.code ~ age + sex}.",
      i = "The response is {.arg y}."
    )
  )
  values <- tryCatch(
    stats::model.frame(formula, data, na.action = stats::na.pass),
    error = function(e) {
      abort(
        c("{.arg covariates} cannot be evaluated: {why_not_evaluated(e, formula, data)}.",
          i = "Its variables are columns of the data, if these are a data frame, or known where the
               formula is written. A data frame of the covariates does as well."
        )
      )
    }
  )
  # The formula would bring all data of the place where it was written.
  attr(values, "terms") <- NULL
  # Row numbers are no sample names.
  if (is.null(data) || .row_names_info(data) <= 0L) rownames(values) <- NULL
  values
}

# A name that is no column may be that of a function.
why_not_evaluated <- function(condition, formula, data) {
  functions <- Filter(function(name) {
    is.function(get0(name, environment(formula)))
  }, setdiff(all.vars(formula), names(data)))
  if (length(functions) == 0L) {
    return(conditionMessage(condition))
  }
  sprintf("object '%s' not found (a function has the name)", functions[1])
}

# The levels of a factor in their order, as in lm(); text has none but its letters.
covariate_levels <- function(column) {
  if (is.numeric(column) || is.logical(column)) {
    return(NULL)
  }
  if (is.factor(column)) {
    return(levels(droplevels(column)))
  }
  sort(unique(as.character(column)), method = "radix")
}

# @param levels (character, or NULL for numbers) the first level has no column.
covariate_columns <- function(column, name, levels) {
  refuse(length(dim(column)) == 2L,
    c("Term {.val {name}} of {.arg covariates} has {ncol(column)} columns.",
      i = "Give its columns in a matrix or data frame."
    )
  )
  refuse_blank(column, "Column {.val {name}} of {.arg covariates}")
  refuse_at(if (is.numeric(column)) !is.finite(column) else is.na(column),
    c("Column {.val {name}} of {.arg covariates} has {figure(column[at])} at position
      {at}.", i = if (anyNA(column)) {
      "Covariates are not filled in: leave such samples out, as {.code
        prepare_study(na = \"omit\")} does."
    } else {
      "Leave such samples out, in {.arg x} and {.arg y} too."
    })
  )
  if (is.null(levels)) {
    refuse(!(is.numeric(column) || is.logical(column)),
      "Column {.val {name}} of {.arg covariates} must be numbers, as it was before."
    )
    return(matrix(as.double(column), ncol = 1L, dimnames = list(NULL, name)))
  }
  labels <- as.character(column)
  refuse_at(!labels %in% levels,
    "Column {.val {name}} of {.arg covariates} has {.val {labels[at]}} at position
      {at}, which is not one of {.val {levels}}."
  )
  coded <- outer(labels, levels[-1], `==`) + 0
  dimnames(coded) <- list(NULL, paste(rep(name, length(levels) - 1L), levels[-1], sep = ": "))
  coded
}

# @param held (character) columns.
describe_held <- function(held) {
  if (length(held) > 3L) held <- c(held[1:2], sprintf("%d more columns", length(held) - 2L))
  toString(held)
}
