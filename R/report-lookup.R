# The table of features that can be sorted and searched, by DataTables as the package DT brings it.

# The printed table and that of a browser without scripts is this table too, not a copy of it.
# @param shown (list) see report_table(); listed (whole number) of selected features.
searchable_table <- function(shown, listed) {
  scripts <- if (nrow(shown$table) > 1L) lookup_scripts()
  c(
    html_table(shown$table, shown$meanings, "features"),
    if (!is.null(scripts)) {
      c(
        sprintf(
          "<p class=\"note searched\" hidden>%s</p>", describe_search(listed, nrow(shown$rest))
        ),
        "<script type=\"application/json\" id=\"rest\">", rows_of(shown$rest), "</script>",
        html_tag("script", paste(c(scripts, read_asset("table.js")), collapse = "\n"))
      )
    }
  )
}

describe_search <- function(listed, rest) {
  sorted <- "A click on the head of a column sorts by it; the pointer on it shows its meaning."
  if (rest == 0L) {
    return(sorted)
  }
  paste(sorted, if (listed > 0L) {
    sprintf(
      "The search also finds features after the list; those up to rank %d are selected.", listed
    )
  } else {
    "The search also finds other features."
  })
}

# Only the files of DT: its widgets write a table by script, which no one sees without.
# @return (character) jQuery and DataTables; NULL without DT.
lookup_scripts <- function() {
  if (!requireNamespace("DT", quietly = TRUE)) {
    return(NULL)
  }
  parts <- DT::datatable(data.frame())$dependencies
  wanted <- match(c("jquery", "dt-core"), vapply(parts, `[[`, "", "name"))
  files <- vapply(parts[wanted], function(part) {
    root <- part$src$file
    if (!is.null(part$package)) root <- system.file(root, package = part$package)
    paste(file.path(root, unlist(part$script)), collapse = "\n")
  }, "")
  if (all(file.exists(files))) {
    vapply(files, function(file) {
      text <- readLines(file, encoding = "UTF-8", warn = FALSE)
      # Within a page this would end the element.
      gsub("</script", "<\\/script", paste(text, collapse = "\n"), fixed = TRUE)
    }, "", USE.NAMES = FALSE)
  }
}

# @return (string) JSON: an array of rows of escaped text.
rows_of <- function(table) {
  cells <- gsub("[[:cntrl:]]", " ", gsub("\\", "\\\\", cells_of(table), fixed = TRUE))
  cells <- matrix(sprintf("\"%s\"", cells), nrow(table))
  rows <- do.call(paste, c(lapply(seq_len(ncol(cells)), function(j) cells[, j]), sep = ","))
  paste0("[", paste(sprintf("[%s]", rows), collapse = ",\n"), "]")
}
