# Machines of pairs of classes, against LIBSVM in e1071.

sorted <- function(x, y) {
  # LIBSVM numbers classes as they come; here they come in the order of the levels.
  order <- order(y)
  colnames(x) <- paste0("V", seq_len(ncol(x)))
  list(x = x[order, ], y = droplevels(factor(y)[order]))
}

four_sets <- function() {
  withr::with_seed(1, {
    y <- factor(rep(letters[1:5], 12))
    x <- matrix(stats::rnorm(60 * 200), 60)
    x[, 1:10] <- x[, 1:10] + as.integer(y)
  })
  crabs <- MASS::crabs
  list(
    iris = sorted(as.matrix(datasets::iris[, 1:4]), datasets::iris$Species),
    glass = sorted(scale(as.matrix(MASS::fgl[, 1:9])), MASS::fgl$type),
    crabs = sorted(scale(as.matrix(crabs[, 4:8])), interaction(crabs$sp, crabs$sex)),
    wide = sorted(x, y)
  )
}

# The weights of a pair of classes are the coefficients of both in this pair, times their vectors.
e1071_weights <- function(peer) {
  first <- cumsum(c(0, peer$nSV))
  pairs <- utils::combn(length(peer$nSV), 2)
  t(apply(pairs, 2, function(pair) {
    rows <- lapply(pair, function(g) first[g] + seq_len(peer$nSV[g]))
    colSums(peer$coefs[rows[[1]], pair[2] - 1] * peer$SV[rows[[1]], , drop = FALSE]) +
      colSums(peer$coefs[rows[[2]], pair[1]] * peer$SV[rows[[2]], , drop = FALSE])
  }))
}

test_that("one against one with hinge loss and a free intercept is LIBSVM's machine", {
  skip_if_not_installed("e1071")
  skip_if_not_installed("MASS")
  learner <- learner_svm(0.5, "l1", "none", multiclass = "one_against_one")
  for (data in four_sets()) {
    out <- seq(3, nrow(data$x), by = 3)
    model <- learner$fit(data$x[-out, ], data$y[-out])
    peer <- e1071::svm(
      data$x[-out, ], data$y[-out], kernel = "linear", cost = 0.5, scale = FALSE, tolerance = 1e-9
    )
    expected <- stats::predict(peer, data$x[out, ], decision.values = TRUE)
    machines <- data$x[out, ] %*% model$weights + rep(model$constants, each = length(out))
    # Theirs are positive for the earlier class.
    expect_lt(max(abs(machines + attr(expected, "decision.values"))), 1e-4)
    expect_identical(as.vector(learner$predict(model, data$x[out, ])), as.vector(expected))
    # The squared weights of all machines.
    theirs <- colSums(e1071_weights(peer)^2)
    expect_equal(learner$importance(model), theirs, tolerance = 1e-4, ignore_attr = TRUE)
  }
})

test_that("a machine of a pair is the machine of these two classes alone, for both losses", {
  data <- four_sets()$wide
  for (loss in c("l1", "l2")) {
    for (intercept in c("free", "penalised")) {
      for (p in c(6, 200)) {
        x <- data$x[, seq_len(p)]
        make <- function(...) learner_svm(0.3, loss, "none", intercept, ...)
        all <- make(multiclass = "one_against_one")$fit(x, data$y)
        use <- data$y %in% c("b", "d")
        alone <- make()$fit(x[use, ], droplevels(data$y[use]))
        # (a, b), (a, c), (a, d), (a, e), (b, c), (b, d)
        expect_equal(all$weights[, 6], alone$weights[, 2], tolerance = 1e-6, ignore_attr = TRUE)
        expect_equal(all$constants[6], alone$constants[2], tolerance = 1e-5)
      }
    }
  }
})

test_that("of two classes there is one machine, and a class without samples is not predicted", {
  data <- four_sets()$wide
  pairs <- learner_svm(multiclass = "one_against_one")
  two <- data$y %in% c("a", "c")
  y <- droplevels(data$y[two])
  fit <- function(learner) learner$fit(data$x[two, ], y)[c("weights", "constants", "importance")]
  expect_identical(fit(pairs), fit(learner_svm()))
  gone <- data$y != "c"
  model <- pairs$fit(data$x[gone, ], data$y[gone])
  expect_false("c" %in% as.character(pairs$predict(model, data$x)))
  # In the core, too, where the samples of a run may lack a class.
  counts <- matrix(as.integer(gone), ncol = 1)
  steps <- cpp_rfe_paths(
    data$x, as.integer(data$y), 5L, counts, list(1:200), c(200L, 20L), rep(1, 200), rep(1, 200),
    pairs$path, 1000L, character(), double(), 1L, NULL
  )[[1]]
  read <- pairs$read(steps[[1]]$decision, 5L)
  expect_identical(
    levels(data$y)[read$class], as.character(pairs$predict(model, data$x[!gone, ]))
  )
  # The other classes win against the one that is not there.
  votes <- unname(pairs$decision(model, data$x[!gone, ]))
  expect_identical(read$decision, cbind(votes[, 1:2] + 1, 0, votes[, 3:4] + 1))
})

test_that("elimination in the core is elimination by the learner's functions", {
  data <- four_sets()$wide
  plain <- pairs <- learner_svm(0.1, multiclass = "one_against_one")
  plain$path <- NULL
  folds <- resample_folds(3, stratify = TRUE)
  by <- function(learner) {
    eliminate_features(data$x, data$y, learner, search_sizes(c(50, 10)), folds, seed = 1)
  }
  expect_identical(by(pairs)$features, by(plain)$features)
  expect_equal(by(pairs)$scores, by(plain)$scores)
  ensemble <- select_ensemble(
    data$x, data$y, selector_learner(pairs), resample_subsample(5), n_features = 5,
    seed = 1
  )
  expect_length(ensemble$features, 5)
  expect_error(learner_svm(multiclass = "pairs"), "`multiclass` must be",
    class = "stabilect_error_input"
  )
})
