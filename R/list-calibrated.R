# The calibrated rule: the pair of q and cutoff that separates the features best by the score of the
# package sharp (Bodinier et al. 2023), from the stored paths. See also list-calibrated-scores.R.

register_rule("calibrated", function() {
  new_list_rule(
    "calibrated", place = 2, cutoff = "calibrated", size = size_of_pairs, again = complete_pair,
    plan = plan_calibration, until = until_calibrated, read = read_calibrated,
    held = function(x) x$calibration$largest,
    shorter = function(asked, q) replace(asked, "q", q),
    title = title_of_stable,
    details = function(x) list(c(describe_bound(x$bound), describe_peaks(x))),
    verdict = describe_calibrated, nothing = explain_nothing, robust = describe_other_peak,
    caution = function(x) c(caution_of_calibrated(x), describe_named(x)),
    measures = measures_of_bound, by_frequency = TRUE, permute = n_deciding_permutations
  )
})

#' @rdname stability_selection
#' @section Calibrated cutoff:
#' `cutoff = "calibrated"` takes the q and the cutoff that separate the features most clearly
#' (Bodinier et al. 2023), as in the package sharp. It compares the models with 1, 2, ... features
#' of all runs, up to `q` (`NULL`: a quarter of the number of samples), and the cutoffs 0.51, 0.52,
#' ..., 1. With `pfer`, only pairs with a bound of at most `pfer` count. `plot(fit, type =
#' "cutoffs")` draws the score of all pairs.
#'
#' This is a rule of thumb without an error rate: the same runs choose the pair and then judge the
#' features. The printed bound of the chosen pair is therefore no bound for the list. The score
#' often has several peaks; if another peak with another list reaches nine tenths of the largest,
#' the print says so. The procedure is repeated on 20 permuted outcomes (`permute`), and the print
#' gives the number of features that it selects there. Give a `pfer`: `vignette("error-rates")` has
#' what lists contained with and without one.
#' @references
#'   Bodinier B, Filippi S, Nost TH, Chiquet J, Chadeau-Hyam M (2023). Automated calibration for
#'   stability selection in penalised regression and graphical models. *Journal of the Royal
#'   Statistical Society C* 72, 1375-1393.
#' @name stability_selection
NULL

# The default of q, up to half of the samples of a half.
size_of_pairs <- function(asked, study, unit, draws, longest) {
  if (is.null(asked$q)) asked$q <- min(max(1L, min(study$n %/% 4L, unit$n_open)), longest)
  asked
}

# Up to the end of the paths of the result.
complete_pair <- function(given, x, same) {
  if (is.null(given$q)) given$q <- rule_of(x$asked)$held(x)
  given
}

# The largest q.
plan_calibration <- function(asked, unit, draws) {
  check_bound_draws(asked, unit, draws)
  n_pairs <- max(2L, draws$n_runs %/% 2L)
  q <- check_count(asked$q, name = "q", max = unit$n_open)
  fits <- lowest_cutoffs(q, unit$n_open, n_pairs, asked)
  if (all(is.na(fits))) abort_no_pair(unit$n_open, asked, n_pairs)
  list(q = max(which(!is.na(fits))))
}

until_calibrated <- function(asked, plan) {
  abort(c(
    "{.arg until} looks at one q and cutoff; {.code cutoff = \"calibrated\"} finds them when all
       runs are done.",
    i = "Leave {.arg until} out, or give {.arg q} and a number as {.arg cutoff}."
  ))
}

# The pair first, then the list of its bound.
read_calibrated <- function(record, runs, asked, plan, unit) {
  status <- whole_pairs(runs$status, runs$draws$pair)
  ok <- which(status == "ok")
  if (length(ok) < 2L) abort_no_run(status)
  found <- calibrate_runs(runs, ok, asked, plan$q, unit)
  bound <- bound_of_pair(found, unit, length(ok) %/% 2L, asked)
  fit <- read_bound(record, runs, asked, list(bound = bound), unit)
  fit$bound$by_view <- NULL # no bound holds for a chosen pair
  fit$calibration <- found
  fit
}

describe_calibrated <- function(x) {
  unit <- unit_word(x$study)
  peaks <- x$calibration$peaks
  if (nrow(peaks) == 0L) {
    return(sprintf(
      "none: no pair of q and cutoff for which a bound holds selects a %s", unit
    ))
  }
  sprintf(
    "%s in at least %s of the runs, the cutoff that separates %ss best",
    count_of(peaks$n_selected[1], unit), as_percent(peaks$cutoff[1]), unit
  )
}

# Another pair that separates nearly as well, and its list.
describe_other_peak <- function(x) {
  near <- near_peaks(x)
  if (nrow(near) > 1L) {
    sprintf(
      "of the list: another cutoff is nearly as clear, with %s (see summary())",
      count_of(near$n_selected[2], unit_word(x$study))
    )
  }
}

describe_peaks <- function(x) {
  near <- near_peaks(x)
  sprintf(
    "%s: %s at q = %d and cutoff %s (z = %s)",
    c("chosen", rep("nearly as clear", max(0L, nrow(near) - 1L)))[seq_len(nrow(near))],
    vapply(near$n_selected, count_of, "", unit_word(x$study)), near$q, figures(near$cutoff),
    figures(near$z, digits = 3L)
  )
}

near_peaks <- function(x) {
  peaks <- x$calibration$peaks
  peaks[peaks$z >= 0.9 * max(peaks$z, 0), ]
}

caution_of_calibrated <- function(x) {
  if (nrow(x$calibration$peaks) > 0L) {
    sprintf(
      paste(
        "this rule of thumb has no error rate: the bound of its q and cutoff (%s false positives)",
        "would hold if these had been chosen without the data"
      ),
      figure(x$bound$pfer, digits = 2)
    )
  }
}
