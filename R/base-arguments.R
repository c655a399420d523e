# Arguments that mean the same in all verbs, described once: pages inherit them.

#' Arguments that all verbs share
#'
#' Help pages of verbs describe only what differs from this page.
#'
#' @param x (numeric matrix, n samples x p features) data; or a data frame, a sparse Matrix, a
#'   formula, a Bioconductor container or prepared data, see [prepare_study()].
#' @param y (n values) outcome: two classes (factor, character, logical, 0/1 or -1/1), several
#'   classes (factor, character), numbers, counts, or right-censored survival times
#'   (`survival::Surv(time, event)`). A table of [stabilect] shows what a verb takes.
#' @param data (data frame, or `NULL`) contains the variables if `x` is a formula, for example
#'   `status ~ .`; `y` is then left out.
#' @param seed (whole number from 0 to 2^31 - 1, or `NULL`) seed of all random draws. The same seed
#'   gives the same result. `NULL` draws one from R's generator, which [set.seed()] controls.
#' @param n_threads (whole number >= 1) number of threads. The result is the same for any number.
#'   The default is the option `stabilect.n_threads`, or 1: after
#'   `options(stabilect.n_threads = 4)`, for example in `.Rprofile`, all verbs take four.
#' @param control (`stabilect_run_control`) threads, progress bar, checkpoint and early stopping,
#'   see [run_control()].
#' @param conf_level (number in (0, 1)) confidence level of the intervals.
#' @param newdata (numeric matrix, data frame, sparse Matrix, list of views or Bioconductor
#'   container) new samples, in rows. There must be a column for every feature of the model, found
#'   by name; other columns are ignored.
#' @param object result of a verb.
#' @param row.names,optional Not used.
#' @param ... Not used.
#' @family controls
#' @name arguments
NULL
