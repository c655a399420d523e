# What a selection prints.

#' @exportS3Method
facts_of.stabilect_selection <- function(x, n = 10L) {
  failed <- sum(x$status != "ok")
  sizes <- Matrix::colSums(x$selected)[ok_runs(x)]
  seeds <- unique(sub(" .*", "", x$run_id))
  new_facts(
    "Selections of features in runs", describe_copies(x$study),
    design = c(
      sprintf(
        "%s over %s%s", count_of(x$n_runs, "run"), count_of(x$n_total, "feature"),
        if (failed > 0L) sprintf(", %d failed", failed) else ""
      ),
      x$method, if (length(seeds) > 1L) paste("runs of seeds", describe_seeds(seeds))
    ),
    verdict = list(List = if (length(sizes) > 0L) {
      c(
        sprintf(
          "features per run: median %s, %s to %s", figure(stats::median(sizes)),
          figure(min(sizes)), figure(max(sizes))
        ),
        if (!is.null(x$importance)) describe_importance(x)
      )
    }),
    calls = next_of(x)
  )
}

# Share of the most important feature in the importance of a run: if one feature dominates, sets
# alone tell little about the models.
describe_importance <- function(x) {
  importance <- x$importance[, ok_runs(x), drop = FALSE]
  total <- Matrix::colSums(importance)
  run <- rep(seq_along(total), diff(importance@p))
  top <- vapply(split(importance@x, factor(run, seq_along(total))), function(v) max(0, v), 0)
  share <- stats::median((top / total)[total > 0])
  if (is.na(share)) {
    return("importance: zero in all runs")
  }
  sprintf("importance: the largest feature of a run has %.0f %% (median)", 100 * share)
}

#' @rdname selection
#' @export
summary.stabilect_selection <- function(object, ...) {
  refuse_dots(...)
  table <- as.data.frame(object)
  table[order_best(object$feature_names, table$mean_score), ]
}

#' @rdname selection
#' @param row.names,optional Not used.
#' @export
as.data.frame.stabilect_selection <- function(x, row.names = NULL, optional = FALSE, ...) {
  runs <- ok_runs(x)
  moments <- score_moments(x$score[, runs, drop = FALSE])
  table <- data.frame(
    feature = x$feature_names,
    frequency = mean_selected(x),
    mean_score = unname(moments$mean), se = unname(moments$se)
  )
  name_copies(table, x$study)
}

#' @rdname selection
#' @export
`[.stabilect_selection` <- function(x, i) {
  runs <- choose_runs(i, x$n_runs)
  x$score <- x$score[, runs, drop = FALSE]
  x$selected <- x$selected[, runs, drop = FALSE]
  x$status <- x$status[runs]
  x$n_runs <- length(runs)
  x["run_id"] <- list(x$run_id[runs])
  # As in new_resamples(): the same choice of runs has the same fingerprint in both.
  if (!is.null(x$run_hash)) {
    x$run_hash <- x$run_hash[runs]
    x$fingerprint <- hash_plain(x$run_hash)
  }
  if (!is.null(x$importance)) {
    x$importance <- x$importance[, runs, drop = FALSE]
  }
  x
}
