# How many features the model of a run can have, and the q that fits: known before the data are
# looked at.

#' @rdname stability_selection
#' @section Default of q:
#' Fewer features a run with a lower cutoff, or more with a higher one, keep the same promise. With
#' `pfer` alone and a bound by a cutoff, q is set before the data are looked at: \eqn{1 / q = 1 /
#' q_c + 1 / m}, where \eqn{q_c} is the q of a cutoff of 0.75 and m the number of samples of a run.
#' On outcomes simulated on six real tables (`experiments/promise-q`), lists for `pfer = 1` found 92
#' % of what the best q found on average, where the q of a cutoff of 0.75 found 69 %. At most 0.39
#' features were named without signal. The rule was chosen on the same tables.
#' @name stability_selection
NULL

# The default of q where only the number of false positives is given: below the q of the usual
# cutoff and the samples of a run, by 1 / q = 1 / q_cutoff + 1 / n_run (`experiments/promise-q`).
# @param n_run (integer) samples of a run.
fitting_q <- function(p, n_run, pfer, n_pairs, assumption) {
  bound <- function(q, cutoff) bound_pfer(p, q, cutoff, n_pairs, assumption)
  if (!within_bound(bound(1L, usual_cutoff), pfer)) {
    return(1L)
  }
  most <- largest_q(bound, p, usual_cutoff, pfer, assumption)
  max(1L, as.integer(round(1 / (1 / most + 1 / n_run))))
}

# Different samples of a run.
samples_of_runs <- function(draws) as.integer(max(colSums(draws$counts > 0L)))

# A model of the lasso with an intercept, covariates and so many features fits its samples exactly,
# and its path ends. Inf where models can be larger.
largest_model <- function(asked, study, n_run) {
  likelihood <- asked$likelihood
  exact <- is.null(asked$selector) && !isTRUE(likelihood$alpha < 1) &&
    !family_record(family_of(likelihood$family, study$response))$by_class
  if (!exact) {
    return(Inf)
  }
  z <- study$response$covariates
  max(1L, n_run - 1L - if (is.null(z)) 0L else ncol(z))
}

# Once in a session for these numbers.
# @param q (integer) features that runs are to select.
hint_capacity <- function(q, asked, study, draws) {
  n_run <- samples_of_runs(draws)
  largest <- largest_model(asked, study, n_run)
  if (q <= largest || !is_user_frame(user_frame())) {
    return(invisible())
  }
  follows <- if (is.null(asked$q)) " (from {.arg cutoff} and {.arg pfer})"
  pfer <- if (is.null(asked$pfer)) usual_pfer else asked$pfer
  fits <- fitting_q(
    unit_of(study)$n_open, n_run, pfer, max(2L, draws$n_runs %/% 2L), asked$assumption
  )
  cli::cli_inform(
    c(
      i = paste0(
        "{.arg q} = {q}", follows, " is more than a run can select: a lasso of its {n_run} samples
          ends at {count_of(largest, unit_word(study))}."
      ),
      if (fits < q) c(i = "Take {.arg q} = {fits} with {.arg pfer}, or give {.arg pfer} alone.")
    ),
    class = c("stabilect_message_capacity", "stabilect_message"),
    .frequency = "regularly",
    .frequency_id = paste("stabilect_message_capacity", q, n_run)
  )
}
