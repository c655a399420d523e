#' Relief-F and RReliefF selector
#'
#' Scores features by their difference between a sample and its nearest neighbours: neighbours of
#' other classes count positively, neighbours of the same class negatively. This is Relief-F for
#' classes, RReliefF for numbers. Unlike univariate filters, Relief detects features that matter
#' only in combination.
#'
#' @param n_neighbours (whole number >= 1) number k of nearest neighbours of each sample and class.
#' @details
#' A run has m samples, and class C has prior probability P(C) in the run. The difference d of two
#' samples in a feature is divided by the range of the feature. Then
#' \deqn{W_j = \sum_i \frac{1}{m} \Big[\sum_{C \ne c_i} \frac{P(C)}{1 - P(c_i)} \frac{1}{k}
#'   \sum_{l \in M_k(i, C)} d_j(i, l) - \frac{1}{k} \sum_{l \in H_k(i)} d_j(i, l)\Big],}
#' with the k nearest hits H and misses M (Kononenko 1994). All samples are visited. For numbers
#' \deqn{W_j = \frac{N_{dC \& dj}}{N_{dC}} - \frac{N_{dj} - N_{dC \& dj}}{m - N_{dC}}}
#' (Robnik-Sikonja & Kononenko 2003, Eq. 17-20), where every neighbour has the weight 1/k.
#'
#' **Distances** are Manhattan distances over all features. Features are divided by their range over
#' all samples: all runs share one matrix of distances. A numeric outcome is divided by its range in
#' the run. Neighbours that are equally near share the places that
#' are left.
#'
#' **Repeated rows** of a run count as often as they are in it, but a copy is not its own neighbour:
#' it would be a hit at distance 0. If there are fewer than k neighbours, their number replaces k; a
#' class of one sample has no hits.
#'
#' **Scores** are between -1 and 1. A feature that is constant in the run has the run's lowest
#' score. Equal columns have equal scores.
#' @return (`stabilect_selector`) for [select_ensemble()] and [score_features()].
#' @section Errors:
#' Class `stabilect_error_input` if `n_neighbours` is out of range.
#' @references Kononenko I (1994). Estimating attributes: analysis and extensions of RELIEF. *ECML
#'   1994*, 171-182. \doi{10.1007/3-540-57868-4_57}
#'
#'   Robnik-Sikonja M, Kononenko I (2003). Theoretical and empirical analysis of ReliefF and
#'   RReliefF. *Machine Learning* 53, 23-69. \doi{10.1023/A:1025667309714}
#' @family selectors
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' scores <- score_features(x, mcl_sll$MCL, selector_relief())
#' head(scores[order(scores$rank), ])
#' @export
selector_relief <- function(n_neighbours = 10) {
  n_neighbours <- check_count(n_neighbours)
  score <- function(x, y, weights, control) {
    classes <- !is.null(y$codes)
    value <- cpp_score_relief(
      x, as.double(if (classes) y$codes else y$y), if (classes) length(y$levels) else 0L, weights,
      n_neighbours, control$n_threads, control$report
    )
    new_runs(value, status_of_runs(y, weights), colnames(x))
  }
  new_selector("relief", "Relief", list(n_neighbours = n_neighbours),
    c("binary", "multiclass", "numeric"), score
  )
}
