#' Change the threshold of stability selection
#'
#' Another cutoff, bound or smaller q on the same paths; nothing is run again.
#'
#' @param object (object of class `stabilect_stability_selection`) Made by [stability_selection()].
#' @param q,cutoff,pfer as for [stability_selection()]: at most two. What is not given is taken from
#'   `object`, except that a given `pfer` with a given `q` sets the cutoff, and with a given
#'   `cutoff` the q; one of them alone keeps the q of `object`.
#' @return An object of class `stabilect_stability_selection`.
#' @section Errors:
#' Class `stabilect_error_input` for a q larger than the paths hold, and `stabilect_error_bound` as
#' [solve_error_bound()].
#' @family stability selection
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- stability_selection(x, mcl_sll$MCL, q = 10, pfer = 1, seed = 1)
#' rethreshold(fit, q = 5, pfer = 0.5)
#' @export
rethreshold <- function(object, q = NULL, cutoff = NULL, pfer = NULL) {
  if (!inherits(object, "stabilect_stability_selection")) {
    abort("{.arg object} must be made by {.fn stability_selection}, not be
      {describe_value(object)}.")
  }
  old <- object$bound
  given <- !c(is.null(q), is.null(cutoff), is.null(pfer))
  if (sum(given) == 3L || !any(given)) {
    abort("Give one or two of {.arg q}, {.arg cutoff} and {.arg pfer}.")
  }
  if (sum(given) == 1L) {
    if (is.null(q)) q <- old$q else cutoff <- old$cutoff
  }
  settings <- object$settings
  wanted <- find_bound(settings$p, q, cutoff, pfer, object$resamples, NULL, old$assumption)
  held <- max(lengths(path_sets(object$paths, choose_first(.Machine$integer.max, "size"))))
  if (wanted$q > max(held, old$q)) {
    abort("The paths of {.arg object} were run for at most {old$q} features, but {.arg q} is
      {wanted$q}: run {.fn stability_selection} again.")
  }
  runs <- list(
    paths = object$paths, status = object$status, data_hash = object$selection$data_hash
  )
  changed <- new_stability_selection(
    shape_of_result(object), runs, object$resamples, wanted, settings[c("rule", "weakness")]
  )
  changed$settings$merged <- settings$merged
  changed
}

#' Look at stability selection
#'
#' @param x,object (object of class `stabilect_stability_selection`) Made by
#'   [stability_selection()].
#' @param n (whole number >= 1) how many features to print or name.
#' @param type (string) `"frequency"`: selection frequencies of the best features with the cutoff;
#'   `"paths"`: share of runs with each of the best features in the model of k features, against k.
#' @param ... Not used.
#' @return `print()` and `plot()` return `x`, invisibly; `summary()` and `as.data.frame()` the data
#'   frame `frequency`; `autoplot()` a ggplot object.
#' @family stability selection
#' @name stability_selection-methods
NULL

#' @rdname stability_selection-methods
#' @export
print.stabilect_stability_selection <- function(x, n = 10, ...) {
  n <- check_count(n, "n")
  settings <- x$settings
  cat("Stability selection with the lasso\n")
  cat(sprintf(
    "%d samples x %d features; %s; %s\n", settings$n, settings$p,
    format(x$resamples$plan), describe_seed(settings)
  ))
  print_input_notes(x)
  if (!is.null(settings$until)) cat(describe_stop(settings$until))
  if (settings$n_dropped > 0L) {
    cat(sprintf(
      "%d of %d runs left out (failed, or in a pair with a failed one); bound for the rest\n",
      settings$n_dropped, settings$n_runs
    ))
  }
  cat("\n")
  print(x$bound)
  m <- length(x$features)
  cat(sprintf("\n%d stable feature%s\n", m, if (m == 1L) "" else "s"))
  if (m == 0L) {
    cat(explain_nothing(x), sep = "\n")
    shown <- x$frequency
  } else {
    shown <- x$frequency[x$frequency$stable, ]
  }
  columns <- c("feature", "frequency", if (!anyNA(shown$simultaneous)) "simultaneous")
  print(utils::head(shown[columns], n), row.names = FALSE, digits = 3)
  if (m > n) cat(sprintf("... and %d more\n", m - n))
  invisible(x)
}

# Whether it is the data or the bound that left nothing.
explain_nothing <- function(x) {
  best <- x$frequency[1, ]
  bound <- x$bound
  at <- bound_pfer(bound$p, bound$q, best$frequency, bound$n_pairs, bound$assumption)
  expected <- bound$q / bound$p
  c(
    sprintf(
      "The most frequent, %s, is in %s of the runs; the cutoff is %s (chance alone: %s).",
      best$feature, format(best$frequency, digits = 2), format(bound$cutoff),
      format(expected, digits = 2)
    ),
    if (is.finite(at)) {
      sprintf(
        "A cutoff of %s would keep it, at a bound of %s falsely selected features.",
        format(best$frequency, digits = 2), format(at, digits = 2)
      )
    } else {
      "No bound holds at so low a cutoff: with these data no feature is selected stably."
    },
    if (x$settings$n_short > 0L) {
      sprintf(
        "%d runs ended before q = %d features: a smaller q costs nothing.", x$settings$n_short,
        bound$q
      )
    }
  )
}

#' @rdname stability_selection-methods
#' @export
summary.stabilect_stability_selection <- function(object, ...) object$frequency

#' @rdname stability_selection-methods
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_stability_selection <- function(x, row.names = NULL, optional = FALSE,
                                                        ...) {
  x$frequency
}
