# What is said of the data in every print.

# "62 samples x 2000 features; normal: 22, tumour: 40"
describe_study <- function(record) {
  data <- sprintf(
    "%s x %s; outcome: %s", count_of(record$n, "sample"), count_of(record$p, "feature"),
    describe_outcome(outcome_of(record), record)
  )
  if (length(record$roles) == 0L) {
    return(data)
  }
  paste(c(data, data_words(record, "samples")), collapse = "; ")
}

# The data and what was done to the input, for prints.
describe_data <- function(record) {
  c(
    describe_study(record),
    if (has_own_blocks(record$blocks)) describe_blocks(record$blocks),
    if (length(record$roles) > 0L) data_words(record, "features"),
    if (length(record$notes) > 0L) paste0("input: ", record$notes),
    if (!is.null(record$copies)) describe_copies(record)
  )
}

describe_blocks <- function(blocks) {
  sizes <- range(tabulate(blocks))
  paste0(
    count_of(nlevels(blocks), "block"), " of ", format_range(sizes),
    if (sizes[2] == 1L) " sample" else " samples", " kept whole"
  )
}

# "views of features: clinical 10, expression 12,600"
describe_views <- function(view) {
  paste("views of features:", paste(levels(view), sizes_of_views(view), collapse = ", "))
}

sizes_of_views <- function(view) vapply(tabulate(view), figure, "", big.mark = ",")

# "by view: clinical 2 of 10, expression 3 of 12,600"
# @param bound (numeric, one per view, or NULL) of its expected false positives.
describe_by_view <- function(features, view, bound = NULL) {
  counts <- tabulate(view[features], nlevels(view))
  each <- sprintf("%s %d of %s", levels(view), counts, sizes_of_views(view))
  if (!is.null(bound)) {
    most <- sprintf("at most %s false", vapply(bound, figure, "", digits = 2))
    each <- sprintf("%s (%s)", each, ifelse(is.finite(bound), most, "no bound"))
  }
  paste("by view:", paste(each, collapse = ", "))
}
