# Words for prints: seeds, counts and ranges.

# For the prints of results.
describe_seed <- function(settings) {
  merged <- settings$merged
  if (is.null(merged)) {
    return(paste("seed", format(settings$seed)))
  }
  sprintf(
    "merged from %d results, seed%s %s", merged$n_results,
    if (length(merged$seeds) == 1L) "" else "s", describe_seeds(merged$seeds)
  )
}

describe_seeds <- function(seeds) {
  paste0(paste(utils::head(seeds, 10L), collapse = ", "), if (length(seeds) > 10L) ", ...")
}

count_of <- function(n, noun) {
  paste0(format(n, big.mark = ","), " ", noun, if (n == 1L) "" else "s")
}

format_range <- function(range) {
  if (range[1] == range[2]) format(range[1]) else paste(range[1], "to", range[2])
}
