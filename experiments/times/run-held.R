# Survival times with a covariate, whose deviance residuals are exchanged. Rscript run-held.R
# [repetitions] [seconds of processor time] adds to results/held-outcomes.csv and
# results/held-names.csv after every repetition and goes on from there when run again. tables.R
# makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(root, "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 40)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
source(file.path(root, "..", "names", "designs.R"))
source(file.path(root, "draws.R"))

cells <- expand.grid(
  truth = c("none", "sparse"), events = c(0.2, 0.45, 0.7), stringsAsFactors = FALSE
)
# Outcomes with signal take longer.
most_with_signal <- 15

one_outcome <- function(x, set, cell, repetition) {
  seed <- 1000 * (100 * match(set, set_names) + 70 + as.integer(rownames(cell))) + repetition
  set.seed(seed)
  truth <- if (cell$truth == "none") {
    list(at = integer(), signal = numeric(nrow(x)))
  } else {
    truths[[cell$truth]](x, repetition)
  }
  # A covariate that half of the features' first component follows, and that matters.
  z <- unit(unit(svd(x, nu = 1, nv = 0)$u[, 1]) + stats::rnorm(nrow(x)))
  r2 <- c(0.4, 0.7)[1 + repetition %% 2]
  y <- draw_times(unit(truth$signal + z), r2, 1 - cell$events)
  fit <- find_signals(x, y, covariates = z, permute = 199, seed = seed, progress = FALSE)
  key <- data.frame(set, cell, repetition, row.names = NULL)
  shown <- rbind(
    fit$table[c("feature", "probability")], fit$candidates[c("feature", "probability")]
  )
  shown$named <- seq_len(nrow(shown)) <= nrow(fit$table)
  at <- match(shown$feature, colnames(x))
  like <- abs(stats::cor(x[, at, drop = FALSE], x[, truth$at, drop = FALSE]))
  shown$true <- at %in% truth$at
  shown$r <- if (length(truth$at) == 0L) rep(0, nrow(shown)) else apply(like, 1, max)
  list(
    outcomes = data.frame(key, seed, r2, n_true = length(truth$at), p_value = fit$p_value),
    names = data.frame(key[rep(1L, nrow(shown)), ], shown, row.names = NULL)
  )
}

stores <- c(outcomes = "held-outcomes.csv", names = "held-names.csv")
done <- lapply(stores, function(name) {
  path <- file.path(folder, name)
  if (file.exists(path)) utils::read.csv(path)
})
features <- stats::setNames(lapply(set_names, read_features), set_names)
for (repetition in setdiff(seq_len(repetitions), done$outcomes$repetition)) {
  if (proc.time()[["user.self"]] > seconds) break
  wanted <- which(cells$truth == "none" | repetition <= most_with_signal)
  found <- unlist(lapply(set_names, function(set) {
    lapply(wanted, function(i) one_outcome(features[[set]], set, cells[i, ], repetition))
  }), recursive = FALSE)
  for (part in names(stores)) {
    done[[part]] <- rbind(done[[part]], do.call(rbind, lapply(found, `[[`, part)))
    utils::write.csv(done[[part]], file.path(folder, stores[[part]]), row.names = FALSE)
  }
}
