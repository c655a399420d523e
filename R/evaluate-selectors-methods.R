#' @exportS3Method
facts_of.stabilect_evaluation <- function(x, n = 10L) {
  generated <- !is.null(x$bayes_error)
  se <- if (generated) {
    "in brackets: SE over training sets of the same model"
  } else {
    sprintf(
      "in brackets: SE over splits of these %d samples; new samples vary more", x$study$n
    )
  }
  new_facts(
    "Error and stability of feature selections", describe_data(x$study), describe_splits(x),
    list(
      Best = describe_least(x),
      Error = c(describe_error_kind(x), if (!generated) describe_half(x$study$n)),
      Caution = if (nrow(x$table) > 1L) {
        sprintf("best of %d: slightly optimistic", nrow(x$table))
      }
    ),
    list(new_section(learner_table(x$table, x), Inf, below = se)), next_of(x)
  )
}

# Of an odd number one sample is in neither half.
describe_half <- function(n) {
  sprintf(
    "of selections and models from half of the samples (%d of %d); more samples mostly do better",
    n %/% 2L, n
  )
}

describe_splits <- function(x) {
  runs <- x$made$n_runs
  learners <- vapply(x$asked$learner, function(one) one$label, "")
  c(
    sprintf(
      "%s; %s", if (is.null(x$bayes_error)) {
        sprintf("%d splits of %d samples into halves", runs, x$study$n)
      } else {
        sprintf(
          "%d generated training sets of %d samples (Bayes error %s)", runs, x$study$n,
          figure(x$bayes_error, digits = 3)
        )
      }, describe_seed(x$made)
    ),
    paste("learner:", paste(learners, collapse = ", ")),
    if (length(x$asked$aggregation) > 0L) paste("ensembles:", format(x$asked$resampling)),
    if (!is.null(x$made$until)) describe_stop(x$made$until),
    if (nrow(x$failures) > 0L) {
      sprintf("%d selections failed and are left out, see `failures`", nrow(x$failures))
    }
  )
}

# The kind of error, if it is not the share of wrong classes, and the error of covariates alone.
describe_error_kind <- function(x) {
  kind <- describe_error(x$asked$metric, x$study$type)
  alone <- x$without_features
  values <- if (!is.null(alone)) {
    text <- sprintf(
      "%s (SE %s)", figure(alone$error, digits = 3), figure(alone$error_se, digits = 2)
    )
    if (nrow(alone) > 1L) paste(alone$learner, text) else text
  }
  c(
    if (!is.null(kind)) sprintf("error: %s", kind),
    if (!is.null(alone)) {
      sprintf(
        "beside covariates: %s; error of these alone: %s",
        describe_held(colnames(x$asked$covariates)), toString(values)
      )
    }
  )
}

# The rows with the smallest error and the largest stability, and their references.
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
  index <- leading_index(x)
  most <- if (!is.na(index)) which.max(table[[index]])
  chance <- error_by_chance(x)
  c(
    if (length(least) == 1L) {
      sprintf(
        "least error: %s with %s%s", number(table$error[least]), name(least),
        if (is.na(chance)) "" else sprintf("; %s without any feature", number(chance))
      )
    },
    if (length(most) == 1L) {
      sprintf("most stable: %s with %s (%s)", number(table[[index]][most]), name(most), index)
    }
  )
}

# The index that the print and the picture show, or NA.
leading_index <- function(x) {
  intersect(c("nogueira", unique(x$stabilities$index)), names(x$table))[1]
}

# NA where only the covariates, or only the values, could tell.
error_by_chance <- function(x) {
  metric <- x$asked$metric
  if (is.null(metric)) {
    metric <- outcome_of(x$study)$metric
  }
  value <- if (is.null(x$without_features)) value_by_chance(metric, x$study) else NA_real_
  if (is.na(value)) NA_real_ else as_error(value, metric)
}

#' @rdname evaluate_selectors
#' @param object (object of class `stabilect_evaluation`) result of `evaluate_selectors()`.
#' @param ... Not used.
#' @param reference (string) aggregation with which the others of the same selector and size are
#'   compared.
#' @export
summary.stabilect_evaluation <- function(object, reference = "single", ...) {
  refuse_dots(...)
  reference <- check_choice(reference, unique(object$table$aggregation))
  comparison <- compare_evaluation(object, reference)
  selectors <- compare_selectors(object)
  named <- if (reference == "single") "no ensemble (\"single\")" else dQuote(reference, FALSE)
  new_summary(object, comparison = comparison, selectors = selectors, sections = list(
    if (nrow(comparison) > 0L) {
      new_section(
        learner_table(comparison, object), Inf, sprintf("Paired differences to %s", named)
      )
    },
    if (nrow(selectors) > 0L) pairs_section(learner_table(selectors, object), object)
  ))
}

pairs_section <- function(pairs, evaluation) {
  new_section(pairs, Inf, "Paired differences between selectors (first minus second)",
    below = if (is.null(evaluation$bayes_error)) {
      "p: would other samples of the same kind show it? Corrected for the overlap of splits"
    } else {
      "p: t test over independent training sets"
    }
  )
}

# A column for the learner only if there are several.
learner_table <- function(table, evaluation) {
  if (length(evaluation$asked$learner) == 1L) table$learner <- NULL
  if (identical(table$n_selected, as.double(table$n_features))) table$n_selected <- NULL
  join_errors(table)
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

# All pairs of selectors, with the same aggregation, size and learner: one row per measure.
# Functions
# make no ensembles, and are compared with single selections.
compare_selectors <- function(evaluation) {
  long <- measures_by_unit(evaluation)
  long$aggregation <- replace(long$aggregation, long$aggregation == "own", "single")
  names <- unique(long$selector)
  id <- c("aggregation", "n_features", "learner", "measure")
  halves <- is.null(evaluation$bayes_error)
  pairs <- if (length(names) > 1L) utils::combn(names, 2L, simplify = FALSE)
  none <- data.frame(
    first = character(), second = character(), long[0, id], difference = double(), se = double(),
    n = integer(), p_value = double()
  )
  rows <- bind_rows_of(pairs, function(pair) {
    both <- merge(
      long[long$selector == pair[1], c("unit", id, "value")],
      long[long$selector == pair[2], c("unit", id, "value")], c("unit", id), sort = FALSE
    )
    groups <- split(both, do.call(paste, c(unname(both[id]), sep = "\r")))
    bind_rows_of(groups, function(group) {
      data.frame(
        first = pair[1], second = pair[2], group[1, id],
        paired_difference(group$value.x - group$value.y, halves)
      )
    })
  })
  rows <- rbind(none, rows)
  by_measure <- order(
    match(rows$measure, unique(long$measure)), rows$aggregation, rows$n_features
  )
  sort_rows(rows[by_measure, ], seq_along(by_measure))
}

# Halves of different splits share half of their samples: the variance of a mean over J splits is
# (1 / J + n_test / n_train) times the variance between splits (Nadeau and Bengio 2003, Eq. 9).
# Training sets of their own are independent.
# @param halves (flag).
paired_difference <- function(values, halves) {
  values <- values[!is.na(values)]
  n <- length(values)
  se <- if (n > 1L) sqrt((1 / n + halves) * stats::var(values)) else NA_real_
  mean <- if (n > 0L) mean(values) else NA_real_
  # Without any spread t is not defined.
  p <- if (isTRUE(se > 0)) 2 * stats::pt(-abs(mean / se), n - 1) else NA_real_
  data.frame(difference = mean, se = se, n = n, p_value = if (isTRUE(mean == 0)) 1 else p)
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
