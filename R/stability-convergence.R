#' Number of runs needed for a precise stability estimate
#'
#' Shows the index and its interval after the first runs. Estimates how many runs make the interval
#' as narrow as requested.
#'
#' @inheritParams stability
#' @inheritParams arguments
#' @param index (string) one name from [list_available()].
#' @param n_runs (whole numbers >= 3, or `NULL`) numbers of runs to look at; `NULL` doubles from 5
#'   to all runs.
#' @param width (number > 0, or `NULL`) requested width of the interval, upper minus lower limit.
#' @param ... further arguments of [stability()]: options of the index, `interval`, `corrected`.
#'
#' @details The jackknife standard error falls with the square root of the number of runs m. Let
#' \eqn{\hat\sigma} be the present standard error times the root of the present number of runs. A
#' width \eqn{w_0} needs about the smallest m with \eqn{2 t_{m-1} \hat\sigma / \sqrt m \le w_0}.
#'
#' @return An object of class `stabilect_convergence`, a list with
#'   * `table` (data frame): `n_runs`, `estimate`, `lower`, `upper`, `se`;
#'   * `runs_needed` (whole number, `Inf` above 1e9; `NA` without `width` or standard error);
#'   * `width`, `index` and `conf_level`.
#'
#'   `as.data.frame()` gives `table`.
#' @family stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 80, max_features = 5, seed = 1)
#' stability_convergence(fit, width = 0.05)
#' @export
stability_convergence <- function(selection, index = "nogueira", n_runs = NULL, width = NULL,
                                  conf_level = 0.95, ...) {
  check_given()
  selection <- as_selection(selection)
  runs <- ok_runs(selection)
  m <- length(runs)
  refuse(m < 3L, "Convergence needs at least 3 successful runs, but {.arg selection} has {m}.")
  if (is.null(n_runs)) {
    n_runs <- unique(c(5 * 2^(0:30)[5 * 2^(0:30) < m], m))
  }
  fits <- function(n) n >= 3 & n <= m & n == round(n)
  refuse(!is.numeric(n_runs) || anyNA(n_runs) || !all(fits(n_runs)),
    "{.arg n_runs} must hold whole numbers from 3 to {m}, the number of runs."
  )
  width <- check_positive(width, null_ok = TRUE)
  table <- bind_rows_of(sort(unique(n_runs)), function(m_first) {
    one <- stability(selection[runs[seq_len(m_first)]], index, conf_level, ...)
    cbind(data.frame(n_runs = m_first), one$table[1, c("estimate", "lower", "upper", "se")])
  })
  last <- table[nrow(table), ]
  needed <- NA_real_
  if (!is.null(width)) needed <- runs_for_width(last$se, last$n_runs, width, conf_level)
  new_object("stabilect_convergence",
    table = table, runs_needed = needed, width = width, index = index, conf_level = conf_level
  )
}

runs_for_width <- function(se, m, width, conf_level) {
  if (is.na(se)) {
    return(NA_real_)
  }
  sigma <- se * sqrt(m)
  excess <- function(n) 2 * stats::qt((1 + conf_level) / 2, n - 1) * sigma / sqrt(n) - width
  if (excess(3) <= 0) {
    return(3)
  }
  if (excess(1e9) > 0) {
    return(Inf)
  }
  ceiling(stats::uniroot(excess, c(3, 1e9), tol = 1e-3)$root)
}

#' @exportS3Method
facts_of.stabilect_convergence <- function(x, n = 10L) {
  last <- x$table[nrow(x$table), ]
  new_facts(
    sprintf("Stability (%s) after the first runs", x$index),
    verdict = list(Stability = c(
      sprintf(
        "%s after %s (%s)", figure(last$estimate, digits = 2), count_of(last$n_runs, "run"),
        describe_interval(last, x$conf_level)
      ),
      if (!is.null(x$width)) {
        sprintf(
          "about %s runs would give an interval of width %s", figure(x$runs_needed, big.mark = ","),
          figure(x$width)
        )
      }
    )),
    sections = list(new_section(x$table, Inf))
  )
}
