# What experiments on the responses of designs.R share: running them one by one, to be gone on with
# when cut off, and means over repetitions.

key_of <- function(rows) paste(rows$design, rows$s, rows$r2, rows$repetition)

# Those of sets.rds, and those of sets.csv that came after.
read_sets <- function(results) {
  packed <- file.path(results, "sets.rds")
  added <- file.path(results, "sets.csv")
  unique(rbind(
    if (file.exists(packed)) readRDS(packed), if (file.exists(added)) utils::read.csv(added)
  ))
}

# Adds the rows of one_set(design, cell, repetition) to sets.csv after every response.
# @param seconds of processor time at most.
# @return all rows of whole repetitions, which are stored in sets.rds.
run_sets <- function(results, one_set, repetitions, seconds) {
  added <- file.path(results, "sets.csv")
  known <- read_sets(results)
  left <- merge(
    merge(data.frame(design = names(designs)), cells),
    data.frame(repetition = seq_len(repetitions))
  )
  left <- left[!key_of(left) %in% if (!is.null(known)) key_of(known), ]
  for (k in seq_len(nrow(left))) {
    if (sum(proc.time()[c("user.self", "sys.self")]) > seconds) break
    rows <- one_set(left$design[k], left[k, c("s", "r2")], left$repetition[k])
    new <- !file.exists(added)
    utils::write.table(
      rows, added, append = !new, sep = ",", row.names = FALSE, col.names = new
    )
  }
  sets <- read_sets(results)
  whole <- tapply(key_of(sets), sets$repetition, function(one) length(unique(one)))
  sets <- sets[sets$repetition %in% names(whole)[whole == length(designs) * nrow(cells)], ]
  saveRDS(sets, file.path(results, "sets.rds"), compress = "xz")
  sets
}

kind_of <- function(design) {
  ifelse(grepl("^independent", design), "independent",
    ifelse(grepl("^(blocks|toeplitz)", design), "correlated", "real")
  )
}

# Rows of one repetition share features and noise.
se_of <- function(values, repetition) {
  means <- tapply(values, repetition, mean)
  stats::sd(means) / sqrt(length(means))
}
