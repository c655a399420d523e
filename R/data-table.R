# Data frames: columns of x, y and blocks are told apart, categories are coded.

read_table <- function(x, y, blocks) {
  x <- as.data.frame(x)
  taken <- character()
  response <- y
  if (is_name(y, nrow(x))) {
    response <- table_column(x, y, "y")
    taken <- y
  } else if (is_name_pair(y, nrow(x))) {
    response <- surv_of_columns(function(name) table_column(x, name, "y"), y)
    taken <- y
  }
  groups <- table_blocks(x, blocks)
  if (is_name(blocks, nrow(x))) taken <- c(taken, blocks)
  list(
    x = flatten_table(take_columns(x, !names(x) %in% taken)), y = response, blocks = groups,
    form = "data frame"
  )
}

table_blocks <- function(data, blocks) {
  if (is_name(blocks, nrow(data))) table_column(data, blocks, "blocks") else blocks
}

table_column <- function(data, name, argument) {
  at <- which(names(data) == name)
  near <- if (length(at) == 0L) nearest_name(name, names(data))
  refuse(length(at) != 1L, c(
    "{.arg {argument}} is {.val {name}}, but {cli::no(length(at))} column{?s} of the data
      {?has/have} this name.",
    i = if (!is.null(near)) "Did you mean {.val {near}}?"
  ))
  data[[at]]
}

# Keeps duplicated column names, which check_x() refuses; `[` would make them unique.
take_columns <- function(data, at) as_table(unclass(data)[at], data)

# A list of columns as a data frame with the row names of `like`; automatic ones stay automatic.
as_table <- function(columns, like) {
  has_names <- .row_names_info(like) > 0L
  attributes(columns) <- list(
    names = names(columns), class = "data.frame",
    row.names = if (has_names) attr(like, "row.names") else .set_row_names(nrow(like))
  )
  columns
}

# Columns that are matrices or tables become their columns, with the names of as.matrix().
flatten_table <- function(x) {
  wide <- vapply(x, function(column) length(dim(column)) == 2L, NA)
  if (!any(wide)) {
    return(x)
  }
  parts <- lapply(seq_along(x), function(j) {
    if (!wide[j]) {
      return(x[j])
    }
    column <- x[[j]]
    table <- if (is.data.frame(column)) column else as.data.frame(unclass(column))
    inner <- colnames(column)
    if (is.null(inner)) inner <- seq_len(ncol(column))
    flatten_table(stats::setNames(table, paste(names(x)[j], inner, sep = ".")))
  })
  as_table(unlist(lapply(parts, as.list), recursive = FALSE), x)
}

# Numeric columns that check_x() takes unchanged.
is_plain_column <- function(column) {
  is.null(dim(column)) && (is.numeric(column) || is.logical(column))
}

is_plain_table <- function(x) all(vapply(x, is_plain_column, NA))

# @param x anything; only data frames are changed.
# @return list(x, notes, groups, coding): x of numbers, and of factors with more than two levels
#   when `factors` is "feature".
code_table <- function(x, factors) {
  if (!is.data.frame(x) || is_plain_table(x)) {
    return(list(x = x, notes = character(), groups = NULL, coding = NULL))
  }
  parts <- lapply(seq_along(x), function(j) code_column(x[[j]], names(x)[j], j, factors))
  columns <- unlist(lapply(parts, `[[`, "columns"), recursive = FALSE)
  owner <- rep(names(x), vapply(parts, function(part) length(part$columns), 0L))
  groups <- factor(owner, unique(owner))
  names(groups) <- names(columns)
  list(
    x = as_table(columns, x), notes = coding_notes(parts),
    groups = if (length(columns) > length(x)) groups, coding = coding_of(parts, names(x))
  )
}

# @return list(columns (named list), kind (string), text (string), levels (character)): what became
#   of one column.
code_column <- function(column, name, j, factors) {
  if (is_plain_column(column)) {
    return(list(columns = stats::setNames(list(column), name), kind = "number"))
  }
  refuse(!(is.factor(column) || is.character(column)) || !is.null(dim(column)),
    c("Column {j} ({.val {name}}) of {.arg x} has class <{class(column)[1]}>, not numbers.",
      i = "Code it as numbers or as a factor, or leave it out."
    )
  )
  refuse_blank(column, "Column {j} ({.val {name}}) of {.arg x}")
  column <- as_categories(column)
  labels <- levels(column)
  refuse(length(labels) > 2L && length(labels) == length(column),
    c("Column {j} ({.val {name}}) of {.arg x} has another value in every sample.",
      i = "Leave out names and numbers of samples; {.arg blocks} can take them."
    )
  )
  kind <- if (is.ordered(column)) {
    "ordered"
  } else if (factors == "columns" && length(labels) > 1L) {
    "columns"
  } else if (length(labels) > 2L) {
    "factor"
  } else {
    "two"
  }
  detail <- switch(kind,
    ordered = sprintf("1 to %d", length(labels)), columns = paste("not", labels[1]),
    factor = sprintf("%d levels", length(labels)),
    two = paste(if (length(labels) == 2L) labels[2] else "never", "= 1")
  )
  list(
    columns = columns_of_levels(column, labels, name, kind), kind = kind,
    text = sprintf("%s (%s)", name, detail), levels = labels
  )
}

