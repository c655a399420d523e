# The table of features that can be sorted and searched, by the script `table.js`.

# The printed table and that of a browser without scripts is this table too, not a copy of it.
# @param shown (list) see report_table(); listed (whole number) of selected features.
searchable_table <- function(shown, listed) {
  rest <- shown$rest
  c(
    html_table(shown$table, shown$meanings, "features"),
    if (nrow(shown$table) + nrow(rest) > 1L) {
      c(
        sprintf(
          "<p class=\"note searched\" hidden>%s</p>", escape_html(describe_search(shown, listed))
        ),
        "<script type=\"application/json\" id=\"rest\">", pack_rows(shown, listed), "</script>",
        html_tag("script", paste(read_asset("table.js"), collapse = "\n"))
      )
    }
  )
}

describe_search <- function(shown, listed) {
  rest <- nrow(shown$rest)
  paste(c(
    "A click on the head of a column sorts by it, the largest first; the pointer on it shows its
     meaning.",
    if (rest > 0L && shown$left_out == 0L) "The search finds every feature of the data.",
    if (shown$left_out > 0L) {
      sprintf(
        "The page has the first %s features; the other %s are in the result only.",
        figure(nrow(shown$table) + rest, big.mark = ","), figure(shown$left_out, big.mark = ",")
      )
    },
    if (rest > 0L && listed > 0L) {
      sprintf("Features up to rank %s are in the list.", figure(listed, big.mark = ","))
    },
    if (length(shown$also) > 0L) {
      "A feature that stands for others, as copies or in a cluster, is found by their names also."
    }
  ), collapse = " ")
}

# The rows after the first, for the script: column by column, which takes a fifth of the room of
# cells.
# @return (string) JSON: `rows`, `listed`, `left_out` (numbers), `columns`, and `also` (further
#   names by row from 0).
pack_rows <- function(shown, listed) {
  columns <- vapply(names(shown$rest), function(name) {
    pack_column(shown$rest[[name]], shown$table[[name]], name)
  }, "")
  also <- shown$also
  sprintf(
    "{\"rows\":%d,\"listed\":%d,\"left_out\":%d,\"columns\":[%s],\"also\":{%s}}",
    nrow(shown$rest), as.integer(listed), as.integer(shown$left_out),
    paste(columns, collapse = ",\n"),
    paste(sprintf("\"%s\":%s", names(also), json_string(also)), collapse = ",")
  )
}

# @param like (vector) the column in the rows that are shown, whose decimals it gets.
# @return (string) JSON: numbers as text between blanks, with their number where they repeat; text
#   of few kinds as the numbers of these from 0; else lines.
pack_column <- function(column, like, name) {
  if (is.numeric(column)) {
    text <- if (is.double(column)) format_column(column, like = like) else as.character(column)
    text[is.na(column)] <- "-"
    return(sprintf("{\"numbers\":\"%s\"}", paste(count_repeats(text), collapse = " ")))
  }
  text <- as.character(column)
  text[is.na(text)] <- ""
  kinds <- unique(text)
  if (length(kinds) > length(text) / 4) {
    return(sprintf("{\"lines\":%s}", json_string(paste(one_line(text), collapse = "\n"))))
  }
  codes <- count_repeats(as.character(match(text, kinds) - 1L))
  sprintf(
    "{\"kinds\":[%s],\"numbers\":\"%s\"}", paste(json_string(one_line(kinds)), collapse = ","),
    paste(codes, collapse = " ")
  )
}

# "1", "0*3" for 1, 0, 0, 0.
count_repeats <- function(text) {
  runs <- rle(text)
  ifelse(runs$lengths > 1L, paste0(runs$values, "*", runs$lengths), runs$values)
}

one_line <- function(text) gsub("[[:cntrl:]]", " ", text)

# RFC 8259. "<" could end the element of the page.
json_string <- function(text) {
  if (length(text) == 0L) {
    return(character())
  }
  for (pair in list(c("\\", "\\\\"), c("\"", "\\\""), c("\n", "\\n"), c("<", "\\u003c"))) {
    text <- gsub(pair[1], pair[2], text, fixed = TRUE)
  }
  paste0("\"", text, "\"")
}
