# Rscript run.R [repetitions]: results/jitter.csv. The same samples are measured twice, with normal
# noise of a share of each gene's standard deviation, and a list is made from the first measurement,
# without and with `jitter`. What the second measurement finds, without it, is compared.

library(stabilect)

repetitions <- as.integer(c(commandArgs(TRUE), 40)[1])
here <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))

measured <- list(
  colon = list(x = log2(colon_genes$x), y = colon_genes$y),
  mcl_sll = list(x = as.matrix(mcl_sll[, -1]), y = factor(mcl_sll$MCL))
)

frequencies <- function(x, y, jitter, seed) {
  fit <- stability_selection(x, y, q = 20, pfer = 1, jitter = jitter, n_pairs = 50, seed = seed)
  list(all = stats::setNames(fit$table$frequency, fit$table$feature), list = fit$features)
}

one <- function(name, share, run) {
  x <- measured[[name]]$x
  y <- measured[[name]]$y
  x <- x[, apply(x, 2, stats::sd) > 0]
  set.seed(run)
  noise <- share * apply(x, 2, stats::sd)
  again <- lapply(1:2, function(k) x + stats::rnorm(length(x)) * rep(noise, each = nrow(x)))
  second <- frequencies(again[[2]], y, NULL, run + 1000)
  do.call(rbind, lapply(c("without", "with"), function(way) {
    first <- frequencies(again[[1]], y, if (way == "with") noise, run)
    best <- names(utils::head(sort(first$all, decreasing = TRUE), 20))
    data.frame(
      data = name, noise = share, run = run, way = way, n = length(first$list),
      found_again = mean(first$list %in% second$list),
      frequency = mean(first$all[best]), frequency_again = mean(second$all[best]),
      off = mean(abs(first$all[best] - second$all[best]))
    )
  }))
}

cells <- expand.grid(
  run = seq_len(repetitions), share = c(0.25, 0.5, 1), name = names(measured),
  stringsAsFactors = FALSE
)
rows <- suppressMessages(Map(one, cells$name, cells$share, cells$run))
table <- do.call(rbind, rows)
results <- file.path(dirname(here), "results")
utils::write.csv(table, file.path(results, "runs.csv"), row.names = FALSE)
means <- stats::aggregate(
  cbind(n, found_again, frequency, frequency_again, off) ~ way + noise + data, table, mean,
  na.action = stats::na.pass, na.rm = TRUE
)
means[-(1:3)] <- lapply(means[-(1:3)], signif, 3)
utils::write.csv(means, file.path(results, "jitter.csv"), row.names = FALSE)
print(means)
