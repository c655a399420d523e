#' Does the simulated selector fit?
#'
#' Compares how often the real runs selected each feature with what the model implies, and fits an
#' extension with graded preferences.
#'
#' @param estimate (`stabilect_estimate`) from [estimate_stability()].
#' @param n_weak (whole numbers >= 1, or `NULL`) sizes for which both models predict the stability;
#'   `NULL` takes those of the estimate.
#' @param n_runs (whole number >= 5) simulated ensembles of each size for the graded model.
#' @param seed,n_threads as in [simulate_stability()]; by default the seed of the estimate.
#' @param x,object (object of class `stabilect_diagnosis`)
#' @param ... Not used.
#'
#' @details
#' In m runs the model gives each useful feature a Binomial(m, q) number of selections, and each
#' other one Binomial(m, q'): two humps. Real ones fall off gradually. In the graded model the
#' preferred features S_m are drawn from the pool one by one with weights that fall geometrically,
#' \eqn{w_j = e^{-g (j - 1) / (n_{useful} - 1)}}; g = 0 is the paper's model. Its parameters
#' (n_useful, p, g) maximise the likelihood of the counts, taken as independent. Inclusion
#' probabilities of such draws are those of order sampling (Rosen 1997), close to exact.
#'
#' `deviance` is twice the drop of the log likelihood from the best possible law of counts: compare
#' it between the models; below the number of distinct counts a model leaves little to explain.
#' Ensembles under graded preferences find the favourites and go on to agree, where those of the
#' paper's model stop at the plateau.
#' @return An object of class `stabilect_diagnosis`, a list with
#' \describe{
#'   \item{table}{(data frame) `count` (0 to m), `real` (features selected so often), `equal` and
#'     `graded` (numbers expected under the models).}
#'   \item{models}{(data frame, rows `equal`, `graded`) `model`, `n_useful`, `p`, `preference`,
#'     `deviance`, `stability` (of single selectors; real: see `real`).}
#'   \item{prediction}{(data frame) `n_weak`, `equal`, `graded`: predicted stability.}
#'   \item{frequency}{(data frame, one row per feature, sorted) `rank`, `real`, `equal`, `graded`:
#'     selection frequencies; those of the models are expected values of the sorted counts.}
#'   \item{real}{(number) stability of the real runs; `n_runs`.}
#' }
#' `as.data.frame()` gives `table`.
#' @references Rosen B (1997). On sampling with probability proportional to size. *Journal of
#'   Statistical Planning and Inference* 62, 159-191.
#' @family estimation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' runs <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 10, seed = 1)
#' estimate <- estimate_stability(runs, n_weak = c(1, 10), n_runs = 50, n_boot = 50, seed = 1)
#' diagnose_estimate(estimate, n_runs = 50)
#' @export
diagnose_estimate <- function(estimate, n_weak = NULL, n_runs = 200, seed = NULL, n_threads = 1) {
  check_estimate(estimate, list())
  s <- estimate$settings
  sizes <- if (is.null(n_weak)) estimate$table$n_weak else check_numbers(n_weak, "n_weak")
  seed <- if (is.null(seed)) s$seed else check_seed(seed)
  counts <- estimate$counted$counts
  m <- estimate$n_real_runs
  real <- tabulate(counts + 1L, m + 1L)
  equal <- c(n_useful = estimate$n_useful, p = estimate$p, preference = 0)
  graded <- fit_graded(real, s$n_features, s$n_target, m, estimate$n_useful)
  fits <- list(equal = equal, graded = graded)
  expected <- lapply(fits, expected_counts, s$n_features, s$n_target, m)
  predict <- function(fit) {
    simulate_stability(
      s$n_features, s$n_target, fit[["n_useful"]], fit[["p"]], unique(c(1L, sizes)), n_runs,
      method = if (fit[["preference"]] > 0) "simulate" else "exact",
      aggregation = s$aggregation, index = s$index, preference = fit[["preference"]],
      corrected = s$corrected, seed = seed, n_threads = n_threads,
      progress = FALSE
    )$table
  }
  predicted <- lapply(fits, predict)
  keep <- predicted$equal$n_weak %in% sizes
  new_diagnosis(
    estimate, real, fits, expected, predicted,
    data.frame(
      n_weak = predicted$equal$n_weak, equal = predicted$equal$stability,
      graded = predicted$graded$stability
    )[keep, ]
  )
}

