#' Replicability across cohorts: features found in r of K cohorts
#'
#' Compares several cohorts with the same features. For every feature it tests whether at least 1,
#' 2, ..., K of the K cohorts have an effect in the same direction. It also gives the list of each
#' cohort, and the error of predictions in a cohort that was left out as a whole. Sites can send
#' their results instead of their data.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param x (numeric matrix, n samples x p features, or another form that [prepare_study()] takes;
#'   a list of such data sets; or a list of results of `compare_cohorts()`) the features. Data sets
#'   and results may have different features: those that all have are compared. Names of the list
#'   are the names of the cohorts.
#' @param y (n values, or a list with the outcome of each data set) outcome: classes (factor,
#'   character or logical), ordered classes (ordered factor), numbers (counts are numbers), or
#'   survival times, `survival::Surv(time, event)`. Left out for prepared data and results.
#' @param cohorts (n labels, or the name of a column of the data, or `NULL`) cohort of each sample.
#'   `NULL` for a list, and for a single cohort, whose result a site can send.
#' @param object (result or function, as in [evaluate_replication()], or `NULL`) the procedure that
#'   makes the list of each cohort. `NULL` takes the features whose adjusted p-value in the cohort
#'   is at most `max_p`.
#' @param min_cohorts (whole number >= 1, or `NULL`) number of cohorts in which a feature must be
#'   found to be selected; `NULL` takes 2, and 1 for a single cohort.
#' @param method (string) combination of p-values, see Details.
#' @param p_adjust (string) correction of p-values for the number of features, see
#'   [stats::p.adjust()]: `"BH"` controls the false discovery rate, `"holm"` the family-wise error.
#' @param max_p (number in (0, 1)) largest adjusted p-value of what is found.
#' @details
#' **What the numbers mean.** The p-value of r is small if at least r cohorts have an effect in the
#' same direction. `n_found` is the largest r whose adjusted p is at most `max_p`. An effect in
#' opposite directions is no replication. In 100 simulations each of three cohorts of 20 samples,
#' fewer than r of them with signal, p was at most 0.05 for at most 5.4 % of the features, and any
#' adjusted p in at most 9 % (`experiments/cohorts`).
#'
#' **How it is computed.** In each cohort, a feature is tested by its correlation with the score of
#' the outcome, as in [find_signals()]: Student's t test for two classes, the test of Pearson's
#' correlation for numbers, nearly the score test of a Cox model for survival times; several classes
#' have an F test and no direction. Blocks and groups to compare `within` count as there. The null
#' hypothesis of r is that fewer than r cohorts have an effect in the direction (Benjamini and
#' Heller 2008): the m = K - r + 1 largest one-sided p-values are combined.
#'
#' | `method` | p | valid for |
#' |---|---|---|
#' | `"simes"` | smallest of m p / j, j their rank | independent or positively dependent cohorts |
#' | `"fisher"` | chi-squared of -2 times the sum of log p | independent cohorts |
#' | `"bonferroni"` | m times the smallest | any cohorts |
#'
#' The p-value of r is the largest of those of 1 to r. Both directions are tested; the smaller p is
#' doubled (Owen 2009). For each r the p-values of all features are adjusted by `p_adjust`.
#'
#' **A cohort left out.** A list is chosen in K - 1 cohorts: by `object`, or as the features found
#' in at least `min_cohorts` of these. A ridge regression of the list predicts the cohort left out.
#' Features are standardised within each cohort: no outcome of that cohort is used, but a single new
#' patient cannot be predicted in this way. If cohorts have different shares of the classes,
#' standardising moves features.
#'
#' **Pooled cohorts.** `find_signals(x, y, blocks = cohorts)` tests all samples together, adjusted
#' for cohorts.
#'
#' **Results alone.** Every site calls `compare_cohorts()` with its data, and sends the result: no
#' values of samples. `compare_cohorts(list(a = result_a, b = result_b))` equals the call with all
#' data, except that no cohort can be left out.
#' @return An object of class `stabilect_cohorts`, a list with
#' \describe{
#'   \item{table}{(data frame, p rows, best first) `feature`; `direction` (string: the class in
#'   which it is higher, `"+"` or `"-"`; `NA` for several classes); `n_found`; `n_agree` (cohorts
#'   with this direction); `n_named` (cohorts whose list has the feature); `correlation` (mean over
#'   cohorts of Fisher's z, weighted by n - 3, as a correlation); `p`, `p_adjusted` (of at least
#'   `min_cohorts`).}
#'   \item{features}{(character) features with `n_found` of at least `min_cohorts`.}
#'   \item{partial}{(list of two numeric matrices, p x K) `p` and `p_adjusted` of at least 1, ..., K
#'   cohorts. Rows are in the order of `table`.}
#'   \item{cohorts}{(data frame, K rows) `cohort`, `n` (samples), `n_named` (features in its list);
#'   and, where it was left out, `n_features` (of the list of the others), `error`, `lower`,
#'   `upper`, `baseline` (error without features).}
#'   \item{by_cohort}{(list of three matrices, p x K, rows as in `table`) `correlation` (0 for a
#'   constant feature; the multiple one for several classes), `p` (two-sided), `named` (flags).}
#'   \item{measure}{(string, or `NULL`) kind of the error.}
#'   \item{chosen}{(list of character, or `NULL`) the list of the others, by cohort left out.}
#'   \item{records}{(list) `study` of [results], for each cohort.}
#'   \item{asked,study,made}{(lists) as in [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for data sets without common features or with other outcomes, a
#' cohort with fewer than five samples, without a class or with fewer than two events, and an
#' `object` that adjusts for covariates or has strata.
#' @references Benjamini Y, Heller R (2008). Screening for partial conjunction hypotheses.
#'   *Biometrics* 64, 1215-1222.
#'
#'   Owen AB (2009). Karl Pearson's meta-analysis revisited. *Annals of Statistics* 37, 3867-3892.
#' @concept meta-analysis
#' @concept external validation
#' @concept batch
#' @family evidence
#' @examples
#' # Colon tissues, divided as if they came from two hospitals.
#' x <- log2(colon_genes$x)
#' y <- colon_genes$y
#' hospital <- rep_len(c("Bern", "Bern", "Oslo", "Oslo"), length(y))
#' fit <- compare_cohorts(x, y, cohorts = hospital)
#' fit
#' # The same from results of the hospitals, without their data.
#' sites <- lapply(split(seq_along(y), hospital), function(i) compare_cohorts(x[i, ], y[i]))
#' joined <- compare_cohorts(sites)
#' all.equal(joined$table, fit$table)
#' @export
compare_cohorts <- function(x, y, cohorts = NULL, object = NULL, min_cohorts = NULL,
                            method = c("simes", "fisher", "bonferroni"), p_adjust = "BH",
                            max_p = 0.05, seed = NULL,
                            n_threads = getOption("stabilect.n_threads", 1),
                            progress = interactive(), data = NULL) {
  check_given(except = "y")
  asked <- list(
    method = check_choice(method, c("simes", "fisher", "bonferroni")),
    p_adjust = check_choice(p_adjust, stats::p.adjust.methods),
    max_p = check_fraction(max_p, open_right = TRUE)
  )
  if (is_list_of_results(x)) {
    refuse(!missing(y) || !is.null(cohorts) || !is.null(object),
      "{.arg x} is a list of results: leave {.arg y}, {.arg cohorts} and {.arg object} out."
    )
    parts <- parts_of_results(x)
    asked$min_cohorts <- check_min_cohorts(min_cohorts, length(parts))
    return(new_cohorts(parts, NULL, asked, NULL))
  }
  control <- check_run(n_threads, progress)
  input <- if (is_plain_list(x)) pool_data_sets(x, y, cohorts) else divide_samples(x, y, cohorts)
  asked$min_cohorts <- check_min_cohorts(min_cohorts, length(input$rows))
  procedure <- procedure_across(object, input$study)
  asked$object <- procedure$name
  seed <- if (!is.null(object)) check_seed(seed)
  parts <- measure_cohorts(input, procedure, asked, seed, control)
  left <- if (length(parts) > 1L) leave_cohorts_out(input, parts, procedure, asked, seed, control)
  new_cohorts(parts, left, asked, seed)
}
register_verb("compare_cohorts", place = 20, without = "count")

