# Long experiments, cell by cell: finished cells are kept in the table as they are done, so that an
# experiment that was stopped goes on where it was, and results/made.csv says with which commit and
# seed each was made and how long it took. Sourced by scripts of the papers.

# The commit of the sources, with a "+" when files of the package differ from it; NA elsewhere.
source_commit <- function() {
  git <- function(...) suppressWarnings(system2("git", c(...), stdout = TRUE, stderr = FALSE))
  hash <- tryCatch(git("rev-parse", "--short", "HEAD"), error = function(e) character())
  if (length(hash) != 1L) {
    return(NA_character_)
  }
  changed <- git("status", "--porcelain", "--", "R", "src", "inst/include")
  paste0(hash, if (length(changed) > 0L) "+")
}

# Adds or replaces the row of a step in results/made.csv.
record_step <- function(folder, step, seed, seconds) {
  path <- file.path(folder, "made.csv")
  row <- data.frame(
    step = step, commit = source_commit(), seed = seed, seconds = round(seconds),
    date = format(Sys.time(), "%Y-%m-%d", tz = "UTC")
  )
  known <- if (file.exists(path)) utils::read.csv(path, colClasses = c(commit = "character"))
  rows <- rbind(known[known$step != step, ], row)
  utils::write.csv(rows[order(rows$step), ], path, row.names = FALSE)
}

# Runs those of `cells` (a data frame, one row a cell) that the stored table `name` does not have.
# work(cell) returns the rows of a cell, which repeat its columns.
run_cells <- function(folder, name, cells, work, seed) {
  path <- file.path(folder, paste0(name, ".csv"))
  key <- function(rows) do.call(paste, unname(lapply(rows[names(cells)], as.character)))
  done <- if (file.exists(path)) utils::read.csv(path)
  for (i in seq_len(nrow(cells))) {
    step <- paste0(name, ": ", key(cells)[i])
    place <- sprintf("%s (%d of %d)", step, i, nrow(cells))
    if (key(cells)[i] %in% if (!is.null(done)) key(done)) {
      message(place, " is stored")
      next
    }
    begun <- proc.time()[[3]]
    done <- rbind(done, work(cells[i, , drop = FALSE]))
    utils::write.csv(done, path, row.names = FALSE)
    record_step(folder, step, seed, proc.time()[[3]] - begun)
    message(place, sprintf(": %.0f s", proc.time()[[3]] - begun))
  }
  invisible(done)
}
