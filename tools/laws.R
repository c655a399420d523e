# Pairs of calls that must agree, by the generator of tests/testthat/helper-laws*.R, and with
# CHANCE=<data sets> the laws of chance. Rscript tools/laws.R [pairs] [seed] [first pair]; prints
# the seed and every pair that does not agree, with both calls; stores the rows in .build/laws.csv.
# After every PORTION pairs (environment variable) the counts are told, and a run that is stopped
# can be taken up at its last pair. One pair again, with its data in .build/laws-pair.rds:
# Rscript tools/laws.R 1 7 1234. A fault is mended where it comes from.

given <- as.integer(commandArgs(trailingOnly = TRUE))
n <- if (length(given) > 0L) given[1] else 4000L
seed <- if (length(given) > 1L) given[2] else as.integer(Sys.time()) %% 100000L
begin <- if (length(given) > 2L) given[3] else 1L
suppressPackageStartupMessages({
  library(testthat)
  library(stabilect)
})
space <- new.env(parent = asNamespace("stabilect"))
files <- list.files("tests/testthat", "^helper-laws", full.names = TRUE)
for (file in files) sys.source(file, space)
dir.create(".build", showWarnings = FALSE)
cat(sprintf("%d pairs, seed %d, from pair %d\n", n, seed, begin))

if (n == 1L) {
  pair <- space$laws_pair(seed, begin)
  saveRDS(pair, ".build/laws-pair.rds")
  cat(pair$law, ": data in .build/laws-pair.rds ($first$data, $second$data)\n", sep = "")
  print(pair$first$call)
  print(pair$second$call)
}

start <- proc.time()[[1]]
portion <- as.integer(Sys.getenv("PORTION", "500"))
pairs <- do.call(rbind, lapply(seq(1L, n, portion), function(done) {
  some <- space$laws(seed, min(portion, n - done + 1L), begin + done - 1L)
  broken <- some[nzchar(some$found), ]
  cat(sprintf("%d pairs, %d broken\n", done + nrow(some) - 1L, nrow(broken)))
  for (i in seq_len(nrow(broken))) {
    with(broken[i, ], cat(sprintf(
      "Rscript tools/laws.R 1 %d %d  # %s: %s\n  %s; %s, %s\n", seed, k, law, found, calls, outcome,
      form
    )))
  }
  some
}))
broken <- pairs[nzchar(pairs$found), ]
cat(sprintf(
  "%d compared, %d refused on both sides, %d broken; %.0f s per 1,000 pairs\n",
  sum(pairs$state == "compared"), sum(pairs$state == "refused"), nrow(broken),
  (proc.time()[[1]] - start) / n * 1000
))
utils::write.csv(pairs, ".build/laws.csv", row.names = FALSE)

sets <- as.integer(Sys.getenv("CHANCE", "0"))
cells <- space$laws_chance_cells()
chance <- if (sets > 0L) {
  do.call(rbind, lapply(seq_len(nrow(cells)), function(i) space$laws_chance_cell(cells[i, ], sets)))
}
said <- if (sets > 0L) space$laws_chance_broken(chance, sets)
if (sets > 0L) {
  utils::write.csv(chance, ".build/laws-chance.csv", row.names = FALSE)
  cat(sprintf("%d cells of chance, %d data sets each; broken:\n", nrow(chance), sets))
  for (line in said) cat(line, "\n")
}
if (nrow(broken) > 0L || length(said) > 0L) quit(status = 1L)
