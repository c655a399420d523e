# Generated data of many shapes for the path oracles: `path_design(id)` is a pure function of `id`,
# so a fixture needs to store only the id and the peer's answer.

n_designs <- 480L

design_shapes <- c(
  "tall", "wide", "ar95", "equi95", "duplicated", "snp", "binary_y", "near_constant", "scales",
  "weighted", "single", "no_intercept", "not_normalized", "counts", "heavy_tails", "blocks95",
  "ties", "small_ties", "signs", "dummies"
)

path_design <- function(id) {
  shape <- design_shapes[(id - 1L) %% length(design_shapes) + 1L]
  withr::with_seed(
    1000L + id, build_design(id, shape),
    .rng_kind = "Mersenne-Twister", .rng_normal_kind = "Inversion", .rng_sample_kind = "Rejection"
  )
}

build_design <- function(id, shape) {
  size <- design_size(shape)
  x <- design_x(shape, size[["n"]], size[["p"]])
  list(
    id = id, shape = shape, x = x, y = design_y(shape, x),
    weights = if (shape == "weighted") design_weights(nrow(x)),
    intercept = shape != "no_intercept", normalize = shape != "not_normalized"
  )
}

# Log-uniform, so that small problems (where rules meet) are as common as large ones.
design_size <- function(shape) {
  n <- round(exp(stats::runif(1, log(5), log(120))))
  p <- round(exp(stats::runif(1, log(2), log(300))))
  if (shape == "tall") {
    n <- round(stats::runif(1, 30, 120))
    p <- round(stats::runif(1, 2, n / 2))
  }
  if (shape %in% c("wide", "blocks95")) {
    n <- round(stats::runif(1, 8, 40))
    p <- round(stats::runif(1, 3 * n, 300))
  }
  if (shape == "single") p <- 1
  if (shape == "small_ties") n <- sample(5:12, 1)
  if (shape == "dummies") p <- max(p, 4)
  c(n = n, p = p)
}

design_x <- function(shape, n, p) {
  z <- matrix(stats::rnorm(n * p), n, p)
  x <- switch(shape,
    ar95 = ar_columns(z, 0.95),
    equi95 = sqrt(0.95) * stats::rnorm(n) + sqrt(0.05) * z,
    blocks95 = sqrt(0.95) * block_factors(n, p) + sqrt(0.05) * z,
    duplicated = duplicate_columns(z),
    snp = matrix(stats::rbinom(n * p, 2, rep(stats::runif(p, 0.1, 0.5), each = n)), n, p) + 0,
    counts = matrix(stats::rpois(n * p, rep(exp(stats::runif(p, 1, 4)), each = n)), n, p) + 0,
    near_constant = flatten_columns(z),
    scales = sweep(
      sweep(z, 2, 10^stats::runif(p, -4, 4), `*`), 2, stats::rnorm(p, sd = 1e5), `+`
    ),
    ties = ,
    small_ties = matrix(sample(0:2, n * p, replace = TRUE), n, p) + 0,
    signs = matrix(sample(c(-1, 1), n * p, replace = TRUE), n, p),
    dummies = dependent_columns(z),
    heavy_tails = z / abs(matrix(stats::rnorm(n * p), n, p))^0.7,
    z
  )
  colnames(x) <- paste0("f", seq_len(p))
  x
}

ar_columns <- function(z, rho) {
  for (j in seq_len(ncol(z))[-1]) z[, j] <- rho * z[, j - 1] + sqrt(1 - rho^2) * z[, j]
  z
}

# One common factor for each ten columns.
block_factors <- function(n, p) {
  factors <- matrix(stats::rnorm(n * ceiling(p / 10)), n)
  factors[, (seq_len(p) + 9) %/% 10, drop = FALSE]
}

# About a third of the columns become a copy or a mirror image of an earlier one.
duplicate_columns <- function(z) {
  p <- ncol(z)
  for (j in which(stats::runif(p) < 1 / 3)) {
    if (j > 1) z[, j] <- sample(c(-1, 1), 1) * z[, sample.int(j - 1, 1)]
  }
  z
}

# Indicators of a factor's levels, their sum, and sums of other columns.
dependent_columns <- function(z) {
  n <- nrow(z)
  level <- sample.int(3, n, replace = TRUE)
  for (j in 1:3) z[, j] <- level == j
  for (j in seq_len(ncol(z))[-(1:3)]) {
    if (stats::runif(1) < 0.3) z[, j] <- z[, sample.int(j - 1, 1)] + z[, sample.int(j - 1, 1)]
  }
  z
}

