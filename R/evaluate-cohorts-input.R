# Several data sets as one study, and what each of them says.

is_plain_list <- function(x) is.list(x) && !is.object(x)

is_list_of_results <- function(x) is_plain_list(x) && inherits(x[1][[1]], "stabilect_cohorts")

# @param cohorts (n labels, or NULL for one cohort).
# @param merge (flag) of open_study().
# @return list(study, rows (list of integer, named by cohort)).
divide_samples <- function(x, y, cohorts, merge = TRUE) {
  parted <- part_roles(x, y, list(cohorts = cohorts), "cohorts")
  if (!is.null(parted$x)) x <- parted$x
  if (!is.null(parted$y)) y <- parted$y
  cohorts <- parted$roles$cohorts
  study <- open_study(
    x, y, takes_of("compare_cohorts"), "the comparison of cohorts",
    roles = list(within = NULL), merge = merge
  )
  if (is.null(cohorts)) {
    return(check_cohorts(list(study = study, rows = list("this cohort" = seq_len(study$n)))))
  }
  refuse(!is.atomic(cohorts) || !is.null(dim(cohorts)) || length(cohorts) != study$n,
    "{.arg cohorts} must be a vector with one label for each of the {study$n} samples, or the name
      of a column of the data, not {describe_value(cohorts)}."
  )
  check_samples(cohorts, samples_of_study(study), "cohorts")
  refuse_blank(cohorts, "{.arg cohorts}")
  refuse_at(is.na(cohorts), "{.arg cohorts} has NA at position {at}: leave this sample out.")
  study <- divide_copies(study, cohorts)
  labels <- if (is.factor(cohorts)) levels(droplevels(cohorts)) else unique(cohorts)
  rows <- lapply(labels, function(one) which(cohorts == one))
  check_cohorts(list(study = study, rows = stats::setNames(rows, labels)))
}

# Copies of a sample in several cohorts are samples of each.
divide_copies <- function(study, cohorts) {
  blocks <- study$response$blocks
  if (is_copied(blocks)) {
    study$twins <- match(paste(study$twins, cohorts), paste(study$twins, cohorts))
    study$response$blocks <- copied_blocks(study$twins)
  }
  study
}

# @param x (list of data sets), y (list, or missing).
pool_data_sets <- function(x, y, cohorts) {
  refuse(!is.null(cohorts), "{.arg x} is a list of data sets: leave {.arg cohorts} out.")
  refuse(length(x) == 0L, "{.arg x} is an empty list.")
  no_y <- missing(y)
  refuse(!no_y && !(is_plain_list(y) && length(y) == length(x)),
    "{.arg x} is a list of {length(x)} data set{?s}: {.arg y} must be a list of as many outcomes,
      not {describe_value(y)}."
  )
  opened <- function(...) divide_samples(..., cohorts = NULL, merge = FALSE)$study
  parts <- if (no_y) lapply(x, opened) else unname(Map(opened, x, y))
  names <- names_of_cohorts(x)
  responses <- lapply(parts, `[[`, "response")
  check_same_outcomes(responses, names)
  features <- features_in_common(lapply(parts, `[[`, "feature_names"))
  sizes <- vapply(parts, `[[`, 0L, "n")
  blocks <- join_sample_blocks(parts)
  study <- study_of(
    do.call(rbind, lapply(parts, function(part) part$x[, match(features, part$feature_names)])),
    join_responses(responses), blocks
  )
  if (!is.null(responses[[1]]$within)) study <- set_role(study, "within", blocks)
  study$notes <- joined_notes(parts, features)
  study <- merge_copies(study)
  rows <- split(seq_len(study$n), rep(seq_along(sizes), sizes))
  check_cohorts(list(study = study, rows = stats::setNames(rows, names)))
}

names_of_cohorts <- function(x) {
  names <- rlang::names2(x)
  unnamed <- names == ""
  names[unnamed] <- paste("cohort", seq_along(x))[unnamed]
  refuse_at(names[duplicated(names)], "Two cohorts are called {.val {at}}.")
  names
}

features_in_common <- function(names) {
  common <- Reduce(intersect, names)
  refuse(length(common) == 0L, "The cohorts have no feature in common: compare their names.")
  common
}

