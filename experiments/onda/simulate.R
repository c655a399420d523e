# The paper's simulations, by the verbs of the package.

# The study as the text sets it up: Figure 8's targets are the printed stability and n_useful. The
# caption's 150 +- 2 for prostate contradicts the text's 200, so that both are done.
studies <- data.frame(
  data = c("colon", "lymphoma", "prostate", "prostate"), target_useful = c(60, 150, 200, 150),
  stability = c(0.1, 0.1, 0.2, 0.2), band = c(0.01, 0.01, 0.02, 0.02),
  from = c(20, 40, 60, 60), to = c(810, 360, 260, 260)
)

# A[f] of Equation 1 at the given value: a tolerance that ends the iteration at its first step.
verified <- function(info, n_useful, p) {
  stabilect:::check_n_useful(
    info$p, info$n_features, n_useful, p, info$n, tolerance = 1e6
  )$verified
}

# Figure 2, left.
verification_table <- function() {
  info <- sets[1, ]
  grid <- expand.grid(n_useful = seq(20, 810, 10), p = seq(0.1, 1, 0.1))
  grid$verified <- mapply(function(m, p) verified(info, m, p), grid$n_useful, grid$p)
  grid
}

# Figures 2 (right) and 8: for each n_useful the values of p whose single stability is in the band,
# and those whose n_useful_v is within 2 of the target. NA: none.
band_table <- function() {
  p <- seq(0.01, 1, 0.01)
  rows <- lapply(seq_len(nrow(studies)), function(i) {
    study <- studies[i, ]
    info <- sets[sets$data == study$data, ]
    one <- lapply(seq(study$from, study$to, 10), function(m) {
      single <- simulate_stability(info$p, info$n_features, m, p, n_weak = 1)$table$stability
      again <- vapply(p, function(value) verified(info, m, value), 0)
      fits <- list(
        stability = p[abs(single - study$stability) <= study$band],
        n_useful = p[abs(again - study$target_useful) <= 2]
      )
      ends <- vapply(fits, function(v) if (length(v) > 0L) range(v) else c(NA_real_, NA_real_),
        c(0, 0)
      )
      data.frame(
        data = study$data, target_useful = study$target_useful, n_useful = m,
        criterion = names(fits), p_low = ends[1, ], p_high = ends[2, ], row.names = NULL
      )
    })
    do.call(rbind, one)
  })
  do.call(rbind, rows)
}

# The p that the printed stability asks for, and what Equation 1 makes of the pair.
fitted_table <- function() {
  studies <- rbind(studies[c("data", "target_useful", "stability")],
    list("prostate", 130, 0.2)
  )
  rows <- lapply(seq_len(nrow(studies)), function(i) {
    info <- sets[sets$data == studies$data[i], ]
    m <- studies$target_useful[i]
    model <- list(n_total = info$p, n_features = info$n_features)
    value <- (0:info$n_features) / (2 * info$n_features - 0:info$n_features)
    tables <- stabilect:::urn_tables(info$p, info$n_features, m, value)
    fit <- stabilect:::solve_p(studies$stability[i], model, tables)
    data.frame(
      studies[i, ], paper_p = info$p_hat, p = fit$p, attained = fit$attained,
      largest_stability = fit$range[2], verified = verified(info, m, fit$p)
    )
  })
  do.call(rbind, rows)
}

# Figures 3 (left), 9 and 11, and the time of each row of panels (Figures 4 and 13).
simulated_table <- function() {
  n_useful <- list(colon = 60, lymphoma = 150, prostate = c(200, 130))
  n_weak <- c(1, 2, 5, 10, 20, 30, 40, 50, 75, 100)
  rows <- lapply(seq_len(nrow(sets)), function(i) {
    info <- sets[i, ]
    result <- simulate_stability(info$p, info$n_features, n_useful[[info$data]], seq(0.1, 0.9, 0.1),
      n_weak, n_simulations = 200, seed = seed
    )
    data.frame(data = info$data, result$table)
  })
  do.call(rbind, rows)
}

# Figures 4 (right) and 13: the stability of n simulated ensembles, as in the paper.
time_table <- function() {
  rows <- lapply(seq_len(nrow(sets)), function(i) {
    info <- sets[i, ]
    one <- lapply(c(1, 10, 20, 30, 50, 100), function(size) {
      seconds <- system.time(simulate_stability(info$p, info$n_features, info$n_useful, 0.7, size,
        n_simulations = info$n, method = "simulate", seed = seed
      ))[["elapsed"]]
      data.frame(data = info$data, n_weak = size, seconds = seconds)
    })
    do.call(rbind, one)
  })
  do.call(rbind, rows)
}

write_simulations <- function() {
  save_csv(rounded(verification_table()), "figure2")
  save_csv(rounded(band_table()), "figure8")
  save_csv(rounded(fitted_table()), "fitted")
  save_csv(rounded(simulated_table()), "figure9")
  save_csv(rounded(time_table()), "figure13")
}
