# Numbers as text, the same under any options of a session (`OutDec`, `scipen`, `digits`), so that
# prints can be compared and text that serves as a key or a label is always the same.

# What format() says of numbers under the options that R starts with.
# @param x any value; what is no plain number is for format().
# @param ... further arguments of format(), such as `big.mark`.
figure <- function(x, digits = 7L, ...) {
  if (is.data.frame(x)) {
    # Text is not padded, so that print() aligns it to the right.
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

# Each number by itself, with as many digits as it has (15 at most), as as.character() does.
figures <- function(x, digits = 15L) {
  out <- vapply(x, function(one) figure(one, digits = digits), "", USE.NAMES = FALSE)
  stats::setNames(out, names(x))
}

# A data frame without row names, a matrix or numbers, as print() shows them under these options.
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

# With scipen below 0, grid cannot draw a rectangle or a legend.
draw_picture <- function(picture, ...) {
  old <- options(scipen = 0L, OutDec = ".")
  on.exit(options(old))
  print(picture, ...)
}
