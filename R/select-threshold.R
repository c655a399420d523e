#' Threshold of a score curve by three segments
#'
#' Sorts the logarithms of positive scores and fits a curve that is quadratic, then linear, then
#' quadratic. Features above the upper knot are reported as informative if the curve really bends up
#' there.
#'
#' @inheritParams arguments
#' @param scores (numeric vector, one non-negative value per feature) scores, named by feature;
#'   unnamed scores are called `V1`, `V2`, ... Zeros are left out of the curve; missing values are
#'   an error.
#' @param min_segment (whole number >= 1) smallest number of features in a bent segment; a bent
#'   segment may always be empty.
#'
#' @details
#' The curve is quadratic below the lower knot a, straight between the knots, and quadratic above
#' the upper knot b, with a continuous slope:
#' \deqn{c_0 + c_1 t + c_2 (a - t)_+^2 + c_3 (t - b)_+^2, \quad a \le b,}
#' for the rank t of the logarithms of the positive scores. It is step 9 of Algorithm 1 of Zare et
#' al. (2013), who argue that scores of irrelevant features lie on the straight part. They give no
#' search for the knots; here the residual sum of squares is minimised over *all* pairs of ranks.
#'
#' **The threshold is no test of association.** `bends_up` only describes the *shape* of the curve.
#' Scores of another shape, for example log-normal ones, do bend, as do scores of permuted outcomes.
#' On the colon data (100 runs) all of six permutations of the classes had an upper bend, with 120
#' to 187 features above it; the true classes had 88 to 119 (eight sets of runs). The number does
#' not settle as runs are added. Compare results only at equal numbers of runs.
#'
#' **Does it bend up?** `bends_up` requires a positive \eqn{c_3}. Leaving the upper bend out (and
#' placing the lower knot again) must also raise the residual sum of squares by more than the factor
#' `bend_limit`, \eqn{2.35 + 71 / (m - 4.9)^2} for m positive scores: the 95 % point for logarithms
#' of uniform scores, a curve without any bend. Sorted scores are dependent, even if they are pure
#' noise: an F test does not apply.
#'
#' **Ties.** Equal scores keep their given order, and the upper knot never separates them. Of pairs
#' of knots that fit equally well, the fewest features above the upper knot win, then the fewest
#' below the lower.
#'
#' **Smallest segment.** `min_segment = 1` finds a single outstanding feature as one feature, and
#' does not give more false bends. If features stand out by a jump rather than a bend, up to half as
#' many of their neighbours are reported with them.
#' @return An object of class `stabilect_three_segment`, a list with
#' \describe{
#'   \item{scores}{(named numeric, m) positive scores in ascending order.}
#'   \item{fitted}{(numeric, m) the curve, in logarithms; `NA` when none was fitted.}
#'   \item{knots}{(integer, 2) ranks `lower` and `upper`; 1 is the smallest score. `lower` is 1
#'   without a lower bend, `upper` is m without an upper bend; `NA` if no curve was fitted.}
#'   \item{coefficients}{(numeric, 4) `intercept`, `slope`, `lower`, `upper`: \eqn{c_0} to
#'   \eqn{c_3}; `NA` if no curve was fitted.}
#'   \item{rss, rss_linear, rss_no_upper}{(number) residual sums of squares of the curve, of a
#'   straight line and of the best curve without upper bend; `NA` if no curve was fitted.}
#'   \item{bend_ratio, bend_limit}{(number) `rss_no_upper / rss`, and the limit that it must exceed;
#'   `NA` if no curve was fitted.}
#'   \item{bends_up}{(flag) is there a real upward bend?}
#'   \item{reason}{(string) why there is none; `NA` if there is one.}
#'   \item{threshold}{(number) height of the curve at the upper knot, as a score; `NA` without an
#'   upward bend. The knot decides which features are informative, not this height: points scatter
#'   about the curve.}
#'   \item{features}{(character) features above the upper knot, best first; empty without an upward
#'   bend.}
#'   \item{n_features}{(integer) their number.}
#'   \item{g3}{(character) the third segment, best first: every feature above the upper knot,
#'   whether or not the curve really bends up there. Algorithm 1 of Zare et al. (line 10) returns
#'   this set, without a test of the bend. Empty if no curve was fitted.}
#'   \item{n_total}{(integer) number of given scores, including zeros.}
#'   \item{min_segment}{(integer) the argument.}
#' }
#'
#' Fewer than eight positive scores, or equal ones, are no error: `bends_up` is `FALSE` and `reason`
#' gives the reason.
#'
#' `summary()` gives a data frame with a row for each segment: `segment`, `n_features`,
#' `lowest_score` and `highest_score`.
#' @section Errors:
#' Class `stabilect_error_input` if scores are missing, infinite, negative or named twice.
#' @references Zare H, Haffari G, Gupta A, Brinkman RR (2013). Scoring relevancy of features based
#'   on combinatorial analysis of Lasso with application to lymphoma diagnosis. *BMC Genomics*
#'   14(Suppl 1), S14. \doi{10.1186/1471-2164-14-S1-S14}
#' @family fealect
#' @concept 3-segment
#' @concept three-segment spline
#' @examples
#' rank <- 1:200
#' scores <- exp(rank / 50 - 0.001 * pmax(40 - rank, 0)^2 + 0.002 * pmax(rank - 180, 0)^2)
#' scores <- scores * exp(sin(rank) / 20)
#' names(scores) <- paste0("gene", rank)
#' fit <- three_segment(scores)
#' fit
#' head(fit$features)
#' @export
three_segment <- function(scores, min_segment = 1,
                          n_threads = getOption("stabilect.n_threads", 1)) {
  check_given()
  fit_three_segment(check_scores(scores), check_count(min_segment), check_threads(n_threads))
}

