# Two more lists of this package on the same outcomes, drawn and judged as in run.R: mirror
# statistics, and the longest list of which fdp_bound() says that at most a fifth is false.
# Rscript more.R [repetitions, 15] [seconds of processor time]
# adds to results/more.csv after every response and goes on from there; more-tables.R makes tables.

library(stabilect)

file <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
root <- if (length(file) > 0L) dirname(file) else "."
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
repetitions <- c(arguments[1], 15)[1 + is.na(arguments[1])]
seconds <- c(arguments[2], Inf)[1 + is.na(arguments[2])]
source(file.path(root, "designs.R"))
source(file.path(root, "methods.R"))
# The definitions of run.R, without its run.
needed <- c("judge", "nothing", "one_method", "one_response")
for (line in as.list(parse(file.path(root, "run.R")))) {
  if (identical(line[[1]], quote(`<-`)) && deparse1(line[[2]]) %in% needed) eval(line)
}

methods <- list(
  mirror = function(x, y, seed, clusters) {
    fit <- quiet(split_test, x, y, method = "mirror", fdr = 0.1, seed = seed)
    list(mirror = single(fit$features, 0.1))
  },
  # The claim is the probability that more than a fifth is false.
  fdp_bound = function(x, y, seed, clusters) {
    fit <- quiet(stability_selection, x, y, pfer = 1, cutoff = 0.75, permute = 99, seed = seed)
    bounds <- fdp_bound(fit, seq_len(100))
    longest <- max(0, bounds$n_features[bounds$share <= 0.2])
    list(fdp_bound = single(fit$table$feature[seq_len(longest)], 0.05))
  }
)

to <- file.path(root, "results", "more.csv")
known <- if (file.exists(to)) utils::read.csv(to)$seed
grid <- merge(data.frame(cell = seq_len(nrow(cells))), data.frame(design = designs))
for (repetition in seq_len(repetitions)) {
  for (k in seq_len(nrow(grid))) {
    seed <- 10000 * match(grid$design[k], designs) + 1000 * grid$cell[k] + repetition
    if (seed %in% known) next
    if (sum(proc.time()[c("user.self", "sys.self")]) > seconds) quit(status = 0)
    rows <- one_response(grid$design[k], grid$cell[k], repetition)
    utils::write.table(
      rows, to, append = file.exists(to), sep = ",", row.names = FALSE,
      col.names = !file.exists(to)
    )
  }
}
