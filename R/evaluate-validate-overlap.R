# Samples of the fit cannot test the model.

# @param object as the user gave it: the model, or the result that contains it.
# @param observed (data frame) the response of the new samples.
check_new_samples <- function(model, object, newdata, observed) {
  same <- rows_of_fit(model, newdata, observed)
  if (length(same$new) == 0L) {
    return(invisible())
  }
  n <- nrow(observed)
  shown <- utils::head(seq_along(same$new), 5L)
  which_rows <- paste0(
    paste0(same$new[shown], " (", same$fit[shown], " of the fit)", collapse = ", "),
    if (length(same$new) > 5L) ", ..."
  )
  abort(
    c("{.arg newdata} holds samples that the model was fitted to: {length(same$new)} of its {n}
       row{?s}, which agree in all values and in {.arg y}.",
      x = "Row{cli::qty(length(same$new))}{?s} {which_rows}.",
      i = if (length(same$new) < n) {
        "Leave these rows out of {.arg newdata} and {.arg y}: the others are new."
      },
      i = honest_error_of(object)
    )
  )
}

# The verb that estimates the error on new samples from the samples of the fit.
honest_error_of <- function(object) {
  if (!is.null(object$oob)) {
    return("The error that new samples would have is in {.code object$oob}: it was estimated out of
      bag.")
  }
  "For an honest error from the samples of the fit, {.code fealect(x, y)$oob} and
    {.code evaluate_selectors(x, y, selectors)} choose the features again without those that they
    predict."
}

# @return list(new, fit (integer): rows of `newdata` that are in the fit, and their rows there).
rows_of_fit <- function(model, newdata, observed) {
  rows <- model$rows
  none <- list(new = integer(), fit = integer())
  read <- function(features) {
    function(j) read_newdata(newdata, model$study, features[j], some = TRUE)
  }
  keys <- row_keys(read(model$features), length(model$features), observed)
  if (!any(keys %in% rows$own)) {
    return(none)
  }
  new <- known_rows(keys, rows$own, rows$agree[["own"]], rows$distinct)
  if (length(new) > 0L) {
    return(list(new = new, fit = match(keys[new], rows$own)))
  }
  # Few values often agree by chance; if present, all features of the study are compared.
  features <- model$study$feature_names
  every <- tryCatch(
    row_keys(read(features), length(features), observed), stabilect_error = function(e) NULL
  )
  by <- if (is.null(every)) "own" else "all"
  if (by == "all") keys <- every
  if (in_order(keys, rows[[by]], rows$beside[[by]])) {
    return(list(new = seq_along(keys), fit = seq_along(keys)))
  }
  new <- known_rows(keys, rows[[by]], rows$agree[[by]], rows$distinct)
  list(new = new, fit = match(keys[new], rows[[by]]))
}

# New samples that are samples of the fit, beyond the agreement expected by chance when features
# have few values.
# @param keys (character) of the new samples; known (character) of the fit.
# @param agree (number) log_agreement(). @param distinct (of row_record()).
# @return (integer) rows of the new samples; none where chance explains the agreement.
known_rows <- function(keys, known, agree, distinct = NULL) {
  same <- which(keys %in% known)
  n_pairs <- length(keys) * length(known)
  beyond <- function(chance) {
    stats::ppois(length(same) - 1, n_pairs * chance, lower.tail = FALSE) < 1e-4
  }
  # An upper limit without assumptions on the features, from pairs of the fit alone.
  if (!is.null(distinct)) known <- known[distinct]
  repeated <- sum(choose(tabulate(match(known, unique(known))), 2))
  counted <- (repeated + 3) / choose(length(known), 2)
  if (length(same) > 0L && (beyond(exp(agree)) || beyond(counted))) same else integer()
}
