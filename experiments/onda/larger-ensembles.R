# Larger real ensembles than those of run.R, for Figures 1, 3, 6 and 10 of Onda et al.: 50 members on
# colon, 20 on lymphoma and prostate, with each number of trees, all members on one half.
# Rscript larger-ensembles.R [pattern of cases]; puts each in the place of the smaller one in
# results/cases/, whose members must come out again. Cases that are large enough are left alone.
# After it: run.R tables, then run.R predict.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(here, "results")
seed <- 1
read_csv <- function(name) utils::read.csv(file.path(folder, paste0(name, ".csv")))
source(file.path(here, "..", "papers", "cells.R"))
# The code that the page shares.
for (piece in c("paper", "cases", "real")) {
  source(file.path(here, "..", "..", "vignettes", "papers", paste0("onda-", piece, ".R")))
}
pattern <- commandArgs(trailingOnly = TRUE)

members_of <- c(colon = 50L, lymphoma = 20L, prostate = 20L)
wanted <- cases[cases$selector == "forest" & cases$reading == "one_half" & is.na(cases$mtry), ]
wanted <- wanted[order(match(wanted$data, names(members_of)), wanted$n_tree), ]
wanted$n_weak <- unname(members_of[wanted$data])
if (length(pattern) > 0L) wanted <- wanted[grepl(pattern[1], wanted$case), ]

for (i in seq_len(nrow(wanted))) {
  case <- wanted[i, ]
  path <- case_path(case$case)
  smaller <- readRDS(path)
  if (smaller$case$n_weak >= case$n_weak) {
    message(case$case, " is stored")
    next
  }
  begun <- proc.time()
  result <- run_case(case)
  first <- seq_along(smaller$stability[[1]])
  stopifnot(isTRUE(all.equal(result$stability[[1]][first], smaller$stability[[1]])))
  saveRDS(result, path, compress = "xz")
  used <- proc.time() - begun
  record_step(folder, paste("larger ensembles:", case$case), seed, used[["user.self"]])
  message(case$case, sprintf(": %.0f s, %.0f by the clock", used[["user.self"]], used[["elapsed"]]))
}
