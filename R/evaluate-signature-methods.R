#' Print, summary and plot of a signature test
#'
#' The print compares the error of the list with random lists, matched lists and permuted outcomes.
#' The summary adds the sizes of the lists in the parts, and the features that recur in them. The
#' picture shows the distributions of the errors, and the error of the list as a vertical line.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_signature_test`) result of [test_signature()].
#' @return `summary()`: a list that prints the table of the result and its own, `sizes` (of the
#'   lists in the parts) and `features` (with their share of the parts). `autoplot()`: a ggplot
#'   object, which `plot()` draws.
#' @family evidence
#' @name signature-methods
NULL

#' @exportS3Method
facts_of.stabilect_signature_test <- function(x, n = 10L) {
  drawn <- x$table[!x$table$n %in% 0L, ]
  result_facts(
    x, "Signature test: is this list better than random ones?",
    x$made$plan,
    list(
      Signal = describe_signature(x),
      Error = describe_error_rate(x$oob, how = "in cross-validation"),
      List = describe_tested_list(x), Caution = caution_signature(x)
    ),
    list(new_section(
      dash_missing(drawn), Inf,
      below = "error, lower, upper: median and 5 and 95 % quantiles; as_good: share of errors at
        most that of the list"
    ))
  )
}

describe_signature <- function(x) {
  random <- x$table[1, ]
  permuted <- x$table[3, ]
  size <- count_of(max(lengths(x$chosen)), "feature")
  state <- if (random$p <= 0.05 && !isTRUE(permuted$p > 0.05)) "yes" else "no evidence"
  c(
    sprintf(
      "%s: %s of %s random lists of %s err as little (p = %s)", state, as_percent(random$as_good),
      if (x$asked$complete) paste("all", figure(random$n)) else figure(random$n, big.mark = ","),
      size, figure(random$p, digits = 2)
    ),
    if (x$table$n[2] > 0L) {
      sprintf(
        "matched in variance and correlation: %s (p = %s)", as_percent(x$table$as_good[2]),
        figure(x$table$p[2], digits = 2)
      )
    },
    if (permuted$n > 0L) {
      sprintf(
        "on %s permuted outcomes: %s (p = %s)", figure(permuted$n),
        as_percent(permuted$as_good), figure(permuted$p, digits = 2)
      )
    }
  )
}

describe_tested_list <- function(x) {
  sizes <- range(lengths(x$chosen))
  if (x$asked$given) {
    return(sprintf("%s, as given", count_of(length(x$features), "feature")))
  }
  sprintf(
    "%s, chosen anew in every part (%s features)", count_of(length(x$features), "feature"),
    format_range(sizes)
  )
}

caution_signature <- function(x) {
  beats <- x$table$beats_reference[1]
  c(
    if (x$asked$given) {
      "the error is too low if these samples chose the list; test_signature(x, y, fit) chooses anew"
    },
    if (beats > 0.2) {
      sprintf(
        "%s of the random lists also err less than %s: to beat this defends no list",
        as_percent(beats), reference_words(x$oob)
      )
    },
    if (isTRUE(x$matched$share < 0.5)) {
      sprintf(
        "only %s of the matched lists are as correlated as the list (%s; median %s)",
        as_percent(x$matched$share), figure(x$matched$target, digits = 2),
        figure(stats::median(x$matched$correlation), digits = 2)
      )
    }
  )
}

# For example "35 % (when always predicting ALL)".
reference_words <- function(oob) {
  value <- if (is_rate(oob)) as_percent(oob$baseline) else format_two(oob$baseline)
  sprintf("%s (%s)", value, reference_of(oob))
}

#' @rdname signature-methods
#' @export
summary.stabilect_signature_test <- function(object, ...) {
  refuse_dots(...)
  often <- sort(table(unlist(object$chosen)), decreasing = TRUE)
  features <- data.frame(
    feature = names(often), share_of_parts = as.vector(often) / length(object$chosen)
  )
  sizes <- table(lengths(object$chosen))
  sizes <- data.frame(n_features = as.integer(names(sizes)), n_parts = as.vector(sizes))
  new_summary(object, sizes = sizes, features = features, sections = list(
    new_section(dash_missing(object$table), Inf),
    new_section(sizes, Inf, "Number of features in the parts"),
    new_section(features, NULL, "Share of the parts with each feature in their list")
  ))
}
