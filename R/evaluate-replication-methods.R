#' Print and plot of a replication
#'
#' The print shows how many of the best features recur, and how much predictions of single samples
#' differ between models of halves. The picture has a line for every sample: the 95 % interval for
#' its prediction in a new study of half the size, against the prediction of the model of all
#' samples. On the diagonal both agree. If a line crosses the middle, the class of the sample
#' depends on the other samples in the study.
#'
#' @inheritParams arguments
#' @param object (object of class `stabilect_replication`) result of [evaluate_replication()].
#' @return `autoplot()`: a ggplot object, which `plot()` draws.
#' @section Errors: `autoplot()`: class `stabilect_error_input` if the results had no model.
#' @family evidence
#' @name replication-methods
NULL

#' @exportS3Method
facts_of.stabilect_replication <- function(x, n = 10L) {
  again <- x$again
  result_facts(
    x, "Replication: would a new study find this list again?",
    sprintf("%d pairs of disjoint halves of %d samples", x$asked$n_pairs, x$made$n_half),
    list(List = describe_recovered(x), Stability = describe_instability(x)),
    list(
      new_section(dash_missing(x$table), Inf),
      new_section(
        utils::head(again, n), n, "Share of the halves with each feature in their list",
        if (nrow(again) > n) sprintf("... %d more; fit$again has all", nrow(again) - n)
      )
    )
  )
}

describe_recovered <- function(x) {
  first <- x$table[1, ]
  number <- function(value) figure(value, digits = 2)
  c(
    sprintf(
      "of the %s best features of one half, %s are among those of the other (%s by chance)",
      number(first$n_features), number(first$n_again), number(first$by_chance * first$n_features)
    ),
    sprintf(
      "a new study of %d samples would recover about %s of %s (extrapolated; %s)", x$study$n,
      number(first$extrapolated * first$n_features), number(first$n_features),
      "typical error 1 of 10"
    ),
    describe_own_lists(x$table, first)
  )
}

# A rule that selects fewer features was asked about these.
describe_own_lists <- function(table, first) {
  own <- table[table$list == "own set", ]
  if (own$n_features > 0 && own$n_features < first$n_features) {
    sprintf(
      "halves select %s features by the rule itself; %s of them are in the list of the other",
      figure(own$n_features, digits = 2), figure(own$n_again, digits = 2)
    )
  }
}

# Predictions of single samples, if any.
describe_instability <- function(x) {
  table <- x$predictions
  if (is.null(table)) {
    return(NULL)
  }
  distance <- figure(mean(table$distance, na.rm = TRUE), digits = 2)
  if (is.null(x$study$levels)) {
    return(sprintf(
      "predictions of a sample by models without it differ by %s from the model of all (SD %s)",
      distance, paste(figure(stats::sd(table$predicted), digits = 2), "between samples")
    ))
  }
  unsure <- sum(table$other_class > 1 / 4, na.rm = TRUE)
  c(
    sprintf(
      "models without a sample differ from the model of all by %s in its %s", distance,
      x$made$predicts
    ),
    sprintf(
      "%d of %s change class in over 25\u00a0%% of these models", unsure,
      count_of(nrow(table), "sample")
    )
  )
}
