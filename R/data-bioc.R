# Bioconductor containers: features in rows, samples in columns, the outcome in a separate table.

# "SummarizedExperiment", "ExpressionSet" (or classes made from these), else NULL.
container_kind <- function(x) {
  if (!isS4(x)) {
    return(NULL)
  }
  known <- c("SummarizedExperiment", "ExpressionSet")
  is_one <- vapply(known, function(kind) methods::is(x, kind), NA)
  if (any(is_one)) known[is_one][1]
}

read_container <- function(x, y, assay, blocks, kind) {
  parts <- container_parts(x, kind)
  # Evaluated here because S4 would wrap the error in its own.
  chosen <- choose_assay(parts, assay, kind)
  values <- parts$values(chosen)
  n <- ncol(values)
  column <- function(value, name) {
    if (is_name(value, n)) about_samples(parts, value, name) else value
  }
  list(
    x = turn(values), y = if (is_name_pair(y, n)) {
      surv_of_columns(function(name) about_samples(parts, name, "y"), y)
    } else {
      column(y, "y")
    }, blocks = column(blocks, "blocks"), form = kind
  )
}

# New samples: the values of the only assay, with samples in rows.
container_samples <- function(newdata) {
  parts <- container_parts(newdata, container_kind(newdata))
  refuse(parts$n_assays != 1L,
    c("{.arg newdata} has {parts$n_assays} assays: {.val {parts$assays}}.",
      i = "Give the values of one, with samples in rows: {.code t(assay(newdata, name))}."
    )
  )
  turn(parts$values(1L))
}

container_parts <- function(x, kind) {
  if (kind == "SummarizedExperiment") {
    check_package("SummarizedExperiment", "container")
    list(
      assays = SummarizedExperiment::assayNames(x),
      n_assays = length(SummarizedExperiment::assays(x, withDimnames = FALSE)),
      values = function(k) SummarizedExperiment::assay(x, k),
      about = SummarizedExperiment::colData(x), from = "colData"
    )
  } else {
    check_package("Biobase", "container")
    labels <- Biobase::assayDataElementNames(x)
    list(
      assays = labels, n_assays = length(labels),
      values = function(k) Biobase::assayDataElement(x, labels[k]),
      about = Biobase::pData(x), from = "pData"
    )
  }
}

# Counts and logarithms often stand side by side; the intended assay cannot be guessed.
choose_assay <- function(parts, assay, kind) {
  refuse(parts$n_assays == 0L, "The {kind} has no assay.")
  if (is.null(assay)) {
    refuse(parts$n_assays > 1L, c("{.arg x} has {parts$n_assays} assays: {.val {parts$assays}}.",
      i = "Choose one: {.code prepare_study(x, y, assay = )}."
    ))
    return(1L)
  }
  if (is.character(assay) && length(assay) == 1L) {
    at <- match(assay, parts$assays)
    refuse(is.na(at),
      "{.arg assay} must be one of {.val {parts$assays}}, not {describe_value(assay)}."
    )
    return(at)
  }
  check_count(assay, max = parts$n_assays)
}

about_samples <- function(parts, name, argument) {
  refuse(!name %in% colnames(parts$about),
    c("{.arg {argument}} is {.val {name}}, which is not a column of {.code {parts$from}(x)}.",
      i = "There are: {.val {colnames(parts$about)}}."
    )
  )
  column <- parts$about[[name]]
  # Run-length encoded columns are expanded.
  if (isS4(column)) S4Vectors::decode(column) else column
}

# colData or pData, for formulas of covariates.
table_of_samples <- function(x) {
  if (container_kind(x) == "SummarizedExperiment") {
    check_package("SummarizedExperiment", "container")
    return(as.data.frame(SummarizedExperiment::colData(x)))
  }
  check_package("Biobase", "container")
  as.data.frame(Biobase::pData(x))
}

turn <- function(values) {
  if (inherits(values, "Matrix")) Matrix::t(values) else t(values)
}
