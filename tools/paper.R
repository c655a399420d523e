# Runs the experiments of a paper again: Rscript tools/paper.R <name>, or make paper-<name>. The
# steps are the rows of experiments/<name>/steps.csv, in order. A step that has a row in
# results/made.csv and whose table is there is not run again, so that a run that was stopped goes
# on; AGAIN=yes runs all of them. Steps that keep finished cells (papers/cells.R) are always called:
# they run the cells that are not stored, and record these by themselves.

root <- "experiments"
given <- commandArgs(trailingOnly = TRUE)
paper <- if (length(given) == 1L) given else ""
path <- file.path(root, paper, "steps.csv")
if (!nzchar(paper) || !file.exists(path)) {
  known <- basename(dirname(Sys.glob(file.path(root, "*", "steps.csv"))))
  stop("no steps for \"", paper, "\"; known: ", toString(known), call. = FALSE)
}
cells <- new.env()
sys.source(file.path(root, "papers", "cells.R"), cells)

folder <- file.path(root, paper, "results")
steps <- utils::read.csv(path, colClasses = "character")
again <- identical(Sys.getenv("AGAIN"), "yes")
recorded <- function() {
  made <- file.path(folder, "made.csv")
  if (file.exists(made)) utils::read.csv(made)$step
}
is_made <- function(step) {
  file.exists(file.path(folder, paste0(step$table, ".csv"))) && step$step %in% recorded()
}
for (i in seq_len(nrow(steps))) {
  step <- steps[i, ]
  place <- sprintf("%s, step %d of %d: %s", paper, i, nrow(steps), step$step)
  if (!again && is_made(step)) {
    message(place, " is stored")
    next
  }
  message(place)
  if (again) unlink(file.path(folder, paste0(step$table, ".csv")))
  begun <- proc.time()[[3]]
  script <- file.path(root, paper, step$script)
  arguments <- c(script, strsplit(step$arguments, " ")[[1]])
  if (system2(file.path(R.home("bin"), "Rscript"), arguments) != 0L) {
    stop(place, " failed", call. = FALSE)
  }
  if (!any(startsWith(as.character(recorded()), paste0(step$table, ": ")))) {
    cells$record_step(folder, step$step, as.integer(step$seed), proc.time()[[3]] - begun)
  }
}
