# Stability of ensembles from the real runs without a model: disjoint groups of runs are aggregated
# into ensembles, which are compared with each other.

# Random divisions of the runs into groups of each size. Half of the runs, the largest measurable
# size, is always included and comes last.
# @param sizes (integer) requested sizes; @param single (data frame, one row) stability() of the
#   runs.
# @return data frame n_weak, stability, n_ensembles (groups of one division), n_divisions, se.
regroup_runs <- function(selection, sizes, n_features, aggregation, single, settings) {
  runs <- ok_runs(selection)
  half <- length(runs) %/% 2L
  # Weights belong to single runs, and groups have others.
  if (!is.null(aggregation$params$run_weights)) half <- 1L
  sizes <- sort(unique(c(sizes[sizes <= half], half)))
  if (any(ensembles <- sizes > 1L)) selection <- selection[runs]
  seeds <- child_seeds(settings$seed, 2L)
  seeds <- child_seeds(seeds[2], half)
  rows <- run_tasks(sum(ensembles), function(s) {
    regroup_size(
      selection, sizes[ensembles][s], n_features, aggregation, settings,
      seeds[sizes[ensembles][s]]
    )
  }, check_run(1L, settings$progress), "Regrouping")
  one <- if (any(!ensembles)) {
    data.frame(
      n_weak = 1L, stability = single$estimate, n_ensembles = length(runs), n_divisions = 1L,
      se = single$se
    )
  }
  do.call(rbind, c(list(one), rows))
}

# Few groups make few pairs: large sizes are divided more often.
regroup_size <- function(selection, size, n_features, aggregation, settings, seed) {
  n_groups <- selection$n_runs %/% size
  n_divisions <- as.integer(max(4, ceiling(20 / n_groups)))
  place <- with_seed(seed, replicate(n_divisions, sample.int(selection$n_runs)))
  values <- vapply(seq_len(n_divisions), function(d) {
    sets <- lapply(seq_len(n_groups), function(g) {
      group <- selection[sort(place[(g - 1L) * size + seq_len(size), d])]
      score <- aggregation$score(group, n_features, settings$n_threads)
      features <- ranking_from_scores(
        score, group, aggregation, n_features, settings$n_threads
      )$features
      match(features, selection$feature_names)
    })
    ensembles <- selection_of_sets(sets, selection$n_total)
    index_values(
      ensembles, settings$index, corrected = settings$corrected, seed = settings$seed,
      n_threads = settings$n_threads
    )[[1]]$estimate
  }, 0)
  data.frame(
    n_weak = size, stability = mean(values), n_ensembles = n_groups, n_divisions = n_divisions,
    se = stats::sd(values)
  )
}

size_grid <- function(largest) {
  grid <- c(1:10, 12, 15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100, 120, 150, 200, 250, 300,
    400, 500, 700, 1000)
  unique(as.integer(c(grid[grid < largest], largest)))
}

# Sets of feature numbers as a selection; the score is 1 in the runs that selected a feature.
selection_of_sets <- function(sets, n_total) {
  selected <- Matrix::sparseMatrix(
    i = unlist(sets), j = rep(seq_along(sets), lengths(sets)), dims = c(n_total, length(sets)),
    dimnames = list(paste0("V", seq_len(n_total)), NULL)
  )
  new_selection(
    score = methods::as(selected, "dMatrix"), selected = selected,
    status = rep("ok", length(sets)), method = "simulated selectors"
  )
}
