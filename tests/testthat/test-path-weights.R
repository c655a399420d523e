x <- two_views$x
joined <- do.call(cbind, unname(x))
view <- stats::setNames(factor(rep(names(x), c(4, 20))), colnames(joined))
sizes <- c(4, 20)

# Mean absolute coefficients of ridge regression in every run, with a penalty so large that only
# their ratios are left.
ridge_weights <- function(counts, y, family) {
  each <- apply(counts, 2L, function(count) {
    rows <- rep(seq_along(count), count)
    fit <- glmnet::glmnet(
      scale(joined[rows, ]), if (is.matrix(y)) y[rows, ] else y[rows], family, alpha = 0,
      lambda = 10^(8:6), thresh = 1e-30, standardize = FALSE
    )
    beta <- if (is.list(fit$beta)) fit$beta else list(fit$beta)
    size <- Reduce(`+`, lapply(beta, function(own) abs(own[, 3L])))
    weight <- 1 / tapply(size, view, mean)
    weight * sum(sizes) / sum(weight * sizes)
  })
  matrix(each, 2L, dimnames = list(levels(view), NULL))
}

test_that("weights are those of ridge regression with a large penalty", {
  skip_if_not_installed("glmnet")
  skip_if_not_installed("survival")
  draws <- resample_bootstrap(4)
  chosen <- function(y, ...) {
    fealect(x, y, resampling = draws, penalty = "views", oob = FALSE, n_boot = 0, ..., seed = 1)
  }
  by_hand <- withr::with_seed(4, list(
    counts = stats::rpois(80, exp(joined[, 1] / 2)), codes = sample(3L, 80, replace = TRUE),
    times = cbind(time = stats::rexp(80, exp(joined[, 1])), status = stats::rbinom(80, 1, 0.7))
  ))
  expect_like <- function(fit, y, family) {
    expect_equal(fit$paths$weights, ridge_weights(fit$resamples$counts, y, family),
      tolerance = 1e-4
    )
  }
  expect_like(chosen(two_views$number), two_views$number, "gaussian")
  expect_like(chosen(two_views$y, family = "binomial"), two_views$y, "binomial")
  expect_like(chosen(by_hand$counts, family = "poisson"), by_hand$counts, "poisson")
  groups <- factor(letters[by_hand$codes])
  expect_like(chosen(groups), groups, "multinomial")
  times <- by_hand$times
  expect_like(chosen(survival::Surv(times[, 1], times[, 2])), times, "cox")
})

test_that("covariates leave the residuals of least squares", {
  age <- withr::with_seed(5, joined[, 1] + stats::rnorm(80))
  fit <- fealect(x, two_views$number, n_runs = 3, covariates = age, penalty = "views",
    oob = FALSE, seed = 1
  )
  for (b in 1:3) {
    rows <- fit$resamples$counts[, b] > 0
    left <- stats::resid(stats::lm(two_views$number[rows] ~ age[rows]))
    signal <- tapply(abs(crossprod(scale(joined[rows, ]), left)), view, mean)
    expect_equal(
      fit$paths$weights[, b], c(24 / signal / sum(sizes / signal)), tolerance = 1e-5
    )
  }
})

test_that("a run has the path of its weights, on any number of threads and in parts", {
  verbs <- list(
    function(...) stability_selection(x, two_views$number, q = 4, cutoff = 0.7, ..., seed = 1),
    function(...) {
      stability_selection(
        x, two_views$y, q = 4, cutoff = 0.7, weakness = 0.5, family = "binomial", ..., seed = 1
      )
    }
  )
  for (verb in verbs) {
    fit <- verb(penalty = "views")
    for (b in c(1, 40)) {
      weights <- fit$paths$weights[as.integer(view), b]
      given <- verb(penalty = stats::setNames(weights, names(view)))
      expect_identical(given$selection$selected[, b], fit$selection$selected[, b])
      expect_identical(path_of_run(given$paths, b), path_of_run(fit$paths, b))
    }
    expect_identical(verb(penalty = "views", n_threads = 2)$paths, fit$paths)
    file <- withr::local_tempfile()
    expect_identical(verb(penalty = "views", checkpoint = file)$paths, fit$paths)
  }
})

test_that("merged results have the weights of their runs, and repeats choose their own", {
  half <- function(seed, ...) {
    fealect(x, two_views$y, n_runs = 5, penalty = "views", ..., seed = seed)
  }
  parts <- list(half(1), half(2))
  both <- merge_runs(parts[[1]], parts[[2]])
  expect_identical(both$paths$weights, cbind(parts[[1]]$paths$weights, parts[[2]]$paths$weights))
  expect_equal(both$views$weight, unname(apply(both$paths$weights, 1, stats::median)))
  again <- stability_selection(half(1, max_features = 6), q = 3, cutoff = 0.7, assumption = "none")
  expect_identical(again$paths$weights, half(1, max_features = 6)$paths$weights)
  fit <- stability_selection(x, two_views$y, q = 4, cutoff = 0.6, penalty = "views", seed = 1)
  expect_s3_class(
    evaluate_replication(fit, x, two_views$y, n_pairs = 2, seed = 1), "stabilect_replication"
  )
})

