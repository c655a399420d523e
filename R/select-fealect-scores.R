# The scores of the features over all runs: mean, cut and table.

# Total scores, the features above the cut, and how often each is there when the runs are drawn
# again.
# @return list(moments, three_segment, cut ("bend", "majority" or "none"), features, above_cut).
cut_scores <- function(selection, asked, seed, n_threads) {
  score <- selection$score[, ok_runs(selection), drop = FALSE]
  moments <- score_moments(score)
  curve <- three_segment(moments$mean, asked$min_segment, n_threads)
  # Paths that were cut short have no tail of rare features, for the curve to bend away from.
  cut_short <- !is.null(asked$max_features)
  above_cut <- rep(NA_real_, nrow(score))
  if (asked$n_boot > 0L) {
    above_cut <- cpp_bootstrap_three_segment(
      score@i, score@p, score@x, nrow(score), asked$n_boot, seed, asked$min_segment, cut_short,
      n_threads
    )$times_informative / asked$n_boot
  }
  features <- curve$features
  cut <- if (curve$bends_up) "bend" else "none"
  if (cut == "none" && cut_short) {
    features <- frequent_features(selection, moments$mean)
    if (length(features) > 0L) cut <- "majority"
  }
  list(
    moments = moments, three_segment = curve, cut = cut, features = features,
    above_cut = above_cut
  )
}

# Those in at least half of the runs, by score.
frequent_features <- function(selection, score) {
  frequent <- which(mean_selected(selection) >= 0.5)
  selection$feature_names[frequent[order(-score[frequent], method = "radix")]]
}

# @param record (list) of study_record().
# @param clusters (factor, or NULL) with these, directions are those of their features, and not here.
score_table <- function(selection, fit, record, paths, clusters = NULL) {
  features <- selection$feature_names
  alone <- is.null(clusters)
  scores <- data.frame(
    feature = features, direction = if (alone) record$direction else NA,
    same_sign = if (alone) same_sign(record, selection, paths) else NA, score = unname(fit$moments$mean),
    se = unname(fit$moments$se), frequency = mean_selected(selection), above_cut = fit$above_cut,
    selected = features %in% fit$features
  )
  # Ties by column number, which is what a stable order gives.
  scores <- scores[order(-scores$score, method = "radix"), ]
  rownames(scores) <- NULL
  scores
}
