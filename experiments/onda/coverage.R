# How often the intervals of estimate_stability() hold the truth when the model is true, and how
# often they are withheld: studies of 30 to 50 single selectors with known parameters.

known_settings <- data.frame(
  n_total = c(500L, 500L, 300L, 2000L), n_features = c(10L, 10L, 15L, 20L),
  n_useful = c(25L, 60L, 40L, 60L), p = c(0.6, 0.6, 0.4, 0.7), n_runs = c(40L, 30L, 50L, 40L)
)

# Rankings of the simulated selector; shuffled columns, since the last ties go by column.
simulated_runs <- function(setting, seed) {
  rank <- stabilect:::cpp_simulate_ranks(
    setting$n_total, setting$n_features, setting$n_useful, setting$p, 0, setting$n_runs, seed, 0
  )
  set.seed(seed)
  as_selection(
    setting$n_total + 1 - rank[sample.int(setting$n_total), ],
    runs_in = "columns", type = "weight", n_features = setting$n_features
  )
}

cover_setting <- function(setting, n_studies, sizes) {
  model <- simulate_stability(
    setting$n_total, setting$n_features, setting$n_useful, setting$p, sizes, 500, seed = 1
  )
  truth <- c(setting$n_useful, setting$p, model$table$stability)
  studies <- lapply(seq_len(n_studies), function(study) {
    found <- estimate_stability(
      simulated_runs(setting, study), n_weak = sizes, n_simulations = 40, n_boot = 200,
      seed = study, progress = FALSE
    )
    data.frame(
      what = c("n_useful", "p", paste(sizes, "members")), truth = truth,
      estimate = c(found$n_useful, found$p, found$table$stability),
      lower = c(found$parameters$lower, found$table$lower),
      upper = c(found$parameters$upper, found$table$upper), misfit = length(found$misfit) > 0
    )
  })
  studies <- do.call(rbind, studies)
  rows <- lapply(split(studies, factor(studies$what, unique(studies$what))), function(one) {
    given <- !is.na(one$lower)
    data.frame(
      setting, what = one$what[1], truth = one$truth[1], studies = n_studies,
      mean = mean(one$estimate), misfit = mean(one$misfit), given = mean(given),
      covered = mean((one$lower <= one$truth & one$truth <= one$upper)[given]),
      width = mean((one$upper - one$lower)[given]), row.names = NULL
    )
  })
  do.call(rbind, rows)
}

write_coverage <- function(n_studies = 40L) {
  rows <- lapply(seq_len(nrow(known_settings)), function(i) {
    cover_setting(known_settings[i, ], n_studies, c(1L, 10L, 20L, 50L))
  })
  save_csv(rounded(do.call(rbind, rows)), "coverage")
}
