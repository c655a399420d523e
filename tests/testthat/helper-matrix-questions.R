# Fits of the data of helper-matrix.R, questions about them, and the cells of all.

# How a fit is made of data and of what is given with them. `plan` becomes a plan with blocks.
matrix_fits <- list(
  fealect = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_subsample(6, 0.75, blocks = blocks)
    fealect(..., resampling = plan, n_boot = 0, seed = 1)
  },
  stability_selection = function(..., blocks = NULL, plan = NULL, permute = 0) {
    if (is.null(plan)) plan <- resample_pairs(4, blocks = blocks)
    stability_selection(..., q = 2, cutoff = 0.7, resampling = plan, permute = permute, seed = 1)
  },
  stability_selector = function(..., blocks = NULL, plan = NULL, permute = 0) {
    if (is.null(plan)) plan <- resample_pairs(4, blocks = blocks)
    stability_selection(..., q = 2, cutoff = 0.7, resampling = plan, permute = permute,
      selector = selector_filter("pearson"), seed = 1)
  },
  bolasso = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_bootstrap(6, blocks = blocks)
    bolasso(..., cutoff = 0.6, lambda = 0.2, resampling = plan, seed = 1)
  },
  select_ensemble = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_subsample(6, 0.75, blocks = blocks)
    select_ensemble(..., selector = selector_filter("pearson"), resampling = plan, n_features = 3,
      seed = 1)
  },
  eliminate_features = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_folds(3, blocks = blocks)
    y <- if (...length() > 1L) ..2
    learner <- if (is.numeric(y) || inherits(y, "Surv")) learner_ridge() else learner_logistic()
    eliminate_features(..., learner = learner, resampling = plan, seed = 1)
  },
  hybrid_rfe = function(..., blocks = NULL, plan = NULL) {
    if (is.null(plan)) plan <- resample_bootstrap(5, blocks = blocks)
    hybrid_rfe(..., n_features = 3, n_stable = 2, resampling = plan, seed = 1)
  },
  find_signals = function(..., permute = 49) find_signals(..., permute = permute, seed = 1),
  split_test = function(...) split_test(..., n_runs = 4, n_features = 3, seed = 1)
)

matrix_ask <- function(question, fit, way, ...) {
  do.call(question, c(list(fit), way$data, list(..., seed = 1)))
}

# The data as arguments that come by name.
matrix_named <- function(way) stats::setNames(way$data, c("x", "y")[seq_along(way$data)])

