# summary.csv and rates.csv from sets.rds. Run from run.R, or alone in this folder.

if (!exists("folder")) folder <- "results"
sets <- readRDS(file.path(folder, "sets.rds"))
sets$share <- sets$unrelated / pmax(1, sets$n)
sets$any <- as.numeric(sets$unrelated > 0)
sets$names <- as.numeric(sets$n > 0)
sets$power <- ifelse(sets$s > 0, sets$hit / pmax(sets$s, 1), NA)
sets$power_near <- ifelse(sets$s > 0, sets$hit_near / pmax(sets$s, 1), NA)
se <- function(values) stats::sd(values) / sqrt(length(values))

# By data set, kind of response and method: means over responses, `_se` their Monte Carlo errors.
summarise <- function(rows) {
  columns <- c("n", "true", "near", "unrelated", "share", "any", "names", "power", "power_near")
  means <- colMeans(rows[columns])
  data.frame(
    set = rows$set[1], cell = rows$cell[1], method = rows$method[1], responses = nrow(rows),
    as.list(means), share_se = se(rows$share), names_se = se(rows$names),
    signal = mean(rows$p_value <= 0.05)
  )
}
groups <- split(sets, list(sets$set, sets$cell, sets$method))
summary <- do.call(rbind, lapply(groups, summarise))
numbers <- vapply(summary, is.numeric, NA)
summary[numbers] <- lapply(summary[numbers], signif, 3)
utils::write.csv(summary, file.path(folder, "summary.csv"), row.names = FALSE)

# The rates that print() states: with signal, the mean share of unrelated names among all named; the
# lowest and highest data set; without signal, the share of responses for which anything is named.
names_of <- sets[sets$method == "signals", ]
with <- names_of[names_of$s > 0, ]
by_set <- tapply(with$share, with$set, mean)
without <- names_of[names_of$s == 0, ]
rates <- data.frame(
  unrelated = mean(with$share), unrelated_se = se(with$share), lowest = min(by_set),
  highest = max(by_set), responses = nrow(with), sets = length(by_set),
  kinds = length(unique(with$cell)), none_named = mean(without$names),
  none_named_se = se(without$names), none_responses = nrow(without)
)
utils::write.csv(rates, file.path(folder, "rates.csv"), row.names = FALSE)

# By method, over all data sets and kinds of response.
overview <- do.call(rbind, lapply(unique(sets$method), function(method) {
  rows <- sets[sets$method == method, ]
  with <- rows[rows$s > 0, ]
  columns <- c("n", "true", "near", "unrelated", "share", "any", "power", "power_near")
  data.frame(
    method = method, as.list(colMeans(with[columns])), share_se = se(with$share),
    power_se = se(with$power), none_named = mean(rows$names[rows$s == 0]),
    none_named_se = se(rows$names[rows$s == 0])
  )
}))
overview[-1] <- lapply(overview[-1], signif, 3)
utils::write.csv(overview, file.path(folder, "overview.csv"), row.names = FALSE)
