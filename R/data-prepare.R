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
#' Only `prepare_study()` accepts missing values; all verbs take every form; factors of more than
#' two levels need a filter, or `factors = "columns"`.
#' \tabular{ll}{
#'   **form of x** \tab **y** \cr
#'   matrix, sparse Matrix \tab n values \cr
#'   data frame \tab n values, or the name of a column \cr
#'   `SummarizedExperiment`, `ExpressionSet`, `phyloseq` \tab the same \cr
#'   formula, such as `class ~ . - age` \tab the data frame \cr
#'   named list of matrices, `MultiAssayExperiment` \tab n values, or the name \cr
#'   `stabilect_data`, made here \tab left out
#' }
#'
#' **Formulas** name columns with `.`, `+` and `-`. The left side is a column or a function of
#' columns, `log(dose) ~ .`. Interactions are not supported.
#'
#' **Columns of a data frame.** Logicals, and strings and factors with two levels, become 0 and 1
#' (the second level; strings sorted by bytes). Ordered factors become 1, 2, ...  A factor of more
#' levels is one feature, scored by a test that does not depend on their coding and whose p-value
#' the score has: many levels gain nothing.
#'
#' **Within groups.** With `within`, a feature counts by its differences between samples of one
#' group: tumour and normal of one patient, a case and its controls. Features and numbers are
#' differences from the mean of their group; `family = "binomial"` is conditional logistic
#' regression (Breslow and Day 1980). Two classes and numbers can be compared. For `predict()`, new
#' samples are `prepare_study(newdata, within = )`.
#'
#' **Views** become one matrix of the same samples, matched by names. A name that occurs twice gets
#' the name of its view in front, as in `expression:TP53`. Prints count features by view;
#' `penalty = c(expression = 2)` weights one ([path_control()]), and `fealect(oob = "views")` says
#' what each adds.
#'
#' **Missing values.** `"median"` fills in the median of the column, or the most frequent category,
#' from *all* samples. It uses no outcome, but imputed values vary too little. With more than a few
#' missing values take `"impute"`: each gets its expected value given the ten most correlated
#' features and the fact that it is missing, since values below a limit of detection are lower. It
#' needs 20 samples and 50 features. Lists and models use expected values; what reads correlations,
#' and tables with `frequency_drawn`, use `n_draws` draws. New samples are filled in with what the
#' fit knows.
#'
#' `vignette("how-computed")` has all of this in full, `vignette("missing-values")` examples.
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
