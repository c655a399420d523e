# Selections side by side: the same features, the same data, and no run twice.

# Selections can be joined if they have the same features, the same data, and no run twice.
check_merged_selections <- function(parts) {
  for (i in seq_along(parts)[-1]) {
    check_same_features(parts[[1]], parts[[i]], i)
  }
  check_same_data(lapply(parts, `[[`, "data_hash"))
  # The name of a method ends at the colon; the plan with its number of runs follows.
  check_new_runs(lapply(parts, function(part) {
    if (!is.null(part$run_id)) paste(sub(":.*", "", part$method), name_runs(part), sep = "\r")
  }))
}

check_same_features <- function(first, other, i) {
  refuse(!inherits(other, "stabilect_selection"),
    c("Argument {i} is {describe_value(other)}, not a selection.",
      i = "{.fun as_selection} makes one."
    )
  )
  refuse(first$n_total != other$n_total,
    "Argument {i} has {other$n_total} feature{?s}, the first {first$n_total}."
  )
  at <- which(first$feature_names != other$feature_names)
  refuse(length(at) > 0L,
    c("Feature {at[1]} is {.val {other$feature_names[at[1]]}} in argument {i}, but
        {.val {first$feature_names[at[1]]}} in the first.",
      i = "Selections are combined over the same features in the same order."
    )
  )
}

# @param hashes (list of strings or NULL); unknown data are assumed to be the same.
check_same_data <- function(hashes) {
  known <- which(!vapply(hashes, is.null, NA))
  other <- known[vapply(hashes[known], function(one) one != hashes[[known[1]]], NA)]
  refuse(length(other) > 0L,
    c("Argument {other[1]} was made with other data than argument {known[1]}.",
        i = "The values of {.arg x} and {.arg y} must be the same; {.field data_hash} of the
             selections tells."
      ),
      class = "merge"
  )
}

# The identity of a run: seed, number, and what was drawn. Two equal draws by chance are still two
# runs; leave-one-out and custom runs do not depend on a seed and are identified by their number.
name_runs <- function(x) paste(x$run_id, x$run_hash, sep = "\r")

# @param names (list of character vectors or NULL) identities of the runs of each argument.
check_new_runs <- function(names) {
  for (i in seq_along(names)[-1]) {
    for (j in seq_len(i - 1L)) {
      again <- which(names[[i]] %in% names[[j]])
      if (length(again) > 0L) abort_repeated(again, names[[i]], i, j)
    }
  }
}

abort_repeated <- function(again, names, i, j) {
  all_runs <- if (length(again) == length(names)) {
    "the same runs as"
  } else {
    sprintf("%d of %d runs in common with", length(again), length(names))
  }
  abort(
    c("Argument {i} has {all_runs} argument {j}; a run counts once.",
      x = "The first of them is run {again[1]} of argument {i}.",
      i = "Give every call a {.arg seed} of its own, or runs of its own out of one draw:
           {.code draws[1:50]} and {.code draws[51:100]}."
    ),
    class = "merge"
  )
}

#' @rdname selection
#' @export
c.stabilect_selection <- function(...) { # nolint: object_name_linter.
  parts <- list(...)
  check_merged_selections(parts)
  bind_selections(parts)
}

bind_selections <- function(parts) {
  all_of <- function(field) lapply(parts, `[[`, field)
  # A field that some part lacks is dropped.
  known <- function(field) !any(vapply(all_of(field), is.null, NA))
  score <- all_of("score")
  if (!all(vapply(score, methods::is, NA, "sparseMatrix"))) {
    score <- lapply(score, as.matrix)
  }
  hash <- if (known("run_hash")) unlist(all_of("run_hash"))
  seed <- unique(all_of("seed"))
  data_hash <- unique(all_of("data_hash"))
  joined <- new_selection(
    score = do.call(cbind, score), selected = do.call(cbind, all_of("selected")),
    status = unlist(all_of("status")),
    method = paste(unique(unlist(all_of("method"))), collapse = " + "),
    # As in `[`: joined runs have the fingerprint that they had before.
    resamples = list(
      run_id = if (known("run_id")) unlist(all_of("run_id")), run_hash = hash,
      fingerprint = if (!is.null(hash)) hash_plain(hash)
    ),
    seed = if (length(seed) == 1L) seed[[1]],
    importance = if (known("importance")) do.call(cbind, all_of("importance")),
    data_hash = if (length(data_hash) == 1L) data_hash[[1]]
  )
  know_copies(joined, parts[[1]]$study)
}
