#' Clusters of correlated features
#'
#' Genes form groups that rise and fall together, and which gene of a group is selected is often
#' chance. `cluster_features()` finds the groups in the data. [group_features()] then turns runs
#' that selected genes into runs that selected clusters. The frequency of a cluster does not depend
#' on the gene that represents it.
#'
#' @inheritParams arguments
#' @param x (n x p) samples by features: a numeric matrix, a data frame, or another form that
#'   [prepare_study()] takes; at least three samples.
#' @param threshold (number in (0, 1\]) sufficient correlation, in absolute value unless `signed`. A
#'   tree of clusters is cut at the height `1 - threshold`.
#' @param linkage (string) rule for joining two clusters: `"average"`, a mean correlation of their
#'   pairs of at least `threshold`; `"complete"`, such a correlation of all pairs; `"single"`, of
#'   one pair.
#' @param signed (logical) keep features with a large negative correlation apart? Otherwise a
#'   feature and its negative are in one cluster.
#' @param max_size (whole number >= 1, or `Inf`) largest number of features in a cluster. A larger
#'   cluster is divided along its tree, into the largest branches of at most this size.
#'
#' @details
#' The distance of features j and k is \eqn{1 - |r_{jk}|}, with Pearson's correlation over all
#' samples (\eqn{1 - r_{jk}} with `signed`). Single linkage connects all features linked by a chain
#' of correlations of at least `threshold`. Its chains can be long: the ends of a cluster may hardly
#' be correlated, which `mean_correlation` shows. Average linkage gives closer clusters, complete
#' linkage the closest. A constant column is its own cluster.
#'
#' Up to 5,000 features have the tree of [stats::hclust()]; up to 30,000 have the same tree by
#' chains of nearest neighbours (Murtagh 1983), for which 20,000 features take 0.8 GB of memory.
#' More are first divided into the clusters of single linkage, without storing the p x p matrix: no
#' cluster of another linkage is in two of these.
#'
#' No threshold is right for all data. A low one makes a few huge clusters, which most runs select
#' even without any signal: **frequent selection of a large cluster is no evidence for it**.
#' `max_size` limits this. Plot the clusters beside the runs to see how much depends on the
#' threshold.
#' @return An object of class `stabilect_clusters`, a list with
#' \describe{
#'   \item{membership}{factor of length p named by features: the cluster of each feature. Levels are
#'   in the order of the first features.}
#'   \item{table}{data frame, a row per cluster, largest first: `cluster` (name of its
#'   representative, with the size if it is above 1), `size`, `representative` (the feature with the
#'   largest mean correlation with the others; the first of several) and `mean_correlation` (of all
#'   pairs in the cluster, in absolute value unless `signed`; `NA` for one feature).}
#'   \item{tree}{(`hclust`, or `NULL` above 30,000 features) gives clusters at other thresholds;
#'   [split_test()] tests its branches.}
#'   \item{asked}{(list) `threshold`, `linkage`, `signed`, `max_size`.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for missing values, fewer than three samples, a `threshold` outside
#' (0, 1\], and more than 30,000 features that are linked at `threshold`, if they have to be
#' divided.
#' @references Faletto G, Bien J (2022). Cluster stability selection. arXiv:2201.00494.
#'
#' Murtagh F (1983). A survey of recent advances in hierarchical clustering algorithms. The Computer
#' Journal 26(4), 354-359.
#' @concept correlated features
#' @concept collinearity
#' @family selection
#' @seealso [stability_selection()], which selects clusters with a bound on false positives;
#' [explain_stability()], which finds features that replace each other in the runs.
#' @examples
#' x <- log2(colon_genes$x)[, 1:500]
#' clusters <- cluster_features(x, threshold = 0.8)
#' clusters
#' fit <- select_ensemble(x, colon_genes$y, selector_filter("t"), n_features = 10, seed = 1)
#' grouped <- group_features(fit, clusters)
#' rbind(genes = stability(fit)$table$estimate, clusters = stability(grouped)$table$estimate)
#' @export
cluster_features <- function(x, threshold = 0.7, linkage = "average", signed = FALSE,
                             max_size = Inf, n_threads = getOption("stabilect.n_threads", 1)) {
  check_given()
  x <- if (inherits(x, "stabilect_data")) pooled_draws(x) else prepare_study(x)$x
  x <- check_x(x)
  asked <- list(
    threshold = check_fraction(threshold),
    linkage = check_choice(linkage, c("average", "complete", "single")),
    signed = check_flag(signed), max_size = check_max_size(max_size)
  )
  n_threads <- check_count(n_threads)
  with_memory(clusters_of(x, asked, n_threads))
}

# @param asked (list) threshold, linkage, signed, max_size.
clusters_of <- function(x, asked, n_threads) {
  unit <- unit_columns(x)
  has_tree <- ncol(x) > 1L && ncol(x) <= n_in_tree
  tree <- if (has_tree) correlation_tree(unit, asked, colnames(x), n_threads)
  code <- if (has_tree) {
    cut_clusters(tree, asked$threshold, asked$max_size)
  } else {
    divide_linked(unit, asked, n_threads)
  }
  table <- cluster_table(unit, match(code, unique(code)), colnames(x), asked$signed)
  new_object("stabilect_clusters",
    membership = stats::setNames(factor(table$cluster[match(code, unique(code))], table$cluster),
      colnames(x)
    ),
    table = table[order(-table$size, method = "radix"), ], tree = tree, asked = asked
  )
}

# The distances of so many features take 1.8 GB.
n_in_tree <- 30000L

