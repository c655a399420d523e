# The result of a sample size plan.

new_sample_size <- function(done, sizes, asked, study, record, seed) {
  n_units <- if (is.null(study$response$blocks)) study$n else length(unique(study$response$blocks))
  pairs <- pairs_of_parts(done, sizes, study$n / n_units)
  check_enough_parts(done, pairs, sizes)
  measured <- measured_pairs(pairs)
  redrawn <- redraw_curves(measured, n_varying(record), seed)
  stability <- stability_of_pairs(
    measured$common, measured$size_1, measured$size_2, n_varying(record)
  )
  curve <- fit_stability(measured$n, stability)
  refused <- character()
  if (is.null(curve)) refused["curve"] <- "parts do not agree beyond chance"
  mean_error <- colMeans(measured$error, na.rm = TRUE)
  why <- refusal_of_error(redrawn$error)
  if (length(why) > 0L) refused["error_curve"] <- why
  error_curve <- if (length(why) == 0L) fit_error(measured$n, mean_error)
  table <- plan_table(
    measured, stability, mean_error, curve, error_curve, redrawn, asked, record
  )
  needed <- if (is.null(curve)) {
    data.frame(target_stability = asked$target_stability, n = NA, lower = NA, upper = NA) + 0
  } else {
    samples_needed(curve, redrawn$stability, measured$n, record$n, asked)
  }
  new_result(
    "stabilect_sample_size", table,
    needed = needed, curve = curve, error_curve = error_curve, refused = refused, pairs = pairs,
    asked = asked, study = record,
    made = list(
      seed = seed, n_runs = length(done) * length(sizes),
      n_failed = sum(vapply(unlist(done, recursive = FALSE), is.character, NA)),
      reasons = unlist(Filter(is.character, unlist(done, recursive = FALSE)))
    )
  )
}

# A curve needs three sizes with two pairs each.
check_enough_parts <- function(done, pairs, sizes) {
  there <- tapply(!is.na(pairs$n_common), pairs$n, sum)
  if (sum(there >= 2L) >= 3L) {
    return(invisible())
  }
  reasons <- unique(unlist(Filter(is.character, unlist(done, recursive = FALSE))))
  abort("The procedure failed on nearly every part: {reasons}.", class = "runs")
}

# Matrices, one row a pair and one column a size.
measured_pairs <- function(pairs) {
  n <- unique(pairs$n)
  of <- function(name) matrix(pairs[[name]], ncol = length(n), byrow = TRUE)
  list(
    n = n, common = of("n_common"), size_1 = of("size_1"), size_2 = of("size_2"),
    error = of("error")
  )
}

plan_table <- function(measured, stability, error, curve, error_curve, redrawn, asked, record) {
  beyond <- c(1, 2, 4) * record$n
  n <- c(measured$n, beyond)
  none <- rep(NA_real_, length(n))
  of_stability <- if (is.null(curve)) {
    data.frame(fitted = none, lower = none, upper = none)
  } else {
    stability_band(curve, redrawn$stability, n, asked$conf_level, max(measured$n))
  }
  of_error <- if (is.null(error_curve)) {
    data.frame(error_fitted = none, error_lower = none, error_upper = none)
  } else {
    error_band(error_curve, redrawn$error, n, asked$conf_level, max(measured$n))
  }
  size <- length_of_lists(measured, asked)
  again <- n_again(of_stability$fitted[n %in% beyond & seq_along(n) > length(measured$n)],
    size, n_varying(record)
  )
  unknown <- rep(NA_real_, length(beyond))
  data.frame(
    n = n, kind = rep(c("measured", "extrapolated"), c(length(measured$n), length(beyond))),
    stability = c(stability, unknown), of_stability,
    n_again = c(colMeans(measured$common, na.rm = TRUE), again), error = c(error, unknown),
    of_error
  )
}

# The number of features in a list: as asked, or the mean in the largest parts if fewer have a
# score.
length_of_lists <- function(measured, asked) {
  if (is.null(asked$n_features)) {
    return(NA_real_)
  }
  last <- length(measured$n)
  min(asked$n_features, mean(c(measured$size_1[, last], measured$size_2[, last]), na.rm = TRUE))
}

# Number of common features in two lists of `size` features, from a stability.
n_again <- function(stability, size, p) {
  by_chance <- size / p
  size * (by_chance + (1 - by_chance) * stability)
}

#' Print and plot of an estimated sample size
#'
#' The print shows how many features two studies of the present size would share, how many samples
#' the target stability needs, how precise this is, and what can be done. Simulated studies have
#' their own table. The picture has the measured points, the curves with their bands, and
#' extrapolations as a dashed line. Triangles with bars of two standard errors are simulated values,
#' for the number of true features whose agreement is closest to the largest parts.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_sample_size`) result of [estimate_sample_size()].
#' @return `autoplot()`: a ggplot object, which `plot()` draws.
#' @family evidence
#' @name sample-size-methods
NULL

#' @exportS3Method
facts_of.stabilect_sample_size <- function(x, n = 10L) {
  result_facts(
    x, "How many samples for the same list?",
    sprintf("%d pairs of disjoint parts of each size", x$asked$n_pairs),
    list(
      List = c(describe_present(x), if (!is.null(x$simulated)) describe_simulated(x)),
      Stability = describe_needed(x)
    ),
    list(
      new_section(dash_missing(bands_joined(x$table)), Inf, below = describe_refusals(x)),
      if (!is.null(x$simulated)) simulated_section(x)
    )
  )
}