check_min_cohorts <- function(min_cohorts, n_cohorts) {
  if (is.null(min_cohorts)) min(2L, n_cohorts) else check_count(min_cohorts, max = n_cohorts)
}

# @param parts (list, by cohort) record, correlation, p (named by feature), named (character).
# @param left of leave_cohorts_out(), or NULL.
new_cohorts <- function(parts, left, asked, seed) {
  names <- features_in_common(lapply(parts, function(part) names(part$p)))
  by_cohort <- side_by_side(parts, names)
  records <- lapply(parts, `[[`, "record")
  record <- join_records(records, names)
  found <- judge_conjunctions(by_cohort, record$directed, asked)
  n <- vapply(records, `[[`, 0L, "n")
  table <- cohorts_table(found, by_cohort, record, n, asked)
  order <- order(-table$n_found, table$p, rowSums(log(pmax(by_cohort$p, 1e-300))), method = "radix")
  in_order <- function(all) lapply(all, function(one) one[order, , drop = FALSE])
  table <- table[order, ]
  rownames(table) <- NULL
  cohorts <- data.frame(cohort = names(parts), n = n, n_named = colSums(by_cohort$named))
  rownames(cohorts) <- NULL
  new_result(
    "stabilect_cohorts", table,
    features = table$feature[table$n_found >= asked$min_cohorts],
    partial = in_order(found[c("p", "p_adjusted")]),
    cohorts = if (is.null(left)) cohorts else cbind(cohorts, left$table),
    by_cohort = in_order(by_cohort), measure = left$measure, chosen = left$chosen,
    records = records, asked = asked, study = record, made = list(seed = seed)
  )
}
