# The report in plain words: one paragraph for readers who know nothing of the method.

# @param others (named list) further results of the report.
# @return (character) sentences.
story_of <- function(fit, others = list()) {
  c(
    sprintf(
      "This report asks which of %s %s, in %s (%s).",
      count_of(fit$study$p, "feature"), relation_of(fit), count_of(fit$study$n, "sample"),
      describe_outcome(outcome_of(fit$study), fit$study)
    ),
    story_of_signal(fit, others), story_of_error(fit, others), story_of_list(fit)
  )
}

# What the list says of features: that they differ with the outcome, or that they add to others.
relation_of <- function(fit) {
  if (asks_what_adds(fit)) {
    return(paste("add to the others in", relate(
      fit$study, "predicting the time until the event", "predicting the outcome", "telling %s apart"
    )))
  }
  relate(
    fit$study, "are related to the time until the event", "are related to the outcome",
    "differ between %s"
  )
}

# A question, since the answer may be that there is no signal.
title_of_report <- function(fit) {
  sprintf("Which features %s?", if (asks_what_adds(fit)) {
    relate(fit$study, "predict the time until the event", "predict the outcome", "tell %s apart")
  } else {
    relation_of(fit)
  })
}

# @param classes (string) with a place for their names.
relate <- function(study, survival, numbers, classes) {
  if (!is.null(study$n_events)) {
    return(survival)
  }
  levels <- study$levels
  if (is.null(levels)) {
    return(numbers)
  }
  shown <- if (length(levels) > 6L) c(levels[1:5], "others") else levels
  last <- length(shown)
  sprintf(classes, sprintf("%s and %s", toString(shown[-last]), shown[last]))
}

story_of_signal <- function(fit, others) {
  signals <- Find(is_signal_test, c(list(fit), others))
  if (!is.null(signals)) {
    made <- describe_draws(signals$made$n_null, signals$null$complete)
    return(sentence_of_p(signals$p_value, made, TRUE))
  }
  null <- fit$null
  if (is.null(null$n_permutations) && !"p_fwer" %in% names(fit$table)) {
    tested <- Find(function(x) !is.null(x$null$n_permutations), others)
    if (!is.null(tested)) {
      fit <- tested
      null <- tested$null
    }
  }
  if (!is.null(null$n_permutations)) {
    if (verdict_of_null(null) == "No evidence of a signal" && predicts_together(fit)) {
      return(sprintf(
        "All features of the list together predict better than by chance (%s); %s (%s).",
        describe_p(null$error$p), "no single one stands out", describe_p(null$p)
      ))
    }
    made <- describe_draws(null$n_permutations, null$complete)
    return(sentence_of_p(null$p, made, null_decides(null)))
  }
  if ("p_fwer" %in% names(fit$table)) {
    return(sprintf(
      "The smallest p-value, corrected for all features, is %s.",
      figure(min(fit$table$p_fwer), digits = 2)
    ))
  }
  "Whether there is a signal at all was not tested with permuted outcomes."
}

is_signal_test <- function(x) inherits(x, "stabilect_signals")

sentence_of_p <- function(p, made, decides) {
  by <- sprintf("(%s, %s)", describe_p(p), made)
  if (!decides) {
    return(paste("Whether there is a signal is undecided: the permutations are too few", paste0(
      by, "."
    )))
  }
  if (p <= 0.05) {
    return(paste0(
      "There is a signal: permuted outcomes hardly ever give so strong a result ", by, "."
    ))
  }
  paste0(
    "There is no evidence of a signal: permuted outcomes often give as strong a result ", by,
    ". All features of the list may be there by chance."
  )
}

# The error of the subject, or else of the section below that says most about new samples.
story_of_error <- function(fit, others = list()) {
  if (!is.null(fit$oob)) {
    return(sentence_of_oob(fit$oob, "Samples"))
  }
  own <- facts_of(fit)$verdict$Error
  if (length(own) > 0L) {
    own <- join_lines(plain_words(own))
    return(sprintf("%s: %s.", word_of_error(own), own))
  }
  others <- others_with_error(others)
  if (length(others) == 0L) {
    return("How well the features predict new samples was not measured.")
  }
  name <- names(others)[1]
  other <- others[[1]]
  if (inherits(other, lists_of_own) && !is.null(other$oob)) {
    return(c(
      sentence_of_oob(other$oob, sprintf("In the section \u201c%s\u201d, samples", name)),
      sprintf(
        "This is the error of the list there (%s), not of the list below.",
        count_of(length(other$features), "feature")
      )
    ))
  }
  found <- join_lines(plain_words(error_of_other(other)))
  sprintf("%s, from the section \u201c%s\u201d: %s.", word_of_error(found), name, found)
}

