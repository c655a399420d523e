# Answers of lars::lars() 1.3 (CRAN) on the generated designs, for tests/testthat/fixtures/lars.rds.
# Run from the package's root: Rscript data-raw/make-lars-fixtures.R
#
# lars is called with use.Gram = FALSE and its default eps = 1e-12. A design is a function of its id
# (tests/testthat/helper-designs.R), so only ids are stored. Per design and type: the actions,
# lambda, and two projections of the normalised coefficients at each knot in place of all
# coefficients. lars is not always right on degenerate data (ties, exact dependence): the largest
# violation of the optimality conditions by its own answer is stored as `kkt`, and `valid` says
# whether it is at most 1e-9. The tests ask for equality where `valid` is TRUE.

stopifnot(packageVersion("lars") == "1.3")
source("tests/testthat/helper-designs.R")
source("tests/testthat/helper-kkt.R")

# Keeps 36 of 52 mantissa bits (1.5e-11 relative): the rest would only defeat the compression.
shorten <- function(x) {
  unit <- 2^(floor(log2(pmax(abs(x), .Machine$double.xmin))) - 36)
  round(x / unit) * unit
}

lars_kkt <- function(answer, design, type) {
  if (!is.na(answer$error)) {
    return(Inf)
  }
  rows <- repeat_rows(design)
  tryCatch(
    max(kkt_residuals(
      answer$beta, c(answer$lambda, 0), answer$actions, type, rows$x, rows$y, NULL,
      design$intercept, design$normalize
    )),
    error = function(e) Inf
  )
}

record_design <- function(id, type) {
  design <- path_design(id)
  answer <- lars_answer(design, type)
  kkt <- lars_kkt(answer, design, type)
  list(
    id = id, type = type, shape = design$shape, check = design_check(design),
    error = answer$error, kkt = signif(kkt, 3), valid = kkt <= 1e-9, actions = answer$actions,
    lambda = shorten(answer$lambda),
    projection = if (is.na(answer$error)) shorten(project_coefficients(answer$beta))
  )
}

# A few designs in full: every mode of coef.lars() and predict.lars(), df, RSS and Cp.
record_modes <- function(id, type) {
  design <- path_design(id)
  answer <- lars_answer(design, type)
  stopifnot(is.na(answer$error), answer$ignored == 0)
  n_steps <- length(answer$lambda)
  norms <- colSums(abs(answer$beta))
  # Norms that rise all along, as lars inverts them by sorting.
  modes <- list(
    step = c(0, 0.4, 1, n_steps / 2, n_steps),
    lambda = answer$lambda[1] * c(1.5, 1, 0.61, 0.2, 0.003, 0)
  )
  if (all(diff(norms) > 0)) {
    modes$fraction <- c(0, 0.13, 0.5, 0.98, 1)
    modes$norm <- norms[n_steps + 1] * c(0, 0.2, 0.77, 0.999)
  }
  answers <- lapply(names(modes), function(mode) {
    s <- modes[[mode]] + (mode == "step")
    coefficients <- lars::predict.lars(answer$fit, s = s, type = "coefficients", mode = mode)
    fit <- lars::predict.lars(answer$fit, design$x[1:3, ], s = s, type = "fit", mode = mode)
    list(
      at = modes[[mode]], coefficients = unname(coefficients$coefficients), fit = unname(fit$fit)
    )
  })
  list(
    id = id, type = type, df = answer$df, rss = answer$rss, cp = answer$cp,
    modes = stats::setNames(answers, names(modes))
  )
}

grid <- expand.grid(type = c("lasso", "lar"), id = seq_len(n_designs), stringsAsFactors = FALSE)
designs <- Map(record_design, grid$id, grid$type)
in_full <- expand.grid(
  type = c("lasso", "lar"), id = full_designs(), stringsAsFactors = FALSE
)
fixture <- list(
  lars_version = "1.3", r_version = R.version.string, use_gram = FALSE, eps = 1e-12,
  designs = unname(designs), modes = unname(Map(record_modes, in_full$id, in_full$type))
)
valid <- vapply(designs, function(d) d$valid, logical(1))
message(sum(valid), " of ", length(valid), " answers of lars satisfy the optimality conditions")
saveRDS(fixture, "tests/testthat/fixtures/lars.rds", compress = "xz", version = 2)
