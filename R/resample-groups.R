# Groups of samples whose models leave out the whole group. A model without one sample is shifted
# against the outcome of this sample, by 1 / n. Each sample has a model of its own, so that pairs of
# samples that differ by nothing else are ranked in the wrong order, however many samples there are:
# the AUC of a constant is 0 (Parker, Guenter and Bedo 2007; Airola et al. 2011). In a group all
# models have been fitted on the same other samples, and a pair is judged as if both were new.

# @param response (stabilect_response) with `blocks`, which stay together. @param judged (integer)
#   rows.
# @return list of integer vectors, n: the group of each sample, `NA` if it is not judged. Few
#   samples are grouped up to three times, since groups have few pairs. NULL for outcomes whose
#   samples are not ranked.
order_groups <- function(response, judged) {
  if (outcome_of(response)$ranked == "none") {
    return(NULL)
  }
  unit <- units_of(response)
  units <- unique(unit[judged])
  code <- codes_to_deal(response, unit)[match(units, unit)]
  n_groups <- count_groups(length(units), tabulate(match(code, unique(code))))
  turns <- min(3L, max(1L, 300L %/% length(units)))
  cell <- cells_of_design(response, match(unit, unique(unit)))[match(units, unique(unit))]
  with_seed(1, lapply(seq_len(turns), function(turn) {
    hand <- if (is.null(cell)) deal(code, n_groups) else deal_cells(code, n_groups, cell)
    replace(hand[match(unit, units)], -judged, NA)
  }))
}

# Units of about equal covariates in a balanced design. Without a group of unequal classes in a
# cell, the model is shifted against the outcomes in this cell, and covariates that say nothing rank
# in the wrong order.
# @return (integer, one per unit, or NULL where nothing is to be matched).
cells_of_design <- function(response, unit) {
  place <- places_of_design(response, unit)
  if (is.null(place)) {
    return(NULL)
  }
  cell <- match_rows(signif(place, 10L))
  if (max(cell) <= length(cell) / 4) {
    return(cell)
  }
  # Ten neighbours along the direction in which covariates differ most.
  axis <- stats::prcomp(place, rank. = 1L)$rotation[, 1L]
  along <- drop(place %*% axis) * sign(axis[which.max(abs(axis))])
  (rank(signif(along, 10L), ties.method = "first") - 1L) %/% 10L + 1L
}

# Cells of a balanced design, in which draws have the classes in proportion: models would otherwise
# expect, in the samples that a run left out, the class that the run had too many of.
# @param strata (integer, n) classes. @param plan (resampling plan).
# @return (integer, n) cells, or NULL without a design, or where cells are too small for the plan.
cells_of_draws <- function(response, strata, plan) {
  unit <- units_of(response, plan$blocks)
  cell <- if (!is.null(strata)) cells_of_design(response, unit)[unit]
  if (is.null(cell)) {
    return(NULL)
  }
  first <- !duplicated(unit)
  sizes <- table(cell[first], strata[first])
  fits <- if (is_division(plan)) {
    sum(apply(sizes, 1L, max)) >= count_parts(plan)
  } else {
    min(sizes[sizes > 0L]) >= 2L
  }
  if (fits) cell
}

# Folds, or halves, with the classes of each cell in proportion.
# @param units list(labels (integer, from 0), cell).
# @return as cpp_draw_resamples().
divide_design <- function(plan, units, seed) {
  n_parts <- count_parts(plan)
  seeds <- child_seeds(seed, plan$n_runs / n_parts)
  counts <- do.call(cbind, lapply(seeds, function(own) {
    hand <- with_seed(own, deal_cells(units$labels + 1L, n_parts, units$cell))
    outer(hand, seq_len(n_parts), `!=`) + 0L
  }))
  list(
    counts = counts, redraws = integer(ncol(counts)),
    degenerate = is_of_one_class(counts, units$labels)
  )
}

# @return (flags) of each run.
is_of_one_class <- function(counts, labels) {
  apply(counts, 2L, function(count) length(unique(labels[count > 0L])) < 2L)
}

is_division <- function(plan) plan$scheme %in% c("folds", "pairs")

count_parts <- function(plan) if (plan$scheme == "pairs") 2L else plan$n_folds

match_rows <- function(values) {
  key <- do.call(paste, as.data.frame(values))
  match(key, unique(key))
}

# Classes are dealt in proportion. Survival times are dealt at random: in proportion, pairs of an
# event and a censored sample would count too much.
codes_to_deal <- function(response, unit) {
  codes <- response$codes
  alone <- outcome_of(response)$ranked == "error"
  if (alone || !blocks_are_pure(codes, unit)) rep(1L, length(unit)) else codes
}

# Five units a group, at least five groups, and a unit of each class in each group, if both can be.
# @param sizes (integer) units of each class.
count_groups <- function(n_units, sizes) {
  min(max(5L, min(n_units %/% 5L, sizes)), max(2L, n_units %/% 2L))
}

# Deals units of several classes to hands, which differ by at most one of a class, and in all.
deal <- function(code, n_hands) {
  hand <- integer(length(code))
  start <- 0L
  for (own in split(seq_along(code), code)) {
    own <- own[sample.int(length(own))]
    hand[own] <- (seq_along(own) + start - 1L) %% n_hands + 1L
    start <- start + length(own)
  }
  hand
}

# As deal(), so that a hand has the classes of a cell in their proportion: the largest class of a
# cell is dealt in turn, each other class to some of the same hands, those that have fewest of it.
# @param cell (integer, one per unit).
deal_cells <- function(code, n_hands, cell) {
  hand <- integer(length(code))
  held <- matrix(0L, n_hands, max(code))
  start <- 0L
  for (own in split(seq_along(code), cell)) {
    own <- own[sample.int(length(own))]
    classes <- split(own, code[own])
    classes <- classes[order(-lengths(classes))]
    slots <- (seq_along(classes[[1L]]) + start - 1L) %% n_hands + 1L
    start <- start + length(slots)
    for (members in classes) {
      class <- code[members[1L]]
      taken <- slots[order(held[slots, class])][seq_along(members)]
      hand[members] <- taken
      held[, class] <- held[, class] + tabulate(taken, n_hands)
    }
  }
  hand
}

# @param groups of order_groups().
# @return list of integer vectors: the rows of each group of each turn.
rows_of_groups <- function(groups) {
  unlist(lapply(groups, function(group) unname(split(seq_along(group), group))), recursive = FALSE)
}

# The pairs of samples in groups that can be compared.
# @param most (number) of more pairs some are drawn.
# @return list(first, second (integer rows), left_out (list of integer vectors: rows)).
pairs_in_groups <- function(response, groups, most) {
  rows <- rows_of_groups(groups)
  pairs <- lapply(seq_along(rows), function(k) {
    at <- which(upper.tri(diag(length(rows[[k]]))), arr.ind = TRUE)
    cbind(rows[[k]][at[, 1L]], rows[[k]][at[, 2L]], rep(k, nrow(at)))
  })
  pairs <- do.call(rbind, pairs)
  comparable <- comparable_pairs(response, pairs[, 1L], pairs[, 2L])
  pairs <- pairs[comparable, , drop = FALSE]
  if (nrow(pairs) > most) {
    pairs <- pairs[sort(with_seed(1, sample.int(nrow(pairs), most))), , drop = FALSE]
  }
  list(first = pairs[, 1L], second = pairs[, 2L], left_out = rows[pairs[, 3L]])
}
