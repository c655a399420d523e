# What lists of this package and of others claim and deliver on the same responses.
# Rscript run.R [repetitions, 200] [seconds of processor time]
# adds to results/lists.csv after every response, all cells of one repetition before the next, and
# goes on from there (or from results/lists.rds) when run again. tables.R makes the tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 200)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
source(file.path(dirname(folder), "designs.R"))
source(file.path(dirname(folder), "methods.R"))

# A set is true with a true feature, unrelated with no feature whose absolute correlation with a
# true one is above 0.5. Clusters (complete linkage at 0.7): those in which anything is named.
judge <- function(sets, drawn, r, membership) {
  has <- function(of) vapply(sets, function(set) any(of[set]), NA)
  near <- function(limit) stats::setNames(apply(r > limit, 1, any), rownames(r))
  is_true <- stats::setNames(seq_len(nrow(r)) %in% drawn$truth, rownames(r))
  hit <- unique(membership[unlist(sets)])
  true_clusters <- unique(membership[drawn$truth])
  data.frame(
    named = length(sets), true = sum(has(is_true)), far = sum(!has(near(0.7))),
    unrelated = sum(!has(near(0.5))), clusters = length(hit),
    clusters_true = sum(hit %in% true_clusters)
  )
}
nothing <- data.frame(
  named = NA, true = NA, far = NA, unrelated = NA, clusters = NA, clusters_true = NA
)

one_method <- function(name, drawn, clusters, r) {
  set.seed(drawn$seed)
  # Without the collection of garbage that comes first by default and takes longer than most lists.
  took <- system.time(gcFirst = FALSE, lists <- tryCatch(
    suppressWarnings(suppressMessages(
      methods[[name]](drawn$x, drawn$y, drawn$seed, clusters)
    )),
    error = function(e) e
  ))
  spent <- took[["user.self"]] + took[["sys.self"]]
  if (inherits(lists, "error")) {
    message(name, ", seed ", drawn$seed, ": ", conditionMessage(lists))
    return(data.frame(run = name, method = name, claim = NA, nothing, seconds = spent))
  }
  rows <- lapply(lists, function(list) {
    data.frame(claim = list$claim, judge(list$sets, drawn, r, clusters$membership))
  })
  data.frame(
    run = name, method = names(lists), do.call(rbind, rows), seconds = spent, row.names = NULL
  )
}

one_response <- function(design, cell, repetition) {
  drawn <- draw_set(design, cell, repetition)
  clusters <- cluster_features(drawn$x, threshold = 0.7)
  r <- abs(stats::cor(drawn$x, drawn$x[, drawn$truth, drop = FALSE]))
  lists <- lapply(names(methods), one_method, drawn = drawn, clusters = clusters, r = r)
  data.frame(
    design = design, truth = cells$truth[cell], law = drawn$law, repetition = repetition,
    seed = drawn$seed, do.call(rbind, lists)
  )
}

added <- file.path(folder, "lists.csv")
packed <- file.path(folder, "lists.rds")
known <- c(
  if (file.exists(packed)) readRDS(packed)$seed, if (file.exists(added)) utils::read.csv(added)$seed
)
grid <- merge(data.frame(cell = seq_len(nrow(cells))), data.frame(design = designs))
for (repetition in seq_len(repetitions)) {
  for (k in seq_len(nrow(grid))) {
    seed <- 10000 * match(grid$design[k], designs) + 1000 * grid$cell[k] + repetition
    if (seed %in% known) next
    if (sum(proc.time()[c("user.self", "sys.self")]) > seconds) quit(status = 0)
    rows <- one_response(grid$design[k], grid$cell[k], repetition)
    utils::write.table(
      rows, added, append = file.exists(added), sep = ",", row.names = FALSE,
      col.names = !file.exists(added)
    )
  }
}
