# What find_signals() says of clusters of features.

# What a table of clusters says of each: size, representative (the member that is most like the
# mean), and its members, the most alike first.
describe_members <- function(members, clusters) {
  rows <- lapply(clusters, function(cluster) {
    own <- members[members$cluster == cluster, ]
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
