# The table of lasso paths in bench/README.md, from the rows of bench/results.csv measured last:
# Rscript tools/readme-table.R, or make readme-table. `make lint` compares the two.

path_table <- function() {
  rows <- utils::read.csv(file.path("bench", "results.csv"))
  rows <- rows[rows$commit == rows$commit[nrow(rows)], ]
  digits <- function(x, n) formatC(signif(x, n), digits = n, format = "fg", flag = "#")
  number <- function(x, n = 2) {
    text <- sub("[.]$", "", digits(x, n))
    ifelse(is.na(x), "", ifelse(x >= 100, format(round(x), big.mark = ",", trim = TRUE), text))
  }
  c(
    paste(
      "| data | runs | 1 thread, ms a path | 2 threads | times faster than lars | than glmnet",
      "| whole `fealect()`, s |"
    ),
    "|---|---|---|---|---|---|---|",
    sprintf(
      "| %s | %s | %s | %s | %s | %s | %s |", rows$case,
      format(rows$runs, big.mark = ",", trim = TRUE),
      number(rows$ms_per_path_1_thread, 3), number(rows$ms_per_path_2_threads, 3),
      number(rows$ratio_lars, 3), number(rows$ratio_glmnet), number(rows$fealect_seconds)
    ),
    "",
    sprintf("Measured on %s, commit %s.", rows$machine[1], rows$commit[1])
  )
}

with_path_table <- function(lines) {
  at <- match(c("<!-- paths: start -->", "<!-- paths: end -->"), lines)
  c(lines[seq_len(at[1])], path_table(), lines[at[2]:length(lines)])
}

# sys.source() has frames of its own.
if (sys.nframe() == 0L) {
  page <- file.path("bench", "README.md")
  writeLines(with_path_table(readLines(page)), page)
}
