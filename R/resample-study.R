# The resamples that a verb works on.

# A plan is drawn for the samples of a study, by its blocks; drawn resamples are checked against it.
# @param part (flag) are these some samples of a study? Their classes are small by design.
study_draws <- function(study, resampling, seed, part = FALSE) {
  if (!part) check_class_sizes(study$response)
  check_plan_samples(resampling, samples_of_study(study))
  blocks <- study$response$blocks
  if (!is.null(blocks)) resampling <- plan_with_blocks(resampling, blocks)
  if (inherits(resampling, "stabilect_resampling")) {
    draws <- draw_runs(resampling, response_of_draws(study$response, resampling), seed)
    if (!is.null(study$within)) check_even_groups(draws)
    return(draws)
  }
  refuse(!inherits(resampling, "stabilect_resamples"),
    "{.arg resampling} must come from a {.code resample_*()} function or from
      {.fun draw_resamples}, not be {describe_value(resampling)}."
  )
  refuse(resampling$n != study$n,
    "{.arg resampling} was drawn for {resampling$n} samples, but {.arg x} has {study$n}."
  )
  check_counts_of(resampling)
  if (!is.null(study$within)) check_even_groups(resampling)
  resampling
}

# The names that blocks and counts of a plan were given with.
check_plan_samples <- function(resampling, samples) {
  named <- if (inherits(resampling, "stabilect_resamples")) {
    resampling$plan$named
  } else if (inherits(resampling, "stabilect_resampling")) {
    resampling$named
  }
  for (argument in names(named)) check_samples(named[[argument]], samples, argument)
}

# A class of one sample, or of one block, is either in a run or left out of it. Runs without it fail
# or cannot judge it, and all that they say of the class is about this sample.
check_class_sizes <- function(response) {
  if (is.null(response$codes)) {
    return(invisible())
  }
  blocks <- response$blocks
  units <- if (is.null(blocks)) response$codes else response$codes[!duplicated(data.frame(
    response$codes, as.integer(blocks)
  ))]
  single <- response$levels[tabulate(units, length(response$levels)) < 2L]
  if (length(single) == 0L) {
    return(invisible())
  }
  what <- if (is.null(blocks)) "sample" else "block of samples"
  abort(c("{length(single)} class{?es} ha{?s/ve} one {what} each, too few to be resampled:
      {.val {single}}.",
    i = if (is.null(blocks)) {
      "Leave {cli::qty(single)}{?it/them} out: {.code keep <- y %in% names(which(table(y) > 1))},
        then {.code x[keep, ]} and {.code y[keep]}."
    } else {
      "Leave {cli::qty(single)}{?it/them} out, or join classes."
    }
  ))
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
