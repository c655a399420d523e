oob_x <- as.matrix(mcl_sll[, -1])[, 1:40]
oob_x <- oob_x + withr::with_seed(2, 0.01 * stats::rnorm(length(oob_x)))
oob_y <- factor(mcl_sll$MCL, labels = c("SLL", "MCL"))

# Remembers, at every prediction, the rows trained on before and the rows predicted.
spy_learner <- function(log, answer = "SLL") {
  learner_custom(
    function(x, y) list(x = x, y = y),
    function(model, newdata) {
      log$calls <- c(log$calls, list(list(train = model$x, y = model$y, test = newdata)))
      answer
    },
    name = "spy"
  )
}

test_that("a sample is predicted from what has not seen it", {
  draws <- draw_resamples(resample_bootstrap(15), oob_y, seed = 3)
  log <- new.env()
  fit <- select_ensemble(
    oob_x, oob_y, selector_filter("t"), draws, n_features = 4, learner = spy_learner(log),
    seed = 1
  )
  usable <- which(rowSums(draws$counts == 0L) > 0L)
  companions <- left_out_together(read_response(oob_y, length(oob_y)))
  expect_length(log$calls, length(usable))
  for (k in seq_along(usable)) {
    i <- usable[k]
    call <- log$calls[[k]]
    features <- colnames(call$test)
    expect_identical(call$test[1, ], oob_x[i, features])
    expect_identical(call$train, oob_x[-companions[[i]], features])
    expect_identical(call$y, oob_y[-companions[[i]]])
  }
  # Nor by the selection: what the sample holds does not change how it is predicted.
  i <- usable[2]
  wild <- oob_x
  wild[i, ] <- 1e3 * seq_len(ncol(wild))
  log_wild <- new.env()
  select_ensemble(
    wild, oob_y, selector_filter("t"), draws, n_features = 4, learner = spy_learner(log_wild),
    seed = 1
  )
  expect_identical(log_wild$calls[[2]]$train, log$calls[[2]]$train)
  expect_false(identical(log_wild$calls[[3]]$train, log$calls[[3]]$train))
})

test_that("the out-of-bag error is that of a slow loop", {
  draws <- draw_resamples(resample_bootstrap(12), oob_y, seed = 5)
  fit <- select_ensemble(
    oob_x, oob_y, selector_filter("t"), draws, n_features = 3, learner = learner_lda(), seed = 1
  )
  companions <- left_out_together(read_response(oob_y, length(oob_y)))
  expected <- vapply(seq_along(oob_y), function(i) {
    runs <- which(as.matrix(draws)[i, ] == 0)
    if (length(runs) == 0L) {
      return(NA_character_)
    }
    score <- vapply(runs, function(b) {
      rows <- split(draws)[[b]]
      apply(oob_x[rows, ], 2, function(column) {
        abs(stats::t.test(column ~ oob_y[rows], var.equal = TRUE)$statistic)
      })
    }, numeric(40))
    best <- order(-rowMeans(score))[1:3]
    lda <- learner_lda()
    others <- -companions[[i]]
    model <- lda$fit(oob_x[others, best], oob_y[others])
    as.character(lda$predict(model, oob_x[i, best, drop = FALSE]))
  }, "")
  expect_identical(as.character(fit$oob$predictions$predicted), expected)
  wrong <- (expected != oob_y)[!is.na(expected)]
  expect_equal(fit$oob$error, mean(wrong))
  # Clopper and Pearson's interval for half as many samples, by quantiles of F.
  m <- length(wrong) / 2
  k <- sum(wrong) / 2
  below <- stats::qf(0.975, 2 * (m - k + 1), 2 * k)
  above <- stats::qf(0.975, 2 * (k + 1), 2 * (m - k))
  expect_equal(fit$oob$lower, k / (k + (m - k + 1) * below))
  expect_equal(fit$oob$upper, (k + 1) * above / (m - k + (k + 1) * above))
  expect_identical(fit$oob$predictions$n_runs, as.integer(rowSums(as.matrix(draws) == 0)))
  expect_identical(fit$oob$n, length(wrong))
})

