# The table of the stored answers, results/rates.csv. Rscript tables.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
outcomes <- utils::read.csv(file.path(folder, "outcomes.csv"))
shown <- utils::read.csv(file.path(folder, "names.csv"))
named <- shown[shown$named, ]

# `both`: outcomes on which each class against the rest was also tried, with its share and ours;
# `right`: names that are true or have a true neighbour, |r| > 0.7.
rate_row <- function(rows, names) {
  both <- !is.na(rows$each_p)
  data.frame(
    rows[1L, c("truth", "outcome", "covariate")], outcomes = nrow(rows),
    signal = mean(rows$p_value <= 0.05), both = sum(both),
    signal_both = mean(rows$p_value[both] <= 0.05), each_both = mean(rows$each_p[both] <= 0.05),
    zeros = mean(rows$zeros), named = nrow(names) / nrow(rows),
    true = sum(names$true) / nrow(rows), unrelated = sum(names$r <= 0.5) / nrow(rows),
    names = nrow(names), right = mean(names$r > 0.7)
  )
}
key <- c("truth", "outcome", "covariate")
rates <- do.call(rbind, lapply(split(outcomes, outcomes[key], drop = TRUE), function(rows) {
  rate_row(rows, merge(named, rows[1L, key]))
}))
rates <- rates[order(rates$covariate, rates$outcome, rates$truth), ]

rounded <- vapply(rates, is.double, NA)
rates[rounded] <- lapply(rates[rounded], round, 5)
utils::write.csv(rates, file.path(folder, "rates.csv"), row.names = FALSE)
