#' Clusters of correlated features
#'
#' Genes form groups that rise and fall together, and which gene of a group is selected is often
#' chance. `cluster_features()` finds the groups in the data. [group_features()] then turns runs
#' that selected genes into runs that selected clusters. The frequency of a cluster does not depend
#' on the gene that represents it.
#'
#' @param x (n x p) samples by features: a numeric matrix, a data frame, or another form that
#'   [prepare_study()] takes; at least three samples.
#' @param threshold (number in (0, 1\]) sufficient correlation, in absolute value unless `signed`. A
#'   tree of clusters is cut at the height `1 - threshold`.
#' @param linkage (string, or `NULL`) rule for joining two clusters: `"average"`, a mean correlation
#'   of their pairs of at least `threshold`, for up to 5,000 features; `"single"`, one pair with
#'   such a correlation, for any number of features. `NULL` takes `"average"` where possible.
#' @param signed (logical) keep features with a large negative correlation apart? Otherwise a
#'   feature and its negative are in one cluster.
#' @param max_size (whole number >= 1, or `Inf`) largest number of features in a cluster. A larger
#'   cluster is divided along its tree, into the largest branches of at most this size.
#' @param n_threads (whole number >= 1) number of threads for `"single"`; the clusters are the same
#'   for any number.
#'
#' @details
#' The distance of features j and k is \eqn{1 - |r_{jk}|}, with Pearson's correlation over all
#' samples (\eqn{1 - r_{jk}} with `signed`). Single linkage connects all features linked by a chain
#' of correlations of at least `threshold`. Products are computed in blocks, and the p x p matrix is
#' never stored. Its chains can be long: the ends of a cluster may hardly be correlated, which
#' `mean_correlation` shows. Average linkage gives closer clusters. A constant column is its own
#' cluster.
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
#'   \item{tree}{(`hclust`, or `NULL` above 5,000 features) gives clusters at other thresholds;
#'   [split_test()] tests its branches.}
#'   \item{asked}{(list) `threshold`, `linkage`, `signed`, `max_size`.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for missing values, fewer than three samples, a `threshold` outside
#' (0, 1\], average linkage of more than 5,000 features, and a `max_size` that more than 5,000
#' linked features exceed.
#' @references Faletto G, Bien J (2022). Cluster stability selection. arXiv:2201.00494.
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
cluster_features <- function(x, threshold = 0.7, linkage = NULL, signed = FALSE, max_size = Inf,
                             n_threads = 1) {
  check_given()
  x <- if (inherits(x, "stabilect_data")) x$x else prepare_study(x)$x
  x <- check_x(x)
  threshold <- check_fraction(threshold)
  linkage <- check_linkage(linkage, ncol(x))
  signed <- check_flag(signed)
  max_size <- check_max_size(max_size)
  n_threads <- check_count(n_threads)
  unit <- unit_columns(x)
  # If all correlations are computed anyway, a single linkage tree costs no more than a cut.
  tree <- if (ncol(x) > 1L && ncol(x) <= n_correlated) correlation_tree(unit, linkage, signed)
  code <- if (is.null(tree)) {
    linked <- cpp_linked_columns(unit, threshold, signed, n_threads)
    divide_clusters(unit, linked, threshold, signed, max_size)
  } else {
    cut_clusters(tree, threshold, max_size)
  }
  table <- cluster_table(unit, match(code, unique(code)), colnames(x), signed)
  if (!is.null(tree)) tree$labels <- colnames(x)
  of_class("stabilect_clusters",
    membership = stats::setNames(factor(table$cluster[match(code, unique(code))], table$cluster),
      colnames(x)
    ),
    table = table[order(-table$size, method = "radix"), ], tree = tree,
    asked = list(
      threshold = threshold, linkage = linkage, signed = signed, max_size = max_size
    )
  )
}

check_linkage <- function(linkage, p) {
  if (is.null(linkage)) {
    return(if (p <= n_correlated) "average" else "single")
  }
  linkage <- check_choice(linkage, c("average", "single"))
  refuse(linkage == "average" && p > n_correlated,
    c("{.arg linkage} {.val average} is for up to {n_correlated} features, not {p}.",
      i = "Use {.val single}, or fewer features, such as those with the largest variance."
    )
  )
  linkage
}

# @param unit (numeric matrix) from unit_columns().
correlation_tree <- function(unit, linkage, signed) {
  r <- crossprod(unit)
  stats::hclust(stats::as.dist(1 - if (signed) r else abs(r)), linkage)
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

# Clusters above the size limit, without a tree of all features.
divide_clusters <- function(unit, code, threshold, signed, max_size) {
  for (own in Filter(function(own) length(own) > max_size, split(seq_along(code), code))) {
    refuse(length(own) > n_correlated,
      c("{.arg max_size} cannot divide a cluster of {length(own)} features.",
        i = "Up to {n_correlated} can be divided: take a higher {.arg threshold} than {threshold}."
      )
    )
    tree <- correlation_tree(unit[, own, drop = FALSE], "single", signed)
    code[own] <- max(code) + cut_clusters(tree, threshold, max_size)
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

# The sum of the correlations of each column with all others, in blocks.
correlation_sums <- function(unit, signed) {
  total <- numeric(ncol(unit))
  for (from in seq(1L, ncol(unit), by = 512L)) {
    at <- from:min(ncol(unit), from + 511L)
    r <- crossprod(unit, unit[, at, drop = FALSE])
    total[at] <- colSums(if (signed) r else abs(r)) - colSums(unit[, at, drop = FALSE]^2)
  }
  total
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

#' @rdname cluster_features
#' @param row.names,optional,... Not used; an error if given.
#' @export
as.data.frame.stabilect_clusters <- function(x, row.names = NULL, optional = FALSE, ...) {
  refuse_dots(...)
  x$table
}
