# nolint start: object_name_linter, T_and_F_symbol_linter.
# The interface of the R package FeaLect 1.20 on the engine of this package. Nothing else calls it.

#' Drop-in replacement for the R package FeaLect
#'
#' Replaces the R package FeaLect 1.20: the same arguments, the same random draws under the same
#' [set.seed()], the same results, some hundreds of times faster. It is meant for existing scripts;
#' use [fealect()] in new ones.
#'
#' @param F (numeric matrix, n samples x p features) features.
#' @param L (n values) labels, named like the rows of `F`: 0/1 or -1/1, `FALSE`/`TRUE`, or a factor
#'   of two levels, the second being positive. Without names (of either) samples are called 1 to n.
#' @param maximum.features.num (whole number >= 1) number of steps of each path that count; lowered
#'   to `gamma` n with a warning.
#' @param total.num.of.models (whole number >= 1) number of models.
#' @param gamma (number > 0) size of a random subset relative to n; at most 1 without replacement,
#'   1,000 with.
#' @param persistence (whole number >= 1) number of attempts to draw a subset with both classes, and
#'   number of subsets in a row that may fail.
#' @param talk (flag) show messages?
#' @param minimum.class.size (whole number >= 0) smallest size of a class in a subset, with repeats.
#' @param report.fitting.failure (flag) report how many subsets were drawn again?
#' @param return_linear.models (flag) keep the paths (`linear.models`, see [train.doctor()])?
#' @param balance (flag) draw samples of the smaller class again until both have the same size?
#' @param replace (flag) draw with replacement?
#' @param plot.scores (flag) plot the scores, once, at the end?
#'
#' @details
#' Each model draws `floor(gamma n)` rows, drops duplicates, balances the classes and follows the
#' lasso path. At each of the first `maximum.features.num` steps, it adds 1 / (number of features
#' with a coefficient) to the score of each of these features. All models are one call of the
#' engine. It uses `getOption("stabilect.n_threads", 1)` threads; the result is the same for any
#' number.
#'
#' A subset whose model fails is drawn again. The draws do not depend on the models. Failed ones are
#' therefore skipped in one sequence of draws, which leaves R's generator in the same state as
#' FeaLect does.
#'
#' @section Faults of FeaLect 1.20 that are kept:
#' Another choice would change the numbers of old scripts.
#' * Duplicates are dropped after a draw with replacement: `gamma = 3/4` means about 0.53 n distinct
#'   samples. Zare et al. (2013) draw without replacement.
#' * Step k of the path stands for "k features", although features also leave.
#' * `log.scores` are logarithms of sums over models, not of means, and -Inf for features that never
#'   enter a path; the threshold of Zare et al. (2013) is missing.
#' * The best number of features is the *last* step with a positive F-measure, since the best
#'   F-measure is never updated. A prediction counts as positive if its probability is above 0,
#'   which is nearly always true. `accuracy`, `precision` and `recall` refer to these predictions.
#' * The logistic fit has seen the validating samples.
#' * `best.feature.num` is `NULL` and `mislabeling.record` is 0: never filled.
#' * `global.errors` combine lambda at the start of a step with coefficients at its end, and a
#'   lambda for scaled columns with coefficients of raw ones. The Bolasso sets come from them. At
#'   the end of a path, where the residuals vanish, FeaLect's number of steps depends on rounding.
#' * A failed model draws a new subset, which favours subsets that can be fitted. A logistic fit
#'   without coefficients, however, only gives its step an F-measure of 0.
#' * Balancing can draw from the wrong class (see [compute.balanced()]).
#' * Columns of `feature.scores.history` are named by the first model's scores, for example `X0.25`;
#'   they are in the order of the columns of `F`. `maximum.features.num` is returned as given, not
#'   as used.
#' * Row names of `F` are lost if `L` has none.
#'
#' @section Faults of FeaLect 1.20 that are corrected:
#' * Scores are plotted once, not after every model.
#' * Labels may be integers, logical values or factors. Other labels than two classes coded as
#'   above, missing values and duplicated names are errors. FeaLect drew until `persistence` ended,
#'   or took the first row of a name for all.
#' * Labels in another order than the rows of `F` are matched by name throughout (with the warning);
#'   FeaLect took them by position for the logistic fits.
#' * Subsets in which a single column varies are used; FeaLect failed on them.
#' * A column that is a linear combination of the active ones may enter after one of these has left;
#'   lars discards it for good. With collinear columns, or if the path of a small subset ends with
#'   coefficients of zero up to rounding, FeaLect's sets depend on rounding, and ours can differ.
#'
#' @return A list with
#' \describe{
#'   \item{log.scores}{(named numeric, p) logarithms of the scores, ascending.}
#'   \item{feature.matrix, labels}{`F` and `L`, with names.}
#'   \item{total.num.of.models, maximum.features.num}{as given.}
#'   \item{feature.scores.history}{(data frame, models x p) row i: scores after i models, divided by
#'     i.}
#'   \item{num.of.features.score}{(named numeric, p) element k: number of models with k as best
#'   number of features; its names are the column names and have no meaning.}
#'   \item{best.feature.num}{`NULL`.}
#'   \item{mislabeling.record}{(named numeric, n) 0.}
#'   \item{doctors}{(list) the models, see [train.doctor()].}
#'   \item{best.features.intersection}{(character) features in the best set of every model.}
#'   \item{features.with.best.global.error}{(list of character) the Bolasso set of each model.}
#'   \item{time.taken}{(difftime), the only field that differs between two calls of one seed.}
#' }
#' @section Errors:
#' Class `stabilect_error_input`, see [input.check.FeaLect()]; `stabilect_error_runs` if
#' `persistence` subsets in a row fail.
#' @references Zare H (2020). FeaLect: Scores Features for Feature Selection. R package version
#'   1.20.
#'
#'   Zare H, Haffari G, Gupta A, Brinkman RR (2013). Scoring relevancy of features based on
#'   combinatorial analysis of Lasso with application to lymphoma diagnosis. *BMC Genomics* 14(Suppl
#'   1), S14. \doi{10.1186/1471-2164-14-S1-S14}
#' @rdname FeaLect-interface
#' @family FeaLect
#' @seealso [fealect()], [bolasso()]
#' @examples
#' F <- as.matrix(mcl_sll[, -1])
#' L <- as.numeric(mcl_sll[, 1])
#' names(L) <- rownames(F)
#' set.seed(1)
#' result <- FeaLect(F, L, maximum.features.num = 10, total.num.of.models = 20)
#' tail(result$log.scores)
#' @export
FeaLect <- function(F, L, maximum.features.num = dim(F)[2], total.num.of.models, gamma = 3 / 4,
                    persistence = 1000, talk = FALSE, minimum.class.size = 2,
                    report.fitting.failure = FALSE, return_linear.models = TRUE, balance = TRUE,
                    replace = TRUE, plot.scores = TRUE) {
  check_given()
  started <- Sys.time()
  check_feature_matrix(F)
  settings <- check_fealect_settings(
    gamma, persistence, minimum.class.size, balance, replace, return_linear.models,
    report.fitting.failure, talk, plot.scores, nrow(F)
  )
  n_models <- check_count(total.num.of.models)
  checked <- input.check.FeaLect(F, L, maximum.features.num, gamma)
  if (settings$talk) {
    message("Scoring ", ncol(F), " features using ", nrow(F), " samples and ", n_models, " models.")
  }
  fits <- collect_doctors(checked, n_models, settings)
  result <- combine_doctors(fits, checked, maximum.features.num, total.num.of.models)
  result$time.taken <- Sys.time() - started
  if (settings$talk) message("Finished after ", format(result$time.taken), ".")
  if (settings$plot.scores) plot_log_scores(result$log.scores, colnames(checked$F_), n_models)
  result
}

