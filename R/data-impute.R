# `na = "impute"`: missing numbers from similar features, without the outcome. The data get their
# expected values; what reads correlations or says "probability" gets the draws.

# Fewer say too little of neighbours.
least_imputed <- c(samples = 20L, features = 50L)

check_imputable <- function(x) {
  refuse(!is.matrix(x) && !is.data.frame(x), c(
    "{.code na = \"impute\"} needs a matrix or data frame in memory, not {describe_value(x)}.",
    i = "Read it with {.fn as.matrix} first."
  ))
  n_numbers <- if (is.data.frame(x)) sum(vapply(x, is.numeric, NA)) else ncol(x)
  refuse(nrow(x) < least_imputed[["samples"]] || n_numbers < least_imputed[["features"]], c(
    "{.code na = \"impute\"} learns from similar features: it needs {least_imputed[['samples']]}
      samples and {least_imputed[['features']]} features of numbers, but {.arg x} has {nrow(x)} and
      {n_numbers}.",
    i = "Use {.code na = \"median\"}."
  ))
}

# @param x (matrix or data frame) coded, with missing numbers. @param view (factor, by column, or
#   NULL): features of one view have one detection curve.
# @return list(x, imputed (list, see ?prepare_study; NULL without missing numbers), note).
impute_numbers <- function(x, view, n_draws, seed, n_threads, progress) {
  own <- if (is.data.frame(x)) vapply(x, is.numeric, NA) else rep(TRUE, ncol(x))
  numbers <- if (is.data.frame(x)) as.matrix(as.data.frame(x)[own]) else x
  storage.mode(numbers) <- "double"
  refuse_infinite(numbers)
  if (!anyNA(numbers)) {
    return(list(x = x))
  }
  group <- curve_groups(numbers, if (!is.null(view)) view[own])
  by_value <- curves_by_value(numbers, group)
  report <- progress_reporter(progress, "Imputation")
  found <- cpp_impute(numbers, group, by_value, n_draws, seed, n_threads, report)
  observed <- numbers
  cells <- cbind(found$row, found$column)
  observed[cells] <- 0
  numbers[cells] <- found$expected
  imputed <- list(
    row = found$row, column = which(own)[found$column], drawn = found$drawn, n_draws = n_draws,
    seed = seed, slope = found$slope, by_value = by_value, lower = found$lower,
    steep = found$slope * spread_of_groups(observed, cells, group),
    hash = hash_plain(list(hash_features(observed), found$row, found$column, n_draws, seed, 1L))
  )
  x <- put_numbers(x, own, numbers)
  list(x = x, imputed = imputed, note = describe_imputation(
    imputed, length(numbers), group[found$column]
  ))
}

# The standard deviation of all values that are there, of each group.
spread_of_groups <- function(x, cells, group) {
  x[cells] <- NA
  vapply(seq_len(max(group)), function(g) stats::sd(x[, group == g], na.rm = TRUE), 0)
}

put_numbers <- function(x, own, numbers) {
  if (!is.data.frame(x)) {
    return(numbers)
  }
  columns <- unclass(x)
  columns[own] <- lapply(seq_len(ncol(numbers)), function(j) numbers[, j])
  as_table(columns, x)
}

refuse_infinite <- function(x) {
  at <- if (is.data.frame(x)) {
    rows <- lapply(x, function(column) if (is.numeric(column)) which(is.infinite(column)))
    c(unlist(rows, use.names = FALSE)[1], which(lengths(rows) > 0L)[1])
  } else {
    first <- which(is.infinite(x))[1]
    c((first - 1L) %% nrow(x) + 1L, (first - 1L) %/% nrow(x) + 1L)
  }
  if (!anyNA(at)) {
    value <- if (is.data.frame(x)) x[[at[2]]][at[1]] else x[at[1], at[2]]
    label <- if (!is.null(colnames(x))) paste0(" (", dQuote(colnames(x)[at[2]], FALSE), ")")
    abort(c(
      "{.arg x} has {figure(value)} at row {at[1]}, column {at[2]}{label}.",
      i = if (value < 0) of_zeros else "Make it {.code NA}, or leave out the feature."
    ))
  }
}

