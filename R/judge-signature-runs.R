# What a signature test computes: lists chosen in parts, and the errors of random lists and of
# permuted outcomes.

# @param whole (integer) the list of all samples.
# @return list of integer vectors: the list in each usable part, empty if the procedure failed.
choose_in_parts <- function(study, draws, procedure, whole, seed, control, hash) {
  usable <- which(draws$status == "ok")
  if (is.null(procedure)) {
    return(rep(list(whole), length(usable)))
  }
  seeds <- child_seeds(seed, length(usable))
  counts <- draws$counts
  n_threads <- control$n_threads
  task <- with_data(function(k) {
    choose_in_part(study, procedure, counts[, usable[k]], seeds[k], n_threads)
  },
  study = study, procedure = procedure, counts = counts, usable = usable, seeds = seeds,
  n_threads = n_threads)
  identity <- list(data = hash, settings = list(key_of(procedure), draws$plan, roles_of(study)))
  run_tasks(length(usable), task, control, "Parts", identity, seed)
}

# A sample that a run drew twice is in it once.
choose_in_part <- function(study, procedure, count, seed, n_threads) {
  result <- carry_out_on(
    procedure, study, which(count > 0L), seed, n_threads, failed = function(e) NULL
  )
  if (is.null(result)) {
    return(integer())
  }
  ranking_of_result(result, study$feature_names, procedure$name)$own
}

# @param seeds (integer, 4) for the parts, random lists, matched lists and permutations.
# @return list(oob, error (number), random, matched (lists with `errors`), sizes).
judge_signature <- function(study, parts, choices, whole, asked, seeds, control) {
  sizes <- lengths(choices)
  refuse(max(sizes) == 0L, c("The procedure selects no feature in any part of the samples.",
    i = "There is no list to test."
  ), class = "runs")
  links <- if (asked$given) {
    links_of_lists(study, parts, choices[1], sizes, asked$lambda)
  } else {
    links_of_choices(study, parts, choices, asked$lambda)
  }
  error <- errors_of_links(study, links)
  errors <- function(lists) {
    errors_of_lists(study, parts, lists, sizes, asked$lambda, control)
  }
  size <- max(sizes)
  random <- draw_lists(study$p, size, asked$n_random, seeds[2], asked$given)
  random$errors <- errors(random$lists)
  matched <- list(errors = numeric())
  if (length(whole) > 1L && size < study$p) {
    matched <- draw_matched(study$x, whole, size, asked$n_random, seeds[3], control$n_threads)
    matched$errors <- errors(matched$lists)
  }
  list(
    oob = oob_of_list(study, parts, links, sizes, asked$lambda), error = error, random = random,
    matched = matched, sizes = sizes
  )
}

# In groups: the predictions of all lists at once would need much memory. Lists of many samples
# share products of features if a group has enough of them.
errors_of_lists <- function(study, parts, lists, sizes, lambda, control) {
  size <- if (study$n > many_samples) max(250L, 2e7 %/% study$n) else 250L
  groups <- split(seq_along(lists), (seq_along(lists) - 1L) %/% size)
  n_threads <- control$n_threads
  task <- with_data(function(k) {
    at <- groups[[k]]
    errors_of_links(study, links_of_lists(study, parts, lists[at], sizes, lambda, n_threads))
  },
  study = study, parts = parts, lists = lists, groups = groups, sizes = sizes, lambda = lambda,
  n_threads = n_threads)
  unlist(run_tasks(length(groups), task, control, "Groups of random lists"))
}

# @return list(errors (numeric), complete (flag)).
permute_signature <- function(study, draws, procedure, whole, asked, seed, control, record) {
  if (asked$permute == 0L) {
    return(list(errors = numeric(), complete = FALSE))
  }
  family <- outcome_of(study$response)$family
  arranged <- draw_arrangements(study, study$response$blocks, asked$permute, seed)
  orders <- arranged$orders
  seeds <- child_seeds(seed, length(orders))
  lambda <- asked$lambda
  n_threads <- control$n_threads
  task <- with_data(function(k) {
    permuted <- permute_study(study, orders[[k]], family)
    own <- permuted_draws(draws, permuted)
    error_of_permuted(permuted, own, procedure, whole, lambda, seeds[k], n_threads)
  },
  study = study, orders = orders, family = family, draws = draws, procedure = procedure,
  whole = whole, lambda = lambda, seeds = seeds, n_threads = n_threads)
  key <- if (is.null(procedure)) whole else key_of(procedure)
  settings <- list(key, draws$plan, asked, "permuted", roles_of(study))
  identity <- list(data = record$hash, settings = settings)
  errors <- run_tasks(length(orders), task, control, "Permutations", identity, seed)
  list(errors = unlist(errors), complete = arranged$complete)
}

error_of_permuted <- function(study, draws, procedure, whole, lambda, seed, n_threads) {
  parts <- fitting_parts(study, draws)
  choices <- choose_in_parts(
    study, draws, procedure, whole, seed, check_run(n_threads, FALSE), NULL
  )
  links <- if (is.null(procedure)) {
    links_of_lists(study, parts, choices[1], lengths(choices), lambda)
  } else {
    links_of_choices(study, parts, choices, lambda)
  }
  errors_of_links(study, links)
}

new_signature_test <- function(study, record, judged, permuted, choices, whole, asked, draws) {
  oob <- judged$oob
  row <- function(comparison, errors, complete = FALSE) {
    comparison_row(comparison, errors, judged$error, oob$baseline, complete)
  }
  last <- if (is.null(oob$covariates)) "no features" else "covariates alone"
  table <- rbind(
    row("random lists", judged$random$errors, judged$random$complete),
    row("matched lists", judged$matched$errors),
    row("permuted outcomes", permuted$errors),
    data.frame(
      comparison = last, n = NA_integer_, error = oob$baseline, lower = NA_real_, upper = NA_real_,
      beats_reference = NA_real_, as_good = NA_real_, p = NA_real_
    )
  )
  matched <- judged$matched
  near <- abs(matched$correlation - matched$target) <= 0.02
  names <- study$feature_names
  asked$complete <- judged$random$complete
  new_result(
    "stabilect_signature_test", table,
    features = names[whole], oob = oob,
    null = list(
      random = judged$random$errors, matched = matched$errors, permuted = permuted$errors
    ),
    matched = list(
      target = matched$target, correlation = matched$correlation,
      share = if (length(near) > 0L) mean(near) else NA_real_
    ),
    chosen = lapply(choices, function(own) names[own]), asked = asked, study = record,
    made = list(
      seed = draws$seed, n_runs = draws$n_runs, n_failed = sum(draws$status != "ok"),
      plan = format(draws$plan)
    )
  )
}
