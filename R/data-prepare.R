#' Input formats: data frames, formulas, sparse matrices, Bioconductor containers
#'
#' Every verb takes x as a matrix, a data frame, a sparse Matrix, a Bioconductor container or a
#' formula. `prepare_study()` settles what these forms leave open: missing values, factors, the
#' assay to use, and samples that belong together. Pass its result to any verb as `x`, without `y`.
#'
#' @param x (numeric or logical matrix, n samples x p features) or a Matrix, a data frame, a
#'   formula, or a `SummarizedExperiment`, `ExpressionSet` or `phyloseq` object, with the features
#'   where they have them. Or several views of the same samples (omics layers): a named list of
#'   matrices or data frames, or a `MultiAssayExperiment`, see Details.
#' @param y (n values) outcome; or the name of its column (string) in a data frame, `colData()`,
#'   `pData()` or `sample_data()`; two names for survival times, `c("time", "event")`. You may leave
#'   it out here and give it to the verb.
#' @param data (data frame, or `NULL`) the variables of a formula `x`; `y` is then left out.
#' @param na (string) treatment of missing values. `"error"` stops; `"omit"` drops every sample with
#'   a missing value in x, y, `blocks` or `covariates`; `"median"` imputes medians, `"impute"`
#'   expected values from similar features (see Details); both stop if an outcome is missing.
#' @param max_missing (number in \[0, 1\]) unless `na = "error"`: features with a larger share of
#'   missing values are left out first. [missing_pattern()] tests whether they are there.
#' @param zeros (string) `"missing"` takes zeros for values that were not measured, as programs for
#'   proteins write them (MaxQuant, iBAQ), in columns that have nothing else near 0: on the scale of
#'   logarithms (base 2) 0 is farther from their smallest value than that from their median.
#' @param factors (string) coding of unordered factors with more than two levels: `"feature"`, one
#'   feature each, or `"columns"`, an indicator column for each level but the first.
#' @param assay (string or whole number, or `NULL`) assay of a container; needed if there are
#'   several.
#' @param outcome (string, or `NULL`) name of the outcome's column, another way to give `y`.
#' @param blocks (n values, or a string naming a column of the data frame or container, or `NULL`)
#'   groups of samples that are resampled together, for example all samples of one patient.
#' @param within (n labels, or a string naming such a column, or `NULL`) groups within which samples
#'   are compared, for example the patient of each sample, see Details. They are resampled together;
#'   leave `blocks` out.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula, or `NULL`)
#'   covariates. Verbs adjust for them as for their own argument `covariates`. The variables of a
#'   formula like `~ age + batch` are columns of `colData` or of a data frame; these columns then
#'   are no features.
#' @param n_draws (whole number >= 2) with `na = "impute"`: how often all missing values are drawn,
#'   beside their expected values. Take 20 where a third of the values is missing.
#' @param seed (whole number, or `NULL` for a random one) of the draws of `na = "impute"`.
#' @param n_threads (whole number >= 1) threads for `na = "impute"`; they do not change any value.
#' @param progress (flag) show the progress of the imputation, if it takes some seconds?
#' @param ... Not used.
#'
#' @details
#' **Which form for which verb.** Only `prepare_study()` accepts missing values.
#'
#' \tabular{lll}{
#'   **form of x** \tab **y** \tab **verbs** \cr
#'   matrix of numbers or logicals \tab n values \tab all \cr
#'   Matrix, sparse or dense \tab n values \tab all \cr
#'   data frame of numbers, logicals, ordered factors, \tab n values, or the name \tab all \cr
#'   two-level factors or strings \tab of a column \tab \cr
#'   data frame with factors of more levels \tab the same \tab filters in [select_ensemble()], \cr
#'   \tab \tab [score_features()], [estimate_stability()]; \cr
#'   \tab \tab others after `factors = "columns"` \cr
#'   `SummarizedExperiment`, `ExpressionSet`, `phyloseq` \tab name of a column, or n values
#'     \tab all \cr
#'   formula, such as `class ~ . - age` \tab the data frame \tab all \cr
#'   named list of matrices, `MultiAssayExperiment` \tab n values, or the name \tab all \cr
#'   `stabilect_data`, made here \tab left out \tab all
#' }
#'
#' "All" are [find_signals()], [fealect()], [stability_selection()], [bolasso()], [lars_path()],
#' [fit_model()], [select_ensemble()], [score_features()], [estimate_stability()],
#' [evaluate_selectors()], [eliminate_features()], [evaluate_elimination()], [hybrid_rfe()],
#' [tune_tradeoff()], and [feature_importance()].
#'
#' **Formulas** name columns with `.` (all columns not on the left side), `+` and `-`. The left side
#' is a column or a function of columns, `log(dose) ~ .`. Interactions and functions on the right
#' are not supported. Formulas stay fast with tens of thousands of columns.
#'
#' **Columns of a data frame** are coded as follows:
#' * logicals, and strings and factors with two levels, become 0 and 1; the second level is 1, and
#'   strings are sorted by bytes in every locale;
#' * ordered factors become 1, 2, ... in their order;
#' * levels without samples are dropped;
#' * a matrix in a column gives its columns;
#' * a string or factor with a different value in every sample is an error.
#'
#' `predict()` codes a data frame of new samples so, too. Values that did not occur before are an
#' error.
#'
#' **A factor as one feature.** A filter scores a factor by a test that does not depend on the
#' coding of the levels. The score has the p-value of this test, so a factor with many levels gains
#' nothing from its degrees of freedom. For K levels and G classes in a run, let \eqn{V = X^2 / N}
#' with Pearson's \eqn{X^2} of the K x G table. V is Pillai's trace of the regression of the classes
#' on the levels; for two classes and for numeric y it is the R squared. With \eqn{s = \min(K, G) -
#' 1},
#' \deqn{F = \frac{d_2}{d_1} \frac{V}{s - V}, \quad d_1 = (K - 1)(G - 1), \quad
#'      d_2 = s (N - K - G + 1 + s)}
#' as in [stats::summary.manova()]. For numeric y, G = 2 and F is the statistic of the one-way
#' model. The score is the value of the filter's own statistic that has the p-value of F:
#' * `selector_filter("t")`, `selector_filter("welch")`: |t| with N - 2 degrees of freedom;
#' * `selector_filter("anova")`: F with G - 1 and N - G;
#' * `selector_filter("pearson")`: |r| of N samples (Spearman: y in midranks);
#' * `selector_filter("wilcoxon")`: |z| with the p-value of the Kruskal-Wallis test of the classes
#'   between levels, (N - 1) V on K - 1 degrees of freedom;
#' * `selector_filter("variance")`: Light and Margolin's variation,
#'   \eqn{N (1 - \sum_k (n_k / N)^2) / (2 (N - 1))};
#' * `selector_filter("mutual_information")`: its formula with the levels as bins; with few samples
#'   it favours many levels.
#'
#' If only two levels are in the run, all scores but Welch's equal the scores of a 0/1 column.
#'
#' **Samples compared within groups.** With `within`, a feature counts by its differences between
#' samples of one group: tumour and normal of one patient, before and after, a case and its
#' controls. In every resample
#' * groups are drawn whole;
#' * features, numbers and covariates are the differences from the mean of their group. Least
#'   squares then has an intercept for each group (Frisch and Waugh 1933);
#' * `family = "binomial"` is conditional logistic regression (Breslow and Day 1980), the partial
#'   likelihood with a stratum for each group; the second class needs at most one sample a group;
#' * outcomes are permuted within groups: for pairs, signs are flipped, in all ways if they are few.
#'
#' Means of groups need no other sample, so no run sees what it left out. The out-of-bag error asks
#' which sample of an unseen patient is the tumour. Two classes and numbers can be compared, by
#' [find_signals()], [fealect()], [stability_selection()], [bolasso()], [select_ensemble()],
#' [lars_path()], [lasso_path()], [fit_model()] and the verbs for their results, except
#' [validate_model()]. Each group needs two samples. For `predict()`, new samples are
#' `prepare_study(newdata, within = )`. A group with one class says nothing about classes, but
#' counts in least squares.
#'
#' **Views.** `list(clinical = , expression = )` has several matrices of the same samples; rows with
#' names are matched by them. They become one matrix. A name that occurs in two views gets the name
#' of its view in front, as in `expression:TP53`. Results know the view of each feature
#' (`study$roles$views`), and prints count the selected features by view. In `penalty`, a name of a
#' view stands for its features: `penalty = c(expression = 2)`, and `Inf` leaves the view out; with
#' `penalty = "views"` every run chooses the weights, see [path_control()]. [fealect()] with `oob =
#' "views"` says what each view adds to the prediction. [stability_selection()] with `q`, `cutoff`
#' or `pfer` bounds the false positives in each view. Experiments of a `MultiAssayExperiment` are
#' views, and `colData` has the outcome. Every patient needs one sample in each.
#'
#' **Median.** Missing numbers become the median of their column, ordered factors the lower median.
#' Logicals, strings and other factors become the most frequent value (the first of several). These
#' values are computed once, from *all* samples, outside the resampling. They use no outcome, but
#' later test or out-of-bag samples have contributed to them. Imputed values also vary too little.
#' With more than a few missing values, take `"impute"`. Samples with more than 80 % of their values
#' missing are refused, and tables with more than 40 %.
#'
#' **Imputation from similar features.** A missing number gets its expected value given the ten
#' features with the largest absolute correlation and the fact that it is missing, without the
#' outcome. Each feature with missing values is regressed on its ten (ridge, penalty 0.1 a sample).
#' The odds that a value u is missing are \eqn{\exp(a_i + b u)}, with an intercept for each sample
#' and one slope \eqn{b \le 0} for each view: values below a limit of detection are filled in
#' lower. b is near 0 where values are missing at random, and 0 where the largest number is 64 or
#' more, since counts and raw intensities have no such scale. After six rounds of data augmentation
#' (Tanner and Wong 1987), `n_draws` further rounds each give one draw of all missing values, and
#' their mean expectation. Categories get the most frequent value, as above. It needs 20 samples and
#' 50 features of numbers. Views of fewer than 50 features, and features of at most four different
#' values, have b = 0.
#'
#' Lists, scores, tests, errors and models use the expected values. A draw without the outcome would
#' be noise in a feature; with the outcome p values would be wrong. Permutation p values stay exact
#' as long as missingness has nothing to do with the outcome, of which prints warn. What reads
#' correlations uses the draws: the names of [find_signals()] are those of two chains on each draw,
#' [cluster_features()] and [substitutes()] read the correlations of all draws. Runs on values that
#' are filled in once agree too much: the prints of [fealect()], [stability_selection()],
#' [bolasso()] and [select_ensemble()], and [stability()], say also how much they agree where each
#' draw has its share of the runs, and tables have the frequencies there, `frequency_drawn`. Parts
#' of at least 20 samples, as in [evaluate_replication()], are imputed again, each from itself;
#' smaller parts keep their values.
#'
#' **New samples.** `predict()`, [validate_model()] and `augment()` fill in missing numbers of new
#' samples, and say so: with the medians of the prepared data of the fit, or with the means of its
#' samples where it had no missing values. New samples that were prepared themselves are filled in
#' in the same way. Zeros of features in which `zeros = "missing"` took them for missing are missing
#' in new samples, too. The prediction of a sample that lacks more than half of
#' the features of the model is `NA`, with a warning.
#' @return An object of class `stabilect_data`, a list with
#'   * `x` (matrix, Matrix or data frame);
#'   * `y` (n values, or `NULL`);
#'   * `notes` (character) what was done; results keep it in `study$notes` and print it;
#'   * `blocks` (n values, or `NULL`);
#'   * `within` (flag) are samples compared within blocks?
#'   * `covariates` (data frame with n rows, or `NULL`);
#'   * `views` (factor of length p named by columns, or `NULL`) the view of each feature;
#'   * `groups` (factor of length p named by columns, or `NULL` if each column is a feature) the
#'     feature that a column belongs to, for `group_features()`;
#'   * `coding` (list, or `NULL` without categories) how categories became numbers, for new samples;
#'   * `dropped` (names or numbers of samples) samples left out;
#'   * `fill` (named numbers, or `NULL` unless missing values were filled in) medians of the
#'     columns, for new samples;
#'   * `missing` (list, or `NULL` likewise) `n` samples, `names` of the columns that were given,
#'     `row` and `column` (integer) of each missing value;
#'   * `imputed` (list, or `NULL` unless `na = "impute"` filled in some) `row` and `column`
#'     (integer) of each missing value in `x`, `drawn` (`n_draws` x values), `slope` (of each view),
#'     `lower` (by how many standard deviations the slopes lower the values, a mean), `seed`,
#'     `n_draws`, `hash` (string, of the values that were there), `by_value` (flag), and `steep`
#'     (the slope for one standard deviation of all values);
#'   * `form` (string) the form of the input.
#' @section Errors:
#' Class `stabilect_error_input` for missing values with `na = "error"` (the message names the
#' first), too few samples or features for `na = "impute"`, too many missing values, a column
#' without any value, unknown names, several assays without a choice, a formula that contains more
#' than column names, and columns that are neither numbers nor categories.
#' @references Breslow NE, Day NE (1980). *Statistical Methods in Cancer Research I: The Analysis of
#'   Case-Control Studies*. IARC, chapter 7.
#'
#'   Frisch R, Waugh FV (1933). Partial time regressions as compared with individual trends.
#'   *Econometrica* 1, 387-401.
#'
#'   Josse J, Husson F (2012). Handling missing values in exploratory multivariate data analysis
#'   methods. *Journal de la Societe Francaise de Statistique* 153(2), 79-99.
#'
#'   Light RJ, Margolin BH (1971). An analysis of variance for categorical data. *Journal
#'   of the American Statistical Association* 66, 534-544.
#'   Tanner MA, Wong WH (1987). The calculation of posterior distributions by data augmentation.
#'   *Journal of the American Statistical Association* 82, 528-540.
#' @concept SummarizedExperiment
#' @concept imputation
#' @concept phyloseq
#' @concept microbiome
#' @concept SingleCellExperiment
#' @concept ExpressionSet
#' @concept missing values
#' @concept repeated measures
#' @concept paired samples
#' @concept MultiAssayExperiment
#' @concept matched pairs
#' @concept conditional logistic regression
#' @concept DESeq2
#' @concept limma
#' @concept RNA-seq
#' @concept microarray
#' @concept proteomics
#' @concept metabolomics
#' @family data forms
#' @examples
#' set.seed(1)
#' patients <- data.frame(
#'   outcome = factor(rep(c("well", "ill"), 20)), sex = rep(c("f", "m", "m", "f"), 10),
#'   tissue = factor(sample(c("liver", "lung", "skin"), 40, TRUE)), a = rnorm(40), b = rnorm(40)
#' )
#' patients$a[3] <- NA
#' data <- prepare_study(patients, "outcome", na = "omit")
#' data
#' score_features(data, selector = selector_filter("t"))
#' fealect(prepare_study(outcome ~ ., patients, na = "median", factors = "columns"), n_runs = 20)
#' genes <- matrix(rnorm(40 * 30), 40, dimnames = list(NULL, sprintf("g%d", 1:30)))
#' kinds <- prepare_study(list(clinical = patients["sex"], expression = genes), patients$outcome)
#' fealect(kinds, n_runs = 20, penalty = c(expression = 2), seed = 1)
#' @export
prepare_study <- function(x, y = NULL, na = c("error", "omit", "median", "impute"),
                          factors = c("feature", "columns"), assay = NULL, outcome = NULL,
                          blocks = NULL, covariates = NULL, within = NULL, max_missing = 0.5,
                          zeros = c("value", "missing"), n_draws = 10, seed = NULL,
                          n_threads = getOption("stabilect.n_threads", 1),
                          progress = interactive(), data = NULL) {
  check_given()
  refuse(!is.null(blocks) && !is.null(within),
    "{.arg within} draws its groups whole: leave {.arg blocks} out."
  )
  na <- check_choice(na, c("error", "omit", "median", "impute"))
  factors <- check_choice(factors, c("feature", "columns"))
  max_missing <- check_fraction(max_missing, open_left = FALSE)
  zeros <- check_choice(zeros, c("value", "missing"))
  n_draws <- check_count(n_draws, min = 2)
  n_threads <- check_count(n_threads)
  progress <- check_flag(progress)
  if (na == "impute") seed <- check_seed(seed)
  columns <- names(table_of_data(x, y))
  parted <- part_covariates(x, y, covariates)
  if (!is.null(parted$x)) x <- parted$x
  if (!is.null(parted$y)) y <- parted$y
  raw <- gather_input(x, y, assay, outcome, if (is.null(within)) blocks else within)
  samples <- c(list(names = names_of_samples(raw$x)), samples_from(x, y))
  check_samples(raw$y, samples, "y")
  check_samples(raw$blocks, samples, if (is.null(within)) "blocks" else "within")
  check_samples(parted$covariates, samples, "covariates")
  # The matrices of several views have no text.
  for (part in c("x", "y", "blocks")) {
    if (!is.null(raw[[part]])) raw[[part]] <- blank_as_na(raw[[part]])
  }
  if (is.data.frame(parted$covariates)) parted$covariates <- blank_as_na(parted$covariates)
  raw$within <- !is.null(within)
  raw$covariates <- prepared_covariates(parted$covariates, nrow(raw$x), na)
  if (zeros == "missing") {
    apart <- zeros_as_missing(raw$x)
    raw$x <- apart$x
    raw$notes <- c(raw$notes, apart$note)
  }
  filled <- na %in% c("median", "impute")
  before <- raw$x
  missing <- if (filled) record_missing(before, missing_cells(before))
  # Where features are left out, the others keep their numbers.
  unnamed <- is.null(colnames(before)) && length(dim(before)) == 2L
  n_missing <- if (!is.null(missing)) tabulate(missing$column)
  if (unnamed && any(n_missing > max_missing * nrow(before))) {
    colnames(raw$x) <- missing$names
  }
  raw <- treat_missing(raw, na, max_missing)
  coded <- code_table(raw$x, factors)
  refuse_same_names(colnames(coded$x))
  told <- list(x = coded$x)
  if (na == "impute") {
    told <- impute_numbers(coded$x, raw$views, n_draws, seed, n_threads, progress)
    coded$x <- told$x
    raw$notes <- c(told$note, raw$notes)
  }
  new_data(
    coded$x, raw$y, c(raw$notes, raw$coded, coded$notes), raw$blocks, coded$groups, coded$coding,
    raw$dropped, raw$form, raw$covariates, raw$within, raw$views,
    prepared_as(
      list(
        na = if (length(raw$notes) > 0L) na, factors = if (factors == "columns") factors,
        max_missing = if (na != "error" && max_missing != 0.5) max_missing,
        zeros = if (zeros == "missing") zeros,
        n_draws = if (na == "impute" && n_draws != 10) n_draws,
        seed = if (!is.null(told$imputed)) seed
      ),
      list(blocks = blocks, within = within, covariates = covariates), columns
    ),
    fill = if (filled) fills_of(coded, before), imputed = told$imputed, missing = missing,
    zeros = if (zeros == "missing") apart$columns
  )
}

