# The bend: FeaLect's list, the features above the bend of the score curve. A curve without a bend
# leaves a second choice: the features in most runs, or with at least half of the best score.

register_rule("bend", function() {
  new_list_rule(
    "bend", read = read_bend, left_out = left_out_bend, verdict = describe_bend_cut,
    measures = function(table) c("score", "frequency")
  )
})

# Total scores, the features above the cut, and how often each is above it when the runs are drawn
# again.
# @return list(moments, three_segment, cut ("bend", "majority", "half" or "none"), features,
#   above_cut).
read_bend <- function(selection, asked, seed, n_threads) {
  score <- selection$score[, ok_runs(selection), drop = FALSE]
  moments <- score_moments(score)
  curve <- fit_three_segment(moments$mean, asked$min_segment, n_threads)
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
  names <- selection$feature_names[found]
  structure(names[order_best(names, score[found])], cut = cut)
}

# The lists from the runs that did not draw each sample.
left_out_bend <- function(score, counts, asked, n_threads) {
  cpp_oob_three_segment(
    score@i, score@p, score@x, nrow(score), counts, asked$min_segment, cut_fallback(asked),
    n_threads
  )$informative
}

# The cut of the list by its name; without a cut of the curve, its replacement.
describe_bend_cut <- function(x) {
  unit <- unit_word(x$study)
  count <- count_of(length(x$features), unit)
  reason <- sprintf(
    "the score curve gives no cut: %s", gsub("\\bfeature", unit, x$three_segment$reason)
  )
  switch(x$cut,
    bend = sprintf(
      "%s above the three-segment cut, which is no test: permuted outcomes give about as many",
      count
    ),
    majority = c(sprintf("%s in at least half of the runs", count), reason),
    half = c(sprintf("%s with at least half of the best score", count), reason),
    c(sprintf("none: no %s has a score", unit), reason)
  )
}
