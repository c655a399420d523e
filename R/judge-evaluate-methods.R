#' @rdname evaluate_selectors
#' @param object (object of class `stabilect_evaluation`)
#' @param ... Not used.
#' @export
print.stabilect_evaluation <- function(x, ...) {
  show_evaluation(x)
  print_next(x)
}

show_evaluation <- function(x) {
  n <- x$made$n_runs
  print_verdict(describe_least(x))
  what <- if (is.null(x$bayes_error)) {
    sprintf("%d splits of %d samples into halves", n, x$study$n)
  } else {
    sprintf(
      "%d generated training sets of %d samples (Bayes error %s)", n, x$study$n,
      figure(x$bayes_error, digits = 3)
    )
  }
  cat(sprintf("Error and stability of feature selections: %s\n", what))
  error <- describe_error(x$asked$metric, x$study$type)
  if (!is.null(error)) cat(sprintf("error: %s\n", error))
  learners <- vapply(x$asked$learner, function(one) one$label, "")
  cat(sprintf(
    "%d features; learner: %s\nensembles: %s; %s\n", x$study$p, paste(learners, collapse = ", "),
    format(x$asked$resampling), describe_seed(x$made)
  ))
  print_notes(x$study)
  if (!is.null(x$made$until)) cat(describe_stop(x$made$until))
  if (nrow(x$failures) > 0L) {
    cat(sprintf("%d selections failed and are left out, see `failures`\n", nrow(x$failures)))
  }
  alone <- x$without_features
  if (!is.null(alone)) {
    values <- sprintf(
      "%s (se %s)", figure(alone$error, digits = 3), figure(alone$error_se, digits = 2)
    )
    if (nrow(alone) > 1L) values <- paste(alone$learner, values)
    cat(sprintf(
      "beside covariates: %s; error of these alone: %s\n",
      describe_held(colnames(x$asked$covariates)), toString(values)
    ))
  }
  cat("\n")
  print_learners(x$table, x)
  cat(sep = "", if (is.null(x$bayes_error)) {
    c(
      "(in brackets): how far other splits of these samples would move the mean; other\n",
      "samples move it more\n"
    )
  } else {
    "(in brackets): how far other training sets of the same model would move the mean\n"
  })
}

# The rows with the least error and the largest stability, and what to compare them with.
describe_least <- function(x) {
  table <- x$table
  name <- function(row) {
    several <- c(
      TRUE, TRUE, length(unique(table$n_features)) > 1L,
      length(unique(table$learner)) > 1L
    )
    one <- table[row, ]
    toString(c(one$selector, one$aggregation, count_of(one$n_features, "feature"), one$learner)[
      several
    ])
  }
  number <- function(value) figure(value, digits = 3)
  least <- which.min(table$error)
  index <- intersect(c("nogueira", unique(x$stabilities$index)), names(table))[1]
  most <- if (!is.na(index)) which.max(table[[index]])
  chance <- error_by_chance(x)
  c(
    if (length(least) == 1L) {
      sprintf(
        "Least error: %s with %s%s.", number(table$error[least]), name(least),
        if (is.na(chance)) "" else sprintf(" (without features %s)", number(chance))
      )
    },
    if (length(most) == 1L) {
      sprintf("Most stable: %s with %s (%s).", number(table[[index]][most]), name(most), index)
    },
    if (nrow(table) > 1L) {
      sprintf("Best ones of %d are a little optimistic.", nrow(table))
    }
  )
}

# NA where the covariates, or nothing but the numbers, tell.
error_by_chance <- function(x) {
  metric <- x$asked$metric
  if (is.null(metric)) {
    metric <- outcome_of(x$study)$metric
  }
  if (!is.null(x$without_features)) NA_real_ else 1 - value_by_chance(metric, x$study)
}

#' @rdname evaluate_selectors
#' @param reference (string) aggregation that the others of the same selector and size are compared
#'   with.
#' @export
summary.stabilect_evaluation <- function(object, reference = "single", ...) {
  refuse_dots(...)
  reference <- check_choice(reference, unique(object$table$aggregation))
  structure(
    list(
      evaluation = object, comparison = compare_evaluation(object, reference),
      reference = reference
    ),
    class = "summary_stabilect_evaluation"
  )
}

#' @export
print.summary_stabilect_evaluation <- function(x, ...) {
  show_evaluation(x$evaluation)
  if (nrow(x$comparison) > 0L) {
    cat(sprintf("\npaired differences to %s\n", if (x$reference == "single") {
      "no ensemble (\"single\")"
    } else {
      dQuote(x$reference, FALSE)
    }))
    print_learners(x$comparison, x$evaluation)
  }
  invisible(x)
}

# A column for the learner only where there are several.
print_learners <- function(table, evaluation) {
  if (length(evaluation$asked$learner) == 1L) table$learner <- NULL
  print_table(join_errors(table))
}

# One row per selector, aggregation, size, learner and measure: mean difference to the reference.
compare_evaluation <- function(evaluation, reference) {
  id <- c("selector", "aggregation", "n_features", "learner", "measure")
  long <- measures_by_unit(evaluation)
  key <- function(table, columns) do.call(paste, c(unname(table[columns]), sep = "\r"))
  pair <- c("unit", setdiff(id, "aggregation"))
  base <- long[long$aggregation == reference, ]
  others <- long[!long$aggregation %in% c(reference, "own"), ]
  others$difference <- others$value - base$value[match(key(others, pair), key(base, pair))]
  by_measure <- order(match(others$measure, unique(long$measure)))
  groups <- split(others, factor(key(others, id), unique(key(others, id)[by_measure])))
  rows <- lapply(groups, function(group) {
    cbind(
      group[1, id], difference = mean(group$difference, na.rm = TRUE),
      se = standard_error(group$difference), n = sum(!is.na(group$difference))
    )
  })
  # Without any ensemble there is nothing to compare.
  none <- cbind(others[0, id], difference = double(), se = double(), n = integer())
  do.call(rbind, c(list(none), rows, list(make.row.names = FALSE)))
}

measures_by_unit <- function(evaluation) {
  columns <- c("unit", "selector", "aggregation", "n_features", "learner", "measure", "value")
  errors <- evaluation$errors
  errors$measure <- rep("error", nrow(errors))
  errors$value <- errors$error
  stabilities <- evaluation$stabilities
  stabilities$learner <- rep(NA_character_, nrow(stabilities))
  stabilities$measure <- stabilities$index
  rbind(errors[columns], stabilities[columns])
}