# Features of a view have a curve of their own. Numbers of another scale than logarithms, and those
# with few values, have none: they come last.
curve_groups <- function(x, view) {
  largest <- apply(abs(x), 2L, max, na.rm = TRUE)
  few <- apply(x, 2L, function(v) length(unique(v[!is.na(v)])) <= 4L)
  group <- if (is.null(view)) rep(1L, ncol(x)) else as.integer(droplevels(view))
  group[largest >= 64 | few] <- max(group) + 1L
  match(group, sort(unique(group)))
}

# Small values are missing more often where there is a limit of detection: on the scale of
# logarithms, not of counts or raw intensities. Few features say too little of it.
curves_by_value <- function(x, group) {
  vapply(seq_len(max(group)), function(g) {
    own <- x[, group == g, drop = FALSE]
    ncol(own) >= least_imputed[["features"]] && max(abs(own), na.rm = TRUE) < 64
  }, NA)
}

# @param group (integer) of each column of the cells.
describe_imputation <- function(imputed, total, group) {
  # Noise has slopes as well; these add half to the odds between a high and a low value.
  steep <- !is.na(imputed$steep) & imputed$steep < -0.3
  flat <- unique(imputed$column[!imputed$by_value[group]])
  n <- length(imputed$row)
  c(
    sprintf(
      "%s missing value%s (%s) in %s imputed from similar features; %d draws, seed %s",
      figure(n, big.mark = ","), if (n == 1L) "" else "s", as_percent(n / total),
      count_of(length(unique(imputed$column)), "feature"), imputed$n_draws,
      figure(imputed$seed, digits = 15)
    ),
    if (any(steep)) sprintf(
      paste(
        "small values are missing more often: one lower (half, on the scale of log2), odds x %s;",
        "filled in %s SD lower for it"
      ), paste(figure(exp(-imputed$slope[steep]), digits = 2), collapse = ", "),
      figure(imputed$lower, digits = 2)
    ) else if (any(imputed$by_value)) "no sign that small values are missing more often",
    if (length(flat) > 0L) sprintf(
      paste(
        "%s taken as missing whatever the value: numbers of 64 or more (take logarithms first),",
        "of at most four values, or in views of fewer than 50 features"
      ), count_of(length(flat), "feature")
    )
  )
}

# The cells of a part of a study: rows (integer) that may repeat, and features. NULL stays NULL.
some_imputed <- function(imputed, n, rows, features) {
  if (!missing(features) && !is.null(imputed)) {
    column <- match(imputed$column, features)
    imputed <- cells_at(imputed, which(!is.na(column)))
    imputed$column <- match(imputed$column, features)
  }
  if (!missing(rows) && !is.null(imputed)) {
    at <- split(seq_along(imputed$row), factor(imputed$row, seq_len(n)))[rows]
    new <- rep(seq_along(rows), lengths(at))
    imputed <- cells_at(imputed, unlist(at, use.names = FALSE))
    imputed$row <- new
  }
  if (length(imputed$row) > 0L) imputed
}

cells_at <- function(imputed, at) {
  imputed$row <- imputed$row[at]
  imputed$column <- imputed$column[at]
  imputed$drawn <- imputed$drawn[, at, drop = FALSE]
  imputed
}

# x with one of the draws in place of the expected values.
with_drawn <- function(x, imputed, k) {
  x[cbind(imputed$row, imputed$column)] <- imputed$drawn[k, ]
  x
}

# Draws less the mean of their group, where x becomes differences from it.
centre_imputed <- function(imputed, x, centred) {
  if (!is.null(imputed)) {
    at <- cbind(imputed$row, imputed$column)
    imputed$drawn <- imputed$drawn - rep(x[at] - centred[at], each = nrow(imputed$drawn))
  }
  imputed
}
