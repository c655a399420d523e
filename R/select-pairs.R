# Complementary pairs of halves: their plan, and how often both halves select a feature.

# 50 pairs by default, which keep the shares of events or several classes; `resampling` excludes
# `n_pairs`.
pairs_plan <- function(study, n_pairs, resampling) {
  if (is.null(resampling)) {
    n_pairs <- check_count(if (is.null(n_pairs)) 50 else n_pairs, name = "n_pairs", min = 2)
    return(resample_pairs(n_pairs, stratify = shares_classes(study, 1 / 2)))
  }
  refuse(!is.null(n_pairs), "Give either {.arg resampling} or {.arg n_pairs}, not both.")
  resampling
}

# Should runs keep the shares of events or several classes? Without one of them there is no path.
shares_classes <- function(study, fraction) {
  "pairs" %in% outcome_of(study$response)$shared && can_stratify(study, fraction)
}

# The share of pairs that selected each feature in both runs.
# @param pair (integer, or NULL) the pair of each run.
share_of_pairs <- function(selection, pair) {
  if (is.null(pair)) {
    return(NA_real_)
  }
  selected <- selection$selected
  p <- selection$n_total
  # Failed runs are empty, and so is the other run of their pair.
  both <- duplicated(rep(pair, diff(selected@p)) * as.double(p) + selected@i)
  tabulate(selected@i[both] + 1L, p) / (length(ok_runs(selection)) / 2)
}
