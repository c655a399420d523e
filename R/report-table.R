# The table of a report: columns that vary, and what they mean.

# What columns mean, in the order in which a report shows them. Columns without an entry are not
# shown.
column_meanings <- c(
  rank = "place in the list",
  representative = "the most typical feature of the cluster",
  size = "number of features in the cluster",
  members = "features of the cluster",
  copies = "other columns with the same values, which may be negated or scaled",
  p = "p-value given the other features of the list",
  p_alone = "family-wise p-value of the feature by itself: does it mark the outcome?",
  probability = "probability that it, or a feature correlated with it above 0.7, carries signal",
  mc_error = "Monte Carlo standard error of this probability",
  class = "the class that it tells from all others",
  p_fwer = paste(
    "probability that any unrelated feature would look this strong; it is strict, and a useful",
    "feature can have 1, above all one that resembles a feature before it"
  ),
  q_fdr = paste(
    "estimated share of false positives among the features at least as strong as this one"
  ),
  pfer = "expected number of false positives in the list down to this feature, at most",
  fdr = "the same as a share of the list",
  inclusion = "inclusion rate, from 0 to 1",
  partial_r = "correlation with the outcome given the other features of the list",
  coefficient = "coefficient on the scale of the data",
  score = "quality of the feature by the rule of the method; larger is better",
  mean_score = "mean of the scores over the resamples",
  frequency = "share of the resamples in which the feature was selected",
  mean_rank = "mean rank over the resamples",
  mean_importance = "mean share of importance over the resamples",
  frequency_score = "mean share of resamples in which it entered early",
  stable = "share of the resamples in which it was stable",
  corrected_effect = "this effect without the luck of selection, see ?feature_effects",
  expected_by_chance = "number of features that would score this high without any signal",
  above_cut = "share of redrawn resamples in which the feature is above the cut",
  same_sign = "share of the resamples in which its effect has this direction",
  n_neighbours = "number of features with a correlation above 0.7 with it",
  set_size = "number of features that could stand in its place, itself among them"
)

direction_meanings <- c(
  "higher in" = "class in which the feature is highest on average",
  hazard = "up: large values come with early events",
  outcome = "up: large values of the feature come with large values of the outcome"
)

# @param study (study, or NULL) data of the report.
# @return list(table (data frame of text and numbers), rest (the same of the features that come
#   after), left_out (number of features without a row), meanings (named character), same
#   (character): columns with one value, also (character, by row from 0): see other_names()).
report_table <- function(fit, study, n) {
  whole <- whole_table(fit, study)
  ordered <- utils::head(whole$table, most_searched)
  chosen <- sum(ordered$feature %in% fit$features)
  rows <- utils::head(ordered, min(n, if (chosen > 0L) chosen else n))
  empty <- empty_columns(rows, nrow(whole$table))
  named <- setdiff(intersect(names(column_meanings), names(rows)), empty)
  # Without scripts there are these rows only, but others are searched.
  same <- named[vapply(ordered[named], is_constant, NA)]
  first <- c("rank", "feature", whole$direction, whole$effect)
  shown <- ordered[c(first, setdiff(named, c(first, same)))]
  also <- stats::setNames(other_names(ordered, fit$study), seq_len(nrow(ordered)) - 1L)
  shown$copies <- NULL
  shown$feature <- with_copies(shown$feature, fit$study)
  meanings <- c(column_meanings, direction_meanings, whole$meanings)
  list(
    table = utils::head(shown, nrow(rows)), rest = utils::tail(shown, -nrow(rows)),
    left_out = nrow(whole$table) - nrow(ordered),
    meanings = meanings[setdiff(intersect(names(shown), names(meanings)), "rank")],
    same = describe_same(ordered[same]), also = also[nzchar(also)]
  )
}

# Under which other names a row is searched: columns that it stands for.
# @return (character, one per row) "" for none.
other_names <- function(table, record) {
  if (counts_features(record)) {
    return(if (is.null(table$copies)) rep("", nrow(table)) else table$copies)
  }
  clusters <- record$roles$clusters
  members <- vapply(split(names(clusters), clusters), toString, "")
  found <- unname(members[table$feature])
  ifelse(is.na(found), "", found)
}

# All features with what is known of them, the selected ones first.
# @return list(table (data frame), direction, effect (names of such columns), meanings).
whole_table <- function(fit, study) {
  table <- table_of_all(fit)
  chosen <- table$feature %in% fit$features
  table <- table[order(!chosen), ]
  table$rank <- seq_len(nrow(table))
  table <- name_direction(table, fit$study)
  direction <- intersect(names(direction_meanings), names(table))
  effects <- effects_of_report(fit, study, table$feature)
  if (!is.null(effects)) {
    table[[effects$name]] <- effects$value
    # Only selected features have had luck, or those that come first.
    lucky <- if (any(chosen)) fit$features else utils::head(table$feature, 25L)
    corrected <- corrected_effects(fit, with_roles(study, roles_of_result(fit)), lucky)
    if (!is.null(corrected)) table$corrected_effect <- corrected[match(table$feature, lucky)]
  }
  rownames(table) <- NULL
  list(
    table = table, direction = direction,
    effect = intersect(c(effects$name, "corrected_effect"), names(table)),
    meanings = stats::setNames(effects$meaning, effects$name)
  )
}

# A test of signals names few features, but knows of all how they look by themselves.
table_of_all <- function(fit) {
  others <- fit$marginal
  if (is.null(others)) {
    return(fit$table)
  }
  others <- others[order(others$p, -abs(others$correlation)), c("feature", "p")]
  others <- rbind(
    others[match(fit$table$feature, others$feature), ],
    others[!others$feature %in% fit$table$feature, ]
  )
  names(others)[2] <- "p_alone"
  known <- fit$table[match(others$feature, fit$table$feature), ]
  known$feature <- NULL
  all <- cbind(others, known)
  at <- match(all$feature, fit$study$feature_names)
  if (counts_features(fit$study)) all$direction <- fit$study$direction[at]
  name_copies(all, fit$study)
}

# Features whose rows a page holds: more than 3 MB are hard to mail.
most_searched <- 100000L

effects_of_report <- function(fit, study, features) {
  if (!is.null(study) && all(features %in% study$feature_names)) {
    effects_of(with_roles(study, roles_of_result(fit)), features)
  }
}

# Effects in the samples of the report, which chose the features.
effects_of <- function(study, features) {
  response <- study$response
  # Some at a time: what is computed on the way is as large as the data.
  parts <- split(features, ceiling(seq_along(features) / 2000))
  effects <- lapply(parts, function(some) plain_effects(response, values_of(study, some)))
  found <- adjusted_words(effects[[1]], response)
  found$value <- unlist(lapply(effects, `[[`, "value"), use.names = FALSE)
  found
}

is_constant <- function(column) length(column) > 1L && length(unique(column)) == 1L

# Left out of the table, but said.
describe_same <- function(columns) {
  columns <- columns[!vapply(columns, function(column) is.na(column[1]), NA)]
  if (length(columns) > 0L) {
    vapply(names(columns), function(name) {
      value <- columns[[name]][1]
      if (is.numeric(value)) value <- format_number(value)
      sprintf("%s is %s (%s)", report_words(name), value, column_meanings[[name]])
    }, "")
  }
}
