# Copies of columns are one feature, and copies of rows one sample: laws over all verbs and
# outcomes.

space <- asNamespace("stabilect")

refused <- function(code, pattern) {
  expect_error(suppressWarnings(code), pattern, class = "stabilect_error_input")
}

skip_if_not_installed("survival")

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
  colnames(copies) <- paste0("zcopy", c(1, 2, 5, 11))
  cbind(x, copies)
}

column_verbs <- list(
  fealect = function(x, y, ...) fealect(x, y, n_runs = 12, seed = 1, ...),
  stable = function(x, y, ...) {
    stability_selection(x, y, q = 3, cutoff = 0.8, n_pairs = 6, seed = 1, ...)
  },
  bolasso = function(x, y, ...) bolasso(x, y, n_runs = 8, seed = 1, ...),
  ensemble = function(x, y, ...) {
    plan <- resample_bootstrap(8)
    select_ensemble(x, y, selector_filter("variance"), plan, n_features = 4, seed = 1, ...)
  },
  signals = function(x, y, ...) find_signals(x, y, permute = 99, seed = 1, ...),
  elimination = function(x, y, ...) eliminate_features(x, y, learner_svm(), seed = 1, ...),
  hybrid = function(x, y, ...) {
    hybrid_rfe(x, y, resampling = resample_bootstrap(4), n_features = 4, seed = 1, ...)
  },
  splits = function(x, y, ...) split_test(x, y, n_runs = 6, n_features = 3, seed = 1, ...),
  studies = function(x, y, ...) {
    compare_cohorts(x, y, rep(c("one", "two"), length.out = nrow(x)), ...)
  }
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
    if (!is.na(at)) expect_identical(two$table$copies[at], "zcopy1, zcopy11")
    expect_identical(two$study$p, 12L)
    expect_match(paste(format(two), collapse = " "), "copies: 4 of 16 columns repeat others")
  }
  expect_gt(done, 30)
})

test_that("the order of columns decides nothing where columns are copies", {
  x <- with_column_copies(law_x)
  o <- c(16, 3, 14, 1, 13, 8, 2, 15, 12, 5, 4, 6, 7, 9, 10, 11)
  done <- 0
  for (verb in names(column_verbs)) for (outcome in names(law_y)) {
    one <- table_of(column_verbs[[verb]], x, law_y[[outcome]])
    two <- table_of(column_verbs[[verb]], x[, o], law_y[[outcome]])
    if (is.character(one)) {
      expect_identical(two, one)
      next
    }
    done <- done + 1
    same_table(two, one)
    expect_identical(two$table$copies, one$table$copies)
  }
  expect_gt(done, 35)
  # The first name in the C locale stands for all.
  y <- law_y$numeric
  named <- score_features(
    cbind(
      zz = law_x[, 1], aaa = law_x[, 1], B = -law_x[, 1], a = 2 * law_x[, 1], c = law_x[, 2]
    ), y, selector_filter("pearson")
  )
  expect_identical(named$feature, c("B", "c"))
  expect_identical(named$copies, c("a, aaa, zz", ""))
})

