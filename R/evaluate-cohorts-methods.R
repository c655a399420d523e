#' Print, summary and plot of several cohorts
#'
#' The picture has a row for each feature and a column for each cohort. The colour is the
#' correlation with the outcome, a dot marks features in the list of the cohort. At the right stands
#' in how many cohorts the feature is found.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_cohorts`) result of [compare_cohorts()].
#' @param n (whole number >= 1) number of features in the picture.
#' @return `summary()`: a data frame with a row for each feature: `feature`, and the adjusted p
#'   value of an effect in at least 1, 2, ... cohorts (`in 1`, `in 2`, ...). `autoplot()`: a ggplot
#'   object, which `plot()` draws.
#' @family evidence
#' @name cohorts-methods
NULL

#' @exportS3Method
facts_of.stabilect_cohorts <- function(x, n = 10L) {
  several <- nrow(x$cohorts) > 1L
  cohorts <- x$cohorts
  known <- intersect(c("error", "lower", "upper", "baseline"), names(cohorts))
  # A limit close to 0 is 0.000, not a power of ten.
  if (length(known) > 0L) cohorts[known] <- zapsmall(as.matrix(cohorts[known]), 3L)
  title <- sprintf("Replicability across %d cohorts", nrow(x$cohorts))
  new_facts(
    if (several) title else "One cohort, to be compared with results of others",
    describe_data(x$study),
    if (!is.null(x$made$seed)) describe_design(x$made, NULL),
    list(
      Error = if (!is.null(x$measure)) describe_left_cohorts(x),
      List = describe_found(x), Caution = caution_of_cohorts(x)
    ),
    list(
      label_section(cohorts_section(x, n), x$study),
      if (several) new_section(dash_missing(cohorts), Inf, "Cohorts")
    ),
    next_of(x)
  )
}

# As a concordance, where prints give one.
describe_left_cohorts <- function(x) {
  mean_of <- function(column) stats::weighted.mean(x$cohorts[[column]], x$cohorts$n)
  shown <- shown_oob(list(
    error = mean_of("error"), lower = NA, upper = NA, baseline = mean_of("baseline"),
    measure = x$measure
  ))
  number <- if (x$measure == "misclassification rate") as_percent else format_two
  sprintf(
    "%s %s in cohorts left out whole (mean over samples); %s without features", shown$measure,
    number(shown$error), number(shown$baseline)
  )
}

describe_found <- function(x) {
  k <- nrow(x$cohorts)
  n_found <- vapply(seq_len(k), function(r) sum(x$table$n_found >= r), 0L)
  c(
    sprintf(
      "%s found in at least %d of %s (%s p <= %s)",
      count_of(n_found[x$asked$min_cohorts], "feature"), x$asked$min_cohorts,
      if (k == 1L) "1 cohort" else sprintf("%d cohorts", k),
      switch(x$asked$p_adjust, BH = "false discovery rate, adjusted", "adjusted"),
      figure(x$asked$max_p)
    ),
    if (k > 1L) {
      sprintf("in at least %s: %s features", toString(seq_len(k)), toString(n_found))
    }
  )
}

# Features that two cohorts find in opposite directions.
caution_of_cohorts <- function(x) {
  if (is.na(x$table$direction[1])) {
    return(NULL)
  }
  named <- x$by_cohort$named
  sign <- sign(x$by_cohort$correlation)
  opposed <- rowSums(named & sign > 0) > 0 & rowSums(named & sign < 0) > 0
  if (any(opposed)) {
    sprintf(
      "%s in lists of cohorts with opposite directions: %s", count_of(sum(opposed), "feature"),
      shorten_list(toString(with_copies(x$table$feature[opposed], x$study)), 60L)
    )
  }
}

cohorts_section <- function(x, n) {
  k <- nrow(x$cohorts)
  absent <- c(
    if (is.na(x$table$direction[1])) c("direction", "n_agree"),
    if (k == 1L) c("n_found", "n_agree", "n_named"), "correlation", "p"
  )
  table <- x$table[setdiff(names(x$table), absent)]
  table$correlations <- apply(x$by_cohort$correlation, 1L, function(r) {
    paste(sprintf("%5.2f", r), collapse = " ")
  })
  new_section(
    name_direction(table, x$study), n,
    below = c(
      if (k > 1L) {
        sprintf(
          paste(
            "n_found: found in at least so many cohorts; n_agree: cohorts with this direction;",
            "n_named: cohorts whose list has it; p_adjusted: of an effect in at least %d cohorts"
          ), x$asked$min_cohorts
        )
      },
      paste("correlations with the outcome in", toString(x$cohorts$cohort))
    )
  )
}

#' @rdname cohorts-methods
#' @export
summary.stabilect_cohorts <- function(object, ...) {
  refuse_dots(...)
  partial <- data.frame(feature = object$table$feature, object$partial$p_adjusted)
  names(partial)[-1] <- paste("in", seq_len(nrow(object$cohorts)))
  name_copies(partial, object$study)
}
