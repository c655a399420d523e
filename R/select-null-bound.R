#' Bounds on the number of false features among the best
#'
#' Upper bounds on the number of features without association among the best of a result, from its
#' permutations. They are valid for all cuts of the list together: the cut may be chosen after
#' looking at them.
#'
#' @param object (result of [fealect()], [stability_selection()], [bolasso()] or
#'   [select_ensemble()], made with `permute`) the result.
#' @param n_features (whole numbers >= 1, or `NULL`) sizes of the cut: numbers of best features of
#'   the table to keep. `NULL` takes 1, 2, ... up to 20.
#' @param conf_level (number in (0, 1)) probability with which all bounds are correct together.
#'
#' @details
#' \eqn{v_{rj}} is the j-th largest statistic of permutation r, including the observed order (r =
#' 0), for j = 1, 2, 4, 8, ... up to 256. \eqn{s_j} is the c-th smallest of \eqn{v_{0j}, v_{1j},
#' \ldots}, with the smallest c such that a share `conf_level` of all r has \eqn{v_{rj} \le s_j} for
#' every j. With this probability at most j - 1 features without association lie above \eqn{s_j}. A
#' set S of features, however chosen, then contains at most
#' \deqn{\min_j \{j - 1 + \#\{i \in S: T_i \le s_j\}\}}
#' features without association (Hemerik, Solari and Goeman 2019, with thresholds in place of
#' p-values; for one threshold fixed beforehand, Hemerik and Goeman 2018). It takes some hundred
#' permutations: with few, every bound is the size of its set. On 336 outcomes of
#' `experiments/peers`, with 99 permutations, the longest lists with a share of at most 0.2 had a
#' larger one of features that are not true in 4.2 %, and 0.28 true ones on average.
#'
#' Like all results of permutations, this is about association: a feature that is correlated with a
#' true one counts as associated.
#' @return A data frame of class `stabilect_fdp_bound`, one row per cut: `n_features`; `feature`,
#'   the last feature kept; `n_false`, the bound on the number of false ones (between 0 and
#'   `n_features`); `share`, the same as a share of `n_features`, the false discovery proportion.
#' @section Errors: Class `stabilect_error_input` for a result without permutations, and for cuts
#'   beyond the number of features.
#' @references
#' Hemerik J, Goeman JJ (2018). False discovery proportion estimation by permutations: confidence
#' for significance analysis of microarrays. *Journal of the Royal Statistical Society B* 80,
#' 137-155.
#'
#' Hemerik J, Solari A, Goeman JJ (2019). Permutation-based simultaneous confidence bounds for the
#' false discovery proportion. *Biometrika* 106, 635-649.
#' @concept false discovery rate
#' @concept false positives
#' @concept false discovery proportion
#' @family evidence
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- stability_selection(x, mcl_sll$MCL, q = 10, pfer = 1, permute = 39, seed = 1)
#' fdp_bound(fit, c(1, 5, 10))
#' @export
fdp_bound <- function(object, n_features = NULL, conf_level = 0.95) {
  check_given()
  null <- if (is.list(object)) object$null
  refuse(!inherits(null, "stabilect_null"),
    c("{.arg object} has no permutations; it is {describe_value(object)}.",
      i = "Make it with {.code permute = 199}."
    )
  )
  conf_level <- check_fraction(conf_level, open_right = TRUE)
  table <- object$table
  cuts <- if (is.null(n_features)) seq_len(min(20L, nrow(table))) else n_features
  refuse(!is.numeric(cuts) || is.object(cuts),
    "{.arg n_features} must hold whole numbers >= 1, not {describe_value(cuts)}."
  )
  for (cut in cuts) check_count(cut, name = "n_features", max = nrow(table))
  statistic <- null$observed[match(table$feature, names(null$observed))]
  envelope <- null_envelope(null, conf_level)
  n_false <- vapply(cuts, function(k) {
    below <- findInterval(envelope$value, sort(statistic[seq_len(k)]))
    min(k, envelope$above + below)
  }, 0)
  structure(
    data.frame(
      n_features = as.integer(cuts), feature = table$feature[cuts], n_false = as.integer(n_false),
      share = n_false / cuts
    ),
    about = list(
      conf_level = conf_level, n_permutations = ncol(null$top), unit = unit_word(object$study)
    ),
    class = c("stabilect_fdp_bound", "data.frame")
  )
}

