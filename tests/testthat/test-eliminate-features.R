rfe_data <- function(n = 60, p = 40, classes = 2, seed = 1) {
  withr::with_seed(seed, {
    y <- factor(rep_len(letters[seq_len(classes)], n))
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("f", seq_len(p))))
    x[, 3 * seq_len(4)] <- x[, 3 * seq_len(4)] + outer(as.integer(y), c(0.5, 0.7, 0.9, -0.8))
  })
  list(x = x, y = y)
}

# The core's learners by the way of any other learner: a fit in R for every size.
plain <- function(learner) {
  learner$path <- NULL
  learner
}

test_that("paths of the core are those of single fits", {
  for (classes in 2:3) {
    data <- rfe_data(classes = classes)
    for (learner in list(learner_svm(0.1), learner_logistic(2), learner_svm(0.02, "l1"))) {
      for (search in list(search_sizes(step = 1), search_peak(3))) {
        fast <- eliminate_features(data$x, data$y, learner, search, metric = "auc", seed = 1)
        slow <- eliminate_features(data$x, data$y, plain(learner), search, metric = "auc", seed = 1)
        expect_identical(fast$rankings, slow$rankings)
        expect_identical(fast$ranking, slow$ranking)
        expect_equal(fast$scores, slow$scores)
        expect_equal(fast$selection$importance, slow$selection$importance, tolerance = 1e-6)
        expect_identical(fast$n_fits, slow$n_fits)
      }
    }
  }
})

test_that("a loop around LIBLINEAR eliminates the same features", {
  skip_if_not_installed("LiblineaR")
  data <- rfe_data(p = 30)
  fit <- eliminate_features(
    data$x, data$y, learner_svm(0.1, intercept = "penalised"), search_sizes(step = 1), seed = 1
  )
  for (run in 1:5) {
    bag <- fit$resamples$counts[, run] > 0
    active <- seq_len(30)
    rank <- integer(30)
    z <- data$x[bag, ]
    z <- t((t(z) - colMeans(z)) / sqrt(colMeans(t(t(z) - colMeans(z))^2)))
    while (length(active) > 0L) {
      w <- LiblineaR::LiblineaR(
        z[, active, drop = FALSE], data$y[bag], type = 1, cost = 0.1, bias = 1, epsilon = 1e-8
      )$W[seq_along(active)]
      worst <- which.min(w^2)
      rank[active[worst]] <- length(active)
      active <- active[-worst]
    }
    expect_identical(unname(fit$rankings[, run]), rank)
  }
})

test_that("each size comes from the next larger one, and sets are kept", {
  data <- rfe_data()
  fit <- eliminate_features(data$x, data$y, learner_logistic(), search_peak(), seed = 3)
  expect_true(all(fit$sizes$size %in% 1:40))
  expect_false(anyDuplicated(fit$sizes$size) > 0L)
  expect_equal(unname(Matrix::colSums(fit$selection$selected)), rep(fit$n_features, 5))
  expect_identical(as.matrix(fit$selection$selected), fit$rankings <= fit$n_features)
  expect_true(all(as.matrix(fit$selection$importance)[fit$rankings > fit$n_features] == 0))
  expect_identical(sort(unname(fit$ranking)), 1:40)
  expect_identical(fit$features, names(sort(fit$ranking))[seq_len(fit$n_features)])
  # Sizes times runs, and the refit down to the chosen size.
  expect_identical(
    as.integer(fit$n_fits), nrow(fit$sizes) * 5L + sum(fit$sizes$size >= fit$n_features)
  )
  # By hand: the fold's own model at a size, from the ranking of the next larger one.
  bag <- fit$resamples$counts[, 2] > 0
  learner <- learner_logistic()
  set <- colnames(data$x)
  for (size in fit$sizes$size[fit$sizes$size >= fit$n_features & fit$sizes$pass <= 2]) {
    set <- set[seq_len(size)]
    model <- learner$fit(data$x[bag, set], data$y[bag])
    score <- mean(learner$predict(model, data$x[!bag, set]) == data$y[!bag])
    expect_equal(fit$scores$score[fit$scores$size == size & fit$scores$run == 2], score)
    set <- set[order(-learner$importance(model))]
  }
})

