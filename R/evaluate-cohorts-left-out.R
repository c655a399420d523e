# Every cohort is predicted by the others.

# @param parts of measure_cohorts().
# @return list(table (data frame, a row for each cohort), measure (string), chosen (list of
#   character)).
leave_cohorts_out <- function(input, parts, procedure, asked, seed, control) {
  study <- standardise_cohorts(input)
  number <- cohort_numbers(input)
  draws <- list(
    counts = outer(number, seq_along(parts), `!=`) + 0L, status = rep("ok", length(parts)),
    plan = "cohorts"
  )
  choices <- if (is.null(procedure)) {
    lapply(seq_along(parts), function(k) found_in_others(parts[-k], asked))
  } else {
    about <- list(study = study, procedure = procedure, control = control, seed = seed)
    choose_in_parts(about, draws, NULL, seed)
  }
  # The penalty of test_signature().
  lambda <- 12
  links <- mean_links(study, links_of_choices(study, fitting_parts(study, draws), choices, lambda))
  judged <- lapply(seq_along(parts), function(k) {
    rows <- input$rows[[k]]
    one <- part_of_study(study, rows)
    link <- do.call(cbind, lapply(links, function(all) all[rows, ]))
    if (ncol(link) == 1L) link <- drop(link)
    # One model predicts all samples of a cohort.
    oob_of_links(one, list(link = link), 1, lengths(choices)[k])
  })
  errors <- bind_rows_of(judged, function(oob) {
    as.data.frame(oob[c("error", "lower", "upper", "baseline")])
  })
  list(
    table = cbind(n_features = lengths(choices), errors), measure = judged[[1]]$measure,
    chosen = stats::setNames(lapply(choices, function(own) study$feature_names[own]), names(parts))
  )
}

# Mean 0 and standard deviation 1 within each cohort; numbers have their mean removed.
standardise_cohorts <- function(input) {
  study <- input$study
  for (rows in input$rows) {
    given <- study$x[rows, , drop = FALSE]
    x <- sweep(given, 2L, colMeans(given))
    size <- sqrt(colSums(x^2) / (length(rows) - 1))
    size[size <= 1e-10 * cpp_column_sizes(given)] <- Inf
    study$x[rows, ] <- x / rep(size, each = length(rows))
    if (outcome_of(study$response)$is_scale) {
      study$response$y[rows] <- study$response$y[rows] - mean(study$response$y[rows])
    }
  }
  study
}

# Without a procedure: found in at least `min_cohorts` of the others.
# @return (integer) columns.
found_in_others <- function(parts, asked) {
  by_cohort <- side_by_side(parts, names(parts[[1]]$p))
  found <- judge_conjunctions(by_cohort, parts[[1]]$record$directed, asked)
  r <- min(asked$min_cohorts, length(parts))
  own <- which(found$p_adjusted[, r] <= asked$max_p)
  own[order(found$p[own, r], method = "radix")]
}
