# What a model that predicts a sample must not have seen. Leaving out one sample makes its class
# rarer, and a model of noise prefers the other class: with ten samples of each class it errs in two
# of three cases. Leaving out one sample of every other class restores the balance.

# @param response (stabilect_response) numbers have no companions.
# @param blocks (factor, n, or NULL) a block is left out as a whole, with blocks of the classes that
#   it lacks.
# @return list of n integer vectors, rows in ascending order. A seed of their own draws the
#   companions: the error depends on the runs alone, also after merging.
left_out_together <- function(response, blocks = NULL) {
  codes <- response$codes
  unit_of <- if (is.null(blocks)) seq_along(response$y) else as.integer(blocks)
  units <- unname(split(seq_along(unit_of), unit_of))
  if (is.null(codes)) {
    return(units[unit_of])
  }
  present <- lapply(units, function(rows) unique(codes[rows]))
  holders <- lapply(seq_len(max(codes)), function(class) {
    which(vapply(present, function(classes) class %in% classes, NA))
  })
  together <- with_seed(1, lapply(seq_along(units), function(unit) {
    others <- seq_along(holders)[-present[[unit]]]
    # The only unit of a class stays: the model must know the class.
    companions <- unlist(lapply(holders[others], function(at) {
      if (length(at) > 1L) at[sample.int(length(at), 1L)]
    }))
    rows <- unlist(units[unique(c(unit, companions))])
    rows[order(rows)]
  }))
  together[unit_of]
}

# Are classes (or events) drawn in proportion by default? Not if a class is so small that it would
# be in all runs or in none, or if its blocks contain other classes.
can_stratify <- function(study, fraction) {
  codes <- strata_of(study$response)
  if (is.null(codes)) {
    return(FALSE)
  }
  blocks <- study$response$blocks
  if (!is.null(blocks)) {
    if (!is_copied(blocks) && !blocks_are_pure(codes, blocks)) {
      return(FALSE)
    }
    codes <- codes[!duplicated(blocks)]
  }
  smallest <- min(tabulate(codes, max(codes)))
  smallest >= 2L && fraction * smallest >= 1
}
