# Tables of the stored answers: results/rates.csv, calibration.csv and sizes.csv. Rscript tables.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
outcomes <- utils::read.csv(file.path(folder, "outcomes.csv"))
shown <- utils::read.csv(file.path(folder, "names.csv"))
named <- shown[shown$named, ]

# `right`: names that are true or have a true neighbour, |r| > 0.7; unrelated: |r| <= 0.5 with all.
share_of <- function(names) {
  data.frame(
    names = nrow(names), probability = mean(names$probability), right = mean(names$r > 0.7),
    unrelated = mean(names$r <= 0.5)
  )
}
key <- c("truth", "law")
rates <- do.call(rbind, lapply(split(outcomes, outcomes[key], drop = TRUE), function(rows) {
  names <- merge(named, rows[1L, key])
  data.frame(
    rows[1L, key], outcomes = nrow(rows), signal = mean(rows$p_value <= 0.05),
    true = sum(names$true) / nrow(rows), unrelated_each = sum(names$r <= 0.5) / nrow(rows),
    seconds = mean(rows$seconds), share_of(names)
  )
}))
rates <- rates[order(rates$law, rates$truth), ]

# Probabilities from 0.5, and how often they were right, by truth.
with_signal <- shown[shown$truth != "none", ]
limits <- c(0.5, 0.8, 0.9, 0.99, 1)
bins <- cut(with_signal$probability, limits, right = FALSE, include.lowest = TRUE)
calibration <- do.call(rbind, lapply(split(with_signal, list(bins, with_signal$truth)), share_of))
calibration <- data.frame(
  truth = rep(sort(unique(with_signal$truth)), each = 4), from = limits[-5], to = limits[-1],
  calibration
)

# Names of classes with fewer than five samples, and of others.
sizes <- do.call(rbind, lapply(c(TRUE, FALSE), function(small) {
  data.frame(small, share_of(named[named$truth != "none" & (named$size < 5) == small, ]))
}))

for (name in c("rates", "calibration", "sizes")) {
  table <- get(name)
  rounded <- vapply(table, is.double, NA)
  table[rounded] <- lapply(table[rounded], round, 5)
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}
