# Means of the stored answers: results/rates.csv. Rscript tables.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
outcomes <- utils::read.csv(file.path(folder, "outcomes.csv"))
shown <- utils::read.csv(file.path(folder, "names.csv"))
named <- shown[shown$named, ]

# `probability`, `right`: of the names; right are those that are true or have a true neighbour,
# |r| > 0.7. `background`: how often a background is more probable than none, where there is signal.
rate_row <- function(rows, prior) {
  names <- merge(named[named$prior == prior, ], rows[c("set", "truth", "classes", "repetition")])
  n <- nrow(rows)
  data.frame(
    truth = rows$truth[1L], classes = rows$classes[1L], prior, outcomes = n,
    true = sum(names$true) / n, unrelated = sum(names$r <= 0.5) / n, names = nrow(names),
    probability = mean(names$probability), right = mean(names$r > 0.7),
    background = mean(rows[[prior]] > 0.5, na.rm = TRUE)
  )
}
about <- c("set", "truth", "classes", "repetition", "seed", "r2", "p_value")
priors <- setdiff(names(outcomes), about)
groups <- split(outcomes, outcomes[c("truth", "classes")], drop = TRUE)
rates <- do.call(rbind, lapply(groups, function(rows) {
  do.call(rbind, lapply(priors, rate_row, rows = rows))
}))
rounded <- vapply(rates, is.double, NA)
rates[rounded] <- lapply(rates[rounded], round, 4)
utils::write.csv(rates, file.path(folder, "rates.csv"), row.names = FALSE)
