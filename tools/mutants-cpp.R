# Where the C++ code can be broken, and copies of the sources in which all chosen mutants sleep:
# each is behind a switch that the environment variable STABILECT_MUTANT turns on, so that one build
# serves all, and a mutant costs no more than its tests. Sourced by tools/mutate.R.

# Comments, strings and preprocessor lines as blanks; every character keeps its place.
masked_cpp <- function(text) {
  pattern <- paste0(
    "(?m)//[^\\n]*|/\\*(?s:.*?)\\*/|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'",
    "|^[ \\t]*#(?:[^\\n]*\\\\\\n)*[^\\n]*"
  )
  hits <- gregexpr(pattern, text, perl = TRUE)
  regmatches(text, hits) <- list(gsub("[^\n]", " ", regmatches(text, hits)[[1]]))
  text
}

# Pieces of code between `;`, `{` and `}`, where the first ends outside of parentheses.
# @return (data frame) from, to: positions without the delimiter; end: the delimiter.
code_pieces <- function(masked) {
  chars <- strsplit(masked, "", fixed = TRUE)[[1]]
  depth <- 0L
  outer <- integer()
  ends <- integer()
  whole <- logical()
  for (k in which(chars %in% c("(", ")", "{", "}", ";"))) {
    char <- chars[k]
    if (char == "(") depth <- depth + 1L
    if (char == ")") depth <- depth - 1L
    if (char %in% c("(", ")") || (char == ";" && depth > 0L)) next
    ends <- c(ends, k)
    whole <- c(whole, depth == 0L)
    if (char == "{") {
      outer <- c(outer, depth)
      depth <- 0L
    }
    if (char == "}") {
      depth <- utils::tail(c(0L, outer), 1L)
      outer <- utils::head(outer, -1L)
    }
  }
  pieces <- data.frame(from = c(1L, utils::head(ends, -1L) + 1L), to = ends - 1L, end = chars[ends])
  pieces[whole, ]
}

closing_parenthesis <- function(text, open) {
  chars <- strsplit(substring(text, open), "", fixed = TRUE)[[1]]
  level <- cumsum((chars == "(") - (chars == ")"))
  open - 1L + which(level == 0L)[1]
}

# Parts of a piece that can be put behind a switch: conditions and values as (switch ? new : old),
# whole statements as if (switch) new; else old;
# @return (data frame) from, to (in `masked`), form.
regions_of_piece <- function(masked, from, to, end) {
  region <- function(from, to, form) data.frame(from = from, to = to, form = form)
  regions <- NULL
  repeat {
    piece <- substr(masked, from, to)
    blank <- attr(regexpr("^\\s*(else\\b\\s*)?", piece, perl = TRUE), "match.length")
    from <- from + blank
    piece <- substr(masked, from, to)
    head <- regmatches(piece, regexpr("^(if|while|for) \\(", piece))
    if (length(head) == 0L) break
    open <- from + nchar(head) - 1L
    close <- closing_parenthesis(masked, open)
    if (is.na(close) || close > to) {
      return(regions)
    }
    inside <- substr(masked, open + 1L, close - 1L)
    if (startsWith(head, "for")) {
      parts <- gregexpr(";", inside, fixed = TRUE)[[1]]
      if (length(parts) == 2L) {
        regions <- rbind(regions, region(open + parts[1] + 1L, open + parts[2] - 1L, "value"))
      }
    } else {
      regions <- rbind(regions, region(open + 1L, close - 1L, "condition"))
    }
    from <- close + 1L
  }
  if (end != ";" || !nzchar(trimws(piece))) {
    return(regions)
  }
  rbind(regions, regions_of_statement(piece, from, to))
}

