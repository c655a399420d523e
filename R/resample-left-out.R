# What a model that predicts a sample must not have seen. Leaving out one sample makes its class
# rarer, so that a model of noise prefers the other class: with ten samples of either class it errs
# in two of three cases. A sample of every other class, left out with it, restores the balance.

# @param response (stabilect_response) numbers have no companions.
# @param blocks (factor, n, or NULL) a block is left out as a whole, and so is one with samples of
#   every class that it has none of.
# @return list of n integer vectors, rows in ascending order. The companions are drawn by a seed of
#   their own: the error then depends on the runs alone, also when they were merged.
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
    others <- setdiff(seq_along(holders), present[[unit]])
    # The only unit of a class stays, for a model to know the class.
    companions <- unlist(lapply(holders[others], function(at) {
      if (length(at) > 1L) at[sample.int(length(at), 1L)]
    }))
    sort(unlist(units[unique(c(unit, companions))]))
  }))
  together[unit_of]
}

# Are classes (or events) to be drawn in their proportions when the user gives no plan? Not when a
# class is so small that it would be in every run or in none, or has samples in blocks of several
# classes.
can_stratify <- function(study, fraction) {
  codes <- strata_of(study$response)
  if (is.null(codes)) {
    return(FALSE)
  }
  blocks <- study$blocks
  if (!is.null(blocks)) {
    if (!blocks_are_pure(codes, blocks)) {
      return(FALSE)
    }
    codes <- codes[!duplicated(blocks)]
  }
  smallest <- min(tabulate(codes, max(codes)))
  smallest >= 2L && fraction * smallest >= 1
}