test_that("the same seed gives the same bits for any number of threads", {
  data <- rfe_data()
  for (learner in list(learner_svm(), learner_logistic())) {
    one <- eliminate_features(data$x, data$y, learner, search_peak(5), seed = 5)
    two <- eliminate_features(data$x, data$y, learner, search_peak(5), seed = 5, n_threads = 2)
    parts <- c("scores", "rankings", "ranking")
    expect_identical(one[parts], two[parts])
  }
  skip_if_not_installed("ranger")
  before <- withr::with_seed(1, stats::runif(1))
  withr::with_seed(1, {
    one <- eliminate_features(data$x, data$y, learner_forest(20), seed = 5)
    expect_identical(stats::runif(1), before)
  })
  expect_identical(
    one$rankings, eliminate_features(data$x, data$y, learner_forest(20), seed = 5)$rankings
  )
})

test_that("ties and the rule of one standard error", {
  data <- rfe_data(classes = 2)
  run <- function(...) {
    eliminate_features(data$x, data$y, search = search_sizes(step = 1), seed = 2, ...)
  }
  small <- run(tie = "smallest", size_rule = "best")
  large <- run(tie = "largest", size_rule = "best")
  top <- small$sizes$size[small$sizes$score >= max(small$sizes$score) - 1e-12]
  expect_identical(c(small$n_features, large$n_features), range(top))
  at <- small$sizes[small$sizes$size == small$best, ]
  within <- small$sizes$size[small$sizes$score >= at$score - at$se - 1e-12]
  expect_identical(small$one_se, min(within))
  sparse <- run()
  expect_identical(sparse$n_features, small$one_se)
  expect_identical(run(size_rule = "one_se")$table, sparse$table)
  loss <- run(learner = learner_logistic(), metric = "log_loss", size_rule = "best")
  expect_identical(loss$n_features, loss$sizes$size[which.min(loss$sizes$score)])
  # One line has both sizes.
  said <- function(fit) regmatches(text <- printed_words(fit), regexpr("List .*", text))
  expect_lt(sparse$n_features, sparse$best)
  expect_match(said(sparse), sprintf(
    "^List %d of 40 features: the fewest evaluated within one SE of the best score \\(%d fea",
    sparse$one_se, sparse$best
  ))
  expect_match(said(small), sprintf(
    "^List %d of 40 features: the best score; %d are within one SE of it", small$best, small$one_se
  ))
  small$one_se <- small$best
  expect_match(said(small), "of 40 features: the best score, and no fewer within one SE of it")
  all <- eliminate_features(data$x, data$y, search = search_sizes(40), seed = 2)
  expect_match(said(all), "^List 40 of 40 features f")
  expect_no_match(said(all), "promising")
  all$asked$size_rule <- "best"
  expect_match(said(all), "promising sizes: 1 to 40")
})

test_that("at most so many features are chosen, and the largest size is evaluated", {
  data <- rfe_data()
  run <- function(...) eliminate_features(data$x, data$y, seed = 2, ...)
  free <- run()
  expect_identical(run(max_features = 40)$table, free$table)
  expect_false(6L %in% free$sizes$size)
  panel <- run(max_features = 6, size_rule = "best", search = search_sizes(step = 0.3))
  allowed <- panel$sizes[panel$sizes$size <= 6, ]
  expect_identical(panel$best, min(allowed$size[allowed$score >= max(allowed$score) - 1e-12]))
  # Sizes of the search keep their scores.
  expect_identical(panel$sizes$size, sort(c(free$sizes$size, 6L), decreasing = TRUE))
  same <- match(free$sizes$size, panel$sizes$size)
  expect_equal(panel$sizes$score[same], free$sizes$score)
  at <- allowed[allowed$size == panel$best, ]
  expect_identical(
    panel$one_se, min(allowed$size[allowed$score >= at$score - at$se - 1e-12])
  )
  expect_lte(panel$interval[["upper"]], 6L)
  expect_length(selected(panel), panel$n_features)
  said <- printed_words(panel)
  expect_match(said, sprintf("%d of 40 features, at most 6:", panel$n_features))
  expect_match(said, "size_rule = \"best\", max_features = 6", fixed = TRUE)
  expect_identical(run(max_features = 1, search = search_peak())$n_features, 1L)
  judged <- evaluate_elimination(data$x, data$y, max_features = 2, seed = 1)
  expect_true(all(judged$table$n_features <= 2L))
  expect_match(printed_words(judged), ", at most 2: the fewest")
  expect_error(
    run(max_features = 3, search = search_peak(max_steps = 2)), "stopped before",
    class = "stabilect_error_input"
  )
})

