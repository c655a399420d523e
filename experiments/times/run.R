# Does find_signals() keep its promises on survival times and ordered classes? Real features,
# simulated outcomes, with and without signal. Rscript run.R [repetitions] [seconds of processor
# time] adds to results/outcomes.csv and results/names.csv after every repetition and goes on from
# there when run again. tables.R makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(root, "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 40)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
# Features and truths are those of the experiment on names.
source(file.path(root, "..", "names", "designs.R"))
source(file.path(root, "draws.R"))

# `censored`: share of censored times; `covariate`: one that the outcome and the features follow.
cells <- expand.grid(
  truth = c("none", "sparse", "mixed"), outcome = c("censored_30", "censored_80", "ordered"),
  covariate = c(FALSE, TRUE), stringsAsFactors = FALSE
)
cells <- cells[cells$truth == "none" | !cells$covariate, ]

draw_outcome <- function(x, set, cell, repetition) {
  seed <- 1000 * (100 * match(set, set_names) + as.integer(rownames(cell))) + repetition
  set.seed(seed)
  truth <- if (cell$truth == "none") {
    list(at = integer(), signal = numeric(nrow(x)))
  } else {
    truths[[cell$truth]](x, repetition)
  }
  # A covariate that half of the features' first component follows, and that matters.
  z <- if (cell$covariate) unit(unit(svd(x, nu = 1, nv = 0)$u[, 1]) + stats::rnorm(nrow(x)))
  r2 <- c(0.4, 0.7)[1 + repetition %% 2]
  link <- if (is.null(z)) truth$signal else z
  if (cell$truth == "none" && is.null(z)) r2 <- 0
  y <- switch(cell$outcome,
    censored_30 = draw_times(link, r2, 0.3), censored_80 = draw_times(link, r2, 0.8),
    ordered = draw_ordered(link, r2)
  )
  list(y = y, z = z, at = truth$at, seed = seed, r2 = r2)
}

# The p of the largest |z| of one Cox model a feature, by permutations of the outcome.
max_of_cox <- function(x, y, seed, permute = 99) {
  largest <- function(rows) {
    scores <- score_features(x, y[rows], selector_filter("cox"))
    max(scores$score, na.rm = TRUE)
  }
  set.seed(seed)
  nulls <- vapply(seq_len(permute), function(b) largest(sample(nrow(x))), 0)
  (1 + sum(nulls >= largest(seq_len(nrow(x))))) / (1 + permute)
}

one_outcome <- function(x, set, cell, repetition) {
  drawn <- draw_outcome(x, set, cell, repetition)
  took <- system.time(fit <- find_signals(x, drawn$y,
    covariates = drawn$z, permute = 199, seed = drawn$seed, progress = FALSE
  ))
  with_cox <- cell$outcome != "ordered" && cell$truth != "none" && repetition <= 10
  key <- data.frame(set, cell, repetition, row.names = NULL)
  shown <- rbind(
    fit$table[c("feature", "probability")], fit$candidates[c("feature", "probability")]
  )
  shown$named <- seq_len(nrow(shown)) <= nrow(fit$table)
  at <- match(shown$feature, colnames(x))
  like <- abs(stats::cor(x[, at, drop = FALSE], x[, drawn$at, drop = FALSE]))
  shown$true <- at %in% drawn$at
  shown$r <- if (length(drawn$at) == 0L) rep(0, nrow(shown)) else apply(like, 1, max)
  list(
    outcomes = data.frame(
      key, seed = drawn$seed, r2 = drawn$r2, n_true = length(drawn$at), p_value = fit$p_value,
      cox_p = if (with_cox) max_of_cox(x, drawn$y, drawn$seed) else NA,
      seconds = took[["user.self"]]
    ),
    names = data.frame(key[rep(1L, nrow(shown)), ], shown, row.names = NULL)
  )
}

stores <- c(outcomes = "outcomes.csv", names = "names.csv")
done <- lapply(stores, function(name) {
  path <- file.path(folder, name)
  if (file.exists(path)) utils::read.csv(path)
})
features <- stats::setNames(lapply(set_names, read_features), set_names)
for (repetition in setdiff(seq_len(repetitions), done$outcomes$repetition)) {
  if (proc.time()[["user.self"]] > seconds) break
  found <- unlist(lapply(set_names, function(set) {
    lapply(seq_len(nrow(cells)), function(i) {
      one_outcome(features[[set]], set, cells[i, ], repetition)
    })
  }), recursive = FALSE)
  for (part in names(stores)) {
    done[[part]] <- rbind(done[[part]], do.call(rbind, lapply(found, `[[`, part)))
    utils::write.csv(done[[part]], file.path(folder, stores[[part]]), row.names = FALSE)
  }
}
