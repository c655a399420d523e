# What is judged: families of methods that share their computation. Each function of (x, y, seed)
# returns named lists of `sets` (names of features, a list; of clusters: their features) and `claim`
# (number): the error rate that is printed. `counted` says of what, see rate_of_list().

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
  # Responses are normal here, for which rotations are exact.
  fit <- quiet(find_signals, x, y, null = "rotation", permute = 199, seed = seed)
  list(
    signals = single(fit$features, fit$expected_wrong / max(1, length(fit$features))),
    marginal = single(fit$marginal$feature[fit$marginal$p <= 0.05], 0.05)
  )
}

# The scores of one pass answer both questions.
by_integrals <- function(x, y, seed) {
  table <- quiet(stability_selection, x, y, pfer = 1, seed = seed)$table
  list(
    integrated_efp = single(table$feature[table$pfer <= 1], 1),
    integrated_fdr = single(table$feature[table$fdr <= 0.1], 0.1)
  )
}

# Clusters of real features are the same in every repetition.
kept_clusters <- new.env()
clusters_of <- function(x, ...) {
  key <- paste(dim(x)[1], dim(x)[2], sum(x[1, ]), ...)
  if (is.null(kept_clusters[[key]])) {
    kept_clusters[[key]] <- cluster_features(x, ...)
  }
  kept_clusters[[key]]
}
members_of <- function(clusters, names) {
  lapply(names, function(name) names(clusters$membership)[clusters$membership == name])
}

# Without the permutations that by default say where the bound fails: that is what is looked at.
by_clusters <- function(x, y, seed) {
  found <- function(...) {
    clusters <- clusters_of(x, ...)
    fit <- quiet(
      stability_selection, x, y, q = 10, pfer = 1, clusters = clusters, permute = 0, seed = seed
    )
    list(sets = members_of(clusters, fit$features), claim = fit$bound$pfer)
  }
  list(
    clusters_0.7 = found(threshold = 0.7), clusters_0.5 = found(threshold = 0.5),
    clusters_small = found(threshold = 0.5, max_size = 20)
  )
}

# Models of n / 6 features, as in the simulations of Meinshausen, Meier and Buehlmann (2009), in
# place of cross-validation, which takes five times as long.
by_splits <- function(x, y, seed) {
  test <- function(...) {
    quiet(split_test, x, y, n_features = nrow(x) %/% 6, n_repeats = 25, ..., seed = seed)
  }
  clusters <- clusters_of(x, threshold = 0.7)
  tests <- test(groups = clusters)
  groups <- tests$groups$group[tests$groups$selected]
  list(
    split_p = single(tests$features, 0.05),
    split_groups = list(sets = members_of(clusters, groups), claim = 0.05),
    split_mirror = single(test(method = "mirror", fdr = 0.1)$features, 0.1)
  )
}

by_permutation <- function(x, y, seed) {
  fit <- quiet(
    stability_selection, x, y, q = 10, cutoff = 0.75, n_pairs = 5, permute = 99, seed = seed
  )
  bounds <- fdp_bound(fit, seq_len(100))
  longest <- max(0, bounds$n_features[bounds$share <= 0.2])
  list(
    permute_p = single(fit$table$feature[fit$table$p_fwer <= 0.05], 0.05),
    permute_q = single(fit$table$feature[fit$table$q_fdr <= 0.2], 0.2),
    permute_fdp = single(fit$table$feature[seq_len(longest)], 0.05)
  )
}

# One run of all samples, and its own set.
by_trex <- function(x, y, seed) {
  fit <- quiet(
    select_ensemble, x, y, selector_trex(fdr = 0.2), resample_custom(list(seq_len(nrow(x)))),
    aggregate_by("frequency", cutoff = 1), n_features = "own", seed = seed
  )
  list(trex = single(fit$features, 0.2))
}

families <- list(
  bounds = by_bounds, signals = by_signals, integrated = by_integrals, clusters = by_clusters,
  splits = by_splits, permutation = by_permutation, trex = by_trex
)

counted <- c(
  bound_none = "number", bound_unimodal = "number", bound_r_concave = "number",
  signals = "share", marginal = "any", integrated_efp = "number", integrated_fdr = "share",
  clusters_0.7 = "number", clusters_0.5 = "number", clusters_small = "number",
  split_p = "any", split_groups = "any", split_mirror = "share",
  permute_p = "any", permute_q = "share", permute_fdp = "above",
  trex = "share"
)

# What a claim is about: the number of false names, their share, whether there is any, whether their
# share is above the one that fdp_bound() gave the list.
rate_of_list <- function(false, named, measure) {
  share <- false / pmax(1, named)
  switch(measure, number = false, share = share, any = (false > 0) + 0, above = (share > 0.2) + 0)
}
