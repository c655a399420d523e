#' Replication of a feature list: what a new study would recover
#'
#' Runs a whole procedure on pairs of disjoint halves of the samples and counts the features that
#' recur in the other half. This is what a new study would show, for half the samples. The stability
#' of runs on the same samples ([stability()]) does not show it: on pure noise it is 0.25 where the
#' truth is 0.02 (`experiments/honest-error`).
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param object (result of [fealect()], [stability_selection()], [bolasso()], [select_ensemble()],
#'   [hybrid_rfe()] or [split_test()]; or a function of (`x`, `y`, ...) that returns a result, for
#'   example `function(x, y, ...) select_ensemble(x, y, selector_filter("t"), ...)`) the procedure.
#'   A result is repeated with the same settings and number of runs. A function gets `seed`,
#'   `n_threads` and `progress` if it takes them.
#' @param x,y (as in the call of `object`) the data.
#' @param n_pairs (whole number >= 1) number of divisions of the samples.
#' @param n_features (whole numbers >= 1, or `NULL`) numbers of best features to compare; `NULL` for
#'   10, 20 and 50, as far as they are at most half of the features, or for half of fewer than 20.
#'   The procedure's own selection is always compared as well.
#' @param checkpoint (string, or `NULL`) file for finished halves, see `vignette("scaling-out")`.
#'
#' @details
#' **What the numbers mean.** `overlap` is the share of a list of one half that is in the list of
#' the other half, `by_chance` what chance gives. A list from all samples is more reliable than a
#' list from half of them: `extrapolated` is for a new study of all samples, by the formula of
#' Spearman (1910) and Brown (1910). It is approximate: in simulations with 60 samples it was
#' between 0.09 too low and 0.02 too high on average, and off by 0.02 to 0.13 (root mean square) for
#' a single data set. In samples of 40 and 80 from published and simulated data it was off by 0.12,
#' for one set by 0.25. `overlap` itself was below the truth whenever there was a signal.
#'
#' Halves of different pairs share samples. The shares in `again` compare features with each other,
#' but are higher than in new studies. No number here shows whether *this* list is luckier than
#' others from the same population.
#'
#' **Would my patient get this prediction again?** If results have a final model, as in [fealect()],
#' the model of each half predicts the samples of the other half, which it has not seen.
#' `predictions` compares these with the model of `object`, as Riley and Collins (2023) do with
#' models of bootstrap samples. Models of halves vary more than models of all samples. `lower` and
#' `upper` allow for halves that share samples (Shao and Wu 1989). In samples of 40 and 80 from four
#' large data sets and two simulated ones, these intervals contained 90 to 99 % of the predictions
#' by new studies of half the size, and 88 to 98 % by new studies of the same size. The quantiles
#' 0.025 and 0.975 of the predictions by halves contained 64 to 79 % (`experiments/honest-error`).
#'
#' Each half is also adjusted for the **covariates** of `object`. A level that a half does not have
#' is left out there, and its model predicts no sample of that level.
#'
#' Each class is divided at random into two halves (of whole blocks, if any).
#' `vignette("how-computed")` has the formulas.
#' @return An object of class `stabilect_replication`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per list) `list` (string: `"top 10"`, ..., `"own set"`),
#'   `n_features` (its size, the mean for sets), `n_again` (mean number of features that recur in
#'   the other half), `overlap`, `by_chance`, `extrapolated`; the last three are `NA`
#'   if all sets are empty.}
#'   \item{again}{(data frame, one row per feature that was in any of these lists) `feature`, and
#'   for each list (`top_10`, ..., `own_set`) the share of halves whose list contains the feature.
#'   Ordered as the table of `object`, or by the first of these shares.}
#'   \item{predictions}{(data frame, one row per sample; `NULL` if results have no model) `sample`,
#'   `predicted` (by the model of `object`, which has seen the sample; the mean over models if
#'   `object` is a function): the probability of the second class, a fitted value, or a risk.
#'   `n_models` (models of halves without the sample), `mean` of their predictions, `lower` and
#'   `upper` (95 % interval for the prediction by a new study of half the size; `NA` for a single
#'   model), `distance` (mean absolute difference from `predicted`) and `other_class` (share of
#'   these models that predict another class than `predicted`; `NA` without classes). All but the
#'   first three are `NA` if `n_models` is 0, for example for the only sample with a level of a
#'   covariate.}
#'   \item{asked}{(list) `n_pairs`, `n_features`.}
#'   \item{study,made}{(lists) about the data and the runs, see [results]. `made$n_runs` halves;
#'   `made$n_failed` halves were left out because the procedure failed on one half of the pair;
#'   `made$predicts` is the kind of `predictions`: `"probability"`, `"fitted value"` or `"risk"`.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for other data than in `object`, custom resamples, and a function
#' that returns no result; `stabilect_error_runs` if all pairs failed.
#' @references Riley RD, Collins GS (2023). Stability of clinical prediction models developed using
#'   statistical or machine learning methods. *Biometrical Journal* 65, 2200302.
#'
#'   Shao J, Wu CFJ (1989). A general theory for jackknife variance estimation. *Annals of
#'   Statistics* 17, 1176-1197.
#'
#'   Spearman C (1910). Correlation calculated from faulty data. *British Journal of
#'   Psychology* 3, 271-295.
#'
#'   Brown W (1910). Some experimental results in the correlation of mental abilities. *British
#'   Journal of Psychology* 3, 296-322.
#' @concept reproducibility
#' @concept replicability
#' @concept robustness
#' @family evidence
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1)
#' evaluate_replication(fit, x, mcl_sll$MCL, n_pairs = 5, n_features = 10, seed = 1)
#' @export
evaluate_replication <- function(object, x, y, n_pairs = 20, n_features = NULL, seed = NULL,
                                 n_threads = getOption("stabilect.n_threads", 1),
                                 progress = interactive(), checkpoint = NULL) {
  check_given(except = "y")
  about <- question(
    x, y, object, "evaluate_replication", "a replication", n_threads, progress, seed, checkpoint,
    offset = TRUE
  )
  study <- about$study
  asked <- list(
    n_pairs = check_count(n_pairs), n_features = check_list_sizes(n_features, study$p)
  )
  plan <- resample_pairs(asked$n_pairs, stratify = can_stratify(study, 1 / 2))
  draws <- study_draws(study, plan, about$seed, part = TRUE)
  halves <- lapply(seq_len(draws$n_runs), function(half) which(draws$counts[, half] > 0L))
  name <- about$procedure$name
  longest <- max(asked$n_features)
  read <- with_data(function(result, study, rows, seed) {
    one <- rank_part(result, study, rows, name)
    if (is.list(one)) one$order <- utils::head(one$order, longest)
    one
  }, name = name, longest = longest)
  rankings <- over_parts(about, halves, read, "Halves", asked)
  new_replication(rankings, object, asked, study, about$record, draws)
}
register_verb("evaluate_replication", place = 16, without = "count")

