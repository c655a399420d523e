# One row about a whole result, see ?tidiers.

# Counts, and the agreement of the runs of a selection.
glance_runs <- function(selection, n_selected, n = NULL) {
  agreement <- if (length(ok_runs(selection)) > 1L) {
    stability(selection)$table[c("estimate", "lower", "upper")]
  } else {
    list(NA_real_, NA_real_, NA_real_)
  }
  c(
    list(
      n_selected = n_selected, n_runs = selection$n_runs,
      n_failed = selection$n_runs - length(ok_runs(selection)), n_total = selection$n_total
    ),
    list(nobs = n)[!is.null(n)],
    stats::setNames(agreement, c("estimate", "conf.low", "conf.high"))
  )
}

# Results without runs of a selection: only what all results have.
glance_made <- function(x) {
  count <- function(n) if (is.null(n)) NA_integer_ else n
  list(
    n_selected = if (is.character(x$features)) length(x$features) else NA_integer_,
    n_runs = count(x$made$n_runs), n_failed = count(x$made$n_failed), n_total = count(x$study$p),
    nobs = count(x$study$n)
  )
}

glance_features <- function(x, ..., n_selected = length(x$features)) {
  c(glance_runs(x$selection, n_selected, x$study$n), list(...))
}

# By class: the fields of the row, as a list.
glances <- list(
  stabilect_ranking = function(x) {
    list(
      n_selected = x$n_features, n_runs = x$n_runs, n_failed = x$n_failed, n_total = nrow(x$table)
    )
  },
  stabilect_stability_selection = function(x) {
    glance_features(x, q = x$bound$q, cutoff = x$bound$cutoff, pfer = x$bound$pfer)
  },
  stabilect_bolasso = function(x) {
    glance_features(x, cutoff = x$asked$cutoff, lambda = x$lambda)
  },
  stabilect_fdp_bound = function(x) {
    about <- attr(x, "about")
    list(conf.level = about$conf_level, n_permutations = about$n_permutations)
  },
  stabilect_selection = function(x) {
    sizes <- Matrix::colSums(x$selected)[ok_runs(x)]
    # Runs select different numbers of features; the median is the one number reported.
    glance_runs(x, if (length(sizes) > 0L) stats::median(sizes) else NA_real_)
  },
  stabilect_elimination = function(x) {
    at <- x$sizes[x$sizes$size == x$n_features, ]
    glance_features(x,
      metric = x$asked$metric, score = at$score, std.error = at$se, n_fits = x$n_fits,
      n_selected = x$n_features
    )
  },
  stabilect_hybrid_rfe = function(x) {
    glance_features(x,
      score = mean(x$accuracy, na.rm = TRUE), std.error = standard_error(x$accuracy)
    )
  },
  stabilect_tradeoff = function(x) {
    metric <- x$asked$metric
    gain <- metric_sign(metric) * x$table[[metric]]
    list(
      n_configs = nrow(x$table), n_failed = sum(x$table$status != "ok"), metric = metric,
      score = if (all(is.na(gain))) NA_real_ else metric_sign(metric) * max(gain, na.rm = TRUE),
      n_runs = x$resamples$n_runs, n_total = x$study$p, nobs = x$study$n
    )
  },
  stabilect_evaluation = function(x) {
    error <- x$table$error
    list(
      n_configs = nrow(x$table),
      error = if (all(is.na(error))) NA_real_ else min(error, na.rm = TRUE),
      n_splits = x$made$n_runs, n_total = x$study$p, nobs = x$study$n
    )
  },
  stabilect_model = function(x) {
    list(
      n_selected = length(x$features), nobs = x$study$n, model = x$asked$model,
      lambda = x$asked$lambda
    )
  },
  stabilect_lasso_path = function(x) {
    last <- length(x$lambda)
    list(
      n_selected = x$size[last], n_total = x$study$p, nobs = x$study$n, family = x$asked$family,
      n_steps = last, dev.ratio = x$explained[last], nulldev = x$null_deviance
    )
  },
  stabilect_validation = function(x) {
    first <- x$table[1, ]
    list(
      nobs = x$made$n, measure = first$measure, error = first$estimate, conf.low = first$lower,
      conf.high = first$upper, baseline = first$reference
    )
  },
  stabilect_stability = function(x) {
    list(
      n_selected = stats::median(x$sizes), n_runs = x$n_runs + x$n_failed, n_failed = x$n_failed,
      n_total = x$n_total, conf.level = x$conf_level
    )
  },
  stabilect_estimate = function(x) {
    list(
      n_selected = x$asked$n_features, n_runs = x$made$n_runs + x$made$n_failed,
      n_failed = x$made$n_failed, n_total = x$study$p, n_useful = x$n_useful, p = x$p,
      plateau = x$plateau, misfit = length(x$misfit) > 0L
    )
  },
  stabilect_clusters = function(x) {
    list(n_clusters = nrow(x$table), n_total = length(x$membership))
  },
  stabilect_substitutes = function(x) {
    list(n_selected = length(x$features), n_runs = x$n_runs, n_total = x$n_total)
  },
  stabilect_explanation = function(x) {
    list(n_runs = x$n_runs, n_total = x$n_total, estimate = x$stability)
  },
  stabilect_path = function(x) {
    last <- ncol(x$coefficients)
    list(
      n_selected = sum(x$coefficients[, last] != 0), n_total = x$study$p, nobs = x$study$n,
      n_steps = last - 1L, r.squared = x$r_squared[last]
    )
  },
  stabilect_three_segment = function(x) {
    list(n_selected = x$n_features, n_total = x$n_total, threshold = x$threshold)
  },
  stabilect_convergence = function(x) {
    last <- x$table[nrow(x$table), ]
    list(
      n_runs = last$n_runs, estimate = last$estimate, conf.low = last$lower,
      conf.high = last$upper, conf.level = x$conf_level, runs_needed = x$runs_needed
    )
  },
  stabilect_signals = function(x) {
    list(
      n_selected = length(x$features), p.value = x$p_value, n_null = x$made$n_null,
      n_total = nrow(x$marginal), nobs = x$study$n
    )
  },
  stabilect_result = function(x) {
    if (is.null(x$selection)) {
      return(glance_made(x))
    }
    oob <- if (is.null(x$oob)) list(error = NA_real_, baseline = NA_real_) else x$oob
    c(
      glance_features(x),
      if ("oob" %in% names(x)) list(oob.error = oob$error, oob.baseline = oob$baseline)
    )
  }
)

#' @rdname tidiers
#' @exportS3Method generics::glance
#' @rawNamespace S3method(generics::glance,stabilect_fdp_bound,glance.stabilect)
glance.stabilect <- function(x, ...) {
  refuse_dots(...)
  as_tidy(do.call(data.frame, of_this_class(glances, x, "glance")(x)))
}
