# How much the clusters depend on the threshold.

#' @rdname cluster_features
#' @param object (object of class `stabilect_clusters`) clusters with a tree, of up to 30,000
#'   features.
#' @param runs (`stabilect_selection`, or what [as_selection()] takes, over the same features; or
#'   `NULL`) with runs, lines show the selection frequency and the size of clusters as the threshold
#'   falls; without, the number of clusters and the size of the largest.
#' @param n_clusters (whole number >= 1) number of clusters to follow: the ones selected most often
#'   at the threshold of `object`.
#' @section Picture:
#' A cluster is followed by its representative. A frequency that is already high at thresholds near
#' 1 belongs to the feature; a frequency that rises where the cluster becomes large comes from its
#' size.
#' @exportS3Method ggplot2::autoplot
autoplot.stabilect_clusters <- function(object, runs = NULL, n_clusters = 6, ...) {
  open_picture(...)
  n_clusters <- check_count(n_clusters)
  refuse(is.null(object$tree),
    c("{.arg object} has no tree, from which clusters at other thresholds would follow.",
      i = "Trees are made of up to {n_in_tree} features."
    )
  )
  thresholds <- sort(unique(c(seq(0.3, 1, by = 0.05), object$asked$threshold)))
  if (is.null(runs)) {
    return(plot_cluster_sizes(object, thresholds))
  }
  plot_cluster_frequencies(object, as_selection(runs), thresholds, n_clusters)
}

plot_cluster_sizes <- function(object, thresholds) {
  sizes <- lapply(thresholds, function(one) {
    tabulate(cut_clusters(object$tree, one, object$asked$max_size))
  })
  table <- data.frame(
    threshold = thresholds,
    value = c(lengths(sizes), vapply(sizes, max, 0L)),
    what = rep(c("clusters", "features in the largest"), each = length(thresholds))
  )
  picture(table, ggplot2::aes(.data$threshold, .data$value),
    ggplot2::geom_vline(xintercept = object$asked$threshold, colour = "grey70"),
    ggplot2::geom_line(colour = path_colours[1]),
    ggplot2::geom_point(colour = path_colours[1]),
    ggplot2::facet_wrap(~what, scales = "free_y"),
    ggplot2::scale_x_reverse(),
    ggplot2::expand_limits(y = 0),
    x = "Correlation that suffices", y = NULL,
    title = sprintf("Clusters of %s features", figure(length(object$membership), big.mark = ",")),
    subtitle = sprintf("grey line: the threshold of %s", figure(object$asked$threshold))
  )
}

# @return (data frame) threshold, representative, frequency, size: the clusters that contain the
#   features `followed`, at each threshold.
follow_clusters <- function(object, selection, thresholds, followed) {
  bind_rows_of(thresholds, function(one) {
    code <- cut_clusters(object$tree, one, object$asked$max_size)
    names(code) <- names(object$membership)
    grouped <- group_features(selection, stats::setNames(as.character(code), names(code)))
    at <- as.character(code[followed])
    data.frame(
      threshold = one, representative = followed,
      frequency = unname(Matrix::rowMeans(grouped$selected)[match(at, grouped$feature_names)]),
      size = tabulate(code)[code[followed]]
    )
  })
}

plot_cluster_frequencies <- function(object, selection, thresholds, n_clusters) {
  grouped <- group_features(selection, object)
  frequency <- Matrix::rowMeans(grouped$selected)
  best <- utils::head(order_best(grouped$feature_names, frequency), n_clusters)
  representative <- object$table$representative[
    match(grouped$feature_names[best], object$table$cluster)
  ]
  table <- follow_clusters(object, selection, thresholds, representative)
  table$representative <- factor(table$representative, representative)
  picture(table, ggplot2::aes(.data$threshold, .data$frequency),
    ggplot2::geom_vline(xintercept = object$asked$threshold, colour = "grey70"),
    ggplot2::geom_line(colour = path_colours[1]),
    ggplot2::geom_point(ggplot2::aes(size = .data$size), colour = path_colours[1], alpha = 0.6),
    ggplot2::scale_size_area(max_size = 7, trans = "sqrt"),
    ggplot2::facet_wrap(~representative, labeller = ggplot2::label_wrap_gen(20)),
    ggplot2::scale_x_reverse(),
    ggplot2::coord_cartesian(ylim = c(0, 1)),
    x = "Correlation that suffices", y = "Share of runs", size = "Features",
    title = "What hangs on the size of clusters",
    subtitle = "the cluster of each feature, as correlations that suffice become smaller"
  )
}