new_diagnosis <- function(estimate, real, fits, expected, predicted, prediction) {
  rownames(prediction) <- NULL
  models <- data.frame(model = names(fits), do.call(rbind, fits))
  models$deviance <- vapply(expected, function(e) count_deviance(real, e), 0)
  models$stability <- vapply(predicted, function(table) table$stability[1], 0)
  rownames(models) <- NULL
  m <- estimate$n_real_runs
  n_features <- length(estimate$counted$counts)
  # The k-th largest count has the value below which n_features - k + 1/2 are expected.
  sorted <- lapply(expected, function(e) {
    place <- (seq_len(n_features) - 0.5) / n_features * sum(e)
    upper <- rev(cumsum(rev(e)))
    (rowSums(outer(place, upper[-1], "<"))) / m
  })
  structure(
    list(
      table = data.frame(
        count = 0:m, real = real, equal = expected$equal, graded = expected$graded
      ),
      models = models, prediction = prediction,
      frequency = data.frame(
        rank = seq_len(n_features), real = sort(estimate$counted$counts, decreasing = TRUE) / m,
        equal = sorted$equal, graded = sorted$graded
      ),
      real = estimate$real$stability, n_runs = m, index = estimate$settings$index
    ),
    class = "stabilect_diagnosis"
  )
}

# Inclusion probabilities of single selectors at representative useful features, how many features
# each stands for, and the same of the others.
graded_inclusion <- function(fit, n_features, n_target) {
  n_useful <- fit[["n_useful"]]
  nodes <- min(n_useful, 60L)
  place <- ((seq_len(nodes) - 0.5) / nodes * n_useful - 0.5) / max(n_useful - 1, 1)
  weight <- exp(-fit[["preference"]] * pmax(place, 0))
  size <- rep(n_useful / nodes, nodes)
  share <- if (n_useful == n_target) {
    rep(1, nodes)
  } else {
    excess <- function(log_time) sum(size * -expm1(-weight * exp(log_time))) - n_target
    time <- stats::uniroot(excess, c(-50, 700), tol = 1e-9)$root
    -expm1(-weight * exp(time))
  }
  rest <- n_features - n_target
  other <- sum(pmin(0:n_target, rest) * stats::dbinom(0:n_target, n_target, 1 - fit[["p"]]))
  of_other <- if (rest > 0) other / rest else 0
  list(
    q = c(share * (n_target - other) / n_target + (1 - share) * of_other, of_other),
    size = c(size, n_features - n_useful)
  )
}

# Expected number of features with each count 0 .. m.
expected_counts <- function(fit, n_features, n_target, m) {
  inclusion <- graded_inclusion(fit, n_features, n_target)
  drop(inclusion$size %*% outer(pmin(inclusion$q, 1), 0:m, function(q, k) stats::dbinom(k, m, q)))
}

count_deviance <- function(real, expected) {
  seen <- real > 0
  2 * sum(real[seen] * log(real[seen] / pmax(expected[seen], 1e-300)))
}

# Maximum likelihood: p and the preference for each of some pools, then the best pool.
fit_graded <- function(real, n_features, n_target, m, n_useful) {
  pools <- unique(as.integer(pmin(
    pmax(round(n_useful * 2^seq(-1, 4, 0.5)), n_target), n_features
  )))
  fits <- lapply(pools, function(pool) {
    fit_of <- function(theta) {
      c(n_useful = pool, p = stats::plogis(theta[1]), preference = min(exp(theta[2]), 500))
    }
    loss <- function(theta) {
      count_deviance(real, expected_counts(fit_of(theta), n_features, n_target, m))
    }
    best <- stats::optim(c(1, 1), loss, control = list(maxit = 120, reltol = 1e-6))
    list(fit = fit_of(best$par), loss = best$value)
  })
  fits[[which.min(vapply(fits, function(one) one$loss, 0))]]$fit
}

#' @rdname diagnose_estimate
#' @export
print.stabilect_diagnosis <- function(x, ...) {
  cat(sprintf(
    "<stabilect_diagnosis> counts of %d features in %d real runs\n\n", nrow(x$frequency), x$n_runs
  ))
  print(x$models, row.names = FALSE, digits = 3)
  cat(sprintf("\nreal stability of single selectors (%s): %.3f\n", x$index, x$real))
  cat("\npredicted stability\n")
  print(x$prediction, row.names = FALSE, digits = 3)
  invisible(x)
}

#' @rdname diagnose_estimate
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_diagnosis <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$table
}

check_estimate <- function(estimate, given, call = rlang::caller_env()) {
  if (!inherits(estimate, "stabilect_estimate")) {
    abort("{.arg estimate} must be made by {.fn estimate_stability}, not be
      {describe_value(estimate)}.", call = call)
  }
  twice <- names(given)[!vapply(given, is.null, NA)]
  if (length(twice) > 0L) {
    abort("{.arg {twice[1]}} comes with the {.arg estimate}; give one of them.", call = call)
  }
}
