#' Signal detection and independent signals by permutation tests
#'
#' Answers two questions with p-values and without resampling. Is any feature associated with the
#' outcome? Which features carry an association that neither the features selected before them nor
#' their neighbours explain? On correlated data, for example gene expression, the features with the
#' largest correlations are often neighbours of causes, or mixtures of several causes.
#' `find_signals()` selects few features, and lists for each which others could replace it.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param x (numeric matrix, n samples x p features, or another form that [prepare_study()] takes)
#'   the features. Transform numbers with heavy tails, for example raw intensities, to a log scale
#'   first.
#' @param y (n values) outcome: two classes (factor, character or logical) or numbers. With several
#'   classes, compare one with the rest, `y == "a"`, or keep the samples of two.
#' @param covariates (numeric vector, matrix or data frame with n rows, or `NULL`) covariates to
#'   adjust for, for example age or batch; factors and strings become indicators. Missing values are
#'   an error.
#' @param blocks (n labels, or `NULL`) block of each sample, for example its patient. If the outcome
#'   differs within blocks, every block gets its own level, and samples are only exchanged within
#'   it. If it does not, each block becomes one sample, its mean. Data from [prepare_study()] bring
#'   their blocks.
#' @param clusters (clusters of [cluster_features()], a named list of feature names, or a label for
#'   each feature; `NULL` for none) select clusters instead of features, see Details. Features in no
#'   cluster, or with the label `NA`, are their own cluster.
#' @param null (string) method for outcomes without signal. `"rotation"` replaces the residuals by
#'   normal noise and **assumes normal residuals**. `"permutation"` exchanges the residuals and
#'   assumes only that they are exchangeable. On counts, skewed numbers and outliers, rotations
#'   report noise as signal (see Details); they warn if residuals are visibly not normal.
#' @param permute (whole number >= 19) number of outcomes without signal. The smallest possible p is
#'   `1 / (permute + 1)`.
#' @param result (result for the same features, for example of [fealect()] or
#'   [stability_selection()], or `NULL`) its frequencies and scores are shown beside the selected
#'   features.
#'
#' @details
#' **Is there signal?** The test statistic is the largest absolute correlation of any feature with
#' the outcome, after adjusting both for intercept, covariates and blocks. It is compared with
#' `permute` outcomes without signal: \eqn{p = (1 + \#\{M_r \ge M\}) / (1 + permute)}. With
#' permutations, without covariates and with exchangeable samples this is exact for any distribution
#' of the outcome. If no feature matters, p is at most \eqn{\alpha} with probability at most
#' \eqn{\alpha}. With blocks of one outcome each, the same is true of blocks. The same outcomes give
#' every feature a family-wise p by the step-down maximum (Westfall and Young 1993, algorithm 4.1),
#' in `marginal`.
#'
#' **With covariates p is approximate**: residuals are exchanged, which are not quite exchangeable
#' (Freedman and Lane 1983). On genes correlated with the covariates, with 0, 1 and 5 covariates p
#' was at most 0.05 in up to 6.0, 6.0, 5.8 % of 1,000 outcomes without signal, by distribution
#' (normal, t with 3 degrees of freedom, lognormal) and number of samples (20 and 60); standard
#' errors are 0.6 to 0.8 % (`experiments/signal-covariates`).
#'
#' **Rotations** (Langsrud 2005) are exact for normal residuals, also with covariates, and for no
#' others. On genes of leukaemia they find a signal in 43 % of lognormal and in 34 % of count
#' outcomes without any, permutations in 4 and 5 % (`vignette("error-rates")`).
#'
#' **Which features?** Let \eqn{x x' = U D U'} after standardising columns. Singular values above
#' their median are cut to it: \eqn{w_i = \min(1, \sqrt{median(d) / d_i})} (Cevid, Buehlmann and
#' Meinshausen 2020, section 3.1). The strongest directions, which all features share, then no
#' longer dominate.
#'
#' In the metric \eqn{diag(w) U'}, eight forward steps follow. Each takes the feature with the
#' largest partial correlation given the previous features. \eqn{p_k} of step k compares this
#' correlation with its maximum over all features in null outcomes. For permutations these are
#' exchanged residuals of the model with the previous features (Freedman and Lane 1983). ForwardStop
#' (G'Sell et al. 2016, eq. 6) accepts the first \eqn{\hat k = \max\{k : -\frac1k \sum_{i \le k}
#' \log(1 - p_i) \le 0.2\}} features.
#'
#' Then the feature with the largest p given all others is dropped while this p is above 0.05. This
#' last p is in `table`. With two or more features left, it permutes the residuals of the model with
#' all of them (ter Braak 1992).
#'
#' A feature is skipped if the previous ones explain more than 95 % of it. A null statistic counts
#' as equal to the observed one, hence against the feature, if they differ by no more than the
#' rounding error of a float sum.
#'
#' Features are selected only if the first p is at most 0.05. If no feature matters and this p is
#' exact, at most 5 % of studies therefore select any.
#'
#' **Many samples.** The spectrum takes a time proportional to \eqn{n^3}, or to \eqn{p^3} for more
#' than 1,000 samples and less than half as many features. It shows progress and can be interrupted.
#'
#' **This feature, or one of these.** Credible sets come from SuSiE (Wang et al. 2020) on the data
#' without trimming: at most eight effects, estimated prior variances, and the smallest set with
#' probability 0.95. A set is kept if all absolute correlations within it are at least 0.5. It is
#' about the selected feature that it contains. Sets without a selected feature are listed, but not
#' selected. In the simulations, sets that also lacked a neighbour of a selected feature were more
#' often unrelated to the truth, mostly with heavy-tailed noise.
#'
#' **Clusters.** With `clusters` every cluster is one column: the mean of its standardised features,
#' each with the sign of its correlation with the middle of the cluster. Everything above then
#' applies to these columns: the statistic uses the means, also in null outcomes. The means do not
#' use the outcome, and p-values are as exact as for features. If features do not belong together,
#' their mean resembles none of them: use a `threshold` of 0.7 or more. `rates` shows what selected
#' clusters contained in simulations (`experiments/signal-clusters`). In blocks of ten features with
#' correlation 0.8 and 200 samples, the selected clusters contained 0.63 of the true features;
#' without clusters, 0.29 of them were selected.
#'
#' **What is promised, and what is not.** With permutations and without covariates the first
#' question has an exact answer, and `steps$p[1]` is also exact. The selected features being right
#' is an observation from simulations, not a theorem, and only *up to neighbours*. `rates` has the
#' share of selected features that were unrelated to every true feature (absolute correlation at
#' most 0.7), with the best and the worst data set; `print()` states it. If features have many
#' neighbours, the selected one is often a neighbour of the true one. In another experiment, with 3
#' to 30 true features, on real features 0.07 of the selected features were not true, and 0.04 were
#' unrelated (`vignette("error-rates")`). Use this list for a few features to follow up. All models
#' are linear and additive.
#'
#' @return An object of class `stabilect_signals`, a list with
#' \describe{
#'   \item{features}{(character) the selected features in the order of the steps; may be empty.}
#'   \item{table}{(data frame, one row per selected feature) `feature`; `p` given the other ones
#'     (see Details). `direction`: the class in which it is higher, or `"+"` or `"-"` for numbers,
#'     adjusted for the other selected features and the covariates. `partial_r`: its partial
#'     correlation with the outcome given these, with `lower` and `upper`, a 95 % interval by
#'     Fisher's z that does *not* account for the choice of the features (`NA` with fewer than 4
#'     degrees of freedom). `n_neighbours`; `set_size`: features in the smallest credible set that
#'     contains it, `NA` without one. With `result`, its `frequency` and `score`. With
#'     `clusters`, `feature` is the name of a cluster, here and in all fields but `study` and
#'     `members`. Further columns are then `size`, `representative` (the feature most similar to the
#'     mean, which has the `direction`) and `members` (string: the five most similar features).}
#'   \item{members}{(data frame, p rows as in `x`; with `clusters` only) `cluster`, `feature`,
#'   `correlation` with the mean of the cluster.}
#'   \item{p_value}{(number) is any feature associated with the outcome?}
#'   \item{steps}{(data frame, one row per forward step) `step`, `feature`, `partial_r` (absolute,
#'   in the trimmed metric), `p`, `forward_stop` (the mean that ForwardStop compares with 0.2),
#'   `accepted`, `kept` (after pruning). It ends where no later step could be accepted.}
#'   \item{neighbours}{(list by feature of named numbers) correlations above 0.7 in absolute value,
#'   largest first.}
#'   \item{sets}{(data frame, one row per credible set and member) `set` (number), `about` (the
#'   selected feature in it, the most probable of several; `NA` for none), `feature`,
#'   `probability`.}
#'   \item{unproven}{(character) the first five features of the steps if nothing is selected:
#'   suggestions, without any claim.}
#'   \item{marginal}{(data frame, p rows as in `x`) `feature`; `correlation` (0 for a constant
#'   column or one that the covariates explain); `p`: step-down, family-wise.}
#'   \item{null}{(list) `kind`; `assumes`, the assumptions of its p (string); `not_normal`, signs
#'   against normal residuals with rotation (character, empty for none); `maxima` (`permute`
#'   numbers: largest absolute correlation of each null outcome), `n_distinct` (number of different
#'   arrangements of the outcome, `Inf` for rotation), `band` (data frame: 5 % and 95 % points of
#'   the k-th largest absolute correlation of at most 99 null outcomes).}
#'   \item{rates}{(data frame) results of the stored simulations, see Details: `unrelated`,
#'   `lowest`, `highest` (shares of selected features), `responses`; for clusters also `false`
#'   (without a true feature; `lowest` and `highest` refer to it).}
#'   \item{asked, study, made}{(lists) as in [results]; `made` has `n_null`.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for bad data as in [fealect()]; several classes; fewer than five
#' samples, or fewer than three more than covariates; covariates that explain the outcome
#' completely, or leave nothing of any feature; covariates with missing values.
#' @section Warnings:
#' `stabilect_warning_not_normal`: `null = "rotation"` with residuals whose skewness or kurtosis is
#' not normal, or a sixth of which have one value.
#' @references Anscombe FJ, Glynn WJ (1983). Distribution of the kurtosis statistic \eqn{b_2} for
#'   normal samples. *Biometrika* 70, 227-234.
#'
#'   Cevid D, Buehlmann P, Meinshausen N (2020). Spectral deconfounding via perturbed
#'   sparse linear models. *Journal of Machine Learning Research* 21(232).
#'
#'   D'Agostino RB (1970). Transformation to normality of the null distribution of \eqn{g_1}.
#'   *Biometrika* 57, 679-681.
#'
#'   Freedman D, Lane D (1983). A nonstochastic interpretation of reported significance levels.
#'   *Journal of Business and Economic Statistics* 1, 292-298.
#'
#'   G'Sell MG, Wager S, Chouldechova A, Tibshirani R (2016). Sequential selection procedures and
#'   false discovery rate control. *Journal of the Royal Statistical Society B* 78, 423-444.
#'
#'   Langsrud O (2005). Rotation tests. *Statistics and Computing* 15, 53-60.
#'
#'   ter Braak CJF (1992). Permutation versus bootstrap significance tests in multiple regression
#'   and ANOVA. In: *Bootstrapping and Related Techniques*, Springer, 79-85.
#'
#'   Wang G, Sarkar A, Carbonetto P, Stephens M (2020). A simple new approach to variable selection
#'   in regression, with application to genetic fine mapping. *Journal of the Royal Statistical
#'   Society B* 82, 1273-1300.
#'
#'   Westfall PH, Young SS (1993). *Resampling-Based Multiple Testing*. Wiley.
#' @concept biomarker
#' @concept gene selection
#' @concept p >> n
#' @concept permutation test
#' @concept variable selection
#' @family signals
#' @examples
#' found <- find_signals(log2(colon_genes$x), colon_genes$y, seed = 1)
#' found
#' found$neighbours
#' summary(found)
#' x <- as.matrix(mcl_sll[, -1])
#' find_signals(x, mcl_sll$MCL == 1, clusters = cluster_features(x, threshold = 0.8), seed = 1)
#' @export
find_signals <- function(x, y, covariates = NULL, blocks = NULL,
                         null = c("permutation", "rotation"), permute = 999,
                         result = NULL, clusters = NULL, seed = NULL, n_threads = 1,
                         progress = interactive(), data = NULL) {
  check_given(except = "y")
  study <- open_study(
    x, y, c("binary", "numeric"), "finding signals", covariates = covariates
  )
  check_varying(study$x)
  warn_leak(study)
  control <- check_run(n_threads, progress)
  asked <- list(
    covariates = covariates, blocks = blocks,
    null = check_choice(null, c("permutation", "rotation")),
    permute = check_count(permute, min = 19)
  )
  asked$clusters <- check_clusters(clusters, study$feature_names)
  units <- unit_of(asked)$signals(study)
  reader <- frequency_reader(result, units$study$feature_names)
  seed <- check_seed(seed)
  input <- signal_input(units$study, study$covariates, blocks)
  if (asked$null == "rotation") warn_not_normal(input$not_normal)
  report <- progress_reporter(control$progress, "Null responses")
  found <- cpp_find_signals(
    input$x, input$y, input$basis, input$exchange, asked$null, asked$permute, seed,
    control$n_threads, report
  )
  check_features_left(found)
  new_signals(study, units, input, found, asked, reader, seed)
}

check_features_left <- function(found) {
  refuse(all(found$length == 0),
    "{.arg covariates} or {.arg blocks} explain every column of {.arg x} completely; there is
      nothing to select from."
  )
}

# @return function(features): their frequency and score in a result, or NULL without a result.
frequency_reader <- function(result, feature_names) {
  if (is.null(result)) {
    return(function(features) list(NULL, NULL))
  }
  table <- if (inherits(result, "stabilect_result")) result$table
  refuse(is.null(table$feature) || is.null(table$frequency) && is.null(table$score),
    "{.arg result} must be a result with frequencies or scores of features, such as
      that of {.fn fealect}, not {describe_value(result)}."
  )
  refuse_at(setdiff(feature_names, table$feature),
    "{.arg result} is a result for other features: it lacks {.val {at}}."
  )
  function(features) {
    at <- match(features, table$feature)
    list(table$frequency[at], table$score[at])
  }
}