check_fealect_settings <- function(gamma, persistence, minimum.class.size, balance, replace,
                                   return_linear.models, report.fitting.failure, talk,
                                   plot.scores, n) {
  replace <- check_flag(replace)
  gamma <- check_number(gamma, min = 0, max = if (replace) 1000 else 1)
  refuse(floor(gamma * n) < 2,
    "{.arg gamma} must make subsets of at least 2 samples, not {floor(gamma * n)} of {n}."
  )
  list(
    gamma = gamma, replace = replace,
    persistence = check_count(persistence),
    minimum.class.size = check_count(minimum.class.size, min = 0),
    balance = check_flag(balance), talk = check_flag(talk),
    keep_paths = check_flag(return_linear.models),
    report = check_flag(report.fitting.failure),
    plot.scores = check_flag(plot.scores)
  )
}

# Fits on one sequence of draws, without failed ones, until there are enough.
collect_doctors <- function(checked, n_models, settings) {
  labels <- checked$L_[rownames(checked$F_)]
  fits <- list()
  failed <- logical()
  while (length(fits) < n_models) {
    draws <- lapply(seq_len(n_models - length(fits)), function(b) {
      draw_training_set(labels, settings)
    })
    new <- train_doctors(
      checked$F_, labels, vapply(draws, `[[`, numeric(length(labels)), "weights"),
      checked$maximum.features.num, FALSE, settings$keep_paths
    )
    # One class only: nothing to fit.
    usable <- !vapply(new, is.null, NA) & vapply(draws, `[[`, NA, "both_classes")
    failed <- c(failed, !usable)
    streaks <- rle(failed)
    if (any(streaks$lengths[streaks$values] >= max(1L, settings$persistence - 1L))) {
      abort_no_doctor(sum(usable) + length(fits), settings)
    }
    samples <- rownames(checked$F_)
    fits <- c(fits, Map(function(fit, draw) {
      list(fit = fit, doctor = new_doctor(fit, samples, samples[draw$rows], samples[-draw$rows]))
    }, new[usable], draws[usable]))
  }
  if (settings$report && any(failed)) {
    message(sum(failed), " of ", length(failed), " subsets were drawn again: their model failed.")
  }
  fits
}

