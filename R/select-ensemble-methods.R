#' @rdname select_ensemble
#' @param object (object of class `stabilect_ensemble`)
#' @param n (whole number >= 1) how many features to print.
#' @param ... Not used.
#' @export
print.stabilect_ensemble <- function(x, n = 10, ...) {
  n <- check_count(n)
  print_ensemble(x, n, ensemble_stability(x))
  print_next(x)
}

print_ensemble <- function(x, n, agreement) {
  asked <- x$asked
  runs <- format(x$resamples$plan)
  if (!is.null(asked$subspace)) {
    runs <- sprintf("%s, each on %s of the features", runs, format_share(asked$subspace))
  }
  print_signal(describe_signal(x), x)
  print_head(x, paste("Ensemble feature selection:", paste(asked$selector, collapse = ", ")), runs)
  if (!is.null(x$oob)) {
    cat(sprintf("\n%s on the features selected without each sample:\n", x$oob$learner$label))
    print(x$oob)
  }
  cat(sprintf(
    "\n%s selected by %s\n", count_of(length(x$features), "feature"), x$ranking$aggregation$label
  ))
  shown <- x$table[x$table$selected, ]
  print_evidence_rows(x, shown, c("score", "frequency"), n)
  for (one in x$made$selectors) if (!is.null(one$caution)) print_text(one$caution)
  print_agreement(x, agreement)
  print_equal_scores(x$selection)
}

# How certain the selection is: the share of runs of the selected features, and the agreement of the
# runs beyond chance.
print_agreement <- function(x, agreement) {
  table <- x$table
  cat("\n")
  if (any(table$selected)) {
    cat(sprintf(
      "selected features were in %s of the runs on average, the others in %s\n",
      format_percent(mean(table$frequency[table$selected])),
      format_percent(mean(table$frequency[!table$selected], na.rm = TRUE))
    ))
  }
  if (is.null(agreement)) {
    return(invisible())
  }
  cat(
    "agreement of the runs on these data (nogueira: 0 by chance, 1 the same sets",
    if (!is.null(x$asked$subspace)) "; lower, as runs look at different features",
    ")\n",
    sep = ""
  )
  for (row in seq_len(nrow(agreement))) {
    one <- agreement[row, ]
    interval <- sprintf("%s to %s", figure(one$lower, digits = 2), figure(one$upper, digits = 2))
    cat(sprintf(
      "  %s: %s (%s)\n", one$selector,
      if (is.na(one$estimate)) "-" else figure(one$estimate, digits = 2),
      if (is.na(one$lower)) "no interval, as few runs decide" else interval
    ))
  }
}

# Features with equal scores are selected in column order, so the same ones in every run. A selector
# that gives most features the same score, such as a forest of few trees, looks stable for this
# reason alone.
print_equal_scores <- function(selection) {
  runs <- ok_runs(selection)
  size <- mean(Matrix::colSums(selection$selected)[runs])
  by_order <- mean(vapply(runs, function(b) {
    count_equal_at_cut(selection$score[, b], which(selection$selected[, b]))
  }, 0L))
  if (by_order > 0.1 * size) {
    cat(sprintf(
      "On average, %s of the %s features of a run had the same score as others not selected.
They were selected in column order, so the runs agree too well: ask for fewer features\n",
      figure(by_order, digits = 2), figure(size, digits = 3)
    ))
  }
}

# How many of the selected features were selected by the order of the columns.
count_equal_at_cut <- function(score, chosen) {
  if (length(chosen) == 0L) {
    return(0L)
  }
  cut <- min(score[chosen])
  equal <- sum(score[chosen] == cut)
  if (sum(score == cut, na.rm = TRUE) > equal) equal else 0L
}

format_percent <- function(share) if (is.nan(share)) "-" else sprintf("%.0f%%", 100 * share)

# One row per selector; NULL when there are too few runs to compare.
ensemble_stability <- function(x, index = "nogueira") {
  rows <- lapply(unique(x$runs$selector), function(label) {
    selection <- x$selection[which(x$runs$selector == label)]
    if (length(ok_runs(selection)) < 2L) {
      return(NULL)
    }
    cbind(selector = label, as.data.frame(stability(selection, index)))
  })
  do.call(rbind, rows)
}

#' @rdname select_ensemble
#' @export
summary.stabilect_ensemble <- function(object, n = 20, ...) {
  refuse_dots(...)
  n <- check_count(n)
  selection <- object$selection
  structure(
    list(
      ensemble = object, best = utils::head(object$table, n),
      stability = ensemble_stability(object),
      sizes = summary(Matrix::colSums(selection$selected)[ok_runs(selection)])
    ),
    class = "summary_stabilect_ensemble"
  )
}

#' @export
print.summary_stabilect_ensemble <- function(x, ...) {
  print_ensemble(x$ensemble, nrow(x$best), x$stability)
  print_looks(x$ensemble$made$until)
  cat(describe_origin(x$ensemble), "\n", sep = "")
  failed <- table(x$ensemble$runs$status[x$ensemble$runs$status != "ok"])
  if (length(failed) > 0L) {
    cat("\nfailed runs: ", paste(names(failed), failed, sep = " ", collapse = "; "), "\n", sep = "")
  }
  invisible(x)
}
