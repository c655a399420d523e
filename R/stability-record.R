# The record of a stability index: what it is, what it needs, and how it is computed. Records are
# made in stability-index-*.R, beside formula and arithmetic; all other code knows an index only by
# its record.

# @param name (string) name for stability(); `label` (string) its usual name, for prints.
# @param family "sets", "similarity", "weights" or "ranks".
# @param bounds (character, 2) attainable bounds, for example "-1/(m-1)" and "1", for m runs and p
#   features; "none" without a finite bound.
# @param needs (character) of "p", "similarity", "score", "importance", "equal sizes".
# @param properties (string) five letters, T, F or - (unknown): defined for runs of different sizes;
#   for fixed sizes, higher if overlaps are higher; bounds that do not depend on p or the sizes;
#   highest if and only if all runs select the same; expectation 0 for random runs of any given
#   sizes (Nogueira et al. 2018; Hamer & Dupont 2021, section 2.1). Tests enumerate small cases for
#   the last three.
# @param value (function of (runs, ...)) takes index_runs() and returns a stabilect_index_value. Its
#   other arguments are the options of the index, which users give to stability() by name; options
#   without a default are required. Four names have one meaning everywhere: `corrected` (makes the
#   index correctable), `impute_na`, `seed` and `n_threads`.
# @param frequency (flag) computed from selection frequencies, at a cost linear in the runs.
# @param draws (function of (runs, options)) does the value depend on random numbers?
# @param variance (function of runs) analytic variance, list(variance, influence), or NULL.
# @param pairs (pair_rule(), or NULL) the value of two sets of one size as a function of their
#   overlap, if the index of runs of this size is its mean over pairs.
# @param by_size (flag) do large runs have more weight than small ones?
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

# The option names that users give in `...`; with `required`, only the required ones.
own_options <- function(record, required = FALSE) {
  own <- formals(record$value)[-1]
  own <- own[!names(own) %in% c("corrected", "seed", "n_threads")]
  names(own)[!required | vapply(own, is_absent_default, NA)]
}

is_absent_default <- function(default) is.symbol(default) && !nzchar(as.character(default))
