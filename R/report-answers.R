# What results say to the items of the checklists. All take the result, the further results and the
# data of a report; NULL stands for no answer.

# The first of the further results of a class, or of the subject itself.
first_of <- function(class, fit, others) {
  Find(function(one) inherits(one, class), c(list(fit), others))
}

in_section <- function(others, one) {
  name <- names(others)[vapply(others, identical, NA, one)]
  if (length(name) > 0L) sprintf(" (section \"%s\")", name[1]) else ""
}

known_aim <- function(fit, others, study) {
  new <- first_of("stabilect_validation", fit, others)
  sprintf(
    "to find features that %s, of %s; %s", relation_of(fit),
    count_of(fit$study$p, "candidate"),
    if (is.null(new)) {
      "no model was evaluated on other samples"
    } else {
      sprintf("a model was evaluated on %s", count_of(new$made$n, "new sample"))
    }
  )
}

known_preparation <- function(fit, others, study) {
  record <- fit$study
  asked <- if (length(record$prepared) > 0L) sprintf("`%s`", next_study(fit))
  c(record$notes, asked, describe_copies(record), describe_constant(record))
}

known_candidates <- function(fit, others, study) {
  view <- fit$study$roles$views
  c(
    sprintf("all %s of the data, in the table of features", count_of(fit$study$p, "feature")),
    if (!is.null(view)) describe_views(view), known_covariates(fit, "beside covariates:")
  )
}

known_covariates <- function(fit, before) {
  z <- fit$study$roles$covariates
  if (!is.null(z)) paste(before, describe_held(colnames(z)))
}

known_size <- function(fit, others, study) {
  plan <- first_of("stabilect_sample_size", fit, others)
  c(
    count_of(fit$study$n, "sample"),
    if (!is.null(plan)) {
      paste0(join_lines(plain_words(facts_of(plan)$verdict$List)), in_section(others, plan))
    }
  )
}

known_missing <- function(fit, others, study) {
  missing <- methods_missing(fit$study$missing)
  omitted <- grep("missing", fit$study$notes, value = TRUE)
  if (is.null(missing) && length(omitted) == 0L) {
    return("no value is missing in the samples that were analysed")
  }
  c(sub("[.]$", "", missing), omitted)
}

known_use <- function(fit, others, study) {
  new <- first_of("stabilect_validation", fit, others)
  c(
    if (!is.null(fit$resamples$plan)) {
      paste("features were selected from all samples, on", format(fit$resamples$plan))
    } else {
      "features were selected from all samples"
    },
    if (!is.null(fit$oob)) {
      "each sample was predicted by models whose features were chosen from the resamples without it"
    },
    if (!is.null(new)) sprintf("%s for evaluation only", count_of(new$made$n, "new sample"))
  )
}

known_method <- function(fit, others, study) {
  facts <- facts_of(fit)
  c(facts$title, join_lines(facts$verdict$List), "see the paragraph on methods")
}

grouping_roles <- c("blocks", "strata", "within", "covariates")

has_groups <- function(fit) {
  own <- !is.null(fit$resamples$plan$blocks) && is.null(fit$study$twins)
  own || any(grouping_roles %in% names(fit$study$roles))
}

known_groups <- function(fit, others, study) {
  if (!has_groups(fit)) {
    return(NULL)
  }
  blocks <- fit$resamples$plan$blocks
  c(
    if (!is.null(blocks)) {
      sprintf(
        "samples of one block were drawn together (%s)",
        count_of(length(unique(blocks)), "block")
      )
    },
    describe_roles(fit), known_covariates(fit, "adjusted for")
  )
}

left_groups <- function(fit, others, study) {
  if (!has_groups(fit)) "centres, batches or repeated samples: the analysis was told of none"
}

known_measures <- function(fit, others, study) {
  oob <- first_oob(fit, others)
  new <- first_of("stabilect_validation", fit, others)
  c(
    if (!is.null(oob)) {
      auc <- if (isTRUE(is.finite(oob$auc))) ", AUC"
      paste0(shown_oob(oob)$measure, auc, ", out of bag")
    },
    if (!is.null(new)) {
      paste0("on new samples: ", toString(in_words(new$table$measure)))
    } else {
      "calibration was not measured"
    }
  )
}

# The error of the subject, or else of a further list.
first_oob <- function(fit, others) {
  found <- Find(function(one) inherits(one$oob, "stabilect_oob"), c(list(fit), others))
  found$oob
}

known_balance <- function(fit, others, study) {
  record <- fit$study
  if (is.null(record$class_sizes)) {
    return("does not apply: the outcome is no class")
  }
  oob <- first_oob(fit, others)
  c(
    describe_outcome(outcome_of(record), record),
    if (has_role(fit, "weights")) {
      "samples were weighted"
    } else {
      "no class was weighted, over- or undersampled"
    },
    if (isTRUE(is.finite(oob$balanced_error))) {
      sprintf("mean error of the classes %s", as_percent(oob$balanced_error))
    }
  )
}

