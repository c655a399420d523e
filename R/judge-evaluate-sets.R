# The work of an evaluation: selections, errors and stabilities of training sets.

# All selectors, aggregations and sizes on one training set. The resamples are drawn once and each
# selector scores them once.
# @return list(rows (data frame: selector, aggregation, n_features, error), sets (list of integer
#   vectors, one per row; NULL when it failed), failures (data frame: selector, message)).
evaluate_training_set <- function(x, y, newx, newy, design, seed) {
  response <- check_response_for(y, nrow(x), c("binary", "multiclass"), call = NULL)
  n <- nrow(x)
  counts <- matrix(1L, n, 1L)
  ensemble <- length(design$aggregations) > 0L
  resamples <- if (ensemble) draw_resamples(design$resampling, y, seed = seed)
  if (ensemble) counts <- cbind(counts, resamples$counts)
  results <- lapply(design$selectors, function(selector) {
    tryCatch(
      rank_training_set(x, response, selector, counts, resamples$status, design, seed),
      stabilect_error_runs = function(error) conditionMessage(error)
    )
  })
  failed <- vapply(results, is.character, NA)
  grid <- expand.grid(
    n_features = design$sizes, aggregation = c("single", names(design$aggregations)),
    selector = names(design$selectors), stringsAsFactors = FALSE
  )[3:1]
  sets <- lapply(seq_len(nrow(grid)), function(row) {
    one <- results[[grid$selector[row]]]
    size <- as.character(grid$n_features[row])
    if (is.character(one)) NULL else one[[grid$aggregation[row]]][[size]]
  })
  grid$error <- vapply(sets, function(set) {
    # Some classifiers draw from R's generator.
    if (is.null(set)) NA_real_ else with_seed(seed, {
      error_of_set(set, x, y, newx, newy, design$classifier)
    })
  }, 0)
  list(rows = grid, sets = sets, failures = data.frame(
    selector = names(results)[failed], message = as.character(unlist(results[failed]))
  ))
}

# The features chosen by each aggregation at each size: a list of lists of column numbers. Column 1
# of `counts` is the training set itself, the others are its resamples.
rank_training_set <- function(x, response, selector, counts, status, design, seed) {
  control <- selector_control(
    child_seeds(seed, ncol(counts)), max(design$sizes), design$n_threads
  )
  runs <- selector$score(x, response, counts, control)
  status <- first_problem(c("ok", status), runs$status)
  if (status[1] != "ok" || all(status[-1] != "ok") && length(status) > 1L) {
    abort("The selection failed: {unique(status[status != 'ok'])}.", class = "runs", call = NULL)
  }
  parts <- lapply(list(single = 1L, ensemble = seq_along(status)[-1]), function(columns) {
    pick <- function(m) if (!is.null(m)) m[, columns, drop = FALSE]
    lapply(if (length(columns) > 0L) design$sizes, function(size) {
      best <- best_of_runs(pick(runs$score), size, design$n_threads, pick(runs$selected))
      selected <- empty_runs(best, which(status[columns] != "ok"))
      new_selection(pick(runs$score), selected, status[columns], selector$label)
    })
  })
  rules <- c(list(single = aggregate_score()), design$aggregations)
  Map(function(rule, name) {
    part <- parts[[if (name == "single") "single" else "ensemble"]]
    sets <- Map(function(selection, size) {
      ranking <- aggregate_runs(selection, rule, size, design$n_threads)
      match(ranking$features, colnames(x))
    }, part, design$sizes)
    stats::setNames(sets, design$sizes)
  }, rules, names(rules))
}

error_of_set <- function(set, x, y, newx, newy, classifier) {
  model <- classifier$fit(x[, set, drop = FALSE], y)
  predicted <- classifier$predict(model, newx[, set, drop = FALSE])
  if (length(predicted) != length(newy)) {
    abort("The classifier {.val {classifier$name}} must predict one class for each of
      {length(newy)} samples, not {length(predicted)}.", class = "learner", call = NULL)
  }
  mean(as.character(predicted) != as.character(newy))
}

# Stability of some sets of columns, NA when one of them is missing. With se: the jackknife's.
stability_of_sets <- function(sets, p, index) {
  if (any(vapply(sets, is.null, NA))) {
    return(data.frame(index = index, value = NA_real_, se = NA_real_))
  }
  table <- stability(as_selection(sets, n_features = p), index)$table
  at <- match(index, table$index)
  data.frame(index = index, value = table$estimate[at], se = table$se[at])
}

new_evaluation <- function(units, design, protocol, settings) {
  grid <- units[[1]][[1]]$rows[1:3]
  errors <- vapply(units, function(parts) {
    Reduce(`+`, lapply(parts, function(part) part$rows$error)) / length(parts)
  }, numeric(nrow(grid)))
  errors <- matrix(errors, nrow(grid))
  long <- function(k) grid[rep(seq_len(nrow(grid)), k), ]
  n_units <- length(units)
  by_unit <- cbind(unit = rep(seq_len(n_units), each = nrow(grid)), long(n_units))
  judged <- if (protocol == "halves") {
    stability_of_halves(units, grid, settings$p, design$index)
  } else {
    stability_of_training_sets(units, grid, settings$p, design$index)
  }
  table <- cbind(
    grid, error = rowMeans(errors, na.rm = TRUE), error_se = apply(errors, 1L, standard_error),
    judged$summary
  )
  rownames(by_unit) <- rownames(table) <- NULL
  settings[c("protocol", "classifier", "resampling", "index")] <- list(
    protocol, design$classifier, design$resampling, design$index
  )
  structure(
    list(
      table = table, errors = cbind(by_unit, error = as.vector(errors)),
      stabilities = judged$by_unit, failures = collect_failures(units), settings = settings
    ),
    class = "stabilect_evaluation"
  )
}

# One value for each pair of halves, then their mean over splits.
stability_of_halves <- function(units, grid, p, index) {
  values <- lapply(seq_along(units), function(unit) {
    rows <- lapply(seq_len(nrow(grid)), function(row) {
      sets <- lapply(units[[unit]], function(part) part$sets[[row]])
      data.frame(
        unit = unit, grid[rep(row, length(index)), ],
        stability_of_sets(sets, p, index)[c("index", "value")], row.names = NULL
      )
    })
    do.call(rbind, rows)
  })
  by_unit <- do.call(rbind, values)
  rownames(by_unit) <- NULL
  summary <- lapply(index, function(name) {
    one <- matrix(by_unit$value[by_unit$index == name], nrow(grid))
    stats::setNames(
      data.frame(rowMeans(one, na.rm = TRUE), apply(one, 1L, standard_error)),
      paste0(name, c("", "_se"))
    )
  })
  list(by_unit = by_unit, summary = do.call(cbind, summary))
}

# One value for all training sets that gave a selection.
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
  rows <- lapply(seq_along(units), function(unit) {
    do.call(rbind, lapply(seq_along(units[[unit]]), function(half) {
      failures <- units[[unit]][[half]]$failures
      cbind(
        data.frame(unit = rep(unit, nrow(failures)), half = rep(half, nrow(failures))), failures
      )
    }))
  })
  do.call(rbind, rows)
}