regions_of_statement <- function(piece, from, to) {
  skipped <- paste0(
    "^(using|typedef|template|static_assert|friend|public|private|case|default|goto|namespace|",
    "class|struct|enum|extern|throw|explicit|virtual|STABILECT)\\b|operator|constexpr|^\\)|\\[[&=]"
  )
  if (grepl(skipped, piece, perl = TRUE) || unbalanced(piece)) {
    return(NULL)
  }
  region <- function(from, form) data.frame(from = from, to = to, form = form)
  if (grepl("^return\\s", piece)) {
    return(region(from + 7L, "value"))
  }
  if (grepl("^(continue|break)$", piece) || grepl("^[A-Za-z_][^ =]*\\(", piece, perl = TRUE)) {
    return(region(from, "statement"))
  }
  equal <- top_level(piece, " [-+*/]?= ")
  if (length(equal) != 1L) {
    return(NULL)
  }
  left <- substr(piece, 1L, equal - 1L)
  if (grepl("\\)$|const$|override$", left)) {
    return(NULL)
  }
  declares <- grepl("^[A-Za-z_].*[A-Za-z_0-9>&*] [&*]?[A-Za-z_]\\w*$", left, perl = TRUE)
  if (!declares) {
    return(region(from, "statement"))
  }
  value <- substring(piece, equal + 3L)
  if (length(top_level(value, ", ")) > 0L || grepl("^(default|delete)$", value)) {
    return(NULL)
  }
  region(from + equal + 2L, "value")
}

unbalanced <- function(text) {
  chars <- strsplit(text, "", fixed = TRUE)[[1]]
  level <- cumsum((chars == "(") - (chars == ")"))
  any(level < 0L) || utils::tail(level, 1L) != 0L
}

# Positions of a pattern outside of brackets.
top_level <- function(text, pattern) {
  at <- gregexpr(pattern, text, perl = TRUE)[[1]]
  chars <- strsplit(text, "", fixed = TRUE)[[1]]
  level <- cumsum((chars %in% c("(", "[", "{")) - (chars %in% c(")", "]", "}")))
  at[at > 0L & level[pmax(at, 1L)] == 0L]
}

cpp_swaps <- c(
  " < " = " <= ", " <= " = " < ", " > " = " >= ", " >= " = " > ", " == " = " != ",
  " != " = " == ", " && " = " || ", " || " = " && ", " + " = " - ", " - " = " + ",
  " * " = " / ", " / " = " * ", " += " = " -= ", " -= " = " += ", " *= " = " /= "
)
cpp_kinds <- c(
  rep("comparison", 6L), rep("condition", 2L), rep("arithmetic", 4L), rep("sign", 3L)
)

# The mutants of a region: what stands there, and what is put in its place.
mutants_of_region <- function(text, form) {
  one <- function(at, old, new, kind) {
    if (length(at) == 0L) {
      return(NULL)
    }
    before <- substring(text, at, at + nchar(old) - 1L)
    data.frame(
      at = at, kind = kind, before = trimws(before), short = trimws(new),
      after = paste0(substring(text, 1L, at - 1L), new, substring(text, at + nchar(old)))
    )
  }
  places <- function(pattern) {
    at <- as.integer(gregexpr(pattern, text, perl = TRUE)[[1]])
    at[at > 0L]
  }
  number <- "(?<![\\w.\\]])\\d+(\\.\\d+)?(e-?\\d+)?(?![\\w.])"
  swaps <- Map(function(old, new, kind) {
    one(as.integer(gregexpr(old, text, fixed = TRUE)[[1]]), old, new, kind)
  }, names(cpp_swaps), cpp_swaps, cpp_kinds)
  swaps <- lapply(swaps, function(rows) rows[rows$at > 0L, ])
  numbers <- places(number)
  old <- regmatches(text, gregexpr(number, text, perl = TRUE))[[1]]
  new <- vapply(old, other_cpp_number, "")
  minus <- places("(?<=[(,=?:] |\\(|^)-(?=[\\w(])")
  flags <- places("\\b(true|false)\\b")
  flag <- regmatches(text, gregexpr("\\b(true|false)\\b", text))[[1]]
  extremes <- places("std::(min|max)\\(")
  extreme <- regmatches(text, gregexpr("std::(min|max)\\(", text))[[1]]
  rows <- c(swaps, list(
    do.call(rbind, Map(one, numbers, old, new, "constant")),
    one(minus, "-", "", "sign"),
    do.call(rbind, Map(one, flags, flag, ifelse(flag == "true", "false", "true"),
      "flag")),
    do.call(rbind, Map(one, extremes, extreme,
      ifelse(extreme == "std::min(", "std::max(", "std::min("), "function")),
    if (form == "condition") one(c(1L, 1L), text, c("true", "false"), "condition"),
    if (form == "statement") one(1L, text, "", "deletion"),
    swapped_cpp_arguments(text, one)
  ))
  do.call(rbind, rows)
}