test_that("permutations choose their weights, alone and in batches", {
  fit <- fealect(
    x, two_views$number, n_runs = 10, max_features = 10, penalty = "views", permute = 22,
    oob = FALSE, seed = 1
  )
  study <- with_roles(open_study(x, two_views$number, "numeric", "FeaLect"), fit$study$roles)
  turned <- permute_study(study, 80:1)
  studies <- list(study, turned)
  together <- entry_statistics(
    studies, list(fit$resamples, fit$resamples), fit$null$path_size, 1, run_control()
  )
  expect_equal(together[, 1], unname(fit$null$observed))
  alone <- entry_statistics(
    list(turned), list(fit$resamples), fit$null$path_size, 1, run_control()
  )
  expect_equal(together[, 2], alone[, 1])
})

test_that("folds choose their weights", {
  study <- open_study(x, two_views$number, "numeric", "FeaLect")
  inside <- rep(c(TRUE, TRUE, FALSE, TRUE), 20)
  grid <- c(0.5, 0.2, 0.1)
  chosen <- with_roles(study, list(penalty = view))
  left <- two_views$number[inside] - mean(two_views$number[inside])
  signal <- tapply(abs(crossprod(scale(joined[inside, ]), left)), view, mean)
  weights <- signif(24 / signal / sum(sizes / signal), 6)[as.integer(view)]
  given <- with_roles(study, list(penalty = stats::setNames(weights, names(view))))
  expect_equal(
    squares_left_out(chosen, inside, grid), squares_left_out(given, inside, grid)
  )
  fit <- bolasso(x, two_views$y, cutoff = 0.6, n_runs = 5, family = "binomial", penalty = "views",
    seed = 1
  )
  expect_identical(dim(fit$paths$weights), c(2L, 5L))
})

test_that("a view that is constant in a run is left out of it", {
  rare <- list(mutation = cbind(tp53 = replace(numeric(80), 1:2, 1)), expression = x$expression)
  fit <- fealect(rare, two_views$number, n_runs = 20, fraction = 0.5, penalty = "views",
    oob = FALSE, seed = 1
  )
  absent <- colSums(fit$resamples$counts[1:2, ]) == 0
  expect_true(any(absent) && !all(absent))
  weights <- fit$paths$weights
  expect_identical(unname(is.infinite(weights["mutation", ])), absent)
  expect_equal(unname(weights["expression", absent]), rep(1, sum(absent)))
  both <- weights[, !absent]
  expect_equal(colSums(both * c(1, 20)) / 21, rep(1, ncol(both)), tolerance = 1e-5)
})

test_that("prints say the weights, and other words and data are refused", {
  fit <- stability_selection(x, two_views$y, q = 4, cutoff = 0.6, penalty = "views", seed = 1)
  shown <- gsub("\\s+", " ", paste(capture.output(print(fit)), collapse = " "))
  own <- vapply(fit$views[1, c("weight", "weight_lowest", "weight_highest")], figure, "",
    digits = 2
  )
  expect_match(shown, fixed = TRUE, sprintf(
    "penalty weights by view, chosen in every run: clinical %s (%s to %s), expression",
    own[1], own[2], own[3]
  ))
  expect_match(shown, "but a smaller penalty weight makes them likelier")
  short <- fealect(x, two_views$y, n_runs = 5, penalty = "views", seed = 1)
  expect_output(print(short), "penalty = \"views\"", fixed = TRUE)
  expect_output(print(summary(short)), "Views of features")
  refused <- function(message, x, ...) {
    expect_error(fealect(x, two_views$y, n_runs = 5, ...), message,
      class = "stabilect_error_input", fixed = TRUE
    )
  }
  refused("needs views", joined, penalty = "views")
  refused("is not for `weights`", x, penalty = "views", weights = seq_len(80))
  refused("`penalty` must be \"views\", not \"view\"", x, penalty = "view")
})

test_that("the core wants a factor for each view and run", {
  paths <- function(...) {
    cpp_score_paths(joined, two_views$number, matrix(1, 80, 2), list(rule = "size", ...), 1L, NULL)
  }
  codes <- as.integer(view) - 1L
  expect_type(paths(multiply = matrix(1, 2, 2), multiply_views = codes), "list")
  expect_error(paths(multiply = matrix(1, 2, 1), multiply_views = codes), "one factor for each")
  expect_error(paths(multiply = matrix(1, 2, 2), multiply_views = codes[-1]), "one number for")
  expect_error(paths(multiply = matrix(1, 2, 2), multiply_views = codes - 1L), "one number for")
  expect_error(paths(multiply_views = codes), "one factor for each")
})

test_that("the figures of weights chosen in runs are those that were measured", {
  table <- result_of("views", "bounds")
  all <- table[table$block == "all", ]
  none <- all[all$signal == "none", ]
  of <- function(weights) none$false[none$weights == weights]
  own <- all[all$weights == "chosen in runs", ]
  expect_says(
    "vignettes/error-rates.Rmd",
    "lists had %.2f false positives on average (with equal weights %.2f)",
    of("chosen in runs"), of("equal")
  )
  expect_says(
    "vignettes/error-rates.Rmd", "at most %.2f, within the bound of %.2f",
    max(own$false), own$bound[1]
  )
  expect_true(all(own$false <= own$bound))
})
