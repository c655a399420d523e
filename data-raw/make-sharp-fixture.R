# Calibration scores of sharp (github.com/barbarabodinier/sharp) on given selection proportions, for
# the fixture sharp.rds.
#
# SHARP=<sources, version 1.4.8> Rscript data-raw/make-sharp-fixture.R

sharp <- new.env()
for (file in list.files(file.path(Sys.getenv("SHARP"), "R"), full.names = TRUE)) {
  if (basename(file) %in% c("metrics.R", "stability_score.R", "PFER.R")) {
    sys.source(file, sharp)
  }
}
set.seed(1)
n_runs <- 40
share <- t(vapply(1:6, function(q) {
  rbinom(30, n_runs, pmin(1, c(rep(0.15 * q, 5), rep(0.02 * q, 25)))) / n_runs
}, numeric(30)))
cutoffs <- seq(0.51, 1, by = 0.01)
found <- sharp$StabilityMetrics(
  share, pi_list = cutoffs, K = n_runs, graph = FALSE
)
# The pair that sharp takes, with any bound, and with the bounds of both papers at most 2.
chosen <- function(...) {
  found <- sharp$StabilityMetrics(share, pi_list = cutoffs, K = n_runs, graph = FALSE, ...)
  best <- which.max(found$S)
  list(q = found$Q[best], cutoff = found$P[best], z = found$S[best], allowed = !is.na(found$S_2d))
}
saveRDS(
  list(
    share = share, n_runs = n_runs, cutoffs = cutoffs, z = found$S_2d, sizes = found$Q[, 1],
    free = chosen(), none = chosen(PFER_method = "MB", PFER_thr_blocks = 2),
    unimodal = chosen(PFER_method = "SS", PFER_thr_blocks = 2)
  ),
  file.path("tests", "testthat", "fixtures", "sharp.rds"), version = 2
)
