# The similarity of features as the similarity-adjusted indices need it: which selected features are
# similar, and what the correction for chance needs of all features.

# @return list: `core` (for the pairs of runs) and `null` (for random sets), both in the form of
#   C++; `number` and `sum` (neighbours of each feature, and the sum of their similarities), of a
#   random sample of features if `sampled`.
similarity_input <- function(runs, similarity, threshold, seed, n_threads) {
  # At 0 every feature would be similar to every other feature.
  threshold <- check_fraction(threshold)
  if (is_data_similarity(similarity)) {
    return(correlation_input(runs, similarity$x, threshold, seed, n_threads))
  }
  if (is.null(dim(similarity))) {
    return(group_input(match_groups(similarity, runs)))
  }
  graph_input(neighbour_matrix(match_similarity(similarity, runs), threshold))
}

is_data_similarity <- function(similarity) {
  is.list(similarity) && !is.object(similarity) && "x" %in% names(similarity)
}

graph_input <- function(neighbours) {
  core <- list(kind = "graph", p = neighbours@p, i = neighbours@i, x = neighbours@x)
  list(
    core = core, null = core, number = diff(neighbours@p),
    sum = unname(Matrix::colSums(neighbours)), sampled = FALSE
  )
}

group_input <- function(group) {
  n_groups <- max(group) + 1L
  number <- tabulate(group + 1L, n_groups)[group + 1L] - 1L
  core <- list(kind = "groups", group = group, n_groups = n_groups)
  list(core = core, null = core, number = number, sum = as.double(number), sampled = FALSE)
}

# Largest number of features with all correlations, and size of the sample that replaces more.
n_correlated <- 5000L
n_sampled <- 1000L

is_sampled <- function(similarity, runs) {
  is_data_similarity(similarity) && runs$n_total > n_correlated
}

# Correlations between features that occur in some run; correlations of all others are needed only
# for the correction, which samples from many features.
correlation_input <- function(runs, x, threshold, seed, n_threads) {
  unit <- unit_columns(match_data(x, runs))
  p <- ncol(unit)
  sampled <- p > n_correlated
  used <- if (sampled) which(runs$frequency > 0L) else seq_len(p)
  pairs <- cpp_correlated_columns(unit[, used, drop = FALSE], threshold, n_threads)
  input <- graph_input(symmetric_graph(
    used[pairs$first + 1L], used[pairs$second + 1L], pairs$value, p
  ))
  if (sampled) {
    totals <- cpp_neighbour_totals(unit, n_sampled, threshold, seed, n_threads)
    input$number <- totals$number
    input$sum <- totals$sum
    input$sampled <- TRUE
    input$null <- list(kind = "correlation", x = unit, threshold = threshold)
  }
  input
}

symmetric_graph <- function(first, second, value, p) {
  Matrix::sparseMatrix(
    i = c(first, second), j = c(second, first), x = as.double(c(value, value)), dims = c(p, p)
  )
}

# Similarities of at least the threshold, without the diagonal, as a dgCMatrix.
neighbour_matrix <- function(similarity, threshold) {
  if (is.matrix(similarity)) {
    p <- nrow(similarity)
    at <- which(similarity >= threshold)
    row <- (at - 1L) %% p + 1L
    column <- (at - 1L) %/% p + 1L
    keep <- row < column
    return(symmetric_graph(row[keep], column[keep], similarity[at[keep]], p))
  }
  entries <- Matrix::summary(similarity)
  keep <- entries$i < entries$j & entries$x >= threshold
  symmetric_graph(entries$i[keep], entries$j[keep], entries$x[keep], nrow(similarity))
}

# A similarity matrix in the order of the features of the selection.
match_similarity <- function(similarity, runs) {
  is_sparse <- inherits(similarity, "Matrix")
  refuse(!is_sparse && !(is.matrix(similarity) && is.numeric(similarity)), c(
    "{.arg similarity} must be a numeric matrix, not {describe_value(similarity)}.",
    i = "It can also be a sparse Matrix, a vector of group labels, or {.code list(x = )}."
  ), call = NULL)
  p <- runs$n_total
  own <- columns_of_runs(ncol(similarity), colnames(similarity), runs)
  if (!is.null(own) && nrow(similarity) == ncol(similarity)) similarity <- similarity[own, own]
  refuse(nrow(similarity) != p || ncol(similarity) != p, paste(
    "{.arg similarity} must be {p} x {p}, one row and column per feature, not",
    "{nrow(similarity)} x {ncol(similarity)}."
  ), call = NULL)
  refuse(!is.null(rownames(similarity)) && !is.null(colnames(similarity)) &&
    !identical(rownames(similarity), colnames(similarity)),
  "{.arg similarity} must have the same names of rows and of columns, in one order.", call = NULL
  )
  labels <- if (is.null(rownames(similarity))) colnames(similarity) else rownames(similarity)
  order <- match_names(labels, runs, "similarity")
  if (is_sparse) {
    similarity <- methods::as(methods::as(similarity, "dMatrix"), "generalMatrix")
    similarity <- methods::as(similarity, "CsparseMatrix")
  }
  if (!is.null(order)) {
    similarity <- similarity[order, order]
  }
  check_similarities(similarity)
  if (is_sparse) similarity else unname(similarity)
}

check_similarities <- function(similarity) {
  values <- if (is.matrix(similarity)) similarity else similarity@x
  refuse(anyNA(values) || (length(values) > 0L && (min(values) < 0 || max(values) > 1)), c(
    "{.arg similarity} must hold numbers between 0 and 1.",
    i = "For correlations use {.code abs(cor(x))}, or give {.code list(x = x)}."
  ), call = NULL)
  # The exact comparison is fast and nearly always sufficient.
  similarity <- unname_dims(similarity)
  symmetric <- is.matrix(similarity) && identical(similarity, t(similarity))
  refuse(!symmetric && !Matrix::isSymmetric(similarity),
    "{.arg similarity} must be symmetric.", call = NULL
  )
}

unname_dims <- function(x) {
  dimnames(x) <- list(NULL, NULL)
  x
}

# Group numbers from 0; a feature with a missing label is its own group.
match_groups <- function(group, runs) {
  if (inherits(group, "stabilect_clusters")) group <- group$membership
  own <- columns_of_runs(length(group), names(group), runs)
  if (!is.null(own) && is.atomic(group)) group <- group[own]
  refuse(!is.atomic(group) || length(group) != runs$n_total, paste(
    "{.arg similarity} must be a matrix, {runs$n_total} group labels (one per feature) or",
    "{.code list(x = )}, not {describe_value(group)}."
  ), call = NULL)
  order <- match_names(names(group), runs, "similarity")
  if (!is.null(order)) {
    group <- group[order]
  }
  group <- blank_as_na(group)
  code <- match(group, unique(group[!is.na(group)])) - 1L
  alone <- is.na(code)
  code[alone] <- max(code, -1L, na.rm = TRUE) + seq_len(sum(alone))
  code
}

# Connected components: every feature takes the smallest label that a link brings, and the label of
# its label, until nothing changes.
linked_groups <- function(first, second, p) {
  label <- seq_len(p)
  ends <- c(first, second)
  repeat {
    low <- rep(pmin(label[first], label[second]), 2L)
    # Of several values for one place the last is kept, the smallest.
    falling <- order(-low)
    now <- label
    now[ends[falling]] <- low[falling]
    now <- now[now]
    if (identical(now, label)) break
    label <- now
  }
  match(label, unique(label))
}
