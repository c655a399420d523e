# Column 1 holds the number of the block, so that a spy can tell whom it sees.
patient <- rep(1:14, c(1, 3, 2, 4, 1, 2, 3, 2, 2, 1, 4, 3, 2, 2))
patient <- patient[withr::with_seed(1, sample(length(patient)))]
block_y <- factor(ifelse(patient %% 2 == 0, "case", "control"))
block_x <- withr::with_seed(2, matrix(stats::rnorm(length(patient) * 30), ncol = 30))
block_x[, 2:4] <- block_x[, 2:4] + as.integer(block_y)
block_x[, 1] <- patient
colnames(block_x) <- c("patient", paste0("f", 2:30))

# Remembers the blocks that it was trained on and those that it predicts.
spy_on_blocks <- function(log) {
  learner_custom(
    function(x, y) list(patients = x[, "patient"], p = ncol(x), levels = levels(y)),
    function(model, newdata) {
      log$train <- c(log$train, list(unique(model$patients)))
      log$test <- c(log$test, list(unique(unname(newdata[, "patient"]))))
      rep(model$levels[1], nrow(newdata))
    },
    importance = function(model) rep(1, model$p), name = "spy"
  )
}

expect_apart <- function(log, at_least) {
  expect_gte(length(log$train), at_least)
  shared <- Map(intersect, log$train, log$test)
  expect_identical(unique(lengths(shared)), 0L)
}

# Which samples are out of the bag or inside, never both in a block.
expect_whole_runs <- function(counts) {
  spread <- apply(counts, 2, function(count) tapply(count, patient, stats::var))
  expect_true(all(spread %in% c(0, NA)))
}

test_that("out of bag in an ensemble: selection and learner have seen nothing of the block", {
  draws <- draw_resamples(resample_bootstrap(15, blocks = patient), block_y, seed = 3)
  # The learner sees the selected features, so the block must be one of them.
  chosen <- selector_custom(function(x, y) c(1e6, abs(stats::cor(x[, -1], as.integer(y)))))
  log <- new.env()
  fit <- select_ensemble(
    block_x, block_y, chosen, draws, n_features = 4, learner = spy_on_blocks(log), seed = 1
  )
  expect_apart(log, 30)
  # Without the block itself, and one block of the other class.
  expect_identical(unique(lengths(log$train)), 12L)
  # What the block holds does not change how its samples are predicted.
  run <- function(x, y) {
    select_ensemble(
      x, y, selector_filter("t"), draws, n_features = 4, learner = learner_lda(), seed = 1
    )$oob$predictions
  }
  members <- which(patient == 8)
  wild <- block_x
  # The same values in all samples, so that they are predicted alike.
  wild[members, ] <- rep(block_x[members[1], ], each = length(members))
  again <- block_x
  again[members[1], ] <- wild[members[1], ]
  first <- run(again, block_y)
  other <- run(wild, block_y)
  expect_identical(other$predicted[members[1]], first$predicted[members[1]])
  expect_identical(length(unique(other$predicted[members])), 1L)
})

test_that("the out-of-bag link of fealect() is that of a slow loop over blocks", {
  x <- block_x[, -1]
  for (y in list(block_y, as.integer(block_y) + x[, 1])) {
    fit <- fealect(
      x, y, resampling = resample_subsample(25, blocks = patient), n_boot = 0, seed = 4
    )
    counts <- as.matrix(fit$resamples)
    expect_whole_runs(counts)
    table <- fit$oob$predictions
    expect_identical(table$n_runs, rowSums(counts == 0))
    companions <- left_out_together(read_response(y, length(y)), fit$resamples$plan$blocks)
    for (i in which(table$n_runs > 0)[1:8]) {
      score <- Matrix::rowMeans(fit$selection$score[, counts[i, ] == 0, drop = FALSE])
      chosen <- three_segment(score)$features
      if (!is.factor(y)) chosen <- head(chosen, length(y) %/% 5)
      others <- if (is.factor(y)) -companions[[i]] else patient != patient[i]
      model <- fit_model(x[others, ], y[others], chosen)
      link <- predict(model, x[i, , drop = FALSE], type = if (is.factor(y)) "link")
      expect_equal(table$link[i], unname(link), tolerance = 1e-8)
      expect_identical(table$n_features[i], length(chosen))
    }
  }
  expect_output(print(fit$oob), "each of 14 blocks was left out as a whole")
})

test_that("a block is left out with one block of every class that it has none of", {
  who <- check_blocks(c(1, 1, 2, 2, 3, 4, 4, 5, 6, 6))
  y <- read_response(c("a", "a", "b", "b", "b", "a", "a", "c", "c", "c"), 10)
  left_out <- left_out_together(y, who)
  expect_identical(left_out[[1]], left_out[[2]])
  classes <- response_labels(y)
  for (i in 1:10) {
    gone <- unique(who[left_out[[i]]])
    expect_true(who[i] %in% gone)
    expect_identical(sum(who %in% gone), length(left_out[[i]]))
    expect_setequal(classes[left_out[[i]]], levels(classes))
    expect_length(gone, 3)
  }
  # A block with all classes needs no companion; the only block of a class is nobody's companion.
  mixed <- read_response(c("a", "b", "a", "b", "b", "b"), 6)
  expect_identical(left_out_together(mixed, check_blocks(c(1, 1, 2, 2, 3, 3)))[[1]], 1:2)
  single <- read_response(c("a", "b", "b", "b"), 4)
  expect_identical(left_out_together(single)[2:4], as.list(2:4))
  expect_length(left_out_together(single)[[1]], 2)
  expect_identical(left_out_together(read_response(c(1, 3, 2), 3)), as.list(1:3))
})

