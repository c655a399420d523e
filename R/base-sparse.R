# Sparse matrices in the form used by the package.

as_dgc <- function(x) {
  x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  Matrix::drop0(x)
}

# A sparse matrix of slots that are known to be valid, which Matrix::sparseMatrix() would check.
# @param i (integer) rows from 0, ascending in each column; ends (integer) slot p; x: slot x, or
#   NULL for a pattern.
new_sparse <- function(i, ends, row_names, x = NULL, n_rows = length(row_names)) {
  class <- if (is.null(x)) "ngCMatrix" else "dgCMatrix"
  if (is.null(blanks[[class]])) blanks[[class]] <- methods::new(class)
  out <- blanks[[class]]
  out@i <- i
  out@p <- ends
  out@Dim <- as.integer(c(n_rows, length(ends) - 1L))
  out@Dimnames <- list(row_names, NULL)
  if (!is.null(x)) out@x <- x
  out
}

blanks <- new.env(parent = emptyenv())

# The sparse field of all parts as one p x n_runs matrix; NULL if a part lacks it.
spread_sparse <- function(parts, field, p, n_runs, feature_names) {
  if (any(vapply(parts, function(part) is.null(part[[field]]), NA))) {
    return(NULL)
  }
  entries <- lapply(parts, function(part) {
    one <- methods::as(part[[field]], "TsparseMatrix")
    rows <- if (isTRUE(part$columns)) one@i + 1L else part$columns[one@i + 1L]
    list(i = rows, j = part$runs[one@j + 1L], x = if (field != "selected") one@x)
  })
  gather <- function(name) unlist(lapply(entries, function(one) one[[name]]))
  arguments <- list(
    i = as.integer(gather("i")), j = as.integer(gather("j")), dims = c(p, n_runs),
    dimnames = list(feature_names, NULL)
  )
  if (field != "selected") arguments$x <- as.double(gather("x"))
  do.call(Matrix::sparseMatrix, arguments)
}

# A general matrix, even if its values happen to be symmetric or triangular.
general_sparse <- function(x) {
  methods::as(methods::as(x, "CsparseMatrix"), "generalMatrix")
}
