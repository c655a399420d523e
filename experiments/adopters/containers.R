# Data in the containers of other packages: the answer is the one of the plain matrix.

same_table <- function(a, b) stopifnot(identical(as.data.frame(a), as.data.frame(b)))

# The call must be an error of this package whose message has these words.
refused <- function(code, ...) {
  message <- tryCatch(
    {
      code
      ""
    },
    stabilect_error = function(e) cli::ansi_strip(conditionMessage(e))
  )
  for (word in c(...)) stopifnot(grepl(word, message, fixed = TRUE))
  "refused as documented"
}

experiment_of <- function() {
  SummarizedExperiment::SummarizedExperiment(
    list(values = t(x)),
    colData = S4Vectors::DataFrame(
      class = y, months = seq_along(y), died = rep(0:1, length.out = length(y)),
      age = 40 + seq_along(y) %% 9,
      row.names = rownames(x)
    )
  )
}

container_calls <- list(
  new_call("SummarizedExperiment", "SummarizedExperiment",
    "table of the matrix; columns written to rowData", function() {
    se <- experiment_of()
    fit <- fealect(se, "class", n_runs = 20, seed = 1)
    same_table(fit, fealect(x, y, n_runs = 20, seed = 1))
    table <- as.data.frame(fit)
    SummarizedExperiment::rowData(se)[table$feature, "score"] <- table$score
    best <- table$feature[1]
    stopifnot(SummarizedExperiment::rowData(se)[best, "score"] == max(table$score))
    stopifnot(nrow(se[selected(fit), ]) == length(selected(fit)))
  }),
  new_call("survival times and covariates of colData", "SummarizedExperiment",
    "table of Surv() and a data frame", function() {
    se <- experiment_of()
    named <- fealect(se, c("months", "died"), covariates = "age", n_runs = 10, seed = 1)
    by_hand <- fealect(
      x, survival::Surv(se$months, se$died), covariates = data.frame(age = se$age), n_runs = 10,
      seed = 1
    )
    same_table(named, by_hand)
  }),
  new_call("SingleCellExperiment", "SingleCellExperiment",
    "sparse assay: table of the matrix", function() {
    sce <- SingleCellExperiment::SingleCellExperiment(
      list(logcounts = Matrix::Matrix(t(x), sparse = TRUE)),
      colData = S4Vectors::DataFrame(class = y)
    )
    same_table(fealect(sce, "class", n_runs = 10, seed = 1), fealect(x, y, n_runs = 10, seed = 1))
  }),
  new_call("MultiAssayExperiment", "MultiAssayExperiment",
    "the error names getWithColData(), which works", function() {
    mae <- MultiAssayExperiment::MultiAssayExperiment(
      list(rna = t(x)), colData = S4Vectors::DataFrame(class = y, row.names = rownames(x))
    )
    said <- refused(fealect(mae, "class", n_runs = 10, seed = 1), "getWithColData")
    se <- experiment_of()
    mae <- MultiAssayExperiment::MultiAssayExperiment(
      list(rna = se), colData = S4Vectors::DataFrame(class = y, row.names = rownames(x))
    )
    SummarizedExperiment::colData(mae[["rna"]])$class <- NULL
    one <- MultiAssayExperiment::getWithColData(mae, "rna")
    same_table(fealect(one, "class", n_runs = 10, seed = 1), fealect(x, y, n_runs = 10, seed = 1))
    said
  }),
  new_call("DelayedArray (HDF5)", c("HDF5Array", "DelayedArray"),
    "select_ensemble() as in memory; others name as.matrix()", function() {
    file <- tempfile(fileext = ".h5")
    HDF5Array::writeHDF5Array(x, file, "x")
    h <- HDF5Array::HDF5Array(file, "x")
    filter <- selector_filter("t")
    from_file <- select_ensemble(h, y, filter, n_features = 5, seed = 1)
    in_memory <- select_ensemble(unname(x), y, filter, n_features = 5, seed = 1)
    stopifnot(identical(from_file$ranking$table, in_memory$ranking$table))
    refused(stability_selection(h, y, q = 5, pfer = 1, seed = 1), "as.matrix")
  }),
  new_call("FBM", "bigstatsr", "select_ensemble() as in memory; others name x[]", function() {
    big <- bigstatsr::as_FBM(x)
    filter <- selector_filter("t")
    from_file <- select_ensemble(big, y, filter, n_features = 5, seed = 1)
    in_memory <- select_ensemble(unname(x), y, filter, n_features = 5, seed = 1)
    stopifnot(identical(from_file$ranking$table, in_memory$ranking$table))
    refused(fealect(big, y, n_runs = 10, seed = 1), "[]")
  }),
  new_call("tibble and formula", "tibble", "table of the matrix", function() {
    data <- tibble::as_tibble(data.frame(class = y, x, check.names = FALSE))
    plain <- fealect(x, y, n_runs = 10, seed = 1)
    same_table(fealect(class ~ ., data, n_runs = 10, seed = 1), plain)
    same_table(fealect(data, "class", n_runs = 10, seed = 1), plain)
  }),
  new_call("data.table", "data.table", "table of the matrix", function() {
    data <- data.table::data.table(class = y, x)
    plain <- fealect(x, y, n_runs = 10, seed = 1)
    same_table(fealect(class ~ ., data, n_runs = 10, seed = 1), plain)
    same_table(fealect(data, "class", n_runs = 10, seed = 1), plain)
  }),
  new_call("sparse Matrix", "Matrix", "table of the matrix", function() {
    sparse <- Matrix::Matrix(x, sparse = TRUE)
    same_table(fealect(sparse, y, n_runs = 10, seed = 1), fealect(x, y, n_runs = 10, seed = 1))
  })
)