abort_no_doctor <- function(n_fitted, settings) {
  abort(
    c("FeaLect() was not successful at model {n_fitted + 1}: {settings$persistence} subsets in a row
       could not be fitted.",
      i = "Perhaps a class is too small in the subsets; look at {.code table(L)}, {.arg gamma} and
        {.arg minimum.class.size}."
    ),
    class = "runs"
  )
}

draw_training_set <- function(labels, settings) {
  drawn <- draw_rows(
    labels, settings$gamma, settings$persistence, settings$minimum.class.size, settings$replace
  )
  rows <- unique(drawn)
  both <- length(unique(labels[rows])) == 2L
  list(
    rows = rows, both_classes = both,
    weights = row_weights(rows, labels, settings$balance && both)
  )
}

combine_doctors <- function(fits, checked, maximum.features.num, total.num.of.models) {
  n_models <- length(fits)
  features <- colnames(checked$F_)
  scores <- stats::setNames(numeric(length(features)), features)
  history <- matrix(0, length(features), n_models)
  times_best <- scores
  for (i in seq_len(n_models)) {
    fit <- fits[[i]]$fit
    at <- fit$considered + 1L
    scores[at] <- scores[at] + fit$contribution
    history[, i] <- scores / i
    times_best[fit$best] <- times_best[fit$best] + 1
  }
  doctors <- lapply(fits, `[[`, "doctor")
  sets <- lapply(doctors, `[[`, "features.with.best.global.error")
  list(
    log.scores = sort(log(scores), decreasing = FALSE),
    feature.matrix = checked$F_, labels = checked$L_, total.num.of.models = total.num.of.models,
    maximum.features.num = maximum.features.num, feature.scores.history = score_history(history),
    num.of.features.score = times_best, best.feature.num = NULL,
    mislabeling.record = stats::setNames(numeric(nrow(checked$F_)), rownames(checked$F_)),
    doctors = doctors,
    best.features.intersection = Reduce(function(previous, set) intersect(set, previous), sets),
    features.with.best.global.error = sets, time.taken = NULL
  )
}

# Models in rows, with the names that rbind() makes of the first row.
score_history <- function(history) {
  columns <- lapply(seq_len(nrow(history)), function(j) history[j, ])
  names(columns) <- make.names(figures(history[, 1L]), unique = TRUE)
  structure(columns, class = "data.frame", row.names = seq_len(ncol(history)))
}

plot_log_scores <- function(log_scores, features, n_models) {
  if (!any(is.finite(log_scores))) {
    return(invisible())
  }
  graphics::plot(log_scores,
    main = n_models, col = match(names(log_scores), features), pch = 19, ylab = "log.scores"
  )
}

# nolint end
