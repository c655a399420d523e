# Clusters of features. Of copies in several clusters the one whose name stands for all counts.

register_role("clusters", "features",
  read = function(value, study, family) check_clusters(value, study$feature_names),
  take = function(value, at) value[at, drop = TRUE],
  words = function(value, x) NULL,
  argument = NULL, place = 6
)
