# Error rates against closed forms, loops, and bounds that are known to hold.

gauss <- function(n, p, seed = 1) {
  withr::with_seed(seed, matrix(
    stats::rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p)))
  ))
}

# Orthogonal centred columns.
orthogonal <- function(n, p) {
  x <- qr.Q(qr(cbind(1, gauss(n, p))))[, -1]
  colnames(x) <- paste0("g", seq_len(p))
  x
}

by_correlation <- function(k) {
  force(k)
  function(x, y, ...) {
    select_ensemble(
      x, y, selector_filter("pearson"), resample_custom(list(seq_len(nrow(x)))),
      n_features = k, ...
    )
  }
}

test_that("the chance that the best feature is the true one has its closed form", {
  n <- 50
  p <- 30
  r2 <- 0.12
  cal <- estimate_error_rates(
    by_correlation(1), orthogonal(n, p), stats::qnorm(stats::ppoints(n)), n_true = 1,
    r_squared = r2, n_simulations = 400, seed = 1
  )
  # Products with the response are normal and independent: mean sqrt(r2 n), standard deviation
  # sqrt(1 - r2); the largest of p absolute values is the true one.
  at <- sqrt(r2 * n / (1 - r2))
  expected <- stats::integrate(function(z) {
    stats::dnorm(z - at) * (2 * stats::pnorm(abs(z)) - 1)^(p - 1)
  }, -12, 12)$value
  own <- cal$table[cal$table$cut == "own", ]
  expect_lt(abs(own$power - expected), 3.3 * sqrt(expected * (1 - expected) / 400))
  expect_gt(expected, 0.2)
  expect_lt(expected, 0.8)
  expect_equal(own$power_se, sqrt(own$power * (1 - own$power) / 399), tolerance = 1e-10)
  expect_equal(own$pfer, 1 - own$power)
  expect_equal(own$unrelated, own$pfer)
  # The list of one feature is the first cut, too.
  expect_equal(cal$table$true[cal$table$cutoff %in% 1], own$true)
})

test_that("the bound of Shah and Samworth holds on independent features", {
  x <- gauss(40, 80)
  y <- rep(c("a", "b"), 20)
  fit <- stability_selection(x, y, q = 8, cutoff = 0.6, n_pairs = 20, seed = 1)
  cal <- estimate_error_rates(
    fit, x, y, n_true = c(0, 3), r_squared = 0.8, n_simulations = 30, seed = 2
  )
  rated <- cal$table[!is.na(cal$table$claimed), ]
  expect_true(all(rated$pfer <= rated$claimed + 3 * rated$pfer_se))
  own <- cal$table[cal$table$cut == "own", ]
  expect_equal(own$claimed, rep(fit$bound$pfer, 2))
  expect_equal(
    rated$claimed[rated$cutoff %in% 0.75][1],
    error_bound(80, q = 8, cutoff = 0.75, n_pairs = 20)$pfer
  )
  expect_identical(own$power[1], NA_real_)
  expect_identical(own$near[1], 0)
  expect_gt(own$power[2], 0.3)
})

test_that("near features are those that correlate with a true one", {
  x <- gauss(30, 10)
  x[, 2] <- x[, 1] + 0.1 * x[, 2]
  x[, 3] <- -x[, 1] + 0.1 * x[, 3]
  x[, 9] <- 1
  z <- standardise_varying(x)
  expect_identical(unname(attr(z, "columns")), c(1:8, 10L))
  expect_identical(which(columns_near(z, 1L, 0.7, 10L)), 1:3)
  expect_identical(which(columns_near(z, 10L, 0.7, 10L)), 10L)
  expect_identical(which(columns_near(z, integer(), 0.7, 10L)), integer())
  r <- abs(stats::cor(x[, -9]))
  expect_identical(
    which(columns_near(z, c(4L, 6L), 0.2, 10L)),
    unname(c(1:8, 10L)[rowSums(r[, c(4, 6)] > 0.2) > 0])
  )
})

test_that("simulated responses have the asked strength, and classes keep their sizes", {
  x <- gauss(400, 20)
  y <- rep(c("ill", "well"), c(100, 300))
  study <- open_study(x, stats::rnorm(400), "numeric")
  z <- standardise_varying(x)
  explained <- vapply(1:60, function(seed) {
    drawn <- simulate_response(study, z, 4L, 0.6, seed)
    summary(stats::lm(drawn$y ~ x[, drawn$truth]))$adj.r.squared
  }, 0)
  expect_lt(abs(mean(explained) - 0.6), 4 * stats::sd(explained) / sqrt(60))
  classes <- open_study(x, y, "binary")
  drawn <- simulate_response(classes, z, 4L, 0.9, 1)
  expect_identical(as.vector(table(drawn$y)), c(100L, 300L))
  expect_identical(levels(drawn$y), c("ill", "well"))
  expect_length(unique(drawn$truth), 4L)
  # Truth is in the response: the true features separate the classes.
  score <- stats::glm(drawn$y ~ x[, drawn$truth], family = "binomial")
  expect_lt(mean((stats::fitted(score) > 0.5) != (drawn$y == "well")), 0.2)
  expect_length(simulate_response(study, z, 0L, 0, 1)$truth, 0L)
})