test_that("standard errors are over blocks", {
  values <- withr::with_seed(1, stats::rnorm(12))
  blocks <- rep(1:4, 3)
  # Blocks of equal size: the mean is that of the blocks' means.
  means <- tapply(values, blocks, mean)
  expect_equal(standard_error(values, factor(blocks)), sd(means) / 2)
  expect_equal(standard_error(values, factor(1:12)), sd(values) / sqrt(12))
})

test_that("copies of samples make the out-of-bag error optimistic, blocks honest", {
  # Noise with random classes: no rule can do better than one half.
  patients <- withr::with_seed(5, matrix(stats::rnorm(24 * 200), 24))
  x <- patients[rep(1:24, each = 3), ]
  x <- x + withr::with_seed(6, 0.1 * stats::rnorm(length(x)))
  colnames(x) <- paste0("f", 1:200)
  y <- rep(rep(c("a", "b"), 12), each = 3)
  who <- rep(1:24, each = 3)
  ensemble <- function(plan) {
    select_ensemble(
      x, y, selector_filter("t"), plan, n_features = 20, learner = learner_svm(), seed = 1
    )$oob$error
  }
  expect_lt(ensemble(resample_bootstrap(40)), 0.15)
  expect_gt(ensemble(resample_bootstrap(40, blocks = who)), 0.35)
  paths <- function(plan) fealect(x, y, resampling = plan, n_boot = 0, seed = 1)$oob
  expect_lt(paths(resample_subsample(60))$upper, 0.3)
  honest <- paths(resample_subsample(60, blocks = who))
  expect_identical(honest$n_blocks, 24L)
  expect_gt(honest$upper, 0.5)
  z <- withr::with_seed(7, stats::rnorm(24))[who]
  curve <- function(blocks) {
    plan <- resample_bootstrap(4, blocks = blocks)
    bolasso(x, z, resampling = plan, seed = 1)$cv
  }
  split <- curve(NULL)
  whole <- curve(who)
  # With copies on both sides the smallest lambda looks best; in truth nothing can be learned.
  expect_lt(min(split$error), 0.3 * split$error[1])
  expect_gt(min(whole$error), 0.8 * whole$error[1])
  expect_gt(whole$se[1], split$se[1])
})

test_that("bolasso() divides blocks into at most as many folds as there are blocks", {
  fit <- bolasso(
    block_x[, -1], block_y, cutoff = 0.9,
    resampling = resample_bootstrap(10, blocks = patient %% 6), seed = 1
  )
  expect_whole_runs(as.matrix(fit$resamples))
  expect_identical(nrow(fit$cv), 100L)
})

test_that("eliminate_features(), evaluate_elimination(): no block inside and outside at once", {
  whole <- search_sizes(30)
  log <- new.env()
  eliminate_features(
    block_x, block_y, spy_on_blocks(log), whole, resample_folds(5, blocks = patient),
    refit = FALSE, seed = 1
  )
  expect_apart(log, 5)
  outer <- resample_folds(4, stratify = TRUE, blocks = patient)
  log <- new.env()
  # The inner folds take the blocks of the outer ones, given or not.
  evaluate_elimination(block_x, block_y, spy_on_blocks(log), outer, search = whole, seed = 1)
  expect_apart(log, 4 * 6)
  inner <- resample_bootstrap(3, blocks = patient)
  for (outer in list(outer, resample_folds(4), resample_bootstrap(4))) {
    log <- new.env()
    evaluate_elimination(
      block_x, block_y, spy_on_blocks(log), outer, search = whole, resampling = inner, seed = 1
    )
    expect_apart(log, 4 * 4)
  }
  log <- new.env()
  evaluate_elimination(
    block_x, block_y, spy_on_blocks(log), search = whole, resampling = inner, seed = 1
  )
  expect_apart(log, 10 * 4)
  # Blocks of several classes cannot be stratified: the defaults are not, then.
  mixed <- rep(1:4, length.out = length(patient))
  numbered <- block_x
  numbered[, 1] <- mixed
  log <- new.env()
  result <- evaluate_elimination(
    numbered, block_y, spy_on_blocks(log), resample_folds(3, blocks = mixed), search = whole,
    seed = 1
  )
  expect_apart(log, 3 * 3)
  drawn <- draw_resamples(resample_folds(4), block_y, seed = 1)
  expect_error(
    evaluate_elimination(block_x, block_y, learner_svm(), drawn, resampling = inner, seed = 1),
    "splits block", class = "stabilect_error_input"
  )
})

