# Every call of C++ that the calls of the attack make, once more with a garbage collection at each
# allocation: what the border forgets to protect is gone then. The results must be the same.
# Rscript tools/attack-torture.R [calls of a function that are tried]
given <- as.integer(commandArgs(trailingOnly = TRUE))
most <- if (length(given) > 0L) given[1] else 2L
suppressPackageStartupMessages({
  library(testthat)
  library(stabilect)
})
space <- new.env(parent = asNamespace("stabilect"))
sys.source("tests/testthat/helper-attack.R", space)
ns <- asNamespace("stabilect")
borders <- grep("^cpp_", ls(ns), value = TRUE)
plain <- mget(borders, ns)
recorded <- stats::setNames(rep(list(list()), length(borders)), borders)

record <- function(name, arguments) {
  if (length(recorded[[name]]) < most) {
    recorded[[name]] <<- c(recorded[[name]], list(arguments))
  }
}

for (name in borders) {
  fun <- plain[[name]]
  note <- eval(bquote(function(arguments) .(record)(.(name), arguments)))
  body(fun) <- bquote({
    .(note)(as.list(environment()))
    .(body(fun))
  })
  unlockBinding(name, ns)
  assign(name, fun, ns)
}
m <- space$attack_material()
# What the valid calls of the exports leave out: other selectors, responses and indices.
number <- quote(m$x[, 1] + seq_len(20))
times <- quote(survival::Surv(seq_len(20), rep(1, 20)))
more <- c(lapply(
  rlang::exprs(
    selector_relief(3), selector_filter("mutual_information"), selector_mrmr(3), selector_learner(),
    selector_learner(learner_ridge()), selector_lasso_path(), selector_trex()
  ),
  function(selector) rlang::expr(score_features(m$x, m$y, !!selector, n_features = 3))
), rlang::exprs(
  fit_model(m$x, !!number, learner_ridge()), score_features(m$x, !!times, selector_filter("cox")),
  stability_selection(m$x, !!times, q = 2, cutoff = 0.9, n_pairs = 4, seed = 1),
  fealect(m$x, !!number, n_runs = 5, n_boot = 2, seed = 1),
  FeaLect(m$values, m$labels, 3, 3, plot.scores = FALSE, balance = TRUE),
  compute.logistic.score(m$values, m$labels), train.doctor(m$values[, 1:2], m$labels),
  stability(m$runs, "all", similarity = list(x = m$x[, rep(1:7, 2)[1:9]])),
  stability(m$scored, "all"), stability(m$runs, "intersection_mean", corrected = TRUE),
  simulate_stability(100, 5, 12, 0.6, n_weak = 3, n_simulations = 5, seed = 1,
    aggregation = aggregate_by("mean_rank"), method = "simulate"
  )
))
grDevices::pdf(NULL)
for (call in c(space$attack_calls(), more)) {
  here <- list2env(list(m = m), parent = space)
  # What `more` says and the package refuses, such as a library that is not there, calls no C++.
  run <- function() try(suppressMessages(suppressWarnings(eval(call, here))), silent = TRUE)
  utils::capture.output(withr::with_seed(1, run()))
}

bad <- character()
for (name in borders) {
  for (arguments in recorded[[name]]) {
    quiet <- do.call(plain[[name]], arguments)
    gctorture2(1, inhibit_release = TRUE)
    tortured <- tryCatch(do.call(plain[[name]], arguments), error = identity)
    gctorture2(0)
    if (!identical(quiet, tortured)) bad <- union(bad, name)
  }
  cat(sprintf(
    "%-32s %d calls, %s\n", name, length(recorded[[name]]),
    if (name %in% bad) "DIFFERS" else "the same"
  ))
}
never <- borders[lengths(recorded) == 0L]
cat(sprintf(
  "%d functions of the border called, %d with other results; not called: %s\n",
  length(borders) - length(never), length(bad), toString(never)
))
quit(status = as.integer(length(bad) > 0L))
