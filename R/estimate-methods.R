# Printing of estimates.

#' @rdname estimate_stability
#' @param object (object of class `stabilect_estimate`)
#' @export
print.stabilect_estimate <- function(x, ...) {
  s <- x$settings
  cat(sprintf("<stabilect_estimate> %s of ensembles of %s\n", s$index, s$label))
  cat(sprintf(
    "%d of %d features, from %d real runs%s\n\n", s$n_target, s$n_features, x$n_real_runs,
    if (x$n_failed > 0L) sprintf(" (%d more failed)", x$n_failed) else ""
  ))
  cat(describe_estimate(x), "\n", sep = "")
  if (!x$fit$attained) {
    cat(sprintf(
      "the real stability %.3f is outside of %.3f to %.3f, which %d useful features allow\n",
      x$real$stability, x$fit$range[1], x$fit$range[2], x$n_useful
    ))
  }
  if (abs(x$verified - x$n_useful) > max(2, 0.05 * x$n_useful)) {
    cat(sprintf(
      "of %d useful features, %.1f would be counted (Equation 1); see `calibrate`\n", x$n_useful,
      x$verified
    ))
  }
  invisible(x)
}

# "60 useful features [55, 66], p = 0.70 [0.65, 0.74]; 30 members give 0.20 [0.18, 0.22]; more than
# 40 buy nothing"
describe_estimate <- function(x) {
  limits <- x$parameters
  table <- x$table
  # A size to speak of: the first at which no more is to be gained, or the largest.
  enough <- if (is.na(x$enough)) Inf else x$enough
  row <- table[c(which(table$n_weak >= enough), nrow(table))[1], ]
  sprintf(
    "%d useful features [%.0f, %.0f], p = %.2f [%.2f, %.2f]; %d %s %.2f [%.2f, %.2f]; %s",
    x$n_useful, limits$lower[1], limits$upper[1], x$p, limits$lower[2], limits$upper[2],
    row$n_weak, if (row$n_weak == 1L) "member gives" else "members give", row$stability, row$lower,
    row$upper,
    if (is.na(x$enough)) {
      sprintf("endless ensembles %.2f", x$plateau)
    } else {
      sprintf("more than %d buy nothing", x$enough)
    }
  )
}

#' @rdname estimate_stability
#' @export
summary.stabilect_estimate <- function(object, ...) {
  structure(
    list(
      estimate = object, table = object$table, parameters = object$parameters,
      real = object$real, plateau = object$plateau, verified = object$verified
    ),
    class = "summary_stabilect_estimate"
  )
}

#' @export
print.summary_stabilect_estimate <- function(x, ...) {
  estimate <- x$estimate
  print(estimate)
  cat("\nparameters\n")
  print(x$parameters, row.names = FALSE, digits = 3)
  cat(sprintf(
    "threshold %.2f (sd %.2f); %.1f features counted, %.1f expected under the model\n",
    estimate$counted$threshold$mean, estimate$counted$threshold$sd, estimate$counted$expected,
    x$verified
  ))
  cat("\npredicted stability\n")
  print(x$table, row.names = FALSE, digits = 3)
  cat(sprintf(
    "\nreal single selector %.3f [%.3f, %.3f]; endless ensembles %.3f\n", x$real$stability,
    x$real$lower, x$real$upper, x$plateau
  ))
  invisible(x)
}

#' @rdname estimate_stability
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_estimate <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$table
}
