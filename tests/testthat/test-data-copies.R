# Copies of columns are one feature, and copies of rows one sample: laws over all verbs and outcomes.

space <- asNamespace("stabilect")

law_x <- local({
  set.seed(41)
  matrix(rnorm(48 * 12), 48, dimnames = list(NULL, paste0("g", 1:12)))
})

law_y <- local({
  set.seed(42)
  signal <- law_x[, 1] + law_x[, 2] + rnorm(48) / 2
  list(
    binary = factor(ifelse(signal > 0, "b", "a")),
    multiclass = factor(c("low", "middle", "high")[1 + (signal > -0.5) + (signal > 0.5)]),
    ordered = factor(1 + (signal > -0.5) + (signal > 0.5), ordered = TRUE),
    numeric = signal,
    survival = survival::Surv(rexp(48, exp(signal)), rep(c(1, 1, 0), 16)),
    count = rpois(48, exp(signal / 2))
  )
})

# Copies of the three kinds, whose names come after those of the others.
with_column_copies <- function(x) {
  copies <- cbind(x[, 1], -x[, 2], 3 * x[, 5] - 1, 10 - x[, 1] / 7)
  colnames(copies) <- paste0("copy", c(1, 2, 5, 11))
  cbind(x, copies)
}

column_verbs <- list(
  fealect = function(x, y, ...) fealect(x, y, n_runs = 12, seed = 1, ...),
  stable = function(x, y, ...) stability_selection(x, y, q = 4, cutoff = 0.6, n_pairs = 6, seed = 1, ...),
  bolasso = function(x, y, ...) bolasso(x, y, n_runs = 8, seed = 1, ...),
  ensemble = function(x, y, ...) {
    select_ensemble(x, y, selector_filter("variance"), resample_bootstrap(8), n_features = 4, seed = 1, ...)
  },
  signals = function(x, y, ...) find_signals(x, y, permute = 99, seed = 1, ...),
  elimination = function(x, y, ...) eliminate_features(x, y, learner_svm(), seed = 1, ...),
  hybrid = function(x, y, ...) hybrid_rfe(x, y, n_runs = 4, seed = 1, ...),
  splits = function(x, y, ...) split_test(x, y, n_runs = 6, n_features = 3, seed = 1, ...),
  studies = function(x, y, ...) compare_studies(x, y, rep(c("one", "two"), length.out = nrow(x)), ...)
)

# The table, or NULL where the verb does not take the outcome.
table_of <- function(verb, x, y, ...) {
  fit <- tryCatch(suppressWarnings(verb(x, y, ...)), stabilect_error = function(e) e)
  if (inherits(fit, "error")) conditionMessage(fit) else fit
}

same_table <- function(a, b) {
  own <- setdiff(names(a$table), c("copies", "members"))
  expect_equal(a$table[own], b$table[own], tolerance = 1e-8)
  expect_identical(a$features, b$features)
}

test_that("a copy of a column changes nothing but the columns that a name stands for", {
  done <- 0
  for (verb in names(column_verbs)) for (outcome in names(law_y)) {
    one <- table_of(column_verbs[[verb]], law_x, law_y[[outcome]])
    two <- table_of(column_verbs[[verb]], with_column_copies(law_x), law_y[[outcome]])
    if (is.character(one)) {
      expect_identical(two, one, label = paste(verb, outcome))
      next
    }
    done <- done + 1
    same_table(two, one)
    at <- match("g1", two$table$feature)
    if (!is.na(at)) expect_identical(two$table$copies[at], "copy1, copy11")
    expect_identical(two$study$p, 12L)
    expect_match(paste(format(two), collapse = " "), "copies: 4 of 16 columns repeat others")
  }
  expect_gt(done, 30)
})
