# Rscript adds.R [repetitions]: results/adds.csv, what a view adds out of bag against what it adds
# on 2,000 new samples; results/chosen.csv, the error on new samples with weights chosen in the
# runs and with equal weights.

library(stabilect)

repetitions <- c(as.integer(commandArgs(TRUE)), 100L)[1]
n <- 60L
n_new <- 2000L
sizes <- c(clinical = 10L, expression = 300L)

# As in run.R, with the loadings of the factors drawn first: new samples are of the same kind.
draw <- function(signal, outcome) {
  loadings <- matrix(stats::rnorm(10 * 300), 10) / 3
  sample_of <- function(n) {
    x <- list(
      clinical = matrix(stats::rnorm(n * 10), n),
      expression = matrix(stats::rnorm(n * 10), n) %*% loadings + matrix(stats::rnorm(n * 300), n)
    )
    for (name in names(x)) colnames(x[[name]]) <- paste0(name, seq_len(sizes[name]))
    strength <- list(
      none = 0, both = x$clinical[, 1] + x$expression[, 1], clinical = rowSums(x$clinical[, 1:2]),
      expression = rowSums(x$expression[, 1:2]), dense = rowSums(x$clinical) / 2
    )[[signal]]
    y <- 1.5 * strength + stats::rnorm(n)
    list(x = x, y = if (outcome == "classes") factor(y > 0, labels = c("a", "b")) else y)
  }
  list(seen = sample_of(n), new = sample_of(n_new))
}

new_error <- function(fit, x, y) {
  x <- do.call(cbind, unname(x))
  if (is.factor(y)) mean(predict(fit, x, type = "class") != y) else mean((predict(fit, x) - y)^2)
}

one <- function(repetition, signal, outcome) {
  set.seed(repetition)
  data <- draw(signal, outcome)
  x <- data$seen$x
  y <- data$seen$y
  seed <- repetition
  quick <- function(x, ...) fealect(x, y, n_runs = 50, n_boot = 0, ..., seed = seed)
  fit <- quick(x, oob = "views")
  chosen <- quick(x, penalty = "views", oob = TRUE)
  error <- new_error(fit, data$new$x, data$new$y)
  without <- vapply(names(x), function(name) {
    rest <- names(x) != name
    new_error(quick(x[rest], oob = FALSE), data$new$x[rest], data$new$y)
  }, 0)
  half <- (fit$views$upper - fit$views$lower) / 2
  list(
    adds = data.frame(
      signal, outcome, block = fit$views$view, adds = fit$views$adds,
      lower = fit$views$lower, upper = fit$views$upper, truth = without - error, half
    ),
    chosen = data.frame(
      signal, outcome, oob = fit$oob$error, oob_chosen = chosen$oob$error, error,
      error_chosen = new_error(chosen, data$new$x, data$new$y),
      weight = chosen$views$weight[1] / chosen$views$weight[2]
    )
  )
}

cells <- expand.grid(
  repetition = seq_len(repetitions), signal = c("none", "both", "clinical", "expression", "dense"),
  outcome = c("classes", "numbers"), stringsAsFactors = FALSE
)
done <- Map(one, cells$repetition, cells$signal, cells$outcome)
adds <- do.call(rbind, lapply(done, `[[`, "adds"))
chosen <- do.call(rbind, lapply(done, `[[`, "chosen"))

by <- function(table, columns, summary) {
  groups <- split(table, table[columns], drop = TRUE)
  rows <- do.call(rbind, lapply(groups, function(own) {
    cells <- vapply(summary(own), function(value) round(value, 3), 0)
    data.frame(own[1, columns, drop = FALSE], repetitions = nrow(own), t(cells))
  }))
  rownames(rows) <- NULL
  rows
}

utils::write.csv(by(adds, c("signal", "outcome", "block"), function(own) {
  list(
    adds = mean(own$adds), truth = mean(own$truth),
    covered = mean(own$lower <= own$truth & own$truth <= own$upper),
    above_zero = mean(own$lower > 0), below_zero = mean(own$upper < 0)
  )
}), "results/adds.csv", row.names = FALSE)
utils::write.csv(by(chosen, c("signal", "outcome"), function(own) {
  difference <- own$error_chosen - own$error
  list(
    error = mean(own$error), error_chosen = mean(own$error_chosen),
    se = stats::sd(difference) / sqrt(nrow(own)), oob = mean(own$oob),
    oob_chosen = mean(own$oob_chosen), weight = stats::median(own$weight)
  )
}), "results/chosen.csv", row.names = FALSE)
