# Stability selection of clusters: how many false ones it names where a bound of 1 was asked for,
# and how many true features they hold; equal and unequal blocks that are known, and clusters found
# in the data, as they are and with at most so many features.
# Rscript run.R [repetitions, 100]; writes results/rates.csv.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
repetitions <- c(as.numeric(commandArgs(trailingOnly = TRUE)), 100)[1]
genes <- scale(log2(colon_genes$x))

# Sizes of blocks of 1,000 features with correlation 0.8 inside.
sizes <- list(
  "equal blocks" = rep(10, 100), "unequal blocks" = c(rep(100, 5), rep(10, 20), rep(1, 300))
)
draw_x <- function(design, n = 60) {
  if (design == "colon") {
    return(list(x = genes, block = NULL))
  }
  block <- rep(seq_along(sizes[[design]]), sizes[[design]])
  shared <- matrix(stats::rnorm(n * max(block)), n)
  own <- matrix(stats::rnorm(n * length(block)), n)
  x <- sqrt(0.8) * shared[, block] + sqrt(0.2) * own
  colnames(x) <- paste0("f", seq_along(block))
  list(x = x, block = stats::setNames(sprintf("block %d", block), colnames(x)))
}

# What is selected: the labels of the features, NULL for features.
found <- function(threshold, max_size = Inf) {
  force(threshold)
  force(max_size)
  function(drawn) cluster_features(drawn$x, threshold, max_size = max_size)$membership
}
features <- function(drawn) NULL
known <- function(drawn) drawn$block
ways <- list(
  "equal blocks" = list(features = features, "known blocks" = known, "found, 0.7" = found(0.7)),
  "unequal blocks" = list(
    features = features, "known blocks" = known, "found, 0.7" = found(0.7),
    "found, 0.7, up to 30" = found(0.7, 30)
  ),
  colon = list(
    features = features, "found, 0.6" = found(0.6), "found, 0.6, up to 100" = found(0.6, 100),
    "found, 0.6, up to 30" = found(0.6, 30), "found, 0.7" = found(0.7)
  )
)
# The genes are the same in every repetition.
of_genes <- lapply(ways$colon, function(way) way(draw_x("colon")))

one_set <- function(design, n_true, seed) {
  set.seed(seed)
  drawn <- draw_x(design)
  x <- drawn$x
  true <- sample(ncol(x), n_true)
  # Half of the variance of y is due to the true features.
  signal <- if (n_true > 0L) drop(x[, true, drop = FALSE] %*% rep(1, n_true)) else 0
  y <- signal + stats::rnorm(nrow(x)) * (if (n_true > 0L) stats::sd(signal) else 1)
  rows <- lapply(names(ways[[design]]), function(way) {
    clusters <- if (design == "colon") of_genes[[way]] else ways[[design]][[way]](drawn)
    fit <- stability_selection(x, y,
      q = 10, pfer = 1, clusters = clusters, permute = 0, seed = seed, progress = FALSE
    )
    unit <- if (is.null(clusters)) colnames(x) else as.character(clusters)
    named <- selected(fit)
    data.frame(
      design = design, n_true = n_true, way = way, units = length(unique(unit)),
      largest = max(table(unit)), bound = fit$bound$pfer, named = length(named),
      false = sum(!named %in% unit[true]), found = sum(unit[true] %in% named),
      size = if (length(named) > 0L) mean(table(unit)[named]) else NA_real_
    )
  })
  do.call(rbind, rows)
}

cells <- expand.grid(
  design = c(names(sizes), "colon"), n_true = c(0, 5), stringsAsFactors = FALSE
)
rows <- lapply(seq_len(nrow(cells)), function(k) {
  sets <- lapply(seq_len(repetitions), one_set, design = cells$design[k], n_true = cells$n_true[k])
  sets <- do.call(rbind, sets)
  cat(cells$design[k], cells$n_true[k], format(Sys.time()), "\n")
  parts <- split(sets, factor(sets$way, unique(sets$way)))
  do.call(rbind, lapply(parts, function(part) {
    data.frame(
      part[1, c("design", "n_true", "way")], repetitions = repetitions,
      units = round(mean(part$units)), largest = max(part$largest), bound = max(part$bound),
      named = mean(part$named), false = mean(part$false),
      false_se = stats::sd(part$false) / sqrt(repetitions), found = mean(part$found),
      size = mean(part$size, na.rm = TRUE)
    )
  }))
})
rows <- do.call(rbind, rows)
numbers <- vapply(rows, is.numeric, NA)
rows[numbers] <- lapply(rows[numbers], signif, 4)
utils::write.csv(rows, file.path(folder, "rates.csv"), row.names = FALSE)
