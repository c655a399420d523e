# Settings that travel together: how a verb runs, and how it follows lasso paths. A verb takes each
# group as one argument, and single settings by name in `...`.

#' Threads, progress bar, checkpoints and early stopping
#'
#' For all verbs with an argument `control`. These settings never change a result, except `until`,
#' which decides the number of runs. You can also give them to the verb by name: `fealect(x, y,
#' n_threads = 2)` and `fealect(x, y, control = run_control(n_threads = 2))` are the same call.
#'
#' @inheritParams arguments
#' @param progress (flag) show a progress bar when a call takes long? Where no bar can be shown, a
#'   message announces work of more than 10 s after its first runs. Default: `TRUE` in interactive
#'   sessions.
#' @param checkpoint (string, or `NULL`) file for finished runs. When a killed call is repeated, it
#'   continues from this file and gives the same result. Verbs with several steps use several files,
#'   with `-2`, `-3`, ... after this name. A file of another call (other data, seed or settings) is
#'   an error; so is a file on which another process of this machine is working. See
#'   `vignette("scaling-out")`.
#' @param until (`stabilect_until`, or `NULL`) rule for stopping before all runs are done, see
#'   [until_stable()].
#' @return A list of class `stabilect_run_control` with the four settings, checked.
#' @section Errors:
#' Class `stabilect_error_input` for a setting of another form. A verb that cannot use a setting
#' says so, for example `until` where all runs are needed.
#' @concept parallel
#' @concept checkpoint
#' @concept threads
#' @concept progress bar
#' @family controls
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' careful <- run_control(n_threads = 2, progress = FALSE)
#' fealect(x, mcl_sll$MCL, n_runs = 20, control = careful, seed = 1)
#' @export
run_control <- function(n_threads = getOption("stabilect.n_threads", 1), progress = interactive(),
                        checkpoint = NULL, until = NULL) {
  of_class("stabilect_run_control",
    n_threads = check_threads(n_threads), progress = check_flag(progress),
    checkpoint = checkpoint, until = until
  )
}

