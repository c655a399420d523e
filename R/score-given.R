# Filters adjusted for covariates: what a feature says about the response beyond them. Runs are
# processed one after the other, in matrices of some thousand columns.

# The field `holds` of these selectors: a function that refuses covariates that it cannot adjust
# for, or NULL for filters that cannot adjust for any.
filter_holds <- function(filter) {
  if (filter %in% c("welch", "variance")) {
    return(NULL)
  }
  if (filter == "wilcoxon") check_strata_covariates else hold_any
}

hold_any <- function(z) invisible(z)

# Van Elteren's test has strata, not slopes.
check_strata_covariates <- function(z) {
  refuse_at(apply(z, 2L, function(column) length(unique(column)) > 2L),
    c("The Wilcoxon z compares samples with equal {.arg covariates}, but
        {.val {colnames(z)[at]}} is numeric and has many values.",
      i = "Cut it into groups, as a factor; {.code selector_filter(\"t\")} and \"spearman\" adjust
        for numbers."
    )
  )
  invisible(z)
}

# @param selectors (list) of a verb.
# @param study with covariates in its response, or without.
check_selectors_hold <- function(selectors, study) {
  z <- study$response$covariates
  if (is.null(z)) {
    return(invisible())
  }
  refuse(length(study$factors) > 0L,
    c("{.arg covariates} go with features that are numbers, but {.val {study$factors[1]}} has
      levels.", i = "{.code prepare_study(factors = \"columns\")} makes columns of them.")
  )
  for (one in selectors) {
    if (!inherits(one, "stabilect_selector") || is.null(one$holds)) {
      label <- if (inherits(one, "stabilect_selector")) one$label else "A selector with parameters"
      abort(c("{label} cannot score features given {.arg covariates}.",
        i = "{.code selector_filter()} can with \"t\", \"anova\", \"wilcoxon\" (factors only),
          \"pearson\", \"spearman\" and \"cox\"; {.fn fealect} and {.fn stability_selection} hold
          covariates in lasso paths."
      ))
    }
    one$holds(z)
  }
}

# @return (numeric matrix, p x B) scores; infinite where covariates and classes leave no variation.
score_given <- function(filter, x, y, weights, report = NULL) {
  score <- matrix(0, ncol(x), ncol(weights))
  for (run in seq_len(ncol(weights))) {
    rows <- rep(seq_len(nrow(x)), weights[, run])
    score_columns <- switch(filter,
      t = , anova = given_classes(y, rows, root = filter == "t"),
      pearson = given_numbers(y, rows), spearman = given_ranks(y, rows),
      wilcoxon = given_strata(y, rows), cox = given_times(y, rows)
    )
    if (!is.null(score_columns)) {
      for (j in slabs_of(ncol(x))) {
        score[j, run] <- score_columns(unname(x[rows, j, drop = FALSE]))
      }
    }
    if (!is.null(report)) report(run, ncol(weights))
  }
  score
}

# Runs in which the covariates do not explain the response completely.
status_given <- function(filter, y, weights, status) {
  for (run in which(status == "ok")) {
    rows <- rep(seq_along(y$y), weights[, run])
    left <- switch(filter,
      wilcoxon = !is.null(given_strata(y, rows)),
      cox = !is.null(given_times(y, rows)),
      anova = , t = !is.null(given_classes(y, rows, FALSE)), !is.null(given_numbers(y, rows))
    )
    if (!left) status[run] <- "the covariates leave nothing"
  }
  status
}

# The residuals of the basis; columns with only rounding errors become zero. Twice, since the first
# pass leaves errors as large as the means.
leave_basis <- function(basis, x) {
  centre <- colMeans(x)
  rest <- x - rep(centre, each = nrow(x))
  total <- colSums(rest^2)
  for (pass in 1:2) rest <- rest - basis %*% crossprod(basis, rest)
  left <- colSums(rest^2)
  rest[, left <= pmax(1e-14 * total, 1e-26 * nrow(x) * centre^2)] <- 0
  rest
}

# The F statistic of the classes in the analysis of covariance of a feature (Fisher 1932); for two
# classes its root is the t statistic of their difference in a linear model of the feature.
given_classes <- function(y, rows, root) {
  codes <- y$codes[rows]
  basis <- orthonormal_basis(y$covariates[rows, , drop = FALSE])
  classes <- sort(unique(codes))
  between <- leave_basis(basis, outer(codes, classes[-1], `==`) + 0)
  found <- qr(between, tol = 1e-7)
  n_between <- found$rank
  n_within <- length(rows) - ncol(basis) - n_between
  if (n_between == 0L || n_within < 1L) {
    return(NULL)
  }
  between <- qr.Q(found)[, seq_len(n_between), drop = FALSE]
  function(x) {
    rest <- leave_basis(basis, x)
    part <- crossprod(between, rest)
    total <- colSums(rest^2)
    within <- colSums((rest - between %*% part)^2)
    within[within <= 1e-24 * total] <- 0
    f <- ifelse(total > 0, (colSums(part^2) / n_between) / (within / n_within), 0)
    if (root) sqrt(f) else f
  }
}

# |Partial correlation|.
given_numbers <- function(y, rows, z = y$covariates[rows, , drop = FALSE], values = y$y[rows]) {
  basis <- orthonormal_basis(z)
  left <- leave_basis(basis, matrix(values))
  if (all(left == 0) || length(rows) - ncol(basis) < 2L) {
    return(NULL)
  }
  left <- left / sqrt(sum(left^2))
  function(x) {
    rest <- leave_basis(basis, x)
    size <- sqrt(colSums(rest^2))
    pmin(abs(drop(crossprod(rest, left))) / ifelse(size > 0, size, 1), 1)
  }
}

# The same for midranks of all variables; midranks of indicators are indicators.
given_ranks <- function(y, rows) {
  ranks <- function(values) apply(values, 2L, rank)
  of_x <- given_numbers(
    y, rows, ranks(y$covariates[rows, , drop = FALSE]), rank(y$y[rows])
  )
  if (!is.null(of_x)) function(x) of_x(ranks(x))
}

# |z| of van Elteren (1960): rank sums within strata of equal covariates; N samples have weight 1 /
# (N + 1), the best for a shift that is the same in all strata.
given_strata <- function(y, rows) {
  strata <- do.call(paste, as.data.frame(y$covariates[rows, , drop = FALSE]))
  second <- y$codes[rows] == 2L
  parts <- Filter(function(part) {
    any(second[part]) && !all(second[part])
  }, split(seq_along(rows), strata))
  if (length(parts) == 0L) {
    return(NULL)
  }
  function(x) {
    off <- variance <- numeric(ncol(x))
    for (part in parts) {
      n <- length(part)
      n_second <- sum(second[part])
      ranks <- apply(x[part, , drop = FALSE], 2L, rank) - (n + 1) / 2
      off <- off + colSums(ranks[second[part], , drop = FALSE]) / (n + 1)
      variance <- variance +
        n_second * (n - n_second) / (n * (n - 1)) * colSums(ranks^2) / (n + 1)^2
    }
    ifelse(variance > 0, abs(off) / sqrt(variance), 0)
  }
}

# |z| of the score test of a feature in the Cox model of the covariates (Cox 1972, ties as in
# Efron 1977). Its square is U^2 / (I_xx - I_xz I_zz^-1 I_zx).
given_times <- function(y, rows) {
  times <- cox_times(y$y[rows], y$event[rows], rows = rows)
  basis <- held_basis(y$covariates[rows, , drop = FALSE])$columns[times$order, -1, drop = FALSE]
  null <- maximise_cox(basis, times, 0, numeric(ncol(basis)))
  sums <- risk_sums(times, basis %*% null$beta)
  hazard <- drop(sums$risk * risk_hazard(times, sums))
  of_basis <- risk_means(times, sums, basis)
  own <- eigen(null$information, TRUE)
  keep <- own$values > 1e-9 * sum(times$deaths)
  if (sum(times$deaths) - ncol(basis) < 1) {
    return(NULL)
  }
  half <- t(own$vectors[, keep, drop = FALSE]) / sqrt(own$values[keep])
  function(x) {
    x <- x[times$order, , drop = FALSE]
    x <- x - rep(colSums(x * hazard) / sum(hazard), each = nrow(x))
    of_x <- risk_means(times, sums, x)
    information <- colSums(x^2 * hazard) - colSums(of_x^2)
    shared <- half %*% (crossprod(basis, x * hazard) - crossprod(of_basis, of_x))
    left <- information - colSums(shared^2)
    off <- abs(drop(crossprod(x, times$event - hazard)))
    ifelse(left > 1e-10 * colSums(x^2 * hazard), off / sqrt(pmax(left, 0)), 0)
  }
}
