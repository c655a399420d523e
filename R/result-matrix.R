# Matrices of sets, weights and ranks. Internally runs are columns; messages name run and feature,
# whatever the layout.

#' @rdname as_selection
#' @export
as_selection.matrix <- function(x, runs_in = c("rows", "columns"), # nolint: object_name_linter.
                                type = c("auto", "set", "weight", "rank"), n_features = NULL,
                                feature_names = NULL, ...) {
  refuse_dots(...)
  refuse(!is.numeric(x) && !is.logical(x),
    "{.arg x} must be a matrix of numbers or logical values, not of type {typeof(x)}."
  )
  selection_from_matrix(x, runs_in, type, n_features, feature_names)
}

#' @rdname as_selection
#' @export
as_selection.data.frame <- function(x, n_total = NULL, # nolint: object_name_linter.
                                    feature_names = NULL, ...) {
  if (all(c("run", "feature") %in% names(x))) {
    refuse_dots(...)
    return(selection_from_rows(x, n_total, feature_names))
  }
  refuse(!is.null(n_total), c("{.arg n_total} does not go with a column for each feature.",
    i = "It does with a row for each selection, in the columns {.code run} and {.code feature}."
  ))
  bad <- which(!vapply(x, function(column) {
    (is.numeric(column) || is.logical(column)) && is.null(dim(column))
  }, NA))
  refuse(length(bad) > 0L, c("Column {bad[1]} ({.val {names(x)[bad[1]]}}) of {.arg x} has class
      <{class(x[[bad[1]]])[1]}>, not numbers.",
    i = "Runs go in rows and features in columns; leave out columns that are not features."
  ))
  as_selection.matrix(as.matrix(x), feature_names = feature_names, ...)
}

# A row for each feature of each run. Levels of `run` without a row selected nothing.
selection_from_rows <- function(x, n_total, feature_names) {
  for (column in c("run", "feature")) {
    refuse_at(is_absent(x[[column]]),
      "Column {.val {column}} of {.arg x} has a missing value in row {at}."
    )
  }
  run <- if (is.factor(x$run)) x$run else factor(x$run, unique(x$run))
  kept <- if (is.null(x$selected)) rep(TRUE, nrow(x)) else x$selected
  refuse(!is.logical(kept) || anyNA(kept),
    "Column {.val selected} of {.arg x} must hold TRUE and FALSE, not
      {describe_value(kept)}."
  )
  feature <- if (is.numeric(x$feature)) x$feature else as.character(x$feature)
  # Features that were offered but never taken also count.
  if (!all(kept) && is.null(n_total) && is.null(feature_names) && is.character(feature)) {
    feature_names <- unique(feature)
  }
  sets <- unname(split(feature[kept], run[kept]))
  selection_from_sets(sets, n_total, feature_names)
}

#' @rdname as_selection
#' @export
as_selection.Matrix <- function(x, runs_in = c("rows", "columns"), # nolint: object_name_linter.
                                type = c("auto", "set", "weight", "rank"), n_features = NULL,
                                feature_names = NULL, ...) {
  refuse_dots(...)
  x <- if (methods::is(x, "denseMatrix")) as.matrix(x) else as_dgc(x)
  selection_from_matrix(x, runs_in, type, n_features, feature_names)
}

selection_from_matrix <- function(x, runs_in, type, n_features, feature_names) {
  runs_in <- check_choice(runs_in, c("rows", "columns"))
  type <- check_choice(type, c("auto", "set", "weight", "rank"))
  refuse(min(dim(x)) == 0L,
    "{.arg x} has {nrow(x)} row{?s} and {ncol(x)} column{?s}; it needs runs and features."
  )
  if (runs_in == "rows") {
    x <- Matrix::t(x)
  }
  feature_names <- matrix_feature_names(x, feature_names, runs_in)
  at <- match(feature_names, rownames(x))
  if (!anyNA(at) && is.unsorted(at)) x <- x[at, , drop = FALSE]
  dimnames(x) <- list(feature_names, NULL)
  n_features <- check_count(n_features, max = nrow(x), null_ok = TRUE)
  refuse(!is.null(n_features) && type %in% c("auto", "set"),
    c("{.arg n_features} only applies to weights and ranks.",
      i = "Say {.code type = \"weight\"} or {.code type = \"rank\"}."
    )
  )
  refuse_values(x, "missing or infinite", function(v) !is.finite(v), NULL)
  switch(type,
    auto = ,
    set = selection_from_indicators(x),
    weight = selection_from_weights(x, n_features),
    rank = selection_from_ranks(as.matrix(x), n_features)
  )
}

