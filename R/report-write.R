#' HTML report for collaborators
#'
#' Writes one self-contained HTML page, which needs no network: a paragraph in plain words, the
#' features with their effects, pictures, a methods paragraph with references, what was not done, a
#' checklist for authors, and the script that makes the page again. It can be mailed, printed, and
#' opened in any browser. [write_tables()] writes the same tables as files.
#'
#' In a browser the table can be sorted by each column and searched for any feature, also for those
#' that are not selected: all features are on the page, up to 100,000. What is printed, and what a
#' browser without scripts shows, are the first `n` rows.
#'
#' **Checklist.** Items of TRIPOD+AI (Collins et al. 2024), for models that predict, and of REMARK
#' (McShane et al. 2005), for prognostic markers. The results answer some of them with a number; the
#' others name what is left to the authors, for example the source of the data. Items on updating a
#' model are not there, and results without a list of features have no checklist.
#'
#' **Script.** It has the calls of `fit`, of the further results, and of results that these calls
#' use, with their seeds, in an order that works. What no result keeps, such as your data, is listed
#' by name. Run where these are, it writes the same page.
#'
#' @param fit (result) subject of the report, made by [fealect()], [stability_selection()],
#'   [bolasso()], [select_ensemble()], [find_signals()] or another verb of this package.
#' @param file (string) path of the page to write, ending in `.html`; its folder must exist. An
#'   existing file is replaced.
#' @param ... (results) further named results about the same data, for example of
#'   [estimate_error_rates()], [evaluate_replication()], [validate_model()] or [stability()]. Each
#'   gets a section under its name.
#' @param x,y (as in the call of `fit`, or `NULL`) the data. With them the page has a picture of
#'   values, see [plot_values()], and an effect of each feature: for classes the difference of
#'   means in standard deviations, for numbers the correlation, for counts the rank correlation,
#'   for survival times the hazard ratio of one standard deviation.
#' @param title (string, or `NULL`) title of the page: name the study. `NULL` names the outcome.
#' @param n (whole number >= 1) number of features to show.
#' @return `file`, invisibly.
#' @references
#' The page lists the references of the methods that `fit` used.
#'
#' Collins GS, Moons KGM, Dhiman P, et al. (2024). TRIPOD+AI statement: updated guidance for
#' reporting clinical prediction models that use regression or machine learning methods. *BMJ* 385,
#' e078378.
#'
#' McShane LM, Altman DG, Sauerbrei W, Taube SE, Gion M, Clark GM (2005). REporting recommendations
#' for tumour MARKer prognostic studies (REMARK). *British Journal of Cancer* 93, 387-391.
#' @section Errors:
#' Class `stabilect_error_input` if `fit` or one of `...` is not a result, if a further result has
#' no name or is about other data, if `x` and `y` are other data, or if the page cannot be written.
#' Warning of class `stabilect_warning_pictures` where R cannot draw PNG files.
#' @concept methods section
#' @concept reporting guideline
#' @concept TRIPOD
#' @concept REMARK
#' @family evidence
#' @examples
#' x <- as.matrix(mcl_sll[, -1])
#' y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))
#' fit <- fealect(x, y, n_runs = 50, seed = 1)
#' page <- write_report(
#'   fit, tempfile(fileext = ".html"), x = x, y = y, title = "Mantle cell lymphoma"
#' )
#' file.size(page) > 1000
#' @export
write_report <- function(fit, file, ..., x = NULL, y = NULL, title = NULL, n = 25) {
  check_given()
  call <- match.call()
  env <- parent.frame()
  call[[1]] <- quote(write_report)
  check_subject(fit)
  file <- check_page(file)
  call$file <- basename(file)
  title <- check_title(title, fit)
  n <- check_count(n)
  others <- check_further(list(...), fit)
  study <- reported_study(x, y, fit)
  body <- without_times(c(
    html_tag("h1", escape_html(title)),
    html_tag("p", escape_html(describe_study(fit$study)), "about"),
    section_summary(fit, others), section_features(fit, n, study),
    section_pictures(fit, study),
    unlist(Map(section_further, names(others), others), use.names = FALSE),
    section_details(fit), section_undone(fit, others, study), section_methods(fit, others, study),
    section_checklist(fit, others, study),
    section_rerun(script_of(fit, others, call, env))
  ))
  write_page(html_page(title, body), file)
  invisible(file)
}

# The data of the report, or NULL.
reported_study <- function(x, y, fit) {
  if (is.null(x)) {
    refuse(!is.null(y), "{.arg y} needs {.arg x}: give both, or neither.")
    return(NULL)
  }
  takes <- names(outcome_records())
  again <- function(...) {
    open_again(..., object = fit, takes = takes, what = "a report", store = store_any,
      family = family_of_result(fit))
  }
  study <- if (is.null(y)) again(x) else again(x, y)
  refuse(!is.null(fit$study$hash) && !identical(fit$study$hash, hash_study(study)),
    "{.arg x} and {.arg y} are not the data of {.arg fit}."
  )
  study
}

check_subject <- function(fit) {
  check_reported(fit, "fit")
  # Without an outcome type, a study describes runs only, not data.
  refuse(is.null(fit$study$type),
    c("{.arg fit} must be a result from features, not an object of class <{class(fit)[1]}>.",
      i = "Give it a name, as a further result beside one that has them."
    )
  )
}

check_reported <- function(x, arg, classes = "stabilect_result") {
  refuse(!inherits(x, classes),
    "{.arg {arg}} must be a result of this package, not {describe_value(x)}."
  )
}

check_page <- function(file) {
  refuse(!rlang::is_string(file) || !grepl("[.]html?$", file, ignore.case = TRUE),
    "{.arg file} must be one path that ends in {.code .html}, not {describe_value(file)}."
  )
  refuse(!dir.exists(dirname(file)),
    "{.arg file} is in a folder that does not exist: {.file {dirname(file)}}."
  )
  file
}

check_title <- function(title, fit) {
  if (is.null(title)) {
    return(title_of_report(fit))
  }
  refuse(!rlang::is_string(title) || !nzchar(title),
    "{.arg title} must be one string, not {describe_value(title)}."
  )
  title
}

# Further results need names, and must be about the same features.
check_further <- function(others, fit) {
  refuse_at(!rlang::have_name(others), c("Result {at} of {.arg ...} has no name.",
    i = "Name it as its section is to be called: {.code Replication = ...}."
  ))
  for (name in names(others)) {
    other <- others[[name]]
    check_reported(other, name, c("stabilect_result", "stabilect_stability"))
    features <- columns_of_record(other$study)
    refuse(!is.null(features) && !identical(sort(features), sort(columns_of_record(fit$study))),
      "{.arg {name}} is about other features than {.arg fit}."
    )
  }
  others
}

# Written beside the file first: a half-written page must not replace a whole one.
write_page <- function(page, file) {
  part <- tempfile(".report-", dirname(file))
  on.exit(unlink(part))
  done <- tryCatch(
    {
      # Written as bytes, which no locale converts.
      connection <- file(part, "wb")
      writeLines(enc2utf8(page), connection, useBytes = TRUE)
      close(connection)
      file.rename(part, file)
    },
    error = function(e) FALSE, warning = function(w) FALSE
  )
  refuse(!done, "{.arg file}: {.file {file}} cannot be written.")
}

# The columns of the data, those that are copies of others too.
columns_of_record <- function(record) {
  if (is.null(record$copies)) record$feature_names else record$copies$columns
}
