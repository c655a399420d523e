# Measures of the reliability of the scores and of the whole procedure: out-of-bag error and
# convergence.

# The out-of-bag error of scores, threshold and final model together, without further runs: each
# sample is predicted from the runs that did not draw it.
oob_error <- function(study, runs, asked, n_threads) {
  ok <- ok_runs(runs$selection)
  score <- runs$selection$score[, ok, drop = FALSE]
  counts <- runs$draws$counts[, ok, drop = FALSE]
  left_out <- rowSums(counts == 0L)
  usable <- which(left_out > 0L)
  if (length(usable) == 0L) {
    return(NULL)
  }
  sets <- cpp_oob_three_segment(
    score@i, score@p, score@x, nrow(score), counts, asked$min_segment, n_threads
  )$informative
  blocks <- runs$draws$plan$blocks
  link <- predict_left_out(
    study$x, study$response, sets, asked$model, asked$lambda, n_threads, blocks
  )
  link[-usable] <- NA_real_
  oob_of_model(study, link, left_out, lengths(sets), blocks)
}

# Predictions of samples that were left out, and their errors; `loss` is NA for samples without a
# prediction.
# @param baseline function of the positions of these samples: the error without features.
# @param blocks (factor or NULL) of the plan.
new_oob <- function(loss, baseline, measure, predictions, ..., blocks = NULL) {
  known <- which(!is.na(loss))
  oob <- list(
    error = mean(loss[known]), se = standard_error(loss[known], blocks[known]),
    baseline = baseline(known), n = length(known), measure = measure, ...,
    predictions = predictions
  )
  if (!is.null(blocks)) oob$n_blocks <- length(unique(blocks[known]))
  structure(oob, class = "stabilect_oob")
}

oob_of_model <- function(study, link, left_out, n_features, blocks = NULL) {
  response <- study$response
  binary <- response$type == "binary"
  observed <- response_labels(response)
  predicted <- if (binary) class_of_link(link, response$levels) else link
  new_oob(
    if (binary) as.numeric(observed != predicted) else (observed - predicted)^2,
    function(known) baseline_error(response$y[known], binary, blocks[known]),
    if (binary) "misclassification rate" else "mean squared error",
    data.frame(
      sample = sample_labels(study), observed = observed, predicted = predicted, link = link,
      n_runs = left_out, n_features = n_features
    ),
    blocks = blocks
  )
}

# The error of predicting every sample without features, from those of the other blocks.
baseline_error <- function(y, binary, blocks = NULL) {
  of_block <- function(v) if (is.null(blocks)) v else stats::ave(v, as.character(blocks), FUN = sum)
  others <- sum(y) - of_block(y)
  n_others <- length(y) - of_block(rep(1, length(y)))
  if (any(n_others == 0)) {
    return(NA_real_)
  }
  if (!binary) {
    return(mean((others / n_others - y)^2))
  }
  mean(y != ifelse(others > 0, 1, -1))
}

#' @export
print.stabilect_oob <- function(x, ...) {
  wrong <- if (x$measure == "misclassification rate") {
    sprintf(" (%d of %d samples)", round(x$error * x$n), x$n)
  } else {
    sprintf(" (%d samples)", x$n)
  }
  cat(sprintf(
    "out-of-bag %s: %s%s\n  standard error %s; without features the error is %s\n", x$measure,
    format(x$error, digits = 3), wrong, format(x$se, digits = 2), format(x$baseline, digits = 3)
  ))
  if (!is.null(x$n_blocks)) cat(sprintf("  each of %d blocks left out as a whole\n", x$n_blocks))
  invisible(x)
}

# Scores of the first runs against those of the others, which share no draw with them; the last row
# compares the two halves, the largest comparison that the runs allow.
score_convergence <- function(selection, n_informative) {
  runs <- ok_runs(selection)
  sizes <- unique(floor(length(runs) * c(1 / 16, 1 / 8, 1 / 4, 1 / 2)))
  sizes <- sizes[sizes >= 1 & sizes < length(runs)]
  top <- if (n_informative > 0L) n_informative else 10L
  rows <- lapply(sizes, function(size) {
    first <- Matrix::rowMeans(selection$score[, runs[seq_len(size)], drop = FALSE])
    other <- Matrix::rowMeans(selection$score[, runs[-seq_len(size)], drop = FALSE])
    best <- lapply(list(first, other), function(s) utils::head(order(-s, method = "radix"), top))
    constant <- !(isTRUE(stats::sd(first) > 0) && isTRUE(stats::sd(other) > 0))
    data.frame(
      n_runs = size,
      correlation = if (constant) NA_real_ else stats::cor(first, other),
      overlap = length(intersect(best[[1]], best[[2]])) / length(best[[1]])
    )
  })
  empty <- data.frame(n_runs = numeric(), correlation = numeric(), overlap = numeric())
  do.call(rbind, c(list(empty), rows))
}