#' Lasso path settings: likelihood, elastic net, covariates, strata, weights, offset, noise
#'
#' For the verbs with lasso paths, [fealect()], [stability_selection()] and [bolasso()]. You can
#' also give the settings to the verb by name: `bolasso(x, y, family = "poisson")` and `bolasso(x,
#' y, paths = path_control(family = "poisson"))` are the same call.
#'
#' @param family (string, `family` object or `NULL`) likelihood: `"gaussian"` (least squares, also
#'   for two classes), `"binomial"`, `"multinomial"`, `"poisson"` or `"cox"`. `NULL`: Cox regression
#'   for survival times, multinomial regression for several classes, otherwise least squares.
#' @param alpha (number in (0, 1\]) share of the lasso in the elastic net penalty, see
#'   [lasso_path()]; 1 is the lasso.
#' @param covariates (numeric vector, matrix or data frame with n rows, a formula like `~ age +
#'   batch`, or `NULL`) covariates to adjust for: they stay in every model without a penalty. The
#'   variables of a formula are looked for first in `x` if it is a data frame, a formula or a
#'   container. Columns of a data frame then are no features; those of a container are in its
#'   `colData`.
#' @param strata (n values, or the name of a column of the data, or `NULL`) strata of survival
#'   times; each has its own baseline hazard.
#' @param within (n labels, or the name of a column of the data, or `NULL`) groups within which
#'   samples are compared, for example the patient of each sample, see [prepare_study()].
#' @param weakness (number in (0, 1\]) below 1 the randomised lasso: every run multiplies each
#'   scaled column by a number drawn from \[weakness, 1).
#' @param score_rule (string) the model of a path that counts for size k: `"size"`, the first with k
#'   features (Zare et al. 2013), or `"step"`, the model after step k (the R package FeaLect).
#' @param penalty (p numbers > 0, or some with names of features, or `NULL` for 1) weight of the
#'   penalty on each feature, as in [lasso_path()]: below 1 a feature enters earlier, above 1 later,
#'   `Inf` leaves it out. Views (see [prepare_study()]) can be named in place of their
#'   features. Or `"views"`: every run chooses a weight for each view. See Details.
#' @param weights (numeric, length n, >= 0, or the name of a column of the data, or `NULL` for 1)
#'   observation weights, as in [lasso_path()]: every run multiplies them by the numbers of times
#'   that it drew the samples.
#' @param offset (numeric, length n, or `NULL` for 0; for `"multinomial"` a matrix, n x K) known
#'   part of the linear predictor, as in [lasso_path()], for example the logarithm of the exposure
#'   for counts. Not for [fealect()], whose final model has none.
#' @param ties (string) likelihood of paths where survival times are equal: `"efron"` or
#'   `"breslow"`, see [lasso_path()]. The final model of [fealect()] has Efron's.
#' @param jitter (number, p numbers >= 0, or some with names of features, or `NULL` for 0) standard
#'   deviation of the measurement of each feature, on the scale of `x`, for example of technical
#'   replicates. Every run adds normal noise of this size, so that frequencies and scores say what
#'   would be found if the same samples were measured again. See Details.
#' @details
#' **Weights and offset** belong to the samples, whose names they may have. They go with the samples
#' into every run and every fold, where the path is that of glmnet with them. Questions that fit
#' models of their own refuse an offset of other outcomes than numbers. Resamples are drawn without
#' weights; permutations keep outcome, weights and offset together. The final model and the
#' out-of-bag error of [fealect()], effects, and the models of other questions count all samples
#' alike, without strata.
#'
#' **Penalty weights** divide the scaled columns of every run. Where sizes of models count, only
#' their ratios matter. Features with the weight `Inf` are in no list. The weight 0 would put a
#' feature into every model, and say nothing of it: give it as a covariate.
#'
#' Bounds of [stability_selection()] assume that all noise features are equally likely to be
#' selected. With unequal weights this does not hold: noise features with a small weight are
#' likelier. The print says so. In simulations without signal, a weight of 1/2 for 10 of 310
#' features brought 0.27 false positives on average, where the bound was 0.15 (`experiments/views`).
#' With views the print also has a bound for each view by itself, which needs equally likely noise
#' features only within a view; it was 0.87 there. Permutations have the same weights and remain
#' valid. Final models and errors out of bag are fitted without them.
#'
#' **Weights chosen in every run** (`penalty = "views"`): a view gets a weight in inverse proportion
#' to the mean absolute product of its scaled columns with the residuals of the covariates, in the
#' samples of the run. Only these decide, and out-of-bag errors remain honest. This is the limit of
#' Schulze's (2017) ridge weights for a large penalty. `paths$weights` has them. No theorem promises
#' bounds here; `vignette("error-rates")` has what lists delivered. Not with `weights` or `offset`.
#'
#' **Measurement noise** (`jitter`) is drawn once for each run, sample and feature. A list is then
#' stable under the assay as well as under sampling. Where the noise of the assay is small beside
#' the differences between samples, nothing changes. Permutations have the same noise; final models,
#' errors out of bag and the penalties of `bolasso()`'s folds are those of `x` as it is. Drawing
#' takes a run more time than its path.
#'
#' `vignette("how-computed")` has the formulas.
#' @references Schulze G (2017). *Clinical outcome prediction based on multi-omics data: extension
#'   of IPF-LASSO*. Master's thesis, LMU Munich. \doi{10.5282/ubm/epub.59092}
#' @return A list of class `stabilect_path_control` with the twelve settings.
#' @section Errors:
#' Class `stabilect_error_input` for a setting of another form. The verb checks whether `family`,
#' `covariates`, `strata`, `within`, `penalty`, `weights`, `offset` and `jitter` fit the data. A
#' setting that a verb does not have, for example `weakness` for [fealect()], is an error.
#' @concept observation weights
#' @concept confounder
#' @concept batch effect
#' @family controls
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' likelihood <- path_control(family = "binomial", alpha = 0.5)
#' fealect(x, mcl_sll$MCL, n_runs = 20, paths = likelihood, seed = 1)
#' trusted <- stats::setNames(c(0.5, 0.5), colnames(x)[1:2])
#' fealect(x, mcl_sll$MCL, n_runs = 20, penalty = trusted, seed = 1)
#' @export
path_control <- function(family = NULL, alpha = 1, covariates = NULL, strata = NULL, weakness = 1,
                         score_rule = c("size", "step"), within = NULL, penalty = NULL,
                         weights = NULL, offset = NULL, ties = c("efron", "breslow"),
                         jitter = NULL) {
  of_class("stabilect_path_control",
    family = if (!is.null(family)) check_family(family), alpha = check_fraction(alpha),
    covariates = covariates, strata = strata, weakness = check_fraction(weakness),
    score_rule = check_choice(score_rule, c("size", "step")), within = within,
    penalty = penalty, weights = weights, offset = offset,
    ties = check_choice(ties, c("efron", "breslow")), jitter = jitter
  )
}

