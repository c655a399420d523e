# A procedure is a record, and the only way to repeat a verb.

ns <- asNamespace("stabilect")

procedure_data <- function(p = 60) {
  withr::with_seed(1, {
    x <- matrix(rnorm(40 * p), 40, dimnames = list(NULL, paste0("g", seq_len(p))))
    list(x = x, y = factor(ifelse(x[, 1] - x[, 2] + rnorm(40) > 0, "ill", "well")))
  })
}

# Functions of the package are others until the frame `env` ends.
replace_functions <- function(functions, env) {
  put <- function(name, fn) {
    unlockBinding(name, ns)
    assign(name, fn, ns)
    lockBinding(name, ns)
  }
  Map(function(name, fn) {
    own <- get(name, ns)
    withr::defer(put(name, own), env)
    put(name, fn)
  }, names(functions), functions)
}

# How often functions of the package are called while `code` runs.
count_calls <- function(code, of = c("hash_data", "feature_directions", "study_record",
                                     "open_study")) {
  counts <- stats::setNames(integer(length(of)), of)
  counted <- lapply(stats::setNames(nm = of), function(name) {
    own <- get(name, ns)
    function(...) {
      counts[[name]] <<- counts[[name]] + 1L
      own(...)
    }
  })
  replace_functions(counted, environment())
  force(code)
  unname(counts)
}

# Frames from a verb to the engine, both counted: the most while `code` runs.
frames_to_engine <- function(code, verb) {
  deepest <- 0L
  engine <- ns$cpp_score_paths
  replace_functions(list(cpp_score_paths = function(...) {
    calls <- vapply(sys.calls(), function(call) deparse(call[[1]])[1], "")
    deepest <<- max(deepest, length(calls) - max(which(calls == verb)) + 1L)
    engine(...)
  }), environment())
  force(code)
  deepest
}

# A verb that the package does not have: the `k` features with the largest absolute correlation in
# each resample; a list of those in at least half of the runs.
top_procedure <- function(asked, plan) {
  ns$new_procedure("top", asked, plan, top_job, read_top, takes = c("binary", "numeric"))
}

top_job <- function(study, draws, asked, control) {
  work <- ns$one_by_one(function(b) {
    rows <- rep(seq_len(study$n), draws$counts[, b])
    r <- abs(stats::cor(study$x[rows, ], study$response$y[rows]))
    replace(numeric(study$p), order(-r)[seq_len(asked$k)], sort(r, TRUE)[seq_len(asked$k)])
  })
  bind <- function(values, draws) {
    score <- matrix(unlist(values), study$p, dimnames = list(study$feature_names, NULL))
    list(score = ns$as_dgc(score))
  }
  look <- function(runs) list(top_selection(runs))
  ns$new_job(list(work), "Top", list(list("top", asked)), bind, look)
}

top_selection <- function(runs) {
  ns$new_selection(
    runs$score, methods::as(runs$score, "nMatrix"), runs$draws$status, "top", runs$draws,
    runs$draws$seed,
    data_hash = runs$hash
  )
}

read_top <- function(runs, asked, study, record, control) {
  selection <- if (is.null(runs$selection)) top_selection(runs) else runs$selection
  frequency <- unname(Matrix::rowMeans(selection$selected))
  table <- data.frame(
    feature = record$feature_names, score = frequency, selected = frequency >= 0.5
  )
  table <- table[order(-table$score), ]
  ns$new_result(
    "stabilect_top", table,
    features = table$feature[table$selected], selection = selection, resamples = runs$draws,
    asked = asked, study = record, made = ns$run_account(selection, runs$draws, runs$until)
  )
}

select_top <- function(x, y, k = 5, n_runs = 20, permute = 0, seed = 1, checkpoint = NULL,
                       until = NULL) {
  study <- ns$open_study(x, y, c("binary", "numeric"))
  control <- ns$run_control(1, FALSE, checkpoint, until)
  draws <- ns$study_draws(study, resample_subsample(n_runs), seed)
  procedure <- top_procedure(list(k = k), draws$plan)
  fit <- ns$carry_out(procedure, study, draws, control, ns$study_record(study))
  ns$add_null(fit, procedure, study, permute, control)
}

registerS3method(
  "procedure_of", "stabilect_top", function(x) top_procedure(x$asked, x$resamples$plan),
  envir = ns
)