test_that("a single run has no standard error, and single samples have one", {
  data <- rfe_data()
  fit <- eliminate_features(
    data$x, data$y, search = search_sizes(step = 1), resampling = resample_custom(list(1:40)),
    seed = 2
  )
  expect_true(all(is.na(fit$sizes$se)))
  top <- fit$sizes$size[fit$sizes$score == max(fit$sizes$score)]
  expect_identical(fit$n_features, min(top))
  text <- printed_words(fit)
  expect_match(text, "features: the fewest with the best score \\(no SE\\)")
  expect_match(text, "on left-out samples \\(accuracy [0-9.]+\\)")
  each <- eliminate_features(
    data$x, data$y, search = search_sizes(c(8, 2)), resampling = resample_folds(60), seed = 2
  )
  share <- each$sizes$score
  expect_equal(each$sizes$se, sqrt(share * (1 - share) / 59))
})

test_that("samples that are left out are not seen", {
  data <- rfe_data()
  fit <- eliminate_features(
    data$x, data$y, learner_svm(), search_sizes(step = 4), refit = FALSE, seed = 4
  )
  out <- fit$resamples$counts[, 1] == 0L
  moved <- data$x
  moved[out, ] <- 100 * moved[out, ] + 7
  again <- eliminate_features(
    moved, data$y, learner_svm(), search_sizes(step = 4), refit = FALSE, seed = 4
  )
  # Along one path: the elimination of the run does not depend on the sizes chosen.
  expect_identical(fit$rankings[, 1], again$rankings[, 1])
  expect_null(fit$model)
  expect_match(message_of(predict(fit, data$x)), "no final model")
})

test_that("noise is not predicted by the outer runs", {
  withr::with_seed(1, x <- matrix(stats::rnorm(40 * 200), 40, dimnames = list(NULL, 1:200)))
  y <- rep(c("a", "b"), 20)
  result <- evaluate_elimination(x, y, learner_svm(), resample_folds(5, stratify = TRUE), seed = 1)
  expect_lt(abs(mean(result$table$accuracy) - 0.5), 0.25)
  # Features chosen on all samples would predict them nearly perfectly.
  expect_gt(
    mean(predict(eliminate_features(x, y, search = search_sizes(20), seed = 1), x) == y), 0.95
  )
  expect_named(result$table[1:5], c("run", "status", "n_features", "n_sizes", "n_fits"))
  expect_equal(unname(Matrix::colSums(result$selection$selected)), result$table$n_features)
  # One error, the measures of a rare class and of the order, and the rest in the summary.
  text <- printed_words(result)
  accuracy <- mean(result$table$accuracy)
  expect_match(text, sprintf(
    "Error %s in cross-validation of the whole search \\(SE .* %%; accuracy %s\\); 50 %% when",
    gsub("\u00a0", " ", as_percent(1 - accuracy)), figure(accuracy, digits = 3)
  ))
  expect_match(text, "balanced accuracy 0[.][0-9]+; AUC 0[.]")
  expect_no_match(text, "kappa|recall|g mean")
  measures <- summary(result)$measure
  expect_true(all(c("kappa", "balanced_accuracy") %in% measures))
  expect_false("macro_recall" %in% measures)
  recall <- evaluate_elimination(
    x[, 1:20], y, learner_svm(), resample_folds(2, stratify = TRUE), metric = "macro_recall",
    seed = 1
  )
  expect_true("macro_recall" %in% summary(recall)$measure)
  expect_match(printed_words(recall), "Error macro recall 0[.].* \\(SE .*\\); 0[.]5 by chance AUC")
})

