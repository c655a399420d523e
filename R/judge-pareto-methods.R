#' @rdname pareto_front
#' @param x,object (object of class `stabilect_pareto`)
#' @param ... Not used.
#' @export
print.stabilect_pareto <- function(x, ...) {
  words <- ifelse(x$asked$direction == "max", "higher is better", "lower is better")
  print_verdict(sprintf(
    "%d of %d points on the front, where none is better in both; %d of them corners of its hull,
     each best for some weight (gamma).", nrow(x$table), nrow(x$points), sum(x$table$hull)
  ))
  cat(sprintf(
    "Pareto front: %s (%s) against %s (%s)\n\n", x$asked$objectives[1], words[1],
    x$asked$objectives[2], words[2]
  ))
  print_figures(x$table, digits = 3)
  print_next(x)
}

#' @rdname pareto_front
#' @export
summary.stabilect_pareto <- function(object, ...) {
  refuse_dots(...)
  object$table[object$table$hull, ]
}