test_that("questions about lists, models and scores go by no order of columns either", {
  x <- with_column_copies(law_x)
  o <- c(16, 3, 14, 1, 13, 8, 2, 15, 12, 5, 4, 6, 7, 9, 10, 11)
  y <- law_y$binary
  t <- selector_filter("t")
  questions <- list(
    scores = function(x) score_features(x, y, t),
    selectors = function(x) {
      evaluate_selectors(x, y, list(t, selector_filter("wilcoxon")), n_features = 3, seed = 1,
        learner = learner_lda(), n_repeats = 4)$table
    },
    replication = function(x) {
      fit <- select_ensemble(x, y, t, resample_bootstrap(5), n_features = 3, seed = 1)
      evaluate_replication(fit, x, y, n_pairs = 4, seed = 1)[c("table", "again")]
    },
    effects = function(x) {
      feature_effects(fealect(x, y, n_runs = 10, n_boot = 0, seed = 1), x, y)$table
    },
    alternatives = function(x) {
      fit <- fealect(x, y, n_runs = 10, n_boot = 0, seed = 1)
      alternative_lists(fit, x, y, max_steps = 2, seed = 1)$table
    },
    signature = function(x) {
      list <- c(if ("zcopy1" %in% colnames(x)) "zcopy1" else "g1", "g2")
      test_signature(x, y, list, n_random = 99, seed = 1)$table
    },
    elimination = function(x) {
      evaluate_elimination(x, y, learner_svm(), resample_folds(3), seed = 1)$table
    },
    model = function(x) {
      fit <- fit_model(x, y)
      fit$coefficients[sort(names(fit$coefficients))]
    },
    ranking = function(x) {
      fit <- select_ensemble(x, y, t, resample_bootstrap(5), n_features = 3, seed = 1)
      as.data.frame(aggregate(fit$selection, aggregate_by("mean_rank"), n_features = 3))
    }
  )
  for (question in names(questions)) {
    one <- suppressWarnings(questions[[question]](x))
    two <- suppressWarnings(questions[[question]](x[, o]))
    if (question == "scores") two <- two[match(one$feature, two$feature), ]
    expect_equal(two, one, tolerance = 1e-8, ignore_attr = "row.names", label = question)
    # One column more for a feature is no feature more.
    three <- suppressWarnings(questions[[question]](law_x))
    if (is.data.frame(one)) one$copies <- NULL
    expect_equal(three, one, tolerance = 1e-8, ignore_attr = TRUE, label = question)
  }
})

test_that("a name says wherever it is shown for how many columns it stands", {
  x <- with_column_copies(law_x)
  y <- law_y$binary
  told <- function(object) {
    text <- paste(format(object), collapse = " ")
    expect_match(text, "copies: 4 of 16 columns repeat others")
    expect_match(text, "g1 (+2)", fixed = TRUE)
    expect_no_match(text, "g1 [^(]")
  }
  fit <- fealect(x, y, n_runs = 12, n_boot = 0, seed = 1)
  ensemble <- select_ensemble(
    x, y, selector_filter("t"), resample_bootstrap(8), n_features = 4, seed = 1
  )
  ranking <- aggregate(ensemble$selection, n_features = 4)
  model <- fit_model(x, y, c("g1", "g2"))
  for (object in list(
    fit, summary(fit), ensemble, ranking, model, fit_model(x, y), feature_effects(fit, x, y),
    explain_stability(ensemble),
    alternative_lists(fit, x, y, max_steps = 1, seed = 1)
  )) told(object)
  for (object in list(fit, fit$selection, ranking, model)) {
    table <- as.data.frame(object)
    expect_identical(table$copies[table$feature == "g1"], "zcopy1, zcopy11")
  }
  expect_null(as.data.frame(fealect(law_x, y, n_runs = 5, n_boot = 0, seed = 1))$copies)
  # Data, groups and similarities of all columns, by name or in their order.
  names <- c("zcopy1", "g2")
  expect_identical(
    substitutes(ensemble, x, match(names, colnames(x))), substitutes(ensemble, x, c("g1", "g2"))
  )
  found <- substitutes(ensemble, x, threshold = 0.01, max_p = 1)
  expect_gt(nrow(found$table), 0)
  expect_identical(substitutes(ensemble, unname(x), threshold = 0.01, max_p = 1), found)
  expect_equal(substitutes(ensemble, x[, 16:1], threshold = 0.01, max_p = 1), found)
  plain <- explain_stability(ensemble, similarity = list(x = law_x), threshold = 0.1)
  for (similarity in list(
    list(x = x), list(x = unname(x)), list(x = x[, 16:1]), abs(stats::cor(x)),
    abs(unname(stats::cor(x)))
  )) {
    expect_equal(explain_stability(ensemble, similarity = similarity, threshold = 0.1), plain)
  }
  # Groups of features are no features; joined runs know the copies.
  groups <- group_features(ensemble$selection, cluster_features(x))
  expect_null(groups$study)
  half <- c(ensemble$selection[1:4], ensemble$selection[5:8])
  expect_identical(half$study, ensemble$selection$study)
  page <- withr::local_tempfile(fileext = ".html")
  write_report(fit, page, x = x, y = y)
  page <- readLines(page, warn = FALSE)
  expect_true(any(grepl("(It is|The first are): g[12] [(][+][12][)]", page)))
  expect_true(any(grepl("<td class=\"text short\">g1 (+2)</td>", page, fixed = TRUE)))
})

