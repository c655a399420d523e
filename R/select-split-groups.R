# Tests of groups of features on many splits.

# @return list(group (integer, p), names, size), or list(tree = ask_tree()), or NULL.
ask_groups <- function(groups, study, method) {
  feature_names <- study$feature_names
  if (is.null(groups)) {
    return(NULL)
  }
  refuse(method == "mirror",
    "{.arg groups} are tested by p values, not by {.code method = \"mirror\"}."
  )
  if (inherits(groups, "hclust")) {
    return(list(tree = ask_tree(groups, feature_names)))
  }
  if (inherits(groups, "stabilect_clusters")) groups <- groups$membership
  groups <- if (is.list(groups)) lapply(groups, stand_ins, study) else for_features(groups, study)
  members <- group_members(groups, feature_names, "keep")
  twice <- anyDuplicated(members$feature)
  refuse(twice > 0L, "{.arg groups} must have every feature in one group, but
    {.val {feature_names[members$feature[twice]]}} is in several.")
  group <- integer(length(feature_names))
  group[members$feature] <- members$group
  list(group = group, names = members$names, size = tabulate(group, length(members$names)))
}

# @param sets (list of integer) the features of every split.
# @param members of ask_groups().
test_groups <- function(study, draws, sets, members, fwer) {
  if (is.null(members)) {
    return(NULL)
  }
  if (!is.null(members$tree)) {
    return(test_tree(study, draws, sets, members$tree, fwer))
  }
  met <- lapply(sets, function(set) unique(members$group[set]))
  adjusted <- Map(function(set, codes, b) {
    vapply(codes, function(code) {
      adjusted_part_p(study, draws, set, members$group[set] == code, b)
    }, 0)
  }, sets, met, seq_along(sets))
  codes <- factor(unlist(met), seq_along(members$names))
  by_group <- split(unlist(adjusted), codes)
  p_fwer <- vapply(by_group, function(p) {
    if (length(p) == 0L) 1 else aggregate_p(p, length(sets))
  }, 0)
  table <- data.frame(
    group = members$names, size = members$size, frequency = lengths(by_group) / length(sets),
    p_fwer = p_fwer, selected = p_fwer <= fwer
  )
  sort_rows(table, table$p_fwer, -table$frequency)
}
