# Which prior of the background should find_signals() have? Names with several priors of the same
# outcomes, on sets of features that experiments/names does not use. Rscript run.R [repetitions]
# [seconds of processor time] adds to results/outcomes.csv and results/names.csv after every
# repetition, and goes on from there when run again. tables.R makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
for (shared in c("designs.R", "repetitions.R")) source(file.path(root, "..", "names", shared))
headers <- system.file("include", package = "stabilect")
withr::with_envvar(
  c(PKG_CPPFLAGS = paste0("-Wno-ignored-attributes -I", headers)),
  Rcpp::sourceCpp(file.path(root, "names.cpp"))
)

set_names <- c("golub", "chiaretti", "alon", "skf_nci9")
read_features <- function(name) {
  x <- as.matrix(stabilect::experiment_data(name)$x)
  if (name %in% c("golub", "alon")) x <- log2(pmin(pmax(x, 10), 16000))
  x <- x[, apply(x, 2, stats::sd) > 0]
  if (ncol(x) > n_features) x <- x[, sort(withr::with_seed(1, sample(ncol(x), n_features)))]
  dimnames(x) <- list(NULL, paste0("f", seq_len(ncol(x))))
  scale(x)[, ]
}
truths$component <- function(x, repetition) {
  list(at = integer(), signal = unit(svd(x, nu = 10, nv = 0)$u[, 1 + repetition %% 10]))
}

# @param none (number) probability of no background; spread (number) of one of all features; the
#   rest of one of the first components; leading (integer) numbers of these.
prior <- function(none, spread, leading = integer(), ratio = 0.8) {
  tau <- c(0, 0.3, 1, 3, rep(c(0.3, 1, 3, 10), length(leading)))
  k <- 4 * length(leading)
  list(ratio = ratio, backgrounds = data.frame(
    tau, leading = c(0L, 0L, 0L, 0L, rep(as.integer(leading), each = 4)),
    weight = c(none, rep(spread / 3, 3), rep((1 - none - spread) / k, k))
  ))
}
priors <- list(
  before = prior(0.9, 0.1), half = prior(0.5, 0.5), first_5 = prior(0.9, 0.3 / 7, 5),
  chosen = prior(0.85, 0.05, c(5, 10)), more = prior(0.7, 0.1, c(5, 10)),
  small_models = prior(0.85, 0.05, c(5, 10), ratio = 0.5)
)

cells <- expand.grid(
  truth = c("sparse", "mixed", "weak20", "component"), classes = c(FALSE, TRUE),
  stringsAsFactors = FALSE
)

answer <- function(x, set, cell, repetition) {
  seed <- 1e6 + 1e4 * match(set, set_names) + 1000 * as.integer(rownames(cell)) + repetition
  set.seed(seed)
  truth <- draw_truth(cell$truth, x, repetition)
  r2 <- c(0.4, 0.7)[1 + repetition %% 2]
  y <- sqrt(r2) * truth$signal + sqrt(1 - r2) * stats::rnorm(nrow(x))
  if (cell$classes) y <- (y > stats::median(y)) + 0
  null <- replicate(199, max(abs(stats::cor(x, sample(y)))))
  p_value <- (1 + sum(null >= max(abs(stats::cor(x, y))) - 1e-9)) / 200
  found <- if (p_value <= 0.05) names_by_prior(x, y, cell$classes, seed, priors)
  like <- if (length(truth$at) > 0L) x[, truth$at, drop = FALSE] else matrix(truth$signal)
  shown <- empty_names
  for (k in seq_along(found)) {
    one <- found[[k]]
    r <- abs(stats::cor(x[, one$feature, drop = FALSE], like))
    if (length(one$feature) > 0L) {
      shown <- rbind(shown, data.frame(
        prior = names(priors)[k], probability = one$probability, named = one$named,
        true = one$feature %in% truth$at, r = apply(r, 1, max)
      ))
    }
  }
  background <- vapply(seq_along(priors), function(k) {
    if (is.null(found)) NA_real_ else found[[k]]$background
  }, 0)
  list(
    outcome = data.frame(seed, r2, p_value, t(stats::setNames(background, names(priors)))),
    shown = shown
  )
}
empty_names <- data.frame(
  prior = character(), probability = numeric(), named = logical(), true = logical(), r = numeric()
)

files <- c(outcomes = "outcomes.csv", names = "names.csv")
store_repetitions(read_command(24), files, cells, function(repetition) seq_len(nrow(cells)), answer)