test_that("evaluate_elimination(): copies of a sample stay on one side of the inner runs", {
  numbered <- block_x
  numbered[, 1] <- seq_along(patient)
  for (inner in list(NULL, resample_folds(3), resample_bootstrap(3))) {
    log <- new.env()
    evaluate_elimination(
      numbered, block_y, spy_on_blocks(log), resample_bootstrap(4), search_sizes(30), inner,
      seed = 1
    )
    expect_apart(log, 4 * 4)
  }
})

test_that("evaluate_elimination() without blocks is what it was", {
  x <- block_x[, 2:12]
  default <- evaluate_elimination(x, block_y, outer = resample_folds(3), seed = 1)
  given <- evaluate_elimination(
    x, block_y, outer = resample_folds(3), resampling = resample_folds(5, stratify = TRUE), seed = 1
  )
  expect_identical(default$table, given$table)
  expect_identical(default$selection, given$selection)
})

test_that("evaluate_selectors(): halves and their resamples are made of whole blocks", {
  log <- new.env()
  seen <- new.env()
  first <- selector_custom(function(x, y) {
    seen$sizes <- c(seen$sizes, list(table(x[, 1])))
    c(1e6, abs(stats::cor(x[, -1], as.integer(y))))
  })
  result <- evaluate_selectors(
    block_x, block_y, first, n_features = 4, learner = spy_on_blocks(log), n_repeats = 3,
    resampling = resample_bootstrap(5, blocks = patient), seed = 1
  )
  expect_apart(log, 12)
  # A block is there as often as it was drawn, and no half has another number of its samples.
  whole <- table(patient)
  for (sizes in seen$sizes) expect_true(all(sizes %% whole[names(sizes)] == 0))
  expect_identical(nrow(result$failures), 0L)
  plain <- evaluate_selectors(
    block_x, block_y, selector_filter("t"), n_features = 4, n_repeats = 3,
    resampling = resample_bootstrap(5), seed = 1
  )
  alone <- evaluate_selectors(
    block_x, block_y, selector_filter("t"), n_features = 4, n_repeats = 3,
    resampling = resample_bootstrap(5, blocks = seq_along(patient)), seed = 1
  )
  expect_identical(alone$table, plain$table)
  expect_error(
    evaluate_selectors(
      block_x, block_y, selector_filter("t"), resampling = resample_bootstrap(5, blocks = 1:9),
      seed = 1
    ),
    "9 samples",
    class = "stabilect_error_input"
  )
})

test_that("trade-offs, hybrid-RFE, estimates and stability selection draw whole blocks", {
  x <- block_x[, -1]
  plan <- resample_bootstrap(12, blocks = patient)
  hybrid <- hybrid_rfe(x, block_y, n_features = 5, resampling = plan, seed = 1)
  expect_whole_runs(as.matrix(hybrid$resamples))
  expect_identical(is.na(hybrid$link), as.matrix(hybrid$resamples) > 0)
  log <- new.env()
  first <- selector_custom(function(x, y) c(1e6, abs(stats::cor(x[, -1], as.integer(y)))))
  tune_tradeoff(
    block_x, block_y, list(size = c(3, 6)),
    function(size) list(selector = first, learner = spy_on_blocks(log), n_features = size),
    resampling = plan, index = "nogueira", seed = 1
  )
  expect_apart(log, 24)
  stable <- stability_selection(
    x, block_y, q = 3, cutoff = 0.8, resampling = resample_pairs(8, blocks = patient), seed = 1
  )
  expect_whole_runs(as.matrix(stable$resamples))
  both <- as.matrix(stable$resamples)
  expect_identical(max(both[, c(TRUE, FALSE)] + both[, c(FALSE, TRUE)]), 1L)
  halves <- resample_subsample(20, 1 / 2, blocks = patient)
  estimate <- estimate_stability(
    x, block_y, selector_filter("t"), n_features = 5, n_weak = 5, resampling = halves,
    n_simulations = 20,
    n_boot = 20, seed = 1
  )
  runs <- select_ensemble(
    x, block_y, selector_filter("t"), halves, n_features = 5,
    seed = child_seeds(1, 2)[1]
  )
  expect_whole_runs(as.matrix(runs$resamples))
  expect_equal(estimate$real$stability, stability(runs, "jaccard")$table$estimate)
})

test_that("blocks of prepared data hold for the default folds, also when they mix classes", {
  data <- withr::with_seed(3, list(
    x = matrix(stats::rnorm(24 * 8), 24, dimnames = list(NULL, paste0("f", 1:8))),
    y = factor(rep(c("a", "b"), 12)), blocks = sample(rep(1:8, 3))
  ))
  prepared <- prepare_study(data$x, data$y, blocks = data$blocks)
  whole <- function(counts) all(rowsum((counts > 0L) + 0L, data$blocks) %in% c(0, 3))
  fit <- eliminate_features(prepared, learner = learner_svm(), seed = 1)
  expect_true(whole(fit$resamples$counts))
  outer <- evaluate_elimination(
    prepared, learner = learner_svm(), search = search_sizes(step = 4), seed = 1
  )
  expect_true(whole(outer$resamples$counts))
  expect_identical(outer$resamples$n_runs, 8L)
})