check_list_sizes <- function(n_features, p) {
  if (is.null(n_features)) {
    # Longer lists of few features agree by chance.
    sizes <- c(10L, 20L, 50L)
    return(if (p >= 20L) sizes[sizes <= p / 2] else max(1L, p %/% 2L))
  }
  refuse(!is.numeric(n_features) || length(n_features) == 0L || anyDuplicated(n_features),
    "{.arg n_features} must hold distinct whole numbers."
  )
  vapply(n_features, check_count, 1L, name = "n_features", max = p)
}

# @param result of answer_on().
# @return list(order, own, link, predicts, model), or the reason of the failure.
rank_part <- function(result, study, rows, name) {
  if (is.character(result)) {
    return(result)
  }
  ranking <- ranking_of_result(result, study$feature_names, name)
  c(ranking, predict_rest(result$model, study, rows))
}

new_replication <- function(rankings, object, asked, study, record, draws) {
  failed <- vapply(rankings, is.character, NA)
  left <- which(!(failed | failed[seq_along(failed) + rep_len(c(1L, -1L), length(failed))]))
  refuse(length(left) == 0L,
    "The procedure failed on every pair of halves: {unique(unlist(rankings[failed]))}.",
      class = "runs"
  )
  sizes <- asked$n_features
  lists <- c(
    lapply(sizes, function(k) lapply(rankings[left], function(one) utils::head(one$order, k))),
    list(lapply(rankings[left], `[[`, "own"))
  )
  names(lists) <- c(paste("top", sizes), "own set")
  rows <- lapply(lists, overlap_of_halves, p = n_varying(record))
  table <- cbind(list = names(lists), do.call(rbind, rows))
  rownames(table) <- NULL
  new_result(
    "stabilect_replication", table,
    again = share_of_halves(lists, object, record),
    predictions = prediction_instability(rankings[left], object, study),
    asked = asked, study = record,
    made = list(
      seed = draws$seed, n_runs = draws$n_runs, n_failed = draws$n_runs - length(left),
      reasons = unlist(rankings[failed]), n_half = sum(draws$counts[, 1] > 0L),
      predicts = rankings[[left[1]]]$predicts
    )
  )
}

# @param sets (list of integer vectors) two by two the lists of a pair of halves.
overlap_of_halves <- function(sets, p) {
  first <- seq(1L, length(sets), by = 2L)
  common <- lengths(Map(intersect, sets[first], sets[first + 1L]))
  a <- lengths(sets)[first]
  b <- lengths(sets)[first + 1L]
  p <- max(p, a, b)
  size <- mean(a + b) / 2
  overlap <- if (size > 0) mean(common) / size else NA_real_
  by_chance <- if (size > 0) mean(a * b) / p / size else NA_real_
  data.frame(
    n_features = size, n_again = mean(common), overlap = overlap, by_chance = by_chance,
    extrapolated = double_length(overlap, by_chance)
  )
}

# Spearman-Brown on the overlap beyond chance; lists of all features have none.
double_length <- function(overlap, by_chance) {
  if (is.na(by_chance)) {
    return(NA_real_)
  }
  if (by_chance == 1) {
    return(1)
  }
  beyond <- max(0, (overlap - by_chance) / (1 - by_chance))
  by_chance + (1 - by_chance) * 2 * beyond / (1 + beyond)
}

share_of_halves <- function(lists, object, record) {
  share <- vapply(lists, function(sets) {
    tabulate(unlist(sets), record$p) / length(sets)
  }, numeric(record$p))
  share <- matrix(share, record$p, dimnames = list(NULL, gsub(" ", "_", names(lists))))
  order <- if (is.function(object)) {
    order_best(record$feature_names, share[, 1])
  } else {
    match(object$table$feature, record$feature_names)
  }
  known <- rowSums(share) > 0
  if (!is.function(object)) known[match(object$features, record$feature_names)] <- TRUE
  order <- order[known[order]]
  data.frame(feature = record$feature_names[order], share[order, , drop = FALSE])
}