fit_three_segment <- function(scores, min_segment, n_threads) {
  positive <- scores[scores > 0]
  positive <- positive[order(positive, method = "radix")]
  fit <- cpp_fit_three_segment(log(positive), min_segment, n_threads)
  new_three_segment(fit, positive, length(scores), min_segment)
}

check_scores <- function(scores) {
  refuse(!is.numeric(scores) || !is.null(dim(scores)) || length(scores) < 1L,
    "{.arg scores} must be a numeric vector with one value per feature, not
      {describe_value(scores)}."
  )
  refuse_at(!is.finite(scores) | scores < 0,
    c("{.arg scores} has {figure(scores[[at]])} at position {at}.",
      i = "Scores must be finite and not negative; a feature never selected scores 0."
    )
  )
  labels <- names(scores)
  if (is.null(labels)) {
    labels <- paste0("V", seq_along(scores))
  }
  refuse_at(is.na(labels) | labels == "",
    "Value {at} of {.arg scores} has no name; name all or none."
  )
  again <- anyDuplicated(labels)
  refuse(again > 0L,
    "{.arg scores} has two values named {.val {labels[again]}}, the second at position
      {again}; every feature has one score."
  )
  stats::setNames(as.double(scores), labels)
}

# `fit` is the value of cpp_fit_three_segment(), `positive` its ascending scores.
new_three_segment <- function(fit, positive, n_total, min_segment) {
  fitted_curve <- !fit$status %in% c("too_few_points", "all_equal")
  known <- function(value) if (fitted_curve) value else replace(value, seq_along(value), NA)
  bends_up <- fit$status == "bends_up"
  m <- length(positive)
  knots <- stats::setNames(known(fit$knots), c("lower", "upper"))
  coefficients <- stats::setNames(
    known(fit$coefficients), c("intercept", "slope", "lower", "upper")
  )
  fitted <- curve_height(coefficients, knots, seq_len(m))
  features <- rev(utils::tail(names(positive), fit$n_informative))
  new_object("stabilect_three_segment",
    scores = positive, fitted = fitted, knots = knots, coefficients = coefficients,
    rss = known(fit$rss), rss_linear = known(fit$rss_linear),
    rss_no_upper = known(fit$rss_no_upper), bend_ratio = known(fit$bend_ratio),
    bend_limit = known(fit$bend_limit), bends_up = bends_up,
    reason = describe_bend(fit, m),
    threshold = if (bends_up) exp(fitted[[knots[["upper"]]]]) else NA_real_,
    features = features, n_features = fit$n_informative,
    g3 = if (fitted_curve) rev(names(positive)[-seq_len(knots[["upper"]])]) else character(),
    n_total = n_total, min_segment = min_segment
  )
}

