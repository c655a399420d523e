#' @rdname pareto_front
#' @param x,object (object of class `stabilect_pareto`)
#' @param ... Not used.
#' @export
print.stabilect_pareto <- function(x, ...) {
  words <- ifelse(x$asked$direction == "max", "higher is better", "lower is better")
  cat(sprintf(
    "<stabilect_pareto> %s (%s) against %s (%s)\n", x$asked$objectives[1], words[1],
    x$asked$objectives[2], words[2]
  ))
  cat(sprintf(
    "%d of %d points on the front, %d of them corners of its hull\n\n", nrow(x$table),
    nrow(x$points), sum(x$table$hull)
  ))
  print(x$table, row.names = FALSE, digits = 3)
  invisible(x)
}

#' @rdname pareto_front
#' @export
summary.stabilect_pareto <- function(object, ...) {
  refuse_dots(...)
  object$table[object$table$hull, ]
}
