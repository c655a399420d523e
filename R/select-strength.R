# How strong the features are in the runs that select them, see ?plot_strength.

# @param object (result with runs).
# @return (numeric, one per feature of its selection, NA for those that no run selected) medians
#   over runs, or NULL where all features of a run enter at one penalty.
run_strengths <- function(object) {
  if (has_scores(object)) {
    return(strength_by_score(object$selection))
  }
  if (max(path_ends(object$paths)$n_steps) > 1L) strength_by_path(object)
}

# Do the runs score features? Others have them in their models, and paths say when they entered.
has_scores <- function(object) inherits(object, c("stabilect_fealect", "stabilect_ensemble"))

strength_by_score <- function(selection) {
  selected <- selection$selected
  each <- lapply(ok_runs(selection), function(run) {
    own <- selected@i[seq_len(selected@p[run + 1L] - selected@p[run]) + selected@p[run]] + 1L
    score <- selection$score[, run]
    score[!is.finite(score)] <- NA
    lowest <- min(0, score, na.rm = TRUE)
    best <- max(score, lowest, na.rm = TRUE)
    data.frame(feature = own, value = (score[own] - lowest) / (best - lowest))
  })
  median_by_feature(do.call(rbind, each), selection$n_total)
}

strength_by_path <- function(object) {
  selection <- object$selection
  paths <- unit_of(object$study)$paths(object$paths)
  entries <- first_entries(paths, path_ends(object$paths)$first, Inf)
  selected <- selection$selected[cbind(entries$feature, entries$run)]
  values <- data.frame(feature = entries$feature, value = entries$lambda)[selected, ]
  median_by_feature(values, selection$n_total)
}

median_by_feature <- function(values, n_total) {
  values <- values[!is.na(values$value), ]
  unname(c(tapply(values$value, factor(values$feature, seq_len(n_total)), stats::median)))
}
