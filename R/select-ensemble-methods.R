#' @exportS3Method
facts_of.stabilect_ensemble <- function(x, n = 10L) ensemble_facts(x, n, ensemble_stability(x))

ensemble_facts <- function(x, n, agreement) {
  asked <- x$asked
  runs <- format(x$resamples$plan)
  if (!is.null(asked$subspace)) {
    runs <- sprintf("%s, each on %s of the features", runs, format_share(asked$subspace))
  }
  verdict <- signal_facts(x)
  verdict$Error <- if (is.null(x$oob)) {
    "not estimated: a `learner` does"
  } else {
    c(verdict$Error, sprintf("(%s on features selected without each sample)", x$oob$learner$label))
  }
  rule <- rule_of(asked)
  verdict$List <- rule$verdict(x)
  verdict$Stability <- describe_run_stability(x, agreement)
  verdict$Caution <- c(
    verdict$Caution, unlist(lapply(x$made$selectors, `[[`, "caution")),
    describe_equal_scores(x$selection)
  )
  shown <- x$table[x$table$selected, ]
  result_facts(
    x, paste("Ensemble feature selection:", paste(asked$selector, collapse = ", ")), runs, verdict,
    list(evidence_section(x, shown, rule$measures(shown), n))
  )
}

# Agreement of the runs on these data, one line per selector.
describe_run_stability <- function(x, agreement) {
  if (is.null(agreement)) {
    return(NULL)
  }
  number <- function(value) figure(value, digits = 2)
  runs <- vapply(seq_len(nrow(agreement)), function(row) {
    one <- agreement[row, ]
    sprintf(
      "of the runs%s: %s (%s)", if (nrow(agreement) > 1L) paste(" of", one$selector) else "",
      if (is.na(one$estimate)) "-" else number(one$estimate),
      if (is.na(one$lower)) {
        "too few runs for an interval"
      } else {
        describe_interval(one, 0.95)
      }
    )
  }, "")
  c(
    runs, paste0(
      "(Nogueira on these data: 0 by chance, 1 identical",
      if (!is.null(x$asked$subspace)) "; lower, as runs look at different features", ")"
    )
  )
}

# A selector with many equal scores, for example a filter on discrete features, says little about
# which of them are best.
describe_equal_scores <- function(selection) {
  runs <- ok_runs(selection)
  size <- mean(Matrix::colSums(selection$selected)[runs])
  by_chance <- mean(vapply(runs, function(b) {
    count_equal_at_cut(selection$score[, b], which(selection$selected[, b]))
  }, 0L))
  if (by_chance > 0.1 * size) {
    c(
      sprintf(
        paste(
          "on average, %s of the %s features of a run had the same score as others that were not",
          "selected"
        ),
        figure(by_chance, digits = 2), figure(size, digits = 3)
      ),
      "they were selected at random: ask for fewer features"
    )
  }
}

# How many selected features owe it to chance.
count_equal_at_cut <- function(score, chosen) {
  if (length(chosen) == 0L) {
    return(0L)
  }
  cut <- min(score[chosen])
  equal <- sum(score[chosen] == cut)
  if (sum(score == cut, na.rm = TRUE) > equal) equal else 0L
}

# One row per selector; NULL when there are too few runs to compare.
ensemble_stability <- function(x) {
  bind_rows_of(unique(x$runs$selector), function(label) {
    selection <- x$selection[which(x$runs$selector == label)]
    if (length(ok_runs(selection)) < 2L) {
      return(NULL)
    }
    cbind(selector = label, agreement_of(selection))
  })
}

#' @rdname select_ensemble
#' @param object (object of class `stabilect_ensemble`) the ensemble.
#' @param n (whole number >= 1) number of features in the summary.
#' @param ... Not used.
#' @export
summary.stabilect_ensemble <- function(object, n = 20, ...) {
  refuse_dots(...)
  n <- check_count(n)
  selection <- object$selection
  best <- utils::head(object$table, n)
  failed <- table(object$runs$status[object$runs$status != "ok"])
  new_summary(object,
    best = best, stability = ensemble_stability(object),
    sizes = summary(Matrix::colSums(selection$selected)[ok_runs(selection)]),
    sections = list(
      evidence_section(object, best, c("score", "frequency"), nrow(best)),
      if (!is.null(object$oob)) {
        new_section(above = c("Error out of bag", describe_by_class(object$oob)))
      },
      look_section(object$made$until),
      new_section(above = c(describe_origin(object), if (length(failed) > 0L) {
        paste("failed runs:", paste(names(failed), failed, collapse = "; "))
      }))
    )
  )
}

#' @exportS3Method
has_rank.stabilect_ensemble <- function(result) {
  scored_in_runs(result$table$frequency, result$table$mean_score)
} # nolint: object_name_linter.
