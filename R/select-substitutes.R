#' Substitutes of selected features
#'
#' Of several features with the same information, each run selects another one, often by chance.
#' `substitutes()` names for each selected feature those that are correlated with it *and* selected
#' instead of it. A list with "GUCA2B, or one of 4 that stand for it" is more useful to a laboratory
#' that can measure only one of them than a list with GUCA2B.
#'
#' @param object (result with runs, for example of [fealect()], [stability_selection()], [bolasso()]
#'   or [select_ensemble()]; `stabilect_selection`, or what [as_selection()] takes) at least three
#'   successful runs.
#' @param x (n x p; numeric matrix, data frame, or another form of [prepare_study()]) samples by
#'   features, matched by name: the data of the runs, or other samples of the same features.
#' @param features (names or numbers of features, or `NULL`) features whose substitutes you want.
#'   `NULL` takes the selected features of a result, or the ten most frequent features of runs
#'   without a result. With clusters, their names.
#' @param threshold (number in (0, 1\]) smallest absolute correlation (Pearson's).
#' @param max_p (number in (0, 1\]) largest p-value; 1 names every correlated feature that is
#'   selected in a larger share of the runs without the feature than with it.
#'
#' @details
#' Of m runs, \eqn{m_j} select feature j, \eqn{m_k} feature k, and \eqn{m_{jk}} both. Feature k is a
#' substitute of j under three conditions. First, \eqn{|r_{jk}| \ge} `threshold`. Second, the share
#' of runs with k is smaller among the runs with j than among the others, \eqn{m_{jk} / m_j < (m_k -
#' m_{jk}) / (m - m_j)}. Third, so few runs with both would be rare if both were selected
#' independently:
#' \deqn{p = P(A \le m_{jk}), \quad A \sim \mbox{hypergeometric: } m_j
#'   \mbox{ draws from } m \mbox{ runs, of which } m_k \mbox{ have k}}{p = P(A <= m_jk), A
#'   hypergeometric: m_j draws from m runs, of which m_k have k}
#' is at most `max_p` (the lower tail of Fisher's exact test). With `select_ensemble(subspace = )`
#' only runs that looked at both features count. A feature that every run selects has no
#' substitutes: nothing was selected instead of it.
#'
#' The p-value describes the runs on this data set and sorts pairs by how clear the exchange is. It
#' is no evidence about new samples: it shrinks as runs are added, and the two runs of a
#' complementary pair are not independent. It is not corrected for the number of candidates.
#'
#' *Check by deletion.* `experiments/clusters` deletes each of the ten most frequent features from
#' the data of [colon_genes] and [mcl_sll] in turn, for three procedures, and repeats all runs. Of
#' the substitutes named with the default limits, 25 % were then selected in a tenth of the runs or
#' more beyond their former share; of other features correlated by 0.7 or more 12 %; of those
#' correlated by less 0.6 %. This is the reason for the default `threshold`. The names are
#' candidates: only runs without a feature show which one takes its place. 30 of the 60 features had
#' a substitute.
#'
#' With `stability_selection(clusters = )` all this refers to clusters: to runs that select them,
#' and to the correlation of their columns as `predict()` makes them. Clusters cut at 0.7 are seldom
#' correlated by as much: use a lower `threshold`. The features of a cluster stand for each other by
#' construction; for these use `substitutes(result$member_selection, x)`.
#'
#' @return An object of class `stabilect_substitutes`, a list with
#' \describe{
#'   \item{table}{(data frame, a row per feature and substitute, in the order of `features`, the
#'   smallest p-value first) `feature`, `substitute`, `correlation` (with its sign), `frequency`
#'   (share of all runs with the substitute), `share_with` and `share_without` (share of runs with
#'   the substitute among the runs with the feature, and among the others), `exclusive` (share of
#'   the runs with at least one of both that contain exactly one) and `p_value`. No rows without
#'   substitutes.}
#'   \item{features}{(data frame, a row per requested feature) `feature`, `frequency` (share of
#'   runs), `n_substitutes` and `together` (share of runs with the feature or one of its
#'   substitutes).}
#'   \item{asked}{(list) `threshold`, `max_p`.}
#'   \item{n_runs, n_total, label, unit}{number of runs and features, name of the procedure
#'   (string), and what it selects (string, `"feature"` or `"cluster"`).}
#' }
#' `as.data.frame()` gives `table`.
#' @section Errors:
#' Class `stabilect_error_input`: unknown features, `x` without some of the features or with missing
#' values, fewer than three successful runs, a `threshold` or `max_p` outside (0, 1\].
#' @family selection
#' @seealso [explain_stability()] for the effect of exchanged features on stability;
#' [cluster_features()] and [stability_selection()] to select clusters in the first place.
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 200, max_features = 5, seed = 1)
#' found <- substitutes(fit, x)
#' found
#' as.data.frame(found)
#' # Whatever is correlated by a half, and selected less often together than apart.
#' substitutes(fit, x, features = "T6.P11", threshold = 0.5, max_p = 1)
#' @export
substitutes <- function(object, x, features = NULL, threshold = 0.7, max_p = 0.05) {
  check_given()
  selection <- as_selection(object)
  runs <- selection[ok_runs(selection)]
  refuse(runs$n_runs < 3L,
    "Substitutes are found in at least 3 successful runs, but {.arg object} has
      {runs$n_runs}."
  )
  threshold <- check_fraction(threshold)
  max_p <- check_fraction(max_p)
  frequency <- mean_selected(runs)
  unit <- unit_of(if (inherits(object, "stabilect_result")) object$study)
  at <- asked_features(object, features, runs, frequency, unit$word)
  used <- which(frequency > 0)
  correlations <- joint_correlations(object, x, runs, at, used, unit)
  counts <- joint_counts(runs, used)
  found <- lapply(at, function(j) {
    find_substitutes(j, used, correlations(j), counts(j), threshold, max_p)
  })
  new_object("stabilect_substitutes",
    table = substitute_table(found, at, runs$feature_names, frequency),
    features = substituted_features(found, at, runs, frequency),
    asked = list(threshold = threshold, max_p = max_p), n_runs = runs$n_runs,
    n_total = runs$n_total, label = runs$method, unit = unit$word, study = runs$study
  )
}

