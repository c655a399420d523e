# Classes that are too small to be resampled, and runs that failed.

one_of_a_class <- function(ordered = FALSE) {
  withr::local_seed(1)
  y <- factor(rep(c("a", "b", "c", "d"), c(14, 13, 12, 1)), ordered = ordered)
  x <- matrix(stats::rnorm(40 * 30), 40, dimnames = list(NULL, paste0("g", 1:30)))
  x[y == "a", 1:3] <- x[y == "a", 1:3] + 2
  list(x = x, y = y)
}

resampling_verbs <- list(
  fealect = function(...) fealect(..., n_runs = 6),
  stability_selection = function(...) stability_selection(..., n_pairs = 4),
  bolasso = function(...) bolasso(..., n_runs = 4, n_folds = 3),
  select_ensemble = function(...) select_ensemble(..., selector_filter("anova"), n_features = 5),
  split_test = function(...) split_test(..., n_runs = 4),
  eliminate_features = function(...) eliminate_features(..., search = search_sizes(c(2, 10))),
  evaluate_selectors = function(...) {
    evaluate_selectors(..., selector_filter("anova"), list(), n_features = 5, n_repeats = 2)
  }
)

test_that("a class of one sample is refused by all that resample, with what leaves it out", {
  for (ordered in c(FALSE, TRUE)) {
    d <- one_of_a_class(ordered)
    for (name in names(resampling_verbs)) {
      verb <- resampling_verbs[[name]]
      told <- tryCatch(verb(d$x, d$y, seed = 1), error = identity)
      expect_s3_class(told, "stabilect_error_input")
      text <- cli::ansi_strip(conditionMessage(told))
      expect_match(text, "1 class has one sample", fixed = TRUE, info = name)
      # The expressions of the message, on these data.
      code <- regmatches(text, gregexpr("`[^`]+`", text))[[1]]
      code <- gsub("\\s+", " ", gsub("`", "", code))
      y <- d$y
      x <- d$x
      eval(parse(text = code[1]))
      left <- lapply(code[2:3], function(one) eval(parse(text = one)))
      fit <- suppressWarnings(verb(left[[1]], left[[2]], seed = 1))
      expect_false("d" %in% fit$study$levels)
    }
  }
  # So is a class in one block, and text as classes.
  blocks <- rep(1:10, 4)
  blocks[d$y == "c"] <- 3
  keep <- d$y != "d"
  data <- prepare_study(d$x[keep, ], d$y[keep], blocks = blocks[keep])
  expect_error(
    fealect(data, n_runs = 4), "one block of samples each", class = "stabilect_error_input"
  )
  expect_error(
    fealect(d$x, as.character(d$y), n_runs = 4), "has one sample", class = "stabilect_error_input"
  )
})

test_that("where more than a tenth of the runs failed, the print says why", {
  d <- one_of_a_class()
  two <- d$y %in% c("a", "b")
  fails <- function(share) {
    count <- 0
    selector_custom(function(x, y) {
      count <<- count + 1
      if (count %% 20 < 20 * share) stop("no luck")
      stats::rnorm(ncol(x))
    })
  }
  run <- function(share) {
    fit <- select_ensemble(
      d$x[two, ], d$y[two], fails(share), resample_subsample(20), n_features = 5, seed = 1
    )
    gsub("\\s+", " ", paste(format(fit), collapse = " "))
  }
  expect_match(run(0.3), "6 of 20 runs failed (error: no luck): the result rests on the other 14",
    fixed = TRUE
  )
  expect_no_match(run(0.1), "the result rests on")
})

test_that("halves that lack a class, or are too small for a default, are judged", {
  withr::local_seed(1)
  x <- matrix(stats::rnorm(40 * 20), 40, dimnames = list(NULL, paste0("g", 1:20)))
  codes <- rep(c("a", "b", "c"), c(18, 19, 3))
  x[codes == "a", 1:3] <- x[codes == "a", 1:3] + 2
  # Mixed blocks cannot be stratified: some halves have no sample of class c.
  blocks <- c(rep(1:9, 2), rep(1:9, length.out = 19), 1, 1, 2)
  for (ordered in c(FALSE, TRUE)) {
    data <- prepare_study(x, factor(codes, ordered = ordered), blocks = blocks)
    fit <- suppressWarnings(fealect(data, n_runs = 8, seed = 1))
    again <- suppressWarnings(
      evaluate_replication(fit, data, n_pairs = 4, n_features = 3, seed = 1)
    )
    expect_gt(again$table$n_again[1], 1)
    expect_identical(again$made$n_failed, 0L)
  }
  y <- factor(rep(c("a", "b", "c"), 20))
  x <- rbind(x, matrix(stats::rnorm(400), 20))
  x[y == "a", 1:3] <- x[y == "a", 1:3] + 3
  # The default of 60 samples, 10 features a model, is more than a half can have.
  fit <- split_test(x, y, n_runs = 6, seed = 1)
  expect_identical(fit$asked$n_features, 10L)
  again <- evaluate_replication(fit, x, y, n_pairs = 3, n_features = 3, seed = 1)
  expect_identical(again$made$n_failed, 0L)
  # What was asked stays asked.
  expect_error(
    evaluate_replication(split_test(x, y, n_features = 10, n_runs = 6, seed = 1), x, y, seed = 1),
    "n_features", class = "stabilect_error"
  )
})