test_that("pictures write the number of copies behind the name", {
  skip_if_not_installed("ggplot2")
  x <- with_column_copies(law_x)
  y <- law_y$binary
  fit <- fealect(x, y, n_runs = 12, n_boot = 0, seed = 1)
  stable <- stability_selection(x, y, q = 3, cutoff = 0.8, n_pairs = 6, seed = 1)
  written <- function(picture) {
    built <- ggplot2::ggplot_build(picture)
    axis <- lapply(built$layout$panel_params, function(p) try(p$y$get_labels(), silent = TRUE))
    layers <- lapply(built$data, function(layer) layer$label)
    legend <- lapply(built$plot$scales$scales, function(s) try(s$get_labels(), silent = TRUE))
    panels <- as.character(unlist(lapply(built$layout$layout, as.character)))
    as.character(unlist(c(axis, layers, legend, panels)))
  }
  pictures <- list(
    ggplot2::autoplot(fit, type = "frequency"), ggplot2::autoplot(stable),
    ggplot2::autoplot(stable$selection), ggplot2::autoplot(stable$selection, type = "map"),
    ggplot2::autoplot(aggregate(stable, n_features = 3)), ggplot2::autoplot(fit_model(x, y)),
    ggplot2::autoplot(feature_effects(fit, x, y)),
    ggplot2::autoplot(bolasso(x, y, n_runs = 8, seed = 1))
  )
  for (picture in pictures) expect_true(any(grepl("g1 (+2)", written(picture), fixed = TRUE)))
  # Long names lose letters, not the number.
  long <- paste0(strrep("a", 40), c(" (+7)", "b"))
  expect_identical(space$shorten(long[1], 20L), paste0(strrep("a", 12), "... (+7)"))
  expect_lte(max(nchar(space$shorten(long, 20L))), 20L)
})

test_that("models predict from the column whose name is shown, without its copies", {
  x <- with_column_copies(law_x)
  y <- law_y$binary
  for (fit in list(
    fealect(x, y, n_runs = 10, n_boot = 0, seed = 1), fit_model(x, y, c("g1", "g2")),
    fit_model(x, y), eliminate_features(x, y, learner_svm(), seed = 1),
    hybrid_rfe(x, y, resampling = resample_bootstrap(4), n_features = 4, seed = 1)
  )) {
    expect_identical(predict(fit, x[1:9, ]), predict(fit, law_x[1:9, ]))
    expect_identical(predict(fit, x[1:9, 16:1]), predict(fit, law_x[1:9, ]))
  }
  train <- fealect(x[1:34, ], y[1:34], n_runs = 10, n_boot = 0, seed = 1)
  expect_identical(
    validate_model(train, x[35:48, ], y[35:48])$table,
    validate_model(train, law_x[35:48, ], y[35:48])$table
  )
})

