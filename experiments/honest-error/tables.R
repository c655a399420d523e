# How often intervals of 95 % contain the truth: results/intervals.csv, from the stored results of
# this experiment and of `stability`. Rscript tables.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
read <- function(experiment, name) {
  utils::read.csv(file.path(root, "..", experiment, "results", paste0(name, ".csv")))
}
real <- read("honest-error", "real-coverage")
new <- read("honest-error", "new-predictions")
laws <- read("stability", "laws")
laws <- laws[laws$index == "nogueira" & laws$given > 0, ]
kinds <- read("stability", "kinds")

# @param now,before (numbers, one for each cell) coverage, before of the former interval.
row <- function(interval, now, before = NULL, given = 1) {
  data.frame(
    interval, cells = length(now), given = mean(given),
    before = if (is.null(before)) NA else mean(before), now = mean(now), lowest = min(now),
    at_least_90 = sum(round(now, 2) >= 0.9)
  )
}
classes <- real$kind != "numbers"
odd <- grepl("one in", laws$law)
many <- kinds$m >= 30
table <- rbind(
  row("error_classes", real$now[classes], real$before[classes]),
  row("error_numbers", real$now[!classes], real$before[!classes]),
  row("new_prediction", new$now, new$before),
  row("stability_even", laws$coverage[!odd], given = laws$given[!odd]),
  row("stability_odd", laws$coverage[odd], given = laws$given[odd]),
  row("stability_kinds", kinds$coverage[many], kinds$plain[many]),
  row("stability_kinds_10", kinds$coverage[!many], kinds$plain[!many])
)
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], round, 4)
utils::write.csv(
  table, file.path(root, "results", "intervals.csv"), row.names = FALSE, quote = FALSE
)
