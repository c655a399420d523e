#' Print and plot of alternative lists
#'
#' The picture shows the error of each list, each made without the features of the lists before it,
#' and the error without features as a dashed line.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_alternatives`) result of [alternative_lists()].
#' @return `autoplot()`: a ggplot object, which `plot()` draws.
#' @family evidence
#' @name alternatives-methods
NULL

#' @exportS3Method
facts_of.stabilect_alternatives <- function(x, n = 10L) {
  alone <- x$alone
  result_facts(
    x, "Alternative lists: is this list the only one?", NULL,
    list(
      Error = describe_first_error(x), List = c(describe_alternatives(x), describe_carriers(x)),
      Caution = if (!x$table$as_good[1]) {
        "the first list errs as much as no features: its alternatives say nothing"
      }
    ),
    list(
      new_section(x$table, n),
      new_section(alone, n, "The list without one of its features")
    )
  )
}

describe_first_error <- function(x) {
  rate <- x$measure == "misclassification rate"
  number <- if (rate) as_percent else format_two
  sprintf(
    "%s%s for the first list, on samples that did not choose it; %s without features",
    if (rate) "" else paste0(in_words(x$measure), " "), number(x$table$error[1]),
    number(x$baseline)
  )
}

describe_alternatives <- function(x) {
  more <- nrow(x$table) - 1L
  if (more == 0L) {
    return("no further list without these features was found")
  }
  sprintf(
    "as good as the first, within the noise: %d of %s without the features before",
    sum(x$table$as_good[-1L]), count_of(more, "further list")
  )
}

describe_carriers <- function(x) {
  unique <- x$alone$feature[!x$alone$has_substitute]
  if (length(unique) == 0L) {
    return(sprintf(
      "every one of the best has a substitute (%s)", count_of(nrow(x$alone), "feature")
    ))
  }
  paste("without a substitute:", toString(with_copies(unique, x$study)))
}
