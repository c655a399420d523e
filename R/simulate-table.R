# The rows of simulate_stability(), engine by engine.

simulation_row <- function(n_useful, p, n_weak, moments, engine) {
  data.frame(
    n_useful = n_useful, p = p, n_weak = n_weak, stability = moments$mean,
    se = if (is.null(moments$se)) 0 else moments$se, sd = moments$sd,
    overlap = moments$overlap, useful = moments$useful, engine = engine
  )
}

simulation_table <- function(model, settings, aggregation, index, value) {
  simple <- is_plain_mean_rank(aggregation)
  if (settings$method == "simulate") {
    if (simple && !is.null(value)) {
      return(simulate_overlaps(model, settings, value))
    }
    return(simulate_any(model, settings, aggregation, index))
  }
  if (identical(settings$n_weak, 1L) && settings$method != "rao_blackwell") {
    return(exact_singles(model, value))
  }
  report <- progress_reporter(settings$progress, "Simulating")
  n_done <- 0L
  rows <- lapply(model$n_useful, function(n_useful) {
    tables <- urn_tables(model$n_total, model$n_features, n_useful, value)
    lapply(model$p, function(p) {
      rows <- averaged_rows(model, n_useful, p, settings, aggregation, tables)
      n_done <<- n_done + 1L
      if (!is.null(report)) report(n_done, length(model$n_useful) * length(model$p))
      rows
    })
  })
  do.call(rbind, unlist(rows, recursive = FALSE))
}

# Single selectors for a whole grid: one row per pool and p, without a data frame for each.
exact_singles <- function(model, value) {
  rows <- lapply(model$n_useful, function(n_useful) {
    tables <- urn_tables(model$n_total, model$n_features, n_useful, value)
    vapply(model$p, function(p) {
      moments <- moments_of_law(tables, single_useful_law(tables, p))
      c(moments$mean, moments$sd, moments$overlap, moments$useful)
    }, numeric(4))
  })
  out <- do.call(cbind, rows)
  data.frame(
    n_useful = rep(model$n_useful, each = length(model$p)),
    p = rep(model$p, length(model$n_useful)), n_weak = 1L, stability = out[1, ], se = 0,
    sd = out[2, ], overlap = out[3, ], useful = out[4, ], engine = "exact"
  )
}

# Averages over the distribution of H: exact where it is known, normal, or simulated.
averaged_rows <- function(model, n_useful, p, settings, aggregation, tables) {
  single <- settings$method != "rao_blackwell" & settings$n_weak == 1L
  sizes <- settings$n_weak[!single]
  one <- if (any(single)) {
    moments <- moments_of_law(tables, single_useful_law(tables, p))
    simulation_row(n_useful, p, 1L, moments, "exact")
  }
  if (length(sizes) == 0L) {
    return(one)
  }
  if (settings$method == "asymptotic") {
    law <- cpp_normal_useful_law(
      model$n_total, model$n_features, n_useful, p, sizes, settings$n_threads
    )
    moments <- lapply(seq_along(sizes), function(k) moments_of_law(tables, law[, k]))
    label <- "asymptotic"
  } else {
    useful <- draw_useful(model, n_useful, p, sizes, settings, aggregation)
    moments <- lapply(seq_along(sizes), function(k) moments_of_draws(tables, useful[k, ]))
    label <- "rao_blackwell"
  }
  rows <- Map(function(size, moment) {
    simulation_row(n_useful, p, size, moment, label)
  }, sizes, moments)
  do.call(rbind, c(list(one), rows))
}

# H of each size and run: sizes x runs.
draw_useful <- function(model, n_useful, p, sizes, settings, aggregation) {
  if (is_plain_mean_rank(aggregation)) {
    useful <- cpp_simulate_sets(
      model$n_total, model$n_features, n_useful, p, 0, sizes, settings$n_simulations, settings$seed,
      TRUE, settings$n_threads, NULL
    )
    return(matrix(useful, length(sizes)))
  }
  sets <- simulate_by_rule(model, n_useful, p, sizes, settings, aggregation)
  matrix(vapply(sets, function(set) sum(set <= n_useful), 1L), length(sizes))
}

