# The test of one selection against a value, or of two selections.
test_selections <- function(selection, other, index, null_value, alternative, paired, conf_level,
                            labels = c("selection", "other"), ...) {
  x <- as_selection(selection)
  if (is.null(other)) {
    a <- jackknifed(x, index, "selection", ...)
    parts <- list(
      difference = a$estimate, variance = jackknife_variance(a$loo, a$mc_se),
      df = length(a$loo) - 1, estimate = stats::setNames(a$estimate, index),
      method = "Jackknife t test of a stability", data_name = labels[1],
      why = reason_for_limits(a)
    )
    if (!is.null(parts$why)) parts$limits <- value_limits(a, "selection")
  } else {
    y <- as_selection(other)
    paired <- resolve_pairing(paired, x, y)
    if (paired) {
      # A run that failed in one selection has no partner.
      both <- which(x$status == "ok" & y$status == "ok")
      x <- if (length(both) > 0L) x[both] else x
      y <- if (length(both) > 0L) y[both] else y
    }
    a <- jackknifed(x, index, "selection", ...)
    b <- jackknifed(y, index, "other", ...)
    parts <- c(
      two_sample(a, b, paired),
      list(
        estimate = stats::setNames(
          c(a$estimate, b$estimate), paste(index, c("of selection", "of other"))
        ),
        method = if (paired) {
          "Paired jackknife t test of two stabilities (same resamples)"
        } else {
          "Jackknife t test of two stabilities (independent runs)"
        },
        data_name = paste(labels, collapse = " and ")
      )
    )
  }
  new_stability_test(parts, null_value, alternative, conf_level, is.null(other))
}

two_sample <- function(a, b, paired) {
  if (paired) {
    variance <- jackknife_variance(a$loo - b$loo, sqrt(a$mc_se^2 + b$mc_se^2))
    df <- length(a$loo) - 1
  } else {
    v <- c(jackknife_variance(a$loo, a$mc_se), jackknife_variance(b$loo, b$mc_se))
    variance <- sum(v)
    own_df <- c(length(a$loo), length(b$loo)) - 1
    df <- if (variance > 0) variance^2 / sum(v^2 / own_df) else sum(own_df)
  }
  difference <- a$estimate - b$estimate
  alike <- paired && variance <= 1e-24
  why <- if (alike) "runs hardly vary" else reason_for_limits(a, b)
  limits <- if (alike) {
    # No observed pair of runs differs from the others; unseen pairs may have any difference.
    function(tail) difference + c(-1, 1) * (1 - tail^(2 / length(a$loo)))
  } else if (!is.null(why)) {
    difference_limits(a, b)
  }
  list(difference = difference, variance = variance, df = df, limits = limits, why = why)
}

# Why limits do not come from a standard error; NULL if they do.
reason_for_limits <- function(...) {
  values <- list(...)
  some <- function(find) any(!vapply(lapply(values, find), is.null, NA))
  if (some(deviating_runs)) {
    "runs hardly vary"
  } else if (some(kinds_of_runs)) {
    "runs are of two kinds"
  }
}

# Limits of a stability as a function of the tail on either side.
value_limits <- function(value, name) {
  seen <- deviating_runs(value)
  if (!is.null(seen)) {
    return(function(tail) deviating_limits(value, seen, tail))
  }
  kinds <- kinds_of_runs(value)
  if (!is.null(kinds)) {
    return(function(tail) kinds_limits(value, kinds, tail))
  }
  df <- length(value$loo) - 1
  se <- sqrt(check_spread(jackknife_variance(value$loo, value$mc_se), name))
  function(tail) value$estimate + c(-1, 1) * stats::qt(tail, df, lower.tail = FALSE) * se
}

# Limits of a difference from the limits of both stabilities (Zou & Donner 2008), as if independent.
difference_limits <- function(a, b) {
  of_a <- value_limits(a, "selection")
  of_b <- value_limits(b, "other")
  function(tail) {
    away_a <- abs(of_a(tail) - a$estimate)
    away_b <- abs(of_b(tail) - b$estimate)
    a$estimate - b$estimate + c(-1, 1) * sqrt(away_a^2 + rev(away_b)^2)
  }
}

