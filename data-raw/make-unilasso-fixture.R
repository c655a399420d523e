# Makes tests/testthat/fixtures/unilasso.rds: what the CRAN package uniLasso answers on generated
# data, with the counts of a bootstrap run as weights; for survival times on centred features, since
# its Cox regressions have no intercept. Run from the root of the package.

source("tests/testthat/helper-selectors.R")
source("tests/testthat/helper-survival.R")
d <- selector_design()
counts <- d$weights[, 1]
x <- d$x[counts > 0, ]
weights <- counts[counts > 0]
number <- (d$x[, 1] + d$x[, 2] - d$x[, 3] + sin(1:30))[counts > 0]
class <- (d$y == "b")[counts > 0] + 0

centred <- x - rep(colSums(x * weights) / sum(weights), each = nrow(x))

# Penalties as selector_unilasso(5) has them.
answer <- function(y, family, x) {
  fit <- suppressWarnings(uniLasso::uniLasso(
    x, y, family = family, weights = weights / sum(weights), nlambda = 200, dfmax = 30
  ))
  info <- uniLasso::uniInfo(x, y, family, weights, loo = TRUE)
  model <- max(which(fit$df > 0 & fit$df <= 5))
  list(beta = info$beta, left_out = unname(info$F), coefficients = unname(fit$beta[, model]))
}

saveRDS(
  list(
    check = signif(sum(d$x * cos(seq_along(d$x))) + sum(counts * seq_along(counts)), 10),
    gaussian = answer(number, "gaussian", x), binomial = answer(class, "binomial", x),
    cox = answer(selector_times(d$x)[counts > 0, ], "cox", centred),
    cox_ties = answer(selector_times(d$x, ties = TRUE)[counts > 0, ], "cox", centred),
    versions = c(
      uniLasso = as.character(utils::packageVersion("uniLasso")),
      glmnet = as.character(utils::packageVersion("glmnet"))
    )
  ),
  "tests/testthat/fixtures/unilasso.rds",
  version = 2
)
