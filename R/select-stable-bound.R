# The error bound that stability selection asks for.

asked_of_bound <- function(bound) {
  values <- list(q = bound$q, cutoff = bound$cutoff, pfer = bound$asked)
  values[setdiff(names(values), bound$given)] <- list(NULL)
  values
}

# The bound for these resamples; `left` (integer) pairs when some were dropped.
find_bound <- function(p, q, cutoff, pfer, resamples, left, assumption,
                       call = rlang::caller_env()) {
  if (assumption != "none" && is.null(resamples$pair)) {
    abort(
      c("{.code assumption = \"{assumption}\"} needs complementary pairs of subsamples.",
        i = "Use {.fn resample_pairs}, or {.code assumption = \"none\"}."
      ),
      call = call
    )
  }
  n_pairs <- if (!is.null(left)) left else max(2L, resamples$n_runs %/% 2L)
  q <- check_count(q, "q", max = p, null_ok = TRUE, call = call)
  if (!is.null(cutoff)) cutoff <- check_fraction(cutoff, "cutoff", call = call)
  pfer <- check_positive(pfer, "pfer", null_ok = TRUE, call = call)
  resolve_error_bound(p, q, cutoff, pfer, n_pairs, assumption, call)
}
