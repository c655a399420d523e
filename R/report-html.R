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
# @param id (string, or NULL) of the table.
html_table <- function(table, meanings = character(), id = NULL) {
  is_text <- !vapply(table, is.numeric, NA)
  cells <- cells_of(table)
  row <- function(tag, values) {
    cell <- ifelse(is_text, html_tag(tag, values, "text"), html_tag(tag, values))
    html_tag("tr", paste(cell, collapse = ""))
  }
  head <- html_tag("tr", paste(html_heads(names(table), is_text, meanings), collapse = ""))
  body <- vapply(seq_len(nrow(table)), function(i) row("td", cells[i, ]), "")
  content <- paste(
    c(html_tag("thead", head), "<tbody>", body, "</tbody>"), collapse = "\n"
  )
  # Whoever has no mouse can scroll it too.
  paste0(
    "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table",
    if (!is.null(id)) sprintf(" id=\"%s\"", id), ">", content, "</table></div>"
  )
}

html_heads <- function(names, is_text, meanings) {
  words <- escape_html(report_words(names))
  meaning <- meanings[names]
  sprintf(
    "<th scope=\"col\"%s%s>%s</th>", ifelse(is_text, " class=\"text\"", ""),
    ifelse(is.na(meaning), "", sprintf(" title=\"%s\"", escape_html(meaning))), words
  )
}

# @return (character matrix) the text of a table, escaped; nothing for what is missing.
cells_of <- function(table) {
  cells <- vapply(table, function(column) {
    text <- escape_html(if (is.double(column)) format_column(column) else as.character(column))
    replace(text, is.na(column), "")
  }, character(nrow(table)))
  matrix(cells, nrow(table))
}

# Names that sentences use stay as they are.
report_words <- function(names) {
  ifelse(names %in% c("p_fwer", "q_fdr"), names, in_words(names))
}

# Numbers of a column with the same decimals, unless these are many.
format_column <- function(x) {
  known <- is.finite(x)
  text <- replace(format_number(x), known, trimws(figure(x[known], digits = 3)))
  if (max(nchar(text), 0L) > 8L) format_number(x) else text
}

# Each number by itself: three significant digits, nothing for missing values.
format_number <- function(x) {
  out <- vapply(x, figure, "", digits = 3)
  out[is.na(x)] <- ""
  out
}

# A list of terms with their explanations.
# @param terms (named character).
html_terms <- function(terms) {
  if (length(terms) > 0L) {
    text <- gsub("\u00a0", " ", gsub("\\s+", " ", terms), fixed = TRUE)
    pairs <- paste0(
      html_tag("dt", escape_html(report_words(names(terms)))), html_tag("dd", escape_html(text))
    )
    html_tag("dl", paste(pairs, collapse = "\n"))
  }
}

# An R that was built without a device for pictures writes the page without them.
opens_png <- function(file) {
  opened <- tryCatch({
    grDevices::png(file, 1500, 990, res = 216)
    TRUE
  }, error = function(e) FALSE)
  if (!opened && first_told("pictures")) {
    warn(
      c("The page has no pictures: this R cannot draw PNG files.",
        i = "{.code capabilities()} must have {.val png} or {.val cairo}."
      ),
      class = "pictures"
    )
  }
  opened
}

# A picture within the page; NULL without ggplot2 or without a picture.
# @param draw function(x): a ggplot.
html_picture <- function(x, draw = NULL) {
  if (!requireNamespace("ggplot2", quietly = TRUE) || is.null(draw) && !can_draw(x)) {
    return(NULL)
  }
  if (is.null(draw)) draw <- ggplot2::autoplot
  file <- tempfile(fileext = ".png")
  on.exit(unlink(file))
  # The text is as large as the text of the page on a wide screen, and readable on a narrow one.
  if (!opens_png(file)) {
    return(NULL)
  }
  drawn <- tryCatch(
    {
      picture <- draw(x)
      draw_picture(picture)
      picture
    },
    error = function(e) NULL, finally = grDevices::dev.off()
  )
  if (!is.null(drawn)) {
    bytes <- readBin(file, "raw", file.size(file))
    words <- paste(unlist(drawn$labels[c("title", "subtitle")]), collapse = ". ")
    html_tag("figure", sprintf(
      "<img alt=\"%s\" src=\"data:image/png;base64,%s\">", escape_html(words),
      encode_base64(bytes)
    ))
  }
}

can_draw <- function(x) {
  known <- vapply(class(x), function(class) {
    !is.null(utils::getS3method("autoplot", class, TRUE, asNamespace("ggplot2")))
  }, NA)
  any(known)
}

# RFC 4648: three bytes are four letters of six bits each.
encode_base64 <- function(bytes) {
  letters64 <- c(LETTERS, letters, 0:9, "+", "/")
  padding <- -length(bytes) %% 3L
  bits <- matrix(as.integer(rawToBits(c(bytes, raw(padding)))), 8L)[8:1, , drop = FALSE]
  values <- drop(c(32L, 16L, 8L, 4L, 2L, 1L) %*% matrix(bits, 6L))
  out <- letters64[values + 1L]
  if (padding > 0L) out[length(out) + 1L - seq_len(padding)] <- "="
  paste(out, collapse = "")
}

html_page <- function(title, body) {
  style <- read_asset("style.css")
  c(
    "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    html_tag("title", escape_html(title)), "<style>", style, "</style>", "</head>", "<body>", body,
    "</body>", "</html>"
  )
}

read_asset <- function(name) {
  readLines(system.file("report", name, package = "stabilect"), encoding = "UTF-8")
}
