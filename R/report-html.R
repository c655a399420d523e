# The HTML elements that a report needs.

escape_html <- function(text) {
  for (pair in list(c("&", "&amp;"), c("<", "&lt;"), c(">", "&gt;"), c("\"", "&quot;"))) {
    text <- gsub(pair[1], pair[2], text, fixed = TRUE)
  }
  text
}

# @param content (character) already escaped.
html_tag <- function(tag, content, class = NULL) {
  of_class <- if (!is.null(class)) sprintf(" class=\"%s\"", class)
  paste0("<", tag, of_class, ">", content, "</", tag, ">")
}

section <- function(heading, ...) c(html_tag("h2", escape_html(heading)), ...)

# @param meanings (named character) shown when the pointer rests on the head of a column.
# @param id (string, or NULL) of the table; digits (whole number, or NULL) see decimals_of().
html_table <- function(table, meanings = character(), id = NULL, digits = NULL) {
  cells <- cells_of(table, digits)
  kinds <- kinds_of_columns(table, cells)
  row <- function(tag, values) html_tag("tr", paste(html_cell(tag, values, kinds), collapse = ""))
  head <- html_tag("tr", paste(html_heads(names(table), kinds, meanings), collapse = ""))
  body <- vapply(seq_len(nrow(table)), function(i) row("td", escape_html(cells[i, ])), "")
  content <- paste(
    c(html_tag("thead", head), "<tbody>", body, "</tbody>"), collapse = "\n"
  )
  # Whoever has no mouse can scroll it too.
  paste0(
    "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table",
    if (!is.null(id)) sprintf(" id=\"%s\"", id), ">", content, "</table></div>"
  )
}

# Numbers stand at the right, also those that a table has as text; words are not broken unless one
# of the column is too long for a line of a narrow screen.
# @return (character, one per column) "", "text", "text short" (one line) or "text long".
kinds_of_columns <- function(table, cells) {
  vapply(seq_along(table), function(j) {
    text <- cells[nzchar(cells[, j]), j]
    numbers <- length(text) > 0L && all(grepl(number_as_text, text))
    # Names may be numbers.
    if (is.numeric(table[[j]]) || numbers && names(table)[j] != "feature") {
      return("")
    }
    words <- unlist(strsplit(text, "[ \u00a0]"))
    if (max(nchar(words), 0L) > 24L) {
      "text long"
    } else if (max(nchar(text), 0L) <= 20L) {
      "text short"
    } else {
      "text"
    }
  }, "")
}

# "0.35", "-", "<0.01", "35 %", "1,234", "1e-05"
number_as_text <- "^\\s*([-<>]?[0-9][0-9,.]*(e[-+]?[0-9]+)?([ \u00a0]?%)?|-)\\s*$"

html_cell <- function(tag, values, kinds) {
  sprintf(
    "<%s%s>%s</%s>", tag, ifelse(nzchar(kinds), sprintf(" class=\"%s\"", kinds), ""), values, tag
  )
}

html_heads <- function(names, kinds, meanings) {
  words <- escape_html(report_words(names))
  meaning <- meanings[names]
  sprintf(
    "<th scope=\"col\"%s%s>%s</th>",
    ifelse(nzchar(kinds), " class=\"text\"", ""),
    ifelse(is.na(meaning), "", sprintf(" title=\"%s\"", escape_html(meaning))), words
  )
}

# @return (character matrix) the text of a table; nothing for what is missing.
cells_of <- function(table, digits = NULL) {
  cells <- vapply(table, function(column) {
    text <- if (is.double(column)) format_column(column, digits) else as.character(column)
    replace(text, is.na(column), "")
  }, character(nrow(table)))
  matrix(cells, nrow(table))
}

# Names that sentences use stay as they are.
report_words <- function(names) {
  ifelse(names %in% c("p_fwer", "q_fdr"), names, in_words(names))
}

# Numbers of a column with the same decimals, unless these are many.
# @param like (numbers) whose decimals they get.
format_column <- function(x, digits = NULL, like = x) {
  decimals <- decimals_of(like[is.finite(like)], digits)
  known <- is.finite(x)
  if (is.na(decimals)) {
    return(format_number(x))
  }
  text <- replace(as.character(x), known, sprintf("%.*f", decimals, x[known]))
  # Not 0.00 for what is no 0.
  small <- known & x != 0 & abs(x) < 0.5 * 10^-decimals
  text[small] <- format_number(x[small], 2L)
  text
}

# @param digits (whole number) of the number that needs most decimals, as in prints; NULL: two of
#   it, and three of the largest.
# @return (whole number) decimals; NA if they are more than four.
decimals_of <- function(x, digits = NULL) {
  of <- function(digits) {
    text <- trimws(figure(x, digits = digits))
    if (any(grepl("e", text, fixed = TRUE))) Inf else max(nchar(sub("^[^.]*[.]?", "", text)), 0L)
  }
  decimals <- if (is.null(digits)) {
    largest <- 2 - floor(log10(max(abs(x), 1)))
    min(of(3L), max(of(2L), largest))
  } else {
    of(digits)
  }
  if (decimals <= 4) as.integer(decimals) else NA_integer_
}

# Each number by itself: three significant digits, nothing for missing values.
format_number <- function(x, digits = 3L) {
  different <- unique(x)
  out <- vapply(different, figure, "", digits = digits)[match(x, different)]
  out[is.na(x)] <- ""
  out
}

# Text of results, in which code stands between backticks, and help pages after a question mark.
html_text <- function(text) {
  text <- escape_html(gsub("[ \t\n]+", " ", text))
  text <- gsub("`([^`]+)`", "<code>\\1</code>", text)
  gsub("(^|[ (])([?][A-Za-z_.]+[A-Za-z_])", "\\1<code class=\"topic\">\\2</code>", text)
}

# The lines of a print as one. A colon or a question mark is enough between two.
join_lines <- function(text) gsub("([:?]); ", "\\1 ", paste(text, collapse = "; "))

# A list of terms with their explanations.
# @param terms (named character).
html_terms <- function(terms) {
  if (length(terms) > 0L) {
    pairs <- paste0(
      html_tag("dt", escape_html(report_words(names(terms)))), html_tag("dd", html_text(terms))
    )
    html_tag("dl", paste(pairs, collapse = "\n"))
  }
}

html_page <- function(title, body) {
  style <- read_asset("style.css")
  c(
    "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    html_tag("title", escape_html(title)), "<style>", style, "</style>", "</head>", "<body>", body,
    html_tag("script", paste(read_asset("page.js"), collapse = "\n")), "</body>", "</html>"
  )
}

read_asset <- function(name) {
  readLines(system.file("report", name, package = "stabilect"), encoding = "UTF-8")
}
