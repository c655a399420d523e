# The response knows its kind, which the outcomes determine. This is the only code that
# codes y: classes from 1, two classes also as -1 and 1 for least squares, numbers unchanged.
# read_survival() reads survival times.

# @param n (integer) rows of x.
# @param family (string, or NULL) "poisson" reads numbers as counts; other values change nothing.
# @param p (integer, or NULL) columns of x.
# @return (stabilect_response, and the class of its outcome) list of
#   type (string, the name of an outcome), y (double, n: -1/+1 for two
#   classes, the class number for several, the time for survival), codes (integer, n: class from 1;
#   NULL without classes), levels (character or NULL), numbers (the two values, when the classes
#   were given as numbers; else NULL), event (integer, n: 1, or 0 for a censored time; NULL without
#   times), covariates (see with_covariates(); only if a verb adjusts for some).
read_response <- function(y, n, family = NULL, p = NULL) {
  if (is.matrix(y) && ncol(y) == 1L && !is_survival(y)) {
    y <- y[, 1L]
  }
  one <- Find(function(one) claims_y(one, y, family), outcome_records())
  if (is.null(one) || !is_survival(y) && !(is_label(y) || is.numeric(y)) || is_wide(y)) {
    abort_no_response(y)
  }
  if (n_labels(y) != n) abort_other_length(n_labels(y), n, p)
  if (is_label(y)) refuse_blank(y, "{.arg y}")
  refuse_at(if (!is_survival(y)) which(if (is_label(y)) is.na(y) else !is.finite(y)),
    c("{.arg y} has {figure(y[[at]])} at position {at}.",
      i = "Leave out samples without a response, in {.arg x} too."
    )
  )
  code_response(one, y)
}

new_response <- function(type, y, codes = NULL, levels = NULL, numbers = NULL, event = NULL) {
  response <- list(type = type, y = y, codes = codes, levels = levels, numbers = numbers)
  if (!is.null(event)) response$event <- event
  structure(response, class = c(class(outcome_records()[[type]]), "stabilect_response"))
}

abort_no_response <- function(y) {
  columns <- if (length(dim(y)) == 2L) colnames(y)
  columns <- columns[grepl("time|event|status|death|surv", columns, ignore.case = TRUE)]
  abort(
    c("{.arg y} must be a factor, a numeric vector or survival times, not {describe_value(y)}.",
      i = if (length(columns) > 1L) {
        "For survival times give {.code survival::Surv(time, event)}, with the columns
         {.val {columns}} of {.arg y}."
      } else {
        advice_for_formula(y)
      }
    )
  )
}

advice_for_formula <- function(y) {
  if (!rlang::is_formula(y)) {
    return(NULL)
  }
  name <- all.vars(y)[1]
  sprintf("A formula is for a data frame. Of a container, name a column: `y = \"%s\"`.", name)
}

abort_other_length <- function(n_values, n, p) {
  turned <- identical(as.integer(n_values), as.integer(p))
  abort(
    c("{.arg y} has {n_values} value{?s} but {.arg x} has {n} row{?s}.",
      i = if (turned) {
        "Samples go in rows. These are in columns, it seems: use {.code t(x)}."
      } else {
        "Give one value of {.arg y} for each row of {.arg x}, in the same order."
      }
    )
  )
}

code_classes <- function(y) {
  # Sorted by bytes: the user's locale must not decide the sign of a coefficient.
  y <- if (is.factor(y)) droplevels(y) else factor(y, sort(unique(y), method = "radix"))
  classes <- levels(y)
  refuse(length(classes) == 1L, c("{.arg y} has only one class, {.val {classes}}; two are needed.",
    i = "Check how the samples were chosen."
  ))
  codes <- as.integer(y)
  if (length(classes) > 2L) {
    return(new_response("multiclass", as.double(codes), codes, classes))
  }
  new_response("binary", ifelse(codes == 1L, -1, 1), codes, classes)
}

# Classes, also if given as two numbers.
code_class_labels <- function(y) if (is_label(y)) code_classes(y) else code_numbers(as.double(y))

code_numbers <- function(y) {
  values <- sort(unique(y))
  refuse(length(values) == 1L,
    c("{.arg y} is constant ({figure(values)}); there is nothing to explain.",
      i = "Check how the samples were chosen."
    )
  )
  if (identical(values, c(0, 1)) || identical(values, c(-1, 1))) {
    codes <- match(y, values)
    y <- ifelse(codes == 1L, -1, 1)
    return(new_response("binary", y, codes, as.character(values), values))
  }
  check_scale_of_numbers(y, "y")
  new_response("numeric", y)
}

