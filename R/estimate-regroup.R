# What the runs at hand say of ensembles without any model: disjoint groups of them are ensembles,
# and ensembles can be compared.

# Random divisions of the runs into groups of each size up to half of the runs, which comes last,
# asked for or not: the largest size that can be measured.
# @param sizes (integer) wanted sizes; @param single (data frame, one row) stability() of the runs.
# @return data frame n_weak, stability, n_ensembles (groups of one division), n_divisions, se.
regroup_runs <- function(selection, sizes, n_target, aggregation, single, settings) {
  runs <- ok_runs(selection)
  half <- length(runs) %/% 2L
  # Weights belong to single runs, and a group has others.
  if (!is.null(aggregation$params$weights)) half <- 1L
  sizes <- sort(unique(c(sizes[sizes <= half], half)))
  if (any(ensembles <- sizes > 1L)) selection <- selection[runs]
  options <- index_options(correct = settings$correct, n_threads = settings$n_threads, seed = 1L)
  seeds <- child_seeds(settings$seed, 2L)
  seeds <- child_seeds(seeds[2], half)
  rows <- map_tasks(sum(ensembles), function(s) {
    regroup_size(
      selection, sizes[ensembles][s], n_target, aggregation, settings$index, options,
      seeds[sizes[ensembles][s]]
    )
  }, "Regrouping", settings$progress)
  one <- if (any(!ensembles)) {
    data.frame(
      n_weak = 1L, stability = single$estimate, n_ensembles = length(runs), n_divisions = 1L,
      se = single$se
    )
  }
  do.call(rbind, c(list(one), rows))
}

# Few groups make few pairs: these are divided more often.
regroup_size <- function(selection, size, n_target, aggregation, index, options, seed) {
  n_groups <- selection$n_runs %/% size
  n_divisions <- as.integer(max(4, ceiling(20 / n_groups)))
  place <- with_seed(seed, replicate(n_divisions, sample.int(selection$n_runs)))
  values <- vapply(seq_len(n_divisions), function(d) {
    sets <- lapply(seq_len(n_groups), function(g) {
      group <- selection[sort(place[(g - 1L) * size + seq_len(size), d])]
      score <- aggregation$score(group, n_target, options$n_threads)
      features <- ranking_from_scores(
        score, group, aggregation, n_target, options$n_threads
      )$features
      match(features, selection$feature_names)
    })
    data <- index_data(selection_of_sets(sets, selection$n_features))
    find_indices(index, data, options)[[1]]$fun(data, options)$estimate
  }, 0)
  data.frame(
    n_weak = size, stability = mean(values), n_ensembles = n_groups, n_divisions = n_divisions,
    se = stats::sd(values)
  )
}

# Where the model and the runs disagree, in words; none when they do not.
find_misfit <- function(estimate, model) {
  misfit <- character()
  table <- estimate$regrouped[estimate$regrouped$n_weak > 1L, ]
  beyond <- pmax(table$lower - table$stability, table$stability - table$upper) - 2 * table$se
  worst <- which.max(beyond)
  if (length(worst) > 0L && beyond[worst] > 0) {
    misfit <- sprintf(
      "%d members: %.2f regrouped, %.2f predicted", table$n_weak[worst], table$stability[worst],
      table$predicted[worst]
    )
  }
  if (!estimate$fit$attained) {
    misfit <- c(misfit, sprintf(
      "single runs: %.3f, and %d useful features allow %.3f to %.3f", estimate$real$stability,
      estimate$n_useful, estimate$fit$range[1], estimate$fit$range[2]
    ))
  }
  m <- estimate$n_real_runs
  fit <- c(n_useful = model$n_useful, p = model$p, preference = 0)
  real <- tabulate(estimate$counted$counts + 1L, m + 1L)
  deviance <- count_deviance(real, expected_counts(fit, model$n_features, model$n_target, m))
  if (stats::pchisq(deviance, m, lower.tail = FALSE) < 0.001) {
    misfit <- c(misfit, sprintf(
      "deviance of the counts: %.0f, and %.0f at most if it did", deviance,
      stats::qchisq(0.999, m)
    ))
  }
  misfit
}
