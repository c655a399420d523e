# What rules for q find at the same promise, from results/lists.csv, between whose q it is linear.
# Rscript rules.R; writes results/rules.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
lists <- utils::read.csv(file.path(folder, "lists.csv"))

# Of a promise of pfer false positives among p features, and m samples of a run.
at_cutoff <- function(p, pfer) error_bound(p, cutoff = 0.75, pfer = pfer)$q
rules <- list(
  "cutoff 0.75" = function(p, m, pfer) at_cutoff(p, pfer),
  "cutoff 0.75, at most m / 3" = function(p, m, pfer) min(at_cutoff(p, pfer), m %/% 3),
  "cutoff 0.75, at most m / 2" = function(p, m, pfer) min(at_cutoff(p, pfer), m %/% 2),
  "cutoff 0.75, at most 2 m / 3" = function(p, m, pfer) min(at_cutoff(p, pfer), 2 * m %/% 3),
  "cutoff 0.75, at most 10" = function(p, m, pfer) min(at_cutoff(p, pfer), 10),
  "cutoff 0.65, at most 2 m / 3" = function(p, m, pfer) {
    min(error_bound(p, cutoff = 0.65, pfer = pfer)$q, 2 * m %/% 3)
  },
  "cutoff 0.75 and m, reciprocals added" = function(p, m, pfer) {
    max(1, round(1 / (1 / at_cutoff(p, pfer) + 1 / m)))
  }
)

parts <- split(lists, paste(lists$set, lists$truth, lists$pfer))
# @return one row per part of the results: what is found at the q of the rule.
read_rule <- function(rule) {
  do.call(rbind, lapply(parts, function(part) {
    whole <- is.na(part$q)
    known <- part[!whole, ]
    q <- if (is.null(rule)) NA else rule(part$p[1], part$half[1], part$pfer[1])
    at <- function(column) {
      if (is.null(rule)) part[[column]][whole] else stats::approx(known$q, known[[column]], q)$y
    }
    data.frame(
      part[1, c("set", "truth", "pfer")], q = q, true = at("true"), named = at("named"),
      unrelated = at("unrelated"), best = max(known$true)
    )
  }))
}

summarise_rule <- function(name, rule) {
  rows <- read_rule(rule)
  do.call(rbind, lapply(unique(lists$pfer), function(pfer) {
    own <- rows[rows$pfer == pfer, ]
    noise <- own[own$truth %in% c("none", "permuted"), ]
    signal <- own[!own$truth %in% c("none", "permuted"), ]
    # Where no q finds anything, a share says nothing.
    some <- signal$best >= 0.1
    data.frame(
      rule = name, pfer = pfer, true = mean(signal$true),
      share_of_best = mean(signal$true[some] / signal$best[some]),
      least_share = min(signal$true[some] / signal$best[some]),
      unrelated_max = max(signal$unrelated), null = mean(noise$named), null_max = max(noise$named)
    )
  }))
}

table <- do.call(rbind, Map(summarise_rule, c(names(rules), "integrated"), c(rules, list(NULL))))
table <- table[order(table$pfer), ]
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], signif, 3)
utils::write.csv(table, file.path(folder, "rules.csv"), row.names = FALSE)
