# Does find_signals(family = "poisson") keep its promises on counts, with covariates and without?
# Real features, simulated counts, with and without signal. Rscript run.R [repetitions] [seconds of
# processor time] adds to results/outcomes.csv and results/names.csv after every repetition and goes
# on from there when run again. tables.R makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(root, "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 60)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
# Features and truths are those of the experiment on names.
source(file.path(root, "..", "names", "designs.R"))

# Counts with a mean of exp(link): negative binomial ones with much spread, Poisson ones, and
# negative binomial ones of which half are replaced by zeros.
laws <- list(
  spread = function(link) stats::rnbinom(length(link), mu = exp(link), size = 0.5),
  poisson = function(link) stats::rpois(length(link), exp(link)),
  zeros = function(link) {
    stats::rnbinom(length(link), mu = exp(link + 1), size = 2) * stats::rbinom(length(link), 1, 0.5)
  }
)

cells <- expand.grid(
  truth = c("none", "sparse"), law = names(laws), covariate = c(FALSE, TRUE),
  stringsAsFactors = FALSE
)
# Outcomes with signal take longer.
most_with_signal <- 15

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
  size <- c(1, 2)[1 + repetition %% 2]
  link <- size * (truth$signal + if (is.null(z)) 0 else z)
  list(y = laws[[cell$law]](link), z = z, at = truth$at, seed = seed, size = size)
}

one_answer <- function(x, set, cell, repetition) {
  drawn <- draw_outcome(x, set, cell, repetition)
  ask <- function(y, family = NULL) {
    find_signals(
      x, y, covariates = drawn$z, family = family, permute = 199, seed = drawn$seed,
      progress = FALSE
    )
  }
  fit <- ask(drawn$y, "poisson")
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
      key, seed = drawn$seed, size = drawn$size, n_true = length(drawn$at),
      zeros = mean(drawn$y == 0), p_value = fit$p_value, p_numbers = ask(drawn$y)$p_value,
      p_logs = ask(log1p(drawn$y))$p_value
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
  wanted <- which(cells$truth == "none" | repetition <= most_with_signal)
  found <- unlist(lapply(set_names, function(set) {
    lapply(wanted, function(i) one_answer(features[[set]], set, cells[i, ], repetition))
  }), recursive = FALSE)
  for (part in names(stores)) {
    done[[part]] <- rbind(done[[part]], do.call(rbind, lapply(found, `[[`, part)))
    utils::write.csv(done[[part]], file.path(folder, stores[[part]]), row.names = FALSE)
  }
}