# The rows of the requested features.
asked_features <- function(object, features, runs, frequency, unit_name) {
  if (is.null(features) && inherits(object, "stabilect_result") && is.character(object$features)) {
    features <- object$features
  }
  if (!is.null(features)) {
    features <- stand_ins(features, runs$study)
    features <- check_features(features, runs$feature_names, "object", unit_name)
    return(if (is.character(features)) match(features, runs$feature_names) else features)
  }
  often <- order_best(runs$feature_names, frequency)
  utils::head(often[frequency[often] %in% frequency[frequency > 0]], 10L)
}

# @param at,used (integer) rows of the runs.
# @return function of a row j of `at`: its correlations with `used`.
joint_correlations <- function(object, x, runs, at, used, unit) {
  x <- features_in(x, object, runs)
  wanted <- union(at, used)
  x <- unit_columns(unit$columns(x, object, runs, wanted))
  others <- x[, match(used, wanted), drop = FALSE]
  # Rounding: copies of a column are correlated by 1.
  function(j) pmin(1, pmax(-1, drop(crossprod(others, x[, match(j, wanted)]))))
}

# A table of all that is known of the samples has further columns: outcome, covariates.
features_in <- function(x, object, runs) {
  if (inherits(x, "stabilect_data")) {
    return(pooled_draws(x))
  }
  own <- c(runs$feature_names, record_of(object)$feature_names)
  if (is.data.frame(x) && all(runs$feature_names %in% names(x))) {
    x <- take_columns(x, names(x) %in% own)
  }
  prepare_study(x)$x
}

# @param used (integer) rows of the runs.
# @return function of a row j: list of numbers of runs for each of `used`: all, with j (`own`), with
#   the other feature (`other`), with both; among the runs that looked at both.
joint_counts <- function(runs, used) {
  selected <- as_dgc(runs$selected)
  others <- selected[used, , drop = FALSE]
  if (!is.matrix(runs$score) || !anyNA(runs$score)) {
    all <- rep(runs$n_runs, length(used))
    other <- Matrix::rowSums(others)
    return(function(j) {
      own <- selected[j, ]
      list(
        all = all, own = rep(sum(own), length(used)), other = other,
        both = as.vector(others %*% own)
      )
    })
  }
  seen <- !is.na(runs$score)
  function(j) {
    own <- selected[j, ]
    looked <- seen[j, ] + 0
    list(
      all = drop(seen[used, , drop = FALSE] %*% looked),
      own = drop(seen[used, , drop = FALSE] %*% own), other = as.vector(others %*% looked),
      both = as.vector(others %*% own)
    )
  }
}

