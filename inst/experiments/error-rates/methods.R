# What is judged: families of methods that share their computation. Each function of (x, y, seed)
# returns named lists of `sets` (names of features, a list) and `claim` (number): the error rate
# that is printed. `counted` says of what: a number of false names, their share, or any.

quiet <- function(verb, x, y, ..., seed) verb(x, y, ..., seed = seed, progress = FALSE)
single <- function(names, claim) list(sets = as.list(names), claim = claim)

# Three bounds on at most one false feature are three cutoffs of the same frequencies. With larger q
# no cutoff bounds them without an assumption.
by_bounds <- function(x, y, seed) {
  q <- min(20, floor(sqrt(0.8 * ncol(x))))
  table <- quiet(stability_selection, x, y, q = q, pfer = 1, seed = seed)$table
  lists <- lapply(bounds_of(ncol(x), q), function(bound) {
    single(table$feature[table$frequency >= bound$cutoff - 1e-9], bound$pfer)
  })
  stats::setNames(lists, paste0("bound_", names(lists)))
}

# Kept, since finding the cutoff of the r-concave bound takes a second.
kept_bounds <- new.env()
bounds_of <- function(p, q) {
  key <- paste(p, q)
  if (is.null(kept_bounds[[key]])) {
    kinds <- c("none", "unimodal", "r_concave")
    kept_bounds[[key]] <- stats::setNames(lapply(kinds, function(assumption) {
      error_bound(p, q = q, pfer = 1, assumption = assumption)
    }), kinds)
  }
  kept_bounds[[key]]
}

by_signals <- function(x, y, seed) {
  fit <- quiet(find_signals, x, y, n_null = 199, seed = seed)
  list(
    signals = single(fit$features, fit$rates$unrelated),
    marginal = single(fit$marginal$feature[fit$marginal$p <= 0.05], 0.05)
  )
}

by_permutation <- function(x, y, seed) {
  fit <- quiet(
    stability_selection, x, y, q = 10, cutoff = 0.75, n_pairs = 10, permute = 59, seed = seed
  )
  list(
    permute_p = single(fit$table$feature[fit$table$p_value <= 0.05], 0.05),
    permute_q = single(fit$table$feature[fit$table$q_value <= 0.2], 0.2)
  )
}

families <- list(bounds = by_bounds, signals = by_signals, permutation = by_permutation)

counted <- c(
  bound_none = "number", bound_unimodal = "number", bound_r_concave = "number",
  signals = "share", marginal = "any", permute_p = "any", permute_q = "share"
)
