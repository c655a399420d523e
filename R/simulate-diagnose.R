#' Goodness of fit of the simulated selector
#'
#' Compares how often the real runs selected each feature with the simulated selector, the model of
#' [estimate_stability()]. Also fits an extension with graded preferences, in which some useful
#' features are preferred more often than others.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param object (`stabilect_estimate`) result of [estimate_stability()].
#' @param n_weak (whole numbers >= 1, or `NULL`) ensemble sizes for which both models predict the
#'   stability; `NULL` takes the sizes of the object.
#' @param n_simulations (whole number >= 5) simulated ensembles of each size for the graded model.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) seed of the simulations; `NULL` takes
#'   the seed of the estimate.
#' @details
#' In m runs, the model selects each useful feature Binomial(m, q) times and each other feature
#' Binomial(m, q') times: the counts have two modes. Real counts fall off gradually. In the graded
#' model, a member draws its preferred features one by one from the pool of useful features. The
#' weights fall geometrically, \eqn{w_j = e^{-g (j - 1) / (n_{useful} - 1)}}; g = 0 is the model of
#' Onda et al. Its parameters (n_useful, p, g) maximise the likelihood of the counts, which are
#' treated as independent. The inclusion probabilities of these draws are closely approximated by
#' order sampling (Rosen 1997).
#'
#' `deviance` is twice the drop of the log likelihood from the best possible distribution of counts.
#' Compare it between the models; a model fits well if its deviance is below the number of distinct
#' counts. With graded preferences, ensembles find the most preferred features and become more
#' stable as they grow. In the model of Onda et al. their stability stops at a plateau.
#' @return An object of class `stabilect_diagnosis`, a list with
#' \describe{
#'   \item{table}{(data frame) `count` (0 to m), `real` (number of features selected so often),
#'   `equal` and `graded` (numbers expected by the models).}
#'   \item{models}{(data frame, rows `equal`, `graded`) `model`, `n_useful`, `p`, `preference`,
#'   `deviance`, `stability` (of single selectors; real: see `real`).}
#'   \item{prediction}{(data frame) `n_weak`, `equal`, `graded`: predicted stability.}
#'   \item{frequency}{(data frame, one row per feature, sorted) `rank`, `real`, `equal`, `graded`:
#'   selection frequencies; for the models, expected values of the sorted counts.}
#'   \item{found}{(data frame, one row) the estimation of the parameters, see
#'   [estimate_stability()]: `threshold` and `threshold_sd` (mean and standard deviation), `counted`
#'   and `counted_sd` (features above it), `n_useful`, `verified` (expected number above it, A\[f\]
#'   of Equation 1), `fixed_point` (of Equation 1 from there with the same p), `p`, `lowest` and
#'   `highest` (stability of single selectors that n_useful allows), `attained` (flag).}
#'   \item{real}{(number) stability of the real runs.}
#'   \item{asked,study,made}{(lists) the arguments, and the estimate's record of data and runs, see
#'   [results].}
#' }
#' `as.data.frame()` gives `table`.
#' @references Rosen B (1997). On sampling with probability proportional to size. *Journal of
#'   Statistical Planning and Inference* 62, 159-191.
#' @family estimation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' runs <- select_ensemble(x, mcl_sll$MCL, selector_filter("t"), n_features = 10, seed = 1)
#' estimate <- estimate_stability(
#'   runs, n_weak = c(1, 10), n_simulations = 50, n_boot = 50, seed = 1
#' )
#' anova(estimate, n_simulations = 50)
#' @importFrom stats anova
#' @export
anova.stabilect_estimate <- function(object, n_weak = NULL, n_simulations = 200, seed = NULL,
                                     n_threads = getOption("stabilect.n_threads", 1),
                                     progress = interactive(), ...) {
  refuse_dots(...)
  estimate <- object
  asked <- list(
    n_weak = if (is.null(n_weak)) estimate$table$n_weak else check_numbers(n_weak),
    n_simulations = check_count(n_simulations, min = 5)
  )
  seed <- if (is.null(seed)) estimate$made$seed else check_seed(seed)
  n_features <- estimate$asked$n_features
  m <- estimate$made$n_runs
  real <- tabulate(estimate$counted$counts + 1L, m + 1L)
  fits <- list(
    equal = c(n_useful = estimate$n_useful, p = estimate$p, preference = 0),
    graded = fit_graded(real, estimate$study$p, n_features, m, estimate$n_useful)
  )
  expected <- lapply(fits, expected_counts, estimate$study$p, n_features, m)
  predicted <- lapply(fits, function(fit) {
    simulate_stability(
      estimate$study$p, n_features, fit[["n_useful"]], fit[["p"]], unique(c(1L, asked$n_weak)),
      asked$n_simulations, method = if (fit[["preference"]] > 0) "simulate" else "exact",
      aggregation = estimate$asked$aggregation, index = estimate$asked$index,
      preference = fit[["preference"]], corrected = estimate$asked$corrected,
      seed = seed, n_threads = n_threads, progress = progress
    )$table
  })
  new_diagnosis(estimate, real, fits, expected, predicted, asked, seed)
}