# @param unit (numeric matrix) from unit_columns().
# @return (hclust) labelled by `names`.
correlation_tree <- function(unit, asked, names, n_threads) {
  if (ncol(unit) <= n_correlated) {
    r <- crossprod(unit)
    distances <- stats::as.dist(1 - if (asked$signed) r else abs(r))
    tree <- stats::hclust(distances, asked$linkage)
  } else {
    found <- cpp_cluster_tree(unit, asked$linkage, asked$signed, n_threads)
    tree <- list(
      merge = cbind(found$left, found$right), height = found$height, order = leaf_order(found),
      method = asked$linkage, dist.method = NULL
    )
    class(tree) <- "hclust"
  }
  tree$labels <- names
  tree
}

# Leaves as a picture of the tree shows them: the left branch of each joint first.
leaf_order <- function(found) {
  leaves <- vector("list", length(found$left))
  take <- function(child) if (child < 0L) -child else leaves[[child]]
  for (k in seq_along(leaves)) {
    leaves[[k]] <- c(take(found$left[k]), take(found$right[k]))
    gone <- c(found$left[k], found$right[k])
    leaves[gone[gone > 0L]] <- list(NULL)
  }
  leaves[[length(leaves)]]
}

# Copies of a column must be together at threshold 1.
cut_clusters <- function(tree, threshold, max_size = Inf) {
  # Rounding can swap equal heights, which cutree() refuses.
  tree$height <- cummax(tree$height)
  whole <- stats::cutree(tree, h = 1 - threshold + 1e-12)
  if (max(tabulate(whole)) <= max_size) {
    return(whole)
  }
  n_low <- sum(tree$height <= 1 - threshold + 1e-12)
  parts <- lower_parts(tree$merge, n_low, max_size)
  match(parts, unique(parts))
}

# The largest branches of a tree (its first n_low joints) with at most max_size leaves.
# @param merge (matrix) of an hclust.
# @return (integer) a number for each leaf, equal within a branch.
lower_parts <- function(merge, n_low, max_size) {
  n <- nrow(merge) + 1L
  size <- integer(n_low)
  for (i in seq_len(n_low)) {
    child <- merge[i, ]
    size[i] <- sum(ifelse(child < 0L, 1L, size[abs(child)]))
  }
  # From the root on, everything below a joint belongs to its branch.
  branch <- integer(n_low)
  part <- -seq_len(n)
  for (i in rev(seq_len(n_low))) {
    if (branch[i] == 0L && size[i] <= max_size) branch[i] <- i
    child <- merge[i, ]
    if (branch[i] > 0L) {
      part[-child[child < 0L]] <- branch[i]
      branch[child[child > 0L]] <- branch[i]
    }
  }
  part
}

# Clusters of more features than have a tree. A joint at a mean or a smallest correlation of at
# least `threshold` has a pair with such a correlation: what is not linked stays apart.
divide_linked <- function(unit, asked, n_threads) {
  code <- cpp_linked_columns(unit, asked$threshold, asked$signed, n_threads)
  most <- if (asked$linkage == "single") asked$max_size else 1
  for (own in Filter(function(own) length(own) > most, split(seq_along(code), code))) {
    refuse(length(own) > n_in_tree,
      c("{.arg threshold} {asked$threshold} links {length(own)} features, too many to divide.",
        i = "Up to {n_in_tree} can be divided: take a higher {.arg threshold}."
      )
    )
    tree <- correlation_tree(unit[, own, drop = FALSE], asked, NULL, n_threads)
    code[own] <- max(code) + cut_clusters(tree, asked$threshold, asked$max_size)
  }
  code
}

check_max_size <- function(max_size) {
  if (identical(max_size, Inf)) {
    return(max_size)
  }
  check_count(max_size)
}

# @param code (integer, p) clusters numbered in the order of their first features.
# @return (data frame) a row per cluster, in that order.
cluster_table <- function(unit, code, names, signed) {
  members <- split(seq_along(code), code)
  size <- lengths(members)
  best <- vapply(members, `[`, 0L, 1L)
  mean_correlation <- rep(NA_real_, length(size))
  for (k in which(size > 1L)) {
    own <- members[[k]]
    total <- correlation_sums(unit[, own, drop = FALSE], signed)
    best[k] <- own[which.max(signif(total, 12))]
    mean_correlation[k] <- sum(total) / (size[k] * (size[k] - 1))
  }
  cluster <- ifelse(size > 1L, sprintf("%s (%d)", names[best], size), names[best])
  data.frame(
    cluster = cluster, size = unname(size), representative = names[best],
    mean_correlation = mean_correlation
  )
}

describe_max_size <- function(max_size) {
  if (is.infinite(max_size)) "" else sprintf(", up to %d features", max_size)
}

#' @exportS3Method
facts_of.stabilect_clusters <- function(x, n = 10L) {
  several <- x$table[x$table$size > 1L, ]
  p <- length(x$membership)
  new_facts(
    "Clusters of correlated features",
    sprintf("%s features", figure(p, big.mark = ",")),
    sprintf(
      "%s linkage, %s >= %s%s", x$asked$linkage, if (x$asked$signed) "r" else "|r|",
      figure(x$asked$threshold), describe_max_size(x$asked$max_size)
    ),
    verdict = list(List = c(
      sprintf(
        "%s, %s of them with more than one feature", count_of(nrow(x$table), "cluster"),
        figure(nrow(several), big.mark = ",")
      ),
      if (nrow(several) > 0L) {
        sprintf(
          "the largest has %s features (%s of all)", figure(several$size[1], big.mark = ","),
          as_percent(several$size[1] / p)
        )
      }
    )),
    sections = list(if (nrow(several) > 0L) {
      new_section(
        several, n, digits = 2,
        below = "group_features(result, clusters) counts how often each is selected"
      )
    })
  )
}
