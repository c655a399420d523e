numbers <- as.matrix(mcl_sll[, 2:21])
classes <- mcl_sll$MCL

# What a user could write for the same numbers.
forms_of <- function(x = numbers, y = classes) {
  table <- data.frame(outcome = y, x, check.names = FALSE)
  list(
    frame = list(as.data.frame(x), y),
    column = list(table, "outcome"),
    sparse = list(methods::as(x, "CsparseMatrix"), y),
    formula = list(outcome ~ ., table),
    prepared = list(prepare_study(x, y)),
    prepared_table = list(prepare_study(table, outcome = "outcome")),
    prepared_formula = list(prepare_study(outcome ~ ., table))
  )
}

calls <- list(
  fealect = function(...) fealect(..., n_runs = 10, n_boot = 5, seed = 1),
  stability = function(...) stability_selection(..., q = 3, cutoff = 0.8, n_pairs = 5, seed = 1),
  bolasso = function(...) bolasso(..., lambda = 0.1, n_runs = 5, seed = 1),
  path = function(...) lars_path(...),
  model = function(...) fit_model(..., features = 1:3),
  ensemble = function(...) {
    select_ensemble(..., selector = selector_filter("t"), n_features = 3, seed = 1)
  },
  score = function(...) score_features(..., selector = selector_filter("wilcoxon")),
  estimate = function(...) {
    estimate_stability(...,
      selector = selector_filter("t"), n_features = 3, n_weak = 2, n_simulations = 5, n_boot = 20,
      seed = 1,
      resampling = resample_subsample(6, 0.5)
    )
  },
  evaluate = function(...) {
    evaluate_selectors(...,
      selectors = selector_filter("t"), n_features = 3, n_repeats = 2, seed = 1,
      resampling = resample_bootstrap(3)
    )
  },
  rfe = function(...) eliminate_features(..., resampling = resample_folds(3), seed = 1),
  rfe_evaluation = function(...) {
    evaluate_elimination(..., outer = resample_folds(2, stratify = TRUE), seed = 1)
  },
  hybrid = function(...) {
    hybrid_rfe(..., n_features = 3, resampling = resample_bootstrap(4), seed = 1)
  },
  tune = function(...) {
    tune_tradeoff(...,
      grid = list(n_stable = c(0, 2)), n_features = 3, resampling = resample_bootstrap(4), seed = 1
    )
  },
  svm = function(...) importance_svm(rep(0.5, nrow(numbers)), ...)
)

test_that("every form of the same numbers gives every verb the same bits", {
  forms <- forms_of()
  for (verb in names(calls)) {
    expected <- calls[[verb]](numbers, classes)
    for (form in names(forms)) {
      result <- do.call(calls[[verb]], forms[[form]])
      expect_identical(strip_closures(result), strip_closures(expected), info = paste(verb, form))
    }
  }
})

test_that("integers, logicals and row names go through prepared data as they are", {
  whole <- round(100 * numbers)
  storage.mode(whole) <- "integer"
  flags <- whole > stats::median(whole)
  rownames(whole) <- paste0("s", seq_len(nrow(whole)))
  for (x in list(whole, flags)) {
    expected <- calls$ensemble(x, classes)
    expect_identical(calls$ensemble(prepare_study(x, classes)), expected)
    expect_identical(calls$ensemble(prepare_study(as.data.frame(x), classes)), expected)
  }
  fit <- fealect(prepare_study(as.data.frame(whole), classes), n_runs = 5, n_boot = 0, seed = 1)
  expect_identical(fit$oob$predictions$sample[1:2], c("s1", "s2"))
})

test_that("containers are turned, and their outcome is found", {
  skip_if_not_installed("SummarizedExperiment")
  rows <- S4Vectors::DataFrame(outcome = classes, age = seq_along(classes))
  se <- SummarizedExperiment::SummarizedExperiment(list(values = t(numbers)), colData = rows)
  for (verb in c("fealect", "stability", "ensemble", "rfe")) {
    expected <- strip_closures(calls[[verb]](numbers, classes))
    expect_identical(strip_closures(calls[[verb]](se, "outcome")), expected, info = verb)
    expect_identical(strip_closures(calls[[verb]](se, classes)), expected, info = verb)
  }
  runs <- se
  runs$outcome <- S4Vectors::Rle(factor(classes))
  expect_identical(prepare_study(runs, "outcome")$y, factor(classes))
  expect_match(message_of(fealect(se)), "Name the outcome, a column of `colData(x)`", fixed = TRUE)
  expect_match(message_of(fealect(se, "class")), "There are: \"outcome\" and \"age\"", fixed = TRUE)
  SummarizedExperiment::assay(se, "logs") <- log(1 + t(numbers))
  expect_match(message_of(fealect(se, "outcome")), "2 assays: \"values\" and \"logs\"")
  for (assay in list("logs", 2)) {
    prepared <- prepare_study(se, "outcome", assay = assay)
    expect_identical(prepared$x, log(1 + numbers))
  }
  expect_match(message_of(prepare_study(se, assay = "raw")), "one of \"values\" and \"logs\"")
  expect_match(message_of(prepare_study(se, assay = 3)), "between 1 and 2")
  two <- se
  SummarizedExperiment::assay(se, "logs") <- NULL
  model <- fit_model(numbers, classes, colnames(numbers)[1:2])
  expect_identical(predict(model, se[, 3:1]), predict(model, numbers[3:1, ]))
  expect_match(message_of(predict(model, two)), "2 assays: \"values\" and \"logs\"")
  expect_match(message_of(fealect(outcome ~ ., data = se)), "A container is `x` itself")
  sparse <- SummarizedExperiment::SummarizedExperiment(
    list(methods::as(t(numbers), "CsparseMatrix")), colData = rows
  )
  expect_identical(calls$ensemble(sparse, "outcome"), calls$ensemble(numbers, classes))
  none <- SummarizedExperiment::SummarizedExperiment(colData = rows)
  expect_match(message_of(prepare_study(none)), "has no assay")
})