# The table with each band in one column, to fit a line; without empty columns.
bands_joined <- function(table) {
  band <- function(lower, upper) {
    ifelse(is.na(lower), NA, sprintf("%.2g to %.2g", lower, upper))
  }
  shown <- data.frame(
    n = round(table$n), table[c("stability", "fitted")], band = band(table$lower, table$upper),
    table[intersect(c("n_again", "error", "error_fitted"), names(table))],
    error_band = band(table$error_lower, table$error_upper)
  )
  shown[!vapply(shown, function(column) all(is.na(column)), NA)]
}

describe_present <- function(x) {
  now <- x$table[x$table$kind == "extrapolated", ][1, ]
  if (is.null(x$curve)) {
    return("the lists of disjoint parts do not agree beyond chance, whatever their size")
  }
  number <- function(value) figure(value, digits = 2)
  size <- x$asked$n_features
  if (is.null(size)) {
    return(sprintf(
      "the lists of two studies of %d samples would have a stability of about %s (%s to %s)",
      x$study$n, number(now$fitted), number(now$lower), number(now$upper)
    ))
  }
  listed <- length_of_lists(measured_pairs(x$pairs), x$asked)
  again <- figures(n_again(c(now$lower, now$upper), listed, n_varying(x$study)), digits = 2)
  c(
    sprintf(
      "two studies of %d samples would share about %s of their %s best features (%s to %s; %s by
       chance)", x$study$n, number(now$n_again), number(listed), again[1], again[2],
      number(listed^2 / n_varying(x$study))
    ),
    if (listed < size - 1e-9) {
      sprintf("of %d features asked for, only %s have a score in parts of %d samples", size,
        number(listed), max(x$pairs$n))
    }
  )
}

# What the target needs, and what to do next.
describe_needed <- function(x) {
  if (is.null(x$curve)) {
    return("more samples may change that; these cannot predict it")
  }
  needed <- x$needed
  n <- x$study$n
  target <- figure(needed$target_stability)
  most <- sprintf("%d", 4L * n)
  if (is.infinite(needed$n)) {
    start <- if (is.infinite(needed$lower)) {
      "not even the upper end of the band attains it"
    } else {
      sprintf("the upper end of the band attains it with %d", needed$lower)
    }
    return(sprintf(
      "a stability of %s would need more than %s samples, too far to extrapolate (%s). A shorter or
       a longer list may attain it, or groups of neighbours in place of features.", target, most,
      start
    ))
  }
  upper <- if (is.infinite(needed$upper)) paste("more than", most) else figure(needed$upper)
  more <- max(0, needed$n - n)
  next_step <- if (more == 0) {
    "The present samples may be enough"
  } else {
    sprintf("Estimate again with %s more", count_of(more, "sample"))
  }
  sprintf(
    "a stability of %s needs about %d samples (%d to %s), %s. %s.", target, needed$n,
    needed$lower, upper, if (more == 0) "as far as these tell" else "by extrapolation", next_step
  )
}

describe_refusals <- function(x) {
  widened <- sprintf(
    "%s%% bands; up to %s samples stability, n_again and error are observed, beyond all is
     extrapolated", figure(100 * x$asked$conf_level),
    figure(round(max(x$table$n[x$table$kind == "measured"])))
  )
  what <- describe_error(NULL, x$study$type)
  if (is.null(what)) what <- "share of wrong classes"
  error <- if ("error_curve" %in% names(x$refused)) {
    sprintf("the error (%s) is not extrapolated: %s", what, x$refused[["error_curve"]])
  } else {
    sprintf(
      "error (%s): %s", what,
      sprintf("%.3g + %.3g n^-%.2g", x$error_curve["a"], x$error_curve["b"], x$error_curve["c"])
    )
  }
  c(error, if (!is.null(x$curve) || !is.null(x$error_curve)) widened)
}

describe_simulated <- function(x) {
  rows <- nearest_simulation(x)
  number <- function(value) if (is.nan(value)) "unknown" else figure(value, digits = 2)
  share <- function(value) sprintf("%.0f%%", 100 * value)
  now <- rows[2, ]
  most <- rows[4, ]
  sprintf(
    "in simulated studies with %s the stability is %s with %d samples and %s with %d; lists of %d
     samples contain %s of the true features, and %s of a list are false positives (%s and %s with
     %d)",
    count_of(now$n_true, "true feature"), number(now$stability), now$n, number(most$stability),
    most$n, now$n, share(now$power), share(now$fdr), share(most$power), share(most$fdr),
    most$n
  )
}

simulated_section <- function(x) {
  rows <- nearest_simulation(x)
  shown <- x$simulated[c(
    "n_true", "n", "stability", "stability_se", "n_again", "power", "power_se", "fdr", "fdr_se",
    "error"
  )]
  joined <- join_errors(round(shown, 3), 2)
  # Pairs of empty lists have no error.
  joined[] <- lapply(joined, function(column) {
    if (is.character(column)) sub(" [(] *(NA|NaN)[)]$", "", column) else column
  })
  short <- unique(x$simulated$n_true[!x$simulated$matched])
  new_section(
    dash_missing(joined), Inf,
    sprintf(
      "Simulated: %d pairs of studies for each row (SE in brackets)", x$asked$n_simulations
    ), c(
      sprintf(
        "with %d samples the stability observed is %s; simulations with %s are nearest to it (%s)",
        rows$n[1], figure(observed_at_half(x), digits = 2),
        count_of(rows$n_true[1], "true feature"), figure(rows$stability[1], digits = 2)
      ),
      if (length(short) > 0L) {
        sprintf(
          "with %s true features no strength (R2 0.05 to 0.99) gives the out-of-bag error of the
           data; the nearest is shown", paste(short, collapse = ", ")
        )
      }
    )
  )
}
