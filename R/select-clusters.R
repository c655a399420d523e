# Stability selection of clusters of features (Faletto & Bien 2022).

# @param clusters as the user gave them.
# @return (factor with the names of the features, or NULL) the cluster of each. A feature in no
#   cluster is a cluster of its own.
check_clusters <- function(clusters, feature_names, score_rule = "size") {
  if (is.null(clusters)) {
    return(NULL)
  }
  refuse(score_rule == "step",
    c("{.code score_rule = \"step\"} counts the steps of a path, not {.arg clusters}.",
      i = "Take {.code score_rule = \"size\"}."
    )
  )
  if (inherits(clusters, "stabilect_clusters")) clusters <- clusters$membership
  # Cluster numbers from cutree().
  if (is.numeric(clusters) && !is.object(clusters) && is.null(dim(clusters))) {
    clusters <- stats::setNames(as.character(clusters), names(clusters))
  }
  members <- group_members(clusters, feature_names, "keep", "clusters")
  again <- anyDuplicated(members$feature)
  if (again > 0L) {
    of <- members$names[members$group[members$feature == members$feature[again]]]
    abort("Feature {.val {feature_names[members$feature[again]]}} is in two of the
      {.arg clusters}: {.val {of[1]}} and {.val {of[2]}}.")
  }
  refuse(length(members$names) < 2L,
    c("All {length(feature_names)} features are in one of the {.arg clusters}.",
      i = "Take clusters of features that are more alike: a higher {.arg threshold} of
        {.fn cluster_features}."
    )
  )
  code <- integer(length(feature_names))
  code[members$feature] <- members$group
  stats::setNames(factor(members$names[code], members$names), feature_names)
}

check_cluster_number <- function(n_clusters, q) {
  refuse(!is.null(q) && q > n_clusters,
    "{.arg q} is {q}, but there are only {n_clusters} clusters."
  )
}

# The unit of selection.
unit_word <- function(asked) if (is.null(asked$clusters)) "feature" else "cluster"

# Makes features of a cluster comparable: mean, standard deviation, and sign of the correlation with
# the feature of the cluster that is most similar to the others.
# @return list(scaling = data frame of p rows), or NULL without clusters.
cluster_scaling <- function(x, clusters) {
  if (is.null(clusters)) {
    return(NULL)
  }
  unit <- unit_columns(x)
  sign <- rep(1, ncol(x))
  for (own in split(seq_along(clusters), clusters)) {
    if (length(own) > 1L) {
      part <- unit[, own, drop = FALSE]
      middle <- which.max(signif(correlation_sums(part, FALSE), 12))
      sign[own] <- ifelse(drop(crossprod(part, part[, middle])) < 0, -1, 1)
    }
  }
  mean <- colMeans(x)
  sd <- sqrt(colSums((x - rep(mean, each = nrow(x)))^2) / (nrow(x) - 1))
  constant <- colSums(abs(unit)) == 0
  scaling <- data.frame(mean = mean, sd = ifelse(constant, 1, sd), sign = sign)
  list(scaling = data.frame(scaling, row.names = NULL))
}

# Sets of features as sets of the clusters that contain them.
select_clusters <- function(selection, clusters) {
  if (is.null(clusters)) {
    return(selection)
  }
  members <- group_members(clusters, names(clusters), "keep", "clusters")
  grouped <- group_selection(selection, members, "max", NULL)
  grouped$method <- sprintf("%s; %d clusters of features", selection$method, nlevels(clusters))
  grouped
}

# @param features (stabilect_selection) the models of the runs.
new_cluster_selection <- function(record, runs, features, asked, bound) {
  selection <- select_clusters(features, asked$clusters)
  members <- member_table(record, features, asked$clusters)
  table <- cluster_rows(record, features, runs$paths, members, asked$clusters)
  table$frequency <- mean_selected(selection)
  table$simultaneous <- share_of_pairs(selection, runs$draws$pair)
  table$selected <- table$frequency >= bound$cutoff - 1e-9
  last <- c("size", "representative", "members")
  table <- table[order(-table$frequency, method = "radix"), c(setdiff(names(table), last), last)]
  rownames(table) <- NULL
  short <- Matrix::colSums(selection$selected)[ok_runs(selection)] < bound$q
  new_result(
    "stabilect_stability_selection",
    table = table, features = table$feature[table$selected], bound = bound, selection = selection,
    members = members, member_selection = features, paths = runs$paths, resamples = runs$draws,
    asked = asked, study = record,
    made = run_account(selection, runs$draws, runs$until, n_short = sum(short))
  )
}

# A row for each feature: cluster, feature, frequency, weight, in the order of the columns.
member_table <- function(record, features, clusters) {
  frequency <- mean_selected(features)
  members <- data.frame(
    cluster = as.character(clusters), feature = record$feature_names, frequency = frequency,
    weight = weigh_members(frequency, clusters, "weighted")
  )
  # Repeats have none, because nothing is predicted from them.
  if (is.null(record$scaling)) members else cbind(members, record$scaling)
}

# Faletto & Bien (2022), section 3: the weights of the members of each cluster sum to 1.
weigh_members <- function(frequency, clusters, how) {
  code <- as.integer(clusters)
  raw <- switch(how,
    weighted = frequency,
    simple = rep(1, length(frequency)),
    best = as.numeric(frequency >= stats::ave(frequency, code, FUN = max) - 1e-9)
  )
  total <- rowsum(raw, code)[code]
  ifelse(total > 0, raw / total, 1 / tabulate(code)[code])
}

# A column for each of the clusters `named`, see predict.stabilect_stability_selection().
# @param x (matrix) a column for each row of `members`.
cluster_columns <- function(x, members, weight, named) {
  x <- (x - rep(members$mean, each = nrow(x))) / rep(members$sd, each = nrow(x))
  place <- match(members$cluster, named)
  own <- which(!is.na(place))
  shares <- matrix(0, length(own), length(named))
  shares[cbind(seq_along(own), place[own])] <- (weight * members$sign)[own]
  x[, own, drop = FALSE] %*% shares
}

# A row for each cluster, in the order of the levels.
cluster_rows <- function(record, features, paths, members, clusters) {
  code <- as.integer(clusters)
  place <- order(code, -members$frequency, method = "radix")
  best <- place[!duplicated(code[place])]
  data.frame(
    feature = levels(clusters), direction = record$direction[best],
    same_sign = same_sign(record, features, paths)[best], size = tabulate(code),
    representative = record$feature_names[best], members = name_members(members, code, place)
  )
}

# The selected features of each cluster with their shares, the largest first.
name_members <- function(members, code, place) {
  place <- place[members$frequency[place] > 0]
  text <- sprintf("%s %.2f", members$feature[place], members$weight[place])
  text <- vapply(split(text, factor(code[place], seq_len(max(code)))), function(own) {
    paste(c(utils::head(own, 5L), if (length(own) > 5L) "..."), collapse = ", ")
  }, "")
  unname(text)
}
