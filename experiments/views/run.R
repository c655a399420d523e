# Rscript run.R [repetitions]: results/bounds.csv, a row for each kind of data and block.

library(stabilect)

repetitions <- c(as.integer(commandArgs(TRUE)), 200L)[1]
n <- 60L
sizes <- c(clinical = 10L, expression = 300L)

# Expression follows ten common factors.
draw <- function(signal) {
  factors <- matrix(stats::rnorm(n * 10), n)
  x <- list(
    clinical = matrix(stats::rnorm(n * 10), n),
    expression = factors %*% matrix(stats::rnorm(10 * 300), 10) / 3 +
      matrix(stats::rnorm(n * 300), n)
  )
  for (name in names(x)) colnames(x[[name]]) <- paste0(name, seq_len(sizes[name]))
  true <- list(
    none = character(), both = c("clinical1", "expression1", "expression2"),
    clinical = c("clinical1", "clinical2"), expression = c("expression1", "expression2")
  )[[signal]]
  strength <- scale(do.call(cbind, unname(x)))[, true, drop = FALSE]
  list(x = x, y = rowSums(strength) + stats::rnorm(n), true = true)
}

weights <- list(
  equal = c(clinical = 1), "clinical first" = c(clinical = 0.5), "clinical last" = c(clinical = 2),
  "chosen in runs" = "views"
)

one <- function(repetition, signal, weight) {
  set.seed(repetition)
  data <- draw(signal)
  fit <- stability_selection(
    data$x, data$y, q = 6, cutoff = 0.7, penalty = weights[[weight]], seed = repetition
  )
  false <- setdiff(fit$features, data$true)
  by <- fit$bound$by_view
  data.frame(
    signal = signal, weights = weight, block = c(by$view, "all"),
    false = c(tabulate(fit$study$roles$views[false], 2L), length(false)),
    bound = c(by$pfer, fit$bound$pfer)
  )
}

rows <- lapply(c("none", "both", "clinical", "expression"), function(signal) {
  lapply(names(weights), function(weight) {
    do.call(rbind, lapply(seq_len(repetitions), one, signal, weight))
  })
})
rows <- do.call(rbind, unlist(rows, recursive = FALSE))
table <- do.call(rbind, lapply(split(rows, rows[c("block", "weights", "signal")]), function(own) {
  known <- is.finite(own$bound)
  data.frame(
    own[1, c("signal", "weights", "block")], repetitions = nrow(own), false = mean(own$false),
    se = round(stats::sd(own$false) / sqrt(nrow(own)), 3), bound = round(mean(own$bound[known]), 3),
    without_bound = sum(!known)
  )
}))
utils::write.csv(table, "results/bounds.csv", row.names = FALSE)
