# Data whose error no simulated strength reaches: results/unreached.csv has the out-of-bag error of
# the data, the error of the strongest outcomes, and what the print says. Rscript unreached.R
# The sets must be in the folder that STABILECT_DATA names.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
commit <- system("git rev-parse --short HEAD", intern = TRUE)
seed <- 20261126L

answer <- function(name) {
  set <- experiment_data(name)
  x <- as.matrix(set$x)
  x <- x[, apply(x, 2, stats::sd) > 0]
  fit <- stability_selection(x, set$y, pfer = 1, q = 10, seed = 1, progress = FALSE)
  cal <- estimate_error_rates(
    fit, x, set$y, n_true = c(3, 10), n_simulations = 2, seed = seed, progress = FALSE
  )
  said <- utils::capture.output(print(cal))
  strongest <- cal$error[cal$error$r_squared == max(cal$error$r_squared), ]
  data.frame(
    set = name, n = nrow(x), p = ncol(x), n_true = strongest$n_true, error_data = cal$observed,
    r_squared = strongest$r_squared, error = signif(strongest$error, 4),
    error_se = signif(strongest$error_se, 4),
    says_impossible = any(grepl("cannot be said", said)), commit, seed
  )
}
rows <- do.call(rbind, lapply(c("golub", "lymphoma3_spls"), answer))
utils::write.csv(rows, file.path(folder, "unreached.csv"), row.names = FALSE)
