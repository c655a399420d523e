# Numbers as text that does not depend on options of a session (`OutDec`, `scipen`, `digits`):
# prints can be compared, and keys and labels stay the same.

# format() under the options that R starts with.
# @param x any value; format() handles all but plain numbers.
# @param ... passed to format(), for example `big.mark`.
figure <- function(x, digits = 7L, ...) {
  if (is.data.frame(x)) {
    # Unpadded text is aligned to the right by print().
    x[] <- lapply(x, function(column) {
      if (is.character(column)) paste0(column) else figure(column, digits = digits, ...)
    })
    return(x)
  }
  if (!is.numeric(x)) {
    return(format(x, ...))
  }
  if (is.object(x)) {
    return(format(x, digits = digits, ...))
  }
  format(x, digits = digits, ..., scientific = 0L, decimal.mark = ".")
}

# Each number by itself with all its digits (15 at most), as in as.character().
figures <- function(x, digits = 15L) {
  out <- vapply(x, function(one) figure(one, digits = digits), "", USE.NAMES = FALSE)
  stats::setNames(out, names(x))
}

# A data frame without row names, a matrix or numbers, printed under these options.
print_figures <- function(x, digits = 7L) {
  if (is.data.frame(x)) {
    for (name in names(x)) {
      if (is.numeric(x[[name]])) x[[name]] <- figure(x[[name]], digits = digits)
    }
    return(print(x, row.names = FALSE))
  }
  shown <- x
  # Columns of a matrix are aligned one by one.
  shown[] <- if (is.matrix(x)) apply(x, 2L, figure, digits = digits) else figure(x, digits = digits)
  print(shown, quote = FALSE, right = TRUE)
}

# grid cannot draw a rectangle or a legend when scipen is negative.
draw_picture <- function(picture, ...) {
  old <- options(scipen = 0L, OutDec = ".")
  on.exit(options(old))
  print(picture, ...)
}
