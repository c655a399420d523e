# Answers of the R package stabs to test-select-error-bound.R and test-select-stable.R:
# tests/testthat/fixtures/stabs.rds. Rscript data-raw/make-stabs-fixtures.R (needs stabs, lars and
# stabilect).

library(stabs)
library(stabilect)

grid <- expand.grid(
  n_pairs = c(20, 50), p = c(100, 1000), q = c(3, 10, 20),
  cutoff = c(0.55, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 1),
  assumption = c("unimodal", "r-concave", "none"), stringsAsFactors = FALSE
)
grid$pfer <- mapply(function(n_pairs, p, q, cutoff, assumption) {
  stabsel_parameters(
    p = p, q = q, cutoff = cutoff, B = n_pairs, assumption = assumption,
    sampling.type = if (assumption == "none") "MB" else "SS"
  )$specifiedPFER
}, grid$n_pairs, grid$p, grid$q, grid$cutoff, grid$assumption)

solved <- expand.grid(
  pfer = c(0.1, 0.5, 1, 5), assumption = c("unimodal", "r-concave"), stringsAsFactors = FALSE
)
solve <- function(...) stabsel_parameters(p = 1000, B = 50, ...)
solved$cutoff <- mapply(function(pfer, assumption) {
  solve(q = 15, PFER = pfer, assumption = assumption)$cutoff
}, solved$pfer, solved$assumption)
solved$q <- mapply(function(pfer, assumption) {
  solve(cutoff = 0.8, PFER = pfer, assumption = assumption)$q
}, solved$pfer, solved$assumption)

# Selection frequencies on the same pairs. lars.lasso() of stabs leaves out a feature that left the
# path and came back; the fit here takes what is in the last model, and is otherwise the same.
lars_fit <- function(x, y, q, ...) {
  fit <- lars::lars(x, y, max.steps = q, use.Gram = FALSE)
  events <- unlist(fit$actions)
  last <- !duplicated(abs(events), fromLast = TRUE)
  selected <- logical(ncol(x))
  selected[events[last & events > 0]] <- TRUE
  list(selected = setNames(selected, colnames(x)))
}
x <- as.matrix(mcl_sll[, -1])
y <- ifelse(mcl_sll$MCL == 1, 1, -1)
draws <- draw_resamples(resample_pairs(20), factor(y), seed = 1)
first <- as.matrix(draws)[, match(seq_len(20), draws$pair)] > 0
stabs_frequency <- function(fit) {
  stabsel(
    x, y, fitfun = fit, q = 6, cutoff = 0.75, B = 20,
    folds = matrix(as.integer(first), nrow(x)), mc.cores = 1
  )$max[colnames(x)]
}
frequency <- stabs_frequency(lars_fit)
own <- stabs_frequency(lars.lasso)

saveRDS(
  list(
    grid = grid, solved = solved, frequency = frequency, lars_lasso = own,
    version = as.character(packageVersion("stabs"))
  ),
  file.path("tests", "testthat", "fixtures", "stabs.rds"),
  version = 2
)