# What values of samples are called where the user has not named columns.
usual_names <- c(blocks = "patient", within = "patient", covariates = "z")

# The arguments to prepare the data again, as text, for "Next" and reports; NULL where the verbs
# take the data as they are.
# @param settings (list of strings) what changed the data.
# @param values (list) of samples, as the user gave them: by names of these columns, or not.
prepared_as <- function(settings, values, columns) {
  said <- function(value) {
    by_name <- inherits(value, "formula") || is.character(value) && all(value %in% columns)
    if (by_name) paste(deparse(value), collapse = " ")
  }
  settings <- Filter(Negate(is.null), settings)
  values <- Filter(Negate(is.null), values)
  named <- Filter(Negate(is.null), lapply(values, said))
  if (length(settings) == 0L && length(named) == 0L) {
    return(NULL)
  }
  texts <- c(lapply(settings, deparse), as.list(usual_names[names(values)]))
  texts[names(named)] <- named
  unlist(texts)
}

# A table; values may be missing only if their samples are to be omitted.
prepared_covariates <- function(covariates, n, na) {
  if (is.null(covariates)) {
    return(NULL)
  }
  covariates <- covariate_table(covariates)
  if (na == "omit" && nrow(covariates) == n) {
    read_covariates(covariates[stats::complete.cases(covariates), , drop = FALSE],
      sum(stats::complete.cases(covariates)))
  } else {
    read_covariates(covariates, n)
  }
  covariates
}

