# The results of each verb as one. `draws` are the joined ones; the runs of each part are read off
# its selection and its paths, so that nothing is run again, and go through the verb's own
# constructor.

# How the results of a verb are merged, by the class of its results: `remake` (function(parts,
# draws, study, n_threads), the result of all runs; `study` is NULL without the data),
# `may_differ` (names in `asked` that may differ from part to part), `found` (names of fields that
# the data decided and all runs share), `takes` and `store` of open_study().
mergeable_verbs <- function() {
  mergeable <- function(remake, takes, may_differ = character(), found = character(),
                        store = check_x) {
    list(remake = remake, may_differ = may_differ, found = found, takes = takes, store = store)
  }
  list(
    stabilect_fealect = mergeable(merge_fealect, takes_of("fealect"), may_differ = "oob"),
    stabilect_ensemble = mergeable(
      merge_ensembles, takes_of("select_ensemble"), may_differ = "learner", store = store_merged
    ),
    stabilect_stability_selection = mergeable(merge_stable, takes_of("stability_selection")),
    stabilect_bolasso = mergeable(
      merge_bolasso, takes_of("bolasso"), may_differ = c("lambda", "n_folds"), found = "lambda"
    )
  )
}

merge_fealect <- function(parts, draws, study, n_threads) {
  first <- parts[[1]]
  selection <- bind_selections(lapply(parts, `[[`, "selection"))
  selection$method <- paste("fealect:", format(draws$plan))
  selection["seed"] <- list(draws$seed)
  asked <- first$asked
  asked$oob <- any(vapply(parts, function(part) part$asked$oob, NA))
  runs <- list(
    selection = selection, paths = bind_result_paths(parts), hash = selection$data_hash,
    draws = draws
  )
  if (!is.null(asked$clusters)) {
    runs$features <- bind_selections(lapply(parts, `[[`, "member_selection"))
  }
  with_rows(new_fealect(study, runs, asked, n_threads, first$study), study)
}

bind_result_paths <- function(parts) join_paths(lapply(parts, `[[`, "paths"))

merge_stable <- function(parts, draws, study, n_threads) {
  first <- parts[[1]]
  runs <- bind_path_runs(parts, draws)
  new_stability_selection(first$study, runs, first$asked, bound_of_all(parts, draws))
}

bind_path_runs <- function(parts, draws) {
  list(
    paths = bind_result_paths(parts), draws = draws,
    status = unlist(lapply(parts, function(part) part$selection$status))
  )
}

# The arguments, with the pairs of all parts. The stored paths hold q features.
bound_of_all <- function(parts, draws) {
  first <- parts[[1]]
  bound <- find_bound(first$study$p, first$asked, draws)
  held <- min(vapply(parts, most_held, 0L))
  if (bound$q <= held) {
    return(bound)
  }
  smaller <- first$asked
  smaller$q <- held
  if (!is_calibrated(smaller)) smaller["pfer"] <- list(NULL)
  smaller <- find_bound(first$study$p, smaller, draws)
  smaller$asked <- bound$asked
  smaller
}

# The cross-validation of `lambda` is kept where all parts have the same.
merge_bolasso <- function(parts, draws, study, n_threads) {
  first <- parts[[1]]
  cv <- unique(lapply(parts, `[[`, "cv"))
  cv <- if (length(cv) == 1L) cv[[1]]
  new_bolasso(
    first$study, bind_path_runs(parts, draws), first$asked, first$lambda, cv
  )
}

merge_ensembles <- function(parts, draws, study, n_threads) {
  first <- parts[[1]]
  asked <- first$asked
  learners <- Filter(Negate(is.null), lapply(parts, function(part) part$asked$learner))
  asked["learner"] <- list(if (length(learners) > 0L) learners[[1]])
  runs <- c(bind_ensemble_runs(parts, asked$selector, draws), list(
    # Seeds of learners that draw are those of the first part.
    draws = draws, seed = seeds_of_result(first)[1]
  ))
  runs$hash <- runs$selection$data_hash
  new_ensemble(study, runs, asked, n_threads, first$study)
}

# One selector after the other, the runs of each in the order of the arguments.
# @return list(selection, table).
bind_ensemble_runs <- function(parts, labels, draws) {
  grid <- expand.grid(part = seq_along(parts), selector = labels, stringsAsFactors = FALSE)
  offset <- cumsum(c(0L, vapply(parts, function(part) part$resamples$n_runs, 0L)))
  pieces <- Map(function(k, label) {
    part <- parts[[k]]
    rows <- which(part$runs$selector == label)
    table <- part$runs[rows, ]
    table$resample <- table$resample + offset[k]
    list(selection = part$selection[rows], runs = table)
  }, grid$part, grid$selector)
  selection <- bind_selections(lapply(pieces, `[[`, "selection"))
  selection$method <- method_of_ensemble(labels, draws)
  selection["seed"] <- list(draws$seed)
  table <- do.call(rbind, lapply(pieces, `[[`, "runs"))
  table$run <- seq_len(nrow(table))
  rownames(table) <- NULL
  list(selection = selection, table = table)
}

# Out-of-bag errors read the columns that they need.
store_merged <- function(x) {
  if (is_in_file(x)) as_columns(x) else code_levels(x)
}

seeds_of_result <- function(part) {
  if (is.null(part$made$merged)) part$made$seed else part$made$merged$seeds
}
