# The work of an evaluation: selections, errors and stabilities of training sets.

# All selectors, aggregations and sizes on one training set. Resamples are drawn once, and each
# selector scores them once.
# @param asked of check_evaluation().
# @return list(grid (data frame: selector, aggregation, n_features), sets (list of integer vectors,
#   one per row; NULL after a failure), error (numeric matrix, rows x learners), failures (data
#   frame: selector, message), alone (numeric, one per learner: the error of the covariates)).
# @param z,newz (double matrices, or NULL) covariates.
evaluate_training_set <- function(x, y, newx, newy, asked, seed, n_threads, z = NULL, newz = NULL) {
  response <- read_response(y, nrow(x))
  response$covariates <- z
  counts <- matrix(1L, nrow(x), 1L)
  resamples <- if (length(asked$aggregation) > 0L) draw_resamples(asked$resampling, y, seed = seed)
  if (!is.null(resamples)) counts <- cbind(counts, resamples$counts)
  results <- lapply(asked$selectors, function(selector) {
    tryCatch(
      if (inherits(selector, "stabilect_selector")) {
        rank_training_set(x, response, selector, counts, resamples$status, asked, seed, n_threads)
      } else {
        rank_by_procedure(x, response, selector, asked, seed, n_threads)
      },
      stabilect_error_runs = conditionMessage, stabilect_error_bound = conditionMessage
    )
  })
  failed <- vapply(results, is.character, NA)
  grid <- evaluation_grid(asked)
  sets <- lapply(seq_len(nrow(grid)), function(row) {
    one <- results[[grid$selector[row]]]
    size <- figures(grid$n_features[row])
    if (size == "NA") size <- "own"
    if (is.character(one)) NULL else one[[grid$aggregation[row]]][[size]]
  })
  error_of <- function(set, learner) {
    # Some learners draw from R's generator.
    if (is.null(set)) NA_real_ else with_seed(seed, {
      error_of_set(set, samples_at(x, y, z), samples_at(newx, newy, newz), learner, asked$metric)
    })
  }
  error <- vapply(asked$learner, function(learner) {
    vapply(sets, error_of, 0, learner)
  }, numeric(nrow(grid)))
  list(
    alone = if (!is.null(z)) vapply(asked$learner, error_of, 0, set = integer()),
    grid = grid, sets = sets, error = matrix(error, nrow(grid)),
    failures = data.frame(
      selector = names(results)[failed], message = as.character(unlist(results[failed]))
    )
  )
}

# One row per selector, aggregation and size. Procedures aggregate by themselves, and also have
# their own set, of size NA.
evaluation_grid <- function(asked) {
  rows <- Map(function(selector, name) {
    is_selector <- inherits(selector, "stabilect_selector")
    expand.grid(
      n_features = c(asked$n_features, if (!is_selector) NA),
      aggregation = if (is_selector) c("single", names(asked$aggregation)) else "own",
      selector = name, stringsAsFactors = FALSE
    )
  }, asked$selectors, names(asked$selectors))
  do.call(rbind, unname(rows))[3:1]
}

rank_by_procedure <- function(x, response, procedure, asked, seed, n_threads) {
  study <- study_of(x, response, asked$resampling$blocks)
  result <- carry_out_on(procedure, study, seq_len(study$n), seed, n_threads)
  ranking <- ranking_of_result(result, colnames(x), procedure$name)
  sets <- lapply(asked$n_features, function(size) utils::head(ranking$order, size))
  list(own = c(stats::setNames(sets, asked$n_features), list(own = ranking$own)))
}

