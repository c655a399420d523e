# The steps of a search for alternative lists.

# So many features of the first list are taken away alone.
at_most_alone <- 10L

# Lists after lists: each step takes the features of the last one away.
# @param told function(steps done, first step).
take_away <- function(about, asked, told) {
  steps <- list()
  left <- about$study$feature_names
  while (length(steps) < asked$max_steps && length(left) > 1L) {
    step <- list_of_rest(about, left, asked)
    if (length(step$list) == 0L) break
    steps <- c(steps, list(step))
    told(length(steps), steps[[1]])
    left <- setdiff(left, with_neighbours(step$list, asked$clusters))
  }
  refuse(length(steps) == 0L, c("The procedure selects no feature.",
    i = "There is no list whose alternatives could be sought."
  ), class = "runs")
  steps
}

# The first list without each of its features.
take_each <- function(about, asked, first, told) {
  features <- utils::head(first$list, at_most_alone)
  lapply(stats::setNames(nm = features), function(feature) {
    told(asked$max_steps + match(feature, features) - 1, first)
    left <- setdiff(about$study$feature_names, with_neighbours(feature, asked$clusters))
    if (length(left) > 1L) list_of_rest(about, left, asked)
  })
}

with_neighbours <- function(features, clusters) {
  if (is.null(clusters)) {
    return(features)
  }
  of <- clusters[match(features, names(clusters))]
  union(features, names(clusters)[clusters %in% of])
}

# The procedure on some of the features.
# @return list(list (character), n_left, oob (stabilect_oob, or NULL without a list)).
list_of_rest <- function(about, left, asked) {
  study <- about$study[, match(left, about$study$feature_names)]
  about$study <- study
  result <- answer_on(
    about$procedure, study, seq_len(study$n), about$seed, about$control$n_threads, error = TRUE
  )
  list <- if (!is.character(result)) {
    ranking <- ranking_of_result(result, left, about$procedure$name)
    n <- asked$n_features
    left[if (is.null(n)) ranking$own else utils::head(ranking$order, n)]
  }
  oob <- if (length(list) > 0L) {
    if (is.null(result$oob)) oob_in_folds(about) else result$oob
  }
  list(list = list, n_left = length(left), oob = oob)
}

# For procedures without an error of their own.
oob_in_folds <- function(about) {
  study <- about$study
  draws <- outer_draws(study, NULL, about$procedure, about$seed)
  parts <- fitting_parts(study, draws)
  choices <- choose_in_parts(quietly(about), draws, NULL, about$seed)
  lambda <- formals(test_signature)$lambda
  links <- links_of_choices(study, parts, choices, lambda)
  oob_of_list(study, parts, links, lengths(choices), lambda)
}

# @param step (list, or NULL where the procedure selected nothing).
# @param blocks (n labels, or NULL) of samples that are left out together.
step_row <- function(step, first, conf_level, blocks) {
  if (is.null(step$oob)) {
    return(data.frame(error = first$oob$baseline, difference = NA_real_, limit = NA_real_,
      as_good = FALSE
    ))
  }
  noise <- difference_of_errors(first$oob, step$oob, blocks)
  limit <- stats::qnorm(conf_level) * sqrt(2) * noise$se
  data.frame(
    error = step$oob$error, difference = noise$difference, limit = limit,
    as_good = noise$difference <= limit + 1e-12 & step$oob$error < first$oob$baseline
  )
}

new_alternatives <- function(steps, alone, asked, record, seed, blocks) {
  first <- steps[[1]]
  compare <- function(all) {
    do.call(rbind, lapply(all, step_row, first, asked$conf_level, blocks))
  }
  rows <- compare(steps)
  table <- data.frame(
    step = seq_along(steps), n_left = vapply(steps, `[[`, 0L, "n_left"),
    n_features = lengths(lapply(steps, `[[`, "list")), rows,
    list = vapply(steps, function(step) toString(utils::head(step$list, 5L)), "")
  )
  each <- compare(alone)
  new <- vapply(alone, function(step) {
    fresh <- setdiff(step$list, first$list)
    if (length(fresh) > 0L) fresh[1] else NA_character_
  }, "")
  names(each)[names(each) == "as_good"] <- "has_substitute"
  new_result(
    "stabilect_alternatives", table,
    alone = data.frame(feature = names(alone), each, substitute = unname(new), row.names = NULL),
    lists = lapply(steps, `[[`, "list"), features = first$list, measure = first$oob$measure,
    baseline = first$oob$baseline, asked = asked, study = record,
    made = list(seed = seed, n_runs = NULL, n_failed = 0L)
  )
}
