#' Is there signal, and which features carry it?
#'
#' Answers two questions with p-values and without resampling: is any feature associated with the
#' response, and which features carry an association that neither the features named before them
#' nor their neighbours explain? On correlated data, such as gene expression, the features with the
#' largest correlations are often neighbours of what matters, or mixtures of several causes;
#' `find_signals()` names few features, and says of each which others could stand in its place.
#'
#' @param x (numeric matrix, n samples x p features, or another form that [prepare_study()] takes)
#'   the features. Put numbers with heavy tails, such as raw intensities, on a log scale first.
#' @param y (n values) two classes (factor, character or logical) or numbers. With several classes,
#'   set one against the rest, `y == "a"`, or keep the samples of two.
#' @param data (data frame, or `NULL`) where the variables of a formula `x` are, such as that of
#'   `status ~ .`; `y` is then left out.
#' @param covariates (numeric vector, matrix or data frame with n rows, or `NULL`) what is to be
#'   held constant, such as age or batch; factors and strings become indicators. Missing values are
#'   refused.
#' @param blocks (n labels, or `NULL`) which samples belong together, such as those of one patient.
#'   Where the response differs within blocks, every block gets a level of its own and samples are
#'   exchanged only within it; where it does not, each block becomes one sample, the mean of its
#'   own. Data of [prepare_study()] bring theirs.
#' @param clusters (clusters of [cluster_features()], a named list of feature names, or a label for
#'   each feature; `NULL` for none) name these, not features, see Details. Features in none, or with
#'   the label `NA`, are clusters of their own.
#' @param null (string) how responses without signal are made: `"rotation"` **assumes normal
#'   residuals**, `"permutation"` only that residuals are exchangeable. Rotations take normal noise
#'   in place of the residuals, permutations exchange these. On counts, skewed numbers and outliers
#'   rotations call noise a signal (see Details); they warn where residuals are visibly not normal.
#' @param n_null (whole number >= 19) how many such responses. The smallest possible p is
#'   `1 / (n_null + 1)`.
#' @param frequencies_from (result for the same features, such as that of [fealect()] or
#'   [stability_selection()], or `NULL`) its frequencies and scores are shown beside the names.
#' @param seed (whole number, or `NULL`) the same seed gives the same answer for any `n_threads`;
#'   `NULL` draws one from R's generator.
#' @param n_threads (whole number >= 1) threads.
#' @param progress (flag) show a progress bar while null responses are worked through.
#'
#' @details
#' **Is there signal?** The largest absolute correlation of any feature with the response, both
#' without the part that intercept, covariates and blocks explain, is compared with that of
#' `n_null` responses without signal; \eqn{p = (1 + \#\{M_r \ge M\}) / (1 + n_{null})}. With
#' permutations, without covariates and with exchangeable samples this is exact, whatever the law of
#' the response: when no feature matters, p is at most \eqn{\alpha} with probability at most
#' \eqn{\alpha} (with blocks of one response the same holds of
#' blocks). The same responses give every feature a family-wise p by the step-down maximum (Westfall
#' and Young 1993, algorithm 4.1), in `marginal`.
#'
#' **With covariates p is approximate**: what is exchanged are residuals, which are not quite
#' exchangeable (Freedman and Lane 1983). On genes that the covariates are correlated with, with 0,
#' 1 and 5 covariates p was at most 0.05 in up to 6.0, 6.0, 5.8 % of 1,000 responses without signal,
#' by law (normal, t with 3 degrees of freedom, lognormal) and number of samples (20 and 60);
#' standard errors are 0.6 to 0.8 % (`experiments/signal-covariates`).
#'
#' **Rotations** (Langsrud 2005) are exact for normal residuals, with covariates, too, and for no
#' others: on genes of leukaemia they see a signal in 43 % of lognormal and in 34 % of count
#' responses without any, permutations in 4 and 5 % (`vignette("error-rates")`).
#'
#' **Which features?** Let \eqn{x x' = U D U'} after standardising columns. Singular values above
#' their median are cut to it: \eqn{w_i = \min(1, \sqrt{median(d) / d_i})} (Cevid, Buehlmann and
#' Meinshausen 2020, section 3.1), so that the strongest directions, which all features share, no
#' longer decide. In the metric \eqn{diag(w) U'} the feature with the largest partial correlation
#' given those before it comes next, eight times, and \eqn{p_k} of step k compares this correlation
#' with its maximum over all features in null responses. For permutations these are exchanged
#' residuals of the model with the features before (Freedman and Lane 1983). ForwardStop (G'Sell et
#' al. 2016, eq. 6) accepts the first
#' \eqn{\hat k = \max\{k : -\frac1k \sum_{i \le k} \log(1 - p_i) \le 0.2\}} features. Then the
#' feature with the largest p given all others leaves while that p is above 0.05. This last p is
#' the one in `table`. With two or more features left, its permutations are those of the residuals
#' of the model with all of them (ter Braak 1992).
#'
#' A feature is skipped when those before it explain more than 95 % of it. A null statistic that
#' differs from the observed one by no more than the rounding error of a float sum counts as
#' equal, hence against the feature.
#'
#' Names are given only when the first p is at most 0.05. When no feature matters, at most 5 % of
#' studies therefore name any, where that p is exact.
#'
#' **Many samples.** The spectrum takes a time in proportion to \eqn{n^3}, or, for more than 1,000
#' samples and less than half as many features, to \eqn{p^3}. It shows progress and can be stopped.
#'
#' **This feature, or one of these.** Credible sets come from SuSiE (Wang et al. 2020) on the data
#' without trimming: at most eight effects, prior variances estimated, the smallest set with
#' probability 0.95, kept when all absolute correlations within it are at least 0.5. A set is about
#' the named feature that it holds. Sets that hold none of the names are listed, but not named: in
#' the simulations those without a neighbour of a name, too, were unrelated to the truth more often,
#' mostly with noise of heavy tails.
#'
#' **Clusters.** With `clusters` every cluster is one column, the mean of its standardised features,
#' each with the sign of its correlation with the middle of the cluster. All that is said above of
#' features is then said of these columns: the statistic is that of the means, in null responses,
#' too. Since they are made without the response, p values are as exact as those of features. A
#' cluster of features that do not belong together has a mean that is like none of them: take a
#' `threshold` of 0.7 or more. What named clusters held in simulations is in `rates`
#' (`experiments/signal-clusters`). In blocks of ten features with correlation 0.8 and 200
#' samples, named clusters held a share of 0.63 of the true features; of single features 0.29 were
#' named.
#'
#' **What is and what is not promised.** By permutations without covariates the first question has
#' an exact answer, and `steps$p[1]` is exact, too. That the names are right is an observation from
#' simulations, not a theorem, and only *up to neighbours*: the share of names that were unrelated
#' to every true feature (absolute correlation at most 0.7) is in `rates`, with that of the best and
#' the worst data set, and `print()` states it. Where features have many neighbours, the named one
#' is often a neighbour of the true one. In another experiment, with 3 to 30 true ones, a share of
#' 0.07 of the names was not itself true on real features, and 0.04 was unrelated
#' (`vignette("error-rates")`). Take this list for a few names to follow up. All models are linear
#' and additive.
#'
#' @return An object of class `stabilect_signals`, a list with
#' \describe{
#'   \item{features}{(character) the named features in the order of the steps; may be empty.}
#'   \item{table}{(data frame, one row per named feature) `feature`; `p` given the other ones
#'     (see Details); `direction`: the class in which it is high, or `"+"` or `"-"` for numbers,
#'     with the other names and the covariates held; `partial_r`: its partial correlation with the
#'     response given these, with `lower` and `upper`, a 95 % interval by Fisher's z that does *not*
#'     account for the choice of the features (`NA` with fewer than 4 degrees of freedom);
#'     `n_neighbours`; `set_size`: features in the smallest credible set that holds it, `NA` without
#'     one; with `frequencies_from` also its `frequency` and `score`. With `clusters`, `feature`
#'     holds the names of clusters, here and in all fields but `study` and `members`; their `size`,
#'     `representative` (the feature that is most like the mean, whose `direction` it is) and
#'     `members` (string: the five that are most like it) follow.}
#'   \item{members}{(data frame, p rows as in `x`; with `clusters` only) `cluster`, `feature`,
#'     `correlation` with the mean of the cluster.}
#'   \item{p_value}{(number) is any feature associated with the response?}
#'   \item{steps}{(data frame, one row per forward step) `step`, `feature`, `partial_r` (absolute,
#'     in the trimmed metric), `p`, `forward_stop` (the mean that ForwardStop compares with 0.2),
#'     `accepted`, `kept` (after pruning). It ends where no later step could be accepted.}
#'   \item{neighbours}{(list by feature of named numbers) correlations above 0.7 in absolute
#'     value, largest first.}
#'   \item{sets}{(data frame, one row per credible set and member) `set` (number), `about` (the
#'     named feature in it, the most probable of several; `NA` for none), `feature`, `probability`.}
#'   \item{unproven}{(character) the first five features of the steps, when nothing is named:
#'     suggestions, without any claim.}
#'   \item{marginal}{(data frame, p rows as in `x`) `feature`; `correlation` (0 for a constant
#'     column or one that the covariates explain); `p`: step-down, family-wise.}
#'   \item{null}{(list) `kind`; `assumes`, what its p takes for granted (string); `not_normal`, what
#'     the residuals show against a rotation (character, empty for nothing); `maxima` (`n_null`
#'     numbers: largest absolute correlation of each null response), `n_distinct` (how many
#'     different arrangements of the response there are, `Inf` for rotation), `band` (data frame: 5
#'     % and 95 % points of the k-th largest absolute correlation of at most 99 null responses).}
#'   \item{rates}{(data frame) what the stored simulations found, see Details: `unrelated`,
#'     `lowest`, `highest` (shares of names), `responses`; of clusters `false` (without a true
#'     feature; `lowest` and `highest` are of these) besides.}
#'   \item{asked, study, made}{(lists) as in [results]; `made` has `n_null`.}
#' }
#' @section Errors:
#' Class `stabilect_error_input` for bad data as in [fealect()]; several classes; fewer than five
#' samples, or fewer than three more than covariates; covariates that explain the response
#' completely, or leave nothing of any feature; covariates with missing values.
#' @section Warnings:
#' `stabilect_warning_not_normal`: `null = "rotation"` with residuals whose skewness or kurtosis is
#' not that of normal ones, or a sixth of which has one value.
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
                         null = c("permutation", "rotation"), n_null = 999,
                         frequencies_from = NULL, clusters = NULL, seed = NULL, n_threads = 1,
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
    n_null = check_count(n_null, min = 19)
  )
  asked$clusters <- check_clusters(clusters, study$feature_names)
  units <- signal_units(study, asked$clusters)
  reader <- frequency_reader(frequencies_from, units$study$feature_names)
  seed <- check_seed(seed)
  input <- signal_input(units$study, study$covariates, blocks)
  if (asked$null == "rotation") warn_not_normal(input$not_normal)
  report <- progress_reporter(control$progress, "Null responses")
  found <- cpp_find_signals(
    input$x, input$y, input$basis, input$exchange, asked$null, asked$n_null, seed,
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

# @return function(features): their frequency and score in a result, or NULL where it has none.
frequency_reader <- function(result, feature_names) {
  if (is.null(result)) {
    return(function(features) list(NULL, NULL))
  }
  table <- if (inherits(result, "stabilect_result")) result$table
  refuse(is.null(table$feature) || is.null(table$frequency) && is.null(table$score),
    "{.arg frequencies_from} must be a result with frequencies or scores of features, such as
      that of {.fn fealect}, not {describe_value(result)}."
  )
  refuse_at(setdiff(feature_names, table$feature),
    "{.arg frequencies_from} is a result for other features: it lacks {.val {at}}."
  )
  function(features) {
    at <- match(features, table$feature)
    list(table$frequency[at], table$score[at])
  }
}
