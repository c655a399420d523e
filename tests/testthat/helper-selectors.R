# Data of the selector tests; the fixtures of data-raw/make-selector-fixtures.R are for these.
selector_design <- function(n_classes = 2L) {
  withr::with_seed(
    77L,
    {
      x <- matrix(stats::rnorm(30 * 60), 30, 60, dimnames = list(NULL, paste0("g", 1:60)))
      y <- factor(rep(letters[seq_len(n_classes)], length.out = 30))
      x[, 1:5] <- x[, 1:5] + 0.8 * as.integer(y)
      weights <- matrix(stats::rpois(30 * 6, 1), 30, 6)
      weights[1:6, ] <- weights[1:6, ] + 1L
      storage.mode(weights) <- "integer"
      list(x = x, y = y, weights = weights)
    },
    .rng_kind = "Mersenne-Twister", .rng_normal_kind = "Inversion", .rng_sample_kind = "Rejection"
  )
}

# Survival times of that design, three in ten censored.
selector_times <- function(x, ties = FALSE) {
  time <- exp(1 - (x[, 1] + x[, 2] - x[, 3] + sin(1:30)) / 3)
  cbind(time = if (ties) ceiling(time) else time, status = as.integer((1:30) %% 10 > 2))
}

# All runs of a selector, as an ensemble calls it.
runs_of_selector <- function(selector, x, y, weights, seed = 1L, ...) {
  response <- check_takes(read_response(y, nrow(x)), selector$responses, "this selector")
  seeds <- child_seeds(seed, ncol(weights))
  selector$score(x, response, weights, selector_control(seeds, ...))
}

score_runs <- function(...) runs_of_selector(...)$score

reference_bins <- function(v, rule, n_bins) {
  switch(rule,
    equal_width = pmin(floor((v - min(v)) / diff(range(v)) * n_bins), n_bins - 1),
    # The middle of the positions of equal values.
    equal_frequency = floor((rank(v) - 0.5) * n_bins / length(v)),
    sd = (v > mean(v) - stats::sd(v) / 2) + (v > mean(v) + stats::sd(v) / 2)
  )
}
