# The diffuse part of simulated outcomes, and whether they imitate the data.

x <- withr::with_seed(1, {
  f <- stats::rnorm(60)
  matrix(stats::rnorm(60 * 40), 60, dimnames = list(NULL, paste0("g", 1:40))) +
    outer(f, stats::rnorm(40))
})
z <- standardise_varying(x)

test_that("spread is the mean squared correlation relative to chance", {
  y <- stats::qnorm(stats::ppoints(60))
  expect_equal(spread_of(cbind(y), z), 59 * mean(stats::cor(x, y)^2))
  # Over all arrangements of the outcome its mean is 1.
  few <- standardise_varying(x[1:5, ])
  orders <- as.matrix(expand.grid(rep(list(1:5), 5)))
  orders <- orders[apply(orders, 1, anyDuplicated) == 0, ]
  spreads <- apply(orders, 1, function(at) spread_of(cbind(c(1, 2, 4, 8, 9)[at]), few))
  expect_identical(nrow(orders), 120L)
  expect_equal(mean(spreads), 1)
})

test_that("the diffuse part keeps sizes of correlations with components, less two errors", {
  y <- x[, 1] + x[, 2]
  like <- read_diffuse(open_study(x, y, "numeric")$response, z)
  peer <- stats::prcomp(x, scale. = TRUE)$x
  r <- abs(stats::cor(peer, y))
  left <- r - 2 / sqrt(60)
  expect_equal(sort(abs(like$effects[, 1])), sort(left[left > 0]))
  expect_equal(crossprod(like$components), diag(ncol(like$components)))
  drawn <- withr::with_seed(1, replicate(200, draw_diffuse(like)))
  at <- crossprod(like$components, drawn[, 1, ])
  expect_equal(abs(at), matrix(abs(like$effects), nrow(at), 200))
  # Signs are random: neither of them in more than 65 %.
  expect_lt(max(abs(rowMeans(at > 0) - 0.5)), 0.15)
  # A wide matrix has the same components as its products.
  wide <- standardise_varying(t(x)[, 1:50])
  v <- principal_components(wide)
  expect_equal(tcrossprod(v), tcrossprod(svd(wide)$u[, seq_len(ncol(v))]), tolerance = 1e-7)
})

test_that("shares add up: sparse and diffuse part have the asked variance", {
  y <- x[, 1] + stats::rnorm(60)
  study <- open_study(x, y, "numeric")
  like <- read_diffuse(study$response, z)
  shares <- vapply(1:40, function(seed) {
    drawn <- simulate_response(study, z, 2L, 0.999, seed, 0.7, like)
    fit <- stats::lm(scale(drawn$y) ~ scale(drawn$diffuse) + x[, drawn$truth])
    c(summary(fit)$r.squared, stats::coef(stats::lm(scale(drawn$y) ~ scale(drawn$diffuse)))[2])
  }, numeric(2))
  expect_gt(min(shares[1, ]), 0.98)
  expect_lt(abs(mean(shares[2, ]) - sqrt(0.7)), 0.1)
})

test_that("names along the diffuse part are unrelated, unless near a true feature", {
  link <- cbind(x[, 5] + 0.01 * x[, 6])
  along <- columns_along(z, link, 0.7, 40L)
  expect_identical(along, unname(abs(stats::cor(x, link)[, 1]) > 0.7))
  expect_true(along[5])
  expect_false(any(columns_along(z, NULL, 0.7, 40L)))
})

test_that("every outcome has a diffuse part, a spread near the observed one, and its own values", {
  link <- drop(z[, 1:10] %*% rep(0.4, 10))
  noise <- withr::with_seed(2, stats::rnorm(60))
  value <- link + noise
  y <- list(
    binary = ifelse(value > 0, "a", "b"), numeric = value, multiclass = c("a", "b", "c")[
      cut(value, 3, labels = FALSE)],
    ordered = factor(cut(value, 3, labels = FALSE), ordered = TRUE),
    survival = new_surv(exp(-value), rep(c(1, 1, 0), 20)), count = round(exp(value / 2))
  )
  for (type in names(y)) {
    family <- if (type == "count") "poisson"
    study <- open_study(x, y[[type]], takes_of("estimate_error_rates"), family = family)
    expect_identical(study$response$type, type)
    like <- read_diffuse(study$response, z)
    drawn <- lapply(1:5, function(seed) simulate_response(study, z, 3L, 0.9, seed, 0.5, like))
    spread <- vapply(drawn, `[[`, 0, "spread")
    expect_lt(abs(log(mean(spread) / like$spread)), log(1.25), label = type)
    if (type != "numeric") {
      own <- function(y) sort(apply(as.matrix(format(y)), 1, paste, collapse = " "))
      expect_identical(own(drawn[[1]]$y), own(response_labels(study$response)), info = type)
    }
    # The stored spread is the one of the outcome.
    again <- read_response(drawn[[1]]$y, 60L, family)
    expect_equal(spread[1], read_diffuse(again, z)$spread, tolerance = 1e-8, info = type)
  }
})

test_that("on colon new outcomes of the strength have the error and the spread of the data", {
  skip_on_cran()
  genes <- log2(colon_genes$x)
  fit <- stability_selection(genes, colon_genes$y, q = 10, pfer = 1, n_pairs = 10, seed = 1)
  cal <- estimate_error_rates(
    fit, genes, colon_genes$y, n_true = 10, n_simulations = 2, seed = 1
  )
  own <- cal$table[1, ]
  expect_match(printed_words(cal), "% of the signal a little in all features")
  study <- open_study(genes, colon_genes$y, "binary")
  like <- read_diffuse(study$response, standardise_varying(genes))
  found <- vapply(1:16, function(seed) {
    drawn <- simulate_response(
      study, standardise_varying(genes), 10L, own$r_squared, 900 + seed, own$diffuse, like
    )
    c(reference_error(genes, drawn$y, 900 + seed, 1L), drawn$spread)
  }, numeric(2))
  expect_lt(abs(mean(found[1, ]) - cal$observed), 0.05)
  expect_lt(abs(log(mean(found[2, ]) / cal$spread)), log(1.05))
  # Without a diffuse part the strongest signal has twice this error.
  sparse <- vapply(1:16, function(seed) {
    drawn <- simulate_response(study, standardise_varying(genes), 10L, 0.95, 900 + seed)
    reference_error(genes, drawn$y, 900 + seed, 1L)
  }, 0)
  expect_gt(mean(sparse), cal$observed + 0.07)
})
