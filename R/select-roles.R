# Clusters of features.

register_role("clusters", "features",
  read = function(value, study, family) check_clusters(value, study$feature_names),
  take = function(value, at) value[at, drop = TRUE],
  words = function(value, x) NULL,
  join = function(value, stands) {
    apart <- which(value != value[stands])[1]
    refuse(!is.na(apart), c(
      "Columns {.val {names(value)[c(stands[apart], apart)]}} are copies of each other, but in
        different {.arg clusters}: {.val {as.character(value[c(stands[apart], apart)])}}.",
      i = "Put them in one cluster, or leave one of them out of {.arg x}."
    ))
    value
  },
  argument = NULL, place = 6
)
