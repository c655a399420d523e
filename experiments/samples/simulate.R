# Do studies that estimate_sample_size(n_simulations = ) makes agree as real studies of that size
# do? For studies of run.R with 60 samples and lists of 10, whose truth is in results/truth.csv; the
# answers go to results/simulated.csv. Rscript simulate.R [studies of each kind, 3]

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
folder <- file.path(if (length(file) > 0L) dirname(file) else ".", "results")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
n_studies <- c(arguments[1], 3)[1 + is.na(arguments[1])]
source(file.path(dirname(folder), "sources.R"))
space <- asNamespace("stabilect")
truth <- utils::read.csv(file.path(folder, "truth.csv"))

n <- sizes[1]
procedure <- names(procedures)[1]
cells <- expand.grid(
  study = seq_len(n_studies), source = names(sources), stringsAsFactors = FALSE
)
rows <- lapply(seq_len(nrow(cells)), function(i) {
  cell <- cells[i, ]
  set.seed(1000 * n + cell$study)
  set <- sources[[cell$source]](n)
  one <- procedures[[procedure]]
  plan <- estimate_sample_size(
    one$selector, named(set$x[seq_len(n), ]), set$y[seq_len(n)], n_features = one$k,
    n_simulations = 10, seed = cell$study, progress = FALSE
  )
  beyond <- plan$table[plan$table$kind == "extrapolated", ]
  simulated <- space$nearest_simulation(plan)[2:4, ]
  known <- truth[truth$source == cell$source & truth$procedure == procedure, ]
  known <- known[match(beyond$n, known$n), ]
  message(paste(format(cell), collapse = " "), " ", proc.time()[["user.self"]])
  data.frame(
    cell[c("source", "study")], procedure = procedure, n_study = n, times = multiples,
    n_true = simulated$n_true, extrapolated = signif(beyond$fitted, 4),
    simulated = signif(simulated$stability, 4), truth = known$stability,
    error_simulated = signif(simulated$error, 4), error_truth = known$error, row.names = NULL
  )
})
utils::write.csv(
  do.call(rbind, rows), file.path(folder, "simulated.csv"), row.names = FALSE
)
