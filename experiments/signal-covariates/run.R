# Does p of find_signals() hold its level with covariates? The features are genes of colon, the
# covariates are correlated with their main direction, and the response depends on the covariates
# and on nothing else.
#
#   Rscript experiments/signal-covariates/run.R [responses a cell, 1000]
#
# writes results/sizes.csv, one row per number of covariates, samples and law, and goes on
# after the last finished cell. All cells take about five minutes on one core.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
store <- file.path(if (length(file) > 0L) dirname(file) else ".", "results", "sizes.csv")
n_responses <- as.integer(c(commandArgs(TRUE), 1000L)[1])

genes <- log2(colon_genes$x)
genes <- genes[, sort(order(-apply(genes, 2, stats::sd), method = "radix")[1:200])]
main <- scale(genes) %*% svd(scale(genes))$v[, 1]
main <- drop(main) / stats::sd(main)
laws <- list(normal = rnorm, t3 = function(n) rt(n, 3), lognormal = function(n) exp(rnorm(n)))

# @return is p at most 0.05, is anything named?
one_response <- function(cell, seed) {
  set.seed(seed)
  rows <- sort(sample(nrow(genes), cell$n))
  z <- matrix(rnorm(cell$n * cell$covariates), cell$n)
  z <- 0.6 * main[rows] + 0.8 * z
  y <- rowSums(z) + laws[[cell$law]](cell$n)
  fit <- find_signals(
    genes[rows, ], y, covariates = if (ncol(z) > 0) z, permute = 99, seed = seed, progress = FALSE
  )
  c(fit$p_value <= 0.05, length(fit$features) > 0)
}

key_of <- function(rows) paste(rows$covariates, rows$n, rows$law)
grid <- expand.grid(
  covariates = c(0, 1, 5), n = c(20, 60), law = names(laws), stringsAsFactors = FALSE
)
if (file.exists(store)) grid <- grid[!key_of(grid) %in% key_of(utils::read.csv(store)), ]
for (k in seq_len(nrow(grid))) {
  found <- vapply(seq_len(n_responses), function(seed) one_response(grid[k, ], seed), c(NA, NA))
  size <- rowMeans(found)
  row <- data.frame(
    grid[k, ], responses = n_responses, signal = size[1], names = size[2],
    signal_se = sqrt(size[1] * (1 - size[1]) / n_responses)
  )
  new <- !file.exists(store)
  utils::write.table(row, store, append = !new, sep = ",", row.names = FALSE, col.names = new)
}
