#' Summary, table and plot of stability indices
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_stability`) result of [stability()].
#' @return `autoplot()`: a ggplot object with one interval per index; `plot()` draws it and returns
#'   it invisibly. `as.data.frame()` and `summary()`: the data frame `table`, see [stability()].
#' @family stability
#' @examples
#' runs <- as_selection(list(c("a", "b"), c("a", "c"), c("a", "b")), n_total = 20)
#' stability(runs, c("nogueira", "jaccard"))
#' @name stability-methods
NULL

#' @exportS3Method
facts_of.stabilect_stability <- function(x, n = 10L) {
  table <- x$table
  notes <- table$note
  table$note <- ifelse(nzchar(notes), paste0("[", cumsum(nzchar(notes)), "]"), "")
  if (!any(nzchar(notes))) table$note <- NULL
  noted <- which(nzchar(notes))
  new_facts(
    sprintf("Stability of %s", count_of(x$n_runs, "feature list")),
    design = c(
      sprintf(
        "%s; %s a list%s", count_of(x$n_total, "feature"), describe_sizes(x$sizes),
        if (x$n_failed > 0L) sprintf("; %s left out", count_of(x$n_failed, "failed run")) else ""
      ),
      x$label
    ),
    verdict = list(
      Stability = describe_agreement(x),
      Caution = c(
        if (!is.null(x$table$drawn)) sprintf(
          "missing values filled in once make runs agree more: over draws of them it is %s",
          figure(x$table$drawn[1], digits = 2)
        ),
        sprintf(
          paste(
            "this describes more resamples of the same data (%s intervals); lists from new data",
            "agree less"
          ),
          as_percent(x$conf_level)
        ),
        if (isTRUE(x$about_result)) {
          "it is about single runs, not about the list of the result: evaluate_replication()"
        }
      )
    ),
    sections = list(new_section(table, Inf, below = c(
      sprintf("[%d] %s: %s", seq_along(noted), table$index[noted], notes[noted]),
      if (x$corrected) "indices are corrected for chance where they can be"
    ))),
    calls = next_of(x)
  )
}

# The first index with its interval; Nogueira's index and indices of pairs of sets have maximum 1.
describe_agreement <- function(x) {
  first <- x$table[1, ]
  number <- function(value) figure(value, digits = 2)
  sprintf(
    "%s (%s%s)%s", number(first$estimate), first$index,
    if (is.na(first$lower)) {
      ""
    } else {
      paste0("; ", describe_interval(first, x$conf_level))
    },
    if (first$index == "nogueira") "; 0 by chance, 1 identical lists" else ""
  )
}

#' @exportS3Method
agreement_of.stabilect_selection <- function(x) { # nolint: object_name_linter.
  as.data.frame(stability(x, "nogueira"))
}
