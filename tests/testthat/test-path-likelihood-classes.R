# Paths of several classes with grouped coefficients: against glmnet, the conditions of optimality,
# two classes, repeated rows; what is made of them.

test_that("coefficients are those of glmnet, and optimal by what the data alone say", {
  stored <- readRDS(test_path("fixtures", "likelihood-classes.rds"))
  known <- which(lengths(stored) > 0)
  expect_gte(length(known), 100)
  designs <- if (identical(Sys.getenv("NOT_CRAN"), "true")) known else known[1:20]
  for (id in designs) {
    design <- class_design(id)
    peer <- stored[[id]]
    path <- run_likelihood(design, peer$lambda)
    held <- ncol(design$z)
    theirs <- class_array(peer$coefficients)
    ours <- class_array(path$coefficients)
    if (held > 0) {
      ours <- array(
        c(aperm(class_array(path$covariates), c(2, 3, 1)), aperm(ours, c(2, 3, 1))),
        c(dim(ours)[2:3], held + dim(ours)[1])
      )
      ours <- aperm(ours, c(3, 1, 2))
      # Unpenalised coefficients of glmnet need not sum to zero.
      theirs <- sweep(theirs, c(1, 3), apply(theirs, c(1, 3), mean))
    }
    expect_identical(dim(ours), dim(theirs))
    scale <- c(rep(1, held), weighted_sds(design))
    expect_lt(max(abs(ours - theirs) * scale), 1e-6, label = paste("design", id))
    expect_lt(class_kkt(design, path), 1e-8, label = paste("optimality of design", id))
    expect_lt(max(path$kkt), 1e-9)
  }
})

test_that("a first step that does not help leaves no feature above the bound", {
  for (id in c(40, 116)) {
    design <- class_design(id)
    path <- run_likelihood(design, n_lambda = 40, tolerance = 1e-6)
    expect_lt(class_kkt(design, path), 1.01e-6, label = paste("optimality of design", id))
  }
})

test_that("where steps from what has changed before do not help, the path goes on without", {
  path <- run_likelihood(class_design(1532), n_lambda = 15, tolerance = 1e-6)
  expect_identical(path$status, "complete")
  for (id in c(1102, 1499, 1895)) {
    # Found with these ties.
    path <- run_likelihood(c(likelihood_design("cox", id), ties = "breslow"),
      n_lambda = 15, tolerance = 1e-6, max_features = if (id %% 3 == 0) 12
    )
    expect_true(path$status != "no_convergence", label = paste("design", id))
  }
})

test_that("two classes have the path of logistic regression at another penalty", {
  # Coefficients b and -b differ by 2 b, and their norm is sqrt(2) |b|.
  x <- withr::with_seed(1, matrix(stats::rnorm(50 * 30), 50))
  colnames(x) <- paste0("g", 1:30)
  y <- factor(withr::with_seed(2, ifelse(x[, 1] + stats::rnorm(50) > 0, "b", "a")))
  lambda <- c(0.15, 0.05, 0.02)
  both <- lasso_path(x, y, family = "multinomial", lambda = lambda * sqrt(2), tolerance = 1e-10)
  one <- lasso_path(x, y, family = "binomial", lambda = lambda, tolerance = 1e-10)
  expect_equal(
    as.matrix(both$coefficients$b - both$coefficients$a), as.matrix(one$coefficients),
    tolerance = 1e-8
  )
  expect_equal(both$deviance, one$deviance, tolerance = 1e-9)
  expect_equal(
    predict(both, x[1:5, ], type = "probability")[, "b", ],
    predict(one, x[1:5, ], type = "probability"), tolerance = 1e-8, ignore_attr = TRUE
  )
})

test_that("counts as weights are repeated rows, and lambda = 0 is the model without penalty", {
  design <- class_design(3)
  counts <- withr::with_seed(5, sample(1:3, nrow(design$x), TRUE))
  y <- factor(design$response$levels[design$response$codes])
  rows <- rep(seq_along(y), counts)
  x <- design$x[, seq_len(min(4, ncol(design$x)))]
  lambda <- c(0.1, 0.02, 0)
  weighted <- lasso_path(x, y, weights = counts, lambda = lambda, tolerance = 1e-10)
  repeated <- lasso_path(x[rows, ], y[rows], lambda = lambda, tolerance = 1e-10)
  expect_equal(coef(weighted), coef(repeated), tolerance = 1e-7)
  eta <- predict(weighted, x, at = 0, type = "probability")
  observed <- outer(as.integer(y), seq_len(nlevels(y)), `==`)
  expect_lt(max(abs(crossprod(cbind(1, x), counts * (observed - eta)))), 1e-6)
})

test_that("features enter and leave one at a time, and every model is a point", {
  design <- class_design(4)
  y <- factor(design$response$levels[design$response$codes])
  path <- lasso_path(design$x, y, max_features = 6)
  expect_true(all(abs(diff(path$size)) <= 1))
  expect_identical(path$status, "max_features")
  b <- coef(path, at = 3, mode = "size", intercept = TRUE)
  expect_identical(dim(b), c(ncol(design$x) + 1L, nlevels(y)))
  expect_equal(unname(rowSums(b)), rep(0, nrow(b)), tolerance = 1e-10)
  expect_identical(sum(b[-1, 1] != 0), 3L)
  table <- as.data.frame(path)
  expect_identical(nrow(table), sum(path$size) * nlevels(y))
  at <- table[table$point == which(path$size == 3)[1], ]
  expect_identical(at$coefficient, as.vector(t(b[-1, ][b[-1, 1] != 0, ])))
  expect_output(print(path), "multinomial regression")
})

test_that("predictions are the likeliest classes by softmax", {
  design <- class_design(5)
  y <- factor(design$response$levels[design$response$codes])
  path <- lasso_path(design$x, y, n_lambda = 10)
  at <- path$lambda[6]
  link <- predict(path, design$x, at = at, type = "link")
  by_hand <- design$x %*% coef(path, at = at) + rep(coef(path, at = at, intercept = TRUE)[1, ],
    each = nrow(design$x)
  )
  expect_equal(unname(link), unname(by_hand))
  chance <- predict(path, design$x, at = at, type = "probability")
  expect_equal(chance, exp(link) / rowSums(exp(link)))
  class <- predict(path, design$x, at = at)
  expect_identical(as.integer(class), unname(max.col(chance, "first")))
  all <- predict(path, design$x)
  expect_identical(unname(all[, 6]), as.character(class))
  expect_identical(dim(predict(path, design$x, type = "link")), c(nrow(design$x), nlevels(y), 10L))
  skip_if_not_installed("ggplot2")
  expect_identical(ggplot2::autoplot(path)$labels$y, "Norm of the coefficients")
})

test_that("bad input is refused by name", {
  design <- class_design(6)
  y <- factor(design$response$levels[design$response$codes])
  refused <- function(pattern, ...) {
    expect_error(lasso_path(design$x, ...), pattern, class = "stabilect_error_input")
  }
  refused("class", y, weights = ifelse(as.integer(y) == 1, 0, 1))
  refused("two classes", y, family = "binomial")
  refused("survival times", y, strata = as.integer(y))
  refused("several classes", design$x[, 1], family = "multinomial")
  refused("separate", y, covariates = (as.integer(y) == 1) + 0)
})