new_data <- function(x, y, notes, blocks, groups, coding, dropped, form, covariates = NULL,
                     within = FALSE, views = NULL, prepared = NULL, fill = NULL, imputed = NULL,
                     missing = NULL, zeros = NULL) {
  of_class("stabilect_data",
    x = x, y = y, notes = notes, blocks = blocks, groups = groups, coding = coding,
    dropped = dropped, form = form, covariates = covariates, within = within,
    views = views, prepared = prepared, fill = fill, imputed = imputed, missing = missing,
    zeros = zeros
  )
}

# Any form as list(x, y, blocks, form, notes, dropped): x a matrix, Matrix or data frame with
# samples in rows, y and blocks values or NULL. Nothing is coded yet.
gather_input <- function(x, y, assay, outcome, blocks) {
  container <- container_kind(x)
  refuse(!is.null(assay) && is.null(container),
    "{.arg assay} is for containers, but {.arg x} is {describe_value(x)}."
  )
  refuse_result(x)
  refuse(inherits(x, "stabilect_data"), "{.arg x} is already prepared.")
  if (!is.null(outcome)) {
    refuse(!is.null(y), "Give either {.arg y} or {.arg outcome}, not both.")
    y <- check_string(outcome, "outcome")
  }
  raw <- if (is_view_list(x)) {
    read_views(x, y, blocks)
  } else if (inherits(x, "formula")) {
    read_formula(x, y, blocks)
  } else if (!is.null(container)) {
    read_container(x, y, assay, blocks, container)
  } else if (is.data.frame(x)) {
    read_table(x, y, blocks)
  } else {
    read_matrix(x, y, blocks)
  }
  check_lengths(raw)
  c(raw, list(notes = character(), dropped = character()))
}

