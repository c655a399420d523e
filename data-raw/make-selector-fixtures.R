# Makes tests/testthat/fixtures/selector.rds: what LiblineaR (types 1 and 3 are LIBLINEAR's
# L2R_L2LOSS_SVC_DUAL and L2R_L1LOSS_SVC_DUAL), infotheo and glmnet answer on generated data. Run
# from the root of the package.

source("tests/testthat/helper-selectors.R")
d <- selector_design()
rows <- rep(seq_len(nrow(d$x)), d$weights[, 1])
x <- d$x[rows, ]
y <- d$y[rows]

liblinear_weights <- function(x, y, type) {
  fit <- LiblineaR::LiblineaR(x, y, type = type, cost = 0.3, bias = 1, epsilon = 1e-12)
  unname(abs(fit$W[1, seq_len(ncol(x))]))
}

# Elimination of a fifth at a time, on standardised features, with LIBLINEAR.
liblinear_rfe <- function(x, y, step) {
  z <- scale(x) * sqrt(nrow(x) / (nrow(x) - 1))
  active <- seq_len(ncol(x))
  score <- numeric(ncol(x))
  while (length(active) > 0L) {
    w <- liblinear_weights(z[, active, drop = FALSE], y, 1)
    out <- order(w)[seq_len(max(1, floor(step * length(active))))]
    score[active[out]] <- max(score) + seq_along(out)
    active <- active[-out]
  }
  score
}

information <- function(rule, method) {
  apply(x, 2, function(v) {
    infotheo::mutinformation(reference_bins(v, rule, 4), as.integer(y), method)
  })
}
n_bins_rules <- c("equal_width", "equal_frequency", "sd")

ridge <- glmnet::glmnet(
  x, y == levels(y)[2],
  family = "binomial", alpha = 0, lambda = 3 / nrow(x), thresh = 1e-25, maxit = 1e7
)
spread <- sqrt(colMeans(sweep(x, 2, colMeans(x))^2))

saveRDS(
  list(
    check = signif(sum(d$x * cos(seq_along(d$x))) + sum(d$weights * seq_along(d$weights)), 10),
    svm_l2 = liblinear_weights(x, y, 1), svm_l1 = liblinear_weights(x, y, 3),
    svm_rfe = liblinear_rfe(x, y, 0.2),
    empirical = vapply(n_bins_rules, information, numeric(60), method = "emp"),
    miller_madow = vapply(n_bins_rules, information, numeric(60), method = "mm"),
    ridge_logistic = unname(abs(as.vector(ridge$beta)) * spread),
    versions = c(
      LiblineaR = as.character(utils::packageVersion("LiblineaR")),
      infotheo = as.character(utils::packageVersion("infotheo")),
      glmnet = as.character(utils::packageVersion("glmnet"))
    )
  ),
  "tests/testthat/fixtures/selector.rds",
  version = 2
)
