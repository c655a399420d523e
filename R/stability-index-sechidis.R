#' @details
#' `"sechidis"` is 1 - tr(C S) / tr(C S0), where C are the similarities, S is the covariance of the
#' selections and S0 its expectation under random selection: Nogueira's index if no features are
#' similar. Its expectation for random runs is 0 for equal sizes, and negative otherwise; `corrected
#' = TRUE` takes the expectation given the sizes. Here `list(x = )` means plain correlations,
#' without threshold. The index has no lower bound, and falls without limit when large groups enter
#' and leave as a whole (Hamer and Dupont 2021, section 5.3). `vignette("how-computed")` has the
#' formulas.
#' @references
#' Sechidis K, Papangelou K, Nogueira S, Weatherall J, Brown G (2020). On the stability of feature
#' selection in the presence of feature correlations. *ECML PKDD 2019*, 327-342.
#' @concept phi_C
#' @rdname stability_similarity
#' @name stability_similarity_sechidis
NULL

sechidis_indices <- function() {
  list(new_index(
    "sechidis", "Sechidis (phi_C)", "similarity", c("none", "1"), c("p", "similarity"), "FFFFF",
    "Sechidis, Papangelou, Nogueira, Weatherall and Brown (2020), ECML PKDD 2019",
    sechidis_value, frequency = TRUE, by_size = TRUE
  ))
}

# Sechidis et al. (2020): phi_C = 1 - tr(C S) / tr(C Sigma0). All parts come from the quadratic
# forms z'Cz of the runs and s'Cs of their weighted sum s = sum_i w_i z_i. The p x p covariance S is
# never formed. For correlations and groups, C = F'F is not formed either: only F Z is kept.

sechidis_value <- function(runs, similarity, threshold = 0.9, corrected = FALSE) {
  form <- sechidis_form(runs, similarity, threshold)
  k <- as.double(runs$size)
  p <- runs$n_total
  m <- runs$n_runs
  replicate <- function(w) {
    total <- colSums(w)
    moments <- list(
      pairs = total^2 - colSums(w^2), own = total * colSums(w * form$own), sum = form$of_sum(w),
      k = colSums(w * k) / total, k2 = colSums(w * k^2) / total,
      product = colSums(w * k)^2 - colSums((w * k)^2)
    )
    sechidis_estimate(moments, form, p, corrected)
  }
  value <- new_index_value(
    replicate(matrix(1, m, 1L)), sechidis_without(k, form, p, corrected), replicate
  )
  if (is.na(value$estimate)) {
    value$note <- "tr(C Sigma0) = 0: no set, or all features in all sets"
  }
  value
}

# Estimates without each run.
sechidis_without <- function(k, form, p, corrected) {
  m <- length(k)
  if (m < 3L) {
    return(rep(NA_real_, m))
  }
  moments <- list(
    pairs = (m - 1) * (m - 2), own = (m - 1) * (sum(form$own) - form$own),
    sum = sum(form$with_sum) - 2 * form$with_sum + form$own,
    k = (sum(k) - k) / (m - 1), k2 = (sum(k^2) - k^2) / (m - 1),
    product = (sum(k) - k)^2 - (sum(k^2) - k^2)
  )
  sechidis_estimate(moments, form, p, corrected)
}

# tr(C S) is half the mean of (z_i - z_j)'C(z_i - z_j) over distinct runs. It equals the usual
# covariance (divisor m - 1) and does not pair a run with its copies in replicates. Sigma0 assumes
# that runs also draw their sizes; corrected, it takes the sizes as given, and the mean product of
# two sizes replaces the squared mean.
sechidis_estimate <- function(moments, form, p, corrected) {
  trace_s <- (moments$own - moments$sum) / moments$pairs
  both <- (if (corrected) moments$product / moments$pairs else moments$k^2) / p^2
  on_diagonal <- moments$k / p - both
  off_diagonal <- if (p > 1L) (moments$k2 - moments$k) / (p * (p - 1)) - both else 0
  trace_0 <- on_diagonal * form$trace + off_diagonal * (form$all - form$trace)
  ok <- moments$k > 0 & moments$k < p & moments$pairs > 0 & abs(trace_0) > 1e-14 * form$all
  ifelse(ok, 1 - trace_s / trace_0, NA_real_)
}

# @return list: `own` (z_i'C z_i, m), `with_sum` (z_i'C z summed over all z, m), `of_sum` (function
#   of w: s'Cs), `trace` (of C), `all` (1'C1).
sechidis_form <- function(runs, similarity, threshold) {
  z <- Matrix::sparseMatrix(
    i = runs$feature, p = runs$start, x = 1, dims = c(runs$n_total, runs$n_runs), index1 = FALSE
  )
  if (is_data_similarity(similarity)) {
    return(correlation_form(z, unit_columns(match_data(similarity$x, runs))))
  }
  if (is.null(dim(similarity))) {
    group <- match_groups(similarity, runs)
    factor <- Matrix::sparseMatrix(i = group + 1L, j = seq_along(group), x = 1)
    return(factor_form(factor %*% z, sum(tabulate(group + 1L)^2), length(group)))
  }
  matrix_form(z, match_similarity(similarity, runs), threshold)
}

# C = F'F, from F Z.
factor_form <- function(factor_z, all, trace) {
  list(
    own = Matrix::colSums(factor_z^2), trace = trace, all = all,
    with_sum = as.vector(Matrix::crossprod(factor_z, Matrix::rowSums(factor_z))),
    of_sum = function(w) colSums(as.matrix(factor_z %*% w)^2)
  )
}

# A constant column has correlation 1 with itself alone.
correlation_form <- function(z, unit) {
  alone <- colSums(unit^2) == 0
  n_alone <- sum(alone)
  factor_z <- unit %*% z
  if (n_alone > 0L) {
    factor_z <- rbind(as.matrix(factor_z), as.matrix(z[alone, , drop = FALSE]))
  }
  factor_form(factor_z, sum(rowSums(unit)^2) + n_alone, ncol(unit))
}

# C has the similarities of at least the threshold, all of them for threshold 0.
matrix_form <- function(z, similarity, threshold) {
  # An error must occur here: the dispatch of a method below would drop its class.
  force(similarity)
  threshold <- check_fraction(threshold, open_left = FALSE)
  if (threshold > 0) {
    own <- Matrix::diag(similarity)
    own[own < threshold] <- 0
    similarity <- neighbour_matrix(similarity, threshold) + Matrix::Diagonal(x = own)
  }
  list(
    own = Matrix::colSums(z * (similarity %*% z)), trace = sum(Matrix::diag(similarity)),
    with_sum = as.vector(Matrix::crossprod(z, similarity %*% Matrix::rowSums(z))),
    all = sum(similarity),
    of_sum = function(w) {
      s <- as.matrix(z %*% w)
      colSums(s * as.matrix(similarity %*% s))
    }
  )
}