test_that("the strength is where the error, made to fall, is the observed one", {
  error <- data.frame(
    r_squared = c(0.1, 0.3, 0.5, 0.7, 0.9), error = c(0.5, 0.36, 0.4, 0.2, 0.1)
  )
  strength <- function(observed) match_strength(error$r_squared, error$error, observed)
  expect_equal(strength(0.3), 0.5 + 0.2 * 0.08 / 0.18, tolerance = 1e-6)
  expect_equal(strength(0.15), 0.8, tolerance = 1e-6)
  expect_equal(strength(0.01), 0.9)
  expect_equal(strength(0.6), 0.1)
})

test_that("the widest cut that keeps to a target is found from the narrow end", {
  rows <- data.frame(
    cut = "frequency", cutoff = c(0.4, 0.5, 0.6, 0.7), pfer = c(0.4, 2, 0.3, 0.1), pfer_se = 0.05,
    power = c(0.9, 0.7, 0.5, 0.3), n_simulations = 100
  )
  # 0.4 meets the target, too, but 0.5 does not.
  expect_identical(widest_cut(rows, "pfer", "pfer_se", 1)$cutoff, 0.6)
  expect_identical(widest_cut(rows, "pfer", "pfer_se", 0.2)$cutoff, 0.7)
  expect_identical(widest_cut(rows, "pfer", "pfer_se", 0.01)$cutoff, NA_real_)
  sizes <- transform(rows, cut = "n_features", cutoff = c(10, 5, 2, 1))
  expect_identical(widest_cut(sizes, "pfer", "pfer_se", 1)$cutoff, 2)
  # Not a single false feature in 20 sets: exact limits of Poisson and binomial counts.
  expect_equal(upper_limit(0, 0, 20, "pfer"), -log(0.05) / 20)
  expect_equal(upper_limit(0, 0, 20, "fdr"), 1 - 0.05^(1 / 20))
})

test_that("matched strengths, several procedures, threads and the user's generator", {
  x <- gauss(30, 40)
  y <- rep(0:1, 15)
  x[, 1:4] <- x[, 1:4] + 1.2 * y
  fits <- list(
    stable = stability_selection(x, y, q = 4, pfer = 1, n_pairs = 5, seed = 1),
    all = bolasso(x, y, lambda = 0.15, n_runs = 8, seed = 1),
    scores = fealect(x, y, n_runs = 8, n_boot = 0, oob = FALSE, seed = 1),
    filter = by_correlation(3)
  )
  withr::with_seed(3, {
    state <- .Random.seed
    one <- estimate_error_rates(fits, x, y, n_true = c(0, 2), n_simulations = 2, seed = 1)
    expect_identical(.Random.seed, state)
  })
  two <- estimate_error_rates(
    fits, x, y, n_true = c(0, 2), n_simulations = 2, seed = 1, n_threads = 2
  )
  expect_identical(one$table, two$table)
  expect_setequal(one$table$method, names(fits))
  expect_identical(nrow(unique(one$table[c("n_true", "r_squared", "diffuse")])), 2L)
  expect_true(all(one$table$matched))
  expect_true(all(one$table$diffuse[one$table$n_true == 2] >= 0.5))
  expect_identical(unique(one$table$cut[one$table$method == "all"]), c("own", "frequency"))
  expect_identical(unique(one$table$cut[one$table$method == "scores"]), c("own", "n_features"))
  expect_true(all(is.na(one$table$claimed[one$table$method != "stable"])))
  expect_equal(one$table$size, one$table$true + one$table$near + one$table$unrelated)
  expect_identical(nrow(one$targets), 4L * 2L * 4L)
  expect_output(print(summary(one)), "Own lists")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(one), "ggplot")
})

test_that("the print says what the lists hold", {
  x <- orthogonal(30, 12)
  y <- stats::qnorm(stats::ppoints(30))
  cal <- estimate_error_rates(
    by_correlation(2), x, y, n_true = 2, r_squared = 0.9, n_simulations = 5, seed = 1
  )
  expect_snapshot({
    print(cal)
    print(summary(cal))
  })
})

test_that("what a list means follows from what most of it is", {
  row <- function(true, near, behind, nothing) {
    data.frame(
      method = "m", n_true = 3, diffuse = 0.5, size = true + near + behind + nothing, true = true,
      near = near, unrelated = behind + nothing, behind = behind
    )
  }
  # The lists of an easy problem with thousands of markers: none acts by itself, most mark.
  markers <- row(0, 0.1, 4.8, 1.2)
  expect_match(meaning_of_list(markers), "trust your features as markers; these data cannot say")
  expect_identical(gsub(" +", " ", describe_own(markers, 0.7)), c(
    "6.1 features on average:", " 0.0 of the 3 that act by themselves",
    " 0.1 close neighbours of one of these (|r| > 0.7)",
    " 4.8 that mark the outcome by the shared signal; acting is open",
    " 1.2 that follow nothing"
  ))
  expect_match(meaning_of_list(row(2, 1, 0.5, 1)), "most of your features act by themselves")
  expect_match(meaning_of_list(row(0.5, 0, 0.5, 4)), "do not trust single features")
  expect_match(meaning_of_list(row(0.1, 0, 0, 0.1)), "most such lists are empty")
  both <- rbind(markers, transform(row(2, 1, 0, 0), method = "other"))
  expect_match(meaning_of_rates(both), "^(m|other): ")
  expect_length(meaning_of_rates(both), 2L)
  # The answer is of the first number of true features; where another gives another, it says so.
  x <- list(
    table = transform(both, spread = 2), spread = 2, observed = 0.1,
    asked = list(threshold = 0.7)
  )
  own <- rbind(markers, transform(row(4, 1, 0, 0), n_true = 10))
  expect_match(
    describe_matching(x, own, markers, 30)[1], "with 10 such features the answer differs"
  )
  expect_match(
    describe_matching(x, own, markers, c(10, 30))[2], "with 10 or 30 such features no simulation"
  )
})

