small <- function(n = 60) {
  set.seed(1)
  x <- matrix(rnorm(n * 5), n, dimnames = list(NULL, letters[1:5]))
  list(
    x = x, link = x[, 1] + rnorm(n), new = x[1:4, ] + 1,
    z = data.frame(age = rnorm(n), batch = rep(c("u", "v"), n / 2))
  )
}

test_that("contributions are the terms of glm and of coxph", {
  d <- small()
  y <- d$link > 0
  contributions <- function(y, ...) {
    model <- fit_model(d$x, y, c("a", "b"), covariates = d$z, ...)
    predict(model, d$new, type = "contributions", covariates = d$z[1:4, ])
  }
  frame <- data.frame(d$new, d$z[1:4, ])
  glm <- stats::glm(y ~ age + batch + a + b, "binomial", data.frame(d$x, d$z))
  terms <- stats::predict(glm, frame, type = "terms")
  ours <- contributions(y, lambda = 1e-8)
  expect_equal(unname(ours[, ]), unname(terms[, ]), tolerance = 1e-6)
  expect_equal(attr(ours, "constant"), attr(terms, "constant"), tolerance = 1e-6)
  expect_identical(colnames(ours)[3:4], c("a", "b"))
  skip_if_not_installed("survival")
  times <- survival::Surv(exp(-d$link), rep(c(1, 1, 0), 20))
  # survival does not centre factors, and columns of 0 and 1.
  z <- data.frame(age = d$z$age, batch = 1 + 2 * (d$z$batch == "v"))
  cox <- survival::coxph(
    times ~ age + batch + a + b, cbind(data.frame(d$x), z)
  )
  terms <- stats::predict(cox, cbind(data.frame(d$new), z[1:4, ]), type = "terms")
  expect_equal(unname(contributions(times, lambda = 0)[, ]), unname(terms[, ]), tolerance = 1e-6)
})

test_that("a row sums to the link minus the link at the means, for all outcomes", {
  skip_if_not_installed("survival")
  d <- small()
  class <- cut(d$link, c(-Inf, -0.5, 0.5, Inf), labels = c("low", "middle", "high"))
  outcomes <- list(
    d$link > 0, class, factor(class, ordered = TRUE), d$link,
    survival::Surv(exp(d$link), rep(1, 60))
  )
  sums_up <- function(model) {
    known <- predict(model, d$new, type = "contributions")
    type <- if (model$study$type == "numeric") "response" else "link"
    if (model$study$type == "survival") type <- "risk"
    link <- as.matrix(predict(model, d$new, type = type))
    total <- if (length(dim(known)) == 3L) apply(known, c(1, 3), sum) else rowSums(known)
    total <- matrix(total, 4, ncol(link)) + rep(attr(known, "constant"), each = 4)
    expect_equal(total, link, ignore_attr = TRUE)
    known
  }
  for (y in outcomes) sums_up(fit_model(d$x, y, c("b", "a")))
  counts <- fit_model(d$x, rpois(60, exp(d$x[, 1])), "a", model = "ridge_poisson")
  sums_up(counts)
  several <- sums_up(fit_model(d$x, class, c("b", "a")))
  expect_identical(dimnames(several)[-1], list(c("b", "a"), levels(class)))
  expect_identical(
    predict(fealect(d$x, d$link > 0, n_runs = 10, seed = 1), d$new, type = "contributions"),
    predict(fealect(d$x, d$link > 0, n_runs = 10, seed = 1)$model, d$new, type = "contributions")
  )
})

test_that("models that have none are named", {
  d <- small()
  refused <- function(...) {
    expect_error(predict(..., type = "contributions"), "eliminate_features",
      class = "stabilect_error_input"
    )
  }
  refused(lars_path(d$x, d$link), d$new)
  refused(lasso_path(d$x, d$link), d$new)
  refused(hybrid_rfe(d$x, d$link > 0, seed = 1), d$new)
  refused(eliminate_features(d$x, d$link > 0, seed = 1), d$new)
})
