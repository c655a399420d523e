# What fealect() is asked for: the family of its paths and its resamples.

# Several classes and counts have no final model, hence no out-of-bag error.
check_scored_model <- function(model, type, call = rlang::caller_env()) {
  if (!type %in% c("multiclass", "count")) {
    return(check_model(model, type, call))
  }
  if (!is.null(model)) {
    abort("{.arg model} must be NULL: there is no final model of {outcome_words[[type]]}.",
      call = call
    )
  }
}

# 100 subsamples of 3/4 by default, in the proportions of the classes; `resampling` excludes
# `n_runs` and `fraction`.
fealect_plan <- function(study, n_runs, fraction, resampling, call = rlang::caller_env()) {
  if (!is.null(resampling)) {
    if (!is.null(n_runs) || !is.null(fraction)) {
      abort("Give either {.arg resampling}, or {.arg n_runs} and {.arg fraction}, not both.",
        call = call
      )
    }
    return(resampling)
  }
  n_runs <- check_count(if (is.null(n_runs)) 100 else n_runs, "n_runs", call = call)
  fraction <- if (is.null(fraction)) 3 / 4 else fraction
  fraction <- check_fraction(fraction, "fraction", open_right = TRUE, call = call)
  resample_subsample(n_runs, fraction, stratify = can_stratify(study, fraction))
}
