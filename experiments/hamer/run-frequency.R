# Selection frequency and frequency score (Eq. 15): Hamer and Dupont (2021), Figure 10; and plain
# logistic RFE over both penalties on lsvt, Figure 14. Rscript run-frequency.R; writes
# results/frequency-score.csv and results/two-penalties.csv beside this file.

library(stabilect)

here <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(here) > 0L) dirname(here) else "."
source(file.path(here, "data.R"))

# The paper does not give the settings of Figure 10; 100 runs, 20 features.
correlation_of <- function(name, data, n_stable, lambda) {
  fit <- hybrid_rfe(
    data$x, data$y,
    n_features = 20, n_stable = n_stable, lambda = lambda,
    resampling = resample_bootstrap(100), seed = 1, progress = FALSE
  )
  table <- as.data.frame(fit)
  multivariate <- table[table$stable == 0, ]
  data.frame(
    set = name, n_stable = n_stable, lambda = lambda, features = nrow(table),
    pearson = stats::cor(table$frequency, table$frequency_score),
    pearson_never_stable = stats::cor(multivariate$frequency, multivariate$frequency_score),
    spearman = stats::cor(table$frequency, table$frequency_score, method = "spearman"),
    accuracy = mean(fit$accuracy, na.rm = TRUE)
  )
}

rows <- lapply(c("singh", "chiaretti"), function(name) {
  data <- read_hamer(name, hamer_sets$p_front[hamer_sets$name == name])
  settings <- expand.grid(lambda = c(0.1, 1, 10, 100), n_stable = c(0, 5))
  do.call(rbind, Map(function(lambda, n_stable) correlation_of(name, data, n_stable, lambda),
    settings$lambda, settings$n_stable
  ))
})
frequency <- do.call(rbind, rows)
write_results(frequency, file.path(folder, "frequency-score.csv"))
print(frequency, digits = 2, row.names = FALSE)

data <- read_hamer("lsvt")
tuned <- tune_tradeoff(
  data$x, data$y, list(lambda_final = 10^(-2:4), lambda = 10^c(-1, 0, 1, 2)),
  n_features = floor(wanted_size(ncol(data$x))), n_stable = 0,
  resampling = resample_bootstrap(30), seed = 1, progress = FALSE
)
write_results(tuned$table, file.path(folder, "two-penalties.csv"))
print(tuned$table[c("lambda", "lambda_final", "accuracy", tuned$index)], digits = 2)
