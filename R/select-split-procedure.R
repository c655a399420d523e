# Tests on splits as a procedure.

# @param members (of ask_groups()) groups tested in addition.
# @param usual ("n_features", or NULL) settings by default: parts have their own default.
split_procedure <- function(asked, plan, members = NULL, usual = NULL) {
  read <- with_data(function(runs, asked, study, record, control) {
    if (all(runs$status != "ok")) abort_no_run(runs$status)
    sets <- split_sets(study, runs, asked, control)
    fit <- new_split_test(study, runs, sets, asked, members, record, control)
    fit$made$usual <- usual
    fit
  }, members = members, usual = usual)
  new_procedure(
    "split_test", asked, plan, split_job, read, takes_of("split_test"),
    part = with_data(function(asked, study) {
      part_of_split(replace(asked, usual, list(NULL)), study)
    }, usual = usual),
    join = NULL,
    least = max(
      16, 2 * asked$n_folds, if (is.null(usual)) 4 * asked$n_features, 4 / asked$fdr
    )
  )
}

#' @exportS3Method
procedure_of.stabilect_split_test <- function(x) { # nolint: object_name_linter.
  procedure <- split_procedure(x$asked, x$resamples$plan, usual = x$made$usual)
  if (!is.null(x$groups)) procedure$once <- "clusters"
  procedure
}

# Paths of several classes are likelihood paths; others explain scores by least squares.
split_job <- function(study, draws, asked, control) {
  likelihood <- if (has_classes(study)) {
    own <- outcome_of(study$response)$family
    list(family = own, alpha = 1)
  } else {
    study$response$y <- split_numbers(study)
    NULL
  }
  path_job(
    study, draws, control, "size", largest_split(study$n, asked$n_features),
    label = "Tests on splits", likelihood = likelihood
  )
}

has_classes <- function(study) family_record(outcome_of(study$response)$family)$by_class

part_of_split <- function(asked, study) {
  study$response$blocks <- NULL
  check_splittable(study)
  largest <- min(study$n %/% 4L, study$p)
  ask_split(
    asked$method, asked$fwer, asked$fdr, asked$n_features, asked$n_folds, largest, study
  )
}

check_splittable <- function(study) {
  twins <- study$twins
  later <- which(twins != seq_along(twins))
  refuse(is_copied(study$response$blocks),
    c("Tests on splits assume independent samples, but rows {list_pairs(twins[later], later)} of
        {.arg x} agree in all features.",
      i = "Leave the copies out: {.code x[!duplicated(x), ]} and {.code y[!duplicated(x)]}."
    )
  )
  refuse(!is.null(study$response$blocks),
    c("Least squares assumes independent samples, but these are in blocks.",
      i = "Use {.fn find_signals}, which takes {.arg blocks}."
    )
  )
  refuse(study$n < 16L,
    "Tests on splits need at least 16 samples, 8 for least squares; {.arg x} has {study$n}."
  )
}

# @param largest (integer) largest number of features of a model.
ask_split <- function(method, fwer, fdr, n_features, n_folds, largest, study) {
  method <- check_choice(method, c("p_value", "mirror"))
  refuse(method == "mirror" && has_classes(study),
    "Several classes have no single coefficient; {.arg method} must be {.val p_value}."
  )
  other <- if (method == "mirror") "fwer" else "fdr"
  refuse(!is.null(list(fwer = fwer, fdr = fdr)[[other]]),
    "{.arg {other}} is not a rate of {.code method = \"{method}\"}; give
      {.arg {setdiff(c('fwer', 'fdr'), other)}}."
  )
  rate <- if (method == "mirror") {
    fdr <- if (is.null(fdr)) 0.1 else fdr
    list(fdr = check_fraction(fdr, open_right = TRUE))
  } else {
    fwer <- if (is.null(fwer)) 0.05 else fwer
    list(fwer = check_fraction(fwer, open_right = TRUE))
  }
  n_features <- check_count(n_features, max = largest, null_ok = TRUE)
  usual <- min(largest, largest_split(study$n))
  size <- if (is.null(n_features)) usual else n_features
  refuse(method == "mirror" && size * rate$fdr < 1 - 1e-9,
    c("A split selects none or at least 1 / {.arg fdr} = {figure(1 / rate$fdr, digits = 3)}
       features, but its models have {size} at most.",
      i = "{.arg fdr} must be at least {figure(ceiling(1000 / size) / 1000)} here."
    )
  )
  if (is.null(n_features) && has_classes(study)) n_features <- max(1L, min(usual, study$n %/% 6L))
  asked <- list(method = method, n_features = n_features)
  n_folds <- check_count(n_folds, max = study$n %/% 2L, min = 2)
  c(asked, rate, list(n_folds = n_folds))
}

# The selections of the first halves.
# @return list(feature (list of integers), lambda (numeric, on the scale of the core)), one per
#   split.
split_sets <- function(study, runs, asked, control) {
  if (is.null(asked$n_features)) {
    lambda <- best_penalties(study, runs, asked, control)
    return(list(feature = path_sets(runs$paths, choose_lambda(lambda)), lambda = lambda))
  }
  choose <- choose_first(asked$n_features, "size")
  steps <- integer(runs$draws$n_runs)
  lambda <- numeric(runs$draws$n_runs)
  sets <- path_sets(runs$paths, function(size, lambda, b) {
    steps[b] <<- choose(size, lambda, b)
    steps[b]
  })
  for (b in seq_along(lambda)) {
    # Coefficients of a model are largest at its end.
    knots <- path_of_run(runs$paths, b)$lambda
    lambda[b] <- if (length(knots) > 0L) knots[steps[b] + 1L] else 0
  }
  list(feature = sets, lambda = lambda)
}

# Everything that follows from the sets.
new_split_test <- function(study, runs, sets, asked, members, record, control) {
  draws <- runs$draws
  sets$feature[runs$status != "ok"] <- list(integer())
  halves <- lapply(seq_along(sets$feature), function(b) which(draws$counts[, b] == 0L))
  study$scores <- lapply(halves, split_scores, response = study$response)
  tested <- Map(function(rows, y, set) {
    test_set(study$x[rows, , drop = FALSE], y, set)
  }, halves, study$scores, sets$feature)
  selection <- sets_to_selection(
    sets$feature, record, runs$status, paste("tests on splits:", format(draws$plan)), draws
  )
  judged <- if (asked$method == "p_value") {
    judge_p_values(tested, sets$feature, study$p, asked$fwer)
  } else {
    judge_mirrors(study, draws, tested, sets, asked, control)
  }
  table <- split_table(record, selection, runs$paths, tested, sets$feature, judged, asked$method)
  new_result(
    "stabilect_split_test",
    table = table, features = table$feature[table$selected],
    groups = test_groups(study, draws, sets$feature, members, asked$fwer),
    splits = data.frame(
      size = lengths(sets$feature), n_tested = as.integer(colSums(draws$counts == 0L)),
      lambda = sets$lambda / sqrt(colSums(draws$counts)), n_selected = judged$n_selected
    ),
    selection = selection, resamples = draws, asked = asked, study = record,
    made = run_account(selection, draws)
  )
}
