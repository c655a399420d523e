#' Honest size of effects: selected features without the luck of selection
#'
#' A feature that was selected because its effect is large looks larger than it is, above all if it
#' was the best of thousands. `feature_effects()` estimates the effect of each selected feature
#' without this inflation, with an interval. Beside it stand the effect in the samples that its runs
#' did not see, and the inflated effect in all samples.
#'
#' @inheritParams arguments
#' @param object (result of [fealect()], [stability_selection()], [bolasso()], [select_ensemble()],
#'   [eliminate_features()] or [hybrid_rfe()]) the runs.
#' @param x,y (as in the call of `object`) the data of `object`, all features included.
#' @param features (names or numbers of features, or `NULL`) features whose effects you want; `NULL`
#'   takes the selected features. With clusters, their names.
#' @details
#' **What the numbers mean.** The effect is measured for one feature at a time, adjusted for the
#' covariates of `object`:
#'
#' | outcome | effect |
#' |---|---|
#' | classes | highest class minus others, in standard deviations within classes |
#' | numbers | Pearson's correlation |
#' | counts | Spearman's correlation |
#' | survival times | hazard ratio of one standard deviation (Cox model, ties as Efron) |
#'
#' `in_sample` is the effect in all samples; the choice of the feature makes it too large.
#' `left_out` is the effect in the samples left out of the runs that selected it (Sun and Bull
#' 2005): without the luck of single runs, but samples left out of one run are in others. `effect`
#' also corrects for the luck of the whole list, and is the number to report, with its interval.
#'
#' In simulations on real features (1389 named features, `experiments/effects`), effects in all
#' samples were too large by 2.3 standard errors on average, effects in left-out samples by 1.2, and
#' corrected effects by 0.3. Intervals contained 96 % of the true effects, from 88 % to 97 % by
#' procedure; intervals around the effects in all samples contained 37 %. Corrected effects of the
#' features that made the outcome were too small by 0.8, those of others too large by 0.5.
#'
#' The effects are marginal: a feature without an effect of its own has one here if it is correlated
#' with another that has. Features with a smaller effect than the noise cannot be told from none.
#'
#' **How it is computed.** Standard errors are robust (Huber 1967; Lin and Wei 1989 for survival
#' times). `effect` is the expectation of the true effect given the observed one, in a mixture of
#' normal laws that is fitted to the effects of all features (Stephens 2017). An expectation given
#' the data does not depend on the rule that selected the feature (Efron 2011). If few features have
#' a relation, large effects shrink much. The interval is `effect` plus and minus the normal
#' quantile times the root of 1.5 times the variance, a factor chosen by simulation.
#' `vignette("how-computed")` has the formulas.
#' @return An object of class `stabilect_effects`, a list with
#' \describe{
#'   \item{table}{(data frame, one row per feature) `feature`, `direction` (string), `frequency`
#'   (share of the runs that selected it), `effect`, `lower`, `upper` (numbers: effect and
#'   interval), `left_out`, `in_sample` (numbers). `NA` where the samples have no effect: a constant
#'   feature, or one that no run selected (`left_out`).}
#'   \item{features}{(character) the features.}
#'   \item{effect}{(list) `name`, `meaning` (strings) and `none` (number): the kind of effect, and
#'   its value where there is none.}
#'   \item{spread}{(data frame) `sd`, `weight`: \eqn{\tau_k} and \eqn{\pi_k}.}
#'   \item{asked}{(list) the arguments.}
#'   \item{study,made}{(lists) about the data and the runs, see [results].}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for other data than in `object`, results without runs, unknown
#' features, and a result that selects none if `features` are not given. Results of [split_test()]
#' are not supported: the samples left out of its runs test the features, and so choose them.
#' @references Efron B (2011). Tweedie's formula and selection bias. *Journal of the American
#'   Statistical Association* 106, 1602-1614.
#'
#'   Stephens M (2017). False discovery rates: a new deal. *Biostatistics* 18(2), 275-294.
#'
#'   Sun L, Bull SB (2005). Reduction of selection bias in genomewide studies by resampling.
#'   *Genetic Epidemiology* 28(4), 352-367.
#'
#'   Huber PJ (1967). The behavior of maximum likelihood estimates under nonstandard conditions.
#'   *Proceedings of the Fifth Berkeley Symposium* 1, 221-233.
#'
#'   Lin DY, Wei LJ (1989). The robust inference for the Cox proportional hazards model. *Journal of
#'   the American Statistical Association* 84, 1074-1078.
#' @seealso [predict.stabilect_model()] with `type = "contributions"`
#' @concept effect size
#' @concept winner's curse
#' @family evidence
#' @examples
#' data <- simulate_data("NC100", n = 60, n_total = 200, seed = 1)
#' fit <- fealect(data$x, data$y, n_runs = 30, seed = 1)
#' feature_effects(fit, data$x, data$y, features = fit$features[1:5])
#' @export
feature_effects <- function(object, x, y, features = NULL, conf_level = 0.95, data = NULL,
                            ...) {
  check_given(except = "y")
  refuse_dots(...)
  selection <- runs_with_samples(object)
  about <- question(x, y, object, "feature_effects", "the size of effects", procedure = NULL)
  study <- about$study
  conf_level <- check_fraction(conf_level, open_right = TRUE)
  frequency <- mean_selected(selection)
  unit <- unit_of(object$study)
  at <- asked_features(object, features, selection, frequency, unit$word)
  refuse(length(at) == 0L, c("{.arg object} selects no {unit$word}.",
    i = "Name some: {.code features = head(object$table$feature, 5)}."
  ))
  table <- data.frame(
    feature = selection$feature_names[at], direction = directions_in(object, selection, at),
    frequency = frequency[at]
  )
  columns <- unit$columns(study$x, object, selection, seq_len(selection$n_total))
  found <- size_effects(object, selection, study, columns, at, conf_level)
  new_result(
    "stabilect_effects", cbind(table, found$table), features = table$feature,
    effect = found$effect, spread = found$spread, asked = list(conf_level = conf_level),
    study = about$record, made = object$made[c("seed", "n_runs", "n_failed")]
  )
}
register_verb("feature_effects", place = 19)

