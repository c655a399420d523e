# Makes tests/testthat/fixtures/trex.rds: what the CRAN packages TRexSelector and tlars answer on
# generated data. Run from the root of the package.

set.seed(1, "Mersenne-Twister", "Inversion", "Rejection")

# In how many of `n_experiments` each of p features was in when the t-th dummy entered; the first
# few more often.
draw_counts <- function(p, n_dummies_in, n_experiments) {
  first <- matrix(stats::rgeom(p * n_experiments, 0.04), p)
  first[seq_len(p %/% 5), ] <- first[seq_len(p %/% 5), ] %/% 80
  vapply(seq_len(n_dummies_in), function(t) as.integer(rowSums(first < t)), integer(p))
}

their <- asNamespace("TRexSelector")

# What trex() does with the counts of T = 1, 2, ... after each other.
answer_of <- function(counts, n_experiments, n_dummies, fdr) {
  p <- nrow(counts)
  v <- seq(0.5, 1 - .Machine$double.eps, by = 1 / n_experiments)
  each <- lapply(seq_len(ncol(counts)), function(last) {
    phi <- counts[, seq_len(last), drop = FALSE] / n_experiments
    prime <- their$Phi_prime_fun(p, last, n_dummies, phi, phi[, last])
    list(prime = drop(prime), fdp = their$fdp_hat(v, phi[, last], drop(prime)))
  })
  fdp <- t(vapply(each, function(one) one$fdp, numeric(length(v))))
  if (length(v) == 1L) fdp <- t(fdp)
  chosen <- their$select_var_fun(
    p, fdr, ncol(counts), fdp, t(counts) / n_experiments, v
  )
  # The package takes the last of the largest sets, also where its estimate is above `fdr`, which
  # the paper does not; such a case would test something else.
  rows <- seq_len(max(1L, ncol(counts) - 1L))
  largest <- chosen$R_mat == max(chosen$R_mat[fdp[rows, ] <= fdr])
  stopifnot(fdp[rows, , drop = FALSE][largest] <= fdr)
  list(
    counts = counts, n_experiments = n_experiments, n_dummies = n_dummies, fdr = fdr,
    phi_prime = each[[ncol(counts)]]$prime, fdp = t(fdp),
    selected = which(chosen$selected_var == 1), level = chosen$v_thresh
  )
}

cases <- list(
  list(p = 30, t = 6, k = 20, l = 30), list(p = 50, t = 1, k = 20, l = 100),
  list(p = 40, t = 4, k = 7, l = 400), list(p = 25, t = 8, k = 10, l = 50),
  list(p = 60, t = 3, k = 33, l = 60), list(p = 40, t = 3, k = 4, l = 400)
)
# Of several draws the first that the check above lets pass.
choices <- lapply(cases, function(one) {
  for (attempt in 1:100) {
    counts <- draw_counts(one$p, one$t, one$k)
    answer <- tryCatch(answer_of(counts, one$k, one$l, 0.2), error = function(e) NULL)
    if (!is.null(answer) && length(answer$selected) > 1L) {
      return(answer)
    }
  }
  stop("no case for ", one$k)
})

# Paths that end with dummies which are given.
path_of <- function(n, p, n_dummies_in, common = 0) {
  x <- matrix(stats::rnorm(n * p), n) + common * stats::rnorm(n)
  y <- 2 * x[, 1] - x[, 2] + stats::rnorm(n)
  dummies <- matrix(stats::rnorm(n * p), n)
  model <- tlars::tlars_model(
    X = scale(cbind(x, dummies)), y = y - mean(y), num_dummies = p, info = FALSE,
    intercept = FALSE, standardize = TRUE, type = "lar"
  )
  tlars::tlars(model, T_stop = n_dummies_in, early_stop = TRUE, info = FALSE)
  list(
    x = cbind(x, dummies), y = y, n_dummies = p, entered = n_dummies_in,
    order = as.integer(unlist(model$get_actions()))
  )
}
paths <- list(path_of(20, 30, 8), path_of(40, 15, 3), path_of(30, 40, 5, 1), path_of(25, 6, 6))

saveRDS(
  list(
    choices = choices, paths = paths,
    versions = c(
      TRexSelector = as.character(utils::packageVersion("TRexSelector")),
      tlars = as.character(utils::packageVersion("tlars"))
    )
  ),
  "tests/testthat/fixtures/trex.rds", version = 2
)
