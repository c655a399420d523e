#' Print, summary and plot of several studies
#'
#' The picture has a row for each feature and a column for each study. The colour is the correlation
#' with the outcome, a dot marks features in the list of the study. At the right stands in how many
#' studies the feature is found.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_studies`) result of [compare_studies()].
#' @param n (whole number >= 1) number of features in the picture.
#' @return `summary()`: a data frame with a row for each feature: `feature`, and the adjusted p
#'   value of an effect in at least 1, 2, ... studies (`in 1`, `in 2`, ...). `autoplot()`: a ggplot
#'   object, which `plot()` draws.
#' @family evidence
#' @name studies-methods
NULL

#' @exportS3Method
facts_of.stabilect_studies <- function(x, n = 10L) {
  several <- nrow(x$studies) > 1L
  studies <- x$studies
  known <- intersect(c("error", "lower", "upper", "baseline"), names(studies))
  # A limit close to 0 is 0.000, not a power of ten.
  if (length(known) > 0L) studies[known] <- zapsmall(as.matrix(studies[known]), 3L)
  title <- sprintf("Replicability across %d studies", nrow(x$studies))
  new_facts(
    if (several) title else "One study, to be compared with results of others",
    describe_data(x$study),
    if (!is.null(x$made$seed)) describe_design(x$made, NULL),
    list(
      Error = if (!is.null(x$measure)) describe_left_studies(x),
      List = describe_found(x), Caution = caution_of_studies(x)
    ),
    list(
      label_section(studies_section(x, n), x$study),
      if (several) new_section(dash_missing(studies), Inf, "Studies")
    ),
    next_of(x)
  )
}

# As a concordance, where prints give one.
describe_left_studies <- function(x) {
  mean_of <- function(column) stats::weighted.mean(x$studies[[column]], x$studies$n)
  shown <- shown_oob(list(
    error = mean_of("error"), lower = NA, upper = NA, baseline = mean_of("baseline"),
    measure = x$measure
  ))
  number <- if (x$measure == "misclassification rate") as_percent else format_two
  sprintf(
    "%s %s in studies left out whole (mean over samples); %s without features", shown$measure,
    number(shown$error), number(shown$baseline)
  )
}

describe_found <- function(x) {
  k <- nrow(x$studies)
  n_found <- vapply(seq_len(k), function(r) sum(x$table$n_found >= r), 0L)
  c(
    sprintf(
      "%s found in at least %d of %s (%s p <= %s)",
      count_of(n_found[x$asked$min_studies], "feature"), x$asked$min_studies,
      if (k == 1L) "1 study" else sprintf("%d studies", k),
      switch(x$asked$p_adjust, BH = "false discovery rate, adjusted", "adjusted"),
      figure(x$asked$max_p)
    ),
    if (k > 1L) {
      sprintf("in at least %s: %s features", toString(seq_len(k)), toString(n_found))
    }
  )
}

# Features that two studies find in opposite directions.
caution_of_studies <- function(x) {
  if (is.na(x$table$direction[1])) {
    return(NULL)
  }
  named <- x$by_study$named
  sign <- sign(x$by_study$correlation)
  opposed <- rowSums(named & sign > 0) > 0 & rowSums(named & sign < 0) > 0
  if (any(opposed)) {
    sprintf(
      "%s in lists of studies with opposite directions: %s", count_of(sum(opposed), "feature"),
      shorten_list(toString(with_copies(x$table$feature[opposed], x$study)), 60L)
    )
  }
}

studies_section <- function(x, n) {
  k <- nrow(x$studies)
  absent <- c(
    if (is.na(x$table$direction[1])) c("direction", "n_agree"),
    if (k == 1L) c("n_found", "n_agree", "n_named"), "correlation", "p"
  )
  table <- x$table[setdiff(names(x$table), absent)]
  table$correlations <- apply(x$by_study$correlation, 1L, function(r) {
    paste(sprintf("%5.2f", r), collapse = " ")
  })
  new_section(
    name_direction(table, x$study), n,
    below = c(
      if (k > 1L) {
        sprintf(
          paste(
            "n_found: found in at least so many studies; n_agree: studies with this direction;",
            "n_named: studies whose list has it; p_adjusted: of an effect in at least %d studies"
          ), x$asked$min_studies
        )
      },
      paste("correlations with the outcome in", toString(x$studies$study))
    )
  )
}

#' @rdname studies-methods
#' @export
summary.stabilect_studies <- function(object, ...) {
  refuse_dots(...)
  partial <- data.frame(feature = object$table$feature, object$partial$p_adjusted)
  names(partial)[-1] <- paste("in", seq_len(nrow(object$studies)))
  name_copies(partial, object$study)
}