check_same_outcomes <- function(records, names) {
  of <- function(record) list(record$type, record$levels)
  other <- which(!vapply(records, function(one) identical(of(one), of(records[[1]])), NA))
  refuse_at(other,
    c("Cohort {.val {names[at]}} has another outcome than {.val {names[1]}}.",
      i = "Give the same classes in the same order, {.code factor(y, levels)}."
    )
  )
}

join_responses <- function(responses) {
  joined <- responses[[1]]
  joined[intersect(names(joined), role_names("samples"))] <- NULL
  for (field in intersect(names(joined), c("y", "codes", "numbers", "event"))) {
    joined[field] <- list(unlist(lapply(responses, `[[`, field)))
  }
  joined
}

# Blocks of different cohorts are different blocks.
join_sample_blocks <- function(parts) {
  labels <- unlist(lapply(seq_along(parts), function(k) {
    blocks <- parts[[k]]$response$blocks
    paste(k, if (is.null(blocks)) paste("sample", seq_len(parts[[k]]$n)) else blocks)
  }))
  blocks <- lapply(parts, function(part) part$response$blocks)
  blocks <- blocks[lengths(blocks) > 0L]
  if (length(blocks) == 0L) {
    return(NULL)
  }
  copied <- all(vapply(blocks, is_copied, NA))
  structure(factor(labels, unique(labels)), class = c(if (copied) "stabilect_copied", "factor"))
}

# Every cohort has to be one that a verb would take.
check_cohorts <- function(input) {
  response <- input$study$response
  for (name in names(input$rows)) {
    rows <- input$rows[[name]]
    refuse(length(rows) < 5L, "Cohort {.val {name}} has {length(rows)} sample{?s}; it needs 5.")
    inside <- matrix(seq_len(input$study$n) %in% rows, ncol = 1L) + 0L
    status <- run_status(response, inside, 2L)
    classes <- length(unique(response$codes[rows]))
    if (classes < length(response$levels)) status <- "no sample of a class"
    refuse(status != "ok", "Cohort {.val {name}} cannot be tested: it has {status}.")
  }
  blocks <- input$study$response$blocks
  pairs <- if (!is.null(blocks)) unique(data.frame(as.character(blocks), cohort_numbers(input)))
  refuse(anyDuplicated(pairs[[1]]) > 0L,
    "A block of samples, or a group of {.arg within}, is in two cohorts."
  )
  input
}

# @return (integer, n) the cohort of each sample.
cohort_numbers <- function(input) {
  number <- integer(input$study$n)
  number[unlist(input$rows)] <- rep(seq_along(input$rows), lengths(input$rows))
  number
}

procedure_across <- function(object, study) {
  if (is.null(object)) {
    return(NULL)
  }
  procedure <- as_procedure(object, "object")
  held <- intersect(role_names("samples"), names(record_of(object)$roles))
  refuse_at(setdiff(held, study$given),
    "{.arg object} has {.arg {at}}: give a function without."
  )
  procedure$plan <- plan_with_blocks(procedure$plan, study$response$blocks)
  procedure
}

# @return (list, by cohort) record, correlation, p (named by feature), named (character).
measure_cohorts <- function(input, procedure, asked, seed, control) {
  study <- input$study
  rows <- input$rows
  parts <- lapply(rows, function(these) {
    part <- part_of_study(study, these)
    found <- with_memory(statistics_of(part))
    # Several classes have no direction.
    record <- study_record(part)
    # A site sends no labels of its samples.
    groups <- record$roles$within
    if (!is.null(groups)) record$roles$within <- factor(as.integer(groups))
    c(list(record = c(record, list(directed = found$directed))), found)
  })
  lists <- if (is.null(procedure)) {
    lapply(parts, function(part) which(stats::p.adjust(part$p, asked$p_adjust) <= asked$max_p))
  } else {
    # All cohorts draw with the same seed: a site alone gets the same list.
    about <- list(study = study, procedure = procedure, control = control, seed = seed)
    lists_in_parts(about, rows, "Cohorts", NULL, rep(seed, length(rows)))
  }
  Map(function(part, own) c(part, list(named = study$feature_names[own])), parts, lists)
}

