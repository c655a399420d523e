# Does find_signals(family = "poisson") keep its promises on counts, with covariates and without?
# Real features, simulated counts, with and without signal. Rscript run.R [repetitions] [seconds of
# processor time] makes results/outcomes.csv and results/names.csv. tables.R makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
# Features and truths are those of the experiment on names.
for (shared in c("designs.R", "repetitions.R")) source(file.path(root, "..", "names", shared))

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
wanted <- function(repetition) which(cells$truth == "none" | repetition <= 15)

answer <- function(x, set, cell, repetition) {
  seed <- 1000 * (100 * match(set, set_names) + as.integer(rownames(cell))) + repetition
  set.seed(seed)
  truth <- draw_truth(cell$truth, x, repetition)
  z <- if (cell$covariate) draw_covariate(x)
  size <- c(1, 2)[1 + repetition %% 2]
  y <- laws[[cell$law]](size * (truth$signal + if (is.null(z)) 0 else z))
  ask <- function(y, family = NULL) {
    find_signals(
      x, y, covariates = z, family = family, permute = 199, seed = seed, progress = FALSE
    )
  }
  fit <- ask(y, "poisson")
  outcome <- data.frame(
    seed, size, n_true = length(truth$at), zeros = mean(y == 0), p_value = fit$p_value,
    p_numbers = ask(y)$p_value, p_logs = ask(log1p(y))$p_value
  )
  list(outcome = outcome, shown = shown_features(fit, x, truth$at))
}

files <- c(outcomes = "outcomes.csv", names = "names.csv")
store_repetitions(read_command(60), files, cells, wanted, answer)
