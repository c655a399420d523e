# What a model that predicts a sample must not have seen. Leaving out one sample makes its class
# rarer, and a model of noise prefers the other class: with ten samples of each class it errs in two
# of three cases. Leaving out one sample of every other class restores the balance. In a balanced
# design, with as many samples of each class in each batch, it is one of the same batch: any other
# would leave the batch with too few of the sample's class, and covariates that say nothing would
# err in nearly all cases. Covariates that are as they come need no match: it would keep what they
# say by chance.

# @param response (stabilect_response) numbers have no companions.
# @param blocks (factor, n, or NULL) a block is left out as a whole, with blocks of the classes that
#   it lacks.
# @param judged (integer) rows; others are alone.
# @return list of n integer vectors, rows in ascending order. A seed of their own draws the
#   companions: the error depends on the runs alone, also after merging.
left_out_together <- function(response, blocks = NULL, judged = seq_along(response$y)) {
  codes <- response$codes
  unit_of <- units_of(response, blocks)
  units <- unname(split(seq_along(unit_of), unit_of))
  if (is.null(codes)) {
    return(units[unit_of])
  }
  present <- lapply(units, function(rows) unique(codes[rows]))
  holders <- lapply(seq_len(max(codes)), function(class) {
    which(vapply(present, function(classes) class %in% classes, NA))
  })
  place <- places_of_design(response, unit_of)
  asked <- if (is.null(place)) seq_along(units) else sort(unique(unit_of[judged]))
  together <- units
  together[asked] <- with_seed(1, lapply(asked, function(unit) {
    others <- seq_along(holders)[-present[[unit]]]
    # The only unit of a class stays: the model must know the class.
    companions <- unlist(lapply(holders[others], function(at) {
      if (length(at) > 1L) {
        at <- nearest_units(at, unit, place)
        at[sample.int(length(at), 1L)]
      }
    }))
    rows <- unlist(units[unique(c(unit, companions))])
    rows[order(rows)]
  }))
  together[unit_of]
}

# @param unit (integer, n) the unit of each sample, from 1.
# @return (matrix, units x covariates, each with mean 0 and standard deviation 1), or NULL where the
#   design is not balanced.
places_of_design <- function(response, unit) {
  if (is.null(response$covariates) || is.null(response$codes)) {
    return(NULL)
  }
  means <- function(values) scale(rowsum(values, unit) / tabulate(unit))
  place <- means(response$covariates)
  place <- place[, colSums(is.na(place)) == 0L, drop = FALSE]
  classes <- outer(response$codes, seq_len(max(response$codes))[-1L], `==`) + 0
  if (ncol(place) > 0L && is_balanced(place, means(classes))) place
}

is_designed <- function(response) !is.null(places_of_design(response, units_of(response)))

# Are covariates and classes less correlated than all but 2 % of those that are as they come?
is_balanced <- function(place, classes) {
  classes <- classes[, colSums(is.na(classes)) == 0L, drop = FALSE]
  basis <- function(values) {
    factors <- qr(values)
    qr.Q(factors)[, seq_len(factors$rank), drop = FALSE]
  }
  shared <- crossprod(basis(place), basis(classes))
  stats::pchisq(nrow(place) * sum(shared^2), length(shared)) < 0.02
}

# Those of the units `at` that are nearest to a unit; all without a balanced design.
nearest_units <- function(at, unit, place) {
  if (is.null(place)) {
    return(at)
  }
  distance <- rowSums((place[at, , drop = FALSE] - rep(place[unit, ], each = length(at)))^2)
  at[distance <= min(distance) + 1e-9]
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
