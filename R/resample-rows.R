# Runs that the user gave, as rows or counts.

custom_counts <- function(plan, n) {
  if (!is.null(plan$counts)) {
    return(plan$counts)
  }
  rows <- check_row_lists(plan$rows, n)
  vapply(rows, tabulate, integer(n), nbins = n)
}

check_row_lists <- function(rows, n) {
  if (is.matrix(rows)) {
    rows <- lapply(seq_len(ncol(rows)), function(run) rows[, run])
  }
  refuse(!is.list(rows) || length(rows) == 0L,
    "{.arg rows} must be a list of row numbers or a matrix with runs in columns."
  )
  unname(Map(check_rows, rows, seq_along(rows), MoreArgs = list(n = n)))
}

check_rows <- function(rows, run, n) {
  refuse(!is.numeric(rows) || length(rows) == 0L,
    "Run {run} of {.arg rows} must hold row numbers, at least one."
  )
  upper <- if (is.null(n)) .Machine$integer.max else n
  wrong <- which(is.na(rows) | rows < 1 | rows > upper | rows != round(rows))
  if (length(wrong) > 0L) {
    range <- if (is.null(n)) "from 1" else paste("from 1 to", n)
    abort(
      "Run {run} of {.arg rows} must hold whole numbers {range};
       number {wrong[1]} is {rows[wrong[1]]}."
    )
  }
  as.integer(rows)
}
