# Stability selection of clusters of features (Faletto & Bien 2022).

check_cluster_number <- function(n_clusters, q) {
  refuse(!is.null(q) && q > n_clusters,
    "{.arg q} is {q}, but there are only {n_clusters} clusters."
  )
}

# Makes features of a cluster comparable: mean, standard deviation, and sign of the correlation with
# the feature of the cluster that is most similar to the others.
# @return list(scaling = data frame of p rows).
cluster_scaling <- function(x, clusters) {
  unit <- unit_columns(x)
  sign <- rep(1, ncol(x))
  # Of two members each is as similar to the other: then the first by name.
  by_name <- order_names(colnames(x))
  for (own in split(by_name, clusters[by_name])) {
    if (length(own) > 1L) {
      part <- unit[, own, drop = FALSE]
      middle <- which.max(round(correlation_sums(part, FALSE), 10))
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
  members <- group_members(clusters, names(clusters), "keep", "clusters")
  grouped <- group_selection(selection, members, "max", NULL)
  grouped$method <- sprintf("%s; %d clusters of features", selection$method, nlevels(clusters))
  grouped
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

# All of the clusters `wanted` of a result, for its substitutes.
columns_of_clusters <- function(x, object, runs, wanted) {
  members <- object$members
  features <- list(
    feature_names = members$feature, n_total = nrow(members), study = object$study
  )
  x <- match_data(x, features, "x")
  cluster_columns(x, members, members$weight, runs$feature_names[wanted])
}

# A row for each cluster, in the order of the levels.
cluster_rows <- function(record, features, paths, members, clusters) {
  code <- as.integer(clusters)
  place <- order_names(members$feature)
  place <- place[order(code[place], -members$frequency[place], method = "radix")]
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

# Every cluster as one column, its mean profile. Profiles do not use the response: all statements
# about columns are valid for them.
# @param clusters (factor of check_clusters()).
# @return list(study (whose columns are clusters), members (data frame, p rows in the order of the
#   features: cluster, feature, correlation with the profile)).
cluster_profiles <- function(study, clusters) {
  x <- study$x
  scaling <- cluster_scaling(x, clusters)$scaling
  code <- as.integer(clusters)
  size <- tabulate(code)
  own <- (x - rep(scaling$mean, each = nrow(x))) * rep(scaling$sign / scaling$sd, each = nrow(x))
  profiles <- t(rowsum(t(own), code)) / rep(size, each = nrow(x))
  dimnames(profiles) <- list(rownames(x), levels(clusters))
  # Constant features have none.
  square <- colSums(own^2)
  shared <- scaling$sign * colSums(own * profiles[, code, drop = FALSE])
  correlation <- ifelse(square > 1e-9, shared / sqrt(square * colSums(profiles^2)[code]), 0)
  study[c("x", "p", "feature_names")] <- list(profiles, ncol(profiles), levels(clusters))
  list(study = study, members = data.frame(
    cluster = as.character(clusters), feature = names(clusters),
    correlation = pmax(-1, pmin(1, unname(correlation)))
  ))
}
