# The scores of the features over all runs: mean, threshold and table.

# Total scores, their threshold, and how both vary when the runs are drawn again.
threshold_scores <- function(selection, settings, seed, n_threads) {
  score <- selection$score[, ok_runs(selection), drop = FALSE]
  moments <- score_moments(score)
  threshold <- three_segment(moments$mean, settings$min_segment, n_threads)
  support <- rep(NA_real_, nrow(score))
  limits <- c(NA_real_, NA_real_)
  if (settings$n_boot > 0L) {
    boot <- cpp_bootstrap_three_segment(
      score@i, score@p, score@x, nrow(score), settings$n_boot, seed, settings$min_segment, n_threads
    )
    support <- boot$times_informative / settings$n_boot
    tail <- (1 - settings$conf_level) / 2
    limits <- centred_limits(threshold, boot$n_informative, c(tail, 1 - tail))
  }
  list(
    moments = moments, threshold = threshold, support = support,
    n_informative = data.frame(
      estimate = threshold$n_informative, lower = limits[1], upper = limits[2],
      conf_level = settings$conf_level
    )
  )
}

# A draw with replacement holds fewer distinct runs, so fewer rarely selected features: the curve is
# shorter and the knot moves. Only the spread of the replicates is used, around the estimate.
centred_limits <- function(threshold, replicates, probabilities) {
  spread <- stats::quantile(replicates, probabilities, type = 1, names = FALSE) -
    stats::quantile(replicates, 0.5, type = 1, names = FALSE)
  pmin(pmax(threshold$n_informative + spread, 0), length(threshold$scores))
}

score_table <- function(selection, fit) {
  features <- selection$feature_names
  scores <- data.frame(
    feature = features, score = unname(fit$moments$mean), se = unname(fit$moments$se),
    frequency = mean_selected(selection),
    support = fit$support, informative = features %in% fit$threshold$informative
  )
  # Ties by column number, which is what a stable order gives.
  scores <- scores[order(-scores$score, method = "radix"), ]
  rownames(scores) <- NULL
  scores
}
