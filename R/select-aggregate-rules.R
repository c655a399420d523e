#' Rules that aggregate the scores of many runs
#'
#' A rule turns the scores of B runs into one score per feature.
#' [aggregate()][aggregate.stabilect_selection] applies it to any selection; [select_ensemble()] and
#' [evaluate_selectors()] take it as an argument.
#'
#' @param rule (string, or function) see Details. A function takes a selection (see [selection]) and
#'   returns one number per feature, higher is better; `NA` for features without any information.
#' @param ... settings of the rule, by name:
#'   * `scale` (string; `"mean_score"`): common scale for the scores of all runs before averaging:
#'     `"none"`; `"rank"` (1 for the best, 0 for the worst feature, evenly spaced); `"minmax"` (to
#'     \[0, 1\]); `"zscore"` (mean 0, standard deviation 1 over features); `"sum"` (sum of the
#'     absolute scores 1);
#'   * `power` (number > 0; `"mean_score"`): scaled scores enter as \eqn{|s|^{power - 1} s}: above
#'     1, every score is weighted by its own size;
#'   * `n_features` (whole number >= 1; `"borda"`, `"frequency_best"`): number of features of each
#'     run that get points (default: all), or that count as the best (default: the number to be
#'     selected in the end; d in Dernoncourt et al. 2014);
#'   * `decay` (number > 0; `"exponential"`): number of ranks over which the weight falls to 1/e; by
#'     default the number of features to be selected;
#'   * `ties` (string; `"mean_rank"`): how equal scores in a run are placed: `"mean"`, at the mean
#'     of their places, or `"random"`, in a random order in every run, drawn by `seed`;
#'   * `seed` (whole number; 1; `"mean_rank"` with `ties = "random"`): the order differs with the
#'     seed and with the scores, and leaves the session's random numbers alone;
#'   * `cutoff` (number in (0, 1\]; `"frequency"`, `"frequency_best"`): features at or above this
#'     frequency are selected; by default the best ones, as with the other rules;
#'   * `name` (string; functions): name in tables and plots.
#' @param run_weights (numeric >= 0, one per run, or `NULL`) weights of the runs, including failed
#'   ones. `"best_rank"`, `"robust_rank"` and functions do not use weights.
#'
#' @details
#' \eqn{s_{fb}} is the score and \eqn{r_{fb}} the rank (1 is best) of feature f in run b. Means are
#' weighted by `run_weights`. The score of feature f is
#'
#' | rule | score |
#' |---|---|
#' | `"mean_score"` | mean of \eqn{s_{fb}}, scaled (Dernoncourt et al. 2014, Eq. 1) |
#' | `"mean_rank"` | minus the mean of \eqn{r_{fb}} (Eq. 2) |
#' | `"median_rank"` | minus the median of \eqn{r_{fb}} |
#' | `"best_rank"` | minus the smallest \eqn{r_{fb}} |
#' | `"rank_product"` | minus the geometric mean of \eqn{r_{fb}} |
#' | `"borda"` | mean of max(m - \eqn{r_{fb}} + 1, 0), m = `n_features` or p |
#' | `"exponential"` | mean of \eqn{\exp(-r_{fb} / decay)} (Haury et al. 2011) |
#' | `"robust_rank"` | \eqn{-\log_{10} \rho_f} (Kolde et al. 2012) |
#' | `"frequency"` | share of runs that selected f |
#' | `"frequency_best"` | share of runs with f among their `n_features` best (Eq. 3) |
#'
#' \eqn{\rho_f} is the smallest probability, over k, that the k-th smallest of B uniform numbers is
#' at most the k-th smallest of \eqn{r_{fb} / p}. min(1, B \eqn{\rho_f}) bounds its p-value if runs
#' rank independently. Resamples of the same data do not: use it to rank.
#'
#' `power` and `"exponential"` give more weight to higher scores and better ranks, as section 5 of
#' Dernoncourt et al. (2014) suggests.
#'
#' **Ties and gaps.** Equal scores in a run share the mean of their places. With `ties = "random"`
#' they share them by lot: where most scores are 0, as the importance of forests often is, the rank
#' of a feature is noise in every run that does not use it. Features that tie for
#' the last of the `n_features` places share these places: the order of columns has no effect. In a
#' sparse score matrix, features without an entry share the last places, have the score 0 and are
#' never among the best. `NA` in a dense matrix means that the run did not look at the feature;
#' means then use the runs that did. Infinite scores count as the largest (smallest) finite score of
#' their run. Failed runs are left out.
#' @return An object of class `stabilect_aggregation`: a list with `name` (string), `label` (string,
#'   for print and plots), `params` (list), `score` (function of `selection`, `n_features` and
#'   `n_threads`; returns a numeric vector of length p, higher is better), and `cutoff` (number, or
#'   `NULL`).
#' @section Errors:
#' Class `stabilect_error_input` for arguments out of range, and for a selection with another number
#' of runs than `run_weights`.
#' @references Dernoncourt D, Hanczar B, Zucker J-D (2014). Stability of ensemble feature selection
#'   on high-dimension and low-sample size data. *ICPRAM 2014*.
#'
#'   Haury A-C, Gestraud P, Vert J-P (2011). The influence of feature selection methods on accuracy,
#'   stability and interpretability of molecular signatures. *PLoS ONE* 6(12), e28210.
#'   \doi{10.1371/journal.pone.0028210}
#'
#'   Kolde R, Laur S, Adler P, Vilo J (2012). Robust rank aggregation for gene list integration and
#'   meta-analysis. *Bioinformatics* 28, 573-580. \doi{10.1093/bioinformatics/btr709}
#' @family aggregation
#' @concept score-averaged
#' @concept average score
#' @concept average rank
#' @concept mean rank
#' @concept stability selection of Dernoncourt
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' fit <- fealect(x, mcl_sll$MCL, n_runs = 20, seed = 1)
#' aggregate(fit$selection, aggregate_by("mean_score"), n_features = 5)
#' aggregate(fit$selection, aggregate_by("frequency", cutoff = 0.9))
#' @name aggregation
NULL

