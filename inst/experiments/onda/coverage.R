# How often the intervals of estimate_stability() hold the truth when the model is true: studies of
# 40 single selectors with known parameters, in colon's sizes. The normal approximation takes the
# part of the simulated ensembles, and is interpolated in p, so that a study takes a moment.

curve_library <- function(model, sizes, library) {
  known <- new.env(parent = emptyenv())
  grid <- seq(0.1, 1, 0.05)
  function(n_useful, p) {
    rows <- vapply(seq_along(p), function(i) {
      key <- as.character(n_useful[i])
      if (is.null(known[[key]])) {
        values <- stabilect:::predict_quickly(
          model, rep(n_useful[i], length(grid)), grid, sizes, library, 1L
        )
        known[[key]] <- lapply(seq_along(sizes), function(k) stats::splinefun(grid, values[, k]))
      }
      vapply(known[[key]], function(curve) curve(p[i]), 0)
    }, numeric(length(sizes)))
    t(rows)
  }
}

cover_setting <- function(n_useful, p, n_studies, sizes, n_runs = 40L) {
  model <- list(n_total = 2000L, n_features = 20L, preference = 0)
  value <- (0:20) / (40 - 0:20)
  library <- stabilect:::urn_library(model, value)
  predict <- curve_library(model, sizes, library)
  threshold <- stabilect:::threshold_by_chance(2000, 20, n_runs)
  weight <- vapply(0:n_runs, function(count) {
    sum(threshold$law$probability[threshold$law$threshold < count])
  }, 0)
  seen <- stabilect:::cpp_simulate_studies(
    2000L, 20L, n_useful, p, 0, n_studies, weight, value, 1, 1L
  )
  truth <- drop(predict(n_useful, p))
  rows <- lapply(seq_len(n_studies), function(study) {
    pool <- stabilect:::choose_pool(
      seen[study, 1], seen[study, 2], model, library, threshold, n_runs, "none"
    )
    model$n_useful <- pool
    model$p <- stabilect:::solve_p(seen[study, 2], model, library(pool))$p
    fit <- list(counted = list(threshold = threshold), urns = library)
    settings <- list(n_boot = 200L, seed = study, n_threads = 1L, calibrate = "none")
    boot <- stabilect:::bootstrap_fits(model, fit, n_runs, value, settings)
    at <- drop(predict(pool, model$p))
    limits <- stabilect:::interval_around(at, 0, at, predict(boot$n_useful, boot$p), 0.95)
    data.frame(n_weak = sizes, n_useful, p, truth, found = pool, stability = at, limits)
  })
  do.call(rbind, rows)
}

write_coverage <- function(n_studies = 200L) {
  settings <- data.frame(n_useful = c(60L, 60L, 150L), p = c(0.7, 0.5, 0.8))
  rows <- lapply(seq_len(nrow(settings)), function(i) {
    table <- cover_setting(settings$n_useful[i], settings$p[i], n_studies, c(1L, 10L, 30L, 100L))
    do.call(rbind, lapply(split(table, table$n_weak), function(g) {
      data.frame(
        g[1, c("n_useful", "p", "n_weak", "truth")], studies = n_studies,
        found = mean(g$found), mean = mean(g$stability), width = mean(g$upper - g$lower),
        covered = mean(g$lower <= g$truth & g$truth <= g$upper),
        truth_below = mean(g$truth < g$lower), truth_above = mean(g$truth > g$upper)
      )
    }))
  })
  save_csv(rounded(do.call(rbind, rows)), "coverage")
}
