#' HTML report for collaborators
#'
#' Writes one self-contained HTML page, which also needs no network: the verdict, the selected
#' features, pictures, the methods with references, and what is needed to run it again. It can be
#' mailed and opened in any browser.
#'
#' @param fit (result) subject of the report, made by [fealect()], [stability_selection()],
#'   [bolasso()], [select_ensemble()], [find_signals()] or another verb of this package.
#' @param file (string) path of the page to write, ending in `.html`; its folder must exist. An
#'   existing file is replaced.
#' @param ... (results) further named results about the same data, for example of
#'   [calibrate_selection()], [evaluate_replication()], [validate_model()] or [stability()]. Each
#'   gets a section under its name.
#' @param title (string) title of the page.
#' @param n (whole number >= 1) number of features to show.
#' @return `file`, invisibly.
#' @section Sources:
#' The page lists the references of the methods that `fit` used.
#' @section Errors:
#' Class `stabilect_error_input` if `fit` or one of `...` is not a result, if a further result has
#' no name or is about other data, or if the page cannot be written.
#' @family evidence
#' @examples
#' fit <- fealect(as.matrix(mcl_sll[, -1]), mcl_sll$MCL, n_runs = 50, seed = 1)
#' page <- write_report(fit, tempfile(fileext = ".html"), title = "Mantle cell lymphoma")
#' file.size(page) > 1000
#' @export
write_report <- function(fit, file, ..., title = "Selected features", n = 25) {
  check_given()
  check_reported(fit, "fit")
  # Without an outcome type, a study describes runs only, not data.
  refuse(is.null(fit$study$type),
    c("{.arg fit} must be a result from features, not an object of class <{class(fit)[1]}>.",
      i = "Give it a name, as a further result beside one that has them."
    )
  )
  file <- check_page(file)
  title <- check_title(title)
  n <- check_count(n)
  others <- check_further(list(...), fit)
  body <- c(
    html_tag("h1", escape_html(title)),
    html_tag("p", escape_html(describe_study(fit$study)), "about"),
    verdict_section(fit),
    section_features(fit, n), section_pictures(fit),
    unlist(Map(section_further, names(others), others), use.names = FALSE),
    section_methods(fit), section_rerun(fit)
  )
  write_page(html_page(title, body), file)
  invisible(file)
}

check_reported <- function(x, arg) {
  refuse(!inherits(x, "stabilect_result"),
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

check_title <- function(title) {
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
    check_reported(other, name)
    features <- other$study$feature_names
    refuse(!is.null(features) && !identical(sort(features), sort(fit$study$feature_names)),
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
