# One row about a whole result, see ?tidiers.

# Counts, and the agreement of the runs of a selection.
glance_runs <- function(n_selected, selection, n = NULL) {
  agreement <- if (length(ok_runs(selection)) > 1L) {
    stability(selection)$table[c("estimate", "lower", "upper")]
  } else {
    data.frame(estimate = NA_real_, lower = NA_real_, upper = NA_real_)
  }
  names(agreement) <- c("estimate", "conf.low", "conf.high")
  counts <- data.frame(
    n_selected = n_selected, n_runs = selection$n_runs,
    n_failed = selection$n_runs - length(ok_runs(selection)), n_total = selection$n_total
  )
  if (!is.null(n)) counts$nobs <- n
  cbind(counts, agreement)
}

# Results without runs of a selection: only what all results have.
glance_made <- function(x) {
  count <- function(n) if (is.null(n)) NA_integer_ else n
  as_tidy(data.frame(
    n_selected = if (is.character(x$features)) length(x$features) else NA_integer_,
    n_runs = count(x$made$n_runs), n_failed = count(x$made$n_failed), n_total = count(x$study$p),
    nobs = count(x$study$n)
  ))
}

glance_oob <- function(oob) {
  if (is.null(oob)) {
    return(data.frame(oob.error = NA_real_, oob.baseline = NA_real_))
  }
  data.frame(oob.error = oob$error, oob.baseline = oob$baseline)
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_result <- function(x, ...) {
  refuse_dots(...)
  if (is.null(x$selection)) {
    return(glance_made(x))
  }
  runs <- glance_runs(length(x$features), x$selection, x$study$n)
  as_tidy(if ("oob" %in% names(x)) cbind(runs, glance_oob(x$oob)) else runs)
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_ranking <- function(x, ...) {
  refuse_dots(...)
  as_tidy(data.frame(
    n_selected = x$n_features, n_runs = x$n_runs, n_failed = x$n_failed, n_total = nrow(x$table)
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_stability_selection <- function(x, ...) {
  refuse_dots(...)
  as_tidy(cbind(
    glance_runs(length(x$features), x$selection, x$study$n), q = x$bound$q,
    cutoff = x$bound$cutoff, pfer = x$bound$pfer
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_bolasso <- function(x, ...) {
  refuse_dots(...)
  as_tidy(cbind(
    glance_runs(length(x$features), x$selection, x$study$n), cutoff = x$asked$cutoff,
    lambda = x$lambda
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_selection <- function(x, ...) {
  refuse_dots(...)
  sizes <- Matrix::colSums(x$selected)[ok_runs(x)]
  # Runs select different numbers of features; the median is the one number reported.
  as_tidy(glance_runs(if (length(sizes) > 0L) stats::median(sizes) else NA_real_, x))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_elimination <- function(x, ...) {
  refuse_dots(...)
  at <- x$sizes[x$sizes$size == x$n_features, ]
  as_tidy(cbind(
    glance_runs(x$n_features, x$selection, x$study$n), metric = x$asked$metric,
    score = at$score, std.error = at$se, n_fits = x$n_fits
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_hybrid_rfe <- function(x, ...) {
  refuse_dots(...)
  accuracy <- x$accuracy
  as_tidy(cbind(
    glance_runs(length(x$features), x$selection, x$study$n),
    score = mean(accuracy, na.rm = TRUE), std.error = standard_error(accuracy)
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_tradeoff <- function(x, ...) {
  refuse_dots(...)
  metric <- x$asked$metric
  gain <- metric_sign(metric) * x$table[[metric]]
  as_tidy(data.frame(
    n_configs = nrow(x$table), n_failed = sum(x$table$status != "ok"), metric = metric,
    score = if (all(is.na(gain))) NA_real_ else metric_sign(metric) * max(gain, na.rm = TRUE),
    n_runs = x$resamples$n_runs, n_total = x$study$p, nobs = x$study$n
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_evaluation <- function(x, ...) {
  refuse_dots(...)
  error <- x$table$error
  as_tidy(data.frame(
    n_configs = nrow(x$table),
    error = if (all(is.na(error))) NA_real_ else min(error, na.rm = TRUE),
    n_splits = x$made$n_runs, n_total = x$study$p, nobs = x$study$n
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_model <- function(x, ...) {
  refuse_dots(...)
  as_tidy(data.frame(
    n_selected = length(x$features), nobs = x$study$n, model = x$asked$model,
    lambda = x$asked$lambda
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_lasso_path <- function(x, ...) {
  refuse_dots(...)
  last <- length(x$lambda)
  as_tidy(data.frame(
    n_selected = x$size[last], n_total = x$study$p, nobs = x$study$n, family = x$asked$family,
    n_steps = last, dev.ratio = x$explained[last], nulldev = x$null_deviance
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_validation <- function(x, ...) {
  refuse_dots(...)
  first <- x$table[1, ]
  as_tidy(data.frame(
    nobs = x$made$n, measure = first$measure, error = first$estimate, conf.low = first$lower,
    conf.high = first$upper, baseline = first$reference
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_stability <- function(x, ...) {
  refuse_dots(...)
  as_tidy(data.frame(
    n_selected = stats::median(x$sizes), n_runs = x$n_runs + x$n_failed, n_failed = x$n_failed,
    n_total = x$n_total, conf.level = x$conf_level
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_estimate <- function(x, ...) {
  refuse_dots(...)
  as_tidy(data.frame(
    n_selected = x$asked$n_features, n_runs = x$made$n_runs + x$made$n_failed,
    n_failed = x$made$n_failed, n_total = x$study$p, n_useful = x$n_useful, p = x$p,
    plateau = x$plateau,
    misfit = length(x$misfit) > 0L
  ))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.stabilect_signals <- function(x, ...) {
  refuse_dots(...)
  as_tidy(data.frame(
    n_selected = length(x$features), p.value = x$p_value, n_null = x$made$n_null,
    n_total = nrow(x$marginal), nobs = x$study$n
  ))
}