curve_height <- function(coefficients, knots, rank) {
  coefficients[["intercept"]] + coefficients[["slope"]] * rank +
    coefficients[["lower"]] * pmax(knots[["lower"]] - rank, 0)^2 +
    coefficients[["upper"]] * pmax(rank - knots[["upper"]], 0)^2
}

describe_bend <- function(fit, n_positive) {
  switch(fit$status,
    bends_up = NA_character_,
    too_few_points = sprintf(
      "only %d feature%s a positive score; a curve needs 8", n_positive,
      if (n_positive == 1L) " has" else "s have"
    ),
    all_equal = "all positive scores are equal",
    straight = "the sorted log scores lie on a straight line",
    bends_down = "the upper part of the curve bends down",
    not_real = sprintf(
      "the best scores do not stand out (three segments fit %s times better than two; needed: %s)",
      figure(fit$bend_ratio, digits = 3), figure(fit$bend_limit, digits = 3)
    )
  )
}

#' @exportS3Method
facts_of.stabilect_three_segment <- function(x, n = 10L) {
  shown <- utils::head(x$features, 6)
  more <- if (x$n_features > length(shown)) sprintf("%d more", x$n_features - length(shown))
  new_facts(
    "Three-segment fit of a score curve",
    sprintf("%s of %d with a positive score", count_of(length(x$scores), "feature"), x$n_total),
    verdict = list(List = if (x$bends_up) {
      c(
        sprintf("%s above the cut", count_of(x$n_features, "feature")), toString(c(shown, more)),
        describe_segments(x)
      )
    } else {
      describe_segments(x)
    })
  )
}

# The cut and its evidence, or the reason that there is none.
describe_segments <- function(x) {
  if (!x$bends_up) {
    return(sprintf("the score curve gives no cut: %s", x$reason))
  }
  c(
    sprintf(
      "knots of the score curve at ranks %d and %d of %d; threshold score %s", x$knots[["lower"]],
      x$knots[["upper"]], length(x$scores), figure(x$threshold, digits = 3)
    ),
    sprintf(
      "three segments fit %s times better than two (required: %s; residual sum of squares)",
      figure(x$bend_ratio, digits = 3), figure(x$bend_limit, digits = 3)
    )
  )
}

#' @rdname three_segment
#' @param object (`stabilect_three_segment`) result of `three_segment()`.
#' @param ... Not used.
#' @export
summary.stabilect_three_segment <- function(object, ...) {
  refuse_dots(...)
  table <- as.data.frame(object)
  parts <- split(table$score, table$segment)
  data.frame(
    segment = names(parts),
    n_features = lengths(parts, use.names = FALSE),
    lowest_score = vapply(parts, function(s) if (length(s)) min(s) else NA_real_, 0),
    highest_score = vapply(parts, function(s) if (length(s)) max(s) else NA_real_, 0),
    row.names = NULL
  )
}

#' Score curve as a table
#'
#' @param x (`stabilect_three_segment`) result of [three_segment()].
#' @param row.names,optional,... not used; part of the generic.
#' @return (data frame, one row per feature with a positive score, ascending) `feature` (character),
#'   `score` (number), `rank` (integer, 1 = smallest score), `segment` (factor `lower`, `middle`,
#'   `upper`: below, between and above the knots) and `fitted` (number, the curve as a score). The
#'   last two are `NA` if no curve was fitted.
#' @family fealect
#' @examples
#' tail(as.data.frame(three_segment(exp(c(1:30, 40)))))
#' @export
as.data.frame.stabilect_three_segment <- function(x, row.names = NULL, # nolint: object_name_linter.
                                                  optional = FALSE, ...) {
  rank <- seq_along(x$scores)
  code <- 2L - (rank < x$knots[["lower"]]) + (rank > x$knots[["upper"]])
  data.frame(
    feature = names(x$scores), score = unname(x$scores), rank = rank,
    segment = factor(c("lower", "middle", "upper")[code], c("lower", "middle", "upper")),
    fitted = exp(x$fitted)
  )
}
