# Data compared within groups, and what survival, glmnet and nlme answer: for the tests, and for
# data-raw/make-within-fixture.R, which stores the answers.

# Pairs of patients who differ much, with `n_true` features that differ within pairs.
paired <- function(seed = 1, n_pairs = 31, p = 200, effect = 1.5, n_true = 2, spread = 2) {
  withr::with_seed(seed, {
    level <- matrix(stats::rnorm(n_pairs * p, 0, spread), n_pairs)
    x <- rbind(level, level) + matrix(stats::rnorm(2 * n_pairs * p), 2 * n_pairs)
    colnames(x) <- sprintf("g%d", seq_len(p))
    y <- factor(rep(c("normal", "tumour"), each = n_pairs))
    x[y == "tumour", seq_len(n_true)] <- x[y == "tumour", seq_len(n_true)] + effect
    list(x = x, y = y, patient = sprintf("p%02d", rep(seq_len(n_pairs), 2)))
  })
}

# One case and two controls in each of 40 sets.
matched <- withr::with_seed(3, {
  set <- rep(1:40, each = 3)
  case <- rep(c(1, 0, 0), 40)
  x <- matrix(stats::rnorm(720), 120, dimnames = list(NULL, letters[1:6]))
  x <- x + stats::rnorm(40, 0, 2)[set]
  x[case == 1, "a"] <- x[case == 1, "a"] + 0.8
  number <- x[, "b"] + stats::rnorm(40, 0, 3)[set] + stats::rnorm(120)
  list(x = x, y = factor(case, labels = c("control", "case")), case = case, set = set,
    number = number)
})

thirty_pairs <- paired(5, n_pairs = 30, p = 20, effect = 1, n_true = 1)

clogit_within_sets <- function() {
  # clogit() finds coxph() in the search path only.
  withr::local_package("survival")
  unname(stats::coef(clogit(case ~ x + strata(set), matched)))
}

penalties_within <- c(0.15, 0.1, 0.05, 0.01)

# Columns of mean square one within the sets.
scaled_within_sets <- function(centre = FALSE) {
  within <- matched$x - apply(matched$x, 2, stats::ave, matched$set)
  sweep(if (centre) within else matched$x, 2, sqrt(colMeans(within^2)), "/")
}

cox_within_sets <- function() {
  fit <- glmnet::glmnet(
    scaled_within_sets(centre = TRUE),
    glmnet::stratifySurv(survival::Surv(rep(1, 120), matched$case), matched$set),
    family = "cox", thresh = 1e-14, standardize = FALSE, lambda = penalties_within
  )
  unname(as.matrix(stats::coef(fit)))
}

# An intercept for each set: columns that glmnet does not penalise. It divides the weights of the
# penalty by their mean, 6 / 45.
least_squares_within_sets <- function() {
  free <- outer(matched$set, 2:40, `==`) + 0
  lambda <- penalties_within * 6 / 45
  fit <- glmnet::glmnet(
    cbind(scaled_within_sets(), free), matched$number, penalty.factor = rep(1:0, c(6, 39)),
    standardize = FALSE, lambda = lambda, thresh = 1e-18
  )
  unname(as.matrix(stats::coef(fit)[2:7, ]))
}

# Standardised differences by a model with random intercepts.
mixed_effects <- function(data, features) {
  vapply(features, function(j) {
    frame <- data.frame(v = data$x[, j], y = data$y, patient = data$patient)
    mixed <- nlme::lme(v ~ y, random = ~ 1 | patient, data = frame)
    unname(abs(nlme::fixef(mixed)[2]) / mixed$sigma)
  }, 0)
}

answers_within <- function() {
  list(
    clogit = clogit_within_sets(), cox = cox_within_sets(),
    least_squares = least_squares_within_sets(), mixed = mixed_effects(thirty_pairs, c("g1", "g4"))
  )
}
