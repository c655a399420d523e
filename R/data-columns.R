# x that is not a matrix in memory. Columns are read in slabs of `slab_size`, one after the other.

# Nothing is summed over slabs, so no result depends on this number.
slab_size <- 4096L

# @param x sparse Matrix, FBM or DelayedArray, samples in rows.
# @return (stabilect_columns) list of `n`, `p`, `names` (character, p), `samples` (character, n, or
#   NULL), `read` (function of column numbers: double matrix n x length(j) without names), `kind`
#   ("sparse", "FBM" or "DelayedArray") and `in_file` (flag). `dim()`, `dimnames()`, `x[, j]` work.
as_columns <- function(x) {
  if (inherits(x, "stabilect_columns")) {
    return(x)
  }
  refuse(nrow(x) < 3L, "{.arg x} must have at least 3 rows (samples), not {nrow(x)}.")
  refuse(ncol(x) < 1L, "{.arg x} must have at least 1 column (feature), not 0.")
  columns <- if (inherits(x, "FBM")) {
    fbm_columns(x)
  } else if (inherits(x, "DelayedArray")) {
    delayed_columns(x)
  } else {
    sparse_columns(x)
  }
  columns$names <- column_labels(columns$names, columns$p)
  # A sparse matrix stores its infinite or missing entries: only these are checked.
  if (columns$kind != "sparse") check_finite_columns(columns)
  columns
}

new_columns <- function(n, p, names, samples, read, kind) {
  of_class("stabilect_columns",
    n = as.integer(n), p = as.integer(p), names = names, samples = samples, read = read,
    kind = kind, in_file = kind %in% c("FBM", "DelayedArray")
  )
}

# A matrix in memory, in the form that code working by slabs reads.
dense_columns <- function(x) {
  read <- with_data(function(j) unname(x[, j, drop = FALSE]), x = x)
  new_columns(nrow(x), ncol(x), colnames(x), rownames(x), read, "dense")
}

# The checks of name_columns(), without a matrix.
column_labels <- function(labels, p) {
  empty <- matrix(0, 0L, p, dimnames = list(NULL, labels))
  colnames(name_columns(empty))
}

sparse_columns <- function(x) {
  x <- tryCatch(
    methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"),
    error = function(e) abort_not_matrix(x)
  )
  bad <- which(!is.finite(x@x))[1]
  if (!is.na(bad)) {
    abort_not_finite(x@x[bad], x@i[bad] + 1L, findInterval(bad - 1L, x@p), colnames(x))
  }
  names <- colnames(x)
  samples <- rownames(x)
  dimnames(x) <- list(NULL, NULL)
  read <- with_data(function(j) as.matrix(x[, j, drop = FALSE]), x = x)
  for (j in slabs_of(ncol(x))) check_scales(read(j), "x", names[j], j[1] - 1L)
  new_columns(nrow(x), ncol(x), names, samples, read, "sparse")
}

# Only the file name is sent to other processes, and every read opens the file. Removing the mapped
# matrix releases its pages.
fbm_columns <- function(x) {
  check_package("bigstatsr", "matrix")
  source <- list(
    nrow = x$nrow, ncol = x$ncol, type = names(x$type),
    backingfile = sub("\\.bk$", "", normalizePath(x$backingfile)), create_bk = FALSE,
    is_read_only = TRUE
  )
  if (inherits(x, "FBM.code256")) {
    source$type <- NULL
    source$code <- x$code256
  }
  read <- with_data(function(j) {
    values <- open_fbm(source)[, j, drop = FALSE]
    storage.mode(values) <- "double"
    values
  }, source = source)
  new_columns(x$nrow, x$ncol, NULL, NULL, read, "FBM")
}

open_fbm <- function(source) {
  file <- paste0(source$backingfile, ".bk")
  refuse(!file.exists(file), c("The file of {.arg x}, {.file {file}}, is not there.",
      i = "Workers on other machines need it under the same name."
    ),
    call = NULL)
  make <- if (is.null(source$code)) bigstatsr::FBM else bigstatsr::FBM.code256
  do.call(make, source)
}

