# The page on selectors of the papers: its code against the authors' program, Shapley's definition,
# a kernel computed again, and the trees themselves.

page_object <- function(label, name) {
  lines <- readLines(sources("vignettes", "paper-selectors.Rmd"), encoding = "UTF-8")
  begin <- grep(paste0("^```[{]r ", label, "[,}]"), lines)
  end <- grep("^```$", lines)
  place <- new.env(parent = globalenv())
  eval(parse(text = lines[(begin + 1L):(end[end > begin][1] - 1L)], keep.source = FALSE), place)
  place[[name]]
}

scores_of <- function(selector, x, y) {
  scores <- score_features(x, y, selector)
  scores <- scores[order(scores$rank), ]
  data.frame(feature = match(scores$feature, colnames(x)), score = scores$score)
}

test_that("features enter the HSIC lasso where they enter it by pyHSICLasso", {
  skip_if_not_installed("glmnet")
  selector <- page_object("hsic", "hsic_lasso")
  theirs <- readRDS(test_path("fixtures", "hsic.rds"))
  # As in data-raw/make-hsic-fixture.R.
  x <- sin(7 * outer(1:40, sqrt(2:26)))
  colnames(x) <- paste0("g", 1:25)
  samples <- list(
    two = list(as.matrix(mcl_sll[, -1]), factor(mcl_sll$MCL)),
    # Only with more than two classes do their sizes matter, once matrices are centred.
    three = list(x, factor((x[, 1] > -0.5) + (x[, 2] > 0.5))),
    numbers = list(x, x[, 1]^2 + sin(3 * x[, 2]) + x[, 3] / 2)
  )
  for (kind in names(samples)) {
    data <- samples[[kind]]
    ours <- scores_of(selector, data[[1]], data[[2]])
    # glmnet divides by the elements of the matrix; its grid has steps of 3.1 %.
    penalty <- ours$score[match(theirs[[kind]]$feature, ours$feature)] * nrow(data[[1]])^2
    step <- 1 - 1e-4^(1 / 299)
    off <- 1 - penalty / theirs[[kind]]$penalty
    expect_true(all(off > -1e-3 & off < step + 1e-3), info = kind)
    # Those that enter in one step of the grid are in any order.
    at <- match(theirs[[kind]]$feature, ours$feature)
    expect_lte(max(abs(at - seq_along(at))), 1, label = kind)
    expect_identical(sort(at), seq_along(at), info = kind)
  }
})

test_that("a constant feature and a second copy do not stop the HSIC lasso", {
  skip_if_not_installed("glmnet")
  x <- cbind(as.matrix(mcl_sll[, 2:20]), constant = 1)
  ours <- scores_of(page_object("hsic", "hsic_lasso"), x, factor(mcl_sll$MCL))
  expect_true(all(is.finite(ours$score)))
  expect_equal(ours$score[ours$feature == 20], min(ours$score))
})

test_that("SHAP values of stumps are Shapley's means over all subsets of features", {
  skip_if_not_installed("gbm")
  x <- log2(colon_genes$x[, c(249, 493, 1772, 5)])
  n <- nrow(x)
  # The model is the one that the recipe fits; nothing is drawn.
  machine <- gbm::gbm.fit(
    x, as.integer(colon_genes$y) - 1, distribution = "bernoulli", n.trees = 100,
    interaction.depth = 1, shrinkage = 0.1, n.minobsinnode = 1, bag.fraction = 1,
    keep.data = FALSE, verbose = FALSE
  )
  subsets <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), 4)))
  # Mean prediction over the samples, with the features of the subset those of one sample.
  value <- apply(subsets, 1, function(known) {
    vapply(seq_len(n), function(i) {
      z <- x
      z[, known] <- rep(x[i, known], each = n)
      mean(predict(machine, z, n.trees = 100))
    }, 0)
  })
  by_definition <- vapply(1:4, function(j) {
    without <- which(!subsets[, j])
    size <- rowSums(subsets[without, ])
    share <- factorial(size) * factorial(3 - size) / factorial(4)
    mean(abs((value[, without + 2^(j - 1)] - value[, without]) %*% share))
  }, 0)
  ours <- scores_of(page_object("shap", "shap"), x, colon_genes$y)
  expect_equal(ours$score[order(ours$feature)], by_definition)
  expect_gt(min(by_definition), 0)
})

test_that("the kernel machine drops features by Equation 8, computed again", {
  skip_if_not_installed("e1071")
  learner <- page_object("kernel", "kernel_svm")
  x <- scale(log2(colon_genes$x[, 1:12]))
  y <- colon_genes$y
  model <- learner$fit(x, y)
  machine <- e1071::svm(x, y, gamma = 1 / 12, scale = FALSE)
  # Signed, as e1071 has them; samples without weight have no part.
  squared_norm <- function(columns) {
    z <- x[machine$index, columns, drop = FALSE]
    total <- 0
    for (k in seq_along(machine$index)) {
      for (l in seq_along(machine$index)) {
        total <- total +
          machine$coefs[k] * machine$coefs[l] * exp(-sum((z[k, ] - z[l, ])^2) / 12)
      }
    }
    total
  }
  change <- vapply(1:12, function(j) abs(squared_norm(1:12) - squared_norm(-j)), 0)
  importance <- unname(learner$importance(model))
  expect_equal(importance / sum(importance), change / sum(change))
  fit <- eliminate_features(
    x, y, learner, search_sizes(c(12, 11)), resample_folds(3, stratify = TRUE),
    seed = 1, progress = FALSE
  )
  expect_setequal(fit$sizes$size, 12:11)
})

test_that("LightGBM's importance is its share of the splits", {
  skip_if_not_installed("lightgbm")
  learner <- page_object("lightgbm", "light_gbm")
  x <- log2(colon_genes$x[, 1:100])
  y <- colon_genes$y
  model <- learner$fit(x, y)
  nodes <- getExportedValue("lightgbm", "lgb.model.dt.tree")(model$trees)
  splits <- tabulate(as.integer(nodes$split_feature), 100)
  expect_gt(sum(splits > 0), 3)
  expect_equal(learner$importance(model), splits / sum(splits))
  expect_gt(mean(learner$predict(model, x) == y), 0.9)
})
