# Features that are almost equal to others, as neighbours in a spectrum are: which of them a list
# names is chance. A feature with |r| = 0.99 to another that explains half of the outcome cannot be
# told from it with fewer than 200 samples: t = sqrt(n (1 - r^2)) is 2 there. Two probes of one gene
# may also be that close; only of features with two such neighbours in many the print says so. On
# twelve sets of expression data no list had one, on five spectra half or more of the first twenty
# had.

almost_equal <- list(r = 0.99, others = 2L, looked = 20L, share = 1 / 3)

# Adds the field `interchangeable` to the result of a verb: numbers of its first features, and of
# those that are almost equal to others, where these are many.
know_interchangeable <- function(result, study) {
  features <- utils::head(result$features, almost_equal$looked)
  if (length(features) == 0L || !is.matrix(study$x) || !counts_features(result$study)) {
    return(result)
  }
  factors <- study$factors
  found <- n_almost_equal(study$x, match(features, study$feature_names)) >= almost_equal$others
  found <- sum(found[!features %in% factors])
  if (found >= almost_equal$share * length(features)) {
    result$interchangeable <- c(looked = length(features), found = found)
  }
  result
}

# @param x (matrix, n x p); at (integer) columns. @return (integer) of each of these, how many
#   others are almost equal to it.
n_almost_equal <- function(x, at) {
  # More rows would tell the same.
  rows <- if (nrow(x) > 2000L) unique(round(seq(1, nrow(x), length.out = 2000L)))
  take <- function(j) if (is.null(rows)) x[, j, drop = FALSE] else x[rows, j, drop = FALSE]
  centred <- function(values) values - rep(colMeans(values), each = nrow(values))
  own <- centred(take(at))
  own <- own / rep(sqrt(colSums(own^2)), each = nrow(own))
  count <- integer(length(at))
  for (from in seq.int(1L, ncol(x), by = 2000L)) {
    other <- centred(take(from:min(from + 1999L, ncol(x))))
    square <- colSums(other^2)
    near <- crossprod(own, other)^2 >= almost_equal$r^2 * rep(square, each = length(at))
    # Constant columns are near to none.
    near[, square == 0] <- FALSE
    count <- count + as.integer(rowSums(near, na.rm = TRUE))
  }
  # Each is equal to itself.
  count - 1L
}

# "13 of the first 20 features are".
describe_how_many <- function(found, looked, all) {
  first <- if (looked < all) "first " else ""
  if (looked == 1L) {
    "the feature is"
  } else if (found == looked) {
    sprintf("%s%d features are", if (looked < all) "the first " else "all ", looked)
  } else {
    sprintf("%d of the %s%d features %s", found, first, looked, if (found == 1L) "is" else "are")
  }
}

describe_interchangeable <- function(x) {
  n <- x$interchangeable
  if (is.null(n)) {
    return(NULL)
  }
  verb <- sub("^stabilect_", "", class(x)[1])
  groups <- sprintf("`clusters = cluster_features(x, threshold = %s)`", figure(almost_equal$r))
  sprintf(
    "%s almost equal to others (|r| >= %s): single names are interchangeable; %s",
    describe_how_many(n[["found"]], n[["looked"]], length(x$features)),
    figure(almost_equal$r), switch(verb,
      fealect = paste(groups, "scores groups of them"),
      stability_selection = paste(groups, "with `q = 5, pfer = 1` selects groups of them"),
      sprintf("fealect() and stability_selection() take groups of them: %s", groups)
    )
  )
}
