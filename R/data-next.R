# Calls that prints end with, each with its purpose. They run unchanged if the result is called
# `fit`. Data are called as in the call that made it (in_words_of_call()), else `x` and `y`,
# covariates `z`, groups compared within, or blocks, `patient`, weights `w`, offsets `o`, standard
# deviations of measurements `noise`. New samples are `new_x`, `new_y`, `new_z` and `new_patient`, a
# learner or selector of the user's `learner`, `selector`, the result of another site `other`. A
# test runs them for all kinds of results.

# By class: function(x) that returns the calls, named by their purpose; NULL where a verb does not
# take the result or its outcome.
next_calls <- list(
  stabilect_fealect = function(x) next_fealect(x),
  stabilect_stability_selection = function(x) {
    if (found_nothing(x)) {
      return(c(next_signal(x), next_sample_size(x), next_report()))
    }
    c(next_plot(), next_error_rates(x), next_model(x), next_report())
  },
  stabilect_bolasso = function(x) {
    if (found_nothing(x)) {
      return(c(next_signal(x), next_stable(x), next_sample_size(x)))
    }
    c(next_plot(), next_stable(x), next_model(x))
  },
  stabilect_ensemble = function(x) {
    if (found_nothing(x)) {
      return(c(next_signal(x), next_sample_size(x)))
    }
    c(
      next_plot(), "how much the runs agree" = "stability(fit)",
      "which features and runs disagree" = "explain_stability(fit)", next_report()
    )
  },
  stabilect_split_test = function(x) {
    if (found_nothing(x)) {
      return(c(next_signal(x), next_sample_size(x)))
    }
    c(next_plot(), next_model(x), next_report())
  },
  stabilect_signals = function(x) {
    if (found_nothing(x)) {
      if (x$p_value <= 0.05) {
        return(c(
          next_plot(), "what marks the outcome, each by itself" = "subset(fit$marginal, p <= 0.05)",
          next_stable(x), if (is.null(x$unnamed)) next_sample_size(x), next_report()
        ))
      }
      two <- length(x$study$levels) <= 2L
      any <- if (x$asked$kind == "linear" && is.null(x$unnamed) && two) {
        next_verb(x, "find_signals", "kind = \"any\"")
      }
      return(c(next_plot(), "dependence of any kind" = any, next_sample_size(x), next_report()))
    }
    c(
      next_plot(), "neighbours of the names" = "summary(fit)", next_model(x), next_report()
    )
  },
  stabilect_elimination = function(x) {
    c(
      next_plot(),
      "the error of the whole search" = next_verb(x, "evaluate_elimination", next_choices(x)),
      if (!is.null(x$model)) next_prediction(has_role(x, "covariates"))
    )
  },
  stabilect_elimination_evaluation = function(x) {
    c(
      "means and standard errors" = "summary(fit)",
      "the list, from all samples" = next_verb(x, "eliminate_features", next_choices(x))
    )
  },
  stabilect_hybrid_rfe = function(x) {
    c(
      next_plot(), "which settings to take" = next_verb(x, "tune_tradeoff"), next_prediction(),
      "how much the runs agree" = "stability(fit)"
    )
  },
  stabilect_tradeoff = function(x) {
    c(
      next_plot(), "settings that no other beats" = "pareto_front(fit)",
      "one setting" = "selected(fit)"
    )
  },
  stabilect_pareto = function(x) c(next_plot(), "one point" = "selected(fit)"),
  stabilect_evaluation = function(x) {
    c(next_plot(), "paired differences" = "summary(fit)")
  },
  stabilect_comparison = function(x) c(next_plot(), "all pairs" = "summary(fit)"),
  stabilect_estimate = function(x) {
    c(next_plot(), "the number of members for a stability" = "estimate_ensemble_size(0.5, fit)")
  },
  stabilect_diagnosis = function(x) next_plot(),
  stabilect_ensemble_size = function(x) c(next_plot(), next_ensemble(x)),
  stabilect_simulation = function(x) c(next_plot(), "all settings" = "summary(fit)"),
  stabilect_error_rates = function(x) c(next_plot(), "all tables" = "summary(fit)"),
  stabilect_replication = function(x) {
    c(if (!is.null(x$predictions)) next_plot(), next_sample_size(x))
  },
  stabilect_signature_test = function(x) next_plot(),
  stabilect_alternatives = function(x) next_plot(),
  stabilect_effects = function(x) next_plot(),
  stabilect_cohorts = function(x) {
    if (nrow(x$cohorts) > 1L) {
      return(c(next_plot(), "p of every number of cohorts" = "summary(fit)"))
    }
    c("with results of other sites" = "compare_cohorts(list(here = fit, there = other))")
  },
  stabilect_sample_size = function(x) next_plot(),
  stabilect_stability = function(x) c(next_plot(), "the values behind it" = "summary(fit)"),
  stabilect_explanation = function(x) {
    c(next_plot(), "groups of correlated features" = "cluster_features(x)")
  },
  stabilect_selection = function(x) {
    if (x$n_runs < 3L) {
      return(NULL)
    }
    c(
      "how much the runs agree" = "stability(fit)",
      "which features and runs disagree" = "explain_stability(fit)",
      "features and runs in a picture" = "plot(fit, type = \"map\")"
    )
  },
  stabilect_ranking = function(x) next_plot(),
  stabilect_model = function(x) {
    held <- !is.null(x$covariates)
    compares <- has_role(x, "within")
    c(
      next_prediction(held, compares),
      "the error on new samples" = if (!compares) {
        sprintf("validate_model(fit, new_x, new_y%s)", if (held) ", covariates = new_z" else "")
      },
      "an error with features chosen anew" = next_verb(x, "fealect"),
      next_panel(x)
    )
  }
)