check_spread <- function(variance, name) {
  refuse(variance <= 1e-24, c("The stability of {.arg {name}} cannot be tested.",
    x = "Its runs differ, but each agrees with the others equally well: nothing tells how much
         other runs would vary.",
    i = "Make more runs."
  ))
  variance
}

# The value of one index with everything for a test, or an error that names what is missing.
jackknifed <- function(selection, index, name, ...) {
  runs <- index_runs(selection)
  refuse(runs$n_runs < 3L,
    "A test needs at least 3 successful runs, but {.arg {name}} has {runs$n_runs}."
  )
  value <- index_values(runs, index, ...)[[1]]
  if (is.na(value$estimate) || anyNA(value$loo)) {
    why <- if (nzchar(value$note)) value$note else "it is not defined without one of the runs"
    abort("{.val {index}} cannot be tested for {.arg {name}}: {why}.")
  }
  refuse(anyNA(deviating_runs(value)$pair),
    c("{.val {index}} cannot be tested for {.arg {name}}: it is not defined for the runs that are
        the same, more than half of them.",
      i = "Make more runs, or take another index, such as {.val jaccard}."
    )
  )
  refuse(nzchar(value$uneven),
    c("{.val {index}} cannot be tested for {.arg {name}}: with sizes from {value$uneven} a few
        runs decide, and no standard error holds.",
      i = "Cut the runs to one size, {.code as_selection(runs, n_features = 20)}, or take an index
        that weighs pairs of runs equally, such as {.val jaccard}."
    )
  )
  value
}

resolve_pairing <- function(paired, x, y) {
  shared <- !is.null(x$run_hash) && identical(x$run_hash, y$run_hash)
  if (is.null(paired)) {
    return(shared)
  }
  paired <- check_flag(paired)
  refuse(paired && x$n_runs != y$n_runs,
    "{.code paired = TRUE} needs as many runs in {.arg selection} ({x$n_runs}) as in {.arg other}
      ({y$n_runs})."
  )
  known <- !is.null(x$run_hash) && !is.null(y$run_hash)
  refuse(paired && known && !shared,
    c("{.code paired = TRUE}, but {.arg selection} and {.arg other} were made on different
        resamples.",
      i = "Draw them once with {.fn draw_resamples} and give them to both."
    )
  )
  paired
}

# @param parts list(difference, variance, df, estimate, method, data_name, limits (function of a
#   tail, in place of the t distribution; or NULL), why (string): the reason for these limits).
new_stability_test <- function(parts, null_value, alternative, conf_level, one_sample) {
  what <- if (one_sample) "stability" else "difference in stability"
  null <- stats::setNames(null_value, what)
  exact <- !is.null(parts$limits)
  limits <- parts$limits
  if (!exact) {
    se <- sqrt(check_spread(parts$variance, "selection"))
    limits <- function(tail) {
      parts$difference + c(-1, 1) * stats::qt(tail, parts$df, lower.tail = FALSE) * se
    }
  }
  bounds <- limits((1 - conf_level) / if (alternative == "two_sided") 2 else 1)
  if (alternative == "greater") bounds[2] <- Inf
  if (alternative == "less") bounds[1] <- -Inf
  tested <- if (exact) {
    list(p.value = limits_p(limits, parts$difference, null_value, alternative))
  } else {
    t_test((parts$difference - null_value) / se, parts$df, alternative)
  }
  structure(
    c(tested, list(
      conf.int = structure(bounds, conf.level = conf_level), estimate = parts$estimate,
      null.value = null, stderr = if (exact) NA_real_ else se,
      alternative = sub("_", ".", alternative),
      method = paste0(parts$method, if (exact) paste("; by exact limits, as", parts$why)),
      data.name = parts$data_name
    )),
    class = c("stabilect_stability_test", "htest")
  )
}

t_test <- function(statistic, df, alternative) {
  p_value <- switch(alternative,
    two_sided = 2 * stats::pt(-abs(statistic), df),
    greater = stats::pt(-statistic, df),
    less = stats::pt(statistic, df)
  )
  list(statistic = c(t = statistic), parameter = c(df = df), p.value = p_value)
}

limits_p <- function(limits, estimate, null, alternative) {
  tail <- tail_at(limits, estimate, null)
  against <- switch(alternative, greater = null < estimate, less = null > estimate)
  if (alternative == "two_sided") min(1, 2 * tail) else if (against) tail else 1 - tail
}
