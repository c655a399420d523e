# Accuracy against stability of hybrid-RFE: Hamer and Dupont (2021), sections 6 and 7.1, Figures 9,
# 11 and 21 to 25. Rscript run-tradeoff.R [folder for pictures]; all settings of a data set go to
# results/front-<name>.csv, what weights of accuracy choose to results/choices.csv, areas under the
# fronts to results/areas.csv. Sets whose file is there are left alone. See README.md.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))
source(file.path(here, "..", "papers", "cells.R"))
pictures <- c(commandArgs(trailingOnly = TRUE), NA)[1]
indices <- c("nogueira", "phi_pears", "phi_iw")

# How many random settings of hybrid-RFE, besides those of plain RFE (n_grid penalties by n_grid),
# and how many runs of each: 100 on the six sets of the paper's section 7.1, as there.
searches <- data.frame(
  name = c(
    "singh", "alon", "lsvt", "gastro", "sonar", "chiaretti", "gravier", "ionosphere", "borovecki",
    "breast", "arcene"
  ),
  n_random = c(150, 60, 80, 80, 50, 34, 12, 24, 50, 9, 12),
  n_grid = c(5, 4, 4, 4, 4, 4, 3, 4, 4, 3, 3),
  n_runs = c(100, 100, 30, 30, 30, 100, 100, 30, 100, 30, 100)
)

# Plain RFE (n_stable = 0, epsilon = 1, alpha = 0) on a grid of penalties, then random settings.
settings_of <- function(search, k) {
  penalties <- 10^seq(-2, 3, length.out = search$n_grid)
  plain <- expand.grid(lambda = penalties, lambda_final = penalties)
  plain <- data.frame(
    method = "RFE", n_stable = 0L, plain, epsilon = 1, alpha = 0, variance_weight = 0.5
  )
  n <- search$n_random
  set.seed(1)
  mixed <- data.frame(
    method = "hybrid-RFE", n_stable = sample.int(k, n, replace = TRUE),
    lambda = 10^stats::runif(n, -2, 3), lambda_final = 10^stats::runif(n, -1, 4),
    epsilon = 10^stats::runif(n, -2, 0), alpha = sample(c(0, 0.1, 1, 10), n, replace = TRUE),
    variance_weight = sample(c(0, 0.25, 0.5, 0.75, 1), n, replace = TRUE)
  )
  mixed[-1] <- lapply(mixed[-1], signif, digits = 3)
  rbind(plain, mixed)
}

# The same search with some of its settings only.
keep_settings <- function(tuned, rows) {
  tuned$table <- tuned$table[rows, ]
  tuned$scores <- tuned$scores[, rows, drop = FALSE]
  tuned$selections <- tuned$selections[rows]
  tuned
}

choices_of <- function(name, tuned) {
  rows <- lapply(indices, function(index) {
    chosen <- selected(pareto_front(tuned, index = index), seq(0, 1, 0.1))
    shown <- c("config", "accuracy", indices, tuned$asked$settings)
    data.frame(set = name, index = index, gamma = chosen$gamma, tuned$table[chosen$row, shown])
  })
  do.call(rbind, rows)
}

# Areas under the fronts of plain RFE and of all settings, with what the runs leave open.
areas_of <- function(name, tuned, method) {
  fronts <- list(RFE = keep_settings(tuned, which(method == "RFE")), all = tuned)
  rows <- lapply(names(fronts), function(kind) {
    area <- pareto_front(fronts[[kind]], reference = c(0, 0), n_boot = 200, seed = 1)$volume
    data.frame(set = name, settings = nrow(fronts[[kind]]$table), front = kind, area)
  })
  do.call(rbind, rows)
}

draw_picture <- function(name, tuned) {
  if (is.na(pictures) || !requireNamespace("ggplot2", quietly = TRUE)) {
    return(invisible())
  }
  grDevices::png(file.path(pictures, paste0("front-", name, ".png")), 1100, 1200, res = 110)
  plot(tuned, gamma = 0.5)
  grDevices::dev.off()
}

# Rows of one data set replaced, the others kept.
merge_results <- function(new, file) {
  path <- file.path(folder, file)
  if (file.exists(path)) {
    old <- utils::read.csv(path)
    new <- rbind(old[old$set != new$set[1], ], new)
  }
  write_results(new, path)
}

search_set <- function(search) {
  name <- search$name
  set <- hamer_sets[hamer_sets$name == name, ]
  path <- file.path(folder, paste0("front-", name, ".csv"))
  if (file.exists(path)) {
    return(invisible())
  }
  data <- read_hamer(name, set$p_front)
  k <- floor(wanted_size(ncol(data$x)))
  settings <- settings_of(search, k)
  used <- system.time(
    tuned <- tune_tradeoff(
      data$x, data$y, settings[-1],
      n_features = k, index = indices, resampling = resample_bootstrap(search$n_runs), seed = 1,
      progress = FALSE
    )
  )
  table <- data.frame(
    set = name, n = nrow(data$x), p = ncol(data$x), k = k, n_runs = search$n_runs,
    method = settings$method, tuned$table
  )
  merge_results(choices_of(name, tuned), "choices.csv")
  merge_results(areas_of(name, tuned, settings$method), "areas.csv")
  write_results(table, path)
  record_step(folder, paste("front:", name), 1, used[[1]])
  draw_picture(name, tuned)
  cat(sprintf("%s: %d settings in %.0f s\n", name, nrow(settings), used[[3]]))
}

for (i in seq_len(nrow(searches))) search_set(searches[i, ])
