# The scores of the features in all runs; their mean, cut and table.

# The scores of all runs; a run selects the features that it scores.
# @param record (study, or the record of one).
# @return list(selection), with clusters also features: the selection of their members.
score_runs <- function(runs, record, asked) {
  draws <- runs$draws
  if (all(runs$status != "ok")) abort_no_run(runs$status)
  if (!is.null(asked$clusters)) {
    scores <- score_clusters(runs$paths, asked$clusters, asked$max_features)
    return(list(
      selection = selection_of_scores(scores$clusters, runs, draws),
      features = selection_of_scores(scores$features, runs, draws)
    ))
  }
  score <- score_matrix(runs$scores, record$feature_names)
  list(selection = selection_of_scores(score, runs, draws))
}

selection_of_scores <- function(score, runs, draws) {
  new_selection(
    score = score, selected = methods::as(score, "nMatrix"), status = runs$status,
    method = paste("fealect:", format(draws$plan)), resamples = draws, seed = draws$seed,
    data_hash = runs$hash
  )
}

# Total scores, the features above the cut, and how often each is above it when the runs are drawn
# again.
# @return list(moments, three_segment, cut ("bend", "majority", "half" or "none"), features,
#   above_cut).
cut_scores <- function(selection, asked, seed, n_threads) {
  score <- selection$score[, ok_runs(selection), drop = FALSE]
  moments <- score_moments(score)
  curve <- three_segment(moments$mean, asked$min_segment, n_threads)
  above_cut <- rep(NA_real_, nrow(score))
  if (asked$n_boot > 0L) {
    above_cut <- cpp_bootstrap_three_segment(
      score@i, score@p, score@x, nrow(score), asked$n_boot, seed, asked$min_segment,
      cut_fallback(asked), n_threads
    )$times_informative / asked$n_boot
  }
  features <- curve$features
  cut <- "bend"
  if (!curve$bends_up) {
    features <- stand_in_features(selection, moments$mean, asked)
    cut <- attr(features, "cut")
  }
  list(
    moments = moments, three_segment = curve, cut = cut, features = as.character(features),
    above_cut = above_cut
  )
}

# The replacement if the score curve gives no cut: paths that were cut short have no tail of rare
# features, and a few strong features leave no curve above them. On whole paths with more samples
# than features, a majority of the runs has nearly every feature: half of the best score is used
# there.
cut_fallback <- function(asked) if (is.null(asked$max_features)) 1L else 2L

# @return (character, best first) with the attribute `cut`: "majority" (in at least half of the
#   runs), "half" (at least half of the best score) or "none" (no feature has a score).
stand_in_features <- function(selection, score, asked) {
  found <- if (cut_fallback(asked) == 2L) which(mean_selected(selection) >= 0.5)
  cut <- "majority"
  if (length(found) == 0L) {
    found <- which(score > 0 & 2 * score >= max(score))
    cut <- if (length(found) == 0L) "none" else "half"
  }
  structure(selection$feature_names[found[order(-score[found], method = "radix")]], cut = cut)
}

# @param record (list) of study_record().
# @param clusters (factor, or NULL) directions are of features, and unknown here with clusters.
score_table <- function(selection, fit, record, paths, clusters = NULL) {
  features <- selection$feature_names
  alone <- is.null(clusters)
  scores <- data.frame(
    feature = features, direction = if (alone) record$direction else NA,
    same_sign = if (alone) same_sign(record, selection, paths) else NA,
    score = unname(fit$moments$mean), se = unname(fit$moments$se),
    frequency = mean_selected(selection), above_cut = fit$above_cut,
    selected = features %in% fit$features
  )
  # Ties by column number: the order is stable.
  scores <- scores[order(-scores$score, method = "radix"), ]
  rownames(scores) <- NULL
  scores
}