check_string <- function(x, name) {
  refuse(!checkmate::test_string(x, min.chars = 1L),
    "{.arg {name}} must be a string, not {describe_value(x)}."
  )
  x
}

read_matrix <- function(x, y, blocks) {
  known <- is.matrix(x) && (is.numeric(x) || is.logical(x)) ||
    inherits(x, c("Matrix", "DelayedMatrix"))
  if (!known) abort_not_matrix(x)
  refuse(is_name(y, nrow(x)), c("{.arg y} names a column, {.val {y}}, but {.arg x} is a matrix.",
    i = "Give the {nrow(x)} values of the response."
  ))
  list(x = x, y = y, blocks = blocks, form = "matrix")
}

check_lengths <- function(raw) {
  n <- nrow(raw$x)
  if (!is.null(raw$y)) {
    wide <- length(dim(raw$y)) == 2L && ncol(raw$y) != 1L && !is_survival(raw$y)
    refuse(!is.atomic(raw$y) || wide,
      c("{.arg y} must be the values of one response, not {describe_value(raw$y)}.",
        i = advice_for_formula(raw$y)
      )
    )
    size <- if (length(dim(raw$y)) == 2L) nrow(unclass(raw$y)) else length(raw$y)
    refuse(size != n, "{.arg y} has {size} value{?s} but {.arg x} has {n} sample{?s}.")
  }
  refuse(!is.null(raw$blocks) && (!is.atomic(raw$blocks) || length(raw$blocks) != n),
    "{.arg blocks} must have one value for each of the {n} samples, not be
      {describe_value(raw$blocks)}."
  )
}
