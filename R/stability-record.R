# The record of an index of stability: what it is, what it needs, and how it is computed, in one
# place. Records are made in the files stability-index-*.R, beside the formula and the arithmetic;
# index_values() and everything above it know an index by its record only.

# @param name (string) name for stability(); `label` (string) its usual name, for prints.
# @param family "sets", "similarity", "weights" or "ranks".
# @param bounds (character, 2) attainable bounds, such as "-1/(m-1)" and "1", for m runs and p
#   features; "none" where there is no finite one.
# @param needs (character) of "p", "similarity", "score", "importance", "equal sizes".
# @param properties (string) five letters, T, F or - (unknown): defined for runs of different sizes;
#   with sizes held, higher whenever overlaps are; bounds that do not depend on p or the sizes;
#   highest if and only if all runs select the same; expectation 0 for random runs of any given
#   sizes (Nogueira et al. 2018; Hamer & Dupont 2021, section 2.1). Tests enumerate small cases for
#   the last three.
# @param value (function of (runs, ...)) takes what index_runs() gives and returns a
#   stabilect_index_value. Its other arguments are the options of the index, which users give to
#   stability() by these names; those without a default must be given. Four names have one meaning
#   everywhere: `corrected` (having it makes the index correctable), `impute_na`, `seed` and
#   `n_threads`.
# @param frequency (flag) computed from selection frequencies, at a cost linear in the runs.
# @param draws (function of (runs, options)) does the value depend on random numbers?
# @param variance (function of runs) analytic variance, list(variance, influence), or NULL.
# @param pairs (pair_rule(), or NULL) the value of two sets of one size as a function of their
#   overlap, when the index of runs of that size is the mean of it over pairs.
# @param by_size (flag) do large runs weigh more than small ones?
new_index <- function(name, label, family, bounds, needs, properties, reference, value,
                      frequency = FALSE, draws = function(runs, options) FALSE, variance = NULL,
                      pairs = NULL, by_size = FALSE) {
  properties <- c("T" = TRUE, "F" = FALSE, "-" = NA)[strsplit(properties, "")[[1]]]
  names(properties) <- c(
    "fully_defined", "strictly_monotone", "bounded", "maximum_if_deterministic", "corrected"
  )
  list(
    name = name, label = label, family = family, bounds = bounds, needs = needs,
    properties = properties, reference = reference, value = value, frequency = frequency,
    draws = draws, variance = variance, pairs = pairs, by_size = by_size
  )
}

is_correctable <- function(record) "corrected" %in% names(formals(record$value))

# The names of the options that users give in `...`; with `required`, of those that they must give.
own_options <- function(record, required = FALSE) {
  own <- formals(record$value)[-1]
  own <- own[!names(own) %in% c("corrected", "seed", "n_threads")]
  names(own)[!required | vapply(own, is_absent_default, NA)]
}

is_absent_default <- function(default) is.symbol(default) && !nzchar(as.character(default))