# Questions about a fit. @param way how it was made; again(...) makes it with further arguments.
matrix_questions <- list(
  print = function(fit, way, again) utils::capture.output(print(fit)),
  summary = function(fit, way, again) utils::capture.output(print(summary(fit))),
  table = function(fit, way, again) as.data.frame(fit),
  plot = function(fit, way, again) {
    file <- withr::local_tempfile()
    grDevices::pdf(file)
    withr::defer(grDevices::dev.off())
    plot(fit)
    TRUE
  },
  autoplot = function(fit, way, again) {
    picture <- ggplot2::autoplot(fit)
    lapply(picture$layers, function(layer) layer$data)
  },
  methods = function(fit, way, again) {
    sub("All computations.*", "", asNamespace("stabilect")$methods_of(fit)$paragraph)
  },
  report = function(fit, way, again) {
    file <- withr::local_tempfile(fileext = ".html")
    do.call(write_report, c(list(fit, file), matrix_named(way)))
    page <- paste(readLines(file), collapse = " ")
    # Pictures have numbers of their own; how the report was made and its data prepared differs.
    gsub("<picture>.*?</picture>|<pre.*?</pre>|<details.*?</details>", "", page)
  },
  predict = function(fit, way, again) {
    do.call(predict, c(list(fit, way$new_x), if (!is.null(way$new_z)) list(covariates = way$new_z)))
  },
  validate = function(fit, way, again) {
    validate_model(fit, way$new_x, way$new_y, covariates = way$new_z)$table
  },
  permute = function(fit, way, again) {
    null <- again(permute = 20)
    list(null$null$p, null$table[intersect(c("feature", "p_fwer", "q_fdr"), names(null$table))])
  },
  replicate = function(fit, way, again) {
    matrix_ask(evaluate_replication, fit, way, n_pairs = 2, n_features = 3)$table
  },
  samples = function(fit, way, again) {
    matrix_ask(estimate_sample_size, fit, way, n_pairs = 5, n_features = 3)$table
  },
  simulated_samples = function(fit, way, again) {
    matrix_ask(
      estimate_sample_size, fit, way, n_pairs = 5, n_features = 3, n_simulations = 2, n_true = 2
    )$simulated
  },
  error_rates = function(fit, way, again) {
    matrix_ask(
      estimate_error_rates, fit, way, n_true = 2, r_squared = 0.5, n_simulations = 2
    )$table
  },
  signature = function(fit, way, again) {
    do.call(test_signature, c(way$data, list(features = fit, n_random = 20, seed = 1)))$table
  },
  alternatives = function(fit, way, again) {
    matrix_ask(alternative_lists, fit, way, n_features = 2, max_steps = 2)$table
  },
  effects = function(fit, way, again) {
    do.call(feature_effects, c(list(fit), way$data, list(features = 1:2)))$table
  },
  substitutes = function(fit, way, again) {
    # Of a formula and its data the data.
    x <- if (inherits(way$data[[1]], "formula")) way$data[[2]] else way$data[[1]]
    substitutes(fit, x, threshold = 0.1, max_p = 1)$table
  },
  stability = function(fit, way, again) stability(fit)$table,
  merge = function(fit, way, again) do.call(c, matrix_halves(fit, again))$table,
  merge_data = function(fit, way, again) {
    do.call(merge_runs, c(matrix_halves(fit, again), matrix_named(way)))$table
  },
  until = function(fit, way, again) {
    again(until = until_decided())$table
  },
  checkpoint = function(fit, way, again) {
    file <- withr::local_tempfile()
    again(checkpoint = file)
    again(checkpoint = file)$table
  }
)

# The runs of a fit, made in two parts.
matrix_halves <- function(fit, again) {
  n <- fit$resamples$n_runs
  if (is.null(n)) {
    return(list(fit, fit))
  }
  first <- seq_len(min(4L, n - 1L))
  list(again(plan = fit$resamples[first]), again(plan = fit$resamples[-first]))
}

# @return the value, or the error; other errors than ours are kept too.
matrix_try <- function(code) {
  tryCatch(suppressMessages(suppressWarnings(code)), error = function(e) e)
}

matrix_refused <- function(x) inherits(x, "stabilect_error")

# find_signals() has fixed arguments: R itself says what it does not have.
matrix_no_argument <- function(x) {
  inherits(x, "error") && grepl("unused argument", conditionMessage(x), fixed = TRUE)
}

matrix_words <- function(e) {
  words <- gsub("\\s+", " ", cli::ansi_strip(conditionMessage(e)))
  gsub(" and length [0-9]+", "", words)
}

matrix_run <- function(verb, way, ...) {
  given <- utils::modifyList(way$given, list(...))
  do.call(matrix_fits[[verb]], c(way$data, given))
}

# @return list(state ("equal", "refused", "none" or "wrong"), words (string)).
matrix_cell <- function(question, fits, axis, verb) {
  values <- lapply(1:2, function(k) {
    again <- function(...) matrix_run(verb, axis$ways[[k]], ...)
    matrix_try(matrix_questions[[question]](fits[[k]], axis$ways[[k]], again))
  })
  failed <- vapply(values, inherits, NA, "error")
  if (all(failed) && all(vapply(values, matrix_no_argument, NA))) {
    return(list(state = "none", words = ""))
  }
  if (any(failed)) {
    words <- vapply(values, function(v) if (inherits(v, "error")) matrix_words(v) else "(ran)", "")
    none <- all(failed) && all(grepl(matrix_not_for, words))
    fair <- all(failed) && all(vapply(values, matrix_refused, NA)) && (none || words[1] == words[2])
    state <- if (!fair) "wrong" else if (none) "none" else "refused"
    return(list(state = state, words = if (fair) words[1] else paste(words, collapse = " // ")))
  }
  if (axis$common) {
    names <- intersect(names(values[[1]]), names(values[[2]]))
    values <- lapply(values, `[`, names)
  }
  same <- all.equal(values[[1]], values[[2]], tolerance = 1e-7)
  list(state = if (isTRUE(same)) "equal" else "wrong", words = paste(same, collapse = "; "))
}

