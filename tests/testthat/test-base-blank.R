# Blank text is missing, as NA, wherever text is a value.

n <- 24L
x <- withr::with_seed(1, matrix(stats::rnorm(n * 4), n, dimnames = list(NULL, paste0("g", 1:4))))
classes <- rep(c("a", "b"), n / 2)
text <- rep(c("u", "v", "w"), n / 3)
patient <- rep(paste0("p", seq_len(n / 2)), each = 2)
times <- if (requireNamespace("survival", quietly = TRUE)) {
  survival::Surv(exp(x[, 1]), rep(c(1, 1, 0), n / 3))
}
table <- data.frame(x, site = text)
blanks <- c("", "  ", "\t", "\u00a0")
pathway <- c("u", "u", "v", "")
as_blank <- function(value, at, blank) {
  value[at] <- blank
  value
}

test_that("is_blank() knows blank text and blank levels", {
  text <- c("a", "", " ", NA, "\u00a0", " b")
  expect_identical(is_blank(text), c(FALSE, TRUE, TRUE, FALSE, TRUE, FALSE))
  expect_identical(is_blank(factor(c("a", "", NA))), c(FALSE, TRUE, FALSE))
  expect_identical(is_blank(c(1, NA)), c(FALSE, FALSE))
})

# @param call function(value), value: text for each sample; as (string) its name in messages.
places <- list(
  "y, fealect" = list(classes, function(v) fealect(x, v, n_runs = 3, n_boot = 0, seed = 1)),
  "y, three classes" = list(text, function(v) fit_model(x, v, "g1")),
  "y, find_signals" = list(classes, function(v) find_signals(x, v, permute = 19, seed = 1)),
  "y, column" = list(classes, function(v) fit_model(data.frame(x, cls = v), "cls", "g1")),
  "y, formula" = list(classes, function(v) fit_model(cls ~ ., data.frame(x, cls = v), "g1")),
  "y, elimination" = list(classes, function(v) eliminate_features(x, v, seed = 1)),
  "y, validate_model" = list(classes, function(v) {
    validate_model(fit_model(x, classes, "g1"), x + 1, v)
  }),
  "y, measure_predictions" = list(classes, function(v) measure_predictions(v, rev(classes))),
  "predicted" = list(classes, function(v) measure_predictions(rev(classes), v)),
  "y, draw_resamples" = list(classes, function(v) {
    draw_resamples(resample_bootstrap(2), v, seed = 1)
  }),
  "y, feature_importance" = list(classes, function(v) {
    feature_importance(fit_model(x, classes, "g1"), x, v, n_repeats = 1, seed = 1)
  }),
  "feature" = list(rep(c("u", "v"), n / 2), function(v) {
    fit_model(data.frame(x, site = v), classes, "site")
  }),
  "feature of levels" = list(text, function(v) {
    score_features(data.frame(x, site = v), classes, selector_filter("t"))
  }),
  "feature in a block" = list(text, function(v) {
    fit_model(list(clinical = data.frame(site = v), genes = x), classes, "g1")
  }),
  "feature of new samples" = list(rep(c("u", "v"), n / 2), function(v) {
    known <- data.frame(x, site = rep(c("u", "v"), n / 2))
    predict(fit_model(known, classes, "site"), data.frame(x, site = v))
  }),
  "covariates" = list(text, function(v) fit_model(x, classes, "g1", covariates = data.frame(v))),
  "covariates, vector" = list(text, function(v) {
    fit_model(x, classes, "g1", covariates = as.character(v))
  }),
  "covariates, formula" = list(text, function(v) {
    fit_model(data.frame(x, v = v), classes, "g1", covariates = ~v)
  }),
  "covariates, find_signals" = list(text, function(v) {
    find_signals(x, classes, covariates = data.frame(v), permute = 19, seed = 1)
  }),
  "covariates of new samples" = list(text, function(v) {
    fit <- fit_model(x, classes, "g1", covariates = data.frame(v = text))
    predict(fit, x, covariates = data.frame(v = v))
  }),
  "blocks, plan" = list(patient, function(v) {
    fealect(x, classes, resampling = resample_subsample(3, blocks = v), n_boot = 0, seed = 1)
  }),
  "blocks, find_signals" = list(patient, function(v) {
    find_signals(x, classes, blocks = v, permute = 19, seed = 1)
  }),
  "within" = list(patient, function(v) fealect(x, classes, within = v, n_runs = 3, n_boot = 0)),
  "within, find_signals" = list(patient, function(v) {
    find_signals(x, classes, within = v, permute = 19, seed = 1)
  }),
  "strata" = list(text, function(v) lasso_path(x, times, strata = v)),
  "strata, verb" = list(text, function(v) {
    stability_selection(x, times, q = 2, cutoff = 0.9, n_pairs = 2, strata = v, seed = 1)
  }),
  "cohorts" = list(text, function(v) compare_cohorts(x, x[, 1] + x[, 2]^2, v, seed = 1)),
  "labels of FeaLect" = list(rep(c("a", "b"), n / 2), function(v) {
    FeaLect(x, factor(v), 2, 2, plot.scores = FALSE)
  })
)

