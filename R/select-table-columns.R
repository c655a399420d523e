# Table columns in prints: evidence first, empty columns never, and below them how to read the
# p-values.

evidence_names <- c("feature", "direction", "p_fwer", "q_fdr", "expected_by_chance")

# @param table (data frame) the rows that are shown; measures (character): columns of the verb.
# @param n_total (integer) rows of the whole table.
evidence_columns <- function(table, measures, n_total) {
  setdiff(c(intersect(evidence_names, names(table)), measures), empty_columns(table, n_total))
}

# Expected numbers of features say nothing if they include all features.
empty_columns <- function(table, n_total) {
  known <- intersect(c("expected_by_chance", "pfer"), names(table))
  empty <- known[vapply(table[known], function(value) all(includes_all(value, n_total)), NA)]
  c(empty, if ("pfer" %in% empty) "fdr")
}

# A sum of probabilities that are all 1 may be an ulp below their number.
includes_all <- function(expected, n_total) expected >= (1 - 1e-9) * n_total

# @param x (result) with the table of the rows `shown`; below (character) text under them.
evidence_section <- function(x, shown, measures, n, change = identity, above = NULL,
                             below = NULL) {
  if (nrow(shown) == 0L) {
    return(new_section(above = above, below = below))
  }
  columns <- change(evidence_columns(utils::head(shown, n), measures, nrow(x$table)))
  new_section(
    name_direction(shown[columns], x$study), n, above,
    c(
      if ("p_fwer" %in% columns) explain_evidence(x$null, columns, utils::head(shown, n)$p_fwer),
      if ("pfer" %in% columns) explain_rates(utils::head(shown, n)), below
    )
  )
}

# The columns of a list by rate. Some features are in many models only at higher penalties than the
# lowest.
explain_rates <- function(shown) {
  c(
    "pfer, fdr: false positives expected down to this feature; the same as a share",
    if (any(shown$frequency < 0.5 & shown$pfer < nrow(shown))) {
      "frequency: in runs at the lowest penalty; at higher ones it can be larger"
    }
  )
}

# The column `direction`, named by its meaning for this outcome.
name_direction <- function(table, study) {
  at <- names(table) == "direction"
  if (!any(at)) {
    return(table)
  }
  # The outcome of lists made elsewhere is not known.
  outcome <- if (is.null(study$type)) outcome_records()$numeric else outcome_of(study)
  table$direction <- if (is.null(outcome$signs)) {
    say_class(table$direction)
  } else {
    unname(outcome$signs[table$direction])
  }
  names(table)[at] <- outcome$direction
  table
}

# How to read p and q-values, and how a number of features by chance can be large beside them.
# @param p (numbers) p_fwer of the rows that are shown. A copy enters a path late, and not at all
#   where the feature above it tells the same.
explain_evidence <- function(null, columns, p = numeric()) {
  by_path <- isTRUE(null$statistic != "score")
  copies <- by_path && any(p <= 0.05) && any(p > 0.5)
  paste0(
    "Read p_fwer for one feature (family-wise; useful ones may have 1",
    if (copies) ", above all one that resembles a feature above it", "), q_fdr for a list ",
    "(estimated share of false positives among all as strong).",
    if (by_path && "expected_by_chance" %in% columns) {
      paste(
        " These are of the penalty at which a feature enters; expected_by_chance is of the score",
        "or frequency, which tells less."
      )
    }
  )
}
