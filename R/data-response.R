# Responses for selectors: numbers, two classes or several. Everything that two classes and numbers
# need is decided by check_y().

# @param responses (character) what the selector can use, of "binary", "multiclass", "numeric".
# @param what (string) the selector, for messages.
# @return list(type, y, codes, levels): `type` one of `responses`' three words; `y` (double, n)
#   -1/+1 for two classes, the class number for several; `codes` (integer, n) class from 1, `NULL`
#   for numbers; `levels` (character or NULL).
check_response_for <- function(y, n, responses, call = rlang::caller_env(),
                               what = "this selector") {
  if (is.matrix(y) && ncol(y) == 1L) {
    y <- y[, 1L]
  }
  response <- if (is_multiclass(y)) {
    code_many_classes(y, n, call)
  } else {
    plain <- check_y(y, n, call)
    codes <- if (plain$type == "binary") as.integer((plain$y + 3) / 2)
    list(type = plain$type, y = plain$y, codes = codes, levels = plain$levels)
  }
  # Two classes are numbers, too: -1 and 1.
  usable <- response$type %in% responses ||
    (response$type == "binary" && any(c("multiclass", "numeric") %in% responses))
  if (!usable) {
    abort_response(response, responses, what, call)
  }
  response
}

is_multiclass <- function(y) {
  is_label <- (is.factor(y) || is.character(y)) && is.null(dim(y))
  is_label && length(unique(y[!is.na(y)])) > 2L
}

code_many_classes <- function(y, n, call) {
  # As in check_y(): sorted by bytes, so that no locale changes the order.
  y <- if (is.factor(y)) droplevels(y) else factor(y, sort(unique(y), method = "radix"))
  # Length and missing values, with the messages of check_y().
  check_y(ifelse(as.integer(y) == 1L, "first", "other"), n, call)
  codes <- as.integer(y)
  list(type = "multiclass", y = as.double(codes), codes = codes, levels = levels(y))
}

abort_response <- function(response, responses, what, call) {
  words <- c(binary = "two classes", multiclass = "several classes", numeric = "numbers")
  got <- if (response$type == "multiclass") {
    paste(length(response$levels), "classes")
  } else {
    words[[response$type]]
  }
  advice <- switch(response$type,
    multiclass = "Keep two classes, set one against the rest, or choose a selector for several
      classes from {.fn list_selectors}.",
    numeric = "Give classes as a factor, {.code factor(y)}, or choose a selector for numbers from
      {.fn list_selectors}.",
    "Choose another selector from {.fn list_selectors}."
  )
  abort(
    c("{.arg y} holds {got}, but {what} is for {.or {words[responses]}}.", i = advice),
    call = call
  )
}

# The response as the user knows it: classes as a factor, or numbers.
plain_response <- function(y) {
  if (is.null(y$codes)) y$y else factor(y$levels[y$codes], y$levels)
}

check_has_classes <- function(response, call = rlang::caller_env()) {
  if (is.null(response$codes)) {
    abort(
      c("{.arg y} must have classes for a classifier to be judged.",
        i = "Give a factor: {.code factor(y)}, or cut {.arg y} in two."
      ),
      call = call
    )
  }
}

# The response as the user knows it: classes, or numbers. check_y() codes classes as -1 and 1.
observed_response <- function(data) {
  if (is.null(data$levels)) data$y else factor(data$levels[(data$y + 3) / 2], data$levels)
}