# The correlation of every feature with the score of the outcome, and its two-sided p.
statistics_of <- function(study) {
  input <- signal_input(study, matrix(0, study$n, 0), NULL)
  x <- residual_on(input$x, input$basis)
  y <- residual_on(input$y, input$basis)
  size <- sqrt(colSums(x^2))
  # Rounding errors of constant columns.
  flat <- size <= 1e-10 * cpp_column_sizes(input$x)
  products <- crossprod(x, y) / rep(sqrt(colSums(y^2)), each = ncol(x)) / size
  products[flat, ] <- 0
  square <- pmin(1, rowSums(products^2))
  several <- ncol(y)
  free <- nrow(y) - ncol(input$basis) - several
  p <- stats::pf(square / several / ((1 - square) / free), several, free, lower.tail = FALSE)
  correlation <- if (several == 1L) pmax(-1, pmin(1, drop(products))) else sqrt(square)
  names(correlation) <- names(p) <- study$feature_names
  list(correlation = correlation, p = p, directed = several == 1L)
}

# @return (list, by cohort) as measure_cohorts().
parts_of_results <- function(results) {
  given <- names_of_cohorts(results)
  parts <- lapply(seq_along(results), function(i) {
    one <- results[[i]]
    all <- lapply(seq_len(nrow(one$cohorts)), function(k) {
      of_cohort <- lapply(one$by_cohort, function(all) all[, k])
      of_cohort$named <- names(which(of_cohort$named))
      c(list(record = one$records[[k]]), of_cohort)
    })
    stats::setNames(all, if (length(all) == 1L) given[i] else one$cohorts$cohort)
  })
  parts <- unlist(parts, recursive = FALSE)
  names_of_cohorts(parts)
  records <- lapply(parts, `[[`, "record")
  check_same_outcomes(records, names(parts))
  check_different_data(records, names(parts))
  one_name_in_all(parts)
}

# The same cohort given twice would replicate everything.
check_different_data <- function(records, names) {
  hash <- vapply(records, function(record) as.character(c(record$hash, NA))[1], "")
  again <- anyDuplicated(hash, incomparables = NA)
  refuse(again > 0L,
    "Cohorts {.val {names[match(hash[again], hash)]}} and {.val {names[again]}} are results of the
      same data."
  )
}

# @param parts (list of cohorts or records); features (character) that all have.
joined_notes <- function(parts, features) {
  all <- unique(unlist(lapply(parts, `[[`, "feature_names")))
  c(unique(unlist(lapply(parts, `[[`, "notes"))), if (length(all) > length(features)) {
    sprintf("%d of %d features are in all cohorts", length(features), length(all))
  })
}

# @return (list) correlation, p, named (matrices, features x cohorts).
side_by_side <- function(parts, features) {
  bind <- function(value) do.call(cbind, lapply(parts, value))
  found <- list(
    correlation = bind(function(part) part$correlation[features]),
    p = bind(function(part) part$p[features]), named = bind(function(part) features %in% part$named)
  )
  lapply(found, `rownames<-`, features)
}

# The record of all samples, from those of the cohorts.
join_records <- function(records, features) {
  first <- records[[1]]
  total <- function(field) Reduce(`+`, lapply(records, `[[`, field))
  record <- c(
    list(
      n = total("n"), p = length(features), feature_names = features,
      direction = rep(NA_character_, length(features)), type = first$type, levels = first$levels,
      directed = first$directed,
      class_sizes = total("class_sizes"),
      notes = joined_notes(records, features),
      hash = hash_plain(unname(lapply(records, `[[`, "hash")))
    ),
    if (!is.null(first$copies) && identical(first$feature_names, features)) first["copies"],
    if (!is.null(first$n_events)) list(n_events = total("n_events"), follow_up = NA_real_)
  )
  if (!is.null(first$roles$within)) {
    labels <- Map(function(one, k) paste(k, one$roles$within), records, seq_along(records))
    labels <- unlist(labels, use.names = FALSE)
    record$roles <- list(within = factor(labels, unique(labels)))
  }
  record
}