test_that("a verb and its permutations hash the data, record and open the study once", {
  d <- procedure_data()
  once <- rep(1L, 4)
  expect_identical(count_calls(fealect(d$x, d$y, n_runs = 10, seed = 1)), once)
  expect_identical(count_calls(fealect(d$x, d$y, n_runs = 10, permute = 5, seed = 1)), once)
  expect_identical(count_calls(
    stability_selection(d$x, d$y, q = 4, cutoff = 0.8, n_pairs = 5, permute = 5, seed = 1)
  ), once)
  expect_identical(count_calls(bolasso(d$x, d$y, n_runs = 5, permute = 3, seed = 1)), once)
  expect_identical(count_calls(select_ensemble(
    d$x, d$y, selector_filter("t"), resample_bootstrap(8), permute = 5, seed = 1
  )), once)
})

test_that("halves and parts are cut from the study that was opened", {
  d <- procedure_data()
  once <- rep(1L, 4)
  fit <- fealect(d$x, d$y, n_runs = 8, seed = 1)
  stable <- stability_selection(d$x, d$y, q = 4, cutoff = 0.8, n_pairs = 5, seed = 1)
  for (one in list(fit, stable)) {
    expect_identical(count_calls(evaluate_replication(one, d$x, d$y, n_pairs = 2, seed = 1)), once)
  }
  expect_identical(count_calls(estimate_sample_size(fit, d$x, d$y, n_pairs = 5, seed = 1)), once)
  # A function of the user is given the data, which it opens.
  own <- function(x, y, ...) fealect(x, y, n_runs = 5, ...)
  expect_identical(
    count_calls(evaluate_replication(own, d$x, d$y, n_pairs = 2, seed = 1)), rep(5L, 4)
  )
})

test_that("few frames lie between a verb and the engine, none of which hashes", {
  d <- procedure_data()
  expect_lte(frames_to_engine(fealect(d$x, d$y, n_runs = 5, seed = 1), "fealect"), 6L)
  expect_lte(
    frames_to_engine(fealect(d$x, d$y, n_runs = 5, permute = 2, seed = 1), "fealect"), 9L
  )
  fit <- fealect(d$x, d$y, n_runs = 5, seed = 1)
  expect_lte(frames_to_engine(
    evaluate_replication(fit, d$x, d$y, n_pairs = 1, seed = 1), "evaluate_replication"
  ), 17L)
})

test_that("a verb of somebody else gets permutations and merging by its record", {
  d <- procedure_data()
  fit <- select_top(d$x, d$y, permute = 20L)
  expect_s3_class(fit$null, "stabilect_null")
  expect_true(all(c("expected_by_chance", "p_fwer", "q_fdr") %in% names(fit$table)))
  expect_identical(fit$null$n_asked, 20L)
  expect_identical(fit$null$observed[fit$table$feature], stats::setNames(
    fit$table$score, fit$table$feature
  ))
  parts <- list(select_top(d$x, d$y), select_top(d$x, d$y, n_runs = 10, seed = 2))
  merged <- c(parts[[1]], parts[[2]])
  expect_s3_class(merged, "stabilect_top")
  expect_identical(merged$made$n_runs, 30L)
  both <- cbind(parts[[1]]$selection$selected, parts[[2]]$selection$selected)
  frequency <- Matrix::rowMeans(both)
  expect_equal(merged$table$score, unname(sort(frequency, TRUE)))
  with_data <- merge_runs(parts[[1]], parts[[2]], x = d$x, y = d$y)
  expect_identical(with_data$table, merged$table)
  other <- select_top(d$x, d$y, k = 3, seed = 2)
  expect_error(c(parts[[1]], other), class = "stabilect_error_merge")
})

test_that("it is replicated, and its sample size and error rates estimated, by its record", {
  d <- procedure_data()
  fit <- select_top(d$x, d$y)
  expect_true(repeatable(fit))
  again <- evaluate_replication(fit, d$x, d$y, n_pairs = 4, n_features = 3, seed = 1)
  draws <- draw_resamples(resample_pairs(4, stratify = TRUE), d$y, seed = 1)
  rows <- which(draws$counts[, 1] > 0)
  half <- select_top(d$x[rows, ], d$y[rows], seed = child_seeds(1, 8)[1])
  study <- ns$open_study(d$x, d$y, "binary")
  procedure <- ns$as_procedure(fit, "object")
  result <- ns$answer_on(procedure, study, rows, child_seeds(1, 8)[1], 1L)
  ranking <- ns$ranking_of_result(result, study$feature_names, "object")
  expect_identical(ranking$order[1:3], match(half$table$feature[1:3], colnames(d$x)))
  expect_identical(again$table$n_features[1], 3)
  expect_s3_class(
    estimate_sample_size(fit, d$x, d$y, n_features = 4, n_pairs = 5, seed = 1),
    "stabilect_sample_size"
  )
  judged <- estimate_error_rates(
    fit, d$x, d$y, n_true = 2, r_squared = 0.9, n_simulations = 2, seed = 1
  )
  expect_gt(judged$table$true[judged$table$cut == "own"][1], 0)
})

