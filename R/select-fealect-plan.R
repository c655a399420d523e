# The resamples of fealect().

# By default 100 subsamples of 3/4 that keep the proportions of the classes; `resampling` excludes
# `n_runs` and `fraction`.
fealect_plan <- function(study, n_runs, fraction, resampling) {
  if (!is.null(resampling)) {
    refuse(!is.null(n_runs) || !is.null(fraction),
      "Give either {.arg resampling}, or {.arg n_runs} and {.arg fraction}, not both."
    )
    return(resampling)
  }
  n_runs <- check_count(if (is.null(n_runs)) 100 else n_runs, name = "n_runs")
  fraction <- if (is.null(fraction)) 3 / 4 else fraction
  fraction <- check_fraction(fraction, open_right = TRUE)
  resample_subsample(n_runs, fraction, stratify = can_stratify(study, fraction))
}
