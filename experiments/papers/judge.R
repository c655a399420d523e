# Seals the stored results of the five papers and finds the state of every table and figure.
# Rscript experiments/papers/judge.R, in the sources, with the package installed from them:
# writes seals.csv (checksums, so that no page is built with a number that was changed by hand) and
# states.csv and claims.csv beside this file, by building the pages in a temporary folder, and the
# tables that the package ships (make-tables.R). To be run when a script has made new results, and
# when a page compares something else; install the package again after it.

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- normalizePath(if (length(file) > 0L) dirname(file) else ".")
root <- normalizePath(file.path(here, "..", ".."))
source(file.path(here, "seals.R"))
make_tables <- function() sys.source(file.path(root, "experiments", "make-tables.R"), new.env())
papers <- c(commandArgs(trailingOnly = TRUE), if (length(commandArgs(TRUE)) == 0L) paper_names)

seals <- do.call(rbind, lapply(paper_names, function(paper) {
  paths <- Sys.glob(file.path(here, "..", paper, "results", "*.csv"))
  paths <- paths[basename(paths) != "made.csv"]
  data.frame(
    paper = paper, table = sub("[.]csv$", "", basename(paths)),
    md5 = vapply(paths, seal_of, ""), row.names = NULL
  )
}))
utils::write.csv(seals, file.path(here, "seals.csv"), row.names = FALSE)
make_tables()

place <- tempfile("states")
dir.create(place)
options(stabilect.states = place, stabilect.results = file.path(root, "inst/extdata/results"))
for (paper in papers) {
  page <- file.path(root, "vignettes", paste0("paper-", paper, ".Rmd"))
  rmarkdown::render(
    page, output_dir = place, intermediates_dir = place, knit_root_dir = dirname(page),
    quiet = TRUE, envir = new.env(parent = globalenv())
  )
  message(paper)
}
path <- file.path(here, "states.csv")
found <- do.call(rbind, lapply(papers, function(paper) {
  utils::read.csv(file.path(place, paste0(paper, ".csv")))
}))
store <- function(path, found) {
  known <- if (file.exists(path)) utils::read.csv(path)
  rows <- rbind(known[!known$paper %in% papers, names(found)], found)
  utils::write.csv(rows[order(match(rows$paper, paper_names)), ], path, row.names = FALSE)
}
store(path, found)
store(file.path(here, "claims.csv"), do.call(rbind, lapply(papers, function(paper) {
  utils::read.csv(file.path(place, paste0(paper, "-claims.csv")))
})))
states <- utils::read.csv(path)
make_tables()
print(table(states$paper, states$state))
