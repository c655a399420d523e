#' Test stabilities
#'
#' Tests the stability of one selection against a given value, of two selections on independent
#' runs, or of two selectors on the *same* resamples (paired). The test takes any index; it uses
#' jackknife standard errors and the t distribution.
#'
#' @param selection,other (`stabilect_selection`, or anything that [as_selection()] takes)
#'   `other = NULL` tests `selection` against `null_value`.
#' @param index (string) one name from [list_stability_indices()].
#' @param null_value (number) stability, or difference of stabilities (`selection` minus `other`),
#'   under the null hypothesis.
#' @param alternative (string) `"two_sided"`, `"greater"` or `"less"`.
#' @param paired (flag, or `NULL`) were the runs of both made on the same resamples, run by
#'   run? `NULL` finds out from their fingerprints.
#' @param conf_level (number in (0, 1)) confidence level of the interval.
#' @param ... `corrected`, `seed`, `n_threads` and options of the index, as in [stability()].
#'
#' @details
#' With \eqn{\hat\Phi_{(-i)}} the index without run i, a selection has the jackknife variance
#' \eqn{v = \frac{m-1}{m}\sum_i(\hat\Phi_{(-i)} - \bar\Phi_{(\cdot)})^2}. One selection:
#' \eqn{t = (\hat\Phi - \Phi_0)/\sqrt v} with m - 1 degrees of freedom. Independent runs:
#' \eqn{t = (\hat\Phi_x - \hat\Phi_y - \Delta_0)/\sqrt{v_x + v_y}} with Welch's degrees of freedom.
#' Paired: the jackknife is applied to the difference, \eqn{\hat\Phi_{x(-i)} - \hat\Phi_{y(-i)}}, so
#' that the effect of the common resamples cancels out. The test of Nogueira et al. (2018) treats
#' such runs as independent and loses most of its power.
#'
#' The null hypothesis is about the resampling distribution given the data, see [stability()].
#'
#' @return An object of class `htest`: `statistic` (t), `parameter` (degrees of freedom), `p.value`,
#'   `conf.int`, `estimate` (one or two stabilities), `null.value`, `stderr`, `alternative`,
#'   `method`, `data.name`. When runs do not vary at all, the standard error is 0; the p value is
#'   then 1 when the estimate equals the null value and 0 otherwise.
#' @section Errors:
#' Class `stabilect_error_input`: fewer than 3 successful runs, an index that is not defined for
#' them or without one of them, `paired = TRUE` with different numbers of runs.
#' @references Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection
#'   algorithms. *Journal of Machine Learning Research* 18(174), 1-54.
#' @family stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' draws <- draw_resamples(resample_subsample(30), mcl_sll$MCL, seed = 1)
#' small <- fealect(x, mcl_sll$MCL, resampling = draws, max_features = 3)
#' large <- fealect(x, mcl_sll$MCL, resampling = draws, max_features = 10)
#' test_stability(small, null_value = 0.5)
#' test_stability(small, large)
#' @export
test_stability <- function(selection, other = NULL, index = "nogueira", null_value = 0,
                           alternative = c("two_sided", "greater", "less"), paired = NULL,
                           conf_level = 0.95, ...) {
  check_given()
  labels <- c(deparse1(substitute(selection)), deparse1(substitute(other)))
  if (!is.character(index) || length(index) != 1L) {
    abort("{.arg index} must be one name from {.fn list_stability_indices}.")
  }
  null_value <- check_number(null_value, "null_value")
  alternative <- check_choice(alternative, "alternative", c("two_sided", "greater", "less"))
  conf_level <- check_fraction(conf_level, "conf_level", open_right = TRUE)
  x <- as_selection(selection)
  if (is.null(other)) {
    a <- jackknifed(x, index, "selection", ...)
    parts <- list(
      difference = a$estimate, variance = jackknife_variance(a$loo, a$mc_se),
      df = length(a$loo) - 1, estimate = stats::setNames(a$estimate, index),
      method = "Jackknife t test of a stability", data_name = labels[1]
    )
  } else {
    y <- as_selection(other)
    paired <- resolve_pairing(paired, x, y)
    if (paired) {
      # A run that failed in one of the two has no partner.
      both <- which(x$status == "ok" & y$status == "ok")
      x <- if (length(both) > 0L) x[both] else x
      y <- if (length(both) > 0L) y[both] else y
    }
    a <- jackknifed(x, index, "selection", ...)
    b <- jackknifed(y, index, "other", ...)
    parts <- c(
      two_sample(a, b, paired),
      list(
        estimate = stats::setNames(
          c(a$estimate, b$estimate), paste(index, c("of selection", "of other"))
        ),
        method = if (paired) {
          "Paired jackknife t test of two stabilities (same resamples)"
        } else {
          "Jackknife t test of two stabilities (independent runs)"
        },
        data_name = paste(labels, collapse = " and ")
      )
    )
  }
  new_stability_test(parts, null_value, alternative, conf_level, is.null(other))
}

