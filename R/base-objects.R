# Tables and records, as most rooms make them.

# @param .class (character) of a list of the fields in `...`.
of_class <- function(.class, ...) {
  made <- list(...)
  class(made) <- .class # structure() takes five times as long
  made
}

# What verbs return, and its parts: methods that are the same for all are of the class `stabilect`.
new_object <- function(.class, ...) of_class(c(.class, "stabilect"), ...)

# One table of what `row` makes of each element, one below the other.
# @param row (function) gives a data frame, or NULL for no rows.
bind_rows_of <- function(over, row, ...) {
  all <- do.call(rbind, unname(lapply(over, row, ...)))
  if (!is.null(all)) rownames(all) <- NULL
  all
}

# Values by their code, an integer from 1 to n: split() without the search for levels.
# @return list of length n.
split_by_code <- function(values, code, n) {
  attr(code, "levels") <- as.character(seq_len(n))
  class(code) <- "factor"
  unname(split(values, code))
}

# By the first key, ties by the next.
sort_rows <- function(table, ...) {
  table <- table[order(..., method = "radix"), ]
  rownames(table) <- NULL
  table
}
