# Predicted against real stability of ensembles. The prediction knows n single runs, one per fold:
# the first repetition of a case. The real value of ensembles is the mean over all repetitions.

one_estimate <- function(result, calibrate, n_boot) {
  info <- sets[sets$data == result$case$data, ]
  single <- result$runs[[1]]
  runs <- as_selection(
    lapply(seq_len(ncol(single)), function(i) single[, i]), n_total = info$p
  )
  estimate_stability(runs,
    n_weak = result$sizes, estimator = calibrate, n_simulations = 200, n_boot = n_boot, seed = seed,
    progress = FALSE
  )
}

# One row per size: three calibrations of the paper's model, and the graded preferences.
predict_case <- function(result) {
  plain <- one_estimate(result, "none", 100)
  fixed <- one_estimate(result, "fixed_point", 20)
  moments <- one_estimate(result, "moments", 20)
  graded <- anova(plain, n_simulations = 100)
  fit <- graded$models
  data.frame(
    describe_case(result), n_weak = result$sizes, n_weak_max = result$case$n_weak,
    n_useful = plain$n_useful, p = plain$p, attained = plain$fit$attained,
    verified = plain$verified, n_useful_moments = moments$n_useful, p_moments = moments$p,
    real = vapply(result$stability, mean, 0), predicted = plain$table$stability,
    lower = plain$table$lower, upper = plain$table$upper, fixed_point = fixed$table$stability,
    moments = moments$table$stability, graded = graded$prediction$graded,
    n_useful_graded = fit$n_useful[2], p_graded = fit$p[2], preference = fit$preference[2],
    deviance = fit$deviance[1], deviance_graded = fit$deviance[2], row.names = NULL
  )
}

# Mean absolute error over cases of a kind and sizes, and of predictions that cost nothing: the
# single selector's stability, and the plateau that the counted n_useful implies. `covered` is the
# share of the intervals given that hold the real value; estimate_stability() withholds others.
error_table <- function(table) {
  table <- table[table$n_weak > 1, ]
  table$kind <- ifelse(table$selector == "forest", "forest", "other")
  table$size <- cut(table$n_weak, c(1, 5, 20, Inf), c("2-5", "10-20", "30-100"))
  models <- intersect(
    c("predicted", "fixed_point", "moments", "graded", "single", "plateau"), names(table)
  )
  groups <- split(table, table[c("kind", "reading", "size")], drop = TRUE)
  rows <- lapply(groups, function(g) {
    errors <- lapply(g[models], function(v) mean(abs(v - g$real)))
    given <- !is.na(g$lower) & !is.na(g$upper)
    data.frame(
      g[1, c("reading", "kind", "size")], values = nrow(g), real = mean(g$real), errors,
      bias = mean(g$predicted - g$real),
      intervals = sum(given),
      covered = if (any(given)) mean((g$real >= g$lower & g$real <= g$upper)[given]) else NA_real_
    )
  })
  errors <- do.call(rbind, rows)
  errors[order(errors$reading, errors$kind, errors$size), ]
}

# Only cases that predictions.csv does not have yet.
write_predictions <- function() {
  path <- file.path(folder, "predictions.csv")
  known <- if (file.exists(path)) read_csv("predictions")
  results <- read_cases()
  for (result in results[setdiff(names(results), known$case)]) {
    row <- predict_case(result)
    row$single <- row$real[1]
    row$plateau <- row$predicted[nrow(row)]
    known <- rbind(known, rounded(row))
    save_csv(known, "predictions")
    cat(row$case[1], "\n")
  }
  save_csv(rounded(error_table(known)), "errors")
}

# What the same n runs say without a model, where members see halves of their own: the runs form
# disjoint ensembles, as many as there are, and these are compared. Up to n / 2 members.
regroup <- function(case) {
  info <- sets[sets$data == case$data, ]
  set <- experiment_data(info$file)
  set$x <- unname(set$x)
  wanted <- c(1L, 2L, 5L, 10L, 20L, 30L)
  rows <- lapply(seq_len(3L), function(repetition) {
    runs <- select_ensemble(set$x, set$y, case_selector(case, info$p),
      resample_subsample(info$n, 0.5), aggregate_by("mean_rank"), n_features = info$n_features,
      seed = repetition, progress = FALSE
    )$selection
    stability <- vapply(wanted, function(k) {
      mean_jaccard(block_sets(runs, k, info$n_features), info$p)
    }, 0)
    data.frame(case = case$case, repetition, n_weak = wanted, regrouped = stability)
  })
  do.call(rbind, rows)
}

write_regrouped <- function() {
  chosen <- cases[cases$reading == "halves" & (is.na(cases$n_tree) | cases$n_tree >= 200), ]
  chosen <- chosen[!chosen$n_tree %in% c(400, 500) & chosen$case != "colon-forest200-halves", ]
  rows <- lapply(seq_len(nrow(chosen)), function(i) regroup(chosen[i, ]))
  table <- do.call(rbind, rows)
  real <- read_csv("ensembles")
  at <- match(paste(table$case, table$n_weak), paste(real$case, real$n_weak))
  table$real <- real$stability[at]
  save_csv(rounded(table), "regrouped")
}
