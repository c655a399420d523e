# The resamples that a verb works on.

# A plan is drawn for the samples of a study, by its blocks; drawn resamples are checked against it.
# @param part (flag) are these some samples of a study? Their classes are small by design.
# @param name (string) of the argument.
study_draws <- function(study, resampling, seed, part = FALSE, name = "resampling") {
  if (!part) check_class_sizes(study$response)
  check_plan_samples(resampling, samples_of_study(study))
  blocks <- study$response$blocks
  if (!is.null(blocks)) resampling <- plan_with_blocks(resampling, blocks)
  draws <- if (inherits(resampling, "stabilect_resampling")) {
    draw_runs(resampling, response_of_draws(study$response, resampling), seed)
  } else {
    check_drawn(resampling, study$n, name)
  }
  if (!is.null(study$response$within)) check_even_groups(draws)
  draws
}

# Resamples that were drawn before, for this number of samples.
check_drawn <- function(resampling, n, name = "resampling") {
  refuse(!inherits(resampling, "stabilect_resamples"),
    "{.arg {name}} must come from a {.code resample_*()} function or from {.fun draw_resamples}, not
      be {describe_value(resampling)}."
  )
  refuse(resampling$n != n,
    "{.arg {name}} was drawn for {resampling$n} samples, but {.arg x} has {n}."
  )
  check_counts_of(resampling)
  resampling
}

# Resamples may have been changed since they were drawn: counts must fit these samples and runs.
check_counts_of <- function(resamples) {
  counts <- resamples$counts
  n_runs <- resamples$n_runs
  sound <- checkmate::test_count(n_runs, positive = TRUE) && is.matrix(counts) &&
    is.integer(counts) && all(dim(counts) == c(resamples$n, n_runs)) && !anyNA(counts) &&
    min(counts) >= 0L && length(resamples$status) == n_runs
  refuse(!sound,
    c("The {.field counts} of these resamples are not whole numbers for {resamples$n} samples in
      {n_runs} runs.", i = "Draw them again, or make a plan with {.fn resample_custom}.")
  )
}