#' @rdname aggregation
#' @export
aggregate_by <- function(rule = "mean_score", ..., run_weights = NULL) {
  own <- list(...)
  if (is.function(rule)) {
    refuse_unknown(own, "name")
    refuse(!is.null(run_weights), "A function as {.arg rule} weighs the runs itself.")
    return(aggregate_custom(rule, ...))
  }
  rule <- check_choice(rule, c("mean_score", rank_rules, "frequency", "frequency_best"))
  by <- names(rank_rules)[match(rule, rank_rules)]
  refuse_unknown(own, switch(rule,
    mean_score = c("scale", "power"), mean_rank = c("ties", "seed"), borda = "n_features",
    exponential = "decay",
    frequency = "cutoff", frequency_best = c("n_features", "cutoff")
  ))
  switch(rule,
    mean_score = aggregate_score(..., run_weights = run_weights),
    frequency = aggregate_frequency("selected", ..., run_weights = run_weights),
    frequency_best = aggregate_frequency("best", ..., run_weights = run_weights),
    aggregate_rank(by, ..., run_weights = run_weights)
  )
}

# @param score (function of (selection, n_features, n_threads)) returns p numbers, higher is better.
# @param cutoff (number, or NULL) scores of at least this value are selected, whatever their number.
# @param core (string, or NULL) name of the rule in the core.
new_aggregation <- function(name, label, params, score, cutoff = NULL, core = NULL) {
  one_object(of_class("stabilect_aggregation",
    name = name, label = label, params = params, key = new_key(name, params), score = score,
    cutoff = cutoff, core = core
  ))
}

aggregate_score <- function(scale = c("none", "rank", "minmax", "zscore", "sum"), power = 1,
                            run_weights = NULL) {
  scale <- check_choice(scale, c("none", "rank", "minmax", "zscore", "sum"))
  power <- check_positive(power)
  core_aggregation(
    "mean_score",
    label = paste0(
      "mean score", if (scale != "none") paste0(", ", scale, " scale"),
      if (power != 1) paste0(", power ", figure(power))
    ),
    params = list(scale = scale, power = power, run_weights = check_rule_weights(run_weights))
  )
}

