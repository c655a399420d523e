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

html_table <- function(table) {
  cells <- vapply(table, function(column) {
    text <- escape_html(if (is.double(column)) format_number(column) else as.character(column))
    replace(text, is.na(column), "")
  }, character(nrow(table)))
  cells <- matrix(cells, nrow(table))
  row <- function(tag, values) html_tag("tr", paste(html_tag(tag, values), collapse = ""))
  head <- row("th", escape_html(gsub("_", " ", names(table))))
  body <- vapply(seq_len(nrow(table)), function(i) row("td", cells[i, ]), "")
  html_tag("div", html_tag("table", paste(c(head, body), collapse = "\n")), "wide")
}

# Each number by itself: three significant digits, nothing for missing values.
format_number <- function(x) {
  out <- vapply(x, figure, "", digits = 3)
  out[is.na(x)] <- ""
  out
}

# A picture within the page; NULL without ggplot2 or without a picture.
html_picture <- function(x) {
  if (!requireNamespace("ggplot2", quietly = TRUE) || !can_draw(x)) {
    return(NULL)
  }
  file <- tempfile(fileext = ".png")
  on.exit(unlink(file))
  grDevices::png(file, 1400, 900, res = 170)
  drawn <- tryCatch(
    {
      print(ggplot2::autoplot(x))
      TRUE
    },
    error = function(e) FALSE, finally = grDevices::dev.off()
  )
  if (drawn) {
    bytes <- readBin(file, "raw", file.size(file))
    html_tag("div", class = "wide", sprintf(
      "<img alt=\"Picture of the result\" src=\"data:image/png;base64,%s\">", encode_base64(bytes)
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
  style <- readLines(system.file("report", "style.css", package = "stabilect"))
  c(
    "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    html_tag("title", escape_html(title)), "<style>", style, "</style>", "</head>", "<body>", body,
    "</body>", "</html>"
  )
}
