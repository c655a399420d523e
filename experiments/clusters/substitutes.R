# Does a feature that substitutes() names take the place of a selected one that is deleted from the
# data? For each of the ten most frequent features of a result (that not every run selects), all
# runs are repeated on the same resamples without it, and the frequencies of the others compared.
# Rscript substitutes.R; writes results/substitutes.csv and results/named.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
data <- list(
  colon = list(x = log2(colon_genes$x), y = colon_genes$y),
  mcl_sll = list(x = as.matrix(mcl_sll[, -1]), y = mcl_sll$MCL)
)
procedures <- list(
  "fealect()" = function(x, y) {
    fealect(x, y, n_runs = 400, n_boot = 0, oob = FALSE, seed = 1, progress = FALSE)
  },
  "fealect(max_features = 10)" = function(x, y) {
    fealect(x, y,
      n_runs = 400, max_features = 10, n_boot = 0, oob = FALSE, seed = 1, progress = FALSE
    )
  },
  "stability_selection(q = 10, pfer = 1)" = function(x, y) {
    stability_selection(x, y, q = 10, pfer = 1, n_pairs = 200, seed = 1, progress = FALSE)
  }
)

# The pairs of one feature with all others that are in at least 2 % of the runs.
pairs_of <- function(j, x, y, procedure, runs) {
  selected <- runs$selected
  frequency <- Matrix::rowMeans(selected)
  without <- Matrix::rowMeans(as_selection(procedure(x[, -j], y))$selected)
  other <- setdiff(which(frequency >= 0.02), j)
  counts <- vapply(other, function(k) {
    c(both = sum(selected[j, ] & selected[k, ]), k = sum(selected[k, ]))
  }, numeric(2))
  m <- ncol(selected)
  m_j <- sum(selected[j, ])
  apart <- counts["both", ] * m < m_j * counts["k", ]
  p <- stats::phyper(counts["both", ], m_j, m - m_j, counts["k", ])
  data.frame(
    correlation = abs(drop(stats::cor(x[, other], x[, j]))),
    runs = ifelse(!apart, "together", ifelse(p <= 0.05, "apart, p <= 0.05", "apart, p > 0.05")),
    gain = without[match(colnames(x)[other], names(without))] - frequency[other]
  )
}

pairs <- list()
named <- list()
for (set in names(data)) {
  x <- data[[set]]$x
  y <- data[[set]]$y
  for (name in names(procedures)) {
    runs <- as_selection(procedures[[name]](x, y))
    frequency <- Matrix::rowMeans(runs$selected)
    best <- utils::head(order(-frequency * (frequency < 1)), 10)
    found <- substitutes(runs, x, features = best)$features
    named[[length(named) + 1L]] <- data.frame(
      data = set, procedure = name, features = length(best), some = sum(found$n_substitutes > 0),
      most = max(found$n_substitutes), mean = mean(found$n_substitutes)
    )
    pairs <- c(pairs, lapply(best, pairs_of, x, y, procedures[[name]], runs))
    cat(set, name, format(Sys.time()), "\n")
  }
}
pairs <- do.call(rbind, pairs)
range <- cut(pairs$correlation, c(0, 0.3, 0.5, 0.6, 0.7, 0.8, 1.01), right = FALSE,
  labels = c("0 to 0.3", "0.3 to 0.5", "0.5 to 0.6", "0.6 to 0.7", "0.7 to 0.8", "0.8 to 1")
)
parts <- split(pairs, list(pairs$runs, range), sep = ": ")
rows <- lapply(parts, function(part) {
  data.frame(
    pairs = nrow(part), mean_gain = mean(part$gain), gain_0.1 = mean(part$gain >= 0.1),
    gain_0.02 = mean(part$gain >= 0.02)
  )
})
labels <- do.call(rbind, strsplit(names(rows), ": "))
rows <- data.frame(correlation = labels[, 2], runs = labels[, 1], do.call(rbind, rows))
numbers <- vapply(rows, is.numeric, NA)
rows[numbers] <- lapply(rows[numbers], signif, 4)
utils::write.csv(rows, file.path(folder, "substitutes.csv"), row.names = FALSE)
utils::write.csv(do.call(rbind, named), file.path(folder, "named.csv"), row.names = FALSE)
