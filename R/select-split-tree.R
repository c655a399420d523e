# Tests of the branches of a tree of features on many splits, from the top down.

# @param tree (hclust).
# @return list(order (integer, p: features by leaf), from, to (integer, 2 p - 1: the leaves of each
#   branch; joints first, then single leaves), merge).
ask_tree <- function(tree, feature_names) {
  p <- length(feature_names)
  merge <- tree$merge
  n <- NROW(merge) + 1L
  refuse(n != p, "{.arg groups} is a tree of {n} features, but {.arg x} has {p}.")
  whole <- is.numeric(merge) && NCOL(merge) == 2L &&
    identical(sort(as.integer(merge)), setdiff(seq.int(-p, p - 2L), 0L)) &&
    all(apply(merge, 1L, max) < seq_len(p - 1L))
  refuse(!whole,
    "{.arg groups} is a tree whose {.field merge} does not join all features, two branches
      at a time."
  )
  feature <- if (is.null(tree$labels)) seq_len(p) else match(tree$labels, feature_names)
  refuse(anyNA(feature),
    c("{.arg groups} is a tree of features that {.arg x} does not have, such as
      {.val {tree$labels[is.na(feature)][1]}}.",
      i = "Make it of the same columns: {.code cluster_features(x)$tree}."
    )
  )
  place <- place_branches(merge)
  order <- integer(p)
  order[place$from[p - 1L + seq_len(p)]] <- feature
  c(place, list(order = order, merge = merge))
}

# Leaves in an order in which every branch is contiguous: from the root on, the first child comes
# before the second.
place_branches <- function(merge) {
  n_joints <- nrow(merge)
  code <- ifelse(merge < 0, n_joints - merge, merge)
  size <- rep(1L, 2L * n_joints + 1L)
  for (i in seq_len(n_joints)) size[i] <- sum(size[code[i, ]])
  from <- rep(1L, length(size))
  for (i in rev(seq_len(n_joints))) {
    from[code[i, 1L]] <- from[i]
    from[code[i, 2L]] <- from[i] + size[code[i, 1L]]
  }
  list(from = from, to = from + size - 1L, child = code)
}

# @param sets (list of integer) the features of every split.
# @return (data frame) the tested branches, each after its parent.
test_tree <- function(study, draws, sets, tree, fwer) {
  leaf <- order(tree$order)
  places <- lapply(sets, function(set) leaf[set])
  n_joints <- nrow(tree$merge)
  met <- list()
  open <- list(list(branch = n_joints, above = NA_integer_, p = 0, count = -1, each = numeric()))
  while (length(open) > 0L) {
    one <- test_branch(open[[1L]], study, draws, sets, places, tree)
    open <- open[-1L]
    met <- c(met, list(one))
    if (one$p <= fwer && one$branch <= n_joints) {
      below <- lapply(tree$child[one$branch, ], function(branch) {
        list(branch = branch, above = length(met), p = one$p, count = one$count, each = one$each)
      })
      open <- c(below, open)
    }
  }
  branch_table(met, tree, study$feature_names, fwer)
}

# The p-value of a branch: at least that of its parent.
test_branch <- function(node, study, draws, sets, places, tree) {
  inside <- lapply(places, function(at) {
    at >= tree$from[node$branch] & at <= tree$to[node$branch]
  })
  count <- vapply(inside, sum, 0L)
  each <- rep_len(node$each, length(sets))
  # A branch with all features of its parent has the same p-value.
  for (b in which(count != node$count)) {
    each[b] <- if (count[b] == 0L) 1 else adjusted_part_p(study, draws, sets[[b]], inside[[b]], b)
  }
  node[c("count", "each")] <- list(count, each)
  p <- if (any(count > 0L)) aggregate_p(each[count > 0L], length(sets)) else 1
  node$p <- max(node$p, p)
  node
}

branch_table <- function(met, tree, feature_names, fwer) {
  branch <- vapply(met, `[[`, 0, "branch")
  above <- vapply(met, `[[`, 0L, "above")
  p_fwer <- vapply(met, `[[`, 0, "p")
  selected <- p_fwer <= fwer
  features <- Map(function(from, to) feature_names[sort(tree$order[from:to])], tree$from[branch],
    tree$to[branch]
  )
  size <- lengths(features)
  first <- vapply(features, `[`, "", 1L)
  # Branches with the same first feature are nested and differ in size.
  name <- ifelse(size > 1L, sprintf("%s (%d)", first, size), first)
  table <- data.frame(
    group = name, size = size, frequency = vapply(met, function(one) mean(one$count > 0L), 0),
    p_fwer = p_fwer, selected = selected, above = name[above],
    smallest = selected & !seq_along(met) %in% above[selected]
  )
  table$features <- features
  sort_rows(table, table$p_fwer)
}
