# Sets, similarities and single values for the tests of indices that know similar features.

# The selection that these sets are; p features.
similar_selection <- function(sets, p, score = NULL, importance = NULL) {
  selected <- Matrix::sparseMatrix(
    i = unlist(lapply(sets, sort)), p = c(0L, cumsum(lengths(sets))), dims = c(p, length(sets)),
    dimnames = list(paste0("V", seq_len(p)), NULL)
  )
  if (is.null(score)) score <- methods::as(selected, "dMatrix")
  new_selection(
    score, selected, rep("ok", length(sets)), "test",
    importance = importance
  )
}

similar_data <- function(...) index_runs(similar_selection(...))

# Of sets alone; the one of importance has a test file of its own.
similarity_names <- function() {
  table <- list_available("indices")
  setdiff(table$index[table$family == "similarity"], "phi_iw_similar")
}

# The value of an index with those of these options that it knows.
similar_value <- function(name, runs, ..., corrected = FALSE, seed = 1, n_threads = 1) {
  options <- list(...)
  options <- options[intersect(names(options), own_options(index_records()[[name]]))]
  arguments <- list(runs, name, corrected = corrected, seed = seed, n_threads = n_threads)
  do.call(index_values, c(arguments, options))[[1]]
}

intersections <- paste0("intersection_", c("count", "mean", "greedy", "mbm"))

random_similarity <- function(p, seed = 1) {
  set.seed(seed)
  s <- abs(stats::cor(matrix(stats::rnorm(6 * p), 6)))
  diag(s) <- 1
  s
}

# The values before correction: for the intersections and Yu their mean size.
uncorrected <- function(name, data, similarity, threshold) {
  if (name %in% c("zucknick", "sechidis")) {
    return(similar_value(name, data, similarity = similarity, threshold = threshold)$estimate)
  }
  size <- compare_similar(similarity_input(data, similarity, threshold, 1L, 1L), data, name, 1L)
  mean(size[upper.tri(size)])
}