test_that("copies are found by |r| = 1, and by nothing less", {
  found <- function(x) space$stands_for(space$marks_of_copies(x)$columns, colnames(x))
  x <- law_x
  expect_null(found(x))
  near <- cbind(x, n = x[, 1] + 1e-5 * x[, 2])
  expect_null(found(near))
  # Constant columns are no copies; scales from the smallest to the largest numbers are.
  expect_null(found(cbind(x, k1 = 1, k2 = 1, k3 = 2)))
  for (unit in c(1e-300, 1e-12, 1e12, 1e300)) {
    expect_identical(found(cbind(x, zcopy = -unit * x[, 4])), c(1:12, 4L))
  }
  far <- cbind(x, zcopy = 1e5 + x[, 4] / 3)
  expect_identical(found(far), c(1:12, 4L))
  # Every pair by correlation.
  set.seed(1)
  codes <- matrix(rbinom(6 * 40, 1, 0.4), 6, dimnames = list(NULL, paste0("s", 1:40)))
  codes <- codes[, apply(codes, 2, sd) > 0]
  first <- apply(abs(cor(codes)) > 1 - 1e-9, 2, function(same) which(same)[1])
  expect_identical(found(codes), unname(first))
  # Columns of different views stay apart.
  parts <- list(one = law_x, two = cbind(other = law_x[, 1], again = law_x[, 1]))
  fit <- stability_selection(parts, law_y$numeric, q = 3, cutoff = 0.6, n_pairs = 4, seed = 1)
  expect_identical(fit$study$p, 13L)
})

test_that("x in slabs has the same copies as x in memory", {
  x <- with_column_copies(law_x)
  y <- law_y$binary
  ensemble <- function(x) {
    select_ensemble(x, y, selector_filter("t"), resample_bootstrap(5), n_features = 4, seed = 1)
  }
  one <- ensemble(x)
  two <- ensemble(Matrix::Matrix(x, sparse = TRUE))
  expect_identical(two$table, one$table)
  expect_identical(two$study$hash, one$study$hash)
  columns <- space$dense_columns(x)
  expect_equal(space$marks_of_copies(columns), space$marks_of_copies(x))
  kept <- space$some_columns(columns, c(3, 1))
  expect_identical(kept$read(1:2), unname(x[, c(3, 1)]))
})

test_that("questions take the data with all copies, and copies by their names", {
  x <- with_column_copies(law_x)
  y <- law_y$numeric
  fit <- stability_selection(x, y, q = 3, cutoff = 0.6, n_pairs = 6, seed = 1)
  expect_identical(fit$study$hash, space$hash_data(x, space$read_response(y, length(y))))
  expect_no_error(evaluate_replication(fit, x, y, n_pairs = 5, n_features = 2, seed = 1))
  expect_no_error(feature_effects(fit, x, y))
  expect_no_error(substitutes(fit, x))
  refused(feature_effects(fit, x[, 1:12], y), "not the data of")
  model <- fit_model(x, y, selected(fit))
  expect_length(predict(model, x), 48)
  # The model has what was asked for.
  expect_identical(fit_model(x, y, "zcopy1")$features, "zcopy1")
  signature <- test_signature(x, y, c("zcopy11", "g2"), n_random = 99, seed = 1)
  expect_identical(sort(signature$features), c("g1", "g2"))
  # Values of features go by the names and the number of the columns.
  weights <- stats::setNames(rep(1, 16), colnames(x))
  weights[c("g1", "zcopy11")] <- c(2, 0.5)
  lasso <- function(...) stability_selection(x, y, q = 3, cutoff = 0.6, n_pairs = 4, seed = 1, ...)
  expect_identical(lasso(penalty = weights)$study$roles$penalty[["g1"]], 0.5)
  expect_identical(lasso(penalty = unname(weights))$table, lasso(penalty = weights)$table)
  # Of copies in several clusters the one whose name stands counts; clusters of one are none.
  apart <- stats::setNames(rep(c("k", "l", "m", "n"), 4), colnames(x))
  apart[c("zcopy1", "zcopy11")] <- c("l", "k")
  own <- stability_selection(x, y, q = 1, cutoff = 0.9, n_pairs = 4, seed = 1, clusters = apart)
  own <- own$study$roles$clusters
  expect_identical(as.character(own[["g1"]]), "k")
  expect_identical(length(own), 12L)
  alone <- stats::setNames(colnames(x), colnames(x))
  expect_identical(lasso(clusters = alone)$features, lasso()$features)
})

