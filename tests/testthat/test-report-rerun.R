# The script of a report: it makes the same page again, or says what it cannot know.
x <- as.matrix(mcl_sll[, 2:41])
y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))

# The text of the last element `pre` of a page.
script_in <- function(file) {
  page <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  script <- sub("</pre>.*", "", sub(".*<pre>", "", page))
  for (of in list(c("&lt;", "<"), c("&quot;", "\""), c("&gt;", ">"), c("&amp;", "&"))) {
    script <- gsub(of[1], of[2], script, fixed = TRUE)
  }
  script
}

# Runs the script of `file` where only `data` are; is its page the same?
makes_again <- function(file, data) {
  script <- script_in(file)
  page <- readLines(file, encoding = "UTF-8")
  env <- list2env(data, parent = globalenv())
  withr::with_dir(withr::local_tempdir(), {
    eval(parse(text = script), env)
    expect_identical(readLines(basename(file), encoding = "UTF-8"), page)
  })
  env
}

test_that("the script makes the whole page, with all further results and their seeds", {
  folder <- withr::local_tempdir()
  file <- file.path(folder, "page.html")
  withr::local_seed(3)
  some <- rep(c(TRUE, TRUE, FALSE), length.out = 22)
  fit <- fealect(x, y, n_runs = 10, n_boot = 0)
  short <- stability_selection(x, y, pfer = 2, n_pairs = 10, seed = 4)
  again <- evaluate_replication(short, x, y, n_pairs = 3)
  model <- fit_model(x[some, ], y[some], features = short$table$feature[1:2])
  write_report(
    fit, file, "Would it recur?" = again, New = validate_model(model, x[!some, ], y[!some]),
    Signals = find_signals(x, y, permute = 19), Agreement = stability(short), x = x, y = y, n = 3
  )
  script <- script_in(file)
  lines <- strsplit(script, "\n", fixed = TRUE)[[1]]
  made <- sub(" <-.*", "", grep("<-", lines, value = TRUE))
  expect_setequal(made, c("fit", "short", "again", "model", "new", "signals", "agreement"))
  expect_lt(match("short", made), match("again", made))
  expect_lt(match("model", made), match("new", made))
  expect_match(script, "#   some: logical, 22 values", fixed = TRUE)
  expect_true(all(nchar(lines) <= 100L))
  env <- makes_again(file, list(x = x, y = y, some = some))
  # The calls differ by the seed that was drawn.
  env$fit$made$call <- fit$made$call
  expect_identical(env$fit, fit)
})

test_that("packages that calls need are there, and so are functions of the user by name", {
  skip_if_not_installed("survival")
  fit <- fealect(x, y, n_runs = 5, n_boot = 0, seed = 1)
  env <- new.env(parent = globalenv())
  env$mine <- function(x) x
  attached <- new.env(parent = env)
  attr(attached, "name") <- "package:survival"
  attached$Surv <- survival::Surv
  plan <- list(made = list(), own = character(), packages = character())
  call <- quote(fealect(mine(d), Surv(d$t, d$e), learner_custom(function(x, y) lm(y ~ x + z))))
  plan <- plan_used(plan, call, list(), attached)
  expect_identical(plan$packages, "survival")
  expect_identical(names(plan$own), c("mine", "d"))
  expect_match(plan$own[["d"]], "not there")
  # What another package is asked for by name needs no library().
  plan$packages <- character()
  plan <- plan_used(plan, quote(survival::Surv(d)), list(), attached)
  expect_identical(plan$packages, character())
})

test_that("results made inside the call, passed on, or given as values have names", {
  file <- withr::local_tempfile(fileext = ".html")
  write_report(fealect(x, y, n_runs = 5, n_boot = 0, seed = 3), file)
  expect_identical(makes_again(file, list(x = x, y = y))$fit$made$seed, 3L)
  passing <- function(result, ...) write_report(result, file, ...)
  fit <- fealect(x, y, n_runs = 5, n_boot = 0, seed = 3)
  passing(fit, x = x, y = y)
  makes_again(file, list(x = x, y = y))
  do.call(write_report, list(fit, file, "1st: again!" = fit, x = x, y = y))
  script <- script_in(file)
  expect_match(script, "st_again <- fealect(x, y", fixed = TRUE)
  makes_again(file, list(x = x, y = y))
  # Names that are taken already.
  fits <- list(a = fit)
  write_report(fits$a, file, Fits = stability(fit))
  script <- script_in(file)
  for (line in c("fit_1 <- fealect(x", "fit <- fealect(x", "fits_1 <- stability(fit)")) {
    expect_match(script, line, fixed = TRUE)
  }
})

test_that("what cannot be made is said: merged results, calls with values, names used twice", {
  fit <- fealect(x, y, n_runs = 5, n_boot = 0, seed = 1)
  more <- c(fit, fealect(x, y, n_runs = 5, n_boot = 0, seed = 2))
  file <- withr::local_tempfile(fileext = ".html")
  write_report(more, file)
  expect_match(script_in(file), "#   more: merged from 2 results, seeds 1, 2", fixed = TRUE)
  expect_no_match(script_in(file), "more <-", fixed = TRUE)
  inline <- do.call(fealect, list(x, y, n_runs = 5, n_boot = 0, seed = 1))
  write_report(inline, file)
  expect_match(script_in(file), "#   inline: Made by stabilect")
  fit <- stability_selection(x, y, pfer = 2, n_pairs = 5, seed = 1)
  fit <- suppressWarnings(stability_selection(fit, pfer = 3))
  write_report(fit, file)
  expect_match(script_in(file), "#   fit: an object that had this name before", fixed = TRUE)
})

test_that("only a verb with a seed gets one", {
  fit <- fealect(x, y, n_runs = 10, n_boot = 0, seed = 1)
  effects <- feature_effects(fit, x, y, features = fit$table$feature[1:2])
  expect_identical(effects$made$seed, 1L)
  expect_no_match(lines_of_call(effects, "effects"), "seed")
  expect_match(lines_of_call(fit, "fit"), "seed = 1)", fixed = TRUE)
  fit$made$call <- "fealect(x, y, seed = s)"
  expect_identical(lines_of_call(fit, "fit"), "fit <- fealect(x, y, seed = 1)")
})

test_that("the script prepares the data under the name that the call has for them", {
  holes <- withr::with_seed(1, matrix(stats::rnorm(30 * 8), 30))
  colnames(holes) <- letters[1:8]
  y <- holes[, 1] + holes[, 2]
  holes[2, 3] <- NA
  filled <- prepare_study(holes, y, na = "median")
  fit <- fealect(filled, n_runs = 5, n_boot = 0, permute = 21, seed = 1)
  expect_match(prepared_line(fit), "^filled <- prepare_study\\(")
  study <- filled
  expect_match(prepared_line(fealect(x = study, n_runs = 5, n_boot = 0, seed = 1)), "^study <- ")
  # What was repeated on permutations is said as it was done.
  expect_match(
    methods_null(fit)[[1]], "permuted 21 times; .* out-of-bag error was estimated again for 20;"
  )
  fit <- fealect(filled, n_runs = 5, n_boot = 0, permute = 9, seed = 1)
  expect_match(methods_null(fit)[[1]], "The whole procedure was repeated on 9 permutations")
})
