#' Print, summary and plot of a signature test
#'
#' The print compares the error of the list with random lists, matched lists and permuted outcomes.
#' The summary has the errors of these, the sizes of the lists in the parts, and the features that
#' recur in them. The
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
  result_facts(
    x, "Signature test: is this list better than random ones?",
    x$made$plan,
    list(
      Signal = describe_signature(x),
      Error = c(
        describe_error_rate(x$oob, how = say_predicted(x$made$plan)), describe_random_errors(x)
      ),
      List = describe_tested_list(x), Meaning = meaning_of_signature(x),
      Caution = caution_signature(x)
    )
  )
}

describe_signature <- function(x) {
  random <- x$table[1, ]
  permuted <- x$table[3, ]
  sprintf(
    "%s %s", c(
      if (defends_list(x)) "yes:" else "no evidence:",
      if (x$table$n[2] > 0L) "of lists matched in variance and correlation,",
      if (permuted$n > 0L) "on permuted outcomes,"
    ),
    c(
      say_as_good(random, sprintf(
        "%s%s random lists of %s", if (x$asked$complete) "all " else "",
        figure(random$n, big.mark = ","), count_of(max(lengths(x$chosen)), "feature")
      )),
      if (x$table$n[2] > 0L) say_as_good(x$table[2, ]),
      if (permuted$n > 0L) say_as_good(permuted, figure(permuted$n))
    )
  )
}

# "none of 100 random lists errs as little (p = 0.0099)".
say_as_good <- function(row, of = NULL) {
  none <- row$as_good == 0
  sprintf(
    "%s%s %s as little (p\u00a0=\u00a0%s)", if (none) "none" else as_percent(row$as_good),
    if (is.null(of)) "" else paste(" of", of), if (none) "errs" else "err",
    figure(row$p, digits = 2)
  )
}

defends_list <- function(x) x$table$p[1] <= 0.05 && !isTRUE(x$table$p[3] > 0.05)

describe_random_errors <- function(x) {
  random <- shown_random(x)
  rate <- is_rate(x$oob)
  number <- figures_apart(unlist(random[c("error", "lower", "upper")]) * if (rate) 100 else 1)
  unit <- if (rate) "\u00a0%" else ""
  sprintf(
    "random lists: median %s%s, 90\u00a0%% of them %s to %s%s", number[1], unit, number[2],
    number[3], unit
  )
}

# As a concordance, where prints give one.
shown_random <- function(x) {
  random <- x$table[1, c("error", "lower", "upper")]
  if (x$oob$measure == "discordance") {
    random[c("error", "lower", "upper")] <- 1 - random[c("error", "upper", "lower")]
  }
  random
}

# Against random lists of its size, and against lists like it.
meaning_of_signature <- function(x) {
  matched <- x$table$p[2]
  if (!defends_list(x)) {
    return("lists drawn at random predict about as well: nothing speaks for these features")
  }
  if (is.na(matched)) {
    "this list predicts better than random lists of its size"
  } else if (matched <= 0.05) {
    "this list predicts better than random lists, and than lists as variable and correlated"
  } else {
    "better than random lists, but not than lists that are as variable and correlated"
  }
}

describe_tested_list <- function(x) {
  sizes <- range(lengths(x$chosen))
  if (x$asked$given) {
    return(sprintf("%s, as given", count_of(length(x$features), "feature")))
  }
  sprintf(
    "%s, chosen anew in every part (%s features; random lists have as many as the largest)",
    count_of(length(x$features), "feature"), format_range(sizes)
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
    }
  )
}

describe_matched_lists <- function(x) {
  if (isTRUE(x$matched$share < 0.5)) {
    sprintf(
      "matched lists: only %s are as correlated as the list (%s; median %s)",
      as_percent(x$matched$share), figure(x$matched$target, digits = 2),
      figure(stats::median(x$matched$correlation), digits = 2)
    )
  }
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
    new_section(dash_missing(object$table), Inf, "Errors of the lists", c(
      "error, lower, upper: median and 5 and 95 % quantiles",
      "beats_reference: share of errors below that of the last row",
      "as_good: share of errors at most that of the list", describe_matched_lists(object)
    )),
    new_section(sizes, Inf, "Number of features in the parts"),
    new_section(features, NULL, "Share of the parts with each feature in their list")
  ))
}
