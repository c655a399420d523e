# Means of results/lists.rds, to which rows of results/lists.csv are added first.
# Rscript tables.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
added <- file.path(folder, "lists.csv")
packed <- file.path(folder, "lists.rds")
lists <- rbind(
  if (file.exists(packed)) readRDS(packed), if (file.exists(added)) utils::read.csv(added)
)
if (file.exists(added)) {
  saveRDS(lists, packed, compress = "xz")
  unlink(added)
}

# Whole repetitions only, so that all cells have the same number of responses.
n_cells <- tapply(lists$seed, lists$repetition, function(seed) length(unique(seed)))
lists <- lists[lists$repetition %in% names(n_cells)[n_cells == 30], ]

# What a claim is about: the number of wrong names, their share, or whether there is any.
measure <- c(
  find_signals = "share", marginal = "any", pfer = "number", pfer_r_concave = "number",
  efp = "number", fdr = "share", clusters = "number", permute_p = "any", permute_q = "share",
  split = "any", split_groups = "any", trex = "share", bolasso = "none", fealect = "none",
  susie = "share", susie_sets = "share", knockoffs = "share", limma = "share",
  glmnet_1se = "none", glmnet_min = "none", stabs = "number"
)
lists$measure <- measure[lists$method]
rate_of <- function(wrong) {
  share <- wrong / pmax(1, lists$named)
  ifelse(lists$measure == "number", wrong, ifelse(lists$measure == "any", (wrong > 0) + 0, share))
}
lists$false <- lists$named - lists$true
lists$clusters_false <- lists$clusters - lists$clusters_true
lists$rate_false <- rate_of(lists$false)
lists$rate_far <- rate_of(lists$far)
lists$rate_unrelated <- rate_of(lists$unrelated)
lists$share_unrelated <- lists$unrelated / pmax(1, lists$named)
lists$any <- (lists$named > 0) + 0
lists$signal <- lists$truth != "none"

se <- function(values) stats::sd(values) / sqrt(length(values))
# Means of columns, with standard errors of some, in the groups of others.
means <- function(rows, by, of, with_se) {
  groups <- split(rows, rows[by], drop = TRUE)
  table <- do.call(rbind, lapply(groups, function(group) {
    group <- group[!is.na(group$named), ]
    data.frame(
      group[1, by, drop = FALSE], responses = nrow(group), as.list(colMeans(group[of])),
      stats::setNames(lapply(group[with_se], se), paste0(with_se, "_se")), row.names = NULL
    )
  }))
  places <- lapply(rev(by), function(column) match(table[[column]], unique(rows[[column]])))
  table[do.call(order, places), ]
}
write_table <- function(table, name) {
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 3)
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}

# One point for a method and a set of features.
counts <- c("named", "true", "false", "unrelated")
signal <- lists[lists$signal, ]
points <- means(
  signal, c("method", "measure", "design"),
  c("claim", counts, "rate_false", "rate_unrelated"), c("rate_false", "rate_unrelated")
)
write_table(points, "points")

# One row for a method.
of_methods <- means(
  signal, c("method", "measure"),
  c("claim", counts, "clusters", "clusters_false", "rate_false", "rate_far", "rate_unrelated",
    "share_unrelated", "seconds"),
  c("true", "false", "unrelated", "clusters_false", "rate_false", "rate_unrelated")
)
none <- means(lists[!lists$signal, ], "method", "any", "any")
none <- none[match(of_methods$method, none$method), ]
of_methods$failed <- vapply(of_methods$method, function(method) {
  sum(is.na(lists$named[lists$run == method]))
}, 0L)
of_methods <- cbind(
  of_methods, none_responses = none$responses, none_named = none$any, none_named_se = none$any_se
)
write_table(of_methods, "methods")

# By truth and law.
kinds <- means(
  signal, c("method", "truth", "law"), c(counts, "share_unrelated"), c("true", "unrelated")
)
write_table(kinds, "kinds")
