# The methods that tune_tradeoff() can run, and their settings. A runner is list(takes (character:
# responses), what (string, for messages), arguments (character, or NULL for any), hold (function(),
# an error if it cannot adjust for covariates), grid (function(fixed, p), the default settings),
# procedure = function(values, study, metric, seed)). Its results are list(selection, scores
# (numeric, one per run)).

tradeoff_runner <- function(method, fixed) {
  if (identical(method, "hybrid_rfe")) {
    return(hybrid_runner(fixed))
  }
  refuse(!is.function(method),
    "{.arg method} must be {.val hybrid_rfe} or a function of the settings, not
      {describe_value(method)}."
  )
  custom_runner(method, fixed)
}

hybrid_runner <- function(fixed) {
  force(fixed)
  defaults <- hybrid_defaults()
  list(
    takes = "binary", what = "hybrid-RFE (`method`)", arguments = names(defaults),
    hold = function() {
      abort(c("{.arg covariates} cannot be held by hybrid-RFE.",
        i = "Give a function as {.arg method}, with {.fn learner_logistic}."
      ))
    },
    grid = function(fixed, p) {
      n <- if (is.null(fixed$n_features)) min(20L, p) else fixed$n_features
      grid <- list(n_stable = unique(round(n * 0:4 / 4)), lambda_final = c(0.3, 3, 30))
      grid[setdiff(names(grid), names(fixed))]
    },
    procedure = function(values, study, metric, seed) {
      given <- c(values, fixed)
      all <- defaults
      if (is.null(given$n_features)) all$n_features <- min(20L, study$p)
      all[names(given)] <- given
      hybrid_procedure(hybrid_settings(all, study$p), NULL, seed, judge_hybrid(metric))
    }
  )
}

judge_hybrid <- function(metric) {
  with_data(function(runs, asked, study, record, control) {
    selection <- hybrid_selection(runs, runs$draws, study$feature_names, asked)
    list(
      selection = selection,
      scores = hybrid_scores(runs$link, study$response, runs$draws, selection$status, metric)
    )
  }, metric = metric)
}

# Models of hybrid-RFE, by their log odds of the second class (samples x runs).
hybrid_scores <- function(link, response, resamples, status, metric) {
  one <- outcome_of(response)
  vapply(seq_along(status), function(b) {
    out <- which(resamples$counts[, b] == 0L)
    if (status[b] != "ok" || length(out) == 0L) {
      return(NA_real_)
    }
    metric_value(metric, response$codes[out], prediction_of_link(one, link[out, b]))
  }, 0)
}

