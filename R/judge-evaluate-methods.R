#' Paired comparisons of evaluated selections
#'
#' Differences within the same splits (or training sets), so that what makes a split hard or easy
#' cancels out.
#'
#' @param evaluation (object of class `stabilect_evaluation`) Made by [evaluate_selectors()] or
#'   [evaluate_generated()].
#' @param reference (string) aggregation that the others of the same selector and size are compared
#'   with.
#' @return Data frame with a row for each selector, aggregation, size and measure: `selector`,
#'   `aggregation`, `n_features`, `measure` (`"error"` or the name of an index), `difference` (mean
#'   over splits of the value minus that of `reference`), `se` and `n` (splits with both values).
#'   For generated data, stability is not by training set and only the error is compared.
#' @section Errors:
#' Class `stabilect_error_input` for a `reference` that was not evaluated.
#' @family aggregation
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' result <- evaluate_selectors(
#'   x, mcl_sll$MCL, selector_filter("wilcoxon"), n_features = 5, n_splits = 4,
#'   resampling = resample_bootstrap(10), seed = 1
#' )
#' compare_evaluated(result)
#' @export
compare_evaluated <- function(evaluation, reference = "single") {
  if (!inherits(evaluation, "stabilect_evaluation")) {
    abort("{.arg evaluation} must be made by {.fn evaluate_selectors} or
      {.fn evaluate_generated}, not be {describe_value(evaluation)}.")
  }
  reference <- check_choice(reference, "reference", unique(evaluation$table$aggregation))
  errors <- evaluation$errors
  long <- rbind(
    cbind(errors[1:4], measure = rep("error", nrow(errors)), value = errors$error),
    stats::setNames(evaluation$stabilities, c(names(errors)[1:4], "measure", "value"))
  )
  key <- function(table) {
    paste(table$unit, table$selector, table$n_features, table$measure, sep = "\r")
  }
  base <- long[long$aggregation == reference, ]
  others <- long[long$aggregation != reference, ]
  others$difference <- others$value - base$value[match(key(others), key(base))]
  id <- paste(others$selector, others$aggregation, others$n_features, others$measure, sep = "\r")
  by_measure <- order(match(others$measure, unique(long$measure)))
  groups <- split(others, factor(id, unique(id[by_measure])))
  rows <- lapply(groups, function(group) {
    known <- !is.na(group$difference)
    cbind(
      group[1, c("selector", "aggregation", "n_features", "measure")],
      difference = mean(group$difference[known]), se = standard_error(group$difference),
      n = sum(known)
    )
  })
  table <- do.call(rbind, c(rows, list(make.row.names = FALSE)))
  if (is.null(table)) {
    table <- data.frame(
      selector = character(), aggregation = character(), n_features = integer(),
      measure = character(), difference = double(), se = double(), n = integer()
    )
  }
  table
}

#' @rdname evaluate_selectors
#' @param object (object of class `stabilect_evaluation`)
#' @param ... Not used.
#' @export
print.stabilect_evaluation <- function(x, ...) {
  settings <- x$settings
  what <- if (settings$protocol == "halves") {
    sprintf("%d splits of %d samples into halves", settings$n_units, settings$n)
  } else {
    sprintf(
      "%d generated training sets of %d samples (Bayes error %s)", settings$n_units, settings$n,
      format(settings$bayes_error, digits = 3)
    )
  }
  cat(sprintf("Error and stability of feature selections: %s\n", what))
  cat(sprintf(
    "%d features; classifier: %s; ensembles: %s; seed %s\n", settings$p,
    settings$classifier$label, format(settings$resampling), format(settings$seed)
  ))
  print_input_notes(x)
  if (nrow(x$failures) > 0L) {
    cat(sprintf("%d selections failed and are left out, see `failures`\n", nrow(x$failures)))
  }
  cat("\n")
  print(x$table, row.names = FALSE, digits = 3)
  invisible(x)
}

#' @rdname evaluate_selectors
#' @export
summary.stabilect_evaluation <- function(object, ...) {
  structure(
    list(evaluation = object, comparisons = compare_evaluated(object)),
    class = "summary_stabilect_evaluation"
  )
}

#' @export
print.summary_stabilect_evaluation <- function(x, ...) {
  print(x$evaluation)
  if (nrow(x$comparisons) > 0L) {
    cat("\npaired differences to no ensemble (\"single\")\n")
    print(x$comparisons, row.names = FALSE, digits = 3)
  }
  invisible(x)
}

#' @rdname evaluate_selectors
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_evaluation <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$table
}
