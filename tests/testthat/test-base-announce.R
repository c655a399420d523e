# What takes long says so.

# Without the silence of helper-announce.R.
announce_as_users <- function(test = parent.frame()) {
  before <- as.list(announcing)
  withr::defer(list2env(before, announcing), test)
  announcing$long <- 10
}

test_that("a call is announced once, and again only where more remains than was said", {
  announce_as_users()
  verb <- new.env()
  expect_message(announce("Runs", 1, 8, verb), NA)
  expect_message(
    announce("Runs", 1, 29, verb), "Runs: about 29 s to go.*progress = TRUE",
    class = "stabilect_message_long"
  )
  expect_message(announce("Models", 50, 29, verb), NA)
  expect_message(
    announce("Permutations", 5, 295, verb), "about 4.9 min to go, more than was said"
  )
  expect_message(announce("Permutations", 300, 250, verb), NA)
})

test_that("the first runs decide, and nothing is said inside the work of another verb", {
  before <- as.list(announcing)
  withr::defer(list2env(before, announcing))
  announcing$least <- 0
  announcing$long <- 0
  x <- matrix(stats::rnorm(400), 20)
  y <- rep(0:1, 10)
  heard <- character()
  listen <- function(code) {
    heard <<- character()
    withCallingHandlers(code, stabilect_message_long = function(m) {
      heard <<- c(heard, cli::ansi_strip(conditionMessage(m)))
      invokeRestart("muffleMessage")
    })
  }
  slow <- selector_custom(function(x, y) {
    Sys.sleep(0.01)
    abs(stats::cor(x, as.numeric(y)))[, 1]
  })
  said <- listen(select_ensemble(x, y, slow, resample_bootstrap(5), seed = 1))
  # With these limits it may be said again, when the first estimate was much too low.
  expect_gt(length(heard), 0L)
  announcing$long <- 1e6
  silent <- listen(select_ensemble(x, y, slow, resample_bootstrap(5), seed = 1))
  expect_length(heard, 0L)
  expect_identical(said$table, silent$table)
  announcing$long <- 0
  listen(evaluate_replication(function(x, y, ...) {
    select_ensemble(x, y, slow, resample_bootstrap(5), ...)
  }, x, y, n_pairs = 2, n_features = 3, seed = 1))
  expect_true(all(startsWith(sub("^\\S+ ", "", heard), "Halves")))
  expect_gt(length(heard), 0L)
  # Stages after the runs, and questions that repeat the whole procedure.
  announcing$share <- 0
  age <- data.frame(age = sin(1:20))
  fit <- listen(fealect(x, y, n_runs = 5, n_boot = 0, covariates = age, seed = 1))
  expect_true(any(grepl("Out-of-bag error and what follows: ", heard, fixed = TRUE)))
  listen(alternative_lists(fit, x, y, max_steps = 2))
  expect_true(all(startsWith(sub("^\\S+ ", "", heard), "Lists")))
  expect_gt(length(heard), 0L)
})

test_that("little work is extrapolated only after some time", {
  before <- as.list(announcing)
  withr::defer(list2env(before, announcing))
  list2env(list(least = 0, long = -1, patience = 1000), announcing)
  said <- function(share) {
    verb <- function() announcer("Runs", environment())(share, 1)
    tryCatch({
      verb()
      FALSE
    }, stabilect_message_long = function(m) TRUE)
  }
  expect_false(said(0.1))
  expect_true(said(0.2))
  announcing$patience <- 0
  expect_true(said(0.1))
  expect_false(said(0))
  expect_false(said(1))
})

# What follows a stage that has taken `seconds`, if all before it took `passed`.
stage_after <- function(verb, label, passed) {
  verb$.stages$began <- verb$.stages$first <- proc.time()[["elapsed"]] - passed
  begin_stage(verb, label)
}

test_that("the first stage speaks for those that are expected after it", {
  verb <- new.env()
  left <- function(label, share, seconds, passed) {
    what_follows(stage_after(verb, label, passed), seconds, share, 0)$seconds
  }
  expect_stages(c(Folds = 10, Runs = 30, Runs = 10), verb)
  # Half of ten units took 2 s; forty units follow.
  expect_equal(left("Folds", 0.5, 2, 0), 40 * 2 / 5, tolerance = 0.05)
  # What comes later goes on as fast as all up to now.
  expect_equal(left("Runs", 0.1, 2, 4), 10 * 6 / 13, tolerance = 0.05)
  expect_identical(left("Runs", 0.5, 2, 20), 0)
  # A stage that nothing foretells is named, and has no say in how long others take.
  expect_stages(c(Strength = 4, Strength = 6, Rates = NA), verb)
  first <- what_follows(stage_after(verb, "Strength", 0), 2, 0.5, 2)
  expect_equal(first, list(seconds = 6, unknown = "Rates"), tolerance = 0.05)
  expect_identical(what_follows(stage_after(verb, "Strength", 4), 2, 0.5, 2)$seconds, 0)
  expect_identical(left("Rates", 0.5, 2, 4), 0)
  # Not expected, as where a search goes on for longer.
  expect_identical(left("Runs", 0.5, 3, 20), 0)
  # Work inside that of another verb has no say.
  expect_stages(c(Other = 1), verb)
  inner <- function() {
    .announced_work <- TRUE
    expect_stages(c(Inner = 1), verb)
  }
  inner()
  expect_named(verb$.stages$costs, "Other")
})

