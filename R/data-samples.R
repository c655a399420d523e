# Names of samples. Whatever has one value for each sample, in any argument of any verb, goes
# through check_samples(), which compares names and is the only code that does.

# The names that a value with an element or a row for each sample brings; NULL without any.
names_of_samples <- function(value) {
  if (inherits(value, "stabilect_columns")) {
    value$samples
  } else if (is.data.frame(value)) {
    sample_names(value)
  } else if (is_survival(value)) {
    names_of_times(value)
  } else if (length(dim(value)) == 2L) {
    rownames(value)
  } else if (is.atomic(value)) {
    names(value)
  }
}

# The names of a Surv, or of the times that it was made of.
names_of_times <- function(y) {
  labels <- rownames(unclass(y))
  if (is.null(labels)) attr(y, "inputAttributes")$time$names else labels
}

# What others are compared with, for an argument without rows, such as the outcome; of data: see
# samples_of().
samples_of_values <- function(values, name) {
  list(names = names_of_samples(values), numbered = FALSE, name = name, at = names_at(values, name))
}

# The samples of a study, for its further arguments.
samples_of_study <- function(study) c(list(names = study$sample_names), study$samples_from)

# Rows of a table that has none of its own names, or some of the rows of one.
is_numbered <- function(value) is.data.frame(value) && is.integer(attr(value, "row.names"))

# Are these the samples, in their order? A length that differs is left to other checks.
# @param value as the user gave it. @param samples of samples_of().
# @param argument (string) its name.
check_samples <- function(value, samples, argument) {
  own <- names_of_samples(value)
  known <- samples$names
  if (is.null(own) || is.null(known) || length(own) != length(known) || identical(own, known)) {
    return(invisible())
  }
  turned <- !anyDuplicated(own) && setequal(own, known)
  if (!turned && !are_comparable(own, known, is_numbered(value) || isTRUE(samples$numbered))) {
    return(invisible())
  }
  at <- which(!(own == known) %in% TRUE)[1]
  abort(
    c("Sample name {at} of {.arg {argument}} is {.val {own[at]}}, of {.arg {samples$name}}
        {.val {known[at]}}.",
      i = if (turned && !is.null(samples$at)) {
        "They are the same samples in another order: use
          {.code {in_order_of_names(value, argument, samples$at)}}."
      } else if (turned) {
        "They are the same samples in another order."
      } else {
        "Put both in the same order, or drop the names of one of them."
      }
    )
  )
}

# Row numbers are no names: they are compared with each other alone, and of tables, which number
# their rows each on its own, only where they are the same.
are_comparable <- function(own, known, of_table) {
  numbers <- c(own = are_row_numbers(own), known = are_row_numbers(known))
  if (!any(numbers)) {
    return(TRUE)
  }
  all(numbers) && !of_table && !is_count(own) && !is_count(known)
}

are_row_numbers <- function(labels) all(grepl("^[1-9][0-9]{0,8}$", labels))

# 1, 2, 3, ...
is_count <- function(labels) identical(as.vector(labels), as.character(seq_along(labels)))

# The expression that puts a value in the order of names.
in_order_of_names <- function(value, argument, at) {
  if (is_survival(value) && is.null(rownames(unclass(value)))) {
    return(sprintf("%s[match(%s, %s)]", argument, at, names_at(value, argument)))
  }
  if (length(dim(value)) != 2L || is_survival(value)) {
    return(sprintf("%s[%s]", argument, at))
  }
  sprintf(if (ncol(value) == 1L) "%s[%s, , drop = FALSE]" else "%s[%s, ]", argument, at)
}

# The expression that gives the names of a value.
names_at <- function(value, argument) {
  if (is_survival(value) && is.null(rownames(unclass(value)))) {
    return(sprintf("attr(%s, \"inputAttributes\")$time$names", argument))
  }
  sprintf(if (length(dim(value)) == 2L && !is_survival(value)) "rownames(%s)" else "names(%s)",
    argument)
}