test_that("expression sets are turned, too", {
  skip_if_not_installed("Biobase")
  values <- t(numbers)
  colnames(values) <- paste0("s", seq_along(classes))
  about <- data.frame(outcome = classes, patient = seq_along(classes) %/% 2)
  rownames(about) <- colnames(values)
  set <- Biobase::ExpressionSet(values, Biobase::AnnotatedDataFrame(about))
  expect_identical(calls$fealect(set, "outcome"), calls$fealect(t(values), classes))
  expect_identical(prepare_study(set, "outcome", blocks = "patient")$blocks, about$patient)
  expect_match(message_of(fealect(set)), "pData")
  # New samples, in another order.
  model <- fit_model(t(values), classes, rownames(values)[1:2])
  expect_identical(predict(model, set[, 3:1]), predict(model, t(values)[3:1, ]))
  fit <- calls$fealect(t(values), classes)
  expect_identical(predict(fit, set), predict(fit, t(values)))
})

test_that("phyloseq objects are read in either orientation, with their table of samples", {
  skip_if_not_installed("phyloseq")
  values <- abs(numbers)
  rownames(values) <- paste0("s", seq_along(classes))
  about <- data.frame(outcome = classes, patient = seq_along(classes) %/% 2)
  about$age <- cos(3 * seq_along(classes))
  rownames(about) <- rownames(values)
  of_samples <- phyloseq::sample_data(about)
  expected <- calls$fealect(values, classes)
  for (in_rows in c(TRUE, FALSE)) {
    table <- phyloseq::otu_table(if (in_rows) t(values) else values, taxa_are_rows = in_rows)
    set <- phyloseq::phyloseq(table, of_samples)
    expect_identical(calls$fealect(set, "outcome"), expected)
    expect_identical(calls$fealect(set, classes), expected)
    expect_identical(prepare_study(set, "outcome", blocks = "patient")$blocks, about$patient)
    adjusted <- fealect(set, "outcome", covariates = ~ age, n_runs = 5, n_boot = 0, seed = 1)
    expect_identical(
      adjusted$table,
      fealect(values, classes, covariates = about["age"], n_runs = 5, n_boot = 0, seed = 1)$table
    )
    model <- fit_model(values, classes, colnames(values)[1:2])
    expect_identical(predict(model, set), predict(model, values))
    x <- set
    expect_equal(eval(str2lang(features_form(x, "outcome"))), values, ignore_attr = TRUE)
    expect_match(message_of(fealect(set)), "sample_data(x)", fixed = TRUE)
  }
  kinds <- matrix("a", ncol(values), 1, dimnames = list(colnames(values), "kind"))
  bare <- phyloseq::phyloseq(table, phyloseq::tax_table(kinds))
  expect_identical(calls$fealect(bare, classes), expected)
  expect_match(message_of(fealect(bare, "outcome")), "column of `sample_data(x)`", fixed = TRUE)
})

test_that("formulas choose columns as model.frame() does", {
  table <- data.frame(a = 1:4, b = c(2, 1, 2, 1), `c d` = 4:1, y = 1:4 + 0.5, check.names = FALSE)
  for (formula in list(
    y ~ ., y ~ a + b, y ~ b + a, y ~ . - b, y ~ a + `c d`, log(y) ~ ., y ~ (a + b) - a, y ~ . - y,
    I(y > 2) ~ a
  )) {
    prepared <- prepare_study(formula, table)
    frame <- stats::model.frame(formula, table)
    expect_identical(names(prepared$x), labels_of(formula, table), info = deparse1(formula))
    expect_equal(as.vector(prepared$y), as.vector(stats::model.response(frame)))
  }
  shift <- 3
  expect_identical(prepare_study(y + shift ~ a, table)$y, table$y + 3)
  many <- as.data.frame(matrix(0, 3, 6000))
  long <- stats::as.formula(paste("V1 ~", paste(names(many)[-1], collapse = " + ")))
  expect_identical(names(prepare_study(long, many)$x), names(many)[-1])
})