# The columns that a category becomes, as a named list.
columns_of_levels <- function(column, labels, name, kind) {
  codes <- match(as.character(column), labels)
  if (kind == "columns") {
    columns <- lapply(seq_along(labels)[-1], function(k) as.double(codes == k))
    return(stats::setNames(columns, paste(name, labels[-1], sep = "=")))
  }
  stats::setNames(list(switch(kind, ordered = codes, two = codes - 1L, column)), name)
}

# What predict() needs to code new samples: for each column its kind, its levels and its new names.
coding_of <- function(parts, labels) {
  coded <- vapply(parts, function(part) part$kind != "number", NA)
  lapply(stats::setNames(parts[coded], labels[coded]), function(part) {
    list(kind = part$kind, levels = part$levels, features = names(part$columns))
  })
}

# New samples coded as in the data of the model; numbers in the place of categories are checked.
# @param coding (list, or NULL) from coding_of(); columns that no feature needs stay unchanged.
# @param fill (named numeric, or NULL) columns in which values may be missing.
code_newdata <- function(newdata, coding, features, fill = NULL) {
  if (is.null(coding) || length(dim(newdata)) != 2L) {
    return(newdata)
  }
  if (is.data.frame(newdata)) newdata <- as.data.frame(newdata)
  for (name in names(coding)) {
    one <- coding[[name]]
    column <- if (is.data.frame(newdata)) newdata[[name]]
    if (!any(one$features %in% features)) next
    if (!is.factor(column) && !is.character(column)) {
      check_codes(newdata, one, intersect(one$features, features))
      next
    }
    known <- c(one$levels, if (all(one$features %in% names(fill))) NA)
    refuse_at(!as.character(column) %in% known,
      c("Column {.val {name}} of {.arg newdata} has {.val {as.character(column[at])}} at
          row {at}.",
        i = "The model knows {.val {one$levels}}."
      )
    )
    newdata[one$features] <- columns_of_levels(column, one$levels, name, one$kind)
  }
  newdata
}

# Numbers for a category of the model are its codes, and are refused where they could be its levels.
# @param one (list) of coding_of(); columns (character) of the model.
check_codes <- function(newdata, one, columns) {
  several <- one$kind == "columns"
  labels <- if (several) c("no", "yes") else one$levels
  codes <- if (one$kind == "ordered") seq_along(labels) else seq_along(labels) - 1
  is_number <- !several && all(grepl("^-?[0-9.]+$", labels))
  for (name in intersect(columns, colnames(newdata))) {
    values <- newdata[, name, drop = TRUE]
    refuse(is_number && !identical(as.numeric(labels), as.numeric(codes)),
      c("Column {.val {name}} of {.arg newdata} has numbers, which may be levels of the model or
          their codes.",
        i = "Give levels: {.code factor(newdata[[\"{name}\"]])}; the model knows {.val {labels}}."
      )
    )
    refuse_at(!values %in% c(codes, NA),
      c("Column {.val {name}} of {.arg newdata} has {figure(values[[at]])} at row {at}, but its
          codes are {toString(paste0(codes, ' (', labels, ')'))}.",
        i = "{.fn data.matrix} counts levels from 1: give the table itself, with its factors."
      )
    )
  }
}

# As classes of y: strings are sorted by bytes, since the locale must not decide signs.
as_categories <- function(column) {
  if (is.factor(column)) {
    return(droplevels(column))
  }
  factor(column, sort(unique(column), method = "radix"))
}

coding_notes <- function(parts) {
  kinds <- vapply(parts, `[[`, "", "kind")
  words <- c(
    two = "two values as 0 and 1", ordered = "ordered factors as scores",
    factor = "factors as one feature each", columns = "factors as indicator columns"
  )
  notes <- lapply(intersect(names(words), kinds), function(kind) {
    text <- vapply(parts[kinds == kind], `[[`, "", "text")
    paste0(words[[kind]], ": ", list_some(text))
  })
  as.character(unlist(notes))
}
