#' @rdname tune_tradeoff
#' @param object (object of class `stabilect_tradeoff`)
#' @export
print.stabilect_tradeoff <- function(x, ...) {
  failed <- sum(x$table$status != "ok")
  cat(sprintf(
    "<stabilect_tradeoff> %d settings of %s%s\n", nrow(x$table), x$settings$method,
    if (failed > 0L) sprintf(", %d of them could not be run", failed) else ""
  ))
  cat(sprintf(
    "%d samples x %d features; %s; seed %d\n", x$settings$n, x$settings$p,
    format(x$resamples$plan), x$settings$seed
  ))
  print_input_notes(x)
  cat("\n")
  shown <- c("config", x$settings$parameters, "accuracy", x$index)
  for (name in x$index) {
    front <- tradeoff_front(x, name)
    if (is.null(front)) {
      cat(sprintf("%s: not defined for any setting\n\n", name))
      next
    }
    corners <- front$front[front$front$hull, ]
    table <- cbind(x$table[corners$row, shown], corners[c("gamma_from", "gamma_to")])
    cat(sprintf("best for some weight of accuracy (gamma), with %s\n", name))
    print(table, row.names = FALSE, digits = 3)
    cat("\n")
  }
  if (length(x$notes) > 0L) cat(paste0(x$notes, "\n"), sep = "")
  invisible(x)
}

# NULL when an index is not defined for any setting.
tradeoff_front <- function(x, index) {
  values <- x$table[c("accuracy", index)]
  if (any(stats::complete.cases(values))) pareto_front(values)
}

#' @rdname tune_tradeoff
#' @export
summary.stabilect_tradeoff <- function(object, ...) {
  fronts <- stats::setNames(lapply(object$index, tradeoff_front, x = object), object$index)
  fronts <- Filter(Negate(is.null), fronts)
  structure(
    list(
      tradeoff = object, fronts = fronts,
      chosen = do.call(rbind, lapply(names(fronts), function(name) {
        data.frame(
          index = name, size = nrow(fronts[[name]]$front),
          balanced = choose_tradeoff(fronts[[name]], 0.5)$row, knee = pareto_knee(fronts[[name]])
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

#' @rdname tune_tradeoff
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_tradeoff <- function(x, row.names = NULL, optional = FALSE, ...) x$table