two_sample <- function(a, b, paired) {
  if (paired) {
    variance <- jackknife_variance(a$loo - b$loo, sqrt(a$mc_se^2 + b$mc_se^2))
    df <- length(a$loo) - 1
  } else {
    v <- c(jackknife_variance(a$loo, a$mc_se), jackknife_variance(b$loo, b$mc_se))
    variance <- sum(v)
    own_df <- c(length(a$loo), length(b$loo)) - 1
    df <- if (variance > 0) variance^2 / sum(v^2 / own_df) else sum(own_df)
  }
  list(difference = a$estimate - b$estimate, variance = variance, df = df)
}

# The value of one index with everything that a test needs, or an error that names what is missing.
jackknifed <- function(selection, index, name, ..., call = rlang::caller_env()) {
  runs <- index_runs(selection)
  if (runs$n_runs < 3L) {
    abort("A test takes at least 3 successful runs, but {.arg {name}} has {runs$n_runs}.",
      call = call
    )
  }
  value <- index_values(runs, index, ..., call = call)[[1]]
  if (is.na(value$estimate) || anyNA(value$loo)) {
    why <- if (nzchar(value$note)) value$note else "it is not defined without one of the runs"
    abort("{.val {index}} cannot be tested for {.arg {name}}: {why}.", call = call)
  }
  value
}

resolve_pairing <- function(paired, x, y, call = rlang::caller_env()) {
  shared <- !is.null(x$run_hash) && identical(x$run_hash, y$run_hash)
  if (is.null(paired)) {
    return(shared)
  }
  paired <- check_flag(paired, "paired", call = call)
  if (paired && x$n_runs != y$n_runs) {
    abort(
      "{.code paired = TRUE} needs as many runs in {.arg selection} ({x$n_runs}) as in {.arg other}
       ({y$n_runs}).",
      call = call
    )
  }
  known <- !is.null(x$run_hash) && !is.null(y$run_hash)
  if (paired && known && !shared) {
    abort(
      c("{.code paired = TRUE}, but {.arg selection} and {.arg other} were made on different
          resamples.",
        i = "Draw them once with {.fn draw_resamples} and give them to both."
      ),
      call = call
    )
  }
  paired
}

new_stability_test <- function(parts, null_value, alternative, conf_level, one_sample) {
  se <- sqrt(parts$variance)
  p <- t_test(parts$difference - null_value, se, parts$df, alternative)
  level <- if (alternative == "two_sided") (1 + conf_level) / 2 else conf_level
  half <- stats::qt(level, parts$df) * se
  limits <- parts$difference + c(-half, half)
  if (alternative == "greater") limits[2] <- Inf
  if (alternative == "less") limits[1] <- -Inf
  what <- if (one_sample) "stability" else "difference in stability"
  structure(
    list(
      statistic = c(t = p$statistic), parameter = c(df = parts$df), p.value = p$p_value,
      conf.int = structure(limits, conf.level = conf_level), estimate = parts$estimate,
      null.value = stats::setNames(null_value, what), stderr = se,
      alternative = sub("_", ".", alternative), method = parts$method,
      data.name = parts$data_name
    ),
    class = "htest"
  )
}

t_test <- function(distance, se, df, alternative) {
  # Runs that do not vary leave no doubt either way; 1e-12 is rounding.
  if (se <= 1e-12) {
    statistic <- if (abs(distance) <= 1e-12) 0 else sign(distance) * Inf
  } else {
    statistic <- distance / se
  }
  p_value <- switch(alternative,
    two_sided = 2 * stats::pt(-abs(statistic), df),
    greater = stats::pt(-statistic, df),
    less = stats::pt(statistic, df)
  )
  if (se <= 1e-12 && statistic == 0) p_value <- 1
  list(statistic = statistic, p_value = p_value)
}