next_fealect <- function(x) {
  if (found_nothing(x)) {
    return(c(next_plot(), next_signal(x), next_stable(x), next_sample_size(x)))
  }
  again <- if (repeatable(x)) next_call("evaluate_replication(fit, %s)", x)
  c(
    next_plot(), next_stable(x), "how much of it another study would find" = again,
    if (is.null(x$model)) next_model(x), next_report()
  )
}

next_plot <- function() c("a picture" = "plot(fit)")

next_report <- function() c("one page for colleagues" = "write_report(fit, \"report.html\")")

next_stable <- function(x) {
  c("a short list with few false positives" = next_verb(x, "stability_selection"))
}

# find_signals() has the exact test for the outcomes that it takes.
next_signal <- function(x) {
  call <- next_verb(x, "find_signals")
  if (is.null(call) && is.null(x$null)) call <- next_verb(x, "fealect", "permute = 199")
  c("any signal, and what marks the outcome" = call)
}

next_prediction <- function(held = FALSE, compares = FALSE) {
  c("predictions of new samples" = sprintf(
    "predict(fit, %s%s)",
    if (compares) "prepare_study(new_x, within = new_patient)" else "new_x",
    if (held) ", covariates = new_z" else ""
  ))
}

next_model <- function(x) {
  if ("clusters" %in% names(x$study$roles)) {
    return(NULL)
  }
  call <- next_verb(x, "fit_model", "selected(fit)")
  if (!is.null(call)) stats::setNames(call, paste0("a model of these features", unused_roles(x)))
}

# What the selection knew of samples, and a final model does not.
unused_roles <- function(x) {
  unused <- intersect(c("weights", "strata", "offset"), names(x$study$roles))
  if (length(unused) > 0L) paste0(", without the ", paste(unused, collapse = " and "))
}

next_error_rates <- function(x) {
  fits <- x$study$type %in% takes_of("estimate_error_rates") && repeatable(x) &&
    !has_role(x, "covariates") && is.null(x$resamples$plan$blocks)
  if (!fits) {
    return(NULL)
  }
  c("what such lists get right on these data" = next_call("estimate_error_rates(fit, %s)", x))
}

# Sample size for the procedure itself if it can be run on parts of the data; else for the simplest
# procedure.
next_sample_size <- function(x) {
  if (!isTRUE(x$study$type %in% takes_of("estimate_sample_size")) || too_few_to_plan(x) ||
    has_role(x, "within")) {
    return(NULL)
  }
  # The smallest parts have a fifth of the samples.
  own <- repeatable(x) && x$study$n %/% 5L >= procedure_of(x)$least
  filter <- outcome_of(x$study)$selector
  what <- if (own) {
    "fit"
  } else if (has_role(x, "covariates")) {
    # A filter alone would not be adjusted.
    return(NULL)
  } else {
    sprintf("selector_filter(\"%s\")", filter)
  }
  size <- if (x$study$p <= 10L) sprintf(", n_features = %d", max(1L, x$study$p %/% 2L)) else ""
  call <- sprintf("estimate_sample_size(%s, %s%s)", what, next_data(x), size)
  stats::setNames(call, sprintf(
    "how many samples%s", if (own) " a list needs" else sprintf(", by \"%s\"", filter)
  ))
}

# The limits of estimate_sample_size().
too_few_to_plan <- function(x) {
  study <- x$study
  blocks <- blocks_of_result(x)
  sizes <- c(study$class_sizes, study$n_events, study$n - study$n_events)
  study$p < 2L || study$n < 20L || any(sizes < 10L) ||
    !is.null(blocks) && length(unique(blocks)) < 20L
}

