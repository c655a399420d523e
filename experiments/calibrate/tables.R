# rates.csv from sets.rds. Run from run.R, or alone in this folder.
#
# One row per rate, design and kind of sets (`signal`: there are true features): what is claimed,
# and what was delivered by feature (everything but a true feature is false), and up to neighbours
# (features with an absolute correlation above 0.7 with a true one are right, too), with Monte Carlo
# errors. `measure` says what these numbers are: the mean `number` of false features, their mean
# `share`, or how often there is `any` (a false name, a broken bound, a p of at most 0.05).

if (!exists("folder")) folder <- "results"
sets <- readRDS(file.path(folder, "sets.rds"))
se <- function(values) stats::sd(values) / sqrt(length(values))

measures <- c(
  p_global = "any", signals = "share", stability_none = "number", stability_unimodal = "number",
  stability_r_concave = "number", stability_q5 = "number", bolasso_s = "number",
  fealect = "share", p_any = "any", family_wise = "any", q_value = "share", fdp_bound = "any",
  p_error = "any"
)

# @return list(feature, near): one number per set.
delivered <- function(rows, rate) {
  of_sets <- rows[rows$rate == "signals", ] # one row per set
  if (rate == "fdp_bound") {
    return(list(feature = of_sets$over, near = of_sets$over_near))
  }
  if (startsWith(rate, "p_")) {
    found <- of_sets[[rate]] <= 0.05
    return(list(feature = found[!is.na(found)], near = found[!is.na(found)]))
  }
  rows <- rows[rows$rate == rate, ]
  size <- rows$true + rows$near + rows$unrelated
  measure <- function(false) {
    switch(measures[[rate]],
      any = false > 0, share = false / pmax(1, size), number = false
    )
  }
  list(feature = measure(rows$near + rows$unrelated), near = measure(rows$unrelated))
}

claimed <- function(rows, rate) {
  if (rate %in% c("p_global", "p_any", "fdp_bound", "p_error")) {
    return(0.05)
  }
  mean(rows$claim[rows$rate == rate])
}

rate_row <- function(rate, rows) {
  found <- delivered(rows, rate)
  if (length(found$feature) < 2L || startsWith(rate, "p_") && rows$s[1] > 0) {
    return(NULL)
  }
  of_rate <- rows[rows$rate == rate, ]
  data.frame(
    rate = rate, measure = measures[[rate]], design = rows$design[1], signal = rows$s[1] > 0,
    sets = length(found$feature), claimed = claimed(rows, rate), feature = mean(found$feature),
    feature_se = se(found$feature), near = mean(found$near), near_se = se(found$near),
    named = if (nrow(of_rate) > 0L) mean(of_rate$true + of_rate$near + of_rate$unrelated) else NA,
    true = if (nrow(of_rate) > 0L) mean(of_rate$true) else NA
  )
}

groups <- split(sets, list(sets$design, sets$s > 0))
pooled <- transform(sets, design = "all")
groups <- c(groups, split(pooled, pooled$s > 0))
table <- do.call(rbind, lapply(names(measures), function(rate) {
  do.call(rbind, lapply(groups, function(rows) rate_row(rate, rows)))
}))
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], signif, 4)
utils::write.csv(table, file.path(folder, "rates.csv"), row.names = FALSE)
