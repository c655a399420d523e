# Sparse matrices in the form used by the package.

as_dgc <- function(x) {
  x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  Matrix::drop0(x)
}

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
