# `na = "impute"`: missing numbers from similar features, without the outcome. The data get their
# expected values; what reads correlations or says "probability" gets the drawn copies.

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
# @return list(x, imputed (see study_imputed(), or NULL without missing numbers), note).
impute_numbers <- function(x, view, copies, seed, n_threads, progress) {
  own <- if (is.data.frame(x)) vapply(x, is.numeric, NA) else rep(TRUE, ncol(x))
  numbers <- if (is.data.frame(x)) as.matrix(as.data.frame(x)[own]) else x
  storage.mode(numbers) <- "double"
  refuse_infinite(numbers)
  if (!anyNA(numbers)) {
    return(list(x = x))
  }
  group <- if (is.null(view)) rep(1L, ncol(numbers)) else as.integer(droplevels(view[own]))
  by_value <- curves_by_value(numbers, group)
  report <- progress_reporter(progress, "Imputation")
  found <- cpp_impute(numbers, group, by_value, copies, seed, n_threads, report)
  observed <- numbers
  cells <- cbind(found$row, found$column)
  observed[cells] <- 0
  numbers[cells] <- found$expected
  imputed <- list(
    row = found$row, column = which(own)[found$column], drawn = found$drawn, copies = copies,
    seed = seed, slope = found$slope, by_value = by_value, lower = found$lower,
    hash = hash_plain(list(hash_features(observed), found$row, found$column, copies, seed, 1L))
  )
  x <- put_numbers(x, own, numbers)
  list(x = x, imputed = imputed, note = describe_imputation(imputed, length(numbers)))
}

put_numbers <- function(x, own, numbers) {
  if (!is.data.frame(x)) {
    return(numbers)
  }
  for (k in which(own)) x[[k]] <- numbers[, sum(own[seq_len(k)])]
  x
}

refuse_infinite <- function(x) {
  bad <- which(is.infinite(x), arr.ind = TRUE)
  refuse(nrow(bad) > 0L, c(
    "{.arg x} has an infinite value at row {bad[1, 1]}, column {bad[1, 2]}.",
    i = "Make it {.code NA}, or leave out the feature."
  ))
}

# Small values are missing more often where there is a limit of detection: on the scale of
# logarithms, not of counts or raw intensities.
curves_by_value <- function(x, group) {
  vapply(seq_len(max(group)), function(g) {
    own <- x[, group == g, drop = FALSE]
    ncol(own) >= least_imputed[["features"]] && max(abs(own), na.rm = TRUE) < 64
  }, NA)
}

describe_imputation <- function(imputed, total) {
  by_value <- imputed$slope < -0.05
  pattern <- if (any(by_value)) {
    sprintf(
      "pattern: small values are missing more often (odds x %s for a value lower by 1)",
      paste(figure(exp(-imputed$slope[by_value]), digits = 2), collapse = ", ")
    )
  } else if (any(imputed$by_value)) {
    "pattern: missing whatever the value"
  } else {
    "pattern: taken as missing whatever the value (raw numbers: take logarithms first)"
  }
  c(
    sprintf(
      "%s missing values (%s) in %s imputed from similar features, %d copies, seed %s",
      figure(length(imputed$row), big.mark = ","), as_percent(length(imputed$row) / total),
      count_of(length(unique(imputed$column)), "feature"), imputed$copies,
      figure(imputed$seed, digits = 15)
    ),
    paste0(pattern, if (any(by_value)) sprintf(
      "; imputed %s SD lower than without", figure(imputed$lower, digits = 2)
    ))
  )
}

# ---- in a study -------------------------------------------------------------------

# Rows (integer) that may repeat, and features. NULL stays NULL.
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

# The same of a study, whose x may be differences within groups.
with_copy <- function(study, k) {
  study$x <- with_drawn(study$x, study$imputed, k)
  groups <- study$response$within
  if (!is.null(groups)) study$x <- centre_within(study$x, groups)
  study
}