delayed_columns <- function(x) {
  check_package("DelayedArray", "matrix")
  type <- DelayedArray::type(x)
  refuse(length(dim(x)) != 2L || !type %in% c("double", "integer", "logical"),
    "{.arg x} must be a matrix of numbers, not a <{class(x)[1]}> of type {type} with
      {length(dim(x))} dimension{?s}."
  )
  # The package that reads the files must also be loaded on a worker.
  packages <- unique(unlist(DelayedArray::seedApply(x, function(seed) {
    attr(class(seed), "package")
  })))
  names <- colnames(x)
  samples <- rownames(x)
  read <- with_data(function(j) {
    lapply(packages, loadNamespace)
    values <- unname(as.matrix(DelayedArray::extract_array(x, list(NULL, j))))
    storage.mode(values) <- "double"
    values
  }, x = x, packages = setdiff(packages, "methods"))
  new_columns(nrow(x), ncol(x), names, samples, read, "DelayedArray")
}

check_finite_columns <- function(columns) {
  for (j in slabs_of(columns$p)) {
    values <- columns$read(j)
    sizes <- cpp_column_sizes(values)
    if (all(is.finite(sizes))) {
      check_scales(values, "x", columns$names[j], j[1] - 1L, sizes)
      next
    }
    bad <- which(!is.finite(values))[1]
    row <- (bad - 1L) %% columns$n + 1L
    column <- j[(bad - 1L) %/% columns$n + 1L]
    abort_not_finite(values[bad], row, column, columns$names)
  }
}

abort_not_finite <- function(value, row, column, labels) {
  label <- if (is.null(labels)) "" else paste0(" (", dQuote(labels[column], FALSE), ")")
  abort(
    c("{.arg x} has {figure(value)} at row {row}, column {column}{label}.",
      i = "Remove or impute missing and infinite values first."
    )
  )
}

# Column numbers of the slabs, in order.
slabs_of <- function(p) {
  lapply(seq_len(ceiling(p / slab_size)) * slab_size - slab_size + 1, function(from) {
    seq.int(as.integer(from), as.integer(min(p, from + slab_size - 1)))
  })
}

#' @export
dim.stabilect_columns <- function(x) c(x$n, x$p)

#' @export
dimnames.stabilect_columns <- function(x) list(x$samples, x$names)

# Some columns of all rows as a matrix; x itself when all are requested.
#' @export
`[.stabilect_columns` <- function(x, i, j, ..., drop = FALSE) {
  if (!missing(i)) {
    stop("columns are read with all of their rows")
  }
  if (missing(j) || isTRUE(j)) {
    return(x)
  }
  values <- matrix(0, x$n, length(j), dimnames = list(x$samples, x$names[j]))
  for (at in slabs_of(length(j))) values[, at] <- x$read(j[at])
  values
}

# Some columns, kept as x keeps them.
some_columns <- function(x, j) {
  if (!inherits(x, "stabilect_columns")) {
    return(x[, j, drop = FALSE])
  }
  read_all <- x$read
  read <- with_data(function(k) read_all(j[k]), read_all = read_all, j = j)
  new_columns(x$n, length(j), x$names[j], x$samples, read, x$kind)
}

# For code that reads a few columns only.
store_any <- function(x) {
  by_columns <- is_in_file(x) || inherits(x, c("sparseMatrix", "stabilect_columns"))
  if (by_columns) as_columns(x) else code_levels(x)
}

# How a verb that reads slabs keeps x: as columns when it is in a file, or when it is sparse and the
# selectors look at one feature at a time; otherwise as a matrix in memory.
# @param selector (selector, list of them, or function) as the user gave it.
store_x <- function(x, selector, subspace = NULL, parameters = NULL) {
  one <- if (inherits(selector, "stabilect_selector")) list(selector) else selector
  fits <- is.list(one) && length(one) > 0L && is.null(parameters) &&
    all(vapply(one, function(s) is.list(s) && isTRUE(s$by_columns), NA))
  if (is_in_file(x)) {
    check_slab_use(fits, subspace, parameters)
    return(as_columns(x))
  }
  if (fits && inherits(x, "sparseMatrix")) {
    return(as_columns(x))
  }
  if (!inherits(x, "stabilect_columns")) {
    return(code_levels(x))
  }
  if (fits) x else x[, seq_len(x$p)]
}

check_slab_use <- function(fits, subspace, parameters) {
  given <- c(subspace = !is.null(subspace), parameters = !is.null(parameters))
  refuse(any(given),
    c("{.arg {names(given)[given][1]}} needs {.arg x} as a matrix in memory; this one is read from
      a file, column by column.",
      i = "Leave it out, or keep fewer features: {.code x[, columns]}."
    )
  )
  refuse(!fits,
    c("{.arg selector} looks at all features together, but {.arg x} is read from a file, column
      by column.",
      i = "{.fn selector_screened} applies it to the best features of a filter, such as
        {.fn selector_filter}."
    )
  )
}