matrix_feature_names <- function(x, feature_names, runs_in) {
  if (is.null(feature_names)) {
    if (is.null(rownames(x))) {
      return(paste0("V", seq_len(nrow(x))))
    }
    again <- anyDuplicated(rownames(x))
    refuse(again > 0L, "{.arg x} has feature {.val {rownames(x)[again]}} twice, the second time in
      {if (runs_in == 'rows') 'column' else 'row'} {again}.")
    return(rownames(x))
  }
  feature_names <- check_feature_names(feature_names, NULL)
  known <- rownames(x)
  strange <- setdiff(known, feature_names)
  refuse(length(strange) > 0L && length(strange) < length(known),
    "{.arg x} has feature {.val {strange[1]}}, which is not in {.arg feature_names}, though others
      are."
  )
  if (length(feature_names) != nrow(x)) {
    other <- if (length(feature_names) == ncol(x)) {
      c(i = "{.arg x} has as many runs; are they features? See {.arg runs_in}.")
    }
    abort(c("{.arg x} has {nrow(x)} feature{?s}, but there {?is/are} {length(feature_names)}
      {.arg feature_names}.", other))
  }
  feature_names
}

# `is_wrong` (function of values) is applied to stored entries only: 0 is valid everywhere but in
# ranks, which are dense.
refuse_values <- function(x, what, is_wrong, advice) {
  is_sparse <- methods::is(x, "sparseMatrix")
  bad <- which(is_wrong(if (is_sparse) x@x else x))
  if (length(bad) == 0L) {
    return(invisible())
  }
  at <- bad[1]
  if (is_sparse) {
    value <- x@x[at]
    feature <- x@i[at] + 1L
    run <- findInterval(at - 1L, x@p)
  } else {
    value <- x[at]
    feature <- (at - 1L) %% nrow(x) + 1L
    run <- (at - 1L) %/% nrow(x) + 1L
  }
  abort(
    c("{.arg x} has {figure(value)} in run {run}, feature {feature}
        ({.val {rownames(x)[feature]}}).",
      x = "{length(bad)} of its values {?is/are} {what}.", i = advice
    )
  )
}

selection_from_indicators <- function(x) {
  refuse_values(
    x, "neither 0 nor 1", function(v) v != 0 & v != 1,
    paste(
      "Sets are 0/1 or logical. For other numbers say {.code type = \"weight\"}",
      "(0 is not selected) or {.code type = \"rank\"} (1 is best)."
    )
  )
  if (!methods::is(x, "sparseMatrix")) {
    x <- as_dgc(methods::as(x + 0, "CsparseMatrix"))
  }
  new_selection(x, methods::as(x, "nMatrix"), rep("ok", ncol(x)), "sets")
}

selection_from_weights <- function(x, n_features) {
  weight <- if (methods::is(x, "sparseMatrix")) x else as_dgc(methods::as(x, "CsparseMatrix"))
  weight@x <- abs(weight@x)
  importance <- if (is.null(n_features)) weight else keep_largest(weight, n_features)
  # Above this share of non-zeros the sparse form needs more memory than the dense one.
  filled <- length(weight@x) / prod(dim(weight)) > 2 / 3
  new_selection(
    if (filled) as.matrix(weight) else weight, methods::as(importance, "nMatrix"),
    rep("ok", ncol(x)),
    if (is.null(n_features)) "weights" else paste("weights, the largest", n_features),
    importance = importance
  )
}

# Entries of each column at least as large as its `n_features`-th largest.
keep_largest <- function(weight, n_features) {
  size <- diff(weight@p)
  limit <- vapply(seq_along(size), function(b) {
    if (size[b] <= n_features) {
      return(0)
    }
    value <- weight@x[weight@p[b] + seq_len(size[b])]
    position <- size[b] - n_features + 1L
    but_for_rounding(sort(value, partial = position)[position])
  }, 0)
  weight@x[weight@x < rep(limit, size)] <- 0
  Matrix::drop0(weight)
}

# The features of highest score in each run, with all that are equal to the last; features without
# a score are never among them. Failed runs stay empty.
cut_selection <- function(selection, n_features) {
  score <- selection$score
  if (methods::is(score, "sparseMatrix")) {
    kept <- keep_largest(score, n_features)
  } else {
    kept <- apply(score, 2L, function(one) {
      limit <- sort(one, decreasing = TRUE, na.last = TRUE)[n_features]
      has_score(one) & (is.na(limit) | one >= but_for_rounding(limit))
    })
    dim(kept) <- dim(score)
    kept <- methods::as(methods::as(kept, "CsparseMatrix"), "generalMatrix")
  }
  selected <- Matrix::drop0(methods::as(kept, "dMatrix"))
  failed <- selection$status != "ok"
  if (any(failed)) selected <- Matrix::drop0(selected %*% Matrix::Diagonal(x = !failed))
  selection$selected <- methods::as(methods::as(selected, "generalMatrix"), "nMatrix")
  dimnames(selection$selected) <- dimnames(score)
  if (!is.null(selection$importance)) {
    selection$importance <- Matrix::drop0(selection$importance * selection$selected)
  }
  selection$method <- paste0(selection$method, "; the best ", n_features)
  selection
}

selection_from_ranks <- function(rank, n_features) {
  p <- nrow(rank)
  refuse(is.null(n_features), c("Ranks need {.arg n_features}, the size of the sets.",
    i = "With {.code n_features = 10}, features of rank <= 10 are selected."
  ))
  refuse_values(
    rank, "no ranks", function(v) v < 1 | v > p,
    paste0("Ranks go from 1 (best) to ", p, ", the number of features.")
  )
  selected <- methods::as(methods::as(rank <= n_features, "CsparseMatrix"), "generalMatrix")
  new_selection(
    p + 1 - rank, methods::as(Matrix::drop0(selected), "nMatrix"), rep("ok", ncol(rank)),
    paste("ranks up to", n_features)
  )
}
