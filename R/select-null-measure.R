# Measures of every permutation: statistics of the features, scores and errors.

# The measures of a permutation.
# @return list(of_fit (function(fit, study, draws): list(score, statistic, error, auc, named), the
#   first two as matrices of one column), quick (function(studies, draws): statistic, p x R matrix),
#   score, statistic (of the observed data, in the order of the columns), name, path_size).
measure_of <- function(fit, procedure, study, draws, control) {
  paths <- if (!is.null(procedure$entries)) procedure$entries(procedure$asked, fit)
  names <- fit$selection$feature_names
  size <- if (is.null(paths)) NA_integer_ else min(null_path_size, paths$limit)
  control <- check_run(control$n_threads, FALSE)
  quick <- if (is.null(paths)) {
    quick_scores(procedure, names, control)
  } else {
    function(studies, draws) {
      entry_statistics(
        studies, draws, size, paths$weakness, control, paths$likelihood, paths$unit
      )
    }
  }
  of_fit <- function(fit, study, draws) {
    score <- cbind(score_in_columns(fit, names))
    statistic <- if (is.null(paths)) {
      score
    } else if (paths$whole) {
      # Paths with all models up to `size` are not computed again.
      entries_of_fit(fit, study, draws, size, paths$likelihood, paths$unit)
    } else {
      quick(list(study), list(draws))
    }
    list(
      score = score, statistic = statistic, error = error_of_fit(fit), auc = auc_of_fit(fit),
      named = length(fit$features)
    )
  }
  observed <- of_fit(fit, study, draws)
  list(
    of_fit = of_fit, quick = quick, score = drop(observed$score),
    statistic = drop(observed$statistic), error = observed$error, auc = observed$auc,
    path_size = size, name = if (is.null(paths)) "score" else "penalty at entry"
  )
}

# The scores of the procedure itself, without the parts for whole permutations.
quick_scores <- function(procedure, names, control) {
  procedure$asked <- procedure$lean(procedure$asked, FALSE)
  function(studies, draws) {
    scores <- Map(function(study, draws) {
      fit <- carry_out(procedure, study, draws, control, failed = nothing_found)
      score_in_columns(fit, names)
    }, studies, draws)
    do.call(cbind, scores)
  }
}

# A permutation without successful runs has found nothing.
nothing_found <- function(e) NULL

# The printed score of all features in the order of the columns; unseen features come last.
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