new_diagnosis <- function(estimate, real, fits, expected, predicted, asked, seed) {
  m <- estimate$made$n_runs
  models <- data.frame(model = names(fits), do.call(rbind, fits))
  models$deviance <- vapply(expected, function(e) count_deviance(real, e), 0)
  models$stability <- vapply(predicted, function(table) table$stability[1], 0)
  rownames(models) <- NULL
  prediction <- data.frame(
    n_weak = predicted$equal$n_weak, equal = predicted$equal$stability,
    graded = predicted$graded$stability
  )
  prediction <- prediction[prediction$n_weak %in% asked$n_weak, ]
  rownames(prediction) <- NULL
  new_result(
    "stabilect_diagnosis",
    data.frame(count = 0:m, real = real, equal = expected$equal, graded = expected$graded),
    models = models, prediction = prediction,
    frequency = sorted_frequencies(estimate$counted$counts, expected, m),
    found = found_parameters(estimate), real = estimate$real$stability,
    asked = c(asked, estimate$asked[c("n_features", "index")]), study = estimate$study,
    made = c(list(seed = seed), estimate$made[c("n_runs", "n_failed")])
  )
}

# Frequencies in decreasing order. The k-th largest count of a model is the value below which
# n_total - k + 1/2 are expected.
sorted_frequencies <- function(counts, expected, m) {
  n_total <- length(counts)
  place <- (seq_len(n_total) - 0.5) / n_total
  sorted <- lapply(expected, function(e) {
    rowSums(outer(place * sum(e), rev(cumsum(rev(e)))[-1], "<")) / m
  })
  data.frame(
    rank = seq_len(n_total), real = sort(counts, decreasing = TRUE) / m, equal = sorted$equal,
    graded = sorted$graded
  )
}

found_parameters <- function(estimate) {
  counted <- estimate$counted
  again <- check_n_useful(
    counted$n_total, counted$n_features, estimate$n_useful, estimate$p, counted$n_runs
  )
  data.frame(
    threshold = counted$threshold$mean, threshold_sd = counted$threshold$sd,
    counted = counted$expected, counted_sd = counted$sd, n_useful = estimate$n_useful,
    verified = again$verified, fixed_point = again$fixed_point, p = estimate$p,
    lowest = estimate$fit$range[1], highest = estimate$fit$range[2],
    attained = estimate$fit$attained
  )
}

