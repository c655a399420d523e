# The sections of a report.

# What a print says first, in one paragraph.
verdict_of <- function(x) {
  printed <- trimws(printed_lines(x))
  paste(printed[seq_len(which(printed == "")[1] - 1L)], collapse = " ")
}

# As in a session of 80 columns, without colours.
printed_lines <- function(x) {
  rlang::with_options(
    utils::capture.output(print(x)),
    width = 80L, cli.num_colors = 1L, crayon.enabled = FALSE
  )
}

section_features <- function(fit, n) {
  printed <- html_tag("pre", escape_html(paste(printed_lines(fit), collapse = "\n")))
  if (!"feature" %in% names(fit$table)) {
    return(section("Result", printed))
  }
  chosen <- fit$table$feature %in% fit$features
  shown <- if (any(chosen)) fit$table[chosen, ] else fit$table
  rest <- nrow(shown) - n
  section(
    if (any(chosen)) "Features" else "No feature is selected; first in line",
    html_tag("p", escape_html(explain_list(fit))),
    html_table(utils::head(shown[report_columns(utils::head(shown, n), nrow(fit$table))], n)),
    if ("p_fwer" %in% names(shown)) {
      html_tag("p", escape_html(explain_p))
    },
    if (any(chosen) && rest > 0L) html_tag("p", sprintf("... and %d more.", rest)),
    html_tag("details", paste0(html_tag("summary", "As printed in R"), printed))
  )
}

# What the list is, in the words of the print.
explain_list <- function(fit) {
  text <- switch(class(fit)[1],
    stabilect_fealect = describe_cut(fit),
    stabilect_stability_selection = describe_stable(fit),
    count_of(length(fit$features), "selected feature")
  )
  gsub("\\s+", " ", paste(text, collapse = " "))
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
    name, html_tag("pre", escape_html(paste(printed_lines(x), collapse = "\n"))), html_picture(x)
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
