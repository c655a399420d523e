#' @rdname pareto_front
#' @param x,object (object of class `stabilect_pareto`)
#' @param ... Not used.
#' @export
print.stabilect_pareto <- function(x, ...) {
  words <- ifelse(x$direction == "max", "higher is better", "lower is better")
  cat(sprintf(
    "<stabilect_pareto> %s (%s) against %s (%s)\n", x$objectives[1], words[1], x$objectives[2],
    words[2]
  ))
  cat(sprintf(
    "%d of %d points on the front, %d of them corners of its hull\n\n", nrow(x$front),
    nrow(x$points), sum(x$front$hull)
  ))
  print(x$front, row.names = FALSE, digits = 3)
  invisible(x)
}

#' @rdname pareto_front
#' @export
summary.stabilect_pareto <- function(object, ...) object$front[object$front$hull, ]

#' @rdname pareto_front
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_pareto <- function(x, row.names = NULL, optional = FALSE, ...) x$front