for (place in names(places)) {
  test_that(paste0("blank text is refused with its rows: ", place), {
    skip_if_not_installed("survival")
    value <- places[[place]][[1]]
    call <- places[[place]][[2]]
    for (blank in blanks[1:2]) {
      for (form in list(identity, factor)) {
        error <- tryCatch(call(form(as_blank(value, c(3, 8), blank))), error = identity)
        expect_s3_class(error, "stabilect_error_input")
        expect_match(cli::ansi_strip(conditionMessage(error)), "3", info = blank)
      }
    }
  })
}

test_that("prepare_study() drops blank samples as missing ones, in every part", {
  skip_if_not_installed("survival")
  parts <- list(
    y = list(classes, function(v, na) prepare_study(x, v, na = na)),
    feature = list(text, function(v, na) prepare_study(data.frame(x, site = v), classes, na = na)),
    covariates = list(text, function(v, na) {
      prepare_study(x, classes, covariates = data.frame(v), na = na)
    }),
    formula = list(text, function(v, na) {
      prepare_study(data.frame(x, v = v), classes, covariates = ~v, na = na)
    }),
    blocks = list(patient, function(v, na) prepare_study(x, classes, blocks = v, na = na)),
    within = list(patient, function(v, na) prepare_study(x, classes, within = v, na = na))
  )
  for (part in names(parts)) {
    value <- parts[[part]][[1]]
    call <- parts[[part]][[2]]
    for (form in list(identity, factor)) {
      by_na <- call(form(as_blank(value, c(3, 8), NA)), "omit")
      expect_true(all(c(3L, 8L) %in% by_na$dropped), info = part)
      for (blank in blanks) {
        expect_identical(call(form(as_blank(value, c(3, 8), blank)), "omit"), by_na, info = part)
      }
      expect_error(call(form(as_blank(value, c(3, 8), "")), "error"), "3",
        class = "stabilect_error_input", info = part
      )
    }
  }
  # Missing categories are imputed, blank ones also.
  expect_identical(
    prepare_study(data.frame(x, site = as_blank(text, 3, "")), classes, na = "median"),
    prepare_study(data.frame(x, site = as_blank(text, 3, NA)), classes, na = "median")
  )
})

test_that("a level without samples may be blank, and a feature of no group may be so", {
  empty <- factor(classes, c("", "a", "b"))
  expect_identical(fit_model(x, empty, "g1")$coefficients, fit_model(x, classes, "g1")$coefficients)
  runs <- as_selection(diag(4), feature_names = colnames(x))
  expect_identical(
    group_features(runs, pathway)$feature_names,
    group_features(runs, as_blank(pathway, 4, NA))$feature_names
  )
  expect_equal(
    stability(runs, "zucknick", similarity = pathway)$value,
    stability(runs, "zucknick", similarity = as_blank(pathway, 4, NA))$value
  )
})
