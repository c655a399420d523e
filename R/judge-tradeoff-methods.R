#' @rdname tune_tradeoff
#' @param object (object of class `stabilect_tradeoff`)
#' @export
print.stabilect_tradeoff <- function(x, ...) {
  show_tradeoff(x)
  print_next(x)
}

show_tradeoff <- function(x) {
  failed <- x$made$n_failed
  print_verdict(describe_balanced(x))
  # Settings failed, not runs.
  x$made$n_failed <- 0L
  print_head(
    x, sprintf(
      "%s against stability: %d settings of %s%s", capitalised(in_words(x$asked$metric)),
      nrow(x$table), x$asked$parameter,
      if (failed > 0L) sprintf(", %d of them could not be run", failed) else ""
    ), format(x$resamples$plan)
  )
  for (name in x$index) print_hull(x, name)
  if (length(x$notes) > 0L) {
    cat("\n")
    print_text(x$notes)
  }
}

# The setting that is best when both count alike, by the first index.
describe_balanced <- function(x) {
  index <- x$index[1]
  front <- tradeoff_front(x, index)
  if (is.null(front)) {
    return(sprintf("The stability (%s) is not defined for any setting.", index))
  }
  row <- choose_tradeoff(front, 0.5)$row
  value <- function(name) figure(x$table[[name]][row], digits = 3)
  settings <- x$asked$settings
  chance <- describe_chance(x$asked$metric, x$study)
  c(
    sprintf(
      "Where %s and stability count alike, %s is best: %s %s%s; %s %s.", in_words(x$asked$metric),
      toString(paste(settings, "=", vapply(settings, value, ""))), in_words(x$asked$metric),
      value(x$asked$metric), if (is.null(chance)) "" else sprintf(" (%s)", chance), index,
      value(index)
    ),
    if (nrow(x$table) > 1L) {
      sprintf("As the best of %d settings it is a little optimistic.", nrow(x$table))
    }
  )
}

# The settings that some weight of the metric chooses.
print_hull <- function(x, index) {
  front <- tradeoff_front(x, index)
  if (is.null(front)) {
    cat(sprintf("\n%s: not defined for any setting\n", index))
    return(invisible())
  }
  shown <- c("config", x$asked$settings, x$asked$metric, index)
  corners <- front$table[front$table$hull, ]
  cat(sprintf("\nbest for some weight of %s (gamma), with %s\n", x$asked$metric, index))
  gamma <- sprintf("%.2f to %.2f", corners$gamma_from, corners$gamma_to)
  print_table(cbind(x$table[corners$row, shown], gamma = gamma))
}

# NULL when an index is not defined for any setting.
tradeoff_front <- function(x, index) {
  known <- stats::complete.cases(x$table[c(x$asked$metric, index)])
  if (any(known)) pareto_front(x, index = index)
}

#' @rdname tune_tradeoff
#' @export
summary.stabilect_tradeoff <- function(object, ...) {
  refuse_dots(...)
  fronts <- stats::setNames(lapply(object$index, tradeoff_front, x = object), object$index)
  fronts <- Filter(Negate(is.null), fronts)
  structure(
    list(
      tradeoff = object, fronts = fronts,
      chosen = do.call(rbind, lapply(names(fronts), function(name) {
        front <- fronts[[name]]
        data.frame(
          index = name, size = nrow(front$table), balanced = choose_tradeoff(front, 0.5)$row,
          knee = c(front$table$row[front$table$knee], NA_integer_)[1]
        )
      }))
    ),
    class = "summary_stabilect_tradeoff"
  )
}

#' @export
print.summary_stabilect_tradeoff <- function(x, ...) {
  show_tradeoff(x$tradeoff)
  cat("\nfronts: number of settings, the setting for gamma = 0.5, and the knee\n")
  print_figures(x$chosen)
  invisible(x)
}
