# Rscript run.R: three questions after a list, on two data sets. results/signature.csv,
# results/alternatives.csv and results/effects.csv; data sets that are there are not computed again.

library(stabilect)

read_set <- function(name) {
  data <- experiment_data(name)
  x <- as.matrix(data$x)
  if (name == "singh") x <- log2(pmin(pmax(x, 10), 16000))
  if (name == "golub") x <- log2(pmin(pmax(x, 100), 16000))
  list(x = x[, apply(x, 2, stats::sd) > 0], y = factor(data$y))
}

add_rows <- function(name, set, table) {
  file <- file.path("results", paste0(name, ".csv"))
  utils::write.table(
    data.frame(set = set, table), file, sep = ",", row.names = FALSE, quote = TRUE, na = "",
    col.names = !file.exists(file), append = file.exists(file)
  )
}

file <- file.path("results", "effects.csv")
done <- if (file.exists(file)) unique(utils::read.csv(file)$set)
for (set in setdiff(c("golub", "singh"), done)) {
  data <- read_set(set)
  fit <- fealect(data$x, data$y, seed = 1, n_boot = 0)
  # Paths of at most ten features give shorter lists.
  short <- fealect(data$x, data$y, max_features = 10, seed = 1, n_boot = 0)
  tested <- test_signature(data$x, data$y, short, n_random = 2000, seed = 1)
  add_rows("signature", set, data.frame(tested$table, list = tested$oob$error))
  others <- alternative_lists(fit, data$x, data$y, n_features = 10, max_steps = 8, seed = 1)
  add_rows("alternatives", set, others$table[setdiff(names(others$table), "list")])
  effects <- feature_effects(fit, data$x, data$y, features = utils::head(fit$table$feature, 10))
  add_rows("effects", set, effects$table)
}
