# Breaks the code on purpose, in one place at a time, and counts what no test notices;
# `make mutation` calls it. Rscript tools/mutate.R [mutants] [seed] [minutes]; SIDE=core breaks the
# C++ sources, R/ otherwise. Work goes on where it was left: mutants with a row in the results are
# not tried again, unless they survived and TRY=again, which takes more tests.
# experiments/mutation/README.md tells the results.
for (part in c("mutants-r", "mutants-cpp", "mutation-build", "mutation-core", "mutation-r",
  "mutation-reach", "mutation-run")) {
  source(file.path("tools", paste0(part, ".R")))
}

given <- commandArgs(trailingOnly = TRUE)
n_mutants <- if (length(given) > 0L) as.integer(given[1]) else 150L
seed <- if (length(given) > 1L) as.integer(given[2]) else 1L
minutes <- if (length(given) > 2L) as.numeric(given[3]) else Inf
n_children <- as.integer(Sys.getenv("JOBS", "2"))
# Seconds of tests that a mutant gets.
most <- if (identical(Sys.getenv("TRY"), "again")) 120 else 20
side <- if (identical(Sys.getenv("SIDE"), "core")) "core" else "r"
again <- identical(Sys.getenv("TRY"), "again")
lib <- normalizePath(".build/lib")
place <- file.path(normalizePath(".build"), "mutation")
results <- file.path("experiments/mutation/results", paste0(side, ".csv"))
same <- c("seed", "file", "line", "kind", "before", "after")
if (side == "r") same <- c(same, "col1")

# Shorter than the sources have them, in one line of a table.
shorten <- function(text) substr(gsub("\\s+", " ", text), 1L, 120L)
key_of <- function(rows) {
  rows[c("before", "after")] <- lapply(rows[c("before", "after")], shorten)
  do.call(paste, rows[setdiff(same, "seed")])
}
# What was put there can be nothing, or NA.
read_mutants <- function(file) {
  text <- c(before = "character", after = "character")
  utils::read.csv(file, colClasses = text, na.strings = character())
}
read_results <- function() if (file.exists(results)) read_mutants(results)

# The last word on each mutant.
write_results <- function(rows) {
  rows <- rbind(read_results(), rows)
  rows <- rows[!duplicated(rows[same], fromLast = TRUE), ]
  dir.create(dirname(results), recursive = TRUE, showWarnings = FALSE)
  utils::write.csv(rows[order(rows$file, rows$line), ], results, row.names = FALSE)
}

# A row of the results.
result_row <- function(mutant, end) {
  status <- if (nzchar(end$said)) "killed" else if (end$tests > 0L) "survived" else "not reached"
  mutant[c("before", "after")] <- lapply(mutant[c("before", "after")], shorten)
  of_r <- if (side == "r") c("col1", "name")
  data.frame(
    mutant[c("seed", "room", "file", "line", of_r, "kind", "before", "after")],
    status = status, killed_by = end$said, tests = end$tests, seconds = round(end$seconds, 1)
  )
}

# @param try function of one row of the plan.
try_plan <- function(plan, try, end) {
  done <- read_results()
  if (again) done <- done[done$status == "killed", ]
  if (NROW(done) > 0L) plan <- plan[!key_of(plan) %in% key_of(done), ]
  batches <- split(seq_len(nrow(plan)), (seq_len(nrow(plan)) - 1L) %/% n_children)
  for (batch in batches) {
    if (proc.time()[["elapsed"]] > end) break
    rows <- parallel::mclapply(batch, function(k) result_row(plan[k, ], try(plan[k, ])),
      mc.cores = n_children, mc.preschedule = FALSE
    )
    rows <- do.call(rbind, rows)
    cat(sprintf(
      "%s:%d %s -> %s: %s %s\n", rows$file, rows$line, rows$before, rows$after, rows$status,
      rows$killed_by
    ), sep = "")
    write_results(rows)
  }
}

# Mutants of the package as it is loaded: those of R/, and those of src/ once it is built with them.
try_loaded <- function(plan, try, lib, end) {
  start_tests(lib)
  tests <- read_reach()
  callers <- read_callers()
  try_plan(plan, function(mutant) try(mutant, tests, callers, most), end)
}

try_all <- function() {
  end <- proc.time()[["elapsed"]] + 60 * minutes
  if (side == "r") {
    return(try_loaded(draw_r_mutants(n_mutants, seed), try_r_mutant, lib, end))
  }
  plan <- prepare_core(n_mutants, seed, place)
  build_core(file.path(place, "tree"), file.path(place, "core"))
  programs <- reach_core(file.path(place, "core"))
  border <- plan$room == "border"
  try_plan(plan[!border, ], function(mutant) try_core_mutant(mutant, programs, most), end)
  if (any(border) && proc.time()[["elapsed"]] < end) {
    try_loaded(plan[border, ], try_border_mutant, prepare_border(plan[border, ], place), end)
  }
}

print_shares <- function() {
  rows <- read_results()
  equivalent <- read_mutants(
    file.path("experiments/mutation", sprintf("equivalent-%s.csv", side))
  )
  key <- function(rows) do.call(paste, rows[c("seed", "file", "line", "before", "after")])
  rows <- rows[!key(rows) %in% key(equivalent), ]
  killed <- tapply(rows$status == "killed", rows$room, sum)
  mutants <- table(rows$room)
  print(data.frame(
    room = names(killed), mutants = as.integer(mutants), killed = as.integer(killed),
    share = round(as.numeric(killed / mutants), 2)
  ), row.names = FALSE)
  cat("all:", sum(killed), "of", nrow(rows), "killed\n")
}

try_all()
print_shares()
