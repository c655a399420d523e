# The value of an index for a set of runs: the estimate, the estimates without each run, and the
# estimates under other multiplicities of the runs. Intervals and tests need nothing else.

# @param estimate (number, NA when undefined)
# @param loo (numeric, m) estimate without run i; NA where undefined.
# @param replicate (function) takes a matrix m x R of multiplicities of the runs (>= 0), returns R
#   estimates. A run drawn several times is never paired with itself: perfect agreement would raise
#   every replicate by about 1/m.
# @param note (string) why the estimate is NA, or how it was obtained; "" if nothing is special.
# @param mc_se (number) standard error of a Monte Carlo correction, 0 for exact ones.
new_index_value <- function(estimate, loo, replicate, note = "", mc_se = 0) {
  of_class("stabilect_index_value",
    estimate = estimate, loo = loo, replicate = replicate, note = note, mc_se = mc_se
  )
}

# For an index that cannot be computed for these runs.
undefined_value <- function(m, note) {
  new_index_value(NA_real_, rep(NA_real_, m), function(w) rep(NA_real_, ncol(w)), note)
}

# Mean over pairs of runs. `s` (symmetric, m x m; its diagonal is not used).
value_from_pairs <- function(s, note = "", mc_se = 0) {
  one <- matrix(1, nrow(s), ncol(s))
  value_from_ratio(s, one, note, mc_se)
}

# Sum over pairs of `num` divided by the sum of `den`, for indices like phi_iw whose correction is
# averaged before the division (Hamer & Dupont 2021, Eq. 6); NA if the denominator is 0.
value_from_ratio <- function(num, den, note = "", mc_se = 0) {
  m <- nrow(num)
  diag(num) <- 0
  diag(den) <- 0
  ratio <- function(a, b) ifelse(b != 0, a / b, NA_real_)
  estimate <- ratio(sum(num), sum(den))
  loo <- if (m > 2L) {
    ratio(sum(num) - 2 * rowSums(num), sum(den) - 2 * rowSums(den))
  } else {
    rep(NA_real_, m)
  }
  replicate <- function(w) ratio(colSums(w * (num %*% w)), colSums(w * (den %*% w)))
  new_index_value(estimate, loo, replicate, note, mc_se)
}

# Mean over pairs of runs, some of which may have no score (NaN). With an imputed value these count;
# otherwise estimates that involve one of them are NA.
value_from_scores <- function(score, impute_na, reason) {
  impute_na <- check_impute(impute_na)
  undefined <- is.na(score)
  diag(undefined) <- FALSE
  if (!any(undefined)) {
    return(value_from_pairs(score))
  }
  if (!is.null(impute_na)) {
    score[undefined] <- impute_na
    note <- sprintf("%d of %d pairs set to %s", sum(undefined) / 2, choose(nrow(score), 2),
                    figure(impute_na))
    return(value_from_pairs(score, note))
  }
  score[undefined] <- 0
  value <- value_from_pairs(score)
  touched <- undefined * 1
  first <- which(undefined & upper.tri(undefined), arr.ind = TRUE)[1L, ]
  value$estimate <- NA_real_
  value$loo[sum(touched) - 2 * rowSums(touched) > 0] <- NA_real_
  plain <- value$replicate
  value$replicate <- function(w) {
    ifelse(colSums(w * (touched %*% w)) > 0, NA_real_, plain(w))
  }
  value$note <- sprintf("runs %d and %d: %s", first[[1L]], first[[2L]], reason)
  value
}

# The successful runs of a selection as plain vectors, for every index function. Features are
# numbered from 0; run i has feature[(start[i] + 1):start[i + 1]], ascending.
index_runs <- function(selection) {
  runs <- ok_runs(selection)
  selected <- selection$selected[, runs, drop = FALSE]
  list(
    n_total = nrow(selected), n_runs = ncol(selected), start = selected@p,
    feature = selected@i, size = diff(selected@p),
    frequency = tabulate(selected@i + 1L, nrow(selected)),
    score = if (!is.null(selection$score)) selection$score[, runs, drop = FALSE],
    importance = if (!is.null(selection$importance)) selection$importance[, runs, drop = FALSE],
    feature_names = selection$feature_names, study = selection$study
  )
}

join_notes <- function(...) {
  notes <- c(...)
  paste(notes[nzchar(notes)], collapse = "; ")
}

check_impute <- function(impute_na) {
  check_number(impute_na, null_ok = TRUE)
}

# Variance of an index from its estimates without each run (Efron & Stein 1981), plus the Monte
# Carlo error of an inexact correction.
jackknife_variance <- function(loo, mc_se = 0) {
  m <- length(loo)
  (m - 1) / m * sum((loo - mean(loo))^2) + mc_se^2
}
