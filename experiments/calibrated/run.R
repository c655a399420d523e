# What lists with a calibrated cutoff deliver, on the responses of ../error-rates, beside those of a
# bound: how many names, how many of them false or unrelated to every true feature.
# Rscript run.R [repetitions, 10] [seconds of processor time]
# adds to results/sets.csv after every response and goes on from there (or from results/sets.rds)
# when run again; then it makes results/rates.csv and results/sets.rds of all.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- if (length(file) > 0L) dirname(file) else "."
arguments <- commandArgs(trailingOnly = TRUE)
repetitions <- if (length(arguments) > 0L) as.numeric(arguments[1]) else 10
seconds <- if (length(arguments) > 1L) as.numeric(arguments[2]) else Inf
source(file.path(folder, "..", "error-rates", "designs.R"))
source(file.path(folder, "..", "error-rates", "sets.R"))
# One strength.
cells <- cells[cells$s == 0 | cells$r2 == 0.6, ]

# The cutoffs that the package sharp looks at by default; for those up to 0.5 there is no bound.
all_cutoffs <- seq(0.01, 0.99, by = 0.01)

# The list with the largest score over these, for the same models.
over_all <- function(fit) {
  ns <- asNamespace("stabilect")
  ok <- ns$ok_runs(fit$selection)
  shares <- ns$shares_by_size(
    ns$runs_of_result(fit), ok, fit$calibration$largest, fit$asked,
    ns$unit_of(fit$asked, fit$study$feature_names)
  )
  z <- apply(shares, 2, function(share) {
    ns$z_of_cutoffs(share, all_cutoffs, length(ok), length(share))$z
  })
  if (all(is.na(z))) {
    return(character())
  }
  best <- arrayInd(which.max(z), dim(z))
  fit$study$feature_names[shares[, best[2]] >= all_cutoffs[best[1]] - 1e-9]
}

lists_of <- function(x, y, seed) {
  select <- function(...) {
    stability_selection(x, y, ..., permute = 0, seed = seed, progress = FALSE)
  }
  calibrated <- select(cutoff = "calibrated")
  limited <- stability_selection(calibrated, cutoff = "calibrated", pfer = 1)
  bound <- select(q = 20, pfer = 1)
  list(
    calibrated = calibrated$features, `calibrated, pfer = 1` = limited$features,
    `cutoffs from 0.01` = over_all(calibrated), `q = 20, pfer = 1` = bound$features,
    claims = c(calibrated$bound$pfer, limited$bound$pfer, NA, bound$bound$pfer)
  )
}

one_set <- function(design, cell, repetition) {
  set <- draw_set(design, cell, repetition)
  r <- abs(stats::cor(set$x, set$x[, set$truth, drop = FALSE]))
  lists <- lists_of(set$x, set$y, repetition)
  rows <- lapply(lists[names(lists) != "claims"], function(names) {
    judge(as.list(match(names, colnames(set$x))), set$truth, r)
  })
  data.frame(
    design = design, s = cell$s, r2 = cell$r2, repetition = repetition, method = names(rows),
    bound = lists$claims, do.call(rbind, rows), row.names = NULL
  )
}

sets <- run_sets(file.path(folder, "results"), one_set, repetitions, seconds)
sets$false <- sets$named - sets$true
sets$kind <- kind_of(sets$design)
rates <- lapply(
  split(sets, list(sets$method, sets$kind, sets$s > 0), drop = TRUE),
  function(one) {
    data.frame(
      method = one$method[1], kind = one$kind[1], signal = one$s[1] > 0,
      repetitions = length(unique(one$repetition)), sets = nrow(one), bound = mean(one$bound),
      named = mean(one$named), false = mean(one$false),
      false_se = se_of(one$false, one$repetition),
      unrelated = mean(one$unrelated), power = if (one$s[1] > 0) mean(one$found / one$s) else NA
    )
  }
)
rates <- do.call(rbind, unname(rates))
numbers <- vapply(rates, is.double, NA)
rates[numbers] <- lapply(rates[numbers], signif, 3)
utils::write.csv(rates, file.path(folder, "results", "rates.csv"), row.names = FALSE)
