# What fealect() is asked for, and its resamples.

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

check_oob <- function(oob) {
  refuse(is.character(oob), "{.arg oob} must be TRUE, FALSE or \"views\", not {.val {oob}}.")
  check_flag(oob, "oob")
}

# The settings that decide a result besides the paths, data and resamples.
ask_fealect <- function(study, score_rule = "size", max_features = NULL, min_segment = 1,
                        n_boot = 200, model = NULL, lambda = NULL, oob = TRUE) {
  model <- check_model(model, study$response$type)
  list(
    max_features = check_count(max_features, null_ok = TRUE), score_rule = score_rule,
    min_segment = check_count(min_segment), n_boot = check_count(n_boot, min = 0),
    model = model, lambda = check_lambda(lambda, model), oob = check_oob(oob), rule = "bend"
  )
}
