# The structure of all results: a list with the class of its verb, `stabilect_result`
# and `stabilect`. Fields:
# `table` (data frame, one row per feature, size or setting: the answer), `features` (character:
# selected features, if any), `asked` (list: the arguments that decided it), `study` (list: the
# record of the data), `made` (list: `seed`, `n_runs`, `n_failed`, `until`, `merged`, `version`,
# `call`), and fields of the class.

new_result <- function(class, table, ..., asked, study, made) {
  result <- new_object(c(class, "stabilect_result"),
    table = table, ..., asked = asked, study = study, made = c(made, origin_of_result(class))
  )
  view <- study$roles$views
  if (!is.null(view)) result$views <- table_of_views(view, result)
  if (!is.null(study$missing)) result["table"] <- list(name_missing(result$table, study))
  if (is.null(study$copies)) result else name_copies_in(result, study)
}

# A table of features has the share of their values that are missing, where there are some.
name_missing <- function(table, study) {
  if (is.data.frame(table) && !is.null(table$feature) && counts_features(study) &&
        any(table$feature %in% study$feature_names)) {
    share <- unname(study$missing$share[table$feature])
    table$missing <- ifelse(is.na(share), 0, share)
  }
  table
}

name_copies_in <- function(result, study) {
  result["table"] <- list(name_copies(result$table, study))
  # With clusters these are of clusters.
  if (counts_features(study)) {
    for (part in intersect(c("selection", "ranking"), names(result))) {
      result[[part]] <- know_copies(result[[part]], study)
    }
  }
  result
}

# Runs, and what follows from them, know for which columns a name stands, as results do.
know_copies <- function(object, study) {
  if (is.null(study$copies) || !inherits(object, c("stabilect_selection", "stabilect_ranking"))) {
    return(object)
  }
  object$study <- study[c("feature_names", "copies")]
  if (is.data.frame(object$table)) object$table <- name_copies(object$table, study)
  object
}

# @param view (factor, p, with the names of the features, or NULL).
table_of_views <- function(view, result) {
  if (!is.character(result$features)) {
    return(NULL)
  }
  table <- data.frame(view = levels(view), n_total = tabulate(view, nlevels(view)))
  if (all(result$features %in% names(view))) {
    table$n_selected <- tabulate(view[result$features], nlevels(view))
  }
  weights <- result$paths$weights
  if (is.null(weights)) {
    return(table)
  }
  data.frame(
    table, weight = apply(weights, 1L, stats::median, na.rm = TRUE),
    weight_lowest = apply(weights, 1L, min, na.rm = TRUE),
    weight_highest = apply(weights, 1L, max, na.rm = TRUE), row.names = NULL
  )
}

# How the runs were made. @param n_dropped of successful runs that do not count.
run_account <- function(selection, draws, until = NULL, ...) {
  list(
    seed = draws$seed, n_runs = selection$n_runs, n_failed = sum(selection$status != "ok"),
    until = until, ...
  )
}

#' Fields that all results share
#'
#' @description
#' Every verb returns a list of class `stabilect_<verb>`, `stabilect_result` and `stabilect` with
#' these fields:
#'
#' * `table` (data frame): the answer, one row per feature, size or setting; also from
#'   `as.data.frame()`. The column `selected` (flag) marks selected features.
#'   Columns of `x` with |r| = 1 (copies, also negated or scaled) are one feature, under the first
#'   of their names in the C locale (numbers at the end by their value). Where there are some, the
#'   column `copies` has the names of the others, and prints and pictures show their number: "X157
#'   (+7)". Their order decides nothing. New data need the column whose name is shown,
#'   not its copies. [lars_path()], [lasso_path()], [cluster_features()], [as_selection()] and the
#'   functions of CRAN FeaLect ([FeaLect()]) keep every column; [fit_model()] and
#'   [plot_values()] do if their `features` name a copy.
#' * `features` (character): the selected features, best first; also from [selected()].
#' * `asked` (list): the arguments that decided the result, with defaults filled in.
#' * `study` (list): the properties of the data.
#'   - `n`, `p` (integers), `feature_names` (character, p);
#'   - `direction` (character, p): the class in which a feature is highest, or the sign of its
#'     correlation with numbers; of [lars_path()] and [lasso_path()] only for features on the path;
#'   - `type` (string) of the outcome: `"binary"`, `"multiclass"`, `"ordered"`, `"numeric"`,
#'     `"survival"` or `"count"`; `levels`, `class_sizes`;
#'   - `constant` (character) features that are constant, or constant in each stratum or group,
#'     where there are such: no bound counts them;
#'   - `copies` (list: `columns` of the data, `stands`: the number of the feature that stands for
#'     each, `turned`: -1 for the other sign) where columns are copies of others; `twins` (integer,
#'     n: the first row that agrees in all features) where rows are, beyond what chance explains:
#'     they are drawn together, as blocks, unless the call has other blocks;
#'   - `notes` (what was done to the data), `prepared` (character: the arguments of
#'     [prepare_study()], where it changed the data), `coding` (of factors), `hash` (string, of the
#'     values);
#'   - `blocks` (factor, n) of the samples, of answers on halves: others have them in the plan.
#'     `roles` (list) has what else is known of samples and features, and `covariate_columns`
#'     (character) the columns of the data that are no features for that.
#' * `views` (data frame; for features in views only, see [prepare_study()]): one row per view,
#'   with `view`, `n_total`, `n_selected` (not for clusters) and, with `penalty = "views"`, the
#'   median `weight` of its penalty over the runs, `weight_lowest` and `weight_highest`.
#' * `made` (list): how the result was made. Merging and checkpoints ignore `version` and `call`.
#'   - `seed`, `n_runs` (integers), `n_failed` (runs that failed; they are kept with their reason
#'     and left out of averages);
#'   - `until` (the outcome of an early stopping rule, see [until_stable()]);
#'   - `merged` (`n_results` and `seeds`, see [merge_runs()]);
#'   - `version` (string) of this package;
#'   - `call` (string) of the user, without `n_threads`, `progress` and `checkpoint`, which change
#'     no result.
#'
#' Lists whose features are almost equal to others, as in spectra, have `interchangeable` (integers:
#' `looked`, the number of first features that were looked at, 20 at most, and `found`, those with
#' two others of |r| >= 0.99), if these are a third or more. Prints then have a Caution.
#'
#' All results print in the same layout, see [prints]. `update(fit, n_runs = 500)` repeats the call
#' of a result with other arguments, given by name, where its data still have their names.
#'
#' `plot()` draws a result and returns the picture invisibly, as a ggplot object: `plot(fit) +
#' ggplot2::theme_bw()` draws it again in another look. `ggplot2::autoplot()` returns the same
#' object and draws nothing.
#'
#' A result contains functions (of selectors, learners and aggregations, also your own), which
#' merging, `predict()` and [aggregate()][aggregate.stabilect_selection] call. A result saved by
#' another person can therefore run any code: read only files from people whom you trust.
#' Checkpoints contain no functions.
#' @family results
#' @name results
NULL

