# Calls of the attack that go through the border, with a garbage collection at every few allocations:
# what the border forgets to protect is gone then. The results must be those of a quiet run.
# Rscript tools/attack-torture.R [allocations between collections]
given <- as.integer(commandArgs(trailingOnly = TRUE))
step <- if (length(given) > 0L) given[1] else 50L
suppressPackageStartupMessages({
  library(testthat)
  library(stabilect)
})
space <- new.env(parent = asNamespace("stabilect"))
sys.source("tests/testthat/helper-attack.R", space)
material <- space$attack_material()
calls <- space$attack_calls()
through_border <- c(
  "FeaLect", "aggregate_runs", "bolasso", "compare_stability", "draw_resamples",
  "eliminate_features", "estimate_stability", "fealect", "find_signals", "fit_model", "hybrid_rfe",
  "importance_flip", "lars_path", "lasso_path", "score_features", "select_ensemble",
  "simulate_stability", "stability", "stability_selection", "three_segment", "validate_model"
)
value <- function(call) {
  here <- list2env(list(m = material), parent = space)
  withr::with_seed(1, suppressWarnings(eval(call, here)))
}
bad <- character()
for (name in through_border) {
  quiet <- value(calls[[name]])
  started <- proc.time()[["elapsed"]]
  gctorture2(step, inhibit_release = TRUE)
  tortured <- tryCatch(value(calls[[name]]), error = identity)
  gctorture2(0)
  same <- isTRUE(all.equal(quiet, tortured, tolerance = 0, check.environment = FALSE))
  cat(sprintf(
    "%-20s %s, %.0f s\n", name, if (same) "the same" else "DIFFERS",
    proc.time()[["elapsed"]] - started
  ))
  if (!same) bad <- c(bad, name)
}
quit(status = as.integer(length(bad) > 0L))