# Of a share nobody knows whether it is right or wrong.
word_of_error <- function(text) if (grepl("^[0-9]", text)) "Prediction error" else "Prediction"

sentence_of_oob <- function(oob, samples) {
  oob <- shown_oob(oob)
  number <- if (is_rate(oob)) as_percent else format_two
  what <- if (is_rate(oob)) "an error" else paste("a", oob$measure)
  sprintf(
    "%s that the model had not seen were predicted with %s of %s%s; it is %s %s.", samples, what,
    number(oob$error), sub("; (.*)", " (\\1)", describe_limits(oob)), number(oob$baseline),
    reference_of(oob)
  )
}

# Results with a list of their own, which need not be that of the report.
lists_of_own <- c("stabilect_fealect", "stabilect_ensemble")

# Further results that say how well new samples are predicted, new samples themselves first.
# @return (named list).
others_with_error <- function(others) {
  known <- Filter(function(x) length(error_of_other(x)) > 0L, others)
  new <- vapply(known, inherits, NA, "stabilect_validation")
  known[order(!new)]
}

# Facts about samples that chose neither the features nor the size of the list.
error_of_other <- function(x) {
  verdict <- facts_of(x)$verdict
  # A comparison has an error for each of its methods.
  if (inherits(x, "stabilect_evaluation")) {
    return(verdict$Best)
  }
  if (!inherits(x, c("stabilect_elimination", "stabilect_alternatives"))) verdict$Error
}

story_of_list <- function(fit) {
  list <- facts_of(fit)$verdict$List
  # The number that is warned of stands below.
  list <- list[!grepl("which is no test", list, fixed = TRUE)]
  first <- first_of_list(fit)
  c(
    if (length(list) > 0L) {
      sprintf("The list: %s.", join_lines(plain_words(list)))
    },
    first
  )
}

# Prints name arguments and methods; the first lines of a report do not.
plain_words <- function(text) {
  text <- gsub("\\s+", " ", text)
  text <- gsub("n_runs", "the number of runs", text, fixed = TRUE)
  sub(
    "above the three-segment cut", "above the cut, where the curve of sorted scores bends", text,
    fixed = TRUE
  )
}

# The best three by name, with their directions.
first_of_list <- function(fit) {
  features <- utils::head(fit$features, 3L)
  if (length(features) == 0L) {
    return(NULL)
  }
  rows <- fit$table[match(features, fit$table$feature), ]
  names <- shown <- with_labels(rows, fit$study)$feature
  if ("direction" %in% names(rows)) {
    words <- name_direction(rows[c("feature", "direction")], fit$study)
    known <- !is.na(words[[2]])
    names[known] <- sprintf("%s (%s %s)", shown, in_words(names(words)[2]), words[[2]])[known]
  }
  one <- length(fit$features) == 1L
  sprintf("%s: %s.", if (one) "It is" else "The first are", toString(names))
}

# What a reader might think was done, and was not.
# @param others (named list) further results of the report; study (study, or NULL) its data.
left_undone <- function(fit, others, study) {
  has <- function(class) any(vapply(others, inherits, NA, class))
  permuted <- vapply(c(list(fit), others), function(x) !is.null(x$null$n_permutations), NA)
  tested <- has("stabilect_signals") || is_signal_test(fit) || any(permuted) ||
    "p_fwer" %in% names(fit$table)
  c(
    if (!tested) "Whether there is any signal was not tested with permuted outcomes.",
    if (is.null(fit$oob) && length(others_with_error(others)) == 0L) {
      "The error on new samples was not estimated."
    },
    if (!has("stabilect_validation")) "No samples of another study were predicted.",
    if (!has("stabilect_replication")) {
      "How much of the list a new study would recover was not measured."
    },
    if (!has_role(fit, "covariates")) {
      "No covariate, such as age, sex or batch, was adjusted for."
    },
    if (is.null(study)) "Values and effects of the features are not shown.",
    "Associations are no causes, whatever the p-value."
  )
}