# The effects of features of a result, or NULL without runs.
# @param study with all features and the covariates of `fit`.
corrected_effects <- function(fit, study, features) {
  x <- study$x
  # All features at once: of x that is sparse or in a file, if memory has room for them.
  if (!is.matrix(x) && as.double(study$n) * study$p <= 2e7) x <- x$read(seq_len(study$p))
  if (!has_samples(fit) || !is.matrix(x)) {
    return(NULL)
  }
  at <- match(features, fit$selection$feature_names)
  size_effects(fit, fit$selection, study, x, at, 0.95)$table$effect
}

# Did runs select features of samples, and leave others to look at?
has_samples <- function(object) {
  inherits(object, "stabilect_result") && is.matrix(object$resamples$counts) &&
    inherits(object$selection, "stabilect_selection") && !inherits(object, "stabilect_split_test")
}

# The selection of a result whose runs left samples out.
runs_with_samples <- function(object) {
  refuse(inherits(object, "stabilect_split_test"), c(
    "The left-out samples of {.fn split_test} test the features, and so choose them.",
    i = "Take the runs of {.fn stability_selection} or {.fn fealect}."
  ))
  verbs <- c("fealect", "stability_selection", "bolasso", "select_ensemble")
  refuse(!has_samples(object),
    "{.arg object} must be a result of {.or {.fn {verbs}}}, not {describe_value(object)}."
  )
  object$selection
}

directions_in <- function(object, selection, at) {
  if (is.null(object$table$direction)) {
    return(object$study$direction[at])
  }
  object$table$direction[match(selection$feature_names[at], object$table$feature)]
}

# @param columns (matrix) of all features or clusters; at (integer) those asked for.
# @return list(table, effect, spread).
size_effects <- function(object, selection, study, columns, at, conf_level) {
  response <- study$response
  blocks <- study$response$blocks
  values <- columns[, at, drop = FALSE]
  all <- single_effects(response, values)
  left <- single_effects(response, values, left_out_weights(object, selection, at))
  se <- spread_of_effects(all$influence, blocks)
  spread <- fit_spread(z_of_features(columns, response, blocks))
  middle <- se * shrink_z(all$link / se, spread)
  half <- stats::qnorm((1 + conf_level) / 2) * sqrt(1.5) * se
  list(
    table = data.frame(
      effect = all$shown(middle), lower = all$shown(middle - half),
      upper = all$shown(middle + half), left_out = left$value, in_sample = all$value
    ),
    effect = adjusted_words(all[c("name", "meaning", "none")], response),
    spread = as.data.frame(spread)
  )
}

# @return (matrix, n x features) how often the runs that voted for a feature left each sample out.
left_out_weights <- function(object, selection, at) {
  runs <- ok_runs(selection)
  # Runs that cannot be repeated vote for what they selected.
  kind <- c(procedure_of(object)$votes, "selected")[1]
  votes <- as.matrix(selection[[kind]][at, runs, drop = FALSE]) + 0
  votes[is.na(votes)] <- 0
  draws <- object$resamples
  counts <- draws$counts[, match(selection$run_id[runs], draws$run_id), drop = FALSE]
  tcrossprod((counts == 0) + 0, votes)
}

# Standard errors, from the influences of samples or blocks.
spread_of_effects <- function(influence, blocks) {
  if (!is.null(blocks)) influence <- rowsum(influence, as.integer(factor(blocks)))
  n <- nrow(influence)
  sqrt(colSums(influence^2) * n / max(n - 3, 1))
}

# An effect says what it is adjusted for, and what of the samples it does not use.
# @param effect (list) with `meaning`.
adjusted_words <- function(effect, response) {
  z <- response$covariates
  effect$meaning <- paste0(
    effect$meaning,
    if (!is.null(z)) sprintf(", adjusted for %s", describe_held(colnames(z))),
    if (!is.null(response$weights)) "; all samples count alike, whatever their weight",
    if (!is.null(response$strata)) "; strata are not used"
  )
  effect
}
