# Rscript tables.R: results/rates.csv from results/outcomes.csv, a row for each verb and kind of
# data.

found <- utils::read.csv(file.path("results", "outcomes.csv"))
# Only outcomes that are complete.
size <- ifelse(found$outcome == "classes", 5, 4)
key <- do.call(paste, found[c("x", "outcome", "signal", "seed")])
found <- found[table(key)[key] == size, ]
cells <- c("verb", "within", "outcome", "signal", "x")
parts <- split(found, do.call(paste, found[cells]))
rates <- do.call(rbind, lapply(parts, function(part) {
  data.frame(part[1, cells],
    n = nrow(part), p_below_5 = mean(part$p <= 0.05), any_named = mean(part$named > 0),
    both_true = mean(part$true == 2), true = mean(part$true), wrong = mean(part$named - part$true)
  )
}))
rates <- rates[do.call(order, rates[cells]), ]
utils::write.csv(
  rates, file.path("results", "rates.csv"), row.names = FALSE, quote = FALSE, na = ""
)