test_that("by default small sizes are looked at, and the best size where it is asked for", {
  data <- rfe_data()
  run <- function(...) eliminate_features(data$x, data$y, learner_logistic(), seed = 1, ...)
  few <- run()
  expect_identical(few$sizes$size[c(1, nrow(few$sizes))], c(40L, 1L))
  expect_identical(few$table, run(search_sizes(step = 0.3))$table)
  expect_identical(run(size_rule = "best")$table, run(search_peak(), size_rule = "best")$table)
  outer <- function(...) {
    evaluate_elimination(
      data$x, data$y, learner_logistic(), outer = resample_folds(2), seed = 1, ...
    )
  }
  expect_identical(outer()$table, outer(search = search_sizes(step = 0.3))$table)
})

test_that("predict, print, tables", {
  data <- rfe_data()
  fit <- eliminate_features(data$x, data$y, learner_logistic(), search_peak(), seed = 1)
  classes <- predict(fit, data$x[, 40:1])
  expect_gt(mean(classes == data$y), 0.8)
  odds <- predict(fit, data$x, "probability")
  expect_equal(unname(rowSums(odds)), rep(1, 60))
  expect_identical(colnames(odds)[max.col(odds)], as.character(classes))
  expect_output(print(fit), "by logistic regression \\(Fibonacci search\\)")
  expect_output(print(fit), "60 samples x 40 features; outcome: 30 a, 30 b")
  expect_output(print(fit), "of 40 features\n.*Error|accuracy 0")
  expect_output(print(summary(fit)), "Stability of the runs")
  table <- as.data.frame(fit)
  expect_identical(table$selected, table$feature %in% fit$features)
  expect_identical(table$feature[table$selected], selected(fit))
  expect_equal(
    table$frequency, unname(rowMeans(fit$rankings <= fit$n_features)[table$feature])
  )
  expect_match(message_of(predict(fit, replace(data$x, 1:600, Inf))), "has Inf")
  expect_match(message_of(predict(fit, data$x, "link")), "`type` must be one of")
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit), "ggplot")
  expect_s3_class(ggplot2::autoplot(fit, log = TRUE), "ggplot")
})

test_that("small and odd input", {
  data <- rfe_data(p = 12)
  two <- eliminate_features(data$x[, 1:2], data$y, seed = 1)
  expect_setequal(two$sizes$size, 1:2)
  one <- eliminate_features(data$x[, 3, drop = FALSE], data$y, seed = 1)
  expect_identical(one$n_features, 1L)
  constant <- cbind(data$x, c = 1)
  expect_identical(
    eliminate_features(constant, data$y, search = search_sizes(step = 1), seed = 1)$ranking[["c"]],
    13L
  )
  boot <- eliminate_features(data$x, data$y, resampling = resample_bootstrap(4), seed = 1)
  expect_identical(ncol(boot$rankings), 4L)
  bad <- resample_custom(list(which(data$y == "a"), 1:40, 11:50))
  part <- eliminate_features(data$x, data$y, resampling = bad, seed = 1)
  expect_identical(part$selection$status, c("one class", "ok", "ok"))
  expect_true(all(is.na(part$rankings[, 1])))
  expect_identical(sum(part$selection$selected[, 1]), 0L)
  stopped <- eliminate_features(data$x, data$y, search = search_peak(max_steps = 3), seed = 1)
  expect_false(stopped$complete)
})

test_that("errors", {
  data <- rfe_data(p = 12)
  expect_match(message_of(eliminate_features(data$x, data$x[, 1], learner_svm())), "holds numbers")
  expect_match(message_of(eliminate_features(data$x, data$y, "svm")), "`learner` must be made by")
  expect_match(
    message_of(eliminate_features(data$x, data$y, search = 3)), "`search` must be made by"
  )
  expect_match(
    message_of(eliminate_features(data$x, data$y, metric = "log_loss")), "needs probabilities"
  )
  expect_match(
    message_of(eliminate_features(data$x, data$y, metric = "r2")), "`metric` must be one of"
  )
  blind <- learner_custom(function(x, y) y, function(model, newdata) rep(model[1], nrow(newdata)))
  expect_match(message_of(eliminate_features(data$x, data$y, blind)), "importance")
  blind$importance <- function(model) 1
  expect_error(
    eliminate_features(data$x, data$y, blind, seed = 1), "must be 12 numbers",
    class = "stabilect_error_learner"
  )
  expect_match(
    message_of(eliminate_features(data$x, data$y, resampling = resample_custom(list(1:60)))),
    "no sample left out"
  )
})