test_that("several selectors: runs of each are needed, and combined as in the ensemble", {
  both <- list(t = selector_filter("t"), r = selector_filter("spearman"))
  draws <- draw_resamples(resample_subsample(9, 0.7), oob_y, seed = 4)
  log <- new.env()
  fit <- select_ensemble(
    oob_x, oob_y, both, draws, n_features = 4, learner = spy_learner(log), seed = 1
  )
  usable <- which(rowSums(draws$counts == 0L) > 0L)
  i <- usable[1]
  alone <- select_ensemble(
    oob_x, oob_y, both, draws[which(draws$counts[i, ] == 0L)], n_features = 4, seed = 1
  )
  expect_identical(colnames(log$calls[[1]]$test), alone$features)
  # A selector whose runs without a sample failed has no say, so the sample is not predicted.
  gone <- fit$runs
  gone$status[gone$selector == "r" & draws$counts[i, gone$resample] == 0L] <- "no"
  counts <- counts_of_runs(list(table = gone, draws = draws))
  known <- have_all_selectors(counts, gone)
  expect_false(known[i])
  expect_true(known[usable[2]])
  expect_identical(which(counts[usable[2], ] == 0L)[1], which(draws$counts[usable[2], ] == 0L)[1])
})

test_that("classes in any number, the baseline, and samples in every run", {
  y3 <- factor(rep(c("a", "b", "c"), c(8, 7, 7)))
  fit <- select_ensemble(
    oob_x, y3, selector_filter("anova"), n_features = 5, learner = learner_svm(), seed = 1
  )
  expect_identical(levels(fit$oob$predictions$predicted), levels(y3))
  expect_equal(fit$oob$baseline, 14 / 22)
  turned <- select_ensemble(
    oob_x, factor(y3, c("c", "b", "a")), selector_filter("anova"), n_features = 5,
    learner = learner_svm(), seed = 1
  )
  expect_identical(turned$oob$baseline, fit$oob$baseline)
  measured <- measure_predictions(y3, fit$oob$predictions$predicted, metric = "balanced_accuracy")
  expect_equal(fit$oob$balanced_error, 1 - measured[[1]])
  two <- select_ensemble(
    oob_x, oob_y, selector_filter("t"), resample_subsample(1, 0.8), n_features = 3,
    learner = learner_lda(), seed = 1
  )
  inside <- as.matrix(two$resamples)[, 1] > 0
  expect_identical(is.na(two$oob$predictions$predicted), unname(inside))
  expect_identical(two$oob$n, sum(!inside))
})

test_that("noise is predicted no better than by chance, signal better", {
  data <- withr::with_seed(3, list(
    x = matrix(stats::rnorm(40 * 300), 40, dimnames = list(NULL, paste0("f", 1:300))),
    y = factor(rep(c("a", "b"), 20))
  ))
  error <- function(x) {
    select_ensemble(
      x, data$y, selector_filter("t"), n_features = 10, learner = learner_lda(), seed = 1
    )$oob$error
  }
  # A learner that is judged on features chosen with all samples would look excellent here.
  expect_gt(error(data$x), 0.3)
  signal <- data$x
  signal[, 1:10] <- signal[, 1:10] + 2 * as.integer(data$y)
  expect_lt(error(signal), 0.1)
})

test_that("the field is there or NULL, is printed, and errors name the argument", {
  ensemble <- function(...) {
    select_ensemble(oob_x, oob_y, selector_filter("t"), n_features = 3, ..., seed = 1)
  }
  plain <- ensemble()
  expect_true("oob" %in% names(plain))
  expect_null(plain$oob)
  fit <- ensemble(learner = learner_lda())
  expect_identical(fit$asked$learner$name, "lda")
  fit$asked["learner"] <- list(NULL)
  expect_identical(fit[names(fit) != "oob"], plain[names(plain) != "oob"])
  expect_identical(
    ensemble(learner = learner_lda(), n_threads = 2)$oob$predictions, fit$oob$predictions
  )
  expect_match(
    printed_words(fit), "discriminant analysis on features selected without each sample"
  )
  expect_output(print(fit), "% out of bag")
  again <- aggregate(fit, aggregate_rank("mean"))
  expect_true("oob" %in% names(again))
  expect_null(again$oob)
  expect_match(message_of(ensemble(learner = "lda")), "`learner` must be made by")
  expect_match(
    message_of(select_ensemble(
      oob_x, oob_x[, 1], selector_filter("pearson"), n_features = 3, learner = learner_lda()
    )),
    "The learner \"lda\" predicts two classes or several classes, but `y` holds numbers"
  )
  expect_error(
    ensemble(learner = spy_learner(new.env(), c("SLL", "MCL"))),
    class = "stabilect_error_learner"
  )
  expect_error(
    ensemble(learner = spy_learner(new.env(), NA)), class = "stabilect_error_learner"
  )
})
