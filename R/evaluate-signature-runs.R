# What a signature test computes: lists chosen in parts, and the errors of random lists and of
# permuted outcomes.

# @param about of question(). @param whole (integer) the list of all samples.
# @return list of integer vectors: the list in each usable part, empty if the procedure failed.
choose_in_parts <- function(about, draws, whole, seed) {
  usable <- which(draws$status == "ok")
  if (is.null(about$procedure)) {
    return(rep(list(whole), length(usable)))
  }
  # A sample that a run drew twice is in it once.
  parts <- lapply(usable, function(run) which(draws$counts[, run] > 0L))
  lists_in_parts(about, parts, "Parts", draws$plan, child_seeds(seed, length(usable)))
}

# The procedure's own list in each of some parts.
lists_in_parts <- function(about, parts, label, settings, seeds) {
  name <- about$procedure$name
  read <- with_data(function(result, study, rows, seed) {
    if (is.character(result)) {
      return(integer())
    }
    ranking_of_result(result, study$feature_names, name)$own
  }, name = name)
  over_parts(about, parts, read, label, settings, seeds)
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
  # By the order of names: the order of columns decides no list.
  by_name <- order_names(study$feature_names)
  random <- draw_lists(study$p, size, asked$n_random, seeds[2], asked$given)
  random$lists <- lapply(random$lists, function(list) by_name[list])
  has_matched <- length(whole) > 1L && size < study$p
  n_lists <- length(random$lists) + has_matched * asked$n_random
  parts <- share_products(study, parts, n_lists, size)
  expect_stages(costs_of_lists(study$n, length(random$lists), has_matched, asked))
  random$errors <- errors(random$lists)
  matched <- list(errors = numeric())
  if (has_matched) {
    matched <- draw_matched(
      study$x, by_name, whole, size, asked$n_random, seeds[3], control$n_threads
    )
    matched$errors <- errors(matched$lists)
  }
  list(
    oob = oob_of_list(study, parts, links, sizes, asked$lambda), error = error, random = random,
    matched = matched, sizes = sizes
  )
}

# What follows, for expect_stages(). A permuted outcome takes as long as some ten lists, since its
# parts are made for one list; that of a procedure takes as long as the procedure.
costs_of_lists <- function(n, n_random, has_matched, asked) {
  size <- size_of_groups(n)
  c(
    "Groups of random lists" = n_random / size,
    if (has_matched) c("Groups of random lists" = asked$n_random / size),
    if (asked$permute > 0L) {
      c(Permutations = if (asked$given) 10 * asked$permute / size else NA)
    }
  )
}

# In groups: the predictions of all lists at once would need much memory.
size_of_groups <- function(n) if (n > many_samples) max(250L, 2e7 %/% n) else 250L

errors_of_lists <- function(study, parts, lists, sizes, lambda, control) {
  size <- size_of_groups(study$n)
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
permute_signature <- function(about, draws, whole, asked, seed) {
  if (asked$permute == 0L) {
    return(list(errors = numeric(), complete = FALSE))
  }
  lambda <- asked$lambda
  read <- with_data(function(about, draws, seed) {
    error_of_permuted(about, draws, whole, lambda, seed)
  }, whole = whole, lambda = lambda)
  found <- over_permutations(about, draws, asked$permute, seed, read)
  list(errors = unlist(found$values), complete = found$complete)
}

error_of_permuted <- function(about, draws, whole, lambda, seed) {
  study <- about$study
  parts <- fitting_parts(study, draws)
  choices <- choose_in_parts(about, draws, whole, seed)
  links <- if (is.null(about$procedure)) {
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
