# Survival times as a response: reading, refusing, resampling, printing.

d <- survival_design()
y <- surv_of(d)

refused <- function(code, pattern) {
  error <- expect_error(code, class = "stabilect_error_input")
  expect_match(gsub("\\s+", " ", cli::ansi_strip(conditionMessage(error))), pattern)
}

test_that("times and events are read from a Surv with and without its package, and given back", {
  response <- read_response(y, 60)
  expect_identical(unclass(response)[c("type", "y", "event")], list(
    type = "survival", y = d$time, event = d$event
  ))
  expect_identical(response_labels(response), y)
  rows <- c(3, 3, 9)
  expect_identical(label_rows(y, rows), new_surv(d$time[rows], d$event[rows]))
  skip_if_not_installed("survival")
  real <- survival::Surv(d$time, d$event)
  expect_identical(read_response(real, 60), response)
  # 1 and 2 are what Surv() takes for censored and dead.
  expect_identical(read_response(survival::Surv(d$time, d$event + 1), 60), response)
  expect_identical(read_response(survival::Surv(d$time, d$event == 1), 60), response)
  expect_equal(response_labels(response), real, ignore_attr = TRUE)
  expect_identical(label_rows(real, c(3, 3, 9)), label_rows(y, c(3, 3, 9)))
})

test_that("what is no right-censored time is refused by name", {
  read <- function(time, event, n = length(time)) read_response(new_surv(time, event), n)
  refused(read(c(1, 0, 2), c(1, 1, 0)), "the time 0 at position 2; times must be > 0")
  refused(read(c(1, -3, 2), c(1, 1, 0)), "the time -3 at position 2")
  refused(read(c(1, NA, 2), c(1, 1, 0)), "the time NA at position 2")
  refused(read(c(1, 2, Inf), c(1, 1, 0)), "the time Inf at position 3")
  refused(read(c(1, 2, 3), c(1, NA, 1)), "no known event status at position 2")
  refused(read(c(1, 2, 3), c(0, 0, 0)), "no event: all 3 times are censored")
  refused(read(c(1, 2, 3), c(0, 1, 0)), "a single event, at position 2")
  refused(read(c(2, 2, 2), c(1, 1, 0)), "All times in `y` are 2")
  refused(read(c(1, 0, 1), c(NA, NA, 1)), "are times and events swapped")
  refused(read(1:3, c(1, 1, 0), 4), "`y` has 3 values but `x` has 4 rows")
  refused(read_response(data.frame(time = 1:3, event = 1), 3), "survival::Surv\\(time, event\\)")
  refused(read_response(cbind(OS.time = 1:3, OS.event = 1), 3), "\"OS.time\" and \"OS.event\"")
  skip_if_not_installed("survival")
  refused(read_response(survival::Surv(1:3, 2:4, type = "interval2"), 3), "interval-censored")
  refused(read_response(survival::Surv(1:3, c(1, 0, 1), type = "left"), 3), "left-censored")
  refused(read_response(survival::Surv(1:3, 2:4, c(1, 0, 1)), 3), "times of entry")
  refused(
    read_response(survival::Surv(1:3, factor(c("alive", "dead", "dead"))), 3),
    "several kinds of event.*Surv\\(time, event == \"dead\"\\)"
  )
  swapped <- suppressWarnings(survival::Surv(d$event, d$time))
  refused(read_response(swapped, 60), "are times and events swapped")
})

test_that("every verb that takes an outcome refuses times of entry by name", {
  skip_if_not_installed("survival")
  x <- d$x
  entry <- survival::Surv(d$time / 2, d$time, d$event)
  cox <- selector_filter("cox")
  fit <- fealect(x, y, n_runs = 3, n_boot = 0, oob = FALSE, seed = 1)
  patients <- data.frame(from = d$time / 2, to = d$time, event = d$event, x)
  doors <- list(
    formula = quote(fealect(survival::Surv(from, to, event) ~ ., patients)),
    prepared = quote(fealect(prepare_study(x, entry))),
    columns = quote(fealect(patients, c("from", "to", "event"))),
    replication = quote(evaluate_replication(fit, x, entry)),
    samples = quote(estimate_sample_size(fit, x, entry)),
    effects = quote(feature_effects(fit, x, entry)),
    alternatives = quote(alternative_lists(fit, x, entry)),
    error_rates = quote(estimate_error_rates(fit, x, entry)),
    signature = quote(test_signature(x, entry, 1:2)), model = quote(fit_model(x, entry, 1:2)),
    new_samples = quote(validate_model(fit$model, x, entry)),
    draws = quote(draw_resamples(resample_subsample(5), entry)),
    measures = quote(measure_predictions(entry, d$time)),
    selectors = quote(evaluate_selectors(x, entry, cox, n_features = 2)),
    stability = quote(estimate_stability(x, entry, cox, n_features = 2))
  )
  verbs <- c(
    "fealect", "stability_selection", "bolasso", "find_signals", "split_test", "lasso_path",
    "lars_path", "eliminate_features", "evaluate_elimination", "hybrid_rfe", "tune_tradeoff"
  )
  with_selector <- c("select_ensemble", "score_features")
  doors <- c(
    doors, lapply(verbs, function(verb) call(verb, x, entry)),
    lapply(with_selector, function(verb) call(verb, x, entry, cox))
  )
  for (door in doors) {
    refused(eval(door), "times of entry, `Surv\\(start, stop, event\\)`.* from time 0 on")
  }
})