test_that("copies of a sample are drawn together, as blocks of the user would be", {
  rows <- c(1:48, rep(c(3, 7, 20, 41), c(1, 2, 1, 3)))
  x <- law_x[rows, ]
  verbs <- column_verbs[c("fealect", "stable", "bolasso", "ensemble", "elimination", "hybrid")]
  for (verb in names(verbs)) for (outcome in names(law_y)) {
    y <- law_y[[outcome]][rows]
    one <- table_of(verbs[[verb]], x, y)
    data <- tryCatch(prepare_study(x, y, blocks = rows), error = function(e) NULL)
    two <- tryCatch(
      suppressWarnings(switch(verb,
        fealect = fealect(data, n_runs = 12, seed = 1),
        stable = stability_selection(data, q = 3, cutoff = 0.8, n_pairs = 6, seed = 1),
        bolasso = bolasso(data, n_runs = 8, seed = 1),
        ensemble = select_ensemble(data, selector = selector_filter("variance"),
          resampling = resample_bootstrap(8), n_features = 4, seed = 1),
        elimination = eliminate_features(data, learner = learner_svm(), seed = 1),
        hybrid = hybrid_rfe(
          data, resampling = resample_bootstrap(4), n_features = 4, seed = 1
        )
      )),
      stabilect_error = function(e) conditionMessage(e)
    )
    if (is.character(one)) {
      expect_type(two, "character")
      next
    }
    same_table(one, two)
    expect_identical(one$oob$error, two$oob$error)
    expect_match(paste(format(one), collapse = " "), "7 of 55 rows repeat others")
  }
})

test_that("find_signals() counts copies of a sample once", {
  rows <- c(1:48, 3, 7, 7, 41)
  y <- law_y$numeric
  one <- find_signals(law_x, y, permute = 99, seed = 1)
  two <- find_signals(law_x[rows, ], y[rows], permute = 99, seed = 1)
  expect_equal(two$table$probability, one$table$probability)
  expect_identical(two$features, one$features)
  refused(split_test(law_x[rows, ], y[rows], seed = 1), "rows 3 and 49, 7 and 50, 7 and 51")
})

test_that("copies that agree by chance, or differ at all, are left alone", {
  twins <- function(x) space$twin_rows(x, space$marks_of_copies(x))
  set.seed(2)
  expect_null(twins(matrix(rbinom(200 * 5, 1, 0.5), 200)))
  expect_null(twins(matrix(rpois(300 * 3, 1), 300)))
  expect_null(twins(as.matrix(iris[1:4])))
  x <- law_x[c(1:48, 5), ]
  expect_identical(twins(x), c(1:48, 5L))
  x[49, 12] <- x[49, 12] * (1 + 1e-15)
  expect_null(twins(x))
  # Kinds of samples, most of which agree in every trait and others in nearly all.
  kinds <- matrix(rbinom(8 * 16, 1, 0.5), 8)[sample(8, 100, TRUE), ]
  at <- sample(length(kinds), 60)
  kinds[at] <- 1 - kinds[at]
  expect_gt(sum(duplicated(kinds)), 20)
  expect_null(twins(kinds))
  # Many discrete features tell samples apart.
  snp <- matrix(rbinom(60 * 300, 2, 0.3), 60)
  expect_null(twins(snp))
  expect_identical(twins(snp[c(1:60, 9, 9), ]), c(1:60, 9L, 9L))
})

test_that("where blocks or runs of the user part copies, a caution names the rows", {
  rows <- c(1:48, 3, 7)
  x <- law_x[rows, ]
  y <- law_y$binary[rows]
  shown <- function(fit) paste(trimws(format(fit)), collapse = " ")
  own <- fealect(prepare_study(x, y, blocks = rep(1:25, 2)), n_runs = 10, seed = 1)
  expect_match(shown(own), "rows 3 and 49, 7 and 50 agree in all 12 features, but are drawn apart")
  expect_match(shown(own), "`blocks =`", fixed = TRUE)
  expect_identical(nlevels(own$resamples$plan$blocks), 25L)
  runs <- resample_custom(lapply(1:10, function(b) setdiff(1:50, b + 0:9)))
  given <- fealect(x, y, resampling = runs, n_boot = 0, seed = 1)
  expect_match(shown(given), "are drawn apart")
  # Blocks that hold them together need none.
  whole <- fealect(prepare_study(x, y, blocks = rows), n_runs = 10, seed = 1)
  expect_no_match(shown(whole), "drawn apart")
  expect_match(shown(whole), "drawn whole")
})