# The final model of a list, whose coefficients are known.
model_of_report <- function(fit) if (inherits(fit$model, "stabilect_model")) fit$model

known_output <- function(fit, others, study) {
  if (!is.null(model_of_report(fit))) {
    say_output(outcome_of(fit$study), fit$study$levels)
  } else if (!is.null(fit$model)) {
    "see `predict()` of the result"
  }
}

left_model <- function(fit, others, study) {
  if (is.null(fit$model)) "the model, if one is used: this is a list without a model"
}

known_model <- function(fit, others, study) {
  model <- model_of_report(fit)
  if (!is.null(model)) {
    return(sprintf(
      "%s with %s; all coefficients: `coef()` of the model, or `write_tables()`",
      describe_method(model), count_of(length(model$features), "feature")
    ))
  }
  if (!is.null(fit$model)) "`predict()` of the result uses it"
}

known_new <- function(fit, others, study) {
  new <- first_of("stabilect_validation", fit, others)
  if (!is.null(new)) {
    sprintf(
      "model from %s, evaluated on %s others", count_of(fit$study$n, "sample"),
      figure(new$made$n, big.mark = ",")
    )
  }
}

left_new <- function(fit, others, study) {
  if (is.null(first_of("stabilect_validation", fit, others))) {
    "samples of another study: none were predicted here"
  } else {
    "how the new samples differ in setting, eligibility, outcome and measurement"
  }
}

known_data <- function(fit, others, study) {
  if (!is.null(fit$study$hash)) {
    sprintf("fingerprint of the values, by which others recognise them: %s", fit$study$hash)
  }
}

known_code <- function(fit, others, study) {
  sprintf(
    "the script of the report; R %s, stabilect %s, %s", getRversion(),
    utils::packageVersion("stabilect"), describe_seed(fit$made)
  )
}

known_numbers <- function(fit, others, study) {
  oob <- first_oob(fit, others)
  new <- first_of("stabilect_validation", fit, others)
  c(
    paste("selection:", describe_study(fit$study)),
    if (!is.null(oob)) sprintf("error: %s", count_of(oob$n, "sample")),
    if (!is.null(new)) sprintf("evaluation: %s", count_of(new$made$n, "new sample"))
  )
}

known_effects <- function(fit, others, study) {
  effects <- first_of("stabilect_effects", fit, others)
  c(
    if (!is.null(study) && counts_features(fit$study)) "of every feature, in the table of features",
    if (!is.null(effects)) {
      sprintf(
        "with %s\u00a0%% intervals, corrected for the selection: %s%s",
        figure(100 * effects$asked$conf_level), count_of(nrow(effects$table), "feature"),
        in_section(others, effects)
      )
    }
  )
}

left_effects <- function(fit, others, study) {
  if (is.null(first_of("stabilect_effects", fit, others))) {
    "intervals of the effects: `feature_effects()` has them"
  }
}

left_adjusted <- function(fit, others, study) {
  if (!has_role(fit, "covariates")) {
    "age, sex, stage and other known variables: the analysis was adjusted for none"
  }
}

known_performance <- function(fit, others, study) {
  own <- if (!is.null(fit$oob)) facts_of(fit)$verdict$Error
  beside <- others_with_error(others)
  c(own, unlist(Map(function(one, name) {
    sprintf("%s (section \"%s\")", join_lines(error_of_other(one)), name)
  }, beside, names(beside)), use.names = FALSE))
}

left_performance <- function(fit, others, study) {
  if (length(known_performance(fit, others, study)) == 0L) {
    "an error on samples that did not choose the features: `fealect()` has one"
  } else {
    "performance in subgroups"
  }
}

known_further <- function(fit, others, study) {
  again <- first_of("stabilect_replication", fit, others)
  null <- fit$null
  told <- vapply(others, function(one) {
    identical(one, again) || inherits(one, c("stabilect_validation", "stabilect_effects"))
  }, NA)
  c(
    if (is_signal_test(fit)) {
      sprintf("%s: %s", describe_draws(fit$made$n_null, null$complete), describe_p(fit$p_value))
    },
    if (inherits(null, "stabilect_null")) {
      sprintf("%s: %s", describe_draws(null$n_permutations, null$complete), describe_p(null$p))
    },
    agreement_of_runs(fit),
    if (!is.null(again)) paste0(facts_of(again)$verdict$List[1], in_section(others, again)),
    if (!all(told)) paste("further sections of the report:", toString(names(others)[!told]))
  )
}
