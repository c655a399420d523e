# The program against the package: the same features and scores, to the last bits.
#   Rscript compare.R program table.csv; the package is in the library, or has been checked beside.
arguments <- commandArgs(TRUE)
found <- Sys.glob(file.path(dirname(arguments[1]), "stabilect.Rcheck"))
library(stabilect, lib.loc = if (dir.exists(file.path(found, "stabilect")[1])) found)

# Of columns that are equal in a run the program takes the first, and the package one by lot.
apart <- function(v) v + 1e-3 * stats::sd(v) * cos(seq_along(v) * sum(v^2))
table <- data.frame(
  class = as.integer(mcl_sll$MCL == 1), lapply(mcl_sll[, -1], apart), check.names = FALSE
)
table[] <- lapply(table, signif, digits = 12)
utils::write.csv(table, arguments[2], row.names = FALSE, quote = FALSE)
said <- system2(arguments[1], c(arguments[2], 50, 7), stdout = TRUE)
theirs <- utils::read.csv(text = said, header = FALSE, col.names = c("feature", "score", "cut"))

fit <- fealect(
  as.matrix(table[-1]), factor(table$class), n_runs = 50, oob = FALSE, n_boot = 0, seed = 7
)
ours <- utils::head(as.data.frame(fit), nrow(theirs))
stopifnot(
  identical(theirs$feature, ours$feature),
  isTRUE(all.equal(theirs$score, ours$score, tolerance = 1e-12)),
  fit$cut != "bend" || identical(theirs$feature[theirs$cut == "above the cut"], selected(fit)),
  system2(arguments[1], "no-such-file.csv", stderr = FALSE) == 1L
)
cat("The core without R:", nrow(theirs), "features with the scores of fealect()\n")