#' Selected features of a result
#'
#' Returns the features that a result selected, for every kind of result. Of a [lars_path()] these
#' are the sets of its steps ([selected.stabilect_path()]), of a [pareto_front()] the best points.
#'
#' @param object (result of a verb, for example [fealect()], [stability_selection()] or
#'   [select_ensemble()]) the result.
#' @param ... Not used.
#' @return (character) names of the selected features, in the order of the result; of length 0 if
#'   none is selected.
#' @section Errors:
#' Class `stabilect_error_input` for an object that selects nothing, for example a stability index.
#' @family results
#' @examples
#' fit <- fealect(as.matrix(mcl_sll[, -1]), mcl_sll$MCL, n_runs = 50, seed = 1)
#' selected(fit)
#' @export
selected <- function(object, ...) {
  check_given()
  UseMethod("selected")
}

#' @rdname selected
#' @exportS3Method
#' @rawNamespace S3method(stabs::selected,stabilect_result)
selected.stabilect_result <- function(object, ...) {
  refuse_dots(...)
  refuse(!is.character(object$features),
    "{.arg object} is {describe_value(object)}, which selects no features."
  )
  object$features
}

#' @exportS3Method
selected.stabilect_model <- selected.stabilect_result

#' @exportS3Method
selected.default <- function(object, ...) {
  # The package stabs has a generic of this name, which ours may mask.
  if (isNamespaceLoaded("stabs") && inherits(object, "stabsel")) {
    return(stabs::selected(object, ...))
  }
  what <- describe_value(object)
  if (any(startsWith(class(object), "stabilect_"))) {
    abort("{.arg object} is {what}, which selects no features.")
  }
  abort("{.arg object} must be a result of this package, not {what}.")
}

#' @export
as.data.frame.stabilect <- function(x, row.names = NULL, # nolint: object_name_linter.
                                    optional = FALSE, ...) {
  refuse(is.null(x$table), "{.arg x} is {describe_value(x)}, which has no table.", call = NULL)
  x$table
}

# The summary where the print has everything but the whole table.
#' @export
summary.stabilect <- function(object, ...) {
  refuse_dots(...)
  as.data.frame(object)
}

#' @export
plot.stabilect <- function(x, ...) {
  check_package("ggplot2", "picture")
  picture <- ggplot2::autoplot(x, ...)
  draw_picture(picture)
  # Not `x`, to which nothing of ggplot2 can be added.
  invisible(picture)
}

# The features of a result that have a score, best first: its list of the k best is made of these,
# and is shorter where they are fewer.
# @return (character).
ranked_features <- function(result) result$table$feature[has_rank(result)]

# Rows of the table; tables of scores say which features have none.
has_rank <- function(result) UseMethod("has_rank")

#' @exportS3Method
has_rank.default <- function(result) rep(TRUE, nrow(result$table))

