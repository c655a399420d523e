# Which samples a model was fitted to, recognisable without their values: a key for every row from
# the features of the model and the outcome, and one from all features and the outcome.

# @param features (character) of the model.
# @return list(own, all (character, n: keys by the features of the model, and by all features),
#   distinct (integer: rows that are not copies of others, or NULL for all),
#   agree, beside (named numeric, `own` and `all`: log of the probability that two samples agree,
#   and that two samples with the same outcome agree)).
row_record <- function(study, features) {
  observed <- observed_columns(study$response)
  columns <- list(own = match(features, study$feature_names), all = seq_len(study$p))
  keys <- lapply(columns, function(these) {
    row_keys(function(j) study$x[, these[j], drop = FALSE], length(these), observed)
  })
  # Copies of a sample are no sign that samples agree by chance.
  distinct <- if (!is.null(study$twins)) which(study$twins == seq_along(study$twins))
  rows <- if (is.null(distinct)) seq_along(keys$own) else distinct
  agree <- mapply(function(these, keys) {
    # Enough features to tell samples apart; all would take too long in wide data.
    some <- these[unique(round(seq(1, length(these), length.out = min(length(these), 200L))))]
    values <- cbind(study$x[, some, drop = FALSE], numbers_of(observed))
    log_agreement(values[rows, , drop = FALSE], keys[rows])
  }, columns, keys)
  response <- row_keys(NULL, 0L, observed)
  beside <- vapply(keys, function(keys) log_agreement_beside(keys[rows], response[rows]), 0)
  c(keys, list(distinct = distinct, agree = agree, beside = beside))
}

# Keys of the samples of the final model; not needed in permutations.
with_rows <- function(fit, study) {
  if (!is.null(fit$model)) fit$model$rows <- row_record(study, fit$model$features)
  fit
}

# A hash of the values of each row, by slabs of columns. Names of features are left out: columns are
# read in the order of the fit.
# @param read function(j): columns j as a matrix. @param p (count) of columns.
# @param observed (data frame, a row for each sample).
row_keys <- function(read, p, observed) {
  classes <- vapply(observed, is.factor, NA)
  keys <- rep("", nrow(observed))
  if (any(classes)) keys <- fresh_strings(observed[[which(classes)]])
  beside <- as.matrix(observed[!classes])
  none <- matrix(0, length(keys), 0L)
  for (j in if (p > 0L) slabs_of(p) else list(integer())) {
    keys <- cpp_hash_rows(keys, beside, if (p > 0L) as.matrix(read(j)) else none)
    beside <- none
  }
  keys
}

numbers_of <- function(observed) vapply(observed, as.numeric, numeric(nrow(observed)))

# Log of the probability that two samples of one population have the same key: the share of agreeing
# pairs in the fit or, if smaller, the product over features. Tied values are dependent, so these
# logs count half; copies of a feature count once.
log_agreement <- function(values, keys) {
  n <- nrow(values)
  pairs <- choose(n, 2)
  tied <- function(v) sum(choose(tabulate(match(v, unique(v))), 2))
  alike <- cpp_tied_pairs(values)
  weight <- ifelse(alike == 0, 1, 0.5)
  max(log(tied(keys) / pairs), sum(weight * log((alike + 1) / (pairs + 1))))
}

# Samples may be sorted by the outcome in every study.
log_agreement_beside <- function(keys, response) {
  pairs <- function(v) sum(choose(tabulate(match(v, unique(v))), 2))
  among <- pairs(response)
  # No key occurs with two outcomes: the key determines the outcome.
  if (among == 0) -log(choose(length(keys), 2)) else log((pairs(keys) + 1) / (among + 1))
}

# Are these the samples of the fit in their order, beyond chance?
in_order <- function(keys, known, beside) {
  identical(keys, known) && length(keys) * beside < log(1e-4)
}
