# Several matrices of the same samples as one, with the view of each feature: clinical values,
# expression, methylation.

is_view_list <- function(x) {
  inherits(x, "MultiAssayExperiment") || is.list(x) && !is.object(x) && length(x) > 0L &&
    all(vapply(x, function(part) length(dim(part)) == 2L, NA))
}

# @param x a list of tables, or a MultiAssayExperiment.
# @return list(x, y, blocks, form, views (factor, p, named by features), coded (character: notes)).
read_views <- function(x, y, blocks) {
  form <- if (isS4(x)) "MultiAssayExperiment" else "list of matrices"
  parts <- if (isS4(x)) read_experiments(x) else list(tables = x, about = NULL)
  joined <- join_views(parts$tables)
  about <- as.list(parts$about[match(rownames(joined$x), rownames(parts$about)), , drop = FALSE])
  column <- function(value, name) {
    if (!is_name(value, nrow(joined$x))) {
      return(value)
    }
    refuse(!value %in% names(about),
      c("{.arg {name}} is {.val {value}}, which is not a column of {.code colData(x)}.",
        i = if (length(about) == 0L) "A list has none: give one value for each sample."
      )
    )
    about[[value]]
  }
  y <- if (is_name_pair(y, nrow(joined$x))) {
    surv_of_columns(function(name) column(name, "y"), y)
  } else {
    column(y, "y")
  }
  c(joined, list(y = y, blocks = column(blocks, "blocks"), form = form))
}

# @param tables (list of matrices, Matrix or data frames).
join_views <- function(tables) {
  names <- names(tables)
  refuse(is.null(names) || anyDuplicated(names) > 0L || !all(nzchar(names)),
    c("{.arg x} is a list, whose matrices need names, each once.",
      i = "For example {.code list(clinical = , expression = )}."
    )
  )
  coded <- lapply(tables, function(table) {
    if (is.data.frame(table)) code_table(table, "columns") else list(x = table)
  })
  tables <- Map(read_view, lapply(coded, `[[`, "x"), names)
  tables <- lapply(tables, in_order_of, tables[[1]], names)
  columns <- unlist(lapply(tables, colnames), use.names = FALSE)
  view <- factor(rep(names, vapply(tables, ncol, 0L)), names)
  clash <- columns %in% c(columns[duplicated(columns)], names)
  columns[clash] <- paste(view, columns, sep = ":")[clash]
  x <- do.call(cbind, unname(tables))
  colnames(x) <- columns
  notes <- as.character(unlist(lapply(coded, `[[`, "notes")))
  list(x = x, views = stats::setNames(view, columns), coded = notes)
}

read_view <- function(table, name) {
  table <- as.matrix(table)
  refuse(!(is.numeric(table) || is.logical(table)) || ncol(table) == 0L,
    "View {.val {name}} of {.arg x} must be a matrix of numbers with samples in rows."
  )
  storage.mode(table) <- "double"
  if (is.null(colnames(table))) colnames(table) <- sprintf("%s:%d", name, seq_len(ncol(table)))
  # Numbered rows of a data frame are no names.
  if (identical(rownames(table), as.character(seq_len(nrow(table))))) rownames(table) <- NULL
  name_columns(table)
}

# Rows by their names where all views have them.
in_order_of <- function(table, first, names) {
  refuse(nrow(table) != nrow(first),
    c("The views {.val {names}} of {.arg x} do not have the same samples: one has {nrow(first)},
        another {nrow(table)}.",
      i = "Keep only the samples that are in every view."
    )
  )
  if (is.null(rownames(table)) || is.null(rownames(first))) {
    return(table)
  }
  at <- match(rownames(first), rownames(table))
  refuse(anyNA(at),
    "The views {.val {names}} of {.arg x} do not have the same samples: {.val
      {rownames(first)[is.na(at)][1]}} is not in all of them."
  )
  table[at, , drop = FALSE]
}

# @return list(tables (samples in rows, named by patients), about (colData)).
read_experiments <- function(x) {
  check_package("MultiAssayExperiment", "container")
  map <- as.data.frame(MultiAssayExperiment::sampleMap(x))
  parts <- as.list(MultiAssayExperiment::experiments(x))
  tables <- lapply(stats::setNames(nm = names(parts)), function(name) {
    part <- parts[[name]]
    table <- turn(values_of_experiment(part, name))
    own <- map[map$assay == name, ]
    patient <- as.character(own$primary[match(rownames(table), own$colname)])
    again <- patient[duplicated(patient)]
    refuse(length(again) > 0L,
      c("Patient {.val {again[1]}} has two samples in experiment {.val {name}} of {.arg x}.",
        i = "{.fn MultiAssayExperiment::mergeReplicates} makes one of them."
      )
    )
    rownames(table) <- patient
    table
  })
  patients <- lapply(tables, function(table) sort(rownames(table)))
  refuse(length(unique(patients)) > 1L,
    c("The experiments of {.arg x} do not have the same patients.",
      i = "{.code MultiAssayExperiment::intersectColumns(x)} keeps those that all have."
    )
  )
  list(tables = tables, about = MultiAssayExperiment::colData(x))
}

# colData, a row for each sample as read_views() orders them: as in the first experiment.
table_of_patients <- function(x) {
  check_package("MultiAssayExperiment", "container")
  map <- as.data.frame(MultiAssayExperiment::sampleMap(x))
  parts <- as.list(MultiAssayExperiment::experiments(x))
  own <- map[map$assay == names(parts)[1], ]
  patients <- as.character(own$primary[match(colnames(parts[[1]]), own$colname)])
  about <- as.data.frame(MultiAssayExperiment::colData(x))
  about[match(patients, rownames(about)), , drop = FALSE]
}

values_of_experiment <- function(part, name) {
  kind <- container_kind(part)
  if (is.null(kind)) {
    return(as.matrix(part))
  }
  parts <- container_parts(part, kind)
  refuse(parts$n_assays != 1L,
    "Experiment {.val {name}} of {.arg x} has {parts$n_assays} assays, and needs one."
  )
  as.matrix(parts$values(1L))
}

# What the data know of samples besides the features, or all they know: a data frame, or NULL.
table_about <- function(x) {
  if (is.data.frame(x)) {
    x
  } else if (!is.null(container_kind(x))) {
    table_of_samples(x)
  } else if (inherits(x, "MultiAssayExperiment")) {
    table_of_patients(x)
  }
}

# The number of new samples, of any form.
n_new_samples <- function(newdata) {
  about <- table_about(newdata)
  if (!is.null(about)) {
    return(nrow(about))
  }
  nrow(if (is_view_list(newdata)) newdata[[1]] else newdata)
}