test_that("bad values are refused", {
  x <- gauss(20, 6)
  y <- rep(0:1, 10)
  fit <- stability_selection(x, y, q = 2, cutoff = 0.9, n_pairs = 4, seed = 1)
  refused <- function(pattern, ...) {
    expect_error(estimate_error_rates(...), pattern, class = "stabilect_error_input")
  }
  refused("blocks", fit, prepare_study(x, y, blocks = rep(1:10, each = 2)))
  refused("n_true", fit, x, y, n_true = 7)
  refused("n_true", fit, x, y, n_true = c(1, 1))
  refused("r_squared", fit, x, y, n_true = 1, r_squared = 1)
  refused("a different name", list(fit, fit), x, y)
  refused("object", 3, x, y)
  refused("n_simulations", fit, x, y, n_true = 1, n_simulations = 1)
  refused("must return a result", function(x, y) 1, x, y, n_true = 1, r_squared = 0.5)
})

test_that("stored simulations: what is claimed and what was delivered", {
  folder <- experiment("calibrate")
  rates <- utils::read.csv(file.path(folder, "results", "rates.csv"))
  sets <- readRDS(file.path(folder, "results", "sets.rds"))
  row <- function(rate, design = "all", signal = TRUE) {
    found <- rates[rates$rate == rate & rates$design == design & rates$signal == signal, ]
    expect_identical(nrow(found), 1L)
    found
  }
  # Tables are those of the sets, by other code.
  q <- sets[sets$rate == "q_value" & sets$s > 0, ]
  share <- with(q, ifelse(near + unrelated > 0, (near + unrelated) / (true + near + unrelated), 0))
  expect_equal(row("q_value")$feature, mean(share), tolerance = 1e-3)
  bound <- sets[sets$rate == "stability_unimodal" & sets$s > 0 & sets$design == "pairs", ]
  pairs <- row("stability_unimodal", "pairs")
  expect_equal(c(pairs$feature, pairs$near), c(mean(bound$near + bound$unrelated),
    mean(bound$unrelated)), tolerance = 1e-3)
  # Permutations are exact without signal, and the bound holds for independent features; in pairs
  # what is false by feature is near a true one.
  for (rate in c("p_any", "p_global", "p_error", "family_wise", "fdp_bound")) {
    null <- row(rate, signal = FALSE)
    expect_lte(null$feature, 0.05 + 3 * sqrt(0.05 * 0.95 / null$sets))
  }
  independent <- row("stability_unimodal", "independent")
  expect_lte(independent$feature, independent$claimed)
  expect_lt(pairs$near, pairs$feature)
  # The table of the page is that of the file.
  readme <- readLines(file.path(folder, "README.md"))
  for (rate in c("signals", "family_wise", "q_value", "stability_unimodal", "fealect")) {
    of <- lapply(c(FALSE, TRUE), function(signal) row(rate, signal = signal))
    cells <- sprintf("%.2f", c(of[[1]]$feature, of[[2]]$feature, of[[2]]$near))
    expect_match(readme, paste0("`", rate, "`.*", paste(cells, collapse = " [|] ")), all = FALSE)
  }
})

test_that("the usual numbers of true features leave others", {
  expect_identical(usual_true_sizes(c(3, 10, 30), 7), 3L)
  expect_identical(usual_true_sizes(c(3, 10, 30), 5L), 1L)
  expect_identical(usual_true_sizes(c(3, 10, 30), 1L), 1L)
  expect_identical(usual_true_sizes(c(3, 10, 30), 2000), c(3L, 10L, 30L))
  x <- withr::with_seed(1, matrix(stats::rnorm(40 * 6), 40, dimnames = list(NULL, letters[1:6])))
  y <- x[, 1] + withr::with_seed(2, stats::rnorm(40))
  fit <- stability_selection(x, y, q = 2, cutoff = 0.7, n_pairs = 5, seed = 1)
  found <- estimate_error_rates(fit, x, y, r_squared = 0.5, n_simulations = 2, seed = 1)
  expect_identical(unique(found$table$n_true), 3L)
  expect_error(
    estimate_error_rates(fit, x, y, n_true = 10), "between 0 and 6", class = "stabilect_error_input"
  )
})
