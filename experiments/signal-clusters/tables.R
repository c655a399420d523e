# rates.csv, which print() states, and designs.csv from whole repetitions. Run by run.R.

sets$false <- (sets$named - sets$true) / pmax(1, sets$named)
sets$far <- sets$unrelated / pmax(1, sets$named)
sets$power <- ifelse(sets$s > 0, sets$found / pmax(1, sets$s), NA)
designs_of <- lapply(split(sets, list(sets$design, sets$s > 0, sets$method)), function(one) {
  data.frame(
    method = one$method[1], design = one$design[1], signal = one$s[1] > 0,
    responses = nrow(one), units = mean(one$units), named = mean(one$named),
    any_named = mean(one$named > 0), false = mean(one$false),
    false_se = se_of(one$false, one$repetition), unrelated = mean(one$far),
    unrelated_se = se_of(one$far, one$repetition), power = mean(one$power)
  )
})
by_design <- do.call(rbind, unname(designs_of))
numbers <- vapply(by_design, is.double, NA)
by_design[numbers] <- lapply(by_design[numbers], signif, 3)
utils::write.csv(by_design, file.path(folder, "results", "designs.csv"), row.names = FALSE)

# With signal, the mean share of names without a true feature, and of those with nothing near one;
# the lowest and highest data set; without signal, the share of responses with any name.
of <- sets[sets$method == "clusters", ]
with <- of[of$s > 0, ]
without <- of[of$s == 0, ]
by_set <- tapply(with$false, with$design, mean)
rates <- data.frame(
  false = mean(with$false), false_se = se_of(with$false, with$repetition), lowest = min(by_set),
  highest = max(by_set), unrelated = mean(with$far), responses = nrow(with),
  sets = length(by_set), none_named = mean(without$named > 0), none_responses = nrow(without)
)
utils::write.csv(rates, file.path(folder, "results", "rates.csv"), row.names = FALSE)