test_that("counts are read when they are asked for", {
  counts <- c(0, 3, 1, 7)
  expect_identical(
    unclass(read_response(counts, 4, family = "poisson"))[c("type", "y")],
    list(type = "count", y = counts)
  )
  expect_identical(read_response(counts, 4)$type, "numeric")
  expect_identical(read_response(c(0, 1, 1), 3, family = "poisson")$type, "count")
  refused(read_response(c(0, 2.5, 1), 3, family = "poisson"), "2.5 at position 2; counts are whole")
  refused(read_response(c(0, -2, 1), 3, family = "poisson"), "-2 at position 2")
  refused(read_response(c("a", "b", "a"), 3, family = "poisson"), "must hold counts")
  refused(read_response(c(2, 2, 2), 3, family = "poisson"), "constant")
})

test_that("numbers that may be classes are asked about", {
  codes <- rep(1:2, 30)
  refused(fit_model(d$x, codes), "2 distinct values, 1 and 2; are they classes.*factor\\(y\\)")
  expect_warning(fit_model(d$x, rep(0:2, 20)), class = "stabilect_warning_few_values")
  expect_silent(fit_model(d$x, rep(0:1, 30)))
})

test_that("the study of survival times says events and follow-up, and has a hash of both", {
  study <- open_study(d$x, y, "survival")
  expect_match(
    describe_study(study_record(study)),
    sprintf(
      "^60 samples x 12 features; outcome: %d events, median follow-up [0-9.]+$", sum(d$event)
    )
  )
  other <- d$event
  other[c(1, match(1 - other[1], other))] <- 1L - other[c(1, match(1 - other[1], other))]
  others <- open_study(d$x, new_surv(d$time, other), "survival")
  expect_false(hash_study(study) == hash_study(others))
  expect_identical(hash_study(study), hash_study(open_study(d$x, y, "survival")))
  # Features that go with the hazard.
  expect_identical(feature_directions(study)[1:2], c("+", "-"))
  skip_if_not_installed("survival")
  fit <- survival::survfit(survival::Surv(d$time, 1 - d$event) ~ 1)
  expect_equal(median_follow_up(d$time, d$event), unname(summary(fit)$table["median"]))
  # Residuals of the model without features; Breslow's are those of Nelson and Aalen.
  null <- survival::coxph(survival::Surv(d$time, d$event) ~ 1)
  expect_equal(
    martingale_residuals(d$time, d$event), unname(stats::residuals(null, "martingale"))
  )
})

test_that("resamples have the share of events, and runs without any are drawn again", {
  drawn <- draw_resamples(resample_pairs(50, stratify = TRUE), y, seed = 1)
  events <- colSums(drawn$counts[d$event == 1L, ])
  expect_lte(diff(range(events)), 1)
  expect_identical(drawn$status, rep("ok", 100))
  rare <- new_surv(1:30, rep(c(1L, 0L), c(2, 28)))
  drawn <- draw_resamples(resample_subsample(200, 0.3), rare, seed = 1)
  expect_gt(sum(drawn$redraws), 0)
  expect_true(all(colSums(drawn$counts[1:2, ]) > 0))
  # A run of events alone is a good one.
  all_events <- new_surv(1:30, rep(1L, 30))
  drawn <- draw_resamples(resample_bootstrap(20), all_events, seed = 1)
  expect_identical(drawn$status, rep("ok", 20))
  chosen <- draw_resamples(resample_custom(list(1:5, 3:12)), rare)
  expect_identical(chosen$status, c("ok", "no events"))
})

test_that("formulas and prepared data hold survival times", {
  skip_if_not_installed("survival")
  table <- data.frame(time = d$time, event = d$event, d$x)
  a <- score_features(survival::Surv(time, event) ~ ., table, selector_filter("cox"))
  expect_identical(a, score_features(d$x, y, selector_filter("cox")))
  real <- survival::Surv(d$time, d$event)
  data <- prepare_study(d$x, real, blocks = rep(1:30, 2))
  expect_output(print(data), sprintf("response: %d events, median follow-up", sum(d$event)))
  expect_identical(a, score_features(data, selector = selector_filter("cox")))
  gap <- replace(d$x, cbind(2, 3), NA)
  kept <- prepare_study(gap, real, na = "omit")
  expect_identical(
    score_features(kept, selector = selector_filter("cox")),
    score_features(d$x[-2, ], label_rows(y, -2), selector_filter("cox"))
  )
})

test_that("permutations move times together with events", {
  study <- open_study(d$x, y, "survival")
  order <- rev(seq_len(60))
  moved <- permute_study(study, order)
  expect_identical(moved$response$y, d$time[order])
  expect_identical(moved$response$event, d$event[order])
  units <- exchangeable_units(study, NULL)
  expect_identical(
    anyDuplicated(unique(data.frame(units$value, d$time, d$event))$units.value), 0L
  )
})

test_that("equal times and events are one label", {
  expect_identical(n_distinct_labels(new_surv(c(2, 2, 2), c(1, 1, 1))), 1L)
  expect_identical(n_distinct_labels(new_surv(c(2, 2, 3), c(1, 0, 0))), 3L)
})

test_that("events coded 1 and 2 are refused with what to do", {
  x <- data.frame(time = c(3, 1, 2, 5), status = c(1, 2, 2, 1), g1 = c(1, 3, 2, 5), g2 = 4:1)
  expect_error(fit_model(x, c("time", "status")), "x\\$status <- x\\$status == 2",
    class = "stabilect_error_input")
  x$status <- x$status == 2
  expect_no_error(suppressWarnings(fit_model(x, c("time", "status"), features = "g1")))
})
