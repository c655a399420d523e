# Which pair of q and cutoff parts the features best: the calibration score of the package sharp
# (Bodinier et al. 2023), from the paths that are there.

cutoffs_picture <- function(object) {
  table <- score_cutoffs(object)
  best <- which.max(table$z)
  if (length(best) == 0L) {
    abort("There is nothing to plot: no feature was in any model.", call = rlang::caller_env(2))
  }
  ggplot2::ggplot(table, ggplot2::aes(.data$q, .data$cutoff, fill = .data$z)) +
    ggplot2::geom_raster(na.rm = TRUE) +
    ggplot2::geom_point(data = table[best, ], colour = path_colours[2], size = 2.6) +
    ggplot2::scale_fill_gradientn(colours = similarity_colours, na.value = "grey88") +
    ggplot2::scale_x_continuous(breaks = rank_ticks(max(table$q)), expand = c(0, 0)) +
    ggplot2::scale_y_continuous(expand = c(0, 0)) +
    # The best may lie on the edge.
    ggplot2::coord_cartesian(clip = "off") +
    ggplot2::labs(
      x = "Features that each run selects (q)", y = "Cutoff", fill = "z",
      title = "How clearly pairs of q and cutoff part the features",
      subtitle = sprintf(
        "largest at q = %d and cutoff %s (%s); a rule of thumb without an error rate",
        table$q[best], format(table$cutoff[best]), count_of(table$n_selected[best], "feature")
      )
    ) +
    plain_theme()
}

# @return (data frame, a row for every q and cutoff) q, cutoff, n_selected, z (NA where all or no
#   features are on one side).
score_cutoffs <- function(object) {
  runs <- ok_runs(object$selection)
  feature <- sort(unique(abs(object$paths$event)))
  largest <- path_limit(object$bound$q, object$asked, object$study$p)
  share <- cpp_frequency_by_size(object$paths, feature, largest, object$asked$score_rule)
  # Failed runs have no path, and count as not selecting anything.
  share <- share * length(object$paths$run_events) / length(runs)
  cutoffs <- seq(0.51, 1, by = 0.01)
  parts <- lapply(seq_len(largest), function(q) {
    data.frame(q = q, cutoff = cutoffs, z_of_cutoffs(
      share[, q], cutoffs, length(runs), object$study$p
    ))
  })
  do.call(rbind, parts)
}

# The z statistic by which features with frequencies of at least the cutoff are selected more often
# than the others, all their runs being pooled.
# @param share (numeric) frequencies of some of p features; those of the others are zero.
z_of_cutoffs <- function(share, cutoffs, n_runs, p) {
  above <- outer(share, cutoffs, function(a, b) a >= b - 1e-9)
  n_selected <- colSums(above)
  trials_in <- n_runs * n_selected
  trials_out <- n_runs * (p - n_selected)
  hits_in <- n_runs * colSums(above * share)
  hits_out <- n_runs * sum(share) - hits_in
  pooled <- (hits_in + hits_out) / (n_runs * p)
  z <- (hits_in / trials_in - hits_out / trials_out) /
    sqrt(pooled * (1 - pooled) * (1 / trials_in + 1 / trials_out))
  data.frame(n_selected = as.integer(n_selected), z = replace(z, !is.finite(z), NA))
}
