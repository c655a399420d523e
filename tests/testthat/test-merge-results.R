merge_data <- function() list(x = mcl_distinct()[, 1:59], y = mcl_sll$MCL)

joined_draws <- function(plan, n_runs = c(12, 20), seeds = 1:2, y = merge_data()$y) {
  do.call(c, Map(function(n, seed) draw_resamples(plan(n), y, seed = seed), n_runs, seeds))
}

# All but what tells that a result was merged.
without_origin <- function(result) {
  result$made[c("merged", "seed", "call", "selectors")] <- NULL
  result
}

test_that("merged FeaLect results are the result of the joined resamples", {
  d <- merge_data()
  run <- function(...) fealect(d$x, d$y, n_boot = 50, ...)
  parts <- list(run(n_runs = 12, seed = 1), run(n_runs = 20, seed = 2))
  stratified <- function(n_runs) resample_subsample(n_runs, stratify = TRUE)
  whole <- run(resampling = joined_draws(stratified))
  merged <- merge_runs(parts[[1]], parts[[2]], x = d$x, y = factor(d$y))
  expect_identical(without_origin(merged), without_origin(whole))
  expect_identical(without_origin(merge_runs(parts, x = d$x, y = d$y)), without_origin(merged))
  bare <- c(parts[[1]], parts[[2]])
  expect_null(bare$model)
  expect_null(bare$oob)
  expect_identical(bare$table, whole$table)
  expect_identical(bare$made$merged, list(n_results = 2L, seeds = 1:2))
  expect_identical(bare$made$seed, NA_integer_)
  expect_output(print(bare), "merged from 2 results, seeds 1, 2")
  expect_output(print(bare), "no final model: merge_runs")
  expect_error(coef(bare), "merged without the data")
  expect_error(predict(bare, d$x), class = "stabilect_error_input")
  # Merged ones are merged again: the same runs in the same order.
  three <- run(n_runs = 5, seed = 3)
  expect_identical(c(bare, three)$table, c(parts[[1]], parts[[2]], three)$table)
  expect_identical(c(bare, three)$made$merged, list(n_results = 3L, seeds = 1:3))
  expect_error(c(bare, parts[[2]]), class = "stabilect_error_merge")
  expect_identical(c(three), three)
})

test_that("merged ensembles are the ensemble of the joined resamples", {
  d <- merge_data()
  selectors <- list(selector_filter("t"), selector_lasso_path())
  run <- function(...) {
    select_ensemble(d$x, d$y, selectors, n_features = 5, learner = learner_lda(), ...)
  }
  parts <- list(run(resample_bootstrap(12), seed = 1), run(resample_bootstrap(20), seed = 2))
  whole <- run(joined_draws(resample_bootstrap), seed = 1)
  merged <- merge_runs(parts, x = d$x, y = d$y)
  expect_identical(without_origin(merged), without_origin(whole))
  expect_null(do.call(c, parts)$oob)
  expect_identical(do.call(c, parts)$ranking, whole$ranking)
  expect_output(print(merged), "merged from 2 results, seeds 1, 2")
})

test_that("merged stability selection is that of the joined pairs, with their bound", {
  d <- merge_data()
  asked <- list(list(q = 5, pfer = 1), list(q = 5, cutoff = 0.7))
  for (two in asked) {
    run <- function(...) do.call(stability_selection, c(list(d$x, d$y), two, list(...)))
    parts <- list(run(n_pairs = 12, seed = 1), run(n_pairs = 20, seed = 2))
    whole <- run(resampling = joined_draws(resample_pairs))
    merged <- do.call(c, parts)
    expect_identical(without_origin(merged), without_origin(whole))
  }
  # All pairs would allow a larger q, but the paths end where they end.
  run <- function(...) stability_selection(d$x, d$y, cutoff = 0.9, ...)
  fewer <- c(run(pfer = 1, n_pairs = 12, seed = 1), run(pfer = 1, n_pairs = 20, seed = 2))
  whole <- run(q = fewer$bound$q, resampling = joined_draws(resample_pairs))
  expect_identical(fewer$table, whole$table)
  expect_identical(fewer$bound$pfer, whole$bound$pfer)
  expect_identical(fewer$bound$asked, 1)
  expect_lt(fewer$bound$q, run(pfer = 1, resampling = joined_draws(resample_pairs))$bound$q)
  expect_identical(stability_selection(merged, cutoff = 0.9)$made$merged, merged$made$merged)
  failed <- parts
  failed[[1]]$selection$status[3] <- "no signal"
  expect_identical(do.call(c, failed)$made$n_failed, 2L)
})

test_that("merged Bolasso runs are those of the joined resamples, at one lambda", {
  d <- merge_data()
  run <- function(..., lambda = 0.1) bolasso(d$x, d$y, lambda = lambda, ...)
  parts <- list(run(n_runs = 12, seed = 1), run(n_runs = 20, seed = 2))
  whole <- run(resampling = joined_draws(resample_bootstrap))
  # A fit to all samples needs the data.
  expect_false(is.null(whole$coefficients))
  whole$coefficients <- NULL
  expect_identical(without_origin(do.call(c, parts)), without_origin(whole))
  expect_error(
    c(parts[[1]], run(n_runs = 5, seed = 3, lambda = 0.2)), "another `lambda`",
    class = "stabilect_error_merge"
  )
})

test_that("parts of one draw are merged in place", {
  d <- merge_data()
  draws <- draw_resamples(resample_subsample(20), d$y, seed = 4)
  run <- function(draws) fealect(d$x, d$y, resampling = draws, n_boot = 20, oob = FALSE)
  merged <- merge_runs(run(draws[1:8]), run(draws[9:20]), x = d$x, y = d$y)
  expect_identical(without_origin(merged), without_origin(run(draws)))
  expect_identical(merged$made$seed, 4L)
  expect_error(c(run(draws[1:9]), run(draws[9:20])), "Argument 2 has 1 of 12 runs in common")
})

