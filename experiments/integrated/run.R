# How many false features stability_selection(pfer = 1) and (fdr = 0.2) select, without and with
# true features, on independent, block-correlated and real features.
# Rscript run.R [repetitions, 200]; writes results/rates.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
repetitions <- c(as.numeric(commandArgs(trailingOnly = TRUE)), 200)[1]
genes <- scale(log2(colon_genes$x))

draw_x <- function(design, n) {
  p <- 1000
  x <- matrix(stats::rnorm(n * p), n)
  if (design == "independent") {
    return(list(x = x, near = diag(p) > 0))
  }
  # Blocks of 20 features with this correlation.
  r <- as.numeric(sub("blocks ", "", design))
  block <- rep(seq_len(p / 20), each = 20)
  shared <- matrix(stats::rnorm(n * p / 20), n)
  list(x = sqrt(1 - r) * x + sqrt(r) * shared[, block], near = outer(block, block, "=="))
}

one_set <- function(design, n, n_true, doubled, seed) {
  set.seed(seed)
  drawn <- if (design == "colon") list(x = genes, near = abs(stats::cor(genes)) > 0.5)
  if (is.null(drawn)) drawn <- draw_x(design, n)
  x <- drawn$x
  true <- sample(ncol(x), n_true)
  # Half of the variance of y is due to the true features.
  signal <- if (n_true > 0L) drop(x[, true, drop = FALSE] %*% rep(1, n_true)) else 0
  y <- signal + stats::rnorm(n) * (if (n_true > 0L) stats::sd(signal) else 1)
  q <- if (doubled) n %/% 5
  fit <- stability_selection(
    x, y, pfer = 1, q = q, bound = "integrated", seed = seed, progress = FALSE
  )
  related <- if (n_true > 0L) rowSums(drawn$near[, true, drop = FALSE]) > 0 else logical(ncol(x))
  count <- function(result) {
    named <- match(result$features, result$study$feature_names)
    c(length(named), sum(!named %in% true), sum(!related[named]))
  }
  by_pfer <- count(fit)
  by_fdr <- count(stability_selection(fit, fdr = 0.2))
  c(
    selected = by_pfer[1], false = by_pfer[2], unrelated = by_pfer[3],
    fdr_selected = by_fdr[1], fdr_false = by_fdr[2] / max(1, by_fdr[1]),
    fdr_unrelated = by_fdr[3] / max(1, by_fdr[1])
  )
}

cells <- rbind(
  expand.grid(design = c("independent", "blocks 0.5", "blocks 0.8"), n = c(60, 120),
    n_true = c(0, 5), doubled = c(FALSE, TRUE), stringsAsFactors = FALSE
  ),
  expand.grid(design = "colon", n = nrow(genes), n_true = c(0, 5), doubled = c(FALSE, TRUE),
    stringsAsFactors = FALSE
  )
)
rows <- lapply(seq_len(nrow(cells)), function(k) {
  cell <- cells[k, ]
  values <- vapply(seq_len(repetitions), function(seed) {
    one_set(cell$design, cell$n, cell$n_true, cell$doubled, seed)
  }, numeric(6))
  data.frame(
    design = cell$design, n = cell$n, n_true = cell$n_true,
    q = if (cell$doubled) "n / 5" else "n / 10", as.list(rowMeans(values)),
    false_se = stats::sd(values["false", ]) / sqrt(repetitions),
    fdr_false_se = stats::sd(values["fdr_false", ]) / sqrt(repetitions), repetitions = repetitions
  )
})
table <- do.call(rbind, rows)
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], signif, 3)
utils::write.csv(table, file.path(folder, "rates.csv"), row.names = FALSE)
