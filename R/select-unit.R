# The unit of selection: features, or clusters of features. Only this file asks which.

# @param study (stabilect_study, or the record of one) with the role `clusters` or not.
# @return new_unit() with `open` (flag, one per feature: can runs select it?) and `n_open` (number
#   of units with an open feature, which bounds count).
unit_of <- function(study) {
  given <- if (is.null(study$roles)) study$features else study$roles
  clusters <- given$clusters
  unit <- if (is.null(clusters)) new_unit(study$feature_names) else cluster_unit(clusters)
  constant <- constant_features(study)
  if (is.null(given$penalty) && length(constant) == 0L) {
    unit$open <- rep(TRUE, unit$n)
    unit$n_open <- unit$n
  } else {
    unit$open <- !study$feature_names %in% constant
    if (!is.null(given$penalty)) {
      unit$open <- unit$open & is.finite(as.numeric(given$penalty))
    }
    unit$n_open <- length(unique(unit$code[unit$open]))
  }
  unit
}

# The name of the unit.
unit_word <- function(study) unit_of(study)$word

# Of the two questions of lists: of a hundred features that are alike each one marks the outcome,
# and one is enough beside the others.
describe_adds <- function(x) {
  if (asks_what_adds(x)) {
    asked <- sprintf("asks which %ss add to the others", unit_word(x$study))
    paste(asked, "find_signals(): which mark the outcome", sep = "; ")
  }
}

# Models of all features, and not of each alone?
asks_what_adds <- function(x) {
  of_models <- c("fealect", "stability_selection", "bolasso", "split_test")
  inherits(x, paste0("stabilect_", of_models)) && is.null(x$asked$selector)
}

# The defaults are the values for features.
# @param names (character) of the units; grouped (flag): do they contain several features?
# @param code (integer) the unit of each feature; engine (integer): the same for the core.
# @param paths function(paths): stored paths in units; sets function(paths, q, rule): the features
#   of the model of each run; gather function(selection): sets of features as sets of units.
# @param rows function(record, features, paths): columns of a table, with `last` (character) at the
#   end; fields function(record, features): fields of a result; scale function(x): of its record.
# @param check_q function(q); bound (string, or NULL): the only `bound` there is; tag (string, or
#   NULL): unit that a bound counts; permute (integer): default number of permutations; once
#   (string, or NULL): why not to repeat on other data.
# @param scores function(runs, limit): FeaLect's scores, list(units, features (if others)).
# @param members function(x): the selection of features of a result.
# @param stand_for function(named, table): features in a final model; left_out function(sets,
#   features, counts): features of the units selected without each sample.
# @param word,several,kind,source,cited,stands (strings, or NULL) parts of sentences.
# @param caution function(x): the assumptions of a bound; section function(x, shown, measures, n,
#   above, below, width): rows of a table.
# @param signals function(study): list(study, members), its columns as units.
# @param columns function(x, object, runs, wanted): data of some units of the runs of `object`.
new_unit <- function(names, word = "feature", grouped = FALSE, code = seq_along(names),
                     engine = integer(), paths = identity, sets = feature_sets,
                     gather = identity, rows = feature_rows, last = character(),
                     fields = nothing_of, scale = nothing_of, check_q = nothing_of, bound = NULL,
                     tag = NULL, permute = 0L, once = NULL, scores = feature_scores(names),
                     members = function(x) x$selection, stand_for = function(named, table) named,
                     left_out = function(sets, ...) sets, several = "Features", kind = "",
                     source = "", cited = NULL, stands = NULL, caution = caution_of_features,
                     section = feature_section,
                     signals = function(study) list(study = study, members = NULL),
                     columns = feature_columns) {
  unit <- as.list(environment())
  unit$n <- length(names)
  unit
}

feature_sets <- function(paths, q, rule) path_sets(paths, choose_first(q, rule))

feature_rows <- function(record, features, paths) {
  list2DF(list(
    feature = features$feature_names, direction = record$direction,
    same_sign = same_sign(record, features, paths)
  ))
}

# As scored by the core.
feature_scores <- function(names) {
  function(runs, limit) {
    list(units = new_sparse(runs$scores$i, runs$scores$p, names, runs$scores$x))
  }
}

feature_columns <- function(x, object, runs, wanted) {
  match_data(x, runs, "x")[, wanted, drop = FALSE]
}

feature_section <- function(x, shown, measures, n, above, below = NULL, width = 40L) {
  evidence_section(x, shown, measures, n, above = above)
}

# @param clusters (factor with the names of the features).
cluster_unit <- function(clusters) {
  new_unit(
    levels(clusters), "cluster", TRUE, as.integer(clusters), as.integer(clusters),
    paths = function(paths) cluster_paths(paths, clusters),
    sets = function(paths, q, rule) {
      steps <- cluster_steps(cluster_paths(paths, clusters), q)
      path_sets(paths, function(size, lambda, b) steps[b])
    },
    gather = function(selection) select_clusters(selection, clusters),
    rows = function(record, features, paths) {
      cluster_rows(record, features, paths, member_table(record, features, clusters), clusters)
    },
    last = c("size", "representative", "members"),
    fields = function(record, features) {
      list(
        members = member_table(record, features, clusters),
        member_selection = if (is.null(record$copies)) features else know_copies(features, record)
      )
    },
    scale = function(x) cluster_scaling(x, clusters),
    check_q = function(q) check_cluster_number(nlevels(clusters), q), bound = "cutoff",
    tag = "cluster", permute = n_deciding_permutations, once = "clusters",
    scores = function(runs, limit) score_clusters(runs$paths, clusters, limit),
    members = function(x) x$member_selection,
    stand_for = function(named, table) table$representative[match(named, table$feature)],
    left_out = function(sets, features, counts) {
      represent_left_out(sets, features, clusters, counts)
    },
    several = sprintf("%d clusters of features", nlevels(clusters)), kind = "cluster ",
    source = "; Faletto and Bien 2022", cited = "faletto",
    stands = "the final model represents each cluster by its most frequent feature",
    caution = caution_of_clusters, section = cluster_section,
    signals = function(study) cluster_profiles(study, clusters),
    columns = columns_of_clusters
  )
}

check_size_rule <- function(score_rule) {
  refuse(score_rule == "step",
    c("{.code score_rule = \"step\"} counts the steps of a path, not {.arg clusters}.",
      i = "Take {.code score_rule = \"size\"}."
    )
  )
}

# @param clusters as the user gave them.
# @return (factor with the names of the features, or NULL) the cluster of each. A feature in no
#   cluster is a cluster of its own.
check_clusters <- function(clusters, feature_names) {
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
