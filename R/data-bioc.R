# Bioconductor containers, of which each has a record: features in rows, samples in columns, the
# outcome in a separate table. The records are all that is known of them.

# @return (named list) records: package; parts function(x): list(assays (character), n_assays,
#   values function(k) (features x samples), about (table of samples)); from (string) the function
#   that gives this table; at (string) the expression of the names of the samples of %s; values_at
#   function(x): that of the values of `x` with samples in rows.
container_records <- function() {
  list(
    SummarizedExperiment = list(
      package = "SummarizedExperiment", parts = parts_of_summarized, from = "colData",
      at = "colnames(%s)", values_at = function(x) "t(SummarizedExperiment::assay(x))"
    ),
    ExpressionSet = list(
      package = "Biobase", parts = parts_of_expression_set, from = "pData",
      at = "colnames(%s)", values_at = function(x) "t(Biobase::exprs(x))"
    ),
    phyloseq = list(
      package = "phyloseq", parts = parts_of_phyloseq, from = "sample_data",
      at = "phyloseq::sample_names(%s)", values_at = function(x) {
        turned <- if (phyloseq::taxa_are_rows(x)) "t(%s)" else "%s"
        sprintf(turned, "as(phyloseq::otu_table(x), \"matrix\")")
      }
    )
  )
}

container_record <- function(x) container_records()[[container_kind(x)]]

parts_of_summarized <- function(x) {
  list(
    assays = SummarizedExperiment::assayNames(x),
    n_assays = length(SummarizedExperiment::assays(x, withDimnames = FALSE)),
    values = function(k) SummarizedExperiment::assay(x, k),
    about = SummarizedExperiment::colData(x)
  )
}

parts_of_expression_set <- function(x) {
  labels <- Biobase::assayDataElementNames(x)
  list(
    assays = labels, n_assays = length(labels),
    values = function(k) Biobase::assayDataElement(x, labels[k]), about = Biobase::pData(x)
  )
}

# Either orientation of the table; the table of samples may be absent.
parts_of_phyloseq <- function(x) {
  about <- phyloseq::sample_data(x, errorIfNULL = FALSE)
  list(
    assays = "otu_table", n_assays = 1L,
    values = function(k) {
      values <- methods::as(phyloseq::otu_table(x), "matrix")
      if (phyloseq::taxa_are_rows(x)) values else t(values)
    },
    about = if (is.null(about)) {
      data.frame(row.names = phyloseq::sample_names(x))
    } else {
      methods::as(about, "data.frame")
    }
  )
}

# The name of its record, also of classes made from these, else NULL.
container_kind <- function(x) {
  if (!isS4(x)) {
    return(NULL)
  }
  known <- names(container_records())
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
  record <- container_records()[[kind]]
  check_package(record$package, "container")
  c(record$parts(x), list(from = record$from))
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

# What a container knows of its samples, for formulas of covariates.
table_of_samples <- function(x) as.data.frame(container_parts(x, container_kind(x))$about)

turn <- function(values) {
  if (inherits(values, "Matrix")) Matrix::t(values) else t(values)
}