test_that("what does not belong together is refused with the argument and the reason", {
  d <- merge_data()
  run <- function(x = d$x, y = d$y, seed = 1, n_runs = 6, ...) {
    fealect(x, y, n_runs = n_runs, n_boot = 0, oob = FALSE, seed = seed, ...)
  }
  one <- run()
  changed <- d$x
  changed[1, 1] <- changed[1, 1] + 1
  expect_refusals({
    c(one, run(n_runs = 9))
    c(one, run(seed = 2), run(changed, seed = 3))
    c(one, run(y = rev(d$y), seed = 2))
    c(one, run(d$x[, -1], seed = 2))
    c(one, run(d$x[, rev(colnames(d$x))], seed = 2))
    c(one, run(score_rule = "step", seed = 2))
    c(one, run(fraction = 0.5, seed = 2))
    c(one, run(lambda = 1, seed = 2))
    c(one, 1)
    merge_runs(1, one)
    merge_runs(one, run(seed = 2), x = d$x)
    merge_runs(one, run(seed = 2), x = changed, y = d$y)
    c(one$selection, run(n_runs = 9)$selection[5:9])
    c(one$selection, run(changed, seed = 2)$selection)
  })
  ensemble <- function(...) {
    select_ensemble(d$x, d$y, ..., n_features = 5, resampling = resample_bootstrap(5))
  }
  slow <- function(x, y) colMeans(x)
  base <- ensemble(selector_custom(slow), seed = 1)
  refused <- function(other, why) {
    expect_error(c(base, other), why, class = "stabilect_error_merge")
  }
  refused(ensemble(selector_filter("t"), seed = 2), "another `selector`")
  refused(ensemble(selector_custom(function(x, y) -colMeans(x)), seed = 2), "settings of its sel")
  refused(ensemble(selector_custom(slow), seed = 2, aggregation = aggregate_rank("mean")), "aggreg")
  expect_s3_class(c(base, ensemble(selector_custom(slow), seed = 2)), "stabilect_ensemble")
})

test_that("equal draws by chance are no repetition, other methods on the same runs are none", {
  x <- as.matrix(mcl_sll[c(1:2, 20:21), 2:10])
  y <- mcl_sll$MCL[c(1:2, 20:21)]
  expect_length(unique(y), 2L)
  run <- function(seed, plan) {
    suppressWarnings(
      select_ensemble(x, y, selector_filter("t"), plan, n_features = 2, seed = seed),
      classes = "stabilect_warning_small_class"
    )
  }
  few <- resample_subsample(8, 0.75)
  parts <- lapply(1:2, run, plan = few)
  expect_gt(sum(parts[[1]]$resamples$run_hash %in% parts[[2]]$resamples$run_hash), 0)
  expect_identical(do.call(c, parts)$selection$n_runs, 16L)
  # No seed changes leave-one-out.
  expect_error(
    c(run(1, resample_loo()), run(2, resample_loo())), "the same runs as argument 1"
  )
  d <- merge_data()
  draws <- draw_resamples(resample_bootstrap(5), d$y, seed = 1)
  both <- lapply(list(selector_filter("t"), selector_filter("wilcoxon")), function(selector) {
    select_ensemble(d$x, d$y, selector, draws, n_features = 3, seed = 1)$selection
  })
  expect_identical(do.call(c, both)$n_runs, 10L)
})

test_that("the data can come in the form that the results were made from", {
  prepared <- prepare_study(as.matrix(mcl_sll[, 2:40]), mcl_sll$MCL)
  one <- fealect(prepared, n_runs = 6, n_boot = 0, seed = 1)
  two <- fealect(prepared, n_runs = 6, n_boot = 0, seed = 2)
  plain <- merge_runs(one, two, x = as.matrix(mcl_sll[, 2:40]), y = mcl_sll$MCL)
  expect_identical(merge_runs(one, two, x = prepared)$oob, plain$oob)
  expect_identical(merge_runs(one, two, x = MCL ~ ., y = mcl_sll[, 1:40])$model, plain$model)
  expect_match(message_of(merge_runs(one, two, x = as.matrix(mcl_sll[, 2:40]))), "Give both")
})

test_that("results with survival times or several classes are merged with their data", {
  skip_if_not_installed("survival")
  d <- withr::with_seed(1, {
    x <- matrix(rnorm(60 * 20), 60, dimnames = list(NULL, paste0("g", 1:20)))
    time <- survival::Surv(rexp(60, exp(x[, 1])), rep(c(1, 1, 0), 20))
    list(x = x, time = time, classes = factor(rep(c("a", "b", "c"), 20)))
  })
  for (y in d[c("time", "classes")]) {
    one <- fealect(d$x, y, n_runs = 6, seed = 1)
    two <- fealect(d$x, y, n_runs = 6, seed = 2)
    merged <- merge_runs(one, two, x = d$x, y = y)
    joined <- fealect(d$x, y, resampling = c(one$resamples, two$resamples))
    expect_identical(merged$table, joined$table)
    expect_identical(merged$oob, joined$oob)
    expect_identical(merged$model, joined$model)
  }
  part <- function(seed) {
    stability_selection(d$x, d$time, q = 3, cutoff = 0.8, n_pairs = 4, seed = seed)
  }
  merged <- merge_runs(part(1), part(2), x = d$x, y = d$time)
  expect_identical(merged$table, c(part(1), part(2))$table)
  expect_error(
    merge_runs(part(1), part(2), x = d$x, y = rev(d$time)), "not the data",
    class = "stabilect_error_merge"
  )
})
