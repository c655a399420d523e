# Computes indices by name: the only file that applies records to runs.

# All indices by name. Records are made once: they take as long as a small index.
index_records <- local({
  known <- NULL
  function() {
    if (is.null(known)) {
      records <- c(
        pair_indices(), frequency_indices(), joint_indices(), similarity_indices(),
        sechidis_indices(), pooled_indices(), weight_indices(), rank_indices()
      )
      known <<- stats::setNames(records, vapply(records, `[[`, "", "name"))
    }
    known
  }
})

#' The values of indices
#'
#' @param selection (`stabilect_selection`, or [index_runs()] of one) runs.
#' @param index (character) names, or `"all"` for all that these runs and options allow.
#' @param ... Options of the indices; each index takes the options that it knows.
#' @param seed (whole number, or `NULL`) drawn only for random computations: a plain index does not
#'   change R's generator.
#' @return (list of `stabilect_index_value`, named by index)
#' @noRd
index_values <- function(selection, index, ..., corrected = FALSE, seed = NULL, n_threads = 1) {
  runs <- if (inherits(selection, "stabilect_selection")) index_runs(selection) else selection
  options <- list(...)
  records <- choose_indices(index, runs, options)
  check_index_options(options, records)
  options$corrected <- check_flag(corrected)
  options$n_threads <- check_threads(n_threads)
  random <- any(vapply(records, function(record) record$draws(runs, options), NA))
  if (random || !is.null(seed)) options$seed <- check_seed(seed)
  # Found once for all indices, and only if one asks.
  lapply(records, compute_index, runs, options, run_kinds(runs))
}

compute_index <- function(record, runs, options, kinds) {
  obstacle <- find_obstacle(record$needs, runs)
  if (!is.null(obstacle)) {
    return(undefined_value(runs$n_runs, obstacle))
  }
  known <- intersect(names(formals(record$value)), names(options))
  value <- do.call(record$value, c(list(runs), options[known]))
  value$same <- function() same_runs(runs, record$family)
  value$kinds <- function() kinds
  value$uneven <- if (record$by_size) uneven_sizes(runs$size) else ""
  value
}

# Sizes, as text, if a few large runs dominate an index that weights runs by their size; else "".
# One run in ten with five times the usual size reaches the limit of m sum(k^2) / sum(k)^2.
uneven_sizes <- function(size) {
  size <- as.numeric(size)
  uneven <- length(size) * sum(size^2) > 1.5 * sum(size)^2
  if (uneven) sprintf("%.0f to %.0f", min(size), max(size)) else ""
}

# Why these runs have no value of an index with these needs; NULL if they have one.
find_obstacle <- function(needs, runs) {
  if (runs$n_runs < 2L) {
    return("needs at least two runs")
  }
  if ("equal sizes" %in% needs && length(unique(runs$size)) > 1L) {
    return(unequal_sizes_note(runs$size))
  }
  if ("score" %in% needs && anyNA(if (is.matrix(runs$score)) runs$score else runs$score@x)) {
    return("some scores are missing")
  }
  NULL
}

unequal_sizes_note <- function(size) {
  counts <- tabulate(match(size, unique(size)))
  usual <- unique(size)[which.max(counts)]
  other <- which(size != usual)
  shown <- utils::head(other, 5L)
  more <- if (length(other) > 5L) sprintf(" and %d more", length(other) - 5L) else ""
  sprintf(
    "needs equal sizes: run%s %s%s %s %s features, the others %d",
    if (length(other) > 1L) "s" else "", paste(shown, collapse = ", "), more,
    if (length(other) > 1L) "have" else "has", paste(size[shown], collapse = ", "), usual
  )
}

# The records of these names; for "all", the records whose needs are satisfied.
choose_indices <- function(index, runs, options) {
  records <- index_records()
  if (identical(index, "all")) {
    return(Filter(function(record) is.null(missing_need(record, runs, options)), records))
  }
  refuse(!is.character(index) || length(index) == 0L || anyNA(index),
    "{.arg index} must hold names from {.code list_available(\"indices\")}, not
      {describe_value(index)}."
  )
  unknown <- setdiff(index, names(records))
  if (length(unknown) > 0L) {
    near <- names(records)[utils::adist(unknown[1], names(records), ignore.case = TRUE) <= 2]
    abort(
      c("{.arg index} names {.val {unknown[1]}}, which is not an index.",
        i = if (length(near) > 0L) "Did you mean {.or {.val {near}}}?",
        i = "{.code list_available(\"indices\")} shows them all."
      )
    )
  }
  records <- records[unique(index)]
  for (record in records) {
    need <- missing_need(record, runs, options)
    refuse(!is.null(need), "{.arg index} {.val {record$name}} needs {need}.")
  }
  records
}

# The input that an index needs and that these runs or options lack; NULL if nothing is missing.
missing_need <- function(record, runs, options) {
  given <- names(options)[!vapply(options, is.null, NA)]
  absent <- setdiff(own_options(record, required = TRUE), given)
  if (length(absent) > 0L) {
    return(sprintf("the argument `%s`", absent[1]))
  }
  if ("score" %in% record$needs && is.null(runs$score)) {
    return("runs with scores or ranks")
  }
  NULL
}

check_index_options <- function(options, records) {
  known <- unique(unlist(lapply(records, own_options)))
  unknown <- setdiff(rlang::names2(options), known)
  if (length(unknown) == 0L) {
    return(invisible())
  }
  abort(
    c(
      if (nzchar(unknown[1])) {
        "{.arg {unknown[1]}} is no option of {.or {.val {names(records)}}}."
      } else {
        "{.arg ...} must hold options of the indices by their names."
      },
      i = if (length(known) > 0L) "Options there: {.arg {known}}." else "It has no options."
    )
  )
}

# The bounds of an index as numbers, infinite without a bound. They are for the uncorrected index; a
# value corrected for chance can be lower.
index_range <- function(record, runs, corrected = FALSE) {
  number <- function(text, otherwise) {
    if (text == "none") {
      return(otherwise)
    }
    eval(str2lang(text), list(m = runs$n_runs, p = runs$n_total), baseenv())
  }
  range <- c(number(record$bounds[1], -Inf), number(record$bounds[2], Inf))
  if (corrected && is_correctable(record)) range[1] <- -Inf
  range
}
