# T-Rex against the CRAN packages TRexSelector and tlars, and virtual dummies against written ones.
their <- readRDS(test_path("fixtures", "trex.rds"))
d <- selector_design()
number <- 2 * d$x[, 1] + 2 * d$x[, 2] - 2 * d$x[, 3] + sin(1:30)
whole <- matrix(1L, 30, 1)

test_that("estimates and the chosen set are those of TRexSelector for its counts", {
  for (one in their$choices) {
    own <- cpp_trex_choice(one$counts, one$n_experiments, one$n_dummies, one$fdr)
    expect_equal(own$phi_prime, one$phi_prime, tolerance = 1e-12)
    expect_equal(own$fdp, one$fdp, tolerance = 1e-12)
    # Theirs ends at 1 less a rounding error; only 1 is above that and above ours.
    expect_equal(own$level, min(one$level, 1 - 0.5 / one$n_experiments), tolerance = 1e-12)
    phi <- one$counts[, own$entered] / one$n_experiments
    expect_identical(which(phi > own$level), one$selected)
  }
})

test_that("a set has an estimate of at most fdr, of equal sizes the highest level", {
  one <- their$choices[[1]]
  for (fdr in c(0.01, 0.05, 0.5)) {
    own <- cpp_trex_choice(one$counts, one$n_experiments, one$n_dummies, fdr)
    levels <- pmin(0.5 + (seq_len(nrow(own$fdp)) - 1) / one$n_experiments, 0.975)
    before <- seq_len(ncol(own$fdp) - 1)
    sizes <- vapply(before, function(t) {
      vapply(levels, function(v) sum(one$counts[, t] / one$n_experiments > v + 1e-9), 0L)
    }, integer(length(levels)))
    sizes[own$fdp[, before] > fdr] <- -1L
    best <- which(sizes == max(sizes), arr.ind = TRUE)
    best <- best[order(best[, 1], best[, 2]), , drop = FALSE]
    expect_equal(own$level, levels[best[nrow(best), 1]])
    expect_identical(own$entered, unname(best[nrow(best), 2]))
  }
})

test_that("columns enter in the order of tlars when dummies are given", {
  for (one in their$paths) {
    order <- cpp_trex_order(one$x, one$y, one$n_dummies, 0L, one$entered, 1)
    expect_identical(order, one$order)
    expect_identical(sum(order > ncol(one$x) - one$n_dummies), as.integer(one$entered))
  }
})

test_that("virtual dummies are in law those that are written out", {
  n_experiments <- 1000
  x <- d$x[, 1:20]
  shares <- function(order_of) {
    in_before <- matrix(0, 21, 3)
    for (k in seq_len(n_experiments)) {
      order <- order_of(k)
      for (t in 1:3) {
        features <- order[seq_len(which(order > 20)[t])]
        features <- features[features <= 20]
        in_before[features, t] <- in_before[features, t] + 1
        in_before[21, t] <- in_before[21, t] + length(features)
      }
    }
    in_before / n_experiments
  }
  virtual <- shares(function(k) cpp_trex_order(x, number, 0L, 20L, 3L, k))
  written <- withr::with_seed(1, shares(function(k) {
    cpp_trex_order(cbind(x, matrix(stats::rnorm(30 * 20), 30)), number, 20L, 0L, 3L, k)
  }))
  difference <- abs(virtual - written)
  expect_lt(max(difference[21, ]), 0.2)
  share <- ((virtual + written) / 2)[-21, ]
  margin <- sqrt(2 * share * (1 - share) / n_experiments)
  expect_lt(max(difference[-21, ] / pmax(margin, 0.005)), 4)
})

test_that("in few dimensions, to the end of a path, they enter at the same places", {
  x <- d$x[1:8, 1:4]
  y <- number[1:8] + 4 * cos(1:8)
  n_experiments <- 4000
  # Shares of paths in which feature j is the k-th to enter.
  places <- function(order_of) {
    orders <- vapply(seq_len(n_experiments), order_of, integer(7))
    vapply(1:4, function(j) rowMeans(orders == j), numeric(7))
  }
  virtual <- places(function(k) cpp_trex_order(x, y, 0L, 5L, 9L, k))
  written <- withr::with_seed(1, places(function(k) {
    cpp_trex_order(cbind(x, matrix(stats::rnorm(40), 8)), y, 5L, 0L, 9L, k)
  }))
  share <- (virtual + written) / 2
  margin <- pmax(sqrt(2 * share * (1 - share) / n_experiments), 0.002)
  expect_lt(max(abs(virtual - written) / margin), 4)
})

test_that("runs select features of large effect, for any number of threads", {
  for (y in list(number, d$y)) {
    weights <- cbind(whole, whole, d$weights)
    out <- runs_of_selector(selector_trex(), d$x, y, weights)
    expect_true(all(out$status == "ok"))
    expect_identical(
      out, runs_of_selector(selector_trex(), d$x, y, weights, n_threads = 2L)
    )
    expect_identical(
      out$score[, 1], runs_of_selector(selector_trex(), d$x, y, whole)$score[, 1]
    )
    # Another seed in the second run of the same samples.
    expect_false(identical(out$score[, 1], out$score[, 2]))
    expect_true(all(as.matrix(out$selected) <= (out$score > 0.5)))
    expect_true(all(out$score * 20 == round(out$score * 20)))
  }
  set <- names(which(runs_of_selector(selector_trex(), d$x, number, whole)$selected[, 1]))
  expect_true(all(c("g1", "g2", "g3") %in% set))
  expect_lte(length(set), 5)
  noise <- withr::with_seed(4, stats::rnorm(30))
  expect_identical(sum(runs_of_selector(selector_trex(), d$x, noise, whole)$selected), 0L)
})

