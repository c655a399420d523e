# The response knows its kind. This is the only coder of y: classes get codes from 1, two classes
# enter least squares as -1 and 1, numbers stay as they are.

# @param n (integer) rows of x.
# @return (stabilect_response) list of
#   type ("binary", "multiclass" or "numeric"), y (double, n: -1/+1 for two classes, the class
#   number for several), codes (integer, n: class from 1; NULL for numbers), levels (character or
#   NULL), numbers (the two values, when the classes were given as numbers; else NULL).
read_response <- function(y, n, call = rlang::caller_env()) {
  if (is.matrix(y) && ncol(y) == 1L) {
    y <- y[, 1L]
  }
  is_label <- is.factor(y) || is.character(y) || is.logical(y)
  if (!is.null(dim(y)) || !(is_label || is.numeric(y))) {
    abort("{.arg y} must be a factor or a numeric vector, not {describe_value(y)}.", call = call)
  }
  if (length(y) != n) {
    abort(
      c("{.arg y} has {length(y)} value{?s} but {.arg x} has {n} row{?s}.",
        i = "Samples go in rows; with samples in columns use {.code t(x)}."
      ),
      call = call
    )
  }
  bad <- which(if (is_label) is.na(y) else !is.finite(y))
  if (length(bad) > 0L) {
    abort(
      c("{.arg y} has {format(y[[bad[1]]])} at position {bad[1]}.",
        i = "Leave out samples without a response, in {.arg x} too."
      ),
      call = call
    )
  }
  if (is_label) code_classes(y, call) else code_numbers(as.double(y), call)
}

new_response <- function(type, y, codes = NULL, levels = NULL, numbers = NULL) {
  structure(
    list(type = type, y = y, codes = codes, levels = levels, numbers = numbers),
    class = "stabilect_response"
  )
}

code_classes <- function(y, call) {
  # Sorted by bytes: sorting by the user's locale could change the sign of every coefficient from
  # machine to machine.
  y <- if (is.factor(y)) droplevels(y) else factor(y, sort(unique(y), method = "radix"))
  classes <- levels(y)
  if (length(classes) == 1L) {
    abort(
      c("{.arg y} has only one class, {.val {classes}}; two are needed.",
        i = "Check how the samples were chosen."
      ),
      call = call
    )
  }
  codes <- as.integer(y)
  if (length(classes) > 2L) {
    return(new_response("multiclass", as.double(codes), codes, classes))
  }
  new_response("binary", ifelse(codes == 1L, -1, 1), codes, classes)
}

code_numbers <- function(y, call) {
  values <- sort(unique(y))
  if (length(values) == 1L) {
    abort(
      c("{.arg y} is constant ({format(values)}); there is nothing to explain.",
        i = "Check how the samples were chosen."
      ),
      call = call
    )
  }
  if (identical(values, c(0, 1)) || identical(values, c(-1, 1))) {
    codes <- match(y, values)
    y <- ifelse(codes == 1L, -1, 1)
    return(new_response("binary", y, codes, as.character(values), values))
  }
  new_response("numeric", y)
}

# Two classes are numbers, too: -1 and 1.
check_takes <- function(response, takes, what, call = rlang::caller_env()) {
  type <- response$type
  if (type %in% takes || (type == "binary" && any(c("multiclass", "numeric") %in% takes))) {
    return(invisible(response))
  }
  words <- c(binary = "two classes", multiclass = "several classes", numeric = "numbers")
  got <- if (type == "multiclass") {
    "{length(response$levels)} classes ({.val {response$levels}})"
  } else {
    words[[type]]
  }
  advice <- if (type == "multiclass") {
    "Keep the samples of two classes, or set one against the rest:
     {.code y == \"{response$levels[1]}\"}. {.fn list_selectors} names what takes several classes."
  } else {
    "Give classes as a factor, {.code factor(y)}. {.fn list_selectors} names what takes numbers."
  }
  abort(c(paste0("{.arg y} holds ", got, ", but {what} is for {.or {words[takes]}}."), i = advice),
    call = call
  )
}

# The response as the user knows it: classes as a factor, or numbers.
response_labels <- function(response) {
  levels <- response$levels
  if (is.null(response$codes)) response$y else factor(levels[response$codes], levels)
}

# The response of some samples. Its kind stays, unless they lack some of several classes.
response_rows <- function(response, rows, call = rlang::caller_env()) {
  if (response$type == "multiclass") {
    return(code_classes(response_labels(response)[rows], call))
  }
  new_response(
    response$type, response$y[rows], response$codes[rows], response$levels, response$numbers
  )
}

# For a regression: numbers as they were given, also those that are 0 and 1; labels as -1 and 1.
regression_response <- function(response) {
  if (is.null(response$numbers)) {
    return(response)
  }
  new_response("numeric", response$numbers[response$codes])
}

# The class of two that the sign of the link predicts: the second where the link is positive.
class_of_link <- function(link, levels) factor(levels[1L + (link > 0)], levels)

check_has_classes <- function(response, call = rlang::caller_env()) {
  if (is.null(response$codes)) {
    abort(
      c("{.arg y} must have classes for a learner to be judged.",
        i = "Give a factor: {.code factor(y)}, or cut {.arg y} in two."
      ),
      call = call
    )
  }
}

# The most common mistake with a table read from a file: the response is still among the features.
warn_leak <- function(study, call = rlang::caller_env()) {
  # Constant columns have no correlation, and cor() says so.
  correlation <- suppressWarnings(stats::cor(study$x, study$response$y))
  leak <- which(abs(correlation) > 1 - 1e-10)
  if (length(leak) > 0L) {
    cli::cli_warn(
      c("Column {leak[1]} ({.val {study$feature_names[leak[1]]}}) of {.arg x} tells {.arg y}
         exactly.",
        i = "Leave it out if it is the response itself."
      ),
      class = "stabilect_warning_leak", call = call
    )
  }
}

# Classes so small that no error rate of theirs can be known.
warn_small_class <- function(study, call = rlang::caller_env()) {
  codes <- study$response$codes
  if (is.null(codes)) {
    return(invisible())
  }
  sizes <- tabulate(codes, length(study$response$levels))
  small <- which.min(sizes)
  if (sizes[small] < 5L) {
    cli::cli_warn(
      c("Class {.val {study$response$levels[small]}} has only {sizes[small]} sample{?s}.",
        i = "Errors and frequencies that rest on fewer than five samples of a class say little."
      ),
      class = "stabilect_warning_small_class", call = call
    )
  }
}

check_varying <- function(x, call = rlang::caller_env()) {
  for (j in seq_len(ncol(x))) {
    if (any(x[, j] != x[1L, j])) {
      return(invisible(x))
    }
  }
  abort("All {ncol(x)} column{?s} of {.arg x} are constant; there is nothing to select from.",
    call = call
  )
}
