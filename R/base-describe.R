# Words for prints: seeds, counts and ranges.

# The seeds of a result, for its print.
describe_seed <- function(settings) {
  merged <- settings$merged
  if (is.null(merged)) {
    return(paste("seed", figure(settings$seed)))
  }
  sprintf(
    "merged from %d results, seed%s %s", merged$n_results,
    if (length(merged$seeds) == 1L) "" else "s", describe_seeds(merged$seeds)
  )
}

describe_seeds <- function(seeds) {
  paste0(paste(utils::head(seeds, 10L), collapse = ", "), if (length(seeds) > 10L) ", ...")
}

# Sentences as one paragraph within 80 columns.
print_text <- function(sentences, ...) {
  writeLines(wrap_text(paste(sentences, collapse = " "), ...))
}

# Lines of at most 80 columns. Lines do not break at no-break spaces, which become plain spaces;
# text without spaces breaks anywhere.
wrap_text <- function(text, width = 80L, exdent = 0L) {
  text <- gsub("[ \t]*\n[ \t]*", " ", text)
  if (nchar(text) <= width) {
    return(gsub("\u00a0", " ", text, fixed = TRUE))
  }
  lines <- strwrap(text, width = width + 1L, exdent = exdent)
  pieces <- lapply(lines, function(line) {
    from <- seq(1L, max(nchar(line), 1L), by = width)
    substring(line, from, from + width - 1L)
  })
  gsub("\u00a0", " ", unlist(pieces), fixed = TRUE)
}

# "4 %", with two digits.
as_percent <- function(share) paste0(percent_digits(share), "\u00a0%")

# Two digits, and none below a hundredth of a percent.
percent_digits <- function(share) {
  value <- 100 * share
  small <- which(abs(value) < 0.1)
  value[small] <- round(value[small], 2L)
  figures(value, digits = 2L)
}

# Two digits, or as many as tell them apart.
figures_apart <- function(values, most = 5L) {
  for (digits in seq(2L, most)) {
    text <- vapply(unname(values), figure, "", digits = digits)
    if (anyDuplicated(text[!duplicated(values)]) == 0L) break
  }
  text
}

# "95 % CI 1 to 16 %", or "95 % CI 0.58 to 0.76": two digits, one unit.
# @param limits (list) lower, upper; rate (flag): are these shares?
describe_interval <- function(limits, conf_level, rate = FALSE) {
  number <- if (rate) percent_digits else function(value) figure(value, digits = 2L)
  sprintf(
    "%s\u00a0%% CI\u00a0%s to %s%s", figure(100 * conf_level), number(limits$lower),
    number(limits$upper), if (rate) "\u00a0%" else ""
  )
}

# Which samples are predicted. @param plan (string) of format(), of the runs.
say_predicted <- function(plan) {
  if (grepl("cross-validation|^Leave-one", plan)) "in cross-validation" else "on left-out samples"
}

# Names of classes in sentences: numbers are quoted, so that 14 "1", 11 "2" are no list of numbers.
say_class <- function(levels) {
  number <- reads_as_number(levels)
  levels[number] <- dQuote(levels[number], FALSE)
  levels
}

reads_as_number <- function(text) !is.na(text) & !is.na(suppressWarnings(as.numeric(text)))

# toupper() would give "i" a dot in a Turkish locale.
capitalised <- function(text) {
  paste0(chartr(paste(letters, collapse = ""), paste(LETTERS, collapse = ""), substr(text, 1, 1)),
    substring(text, 2)
  )
}

# Names of measures.
in_words <- function(name) gsub("_", " ", name)

count_of <- function(n, noun) {
  shown <- if (n %in% 0:999) sprintf("%d", as.integer(n)) else figure(n, big.mark = ",")
  paste0(shown, " ", noun, if (n == 1L) "" else "s")
}

# Outcomes without signal: "999 permutations", or all that there are, with the one observed.
describe_draws <- function(n, complete, kind = "permutation") {
  if (isTRUE(complete)) {
    return(paste("all", figure(n + 1L, big.mark = ","), "arrangements"))
  }
  count_of(n, kind)
}

format_range <- function(range) {
  if (range[1] == range[2]) figure(range[1]) else paste(range[1], "to", range[2])
}

describe_until <- function(rule) {
  level <- figure(100 * rule$conf_level)
  if (rule$name == "stable") {
    return(sprintf(
      "the %s\u00a0%% interval of the stability (%s) is narrower than %s", level, rule$index,
      figure(rule$target)
    ))
  }
  sprintf(
    "%s features are decided to be above or below %s at level %s\u00a0%%",
    if (rule$target == 1) "all" else sprintf("%s\u00a0%% of the", figure(100 * rule$target)),
    if (is.null(rule$cutoff)) "the cutoff" else figure(rule$cutoff), level
  )
}

describe_stop <- function(until) {
  last <- until$looks[nrow(until$looks), ]
  value <- if (is.na(last$value)) {
    ""
  } else if (until$rule$name == "stable") {
    sprintf(" (it is %s)", figure(last$value, digits = 2))
  } else {
    sprintf(" (%s\u00a0%% are)", figure(100 * last$value, digits = 3))
  }
  if (until$reached) {
    return(sprintf(
      "stopped after %s of at most %s runs, as %s%s", figure(until$n_runs, big.mark = ","),
      figure(until$max_runs, big.mark = ","), describe_until(until$rule), value
    ))
  }
  sprintf(
    "all %s runs were done before %s%s", figure(until$max_runs, big.mark = ","),
    describe_until(until$rule), value
  )
}

# What was run, with its seed.
# @param made (list) of a result.
describe_design <- function(made, runs) {
  failed <- if (isTRUE(made$n_failed > 0L)) sprintf("%d failed", made$n_failed)
  runs <- paste(c(runs, failed), collapse = ", ")
  parts <- c(if (nzchar(runs)) runs, describe_seed(made))
  # What was merged has a line of its own.
  c(
    if (is.null(made$merged)) paste(parts, collapse = "; ") else parts,
    if (!is.null(made$until)) describe_stop(made$until)
  )
}

describe_sizes <- function(sizes) {
  if (length(unique(sizes)) == 1L) {
    return(figure(sizes[1]))
  }
  sprintf("%d to %d (median %s)", min(sizes), max(sizes), figure(stats::median(sizes)))
}