# Inclusion probabilities of representative useful features in single selections, the number of
# features that each represents, and the same for the other features.
graded_inclusion <- function(fit, n_total, n_features) {
  n_useful <- fit[["n_useful"]]
  nodes <- min(n_useful, 60L)
  place <- ((seq_len(nodes) - 0.5) / nodes * n_useful - 0.5) / max(n_useful - 1, 1)
  weight <- exp(-fit[["preference"]] * pmax(place, 0))
  size <- rep(n_useful / nodes, nodes)
  share <- if (n_useful == n_features) {
    rep(1, nodes)
  } else {
    excess <- function(log_time) sum(size * -expm1(-weight * exp(log_time))) - n_features
    time <- stats::uniroot(excess, c(-50, 700), tol = 1e-9)$root
    -expm1(-weight * exp(time))
  }
  rest <- n_total - n_features
  other <- sum(pmin(0:n_features, rest) * stats::dbinom(0:n_features, n_features, 1 - fit[["p"]]))
  of_other <- if (rest > 0) other / rest else 0
  list(
    q = c(share * (n_features - other) / n_features + (1 - share) * of_other, of_other),
    size = c(size, n_total - n_useful)
  )
}

# Expected number of features with each count 0 .. m.
expected_counts <- function(fit, n_total, n_features, m) {
  inclusion <- graded_inclusion(fit, n_total, n_features)
  drop(inclusion$size %*% outer(pmin(inclusion$q, 1), 0:m, function(q, k) stats::dbinom(k, m, q)))
}

count_deviance <- function(real, expected) {
  seen <- real > 0
  2 * sum(real[seen] * log(real[seen] / pmax(expected[seen], 1e-300)))
}

# Maximum likelihood: p and the preference for each of some pools, then the best pool.
fit_graded <- function(real, n_total, n_features, m, n_useful) {
  pools <- unique(as.integer(pmin(
    pmax(round(n_useful * 2^seq(-1, 4, 0.5)), n_features), n_total
  )))
  fits <- lapply(pools, function(pool) {
    fit_of <- function(theta) {
      c(n_useful = pool, p = stats::plogis(theta[1]), preference = min(exp(theta[2]), 500))
    }
    loss <- function(theta) {
      count_deviance(real, expected_counts(fit_of(theta), n_total, n_features, m))
    }
    best <- stats::optim(c(1, 1), loss, control = list(maxit = 120, reltol = 1e-6))
    list(fit = fit_of(best$par), loss = best$value)
  })
  fits[[which.min(vapply(fits, function(one) one$loss, 0))]]$fit
}

#' @exportS3Method
facts_of.stabilect_diagnosis <- function(x, n = 10L) {
  found <- x$found
  models <- x$models[order(x$models$deviance), ]
  new_facts(
    "Diagnosis of the model of an estimate",
    design = sprintf(
      "counts of %d features in %d real runs; seed %s", nrow(x$frequency), x$made$n_runs,
      figure(x$made$seed)
    ),
    verdict = list(Stability = c(
      sprintf(
        "the counts favour %s preference of the useful features (deviance %.2f against %.2f)",
        if (models$model[1] == "equal") "an equal" else "a graded", models$deviance[1],
        models$deviance[2]
      ),
      sprintf(
        "single real selectors have %.3f (%s), %s what the model allows (%.3f to %.3f)", x$real,
        x$asked$index,
        if (x$real >= found$lowest && x$real <= found$highest) "within" else "outside of",
        found$lowest, found$highest
      ),
      sprintf(
        "%.1f features (SD %.1f) were selected more than %.2f times (SD %.2f)", found$counted,
        found$counted_sd, found$threshold, found$threshold_sd
      ),
      sprintf(
        "with %d useful features the model shows %.1f (Equation 1; fixed point %.1f)",
        found$n_useful, found$verified, found$fixed_point
      )
    )),
    sections = list(
      new_section(x$models, Inf), new_section(x$prediction, Inf, "Predicted stability")
    ),
    calls = next_of(x)
  )
}

check_estimate <- function(estimate, given) {
  refuse(!inherits(estimate, "stabilect_estimate"),
    "{.arg estimate} must be made by {.fn estimate_stability}, not be
      {describe_value(estimate)}."
  )
  refuse_at(names(given)[!vapply(given, is.null, NA)],
    "{.arg {at}} comes with the {.arg estimate}; give one of them."
  )
}
