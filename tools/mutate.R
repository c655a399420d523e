# Breaks R/ on purpose, in one place at a time, and counts what no test notices; `make mutation`
# calls it. Rscript tools/mutate.R [mutants] [seed] [minutes]. Work goes on where it was left:
# mutants with a row in the results are not tried again, unless they survived and TRY=again,
# which takes more tests.
# inst/experiments/mutation/README.md tells the results, and how those of the C++ core were made.
for (part in c("mutants-r", "mutation-r", "mutation-reach", "mutation-run")) {
  source(file.path("tools", paste0(part, ".R")))
}

given <- commandArgs(trailingOnly = TRUE)
n_mutants <- if (length(given) > 0L) as.integer(given[1]) else 150L
seed <- if (length(given) > 1L) as.integer(given[2]) else 1L
minutes <- if (length(given) > 2L) as.numeric(given[3]) else Inf
n_children <- as.integer(Sys.getenv("JOBS", "2"))
lib <- normalizePath(".build/lib")
results <- "inst/experiments/mutation/results/r.csv"

key_of <- function(rows) paste(rows$file, rows$line, rows$col1, rows$kind, rows$after)
read_results <- function() if (file.exists(results)) utils::read.csv(results)

# The last word on each mutant.
write_results <- function(rows) {
  rows <- rbind(read_results(), rows)
  rows <- rows[!duplicated(rows[c("file", "line", "col1", "kind", "after")], fromLast = TRUE), ]
  dir.create(dirname(results), recursive = TRUE, showWarnings = FALSE)
  utils::write.csv(rows[order(rows$file, rows$line, rows$col1), ], results, row.names = FALSE)
}

print_shares <- function() {
  rows <- read_results()
  equivalent <- utils::read.csv(
    "inst/experiments/mutation/equivalent-r.csv", colClasses = "character", na.strings = character()
  )
  rows <- rows[!paste(rows$file, rows$before, rows$after) %in%
    paste(equivalent$file, equivalent$before, equivalent$after), ]
  killed <- tapply(rows$status == "killed", rows$room, sum)
  mutants <- table(rows$room)
  print(data.frame(
    room = names(killed), mutants = as.integer(mutants), killed = as.integer(killed),
    share = round(as.numeric(killed / mutants), 2)
  ), row.names = FALSE)
  cat("all:", sum(killed), "of", nrow(rows), "killed\n")
}

try_all <- function() {
  start_tests(lib)
  tests <- read_reach()
  callers <- read_callers()
  end <- proc.time()[["elapsed"]] + 60 * minutes
  plan <- draw_r_mutants(n_mutants, seed)
  done <- read_results()
  again <- identical(Sys.getenv("TRY"), "again")
  if (again) done <- done[done$status == "killed", ]
  shorten <- function(text) substr(gsub("\\s+", " ", text), 1L, 120L)
  plan <- plan[!key_of(transform(plan, after = shorten(after))) %in% key_of(done), ]
  batches <- split(seq_len(nrow(plan)), (seq_len(nrow(plan)) - 1L) %/% n_children)
  for (batch in batches) {
    if (proc.time()[["elapsed"]] > end) break
    rows <- parallel::mclapply(batch, function(k) {
      try_r_mutant(plan[k, ], tests, callers, most = if (again) 120 else 20)
    }, mc.cores = n_children, mc.preschedule = FALSE)
    rows <- do.call(rbind, rows)
    cat(sprintf(
      "%s:%d %s -> %s: %s %s\n", rows$file, rows$line, rows$before, rows$after, rows$status,
      rows$killed_by
    ), sep = "")
    write_results(rows)
  }
}

try_all()
print_shares()
