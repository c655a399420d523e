# p from the stability of the single selector, and the verification of n_useful.

#' @rdname estimate_n_useful
#' @export
estimate_p <- function(stability, n_features, n_target, n_useful,
                       method = c("bisection", "grid"), grid = seq(0.1, 0.9, 0.1),
                       index = "jaccard", corrected = FALSE) {
  stability <- check_number(stability, "stability")
  model <- check_urn(n_features, n_target, n_useful, 1)
  check_one_pool(model)
  method <- check_choice(method, "method", c("bisection", "grid"))
  grid <- sort(check_probabilities(grid, "grid"))
  value <- check_overlap_index(index, model, corrected)
  tables <- urn_tables(model$n_features, model$n_target, model$n_useful, value)
  solve_p(stability, model, tables, if (method == "grid") grid)
}

check_one_pool <- function(model, call = rlang::caller_env()) {
  if (length(model$n_useful) > 1L) {
    abort("{.arg n_useful} must be one number here.", call = call)
  }
}

check_overlap_index <- function(index, model, corrected, call = rlang::caller_env()) {
  check_simulated_index(index, call)
  corrected <- check_flag(corrected, "corrected", call = call)
  value <- overlap_values(index, model$n_features, model$n_target, corrected)
  if (is.null(value)) {
    abort(
      c("{.arg index} {.val {index}} is no function of the overlap of two sets of one size.",
        i = "Take {.val jaccard}, {.val nogueira} or {.val kuncheva}."
      ),
      call = call
    )
  }
  value
}

# @param tables from urn_tables() for model$n_useful.
# @param grid (numbers, ascending) or NULL for bisection.
solve_p <- function(stability, model, tables, grid = NULL) {
  of_p <- function(p) {
    law <- single_useful_law(tables, p)
    sum(law * (tables$mean %*% law))
  }
  if (!is.null(grid)) {
    values <- vapply(grid, of_p, 0)
    at <- which.min(abs(values - stability))
    inside <- stability >= min(values) && stability <= max(values)
    return(new_p(grid[at], inside, range(values), values[at], "grid"))
  }
  lowest <- model$n_target / model$n_features
  range <- c(of_p(lowest), of_p(1))
  if (stability <= range[1] || stability >= range[2]) {
    p <- if (stability <= range[1]) lowest else 1
    return(new_p(p, stability %in% range, range, of_p(p), "bisection"))
  }
  p <- stats::uniroot(function(p) of_p(p) - stability, c(lowest, 1), tol = 1e-10)$root
  new_p(p, TRUE, range, of_p(p), "bisection")
}

new_p <- function(p, attained, range, stability, method) {
  structure(
    list(p = p, attained = attained, range = range, stability = stability, method = method),
    class = "stabilect_p"
  )
}

#' @export
print.stabilect_p <- function(x, ...) {
  cat(sprintf("<stabilect_p> p = %.3f (%s), stability %.4f\n", x$p, x$method, x$stability))
  if (!x$attained) {
    cat(sprintf(
      "the stability asked for is outside of %.4f to %.4f, which this n_useful allows\n",
      x$range[1], x$range[2]
    ))
  }
  invisible(x)
}

#' @rdname estimate_n_useful
#' @param refit (function of a number of useful features, or `NULL`) gives p anew at each step, such
#'   as the one that keeps the stability; `NULL` keeps `p`, as in the paper.
#' @export
verify_n_useful <- function(n_features, n_target, n_useful, p, n_runs, refit = NULL,
                            tolerance = 0.5) {
  model <- check_urn(n_features, n_target, n_useful, p)
  check_one_pool(model)
  n_runs <- check_count(n_runs, "n_runs", min = 2)
  tolerance <- check_positive(tolerance, "tolerance")
  threshold <- uniform_threshold(model$n_features, model$n_target, n_runs)
  steps <- data.frame(step = 0L, n_useful = as.double(model$n_useful), p = model$p)
  at <- as.double(model$n_useful)
  p <- model$p
  for (step in seq_len(1000L)) {
    after <- expected_above(model$n_features, model$n_target, at, p, n_runs, threshold)
    steps[step + 1L, ] <- list(step, after, p)
    done <- abs(after - at) < tolerance || after <= model$n_target
    at <- max(after, model$n_target)
    if (done) break
    if (!is.null(refit)) p <- refit(at)
  }
  list(
    verified = steps$n_useful[2], fixed_point = at, iterations = steps, converged = done
  )
}

# A[f] of Equation 1: expected number of features that n_runs simulated selectors choose more often
# than the threshold. n_useful need not be whole: only means enter.
expected_above <- function(n_features, n_target, n_useful, p, n_runs, threshold) {
  inclusion <- inclusion_probabilities(n_features, n_target, n_useful, p)
  tail <- function(q) stats::pbinom(threshold$law$threshold, n_runs, q, lower.tail = FALSE)
  above <- n_useful * tail(inclusion[1]) + (n_features - n_useful) * tail(inclusion[2])
  sum(threshold$law$probability * above)
}

# Of a useful and of another feature in one single selection. Picks from outside of S_m are a simple
# random sample of the rest, as long as that lasts.
inclusion_probabilities <- function(n_features, n_target, n_useful, p) {
  rest <- n_features - n_target
  other <- sum(pmin(0:n_target, rest) * stats::dbinom(0:n_target, n_target, 1 - p))
  of_other <- if (rest > 0) other / rest else 0
  preferred <- (n_target - other) / n_target
  share <- n_target / n_useful
  c(share * preferred + (1 - share) * of_other, of_other)
}