# Draws less the mean of their group, where x becomes differences from it.
centre_imputed <- function(imputed, x, centred) {
  if (!is.null(imputed)) {
    at <- cbind(imputed$row, imputed$column)
    imputed$drawn <- imputed$drawn - rep(x[at] - centred[at], each = nrow(imputed$drawn))
  }
  imputed
}

# The samples of all copies, one below the other: what reads correlations reads those of values
# that vary as they would if they were there.
# @param data (stabilect_data, or a matrix).
pooled_copies <- function(data) {
  if (!inherits(data, "stabilect_data")) {
    return(data)
  }
  numbers <- is.matrix(data$x) || all(vapply(data$x, is.numeric, NA))
  if (is.null(data$imputed) || !numbers) {
    return(data$x)
  }
  x <- as.matrix(data$x)
  do.call(rbind, lapply(seq_len(data$imputed$copies), function(k) with_drawn(x, data$imputed, k)))
}

# Parts of the samples are studies of their own: their values are imputed from them alone.
impute_again <- function(study, n_threads = 1) {
  imputed <- study$imputed
  # Differences within groups keep theirs.
  if (is.null(imputed) || !is.null(study$response$within)) {
    return(study)
  }
  x <- study$x
  x[cbind(imputed$row, imputed$column)] <- NA
  # What no sample of the part has keeps its values.
  empty <- unique(imputed$column)[colSums(!is.na(x[, unique(imputed$column), drop = FALSE])) < 2L]
  x[, empty] <- study$x[, empty]
  if (!anyNA(x) || nrow(x) < least_imputed[["samples"]]) {
    return(study)
  }
  again <- impute_numbers(
    x, study$features$views, imputed$copies, imputed$seed, n_threads, progress = FALSE
  )
  study$x <- again$x
  study$imputed <- again$imputed
  study
}

# ---- what is missing, for prints --------------------------------------------------

# @param x as given, cells of missing_cells().
# @return list(n, p, names (of all columns), row, column (of each missing value)).
record_missing <- function(x, cells) {
  if (length(cells$row) == 0L) {
    return(NULL)
  }
  list(n = nrow(x), names = feature_words(x, seq_len(ncol(x))), row = cells$row,
    column = cells$column)
}

# What a result keeps: the share of missing values of the features that have some, and of all; the
# number of copies (NULL for medians); whether samples miss more with some outcomes.
# @param missing of record_missing().
kept_missing <- function(missing, study) {
  n <- tabulate(missing$column, length(missing$names))
  share <- stats::setNames(n / missing$n, missing$names)[n > 0L]
  by_sample <- tabulate(missing$row, missing$n) / length(missing$names)
  list(
    share = share, all = length(missing$row) / (missing$n * length(missing$names)),
    copies = study$imputed$copies, batch = missing_by_outcome(by_sample, study$response)
  )
}

# Do the samples that miss more values differ in their outcome? An F test of the ranks of the shares
# on the scores of the outcome.
# @return (string, or NULL) of the caution, at 1 %.
missing_by_outcome <- function(share, response) {
  scores <- cbind(outcome_scores(response, matrix(0, length(share), 0L)))
  if (stats::sd(share) == 0 || length(share) < 10L) {
    return(NULL)
  }
  centred <- qr(sweep(scores, 2L, colMeans(scores)))
  rank <- rank(share) - mean(rank(share))
  explained <- sum(qr.fitted(centred, rank)^2) / sum(rank^2)
  left <- length(rank) - centred$rank - 1L
  f <- explained / centred$rank / (max(1 - explained, 1e-12) / left)
  p <- stats::pf(f, centred$rank, left, lower.tail = FALSE)
  if (isTRUE(p <= 0.01)) {
    labels <- response_labels(response)
    shares <- if (is.factor(labels) && nlevels(labels) < 6L) {
      each <- tapply(share, labels, mean)
      paste0(" (", paste(names(each), vapply(each, as_percent, ""), collapse = ", "), ")")
    }
    sprintf(
      paste0(
        "samples miss more values with some outcomes than with others%s, p = %s: a batch? ",
        "`missing_pattern()` tests presence"
      ), if (is.null(shares)) "" else shares, figure(p, digits = 2)
    )
  }
}
