# Runs of stability selection that rank features by a selector, stored in the form of lasso paths:
# at step k the k-th best feature enters, at a penalty of 1 / k. So all list rules read them.

#' @rdname stability_selection
#' @section Any selector:
#' `selector = selector_filter("t")`, or any other selector but the variance filter, replaces the
#' lasso: the model of k features is the k best ones of the run. Equal scores are ordered at random
#' in each run; column order would give noise features high frequencies. Selectors that make sets
#' select at most their set. Cutoffs, bounds, rates, clusters and permutations are the same; of the
#' settings of [path_control()], `covariates` and `within` apply, for selectors that take them.
#'
#' The bounds need no model of the outcome, only that all noise features are equally likely to be
#' selected. A selector finds only the kind of effect that it looks for, and a selector that looks
#' at one feature at a time also names neighbours of true features (`vignette("error-rates")`).
#' @name stability_selection
NULL

# @param selector (or NULL for the lasso). @param paths of path_control().
# @return list(outcomes, what (string, for messages)) of open_study().
taken_by_runs <- function(selector, paths) {
  if (is.null(selector)) {
    return(list(outcomes = family_takes(paths$family), what = "stability selection"))
  }
  check_selector(selector)
  refuse(selector$name == "variance",
    "{.arg selector} must look at the outcome, and {selector$label} does not."
  )
  usual <- path_control()
  settings <- setdiff(names(usual), c("covariates", "within"))
  other <- settings[!mapply(identical, paths[settings], usual[settings])]
  refuse(length(other) > 0L,
    "{.arg {other[1]}} is for lasso paths, and {.arg selector} makes none: leave one of them out."
  )
  list(outcomes = selector$responses, what = selector$label)
}

check_for_runs <- function(study, selector) {
  check_selectors_take(list(selector), study)
  check_selectors_hold(list(selector), study)
}

# @param limit (number) of units after which a ranking ends.
# @param look,cutoff of new_job().
# @return new_job() with runs as those of path_job().
ranking_job <- function(study, draws, asked, control, limit, unit, look, cutoff) {
  control$seed <- draws$seed
  # Several features of a ranking can be of one cluster.
  size <- min(study$p, if (unit$grouped) 3L * limit else limit)
  own <- list(n_features = size)
  job <- selectors_job(study, list(asked$selector), draws, own, control)
  bind <- function(values, draws) {
    runs <- job$bind(values, draws)$runs[[1]]
    paths <- rank_paths(runs, limit, unit, tie_seeds(draws))
    list(paths = paths, status = runs$status)
  }
  new_job(
    job$works, "Stability selection", lapply(job$settings, c, list(limit)), bind, look, cutoff
  )
}

# @param runs of collect_runs(). @param seeds (integer, one per run) of the order of equal scores.
# @return stored paths, see path-events.R; where a selector gives fewer features, none enters later.
rank_paths <- function(runs, limit, unit, seeds) {
  bounded <- runs$makes_sets || methods::is(runs$score, "sparseMatrix")
  lists <- lapply(seq_along(seeds), function(b) {
    if (runs$status[b] != "ok") {
      return(integer())
    }
    score <- runs$score[, b]
    from <- if (bounded) which(runs$selected[, b]) else candidates(score, limit, unit$grouped)
    from <- from[order_best(rownames(runs$score)[from], score[from], seed = seeds[b])]
    from[cumsum(!duplicated(unit$code[from])) <= limit]
  })
  n <- lengths(lists)
  lambda <- lapply(n, function(size) c(1 / seq_len(size), 1 / (max(size, limit) + 1)))
  list(
    event = as.integer(unlist(lists)), event_end = sequence(n), lambda = unlist(lambda),
    run_events = cumsum(n), run_steps = cumsum(n)
  )
}

# The features among which the best ones are, with all that are equal to the last.
candidates <- function(score, limit, grouped) {
  p <- length(score)
  scored <- has_score(score)
  if (grouped || limit >= p) {
    return(which(scored))
  }
  last <- p - limit + 1L
  which(scored & score >= sort(score, partial = last)[last])
}

# What prints say about the runs.
# @return list(maker, model, scale (strings)).
words_of_runs <- function(asked) {
  if (is.null(asked$selector)) {
    return(list(maker = "the lasso", model = "model", scale = "penalty"))
  }
  list(maker = asked$selector$label, model = "list", scale = "size")
}

title_of_stable <- function(x, procedure = "Stability selection") {
  paste(procedure, "with", words_of_runs(x$asked)$maker)
}
