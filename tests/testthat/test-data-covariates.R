# Covariates that are columns of the data: formulas, containers, prepared data.

patients <- withr::with_seed(41, {
  n <- 36
  x <- matrix(stats::rnorm(n * 5), n, dimnames = list(NULL, paste0("g", 1:5)))
  site <- rep(c("u", "v", "w"), n / 3)
  data <- data.frame(x, site = site, age = stats::rnorm(n, 50, 8))
  data$y <- data$g1 + (site == "v") + stats::rnorm(n)
  data
})
genes <- as.matrix(patients[1:5])
known <- patients[c("age", "site")]

test_that("a formula finds its variables in the data, where they are no features", {
  plain <- fit_model(genes, patients$y, covariates = known)
  by_table <- fit_model(patients, "y", covariates = ~ age + site)
  by_formula <- fit_model(y ~ ., patients, covariates = ~ age + site)
  site <- patients$site
  age <- patients$age
  by_place <- fit_model(genes, patients$y, covariates = ~ age + site)
  for (fit in list(by_table, by_formula, by_place)) {
    expect_equal(coef(fit), coef(plain))
    expect_identical(fit$features, colnames(genes))
  }
  expect_equal(predict(by_formula, patients), unname(predict(plain, genes, covariates = known)),
    ignore_attr = TRUE
  )
  expect_equal(
    fealect(y ~ ., patients, covariates = ~ age + site, n_runs = 4, seed = 1)$table,
    fealect(genes, patients$y, covariates = known, n_runs = 4, seed = 1)$table
  )
  expect_equal(
    stability_selection(
      patients, "y", 2, 0.9, n_pairs = 3, covariates = ~ site + age, seed = 1
    )$table,
    stability_selection(
      genes, patients$y, 2, 0.9, n_pairs = 3, covariates = known[2:1], seed = 1
    )$table
  )
  expect_identical(
    find_signals(y ~ g1 + g2, patients, covariates = ~age, permute = 19, seed = 1)$table,
    find_signals(genes[, 1:2], patients$y, covariates = age, permute = 19, seed = 1)$table
  )
  # A covariate may be left out by name also; other names without a column are still refused.
  expect_identical(
    find_signals(
      y ~ . - age - site, patients, covariates = ~ age + site, permute = 19, seed = 1
    )$table,
    find_signals(genes, patients$y, covariates = known, permute = 19, seed = 1)$table
  )
  expect_error(fit_model(y ~ . - aged, patients, covariates = ~ age + site),
    "names \"aged\", which is not a column", class = "stabilect_error_input"
  )
  # A function of a variable, and the same for new samples.
  log_age <- fit_model(y ~ g1, patients, covariates = ~ log(age))
  expect_equal(
    unname(coef(log_age)[1:2]), unname(coef(fit_model(genes, patients$y, "g1",
      covariates = log(age)
    ))[1:2])
  )
  expect_length(predict(log_age, patients[1:3, ], covariates = ~ log(age)), 3)
  expect_error(fit_model(genes, patients$y, covariates = ~nowhere), "cannot be evaluated",
    class = "stabilect_error_input"
  )
  expect_error(fit_model(genes, patients$y, covariates = ~ poly(age, 2)), "has 2 columns",
    class = "stabilect_error_input"
  )
})

test_that("prepared data bring their covariates to the verbs that hold them", {
  plain <- fit_model(genes, patients$y, covariates = known)
  prepared <- prepare_study(patients, "y", covariates = ~ age + site)
  expect_output(print(prepared), "covariates: age, site")
  expect_equal(coef(fit_model(prepared)), coef(plain))
  expect_error(fit_model(prepared, covariates = ~age), "covariates of its own",
    class = "stabilect_error_input"
  )
  expect_error(lars_path(prepared), "a lasso path cannot adjust.*fealect",
    class = "stabilect_error_input"
  )
  gaps <- patients
  gaps$age[c(3, 8)] <- NA
  left <- prepare_study(gaps, "y", na = "omit", covariates = ~ age + site)
  expect_identical(left$dropped, c(3L, 8L))
  expect_equal(
    coef(fit_model(left)),
    coef(fit_model(genes[-c(3, 8), ], patients$y[-c(3, 8)], covariates = known[-c(3, 8), ]))
  )
  expect_error(prepare_study(gaps, "y", covariates = ~age), "NA at position 3",
    class = "stabilect_error_input"
  )
  expect_error(prepare_study(genes, patients$y, covariates = 1:3), "has 3 rows",
    class = "stabilect_error_input"
  )
  draws <- draw_resamples(resample_subsample(8), patients$y, seed = 1)
  whole <- fealect(prepared, resampling = draws)
  merged <- merge_runs(
    fealect(prepared, resampling = draws[1:4]), fealect(prepared, resampling = draws[5:8]),
    x = prepared
  )
  expect_equal(merged$model, whole$model)
  again <- evaluate_replication(whole, prepared, n_pairs = 2, n_features = 2, seed = 1)
  expect_equal(again$predictions$predicted, unname(predict(whole, genes, covariates = known)))
})

test_that("containers hold covariates in the table of their samples", {
  skip_if_not_installed("SummarizedExperiment")
  rows <- S4Vectors::DataFrame(patients[c("age", "site", "y")])
  container <- SummarizedExperiment::SummarizedExperiment(list(values = t(genes)), colData = rows)
  plain <- fit_model(genes, patients$y, covariates = known)
  expect_equal(coef(fit_model(container, "y", covariates = ~ age + site)), coef(plain))
  prepared <- prepare_study(container, "y", covariates = ~ age + site)
  expect_equal(coef(fit_model(prepared)), coef(plain))
})