aggregate_rank <- function(by = names(rank_rules), n_features = NULL, decay = NULL,
                           ties = c("mean", "random"), seed = NULL, run_weights = NULL) {
  by <- check_choice(by, names(rank_rules))
  if (check_choice(ties, c("mean", "random")) == "random") {
    return(aggregate_random_ties(if (is.null(seed)) 1L else check_seed(seed), run_weights))
  }
  refuse(!is.null(seed), "{.arg seed} is used by {.code ties = \"random\"} only.")
  n_features <- check_count(n_features, null_ok = TRUE)
  decay <- check_positive(decay, null_ok = TRUE)
  refuse(!is.null(run_weights) && by %in% c("best", "robust"),
    "{.arg run_weights} cannot be used with {.val {rank_rules[[by]]}}: it has no mean over runs."
  )
  size <- switch(by,
    borda = function(n) if (is.null(n_features)) 0 else n_features,
    exponential = function(n) if (is.null(decay)) n else decay,
    function(n) 1
  )
  core_aggregation(
    rank_rules[[by]],
    paste0(
      rank_labels[[by]], if (!is.null(n_features)) paste0(", ", n_features, " best"),
      if (!is.null(decay)) paste0(", decay ", figure(decay))
    ),
    list(n_features = n_features, decay = decay, run_weights = check_rule_weights(run_weights)),
    size = size
  )
}

# The mean of ranks in which equal scores follow each other by lot. The lot depends on the scores:
# runs of other data with the same seed do not put the same features first.
aggregate_random_ties <- function(seed, run_weights) {
  weights <- check_rule_weights(run_weights)
  new_aggregation(
    "mean_rank", "mean rank, ties at random",
    list(ties = "random", seed = seed, run_weights = weights),
    function(selection, n_features, n_threads = 1L) {
      score <- dense_scores(selection, ok_runs(selection))
      places <- with_seed(seed_of(seed, score), {
        apply(-score, 2L, rank, na.last = "keep", ties.method = "random")
      })
      -mean_of_runs(matrix(places, nrow(score)), weights_of_runs(weights, selection))
    }
  )
}

# A dense matrix of the scores of some runs; features without an entry score 0, as in the core, or
# less than any feature that was scored.
dense_scores <- function(selection, runs) {
  score <- if (is.null(selection$score)) selection$selected else selection$score
  sparse <- !is.matrix(score)
  score <- as.matrix(score[, runs, drop = FALSE]) + 0
  if (sparse) score[score == 0] <- -Inf
  score
}

seed_of <- function(seed, score) {
  (seed + strtoi(substr(hash_plain(score), 1L, 7L), 16L)) %% .Machine$integer.max
}

mean_of_runs <- function(values, weights) {
  if (is.null(weights)) weights <- rep(1, ncol(values))
  known <- !is.na(values)
  out <- drop(replace(values, !known, 0) %*% weights) / drop(known %*% weights)
  replace(out, is.nan(out), NA_real_)
}

# Names of the rules in the core.
rank_rules <- c(
  mean = "mean_rank", median = "median_rank", best = "best_rank", product = "rank_product",
  borda = "borda", exponential = "exponential", robust = "robust_rank"
)

rank_labels <- c(
  mean = "mean rank", median = "median rank", best = "best rank", product = "rank product",
  borda = "Borda", exponential = "exponential rank", robust = "robust rank"
)

aggregate_frequency <- function(of = c("selected", "best"), n_features = NULL, cutoff = NULL,
                                run_weights = NULL) {
  of <- check_choice(of, c("selected", "best"))
  n_features <- check_count(n_features, null_ok = TRUE)
  if (!is.null(cutoff)) cutoff <- check_fraction(cutoff)
  params <- list(
    n_features = n_features, cutoff = cutoff, run_weights = check_rule_weights(run_weights)
  )
  at_least <- if (!is.null(cutoff)) paste0(" >= ", figure(cutoff))
  if (of == "best") {
    label <- paste0(
      "frequency among the ", if (is.null(n_features)) "" else paste0(n_features, " "), "best",
      at_least
    )
    return(core_aggregation(
      "stability_selection", label, params,
      function(n) if (is.null(n_features)) n else n_features, cutoff
    ))
  }
  new_aggregation(
    "frequency", paste0("frequency", at_least), params,
    function(selection, n_features, n_threads = 1L) {
      mean_selected(selection, weights_of_runs(params$run_weights, selection))
    },
    cutoff
  )
}

