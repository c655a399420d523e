# What is measured in every permutation: statistics of the features, scores and errors.

# What is measured in a permutation.
# @return list(whole (function(studies, draws): list of list(score, statistic, error, auc, named)),
#   quick (function(studies, draws): statistic, p x R matrix), score, statistic (of the observed
#   data, in the order of the columns), name, path_size).
measure_of <- function(fit, study, draws, control, repeat_fit, paths) {
  names <- if (is.null(paths$clusters)) study$feature_names else levels(paths$clusters)
  size <- if (is.null(paths)) NA_integer_ else min(null_path_size, paths$limit)
  quick <- if (is.null(paths)) {
    function(studies, draws) {
      asked_again <- Map(function(study, draws) {
        score_in_columns(try_fit(repeat_fit, study, draws, control, whole = FALSE), names)
      }, studies, draws)
      do.call(cbind, asked_again)
    }
  } else {
    function(studies, draws) {
      entry_statistics(
        studies, draws, size, paths$weakness, control, paths$likelihood, paths$clusters
      )
    }
  }
  whole <- function(studies, draws) {
    fits <- Map(function(study, draws) try_fit(repeat_fit, study, draws, control), studies, draws)
    score <- do.call(cbind, lapply(fits, score_in_columns, names))
    list(
      score = score, statistic = statistic_of_fits(fits, studies, draws, size, score, paths, quick),
      error = vapply(fits, error_of_fit, 0), auc = vapply(fits, auc_of_fit, 0),
      named = vapply(fits, function(fit) length(fit$features), 0L)
    )
  }
  score <- score_in_columns(fit, names)
  list(
    whole = whole, quick = quick, score = score,
    statistic = drop(
      statistic_of_fits(list(fit), list(study), list(draws), size, score, paths, quick)
    ),
    error = error_of_fit(fit), auc = auc_of_fit(fit), path_size = size,
    name = if (is.null(paths)) "score" else "penalty at entry"
  )
}

# Paths that hold all models up to `size` are not followed again.
statistic_of_fits <- function(fits, studies, draws, size, score, paths, quick) {
  if (is.null(paths)) {
    return(score)
  }
  if (!paths$whole) {
    return(quick(studies, draws))
  }
  do.call(cbind, Map(
    entries_of_fit, fits, studies, draws,
    MoreArgs = list(size = size, likelihood = paths$likelihood, clusters = paths$clusters)
  ))
}

# A permutation in which no run succeeds has found nothing.
try_fit <- function(repeat_fit, ...) {
  tryCatch(suppressWarnings(repeat_fit(...)), stabilect_error_runs = function(e) NULL)
}

# The printed score of all features in the order of the columns; features that were never looked at
# come last.
score_in_columns <- function(fit, names) {
  if (is.null(fit)) {
    return(rep(-Inf, length(names)))
  }
  column <- intersect(c("score", "frequency"), names(fit$table))[1]
  score <- fit$table[[column]][match(names, fit$table$feature)]
  replace(score, is.na(score), -Inf)
}

error_of_fit <- function(fit) if (is.null(fit$oob)) NA_real_ else fit$oob$error

auc_of_fit <- function(fit) if (is.null(fit$oob$auc)) NA_real_ else fit$oob$auc