# More than a tenth of the runs failed: why, and what the rest says.
# @param status (character) of the runs, or NULL where `made` has the `reasons`.
describe_failed <- function(made, status = NULL) {
  failed <- made$n_failed
  if (!isTRUE(failed > 0.1 * made$n_runs)) {
    return(NULL)
  }
  reasons <- if (is.null(status)) made$reasons else status[status != "ok"]
  most <- names(sort(table(reasons), decreasing = TRUE))[1]
  said <- sprintf(
    "%d of %s failed%s: the result rests on the other %d", failed, count_of(made$n_runs, "run"),
    if (is.null(most) || is.na(most)) "" else sprintf(" (%s)", most), made$n_runs - failed
  )
  if (!"separated" %in% reasons) {
    return(said)
  }
  remedy <- sub("^J", "j", sub("[.]$", "", join_or_leave_out))
  paste0(said, "; covariates separate classes there: ", remedy)
}

# The best features of the list that act in models against their direction, as those do that correct
# others.
describe_turned_signs <- function(x) {
  best <- utils::head(x$features, 10L)
  turned <- best[which(x$table$same_sign[match(best, x$table$feature)] < 0.5)]
  if (length(turned) > 0L) {
    sprintf(
      "beside the other features, %s %s the other sign in most models (`same_sign`)",
      shorten_list(toString(with_copies(turned, x$study)), 60L),
      if (length(turned) == 1L) "has" else "have"
    )
  }
}

describe_constant <- function(record) {
  constant <- length(record$constant)
  if (constant > 0L) {
    grouped <- c("stratum", "group")[c("strata", "within") %in% names(record$roles)]
    sprintf(
      "%s constant%s: in no run, and not counted", count_of(constant, "feature"),
      if (length(grouped) > 0L) paste(" in each", grouped[1]) else ""
    )
  }
}

# The facts of a result: method, data, runs, what is known of samples and features, and its verdict.
# @param runs (character) "100 subsamples of 3/4 of the samples"; design (character) further lines.
result_facts <- function(x, title, runs = NULL, verdict = list(), sections = list(),
                         design = NULL) {
  view <- x$study$roles$views
  verdict$Caution <- c(verdict$Caution, describe_failed(x$made, x$selection$status))
  if (length(x$features) > 0L && all(x$features %in% names(view))) {
    verdict$List <- c(verdict$List, describe_by_view(x$features, view, x$bound$by_view$pfer))
  }
  scarce <- if (!is.null(x$study$type)) describe_scarce(outcome_of(x$study), x$study)
  if (!is.null(scarce)) scarce <- paste(scarce, scarce_says_little, sep = ": ")
  verdict$Caution <- c(
    verdict$Caution, describe_interchangeable(x), scarce, describe_turned_signs(x)
  )
  twins <- if (!is.null(x$study$twins)) {
    describe_twins(x$study, !is.null(x$resamples), x$resamples$plan$blocks)
  }
  known <- length(x$study$roles) > 0L
  verdict$Caution <- c(
    verdict$Caution, x$study$missing$batch, twins$caution,
    if (known) describe_roles(x, "caution")
  )
  if (!is.null(x$study$copies)) sections <- lapply(sections, label_section, x$study)
  new_facts(
    title, c(describe_data(x$study), twins$data),
    c(
      describe_design(x$made, runs), if (!is.null(x$study$missing)) describe_drawn(x),
      if (known) describe_roles(x),
      if (!is.null(x$bound)) describe_constant(x$study), design
    ),
    verdict, sections, next_of(x)
  )
}

# How much runs agree where missing values are drawn, beside where they are expected values.
describe_drawn <- function(x) {
  if (is.null(x$drawn)) {
    return(if (inherits(x$selection, "stabilect_selection")) {
      "missing values are filled in once, so that runs agree more than on other values of them"
    })
  }
  index <- function(selection) {
    tryCatch(agreement_of(selection)$estimate[1], stabilect_error = function(e) NA_real_)
  }
  values <- c(index(x$drawn), index(x$selection))
  if (!anyNA(values)) {
    sprintf(
      "agreement of runs (nogueira): %s over draws of the missing values, %s with expected values",
      figure(values[1], digits = 2), figure(values[2], digits = 2)
    )
  }
}

#' @rawNamespace S3method(utils::head,stabilect)
head.stabilect <- function(x, n = 6L, ...) {
  refuse_dots(...)
  utils::head(as.data.frame(x), n)
}

# The summary of a result with several tables.
# @param ... the tables. @param sections (list of new_section(), NULL) what is printed; those with
#   `n = NULL` have as many rows as the print asks for.
new_summary <- function(fit, ..., sections) {
  new_object("stabilect_summary", fit = fit, ..., sections = Filter(Negate(is.null), sections))
}

# It has the result's head and its own tables.
#' @exportS3Method
facts_of.stabilect_summary <- function(x, n = 10L) {
  facts <- facts_of(x$fit)
  sections <- lapply(x$sections, function(section) {
    if (is.null(section$n)) section$n <- n
    section
  })
  study <- x$fit$study
  if (!is.null(study$copies)) sections <- lapply(sections, label_section, study)
  new_facts(paste(facts$title, "(summary)"), facts$data, facts$design, sections = sections)
}

# The first rows of a table, and the number of further rows.
row_section <- function(table, columns, n, ...) {
  if (nrow(table) > 0L) new_section(table[columns], n, ...)
}