test_that("the levels of a factor keep their order, as in lm()", {
  drug <- factor(rep(c("drug", "placebo", "high"), 4), c("placebo", "drug", "high", "none"))
  x <- matrix(rnorm(24), 12, dimnames = list(NULL, c("a", "b")))
  y <- rnorm(12)
  z <- asNamespace("stabilect")$read_covariates(data.frame(drug = drug), 12)
  expect_identical(colnames(z), c("drug: drug", "drug: high"))
  expect_equal(unname(z[, 1:2]), unname(stats::model.matrix(~ droplevels(drug))[, -1]))
  fit <- fit_model(x, y, covariates = data.frame(drug = drug), lambda = 1e-9)
  peer <- stats::coef(stats::lm(y ~ x + droplevels(drug)))
  expect_equal(unname(stats::coef(fit)[2:3]), unname(peer[4:5]), tolerance = 1e-4)
  # New samples are coded in the same way, whatever the order of their levels.
  new <- data.frame(drug = factor(as.character(drug)))
  expect_equal(
    predict(fit, x, covariates = new), predict(fit, x, covariates = data.frame(drug = drug))
  )
})

test_that("values of samples are given by the name of a column, which then is no feature", {
  x <- withr::with_seed(1, matrix(rnorm(40 * 6), 40, dimnames = list(NULL, paste0("g", 1:6))))
  pat <- rep(paste0("p", 1:20), each = 2)
  w <- rep(c(1, 2, 2, 1, 3), 8)
  y <- factor(rep(c("case", "control"), 20))
  x[, 1] <- x[, 1] + 2 * (y == "case")
  frame <- data.frame(pat = pat, w = w, y = y, x)
  same <- function(by_name, by_value) {
    expect_equal(by_name$table, by_value$table)
    expect_identical(by_name$study$feature_names, colnames(x))
    expect_identical(by_name$study$roles, by_value$study$roles)
  }
  run <- function(...) fealect(..., n_runs = 6, n_boot = 0, seed = 1)
  rest <- data.frame(y = y, x)
  within <- run(frame[-2], "y", within = "pat")
  same(within, run(rest, "y", within = pat))
  same(run(y ~ ., frame[-2], within = "pat"), run(rest, "y", within = pat))
  same(run(y ~ ., frame[-1], weights = "w"), run(rest, "y", weights = w))
  same(
    stability_selection(frame, "y", q = 2, pfer = 1, covariates = "w", within = "pat", seed = 1),
    stability_selection(
      rest, "y", q = 2, pfer = 1, covariates = data.frame(w = w), within = pat, seed = 1
    )
  )
  find <- function(...) find_signals(..., permute = 19, seed = 1)
  expect_equal(find(frame[-2], "y", within = "pat")$p_value, find(x, y, within = pat)$p_value)
  expect_equal(find(frame[-2], "y", blocks = "pat")$p_value, find(x, y, blocks = pat)$p_value)
  # The same data are given to questions.
  expect_equal(
    evaluate_replication(within, frame[-2], "y", n_pairs = 2, seed = 1)$table,
    evaluate_replication(run(rest, "y", within = pat), rest, "y", n_pairs = 2, seed = 1)$table
  )
  # Without its name, a column of labels is told to be one.
  expect_error(
    find(frame[-2], "y"), "label patients or batches.*within", class = "stabilect_error_input"
  )
})

test_that("covariates are named beside a formula, as beside an outcome", {
  d <- withr::with_seed(1, data.frame(
    y = rep(c("a", "b"), 20), age = stats::rnorm(40), sex = rep(c("f", "m", "m", "f"), 10),
    matrix(stats::rnorm(200), 40)
  ))
  named <- c("age", "sex")
  run <- function(...) {
    list(
      fealect(..., covariates = named, n_runs = 5, n_boot = 0, seed = 1)$table,
      find_signals(..., covariates = named, permute = 19, seed = 1)$p_value,
      prepare_study(..., covariates = named)$covariates
    )
  }
  expect_equal(run(y ~ ., d), run(d, "y"))
  formula <- fealect(y ~ ., d, covariates = ~ age + sex, n_runs = 5, n_boot = 0, seed = 1)
  expect_equal(run(y ~ ., d)[[1]], formula$table)
})

test_that("what is missing of covariates, and what is no column, is said with the way out", {
  data <- withr::with_seed(1, data.frame(matrix(stats::rnorm(90), 30), age = 1:30))
  y <- rep(0:1, 15)
  expect_error(
    prepare_study(data, y, covariates = ~chol), "object 'chol' not found (a function has the name)",
    fixed = TRUE, class = "stabilect_error_input"
  )
  expect_error(
    prepare_study(data, y, covariates = ~ age + chol), "object 'chol' not found", fixed = TRUE,
    class = "stabilect_error_input"
  )
  data$age[4] <- NA
  for (na in c("median", "impute")) {
    expect_error(
      prepare_study(data, y, covariates = "age", na = na), "na = \"omit\"", fixed = TRUE,
      class = "stabilect_error_input"
    )
  }
  expect_identical(nrow(prepare_study(data, y, covariates = "age", na = "omit")$x), 29L)
  # Infinite values are not missing, and stay.
  data$age[4] <- Inf
  expect_error(prepare_study(data, y, covariates = "age", na = "omit"), "in `x` and `y` too")
})
