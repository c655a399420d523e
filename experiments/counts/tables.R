# The table of the stored answers, results/rates.csv. Rscript tables.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
outcomes <- utils::read.csv(file.path(folder, "outcomes.csv"))
shown <- utils::read.csv(file.path(folder, "names.csv"))
named <- shown[shown$named, ]

# Shares of outcomes with a p of at most 0.05 for counts, numbers and their logarithms; `right`:
# names that are true or have a true neighbour, |r| > 0.7, beside their mean probability.
rate_row <- function(rows, names) {
  data.frame(
    rows[1L, c("truth", "law", "covariate")], outcomes = nrow(rows), zeros = mean(rows$zeros),
    signal = mean(rows$p_value <= 0.05), numbers = mean(rows$p_numbers <= 0.05),
    logs = mean(rows$p_logs <= 0.05), names = nrow(names), right = mean(names$r > 0.7),
    probability = mean(names$probability), unrelated = sum(names$r <= 0.5) / nrow(rows)
  )
}
of_law <- function(rows, names) {
  key <- c("truth", "law", "covariate")
  do.call(rbind, lapply(split(rows, rows[key], drop = TRUE), function(one) {
    rate_row(one, merge(names, one[1L, key]))
  }))
}
every <- transform(outcomes, law = "all")
rates <- rbind(of_law(outcomes, named), of_law(every, transform(named, law = "all")))
rates <- rates[order(rates$covariate, rates$truth, rates$law), ]

rounded <- vapply(rates, is.double, NA)
rates[rounded] <- lapply(rates[rounded], round, 5)
utils::write.csv(rates, file.path(folder, "rates.csv"), row.names = FALSE)
