# The importance of each feature in the model of each run, as as_selection() takes it.

set_importance <- function(selection, importance) {
  if (is.list(importance) && !is.data.frame(importance)) {
    importance <- importance_from_list(importance, selection)
  } else if (is.matrix(importance) && is.numeric(importance)) {
    importance <- methods::as(importance, "CsparseMatrix")
  } else if (!methods::is(importance, "Matrix")) {
    abort("{.arg importance} must be a matrix (features x runs) or a list of named vectors, one per
      run, not {describe_value(importance)}.")
  }
  importance <- as_dgc(importance)
  if (!identical(dim(importance), dim(selection$selected))) {
    turned <- identical(rev(dim(importance)), dim(selection$selected))
    abort(c("{.arg importance} is {nrow(importance)} x {ncol(importance)}, but the selection has
      {selection$n_total} feature{?s} (rows) and {selection$n_runs} run{?s} (columns).",
      i = if (turned) "Use {.code t(importance)}."
    ))
  }
  labels <- rownames(importance)
  if (!is.null(labels) && !anyDuplicated(labels) && setequal(labels, selection$feature_names)) {
    importance <- importance[match(selection$feature_names, labels), , drop = FALSE]
  }
  odd <- which(rownames(importance) != selection$feature_names)
  refuse(length(odd) > 0L,
    "Row {odd[1]} of {.arg importance} is {.val {rownames(importance)[odd[1]]}}, but feature
      {odd[1]} of the selection is {.val {selection$feature_names[odd[1]]}}."
  )
  dimnames(importance) <- list(selection$feature_names, NULL)
  refuse_importance(importance, selection$selected)
  selection$importance <- importance
  selection
}

refuse_importance <- function(importance, selected) {
  run <- rep(seq_len(ncol(importance)), diff(importance@p))
  name_at <- function(at) rownames(importance)[importance@i[at] + 1L]
  bad <- which(!(is.finite(importance@x) & importance@x >= 0))[1]
  refuse(!is.na(bad), "{.arg importance} has {figure(importance@x[bad])} in run {run[bad]}, feature
    {.val {name_at(bad)}}; it must be a number >= 0.")
  p <- nrow(selected)
  key <- (rep(seq_len(ncol(selected)), diff(selected@p)) - 1) * p + selected@i
  bad <- which(!((run - 1) * p + importance@i) %in% key)[1]
  refuse(!is.na(bad),
    c("{.arg importance} has {figure(importance@x[bad])} for feature {.val {name_at(bad)}} in
      run {run[bad]}, which did not select it.",
      i = "Importance is that in the model of the selected features; set it to 0 elsewhere."
    )
  )
}

importance_from_list <- function(importance, selection) {
  refuse(length(importance) != selection$n_runs,
    "{.arg importance} has {length(importance)} element{?s}, but there
      {cli::qty(selection$n_runs)}{?is/are} {selection$n_runs} run{?s}."
  )
  for (b in seq_along(importance)) {
    v <- importance[[b]]
    unknown <- setdiff(names(v), selection$feature_names)
    fine <- is.numeric(v) && !is.null(names(v)) && !anyNA(v) && anyDuplicated(names(v)) == 0L
    refuse(length(v) > 0L && !fine,
      "Run {b} of {.arg importance} must be numbers with the names of the features, each
        once."
    )
    refuse(length(unknown) > 0L,
      "Run {b} of {.arg importance} has feature {.val {unknown[1]}}, which the selection does
        not have."
    )
  }
  runs_to_matrix(importance, selection$feature_names)
}
