# Missing values of data that are being prepared.

# @param raw list(x, y, blocks, ...) as from gather_input().
# @param max_missing (fraction) features with a larger share of missing values are not filled in.
treat_missing <- function(raw, na, max_missing = 1) {
  cells <- missing_cells(raw$x)
  if (na != "error" && (is.matrix(raw$x) || is.data.frame(raw$x))) refuse_infinite(raw$x)
  if (na != "error") {
    raw <- leave_out_features(raw, cells, max_missing)
    cells <- missing_cells(raw$x)
  }
  check_any_value(raw$x)
  no_y <- missing_labels(raw$y)
  if (na == "omit") {
    no_covariate <- if (!is.null(raw$covariates)) which(!stats::complete.cases(raw$covariates))
    rows <- unique(c(cells$row, no_y, which(is.na(raw$blocks)), no_covariate))
    if (raw$within) rows <- c(rows, left_alone(raw$blocks, rows))
    return(omit_samples(raw, rows))
  }
  refuse(length(no_y) > 0L, c("{.arg y} is missing at position {no_y[1]}.",
    i = "Leave out samples without a response, in {.arg x} too; {.code na = \"omit\"} leaves out
      those with any missing value."
  ))
  refuse(anyNA(raw$blocks), c("{.arg blocks} is missing at position {which(is.na(raw$blocks))[1]}.",
    i = "Leave such samples out, or make each a block of its own."
  ))
  if (na == "error") {
    return(refuse_cells(raw, cells))
  }
  check_missing_shares(raw$x, cells)
  if (na == "impute") {
    check_imputable(raw$x)
    cells <- cells_of_categories(raw$x, cells)
  }
  fill_cells(raw, cells)
}

# Missing values of columns that are no numbers.
cells_of_categories <- function(x, cells) {
  kept <- if (is.data.frame(x)) {
    !vapply(x, is.numeric, NA)[cells$column]
  } else {
    rep(is.logical(x), length(cells$row))
  }
  lapply(cells, `[`, kept)
}

leave_out_features <- function(raw, cells, max_missing) {
  out <- which(tabulate(cells$column, ncol(raw$x)) > max_missing * nrow(raw$x))
  if (length(out) == 0L) {
    return(raw)
  }
  limit <- as_percent(max_missing)
  refuse(length(out) == ncol(raw$x), c(
    "Every feature of {.arg x} has more than {limit} missing values ({.arg max_missing}).",
    i = "{.code missing_pattern(x)} has the features that are there in some samples only."
  ))
  names <- feature_words(raw$x, out)
  raw$x <- raw$x[, -out, drop = FALSE]
  if (!is.null(raw$views)) raw$views <- droplevels(raw$views[-out])
  raw$notes <- c(raw$notes, sprintf(
    "%d feature%s left out, with more than %s missing values: %s", length(out),
    if (length(out) == 1L) "" else "s", limit, list_some(names)
  ))
  raw
}

feature_words <- function(x, columns) {
  if (is.null(colnames(x))) paste("column", columns) else colnames(x)[columns]
}

# Shares of missing values above which what is filled in would decide.
most_missing <- c(sample = 0.8, table = 0.4)

check_missing_shares <- function(x, cells) {
  share <- tabulate(cells$row, nrow(x)) / ncol(x)
  worst <- which.max(share)
  label <- if (!is.null(sample_names(x))) paste0(" (", dQuote(sample_names(x)[worst], FALSE), ")")
  refuse(share[worst] > most_missing[["sample"]], c(
    "Row {worst}{label} of {.arg x} has {as_percent(share[worst])} missing values, which leaves too
      little to fill in the others.",
    i = "Leave out samples with more than {as_percent(most_missing[['sample']])}."
  ))
  all <- mean(share)
  refuse(all > most_missing[["table"]], c(
    "{as_percent(all)} of the values in {.arg x} are missing: a list would be about what is filled
      in.",
    i = "Leave out more features, with a smaller {.arg max_missing}, or ask which values are there:
      {.code missing_pattern(x)}."
  ))
}

