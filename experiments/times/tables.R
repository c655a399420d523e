# Tables of the stored answers: results/rates.csv, calibration.csv, shares.csv and held.csv.
# Rscript tables.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
outcomes <- utils::read.csv(file.path(folder, "outcomes.csv"))
shown <- utils::read.csv(file.path(folder, "names.csv"))
named <- shown[shown$named, ]

# `both`: outcomes on which one Cox model a feature was also tried, with its share and ours.
rate_row <- function(rows, names) {
  both <- !is.na(rows$cox_p)
  data.frame(
    rows[1L, c("truth", "outcome", "covariate")], outcomes = nrow(rows),
    signal = mean(rows$p_value <= 0.05), both = sum(both),
    signal_both = mean(rows$p_value[both] <= 0.05), cox_both = mean(rows$cox_p[both] <= 0.05),
    named = nrow(names) / nrow(rows), true = sum(names$true) / nrow(rows),
    unrelated = sum(names$r <= 0.5) / nrow(rows), share = mean(names$r <= 0.5),
    seconds = mean(rows$seconds)
  )
}
key <- c("truth", "outcome", "covariate")
rates <- do.call(rbind, lapply(split(outcomes, outcomes[key], drop = TRUE), function(rows) {
  rate_row(rows, merge(named, rows[1L, key]))
}))
rates <- rates[order(rates$covariate, rates$outcome, rates$truth), ]

# Probabilities, and the share of features that are true or have a true neighbour, |r| > 0.7.
at_names <- shown[shown$truth != "none", ]
limits <- c(0.5, 0.8, 0.9, 0.99, 1)
bins <- cut(at_names$probability, limits, right = FALSE, include.lowest = TRUE)
calibration <- data.frame(
  from = limits[-5], to = limits[-1], n = as.vector(table(bins)),
  probability = as.vector(tapply(at_names$probability, bins, mean)),
  realised = as.vector(tapply(at_names$r > 0.7, bins, mean))
)
# The same by share of events, of the answers of run-shares.R; `signal`: p at most 0.05.
shares <- utils::read.csv(file.path(folder, "shares-outcomes.csv"))
at_shares <- utils::read.csv(file.path(folder, "shares-names.csv"))
at_shares <- at_shares[at_shares$truth != "none" & at_shares$named, ]
shares <- do.call(rbind, lapply(split(shares, shares$events), function(rows) {
  names <- at_shares[at_shares$events == rows$events[1], ]
  sure <- names$probability >= 0.9
  none <- rows$truth == "none"
  data.frame(
    events = rows$events[1], null = sum(none), signal_null = mean(rows$p_value[none] <= 0.05),
    outcomes = sum(!none), signal = mean(rows$p_value[!none] <= 0.05), named = nrow(names),
    probability = mean(names$probability), right = mean(names$r > 0.7),
    unrelated = mean(names$r <= 0.5), sure = sum(sure), sure_right = mean(names$r[sure] > 0.7)
  )
}))
# With a covariate, of the answers of run-held.R.
held <- utils::read.csv(file.path(folder, "held-outcomes.csv"))
at_held <- utils::read.csv(file.path(folder, "held-names.csv"))
at_held <- at_held[at_held$truth != "none" & at_held$named, ]
held <- do.call(rbind, lapply(split(held, held$events), function(rows) {
  names <- at_held[at_held$events == rows$events[1], ]
  none <- rows$truth == "none"
  data.frame(
    events = rows$events[1], null = sum(none), signal_null = mean(rows$p_value[none] <= 0.05),
    outcomes = sum(!none), signal = mean(rows$p_value[!none] <= 0.05), named = nrow(names),
    probability = mean(names$probability), right = mean(names$r > 0.7),
    unrelated = mean(names$r <= 0.5)
  )
}))
for (name in c("rates", "calibration", "shares", "held")) {
  table <- get(name)
  rounded <- vapply(table, is.double, NA)
  table[rounded] <- lapply(table[rounded], round, 5)
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}