# The features chosen by each aggregation at each size: a list of lists of column numbers. Column 1
# of `counts` is the training set itself, the others are its resamples.
rank_training_set <- function(x, response, selector, counts, status, asked, seed, n_threads) {
  control <- selector_control(child_seeds(seed, ncol(counts)), max(asked$n_features), n_threads)
  runs <- selector$score(x, response, counts, control)
  status <- first_problem(c("ok", status), runs$status)
  refuse(status[1] != "ok" || all(status[-1] != "ok") && length(status) > 1L,
    "The selection failed: {unique(status[status != 'ok'])}.", class = "runs", call = NULL
  )
  parts <- lapply(list(single = 1L, ensemble = seq_along(status)[-1]), function(columns) {
    pick <- function(m) if (!is.null(m)) m[, columns, drop = FALSE]
    lapply(if (length(columns) > 0L) asked$n_features, function(size) {
      best <- best_of_runs(
        pick(runs$score), size, n_threads, pick(runs$selected), control$seeds[columns]
      )
      selected <- empty_runs(best, which(status[columns] != "ok"))
      new_selection(pick(runs$score), selected, status[columns], selector$label)
    })
  })
  rules <- c(list(single = aggregate_by()), asked$aggregation)
  Map(function(rule, name) {
    part <- parts[[if (name == "single") "single" else "ensemble"]]
    sets <- Map(function(selection, size) {
      ranking <- aggregate_runs(selection, rule, size, n_threads)
      match(ranking$features, colnames(x))
    }, part, asked$n_features)
    stats::setNames(sets, asked$n_features)
  }, rules, names(rules))
}

# The error of a learner on some columns; without columns, the error without features.
# @param train,test of samples_at(). @param metric (string, or NULL for the outcome's own error).
error_of_set <- function(set, train, test, learner, metric = NULL) {
  y <- train$y
  one <- outcome_of_labels(y)
  needs <- if (is.null(metric)) "predict" else one$needs
  made <- if (length(set) == 0L && is.null(train$z)) {
    list(prediction = predict_alone(one, y, n_labels(test$y)), truth = true_values(one, test$y, y))
  } else {
    trial(learner, set, train, test, needs, y, one)
  }
  if (is.null(metric)) {
    return(outcome_loss(one, y, test$y, made$prediction))
  }
  as_error(metric_value(metric, made$truth, made$prediction), metric)
}

# Stability of some sets of columns, NA if one of them is missing. With se, the jackknife error.
stability_of_sets <- function(sets, p, index) {
  if (any(vapply(sets, is.null, NA))) {
    return(data.frame(index = index, value = NA_real_, se = NA_real_))
  }
  table <- stability(as_selection(sets, n_total = p), index)$table
  at <- match(index, table$index)
  data.frame(index = index, value = table$estimate[at], se = table$se[at])
}

# @param runs list(units (list, per split or training set: list of evaluate_training_set()), until).
# @param data (stabilect_simulated_data, or NULL)
new_evaluation <- function(runs, asked, record, seed, data) {
  units <- runs$units
  grid <- units[[1]][[1]]$grid
  learners <- rep(names(asked$learner), each = nrow(grid))
  rows <- cbind(grid[rep(seq_len(nrow(grid)), length(asked$learner)), ], learner = learners)
  errors <- vapply(units, function(parts) {
    as.vector(Reduce(`+`, lapply(parts, `[[`, "error")) / length(parts))
  }, numeric(nrow(rows)))
  errors <- matrix(errors, nrow(rows))
  by_unit <- cbind(
    unit = rep(seq_along(units), each = nrow(rows)),
    rows[rep(seq_len(nrow(rows)), length(units)), ], error = as.vector(errors)
  )
  judge <- if (is.null(data)) stability_of_halves else stability_of_training_sets
  judged <- judge(units, grid, record$p, asked$index)
  of_sets <- judged$summary[rep(seq_len(nrow(grid)), length(asked$learner)), , drop = FALSE]
  table <- cbind(
    rows, n_selected = rep(sizes_of_lists(units, grid), length(asked$learner)),
    error = known_means(errors), error_se = apply(errors, 1L, standard_error),
    of_sets
  )
  # The rows of one selection stay together.
  table <- table[order(rep(seq_len(nrow(grid)), length(asked$learner))), ]
  rownames(by_unit) <- rownames(table) <- NULL
  failures <- collect_failures(units)
  new_result(
    "stabilect_evaluation", table, errors = by_unit, stabilities = judged$by_unit,
    failures = failures, bayes_error = data$bayes_error, without_features = errors_alone(units),
    asked = asked, study = record,
    made = list(
      seed = seed, n_runs = length(units), n_failed = nrow(failures), until = runs$until
    )
  )
}