next_ensemble <- function(x) {
  if (x$reason != "reached" || is.na(x$n_weak)) {
    return(NULL)
  }
  c("an ensemble of so many runs" = sprintf(
    "select_ensemble(%s, selector, resample_bootstrap(%d))", next_data(x),
    as.integer(x$n_weak)
  ))
}

found_nothing <- function(x) identical(x$features, character())

# Can the whole procedure be repeated from the result alone?
repeatable <- function(x) {
  procedure <- procedure_of(x)
  !is.null(procedure) && is.null(procedure$once) &&
    x$study$type %in% takes_of("evaluate_replication")
}

path_verbs <- c("fealect", "stability_selection", "bolasso")

# @param verb (string) name; given (string, or NULL) arguments after x and y.
# @return (string) a call of the verb with these data, or NULL where it does not take them.
next_verb <- function(x, verb, given = NULL) {
  type <- x$study$type
  known <- names(x$study$roles)
  refused <- c(
    if (!verb %in% c("find_signals", path_verbs)) "within",
    # It would answer another question.
    if (verb == "find_signals") c("weights", "offset"),
    if (!verb %in% names(covariate_verbs)) "covariates"
  )
  if (!type %in% takes_of(verb) || any(refused %in% known)) {
    return(NULL)
  }
  counts <- if (type == "count") {
    if (verb == "fit_model") "model = \"ridge_poisson\"" else "family = \"poisson\""
  }
  data <- next_data(x)
  if (verb == "fit_model" && data == "study") given <- paste("features =", given)
  own <- setdiff(known, names(x$study$prepared))
  arguments <- c(
    data, given, counts, if ("covariates" %in% own) "covariates = z",
    if (length(known) > 0L || !is.null(x$asked$likelihood)) next_of_rows(x, verb)
  )
  sprintf("%s(%s)", verb, paste(arguments, collapse = ", "))
}

# The error of a list of this size with its choice.
next_panel <- function(x) {
  k <- length(x$features)
  if (k > 0L && k < x$study$p) {
    call <- next_verb(x, "evaluate_elimination", sprintf("max_features = %d", k))
    # Not for every outcome.
    if (!is.null(call)) stats::setNames(call, sprintf("the error of choosing at most %d", k))
  }
}

# What an elimination chose otherwise than by default.
next_choices <- function(x) {
  largest <- x$asked$max_features
  c(
    next_learner(x), if (x$asked$size_rule == "best") "size_rule = \"best\"",
    if (!is.null(largest)) sprintf("max_features = %d", largest)
  )
}

# The learner of an elimination, unless it is the first choice for the outcome.
next_learner <- function(x) {
  learner <- x$asked$learner
  first <- elimination_learner(outcome_of(x$study), has_role(x, "covariates"))
  if (identical(learner[c("name", "params")], first[c("name", "params")])) {
    return(NULL)
  }
  maker <- paste0("learner_", learner$name)
  made_by <- get0(maker, topenv(), mode = "function")
  if (is.null(made_by) || learner$name == "custom") {
    return("learner = learner")
  }
  defaults <- formals(made_by)
  given <- learner$params[intersect(names(learner$params), names(defaults))]
  # Of several choices the first is the default.
  own <- !mapply(function(value, name) {
    default <- tryCatch(eval(defaults[[name]], topenv()), error = identity)
    identical(value, if (is.character(default)) default[1] else default)
  }, given, names(given))
  paste("learner =", paste(deparse(as.call(c(as.name(maker), given[own]))), collapse = " "))
}

# What only some verbs take.
next_of_rows <- function(x, verb) {
  given <- x$study$roles
  if (verb == "fealect") given$offset <- NULL
  # Prepared data bring theirs.
  given[names(x$study$prepared)] <- NULL
  if (!verb %in% path_verbs) given <- given["within"]
  own <- lapply(names(given), function(name) {
    argument <- role_registry$all()[[name]]$argument
    if (!is.null(argument)) argument(given[[name]])
  })
  breslow <- verb %in% path_verbs && identical(x$asked$likelihood$ties, "breslow")
  c(unlist(own), if (breslow) "ties = \"breslow\"")
}

# @param call (string) with %s in place of the data.
next_call <- function(call, x) sprintf(call, next_data(x))

# The data of a call: of samples in blocks, and where they were changed, a study that knows it.
next_data <- function(x) {
  if (length(x$study$prepared) > 0L || next_blocks(x)) "study" else "x, y"
}

# Groups within which samples are compared are drawn whole by themselves.
next_blocks <- function(x) has_own_blocks(blocks_of_result(x)) && !has_role(x, "within")

