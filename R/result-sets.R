# A selection made from a list of feature sets.

# Selection from features and runs in parallel vectors.
selection_from_pairs <- function(feature, run, n_runs, feature_names, method) {
  score <- Matrix::sparseMatrix(
    i = feature, j = run, x = rep(1, length(feature)),
    dims = c(length(feature_names), n_runs), dimnames = list(feature_names, NULL)
  )
  new_selection(score, methods::as(score, "nMatrix"), rep("ok", n_runs), method)
}

selection_from_sets <- function(x, n_total, feature_names, method = "sets") {
  size <- lengths(x)
  is_name <- vapply(x, function(set) is.character(set) || is.factor(set), NA)
  is_number <- vapply(x, function(set) is.numeric(set) && !is.object(set), NA)
  bad <- which(!is_name & !is_number & size > 0L)
  if (length(bad) > 0L) {
    abort_not_set(x[[bad[1]]], bad[1])
  }
  feature_names <- check_feature_names(feature_names, n_total)
  run <- rep(seq_along(x), size)
  from_name <- rep(is_name, size)
  label <- unlist(lapply(x[is_name], as.character), use.names = FALSE)
  number <- as.double(unlist(x[!is_name], use.names = FALSE))
  if (is.null(feature_names)) {
    feature_names <- infer_names(label, number, n_total)
  }
  value <- numeric(length(run))
  value[from_name] <- match(label, feature_names)
  value[!from_name] <- number
  feature <- check_set_values(value, x, run, length(feature_names))
  check_named_numbers(x[!is_name], feature[!from_name], feature_names)
  check_no_repeats(feature, run, feature_names)
  selection_from_pairs(feature, run, length(x), feature_names, method)
}

# Numbers of features may bring names, as those of which(): one name for each number, that of its
# feature.
check_named_numbers <- function(sets, feature, feature_names) {
  label <- unlist(lapply(unname(sets), rlang::names2), use.names = FALSE)
  told <- which(nzchar(label))
  feature <- feature[told]
  label <- label[told]
  first <- label[match(feature, feature)]
  known <- feature_names[feature]
  odd <- which(label != first | label != known & label %in% feature_names)[1]
  other <- if (is.na(odd)) "" else if (label[odd] != first[odd]) first[odd] else known[odd]
  refuse(!is.na(odd),
    c("Feature {feature[odd]} of {.arg x} is called {.val {label[odd]}} in one set, and
        {.val {other}} elsewhere.",
      i = "Give the names of the features in place of their numbers: {.code lapply(x, names)}."
    )
  )
}

# Two stabilities are compared by their runs.
compare_by_runs <- "A {.fn stability} keeps no runs: give the results that it was computed from."

abort_not_set <- function(set, b) {
  advice <- if (is.logical(set) && length(set) > 1L) {
    "Runs as logical vectors make a matrix: {.code do.call(rbind, x)}."
  } else if (inherits(set, "stabilect_stability")) {
    compare_by_runs
  } else {
    "A set is a vector of feature numbers or names."
  }
  what <- if (is.atomic(set)) paste("of type", typeof(set)) else describe_value(set)
  abort(c("Run {b} of {.arg x} must be a set of feature numbers or names, not {what}.",
    i = advice
  ))
}

# Names of all p features when only the sets are known.
infer_names <- function(label, number, n_total) {
  refuse(is.null(n_total),
    c("The number p of features is unknown: the sets only hold features that were selected.",
      i = "Give {.arg n_total}, the number that could have been selected, or all
        {.arg feature_names}, to {.fn as_selection}."
    )
  )
  if (length(label) == 0L) {
    return(paste0("V", seq_len(n_total)))
  }
  refuse(length(number) > 0L, c("{.arg x} mixes sets of names and sets of numbers.",
    i = "Give {.arg feature_names}, which tells the number of each name."
  ))
  seen <- unique(label[!is.na(label)])
  refuse(length(seen) > n_total,
    "The sets of {.arg x} hold {length(seen)} different names, more than {.arg n_total}
      = {n_total}."
  )
  unseen <- paste0("unseen_", seq_len(n_total))
  c(seen, utils::head(unseen[!unseen %in% seen], n_total - length(seen)))
}

# `value` is NA for unknown names.
check_set_values <- function(value, x, run, p) {
  at <- which(!(value >= 1 & value <= p & value == round(value)) %in% TRUE)[1]
  if (is.na(at)) {
    return(as.integer(value))
  }
  b <- run[at]
  position <- at - match(b, run) + 1L
  shown <- x[[b]][[position]]
  refuse(is.na(shown) || is.numeric(shown),
    c("{.arg x} has {figure(shown)} in run {b}, position {position}.",
      i = "Features are numbered from 1 to {p}, or given by name."
    )
  )
  abort("{.arg x} has {.val {as.character(shown)}} in run {b}, position {position}, which is not
    in {.arg feature_names}.")
}

check_no_repeats <- function(feature, run, feature_names) {
  again <- anyDuplicated((run - 1) * length(feature_names) + feature)
  if (again > 0L) {
    b <- run[again]
    abort(
      c("{.arg x} has feature {.val {feature_names[feature[again]]}} twice in run {b}, the second
          time at position {again - match(b, run) + 1L}.",
        i = "A set holds each feature once; {.code lapply(x, unique)} drops repeats."
      )
    )
  }
}