# Constants, a constant with a small ripple, and columns that differ in one or two rows only.
flatten_columns <- function(z) {
  n <- nrow(z)
  kind <- sample(0:4, ncol(z), replace = TRUE, prob = c(4, 1, 1, 1, 1))
  kind[1] <- 0
  for (j in which(kind == 1)) z[, j] <- 3.7
  for (j in which(kind == 2)) z[, j] <- 1 + 1e-5 * z[, j]
  for (j in which(kind == 3)) z[, j] <- replace(numeric(n), sample.int(n, 1), 1)
  for (j in which(kind == 4)) z[, j] <- replace(rep(2, n), sample.int(n, 2), c(1, 3.5))
  z
}

design_y <- function(shape, x) {
  n <- nrow(x)
  spread <- apply(x, 2, stats::sd)
  live <- utils::head(which(spread > 0), 5)
  # Whole numbers make correlations of whole-number columns equal, not only nearly so.
  if (shape %in% c("ties", "small_ties", "signs")) {
    return(c(-1, 1, 0, sample(-1:1, n - 3, replace = TRUE)))
  }
  signal <- drop(scale(x[, live, drop = FALSE]) %*% rep_len(c(2, -1.5, 1), length(live)))
  y <- signal + stats::rnorm(n)
  if (shape == "binary_y") {
    y <- ifelse(y > stats::median(y), 1, -1)
  } else if (shape == "no_intercept") {
    y <- y + 1
  }
  y
}

# Whole numbers, some zero, at least three rows left: they stand for repeated rows.
design_weights <- function(n) {
  weights <- sample(0:3, n, replace = TRUE, prob = c(2, 4, 2, 1))
  weights[1:4] <- pmax(weights[1:4], 1)
  weights
}

# The same data with weights spelled out as rows, which is all that `lars` understands.
repeat_rows <- function(design) {
  if (is.null(design$weights)) {
    return(design)
  }
  rows <- rep(seq_len(nrow(design$x)), design$weights)
  design[c("x", "y")] <- list(design$x[rows, , drop = FALSE], design$y[rows])
  design["weights"] <- list(NULL)
  design
}

run_design <- function(design, type, ...) {
  lars_path(
    design$x, design$y,
    type = type, weights = design$weights, intercept = design$intercept,
    scaling = if (design$normalize) "sd" else "none", ...
  )
}

# What `lars::lars()` says on a design, in the terms of lars_path(): features that lars "drops for
# good" (an event -j for a j that is not in the model) are taken out of the actions, and a step that
# consists of nothing else is merged with the next one, as it does not change direction.
lars_answer <- function(design, type) {
  design <- repeat_rows(design)
  x <- unname(design$x)
  fit <- tryCatch(
    suppressWarnings(lars::lars(
      x, design$y,
      type = type, intercept = design$intercept, normalize = design$normalize, use.Gram = FALSE
    )),
    error = conditionMessage
  )
  if (is.character(fit)) {
    return(list(error = fit))
  }
  normalized <- t(fit$beta) * fit$normx
  actions <- real_actions(fit$actions)
  empty <- lengths(actions) == 0
  list(
    error = NA_character_, actions = actions[!empty], lambda = fit$lambda[!empty],
    # A column is the end of a step: that of an empty step replaces its predecessor's.
    beta = normalized[, c(TRUE, !empty[-1], TRUE)[seq_len(ncol(normalized))], drop = FALSE],
    ignored = sum(lengths(fit$actions)) - sum(lengths(actions)), df = unname(fit$df),
    rss = unname(fit$RSS), cp = as.vector(fit$Cp), fit = fit
  )
}

real_actions <- function(actions) {
  active <- integer(0)
  for (s in seq_along(actions)) {
    real <- vapply(actions[[s]], function(a) a > 0 || -a %in% active, logical(1))
    kept <- as.integer(actions[[s]][real])
    active <- c(setdiff(active, -kept), kept[kept > 0])
    actions[[s]] <- kept
  }
  actions
}

# Two numbers per knot that stand for all coefficients: one wrong coefficient changes them.
project_coefficients <- function(beta) {
  j <- seq_len(nrow(beta))
  rbind(colSums(beta * cos(j)), colSums(beta * sin(j * sqrt(2))))
}

# Shows when a platform's generator makes other data than those the fixture was made from.
design_check <- function(design) {
  spread <- apply(design$x, 2, stats::sd)
  centred <- sweep(sweep(design$x, 2, colMeans(design$x)), 2, ifelse(spread > 0, spread, 1), `/`)
  signif(sum(centred * cos(seq_along(centred))) + sum(design$y * cos(seq_along(design$y))), 10)
}

# Small tall designs whose lars answers are stored in full, in every mode of coef.lars().
full_designs <- function() {
  size <- function(id) dim(path_design(id)$x)
  tall <- seq(1L, by = length(design_shapes), length.out = 12)
  tall[vapply(tall, function(id) size(id)[2] %in% 3:25, logical(1))]
}