test_that("a sample that is several times in a run counts once", {
  once <- pmin(d$weights[, 1, drop = FALSE], 1L)
  expect_identical(
    runs_of_selector(selector_trex(), d$x, number, d$weights[, 1, drop = FALSE])$score,
    runs_of_selector(selector_trex(), d$x, number, once)$score
  )
})

test_that("columns without use, copies and few samples are no obstacle", {
  odd <- cbind(d$x[, 1:9], flat = 3, copy = d$x[, 1], mirror = -2 * d$x[, 2], sum = 1e-9 * d$x[, 1])
  scores <- runs_of_selector(selector_trex(), odd, number, whole)$score
  expect_false(anyNA(scores))
  expect_identical(unname(scores[c("flat", "copy", "mirror", "sum"), 1]), numeric(4))
  expect_identical(unname(scores[c("g1", "g2"), 1]), c(1, 1))
  # The constant column is no feature: the scores of the others are as without it.
  expect_identical(
    scores[-10, ], runs_of_selector(selector_trex(), odd[, -10], number, whole)$score[, 1]
  )
  flat <- runs_of_selector(selector_trex(), 0 * d$x, number, whole)
  expect_identical(flat$status, "no feature varies")
  few <- runs_of_selector(
    selector_trex(), d$x, number, cbind(rep(c(1L, 0L), c(3, 27)), rep(c(5L, 0L), c(2, 28)))
  )
  expect_identical(few$status, c("ok", "fewer than 3 samples"))
  one <- runs_of_selector(selector_trex(), d$x[, 1, drop = FALSE], number, whole)
  expect_identical(dim(one$score), c(1L, 1L))
  expect_identical(one$status, "ok")
  # A response without noise.
  exact <- runs_of_selector(selector_trex(), d$x, d$x[, 4], whole)
  expect_identical(names(which(exact$selected[, 1])), "g4")
  expect_identical(sum(exact$score), 1)
})

test_that("it is a selector of ensembles, and bad input is refused", {
  fit <- select_ensemble(
    d$x, number, selector_trex(), resample_subsample(6, 0.8), aggregate_frequency(cutoff = 0.5),
    n_features = "own", seed = 1
  )
  expect_identical(sort(selected(fit)), c("g1", "g2"))
  for (bad in list(0, 1, -0.1, NA, "a", c(0.1, 0.2))) {
    expect_error(selector_trex(bad), "`fdr`", class = "stabilect_error_input")
  }
  expect_error(selector_trex(n_repeats = 1), "n_repeats", class = "stabilect_error_input")
  expect_error(selector_trex(max_dummies = 0), "max_dummies", class = "stabilect_error_input")
})

test_that("survival times are their martingale residuals, and classes are set against the others", {
  times <- withr::with_seed(2, stats::rexp(30, exp(2 * d$x[, 1])))
  event <- rep(c(1, 1, 0), 10)
  y <- read_response(new_surv(times, event), 30L)
  ask <- function(response, fdr = 0.2, weights = cbind(whole, d$weights)) {
    control <- selector_control(seq_len(ncol(weights)))
    selector_trex(fdr)$score(d$x, response, weights, control)
  }
  number_of <- function(values) read_response(values, 30L)
  out <- ask(y)
  expect_identical(out, ask(number_of(martingale_residuals(times, event))))
  expect_true(out$selected["g1", 1])
  classes <- letters[1 + (d$x[, 1] > 0.4) + 2 * (d$x[, 2] > 0.4)]
  each <- lapply(sort(unique(classes)), function(one) ask(number_of((classes == one) + 0.5)))
  all <- ask(read_response(classes, 30L), 0.8)
  expect_length(each, 4L)
  expect_identical(all$score, do.call(pmax, lapply(each, `[[`, "score")))
  sets <- Reduce(`+`, lapply(each, function(one) as.matrix(one$selected)))
  expect_identical(unname(as.matrix(all$selected)), unname(sets > 0))
  expect_true(any(sets > 0))
})

test_that("counts are their deviance residuals, and nothing else is read as counts", {
  # They vary less than Poisson counts, so that the model of the residuals is Poisson.
  counts <- pmax(0, round(12 + 3 * d$x[, 1]))
  residuals <- unname(stats::residuals(stats::glm(counts ~ 1, family = stats::poisson())))
  ask <- function(values, ...) {
    weights <- cbind(whole, d$weights)
    control <- selector_control(seq_len(ncol(weights)))
    selector_trex(...)$score(d$x, read_response(values, 30L), weights, control)
  }
  expect_identical(ask(counts, family = "poisson"), ask(residuals))
  expect_false(identical(ask(counts, family = "poisson"), ask(counts)))
  fit <- select_ensemble(
    d$x, counts, selector_trex(family = "poisson"), resample_custom(list(1:30)),
    aggregate_by("frequency", cutoff = 1), n_features = "own", seed = 1
  )
  expect_identical(selected(fit), "g1")
  refused <- function(y, family = "poisson") {
    select_ensemble(d$x, y, selector_trex(family = family), seed = 1)
  }
  expect_error(refused(counts + 0.5), "counts are whole", class = "stabilect_error_input")
  expect_error(refused(d$y), "two classes: leave `family` out", class = "stabilect_error_input")
  expect_error(refused(counts, "cox"), "`family` must be", class = "stabilect_error_input")
})