other_cpp_number <- function(text) {
  if (grepl("^[0-9]+$", text)) {
    return(if (text == "1") "0" else as.character(as.numeric(text) + 1))
  }
  if (as.numeric(text) == 0) "1.0" else paste0("(2 * ", text, ")")
}

# f(a, b) with plain a and b becomes f(b, a); not for std::min and others that do not care.
swapped_cpp_arguments <- function(text, one) {
  pattern <- "\\b(?!min|max|Product|Constant)\\w+\\(([\\w.\\[\\]>-]+), ([\\w.\\[\\]>-]+)(?=[,)])"
  at <- gregexpr(pattern, text, perl = TRUE)[[1]]
  if (at[1] < 0L) {
    return(NULL)
  }
  old <- substring(text, at, at + attr(at, "match.length") - 1L)
  parts <- regmatches(old, regexec("^(.*\\()(.*), (.*)$", old))
  new <- vapply(parts, function(part) paste0(part[2], part[4], ", ", part[3]), "")
  do.call(rbind, Map(one, as.integer(at), old, new, "arguments"))
}

# Places for mutants, not yet the mutants.
# @return (data frame) file, line, last (lines), from, to, form, text.
regions_in_cpp_file <- function(file) {
  source <- paste(readLines(file), collapse = "\n")
  masked <- masked_cpp(source)
  pieces <- code_pieces(masked)
  regions <- do.call(rbind, Map(
    function(from, to, end) regions_of_piece(masked, from, to, end),
    pieces$from, pieces$to, pieces$end
  ))
  if (is.null(regions)) {
    return(NULL)
  }
  text <- substring(masked, regions$from, regions$to)
  # Without comments and strings within.
  kept <- text == substring(source, regions$from, regions$to) & grepl("\\S", text)
  breaks <- gregexpr("\n", source, fixed = TRUE)[[1]]
  line <- function(at) findInterval(at - 1L, breaks) + 1L
  data.frame(
    file = file, line = line(regions$from), last = line(regions$to), regions,
    text = gsub("\\s+", " ", text)
  )[kept, ]
}

# One mutant of a region, of a kind drawn at random: as a row of sites_in_r_file(), with from, to
# and form of the region and `text`, what stands there instead. NULL when there is none.
draw_cpp_mutant <- function(region) {
  mutants <- mutants_of_region(region$text, region$form)
  if (NROW(mutants) == 0L) {
    return(NULL)
  }
  kind <- sample(unique(mutants$kind), 1L)
  own <- which(mutants$kind == kind)
  mutant <- mutants[own[sample.int(length(own), 1L)], ]
  data.frame(
    file = region$file, line = region$line, last = region$last, kind = kind,
    before = mutant$before, after = mutant$short, from = region$from, to = region$to,
    form = region$form, text = mutant$after
  )
}

# The source with every mutant of `sites` (of this file) behind its switch.
switched_source <- function(file, sites) {
  source <- paste(readLines(file), collapse = "\n")
  regions <- split(sites, sites$from)
  for (own in regions[order(-as.numeric(names(regions)))]) {
    from <- own$from[1]
    to <- own$to[1]
    old <- substr(source, from, to)
    new <- if (own$form[1] == "statement") {
      cases <- sprintf("if (mutation::on(%d)) { %s; } else ", own$id, own$text)
      paste0("{ ", paste(cases, collapse = ""), "{ ", old, "; } }")
    } else {
      cases <- sprintf("mutation::on(%d) ? (%s) : ", own$id, own$text)
      paste0("(", paste(cases, collapse = ""), "(", old, "))")
    }
    # The semicolon of a statement would part an `else` from its `if`.
    rest <- substring(source, to + if (own$form[1] == "statement") 2L else 1L)
    source <- paste0(substr(source, 1L, from - 1L), new, rest)
  }
  source
}
