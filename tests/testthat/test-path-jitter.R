# Measurement noise in every run: what a run sees, laws, refusals, and what it delivers.

n <- 48L
d <- withr::with_seed(11, {
  x <- matrix(rnorm(n * 30), n, dimnames = list(NULL, paste0("g", 1:30)))
  list(x = x, y = 2 * x[, 1] - 2 * x[, 2] + x[, 3] + rnorm(n) / 2)
})
noise <- stats::setNames(rep(c(0, 0.3, 0.6), 10), colnames(d$x))
find <- function(x = d$x, ...) {
  stability_selection(x, d$y, q = 4, cutoff = 0.7, n_pairs = 20, ..., seed = 1)
}

# What runs see.
jitter_of <- function(x, value) {
  study <- open_study(x, rep_len(c(0, 1, 3), nrow(x)), "numeric")
  role_registry$all()$jitter$see(study, value)
}

test_that("a run sees noise of the standard deviations given, and other runs other noise", {
  many <- 5 + outer(1:4000, 1:3, function(i, j) cos(i * j) / 1000)
  colnames(many) <- c("b", "a", "c")
  see <- function(x, value, seed) jitter_of(x, value)(x, seed)
  seen <- see(many, c(b = 2, a = 0.5, c = 0), 1L)
  expect_equal(unname(apply(seen, 2, sd)), c(2, 0.5, sd(many[, 3])), tolerance = 0.05)
  expect_equal(unname(colMeans(seen)), c(5, 5, 5), tolerance = 0.02)
  expect_identical(see(many, c(b = 2, a = 0.5, c = 0), 1L), seen)
  expect_false(identical(see(many, c(b = 2, a = 0.5, c = 0), 2L), seen))
})

test_that("a run is that of x with its noise", {
  plan <- resample_custom(counts = matrix(1L, n, 1))
  run <- function(x, ...) fealect(x, d$y, resampling = plan, oob = FALSE, ..., seed = 1)
  fit <- run(d$x, jitter = noise)
  seed <- child_seeds(fit$resamples$seed, 1L)
  alone <- run(jitter_of(d$x, noise)(d$x, seed))
  expect_identical(fit$table$score, alone$table$score)
  expect_identical(fit$table$feature, alone$table$feature)
})

test_that("threads, parts, names and the order of columns change nothing", {
  whole <- find(jitter = noise)
  expect_identical(find(jitter = noise, n_threads = 2)$table, whole$table)
  expect_identical(find(jitter = rev(noise[noise > 0]))$table, whole$table)
  other <- find(d$x[, 30:1], jitter = noise)
  by_name <- function(table) table$frequency[order(table$feature)]
  expect_equal(by_name(other$table), by_name(whole$table))
  expect_false(identical(whole$table, find()$table))
  expect_output(print(whole), "measurement noise in every run, for 20 features")
})

test_that("features that much noise hides are found less often, others as before", {
  plain <- find()$table
  noisy <- find(jitter = c(g1 = 5, g2 = 0))$table
  frequency <- function(table, name) table$frequency[table$feature == name]
  expect_gt(frequency(plain, "g1"), 0.9)
  expect_lt(frequency(noisy, "g1"), 0.5)
  expect_gt(frequency(noisy, "g2"), 0.9)
  fit <- bolasso(
    d$x, factor(d$y > 0), jitter = c(g1 = 5), n_runs = 20, n_folds = 5, family = "binomial",
    seed = 1
  )
  expect_gt(frequency(fit$table, "g2"), frequency(fit$table, "g1") + 0.3)
})

test_that("what is no standard deviation is refused", {
  refused <- function(jitter, words) {
    expect_error(find(jitter = jitter), words, class = "stabilect_error_input")
  }
  refused(-1, "-1 at position 1; standard deviations")
  refused(c(1, NA, rep(1, 28)), "NA at position 2")
  refused(rep(1, 7), "7 values but `x` has 30 columns")
  refused(c(other = 1), "names \"other\", which is not a feature")
  refused(c(g1 = 1, g1 = 2), "two values for \"g1\"")
  refused("much", "must be numbers")
})

test_that("constant columns have no noise, and of copies the largest counts", {
  # Constant in strata, as what patients are in pairs of their samples.
  pair <- rep(1:24, each = 2)
  beside <- cbind(d$x[, 1:10], age = cos(pair))
  times <- survival::Surv(exp(-d$y), rep(1, n))
  paired <- stability_selection(
    beside, times, strata = pair, jitter = 0.5, q = 2, pfer = 3, seed = 1,
    resampling = resample_pairs(8, blocks = pair)
  )
  expect_identical(paired$table$frequency[paired$table$feature == "age"], 0)
  expect_identical(paired$bound$n_total, 10L)
  x <- cbind(d$x, still = 1, twice = 2 * d$x[, 1])
  fit <- find(x, jitter = c(still = 9, twice = 0.4))
  expect_identical(fit$table$frequency[fit$table$feature == "still"], 0)
  expect_identical(find(x, jitter = c(g1 = 0.4))$table$frequency, fit$table$frequency)
  expect_output(print(fit), "for 2 features, with standard deviation 0.4 to 9")
})

test_that("what is next and the sentence of a report say it", {
  score <- function(jitter) {
    fealect(d$x, d$y, jitter = jitter, n_runs = 10, n_boot = 2, oob = FALSE, seed = 1)
  }
  expect_output(
    print(score(0.05)), "stability_selection(d$x, d$y, jitter = 0.05)", fixed = TRUE
  )
  # As in the call, here within score().
  expect_output(
    print(score(noise)), "stability_selection(d$x, d$y, jitter = jitter)", fixed = TRUE
  )
  expect_match(
    methods_of(find(jitter = 0.5))$paragraph, "with measurement noise in every run, for 30"
  )
})

test_that("frequencies with noise are nearer to those of a second measurement, as the page says", {
  runs <- result_of("jitter", "runs")
  of <- function(way, column) {
    cell <- runs[runs$data == "colon" & runs$noise == 0.5 & runs$way == way, ]
    mean(cell[[column]], na.rm = TRUE)
  }
  expect_says("vignettes/error-rates.Rmd",
    paste(
      "the best 20 genes of colon had a frequency of %.2f, and in a second measurement of the same",
      "tissues %.2f; with `jitter` they had %.2f. Of the lists (`q = 20, pfer = 1`) %.0f %% were",
      "found again, with `jitter` %.0f %%"
    ),
    of("without", "frequency"), of("without", "frequency_again"), of("with", "frequency"),
    100 * of("without", "found_again"), 100 * of("with", "found_again")
  )
  # In every cell.
  table <- result_of("jitter", "jitter")
  expect_true(all(table$off[table$way == "with"] < table$off[table$way == "without"]))
})
