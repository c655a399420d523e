# What scripts on find_signals() share: arguments of the command, the features that a result shows,
# and answers that are stored after every repetition. Read by the scripts of other experiments,
# after designs.R.

# Rscript script.R [repetitions] [seconds of processor time]
# @return list(folder, repetitions, seconds).
read_command <- function(repetitions) {
  file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
  root <- if (length(file) > 0L) dirname(file) else "."
  given <- as.numeric(commandArgs(trailingOnly = TRUE))
  list(
    folder = file.path(root, "results"),
    repetitions = c(given[1], repetitions)[1 + is.na(given[1])],
    seconds = c(given[2], Inf)[1 + is.na(given[2])]
  )
}

# The truth of a repetition, or none.
draw_truth <- function(name, x, repetition) {
  if (name == "none") {
    return(list(at = integer(), signal = numeric(nrow(x))))
  }
  truths[[name]](x, repetition)
}

# A covariate of which half of the variance is the first component of the features.
draw_covariate <- function(x) unit(unit(svd(x, nu = 1, nv = 0)$u[, 1]) + stats::rnorm(nrow(x)))

# Names and candidates, with their largest absolute correlation with a true feature.
# @param at (integer) columns of the true features.
shown_features <- function(fit, x, at) {
  columns <- c("feature", "probability")
  shown <- rbind(fit$table[columns], fit$candidates[columns])
  shown$named <- seq_len(nrow(shown)) <= nrow(fit$table)
  own <- match(shown$feature, colnames(x))
  shown$true <- own %in% at
  like <- abs(stats::cor(x[, own, drop = FALSE], x[, at, drop = FALSE]))
  shown$r <- if (length(at) == 0L) rep(0, nrow(shown)) else apply(like, 1, max)
  shown
}

# Adds to two files of the folder after every repetition, and goes on from there when run again.
# @param cells (data frame); wanted function(repetition): rows of cells; answer function(x, set,
#   cell, repetition): list(outcome, shown (data frames)).
# @param files (character, with the names outcomes and names).
store_repetitions <- function(command, files, cells, wanted, answer) {
  paths <- stats::setNames(file.path(command$folder, files), names(files))
  done <- lapply(paths, function(path) if (file.exists(path)) utils::read.csv(path))
  features <- lapply(stats::setNames(nm = set_names), read_features)
  for (repetition in setdiff(seq_len(command$repetitions), done$outcomes$repetition)) {
    if (proc.time()[["user.self"]] > command$seconds) break
    for (set in set_names) {
      for (i in wanted(repetition)) {
        found <- answer(features[[set]], set, cells[i, ], repetition)
        key <- data.frame(set, cells[i, ], repetition, row.names = NULL)
        done$outcomes <- rbind(done$outcomes, data.frame(key, found$outcome))
        shown <- data.frame(key[rep(1L, nrow(found$shown)), ], found$shown, row.names = NULL)
        done$names <- rbind(done$names, shown)
      }
    }
    for (part in names(paths)) utils::write.csv(done[[part]], paths[[part]], row.names = FALSE)
  }
}
