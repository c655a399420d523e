# On how many of the features above the cut should the final model of counts and of several classes
# be fitted, and with which penalty? Loss on 1,000 new samples, relative to that `without` features,
# of ridge regression on the best n / 5, n / 10 and n / 20 of them. 500 features in blocks of ten
# with correlation 0.5; `n_true` of them, in different blocks, have the coefficient `effect` (for
# classes: for one of three classes in turn). Counts have the mean 3; losses are mean Poisson
# deviances, and mean log losses of classes.
#
#   Rscript experiments/honest-error/sizes-likelihood.R [data sets a cell, 15]
#
# writes results/sizes-likelihood.csv; about 20 minutes on one core.

library(stabilect)

folder <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
source(file.path(folder, "blocks.R"))

draw_counts <- function(x, effects) {
  rpois(nrow(x), 3 * exp(drop(x %*% effects) - sum(effects^2) / 2))
}

draw_classes <- function(x, effects) {
  at <- which(effects != 0)
  weights <- matrix(0, p, 3)
  weights[cbind(at, rep_len(1:3, length(at)))] <- effects[at]
  gumbel <- matrix(-log(-log(runif(3 * nrow(x)))), nrow(x))
  factor(c("a", "b", "c")[max.col(x %*% weights + gumbel)], c("a", "b", "c"))
}

loss_of <- function(model, x, y) {
  if (is.factor(y)) {
    odds <- predict(model, x, type = "probability")
    return(unname(measure_predictions(y, predict(model, x), odds, metric = "log_loss")))
  }
  unname(measure_predictions(y, predict(model, x), metric = "poisson_deviance"))
}

one_set <- function(n, effects, kind) {
  simulate <- if (kind == "counts") draw_counts else draw_classes
  family <- if (kind == "counts") "poisson" else "multinomial"
  model <- paste0("ridge_", family)
  x <- draw(n)
  y <- simulate(x, effects)
  new_x <- draw(1000)
  new_y <- simulate(new_x, effects)
  fit <- fealect(x, y, n_runs = 30, n_boot = 0, oob = FALSE, family = family, progress = FALSE)
  loss <- function(size, lambda = NULL) {
    chosen <- head(fit$features, size)
    loss_of(fit_model(x, y, chosen, model = model, lambda = lambda), new_x, new_y)
  }
  lambdas <- if (kind == "classes") list(1, 3, 10, 30) else list(NULL)
  values <- lapply(lambdas, function(lambda) {
    vapply(n %/% c(5, 10, 20), loss, 0, lambda = lambda)
  })
  unlist(values) / loss(0)
}

arguments <- commandArgs(TRUE)
n_sets <- if (length(arguments) > 0L) as.integer(arguments[1]) else 15L
cells <- expand.grid(
  n = c(60, 120), signal = c("none", "3 of 0.5", "3 of 1", "12 of 0.4"),
  kind = c("counts", "classes"), stringsAsFactors = FALSE
)
set.seed(1)
rows <- lapply(seq_len(nrow(cells)), function(row) {
  cell <- cells[row, ]
  n_true <- switch(cell$signal, none = 0, "12 of 0.4" = 12, 3)
  effect <- switch(cell$signal, none = 0, "3 of 0.5" = 0.5, "3 of 1" = 1, 0.4)
  effects <- replace(numeric(p), seq(1, by = 10, length.out = n_true), effect)
  lambdas <- if (cell$kind == "classes") c(1, 3, 10, 30) else NA
  values <- vapply(
    seq_len(n_sets), function(i) one_set(cell$n, effects, cell$kind), numeric(3 * length(lambdas))
  )
  means <- matrix(round(rowMeans(values), 3), 3)
  data.frame(
    cell, lambda = lambdas, sets = n_sets, "n/5" = means[1, ], "n/10" = means[2, ],
    "n/20" = means[3, ], check.names = FALSE, row.names = NULL
  )
})
table <- do.call(rbind, rows)
utils::write.csv(table, file.path(folder, "results", "sizes-likelihood.csv"), row.names = FALSE)