# Samples whose group has no other sample once these rows are left out.
left_alone <- function(groups, rows) {
  kept <- setdiff(seq_along(groups), rows)
  kept[!(duplicated(groups[kept]) | duplicated(groups[kept], fromLast = TRUE))]
}

missing_labels <- function(y) {
  if (is_survival(y)) {
    return(which(rowSums(is.na(unclass(y))) > 0))
  }
  which(is.na(if (is.matrix(y)) y[, 1L] else y))
}

refuse_cells <- function(raw, cells) {
  n <- length(cells$row)
  if (n == 0L) {
    return(raw)
  }
  n_samples <- length(unique(cells$row))
  label <- colnames(raw$x)[cells$column[1]]
  name <- if (is.null(label)) "" else paste0(" (", dQuote(label, FALSE), ")")
  abort(
    c("{.arg x} has {n} missing value{?s}, the first at row {cells$row[1]}, column
        {cells$column[1]}{name}.",
      i = "{.code prepare_study(x, y, na = \"impute\")} fills them in from similar features,
        {.code na = \"median\"} with medians; {.code na = \"omit\"} leaves out {n_samples}
        sample{?s}."
    )
  )
}

omit_samples <- function(raw, rows) {
  if (length(rows) == 0L) {
    return(raw)
  }
  rows <- sort(rows)
  n <- nrow(raw$x)
  refuse(n - length(rows) < 3L,
    c("{length(rows)} of {n} samples have missing values, so that fewer than 3 are left.",
      i = "Leave out the features that have most of them, with a smaller {.arg max_missing}, or use
        {.code na = \"median\"}."
    )
  )
  labels <- sample_names(raw$x)
  raw$dropped <- if (is.null(labels)) rows else labels[rows]
  numbered <- is.null(labels)
  raw$x <- raw$x[-rows, , drop = FALSE]
  if (is.data.frame(raw$x) && numbered) rownames(raw$x) <- NULL
  if (is_survival(raw$y)) {
    raw$y <- label_rows(raw$y, -rows)
  } else if (is.matrix(raw$y)) {
    raw$y <- raw$y[-rows, , drop = FALSE]
  } else if (!is.null(raw$y)) {
    raw$y <- raw$y[-rows]
  }
  if (!is.null(raw$blocks)) raw$blocks <- raw$blocks[-rows]
  if (!is.null(raw$covariates)) raw$covariates <- raw$covariates[-rows, , drop = FALSE]
  raw$notes <- c(sprintf(
    "%d of %d samples left out for missing values: %s%s", length(rows), n,
    if (numbered) "number " else "", list_some(raw$dropped)
  ), raw$notes)
  raw
}

fill_cells <- function(raw, cells) {
  if (length(cells$row) == 0L) {
    return(raw)
  }
  refuse(inherits(raw$x, "DelayedMatrix"),
    c("{.arg x} is kept in a file, where missing values are not filled in.",
      i = "Read it with {.fn as.matrix} first, or use {.code na = \"omit\"}."
    )
  )
  where <- split(cells$row, cells$column)
  columns <- as.integer(names(where))
  for (k in seq_along(where)) {
    j <- columns[k]
    if (is.data.frame(raw$x)) {
      raw$x[[j]] <- fill_vector(raw$x[[j]], where[[k]])
    } else {
      raw$x[where[[k]], j] <- fill_vector(raw$x[, j], where[[k]])[where[[k]]]
    }
  }
  note <- sprintf(
    "%d missing value%s in %d feature%s filled in with the median over all samples",
    length(cells$row), if (length(cells$row) == 1L) "" else "s", length(columns),
    if (length(columns) == 1L) "" else "s"
  )
  if (is.data.frame(raw$x) && any(!vapply(raw$x[columns], is.numeric, NA))) {
    note <- paste0(note, " (categories: the most frequent)")
  }
  raw$notes <- c(note, raw$notes)
  raw
}

fill_vector <- function(column, at) {
  known <- column[-at]
  column[at] <- if (is.ordered(column)) {
    stats::quantile(known, 0.5, type = 1, names = FALSE)
  } else if (is.numeric(column)) {
    stats::median(known)
  } else {
    values <- if (is.factor(column)) levels(column) else sort(unique(known), method = "radix")
    values[which.max(tabulate(match(known, values), length(values)))]
  }
  column
}

# A column without any value can neither be imputed nor repaired by omitting samples.
check_any_value <- function(x) {
  empty <- if (nrow(x) == 0L) {
    integer()
  } else if (is.data.frame(x)) {
    which(vapply(x, function(column) all(is.na(column)), NA))
  } else if (anyNA(x[1L, ])) {
    suspects <- which(is.na(as.vector(x[1L, ])))
    suspects[vapply(suspects, function(j) all(is.na(as.vector(x[, j]))), NA)]
  }
  if (length(empty) > 0L) {
    label <- colnames(x)[empty[1]]
    name <- if (is.null(label)) "" else paste0(" (", dQuote(label, FALSE), ")")
    abort("Column {empty[[1]]}{name} of {.arg x} has no value at all; leave it out.")
  }
}

# Positions of missing values as list(row, column).
missing_cells <- function(x) {
  if (is.data.frame(x)) {
    rows <- lapply(x, function(column) which(is.na(column)))
    columns <- rep(seq_along(rows), lengths(rows))
    return(list(row = as.integer(unlist(rows, use.names = FALSE)), column = columns))
  }
  if (is.matrix(x) && !anyNA(x)) {
    return(list(row = integer(), column = integer()))
  }
  if (inherits(x, "sparseMatrix")) {
    return(missing_entries(x))
  }
  # By slabs: files are read a part at a time, and no matrix of flags is as large as x.
  slabs <- split(seq_len(ncol(x)), (seq_len(ncol(x)) - 1L) %/% 4096L)
  found <- lapply(slabs, function(j) {
    at <- which(is.na(as.matrix(x[, j, drop = FALSE])), arr.ind = TRUE)
    list(row = unname(at[, 1L]), column = unname(at[, 2L]) + j[1] - 1L)
  })
  list(
    row = unlist(lapply(found, `[[`, "row"), use.names = FALSE),
    column = unlist(lapply(found, `[[`, "column"), use.names = FALSE)
  )
}

missing_entries <- function(x) {
  if (inherits(x, "nMatrix") || inherits(x, "indMatrix")) {
    return(list(row = integer(), column = integer()))
  }
  x <- methods::as(methods::as(x, "generalMatrix"), "TsparseMatrix")
  at <- which(is.na(x@x))
  list(row = x@i[at] + 1L, column = x@j[at] + 1L)
}

# What fills in the missing values of new samples.
# @param coded of code_table(); before (matrix or data frame) x with its missing values.
# @return (named numeric, by coded column), or NULL where columns have no names or are in a file.
fills_of <- function(coded, before) {
  fill <- medians_of_columns(coded$x)
  for (name in names(coded$coding)) {
    one <- coded$coding[[name]]
    column <- before[[name]]
    at <- which(is.na(column))
    known <- if (length(at) > 0L) column[-at] else column
    n <- length(known) + 1L
    value <- fill_vector(known[c(seq_along(known), 1L)], n)[n]
    codes <- columns_of_levels(value, one$levels, name, one$kind)
    fill[names(codes)] <- vapply(codes, function(code) if (is.numeric(code)) code else NA_real_, 0)
  }
  fill
}

# The median of every column of numbers, the most frequent value of logicals.
medians_of_columns <- function(x) {
  logical <- is.logical(x)
  if (is.data.frame(x)) {
    x <- x[vapply(x, function(column) is.numeric(column) || is.logical(column), NA)]
    logical <- vapply(x, is.logical, NA)
    x <- as.matrix(x)
  }
  if (!is.matrix(x) || is.null(colnames(x)) || length(x) == 0L) {
    return(NULL)
  }
  n <- nrow(x)
  sorted <- matrix(x[order(as.vector(col(x)), as.vector(x))], n)
  lower <- sorted[(n + 1L) %/% 2L, ] + 0
  median <- (lower + sorted[n %/% 2L + 1L, ]) / 2
  stats::setNames(ifelse(rep_len(logical, ncol(x)), lower, median), colnames(x))
}
