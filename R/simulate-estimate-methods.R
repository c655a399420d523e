# Printing of estimates.

#' @exportS3Method
facts_of.stabilect_estimate <- function(x, n = 10L) {
  made <- x$made
  new_facts(
    sprintf("Stability (%s) of ensembles", x$asked$index),
    c(sub("^ensemble of ", "", x$runs), if (length(x$study$notes) > 0L) {
      paste0("input: ", x$study$notes)
    }),
    sprintf(
      "%d of %d features, from %d real runs%s; %s", x$asked$n_features, x$study$p, made$n_runs,
      if (made$n_failed > 0L) sprintf(" (%d more failed)", made$n_failed) else "",
      describe_seed(made)
    ),
    list(
      Stability = c(describe_regrouped(x), if (length(x$misfit) == 0L && !nzchar(x$withheld)) {
        paste0("under the model: ", describe_estimate(x))
      }),
      Caution = if (length(x$misfit) > 0L) {
        sprintf("the model does not fit (%s): see anova()", x$misfit[1])
      } else if (nzchar(x$withheld)) {
        sprintf("the model is not to be trusted: %s (Equation 1); make more runs", x$withheld)
      }
    ),
    calls = next_of(x)
  )
}

# "60 useful features [55, 66], p = 0.70 [0.65, 0.74]; 30 members give 0.20 [0.18, 0.22]; no gain
# beyond 40 members"
describe_estimate <- function(x) {
  limits <- x$parameters
  table <- x$table
  # The size in the print: the first one without further gain, or the largest.
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

# "real runs regrouped, without the model: 5 members give 0.46, 10: 0.59, 30: 0.76 (SE 0.09)"
describe_regrouped <- function(x) {
  table <- x$regrouped[x$regrouped$n_weak > 1L, ]
  if (nrow(table) == 0L) {
    return(NULL)
  }
  link <- c(" members give", rep(":", nrow(table) - 1L))
  sprintf(
    "real runs regrouped, without the model: %s (SE %.2f)",
    paste(sprintf("%d%s %.2f", table$n_weak, link, table$stability), collapse = ", "),
    table$se[nrow(table)]
  )
}

#' @rdname estimate_stability
#' @param object (object of class `stabilect_estimate`) result of `estimate_stability()`.
#' @export
summary.stabilect_estimate <- function(object, ...) {
  refuse_dots(...)
  counted <- object$counted
  real <- object$real
  new_summary(object, sections = list(
    new_section(object$parameters, Inf, "Parameters of the model", sprintf(
      "threshold %.2f (SD %.2f); %.1f features counted, %.1f expected under the model",
      counted$threshold$mean, counted$threshold$sd, counted$expected, object$verified
    )),
    new_section(object$table[1:6], Inf, "Stability predicted by the model"),
    if (length(object$misfit) > 1L) {
      new_section(above = c("Where the model does not fit", paste("*", object$misfit)))
    },
    new_section(object$regrouped, Inf, "Real runs regrouped into ensembles", sprintf(
      "real single selector %.3f [%.3f, %.3f]; ensembles of unlimited size %.3f",
      real$stability, real$lower, real$upper, object$plateau
    ))
  ))
}