#' Compare the stabilities of several selectors
#'
#' All pairs of selections are tested against each other with [test_stability()], paired where they
#' share their resamples, with p values adjusted for their number.
#'
#' @param selections (named list of at least two) selections, or anything that [as_selection()]
#'   takes.
#' @inheritParams test_stability
#' @param p_adjust (string) adjustment of the p values, a method of [stats::p.adjust()].
#' @return An object of class `stabilect_stability_comparison`, a list with `stabilities` (data
#'   frame, one row per selection: `selection`, `n_runs`, `estimate`, `lower`, `upper`, `se`),
#'   `pairs` (data frame, one row per pair: `a`, `b`, `difference` (a minus b), `lower`, `upper`
#'   (unadjusted interval), `se`, `p_value`, `p_adjusted`, `paired`), `index`, `p_adjust` and
#'   `conf_level`. `as.data.frame()` gives `pairs`.
#' @section Errors:
#' Class `stabilect_error_input`, as [test_stability()].
#' @family stability
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' draws <- draw_resamples(resample_subsample(20), mcl_sll$MCL, seed = 1)
#' fits <- lapply(c(three = 3, ten = 10, twenty = 20), function(k) {
#'   fealect(x, mcl_sll$MCL, resampling = draws, max_features = k)
#' })
#' compare_stability(fits)
#' @export
compare_stability <- function(selections, index = "nogueira", p_adjust = "holm", conf_level = 0.95,
                              ...) {
  check_given()
  ok <- is.list(selections) && length(selections) >= 2L && !is.null(names(selections)) &&
    all(nzchar(names(selections))) && !anyDuplicated(names(selections))
  if (!ok) {
    abort("{.arg selections} must be a list of at least two selections with distinct names.")
  }
  p_adjust <- check_choice(p_adjust, "p_adjust", stats::p.adjust.methods)
  selections <- lapply(selections, as_selection)
  rows <- lapply(names(selections), function(name) {
    one <- stability(selections[[name]], index, conf_level, ...)
    cbind(
      data.frame(selection = name, n_runs = one$n_runs),
      one$table[1, c("estimate", "lower", "upper", "se")]
    )
  })
  pairs <- utils::combn(names(selections), 2L, simplify = FALSE)
  tests <- lapply(pairs, function(pair) {
    compare_pair(pair, selections, index, conf_level, ...)
  })
  pairs <- do.call(rbind, tests)
  pairs$p_adjusted <- stats::p.adjust(pairs$p_value, p_adjust)
  order <- c("a", "b", "difference", "lower", "upper", "se", "p_value", "p_adjusted", "paired")
  stabilities <- do.call(rbind, rows)
  rownames(stabilities) <- NULL
  structure(
    list(
      stabilities = stabilities, pairs = pairs[order], index = index, p_adjust = p_adjust,
      conf_level = conf_level
    ),
    class = "stabilect_stability_comparison"
  )
}

compare_pair <- function(pair, selections, index, conf_level, ...) {
  x <- selections[[pair[1]]]
  y <- selections[[pair[2]]]
  test <- test_stability(x, y, index, conf_level = conf_level, ...)
  data.frame(
    a = pair[1], b = pair[2], difference = unname(test$estimate[1] - test$estimate[2]),
    lower = test$conf.int[1], upper = test$conf.int[2], se = test$stderr,
    p_value = unname(test$p.value), paired = resolve_pairing(NULL, x, y)
  )
}

#' @rdname compare_stability
#' @param x (object of class `stabilect_stability_comparison`)
#' @param digits (whole number >= 1) significant digits to print.
#' @export
print.stabilect_stability_comparison <- function(x, digits = 3, ...) {
  cat(sprintf("Stability (%s) of %d selections\n\n", x$index, nrow(x$stabilities)))
  best_first <- order(-x$stabilities$estimate, method = "radix")
  print(x$stabilities[best_first, ], row.names = FALSE, digits = digits)
  cat(sprintf("\ndifferences (a - b); p values adjusted by %s\n", x$p_adjust))
  print(x$pairs, row.names = FALSE, digits = digits)
  invisible(x)
}

#' @rdname compare_stability
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_stability_comparison <- function(x, row.names = NULL, optional = FALSE,
                                                         ...) {
  x$pairs
}
