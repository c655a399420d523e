# Samples that belong together: what find_signals() names with and without being told. Real
# features; batches shift all features and the response, or every patient gives two samples.
# Rscript blocks.R [repetitions, 50]; writes results/blocks.csv; 5 minutes on one core.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
source(file.path(dirname(folder), "designs.R"))
repetitions <- c(as.numeric(commandArgs(trailingOnly = TRUE)), 50)[1]

# Eight batches: they shift every feature with a variance of 1/2, and the response with one of 1.
batches <- function(x, cell) {
  batch <- sample(rep_len(1:8, nrow(x)))
  truth <- draw_truth(x, cell)
  y <- draw_response(x, truth, cell)
  shift <- matrix(stats::rnorm(8 * ncol(x)), 8)
  y <- y + stats::rnorm(8)[batch]
  list(x = x + shift[batch, ] / sqrt(2), y = y, truth = truth, block = batch)
}

# Two samples of each patient, apart by a tenth of the variance, with the patient's response.
patients <- function(x, cell) {
  truth <- draw_truth(x, cell)
  patient <- rep(seq_len(nrow(x)), each = 2)
  twice <- x[patient, ] + stats::rnorm(2 * length(x), sd = 1 / 3)
  list(x = twice, y = draw_response(x, truth, cell)[patient], truth = truth, block = patient)
}

one <- function(x, kind, cell_name, set, repetition) {
  set.seed(1000 * repetition + 10 * match(set, set_names) + match(cell_name, names(cells)))
  drawn <- get(kind)(x, cells[[cell_name]])
  find <- function(...) {
    find_signals(drawn$x, drawn$y, ..., null = "rotation", permute = 199, seed = repetition)
  }
  fits <- list(blocks = find(blocks = drawn$block), none = find())
  r <- stats::cor(x, x[, drawn$truth, drop = FALSE])
  rows <- do.call(rbind, lapply(fits, function(fit) {
    judge(as.list(match(fit$features, colnames(x))), drawn$truth, r)
  }))
  data.frame(
    kind = kind, cell = cell_name, told = names(fits), s = length(drawn$truth), rows,
    signal = vapply(fits, function(fit) fit$p_value <= 0.05, NA)
  )
}

jobs <- expand.grid(
  repetition = seq_len(repetitions), set = c("skf_GLIOMA", "khan", "gravier"),
  cell_name = c("few", "none"), kind = c("batches", "patients"), stringsAsFactors = FALSE
)
features <- lapply(stats::setNames(nm = unique(jobs$set)), read_features)
rows <- do.call(rbind, lapply(seq_len(nrow(jobs)), function(k) {
  do.call(one, c(list(features[[jobs$set[k]]]), jobs[k, ]))
}))
rows$share <- rows$unrelated / pmax(1, rows$n)
rows$power <- rows$hit / pmax(1, rows$s)
rows$named <- as.numeric(rows$n > 0)
se <- function(values) stats::sd(values) / sqrt(length(values))
groups <- split(rows, rows[c("kind", "cell", "told")], drop = TRUE)
table <- do.call(rbind, lapply(groups, function(g) {
  data.frame(
    kind = g$kind[1], cell = g$cell[1], told = g$told[1], responses = nrow(g),
    signal = mean(g$signal), signal_se = se(g$signal), named = mean(g$named),
    named_se = se(g$named), n = mean(g$n), share = mean(g$share),
    share_se = se(g$share), power = mean(g$power), power_se = se(g$power)
  )
}))
numbers <- vapply(table, is.double, NA)
table[numbers] <- lapply(table[numbers], signif, 3)
utils::write.csv(table, file.path(folder, "blocks.csv"), row.names = FALSE)
