# The one layout of all results: each class states its facts, this file makes lines of them.

# In printing order. `Best` is the setting or method that a comparison favours.
verdict_labels <- c("Signal", "Error", "List", "Stability", "Best", "Meaning", "Caution")

# @param title (string) what was computed; data (character) samples, features, outcome, notes;
#   design (character) resamples and seed.
# @param verdict (list) by label: the facts under it, each (string) on lines of its own.
# @param sections (list of new_section()) tables; calls (character, or NULL) named by their purpose.
new_facts <- function(title, data = NULL, design = NULL, verdict = list(), sections = list(),
                      calls = NULL) {
  stopifnot(names(verdict) %in% verdict_labels)
  verdict <- Filter(length, verdict[intersect(verdict_labels, names(verdict))])
  list(
    title = title, data = data, design = design, verdict = verdict,
    sections = Filter(Negate(is.null), sections), calls = calls
  )
}

# @param table (data frame, numbers, or NULL) to print; n (number) of its rows; above, below
#   (character) text; rest (number) rows of the whole that `table` lacks.
new_section <- function(table = NULL, n = 10L, above = NULL, below = NULL, digits = 3L, rest = 0L) {
  list(table = table, n = n, above = above, below = below, digits = digits, rest = rest)
}

# The checks made before the runs ended, for a summary.
look_section <- function(until) {
  if (!is.null(until)) {
    new_section(
      until$looks, Inf,
      above = sprintf("Checks of the rule: stop once %s", describe_until(until$rule))
    )
  }
}

#' How results are printed
#'
#' `format()` returns the lines that `print()` shows, for every result of this package and its
#' summaries. All have the same layout:
#'
#' * the title: what was computed;
#' * the data: samples, features and outcome, and changes made to the input;
#' * the design: resamples and seed;
#' * the verdict: labelled lines in a fixed order, see below;
#' * the table: its first rows, with a line on columns that need an explanation;
#' * **Next**: calls to go on with. They run unchanged if the result is called `fit`, and new
#'   samples `new_x`, `new_y` and `new_z`. Data and covariates are called as in the call that made
#'   the result, or, if that is long or had the values themselves, `x`, `y` and `z`.
#'
#' The verdict has these labels, without those that do not apply:
#'
#' * **Signal**: does the outcome depend on these features at all?
#' * **Error**: of predictions of samples that the model had not seen, next to the error without any
#'   feature.
#' * **List**: how many features, by which rule, and what the rule promises.
#' * **Stability**: how much lists agree.
#' * **Best**: the setting or method that a comparison favours.
#' * **Meaning**: what the figures say about your list.
#' * **Caution**: what a reader would otherwise get wrong.
#'
#' `summary()` is a data frame with all of its rows wherever it is one table. Otherwise it is a list
#' of tables (class `stabilect_summary`), which prints them without repeating the verdict. No line
#' is longer than 80 characters. On terminals with colours the labels are bold.
#'
#' @param x (result of a verb, such as [fealect()] or [stability()], or its summary).
#' @param n (whole number >= 1) rows of a table to print.
#' @param ... Not used.
#' @return `format()`: (character) the lines. `print()`: `x`, invisibly.
#' @family results
#' @examples
#' fit <- fealect(as.matrix(mcl_sll[, -1]), mcl_sll$MCL, n_runs = 50, seed = 1)
#' print(fit, n = 3)
#' grep("^Error", format(fit), value = TRUE)
#' @name prints
NULL

# The facts of an object. @return new_facts().
facts_of <- function(x, n = 10L) UseMethod("facts_of")

#' @rdname prints
#' @exportS3Method
format.stabilect <- function(x, n = 10, ...) lay_out(facts_of(x, check_count(n)))

#' @rdname prints
#' @exportS3Method
print.stabilect <- function(x, n = 10, ...) {
  cat(embolden(format(x, n)), sep = "\n")
  invisible(x)
}

# @param facts of new_facts(). @return (character) lines of at most 80 columns.
lay_out <- function(facts) {
  head <- unlist(lapply(facts[c("title", "data", "design")], function(text) {
    unlist(lapply(text, wrap_text), use.names = FALSE)
  }), use.names = FALSE)
  blocks <- c(
    list(head, lay_verdict(facts$verdict)), lapply(facts$sections, lay_section),
    list(lay_calls(facts$calls))
  )
  blocks <- Filter(length, blocks)
  c(blocks[[1]], unlist(lapply(blocks[-1], function(block) c("", block))))
}

lay_verdict <- function(verdict) {
  width <- max(nchar(names(verdict)), 0L) + 2L
  unlist(lapply(names(verdict), function(label) {
    # Continued lines are indented: each fact has a visible start.
    lines <- unlist(lapply(verdict[[label]], wrap_text, width = 80L - width, exdent = 2L))
    paste0(formatC(c(label, rep("", length(lines) - 1L)), width = -width), lines)
  }))
}

lay_section <- function(section) {
  table <- section$table
  rest <- section$rest
  if (is.data.frame(table)) {
    rest <- rest + max(0, nrow(table) - section$n)
    table <- table[seq_len(min(nrow(table), section$n)), , drop = FALSE]
  }
  lines <- if (NROW(table) > 0L) table_lines(table, section$digits)
  # What is not shown needs no explanation.
  gone <- sub(":.*", "", section$below) %in% attr(lines, "gone")
  c(
    unlist(lapply(section$above, wrap_text)), lines,
    if (rest > 0) sprintf("... %s more; as.data.frame() returns all", figure(rest, big.mark = ",")),
    unlist(lapply(section$below[!gone], wrap_text))
  )
}

lay_calls <- function(calls) {
  if (length(calls) > 0L) c("Next", describe_calls(calls))
}

# The calls in one column, their purposes in another, two blanks apart.
# @param calls (character) named by what they are for.
describe_calls <- function(calls) {
  width <- 38L
  lines <- Map(function(call, purpose) {
    if (nchar(call) < width - 1L) {
      return(paste0("  ", formatC(call, width = -width), purpose))
    }
    c(paste0("  ", call), paste0(strrep(" ", width + 2L), purpose))
  }, calls, names(calls))
  unlist(lines, use.names = FALSE)
}

embolden <- function(lines) {
  label <- regexpr(sprintf("^(%s)(?=  )|^Next$", paste(verdict_labels, collapse = "|")), lines,
    perl = TRUE
  )
  regmatches(lines, label) <- cli::style_bold(regmatches(lines, label))
  lines
}