# Mean rank and an index of overlaps: all in C++.
simulate_overlaps <- function(model, settings, value) {
  grid <- expand.grid(p = model$p, n_useful = model$n_useful)
  sizes <- settings$n_weak
  out <- cpp_simulate_pairs(
    model$n_total, model$n_features, grid$n_useful, grid$p, rep(model$preference, nrow(grid)),
    sizes, settings$n_simulations, settings$seed, value, settings$n_threads,
    progress_reporter(settings$progress, "Simulating")
  )
  at <- rep(seq_len(nrow(grid)), each = length(sizes))
  data.frame(
    n_useful = grid$n_useful[at], p = grid$p[at], n_weak = rep(sizes, nrow(grid)),
    stability = out[, 1], se = out[, 2], sd = out[, 3], overlap = out[, 4], useful = out[, 5],
    engine = "simulate"
  )
}

# Any rule and any index, on simulated selections.
simulate_any <- function(model, settings, aggregation, index) {
  grid <- expand.grid(p = model$p, n_useful = model$n_useful)
  sizes <- settings$n_weak
  rows <- lapply(seq_len(nrow(grid)), function(g) {
    sets <- if (is_plain_mean_rank(aggregation)) {
      all <- cpp_simulate_sets(
        model$n_total, model$n_features, grid$n_useful[g], grid$p[g], model$preference, sizes,
        settings$n_simulations, settings$seed, FALSE, settings$n_threads, NULL
      )
      split_columns(matrix(all, model$n_features))
    } else {
      simulate_by_rule(model, grid$n_useful[g], grid$p[g], sizes, settings, aggregation)
    }
    dim(sets) <- c(length(sizes), settings$n_simulations)
    lapply(seq_along(sizes), function(k) {
      moments <- moments_of_sets(sets[k, ], model$n_total, grid$n_useful[g], index, settings)
      simulation_row(grid$n_useful[g], grid$p[g], sizes[k], moments, "simulate")
    })
  })
  do.call(rbind, unlist(rows, recursive = FALSE))
}

split_columns <- function(x) lapply(seq_len(ncol(x)), function(j) x[, j])

moments_of_sets <- function(sets, n_total, n_useful, index, settings) {
  selection <- selection_of_sets(sets, n_total)
  data <- index_runs(selection)
  value <- index_values(
    data, index, corrected = settings$corrected, seed = if (!is.na(settings$seed)) settings$seed,
    n_threads = settings$n_threads
  )[[1]]
  m <- length(sets)
  frequency <- as.double(data$frequency)
  list(
    mean = value$estimate, sd = NA_real_,
    se = sqrt(jackknife_variance(value$loo, value$mc_se)),
    overlap = sum(frequency * (frequency - 1)) / (m * (m - 1)),
    useful = sum(frequency[seq_len(n_useful)]) / m
  )
}

# Sets of each size (fastest) and run by any rule.
simulate_by_rule <- function(model, n_useful, p, sizes, settings, aggregation) {
  n_total <- model$n_total
  preference <- if (is.null(model$preference)) 0 else model$preference
  sets <- run_tasks(settings$n_simulations, function(run) {
    rank <- cpp_simulate_ranks(
      n_total, model$n_features, n_useful, p, preference, max(sizes), settings$seed, run - 1
    )
    score <- n_total + 1 - rank
    storage.mode(score) <- "double"
    rownames(score) <- paste0("V", seq_len(n_total))
    lapply(sizes, function(size) {
      best_by_rule(score[, seq_len(size), drop = FALSE], aggregation, model$n_features)
    })
  }, check_run(1L, settings$progress), "Simulating")
  unlist(sets, recursive = FALSE)
}

# Columns of the features that a rule selects from scores.
best_by_rule <- function(score, aggregation, n_features) {
  members <- new_selection(
    score, best_of_runs(score, n_features, 1L), rep("ok", ncol(score)), "simulated selectors"
  )
  total <- aggregation$score(members, n_features, 1L)
  ranking <- ranking_from_scores(total, members, aggregation, n_features, 1L)
  match(ranking$features, rownames(score))
}

is_plain_mean_rank <- function(aggregation) {
  identical(aggregation$core, "mean_rank") && is.null(aggregation$params$run_weights)
}