# The calls for a result. @return (character) named by their purpose; NULL for none.
next_of <- function(x) {
  known <- intersect(class(x), names(next_calls))[1]
  if (is.na(known)) {
    return(NULL)
  }
  calls <- next_calls[[known]](x)
  if (is.null(calls)) {
    return(NULL)
  }
  if (any(grepl("\\bstudy[,)]", calls))) {
    name <- name_of_prepared(x)
    if (is.null(name)) {
      calls <- c(next_study(x), calls)
    } else {
      calls[] <- gsub("\\bstudy([,)])", paste0(name, "\\1"), calls)
    }
  }
  in_words_of_call(calls, x$made$call)
}

# Words that are longer would hide the call.
longest_data <- 70L
longest_call <- 140L

# Calls with the data, and values of samples and features, as the user called them.
# @param made (string) the call that made the result.
in_words_of_call <- function(calls, made) {
  said <- words_of_call(made)
  own <- calls
  say <- function(pattern, text) gsub(pattern, gsub("\\", "\\\\", text, fixed = TRUE), own)
  if (!is.null(said$x)) own <- say("\\(x\\)", sprintf("(%s)", said$x))
  if (!is.null(said$data)) own <- say("\\bx, y\\b", said$data)
  for (name in setdiff(names(said), c("x", "data"))) {
    own <- say(sprintf("\\b%s = [a-z]+\\b", name), paste(name, "=", said[[name]]))
  }
  fits <- nchar(own) <= longest_call
  calls[fits] <- own[fits]
  calls
}

# @return (named list of strings) data (a formula or features, and outcome or table), x (features),
#   and arguments such as covariates; without those that are long or values in the call itself.
words_of_call <- function(made) {
  call <- tryCatch(str2lang(made), error = function(e) NULL)
  verb <- if (is.call(call)) sub("^stabilect::", "", deparse(call[[1]])[1])
  known <- if (!is.null(verb)) get0(verb, topenv(), mode = "function")
  # Within a function of the user's the names may be its own.
  own <- is.null(known) || "..." %in% all.names(call)
  if (own || !all(c("x", "y") %in% names(formals(known)))) {
    return(list())
  }
  given <- as.list(match.call(known, call, expand.dots = TRUE))[-1L]
  texts <- lapply(given, function(one) paste(deparse(one), collapse = " "))
  texts <- texts[nchar(texts) <= longest_data & !grepl("^<", texts)]
  by_formula <- is.call(given$x) && identical(given$x[[1]], as.name("~"))
  of_data <- c("x", if (is.null(given$y)) "data" else "y")
  if (by_formula) of_data <- intersect(of_data, names(given))
  whole <- paste(unlist(texts[of_data]), collapse = ", ")
  fits <- all(of_data %in% names(texts)) && nchar(whole) <= longest_data
  c(
    if (fits) list(data = whole), if (fits && !by_formula) texts["x"],
    texts[intersect(names(texts), names(role_registry$all()))]
  )
}

# The prepared data as the call that made the result named them, or NULL.
name_of_prepared <- function(x) {
  call <- tryCatch(str2lang(x$made$call), error = function(e) NULL)
  if (length(x$study$prepared) == 0L || !is.call(call) || "..." %in% all.names(call)) {
    return(NULL)
  }
  verb <- get0(sub("^stabilect::", "", deparse(call[[1]])[1]), topenv(), mode = "function")
  if (!"x" %in% names(formals(verb))) {
    return(NULL)
  }
  # Data that were prepared without an outcome take y.
  given <- as.list(match.call(verb, call, expand.dots = TRUE))
  data <- given[intersect(c("x", "y"), names(given))]
  if (!is.null(given$x) && all(vapply(data, is.symbol, NA))) {
    paste(vapply(data, as.character, ""), collapse = ", ")
  }
}

# The call that prepares the data.
next_study <- function(x) {
  given <- x$study$prepared
  blocks <- next_blocks(x)
  if (blocks && !"blocks" %in% names(given)) given <- c(given, usual_names["blocks"])
  with_names <- function(given) {
    arguments <- c("x, y", sprintf("%s = %s", names(given), given))
    sprintf("study <- prepare_study(%s)", paste(arguments, collapse = ", "))
  }
  call <- with_names(given)
  # Many columns do not fit on the line.
  if (nchar(call) > 76L) {
    at <- intersect(names(given), names(usual_names))
    call <- with_names(replace(given, at, usual_names[at]))
  }
  about <- if (blocks) "the samples with their blocks" else "the data as they were prepared"
  stats::setNames(call, about)
}
