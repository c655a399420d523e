#' @exportS3Method
facts_of.stabilect_tradeoff <- function(x, n = 10L) {
  failed <- x$made$n_failed
  # Settings failed, not runs.
  x$made$n_failed <- 0L
  metric <- in_words(x$asked$metric)
  result_facts(
    x, sprintf("%s against stability", capitalised(metric)), format(x$resamples$plan),
    list(
      Best = describe_balanced(x),
      Caution = c(
        if (nrow(x$table) > 1L) sprintf("best of %d settings: slightly optimistic", nrow(x$table)),
        x$notes
      )
    ),
    list(hull_section(x)),
    sprintf(
      "%d settings of %s%s", nrow(x$table), x$asked$method,
      if (failed > 0L) sprintf(", %d of them could not be run", failed) else ""
    )
  )
}

# The best setting if both count alike, by the first index.
describe_balanced <- function(x) {
  index <- x$index[1]
  front <- tradeoff_front(x, index)
  if (is.null(front)) {
    return(sprintf("the stability (%s) is not defined for any setting", index))
  }
  row <- selected(front, 0.5)$row
  value <- function(name) figure(x$table[[name]][row], digits = 3)
  settings <- x$asked$settings
  chance <- describe_chance(x$asked$metric, x$study)
  sprintf(
    "%s (equal weight on %s and stability): %s %s out of bag%s; %s %s",
    toString(paste(settings, "=", vapply(settings, value, ""))), in_words(x$asked$metric),
    in_words(x$asked$metric), value(x$asked$metric),
    if (is.null(chance)) "" else sprintf(" (%s)", chance), index, value(index)
  )
}

# The settings that some weight of the metric chooses, in one table for all indices.
hull_section <- function(x) {
  fronts <- lapply(x$index, tradeoff_front, x = x)
  names(fronts) <- x$index
  undefined <- vapply(fronts, is.null, NA)
  rows <- lapply(names(fronts)[!undefined], function(index) {
    corners <- fronts[[index]]$table[fronts[[index]]$table$hull, ]
    shown <- x$table[corners$row, c("config", x$asked$settings, x$asked$metric, index)]
    names(shown)[ncol(shown)] <- "stability"
    data.frame(
      index = index, shown, gamma = sprintf("%.2f to %.2f", corners$gamma_from, corners$gamma_to),
      check.names = FALSE
    )
  })
  new_section(
    do.call(rbind, rows), Inf,
    below = c(
      if (length(rows) > 0L) {
        sprintf(
          "gamma: weights of %s for which the setting is best", in_words(x$asked$metric)
        )
      },
      if (any(undefined)) sprintf("%s: not defined for any setting", toString(x$index[undefined]))
    )
  )
}

# NULL if an index is undefined for all settings.
tradeoff_front <- function(x, index) {
  known <- stats::complete.cases(x$table[c(x$asked$metric, index)])
  if (any(known)) pareto_front(x, index = index)
}

#' @rdname tune_tradeoff
#' @param object (object of class `stabilect_tradeoff`) result of `tune_tradeoff()`.
#' @export
summary.stabilect_tradeoff <- function(object, ...) {
  refuse_dots(...)
  bind_rows_of(object$index, function(name) {
    front <- tradeoff_front(object, name)
    if (!is.null(front)) {
      data.frame(
        index = name, size = nrow(front$table), balanced = selected(front, 0.5)$row,
        knee = c(front$table$row[front$table$knee], NA_integer_)[1]
      )
    }
  })
}