test_that("the stages that a call knows before add up to the whole", {
  verb <- new.env()
  expect_stages(c(
    "Whole permutations" = function(before) 20 * before,
    Permutations = function(before) before / 21
  ), verb)
  expect_stages(list("Lasso paths" = 1, "Out-of-bag error" = function(before) 6), verb)
  # Of 4 s of paths a quarter is done: 10 s, twenty times as long again, and a 21st.
  then <- what_follows(stage_after(verb, "Lasso paths", 0), 1, 0.25, 3)
  expect_equal(then, list(seconds = 6 + 200 + 10, unknown = character()), tolerance = 0.01)
  # Stages that are told again, now in numbers, are followed by the same.
  expect_stages(c("Out-of-bag error" = 5, "Out-of-bag error" = 1), verb)
  then <- what_follows(stage_after(verb, "Out-of-bag error", 4), 1, 0.2, 4)
  expect_equal(then$seconds, 5 + 20 * 14 + 14, tolerance = 0.01)
  begin_stage(verb, "Out-of-bag error")
  then <- what_follows(stage_after(verb, "Whole permutations", 10), 20, 0.1, 180)
  expect_equal(then, list(seconds = 10, unknown = character()), tolerance = 0.01)
  expect_length(stage_after(verb, "Permutations", 210)$later, 0L)
})

test_that("a stage is measured by a part of it, once, and leaves the random numbers", {
  done <- 0
  cost <- measured_stage(function() 100, function() {
    done <<- done + 1
    stats::runif(1)
    Sys.sleep(0.01)
  })
  set.seed(1)
  before <- .Random.seed
  first <- cost(5)
  expect_identical(.Random.seed, before)
  expect_gt(first, 0.9)
  expect_gte(done, 3)
  done <- 0
  expect_identical(cost(9), first)
  expect_identical(done, 0)
  expect_identical(measured_stage(function() 1, function() stop("no"))(1), NA_real_)
})

test_that("a message names what follows for an unknown time, which then speaks for itself", {
  announce_as_users()
  verb <- new.env()
  expect_message(announce("Strength", 5, 20, verb, "Error rates"), "\"Error rates\" will follow")
  expect_message(announce("Strength", 10, 15, verb, "Error rates"), NA)
  expect_message(announce("Error rates", 25, 15, verb), "Error rates: about 15 s to go[.]")
})

test_that("the lists that a signature test expects are those that it judges", {
  asked <- list(n_random = 500, permute = 50, given = TRUE)
  costs <- costs_of_lists(100, 300, TRUE, asked)
  expect_identical(costs, c(
    "Groups of random lists" = 1.2, "Groups of random lists" = 2, Permutations = 2
  ))
  asked$given <- FALSE
  expect_identical(costs_of_lists(100, 300, FALSE, asked)[["Permutations"]], NA_real_)
})

test_that("the paths expected of an elimination are those of its search", {
  asked <- list(search = search_sizes(sizes = c(9, 4, 1)), tie = "smallest", refit = TRUE)
  costs <- costs_of_paths(asked, 16, 5)
  expect_named(costs, c("Elimination", "Final elimination"))
  expect_equal(unname(costs), c(1, 1 / 5) * (4 + 3 + 2 + 1 + 4 * 4 / 3))
  # One feature is all that counts.
  x <- matrix(stats::rnorm(24 * 16), 24, dimnames = list(NULL, paste0("g", 1:16)))
  x[, 1] <- rep(c(-9, 9), 12) + x[, 1]
  fit <- eliminate_features(x, rep(0:1, 12), learner_svm(), search_peak(), seed = 1)
  asked <- fit$asked[c("search", "tie", "refit")]
  costs <- costs_of_paths(asked, 16, 5)
  expect_equal(sum(costs[names(costs) == "Elimination"]), sum(sqrt(fit$sizes$size) + 4 / 3))
})

test_that("stages before permutations speak for these", {
  verb <- function(permute, later) {
    expect_permutations(permute, list(later = later))
    stage <- begin_stage(environment(), "FeaLect")
    what_follows(stage, 3, 0.3, 7)$seconds
  }
  alone <- function(...) {
    environment(verb) <- asNamespace("stabilect")
    verb(...)
  }
  expect_equal(alone(39, 1), 390, tolerance = 0.05)
  expect_equal(alone(39, 0.1), 219, tolerance = 0.05)
  expect_equal(alone(10, 1), 100, tolerance = 0.05)
  expect_identical(permutations_as_whole(39, list(later = 0.5)), 29.5)
  # Each verb that permutes expects them.
  for (verb in c("fealect", "stability_selection", "bolasso", "select_ensemble")) {
    body <- all.names(body(get(verb, asNamespace("stabilect"))))
    expect_true(all(c("check_permute", "expect_permutations") %in% body), info = verb)
  }
})
