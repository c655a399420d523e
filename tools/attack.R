# Calls of all exports, valid and damaged, and verbs that take their results, by the generator of
# tests/testthat/helper-attack.R and helper-attack-feed.R. Rscript tools/attack.R [calls] [seed];
# prints the seed, counts the outcomes, and stores calls that neither worked nor were refused in
# .build/attack.csv. Tells after every PORTION calls (environment variable) what it has found. A
# fault that is found goes to tests/testthat/test-all-attack-finds.R as a case, and is mended where
# it comes from.

source("tools/attack-store.R")
given <- as.integer(commandArgs(trailingOnly = TRUE))
n <- if (length(given) > 0L) given[1] else 4000L
seed <- if (length(given) > 1L) given[2] else as.integer(Sys.time()) %% 100000L
suppressPackageStartupMessages({
  library(testthat)
  library(stabilect)
})
testthat::local_edition(3)
cat(sprintf("%d calls, seed %d\n", n, seed))
space <- new.env(parent = asNamespace("stabilect"))
sys.source("tests/testthat/helper-attack.R", space)
sys.source("tests/testthat/helper-attack-feed.R", space)
words <- utils::read.csv("tests/testthat/fixtures/attack-arguments.csv")
start <- proc.time()[["elapsed"]]
# In portions: what was found is told and stored at once, and a run that is stopped counts so far.
portion <- as.integer(Sys.getenv("PORTION", "500"))
calls <- do.call(rbind, lapply(seq(1L, n, portion), function(first) {
  some <- space$attack(words, seed, min(portion, n - first + 1L), first)
  strange <- some[!some$outcome %in% c("ok", "refused"), ]
  cat(sprintf("%d calls, %d strange\n", first + nrow(some) - 1L, nrow(strange)))
  for (i in seq_len(nrow(strange))) {
    cat(sprintf("%d: %s\n  %s\n", strange$k[i], strange$outcome[i], strange$call[i]))
    if (nzchar(strange$feed[i])) cat("  r |>", strange$feed[i], "\n")
  }
  nan <- sum(some$outcome == "NaN in the result")
  store_attack("calls", data.frame(
    build = Sys.getenv("STABILECT_BUILD", "plain"), seed, first, calls = nrow(some),
    damaged = sum(nzchar(some$damaged)), ok = sum(some$outcome == "ok"),
    refused = sum(some$outcome == "refused"), nan, other = nrow(strange) - nan
  ))
  some
}))
cat(sprintf(
  "%d results taken by verbs, %.0f s per 1,000 calls\n", sum(calls$fed),
  (proc.time()[["elapsed"]] - start) / n * 1000
))
print(table(
  damaged = nzchar(calls$damaged),
  outcome = ifelse(calls$outcome %in% c("ok", "refused"), calls$outcome, "else")
))
strange <- calls[!calls$outcome %in% c("ok", "refused"), ]
dir.create(".build", showWarnings = FALSE)
utils::write.csv(strange, ".build/attack.csv", row.names = FALSE)
if (nrow(strange) > 0L) {
  kinds <- strange[!duplicated(strange[c("export", "damaged", "feed", "outcome")]), ]
  print(kinds[c("k", "export", "damaged", "feed", "outcome")], row.names = FALSE, right = FALSE)
  quit(status = 1L)
}
