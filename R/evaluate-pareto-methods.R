#' @exportS3Method
facts_of.stabilect_pareto <- function(x, n = 10L) {
  words <- ifelse(x$asked$direction == "max", "higher is better", "lower is better")
  new_facts(
    "Pareto front",
    sprintf(
      "%s (%s) against %s (%s)", x$asked$objectives[1], words[1], x$asked$objectives[2], words[2]
    ),
    verdict = list(Best = c(
      sprintf(
        "%d of %d points on the front: no other point is better in both", nrow(x$table),
        nrow(x$points)
      ),
      sprintf(
        "corners of its hull, each best for some weight (gamma): %d", sum(x$table$hull)
      )
    )),
    sections = list(new_section(x$table, Inf)), calls = next_of(x)
  )
}

#' @rdname pareto_front
#' @param object (object of class `stabilect_pareto`) result of `pareto_front()`.
#' @param ... Not used.
#' @export
summary.stabilect_pareto <- function(object, ...) {
  refuse_dots(...)
  object$table[object$table$hull, ]
}
