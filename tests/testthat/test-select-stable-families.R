# Stability selection by likelihood: sets of runs, covariates, prints and refusals.

x <- withr::with_seed(1, matrix(stats::rnorm(60 * 80), 60))
colnames(x) <- paste0("g", 1:80)
y <- withr::with_seed(2, stats::rbinom(60, 1, stats::plogis(2 * x[, 1] - 2 * x[, 2] + x[, 3])))

test_that("every run selects the model of lasso_path() with its counts as weights", {
  fit <- stability_selection(x, y, q = 4, pfer = 1, n_pairs = 6, family = "binomial", seed = 1)
  counts <- as.matrix(fit$resamples)
  for (b in 1:12) {
    path <- lasso_path(x, y, family = "binomial", weights = counts[, b], max_features = 4)
    wanted <- max(path$size)
    set <- names(which(coef(path, at = wanted, mode = "size") != 0))
    expect_setequal(colnames(x)[fit$selection$selected[, b]], set)
  }
})

test_that("frequencies are those of glmnet on the same halves, up to its grid", {
  skip_if_not_installed("glmnet")
  fit <- stability_selection(x, y, q = 4, pfer = 1, n_pairs = 10, family = "binomial", seed = 2)
  counts <- as.matrix(fit$resamples)
  differ <- vapply(seq_len(ncol(counts)), function(b) {
    rows <- counts[, b] > 0
    theirs <- suppressWarnings(glmnet::glmnet(x[rows, ], y[rows],
      family = "binomial", nlambda = 2000, dfmax = 8
    ))
    first <- which(theirs$df == 4)[1]
    if (is.na(first)) {
      return(NA)
    }
    set <- colnames(x)[theirs$beta[, first] != 0]
    !setequal(set, colnames(x)[fit$selection$selected[, b]])
  }, NA)
  expect_lte(sum(differ, na.rm = TRUE), 1)
  expect_gte(sum(!is.na(differ)), 15)
})

test_that("the result is the same for any number of threads, and again from its paths", {
  run <- function(n_threads) {
    stability_selection(x, y,
      q = 5, pfer = 1, n_pairs = 20, family = "binomial", seed = 3, n_threads = n_threads
    )
  }
  one <- run(1)
  expect_identical(run(2)$table, one$table)
  expect_identical(stability_selection(one, cutoff = 0.7)$table$frequency, one$table$frequency)
})

test_that("a covariate that tells the classes takes what the features would add", {
  twin <- withr::with_seed(1, x[, 1] + stats::rnorm(nrow(x), sd = 1e-3))
  z <- x[, 1]
  free <- withr::with_seed(2, z + stats::rnorm(nrow(x), sd = 0.3))
  noise <- withr::with_seed(3, matrix(stats::rnorm(nrow(x) * 30), nrow(x)))
  colnames(noise) <- paste0("n", 1:30)
  genes <- cbind(twin, noise)
  plain <- stability_selection(genes, free, q = 2, pfer = 1, n_pairs = 15, seed = 1)
  held <- stability_selection(genes, free, q = 2, pfer = 1, n_pairs = 15, seed = 1, covariates = z)
  frequency <- function(fit) fit$table$frequency[fit$table$feature == "twin"]
  expect_identical(frequency(plain), 1)
  expect_lt(frequency(held), 0.5)
  expect_output(print(held), "adjusted for covariates", fixed = TRUE)
})

test_that("prints name the family; what does not go together is refused", {
  fit <- stability_selection(x, y,
    q = 4, pfer = 1, n_pairs = 5, family = "binomial", alpha = 0.5, seed = 1
  )
  expect_output(print(fit), "with the lasso: logistic regression, elastic net", fixed = TRUE)
  # These paths can be permuted, too.
  expect_true(any(grepl("`permute = 39`", utils::capture.output(print(fit)), fixed = TRUE)))
  refused <- function(pattern, ...) {
    error <- expect_error(
      stability_selection(x, y, q = 4, pfer = 1, n_pairs = 5, ...),
      class = "stabilect_error_input"
    )
    expect_match(cli::ansi_strip(conditionMessage(error)), pattern)
  }
  refused("counts the steps", family = "binomial", score_rule = "step")
  refused("must be one of", family = "logistic")
})
