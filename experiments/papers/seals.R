# Checksums of the results of the five papers: no page is built with a number that was changed by
# hand. judge.R makes them, make-tables.R and a test compare them. Sourced by these.

paper_names <- c("zare", "onda", "dernoncourt", "hamer", "brzezinski")

# The checksum of a file's lines, whatever their ends on this system.
seal_of <- function(path) {
  copy <- tempfile()
  on.exit(unlink(copy))
  writeBin(charToRaw(paste(readLines(path, warn = FALSE), collapse = "\n")), copy)
  unname(tools::md5sum(copy))
}

# @param name the table; that of the file, but for a copy.
check_seal <- function(root, paper, path, name = sub("[.]csv$", "", basename(path))) {
  # Records of runs are not numbers of the paper, and new ones come with every run.
  if (name == "made") {
    return(invisible())
  }
  seals <- utils::read.csv(file.path(root, "experiments", "papers", "seals.csv"))
  seal <- seals$md5[seals$paper == paper & seals$table == name]
  if (!identical(seal, seal_of(path))) {
    stop(
      paper, "/results/", name, ".csv is not the table that was sealed. If a script made it, run ",
      "experiments/papers/judge.R; a number must not be changed by hand."
    )
  }
}