custom_runner <- function(make, fixed) {
  force(fixed)
  own <- with_own_errors(make, "`method` failed", "input")
  list(
    takes = takes_of("tune_tradeoff"), what = "a search of the trade-off",
    arguments = if (!"..." %in% names(formals(make))) names(formals(make)), hold = function() NULL,
    grid = function(fixed, p) {
      abort("{.arg grid} is absent but must be supplied: the values of the settings of
        {.arg method}.")
    },
    procedure = function(values, study, metric, seed) {
      response <- study$response
      made <- do.call(own, c(values, fixed))
      refuse(!is.list(made) || !inherits(made$selector, "stabilect_selector"),
        "{.arg method} must return a list with {.field selector} and {.field learner}."
      )
      check_takes(response, made$selector$responses, "this selector")
      check_learner(made$learner, "learner")
      check_learner_takes(made$learner, response)
      check_learner_judged(made$learner, metric)
      check_selectors_hold(list(made$selector), study)
      made$learner <- hold_in_learner(made$learner, response)
      made_procedure(made, study$p, metric, seed)
    }
  )
}

# Selector, then learner, in every run.
made_procedure <- function(made, p, metric, seed) {
  asked <- list(
    n_features = check_count(made$n_features, name = "n_features", max = p, null_ok = TRUE)
  )
  job <- with_data(function(study, draws, asked, control) {
    selectors_job(study, list(made$selector), draws, asked, control)
  }, made = made)
  read <- with_data(function(runs, asked, study, record, control) {
    judge_made(made, runs, study, metric)
  }, made = made, metric = metric)
  new_procedure("made", asked, NULL, job, read, takes_of("tune_tradeoff"), seed = seed)
}

judge_made <- function(made, runs, study, metric) {
  x <- study$x
  response <- study$response
  resamples <- runs$draws
  part <- runs$runs[[1]]
  y <- response_labels(response)
  seeds <- child_seeds(runs$seed, resamples$n_runs)
  judged <- lapply(seq_len(resamples$n_runs), function(b) {
    chosen <- which(part$selected[, b])
    if (part$status[b] != "ok" || length(chosen) == 0L) {
      return(list(score = NA_real_))
    }
    measure_run(
      made$learner, chosen, x, y, resamples$counts[, b], metric, seeds[b], response$covariates
    )
  })
  list(
    selection = made_selection(made, part, judged, resamples, colnames(x)),
    scores = vapply(judged, `[[`, 0, "score")
  )
}

# Out of bag, a learner on the selected features, and their importance in its model.
# @param z (double matrix, or NULL) covariates that the learner adjusts for.
measure_run <- function(learner, set, x, y, counts, metric, seed, z = NULL) {
  one <- outcome_of_labels(y)
  samples <- function(rows) samples_at(x, y, z, rows)
  train <- samples(rep(seq_along(counts), counts))
  test <- samples(which(counts == 0L))
  made <- with_seed(seed, trial(learner, set, train, test, c(one$needs, "importance"), y, one))
  list(
    score = if (any(counts == 0L)) metric_value(metric, made$truth, made$prediction) else NA_real_,
    importance = scaled_importance(learner, made$importance, colnames(x)[set])
  )
}

# Absolute weights if the learner returns squared ones.
scaled_importance <- function(learner, importance, feature_names) {
  if (is.null(importance)) {
    return(NULL)
  }
  value <- pmax(check_importance(importance, feature_names, learner), 0)
  if (learner$squared_importance) value <- sqrt(value)
  stats::setNames(importance_linear(value), feature_names)
}

made_selection <- function(made, part, judged, resamples, feature_names) {
  dimnames(part$selected) <- list(feature_names, NULL)
  importance <- if (is.null(made$learner$importance)) {
    part$importance
  } else {
    runs_to_matrix(lapply(judged, `[[`, "importance"), feature_names)
  }
  kept <- if (is.null(importance)) part$selected * part$score else importance
  new_selection(
    as_dgc(kept), part$selected, part$status,
    paste0(made$selector$label, ": ", format(resamples$plan)), resamples, resamples$seed,
    importance
  )
}

check_fixed <- function(fixed) {
  refuse(length(fixed) > 0L && (is.null(names(fixed)) || any(names(fixed) == "")),
    "Settings that are the same for all must be given by name."
  )
  fixed
}

check_config_names <- function(names, runner, fixed, metric) {
  refuse_at(intersect(names, fixed), "{.arg {at}} is in {.arg grid} and given for all settings.")
  unknown <- setdiff(c(names, fixed), runner$arguments)
  refuse(!is.null(runner$arguments) && length(unknown) > 0L,
    "{.val {unknown[1]}} is not a setting of {.arg method}; it has
      {.val {runner$arguments}}."
  )
  refuse_at(intersect(names, c("config", "status", metric)),
    "{.arg grid} cannot have a setting called {.val {at}}."
  )
}

check_index_names <- function(index) {
  known <- list_stability_indices()$index
  if (!is.character(index) || length(index) == 0L || !all(index %in% c(known, "all"))) {
    strange <- if (is.character(index)) setdiff(index, c(known, "all"))
    abort(
      c("{.arg index} must hold names from {.code list_available(\"indices\")}, not
         {describe_value(index)}.",
        x = if (length(strange) > 0L) "{.val {strange[1]}} is not one."
      )
    )
  }
}

# A list of columns with one row per setting; columns may be lists.
draw_configs <- function(grid, n_random, seed) {
  named <- !is.null(names(grid)) && all(nzchar(names(grid))) && !anyDuplicated(names(grid))
  refuse(!is.list(grid) || length(grid) == 0L || !named || any(lengths(grid) == 0L),
    "{.arg grid} must be a list of values, or a data frame, with the names of settings, not
      {describe_value(grid)}."
  )
  drawing <- vapply(grid, is.function, NA)
  refuse(any(drawing) && is.null(n_random),
    "The setting {.val {names(grid)[drawing][1]}} is drawn by a function: say how often by
      {.arg n_random}."
  )
  if (is.data.frame(grid)) {
    rows <- seq_len(nrow(grid))
    if (!is.null(n_random)) {
      rows <- with_seed(seed, sample.int(nrow(grid), min(n_random, nrow(grid))))
    }
    return(grid[rows, , drop = FALSE])
  }
  if (is.null(n_random)) {
    at <- expand.grid(lapply(grid, seq_along))
    return(as_config_frame(Map(function(values, i) values[i], grid, at)))
  }
  # Every setting has its own seed: one more does not change the others' draws.
  seeds <- child_seeds(seed, length(grid))
  as_config_frame(Map(function(values, seed) {
    with_seed(seed, {
      if (is.function(values)) {
        values(n_random)
      } else {
        values[sample.int(length(values), n_random, replace = TRUE)]
      }
    })
  }, grid, seeds))
}

as_config_frame <- function(columns) {
  structure(columns, class = "data.frame", row.names = seq_along(columns[[1]]))
}

config_values <- function(configs, i) lapply(as.list(configs), function(values) values[[i]])

# Settings that are not single numbers or strings are described.
configs_as_text <- function(configs) {
  columns <- lapply(as.list(configs), function(values) {
    if (is.list(values)) vapply(values, describe_setting, "") else values
  })
  as_config_frame(columns)
}

describe_setting <- function(value) {
  if (inherits(value, "stabilect_selector")) value$name else describe_value(value)
}