check_whole_counts <- function(y, advice) {
  refuse_at(y < 0 | y != round(y),
    c("{.arg y} has {figure(y[[at]])} at position {at}; counts are whole numbers >= 0.",
      i = advice
    )
  )
}

code_counts <- function(y) {
  refuse(!is.numeric(y),
    "{.arg y} must hold counts for {.code family = \"poisson\"}, not {describe_value(y)}."
  )
  check_whole_counts(y, "Numbers of any kind need no {.arg family}.")
  code_numbers(as.double(y))
  new_response("count", as.double(y))
}

# Two classes are also numbers: -1 and 1.
check_takes <- function(response, takes, what) {
  one <- outcome_of(response)
  if (any(c(one$name, one$also) %in% takes)) {
    return(invisible(response))
  }
  advice <- if (identical(takes, "survival")) {
    "Give survival times as {.code survival::Surv(time, event)}."
  } else {
    one$advice
  }
  # cli shortens lists of more than twenty.
  verbs <- cli::cli_vec(verbs_that_take(one$name), list("vec-trunc" = 99))
  others <- if (length(verbs) > 0L) {
    "{.fn {verbs}} take {one$words}; {.code list_available(\"selectors\")} names the selectors
      that do."
  }
  abort(
    c(paste0("{.arg y} holds ", one$got, ", but {what} is for {.or {outcome_words()[takes]}}."),
      i = advice, i = others
    )
  )
}

# The response of some samples. Its kind stays, unless one of several classes disappears.
response_rows <- function(response, rows) {
  with_samples(
    take_rows(response, rows), response, function(role, value) role$take(value, rows)
  )
}
take_rows.outcome <- function(response, rows) {
  new_response(
    response$type, response$y[rows], response$codes[rows], response$levels, response$numbers,
    response$event[rows]
  )
}

# A new response for the same samples, or some of them: their roles.
with_samples <- function(new, response, take = function(role, value) value) {
  for (name in intersect(names(response), role_names("samples"))) {
    new[[name]] <- take(role_registry$all()[[name]], response[[name]])
  }
  new
}

# The covariates as a matrix, of no columns without any.
held_columns <- function(response) {
  z <- response$covariates
  if (is.null(z)) matrix(0, length(response$y), 0L) else z
}

# For a regression: numbers as given, even 0 and 1; labels as -1 and 1.
regression_response <- function(response) {
  if (is.null(response$numbers)) {
    return(response)
  }
  new_response("numeric", response$numbers[response$codes])
}

# The class predicted by the sign of the link: the second if the link is positive.
class_of_link <- function(link, levels) factor(levels[1L + beyond_half(link)], levels)

# Is a probability above one half? At one half it is not, whatever rounding makes of its link: of
# small groups of discrete features some are exactly there.
beyond_half <- function(link) link > 1e-9

# The class with the largest value (samples x classes), the first of equal ones. Values may have a
# level in common, however high: their distances say what is near.
top_class <- function(values) {
  values <- unname(as.matrix(values))
  at <- seq_len(nrow(values))
  largest <- values[cbind(at, max.col(values, "first"))]
  smallest <- values[cbind(at, max.col(-values, "first"))]
  max.col(values >= largest - 1e-9 * pmax(largest - smallest, 1e-3), "first")
}

# The most common mistake with a table from a file: the outcome is still among the features.
warn_leak <- function(study) {
  told <- cbind(study$response$y + 0, study$response$event)
  # A few samples, the extreme ones among them, rule out nearly all columns.
  few <- unique(as.vector(apply(told, 2L, order)[unique(round(seq(1, study$n, length.out = 8))), ]))
  near <- cpp_near_columns(study$x, few, told, 0.998)
  if (length(near) == 0L) {
    return(invisible())
  }
  # cor() warns of constant columns.
  alike <- abs(suppressWarnings(stats::cor(study$x[, near, drop = FALSE], told)))
  leak <- near[which(alike > 1 - 1e-10, arr.ind = TRUE)[, 1L]]
  if (length(leak) > 0L) {
    warn(
      c("Column {leak[1]} ({.val {study$feature_names[leak[1]]}}) of {.arg x} determines {.arg y}
         exactly.",
        i = "Leave it out if it is the response itself."
      ),
      class = "leak"
    )
  }
}