#' @export
print.stabilect_run_control <- function(x, ...) {
  refuse_dots(...)
  print_settings(x, "How a long computation is run")
}

#' @export
print.stabilect_path_control <- function(x, ...) {
  refuse_dots(...)
  print_settings(x, "How lasso paths are followed")
}

print_settings <- function(x, title) {
  values <- vapply(x, function(value) {
    if (is.character(value) || is.logical(value) && length(value) == 1L) {
      return(paste(value, collapse = ", "))
    }
    describe_value(value)
  }, "")
  cat(title, paste0("  ", format(names(values)), "  ", values), sep = "\n")
  invisible(x)
}

# @return a run_control(), checked.
check_run <- function(n_threads = 1, progress = FALSE, checkpoint = NULL, until = NULL) {
  run_control(n_threads, progress, checkpoint, until)
}

# Of the settings of paths, the values of samples and of features that every verb with paths reads.
path_roles <- c("within", "strata", "weights", "offset", "penalty", "jitter")

# A verb's groups of settings, given as objects and by name in `...`.
# @param dots (list) `list(...)` of the verb.
# @param control,paths objects of run_control() and path_control(); left out by a verb without them.
# @param own (list) settings of this verb alone that are given by name, with their defaults.
# @param unused (named character) settings of `control` and `paths` that this verb does not have,
#   and the reason; "" for an obvious one.
# @return list(control, paths, own); a setting given by name overrides the object.
read_dots <- function(dots, control = no_group, paths = no_group, own = list(),
                      unused = character()) {
  has_control <- check_made(control, "control")
  has_paths <- check_made(paths, "paths")
  groups <- list(control = control, paths = paths, own = own)
  verb <- names(formals(sys.function(-1L)))
  if (length(dots) > 0L) {
    refuse_unknown(dots, c(unlist(lapply(groups, names)), verb))
    for (group in names(groups)) {
      given <- dots[intersect(names(groups[[group]]), names(dots))]
      groups[[group]][names(given)] <- given # as lists: a NULL is a value here
    }
  }
  refuse_unused(groups, unused)
  if (length(dots) > 0L) {
    # Quoted: a setting may be a symbol, which its check must see.
    if (has_control) groups$control <- do.call(run_control, unclass(groups$control), quote = TRUE)
    if (has_paths) groups$paths <- do.call(path_control, unclass(groups$paths), quote = TRUE)
  }
  groups
}

# Stands for a group of settings that a verb does not have.
no_group <- of_class("stabilect_no_group")

# @return (flag) does the verb have this group?
check_made <- function(x, name) {
  if (identical(x, no_group)) {
    return(FALSE)
  }
  maker <- if (name == "paths") "path_control" else "run_control"
  refuse(!inherits(x, paste0("stabilect_", maker)),
    "{.arg {name}} must be made by {.fn {maker}}, not {describe_value(x)}."
  )
  TRUE
}

# No verb may ignore a setting in an object that several verbs share.
refuse_unused <- function(groups, unused) {
  usual <- list(until = NULL, checkpoint = NULL, strata = NULL, weakness = 1, score_rule = "size")
  for (name in names(unused)) {
    for (group in groups) {
      refuse(name %in% names(group) && !identical(group[[name]], usual[[name]]),
        c("{.arg {name}} does not apply here: leave it out.",
          i = if (nzchar(unused[[name]])) unused[[name]]
        )
      )
    }
  }
}

# A result as `x` already has its runs: arguments about data do not apply.
# @param given (named flags) which of these arguments are given.
refuse_data <- function(given) {
  refuse(any(given), c("Argument {.arg {names(given)[given][1]}} does not apply here.",
    i = "{.arg x} is a result and has its runs already."
  ))
}

# @return (string, or NULL if the outcome decides).
check_family <- function(family) {
  if (is.null(family)) {
    return(NULL)
  }
  if (inherits(family, "family")) family <- family$family
  check_choice(family, families())
}
