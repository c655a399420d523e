# Scores, cut and errors of paths by likelihood.

design <- survival_design(n = 60, p = 20, seed = 4)
times <- surv_of(design)
classes <- factor(ifelse(design$x[, 1] - design$x[, 2] > 0, "high", "low"))

# S(f) of one run (Zare et al. 2013, eq. 2 and 3) from its events: each first model of size k shares
# one among its features.
scores_by_events <- function(fit, run) {
  path <- path_of_run(fit$paths, run)
  model <- integer()
  score <- numeric(ncol(design$x))
  seen <- integer()
  from <- 1L
  for (end in path$end) {
    for (event in path$event[from:end]) {
      model <- if (event > 0) c(model, event) else setdiff(model, -event)
    }
    from <- end + 1L
    size <- length(model)
    if (size > 0L && !size %in% seen) score[model] <- score[model] + 1 / size
    seen <- c(seen, size)
  }
  score
}

test_that("scores of Cox and logistic paths are shares in the models of all sizes", {
  for (y in list(times, classes)) {
    family <- if (is.factor(y)) "binomial" else "cox"
    fit <- fealect(
      design$x, y, n_runs = 6, family = family, max_features = 8, oob = FALSE, seed = 1
    )
    score <- vapply(1:6, function(run) scores_by_events(fit, run), numeric(20))
    expect_equal(unname(as.matrix(fit$selection$score)), score)
    expect_equal(sort(fit$table$score), sort(rowMeans(score)))
    counts <- as.matrix(fit$resamples)
    rows <- which(counts[, 1] > 0)
    path <- lasso_path(design$x[rows, ], label_rows(y, rows), family = family, n_lambda = 200)
    first <- rowSums(stats::coef(path) != 0)
    expect_identical(abs(fit$paths$event[1]), unname(which.max(first)))
  }
  expect_identical(
    fealect(design$x, times, n_runs = 6, oob = FALSE, seed = 1, n_threads = 2)$table,
    fealect(design$x, times, n_runs = 6, oob = FALSE, seed = 1)$table
  )
})

test_that("least squares is what two classes get unless another family is asked for", {
  plain <- fealect(design$x, classes, n_runs = 5, seed = 1)
  same <- fealect(design$x, classes, n_runs = 5, family = "gaussian", seed = 1)
  expect_identical(without_call(same), without_call(plain))
  expect_null(plain$asked$likelihood)
  logistic <- fealect(design$x, classes, n_runs = 5, family = "binomial", seed = 1)
  expect_false(identical(logistic$table$score, plain$table$score))
  expect_output(print(logistic), "logistic regression")
  expect_output(print(fealect(design$x, classes, n_runs = 3, alpha = 0.5, seed = 1)), "elastic net")
})

test_that("out-of-bag risks are those of Cox models without the sample", {
  fit <- fealect(design$x, times, n_runs = 12, seed = 2)
  oob <- fit$oob$predictions
  expect_identical(oob$time, design$time)
  counts <- as.matrix(fit$resamples)
  for (i in c(1, 30)) {
    left <- which(counts[i, ] == 0)
    score <- Matrix::rowMeans(fit$selection$score[, left, drop = FALSE])
    features <- utils::head(three_segment(score)$features, 12)
    expect_identical(length(features), oob$n_features[i])
    model <- fit_model(design$x[-i, ], label_rows(times, -i), features)
    expect_equal(oob$link[i], unname(predict(model, design$x[i, , drop = FALSE])))
  }
  # The error is that of pairs, each with one model: of the runs without both, and of samples
  # outside their group.
  order <- fit$oob$order
  shared <- vapply(split(order$row, order$group), function(at) any(colSums(counts[at, ]) == 0), NA)
  groups <- order_groups(
    open_study(design$x, times, "survival")$response, which(rowSums(counts == 0) > 0)
  )
  together <- function(pair) {
    Filter(function(group) isTRUE(group[pair[1]] == group[pair[2]]), groups)
  }
  pairs <- split(order$row, order$group)
  features_of <- function(pair) {
    score <- Matrix::rowMeans(fit$selection$score[, colSums(counts[pair, ]) == 0, drop = FALSE])
    utils::head(three_segment(score)$features, 12)
  }
  k <- Find(function(k) {
    shared[k] && length(together(pairs[[k]])) == 1 && length(features_of(pairs[[k]])) > 0
  }, seq_along(pairs))
  pair <- pairs[[k]]
  features <- features_of(pair)
  group <- together(pair)[[1]]
  rows <- setdiff(seq_along(group), which(group == group[pair[1]]))
  model <- fit_model(design$x[rows, ], label_rows(times, rows), features)
  risk <- unname(predict(model, design$x[pair, ]))
  expect_equal(diff(order$value[order$group == k, ]), diff(risk), tolerance = 1e-6)
  skip_if_not_installed("survival")
  y <- survival::Surv(oob$time, oob$event)[order$row]
  risk <- order$value[, 1]
  strata <- survival::strata
  peer <- survival::concordance(y ~ risk + strata(order$group), reverse = TRUE)
  expect_equal(fit$oob$error, 1 - peer$concordance, tolerance = 1e-12)
})

test_that("what a family does not go with is refused", {
  refused <- function(message, ...) {
    expect_error(fealect(design$x, ..., n_runs = 3, seed = 1), message, class = "stabilect_error")
  }
  refused("not counts", rpois(60, 2), family = "poisson", model = "least_squares")
  refused("not several classes", rep(c("a", "b", "c"), 20), model = "ridge_logistic")
  refused("score_rule", times, score_rule = "step")
  refused("alpha", classes, alpha = 0)
  refused("two classes", times, family = "binomial")
})

test_that("a procedure with a family is repeated with it", {
  fit <- fealect(design$x, times, n_runs = 5, max_features = 5, alpha = 0.9, seed = 1)
  again <- evaluate_replication(fit, design$x, times, n_pairs = 2, n_features = 3, seed = 1)
  expect_identical(again$made$n_failed, 0L)
  expect_identical(again$predictions$n_models, rep(2, 60))
  strata <- rep(c("a", "b"), 30)
  stable <- stability_selection(
    design$x, times, q = 3, cutoff = 0.9, n_pairs = 4, covariates = design$x[, 20] + 1:60,
    strata = strata, seed = 1
  )
  again <- evaluate_replication(stable, design$x, times, n_pairs = 2, n_features = 3, seed = 1)
  expect_identical(again$made$n_failed, 0L)
  rows <- split(draw_resamples(resample_pairs(2, stratify = TRUE), times, seed = 1))[[2]]
  half <- stability_selection(
    design$x[rows, ], label_rows(times, rows), q = 3, cutoff = 0.9,
    resampling = stable$resamples$plan, covariates = (design$x[, 20] + 1:60)[rows],
    strata = strata[rows], seed = child_seeds(1, 4)[2]
  )
  expect_true(all(again$again$feature %in% half$table$feature))
  expect_true(any(again$again$own_set > 0) || length(half$features) == 0L)
})

test_that("the paragraph of methods names the paths", {
  fit <- fealect(design$x, times, n_runs = 4, oob = FALSE, seed = 1)
  text <- methods_of_rule(fit)
  expect_match(text[[1]], "Cox regression")
  expect_no_match(paste(text[[2]], collapse = " "), "Efron")
})
