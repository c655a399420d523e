# Factors as one feature: filters score the table of levels and classes, on their own scale.

# Selectors that need numbers refuse factors.
check_factor_use <- function(selectors, study, learner = NULL) {
  if (is.null(study$factors)) {
    return(invisible())
  }
  name <- study$factors[1]
  advice <- "Use {.code prepare_study(factors = \"columns\")} to make indicator columns of it."
  for (selector in selectors) {
    refuse(!is.function(selector) && is.null(selector$factor_score),
      c("{.arg x} has the factor {.val {name}} with more than two levels, which
        {selector$label} cannot use as one feature.", i = advice)
    )
  }
  refuse(!is.null(learner),
    c("{.arg x} has the factor {.val {name}} with more than two levels, which a learner cannot
      use.", i = advice)
  )
}

# The runs of a selector. It sees a constant in place of each factor; factor scores are inserted
# afterwards.
# @param columns (index) the scored features of x.
score_all_features <- function(selector, study, columns, weights, control) {
  response <- study$response
  # Selecting all columns would copy them.
  part <- if (isTRUE(columns)) study$x else study$x[, columns, drop = FALSE]
  at <- which(colnames(part) %in% study$factors)
  if (length(at) == 0L) {
    return(selector$score(part, response, weights, control))
  }
  check_factor_use(list(selector), study)
  codes <- part[, at, drop = FALSE]
  part[, at] <- 0
  runs <- selector$score(part, response, weights, control)
  ok <- which(runs$status == "ok")
  if (length(ok) == 0L) {
    return(runs)
  }
  score <- selector$factor_score(codes, response, weights[, ok, drop = FALSE])
  runs$score[at, ok] <- tame_factors(score, runs$score[-at, ok, drop = FALSE], selector$columns$cut)
  runs
}

# As for other features (see score-columns.R), infinite statistics become the largest finite
# statistic of their run, at least 1.
tame_factors <- function(score, others, cut) {
  for (run in which(colSums(score >= cut) > 0)) {
    infinite <- score[, run] >= cut
    score[infinite, run] <- max(1, score[!infinite, run], others[, run])
  }
  score
}

# `factor_score` of filters, see new_selector().
factor_filter <- function(filter) {
  function(codes, y, weights) {
    score <- vapply(seq_len(ncol(codes)), function(j) {
      if (filter == "variance") {
        return(categorical_variation(codes[, j], weights))
      }
      scale_association(level_association(codes[, j], y, weights, filter), filter)
    }, numeric(ncol(weights)))
    matrix(score, ncol(codes), ncol(weights), byrow = TRUE)
  }
}

# Pillai's trace of the regression of the response on the levels, in every run.
# @return list of vectors over runs: trace, n, levels and classes (numbers in the run; 2 classes for
#   numbers).
level_association <- function(code, y, weights, filter) {
  n <- colSums(weights)
  sizes <- rowsum(weights, code)
  by_class <- !is.null(y$codes) && filter != "spearman"
  if (by_class) {
    cells <- lapply(seq_along(y$levels), function(g) rowsum(weights * (y$codes == g), code))
    classes <- vapply(cells, colSums, numeric(ncol(weights)))
    classes <- matrix(classes, ncol(weights))
    # X^2 / N = sum of n_kg^2 / (n_k n_g) - 1; empty rows and columns add nothing.
    terms <- lapply(seq_along(cells), function(g) {
      parts <- cells[[g]]^2 / sizes / rep(classes[, g], each = nrow(sizes))
      colSums(parts, na.rm = TRUE)
    })
    trace <- Reduce(`+`, terms) - 1
    n_classes <- rowSums(classes > 0)
  } else {
    values <- if (filter == "spearman") run_midranks(y$y, weights) else as.double(y$y)
    trace <- explained_share(values, code, weights, sizes, n)
    n_classes <- rep(2, length(n))
  }
  list(trace = pmax(trace, 0), n = n, levels = colSums(sizes > 0), classes = n_classes)
}

# R squared of the one-way model; values (n, or n x B).
explained_share <- function(values, code, weights, sizes, n) {
  weighted <- weights * values
  centre <- colSums(weighted) / n
  centred <- weights * (values - rep(centre, each = nrow(weights)))
  between <- colSums(rowsum(centred, code)^2 / sizes, na.rm = TRUE)
  total <- colSums(centred * (values - rep(centre, each = nrow(weights))))
  ifelse(total > 0, between / total, 0)
}

# Midranks of y in every run; counts are repeated values.
run_midranks <- function(y, weights) {
  values <- sort(unique(y))
  at <- match(y, values)
  sizes <- rowsum(weights, at)
  below <- apply(sizes, 2L, cumsum) - sizes
  (below + (sizes + 1) / 2)[at, , drop = FALSE]
}

# The value of the filter's own statistic with the p-value of the factor's test. One degree of
# freedom needs no p-value: the score equals a 0/1 column's score to the last digits.
scale_association <- function(a, filter) {
  q <- a$levels - 1
  p <- a$classes - 1
  usable <- q > 0 & p > 0 & a$n - 1 > pmax(p, q)
  a <- lapply(a, `[`, usable)
  score <- numeric(length(usable))
  score[usable] <- if (filter == "wilcoxon") {
    scale_rank_test((a$n - 1) * a$trace, q[usable])
  } else {
    scale_f_test(a, p[usable], q[usable], filter)
  }
  score
}

scale_rank_test <- function(h, df) {
  tail <- stats::pchisq(h, df, lower.tail = FALSE, log.p = TRUE)
  z <- stats::qnorm(tail - log(2), lower.tail = FALSE, log.p = TRUE)
  ifelse(df == 1, sqrt(h), pmax(z, 0))
}

scale_f_test <- function(a, p, q, filter) {
  s <- pmin(p, q)
  df1 <- p * q
  df2 <- s * (a$n - 1 - p - q + s)
  f <- df2 / df1 * a$trace / pmax(s - a$trace, 0)
  f[a$trace >= s * (1 - 1e-12)] <- Inf
  tail <- stats::pf(f, df1, df2, lower.tail = FALSE, log.p = TRUE)
  if (filter == "anova") {
    scaled <- stats::qf(tail, p, a$n - 1 - p, lower.tail = FALSE, log.p = TRUE)
    return(ifelse(q == 1, f, scaled))
  }
  t <- stats::qt(tail - log(2), a$n - 2, lower.tail = FALSE, log.p = TRUE)
  t <- ifelse(q == 1, sqrt(f), pmax(t, 0))
  if (filter %in% c("pearson", "spearman")) {
    return(ifelse(is.finite(t), t / sqrt(a$n - 2 + t^2), 1))
  }
  t
}

# Light and Margolin (1971): half the mean squared difference of two samples, where different levels
# have difference 1.
categorical_variation <- function(code, weights) {
  n <- colSums(weights)
  sizes <- rowsum(weights, code)
  n * (1 - colSums((sizes / rep(n, each = nrow(sizes)))^2)) / (2 * (n - 1))
}

# Mutual information with the levels as bins. It is symmetric: numbers in y become the feature,
# which the core discretises, and the levels the classes.
factor_information <- function(discretise, n_bins, estimator) {
  function(codes, y, weights) {
    score <- vapply(seq_len(ncol(codes)), function(j) {
      code <- as.integer(codes[, j])
      if (!is.null(y$codes)) {
        return(table_information(code, y, weights, estimator))
      }
      drop(cpp_score_information(
        matrix(as.double(y$y)), code, max(code), as.double(code), weights, discretise,
        if (is.null(n_bins)) 0L else n_bins, estimator == "miller_madow", 1L, NULL
      ))
    }, numeric(ncol(weights)))
    matrix(score, ncol(codes), ncol(weights), byrow = TRUE)
  }
}

table_information <- function(code, y, weights, estimator) {
  joint <- rowsum(weights, (code - 1L) * length(y$levels) + y$codes)
  level <- rowsum(weights, code)
  class <- rowsum(weights, y$codes)
  n <- colSums(weights)
  entropy <- function(sizes) {
    share <- sizes / rep(n, each = nrow(sizes))
    -colSums(ifelse(share > 0, share * log(share), 0))
  }
  information <- entropy(level) + entropy(class) - entropy(joint)
  if (estimator == "miller_madow") {
    used <- function(sizes) colSums(sizes > 0)
    information <- information + (used(level) + used(class) - used(joint) - 1) / (2 * n)
  }
  pmax(information, 0)
}
