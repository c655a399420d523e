# Tables in prints must fit on a line.

# Three dots, since devices like pdf() and some terminals have no ellipsis. Names with the same
# beginning are shown from where they differ, and so are the others that begin like them. The number
# of copies of a name, as in "X157 (+7)", stays.
shorten <- function(names, width = 24) {
  copied <- grep(" [(][+][0-9]+[)]$", names)
  if (length(copied) > 0L && any(nchar(names) > width)) {
    bare <- sub(" [(][+][0-9]+[)]$", "", names)
    count <- substring(names[copied], nchar(bare[copied]) + 1L)
    short <- shorten(bare, width - max(nchar(count)))
    short[copied] <- paste0(short[copied], count)
    return(short)
  }
  long <- which(nchar(names) > width)
  short <- names
  short[long] <- paste0(substr(names[long], 1L, width - 3L), "...")
  for (alike in split(long, substr(names[long], 1L, width %/% 2L))) {
    if (is_ambiguous(names[alike], short[alike])) {
      short[alike] <- shorten_alike(names[alike], width)
    }
  }
  short
}

is_ambiguous <- function(names, short) anyDuplicated(short[!duplicated(names)]) > 0L

shorten_alike <- function(names, width) {
  first <- width %/% 4L
  left <- width - first - 3L
  # Two letters before, which may be digits of one number; more near the end if there is room.
  from <- pmin(first_difference(names) - 2L, nchar(names) - left + 1L)
  rest <- substring(names, from)
  cut <- nchar(rest) > left
  rest[cut] <- paste0(substr(rest[cut], 1L, left - 3L), "...")
  # Those that differ again further on, like two settings of one method, also show that place.
  for (same in split(seq_along(names), rest)) {
    if (!is_ambiguous(names[same], rest[same])) next
    end <- max(1L, left - 6L)
    until <- pmax(first_difference(names[same]), end)
    rest[same] <- paste0(
      substring(names[same], from[same], from[same] + left - 4L - end), "...",
      substring(names[same], until - end + 1L, until)
    )
  }
  paste0(substr(names, 1L, first), "...", rest)
}

# The first place where names differ, or the end of the shortest.
first_difference <- function(names) {
  letters <- strsplit(unique(names), "")
  least <- min(lengths(letters))
  columns <- vapply(letters, utils::head, character(least), n = least)
  c(which(apply(columns != columns[, 1], 1, any)), least + 1L)[1]
}

# As many whole names as fit beside the numbers, at least the first.
shorten_list <- function(text, width = 48L) {
  long <- nchar(text) > width
  some <- sub(",[^,]*$", "", substr(text[long], 1L, width))
  first <- sub(", .*$", "", text[long])
  some <- ifelse(nchar(some) < nchar(first), first, some)
  text[long] <- ifelse(some == text[long], some, paste0(some, ", ..."))
  text
}

# A table whose rows fit on a line of 80 columns. Lists of names are shortened first. Then columns
# go, and a line below names them. The name of a feature is cut last: two names that are cut may
# look the same.
# @param table (data frame, or numbers with names).
# @return (character) lines, with the attribute `gone`: the columns that are not shown.
table_lines <- function(table, digits = 3) {
  whole <- names(table)
  if (is.data.frame(table)) {
    table <- fit_columns(table, lists_of_names, digits, least = 24L)
    table <- table[columns_that_fit(table, digits)]
    table <- fit_columns(table, c("feature", "cluster", lists_of_names), digits)
    while (ncol(table) > 2L && spare_width(table, digits) < 0) {
      columns <- together(names(table))
      table <- table[columns != columns[ncol(table)]]
    }
  }
  lines <- rlang::with_options(
    utils::capture.output(print_figures(table, digits = digits)),
    width = 80L
  )
  gone <- if (is.data.frame(table)) setdiff(whole, names(table))
  if (length(gone) > 0L) lines <- c(lines, wrap_text(sprintf("not shown: %s", toString(gone))))
  structure(lines, gone = gone)
}

lists_of_names <- c("members", "features")

# R breaks rows of 80 characters.
spare_width <- function(table, digits) 79 - table_width(table, digits)

# The first columns, lists of names, and of the others those for which there is room beside.
columns_that_fit <- function(table, digits, first = 3L) {
  kept <- unique(c(seq_len(min(ncol(table), first)), which(names(table) %in% lists_of_names)))
  rest <- setdiff(seq_along(table), kept)
  for (k in split(rest, match(together(names(table))[rest], unique(together(names(table)))))) {
    if (spare_width(table[c(kept, k)], digits) >= 0) kept <- c(kept, k)
  }
  sort(kept)
}

# Columns with the same value here stay or go together: half of an interval says nothing.
together <- function(names) sub("^upper", "lower", names)

# @param least (number) of characters that stay of a name.
fit_columns <- function(table, names, digits, least = 12L) {
  for (name in intersect(names, names(table))) {
    table[[name]] <- fit_names(table, name, digits, least)
  }
  table
}

fit_names <- function(table, name, digits, least) {
  text <- as.character(table[[name]])
  spare <- spare_width(table, digits)
  longest <- max(nchar(text), 0L)
  if (spare >= 0 || longest <= least) {
    return(table[[name]])
  }
  room <- max(least, longest + spare)
  # Names stay apart; then columns go.
  while (room < longest && anyDuplicated(shorten(unique(text), room)) > 0L) room <- room + 2L
  # Whole names go first from a list of names.
  if (name == "members") shorten(shorten_list(text, room - 5L), room) else shorten(text, room)
}

# The table as text, with a dash for undefined values.
dash_missing <- function(table, digits = 2) {
  text <- as.matrix(figure(table, digits = digits))
  text[trimws(text) %in% c("NA", "NaN")] <- "-"
  as.data.frame(text)
}

table_width <- function(table, digits) {
  widths <- vapply(names(table), function(name) {
    max(nchar(name), nchar(figure(table[[name]], digits = digits)), 0L)
  }, 0)
  sum(widths + 1)
}

# Means with their standard errors (columns ending in "_se") as one column each, "0.23 (0.01)".
join_errors <- function(table, digits = 3) {
  for (name in grep("_se$", names(table), value = TRUE)) {
    value <- sub("_se$", "", name)
    # Rounding of equal values.
    se <- ifelse(table[[name]] < 1e-12, 0, table[[name]])
    table[[value]] <- sprintf(
      "%s (%s)", figure(table[[value]], digits = digits), figure(signif(se, 2), digits = 2)
    )
    table[[name]] <- NULL
  }
  table
}