# The mean size of the lists of each selection, shorter than asked where too few features have a
# score.
sizes_of_lists <- function(units, grid) {
  vapply(seq_len(nrow(grid)), function(row) {
    sets <- lapply(unlist(units, recursive = FALSE), function(part) part$sets[[row]])
    mean(lengths(Filter(Negate(is.null), sets)))
  }, 0)
}

# Errors of the covariates alone, over splits; NULL without covariates.
errors_alone <- function(units) {
  if (is.null(units[[1]][[1]]$alone)) {
    return(NULL)
  }
  errors <- lapply(units, function(parts) Reduce(`+`, lapply(parts, `[[`, "alone")) / length(parts))
  errors <- do.call(cbind, errors)
  data.frame(
    learner = rownames(errors), error = known_means(errors),
    error_se = apply(errors, 1L, standard_error), row.names = NULL
  )
}

# For every selector, aggregation and size, a selection of the features chosen so far.
selections_of_parts <- function(parts, p, feature_names) {
  lapply(seq_along(parts[[1]]$sets), function(row) {
    sets <- lapply(parts, function(part) as.integer(part$sets[[row]]))
    selection <- as_selection(sets, n_total = p, feature_names = feature_names)
    selection$status[vapply(parts, function(part) is.null(part$sets[[row]]), NA)] <- "failed"
    selection
  })
}

# One value for each pair of halves, then their mean over splits.
stability_of_halves <- function(units, grid, p, index) {
  by_unit <- bind_rows_of(seq_along(units), function(unit) {
    rows <- lapply(seq_len(nrow(grid)), function(row) {
      sets <- lapply(units[[unit]], function(part) part$sets[[row]])
      data.frame(
        unit = unit, grid[rep(row, length(index)), ],
        stability_of_sets(sets, p, index)[c("index", "value")], row.names = NULL
      )
    })
    do.call(rbind, rows)
  })
  summary <- lapply(index, function(name) {
    one <- matrix(by_unit$value[by_unit$index == name], nrow(grid))
    stats::setNames(
      data.frame(known_means(one), apply(one, 1L, standard_error)),
      paste0(name, c("", "_se"))
    )
  })
  list(by_unit = by_unit, summary = do.call(cbind, summary))
}

# One value for all training sets with a selection.
stability_of_training_sets <- function(units, grid, p, index) {
  rows <- lapply(seq_len(nrow(grid)), function(row) {
    sets <- lapply(units, function(parts) parts[[1]]$sets[[row]])
    sets <- sets[!vapply(sets, is.null, NA)]
    value <- if (length(sets) > 1L) {
      stability_of_sets(sets, p, index)
    } else {
      stability_of_sets(list(NULL), p, index)
    }
    stats::setNames(
      as.data.frame(t(as.vector(rbind(value$value, value$se)))),
      paste0(rep(index, each = 2L), c("", "_se"))
    )
  })
  by_unit <- cbind(
    unit = integer(), grid[0, ], index = character(), value = double()
  )
  list(by_unit = by_unit, summary = do.call(rbind, rows))
}

collect_failures <- function(units) {
  bind_rows_of(seq_along(units), function(unit) {
    do.call(rbind, lapply(seq_along(units[[unit]]), function(half) {
      failures <- units[[unit]][[half]]$failures
      cbind(
        data.frame(unit = rep(unit, nrow(failures)), half = rep(half, nrow(failures))), failures
      )
    }))
  })
}

# Row means of the known values; NA without any.
known_means <- function(x) {
  means <- rowMeans(x, na.rm = TRUE)
  replace(means, is.nan(means), NA_real_)
}

# Data that were opened before, as a study.
study_of <- function(x, response, blocks = NULL) {
  study <- of_class("stabilect_study",
    x = x, n = nrow(x), p = ncol(x), feature_names = colnames(x), sample_names = rownames(x),
    response = response, features = list()
  )
  if (is.null(blocks)) study else set_role(study, "blocks", blocks)
}
