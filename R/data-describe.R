# What is said of the data in every print.

# "62 samples x 2000 features; normal: 22, tumour: 40"
describe_study <- function(record) {
  sprintf(
    "%s x %s; outcome: %s%s", count_of(record$n, "sample"), count_of(record$p, "feature"),
    outcome_of(record)$describe(record),
    if (is.null(record$within)) "" else sprintf("; compared within %d groups", record$within)
  )
}

# The data and what was done to the input, for prints.
describe_data <- function(record) {
  c(describe_study(record), if (length(record$notes) > 0L) paste0("input: ", record$notes))
}
