# What find_signals() says of clusters of features.

# A cluster's row in a table: size, representative (the member most similar to the mean), and
# members, the most similar first.
describe_members <- function(members, clusters) {
  rows <- lapply(clusters, function(cluster) {
    own <- members[members$cluster == cluster, ]
    own <- own[order_names(own$feature), ]
    near <- signif(own$correlation, 9)
    names <- own$feature[order(-abs(near), method = "radix")]
    data.frame(
      size = nrow(own), representative = own$feature[which.max(near)],
      members = paste(c(utils::head(names, 5L), if (nrow(own) > 5L) "..."), collapse = ", ")
    )
  })
  none <- data.frame(size = integer(), representative = character(), members = character())
  do.call(rbind, c(list(none), rows))
}
