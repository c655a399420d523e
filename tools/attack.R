# Calls of all exports, valid and damaged, by the generator of tests/testthat/helper-attack.R.
# Rscript tools/attack.R [calls] [seed]; prints the seed, counts the outcomes, and stores calls that
# neither worked nor were refused in .build/attack.csv. A fault that is found goes to
# tests/testthat/test-refusals.R as a case, and is mended where it comes from.

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
words <- utils::read.csv("tests/testthat/fixtures/attack-arguments.csv")
start <- proc.time()[["elapsed"]]
# In portions: what was found is told and stored at once, and a run that is stopped counts so far.
portion <- 500L
calls <- do.call(rbind, lapply(seq(1L, n, portion), function(first) {
  some <- space$attack(words, seed, min(portion, n - first + 1L), first)
  strange <- some[!some$outcome %in% c("ok", "refused"), ]
  cat(sprintf("%d calls, %d strange\n", first + nrow(some) - 1L, nrow(strange)))
  if (nrow(strange) > 0L) print(strange[c("k", "outcome", "call")], row.names = FALSE)
  nan <- sum(some$outcome == "NaN in the table")
  store_attack("calls", data.frame(
    build = Sys.getenv("STABILECT_BUILD", "plain"), seed, first, calls = nrow(some),
    damaged = sum(nzchar(some$damaged)), ok = sum(some$outcome == "ok"),
    refused = sum(some$outcome == "refused"), nan, other = nrow(strange) - nan
  ))
  some
}))
print(table(
  damaged = nzchar(calls$damaged),
  outcome = ifelse(calls$outcome %in% c("ok", "refused"), calls$outcome, "else")
))
strange <- calls[!calls$outcome %in% c("ok", "refused"), ]
dir.create(".build", showWarnings = FALSE)
utils::write.csv(strange, ".build/attack.csv", row.names = FALSE)
if (nrow(strange) > 0L) {
  kinds <- strange[!duplicated(strange[c("export", "damaged", "outcome")]), ]
  print(kinds[c("k", "export", "damaged", "outcome")], row.names = FALSE, right = FALSE)
  quit(status = 1L)
}
