# The tables of the stored answers: results/rates.csv, levels.csv and shares.csv. Rscript tables.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
lists <- utils::read.csv(file.path(folder, "lists.csv"))
tests <- utils::read.csv(file.path(folder, "tests.csv"))
trex <- do.call(rbind, lapply(c("trex.csv", "trex-counts.csv"), function(name) {
  utils::read.csv(file.path(folder, name))
}))

# Shares of lists with any false feature, and of the three true features that lists contain.
rate_row <- function(rows) {
  data.frame(
    rows[1L, c("outcome", "n", "signal")], lists = nrow(rows), any_false = mean(rows$false > 0),
    found = if (rows$signal[1L]) mean(rows$true) / 3 else NA, failed = mean(rows$n_failed) / 50
  )
}
every <- transform(lists, outcome = "all")
rates <- do.call(rbind, lapply(list(lists, every), function(part) {
  do.call(rbind, lapply(split(part, part[c("outcome", "n", "signal")], drop = TRUE), rate_row))
}))

# Shares of tests of false features with p at most 0.05 and 0.005.
columns <- c("scores_05", "ratio_05", "scores_005", "ratio_005")
level_row <- function(rows) {
  shares <- vapply(rows[columns], stats::weighted.mean, 0, rows$tests)
  data.frame(rows[1L, c("outcome", "n")], tests = sum(rows$tests), t(shares))
}
every <- transform(tests, outcome = "all")
levels <- do.call(rbind, lapply(list(tests, every), function(part) {
  do.call(rbind, lapply(split(part, part[c("outcome", "n")], drop = TRUE), level_row))
}))

# T-Rex: mean shares of false and of unrelated features, shares of lists with any feature and of the
# true features found.
trex$kind <- sub("_.*", "", trex$outcome)
trex$size <- trex$true + trex$near + trex$unrelated
shares <- do.call(rbind, lapply(split(trex, trex[c("kind", "design", "signal")]), function(rows) {
  data.frame(
    rows[1L, c("kind", "design", "signal")], lists = nrow(rows),
    false = mean((rows$near + rows$unrelated) / pmax(1, rows$size)),
    unrelated = mean(rows$unrelated / pmax(1, rows$size)), any = mean(rows$size > 0),
    found = mean(rows$true) / 3
  )
}))

write_rounded <- function(table, name) {
  rounded <- vapply(table, is.double, NA)
  table[rounded] <- lapply(table[rounded], round, 5)
  utils::write.csv(table, file.path(folder, name), row.names = FALSE)
}
write_rounded(rates, "rates.csv")
write_rounded(levels, "levels.csv")
write_rounded(shares, "shares.csv")
