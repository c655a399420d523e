# Do results belong together? The data of a result, and which runs of which draw it holds, in a few
# strings, so that merging needs neither the data nor the draws.

# A hash of the values of x and of the coded response, whatever else comes with them: row names,
# attributes, and whether x is dense, sparse or read by columns, make no difference.
# @param response (list) has `y` (double, n; -1/+1 or class numbers) and `levels` (or NULL).
hash_data <- function(x, response) {
  rlang::hash(list(hash_features(x), fresh_numbers(response$y), fresh_strings(response$levels)))
}

# By slabs of columns, so that x may be larger than the memory.
hash_features <- function(x) {
  by_columns <- inherits(x, "stabilect_columns")
  size <- if (by_columns) c(x$n, x$p) else dim(x)
  values <- vapply(slabs_of(size[2]), function(j) {
    slab <- if (by_columns) x$read(j) else x[, j, drop = FALSE]
    rlang::hash(fresh_numbers(as.matrix(slab)))
  }, "", USE.NAMES = FALSE)
  names <- if (by_columns) x$names else colnames(x)
  # The numbers of levels are not the numbers they look like. S4 matrices have a slot of that name.
  factors <- if (is.matrix(x)) attr(x, "factors")
  rlang::hash(list(as.integer(size), values, fresh_strings(names), factors))
}

# Equal values have several forms inside R (-0, compact sequences, encodings); these have one.
fresh_numbers <- function(x) as.vector(x) + 0

fresh_strings <- function(x) if (!is.null(x)) paste0(enc2utf8(as.character(x)), "")

# Selections that are put side by side: the same features, the same data, and no run twice.
check_merged_selections <- function(parts, call = rlang::caller_env()) {
  for (i in seq_along(parts)[-1]) {
    check_same_features(parts[[1]], parts[[i]], i, call)
  }
  check_same_data(lapply(parts, `[[`, "data_hash"), call)
  # The name of a method goes up to the colon; what follows is the plan, with its number of runs.
  check_new_runs(lapply(parts, function(part) {
    if (!is.null(part$run_id)) paste(sub(":.*", "", part$method), name_runs(part), sep = "\r")
  }), call)
}

check_same_features <- function(first, other, i, call = rlang::caller_env()) {
  if (!inherits(other, "stabilect_selection")) {
    abort(c("Argument {i} is {describe_value(other)}, not a selection.",
      i = "{.fun as_selection} makes one."
    ), call = call)
  }
  if (first$n_features != other$n_features) {
    abort("Argument {i} has {other$n_features} feature{?s}, the first {first$n_features}.",
      call = call
    )
  }
  at <- which(first$feature_names != other$feature_names)
  if (length(at) > 0L) {
    abort(
      c("Feature {at[1]} is {.val {other$feature_names[at[1]]}} in argument {i}, but
          {.val {first$feature_names[at[1]]}} in the first.",
        i = "Selections are combined over the same features in the same order."
      ),
      call = call
    )
  }
}

# @param hashes (list of strings or NULL); data that are not known are taken to be the same.
check_same_data <- function(hashes, call) {
  known <- which(!vapply(hashes, is.null, NA))
  other <- known[vapply(hashes[known], function(one) one != hashes[[known[1]]], NA)]
  if (length(other) > 0L) {
    abort(
      c("Argument {other[1]} was made with other data than argument {known[1]}.",
        i = "The values of {.arg x} and {.arg y} must be the same; {.field data_hash} of the
             selections tells."
      ),
      class = "merge", call = call
    )
  }
}

# The identity of a run: its seed and number, and what was drawn. Two draws that turn out equal are
# two runs all the same; leave-one-out and custom runs, which no seed decides, go by their place.
name_runs <- function(x) paste(x$run_id, x$run_hash, sep = "\r")

# @param names (list of character vectors or NULL) identities of the runs of each argument.
check_new_runs <- function(names, call) {
  for (i in seq_along(names)[-1]) {
    for (j in seq_len(i - 1L)) {
      again <- which(names[[i]] %in% names[[j]])
      if (length(again) > 0L) abort_repeated(again, names[[i]], i, j, call)
    }
  }
}

abort_repeated <- function(again, names, i, j, call) {
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
    class = "merge", call = call
  )
}
