# The results of each verb as one. `resamples` are the joined ones; the runs of each part are read
# off its selection and its paths, so that nothing is run again.

merge_fealect <- function(parts, draws, study, n_threads, call) {
  first <- parts[[1]]
  selection <- bind_selections(lapply(parts, `[[`, "selection"))
  selection$method <- paste("fealect:", format(draws$plan))
  selection["seed"] <- list(draws$seed)
  asked <- first$asked
  asked$oob <- has_oob(parts)
  runs <- list(
    selection = selection, paths = bind_result_paths(parts), hash = selection$data_hash, draws = draws
  )
  new_fealect(study, runs, asked, n_threads, first$study)
}

check_given_data <- function(hash, selection, call) {
  if (!is.null(selection$data_hash) && hash != selection$data_hash) {
    abort(
      c("{.arg x} and {.arg y} are other data than those of the results.",
        i = "Give the same features and samples in the same order, or neither."
      ),
      class = "merge", call = call
    )
  }
}

final_model_settings <- function(part) {
  if (is.null(part$settings$final)) part$model[c("method", "lambda")] else part$settings$final
}

has_oob <- function(parts) any(!vapply(parts, function(part) is.null(part$oob), NA))

bind_result_paths <- function(parts) {
  none <- list(i = integer(), p = 0L, x = numeric())
  bind_paths(lapply(parts, function(part) {
    list(scores = none, paths = part$paths, status = character())
  }))$paths
}

merge_stable <- function(parts, draws, study, n_threads, call) {
  first <- parts[[1]]
  runs <- list(
    paths = bind_result_paths(parts), draws = draws,
    status = unlist(lapply(parts, function(part) part$selection$status))
  )
  new_stability_selection(first$study, runs, first$asked, bound_of_all(parts, draws, call), call)
}

# What was asked for, with the pairs of all parts. Their paths hold q features.
bound_of_all <- function(parts, draws, call) {
  first <- parts[[1]]
  bound <- find_bound(first$study$p, first$asked, draws, call)
  held <- min(vapply(parts, function(part) part$bound$q, 0L))
  if (bound$q <= held) {
    return(bound)
  }
  smaller <- first$asked
  smaller[c("q", "pfer")] <- list(held, NULL)
  smaller <- find_bound(first$study$p, smaller, draws, call)
  smaller$asked <- bound$asked
  smaller
}

common_hash <- function(parts) {
  hashes <- unique(lapply(parts, function(part) part$selection$data_hash))
  if (length(hashes) == 1L) hashes[[1]]
}

merge_ensembles <- function(parts, resamples, x, y, n_threads, call) {
  merged <- parts[[1]]
  labels <- merged$settings$selectors
  # One selector after the other, the runs of each in the order of the arguments.
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
  selection$method <- paste0(
    "ensemble of ", paste(labels, collapse = ", "), ": ", format(resamples$plan)
  )
  selection["seed"] <- list(resamples$seed)
  runs <- do.call(rbind, lapply(pieces, `[[`, "runs"))
  runs$run <- seq_len(nrow(runs))
  rownames(runs) <- NULL
  merged[c("selection", "runs", "resamples")] <- list(selection, runs, resamples)
  size <- check_ranking_size(merged$settings$n_features, selection)
  merged$ranking <- rank_ensemble(merged, size, n_threads)
  merged$features <- merged$ranking$features
  merged["oob"] <- list(if (!is.null(x) && has_oob(parts)) {
    merged_oob(parts, merged, x, y, n_threads, call)
  })
  merged
}

merged_oob <- function(parts, merged, x, y, n_threads, call) {
  x <- if (is_in_file(x)) as_columns(x, call) else check_x(x, call)
  response <- check_response_for(y, nrow(x), c("binary", "multiclass", "numeric"), call = call)
  check_given_data(hash_data(x, response), merged$selection, call)
  with_oob <- Filter(function(part) !is.null(part$oob), parts)[[1]]
  # Seeds of classifiers that draw are those of the first part.
  merged$settings$seed <- seeds_of_result(parts[[1]])[1]
  oob_of_ensemble(x, response, merged, with_oob$oob$classifier, n_threads)
}

seeds_of_result <- function(part) {
  if (is.null(part$settings$merged)) part$settings$seed else part$settings$merged$seeds
}
