#' Signal detection and names of features with a probability of their own
#'
#' Answers two questions. Is any feature associated with the outcome? The answer is a permutation
#' p-value. Which features carry the signal? The answer is a short list of names. Each has the
#' probability that it, or a close neighbour, carries signal. On correlated data, for example gene
#' expression, the features with the largest correlations are often neighbours of causes, or
#' mixtures of several causes. `find_signals()` names few features, and lists for each which others
#' could replace it.
#'
#' @inheritParams arguments
#' @inheritParams run_control
#' @param x (numeric matrix, n samples x p features, or another form that [prepare_study()] takes)
#'   the features. Transform numbers with heavy tails, for example raw intensities, to a log scale
#'   first.
#' @param y (n values) outcome: classes (factor, character or logical), ordered classes (ordered
#'   factor), numbers, counts (`family = "poisson"`), or survival times,
#'   `survival::Surv(time, event)`.
#' @param covariates (numeric vector, matrix or data frame with n rows, or `NULL`) covariates to
#'   adjust for, for example age or batch (Freedman and Lane 1983). Missing values are an error.
#' @param blocks (n labels, or the name of a column of the data, or `NULL`) block of each sample,
#'   for example its patient. Samples are only exchanged within blocks; if the outcome does not
#'   differ within blocks, each becomes one sample, its mean.
#' @param within (n labels, or the name of a column of the data, or `NULL`) groups within which
#'   samples are compared, see [prepare_study()].
#' @param clusters (clusters of [cluster_features()], a named list of feature names, or a label for
#'   each feature; `NULL` for none) select clusters instead of features. Features in none are their
#'   own cluster.
#' @param null (string) method for outcomes without signal. `"permutation"` exchanges residuals.
#'   `"rotation"` (Langsrud 2005) replaces them by normal noise and **assumes normal residuals**: on
#'   counts, skewed numbers and outliers it reports noise as signal, and warns if residuals are
#'   visibly not normal.
#' @param permute (whole number >= 19) number of outcomes without signal; fewer where there are
#'   fewer permutations. The smallest possible p is `1 / (permute + 1)`.
#' @param kind (string) association to look for. `"linear"` sees what a correlation sees. `"any"`
#'   also tests for dependence of any kind, and takes longer. The names rest on linear association
#'   in either case.
#' @param result (result for the same features, or `NULL`) its frequencies and scores are shown
#'   beside the selected features.
#' @param family (string or `NULL`) `"poisson"`: the numbers of `y` are counts.
#' @details
#' **What the numbers mean.** `p_value` says how often the best of all features does as well without
#' any signal. Above 0.05 no feature is named. With permutations and without covariates this is
#' exact for any distribution of the outcome. With covariates p is approximate: residuals are
#' exchanged. `marginal` has a family-wise p for every feature.
#'
#' `probability` is the probability that the feature, or a neighbour (absolute correlation above
#' 0.7), carries signal, if the model holds: linear, additive, few features. Features are named from
#' 0.8, without neighbours of names; `candidates` has others, down to 0.5. Read a name as "this
#' feature, or one of its set": `sets` has the features that carried its signal. `expected_wrong` is
#' the sum of 1 - probability.
#'
#' In `experiments/peers` (1512 outcomes, six sets of features, five or ten true ones) the share of
#' wrong names was 0.044 by their probabilities. It was 0.016 by the truth, 0.006 of names were
#' unrelated, and 2.22 true features were named an outcome. `vignette("error-rates")` has the rates
#' for every kind of outcome, [estimate_error_rates()] those for your data.
#'
#' **What to watch.**
#'
#' * A signal that is spread over many features has no few names. `background` is its probability.
#'   Above 0.5 a name is a feature that stands out of the rest, and `expected_wrong` counts names
#'   without an effect of their own.
#' * Features of survival times are named if 30 % of the samples have the event, those of several
#'   classes for classes of five samples or more.
#' * Give counts as such: nothing else tells them from numbers.
#' * `kind = "any"` also finds features that matter in both directions, or only in their spread.
#'   Without signal one of the two p is at most 0.05 in up to 10 % of studies. It compares at most
#'   1,000 samples.
#' * With many samples tiny correlations are significant: read `partial_r`.
#' * A cluster is the mean of its features, each with its sign. Use clusters of features that belong
#'   together: a `threshold` of 0.7 or more.
#'
#' **How it is computed.** The statistic is the largest absolute correlation with the outcome, after
#' adjusting both for covariates and blocks. Other outcomes than numbers are replaced by scores.
#' Names come from models of at most 12 features, drawn from their posterior distribution (George
#' and McCulloch 1993). `vignette("how-computed")` has scores, priors and chains.
#' @return An object of class `stabilect_signals`, a list with
#' \describe{
#'   \item{features}{(character) the named features, the one most often in models first (with
#'   several classes, the most probable); may be empty.}
#'   \item{table}{(data frame, one row per named feature) `feature`; `probability` and its standard
#'   error between chains, `mc_error`. `direction`: the class in which it is higher, or `"+"` or
#'   `"-"` for numbers, adjusted for the other names and the covariates (not with several classes).
#'   `partial_r`: its partial correlation with the outcome given these, with `lower` and `upper`, a
#'   95 % interval by Fisher's z that does *not* account for the choice of the features.
#'   `n_neighbours`; `set_size`. With several classes, `class`: the one that it tells from all
#'   others. With `result`, its `frequency` and `score`. With `clusters`, `feature` names a cluster,
#'   here and in the other fields; `size`, `representative` (the feature most similar to the mean)
#'   and `members` (string: the five most similar).}
#'   \item{members}{(data frame, p rows; with `clusters` only) `cluster`, `feature`, `correlation`
#'   with the mean of the cluster.}
#'   \item{p_value}{(number) is any feature associated with the outcome?}
#'   \item{expected_wrong}{(number) expected number of wrong names.}
#'   \item{candidates}{(data frame) `feature`, `probability`, `mc_error` (and `class`) of features
#'   that are not named.}
#'   \item{background}{(list) `probability` that much of the signal is spread over many features,
#'   and its `mc_error`; `NA` if p is above 0.05. Of several classes the largest.}
#'   \item{unnamed}{(string, or `NULL`) why no feature is named whatever p.}
#'   \item{dependence}{(list, or `NULL` with `kind = "linear"`) `p_value`: does any feature depend
#'   on the outcome, in any way? `features` with a family-wise p of at most 0.05; `table` (p rows):
#'   `feature`, `similarity` (correlation of similarities), `p`; `n_null`, `complete`, and
#'   `n_compared` of `n_samples`.}
#'   \item{neighbours}{(list by feature of named numbers) correlations above 0.7 in absolute value,
#'   largest first.}
#'   \item{sets}{(data frame) `about` (the name), `feature`, `share` of the models with this signal
#'   in which the feature carries it; together 0.95.}
#'   \item{marginal}{(data frame, p rows as in `x`) `feature`; `correlation` (multiple with several
#'   classes); `p`: step-down, family-wise (Westfall and Young 1993); `inclusion`: posterior
#'   probability that the feature itself is in the model (`NA` if none are drawn).}
#'   \item{null}{(list) `kind`; `complete` (flag: was every permutation made, each once?); `assumes`
#'   (string); `not_normal`, signs against normal residuals with rotation; `maxima` (largest
#'   absolute correlation of each null outcome), `n_distinct` (arrangements of the outcome), `band`
#'   (5 % and 95 % points of the k-th largest).}
#'   \item{asked, study, made}{(lists) as in [results]; `made` has `n_null`.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for bad data as in [fealect()];
#' several classes with rotations or `kind = "any"`; fewer than five samples, or fewer than three
#' more than covariates and further classes; covariates that explain the outcome
#' completely, or leave nothing of any feature; covariates with missing values.
#' @section Warnings:
#' `stabilect_warning_not_normal`: `null = "rotation"` with residuals whose skewness or kurtosis is
#' not normal, or a sixth of which have one value.
#' @references Freedman D, Lane D (1983). A nonstochastic interpretation of reported significance
#'   levels. *Journal of Business and Economic Statistics* 1, 292-298.
#'
#'   George EI, McCulloch RE (1993). Variable selection via Gibbs sampling. *Journal of the American
#'   Statistical Association* 88, 881-889.
#'
#'   Langsrud O (2005). Rotation tests. *Statistics and Computing* 15, 53-60.
#'
#'   Westfall PH, Young SS (1993). *Resampling-Based Multiple Testing*. Wiley.
#' @concept biomarker
#' @concept gene selection
#' @concept p >> n
#' @concept permutation test
#' @concept variable selection
#' @concept high-dimensional data
#' @concept multiple testing
#' @concept differential expression
#' @concept confounder
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
                         kind = c("linear", "any"), result = NULL, clusters = NULL,
                         within = NULL, family = NULL, seed = NULL,
                         n_threads = getOption("stabilect.n_threads", 1),
                         progress = interactive(), data = NULL) {
  check_given(except = "y")
  study <- open_study(
    x, y, takes_with("find_signals", family), "finding signals",
    family = family, covariates = covariates,
    roles = list(within = within, blocks = blocks, clusters = clusters), reads = FALSE
  )
  refuse(!is.null(blocks) && !is.null(within), "Give either {.arg blocks} or {.arg within}.")
  check_varying(study$x)
  warn_leak(study)
  control <- check_run(n_threads, progress)
  z <- read_covariates(study$covariates, study$n)
  # Those of prepared data are kept too: the same data are recognised later.
  if (is.null(study$response$within)) blocks <- read_signal_blocks(study$blocks, study)
  study$blocks <- NULL
  asked <- list(
    covariates = if (ncol(z) > 0L) z, blocks = blocks, family = family,
    null = check_choice(null, c("permutation", "rotation")),
    permute = check_count(permute, min = 19), kind = check_choice(kind, c("linear", "any"))
  )
  units <- unit_of(study)$signals(study)
  reader <- frequency_reader(result, units$study$feature_names)
  signals_of_study(study, units, asked, check_seed(seed), control, reader)
}
register_verb("find_signals", place = 1)

# The result for checked settings.
# @param record (of study_record(), or NULL to make it).
signals_of_study <- function(study, units, asked, seed, control, reader, record = NULL) {
  z <- if (is.null(asked$covariates)) matrix(0, study$n, 0L) else asked$covariates
  input <- signal_input(units$study, z, asked$blocks)
  input$places <- if (asked$null == "permutation") every_place(input, asked$permute)
  check_one_score(input$y, asked)
  if (asked$null == "rotation") warn_not_normal(input$not_normal)
  versions <- versions_of(study, input, z, asked$blocks)
  report <- progress_reporter(control$progress, "Signals")
  found <- cpp_find_signals(
    input$x, input$y, input$basis, input$exchange, input$places, asked$null, asked$permute,
    input$is_class, input$rivals, input$gate, versions$changed, versions$values, seed,
    control$n_threads, report
  )
  check_features_left(found)
  found$dependence <- find_dependence(
    input, asked, units$study$feature_names, seed, control,
    progress_reporter(control$progress, "Dependence")
  )
  new_signals(study, units, input, found, asked, reader, seed, record)
}
