# What each view adds to the error out of bag: the whole procedure again, on the same
# resamples, without the view and, in the order given, with the views up to it.

check_view_errors <- function(view) {
  refuse(nlevels(view) < 2L,
    c("{.code oob = \"views\"} needs two views or more.",
      i = "Give {.arg x} as a list of matrices, {.code list(clinical = , expression = )}."
    )
  )
}

# @param fit result with `oob` of the procedure on these draws.
# @return `fit`, whose table `views` has the errors.
add_view_errors <- function(fit, procedure, study, control) {
  view <- study$features$views
  names <- levels(view)
  if (is.null(fit$oob)) {
    return(fit)
  }
  without <- lapply(names, setdiff, x = names)
  up_to <- lapply(seq_along(names), function(k) names[seq_len(k)])
  kept <- unique(c(without, up_to[-length(names)]))
  control <- check_run(control$n_threads, FALSE)
  errors <- lapply(kept, function(some) {
    oob_of_features(procedure, study, fit$resamples, view %in% some, control)
  })
  of <- function(some) if (setequal(some, names)) fit$oob else errors[[match(list(some), kept)]]
  groups <- fit$resamples$plan$blocks
  compare <- function(with, without) compare_errors(of(with), of(without), groups)
  adds <- do.call(rbind, lapply(without, compare, with = names))
  steps <- do.call(rbind, Map(compare, up_to[-1L], up_to[-length(names)]))
  errors_up_to <- vapply(up_to, function(some) error_of_fit(list(oob = of(some))), 0)
  first <- fit$oob$baseline - errors_up_to[1]
  steps <- rbind(data.frame(error = NA, difference = first, lower = NA, upper = NA), steps)
  fit$views <- data.frame(
    fit$views, without = adds$error, adds = adds$difference, lower = adds$lower,
    upper = adds$upper, up_to = errors_up_to,
    adds_in_order = steps$difference, lower_in_order = steps$lower, upper_in_order = steps$upper
  )
  fit
}

# @param kept (flag, p).
oob_of_features <- function(procedure, study, draws, kept, control) {
  procedure$asked <- procedure$lean(procedure$asked, TRUE)
  part <- study[, which(kept)]
  without_size_warning(carry_out(procedure, part, draws, control, failed = nothing_found))$oob
}

# How much larger one error is than another: of ranks by influences, otherwise by a jackknife over
# samples, in at most 50 groups.
# @param oob,without (stabilect_oob) of the same resamples. @param blocks (factor, n, or NULL).
# @return (data frame of one row) error (without), difference, lower, upper (NA if unknown).
compare_errors <- function(oob, without, blocks = NULL) {
  if (is.null(oob) || is.null(without)) {
    error <- error_of_fit(list(oob = without))
    return(data.frame(error = error, difference = NA_real_, lower = NA_real_, upper = NA_real_))
  }
  found <- difference_of_errors(oob, without, blocks)
  # The factors of the variance that the intervals of errors have.
  inflation <- if (is_rate(oob) || !is.null(oob$order)) 2 else 3
  half <- stats::qnorm((1 + oob$conf_level) / 2) * sqrt(inflation) * found$se
  data.frame(
    error = without$error, difference = found$difference, lower = found$difference - half,
    upper = found$difference + half
  )
}

# @return list(difference, se (as if predictions were independent)).
difference_of_errors <- function(oob, other, blocks = NULL) {
  one <- outcome_of(oob)
  ranked <- one$ranked == "error" && !is.null(oob$order) && !is.null(other$order)
  se <- if (ranked) se_of_order(oob, other, blocks) else se_by_jackknife(oob, other, blocks)
  list(difference = other$error - oob$error, se = se)
}

se_by_jackknife <- function(oob, other, blocks) {
  both <- which(!is.na(oob$predictions$predicted) & !is.na(other$predictions$predicted))
  unit <- if (is.null(blocks)) seq_along(both) else match(blocks[both], unique(blocks[both]))
  group <- (unit - 1L) %% min(50L, max(unit))
  one <- outcome_of(oob)
  error <- function(oob, rows) {
    judge_outcome(one, oob$predictions[rows, ], NULL, NULL, oob$conf_level, NULL)$error
  }
  left <- vapply(unique(group), function(g) {
    rows <- both[group != g]
    error(other, rows) - error(oob, rows)
  }, 0)
  n <- length(left)
  sqrt((n - 1) / n * sum((left - mean(left))^2))
}

# For example: expression adds 6 points (95 % CI -2 to 14); 18 % without it.
# @param table (data frame, or NULL) the field `views` of a result.
describe_added <- function(table, oob) {
  known <- table[!is.na(table$adds), ]
  rate <- is_rate(oob)
  error <- function(value) {
    value <- if (identical(oob$measure, "discordance")) 1 - value else value
    vapply(value, if (rate) as_percent else format_two, "")
  }
  two <- function(value) vapply(value * if (rate) 100 else 1, format_two, "")
  order <- table[!is.na(table$up_to), ]
  c(
    sprintf(
      "%s adds %s%s (%s %% CI %s to %s); %s without it", known$view, two(known$adds),
      if (rate) " points" else "", figure(100 * oob$conf_level), two(known$lower),
      two(known$upper), error(known$without)
    ),
    paste0(
      "in their order: ", paste(error(order$up_to), "with", order$view, collapse = ", then ")
    )
  )
}

# For a summary.
view_sections <- function(table) {
  parts <- list(
    "Views of features" = c("n_total", "n_selected", "weight", "weight_lowest", "weight_highest"),
    "Error out of bag without each view" = c("without", "adds", "lower", "upper"),
    "Error out of bag with the views up to each" =
      c("up_to", "adds_in_order", "lower_in_order", "upper_in_order")
  )
  unname(Map(function(columns, above) {
    columns <- intersect(columns, names(table))
    if (length(columns) > 0L) new_section(table[c("view", columns)], Inf, above)
  }, parts, names(parts)))
}
