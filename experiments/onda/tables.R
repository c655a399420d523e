# From the stored cases to CSV files, the paper's number beside ours.

# The threshold of section 2.3.1: how often n uniform selectors select the most frequent feature.
draw_thresholds <- function(n, p, n_features, n_draws = 1000L) {
  vapply(seq_len(n_draws), function(i) {
    max(tabulate(replicate(n, sample.int(p, n_features)), p))
  }, 0L)
}

table_4 <- function() {
  set.seed(seed)
  rows <- lapply(seq_len(nrow(sets)), function(i) {
    t <- draw_thresholds(sets$n[i], sets$p[i], sets$n_features[i])
    data.frame(
      data = sets$data[i], m_ensemble = sets$n[i], paper = sets$t_uniform[i],
      paper_sd = sets$t_uniform_sd[i], ours = mean(t), sd = stats::sd(t), draws = length(t),
      t(vapply(3:9, function(k) mean(t == k), 0))
    )
  })
  table <- do.call(rbind, rows)
  names(table)[-(1:7)] <- paste0("share_", 3:9)
  table
}

# Features selected more than t times, for each repetition (column of the spectrum) and each t.
useful_counts <- function(spectrum, thresholds) {
  vapply(thresholds, function(t) {
    colSums(spectrum[-seq_len(t + 1L), , drop = FALSE])
  }, numeric(ncol(spectrum)))
}

describe_case <- function(result) {
  result$case[c("data", "selector", "n_tree", "mtry", "reading", "case")]
}

# One row per case: single stability and n_useful, mean and sd over repetitions of n runs (one per
# fold), and over the law of the threshold, as in the paper's 1,000 estimates.
single_table <- function(results, uniform) {
  rows <- lapply(results, function(result) {
    share <- unlist(uniform[uniform$data == result$case$data, paste0("share_", 3:9)])
    counts <- useful_counts(result$spectrum, 3:9)
    weight <- matrix(share, nrow(counts), ncol(counts), byrow = TRUE) / nrow(counts)
    centre <- sum(weight * counts)
    single <- result$stability[[1]]
    data.frame(
      describe_case(result), repetitions = length(single), single = mean(single),
      single_sd = stats::sd(single), n_useful = centre,
      n_useful_sd = sqrt(sum(weight * (counts - centre)^2))
    )
  })
  table <- do.call(rbind, rows)
  default <- table$selector == "forest" & is.na(table$mtry)
  at <- match(paste(table$data, table$n_tree), paste(table2$data, table2$n_tree))
  table$paper <- ifelse(default, table2$paper[at], NA)
  table$paper_sd <- ifelse(default, table2$paper_sd[at], NA)
  table
}

ensemble_table <- function(results) {
  rows <- lapply(results, function(result) {
    n_weak <- result$sizes
    # The time of one ensemble per fold.
    seconds <- result$seconds * n_weak / result$case$n_weak
    data.frame(
      describe_case(result), n_weak = n_weak, stability = vapply(result$stability, mean, 0),
      sd = vapply(result$stability, stats::sd, 0), repetitions = lengths(result$stability),
      accuracy = if (is.null(result$accuracy)) NA else result$accuracy, seconds = seconds,
      row.names = NULL
    )
  })
  do.call(rbind, rows)
}

# Figures 1 (right) and 7: features selected k times in n runs, mean over repetitions; of uniform
# selectors by the binomial law.
frequency_table <- function(results) {
  rows <- lapply(results, function(result) {
    info <- sets[sets$data == result$case$data, ]
    k <- seq_len(nrow(result$spectrum)) - 1L
    table <- data.frame(
      case = result$case$case, times = k, features = rowMeans(result$spectrum),
      uniform = info$p * stats::dbinom(k, info$n, info$n_features / info$p)
    )
    table[table$features > 0 | table$uniform > 0.001, ]
  })
  do.call(rbind, rows)
}

rounded <- function(table) {
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 4)
  rownames(table) <- NULL
  table
}

write_tables <- function() {
  results <- read_cases()
  uniform <- table_4()
  save_csv(rounded(uniform), "table4")
  save_csv(rounded(single_table(results, uniform)), "table2")
  save_csv(rounded(ensemble_table(results)), "ensembles")
  save_csv(rounded(frequency_table(results)), "frequencies")
}
