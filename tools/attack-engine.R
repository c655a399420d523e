# Lasso and least-angle paths of extreme designs, against the conditions of optimality at every knot
# and between the knots, as tests/testthat/helper-kkt.R computes them from x, y and the weights.
# Rscript tools/attack-engine.R [designs] [seed]; prints the worst violation of each kind and the
# designs with violations above 1e-6, relative to the largest lambda.

source("tools/attack-store.R")
given <- as.integer(commandArgs(trailingOnly = TRUE))
n_designs <- if (length(given) > 0L) given[1] else 5000L
seed <- if (length(given) > 1L) given[2] else as.integer(Sys.time()) %% 100000L
suppressPackageStartupMessages(library(stabilect))
sys.source("tests/testthat/helper-kkt.R", environment())
sys.source("tests/testthat/helper-extreme.R", environment())
cat(sprintf("%d designs, seed %d\n", n_designs, seed))
rows <- lapply(seq_len(n_designs), function(k) {
  if (k %% 500 == 0) cat(k, "designs\n")
  check_extreme(extreme_design(seed, k))
})
rows <- do.call(rbind, rows)
dir.create(".build", showWarnings = FALSE)
utils::write.csv(rows, ".build/attack-engine.csv", row.names = FALSE)
bad <- rows[rows$how != "ok" | rows$worst > 1e-6, ]
print(stats::aggregate(cbind(designs = 1, worst) ~ kind, rows, function(v) {
  if (all(v == 1)) length(v) else max(v)
}))
store_attack("engine", data.frame(
  seed, designs = nrow(rows), worst = max(rows$worst), broken_or_refused = nrow(bad)
))
cat(sprintf("worst violation %.1e; %d designs above 1e-6 or refused\n", max(rows$worst), nrow(bad)))
if (nrow(bad) > 0L) {
  print(utils::head(bad, 30L), row.names = FALSE)
  quit(status = 1L)
}
