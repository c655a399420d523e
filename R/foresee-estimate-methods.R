# Printing of estimates.

#' @rdname estimate_stability
#' @param object (object of class `stabilect_estimate`)
#' @export
print.stabilect_estimate <- function(x, ...) {
  show_estimate(x)
  print_next(x)
}

show_estimate <- function(x) {
  made <- x$made
  label <- sub("^ensemble of ", "", x$runs)
  print_verdict(c(describe_regrouped(x), if (length(x$misfit) > 0L) {
    sprintf("The model does not fit (%s): see diagnose_estimate().", x$misfit[1])
  } else if (nzchar(x$withheld)) {
    sprintf("The model is not to be trusted: %s (Equation 1); make more runs.", x$withheld)
  } else {
    paste0("Under the model: ", describe_estimate(x), ".")
  }))
  print_text(sprintf("Stability (%s) of ensembles of %s", x$asked$index, label))
  cat(sprintf(
    "%d of %d features, from %d real runs%s; %s\n", x$asked$n_features, x$study$p, made$n_runs,
    if (made$n_failed > 0L) sprintf(" (%d more failed)", made$n_failed) else "",
    describe_seed(made)
  ))
  print_notes(x$study)
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
    "%d useful features%s, p = %.2f%s; %d %s %.2f%s; %s",
    x$n_useful, in_brackets(limits[1, ], "%.0f"), x$p, in_brackets(limits[2, ], "%.2f"),
    row$n_weak, if (row$n_weak == 1L) "member gives" else "members give", row$stability,
    in_brackets(row, "%.2f"),
    if (is.na(x$enough)) {
      sprintf("ensembles of unlimited size %.2f", x$plateau)
    } else {
      sprintf("no gain beyond %d members", x$enough)
    }
  )
}

in_brackets <- function(row, digits) {
  if (is.na(row$lower)) "" else sprintf(sprintf(" [%s, %s]", digits, digits), row$lower, row$upper)
}

# "Real runs regrouped, without the model: 5 members give 0.46, 10: 0.59, 30: 0.76 (se 0.09)."
describe_regrouped <- function(x) {
  table <- x$regrouped[x$regrouped$n_weak > 1L, ]
  if (nrow(table) == 0L) {
    return(NULL)
  }
  link <- c(" members give", rep(":", nrow(table) - 1L))
  sprintf(
    "Real runs regrouped, without the model: %s (se %.2f).",
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
  show_estimate(estimate)
  cat("\nparameters of the model\n")
  print_figures(x$parameters, digits = 3)
  cat(sprintf(
    "threshold %.2f (sd %.2f); %.1f features counted, %.1f expected under the model\n",
    estimate$counted$threshold$mean, estimate$counted$threshold$sd, estimate$counted$expected,
    x$verified
  ))
  cat("\nstability predicted by the model\n")
  print_figures(x$table[1:6], digits = 3)
  if (length(estimate$misfit) > 1L) {
    cat("\nwhere the model does not fit\n")
    for (misfit in estimate$misfit) print_text(paste("*", misfit), exdent = 2)
  }
  cat("\nreal runs regrouped into ensembles\n")
  print_figures(x$regrouped, digits = 3)
  cat(sprintf(
    "\nreal single selector %.3f [%.3f, %.3f]; ensembles of unlimited size %.3f\n",
    x$real$stability, x$real$lower, x$real$upper, x$plateau
  ))
  invisible(x)
}
