x <- withr::with_seed(1, matrix(rnorm(60 * 30), 60, dimnames = list(NULL, sprintf("g%d", 1:30))))
y <- withr::with_seed(2, drop(x[, 1:3] %*% c(1, -1, 1)) + rnorm(60))
classes <- factor(y > 0, labels = c("low", "high"))
weights <- withr::with_seed(3, stats::setNames(c(Inf, runif(29, 0.4, 2)), sample(colnames(x))))
by_column <- weights[colnames(x)]

# Columns of norm one among the drawn rows, divided by the weights.
weighted <- function(rows) {
  own <- scale(x[rows, is.finite(by_column)], scale = FALSE)
  own / rep(sqrt(colSums(own^2)) * by_column[is.finite(by_column)], each = length(rows))
}

test_that("paths of least squares are those of lars on columns divided by the weights", {
  skip_if_not_installed("lars")
  fit <- fealect(
    x, y, n_runs = 5, max_features = 12, penalty = weights, oob = FALSE, permute = 3, seed = 1
  )
  entries <- score <- stats::setNames(numeric(30), colnames(x))
  for (b in 1:5) {
    rows <- rep(seq_len(60), fit$resamples$counts[, b])
    own <- weighted(rows)
    path <- lars::lars(own, y[rows], normalize = FALSE)
    model <- integer()
    models <- lapply(path$actions, function(action) {
      model <<- setdiff(c(model, action[action > 0]), -action)
    })
    sizes <- lengths(models)
    counted <- vapply(1:12, match, 0L, sizes)
    for (own_model in models[counted]) {
      of <- colnames(own)[own_model]
      score[of] <- score[of] + 1 / length(of) / 5
    }
    # Up to the first model with more features than the statistic counts.
    last <- which(sizes > fit$null$path_size)[1] - 1
    met <- unlist(models[seq_len(last)])
    first <- path$lambda[rep(seq_len(last), sizes[seq_len(last)])[!duplicated(met)]]
    of <- colnames(own)[unique(met)]
    entries[of] <- entries[of] + first / sqrt(sum((y[rows] - mean(y[rows]))^2)) / 5
  }
  table <- as.data.frame(fit)
  expect_equal(table$score[match(colnames(x), table$feature)], unname(score))
  expect_equal(fit$null$observed, entries)
})

test_that("paths by likelihood are those of glmnet with penalty.factor", {
  skip_if_not_installed("glmnet")
  finite <- is.finite(by_column)
  # glmnet rescales the factors to the mean one.
  on_scale <- mean(by_column[finite])
  fit <- bolasso(
    x, classes, cutoff = 0.5, lambda = 0.05, n_runs = 6, family = "binomial", penalty = weights,
    seed = 1
  )
  for (b in 1:6) {
    counts <- fit$resamples$counts[, b]
    peer <- glmnet::glmnet(
      x[counts > 0, finite], classes[counts > 0], "binomial", weights = counts[counts > 0],
      penalty.factor = by_column[finite], lambda = 0.05 * on_scale * c(16, 8, 4, 2, 1),
      thresh = 1e-14
    )
    chosen <- colnames(x)[finite][peer$beta[, 5] != 0]
    expect_setequal(colnames(x)[fit$selection$selected[, b]], chosen)
  }
})

test_that("Inf is the same as leaving the column out", {
  out <- c("g1", "g5")
  none <- stats::setNames(c(Inf, Inf), out)
  left <- x[, setdiff(colnames(x), out)]
  verbs <- list(
    function(x, ...) fealect(x, y, n_runs = 10, permute = 9, ..., seed = 1),
    function(x, ...) stability_selection(x, y, q = 5, cutoff = 0.6, ..., seed = 1),
    function(x, ...) stability_selection(x, y, pfer = 2, ..., seed = 1),
    function(x, ...) stability_selection(x, y, cutoff = "calibrated", permute = 0, ..., seed = 1),
    function(x, ...) bolasso(x, y, cutoff = 0.6, n_runs = 10, ..., seed = 1),
    function(x, ...) {
      bolasso(x, classes, cutoff = 0.6, n_runs = 10, family = "binomial", ..., seed = 1)
    }
  )
  for (verb in verbs) {
    with_all <- verb(x, penalty = none)
    without <- verb(left)
    table <- with_all$table[!with_all$table$feature %in% out, ]
    rownames(table) <- NULL
    expect_equal(table[order(table$feature), ], without$table[order(without$table$feature), ],
      ignore_attr = "row.names"
    )
    # Features of equal rates stand in an order by the rates of all.
    expect_setequal(with_all$features, without$features)
    for (field in c("bound", "calibration", "lambda", "oob")) {
      expect_equal(with_all[[field]], without[[field]])
    }
    expect_equal(with_all$null$maxima, without$null$maxima)
  }
})

test_that("equal weights only move the penalties", {
  twice <- rep(2, 30)
  one <- bolasso(x, y, cutoff = 0.6, n_runs = 10, permute = 5, seed = 1)
  two <- bolasso(x, y, cutoff = 0.6, n_runs = 10, permute = 5, penalty = twice, seed = 1)
  expect_equal(two$lambda, one$lambda / 2)
  expect_equal(two$cv$error, one$cv$error)
  expect_equal(two$null$observed, one$null$observed / 2, tolerance = 1e-6)
  expect_equal(two$null$maxima, one$null$maxima / 2, tolerance = 1e-6)
  expect_identical(two$features, one$features)
  plain <- fealect(x, y, n_runs = 5, seed = 1)
  expect_identical(fealect(x, y, n_runs = 5, penalty = rep(1, 30), seed = 1)$asked, plain$asked)
})