test_that("every question of a search is kept in a checkpoint, and not asked again", {
  data <- rfe_data(p = 12)
  for (learner in list(learner_svm(), plain(learner_logistic()))) {
    fit <- function(file, seed = 1) {
      eliminate_features(data$x, data$y, learner, search_peak(3), seed = seed, checkpoint = file)
    }
    file <- withr::local_tempfile(fileext = ".rds")
    expect_identical(fit(file)$table, fit(NULL)$table)
    files <- list.files(dirname(file), basename(file), full.names = TRUE)
    expect_gt(length(files), 1L)
    stored <- checkpoint_content(file)
    expect_identical(unlist(lapply(stored$parts, `[[`, "index")), 1:5)
    # What is there is taken as it is: run 1 is now right about every sample.
    truth <- as.integer(data$y)[fit(NULL)$resamples$counts[, 1] == 0]
    stored$parts[[1]]$value[[1]][[1]]$prediction$class <- truth
    stored$parts <- stored$parts[-2]
    write_content(stored, file)
    unlink(setdiff(files, file))
    resumed <- fit(file)
    at_all <- function(fit) fit$scores$score[fit$scores$size == 12]
    expect_identical(at_all(resumed), c(1, at_all(fit(NULL))[-1]))
    expect_error(fit(file, seed = 2), "another seed", class = "stabilect_error_checkpoint")
  }
})

test_that("outer runs are kept, too, and end when they are stable enough", {
  x <- as.matrix(mcl_sll[, 2:13])
  judge <- function(outer, ...) {
    evaluate_elimination(
      x, mcl_sll$MCL, outer = outer, search = search_sizes(c(2, 6)), seed = 1, ...
    )
  }
  file <- withr::local_tempfile(fileext = ".rds")
  plain <- judge(resample_folds(3))
  expect_identical(judge(resample_folds(3), checkpoint = file)$table, plain$table)
  # What is there is taken as it is.
  stored <- checkpoint_content(file)
  stored$parts[[2]]$value[[1]]$row$n_fits <- 12345L
  write_content(stored, file)
  kept <- judge(resample_folds(3), checkpoint = file)
  expect_identical(kept$table$n_fits, replace(plain$table$n_fits, 2, 12345L))
  expect_identical(judge(resample_folds(3), n_threads = 2)$table, plain$table)
  rule <- until_stable(width = 0.9)
  stopped <- judge(resample_subsample(60), until = rule)
  expect_identical(stopped$made$until$n_runs, 50L)
  expect_identical(stopped$table, judge(resample_subsample(50))$table)
  expect_match(message_of(judge(resample_folds(3), until = rule)), "a plan of folds")
})

test_that("labels in another order are refused by both verbs", {
  data <- rfe_data(p = 12)
  x <- data$x
  rownames(x) <- paste0("s", 1:60)
  y <- stats::setNames(data$y, rev(rownames(x)))
  for (verb in list(eliminate_features, evaluate_elimination)) {
    expect_match(message_of(verb(x, y)), "the same samples in another order")
    expect_match(message_of(verb(x, as.matrix(y))), "the same samples in another order")
  }
})

test_that("one run that decides the mean has a Caution", {
  found <- evaluate_elimination(
    as.matrix(mcl_sll[, 2:12]), mcl_sll[[20]] + seq_len(22), seed = 1,
    outer = resample_folds(3), resampling = resample_folds(2)
  )
  found$table$r_squared <- c(0.2, 0.4, -500)
  expect_match(printed_words(found), "single runs is -500 to 0.4 (median 0.2)", fixed = TRUE)
  found$table$r_squared <- c(0.2, 0.4, -0.5)
  expect_no_match(printed_words(found), "of single runs")
})