aggregate_custom <- function(fun, name = "custom") {
  refuse(!checkmate::test_string(name, min.chars = 1L),
    "{.arg name} must be a string, not {describe_value(name)}."
  )
  fun <- without_rest(fun)
  score_of <- with_own_errors(fun, paste0("Aggregation \"", name, "\" failed"), "aggregation")
  new_aggregation(name, name, list(fun = fun), function(selection, n_features, n_threads = 1L) {
    score <- score_of(selection)
    if (is.numeric(score)) score <- in_feature_order(score, selection$feature_names)
    refuse(is.character(score) && length(score) == 1L,
      "Aggregation {.val {name}} returned {score}.", class = "aggregation", call = NULL
    )
    if (!is.numeric(score) || length(score) != selection$n_total || all(is.na(score))) {
      got <- if (is.numeric(score)) "only missing ones" else describe_value(score)
      if (length(score) != selection$n_total) got <- describe_value(score)
      abort(
        "Aggregation {.val {name}} must return {selection$n_total} numbers, one per feature,
         not {got}.",
        class = "aggregation", call = NULL
      )
    }
    replace(as.double(score), is.nan(score), NA_real_)
  })
}

# A rule of the C++ core.
core_aggregation <- function(name, label, params, size = function(n_features) 1, cutoff = NULL) {
  new_aggregation(name, label, params, function(selection, n_features, n_threads = 1L) {
    weights <- weights_of_runs(params$run_weights, selection)
    score <- score_parts(selection, ok_runs(selection))
    out <- cpp_aggregate_runs(
      score$values, score$feature, score$start, selection$n_total, name,
      if (is.null(params$scale)) "none" else params$scale,
      if (is.null(params$power)) 1 else params$power,
      size(n_features), if (is.null(weights)) double() else weights, n_threads
    )
    out[is.nan(out)] <- NA_real_
    out
  }, cutoff, name)
}

#' @rdname aggregation
#' @param x (object of class `stabilect_aggregation`) the rule.
#' @param ... Not used.
#' @export
print.stabilect_aggregation <- function(x, ...) {
  weighted <- if (is.null(x$params$run_weights)) "" else ", weighted runs"
  cat(sprintf("<stabilect_aggregation> %s%s\n", x$label, weighted))
  invisible(x)
}

# The scores of some runs in the form of the core. A selection of sets only scores 1 for selected
# features.
score_parts <- function(selection, runs) {
  score <- if (is.null(selection$score)) selection$selected else selection$score
  if (!identical(runs, seq_len(ncol(score)))) {
    score <- score[, runs, drop = FALSE]
  }
  if (is.matrix(score)) {
    # The assignment copies even if unneeded.
    if (!is.double(score)) storage.mode(score) <- "double"
    return(list(values = score, feature = integer(), start = integer()))
  }
  score <- methods::as(methods::as(score, "CsparseMatrix"), "generalMatrix")
  values <- if (methods::is(score, "nMatrix")) rep(1, length(score@i)) else as.double(score@x)
  list(values = values, feature = score@i, start = score@p)
}

check_rule_weights <- function(weights) {
  if (is.null(weights)) {
    return(NULL)
  }
  bad <- if (is.numeric(weights)) which(!is.finite(weights) | weights < 0) else 1L
  if (length(bad) > 0L || length(weights) == 0L || sum(weights) == 0) {
    where <- if (is.numeric(weights) && length(bad) > 0L) {
      paste0("; number ", bad[1], " is ", figure(weights[bad[1]]))
    } else {
      ""
    }
    abort("{.arg run_weights} must be numbers >= 0, one per run, not all of them 0{where}.")
  }
  as.double(weights)
}

# Weights are given for all runs; failed runs do not use theirs.
weights_of_runs <- function(weights, selection) {
  if (is.null(weights)) {
    return(NULL)
  }
  refuse(length(weights) != selection$n_runs,
    "{.arg run_weights} has {length(weights)} value{?s}, but there are {selection$n_runs} runs.",
      call = NULL
  )
  weights[ok_runs(selection)]
}
