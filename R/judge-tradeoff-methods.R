#' @rdname tune_tradeoff
#' @param object (object of class `stabilect_tradeoff`)
#' @export
print.stabilect_tradeoff <- function(x, ...) {
  failed <- x$made$n_failed
  cat(sprintf(
    "<stabilect_tradeoff> %d settings of %s%s\n", nrow(x$table), x$asked$parameter,
    if (failed > 0L) sprintf(", %d of them could not be run", failed) else ""
  ))
  cat(describe_study(x$study), "\n", sep = "")
  print_notes(x$study)
  cat(sprintf("%s; %s\n\n", format(x$resamples$plan), describe_seed(x$made)))
  for (name in x$index) print_hull(x, name)
  if (length(x$notes) > 0L) cat(paste0(x$notes, "\n"), sep = "")
  invisible(x)
}

# The settings that some weight of the metric chooses.
print_hull <- function(x, index) {
  front <- tradeoff_front(x, index)
  if (is.null(front)) {
    cat(sprintf("%s: not defined for any setting\n\n", index))
    return(invisible())
  }
  shown <- c("config", x$asked$settings, x$asked$metric, index)
  corners <- front$table[front$table$hull, ]
  cat(sprintf("best for some weight of %s (gamma), with %s\n", x$asked$metric, index))
  print_table(cbind(x$table[corners$row, shown], corners[c("gamma_from", "gamma_to")]))
  cat("\n")
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
  print(x$tradeoff)
  cat("fronts: number of settings, the setting for gamma = 0.5, and the knee\n")
  print(x$chosen, row.names = FALSE)
  invisible(x)
}
