# The sections of a report.

# The verdict of the print, a line for each fact.
verdict_section <- function(x) {
  verdict <- facts_of(x)$verdict
  lines <- vapply(names(verdict), function(label) {
    facts <- gsub("\\s+", " ", paste(verdict[[label]], collapse = "; "))
    paste(html_tag("strong", label), escape_html(facts))
  }, "")
  html_tag("p", paste(lines, collapse = "<br>\n"), "verdict")
}

section_features <- function(fit, n) {
  printed <- html_tag("pre", escape_html(paste(format(fit), collapse = "\n")))
  if (!"feature" %in% names(fit$table)) {
    return(section("Result", printed))
  }
  chosen <- fit$table$feature %in% fit$features
  shown <- if (any(chosen)) fit$table[chosen, ] else fit$table
  rest <- nrow(shown) - n
  section(
    if (any(chosen)) "Features" else "No feature is selected; first in line",
    html_table(utils::head(shown[report_columns(utils::head(shown, n), nrow(fit$table))], n)),
    if ("p_fwer" %in% names(shown)) {
      html_tag("p", escape_html(explain_p))
    },
    if (any(chosen) && rest > 0L) html_tag("p", sprintf("... and %d more.", rest)),
    html_tag("details", paste0(html_tag("summary", "As printed in R"), printed))
  )
}

report_columns <- function(table, n_total) {
  first <- append(evidence_names, "p", 2L)
  plain <- names(table)[vapply(table, is.atomic, NA)]
  hidden <- c("rank", "selected", empty_columns(table, n_total))
  setdiff(union(intersect(first, plain), plain), hidden)
}

section_pictures <- function(fit) {
  pictures <- html_picture(fit)
  if (!is.null(pictures)) section("Picture", pictures)
}

section_further <- function(name, x) {
  section(
    name, html_tag("pre", escape_html(paste(format(x), collapse = "\n"))),
    html_picture(x)
  )
}

section_methods <- function(fit) {
  text <- methods_of(fit)
  section(
    "Methods", html_tag("p", escape_html(text$paragraph)),
    html_tag("ol", paste(html_tag("li", escape_html(text$references)), collapse = "\n"))
  )
}

section_rerun <- function(fit) {
  made <- fit$made
  facts <- c(
    describe_origin(fit),
    sprintf(
      "Report of stabilect %s, %s", utils::packageVersion("stabilect"), R.version.string
    ),
    describe_seed(made),
    if (!is.null(fit$resamples)) format(fit$resamples$plan),
    if (!is.null(fit$study$hash)) paste("data", fit$study$hash)
  )
  section(
    "To run it again",
    html_tag("p", "The same data, seed and version give the same result, bit for bit."),
    html_tag("pre", escape_html(paste(facts, collapse = "\n")))
  )
}
