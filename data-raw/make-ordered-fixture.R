# Proportional-odds models by MASS::polr(), for tests/testthat/test-outcome-ordered.R, of
# data where the likelihood has a finite maximum. Run from the package root.

ordered_case <- function(seed, n, p, cuts) {
  set.seed(seed)
  x <- round(matrix(rnorm(n * p), n) * rep(runif(p, 0.2, 4), each = n) + 1, 3)
  colnames(x) <- paste0("f", seq_len(p))
  latent <- as.vector(scale(x[, 1])) - 0.7 * as.vector(scale(x[, 2])) + rlogis(n)
  y <- cut(latent, c(-Inf, cuts, Inf), letters[seq_len(length(cuts) + 1)], ordered_result = TRUE)
  fit <- MASS::polr(y ~ ., data.frame(y, x), control = list(reltol = 1e-16, maxit = 1000))
  list(
    x = x, y = y, coefficients = coef(fit), zeta = fit$zeta,
    probability = unname(predict(fit, type = "probs")), log_likelihood = as.numeric(logLik(fit))
  )
}

cases <- list(
  ordered_case(1, n = 60, p = 4, cuts = c(-1, 1)),
  ordered_case(2, n = 80, p = 6, cuts = c(-1.5, 0, 1.2)),
  ordered_case(3, n = 150, p = 3, cuts = c(-2, -1, 0.5, 2))
)
attr(cases, "made_with") <- paste("MASS", utils::packageVersion("MASS"), R.version.string)
saveRDS(cases, "tests/testthat/fixtures/ordered.rds", version = 2, compress = "xz")