test_that("formulas that are more than sums of columns are refused", {
  table <- data.frame(a = c(1, 2, 3), b = c(3, 1, 2), y = 1:3)
  for (formula in list(y ~ a * b, y ~ a:b, y ~ log(a), y ~ a + 1, y ~ . - 1, y ~ a^2)) {
    expect_match(message_of(prepare_study(formula, table)), "it can only name columns")
  }
  expect_match(message_of(prepare_study(~a, table)), "no left side")
  expect_match(message_of(prepare_study(y ~ q, table)), "\"q\", which is not a column")
  expect_match(message_of(prepare_study(gone ~ a, table)), "\"gone\", which is not a column")
  expect_match(message_of(prepare_study(y ~ a - a, table)), "leaves no column")
  expect_match(message_of(prepare_study(y ~ a)), "must be the data frame .* not NULL")
  expect_match(message_of(prepare_study(sqrt("y") ~ a, table)), "cannot be computed")
  expect_error(fealect(y ~ a), "`data` is absent")
})

test_that("data tables and tibbles are read by the rules of data frames", {
  skip_if_not_installed("tibble")
  skip_if_not_installed("data.table")
  for (package in c("tibble", "data.table")) {
    make <- getExportedValue(package, paste0("as", if (package == "tibble") "_" else ".", package))
    other <- make(data.frame(outcome = classes, numbers))
    expected <- calls$ensemble(as.data.frame(other), "outcome")
    expect_identical(calls$ensemble(other, "outcome"), expected)
    expect_identical(calls$ensemble(outcome ~ ., other), expected)
  }
})

test_that("prepared data and a response exclude each other, and one is needed", {
  with <- prepare_study(numbers, classes)
  without <- prepare_study(numbers)
  expect_identical(calls$ensemble(without, classes), calls$ensemble(numbers, classes))
  expect_match(message_of(calls$ensemble(with, classes)), "leave `y` out")
  expect_match(message_of(calls$ensemble(without)), "without a response")
  expect_match(message_of(prepare_study(with)), "already prepared")
  expect_error(fealect(numbers), "`y` is absent but must be supplied")
})

test_that("results of every verb keep and print what was done to the data", {
  gaps <- numbers
  gaps[c(3, 5), 2] <- NA
  prepared <- prepare_study(gaps, classes, na = "median")
  note <- "2 missing values in 1 feature filled in with the median over all samples"
  for (verb in setdiff(names(calls), c("score", "svm"))) {
    result <- calls[[verb]](prepared)
    expect_identical(result$study$notes, note, info = verb)
    expect_match(printed_words(result), paste("input:", note), fixed = TRUE, info = verb)
  }
  again <- stability_selection(fealect(prepared, n_runs = 10, n_boot = 0, seed = 1), q = 3,
    cutoff = 0.8, assumption = "none"
  )
  expect_identical(again$study$notes, note)
})

test_that("names of samples must agree in prepared data, too", {
  x <- numbers
  rownames(x) <- paste0("s", seq_len(nrow(x)))
  y <- stats::setNames(classes, rev(rownames(x)))
  expect_match(message_of(fealect(prepare_study(x, y))), "Sample name 1 of `y` is")
  x[1, 1] <- NA
  expect_match(message_of(fealect(prepare_study(x, y, na = "omit"))), "Sample name 1 of `y` is")
})

test_that("importance by permutation leaves tables to the model, and takes prepared data", {
  y <- factor(c("a", "b", "a", "b", "b", "a"))
  x <- data.frame(g = factor(c("u", "v", "u", "v", "v", "u")), z = 1:6)
  by_level <- function(model, newdata) ifelse(newdata$g == "u", "a", "b")
  gain <- importance_permutation(NULL, x, y, by_level, n_repeats = 3, seed = 1)
  expect_gt(gain[["g"]], 0)
  model <- fit_model(numbers, classes, features = 1:3)
  y <- factor(classes)
  expect_identical(
    importance_permutation(model, prepare_study(numbers, y), features = 1:3, seed = 1),
    importance_permutation(model, numbers, y, features = 1:3, seed = 1)
  )
})

test_that("matrices in files are prepared by their slabs", {
  skip_if_not_installed("DelayedArray")
  gaps <- numbers
  gaps[2, 7] <- NA
  delayed <- DelayedArray::DelayedArray(gaps)
  expect_match(message_of(prepare_study(delayed, classes)), "row 2, column 7")
  expect_match(message_of(prepare_study(delayed, classes, na = "median")), "kept in a file")
  kept <- prepare_study(delayed, classes, na = "omit")
  expect_s4_class(kept$x, "DelayedMatrix")
  expect_identical(as.matrix(kept$x), gaps[-2, ])
})

test_that("blocks of prepared data are drawn as wholes", {
  skip_if_not(exists("plan_with_blocks", asNamespace("stabilect")), "plans without blocks")
  blocks <- rep(seq_len(length(classes) / 2), each = 2)
  prepared <- prepare_study(numbers, classes, blocks = blocks)
  for (verb in c("fealect", "stability", "ensemble", "hybrid")) {
    counts <- calls[[verb]](prepared)$resamples$counts
    expect_gt(ncol(counts), 0)
    expect_identical(counts[seq(1, 21, 2), ], counts[seq(2, 22, 2), ], info = verb)
  }
})