#' @exportS3Method
facts_of.stabilect_fdp_bound <- function(x, n = 10L) {
  about <- attr(x, "about")
  table <- as.data.frame(x)
  associated <- table$n_features - table$n_false
  informative <- associated > c(0L, cummax(associated)[-nrow(table)])
  rest <- sum(!informative)
  new_facts(
    "Bounds on the false positives in lists of the best",
    design = sprintf(
      "confidence %s; %s of the outcome", as_percent(about$conf_level),
      count_of(about$n_permutations, "permutation")
    ),
    verdict = list(List = describe_fdp_bound(table, about$unit)),
    sections = list(if (any(informative)) {
      new_section(table[informative, ], n, digits = 2, below = if (rest > 0L) {
        sprintf("%s no more; as.data.frame() returns all", count_saying(rest))
      })
    })
  )
}

#' @rdname fdp_bound
#' @param x (object of class `stabilect_fdp_bound`) made by `fdp_bound()`.
#' @param ... Not used by `print()`, which shows what the bounds support and the informative cuts;
#'   `as.data.frame()` has all.
#' @export
print.stabilect_fdp_bound <- function(x, ...) {
  if (is_whole_bound(x)) {
    return(print.stabilect(x))
  }
  print(as.data.frame(x), ...)
  invisible(x)
}

#' @exportS3Method
format.stabilect_fdp_bound <- function(x, ...) {
  if (is_whole_bound(x)) format.stabilect(x) else format(as.data.frame(x), ...)
}

# A part of the table without its columns prints as a data frame.
is_whole_bound <- function(x) {
  !is.null(attr(x, "about")) && all(c("n_features", "n_false") %in% names(x)) && nrow(x) > 0L
}

count_saying <- function(n) if (n == 1L) "1 cut says" else sprintf("%d cuts say", n)

# The cut with the most features of which at least so many are associated.
describe_fdp_bound <- function(table, unit) {
  associated <- table$n_features - table$n_false
  best <- which.max(associated)
  k <- table$n_features[best]
  if (associated[best] == 0L) {
    return(c(
      sprintf(
        "no bound below 100\u00a0%% is possible for the best %s",
        count_of(max(table$n_features), unit)
      ),
      "each of them may be without association"
    ))
  }
  sprintf(
    "at most %d of the best %s without association", table$n_false[best],
    paste(count_of(k, unit), if (k == 1L) "is" else "are")
  )
}

#' @rdname fdp_bound
#' @param row.names,optional not used; part of the generic.
#' @export
as.data.frame.stabilect_fdp_bound <- function(x, row.names = NULL, # nolint: object_name_linter.
                                              optional = FALSE, ...) {
  attr(x, "about") <- NULL
  class(x) <- "data.frame"
  x
}

# s_j of the help page.
# @return list(value (raised by the possible rounding error), above (j - 1)).
null_envelope <- function(null, conf_level) {
  kept <- nrow(null$top)
  observed <- utils::head(sort(null$observed, decreasing = TRUE), kept)
  j <- 2^(0:8)
  j <- j[j <= kept]
  values <- cbind(unname(observed), null$top)[j, , drop = FALSE]
  place <- apply(values, 1L, rank, ties.method = "min")
  worst <- apply(matrix(place, ncol(values)), 1L, max)
  level <- sort(worst)[ceiling(conf_level * length(worst) - 1e-9)]
  s <- apply(values, 1L, function(v) sort(v)[level])
  list(value = s + 1e-9 * abs(s), above = j - 1)
}
