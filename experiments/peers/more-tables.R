# Means of results/more.csv: results/more-methods.csv, more-points.csv and more-kinds.csv, by the
# code of tables.R. Rscript more-tables.R

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(root, "results")
lists <- utils::read.csv(file.path(folder, "more.csv"))

# `above`: is more false than the fifth that fdp_bound() stated?
measure <- c(mirror = "share", fdp_bound = "above")
rate_of <- function(wrong) {
  share <- wrong / pmax(1, lists$named)
  ifelse(lists$measure == "above", (share > 0.2) + 0, share)
}
write_table <- function(table, name) {
  numbers <- vapply(table, is.double, NA)
  table[numbers] <- lapply(table[numbers], signif, 3)
  path <- file.path(folder, paste0("more-", name, ".csv"))
  utils::write.csv(table, path, row.names = FALSE)
}

# What follows the reading of the lists, but for the definitions above.
lines <- readLines(file.path(root, "tables.R"))
code <- parse(text = lines[seq(grep("^# Whole repetitions only", lines), length(lines))])
for (line in as.list(code)) {
  own <- identical(line[[1]], quote(`<-`)) &&
    deparse1(line[[2]]) %in% c("measure", "rate_of", "write_table")
  if (!own) eval(line)
}
