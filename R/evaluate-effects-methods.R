#' Print, summary and plot of effect sizes
#'
#' The print has the honest effects with their intervals, and the effects in all samples. The
#' summary adds the spread of all effects. The picture has a line for each feature: the effect with
#' its interval, and smaller marks for the effects in left-out and in all samples.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_effects`) result of [feature_effects()].
#' @param type (string) which picture: `"intervals"` as above, or `"frequency"`: the effects with
#'   their intervals against the share of runs that select the features. Strong features are far
#'   from the dashed line, steady ones at the right, those of the same frequency side by side; see
#'   also [plot_strength].
#' @param n (whole number >= 1) number of features in the picture.
#' @return `summary()`: a list that prints its tables, `table` and `spread`. `autoplot()`: a ggplot
#'   object; `plot()` draws it and returns it invisibly.
#' @family evidence
#' @name effects-methods
NULL

#' @exportS3Method
facts_of.stabilect_effects <- function(x, n = 10L) {
  result_facts(
    x, sprintf("Effects of %s, corrected for selection", count_of(nrow(x$table), "feature")), NULL,
    list(List = c(describe_clear_effects(x), describe_inflation(x))),
    list(new_section(name_direction(x$table, x$study), n, digits = 2L, below = c(
      paste("effect:", x$effect$meaning),
      sprintf("lower, upper: %s\u00a0%% interval", figure(100 * x$asked$conf_level)),
      "left_out: in samples that the runs with the feature did not see",
      "in_sample: in all samples, inflated by the selection"
    )))
  )
}

describe_clear_effects <- function(x) {
  table <- x$table[!is.na(x$table$effect), ]
  clear <- sum(table$lower > x$effect$none | table$upper < x$effect$none)
  sprintf(
    "%d of %s with an interval that excludes %s (no effect)", clear,
    count_of(nrow(table), "feature"), figure(x$effect$none)
  )
}

# The median ratio, on the scale where no effect is 0.
describe_inflation <- function(x) {
  scale <- if (x$effect$none == 1) log else identity
  ratio <- stats::median(scale(x$table$effect) / scale(x$table$in_sample), na.rm = TRUE)
  if (is.na(ratio)) {
    return(NULL)
  }
  sprintf(
    "effects are %s of those in all samples%s (median)", as_percent(ratio),
    if (x$effect$none == 1) ", as logarithms" else ""
  )
}

#' @rdname effects-methods
#' @export
summary.stabilect_effects <- function(object, ...) {
  refuse_dots(...)
  spread <- object$spread[object$spread$weight > 0.001, ]
  rownames(spread) <- NULL
  new_summary(object, table = object$table, spread = spread, sections = list(
    new_section(name_direction(object$table, object$study), Inf, digits = 2L),
    new_section(
      spread, Inf, c(
        "True effects of all features in standard errors: normal distributions around 0,",
        "with these standard deviations and shares"
      )
    )
  ))
}
