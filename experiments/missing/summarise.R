# Rscript summarise.R: results/rates.csv, a row for each kind, share, outcome and way of filling in,
# from results/cells.csv; results/real.csv likewise from results/metabolites.csv. `named`, `wrong`
# and `claimed` are sums, all others means over the studies that were not refused.

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
results <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")

rate <- function(rows) {
  kept <- rows[rows$refused == 0, ]
  mean_of <- function(x) if (length(x) == 0L) NA else mean(x, na.rm = TRUE)
  data.frame(
    rows[1, c("y", "missing", "kind", "how")],
    studies = nrow(rows), refused = mean(rows$refused), share = mean_of(kept$share),
    found = mean_of(kept$found), chosen = mean_of(kept$chosen), false = mean_of(kept$false),
    p_05 = mean_of(kept$signal_p <= 0.05), named = sum(kept$named), wrong = sum(kept$wrong),
    claimed = sum(kept$claimed), shown = mean_of(kept$shown), runs = mean_of(kept$runs),
    across = mean_of(kept$across), oob = mean_of(kept$oob), missed = mean_of(kept$missed),
    caution = mean_of(kept$caution)
  )
}

for (name in c(cells = "rates", metabolites = "real")) {
  path <- file.path(results, paste0(c(rates = "cells", real = "metabolites")[[name]], ".csv"))
  if (!file.exists(path)) next
  cells <- utils::read.csv(path)
  # Only replicates of which every cell is there: 12 of kind and share, three outcomes and ways.
  whole <- table(cells$replicate)
  cells <- cells[cells$replicate %in% names(whole)[whole == 108L], ]
  parts <- split(cells, cells[c("how", "missing", "kind", "y")], drop = TRUE)
  rates <- do.call(rbind, lapply(parts, rate))
  rates[] <- lapply(rates, function(v) if (is.double(v)) signif(v, 4) else v)
  utils::write.csv(rates, file.path(results, paste0(name, ".csv")), row.names = FALSE,
    quote = FALSE)
}
