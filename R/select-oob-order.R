# Rank measures out of bag: who is compared with whom, by which models. See R/resample-groups.R.
#
# A pair is judged by one model. Its features are those of the runs that drew neither sample: with
# features of different runs, the model of one has been selected with the other, and the order is
# again too often wrong. It is fitted without the group of the pair.

# @param left_out of left_out_together().
# @return list(counts (matrix, models x runs: features are those of the runs with 0), left_out,
#   predicted (lists of integer vectors)): a model for each judged sample.
single_models <- function(counts, judged, left_out) {
  list(
    counts = counts[judged, , drop = FALSE], left_out = left_out[judged],
    predicted = as.list(judged)
  )
}

# @param pairs of pairs_in_groups(). @param missed function(counts): which models have their runs.
# @return as single_models(), with `pair` (integer): the pair that a model judges, alone or, if no
#   run missed both samples, with another model.
pair_models <- function(counts, pairs, missed) {
  both <- counts[pairs$first, , drop = FALSE] + counts[pairs$second, , drop = FALSE]
  shared <- missed(both)
  own <- which(!shared)
  apart <- c(pairs$first[own], pairs$second[own])
  pair <- c(which(shared), own, own)
  list(
    counts = rbind(both[shared, , drop = FALSE], counts[apart, , drop = FALSE]),
    left_out = pairs$left_out[pair],
    predicted = c(Map(c, pairs$first[shared], pairs$second[shared]), as.list(apart)), pair = pair
  )
}

# Models without features: a group has one.
group_models <- function(groups) {
  rows <- rows_of_groups(groups)
  list(left_out = rows, predicted = rows)
}

# Predictions of models as an order: those of a group, or of a pair, are compared.
# @param models of pair_models() or group_models(). @param value (matrix) a row for each prediction.
# @return list(row, group (integer), value).
new_order <- function(models, value) {
  group <- if (is.null(models$pair)) seq_along(models$predicted) else models$pair
  list(
    row = unlist(models$predicted), group = rep(group, lengths(models$predicted)), value = value
  )
}

# @param link (numeric, or a matrix with a column for each of several classes).
# @return (numeric matrix) a column, or one for each class.
values_to_rank <- function(link, response) {
  decision <- decision_of_link(outcome_of(response), link)
  as.matrix(if (is.null(decision)) link else decision)
}

# Of some samples, as rows of these.
order_among <- function(order, rows) {
  if (is.null(order)) {
    return(NULL)
  }
  kept <- order$row %in% rows
  list(
    row = match(order$row[kept], rows), group = order$group[kept],
    value = order$value[kept, , drop = FALSE]
  )
}

# The standard error of the difference of two rank errors, from the influences of samples on both,
# as if predictions were independent.
se_of_order <- function(oob, other, blocks) {
  influence <- lapply(list(oob, other), function(one) {
    found <- rank_agreement(outcome_of(one), one$predictions, one$order)
    sum_by_unit(found$influence, one$order$row, blocks)
  })
  units <- unique(unlist(lapply(influence, names)))
  each <- vapply(influence, function(one) {
    own <- one[units]
    replace(own, is.na(own), 0)
  }, numeric(length(units)))
  sqrt(sum((each[, 1L] - each[, 2L])^2))
}