test_that("it stops by a rule and goes on from a checkpoint", {
  d <- procedure_data()
  fit <- select_top(d$x, d$y, n_runs = 200, until = until_stable(0.2))
  expect_lt(fit$made$n_runs, 200L)
  expect_true(fit$made$until$reached)
  file <- withr::local_tempfile()
  first <- select_top(d$x, d$y, checkpoint = file)
  expect_length(checkpoint_content(file)$parts, 20L)
  expect_identical(select_top(d$x, d$y, checkpoint = file), first)
  expect_error(select_top(d$x, d$y, k = 4, checkpoint = file), class = "stabilect_error_checkpoint")
})

test_that("merged results of bolasso() with the data have their coefficients", {
  d <- procedure_data(10)
  one <- bolasso(d$x, d$y, lambda = 0.05, n_runs = 5, cutoff = 0.5, seed = 1)
  two <- bolasso(d$x, d$y, lambda = 0.05, n_runs = 6, cutoff = 0.5, seed = 2)
  merged <- merge_runs(one, two, x = d$x, y = d$y)
  expect_identical(setdiff(names(one), names(merged)), character())
  whole <- bolasso(
    d$x, d$y, lambda = 0.05, cutoff = 0.5, resampling = c(one$resamples, two$resamples)
  )
  expect_gt(length(whole$features), 0)
  expect_identical(merged$coefficients, whole$coefficients)
  expect_false("coefficients" %in% names(c(one, two)))
})

test_that("a verb's record says whether a result can be repeated, wherever that is asked", {
  d <- procedure_data()
  made <- list(
    fealect(d$x, d$y, n_runs = 5, seed = 1),
    select_ensemble(d$x, d$y, selector_filter("t"), resample_bootstrap(5), seed = 1),
    hybrid_rfe(d$x, d$y, n_features = 6, resampling = resample_bootstrap(4), seed = 1)
  )
  for (fit in made) {
    expect_true(repeatable(fit))
    expect_s3_class(ns$as_procedure(fit, "object"), "stabilect_procedure")
  }
  clustered <- fealect(d$x, d$y, n_runs = 5, clusters = list(a = c("g1", "g2")), seed = 1)
  custom <- fealect(d$x, d$y, resampling = resample_custom(list(1:30, 11:40)), seed = 1)
  unknown <- made[[2]]
  unknown$made$selectors <- NULL
  for (fit in list(clustered, custom, unknown, stability(made[[1]]))) {
    expect_false(repeatable(fit))
    expect_error(ns$as_procedure(fit, "object"), class = "stabilect_error_input")
  }
})

test_that("a print offers to plan samples by tests on splits only where parts suffice", {
  offered <- function(n) {
    d <- withr::with_seed(1, list(x = matrix(rnorm(n * 12), n), y = rnorm(n)))
    fit <- split_test(d$x, d$y, n_runs = 4, seed = 1)
    fit$features <- character()
    next_sample_size(fit)
  }
  expect_match(offered(60), "estimate_sample_size(selector_filter(\"pearson\")", fixed = TRUE)
  expect_match(offered(100), "estimate_sample_size(fit, x, y)", fixed = TRUE)
})

test_that("an evaluation keeps the names of procedures, not what they run", {
  d <- procedure_data()
  own <- function(x, y, ...) fealect(x, y, n_runs = 3, n_boot = 0, ...)
  judged <- evaluate_selectors(d$x, d$y, list(own = own), n_features = 3, n_repeats = 2, seed = 1)
  expect_identical(names(judged$asked$selectors$own), c("name", "key"))
})

test_that("a repeat in which no run succeeds is told from an error", {
  d <- procedure_data()
  fit <- fealect(d$x, d$y, n_runs = 5, seed = 1)
  failing <- ns$procedure_of(fit)
  failing$read <- function(...) ns$abort("No run succeeded.", class = "runs")
  study <- ns$open_study(d$x, d$y, "binary")
  expect_identical(
    ns$carry_out_on(failing, study, 1:30, 1, 1L, failed = function(e) "none"), "none"
  )
  expect_error(ns$carry_out_on(failing, study, 1:30, 1, 1L), class = "stabilect_error_runs")
  failing$read <- function(...) ns$abort("Something else.")
  expect_error(
    ns$carry_out_on(failing, study, 1:30, 1, 1L, failed = function(e) "none"), "Something else"
  )
})
