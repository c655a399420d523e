# Sets as the index functions read them, without the way over a selection, which takes longer than
# most of the indices.
sets_data <- function(sets, p) {
  sets <- lapply(sets, function(set) sort(as.integer(set)))
  list(
    n_total = as.integer(p), n_runs = length(sets), start = c(0L, cumsum(lengths(sets))),
    feature = as.integer(unlist(sets)) - 1L, size = lengths(sets),
    frequency = tabulate(unlist(sets), p)
  )
}

set_names <- function() {
  table <- list_available("indices")
  table$index[table$family == "sets"]
}

# The options that the index knows, so that one list serves them all.
index_of <- function(name, sets, p, ..., corrected = FALSE, n_threads = 1) {
  options <- list(...)
  options <- options[intersect(names(options), own_options(index_records()[[name]]))]
  arguments <- list(sets_data(sets, p), name, corrected = corrected, n_threads = n_threads)
  do.call(index_values, c(arguments, options))[[1]]
}

estimate_of <- function(name, sets, p, ...) index_of(name, sets, p, ...)$estimate

random_sets <- function(p, sizes) lapply(sizes, function(k) sample.int(p, k))

# Every choice of sets of these sizes.
all_choices <- function(p, sizes) {
  choices <- lapply(sizes, function(k) utils::combn(p, k, simplify = FALSE))
  grid <- expand.grid(lapply(choices, seq_along))
  lapply(seq_len(nrow(grid)), function(r) Map(`[[`, choices, unlist(grid[r, ])))
}

# The selected names of every run.
sets_of <- function(selection) {
  m <- as.matrix(selection$selected)
  lapply(seq_len(ncol(m)), function(b) rownames(m)[m[, b]])
}