test_that("copies with several outcomes are one sample: drawn whole, stratified, permuted whole", {
  rows <- c(1:48, 3, 7)
  x <- law_x[rows, ]
  y <- law_y$binary[rows]
  y[49] <- setdiff(levels(y), as.character(y[3]))
  fit <- fealect(x, y, n_runs = 10, permute = 19, seed = 1)
  expect_match(format(fit$resamples$plan), "stratified")
  counts <- fit$resamples$counts
  expect_identical(counts[c(3, 7), ], counts[49:50, ])
  expect_match(paste(format(fit), collapse = " "), "1 with another outcome")
  expect_no_error(find_signals(x, y, permute = 19, seed = 1))
  balanced <- fealect(x, y, resampling = resample_subsample(10, balance = TRUE), seed = 1)
  expect_identical(balanced$resamples$counts[3, ], balanced$resamples$counts[49, ])
})

test_that("the rare class upsampled teaches nothing, and its samples are no new samples", {
  errors <- vapply(1:6, function(seed) {
    set.seed(seed)
    x <- matrix(rnorm(40 * 100), 40, dimnames = list(NULL, paste0("g", 1:100)))
    y <- factor(rep(c("a", "b"), c(30, 10)))
    rows <- c(1:40, sample(31:40, 20, TRUE))
    x <- x[rows, ]
    y <- y[rows]
    fit <- fealect(x, y, n_runs = 30, n_boot = 0, seed = 1)
    refused(validate_model(fit, x[1:20, ], y[1:20]), "20 of its 20")
    refused(validate_model(fit, x[45:60, ], y[45:60]), "16 of its 16")
    fit$oob$error
  }, 0)
  # It was 0.08; noise has half.
  expect_gt(mean(errors), 0.35)
  expect_lt(mean(errors), 0.7)
})

test_that("permutations that only copies forbid say which rows to leave out", {
  y <- factor(rep(c("few", "many"), c(4, 44)))
  rows <- c(rep(1:4, 3), 5:48)
  refused(fealect(law_x[rows, ], y[rows], n_runs = 5, n_boot = 0, permute = 19, seed = 1),
    "leave the copies out")
  # The remedy works.
  kept <- !duplicated(law_x[rows, ])
  fit <- suppressWarnings(fealect(
    law_x[rows, ][kept, ], y[rows][kept], n_runs = 5, n_boot = 0, permute = 19, seed = 1
  ))
  expect_identical(fit$null$n_permutations, 19L)
})

test_that("marks of columns are products with fixed directions, at any scale", {
  for (n in c(3, 8, 21, 250)) {
    x <- withr::with_seed(n, matrix(stats::rnorm(n * 4), n))
    marks <- function(x) cpp_copy_marks(x, 0L)$columns
    # The directions are known by the marks of unit vectors, but for the mean.
    units <- marks(diag(n)) * sqrt(1 - 1 / n)
    expected <- units %*% scale(x, scale = FALSE) / rep(sqrt(colSums(scale(x, scale = FALSE)^2)),
      each = 3)
    expect_equal(marks(x), expected, tolerance = 1e-12)
    for (times in c(1e-290, 1e-120, 1e-90, 1e90, 1e120, 1e290)) {
      expect_equal(marks(x * times), marks(x), tolerance = 1e-12)
    }
    expect_equal(marks(5 - 2 * x), -marks(x), tolerance = 1e-12)
    odd <- cbind(rep(7, n), 0, c(Inf, x[-1, 1]), c(NaN, x[-1, 1]), 1 + 1e-15 * x[, 1])
    expect_true(all(is.nan(marks(odd))))
    near <- marks(1e6 + 1e-4 * x)
    expect_equal(near, marks(x), tolerance = 1e-4)
  }
})
