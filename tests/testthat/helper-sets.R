# Sets as the index functions read them, without the way over a selection, which takes longer than
# most of the indices.
sets_data <- function(sets, p) {
  sets <- lapply(sets, function(set) sort(as.integer(set)))
  list(
    n_features = as.integer(p), n_runs = length(sets), start = c(0L, cumsum(lengths(sets))),
    feature = as.integer(unlist(sets)) - 1L, size = lengths(sets),
    frequency = tabulate(unlist(sets), p)
  )
}

set_options <- function(correct = FALSE, impute_na = NULL, penalty = 0, n_threads = 1L) {
  list(correct = correct, impute_na = impute_na, penalty = penalty, n_threads = n_threads)
}

set_entries <- local({
  entries <- NULL
  function() {
    if (is.null(entries)) {
      entries <<- index_entries_sets()
      names(entries) <<- vapply(entries, `[[`, "", "name")
    }
    entries
  }
})

index_of <- function(name, sets, p, ...) {
  set_entries()[[name]]$fun(sets_data(sets, p), set_options(...))
}

estimate_of <- function(name, sets, p, ...) index_of(name, sets, p, ...)$estimate

random_sets <- function(p, sizes) lapply(sizes, function(k) sample.int(p, k))
