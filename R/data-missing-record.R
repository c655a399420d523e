# What is known of missing values once they are filled in, for prints and tables.

# @param x as given, cells of missing_cells().
# @return list(n, p, names (of all columns), row, column (of each missing value)).
record_missing <- function(x, cells) {
  if (length(cells$row) == 0L) {
    return(NULL)
  }
  # As features without names are called.
  names <- if (is.null(colnames(x))) paste0("V", seq_len(ncol(x))) else colnames(x)
  list(n = nrow(x), names = names, row = cells$row, column = cells$column)
}

# What a result keeps: the share of missing values of the features that have some, and of all; the
# number of draws (NULL for medians); whether samples miss more with some outcomes.
# @param missing of record_missing().
kept_missing <- function(missing, study) {
  n <- tabulate(missing$column, length(missing$names))
  share <- stats::setNames(n / missing$n, missing$names)
  # Not of those that were left out.
  share <- share[missing$names %in% c(study$feature_names, study$copies$columns)]
  list(
    share = share[share > 0], all = if (length(share) > 0L) mean(share) else 0,
    n_draws = study$imputed$n_draws,
    batch = missing_by_outcome(share_by_sample(missing), study$response)
  )
}

# The same of prepared data that bring their outcome.
batch_of_data <- function(data) {
  if (is.null(data$missing) || is.null(data$y)) {
    return(NULL)
  }
  response <- tryCatch(
    read_response(data$y, nrow(data$x), NULL, ncol(data$x)), stabilect_error = function(e) NULL
  )
  if (!is.null(response)) {
    missing_by_outcome(share_by_sample(data$missing), response)
  }
}

share_by_sample <- function(missing) tabulate(missing$row, missing$n) / length(missing$names)

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
