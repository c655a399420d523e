# The user's x becomes a double matrix with column names; missing values are refused.

check_x <- function(x) {
  is_table <- is.data.frame(x)
  is_plain <- is.matrix(x) && (is.numeric(x) || is.logical(x))
  if (!is_table && !is_plain && !inherits(x, "Matrix")) {
    abort_not_matrix(x)
  }
  refuse(nrow(x) < 3L, "{.arg x} must have at least 3 rows (samples), not {nrow(x)}.")
  refuse(ncol(x) < 1L, "{.arg x} must have at least 1 column (feature), not 0.")
  if (is_table) {
    x <- table_to_matrix(x)
  } else if (inherits(x, "Matrix")) {
    x <- as.matrix(x)
    if (!is.numeric(x) && !is.logical(x)) {
      abort_not_matrix(x)
    }
  }
  if (is.object(x)) {
    x <- unclass(x)
  }
  if (!is.double(x)) {
    storage.mode(x) <- "double"
  }
  sizes <- cpp_column_sizes(x)
  check_finite_matrix(x, sizes)
  x <- name_columns(x)
  check_scales(x, "x", sizes = sizes)
  x
}

# How the values are taken out of objects of other packages.
advice_for_class <- function(x) {
  advice <- c(
    DGEList = "Give {.code t(edgeR::cpm(x, log = TRUE))}.", EList = "Give {.code t(x$E)}.",
    EListRaw = "Give {.code t(log2(x$E))}.", big.matrix = "Give {.code x[, ]}.",
    Seurat = "Cells of one sample are no samples: sum them first, one row for each sample."
  )
  known <- intersect(names(advice), class(x))
  if (length(known) > 0L) advice[[known[1]]] else "Samples go in rows, features in columns."
}

abort_not_matrix <- function(x) {
  what <- if (is.matrix(x)) paste("a matrix of type", typeof(x)) else describe_value(x)
  advice <- if (is.numeric(x) && length(dim(x)) < 2L) {
    "Turn one feature into a matrix with {.code matrix(x, ncol = 1)}."
  } else if (is_in_file(x)) {
    "If it fits in memory, give {.code as.matrix(x)}, of an FBM {.code x[]}. {.fn select_ensemble}
      and {.fn score_features} read matrices in files."
  } else {
    advice_for_class(x)
  }
  abort(
    c("{.arg x} must be a numeric matrix, a data frame of numbers or a sparse Matrix, not {what}.",
      i = advice
    )
  )
}

table_to_matrix <- function(x) {
  for (j in seq_along(x)) {
    column <- x[[j]]
    if (is.null(dim(column)) && (is.numeric(column) || is.logical(column))) {
      next
    }
    kind <- class(column)[1]
    abort(
      c("Column {j} ({.val {names(x)[j]}}) of {.arg x} has class <{kind}>, not numbers.",
        i = if (is.factor(column) || is.character(column)) {
          "{.code prepare_study(factors = \"columns\")} makes indicator columns of it."
        } else {
          "Code it as numbers, or leave it out."
        },
        # Labels of patients or batches are no measurement.
        i = if (is.factor(column) && nlevels(column) > max(5, nrow(x) / 10)) {
          "If its {nlevels(column)} levels label patients or batches, give its name as {.arg within}
            or {.arg covariates}, or leave it out: {.code x[names(x) != \"{names(x)[j]}\"]}."
        }
      )
    )
  }
  # as.double() has methods for numbers kept in other ways (64-bit integers, labelled columns), for
  # which a change of storage mode would return wrong values.
  values <- vapply(x, as.double, numeric(nrow(x)))
  rownames(values) <- sample_names(x)
  values
}

# @param sizes (numeric) the largest absolute value of each column.
# What -Inf comes from.
of_zeros <- "The logarithm of 0 is -Inf. Where 0 means that nothing was measured, make it missing
  before you take logarithms: {.code x[x == 0] <- NA}."

check_finite_matrix <- function(x, sizes) {
  if (all(is.finite(sizes))) {
    return(invisible(x))
  }
  bad <- which(!is.finite(x))
  row <- (bad[1] - 1L) %% nrow(x) + 1L
  column <- (bad[1] - 1L) %/% nrow(x) + 1L
  label <- if (is.null(colnames(x))) "" else paste0(" (", dQuote(colnames(x)[column], FALSE), ")")
  abort(
    c("{.arg x} has {figure(x[bad[1]])} at row {row}, column {column}{label}.",
      x = "{length(bad)} of its values {?is/are} missing or infinite.",
      i = if (is.nan(x[bad[1]])) {
        "NaN is what a logarithm of a negative number gives: {.code log2(pmax(x, floor))} of a
         matrix of intensities takes all below the floor, where noise begins, for it."
      },
      i = if (identical(x[bad[1]], -Inf)) of_zeros,
      i = "Remove {cli::qty(length(bad))}{?it/them} first, or fill in what is missing:
        {.code prepare_study(x, y, na = \"impute\")}."
    )
  )
}

name_columns <- function(x) {
  labels <- colnames(x)
  if (is.null(labels)) {
    colnames(x) <- paste0("V", seq_len(ncol(x)))
    return(x)
  }
  refuse_at(is_absent(labels),
    "Column {at} of {.arg x} has no name; name all columns or none."
  )
  refuse_same_names(labels)
  x
}

refuse_same_names <- function(labels) {
  again <- anyDuplicated(labels)
  refuse(again > 0L,
    c("Columns {match(labels[again], labels)} and {again} of {.arg x} have the same name,
         {.val {labels[again]}}.",
      i = "Make names unique, for example with {.fn make.unique}."
    )
  )
}

refuse_result <- function(x) {
  refuse(inherits(x, "stabilect_result"),
    c("{.arg x} is a result ({.cls {class(x)[1]}}), from which this cannot be made.",
      i = "Give the data, as in the call that made it. What it can be asked stands at the end of its
           print."
    )
  )
}
