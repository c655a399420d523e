# Blank text, as read.csv() reads an empty cell, is a missing value.

# @param x (any vector) numbers are never blank.
# @return (logical) one for each element; FALSE for NA.
is_blank <- function(x) {
  if (is.factor(x)) {
    return(is_blank(levels(x))[as.integer(x)] %in% TRUE)
  }
  if (!is.character(x)) {
    return(rep(FALSE, length(x)))
  }
  # Mostly the first character tells, in a fraction of the time.
  blank <- cpp_begins_unseen(x)
  if (!any(blank)) {
    return(blank)
  }
  blank <- blank & !is.na(x)
  blank[blank] <- !grepl("[^[:space:]\u00a0]", x[blank])
  blank
}

is_absent <- function(x) is.na(x) | is_blank(x)

# Blank text as NA.
blank_as_na <- function(x) {
  if (is.data.frame(x)) {
    text <- which(vapply(x, function(v) is.null(dim(v)) && any(is_blank(v)), NA))
    for (j in text) x[[j]] <- blank_as_na(x[[j]])
    return(x)
  }
  blank <- if (is.character(x) || is.factor(x)) is_blank(x)
  if (any(blank)) x[blank] <- NA
  if (is.factor(x) && any(blank)) droplevels(x) else x
}

# @param what (string, cli) the values, such as "{.arg y}".
refuse_blank <- function(x, what, env = rlang::caller_env()) {
  rows <- which(is_blank(x))
  if (length(rows) == 0L) {
    return(invisible())
  }
  shown <- utils::head(rows, 5L)
  more <- length(rows) - length(shown)
  abort(c(
    paste0(
      what, if (length(rows) == 1L) " is blank at position " else " is blank at positions ",
      toString(shown), if (more > 0L) paste(" and", more, "more"), "."
    ),
    i = "Blank text is missing, like NA: leave out these samples, or use
      {.code prepare_study(na = \"omit\")}."
  ), env = env)
}