test_that("weights follow the names, and sparse data and all threads give the same bits", {
  skip_if_not_installed("Matrix")
  fit <- function(x, ...) {
    fit <- stability_selection(x, classes, q = 5, cutoff = 0.6, permute = 5, ..., seed = 1)
    fit[c("table", "paths", "null")]
  }
  expected <- fit(x, penalty = weights)
  expect_identical(fit(x, penalty = unname(by_column)), expected)
  expect_identical(fit(x, paths = path_control(penalty = rev(weights))), expected)
  expect_identical(fit(x, penalty = weights, n_threads = 2), expected)
  expect_identical(fit(methods::as(x, "CsparseMatrix"), penalty = weights), expected)
  expect_identical(fit(as.data.frame(x), penalty = weights), expected)
  each <- stats::setNames(sprintf("c%02d", 1:30), colnames(x))
  clustered <- fit(x, penalty = weights, clusters = each)$table
  expect_equal(
    clustered$frequency[match(each[expected$table$feature], clustered$feature)],
    expected$table$frequency
  )
})

test_that("indicator columns of factors take a weight by their names", {
  data <- data.frame(x[, 1:4], stage = factor(rep(c("I", "II", "III"), 20)))
  study <- prepare_study(data, y = y, factors = "columns")
  names <- grep("stage", colnames(study$x), value = TRUE)
  fit <- fealect(study, n_runs = 10, penalty = stats::setNames(rep(Inf, length(names)), names),
    seed = 1
  )
  table <- as.data.frame(fit)
  expect_equal(table$score[table$feature %in% names], rep(0, length(names)))
  expect_setequal(table$feature, c("g1", "g2", "g3", "g4", names))
})

test_that("bounds count the features that runs can select, and prints say the weights", {
  fit <- stability_selection(
    x, y, q = 5, cutoff = 0.6, penalty = c(g1 = Inf, g2 = 0.5, g3 = 3), seed = 1
  )
  expect_identical(fit$bound$n_total, 29L)
  shown <- paste(capture.output(print(fit)), collapse = " ")
  expect_match(shown, "penalty weights from 0.5 to 3")
  expect_match(shown, "1 feature left out (penalty weight Inf)", fixed = TRUE)
  expect_match(gsub(" +", " ", shown), "but a smaller penalty weight makes them likelier")
  again <- stability_selection(fit, cutoff = 0.7)
  expect_identical(again$study$roles$penalty, fit$study$roles$penalty)
  expect_identical(again$bound$n_total, 29L)
  of_fealect <- fealect(x, y, n_runs = 10, penalty = c(g1 = Inf), seed = 1)
  expect_match(
    paste(capture.output(print(of_fealect)), collapse = ""),
    "stability_selection(x, y, penalty = c(g1 = Inf))", fixed = TRUE
  )
  expect_identical(
    bolasso(of_fealect, cutoff = 0.5, lambda = 0.2)$study$roles$penalty,
    of_fealect$study$roles$penalty
  )
})

test_that("merging compares weights, and repeats carry them", {
  half <- function(seed, ...) fealect(x, y, n_runs = 5, ..., seed = seed)
  both <- merge_runs(half(1, penalty = weights), half(2, penalty = weights))
  expect_identical(both$study$roles$penalty, by_column)
  expect_error(
    merge_runs(half(1, penalty = weights), half(2)), class = "stabilect_error_merge"
  )
  fit <- stability_selection(x, y, q = 5, cutoff = 0.6, penalty = c(g1 = Inf), seed = 1)
  again <- evaluate_replication(fit, x, y, n_pairs = 3, seed = 1)$again
  expect_false("g1" %in% again$feature)
  without <- stability_selection(x, y, q = 5, cutoff = 0.6, seed = 1)
  again <- evaluate_replication(without, x, y, n_pairs = 3, seed = 1)$again
  expect_gt(again$top_10[again$feature == "g1"], 0.5)
})

test_that("weights of another form are refused", {
  refused <- function(message, ...) {
    expect_error(fealect(x, y, n_runs = 5, ..., seed = 1), message,
      class = "stabilect_error_input", fixed = TRUE
    )
  }
  refused("`penalty` is 0 for \"g1\"", penalty = c(g1 = 0))
  refused("`penalty` names \"tp53\"", penalty = c(tp53 = 2))
  refused("`penalty` has 2 values", penalty = 1:2)
  refused("`penalty` leaves no feature to select", penalty = rep(Inf, 30))
})

test_that("the figures of bounds with weights are those that were measured", {
  table <- result_of("views", "bounds")
  own <- table[table$signal == "none" & table$weights == "clinical first", ]
  rownames(own) <- own$block
  expect_says(
    "R/run-controls.R", "%.2f false positives on average, where the bound was %.2f",
    own["all", "false"], own["all", "bound"]
  )
  expect_says("R/run-controls.R", "within a view; it was %.2f there", own["clinical", "bound"])
  expect_says(
    "experiments/views/README.md",
    "for clinical values first %.2f (%.2f delivered) and for genes %.2f (none)",
    own["clinical", "bound"], own["clinical", "false"], own["expression", "bound"]
  )
  each <- table[table$block != "all", ]
  expect_true(all(each$false <= each$bound))
})