# Refusals of questions that are not for this kind of fit at all, whatever the axis.
matrix_not_for <- paste(
  "do(es)? not apply here", "must be a result of", "has no model to predict with",
  "cannot be made a selection", "names features but ranks no others", "can be merged, not",
  "test the features, and so choose them", "stability selection has no model",
  "needs a `cutoff` here",
  "Tests on splits need at least 16",
  sep = "|"
)

# Questions that take longer are asked of one verb for each axis, the longest for every second axis.
matrix_long <- c(
  "autoplot", "replicate", "error_rates", "signature", "checkpoint", "merge", "merge_data", "until"
)
matrix_longest <- c(
  "plot", "report", "permute", "samples", "simulated_samples", "alternatives"
)

# @param a,v (integer) axis, and verb among those that have it. @return (character) questions.
matrix_turn <- function(asked, a, v, n_verbs) {
  number <- match(asked, names(matrix_questions)) + a
  own <- number %% n_verbs + 1L == v
  rare <- asked %in% matrix_longest
  asked[!asked %in% c(matrix_long, matrix_longest) | own & (!rare | number %/% n_verbs %% 2L == 0L)]
}

# All cells, or few of the long questions.
# @return (data frame) axis, verb, question, state, words.
matrix_all <- function(whole = FALSE, axes = matrix_axes(), verbs = names(matrix_fits),
                       questions = names(matrix_questions)) {
  do.call(rbind, lapply(seq_along(axes), function(a) {
    matrix_axis(a, names(axes)[a], axes[[a]], verbs, questions, whole)
  }))
}

matrix_axis <- function(a, name, axis, verbs, questions, whole) {
  cell <- function(verb, question, state, words) {
    data.frame(axis = name, verb = verb, question = question, state = state, words = words)
  }
  verbs <- intersect(verbs, axis$verbs)
  made <- lapply(stats::setNames(nm = verbs), function(verb) {
    lapply(axis$ways, function(way) matrix_try(matrix_run(verb, way)))
  })
  failed <- lapply(made, function(fits) vapply(fits, inherits, NA, "error"))
  # A verb that does not have the axis refuses it, even where it changes nothing.
  out <- lapply(verbs[vapply(failed, any, NA)], function(verb) {
    lost <- made[[verb]][failed[[verb]]]
    fair <- all(vapply(lost, function(e) matrix_refused(e) || matrix_no_argument(e), NA))
    ok <- fair && failed[[verb]][1]
    cell(verb, "fit", if (ok) "none" else "wrong", matrix_words(lost[[1]]))
  })
  verbs <- verbs[!vapply(failed, any, NA)]
  asked <- setdiff(questions, axis$not)
  for (v in seq_along(verbs)) {
    verb <- verbs[v]
    fits <- made[[verb]]
    own <- if (whole) asked else matrix_turn(asked, a, v, length(verbs))
    out <- c(out, lapply(own, function(question) {
      found <- matrix_cell(question, fits, axis, verb)
      cell(verb, question, found$state, found$words)
    }))
    if (!is.null(axis$says)) {
      says <- all(vapply(fits, matrix_says, NA, axis$says))
      out <- c(out, list(cell(verb, "says", if (says) "equal" else "wrong", axis$says)))
    }
  }
  do.call(rbind, out)
}

# Do print and, where it is written for the verb, the methods section say it?
matrix_says <- function(fit, words) {
  print <- gsub("\\s+", " ", paste(utils::capture.output(print(fit)), collapse = " "))
  methods <- matrix_questions$methods(fit)
  own <- !grepl("made with the package", methods) && !inherits(fit, "stabilect_signals")
  grepl(words, print, fixed = TRUE) && (!own || grepl(words, methods, fixed = TRUE))
}
