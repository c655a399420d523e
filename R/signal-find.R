# More than 300 lines: the help, which is one page for the user, takes 284 of them.

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
#'   adjust for, for example age or batch; factors and strings become indicators. Missing values are
#'   an error.
#' @param blocks (n labels, or the name of a column of the data, or `NULL`) block of each sample,
#'   for example its patient. If the outcome differs within blocks, every block gets its own level,
#'   and samples are only exchanged within it. If it does not, each block becomes one sample, its
#'   mean. Data from [prepare_study()] bring their blocks.
#' @param within (n labels, or the name of a column of the data, or `NULL`) groups within which
#'   samples are compared, for example the patient of each sample; the outcome differs within some
#'   of them. See [prepare_study()].
#' @param clusters (clusters of [cluster_features()], a named list of feature names, or a label for
#'   each feature; `NULL` for none) select clusters instead of features, see Details. Features in no
#'   cluster, or with the label `NA`, are their own cluster.
#' @param null (string) method for outcomes without signal. `"rotation"` replaces the residuals by
#'   normal noise and **assumes normal residuals**. `"permutation"` exchanges the residuals and
#'   assumes only that they are exchangeable. On counts, skewed numbers and outliers, rotations
#'   report noise as signal (see Details); they warn if residuals are visibly not normal.
#' @param permute (whole number >= 19) number of outcomes without signal; where permutations can
#'   make no more than this, each of them once. The smallest possible p is `1 / (permute + 1)`.
#' @param kind (string) association to look for. `"linear"` sees what a correlation sees. `"any"`
#'   also tests for dependence of any kind, and takes longer; see Details. The names rest on linear
#'   association in either case.
#' @param result (result for the same features, for example of [fealect()] or
#'   [stability_selection()], or `NULL`) its frequencies and scores are shown beside the selected
#'   features.
#'
#' @param family (string or `NULL`) `"poisson"`: the numbers of `y` are counts, see Details. Other
#'   outcomes need none.
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
#' **Survival times and ordered classes** are replaced by one number for each sample, the score of a
#' model without features: observed minus expected events (martingale residuals; Therneau, Grambsch
#' and Fleming 1990), or ridits, the mean ranks of the classes divided by n (Bross 1958). Their
#' product with a feature is its score in a Cox or proportional-odds model. p is as exact as for
#' numbers if censoring does not depend on the features: samples are exchanged together with their
#' censoring. In 144 simulated outcomes each without signal p was at most 0.05 in 4.9, 6.2 and 4.2 %
#' (30 % censored, 80 % censored, ordered classes). In 120 outcomes with signal it was in 58 %, and
#' the p of the largest of one Cox model a feature, with permutations, in 27 %. The posterior below
#' treats scores as numbers. With 30 % of censored times and ordered classes 93 % of the 123 names
#' with a probability of at least 0.9 were right, with 80 % of censored times 42 % of 24. Where 30,
#' 45 and 60 % of the samples had the event, 92, 87 and 100 % of 95 were right: features of
#' survival times are only named if 30 % of the samples have the event. With covariates the scores
#' are the deviance residuals of a Cox model of these (Therneau, Grambsch and Fleming 1990), whose
#' variances differ less than those of martingale residuals. Where 20, 45 and 70 % of the samples
#' had the event, p was at most 0.05 in 9.4, 6.1 and 6.1 % of 180 outcomes each without signal, and
#' 95 % of 20 names were right (`experiments/times`).
#'
#' **Several classes** are compared by the multiple correlation of a feature with their indicators,
#' \eqn{R = \sqrt{F (K - 1) / (F (K - 1) + n - K)}} for the F statistic of K classes; \eqn{n R^2} is
#' the score statistic of a multinomial model (Rao 1948). Their rows are exchanged together: p is as
#' exact as for numbers, also with rare classes. Only permutations and `kind = "linear"` are
#' possible. In 270 simulated outcomes each without signal p was at most 0.05 in 3.3 and 5.2 %
#' (three classes of equal size, and 10:1:1), with a covariate that matters in 7.4 and 7.8 %. For
#' names, the posterior below is drawn for each class with at least five samples against all others.
#' The names of all classes are joined by decreasing probability (ties by correlation with being in
#' the class), without neighbours of those before, and so are the candidates; `class` has the class
#' in which the probability is largest. The time is that of as many outcomes of two classes. In 504
#' simulated outcomes of three classes with signal 96 % of 69 names were right where few features
#' matter (mean probability 0.91; 0.0 % unrelated), and 82 % of 33 where all matter a little (0.86;
#' 6.1 %); 0 names came in 168 outcomes without signal (`experiments/classes`).
#'
#' **Counts**, `family = "poisson"`, are replaced by the deviance residuals of a negative binomial
#' model without features, whose dispersion makes Pearson's chi-square equal to its degrees of
#' freedom (Breslow 1984). In 540 simulated outcomes each without signal p was at most 0.05 in 6.7 %
#' without and in 7.6 % with a covariate that matters; counts taken as numbers had 36 % there, and
#' log(y + 1) 28 %. In 135 outcomes each with signal p was at most 0.05 in 55 % and 58 %, as numbers
#' without covariate in 24 %. Of 79 names there 86 % were right, at a mean probability of 0.93
#' (`experiments/counts`). Give counts as such: nothing else tells them from numbers. The print
#' warns where squared residuals of numbers follow the fitted values (score test of Koenker 1981, at
#' 1 %).
#'
#' **Dependence of any kind.** A feature that matters in both directions, or only in its spread,
#' has no correlation with the outcome. With `kind = "any"` the statistic is the Hilbert-Schmidt
#' independence criterion (Gretton et al. 2005; without bias as in Song et al. 2012, equation 4):
#' the correlation of the similarities between samples in a feature, \eqn{\exp(-(x_i - x_j)^2 / (2
#' s^2))} with the median distance s (of an even number the upper one of the two in the middle; the
#' mean distance where the median is 0), with those in the outcome. The same permutations give a p
#' of the largest (one-sided: dependence makes them agree) and family-wise p of all, and covariates
#' are adjusted for as above. These are tests beside the first one: if no feature
#' matters, one of the two p is at most 0.05 in up to 10 % of studies. Time grows with \eqn{n^2}: of
#' more than 1,000 samples 1,000 are drawn, in proportion to blocks, and the print says so. Their p
#' has the power of 1,000 samples.
#'
#' **Which features?** If the first p is above 0.05, none is named. Otherwise models of few
#' features are drawn from their posterior distribution (Bayesian variable selection, George and
#' McCulloch 1993):
#' \deqn{y = Z a + X_g b + u + e,\quad b \sim N(0, \gamma \sigma^2 I),\quad
#' u \sim N(0, \tau \sigma^2 K),\quad e_i \sim t_\nu(0, \sigma^2).}
#' \eqn{Z} is the intercept, covariates and blocks. \eqn{g} is a set of at most 12 standardised
#' features, of size s with probability proportional to \eqn{0.8^s}; sets of one size are equally
#' likely. \eqn{u} is a background, absent (\eqn{\tau = 0}) with probability 0.85. With probability
#' 0.05 all features contribute to it a little: \eqn{K = x x'}, along its 128 strongest directions,
#' and \eqn{\tau} is 0.3, 1 or 3. With probability 0.1 it is a sum of principal components: K has
#' the first 5 or 10 of them with equal weights, and \eqn{\tau} is 0.3, 1, 3 or 10. K has the mean
#' eigenvalue 1; with at most 12 features there is no background. \eqn{\gamma} is one of 0.05, 0.1,
#' ..., 3.2 and \eqn{\nu} one of 2, 4, 8 and infinity, each equally likely.
#' With fewer than 3 n features a background of all features could imitate a few. There its
#' \eqn{\tau} is multiplied by p / (3 n): the part of one feature is at most a standard error.
#' Components are at most a quarter of the features, and \eqn{\gamma} is also 0.025, 0.0125, ...,
#' down to 12 / n.
#' \eqn{\sigma^2} counts as one observation with the variance of y; a is flat. **Two classes** are a
#' probit model: only the sign of y is observed, \eqn{e} is standard normal, \eqn{\gamma} is at most
#' 0.8, and a is normal with a standard deviation of 3 for standardised columns (Albert and Chib
#' 1993).
#'
#' Four chains start at the empty set. Each has 2,300 iterations (1,900 for classes), of which the
#' first 800 (400) are left out and every tenth is kept. Every chain, also of each of several
#' classes, uses its own random numbers: the names do not depend on `n_threads`.
#'
#' **Probabilities.** A feature k of a model carries the signal of feature j if their absolute
#' correlation is above 0.7, and if no name found so far is closer to k. The `probability` of j is
#' the share of models with a feature that carries its signal. The 30 features that are most often
#' in models are considered in this order, without neighbours of names; a feature is named from a
#' probability of 0.8. `candidates` has the others, down to 0.5. `mc_error` is the standard error of
#' the probability between chains. `expected_wrong` is the sum of 1 - probability over the names.
#'
#' **Many features with small effects.** A signal that is spread over many features, or over a
#' component, has no few names. `background` has the posterior probability that \eqn{\tau > 0}, 0.15
#' before the data are seen. Above 0.5 the print says so. Beside such a dense rest a name is a
#' feature that stands out of the rest, not one of few features with an effect. `expected_wrong`
#' then counts names without an effect of their own. A regression of all features would also show
#' large parts of the rest if there are many more samples than features
#' (`experiments/names-dense-rest`).
#'
#' **Many samples.** Up to 1,000 samples the spectrum takes a time proportional to \eqn{n^3}. Of
#' more samples time and memory grow in proportion to n. K is then known along its strongest
#' directions only: of more than 256 features they are those of at most 4,096 samples. Weights of
#' errors are drawn every 30 iterations instead of every 10. With 100,000 samples every correlation
#' above 0.01 is significant: read `partial_r` first, then p.
#'
#' **This feature, or one of these.** `sets` has, for each name, the features that carried its
#' signal in the models, the most frequent first, up to a share of 0.95. A set stands only beside a
#' name that it contains.
#'
#' **Clusters.** With `clusters` every cluster is one column: the mean of its standardised features,
#' each with the sign of its correlation with the middle of the cluster. Everything above then
#' applies to these columns: the statistic uses the means, also in null outcomes. The means do not
#' use the outcome, and p-values are as exact as for features. If features do not belong together,
#' their mean resembles none of them: use a `threshold` of 0.7 or more.
#'
#' **What is promised, and what is not.** With permutations and without covariates the first
#' question has an exact answer. If no feature matters, at most 5 % of studies therefore name any.
#' Probabilities are right if the model is: linear, additive and with few features. In 1260
#' simulated outcomes on gene expression, 1.5 % of the names were unrelated to every true feature
#' (absolute correlation at most 0.5; 8.5 % where all features also matter a little), and 0.41 true
#' features were named an outcome. Forward steps, which chose the names before, named 0.29, with 22
#' % unrelated names. Probabilities of 0.8 to 0.9, of 0.9 to 0.99 and above were right in 88, 95 and
#' 100 % of 710 cases. Where all features also matter a little, 80 % of the names were right, for a
#' mean probability of 0.91. Of outcomes driven by a component, 0.02 named an unrelated feature
#' (`experiments/names`, `vignette("error-rates")`). In `experiments/peers` (1512 outcomes, six sets
#' of features, five or ten true ones) the share of wrong names was 0.044 by their probabilities. It
#' was 0.016 by the truth, 0.006 of names were unrelated, and 2.22 true features were named an
#' outcome. Where a strong signal is mostly spread over many features, few features are named: on
#' outcomes that imitate `colon_genes` so, 0.00 unrelated features were named an outcome, and 0.10
#' on those of 2,905 genes of breast cancer (`experiments/plasmode`). [estimate_error_rates()] shows
#' it for your data.
#'
#' @return An object of class `stabilect_signals`, a list with
#' \describe{
#'   \item{features}{(character) the named features, the one most often in models first (with
#'   several classes, the one with the largest probability); may be empty.}
#'   \item{table}{(data frame, one row per named feature) `feature`; `probability` and `mc_error`
#'     (see Details). With several classes, `class`: the one that it tells from all others.
#'     `direction`: the class in which it is higher, or `"+"` or `"-"` for numbers, adjusted for the
#'     other named features and the covariates (of several classes the one with the highest mean,
#'     not adjusted). `partial_r`: its partial correlation with the outcome, or with being in its
#'     `class`, given these, with `lower` and `upper`, a 95 % interval by
#'     Fisher's z that does *not* account for the choice of the features (`NA` with fewer than 4
#'     degrees of freedom). `n_neighbours`; `set_size`: features in its set, `NA` without one. With
#'     `result`, its `frequency` and `score`. With `clusters`, `feature` is the name of a cluster,
#'     here and in all fields but `study` and `members`. Further columns are then `size`,
#'     `representative` (the feature most similar to the mean, which has the `direction`) and
#'     `members` (string: the five most similar features).}
#'   \item{members}{(data frame, p rows as in `x`; with `clusters` only) `cluster`, `feature`,
#'   `correlation` with the mean of the cluster.}
#'   \item{p_value}{(number) is any feature associated with the outcome?}
#'   \item{expected_wrong}{(number) expected number of wrong names: names without signal in
#'   themselves or a neighbour; beside a dense rest, names without an effect of their own.}
#'   \item{candidates}{(data frame) `feature`, `probability` and `mc_error` of features that are not
#'   named, with a probability of at least 0.5; with several classes, `class`.}
#'   \item{background}{(list) `probability` that much of the signal is spread over many features,
#'   and its `mc_error`; `NA` if p is above 0.05. Of several classes the largest.}
#'   \item{unnamed}{(string, or `NULL`) why no feature is named whatever p: too few events, or
#'   several classes with fewer than five samples each.}
#'   \item{dependence}{(list, or `NULL` with `kind = "linear"`) `p_value`: is any feature dependent
#'     on the outcome, in any way? `features` (character): those with a family-wise p of at most
#'     0.05, the largest first. `table` (data frame, p rows): `feature`, `similarity`
#'     (correlation of similarities, 0 for a constant column), `p` (family-wise). `n_null`, number
#'     of permutations; `complete` (flag: each of them once). `n_compared`: samples that were
#'     compared, if not all `n_samples` were.}
#'   \item{neighbours}{(list by feature of named numbers) correlations above 0.7 in absolute value,
#'   largest first.}
#'   \item{sets}{(data frame, one row per name and feature) `about` (the name), `feature`, `share`
#'   of the models with this signal in which the feature carries it.}
#'   \item{marginal}{(data frame, p rows as in `x`) `feature`; `correlation` (0 for a constant
#'   column or one that the covariates explain; the multiple one with several classes); `p`:
#'   step-down, family-wise; `inclusion`: posterior probability that the feature itself is in the
#'   model (of several classes the largest; `NA` if no models are drawn).}
#'   \item{null}{(list) `kind`; `complete` (flag: was every permutation made, each once?);
#'   `assumes`, the assumptions of its p (string); `not_normal`, signs against normal residuals with
#'   rotation (character, empty for none); `maxima` (`made$n_null` numbers: largest absolute
#'   correlation of each null outcome), `n_distinct` (number of different arrangements of the
#'   outcome, `Inf` for rotation), `band` (data frame: 5 % and 95 % points of the k-th largest
#'   absolute correlation of at most 99 null outcomes).}
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
#' @references Albert JH, Chib S (1993). Bayesian analysis of binary and polychotomous response
#'   data. *Journal of the American Statistical Association* 88, 669-679.
#'
#'   Anscombe FJ, Glynn WJ (1983). Distribution of the kurtosis statistic \eqn{b_2} for normal
#'   samples. *Biometrika* 70, 227-234.
#'
#'   Breslow NE (1984). Extra-Poisson variation in log-linear models. *Applied Statistics* 33,
#'   38-44.
#'
#'   Bross IDJ (1958). How to use ridit analysis. *Biometrics* 14, 18-38.
#'
#'   D'Agostino RB (1970). Transformation to normality of the null distribution of \eqn{g_1}.
#'   *Biometrika* 57, 679-681.
#'
#'   Freedman D, Lane D (1983). A nonstochastic interpretation of reported significance levels.
#'   *Journal of Business and Economic Statistics* 1, 292-298.
#'
#'   George EI, McCulloch RE (1993). Variable selection via Gibbs sampling. *Journal of the American
#'   Statistical Association* 88, 881-889.
#'
#'   Gretton A, Bousquet O, Smola A, Scholkopf B (2005). Measuring statistical dependence with
#'   Hilbert-Schmidt norms. *Algorithmic Learning Theory*, 63-77.
#'
#'   Koenker R (1981). A note on studentizing a test for heteroscedasticity. *Journal of
#'   Econometrics* 17, 107-112.
#'
#'   Langsrud O (2005). Rotation tests. *Statistics and Computing* 15, 53-60.
#'
#'   Rao CR (1948). Large sample tests of statistical hypotheses concerning several parameters.
#'   *Proceedings of the Cambridge Philosophical Society* 44, 50-57.
#'
#'   Song L, Smola A, Gretton A, Bedo J, Borgwardt K (2012). Feature selection via dependence
#'   maximization. *Journal of Machine Learning Research* 13, 1393-1434.
#'
#'   Therneau TM, Grambsch PM, Fleming TR (1990). Martingale-based residuals for survival models.
#'   *Biometrika* 77, 147-160.
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
