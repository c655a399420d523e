# Table 2 and Figures 6, 10, 14, 15 of Onda et al., forests of 50 to 500 trees from the same trees:
# the first 50 of a forest of 500 are a forest of 50. Each number of trees has the law that forests
# of its own would have; it takes a third of their time, and numbers of trees are compared on the
# same trees. Rscript grown-forests.R <singles or ensembles> <set> [mtry] [blocks], mtry as a share
# of the features, NA (the default) for the root of their number. Blocks that are stored are not run
# again.
#
# singles: results/grown-singles.csv, five repetitions a block (20 blocks are the default). A
# repetition is one forest in each leave-one-out fold, on a new half of the samples left: `single`
# is the mean Jaccard index of its sets, `n_useful` the mean, over the law of the threshold
# (results/table4.csv), of the number of features that are selected more often, and `p` what
# estimate_stability() finds from the sets (in the first two blocks).
#
# ensembles: results/grown-ensembles.csv, 20 members in each fold on one half (reading one_half of
# cases.R), ten where mtry is given, and the smaller ensembles that they make. The accuracy is that
# of forests that learn from the other half.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
here <- if (length(file) > 0L) dirname(file) else "."
folder <- file.path(here, "results")
seed <- 1
read_csv <- function(name) utils::read.csv(file.path(folder, paste0(name, ".csv")))
source(file.path(here, "forests.R"))

arguments <- commandArgs(trailingOnly = TRUE)
share <- if (is.na(arguments[3]) || arguments[3] == "NA") NA_real_ else as.numeric(arguments[3])
cells <- data.frame(data = arguments[2], mtry = share)
if (arguments[1] == "singles") {
  blocks <- if (is.na(arguments[4])) 20L else as.integer(arguments[4])
  cells <- cbind(cells, block = seq_len(blocks))
  run_cells(folder, "grown-singles", cells, measure_singles, seed)
} else {
  run_cells(folder, "grown-ensembles", cells, measure_ensembles, seed)
}
