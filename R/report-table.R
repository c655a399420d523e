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
  probability = "probability that it, or a feature correlated with it above 0.7, carries signal",
  mc_error = "Monte Carlo standard error of this probability",
  class = "the class that it tells from all others",
  p_fwer = paste(
    "probability that any unrelated feature would look this strong; it is strict, and a useful",
    "feature can have 1"
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
#   after), meanings (named character), same (character): columns with one value).
report_table <- function(fit, study, n) {
  chosen <- fit$table$feature %in% fit$features
  ordered <- utils::head(fit$table[order(!chosen), ], most_searched)
  ordered$rank <- seq_len(nrow(ordered))
  rows <- utils::head(ordered, min(n, if (any(chosen)) sum(chosen) else n))
  empty <- empty_columns(rows, nrow(fit$table))
  named <- setdiff(intersect(names(column_meanings), names(rows)), empty)
  same <- named[vapply(rows[named], is_constant, NA)]
  shown <- name_direction(ordered[intersect(c("feature", "direction"), names(rows))], fit$study)
  if (!is.null(study)) study <- with_roles(study, roles_of_result(fit))
  effects <- if (!is.null(study) && all(ordered$feature %in% study$feature_names)) {
    effects_of(study, ordered$feature)
  }
  if (!is.null(effects)) {
    shown[[effects$name]] <- effects$value
    # Only selected features have had luck.
    corrected <- corrected_effects(fit, study, rows$feature)
    if (!is.null(corrected)) shown$corrected_effect <- corrected[seq_len(nrow(shown))]
  }
  shown <- cbind(ordered["rank"], shown, ordered[setdiff(named, c("rank", same))])
  if ("copies" %in% names(shown)) shown$feature <- with_copies(shown$feature, fit$study)
  meanings <- c(
    column_meanings, direction_meanings, stats::setNames(effects$meaning, effects$name)
  )
  list(
    table = utils::head(shown, nrow(rows)), rest = utils::tail(shown, -nrow(rows)),
    meanings = meanings[setdiff(intersect(names(shown), names(meanings)), "rank")],
    same = describe_same(rows[same])
  )
}

# Features whose rows a page holds: with more it would be too large to mail.
most_searched <- 5000L

# Effects in the samples of the report, which chose the features.
effects_of <- function(study, features) {
  response <- study$response
  effects <- single_effects(response, values_of(study, features))
  adjusted_words(effects, response$covariates)
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
