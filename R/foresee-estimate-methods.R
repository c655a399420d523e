# Printing of estimates.

#' @rdname estimate_stability
#' @param object (object of class `stabilect_estimate`)
#' @export
print.stabilect_estimate <- function(x, ...) {
  made <- x$made
  label <- sub("^ensemble of ", "", x$runs)
  cat(sprintf("<stabilect_estimate> %s of ensembles of %s\n", x$asked$index, label))
  cat(sprintf(
    "%d of %d features, from %d real runs%s; %s\n", x$asked$n_features, x$study$p, made$n_runs,
    if (made$n_failed > 0L) sprintf(" (%d more failed)", made$n_failed) else "",
    describe_seed(made)
  ))
  print_notes(x$study)
  cat("\n")
  misfit <- length(x$misfit) > 0L
  cat(if (misfit) "under the model: ", describe_estimate(x), "\n", sep = "")
  cat(describe_regrouped(x))
  if (misfit) {
    cat(sprintf(
      "the model does not fit (%s): take the regrouped values, and see diagnose_estimate()\n",
      x$misfit[1]
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

# "60 useful features [55, 66], p = 0.70 [0.65, 0.74]; 30 members give 0.20 [0.18, 0.22]; no gain
# beyond 40 members"
describe_estimate <- function(x) {
  limits <- x$parameters
  table <- x$table
  # The size that the print reports: the first at which no more is to be gained, or the largest.
  enough <- if (is.na(x$enough)) Inf else x$enough
  row <- table[c(which(table$n_weak >= enough), nrow(table))[1], ]
  sprintf(
    "%d useful features [%.0f, %.0f], p = %.2f [%.2f, %.2f]; %d %s %.2f [%.2f, %.2f]; %s",
    x$n_useful, limits$lower[1], limits$upper[1], x$p, limits$lower[2], limits$upper[2],
    row$n_weak, if (row$n_weak == 1L) "member gives" else "members give", row$stability, row$lower,
    row$upper,
    if (is.na(x$enough)) {
      sprintf("ensembles of unlimited size %.2f", x$plateau)
    } else {
      sprintf("no gain beyond %d members", x$enough)
    }
  )
}

# "real runs regrouped, without the model: 5 members give 0.46, 10: 0.59, 30: 0.76 (se 0.09)"
describe_regrouped <- function(x) {
  table <- x$regrouped[x$regrouped$n_weak > 1L, ]
  if (nrow(table) == 0L) {
    return("")
  }
  link <- c(" members give", rep(":", nrow(table) - 1L))
  sprintf(
    "real runs regrouped, without the model: %s (se %.2f)\n",
    paste(sprintf("%d%s %.2f", table$n_weak, link, table$stability), collapse = ", "),
    table$se[nrow(table)]
  )
}

#' @rdname estimate_stability
#' @export
summary.stabilect_estimate <- function(object, ...) {
  refuse_dots(...)
  structure(
    list(
      estimate = object, table = object$table, parameters = object$parameters,
      real = object$real, regrouped = object$regrouped, plateau = object$plateau,
      verified = object$verified
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
  print(x$table[1:6], row.names = FALSE, digits = 3)
  if (length(estimate$misfit) > 1L) {
    cat("\nwhere the model does not fit\n", paste0("* ", estimate$misfit, "\n"), sep = "")
  }
  cat("\nreal runs regrouped into ensembles\n")
  print(x$regrouped, row.names = FALSE, digits = 3)
  cat(sprintf(
    "\nreal single selector %.3f [%.3f, %.3f]; ensembles of unlimited size %.3f\n",
    x$real$stability, x$real$lower, x$real$upper, x$plateau
  ))
  invisible(x)
}
