# The scores of the features over all runs: mean, threshold and table.

# Total scores, their threshold, and how both vary when the runs are drawn again.
threshold_scores <- function(selection, asked, seed, n_threads) {
  score <- selection$score[, ok_runs(selection), drop = FALSE]
  moments <- score_moments(score)
  curve <- three_segment(moments$mean, asked$min_segment, n_threads)
  support <- rep(NA_real_, nrow(score))
  limits <- c(NA_real_, NA_real_)
  if (asked$n_boot > 0L) {
    boot <- cpp_bootstrap_three_segment(
      score@i, score@p, score@x, nrow(score), asked$n_boot, seed, asked$min_segment, n_threads
    )
    support <- boot$times_informative / asked$n_boot
    tail <- (1 - asked$conf_level) / 2
    limits <- centred_limits(curve, boot$n_informative, c(tail, 1 - tail))
  }
  list(
    moments = moments, three_segment = curve, support = support,
    n_features = data.frame(
      estimate = curve$n_features, lower = limits[1], upper = limits[2],
      conf_level = asked$conf_level
    )
  )
}

# A draw with replacement holds fewer distinct runs, so fewer rarely selected features: the curve is
# shorter and the knot moves. Only the spread of the replicates is used, around the estimate.
centred_limits <- function(curve, replicates, probabilities) {
  spread <- stats::quantile(replicates, probabilities, type = 1, names = FALSE) -
    stats::quantile(replicates, 0.5, type = 1, names = FALSE)
  pmin(pmax(curve$n_features + spread, 0), length(curve$scores))
}

score_table <- function(selection, fit) {
  features <- selection$feature_names
  scores <- data.frame(
    feature = features, score = unname(fit$moments$mean), se = unname(fit$moments$se),
    frequency = mean_selected(selection),
    support = fit$support, selected = features %in% fit$three_segment$features
  )
  # Ties by column number, which is what a stable order gives.
  scores <- scores[order(-scores$score, method = "radix"), ]
  rownames(scores) <- NULL
  scores
}
