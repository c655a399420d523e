# Nulls and judges whose work is likelihood paths, or many selections: processor seconds of one
# thread, one turn each, on simulated data (likelihood_study(), expression_like()) and colon. The
# outcomes of fealect() follow one strong feature: no permutation reaches it, and all 199 are done.
#
#   Rscript bench/judges.R          all of them
#   Rscript bench/judges.R 4 6      two of them

source(file.path("bench", "bench-helpers.R"))
library(stabilect)

study <- likelihood_study(100, 2000, "factors", 2)
small <- likelihood_study(115, 200, "factors", 5)
large <- expression_like(181, 12530, 1)
colon <- list(x = log2(colon_genes$x), y = colon_genes$y)

null_of <- function(family) {
  stability_selection(study$x, study[[family]],
    q = 20, n_pairs = 50, permute = 199, paths = path_control(family = family), seed = 1,
    progress = FALSE
  )
}
strong <- withr::with_seed(4, {
  eta <- 3 * scale(study$x[, 7])[, 1]
  list(
    binomial = factor(stats::rbinom(100, 1, stats::plogis(2 * eta))),
    cox = survival::Surv(stats::rexp(100, exp(eta)), stats::rbinom(100, 1, 0.7)),
    multinomial = cut(eta + stats::rnorm(100, 0, 0.5), c(-Inf, -2, 0, 2, Inf), labels = 1:4)
  )
})
fealect_null <- function(family) {
  fealect(study$x, strong[[family]],
    n_runs = 100, n_boot = 0, permute = 199, paths = path_control(family = family), seed = 1,
    progress = FALSE
  )
}
tasks <- list(
  "stability_selection(permute = 199), Cox, 100 x 2000" = function() null_of("cox"),
  "stability_selection(permute = 199), logistic, 100 x 2000" = function() null_of("binomial"),
  "stability_selection(permute = 199), four classes, 100 x 2000" = function() {
    null_of("multinomial")
  },
  "evaluate_elimination(), survival, 115 x 200" = function() {
    evaluate_elimination(small$x, small$cox, seed = 1, progress = FALSE)
  },
  "estimate_error_rates(), colon" = function() {
    estimate_error_rates(
      stability_selection(colon$x, colon$y, q = 20, seed = 1), colon$x, colon$y,
      seed = 1, progress = FALSE
    )
  },
  "evaluate_replication(), stability_selection(), 181 x 12533" = function() {
    evaluate_replication(
      stability_selection(large$x, large$y, q = 20, seed = 1), large$x, large$y,
      seed = 1, progress = FALSE
    )
  },
  "fealect(permute = 199), Cox, 100 x 2000" = function() fealect_null("cox"),
  "fealect(permute = 199), logistic, 100 x 2000" = function() fealect_null("binomial"),
  "fealect(permute = 199), four classes, 100 x 2000" = function() fealect_null("multinomial")
)

asked <- commandArgs(TRUE)
for (task in if (length(asked)) names(tasks)[as.integer(asked)] else names(tasks)) {
  seconds <- tryCatch(cpu_seconds(tasks[[task]]()), error = function(e) {
    message(task, ": ", conditionMessage(e))
    NA
  })
  rows <- data.frame(task = task, seconds = seconds)
  record("judges", rows, file = file.path("bench", "judges.csv"))
}
