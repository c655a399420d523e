# The simulated selector against Algorithms 2 and 3 written down in R with vectors. From the
# package's root: Rscript bench/simulator.R
#
# The work is the paper's, for colon (2000 features, 20 selected): Figure 2, single selectors for
# 80 sizes of the pool times 100 values of p, 62 runs each, mean Jaccard over pairs; Figure 3,
# ensembles of 1 to 100 members for ten values of p, 62 ensembles each. stabilect does all of it on
# two threads, which takes half of the processor seconds given; those of R are of one thread. The R
# side is timed on a part in the same process and scaled; the rows say how much.
# Prints and writes nothing.

source(file.path("bench", "bench-helpers.R"))
suppressPackageStartupMessages(library(stabilect))

n_total <- 2000L
n_features <- 20L
n_runs <- 62L
n_threads <- 2L
sizes <- c(1L, 5L, 10L, 20L, 30L, 50L, 100L)
pools <- seq(20, 810, 10)
p_figure_2 <- seq(0.01, 1, 0.01)
p_figure_3 <- seq(0.1, 1, 0.1)

# ---- R, vectorised ---------------------------------------------------------------------------

# Which steps pick from S_m: until one urn is empty, with probability p.
rank_weak <- function(n_useful, p) {
  s <- sample.int(n_useful, n_features)
  others <- sample(seq_len(n_total)[-s])
  inside <- stats::runif(n_total) < p
  steps <- cumsum(inside) <= n_features & inside
  steps[seq_len(n_total) > n_total - n_features + cumsum(steps)] <- TRUE
  at <- which(steps)[seq_len(n_features)]
  rank <- integer(n_total)
  rank[s] <- at
  rank[others] <- seq_len(n_total)[-at]
  rank
}

select_ensemble_r <- function(n_useful, p, members) {
  total <- numeric(n_total)
  for (m in seq_len(members)) total <- total + rank_weak(n_useful, p)
  order(total)[seq_len(n_features)]
}

stability_r <- function(n_useful, p, members) {
  sets <- vapply(seq_len(n_runs), function(r) select_ensemble_r(n_useful, p, members),
    integer(n_features))
  z <- matrix(0, n_total, n_runs)
  z[cbind(as.vector(sets), rep(seq_len(n_runs), each = n_features))] <- 1
  shared <- crossprod(z)
  shared <- shared[upper.tri(shared)]
  mean(shared / (2 * n_features - shared))
}

# ---- Figure 2 --------------------------------------------------------------------------------

figure_2 <- function(engine) {
  simulate_stability(n_total, n_features, pools, p_figure_2, 1, n_simulations = n_runs,
    method = engine, seed = 1, n_threads = n_threads, progress = FALSE)$table
}
figure_3 <- function(engine, n_runs = 62) {
  simulate_stability(n_total, n_features, 60, p_figure_3, sizes, n_simulations = n_runs,
    method = engine, seed = 1, n_threads = n_threads, progress = FALSE)$table
}
timed <- function(fun) {
  fun()
  cpu_seconds(result <- fun())
}

set.seed(1)
part <- data.frame(n_useful = sample(pools, 40, TRUE), p = sample(p_figure_2, 40, TRUE))
seconds_r2 <- cpu_seconds(
  for (i in seq_len(nrow(part))) stability_r(part$n_useful[i], part$p[i], 1L)
) * length(pools) * length(p_figure_2) / nrow(part)
seconds_r3 <- cpu_seconds(values_r3 <- vapply(sizes[1:5], function(m) stability_r(60, 0.7, m), 0)) *
  sum(sizes) / sum(sizes[1:5]) * length(p_figure_3)

fast_2 <- timed(function() figure_2("simulate"))
exact_2 <- timed(function() figure_2("exact"))
fast_3 <- timed(function() figure_3("simulate"))
averaged_3 <- timed(function() figure_3("rao_blackwell"))
normal_3 <- timed(function() figure_3("asymptotic"))

row <- function(work, engine, ours, r) {
  data.frame(work = work, engine = engine, stabilect = ours, r_scaled = r, ratio = r / ours)
}
rows <- rbind(
  row("Figure 2", "simulate", fast_2, seconds_r2),
  row("Figure 2", "exact", exact_2, seconds_r2),
  row("Figure 3", "simulate", fast_3, seconds_r3),
  row("Figure 3", "rao_blackwell", averaged_3, seconds_r3),
  row("Figure 3", "asymptotic", normal_3, seconds_r3),
  row("both", "simulate", fast_2 + fast_3, seconds_r2 + seconds_r3),
  row("both", "exact, asymptotic", exact_2 + normal_3, seconds_r2 + seconds_r3)
)
cat(sprintf("R timed on %d of %d settings of Figure 2, on sizes 1 to 30 of one p of Figure 3\n",
  nrow(part), length(pools) * length(p_figure_2)))
print(rows, row.names = FALSE, digits = 3)

# ---- Errors ----------------------------------------------------------------------------------

exact <- figure_2("exact")$stability
simulated <- figure_2("simulate")$stability
cat(sprintf("\nFigure 2, simulated less exact: mean %.5f, root mean square %.4f, largest %.4f\n",
  mean(simulated - exact), sqrt(mean((simulated - exact)^2)), max(abs(simulated - exact))))
truth <- figure_3("rao_blackwell", 500)
plain <- figure_3("simulate", 200)
averaged <- figure_3("rao_blackwell", 200)
normal <- figure_3("asymptotic")
at <- abs(truth$p - 0.7) < 1e-9
print(data.frame(
  n_weak = sizes, truth = truth$stability[at], r = c(values_r3, NA, NA),
  se_simulate = plain$se[at], se_averaged = averaged$se[at],
  variance_ratio = (plain$se / averaged$se)[at]^2,
  asymptotic_error = (normal$stability - truth$stability)[at]
), row.names = FALSE, digits = 3)
