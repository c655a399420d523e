# Tables of the stored answers: results/rates.csv and results/calibration.csv. Rscript tables.R;
# run.R sources it.

if (!exists("folder")) {
  file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
  folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
}
responses <- readRDS(file.path(folder, "responses.rds"))
named <- readRDS(file.path(folder, "names.rds"))

# Repetitions that all namings have: they saw the same outcomes.
whole <- Reduce(intersect, split(responses$repetition, responses$naming))
responses <- responses[responses$repetition %in% whole, ]
named <- named[named$repetition %in% whole, ]

key_of <- function(rows) paste(rows$naming, rows$set, rows$cell, rows$repetition)
count <- function(what) {
  as.vector(tapply(what, factor(key_of(named), key_of(responses)), sum, default = 0))
}
responses$named <- count(named$named)
responses$true <- count(named$named & named$true)
responses$unrelated <- count(named$named & named$r <= 0.5)

# Share of all names, and the standard error of a ratio over outcomes.
rate_row <- function(rows, naming, cell) {
  share <- sum(rows$unrelated) / sum(rows$named)
  left <- rows$unrelated - share * rows$named
  n <- nrow(rows)
  data.frame(
    naming, cell, responses = n, signal = mean(rows$p_value <= 0.05), named = mean(rows$named),
    true = mean(rows$true), unrelated = mean(rows$unrelated), share,
    share_se = stats::sd(left) / sqrt(n) / mean(rows$named),
    background = mean(rows$background > 0.5, na.rm = TRUE), seconds = mean(rows$seconds)
  )
}
groups <- c(list(all = setdiff(unique(responses$cell), "component")),
  stats::setNames(nm = unique(responses$cell))
)
rates <- do.call(rbind, lapply(c("posterior", "steps"), function(naming) {
  do.call(rbind, lapply(names(groups), function(cell) {
    rows <- responses[responses$naming == naming & responses$cell %in% groups[[cell]], ]
    rate_row(rows, naming, cell)
  }))
}))

# Probabilities, and the share of features that are true or have a true neighbour, |r| > 0.7.
shown <- named[named$naming == "posterior" & named$cell != "component", ]
bins <- cut(shown$probability, c(0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 1), right = FALSE,
  include.lowest = TRUE
)
calibration <- data.frame(
  from = c(0.5, 0.6, 0.7, 0.8, 0.9, 0.99), to = c(0.6, 0.7, 0.8, 0.9, 0.99, 1),
  n = as.vector(table(bins)),
  probability = as.vector(tapply(shown$probability, bins, mean)),
  realised = as.vector(tapply(shown$r > 0.7, bins, mean))
)

write <- function(table, name) {
  rounded <- vapply(table, is.double, NA)
  table[rounded] <- lapply(table[rounded], round, 5)
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}
write(rates, "rates")
write(calibration, "calibration")