# @param r,counts of joint_correlations() and joint_counts().
# @return (data frame) other (row of the runs), correlation and the shares, smallest p first.
find_substitutes <- function(j, used, r, counts, threshold, max_p) {
  instead <- counts$both * counts$all < counts$own * counts$other
  # The tails take longest: only for these.
  close <- which(used != j & abs(r) >= threshold - 1e-9 & instead)
  one <- lapply(counts, `[`, close)
  p <- stats::phyper(one$both, one$own, one$all - one$own, one$other)
  kept <- which(p <= max_p)
  kept <- kept[order(p[kept], -abs(r[close[kept]]), method = "radix")]
  one <- lapply(one, `[`, kept)
  data.frame(
    other = used[close[kept]], correlation = r[close[kept]], share_with = one$both / one$own,
    share_without = (one$other - one$both) / (one$all - one$own),
    exclusive = 1 - one$both / (one$own + one$other - one$both), p_value = p[kept]
  )
}

substitute_table <- function(found, at, feature_names, frequency) {
  all <- do.call(rbind, found)
  number <- vapply(found, nrow, 0L)
  data.frame(
    feature = rep(feature_names[at], number), substitute = feature_names[all$other],
    all["correlation"], frequency = frequency[all$other],
    all[c("share_with", "share_without", "exclusive", "p_value")], row.names = NULL
  )
}

substituted_features <- function(found, at, runs, frequency) {
  score <- runs$score
  together <- Map(function(j, substitutes) {
    met <- Matrix::colSums(runs$selected[c(j, substitutes$other), , drop = FALSE]) > 0
    mean(if (is.matrix(score)) met[!is.na(score[j, ])] else met)
  }, at, found)
  together <- as.double(unlist(together))
  together[is.nan(together)] <- NA_real_
  data.frame(
    feature = runs$feature_names[at], frequency = frequency[at],
    n_substitutes = vapply(found, nrow, 0L), together = together
  )
}

#' @exportS3Method
facts_of.stabilect_substitutes <- function(x, n = 10L) {
  unit <- x$unit
  m <- nrow(x$features)
  some <- x$features[x$features$n_substitutes > 0L, ]
  lines <- unlist(lapply(seq_len(min(n, nrow(some))), function(i) {
    own <- x$table[x$table$feature == some$feature[i], ]
    describe_substitutes(with_labels(some[i, ], x$study), with_labels(own, x$study))
  }))
  more <- if (nrow(some) > n) sprintf("... and %d more", nrow(some) - n)
  new_facts(
    sprintf("Substitutes of %s", count_of(m, unit)), describe_copies(x$study),
    design = c(
      sprintf(
        "%s over %s %ss", count_of(x$n_runs, "run"), figure(x$n_total, big.mark = ","), unit
      ),
      x$label,
      sprintf(
        "correlated by %s or more, and selected instead (p <= %s)", figure(x$asked$threshold),
        figure(x$asked$max_p)
      )
    ),
    verdict = list(List = if (m == 0L) {
      sprintf("no %s is selected; `features` can name some", unit)
    } else {
      sprintf("%d of %s with substitutes", nrow(some), count_of(m, unit))
    }),
    sections = list(if (length(lines) > 0L) new_section(above = c(lines, more)))
  )
}

# A line such as "GUCA2B (or one of 4 that stand for it): ...".
describe_substitutes <- function(feature, table) {
  m <- nrow(table)
  shown <- utils::head(table, 5L)
  names <- sprintf("%s (r\u00a0%.2f)", shown$substitute, shown$correlation)
  if (m > 5L) names <- c(names, sprintf("and\u00a0%d\u00a0more", m - 5L))
  wrap_text(sprintf(
    "%s (or %s): %s; %.2f of the runs, together %.2f", feature$feature,
    if (m == 1L) "one that stands for it" else sprintf("one of %d that stand for it", m),
    paste(names, collapse = ", "), feature$frequency, feature$together
  ), exdent = 2L)
}

#' @export
summary.stabilect_substitutes <- function(object, ...) {
  refuse_dots(...)
  object$features
}
